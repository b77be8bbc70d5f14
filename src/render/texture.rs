//! Bring images to the device, and samplers.

use std::collections::HashMap;

use crate::asset::{Image, Mips, Sampler, Wrap};
use crate::base::Digest;

use super::device::Gpu;
use super::mips::{self, Filter, Level};

/// What decides a texture's bytes on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TextureKey {
    pub(super) image: Digest,
    pub(super) filter: Filter,
}

/// Uploads an image with its mip levels; gives the view and the bytes it takes.
pub(super) fn upload(gpu: &Gpu, image: &Image, filter: Filter) -> (wgpu::TextureView, u64) {
    let levels = mips::levels(image, filter, gpu.limits.max_texture_dimension_2d);
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&image.name),
        size: extent(&levels[0]),
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: format(filter),
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (at, level) in levels.iter().enumerate() {
        let place = wgpu::TexelCopyTextureInfo { mip_level: at as u32, ..texture.as_image_copy() };
        let rows = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(level.width * 4),
            rows_per_image: Some(level.height),
        };
        gpu.queue.write_texture(place, &level.rgba, rows, extent(level));
    }
    let bytes = levels.iter().map(|level| level.rgba.len() as u64).sum();
    (texture.create_view(&wgpu::TextureViewDescriptor::default()), bytes)
}

fn extent(level: &Level) -> wgpu::Extent3d {
    wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: 1 }
}

fn format(filter: Filter) -> wgpu::TextureFormat {
    match filter {
        Filter::Colour | Filter::ColourByAlpha => wgpu::TextureFormat::Rgba8UnormSrgb,
        Filter::Data | Filter::Normal => wgpu::TextureFormat::Rgba8Unorm,
    }
}

/// One white texel: what stands in for a texture that is not there.
pub(super) fn white(gpu: &Gpu) -> wgpu::TextureView {
    let image =
        Image { name: "white".to_owned(), digest: Digest::of(b"white"), width: 1, height: 1, rgba: vec![255; 4] };
    upload(gpu, &image, Filter::Data).0
}

/// Samplers by what they do.
pub(super) struct Samplers(HashMap<Sampler, wgpu::Sampler>);

impl Samplers {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }

    pub(super) fn get(&mut self, device: &wgpu::Device, sampler: Sampler) -> &wgpu::Sampler {
        self.0.entry(sampler).or_insert_with(|| device.create_sampler(&descriptor(sampler)))
    }
}

fn descriptor(sampler: Sampler) -> wgpu::SamplerDescriptor<'static> {
    let filter = |linear| if linear { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    let wrap = |wrap| match wrap {
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Repeat => wgpu::AddressMode::Repeat,
    };
    wgpu::SamplerDescriptor {
        label: Some("material"),
        address_mode_u: wrap(sampler.wrap_u),
        address_mode_v: wrap(sampler.wrap_v),
        mag_filter: filter(sampler.linear_magnify),
        min_filter: filter(sampler.linear_minify),
        mipmap_filter: match sampler.mips {
            Mips::Linear => wgpu::MipmapFilterMode::Linear,
            Mips::Nearest | Mips::None => wgpu::MipmapFilterMode::Nearest,
        },
        // Up to a quarter, the finest level is the only one that is near.
        lod_max_clamp: if sampler.mips == Mips::None { 0.25 } else { 32.0 },
        ..Default::default()
    }
}
