//! List what a scene draws, in order, and refuse one that contradicts itself.
//!
//! Pure.

use std::ops::Range;

use crate::stage::{BlendRun, Body, Draw, MaskSet, Scene, Surface};

use super::error::RenderError;
use super::material::{self, AlphaRule, Traits};
use super::pipeline::{ShadowKey, SurfaceKey};

/// Most samples a pixel and side: their square fits sixteen bits.
const MOST_SAMPLES: u32 = 255;

/// One draw call of the cell's own pass.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// Position in `Scene::bodies`.
    pub(super) body: usize,
    /// Position in the surface's materials.
    pub(super) material: usize,
    pub(super) pipeline: SurfaceKey,
    /// Into the surface's indices; for blended items, into [`DrawList::blended_indices`].
    pub(super) indices: Range<u32>,
    /// Position in [`DrawList::ids`].
    pub(super) id_at: u32,
}

/// One draw call of the shadow pass.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Caster {
    pub(super) body: usize,
    pub(super) material: usize,
    pub(super) pipeline: ShadowKey,
    pub(super) indices: Range<u32>,
}

/// All draw calls of a cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct DrawList {
    pub(super) casters: Vec<Caster>,
    pub(super) opaque: Vec<Item>,
    pub(super) blended: Vec<Item>,
    pub(super) blended_indices: Vec<u32>,
    /// One an item.
    pub(super) ids: Vec<u32>,
    /// Masks that any draw has.
    pub(super) masks: MaskSet,
}

impl DrawList {
    /// Lists a scene's draws.
    pub(super) fn new(scene: &Scene) -> Self {
        let mut list = Self::default();
        let shadow = casts_shadow(scene);
        for (at, body) in scene.bodies.iter().enumerate() {
            for draw in &body.surface.draws {
                list.add(scene, at, draw, shadow);
            }
        }
        for run in &scene.blended {
            list.add_blended(scene, run, shadow);
        }
        list
    }

    fn add(&mut self, scene: &Scene, body: usize, draw: &Draw, shadow: bool) {
        self.masks.0 |= draw.masks.0;
        if draw.indices.is_empty() {
            return;
        }
        let traits = material::traits(&scene.bodies[body].surface.materials[draw.material]);
        if shadow {
            let pipeline = ShadowKey::new(traits, draw.mirrored);
            self.casters.push(Caster { body, material: draw.material, pipeline, indices: draw.indices.clone() });
        }
        if traits.alpha != AlphaRule::Blend {
            let pipeline = SurfaceKey::new(traits, scene.style, shadow, draw.mirrored);
            let id_at = self.next_id(body, draw);
            let (material, indices) = (draw.material, draw.indices.clone());
            self.opaque.push(Item { body, material, pipeline, indices, id_at });
        }
    }

    fn add_blended(&mut self, scene: &Scene, run: &BlendRun, shadow: bool) {
        if run.indices.is_empty() {
            return;
        }
        let surface = &scene.bodies[run.body].surface;
        let draw = &surface.draws[run.draw];
        let traits = Traits { alpha: AlphaRule::Blend, ..material::traits(&surface.materials[draw.material]) };
        let first = self.blended_indices.len() as u32;
        self.blended_indices.extend(&run.indices);
        let item = Item {
            body: run.body,
            material: draw.material,
            pipeline: SurfaceKey::new(traits, scene.style, shadow, draw.mirrored),
            indices: first..self.blended_indices.len() as u32,
            id_at: self.next_id(run.body, draw),
        };
        self.blended.push(item);
    }

    /// An id that differs between bodies and parts and is never zero: the body in the top four bits,
    /// the part in the next twenty, the masks in the low eight.
    fn next_id(&mut self, body: usize, draw: &Draw) -> u32 {
        let body = (body as u32 + 1).min(15);
        self.ids.push(body << 28 | (draw.part & 0xf_ffff) << 8 | u32::from(draw.masks.0));
        self.ids.len() as u32 - 1
    }
}

/// Whether a shadow map is drawn.
pub(super) fn casts_shadow(scene: &Scene) -> bool {
    scene.lights.key.is_some_and(|key| key.casts_shadow)
}

/// Refuses a scene whose parts do not fit each other, so that no index leaves its list.
///
/// # Errors
///
/// [`RenderError::Malformed`] with the first thing that does not fit.
pub(super) fn check(scene: &Scene) -> Result<(), RenderError> {
    let malformed = |what: String| Err(RenderError::Malformed { cell: scene.name.clone(), what });
    if scene.width_px == 0 || scene.height_px == 0 {
        return malformed("it has no pixels".to_owned());
    }
    if scene.samples == 0 || scene.samples > MOST_SAMPLES {
        return malformed(format!("{} samples a side, where 1 to {MOST_SAMPLES} work", scene.samples));
    }
    for (at, body) in scene.bodies.iter().enumerate() {
        if let Err(what) = check_body(body) {
            return malformed(format!("body {at}: {what}"));
        }
    }
    for (at, run) in scene.blended.iter().enumerate() {
        if let Err(what) = check_run(scene, run) {
            return malformed(format!("blended run {at}: {what}"));
        }
    }
    Ok(())
}

fn check_body(body: &Body) -> Result<(), String> {
    let surface = &body.surface;
    if body.vertices.len() != surface.statics.len() {
        return Err(format!("{} vertices for a surface of {}", body.vertices.len(), surface.statics.len()));
    }
    check_indices(&surface.indices, body)?;
    for draw in &surface.draws {
        let Range { start, end } = draw.indices;
        if start > end || end as usize > surface.indices.len() {
            return Err(format!("a draw of indices {start} to {end} of {}", surface.indices.len()));
        }
        let Some(material) = surface.materials.get(draw.material) else {
            return Err(format!("material {} of {}", draw.material, surface.materials.len()));
        };
        for (texture, _) in material::textures(material).into_iter().flatten() {
            texture.image.map_or(Ok(()), |image| check_image(surface, image.at()))?;
        }
    }
    Ok(())
}

fn check_indices(indices: &[u32], body: &Body) -> Result<(), String> {
    match indices.iter().max() {
        Some(most) if *most as usize >= body.vertices.len() => {
            Err(format!("index {most} into {} vertices", body.vertices.len()))
        }
        _ => Ok(()),
    }
}

fn check_image(surface: &Surface, at: usize) -> Result<(), String> {
    let Some(image) = surface.images.get(at) else {
        return Err(format!("image {at} of {}", surface.images.len()));
    };
    let bytes = u64::from(image.width) * u64::from(image.height) * 4;
    if bytes == 0 || bytes != image.rgba.len() as u64 {
        return Err(format!(
            "image {:?} of {} x {} has {} bytes",
            image.name,
            image.width,
            image.height,
            image.rgba.len()
        ));
    }
    Ok(())
}

fn check_run(scene: &Scene, run: &BlendRun) -> Result<(), String> {
    let Some(body) = scene.bodies.get(run.body) else {
        return Err(format!("body {} of {}", run.body, scene.bodies.len()));
    };
    if run.draw >= body.surface.draws.len() {
        return Err(format!("draw {} of {}", run.draw, body.surface.draws.len()));
    }
    check_indices(&run.indices, body)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use glam::{Mat4, Vec3};

    use super::*;
    use crate::asset::{AlphaMode, Material};
    use crate::base::Digest;
    use crate::stage::{Camera, Display, KeyLight, Lights, StaticVertex, Style, Vertex};

    /// Bodies of one triangle a material, each material a draw of its own part.
    fn scene(bodies: usize, materials: &[Material]) -> Scene {
        let corner = Vertex { position: [0.0; 3], normal: [0.0, 0.0, 1.0], tangent: [0.0; 4] };
        let draw = |at: usize| Draw {
            indices: 3 * at as u32..3 * at as u32 + 3,
            material: at,
            masks: MaskSet(1),
            part: at as u32,
            mirrored: false,
        };
        let surface = Arc::new(Surface {
            digest: Digest::of(b"scene"),
            statics: vec![StaticVertex { uv0: [0.0; 2], uv1: [0.0; 2], colour: [1.0; 4] }; 3],
            indices: [0, 1, 2].repeat(materials.len()),
            draws: (0..materials.len()).map(draw).collect(),
            materials: materials.to_vec(),
            images: Vec::new(),
        });
        let key = KeyLight { to_light_in_stage: Vec3::Y, irradiance: [1.0; 3], casts_shadow: true };
        Scene {
            name: "scene".to_owned(),
            width_px: 8,
            height_px: 8,
            samples: 1,
            bodies: vec![Body { surface, vertices: vec![corner; 3] }; bodies],
            blended: Vec::new(),
            camera: Camera {
                view_from_stage: Mat4::IDENTITY,
                clip_from_view: Mat4::IDENTITY,
                eye_in_stage: Vec3::Z,
                back_in_stage: Vec3::Z,
                orthographic: true,
                px_per_m: 1.0,
            },
            lights: Lights { key: Some(key), sky: [0.0; 3], bounce: [0.0; 3] },
            style: Style::Shaded,
            ground: None,
            display: Display::default(),
        }
    }

    fn glass() -> Material {
        Material { alpha_mode: AlphaMode::Blend, ..Material::default() }
    }

    #[test]
    fn ids_differ_between_bodies_and_parts_and_hold_the_masks() {
        let list = DrawList::new(&scene(3, &[Material::default(), Material::default()]));
        let distinct: BTreeSet<u32> = list.ids.iter().copied().collect();
        assert_eq!(distinct.len(), 6);
        assert!(list.ids.iter().all(|id| id & 0xff == 1 && *id != 0));
    }

    #[test]
    fn glass_casts_a_shadow_but_is_drawn_only_from_its_runs() {
        let mut scene = scene(1, &[Material::default(), glass()]);
        let list = DrawList::new(&scene);
        assert_eq!((list.casters.len(), list.opaque.len(), list.blended.len()), (2, 1, 0));
        scene.blended = vec![BlendRun { body: 0, draw: 1, indices: vec![2, 0, 1] }];
        let list = DrawList::new(&scene);
        assert_eq!((list.casters.len(), list.opaque.len(), list.blended.len()), (2, 1, 1));
        assert_eq!((list.blended[0].indices.clone(), list.blended_indices), (0..3, vec![2, 0, 1]));
        assert_eq!(list.blended[0].pipeline.alpha, AlphaRule::Blend);
    }

    #[test]
    fn without_a_shadow_nothing_is_cast() {
        let mut scene = scene(1, &[Material::default()]);
        scene.lights.key = scene.lights.key.map(|key| KeyLight { casts_shadow: false, ..key });
        let list = DrawList::new(&scene);
        assert!(list.casters.is_empty() && !list.opaque[0].pipeline.shadow);
        scene.lights.key = None;
        assert!(DrawList::new(&scene).casters.is_empty());
    }
}
