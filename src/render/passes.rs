//! Encode the passes of a cell.

use std::mem::size_of;

use glam::Vec3;

use crate::stage::{Scene, Vertex};

use super::cell::CellPlan;
use super::device::Gpu;
use super::draw::Item;
use super::layout::{
    DEPTH_FORMAT, FRAME_GROUP, ID_SLOT, Layouts, MATERIAL_GROUP, POSED_SLOT, SHADOW_GROUP, STATIC_SLOT,
};
use super::pipeline::Pipelines;
use super::surface::{GpuSurface, Store};
use super::target::{Growing, TargetViews};
use super::uniforms::FrameUniforms;

/// The depth that the key sees, reused by every cell that wants one of this size.
pub(super) struct ShadowMap {
    pub(super) px: u32,
    view: wgpu::TextureView,
    group: wgpu::BindGroup,
}

impl ShadowMap {
    pub(super) fn new(gpu: &Gpu, layouts: &Layouts, px: u32) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow map"),
            size: wgpu::Extent3d { width: px, height: px, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow map"),
            layout: &layouts.shadow,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
            ],
        });
        Self { px, view, group }
    }
}

/// What every cell fills anew.
pub(super) struct FrameBuffers {
    uniforms: wgpu::Buffer,
    group: wgpu::BindGroup,
    posed: Growing,
    ids: Growing,
    blended_indices: Growing,
}

impl FrameBuffers {
    pub(super) fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let uniforms = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &layouts.frame,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }],
        });
        Self {
            uniforms,
            group,
            posed: Growing::new("posed vertices", wgpu::BufferUsages::VERTEX),
            ids: Growing::new("ids", wgpu::BufferUsages::VERTEX),
            blended_indices: Growing::new("blended indices", wgpu::BufferUsages::INDEX),
        }
    }

    /// Uploads a cell.
    pub(super) fn fill(&mut self, gpu: &Gpu, scene: &Scene, plan: &CellPlan) {
        gpu.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&plan.uniforms));
        let ground = ground_triangles(&plan.ground_patch);
        let mut posed: Vec<&[u8]> = scene.bodies.iter().map(|body| bytemuck::cast_slice(&body.vertices)).collect();
        posed.push(bytemuck::cast_slice(&ground));
        self.posed.fill(gpu, &posed);
        self.ids.fill(gpu, &[bytemuck::cast_slice(&plan.list.ids)]);
        self.blended_indices.fill(gpu, &[bytemuck::cast_slice(&plan.list.blended_indices)]);
    }
}

/// The patch as triangles about its first corner.
fn ground_triangles(patch: &[Vec3]) -> Vec<Vertex> {
    let Some((first, rest)) = patch.split_first() else { return Vec::new() };
    let triangles = rest.windows(2).flat_map(|edge| [*first, edge[0], edge[1]]);
    triangles.map(|corner| Vertex { position: corner.to_array(), normal: [0.0, 1.0, 0.0], tangent: [0.0; 4] }).collect()
}

/// Everything that the passes of one cell read.
pub(super) struct Shared<'a> {
    pub(super) frame: &'a FrameBuffers,
    pub(super) store: &'a Store,
    pub(super) pipelines: &'a Pipelines,
    pub(super) shadow_map: &'a ShadowMap,
    pub(super) scene: &'a Scene,
    pub(super) plan: &'a CellPlan,
}

impl Shared<'_> {
    /// Depth as the key sees it.
    pub(super) fn encode_shadow(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(depth_attachment(&self.shadow_map.view, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(FRAME_GROUP, &self.frame.group, &[]);
        let mut bound = None;
        for caster in &self.plan.list.casters {
            let Some(surface) = self.bind_body(&mut pass, caster.body, &mut bound) else { continue };
            let Some(pipeline) = self.pipelines.shadow(caster.pipeline) else { continue };
            let Some(material) = surface.materials.get(caster.material).and_then(Option::as_ref) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(MATERIAL_GROUP, &material.group, &[]);
            pass.draw_indexed(caster.indices.clone(), 0, 0..1);
        }
    }

    /// Bodies, the ground's shadow, then what is blended.
    pub(super) fn encode_cell(&self, encoder: &mut wgpu::CommandEncoder, target: &TargetViews) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("cell"),
            color_attachments: &[
                Some(cleared(&target.colour)),
                Some(cleared(&target.ids)),
                Some(cleared(&target.ground)),
            ],
            depth_stencil_attachment: Some(depth_attachment(&target.depth, wgpu::StoreOp::Discard)),
            ..Default::default()
        });
        pass.set_bind_group(FRAME_GROUP, &self.frame.group, &[]);
        pass.set_bind_group(SHADOW_GROUP, &self.shadow_map.group, &[]);
        if let Some(ids) = self.frame.ids.buffer() {
            pass.set_vertex_buffer(ID_SLOT, ids.slice(..));
        }
        let mut bound = None;
        for item in &self.plan.list.opaque {
            self.bind_body(&mut pass, item.body, &mut bound);
            self.draw(&mut pass, item);
        }
        self.draw_ground(&mut pass);
        bound = None;
        for item in &self.plan.list.blended {
            self.bind_body(&mut pass, item.body, &mut bound);
            if let Some(indices) = self.frame.blended_indices.buffer() {
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            }
            self.draw(&mut pass, item);
        }
    }

    /// Binds a body's vertices and indices, unless they are bound already.
    fn bind_body(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        body: usize,
        bound: &mut Option<usize>,
    ) -> Option<&GpuSurface> {
        let surface = self.store.get(&self.scene.bodies[body].surface.digest)?;
        if *bound != Some(body) {
            let before: usize = self.scene.bodies[..body].iter().map(|body| body.vertices.len()).sum();
            let from = (before * size_of::<Vertex>()) as u64;
            let bytes = (self.scene.bodies[body].vertices.len() * size_of::<Vertex>()) as u64;
            pass.set_vertex_buffer(POSED_SLOT, self.frame.posed.buffer()?.slice(from..from + bytes));
            pass.set_vertex_buffer(STATIC_SLOT, surface.statics.as_ref()?.slice(..));
            pass.set_index_buffer(surface.indices.as_ref()?.slice(..), wgpu::IndexFormat::Uint32);
            *bound = Some(body);
        }
        Some(surface)
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, item: &Item) {
        let surface = self.store.get(&self.scene.bodies[item.body].surface.digest);
        let material = surface.and_then(|surface| surface.materials.get(item.material)?.as_ref());
        let (Some(material), Some(pipeline)) = (material, self.pipelines.surface(item.pipeline)) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(MATERIAL_GROUP, &material.group, &[]);
        pass.draw_indexed(item.indices.clone(), 0, item.id_at..item.id_at + 1);
    }

    fn draw_ground(&self, pass: &mut wgpu::RenderPass<'_>) {
        let corners = self.plan.ground_patch.len() as u32;
        let (Some(pipeline), Some(posed)) = (self.pipelines.ground(), self.frame.posed.buffer()) else { return };
        if corners >= 3 {
            let before: usize = self.scene.bodies.iter().map(|body| body.vertices.len()).sum();
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(POSED_SLOT, posed.slice((before * size_of::<Vertex>()) as u64..));
            pass.draw(0..(corners - 2) * 3, 0..1);
        }
    }
}

fn cleared(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
    }
}

fn depth_attachment(view: &wgpu::TextureView, store: wgpu::StoreOp) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
        stencil_ops: None,
    }
}
