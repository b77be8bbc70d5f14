//! Lay out what shaders read: each struct here has a WGSL twin of the same layout, which a test
//! compares by reflection.

use bytemuck::{Pod, Zeroable};

/// What holds for a whole cell: `Frame` in shaders/shared/frame.wgsl. Radiances are irradiance / pi.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct FrameUniforms {
    pub(super) clip_from_stage: [[f32; 4]; 4],
    pub(super) light_from_stage: [[f32; 4]; 4],
    pub(super) eye_in_stage: [f32; 3],
    pub(super) perspective: f32,
    pub(super) to_key_in_stage: [f32; 3],
    pub(super) shadow_texel_m: f32,
    pub(super) key_radiance: [f32; 3],
    pub(super) shadow_map_px: f32,
    pub(super) sky_radiance: [f32; 3],
    pub(super) ground_radius_m: f32,
    pub(super) bounce_radiance: [f32; 3],
    pub(super) ground_key_share: f32,
    pub(super) ground_centre_in_stage: [f32; 3],
    pub(super) unused: f32,
}

/// Row vectors of an affine map of texture coordinates; `u[3]` is the set it reads. `UvMap` in WGSL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct UvMap {
    pub(super) u: [f32; 4],
    pub(super) v: [f32; 4],
}

/// A material's numbers: `Material` in shaders/shared/material.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct MaterialUniforms {
    pub(super) base_colour: [f32; 4],
    pub(super) emissive: [f32; 3],
    pub(super) alpha_cutoff: f32,
    pub(super) metallic: f32,
    pub(super) roughness: f32,
    pub(super) normal_scale: f32,
    pub(super) occlusion_strength: f32,
    pub(super) base_colour_uv: UvMap,
    pub(super) metallic_roughness_uv: UvMap,
    pub(super) normal_uv: UvMap,
    pub(super) occlusion_uv: UvMap,
    pub(super) emissive_uv: UvMap,
}

#[cfg(test)]
mod tests {
    use std::mem::{offset_of, size_of};

    use super::*;
    use crate::render::shader::{self, ShaderSource};

    /// Members with their offsets, and the size, of a struct as the shader compiler sees it.
    fn reflected(shader: &ShaderSource, name: &str) -> (Vec<(String, usize)>, usize) {
        let module = naga::front::wgsl::parse_str(&shader.text()).expect("the shader parses");
        let (_, found) = module
            .types
            .iter()
            .find(|(_, ty)| ty.name.as_deref() == Some(name))
            .expect("the shader declares the struct");
        let naga::TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is a struct") };
        let offsets =
            members.iter().map(|member| (member.name.clone().unwrap_or_default(), member.offset as usize)).collect();
        (offsets, *span as usize)
    }

    macro_rules! layout {
        ($ty:ty: $($field:ident),+ $(,)?) => {
            (vec![$((stringify!($field).to_owned(), offset_of!($ty, $field))),+], size_of::<$ty>())
        };
    }

    #[test]
    fn the_frame_is_laid_out_as_in_wgsl() {
        let ours = layout!(FrameUniforms: clip_from_stage, light_from_stage, eye_in_stage, perspective,
            to_key_in_stage, shadow_texel_m, key_radiance, shadow_map_px, sky_radiance, ground_radius_m,
            bounce_radiance, ground_key_share, ground_centre_in_stage, unused);
        for shader in shader::SHADERS {
            assert_eq!(reflected(&shader, "Frame"), ours, "{}", shader.name);
        }
    }

    #[test]
    fn the_material_is_laid_out_as_in_wgsl() {
        let ours = layout!(MaterialUniforms: base_colour, emissive, alpha_cutoff, metallic, roughness, normal_scale,
            occlusion_strength, base_colour_uv, metallic_roughness_uv, normal_uv, occlusion_uv, emissive_uv);
        let uv_map = layout!(UvMap: u, v);
        for shader in [shader::SURFACE, shader::SHADOW] {
            assert_eq!(reflected(&shader, "Material"), ours, "{}", shader.name);
            assert_eq!(reflected(&shader, "UvMap"), uv_map, "{}", shader.name);
        }
    }
}
