//! Write materials, their textures, samplers and images.
//!
//! Reads: a model's materials and decoded images. Writes: the JSON lists, and images as PNG in the
//! binary chunk. Pure.

use std::io::Cursor;

use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use serde_json::{Map, Value, json};

use super::{Writer, named, number, numbers};
use crate::asset::{AlphaMode, Image, Material, Mips, Model, Sampler, TextureRef, Wrap};

pub(super) fn write(writer: &mut Writer, model: &Model) {
    let mut textures = Textures::default();
    let materials = model.materials.iter().map(|material| material_json(writer, &mut textures, material)).collect();
    writer.list("materials", materials);
    let samplers = textures.samplers.iter().map(|sampler| sampler_json(*sampler)).collect();
    writer.list("samplers", samplers);
    writer.list("textures", textures.json);
    let images = model.images.iter().map(|image| image_json(writer, image)).collect();
    writer.list("images", images);
}

/// Textures and samplers met so far, each written once.
#[derive(Default)]
struct Textures {
    samplers: Vec<Sampler>,
    seen: Vec<(u32, usize)>,
    json: Vec<Value>,
}

impl Textures {
    fn number_of(&mut self, image: u32, sampler: Sampler) -> usize {
        let sampler_at = self.samplers.iter().position(|seen| *seen == sampler).unwrap_or_else(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        });
        self.seen.iter().position(|seen| *seen == (image, sampler_at)).unwrap_or_else(|| {
            self.seen.push((image, sampler_at));
            self.json.push(json!({ "source": image, "sampler": sampler_at }));
            self.json.len() - 1
        })
    }
}

fn material_json(writer: &mut Writer, textures: &mut Textures, material: &Material) -> Value {
    let mut surface = Map::new();
    surface.insert("baseColorFactor".into(), numbers(&material.base_colour));
    surface.insert("metallicFactor".into(), number(material.metallic));
    surface.insert("roughnessFactor".into(), number(material.roughness));
    let mut put = |writer: &mut Writer, into: &mut Map<String, Value>, name: &str, texture: Option<TextureRef>| {
        let json = texture.and_then(|texture| texture_json(writer, textures, &texture));
        let found = json.is_some();
        if let Some(json) = json {
            into.insert(name.into(), json);
        }
        found
    };
    put(writer, &mut surface, "baseColorTexture", material.base_colour_texture);
    put(writer, &mut surface, "metallicRoughnessTexture", material.metallic_roughness_texture);
    let mut out = Map::new();
    out.insert("pbrMetallicRoughness".into(), Value::Object(surface));
    if put(writer, &mut out, "normalTexture", material.normal_texture) {
        out["normalTexture"]["scale"] = number(material.normal_scale);
    }
    if put(writer, &mut out, "occlusionTexture", material.occlusion_texture) {
        out["occlusionTexture"]["strength"] = number(material.occlusion_strength);
    }
    put(writer, &mut out, "emissiveTexture", material.emissive_texture);
    let mut out = Value::Object(out);
    shine(writer, &mut out, material);
    match material.alpha_mode {
        AlphaMode::Opaque => {}
        AlphaMode::Mask(cutoff) => {
            out["alphaMode"] = json!("MASK");
            out["alphaCutoff"] = number(cutoff);
        }
        AlphaMode::Blend => out["alphaMode"] = json!("BLEND"),
    }
    if material.double_sided {
        out["doubleSided"] = json!(true);
    }
    named(out, material.name.as_deref())
}

/// Emission and unlit. Emission above one goes into `KHR_materials_emissive_strength`.
fn shine(writer: &mut Writer, out: &mut Value, material: &Material) {
    let brightest = material.emissive.iter().copied().fold(0.0f32, f32::max);
    if brightest > 0.0 {
        let strength = brightest.max(1.0);
        out["emissiveFactor"] = numbers(&material.emissive.map(|channel| channel / strength));
        if strength > 1.0 {
            writer.uses("KHR_materials_emissive_strength");
            out["extensions"]["KHR_materials_emissive_strength"] = json!({ "emissiveStrength": number(strength) });
        }
    }
    if material.unlit {
        writer.uses("KHR_materials_unlit");
        out["extensions"]["KHR_materials_unlit"] = json!({});
    }
}

/// `None` where the image could not be read: there is nothing to point to.
fn texture_json(writer: &mut Writer, textures: &mut Textures, texture: &TextureRef) -> Option<Value> {
    let image = texture.image?;
    let mut out = json!({ "index": textures.number_of(image.0, texture.sampler) });
    if texture.uv_set != 0 {
        out["texCoord"] = json!(texture.uv_set);
    }
    let moved = texture.uv_offset != glam::Vec2::ZERO;
    if moved || texture.uv_scale != glam::Vec2::ONE || texture.uv_rotation_rad != 0.0 {
        writer.uses("KHR_texture_transform");
        out["extensions"]["KHR_texture_transform"] = json!({
            "offset": numbers(&texture.uv_offset.to_array()),
            "rotation": number(texture.uv_rotation_rad),
            "scale": numbers(&texture.uv_scale.to_array()),
        });
    }
    Some(out)
}

fn sampler_json(sampler: Sampler) -> Value {
    let wrap = |wrap| match wrap {
        Wrap::Clamp => 33071,
        Wrap::Mirror => 33648,
        Wrap::Repeat => 10497,
    };
    let minify = match (sampler.linear_minify, sampler.mips) {
        (false, Mips::None) => 9728,
        (true, Mips::None) => 9729,
        (false, Mips::Nearest) => 9984,
        (true, Mips::Nearest) => 9985,
        (false, Mips::Linear) => 9986,
        (true, Mips::Linear) => 9987,
    };
    json!({
        "wrapS": wrap(sampler.wrap_u),
        "wrapT": wrap(sampler.wrap_v),
        "magFilter": if sampler.linear_magnify { 9729 } else { 9728 },
        "minFilter": minify,
    })
}

fn image_json(writer: &mut Writer, image: &Image) -> Value {
    let mut png = Cursor::new(Vec::new());
    PngEncoder::new(&mut png)
        .write_image(&image.rgba, image.width, image.height, ExtendedColorType::Rgba8)
        .expect("a decoded image holds width * height * 4 bytes, and memory takes every write");
    let view = writer.buffer.view(&png.into_inner(), None);
    named(json!({ "bufferView": view, "mimeType": "image/png" }), Some(image.name.as_str()))
}
