//! What a study changes about a model: hide, show, recolour, flatten.

use super::select;
use super::surface;
use crate::asset::{Image, Material, Model, TextureRef, Wrap};
use crate::base::Finding;
use crate::base::colour::LINEAR_FROM_SRGB8;
use crate::plan::VariantSpec;
use crate::rig::PosedPart;

/// How a model looks in a variant.
pub(super) struct Looks {
    /// One a part.
    pub(super) drawn: Vec<bool>,
    /// The model's materials, the default one, then changed copies.
    pub(super) materials: Vec<Material>,
    /// One a part: position in `materials`.
    pub(super) materials_of: Vec<usize>,
    /// One a part: whether vertex colours still count.
    pub(super) colours_kept: Vec<bool>,
}

/// The looks of `model` with `changes`; what `never` names is not drawn in any variant.
///
/// # Errors
///
/// `SELECTS_NOTHING` for a name that no part has; `NOTHING_DRAWN` where all is hidden.
pub(super) fn apply(
    model: &Model,
    parts: &[PosedPart],
    never: &[String],
    changes: &VariantSpec,
) -> Result<Looks, Finding> {
    let (materials, materials_of) = surface::materials(model, parts);
    let levels = model.levels();
    let mut drawn = shown(model, parts, &changes.show)?;
    for (drawn, part) in std::iter::zip(&mut drawn, parts) {
        *drawn &= levels.draws(part.node, changes.lod);
    }
    let mut looks = Looks { drawn, materials, materials_of, colours_kept: vec![true; parts.len()] };
    for names in [never, &changes.hide] {
        let hidden = select::parts_named(model, parts, "hide", names)?;
        for (drawn, hidden) in std::iter::zip(&mut looks.drawn, hidden) {
            *drawn &= !hidden;
        }
    }
    if !looks.drawn.contains(&true) {
        let message = match changes.lod {
            0 => "nothing of the model is drawn".to_owned(),
            level => format!("nothing of the model is drawn at level {level}"),
        };
        return Err(Finding::error("NOTHING_DRAWN", model.path.display().to_string(), message)
            .with_hint("what the file hides, `hide` and `show` together leave no mesh"));
    }
    for (pattern, colour) in &changes.recolour {
        let base = colour.0.map(|code| LINEAR_FROM_SRGB8[usize::from(code)]);
        for at in named(model, parts, "recolour", pattern)? {
            let mut material = looks.materials[looks.materials_of[at]].clone();
            material.base_colour = [base[0], base[1], base[2], material.base_colour[3]];
            looks.repaint(at, material);
        }
    }
    for pattern in &changes.flatten {
        for at in named(model, parts, "flatten", pattern)? {
            let mut material = looks.materials[looks.materials_of[at]].clone();
            let mean = mean_base_colour(model, &parts[at], &material);
            material.base_colour = [mean[0], mean[1], mean[2], material.base_colour[3]];
            material.base_colour_texture = None;
            looks.colours_kept[at] = false;
            looks.repaint(at, material);
        }
    }
    Ok(looks)
}

/// What `show` leaves: nothing but what it names, or, where it names only what the file hides, that besides the rest.
fn shown(model: &Model, parts: &[PosedPart], show: &[String]) -> Result<Vec<bool>, Finding> {
    let hidden = model.hidden_nodes();
    let open: Vec<bool> = parts.iter().map(|part| !hidden[part.node.at()]).collect();
    if show.is_empty() {
        return Ok(open);
    }
    let named = select::parts_named(model, parts, "show", show)?;
    let adds = std::iter::zip(&named, &open).all(|(named, open)| !(*named && *open));
    Ok(if adds { std::iter::zip(named, open).map(|(named, open)| named || open).collect() } else { named })
}

impl Looks {
    fn repaint(&mut self, part: usize, material: Material) {
        self.materials.push(material);
        self.materials_of[part] = self.materials.len() - 1;
    }
}

fn named(model: &Model, parts: &[PosedPart], setting: &str, pattern: &str) -> Result<Vec<usize>, Finding> {
    let flags = select::parts_named(model, parts, setting, &[pattern])?;
    Ok(flags.iter().enumerate().filter_map(|(at, hit)| hit.then_some(at)).collect())
}

/// Mean linear base colour over a part's surface, each triangle weighted by its area in the bind pose
/// and read at its centre.
fn mean_base_colour(model: &Model, part: &PosedPart, material: &Material) -> [f32; 3] {
    let primitive = select::primitive(model, part);
    let mut sum = [0.0_f64; 3];
    let mut area = 0.0_f64;
    for triangle in primitive.indices.chunks_exact(3) {
        let [a, b, c] = [triangle[0] as usize, triangle[1] as usize, triangle[2] as usize];
        let [p, q, r] = [part.positions[a], part.positions[b], part.positions[c]];
        let weight = f64::from((q - p).cross(r - p).length());
        let mut colour = [material.base_colour[0], material.base_colour[1], material.base_colour[2]];
        if let Some(texture) = &material.base_colour_texture
            && let Some(texel) = texel(model, texture, primitive, [a, b, c])
        {
            (0..3).for_each(|channel| colour[channel] *= texel[channel]);
        }
        if !primitive.colours.is_empty() {
            let tint = (primitive.colours[a] + primitive.colours[b] + primitive.colours[c]) / 3.0;
            (0..3).for_each(|channel| colour[channel] *= tint[channel]);
        }
        (0..3).for_each(|channel| sum[channel] += weight * f64::from(colour[channel]));
        area += weight;
    }
    if area > 0.0 { sum.map(|channel| (channel / area) as f32) } else { [0.5; 3] }
}

/// The linear colour of the texel at a triangle's centre.
fn texel(
    model: &Model,
    texture: &TextureRef,
    primitive: &crate::asset::Primitive,
    corners: [usize; 3],
) -> Option<[f32; 3]> {
    let image: &Image = model.images.get(texture.image?.at())?;
    let uvs = &primitive.uvs[texture.uv_set.min(1)];
    let uv = corners.iter().map(|at| uvs.get(*at).copied()).sum::<Option<glam::Vec2>>()? / 3.0;
    let (sin, cos) = texture.uv_rotation_rad.sin_cos();
    let scaled = uv * texture.uv_scale;
    // KHR_texture_transform: offset * rotation * scale, rotation counter-clockwise with v down.
    let uv = texture.uv_offset + glam::vec2(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x);
    let x = texel_of(uv.x, image.width, texture.sampler.wrap_u);
    let y = texel_of(uv.y, image.height, texture.sampler.wrap_v);
    let at = 4 * (y * image.width as usize + x);
    let rgb = image.rgba.get(at..at + 3)?;
    Some(std::array::from_fn(|channel| LINEAR_FROM_SRGB8[usize::from(rgb[channel])]))
}

fn texel_of(coordinate: f32, size: u32, wrap: Wrap) -> usize {
    let inside = match wrap {
        Wrap::Clamp => coordinate.clamp(0.0, 1.0),
        Wrap::Repeat => coordinate.rem_euclid(1.0),
        Wrap::Mirror => 1.0 - (coordinate.rem_euclid(2.0) - 1.0).abs(),
    };
    ((inside * size as f32) as usize).min(size as usize - 1)
}
