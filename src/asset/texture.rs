//! Read how a material uses an image: which, sampled how, with which coordinates moved where.
//!
//! Reads: texture infos, textures, samplers, `KHR_texture_transform`. Writes: [`TextureRef`]s whose image is
//! numbered as in the file.

use glam::Vec2;
use gltf::json;
use json::texture::{MagFilter, MinFilter, WrappingMode};
use json::validation::Checked;
use json::{Index, Value};

use crate::base::ImageIndex;

use super::document::Document;
use super::error::AssetError;
use super::model::{Mips, Sampler, TextureRef, Wrap};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// What the three kinds of texture info have in common.
#[derive(Clone, Copy)]
pub(super) struct Use<'m> {
    texture: Index<json::Texture>,
    uv_set: u32,
    transform: Option<&'m Value>,
}

const TRANSFORM: &str = "KHR_texture_transform";

impl<'m> Use<'m> {
    pub(super) fn plain(info: &'m json::texture::Info) -> Self {
        let transform = info.extensions.as_ref().and_then(|extensions| extensions.others.get(TRANSFORM));
        Self { texture: info.index, uv_set: info.tex_coord, transform }
    }

    pub(super) fn normal(info: &'m json::material::NormalTexture) -> Self {
        let transform = info.extensions.as_ref().and_then(|extensions| extensions.others.get(TRANSFORM));
        Self { texture: info.index, uv_set: info.tex_coord, transform }
    }

    pub(super) fn occlusion(info: &'m json::material::OcclusionTexture) -> Self {
        let transform = info.extensions.as_ref().and_then(|extensions| extensions.others.get(TRANSFORM));
        Self { texture: info.index, uv_set: info.tex_coord, transform }
    }
}

/// Reads a use of a texture; `None` where the material has none. Without an image if it cannot be drawn.
pub(super) fn read(
    document: &Document<'_>,
    texture: Option<Use<'_>>,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Option<TextureRef>, AssetError> {
    let Some(used) = texture else { return Ok(None) };
    let root = &document.root;
    let texture = document.resolve(&root.textures, used.texture, "texture", &place.field("index"))?;
    let list = ROOT.field("textures");
    let at_texture = list.index(used.texture.value());
    // The schema crate writes an absent source as the largest index.
    let image = if texture.source.value() == u32::MAX as usize {
        notices.add(notice::TEXTURE_EMPTY, &at_texture);
        None
    } else {
        document.resolve(&root.images, texture.source, "image", &at_texture.field("source"))?;
        Some(ImageIndex::new(texture.source.value()))
    };
    let sampler = match texture.sampler {
        Some(sampler) => {
            let sampler = document.resolve(&root.samplers, sampler, "sampler", &at_texture.field("sampler"))?;
            read_sampler(sampler, &at_texture, notices)
        }
        None => Sampler::default(),
    };
    let mut out = TextureRef {
        image,
        sampler,
        uv_set: used.uv_set as usize,
        uv_offset: Vec2::ZERO,
        uv_rotation_rad: 0.0,
        uv_scale: Vec2::ONE,
    };
    if let Some(values) = used.transform {
        apply_transform(values, &mut out);
    }
    if out.uv_set > 1 {
        notices.add(notice::UV_SET_UNREAD, place);
        (out.image, out.uv_set) = (None, 0);
    }
    Ok(Some(out))
}

fn apply_transform(values: &Value, out: &mut TextureRef) {
    let pair = |key: &str| -> Option<Vec2> {
        let parts = values.get(key)?.as_array()?;
        let part = |at: usize| parts.get(at)?.as_f64().map(|part| part as f32);
        Some(Vec2::new(part(0)?, part(1)?)).filter(|pair| pair.is_finite())
    };
    out.uv_offset = pair("offset").unwrap_or(Vec2::ZERO);
    out.uv_scale = pair("scale").unwrap_or(Vec2::ONE);
    let rotation = values.get("rotation").and_then(Value::as_f64).unwrap_or(0.0) as f32;
    out.uv_rotation_rad = if rotation.is_finite() { rotation } else { 0.0 };
    if let Some(set) = values.get("texCoord").and_then(Value::as_u64) {
        out.uv_set = usize::try_from(set).unwrap_or(usize::MAX);
    }
}

fn read_sampler(sampler: &json::texture::Sampler, place: &Place<'_>, notices: &mut Notices) -> Sampler {
    let default = Sampler::default();
    let mut wrap = |mode: Checked<WrappingMode>| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) => Wrap::Repeat,
        Checked::Invalid => {
            notices.add(notice::MATERIAL_VALUE, place);
            Wrap::Repeat
        }
    };
    let (wrap_u, wrap_v) = (wrap(sampler.wrap_s), wrap(sampler.wrap_t));
    let linear_magnify = sampler.mag_filter != Some(Checked::Valid(MagFilter::Nearest));
    let (linear_minify, mips) = match sampler.min_filter {
        Some(Checked::Valid(MinFilter::Nearest)) => (false, Mips::None),
        Some(Checked::Valid(MinFilter::Linear)) => (true, Mips::None),
        Some(Checked::Valid(MinFilter::NearestMipmapNearest)) => (false, Mips::Nearest),
        Some(Checked::Valid(MinFilter::LinearMipmapNearest)) => (true, Mips::Nearest),
        Some(Checked::Valid(MinFilter::NearestMipmapLinear)) => (false, Mips::Linear),
        Some(Checked::Valid(MinFilter::LinearMipmapLinear)) => (true, Mips::Linear),
        Some(Checked::Invalid) | None => (default.linear_minify, default.mips),
    };
    Sampler { wrap_u, wrap_v, linear_magnify, linear_minify, mips }
}
