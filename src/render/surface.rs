//! Keep surfaces and their textures on the device, up to a budget of bytes.
//!
//! Both are shared by content: a texture by its image's digest, a surface by its own. What was used
//! longest ago goes first; what the scene at hand uses stays.

use std::collections::BTreeSet;
use std::mem::size_of;
use std::sync::Arc;

use crate::base::Digest;
use crate::stage::{Body, StaticVertex, Surface};

use super::cache::Cache;
use super::device::Gpu;
use super::layout::Layouts;
use super::material;
use super::mips::Filter;
use super::texture::{self, Samplers, TextureKey};
use super::uniforms::MaterialUniforms;

/// A surface on the device.
pub(super) struct GpuSurface {
    /// `StaticVertex`es; `None` where there are none.
    pub(super) statics: Option<wgpu::Buffer>,
    pub(super) indices: Option<wgpu::Buffer>,
    /// By position in `Surface::materials`; `None` where no draw uses it.
    pub(super) materials: Vec<Option<GpuMaterial>>,
}

/// A material on the device.
pub(super) struct GpuMaterial {
    pub(super) group: wgpu::BindGroup,
    /// Held so that the cache sees which textures are in use.
    #[expect(dead_code, reason = "held for its reference count")]
    textures: Vec<Arc<wgpu::TextureView>>,
}

/// Surfaces and textures on the device.
pub(super) struct Store {
    surfaces: Cache<Digest, GpuSurface>,
    textures: Cache<TextureKey, Arc<wgpu::TextureView>>,
    samplers: Samplers,
    white: Arc<wgpu::TextureView>,
    budget_bytes: u64,
}

impl Store {
    pub(super) fn new(gpu: &Gpu, budget_bytes: u64) -> Self {
        Self {
            surfaces: Cache::new(),
            textures: Cache::new(),
            samplers: Samplers::new(),
            white: Arc::new(texture::white(gpu)),
            budget_bytes,
        }
    }

    /// Bytes of what is held.
    pub(super) fn bytes(&self) -> u64 {
        self.surfaces.bytes() + self.textures.bytes()
    }

    /// Brings the surfaces of a scene to the device and drops what no longer fits.
    pub(super) fn hold(&mut self, gpu: &Gpu, layouts: &Layouts, bodies: &[Body]) {
        for body in bodies {
            if self.surfaces.get(&body.surface.digest).is_none() {
                let (surface, bytes) = self.uploaded(gpu, layouts, &body.surface);
                self.surfaces.insert(body.surface.digest, surface, bytes);
            }
        }
        let in_use: BTreeSet<Digest> = bodies.iter().map(|body| body.surface.digest).collect();
        while self.bytes() > self.budget_bytes {
            // A texture that nothing holds goes before a surface, which may hold some.
            let dropped = self.textures.drop_oldest(|_, texture| Arc::strong_count(texture) == 1)
                || self.surfaces.drop_oldest(|digest, _| !in_use.contains(digest));
            if !dropped {
                break;
            }
        }
    }

    /// A surface that [`Self::hold`] brought.
    pub(super) fn get(&self, digest: &Digest) -> Option<&GpuSurface> {
        self.surfaces.peek(digest)
    }

    fn uploaded(&mut self, gpu: &Gpu, layouts: &Layouts, surface: &Surface) -> (GpuSurface, u64) {
        let stride = (size_of::<MaterialUniforms>() as u64).next_multiple_of(256);
        let numbers = material_buffer(gpu, surface, stride);
        let used: BTreeSet<usize> = surface.draws.iter().map(|draw| draw.material).collect();
        let materials = (0..surface.materials.len())
            .map(|at| used.contains(&at).then(|| self.material(gpu, layouts, surface, at, &numbers, stride)))
            .collect();
        let statics = bytemuck::cast_slice::<StaticVertex, u8>(&surface.statics);
        let indices = bytemuck::cast_slice::<u32, u8>(&surface.indices);
        let bytes = (statics.len() + indices.len()) as u64 + stride * surface.materials.len() as u64;
        let surface = GpuSurface {
            statics: buffer(gpu, "statics", statics, wgpu::BufferUsages::VERTEX),
            indices: buffer(gpu, "indices", indices, wgpu::BufferUsages::INDEX),
            materials,
        };
        (surface, bytes)
    }

    fn material(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        surface: &Surface,
        at: usize,
        numbers: &wgpu::Buffer,
        stride: u64,
    ) -> GpuMaterial {
        let material = &surface.materials[at];
        let uses = material::textures(material);
        let mut textures = Vec::with_capacity(uses.len());
        for used in &uses {
            let image = used.and_then(|(texture, filter)| Some((texture.image?, filter)));
            textures.push(match image {
                Some((image, filter)) => self.texture(gpu, &surface.images[image.at()], filter),
                None => self.white.clone(),
            });
        }
        let samplers: Vec<_> = uses
            .iter()
            .map(|used| used.map(|(texture, _)| texture.sampler).unwrap_or_default())
            .map(|sampler| self.samplers.get(&gpu.device, sampler).clone())
            .collect();
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: numbers,
                offset: at as u64 * stride,
                size: std::num::NonZeroU64::new(size_of::<MaterialUniforms>() as u64),
            }),
        }];
        for (slot, (texture, sampler)) in (0..).zip(textures.iter().zip(&samplers)) {
            let (texture, sampler) =
                (wgpu::BindingResource::TextureView(texture), wgpu::BindingResource::Sampler(sampler));
            entries.push(wgpu::BindGroupEntry { binding: 1 + 2 * slot, resource: texture });
            entries.push(wgpu::BindGroupEntry { binding: 2 + 2 * slot, resource: sampler });
        }
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &layouts.material,
            entries: &entries,
        });
        GpuMaterial { group, textures }
    }

    fn texture(&mut self, gpu: &Gpu, image: &crate::asset::Image, filter: Filter) -> Arc<wgpu::TextureView> {
        let key = TextureKey { image: image.digest, filter };
        if let Some(texture) = self.textures.get(&key) {
            return texture.clone();
        }
        let (view, bytes) = texture::upload(gpu, image, filter);
        let texture = Arc::new(view);
        self.textures.insert(key, texture.clone(), bytes);
        texture
    }
}

fn material_buffer(gpu: &Gpu, surface: &Surface, stride: u64) -> wgpu::Buffer {
    let mut bytes = vec![0; (stride as usize) * surface.materials.len().max(1)];
    for (place, material) in bytes.chunks_exact_mut(stride as usize).zip(&surface.materials) {
        let numbers = material::uniforms(material);
        place[..size_of::<MaterialUniforms>()].copy_from_slice(bytemuck::bytes_of(&numbers));
    }
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    let descriptor =
        wgpu::BufferDescriptor { label: Some("materials"), size: bytes.len() as u64, usage, mapped_at_creation: false };
    let buffer = gpu.device.create_buffer(&descriptor);
    gpu.queue.write_buffer(&buffer, 0, &bytes);
    buffer
}

fn buffer(gpu: &Gpu, label: &str, bytes: &[u8], usage: wgpu::BufferUsages) -> Option<wgpu::Buffer> {
    if bytes.is_empty() {
        return None;
    }
    let descriptor = wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes.len() as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    let buffer = gpu.device.create_buffer(&descriptor);
    gpu.queue.write_buffer(&buffer, 0, bytes);
    Some(buffer)
}
