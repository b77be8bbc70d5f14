//! The unposed half of a model's geometry: what all its cells share.
//!
//! Reads: a model in its bind pose, a variant, mask regions. Gives: a [`Surface`] and which parts are
//! drawn. Pure.
//!
//! Vertices stand part after part, hidden parts too, so that every variant of a model shares one order
//! of vertices and a pose fits all of them.

use std::sync::Arc;

use super::masks::{self, MaskRegion};
use super::scene::{Draw, MaskSet, StaticVertex, Surface};
use super::{select, variant};
use crate::asset::{Material, Model};
use crate::base::{Digest, Finding};
use crate::plan::VariantSpec;
use crate::rig::PosedPart;

/// A surface, and which of the model's parts it draws.
#[derive(Debug, Clone)]
pub struct Dressed {
    /// What the renderer shares between cells.
    pub surface: Arc<Surface>,
    /// One a part of the model.
    pub drawn: Vec<bool>,
}

/// The surface of `model` in a variant; what `never` names is not drawn in any.
pub(super) fn dress(
    model: &Model,
    bind: &[PosedPart],
    never: &[String],
    changes: &VariantSpec,
    base: MaskSet,
    regions: &[MaskRegion],
) -> Result<Dressed, Finding> {
    let looks = variant::apply(model, bind, never, changes)?;
    let sets = masks::triangle_masks(model, bind, base, regions)?;
    let mut statics = Vec::new();
    let mut indices = Vec::new();
    let mut draws = Vec::new();
    for (at, part) in bind.iter().enumerate() {
        let first_vertex = u32::try_from(statics.len()).expect("a model has fewer than 2^32 vertices");
        append_statics(&mut statics, model, part, looks.colours_kept[at]);
        if looks.drawn[at] {
            append_draws(&mut indices, &mut draws, first_vertex, part, &sets[at], model, looks.materials_of[at], at);
        }
    }
    finite(model, bind, &looks.drawn, &statics)?;
    let digest = Digest::of_parts([
        model.digest.0.as_slice(),
        format!("{never:?} {changes:?}").as_bytes(),
        format!("{base:?} {regions:?}").as_bytes(),
    ]);
    let surface = Surface { digest, statics, indices, draws, materials: looks.materials, images: model.images.clone() };
    Ok(Dressed { surface: Arc::new(surface), drawn: looks.drawn })
}

/// A driver may turn what is no number into black, so it is looked for before anything is drawn.
fn finite(model: &Model, bind: &[PosedPart], drawn: &[bool], statics: &[StaticVertex]) -> Result<(), Finding> {
    let mut first = 0;
    for (part, drawn) in std::iter::zip(bind, drawn) {
        let vertices = &statics[first..first + part.positions.len()];
        first += part.positions.len();
        let numbers = || bytemuck::cast_slice::<StaticVertex, f32>(vertices);
        if *drawn && !numbers().iter().all(|number| number.is_finite()) {
            let message =
                format!("a vertex colour or texture coordinate of {} is no number", model.node_name(part.node));
            return Err(Finding::error("CELL_NOT_FINITE", model.path.display().to_string(), message)
                .with_hint("export the model again; the mesh holds NaN or infinity"));
        }
    }
    Ok(())
}

fn append_statics(statics: &mut Vec<StaticVertex>, model: &Model, part: &PosedPart, keep_colours: bool) {
    let primitive = select::primitive(model, part);
    let uv = |set: usize, at: usize| primitive.uvs[set].get(at).map_or([0.0; 2], glam::Vec2::to_array);
    statics.extend((0..part.positions.len()).map(|at| StaticVertex {
        uv0: uv(0, at),
        uv1: uv(1, at),
        colour: primitive.colours.get(at).filter(|_| keep_colours).map_or([1.0; 4], glam::Vec4::to_array),
    }));
}

/// Appends a part's triangles, those of one mask set together.
#[expect(clippy::too_many_arguments, reason = "the two lists it fills and what one part is made of")]
fn append_draws(
    indices: &mut Vec<u32>,
    draws: &mut Vec<Draw>,
    first_vertex: u32,
    part: &PosedPart,
    sets: &[MaskSet],
    model: &Model,
    material: usize,
    at: usize,
) {
    let primitive = select::primitive(model, part);
    let mut kinds: Vec<MaskSet> = sets.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let start = indices.len() as u32;
        for (triangle, set) in std::iter::zip(primitive.indices.chunks_exact(3), sets) {
            if *set == kind {
                indices.extend(triangle.iter().map(|vertex| vertex + first_vertex));
            }
        }
        let end = indices.len() as u32;
        if end > start {
            draws.push(Draw { indices: start..end, material, masks: kind, part: at as u32, mirrored: part.mirrored });
        }
    }
}

/// The materials of a model with the default one at the end, and which of them each part uses.
pub(super) fn materials(model: &Model, parts: &[PosedPart]) -> (Vec<Material>, Vec<usize>) {
    let mut materials = model.materials.clone();
    materials.push(Material::default());
    let default = materials.len() - 1;
    let of = parts
        .iter()
        .map(|part| select::primitive(model, part).material.map_or(default, crate::base::MaterialIndex::at))
        .collect();
    (materials, of)
}
