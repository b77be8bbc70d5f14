//! Make the parts of a recipe: mesh, colour and skin each.
//!
//! Reads: a recipe's body and colours, and the frame its shapes lie in. Writes: one closed surface a
//! part, in body space. Pure.

use glam::DVec3;
use rayon::prelude::*;
use toml::Spanned;

use super::error::KitError;
use super::field::{Placed, distance};
use super::form::{Dab, Frame, part_paint, part_solids};
use super::recipe::{Recipe, Source, dull};
use super::shape_spec::PartSpec;
use super::shell::{Shell, mesh};
use super::thin::{Fine, thin};
use super::trig::smooth;
use super::weights::weights;
use crate::asset::Material;
use crate::base::colour::LINEAR_FROM_SRGB8;

/// One part, meshed.
pub(super) struct Surface<'a> {
    pub spec: &'a PartSpec,
    pub solids: Vec<Placed>,
    pub shell: Shell,
    /// One a vertex, to multiply the material's; empty where the part has no paint.
    pub tints: Vec<[f64; 3]>,
    pub material: Material,
    cell: f64,
    paint: Paint<'a>,
}

/// What a part's colour is made of, linear.
struct Paint<'a> {
    base: [f64; 3],
    /// The most of each channel anywhere on the part: the material's colour.
    brightest: [f64; 3],
    dabs: Vec<(Dab<'a>, [f64; 3])>,
}

/// All parts, in the recipe's order, with about as many triangles as it asks for.
pub(super) fn surfaces<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    source: Source<'_>,
) -> Result<Vec<Surface<'a>>, KitError> {
    check_names(recipe, source)?;
    let meshed: Vec<Result<Surface<'a>, KitError>> =
        recipe.body.part.par_iter().map(|part| surface(frame, recipe, part, source)).collect();
    let mut parts = meshed.into_iter().collect::<Result<Vec<_>, _>>()?;
    let pieces = parts.par_iter_mut().map(|part| part.fine(frame)).collect();
    let shells = thin(pieces, recipe.body.triangles);
    parts.par_iter_mut().zip(shells).for_each(|(part, shell)| part.renew(shell));
    Ok(parts)
}

impl Surface<'_> {
    /// Its mesh, taken out, with what must stay apart: bone weights and colours.
    fn fine(&mut self, frame: &Frame<'_>) -> Fine {
        let shell = std::mem::take(&mut self.shell);
        let feel = |at: &DVec3| {
            let mut feel = self.paint.tint(*at).map(|channel| 2.0 * channel as f32).to_vec();
            if let (Frame::Bones(skeleton), None) = (frame, &self.spec.rides) {
                let mut by_bone = vec![0.0; skeleton.bones.len()];
                for (bone, weight) in weights(skeleton, &self.solids, *at, self.weight_fade()) {
                    by_bone[bone] = weight;
                }
                feel.extend(by_bone);
            }
            feel
        };
        let feel = shell.positions.iter().map(feel).collect();
        Fine { shell, feel, keep: self.spec.keep }
    }

    /// Takes a thinned mesh back: onto the surface, with normals and colours anew.
    fn renew(&mut self, shell: Shell) {
        self.shell = shell;
        self.shell.settle(&self.solids, self.cell);
        if !self.paint.dabs.is_empty() {
            self.tints = self.shell.positions.iter().map(|at| self.paint.tint(*at)).collect();
        }
    }

    /// How far one solid's bones reach into the next solid, body space.
    pub(super) fn weight_fade(&self) -> f64 {
        self.spec.blend.unwrap_or(2.0).max(2.0)
    }
}

fn surface<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    part: &'a PartSpec,
    source: Source<'_>,
) -> Result<Surface<'a>, KitError> {
    let solids = part_solids(frame, &recipe.body, part, source)?;
    let paint = paint(frame, recipe, part, source)?;
    let cell = part.cell.unwrap_or(recipe.body.cell);
    let meshed = if cell > 0.05 { mesh(&solids, cell).map_err(|slip| slip.0) } else { Err(usize::MAX) };
    let shell = meshed.map_err(|samples| {
        let message = format!("part {:?} at cell = {cell} would take {samples} samples", part.name.get_ref());
        source.fault(part.name.span(), message, Some("make cell larger; 1 to 3 suits most parts".into()))
    })?;
    if shell.triangles.is_empty() {
        let hint = Some("make its shapes larger or its cell smaller".to_owned());
        return Err(source.fault(part.name.span(), format!("part {:?} has no surface", part.name.get_ref()), hint));
    }
    let material = material(recipe, part, paint.brightest);
    Ok(Surface { spec: part, solids, shell, tints: Vec::new(), material, cell, paint })
}

fn paint<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    part: &'a PartSpec,
    source: Source<'_>,
) -> Result<Paint<'a>, KitError> {
    let base = colour(recipe, &part.colour, source)?;
    let coloured = |dab: Dab<'a>| colour(recipe, dab.colour, source).map(|paint| (dab, paint));
    let dabs = part_paint(frame, part, source)?.into_iter().map(coloured).collect::<Result<Vec<_>, _>>()?;
    let brightest = dabs.iter().fold(base, |most, (_, paint)| std::array::from_fn(|at| most[at].max(paint[at])));
    Ok(Paint { base, brightest, dabs })
}

impl Paint<'_> {
    /// The colour at a point as a share of the material's: dabs over the base, the last on top.
    fn tint(&self, at: DVec3) -> [f64; 3] {
        let mixed = self.dabs.iter().fold(self.base, |under, (dab, paint)| {
            let share = smooth(0.5 - distance(&dab.solids, at) / dab.fade.max(0.01));
            std::array::from_fn(|channel| under[channel] + (paint[channel] - under[channel]) * share)
        });
        let share = |channel: usize| mixed[channel] / self.brightest[channel];
        std::array::from_fn(|channel| if self.brightest[channel] > 0.0 { share(channel) } else { 1.0 })
    }
}

/// Linear, from the recipe's `#rrggbb`.
fn colour(recipe: &Recipe, name: &Spanned<String>, source: Source<'_>) -> Result<[f64; 3], KitError> {
    let Some(written) = recipe.colours.get(name.get_ref()) else {
        return Err(source.unknown(name, "colour", recipe.colours.keys().map(String::as_str)));
    };
    let hex = written.get_ref().strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii());
    let channel = |hex: &str, at: usize| u8::from_str_radix(&hex[at..at + 2], 16).ok();
    let rgb = hex.and_then(|hex| Some([channel(hex, 0)?, channel(hex, 2)?, channel(hex, 4)?]));
    let rgb = rgb.ok_or_else(|| {
        let hint = Some("write it as \"#rrggbb\", such as \"#c98f6b\"".to_owned());
        source.fault(written.span(), format!("{:?} is no colour", written.get_ref()), hint)
    })?;
    Ok(rgb.map(|code| (f64::from(LINEAR_FROM_SRGB8[usize::from(code)]) * 1e6).round() / 1e6))
}

/// Parts have names of their own, and finishes are of colours that there are.
fn check_names(recipe: &Recipe, source: Source<'_>) -> Result<(), KitError> {
    for (at, part) in recipe.body.part.iter().enumerate() {
        let name = part.name.get_ref();
        if recipe.body.part[..at].iter().any(|before| before.name.get_ref() == name) {
            let hint = Some("every part has a name of its own".to_owned());
            return Err(source.fault(part.name.span(), format!("a second part is called {name:?}"), hint));
        }
    }
    let stray = recipe.finish.keys().find(|name| !recipe.colours.contains_key(name.get_ref()));
    stray.map_or(Ok(()), |name| Err(source.unknown(name, "colour", recipe.colours.keys().map(String::as_str))))
}

fn material(recipe: &Recipe, part: &PartSpec, colour: [f64; 3]) -> Material {
    let name = part.colour.get_ref();
    let finish = recipe.finish.iter().find(|(key, _)| key.get_ref() == name).map(|(_, finish)| *finish);
    let [red, green, blue] = colour.map(|channel| channel as f32);
    Material {
        name: Some(name.clone()),
        base_colour: [red, green, blue, 1.0],
        metallic: finish.map_or(0.0, |finish| finish.metallic.clamp(0.0, 1.0)) as f32,
        roughness: finish.map_or(dull(), |finish| finish.roughness.clamp(0.0, 1.0)) as f32,
        ..Material::default()
    }
}
