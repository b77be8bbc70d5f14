//! Make the parts of a recipe: mesh and skin each.
//!
//! Reads: a recipe's body and colours, and the frame its shapes lie in. Writes: closed surfaces in body
//! space, one or two a part, not coloured yet. Pure.
//!
//! A part that lies on paired bones alone is two surfaces, a left and a right: melted into one where
//! thighs touch, it would tear with the first step.

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::crease::crease;
use super::error::KitError;
use super::field::{Placed, distance};
use super::form::{Detail, Frame, part_detail, part_solids};
use super::paint::Paint;
use super::pattern::Pattern;
use super::prism::prism;
use super::recipe::{Recipe, Source};
use super::shape_spec::PartSpec;
use super::shell::{Shell, mesh};
use super::skeleton::Skeleton;
use super::thin::{Fine, thin};
use super::weights::weights;
use crate::asset::Material;

/// One part, meshed.
#[derive(Clone)]
pub(super) struct Surface<'a> {
    pub spec: &'a PartSpec,
    /// Whose shapes it was made from: its own part's, or that of which it is a piece.
    pub(super) made_as: &'a PartSpec,
    pub pieces: Vec<Piece>,
    pub material: Material,
    pub(super) cell: f64,
    pub(super) detail: Vec<Detail>,
    pub(super) paint: Paint<'a>,
}

/// One closed surface and what it is the zero of.
#[derive(Clone)]
pub(super) struct Piece {
    pub shell: Shell,
    /// One a vertex, to multiply the material's colour; empty where there is a texture.
    pub tints: Vec<[f64; 3]>,
    /// One a vertex, 0 to 1, v down; empty where there is no texture.
    pub uvs: Vec<DVec2>,
    pub solids: Vec<Placed>,
    /// What its skin weights come from, where that is another part.
    pub(super) followed: Option<Vec<Placed>>,
}

impl Piece {
    /// What its skin weights come from.
    fn movers(&self) -> &[Placed] {
        self.followed.as_deref().unwrap_or(&self.solids)
    }
}

/// All parts that are not pieces of others, in the recipe's order, with about as many triangles as it asks for.
pub(super) fn surfaces<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    source: Source<'_>,
) -> Result<Vec<Surface<'a>>, KitError> {
    check_names(recipe, source)?;
    let whole: Vec<&PartSpec> = recipe.body.part.iter().filter(|part| part.from.is_none()).collect();
    let meshed: Vec<Result<Surface<'a>, KitError>> =
        whole.par_iter().map(|part| surface(frame, recipe, part, source)).collect();
    let mut parts = meshed.into_iter().collect::<Result<Vec<_>, _>>()?;
    let colours = if recipe.body.texture_px.is_some() { 0.0 } else { 2.0 };
    thin_all(frame, recipe, &mut parts, recipe.body.triangles, colours);
    parts.par_iter_mut().for_each(Surface::renew);
    Ok(parts)
}

/// Thins parts to `budget` triangles. Those that say how many they have are thinned alone, to their share of it; the
/// others share what is left. Vertices stay apart for their bones where `frame` has any, and for their colours times `colours`.
pub(super) fn thin_all(frame: &Frame<'_>, recipe: &Recipe, parts: &mut [Surface<'_>], budget: usize, colours: f32) {
    let shown: Vec<Vec<Vec<f64>>> = (0..parts.len()).into_par_iter().map(|at| shown(parts, at)).collect();
    let fine = |(part, shown): (&mut Surface<'_>, _)| part.fine(frame, colours, shown);
    let fine: Vec<Vec<Fine>> = parts.par_iter_mut().zip(shown).map(fine).collect();
    let (mut alone, mut shared, mut left) = (Vec::new(), Vec::new(), budget);
    for (part, fine) in std::iter::zip(&*parts, fine) {
        match part.spec.triangles {
            Some(own) => {
                let own = (own * budget).div_ceil(recipe.body.triangles);
                left = left.saturating_sub(if part.spec.hidden { 0 } else { own });
                alone.push((fine, own));
            }
            None => shared.extend(fine),
        }
    }
    let mut shells = thin(shared, left).into_iter();
    let alone: Vec<Vec<Shell>> = alone.into_par_iter().map(|(fine, own)| thin(fine, own)).collect();
    let mut alone = alone.into_iter();
    for part in parts {
        let mut own = part.spec.triangles.and_then(|_| alone.next()).map(Vec::into_iter);
        for piece in &mut part.pieces {
            let shell = own.as_mut().map_or_else(|| shells.next(), Iterator::next);
            piece.shell = shell.expect("thinning gives a shell for every one it takes");
        }
    }
}

impl Surface<'_> {
    /// Places of all vertices, piece by piece.
    pub(super) fn positions(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pieces.iter().flat_map(|piece| piece.shell.positions.iter().copied())
    }

    /// Unit, one a vertex.
    pub(super) fn normals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.pieces.iter().flat_map(|piece| piece.shell.normals.iter().copied())
    }

    /// Three a triangle, counting vertices through all pieces.
    pub(super) fn indices(&self) -> Vec<u32> {
        let mut indices = Vec::new();
        let mut first = 0;
        for piece in &self.pieces {
            indices.extend(piece.shell.triangles.as_flattened().iter().map(|corner| first + corner));
            first += piece.shell.positions.len() as u32;
        }
        indices
    }

    /// (bone, weight) pairs of every vertex.
    pub(super) fn weights<'s>(&'s self, skeleton: &'s Skeleton) -> impl Iterator<Item = Vec<(usize, f32)>> + 's {
        let fade = self.weight_fade();
        self.pieces.iter().flat_map(move |piece| {
            piece.shell.positions.iter().map(move |at| weights(skeleton, piece.movers(), *at, fade))
        })
    }

    /// (bone, weight) pairs at a point of one piece's surface, as a vertex there would have.
    pub(super) fn weights_at(&self, skeleton: &Skeleton, piece: &Piece, at: DVec3) -> Vec<(usize, f32)> {
        weights(skeleton, piece.movers(), at, self.weight_fade())
    }

    /// Its meshes, taken out, with what must stay apart: bone weights, and colours unless a texture carries
    /// them. `shown` is what [`shown`] says of its vertices, piece by piece.
    fn fine(&mut self, frame: &Frame<'_>, colours: f32, shown: Vec<Vec<f64>>) -> Vec<Fine> {
        let fade = self.weight_fade();
        let feel = |solids: &[Placed], at: DVec3| {
            let mut feel = Vec::new();
            if colours > 0.0 {
                feel.extend(self.paint.tint(at).map(|channel| colours * channel as f32));
            }
            if let (Frame::Bones(skeleton), None) = (frame, &self.spec.rides) {
                let mut by_bone = vec![0.0; skeleton.bones.len()];
                for (bone, weight) in weights(skeleton, solids, at, fade) {
                    by_bone[bone] = weight;
                }
                feel.extend(by_bone);
            }
            feel
        };
        let exact = self.is_exact();
        let fine = |(piece, shown): (&mut Piece, Vec<f64>)| {
            let shell = std::mem::take(&mut piece.shell);
            let feel = shell.positions.iter().map(|at| feel(piece.movers(), *at)).collect();
            // What is exact comes last of all.
            let own = |at: DVec3| if exact { f64::MAX.sqrt() } else { self.spec.keep * focus(&self.detail, at) };
            let worth = |(at, share): (&DVec3, f64)| share * own(*at);
            let keep = shell.positions.iter().zip(shown).map(worth).collect();
            Fine { shell, feel, keep }
        };
        self.pieces.iter_mut().zip(shown).map(fine).collect()
    }

    /// Whether its meshes are as they should be from the start: not to be thinned.
    fn is_exact(&self) -> bool {
        self.spec.sides.is_some()
    }

    /// Draws thinned meshes back onto their surfaces, with normals anew.
    fn renew(&mut self) {
        let exact = self.is_exact();
        for piece in &mut self.pieces {
            if !exact {
                piece.shell.settle(&piece.solids, self.cell);
            }
            // A prism's ring of sides is round to the eye, its ends are flat.
            if let Some(angle_deg) = self.spec.crease_deg.or(exact.then_some(60.0)) {
                crease(&mut piece.shell, angle_deg);
            }
        }
    }

    /// How far one solid's bones reach into the next solid, body space.
    fn weight_fade(&self) -> f64 {
        self.made_as.blend.unwrap_or(2.0).max(2.0)
    }
}

/// How many times as much detail is worth at a point as elsewhere: the most that any shape there says.
fn focus(details: &[Detail], at: DVec3) -> f64 {
    let here = |detail: &Detail| {
        let share = (0.5 - distance(&detail.solids, at) / detail.fade).clamp(0.0, 1.0);
        1.0 + (detail.keep - 1.0) * share
    };
    details.iter().map(here).reduce(f64::max).unwrap_or(1.0)
}

/// What a vertex deep inside another part is worth of one that can be seen: the end of a sleeve in its cuff, a
/// skull under its helm. Not nothing, or the skin would tear where joints open.
const BURIED: f64 = 0.1;
/// How deep that is, in cells of the part whose vertex it is.
const DEEP: f64 = 0.5;

/// Of each vertex of a part: 1 where it can be seen, [`BURIED`] where it is inside another part.
fn shown(parts: &[Surface<'_>], own: usize) -> Vec<Vec<f64>> {
    let deep = -DEEP * parts[own].cell;
    let others = parts.iter().enumerate().filter(|(at, other)| *at != own && !other.spec.hidden);
    let boxed = |piece| (box_of(piece), piece);
    let others: Vec<((DVec3, DVec3), &Piece)> = others.flat_map(|(_, other)| &other.pieces).map(boxed).collect();
    let worth = |at: &DVec3| {
        let holds = |(low, high): (DVec3, DVec3)| at.cmpge(low).all() && at.cmple(high).all();
        let buried = others.iter().any(|(bounds, piece)| holds(*bounds) && distance(&piece.solids, *at) < deep);
        if buried { BURIED } else { 1.0 }
    };
    parts[own].pieces.iter().map(|piece| piece.shell.positions.iter().map(worth).collect()).collect()
}

fn box_of(piece: &Piece) -> (DVec3, DVec3) {
    let all = piece.shell.positions.iter();
    all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| (low.min(*at), high.max(*at)))
}

fn surface<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    part: &'a PartSpec,
    source: Source<'_>,
) -> Result<Surface<'a>, KitError> {
    let solids = part_solids(frame, &recipe.body, part, source)?;
    let paint = Paint::new(frame, recipe, part, source)?;
    let cell = part.cell.unwrap_or(recipe.body.cell);
    if let Some(sides) = part.sides {
        let pieces = prisms(part, solids, sides, source)?;
        let material = paint.material(recipe, part);
        return Ok(Surface { spec: part, made_as: part, pieces, material, cell, detail: Vec::new(), paint });
    }
    let mut pieces = Vec::new();
    for solids in halves(frame, solids) {
        let shell = mesh(&solids, cell).map_err(|slip| {
            let message = format!("part {:?} at cell = {cell} would take {} samples", part.name.get_ref(), slip.0);
            source.fault(part.name.span(), message, Some("make cell larger; 1 to 3 suits most parts".into()))
        })?;
        if shell.triangles.is_empty() {
            let hint = Some("make its shapes larger or its cell smaller".to_owned());
            let message = format!("part {:?} has no surface", part.name.get_ref());
            return Err(source.fault(part.name.span(), message, hint));
        }
        let followed = followed(frame, recipe, part, source)?;
        pieces.push(Piece { shell, tints: Vec::new(), uvs: Vec::new(), solids, followed });
    }
    let detail = part_detail(frame, part, source)?;
    Ok(Surface { spec: part, made_as: part, pieces, material: paint.material(recipe, part), cell, detail, paint })
}

/// A piece for each tube of a part.
fn prisms(part: &PartSpec, solids: Vec<Placed>, sides: u32, source: Source<'_>) -> Result<Vec<Piece>, KitError> {
    let piece = |solid: Placed| match prism(&solid, sides) {
        Some(shell) if !solid.cut && !solid.within => {
            Ok(Piece { shell, tints: Vec::new(), uvs: Vec::new(), solids: vec![solid], followed: None })
        }
        _ => {
            let hint = Some("leave sides out, or give the part nothing but plain tubes".to_owned());
            let message = format!("part {:?} has sides, but not all of its shapes are tubes", part.name.get_ref());
            Err(source.fault(part.name.span(), message, hint))
        }
    };
    solids.into_iter().map(piece).collect()
}

/// The left and the right of a part that lies on paired bones alone; else the whole.
fn halves(frame: &Frame<'_>, solids: Vec<Placed>) -> Vec<Vec<Placed>> {
    let paired = |solid: &Placed| match frame {
        Frame::Bones(skeleton) => skeleton.bones[solid.bone].side.is_some(),
        Frame::Load => false,
    };
    if !solids.iter().all(paired) {
        return vec![solids];
    }
    let (right, left) = solids.into_iter().partition(|solid| solid.mirror);
    [left, right].into_iter().filter(|half: &Vec<Placed>| !half.is_empty()).collect()
}

/// The solids of the part that this one follows.
fn followed(
    frame: &Frame<'_>,
    recipe: &Recipe,
    part: &PartSpec,
    source: Source<'_>,
) -> Result<Option<Vec<Placed>>, KitError> {
    let Some(wanted) = &part.follows else { return Ok(None) };
    let other = recipe.body.part.iter().find(|other| other.name.get_ref() == wanted.get_ref());
    match other {
        Some(other) => part_solids(frame, &recipe.body, other, source).map(Some),
        None => {
            let names = recipe.body.part.iter().map(|other| other.name.get_ref().as_str());
            Err(source.unknown(wanted, "part", names))
        }
    }
}

/// Parts have names of their own, and finishes are of colours and patterns that there are.
fn check_names(recipe: &Recipe, source: Source<'_>) -> Result<(), KitError> {
    for (at, part) in recipe.body.part.iter().enumerate() {
        let name = part.name.get_ref();
        if recipe.body.part[..at].iter().any(|before| before.name.get_ref() == name) {
            let hint = Some("every part has a name of its own".to_owned());
            return Err(source.fault(part.name.span(), format!("a second part is called {name:?}"), hint));
        }
    }
    for finish in recipe.finish.values() {
        Pattern::of(finish, source)?;
    }
    if let (true, Some(first)) = (recipe.body.part.iter().all(|part| part.hidden), recipe.body.part.first()) {
        let hint = Some("take `hidden` off the parts that are there from the start".to_owned());
        return Err(source.fault(first.name.span(), "every part is hidden", hint));
    }
    let stray = recipe.finish.keys().find(|name| !recipe.colours.contains_key(name.get_ref()));
    stray.map_or(Ok(()), |name| Err(source.unknown(name, "colour", recipe.colours.keys().map(String::as_str))))
}
