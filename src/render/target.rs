//! Keep what cells are drawn into: attachments of exactly a cell's samples, and the buffer that brings
//! them back.

use super::device::Gpu;
use super::extent::PxRect;
use super::layout::{COLOUR_FORMAT, DEPTH_FORMAT, GROUND_FORMAT, ID_FORMAT};
use super::resolve::{COLOUR_BYTES, GROUND_BYTES, ID_BYTES};

/// Attachments of one size.
pub(super) struct Target {
    pub(super) colour: wgpu::Texture,
    pub(super) ids: wgpu::Texture,
    pub(super) ground: wgpu::Texture,
    pub(super) views: TargetViews,
}

/// Views of a target's attachments.
pub(super) struct TargetViews {
    pub(super) colour: wgpu::TextureView,
    pub(super) ids: wgpu::TextureView,
    pub(super) ground: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
}

impl Target {
    /// Attachments of `wide` by `high` samples.
    pub(super) fn new(gpu: &Gpu, wide: u32, high: u32) -> Self {
        let texture = |label, format, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: wide, height: high, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let colour = texture("colour", COLOUR_FORMAT, wgpu::TextureUsages::COPY_SRC);
        let ids = texture("ids", ID_FORMAT, wgpu::TextureUsages::COPY_SRC);
        let ground = texture("ground", GROUND_FORMAT, wgpu::TextureUsages::COPY_SRC);
        let depth = texture("depth", DEPTH_FORMAT, wgpu::TextureUsages::empty());
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let views = TargetViews { colour: view(&colour), ids: view(&ids), ground: view(&ground), depth: view(&depth) };
        Self { colour, ids, ground, views }
    }

    /// Bytes that a target of this size takes, with its depth.
    pub(super) fn bytes(wide: u32, high: u32) -> u64 {
        u64::from(wide) * u64::from(high) * (COLOUR_BYTES + ID_BYTES + GROUND_BYTES + 4) as u64
    }
}

/// Where a rectangle of one attachment lies in the buffer that is read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Copied {
    /// In samples.
    x: u32,
    y: u32,
    width: u32,
    pub(super) height: u32,
    pub(super) offset: u64,
    pub(super) stride: u32,
}

impl Copied {
    /// A rectangle of pixels at `offset`, `sample_bytes` a sample.
    pub(super) fn new(rect: PxRect, samples: u32, sample_bytes: usize, offset: u64) -> Self {
        let width = rect.width * samples;
        Self {
            x: rect.x * samples,
            y: rect.y * samples,
            width,
            height: rect.height * samples,
            offset,
            stride: (width * sample_bytes as u32).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT),
        }
    }

    /// The first byte after it; a multiple of 256.
    pub(super) fn end(&self) -> u64 {
        self.offset + u64::from(self.stride) * u64::from(self.height)
    }

    /// Its bytes in the mapped buffer.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.offset as usize..self.end() as usize
    }

    /// Copies it from `texture` into `buffer`.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, buffer: &wgpu::Buffer) {
        if self.width == 0 || self.height == 0 {
            return;
        }
        let origin = wgpu::Origin3d { x: self.x, y: self.y, z: 0 };
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo { origin, ..texture.as_image_copy() },
            wgpu::TexelCopyBufferInfo {
                buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: self.offset,
                    bytes_per_row: Some(self.stride),
                    rows_per_image: Some(self.height),
                },
            },
            wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 },
        );
    }
}

/// A buffer that grows to what is asked of it and never shrinks.
pub(super) struct Growing {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

impl Growing {
    pub(super) fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self { label, usage: usage | wgpu::BufferUsages::COPY_DST, buffer: None }
    }

    /// The buffer, of at least `bytes` bytes.
    pub(super) fn at_least(&mut self, gpu: &Gpu, bytes: u64) -> &wgpu::Buffer {
        let large_enough = self.buffer.take().filter(|buffer| buffer.size() >= bytes);
        self.buffer.insert(large_enough.unwrap_or_else(|| {
            let size = bytes.max(1 << 12).next_power_of_two().min(gpu.limits.max_buffer_size.max(bytes));
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size,
                usage: self.usage,
                mapped_at_creation: false,
            })
        }))
    }

    /// The buffer, once it has been asked for.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }

    /// Fills it with pieces, one after the other.
    pub(super) fn fill(&mut self, gpu: &Gpu, pieces: &[&[u8]]) -> &wgpu::Buffer {
        let bytes: usize = pieces.iter().map(|piece| piece.len()).sum();
        let buffer = self.at_least(gpu, bytes as u64);
        let mut offset = 0;
        for piece in pieces {
            gpu.queue.write_buffer(buffer, offset, piece);
            offset += piece.len() as u64;
        }
        buffer
    }
}
