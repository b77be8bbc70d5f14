//! Read how a material uses an image: which, sampled how, with which coordinates moved where.
//!
//! Reads: texture infos, textures, samplers, `KHR_texture_transform`. Writes: [`TextureRef`]s whose image is
//! numbered as in the file.

use glam::Vec2;
use gltf::json;
use json::texture::{MagFilter, MinFilter, WrappingMode};
use json::validation::Checked;
use json::{Index, Value};
use serde_json::Map;

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

impl<'m> Use<'m> {
    pub(super) fn plain(info: &'m json::texture::Info) -> Self {
        let others = info.extensions.as_ref().map(|extensions| &extensions.others);
        Self::new(info.index, info.tex_coord, others)
    }

    pub(super) fn normal(info: &'m json::material::NormalTexture) -> Self {
        let others = info.extensions.as_ref().map(|extensions| &extensions.others);
        Self::new(info.index, info.tex_coord, others)
    }

    pub(super) fn occlusion(info: &'m json::material::OcclusionTexture) -> Self {
        let others = info.extensions.as_ref().map(|extensions| &extensions.others);
        Self::new(info.index, info.tex_coord, others)
    }

    fn new(texture: Index<json::Texture>, uv_set: u32, extensions: Option<&'m Map<String, Value>>) -> Self {
        let transform = extensions.and_then(|extensions| extensions.get("KHR_texture_transform"));
        Self { texture, uv_set, transform }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::model::Material;
    use super::super::sample::Sample;
    use super::*;

    /// A drawn triangle with coordinates whose base colour is texture 0 with `info`.
    fn textured(info: &Value, sampler: &Value) -> Sample {
        let mut sample = Sample::triangle();
        let uvs = sample.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        sample.attributes()["TEXCOORD_0"] = uvs.into();
        sample.json["meshes"][0]["primitives"][0]["material"] = 0.into();
        sample.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": info}}]);
        sample.json["textures"] = json!([{"source": 0, "sampler": 0}]);
        sample.json["samplers"] = json!([sampler]);
        let view = sample.view(&super::super::image::tests::png_of(&[[1, 2, 3, 4]], 1));
        sample.json["images"] = json!([{"bufferView": view}]);
        sample
    }

    fn base_colour(sample: &Sample) -> TextureRef {
        let Material { base_colour_texture, .. } = &sample.load().materials[0];
        base_colour_texture.unwrap()
    }

    #[test]
    fn a_texture_without_settings_tiles_and_mixes() {
        let read = base_colour(&textured(&json!({"index": 0}), &json!({})));
        assert_eq!(read.sampler, Sampler::default());
        assert_eq!((read.image, read.uv_set, read.uv_scale), (Some(ImageIndex(0)), 0, Vec2::ONE));
        assert_eq!((read.uv_offset, read.uv_rotation_rad), (Vec2::ZERO, 0.0));
    }

    #[test]
    fn a_transform_moves_turns_scales_and_picks_the_set() {
        let transform = json!({"offset": [0.25, 0.5], "rotation": 1.5, "scale": [2, 4], "texCoord": 1});
        let info = json!({"index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": transform}});
        let read = base_colour(&textured(&info, &json!({})));
        assert_eq!((read.uv_offset, read.uv_rotation_rad), (Vec2::new(0.25, 0.5), 1.5));
        assert_eq!((read.uv_scale, read.uv_set), (Vec2::new(2.0, 4.0), 1));
    }

    /// Numbers of OpenGL, as the specification lists them.
    #[test]
    fn samplers_say_how_texels_are_found() {
        let sampler = json!({"magFilter": 9728, "minFilter": 9985, "wrapS": 33071, "wrapT": 33648});
        let read = base_colour(&textured(&json!({"index": 0}), &sampler)).sampler;
        assert_eq!((read.wrap_u, read.wrap_v), (Wrap::Clamp, Wrap::Mirror));
        assert_eq!((read.linear_magnify, read.linear_minify, read.mips), (false, true, Mips::Nearest));
        for (number, expected) in [
            (9728, (false, Mips::None)),
            (9729, (true, Mips::None)),
            (9984, (false, Mips::Nearest)),
            (9986, (false, Mips::Linear)),
            (9987, (true, Mips::Linear)),
        ] {
            let read = base_colour(&textured(&json!({"index": 0}), &json!({"minFilter": number}))).sampler;
            assert_eq!((read.linear_minify, read.mips), expected, "{number}");
        }
    }

    #[test]
    fn what_a_texture_names_has_to_be_there() {
        let sample = textured(&json!({"index": 1}), &json!({}));
        let place = "/materials/0/pbrMetallicRoughness/baseColorTexture/index".to_owned();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", place));
        for (field, value) in [("source", 1), ("sampler", 1)] {
            let mut sample = textured(&json!({"index": 0}), &json!({}));
            sample.json["textures"][0][field] = value.into();
            assert_eq!(sample.error(), ("INDEX_UNRESOLVED", format!("/textures/0/{field}")));
        }
    }

    #[test]
    fn a_third_set_of_coordinates_leaves_the_texture_out() {
        let sample = textured(&json!({"index": 0, "texCoord": 2}), &json!({}));
        assert_eq!(base_colour(&sample).image, None);
        assert!(sample.finding("UV_SET_UNREAD").is_some());
    }

    #[test]
    fn a_primitive_without_the_coordinates_is_said() {
        assert!(textured(&json!({"index": 0}), &json!({})).finding("UVS_MISSING").is_none());
        assert!(textured(&json!({"index": 0, "texCoord": 1}), &json!({})).finding("UVS_MISSING").is_some());
    }
}
