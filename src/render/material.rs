//! Turn a material into what a shader reads, and say which pipeline it needs.
//!
//! Pure.

use crate::asset::{AlphaMode, Material, TextureRef};

use super::mips::Filter;
use super::uniforms::{MaterialUniforms, UvMap};

/// What alpha does, as the surface shader counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AlphaRule {
    Opaque = 0,
    CutOut = 1,
    Blend = 2,
}

/// What of a material decides its pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Traits {
    pub(super) alpha: AlphaRule,
    pub(super) base_colour_texture: bool,
    pub(super) normal_texture: bool,
    /// Metallic-roughness, occlusion or emissive.
    pub(super) more_textures: bool,
    pub(super) two_sided: bool,
    pub(super) unlit: bool,
}

/// A blended surface throws a shadow where it is at least this opaque.
const SHADOW_CUTOFF: f32 = 0.5;

/// The texture uses of a material in the order of the shader's bindings, with how each is averaged.
/// One whose image is missing is left out: it counts as white.
pub(super) fn textures(material: &Material) -> [Option<(&TextureRef, Filter)>; 5] {
    let base = if material.alpha_mode == AlphaMode::Opaque { Filter::Colour } else { Filter::ColourByAlpha };
    [
        (&material.base_colour_texture, base),
        (&material.metallic_roughness_texture, Filter::Data),
        (&material.normal_texture, Filter::Normal),
        (&material.occlusion_texture, Filter::Data),
        (&material.emissive_texture, Filter::Colour),
    ]
    .map(|(texture, filter)| texture.as_ref().filter(|texture| texture.image.is_some()).map(|it| (it, filter)))
}

/// What of a material decides its pipeline.
pub(super) fn traits(material: &Material) -> Traits {
    let [base, metallic_roughness, normal, occlusion, emissive] = textures(material).map(|texture| texture.is_some());
    Traits {
        alpha: match material.alpha_mode {
            AlphaMode::Opaque => AlphaRule::Opaque,
            AlphaMode::Mask(_) => AlphaRule::CutOut,
            AlphaMode::Blend => AlphaRule::Blend,
        },
        base_colour_texture: base,
        normal_texture: normal,
        more_textures: metallic_roughness || occlusion || emissive,
        two_sided: material.double_sided,
        unlit: material.unlit,
    }
}

/// A material's numbers as the shaders read them.
pub(super) fn uniforms(material: &Material) -> MaterialUniforms {
    MaterialUniforms {
        base_colour: material.base_colour,
        emissive: material.emissive,
        alpha_cutoff: match material.alpha_mode {
            AlphaMode::Mask(cutoff) => cutoff,
            AlphaMode::Blend | AlphaMode::Opaque => SHADOW_CUTOFF,
        },
        metallic: material.metallic,
        roughness: material.roughness,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        base_colour_uv: uv_map(material.base_colour_texture.as_ref()),
        metallic_roughness_uv: uv_map(material.metallic_roughness_texture.as_ref()),
        normal_uv: uv_map(material.normal_texture.as_ref()),
        occlusion_uv: uv_map(material.occlusion_texture.as_ref()),
        emissive_uv: uv_map(material.emissive_texture.as_ref()),
    }
}

/// Scale, then turn, then move: `KHR_texture_transform`. Its turn is counter-clockwise with v up, so
/// clockwise in coordinates whose v goes down.
fn uv_map(texture: Option<&TextureRef>) -> UvMap {
    let Some(texture) = texture else { return UvMap { u: [1.0, 0.0, 0.0, 0.0], v: [0.0, 1.0, 0.0, 0.0] } };
    let (sine, cosine) = texture.uv_rotation_rad.sin_cos();
    let (scale, offset) = (texture.uv_scale, texture.uv_offset);
    UvMap {
        u: [cosine * scale.x, sine * scale.y, offset.x, texture.uv_set as f32],
        v: [-sine * scale.x, cosine * scale.y, offset.y, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::asset::Sampler;
    use crate::base::ImageIndex;

    fn texture() -> TextureRef {
        TextureRef {
            image: Some(ImageIndex(0)),
            sampler: Sampler::default(),
            uv_set: 0,
            uv_offset: Vec2::ZERO,
            uv_rotation_rad: 0.0,
            uv_scale: Vec2::ONE,
        }
    }

    fn mapped(map: UvMap, uv: [f32; 2]) -> [f32; 2] {
        [map.u, map.v].map(|row| row[0] * uv[0] + row[1] * uv[1] + row[2])
    }

    /// The example of the extension's own page: offset (0, 1), a quarter turn, scale 0.5 "utilizes
    /// only the lower left quadrant of the source image, rotated clockwise 90 degrees".
    #[test]
    fn the_extensions_example_shows_the_lower_left_quadrant() {
        let map = uv_map(Some(&TextureRef {
            uv_offset: Vec2::new(0.0, 1.0),
            uv_rotation_rad: std::f32::consts::FRAC_PI_2,
            uv_scale: Vec2::splat(0.5),
            ..texture()
        }));
        let near = |uv: [f32; 2], wanted: [f32; 2]| {
            let found = mapped(map, uv);
            assert!((found[0] - wanted[0]).abs() < 1e-6 && (found[1] - wanted[1]).abs() < 1e-6, "{uv:?} {found:?}");
        };
        near([0.0, 0.0], [0.0, 1.0]);
        near([1.0, 0.0], [0.0, 0.5]);
        near([1.0, 1.0], [0.5, 0.5]);
    }

    #[test]
    fn a_texture_without_its_image_counts_as_none() {
        let missing = TextureRef { image: None, ..texture() };
        let material =
            Material { normal_texture: Some(missing), emissive_texture: Some(missing), ..Material::default() };
        let traits = traits(&material);
        assert!(!traits.normal_texture && !traits.more_textures);
    }

    #[test]
    fn alpha_weighs_colour_only_where_alpha_means_something() {
        let mut material = Material { base_colour_texture: Some(texture()), ..Material::default() };
        let filter = |material: &Material| textures(material)[0].map(|(_, filter)| filter);
        assert_eq!(filter(&material), Some(Filter::Colour));
        material.alpha_mode = AlphaMode::Mask(0.5);
        assert_eq!(filter(&material), Some(Filter::ColourByAlpha));
    }
}
