//! Draw scenes, one at a time: upload, passes, read back, average.
//!
//! Touches a device of its own. Every cell has its own passes at the origin of attachments of exactly
//! its size, so that its bytes depend on its scene alone: not on what was drawn before, nor on what is
//! drawn beside it.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::stage::Scene;

use super::adapter::{AdapterChoice, AdapterReport};
use super::cache::Cache;
use super::cell::CellPlan;
use super::device::Gpu;
use super::draw;
use super::error::RenderError;
use super::image::CellImage;
use super::layout::Layouts;
use super::passes::{self, FrameBuffers, ShadowMap};
use super::pipeline::Pipelines;
use super::resolve::{self, Drawn, Plane};
use super::surface::Store;
use super::target::{Growing, Target};

/// Bytes of surfaces and textures that a renderer keeps unless told otherwise.
pub const DEFAULT_BUDGET_BYTES: u64 = 256 << 20;

/// Bytes of attachments that are kept for cells of other sizes.
const TARGET_BUDGET_BYTES: u64 = 128 << 20;

/// A device with everything that outlives a cell. One a worker thread.
///
/// After [`RenderError::DeviceLost`] it draws nothing any more: make a new one.
pub struct Renderer {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: Pipelines,
    store: Store,
    targets: Cache<(u32, u32), Target>,
    shadow_maps: Vec<ShadowMap>,
    frame: FrameBuffers,
    staging: Growing,
    resolving: Duration,
}

impl Renderer {
    /// Opens an adapter.
    ///
    /// # Errors
    ///
    /// [`RenderError::NoAdapter`] or [`RenderError::NoDevice`].
    pub fn new(choice: &AdapterChoice) -> Result<Self, RenderError> {
        Self::with_budget(choice, DEFAULT_BUDGET_BYTES)
    }

    /// Opens an adapter and keeps up to `budget_bytes` of surfaces and textures on it; more only while
    /// one scene needs more.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn with_budget(choice: &AdapterChoice, budget_bytes: u64) -> Result<Self, RenderError> {
        let gpu = Gpu::open(choice)?;
        let layouts = Layouts::new(&gpu.device);
        let pipelines = Pipelines::new(&gpu.device, &layouts);
        let store = Store::new(&gpu, budget_bytes);
        let frame = FrameBuffers::new(&gpu, &layouts);
        gpu.check("the first cell")?;
        Ok(Self {
            layouts,
            pipelines,
            store,
            targets: Cache::new(),
            shadow_maps: Vec::new(),
            frame,
            staging: Growing::new("staging", wgpu::BufferUsages::MAP_READ),
            resolving: Duration::ZERO,
            gpu,
        })
    }

    /// What draws.
    pub fn adapter(&self) -> &AdapterReport {
        &self.gpu.report
    }

    /// Bytes of surfaces and textures on the device.
    pub fn held_bytes(&self) -> u64 {
        self.store.bytes()
    }

    /// Time spent turning samples into pixels since this was last asked: the rest is drawing.
    pub fn take_resolve_time(&mut self) -> Duration {
        std::mem::take(&mut self.resolving)
    }

    /// Draws a scene.
    ///
    /// # Errors
    ///
    /// [`RenderError::Malformed`] for a scene that contradicts itself, [`RenderError::TooLarge`] for one
    /// beyond the device, [`RenderError::DeviceLost`], [`RenderError::OutOfMemory`] and
    /// [`RenderError::Refused`] for what happens on the device.
    pub fn render(&mut self, scene: &Scene) -> Result<CellImage, RenderError> {
        draw::check(scene)?;
        let plan = CellPlan::new(scene, &self.gpu.limits)?;
        self.prepare(scene, &plan);
        self.submit(scene, &plan);
        let image = self.read_back(scene, &plan);
        self.gpu.check(&scene.name)?;
        image
    }

    /// Makes or finds whatever the scene needs that outlives it.
    fn prepare(&mut self, scene: &Scene, plan: &CellPlan) {
        let size = (plan.wide, plan.high);
        if self.targets.get(&size).is_none() {
            let target = Target::new(&self.gpu, plan.wide, plan.high);
            self.targets.insert(size, target, Target::bytes(plan.wide, plan.high));
        }
        while self.targets.bytes() > TARGET_BUDGET_BYTES && self.targets.drop_oldest(|key, _| *key != size) {}
        if !self.shadow_maps.iter().any(|map| map.px == plan.shadow_map_px) {
            self.shadow_maps.push(ShadowMap::new(&self.gpu, &self.layouts, plan.shadow_map_px));
        }
        self.store.hold(&self.gpu, &self.layouts, &scene.bodies);
        let list = &plan.list;
        let surfaces = list.opaque.iter().chain(&list.blended).map(|item| item.pipeline);
        let shadows = list.casters.iter().map(|caster| caster.pipeline);
        self.pipelines.build(&self.gpu.device, surfaces, shadows, !plan.ground_patch.is_empty());
    }

    fn submit(&mut self, scene: &Scene, plan: &CellPlan) {
        self.frame.fill(&self.gpu, scene, plan);
        let Some(target) = self.targets.peek(&(plan.wide, plan.high)) else { return };
        let Some(shadow_map) = self.shadow_maps.iter().find(|map| map.px == plan.shadow_map_px) else { return };
        let staging = self.staging.at_least(&self.gpu, plan.copied_bytes());
        let mut encoder =
            self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("cell") });
        let with = passes::Shared {
            frame: &self.frame,
            store: &self.store,
            pipelines: &self.pipelines,
            shadow_map,
            scene,
            plan,
        };
        if !plan.list.casters.is_empty() {
            with.encode_shadow(&mut encoder);
        }
        with.encode_cell(&mut encoder, &target.views);
        plan.colour.encode(&mut encoder, &target.colour, staging);
        plan.ids.encode(&mut encoder, &target.ids, staging);
        if let Some((_, ground)) = &plan.ground {
            ground.encode(&mut encoder, &target.ground, staging);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn read_back(&mut self, scene: &Scene, plan: &CellPlan) -> Result<CellImage, RenderError> {
        let lost = |message: String| RenderError::DeviceLost { cell: scene.name.clone(), message };
        let used = plan.copied_bytes();
        let staging = self.staging.at_least(&self.gpu, used);
        let slice = staging.slice(..used);
        let (sender, receiver) = mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only when this cell has failed already.
            let _ = sender.send(result);
        });
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(error.to_string()))?;
        match receiver.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(self.mapping_failed(scene, &error.to_string())),
            Err(_) => return Err(self.mapping_failed(scene, "the buffer was never mapped")),
        }
        let started = Instant::now();
        let image = match slice.get_mapped_range() {
            Ok(bytes) => Ok(resolve::resolve(&plan.drawn(&bytes), &plan.finish)),
            Err(error) => Err(lost(error.to_string())),
        };
        self.resolving += started.elapsed();
        staging.unmap();
        image
    }

    /// The fault behind a buffer that could not be mapped, else the mapping itself.
    fn mapping_failed(&self, scene: &Scene, message: &str) -> RenderError {
        let fallback = || RenderError::DeviceLost { cell: scene.name.clone(), message: message.to_owned() };
        self.gpu.check(&scene.name).err().unwrap_or_else(fallback)
    }
}

impl CellPlan {
    /// The copied planes in the mapped buffer.
    fn drawn<'a>(&self, bytes: &'a [u8]) -> Drawn<'a> {
        let plane =
            |copied: &super::target::Copied| Plane { bytes: &bytes[copied.range()], stride: copied.stride as usize };
        Drawn {
            rect: self.rect,
            colour: plane(&self.colour),
            ids: plane(&self.ids),
            ground: self.ground.as_ref().map(|(rect, copied)| (*rect, plane(copied))),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use super::*;
    use crate::stage::{Camera, Display, Lights, Style};

    fn empty_scene() -> Scene {
        Scene {
            name: "study/cell".to_owned(),
            width_px: 4,
            height_px: 4,
            samples: 1,
            bodies: Vec::new(),
            blended: Vec::new(),
            camera: Camera {
                view_from_stage: Mat4::IDENTITY,
                clip_from_view: Mat4::IDENTITY,
                eye_in_stage: Vec3::Z,
                back_in_stage: Vec3::Z,
                orthographic: true,
                px_per_m: 1.0,
            },
            lights: Lights { key: None, sky: [0.0; 3], bounce: [0.0; 3] },
            style: Style::Flat,
            ground: None,
            display: Display::default(),
        }
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "needs an adapter")]
    fn a_lost_device_is_an_error_that_may_pass_and_names_the_cell() {
        let mut renderer = Renderer::new(&AdapterChoice::Software)
            .unwrap_or_else(|error| panic!("{error}; {}", error.hint().unwrap_or_default()));
        assert!(renderer.render(&empty_scene()).is_ok());
        renderer.gpu.device.destroy();
        for _ in 0..2 {
            let error = renderer.render(&empty_scene()).err().unwrap();
            assert!(matches!(&error, RenderError::DeviceLost { cell, .. } if cell == "study/cell"), "{error:?}");
            assert!(error.is_transient());
        }
    }

    #[test]
    fn a_renderer_may_move_to_its_worker_thread() {
        fn movable<T: Send>() {}
        movable::<Renderer>();
    }
}
