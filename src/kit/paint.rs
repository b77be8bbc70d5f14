//! Colour a part: its own colour, dabs of paint over it, its finish and pattern.
//!
//! Reads: a part and the recipe's colours. Writes: a material, and a tint at any point of the part. Pure.
//!
//! A tint multiplies the material's colour, and neither may pass one. So the material takes the most of each channel
//! anywhere on the part and as much again as patterns and edges add, and vertices or texels take shares of it.

use glam::DVec3;
use toml::Spanned;

use super::clip::to_places;
use super::error::KitError;
use super::field::distance;
use super::form::{Dab, Frame, part_paint};
use super::pattern::Pattern;
use super::recipe::{FinishSpec, Recipe, Source, dull};
use super::shape_spec::PartSpec;
use super::trig::smooth;
use crate::asset::Material;
use crate::base::colour::LINEAR_FROM_SRGB8;

/// How much lighter than its paint a place may be.
const HEADROOM: f64 = 1.2;

/// What a part's colour is made of, linear.
#[derive(Clone)]
pub(super) struct Paint<'a> {
    base: [f64; 3],
    /// The material's colour: the most of each channel anywhere on the part, and headroom.
    brightest: [f64; 3],
    dabs: Vec<(Dab<'a>, [f64; 3])>,
    pub pattern: Option<Pattern>,
}

impl<'a> Paint<'a> {
    pub(super) fn new(
        frame: &Frame<'_>,
        recipe: &'a Recipe,
        part: &'a PartSpec,
        source: Source<'_>,
    ) -> Result<Self, KitError> {
        let base = colour(recipe, &part.colour, source)?;
        let coloured = |dab: Dab<'a>| colour(recipe, dab.colour, source).map(|paint| (dab, paint));
        let dabs = part_paint(frame, part, source)?.into_iter().map(coloured).collect::<Result<Vec<_>, _>>()?;
        let brightest = dabs.iter().fold(base, |most, (_, paint)| std::array::from_fn(|at| most[at].max(paint[at])));
        let brightest = brightest.map(|channel| (channel * HEADROOM).min(1.0));
        let pattern = finish(recipe, part).map_or(Ok(None), |finish| Pattern::of(finish, source))?;
        Ok(Self { base, brightest, dabs, pattern })
    }

    /// One colour all over.
    #[cfg(test)]
    pub(super) fn plain(base: [f64; 3]) -> Self {
        Self { base, brightest: base, dabs: Vec::new(), pattern: None }
    }

    /// The colour at a point as a share of the material's: dabs over the base, the last on top.
    pub(super) fn tint(&self, at: DVec3) -> [f64; 3] {
        let mixed = self.dabs.iter().fold(self.base, |under, (dab, paint)| {
            let fade = dab.fade.max(0.01);
            // Cheaply out of reach of all: the same to the bit.
            if dab.solids.iter().all(|solid| !solid.within && solid.at_least(at) > 0.5 * fade + solid.blend) {
                return under;
            }
            let share = smooth(0.5 - distance(&dab.solids, at) / fade);
            std::array::from_fn(|channel| under[channel] + (paint[channel] - under[channel]) * share)
        });
        let share = |channel: usize| mixed[channel] / self.brightest[channel];
        std::array::from_fn(|channel| if self.brightest[channel] > 0.0 { share(channel) } else { 1.0 })
    }

    /// The part's material, named as its colour.
    pub(super) fn material(&self, recipe: &Recipe, part: &PartSpec) -> Material {
        let name = part.colour.get_ref();
        let finish = finish(recipe, part);
        let glow = finish.map_or(0.0, |finish| finish.glow);
        let [red, green, blue] = self.brightest.map(|channel| to_places(channel, 1e6));
        Material {
            name: Some(name.clone()),
            base_colour: [red, green, blue, 1.0],
            metallic: finish.map_or(0.0, |finish| finish.metallic) as f32,
            roughness: finish.map_or(dull(), |finish| finish.roughness) as f32,
            emissive: self.base.map(|channel| to_places(channel * glow, 1e6)),
            ..Material::default()
        }
    }
}

fn finish<'a>(recipe: &'a Recipe, part: &PartSpec) -> Option<&'a FinishSpec> {
    recipe.finish.iter().find(|(key, _)| key.get_ref() == part.colour.get_ref()).map(|(_, finish)| finish)
}

/// Linear, from the recipe's `#rrggbb`.
fn colour(recipe: &Recipe, name: &Spanned<String>, source: Source<'_>) -> Result<[f64; 3], KitError> {
    let Some(written) = recipe.colours.get(name.get_ref()) else {
        return Err(source.unknown(name, "colour", recipe.colours.keys().map(String::as_str)));
    };
    let digits = |hex: &&str| hex.len() == 6 && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
    let hex = written.get_ref().strip_prefix('#').filter(digits);
    let channel = |hex: &str, at: usize| u8::from_str_radix(&hex[at..at + 2], 16).ok();
    let rgb = hex.and_then(|hex| Some([channel(hex, 0)?, channel(hex, 2)?, channel(hex, 4)?]));
    let rgb = rgb.ok_or_else(|| {
        let hint = Some("write it as \"#rrggbb\", such as \"#c98f6b\"".to_owned());
        source.fault(written.span(), format!("{:?} is no colour", written.get_ref()), hint)
    })?;
    Ok(rgb.map(|code| (f64::from(LINEAR_FROM_SRGB8[usize::from(code)]) * 1e6).round() / 1e6))
}
