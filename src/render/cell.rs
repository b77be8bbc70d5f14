//! Plan one cell: its draws, its rectangles, its uniforms, where its samples come back.
//!
//! Pure.

use std::f32::consts::PI;

use glam::Vec3;

use crate::base::colour;
use crate::stage::{Camera, Ground, KeyLight, Scene};

use super::draw::DrawList;
use super::error::RenderError;
use super::extent::{self, PxRect};
use super::resolve::{COLOUR_BYTES, Finish, GROUND_BYTES, ID_BYTES};
use super::shadow::{self, KeyView};
use super::target::Copied;
use super::uniforms::FrameUniforms;

/// What is decided about a cell before the device hears of it.
pub(super) struct CellPlan {
    /// Columns of samples.
    pub(super) wide: u32,
    /// Rows of samples.
    pub(super) high: u32,
    pub(super) list: DrawList,
    pub(super) uniforms: FrameUniforms,
    pub(super) shadow_map_px: u32,
    /// Corners of the drawn part of the ground; empty where none is drawn.
    pub(super) ground_patch: Vec<Vec3>,
    /// Pixels that bodies can touch.
    pub(super) rect: PxRect,
    pub(super) colour: Copied,
    pub(super) ids: Copied,
    /// Pixels that the ground can touch, where it is drawn.
    pub(super) ground: Option<(PxRect, Copied)>,
    pub(super) finish: Finish,
}

impl CellPlan {
    /// Plans a cell within the limits of a device.
    ///
    /// # Errors
    ///
    /// [`RenderError::TooLarge`].
    pub(super) fn new(scene: &Scene, limits: &wgpu::Limits) -> Result<Self, RenderError> {
        let (wide, high) = size(scene, limits)?;
        let shadow_map_px = shadow::map_px(wide.max(high));
        let key_view = scene
            .lights
            .key
            .filter(|key| key.casts_shadow)
            .map(|key| shadow::key_view(&scene.bodies, key.to_light_in_stage, shadow_map_px));
        let ground_patch = ground_patch(scene, key_view.as_ref());
        let list = DrawList::new(scene);
        let touched = |points: &mut dyn Iterator<Item = Vec3>| {
            let clip_from_stage = scene.camera.clip_from_view * scene.camera.view_from_stage;
            extent::touched(points, clip_from_stage, scene.width_px, scene.height_px)
        };
        let vertices = scene.bodies.iter().flat_map(|body| &body.vertices);
        let rect = touched(&mut vertices.map(|vertex| Vec3::from(vertex.position)));
        let colour = Copied::new(rect, scene.samples, COLOUR_BYTES, 0);
        let ids = Copied::new(rect, scene.samples, ID_BYTES, colour.end());
        let ground = (!ground_patch.is_empty()).then(|| {
            let rect = touched(&mut ground_patch.iter().copied());
            (rect, Copied::new(rect, scene.samples, GROUND_BYTES, ids.end()))
        });
        let finish = Finish {
            width_px: scene.width_px,
            height_px: scene.height_px,
            samples: scene.samples,
            masks: list.masks,
            blended: !list.blended.is_empty(),
            ground: scene.ground.is_some(),
            display: scene.display,
        };
        let uniforms = uniforms(scene, key_view.as_ref(), shadow_map_px);
        Ok(Self { wide, high, list, uniforms, shadow_map_px, ground_patch, rect, colour, ids, ground, finish })
    }

    /// Bytes that come back; never zero.
    pub(super) fn copied_bytes(&self) -> u64 {
        self.ground.map_or(self.ids.end(), |(_, ground)| ground.end()).max(256)
    }
}

/// Columns and rows of samples.
fn size(scene: &Scene, limits: &wgpu::Limits) -> Result<(u32, u32), RenderError> {
    let wide = u64::from(scene.width_px) * u64::from(scene.samples);
    let high = u64::from(scene.height_px) * u64::from(scene.samples);
    // All samples come back in one buffer, rows padded to 256 bytes.
    let sample_bytes = (COLOUR_BYTES + ID_BYTES + GROUND_BYTES) as u64;
    let side = u64::from(limits.max_texture_dimension_2d);
    let fits = wide <= side && high <= side;
    let limit = if fits { (limits.max_buffer_size / sample_bytes).isqrt() } else { side };
    if !fits || (wide + 256) * high * sample_bytes > limits.max_buffer_size {
        return Err(RenderError::TooLarge { cell: scene.name.clone(), wide, high, limit });
    }
    Ok((wide as u32, high as u32))
}

/// The ground's corners, if anything of it is to be seen: a key that throws shadows, from above, and an
/// eye that is above it too.
fn ground_patch(scene: &Scene, key_view: Option<&KeyView>) -> Vec<Vec3> {
    match (&scene.ground, key_view) {
        (Some(ground), Some(view)) if is_above(&scene.camera, ground) => shadow::ground_patch(view, ground),
        _ => Vec::new(),
    }
}

fn is_above(camera: &Camera, ground: &Ground) -> bool {
    if camera.orthographic { camera.back_in_stage.y > 0.0 } else { camera.eye_in_stage.y > ground.centre_in_stage.y }
}

fn uniforms(scene: &Scene, key_view: Option<&KeyView>, shadow_map_px: u32) -> FrameUniforms {
    let Scene { camera, lights, .. } = scene;
    let radiance = |irradiance: [f32; 3]| irradiance.map(|channel| channel / PI);
    let eye = if camera.orthographic { camera.back_in_stage } else { camera.eye_in_stage };
    let ground = scene.ground.unwrap_or(Ground { centre_in_stage: Vec3::ZERO, radius_m: 1.0 });
    FrameUniforms {
        clip_from_stage: (camera.clip_from_view * camera.view_from_stage).to_cols_array_2d(),
        light_from_stage: key_view.map_or(glam::Mat4::IDENTITY, |view| view.light_from_stage).to_cols_array_2d(),
        eye_in_stage: eye.to_array(),
        perspective: if camera.orthographic { 0.0 } else { 1.0 },
        to_key_in_stage: lights.key.map_or(Vec3::Y, |key| key.to_light_in_stage).to_array(),
        shadow_texel_m: key_view.map_or(0.0, |view| view.texel_m),
        key_radiance: radiance(lights.key.map_or([0.0; 3], |key| key.irradiance)),
        shadow_map_px: shadow_map_px as f32,
        sky_radiance: radiance(lights.sky),
        ground_radius_m: ground.radius_m,
        bounce_radiance: radiance(lights.bounce),
        ground_key_share: lights.key.map_or(0.0, |key| key_share(&key, lights.sky)),
        ground_centre_in_stage: ground.centre_in_stage.to_array(),
        unused: 0.0,
    }
}

/// The part of the light on a level ground that comes from the key, 0 to 1, by luminance: what a full
/// shadow takes away, whatever the ground's albedo.
fn key_share(key: &KeyLight, sky: [f32; 3]) -> f32 {
    let from_key = colour::luminance(key.irradiance) * key.to_light_in_stage.y.max(0.0);
    let all = from_key + colour::luminance(sky);
    if all > 0.0 { from_key / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key 3 from straight above and sky 1: three quarters of the light; from 30 degrees up half of
    /// the key counts, 1.5 of 2.5.
    #[test]
    fn the_keys_share_of_the_ground_light_follows_its_elevation() {
        let key = |to_light_in_stage| KeyLight { to_light_in_stage, irradiance: [3.0; 3], casts_shadow: true };
        assert!((key_share(&key(Vec3::Y), [1.0; 3]) - 0.75).abs() < 1e-6);
        assert!((key_share(&key(Vec3::new(0.75_f32.sqrt(), 0.5, 0.0)), [1.0; 3]) - 0.6).abs() < 1e-6);
        assert_eq!(key_share(&key(Vec3::NEG_Y), [0.0; 3]), 0.0);
    }
}
