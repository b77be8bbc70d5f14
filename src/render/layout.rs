//! Name the bindings, vertex buffers and attachment formats that pipelines and cells agree on.

use std::mem::size_of;

use wgpu::{BindGroupLayoutEntry, BindingType, ShaderStages, VertexAttribute, VertexFormat};

use crate::stage::{StaticVertex, Vertex};

use super::uniforms::{FrameUniforms, MaterialUniforms};

/// Scene-linear colour, premultiplied.
pub(super) const COLOUR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Ids.
pub(super) const ID_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// Share of the ground's light that is missing.
pub(super) const GROUND_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Depth of cells and of the shadow map.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Group of [`FrameUniforms`].
pub(super) const FRAME_GROUP: u32 = 0;
/// Group of the shadow map.
pub(super) const SHADOW_GROUP: u32 = 1;
/// Group of a material.
pub(super) const MATERIAL_GROUP: u32 = 2;

/// Slot of the posed vertices.
pub(super) const POSED_SLOT: u32 = 0;
/// Slot of what a vertex has in every pose.
pub(super) const STATIC_SLOT: u32 = 1;
/// Slot of the ids, one a draw.
pub(super) const ID_SLOT: u32 = 2;

/// The bind group layouts, one a group.
pub(super) struct Layouts {
    pub(super) frame: wgpu::BindGroupLayout,
    pub(super) shadow: wgpu::BindGroupLayout,
    pub(super) material: wgpu::BindGroupLayout,
}

impl Layouts {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let layout = |label, entries: &[BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let mut material = vec![entry(0, ShaderStages::FRAGMENT, uniform(size_of::<MaterialUniforms>()))];
        for texture in 0..5 {
            material.push(entry(
                1 + 2 * texture,
                ShaderStages::FRAGMENT,
                texture_2d(wgpu::TextureSampleType::Float { filterable: true }),
            ));
            let sampler = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
            material.push(entry(2 + 2 * texture, ShaderStages::FRAGMENT, sampler));
        }
        Self {
            frame: layout("frame", &[entry(0, ShaderStages::VERTEX_FRAGMENT, uniform(size_of::<FrameUniforms>()))]),
            shadow: layout(
                "shadow",
                &[
                    entry(0, ShaderStages::FRAGMENT, texture_2d(wgpu::TextureSampleType::Depth)),
                    entry(1, ShaderStages::FRAGMENT, BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
                ],
            ),
            material: layout("material", &material),
        }
    }
}

fn entry(binding: u32, visibility: ShaderStages, ty: BindingType) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

fn uniform(bytes: usize) -> BindingType {
    BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(bytes as u64),
    }
}

fn texture_2d(sample_type: wgpu::TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

const POSED: [VertexAttribute; 3] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
const STATIC: [VertexAttribute; 3] = wgpu::vertex_attr_array![3 => Float32x2, 4 => Float32x2, 5 => Float32x4];
const ID: [VertexAttribute; 1] = [VertexAttribute { format: VertexFormat::Uint32, offset: 0, shader_location: 6 }];

/// The vertex buffers by slot: posed, static, ids.
pub(super) fn vertex_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    let buffer = |stride: usize, step_mode, attributes| {
        Some(wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode, attributes })
    };
    [
        buffer(size_of::<Vertex>(), wgpu::VertexStepMode::Vertex, &POSED),
        buffer(size_of::<StaticVertex>(), wgpu::VertexStepMode::Vertex, &STATIC),
        buffer(size_of::<u32>(), wgpu::VertexStepMode::Instance, &ID),
    ]
}
