//! Read materials: metallic-roughness, its five textures, and the extensions that are honoured.
//!
//! Reads: materials, textures and samplers. Writes: [`Material`]s whose images are still numbered as in the
//! file; `image` renumbers them once it knows which could be decoded.

use gltf::json;
use json::Value;
use json::validation::Checked;

use super::document::Document;
use super::error::AssetError;
use super::model::{AlphaMode, Material};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};
use super::texture::{self, Use};

/// Reads every material of the file.
pub(super) fn read_materials(document: &Document<'_>, notices: &mut Notices) -> Result<Vec<Material>, AssetError> {
    let list = ROOT.field("materials");
    let mut materials = Vec::with_capacity(document.root.materials.len());
    for (at, material) in document.root.materials.iter().enumerate() {
        materials.push(read_material(document, material, &list.index(at), notices)?);
    }
    Ok(materials)
}

fn read_material(
    document: &Document<'_>,
    material: &json::Material,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Material, AssetError> {
    let pbr = &material.pbr_metallic_roughness;
    let at_pbr = place.field("pbrMetallicRoughness");
    let mut read = |texture: Option<Use<'_>>, place: &Place<'_>| texture::read(document, texture, place, notices);
    let mut out = Material {
        name: material.name.clone(),
        base_colour: pbr.base_color_factor.0,
        base_colour_texture: read(pbr.base_color_texture.as_ref().map(Use::plain), &at_pbr.field("baseColorTexture"))?,
        metallic: pbr.metallic_factor.0,
        roughness: pbr.roughness_factor.0,
        metallic_roughness_texture: read(
            pbr.metallic_roughness_texture.as_ref().map(Use::plain),
            &at_pbr.field("metallicRoughnessTexture"),
        )?,
        normal_texture: read(material.normal_texture.as_ref().map(Use::normal), &place.field("normalTexture"))?,
        normal_scale: material.normal_texture.as_ref().map_or(1.0, |texture| texture.scale),
        occlusion_texture: read(
            material.occlusion_texture.as_ref().map(Use::occlusion),
            &place.field("occlusionTexture"),
        )?,
        occlusion_strength: material.occlusion_texture.as_ref().map_or(1.0, |texture| texture.strength.0),
        emissive: material.emissive_factor.0,
        emissive_texture: read(material.emissive_texture.as_ref().map(Use::plain), &place.field("emissiveTexture"))?,
        alpha_mode: AlphaMode::Opaque,
        double_sided: material.double_sided,
        unlit: extension(material, "KHR_materials_unlit").is_some(),
    };
    out.alpha_mode = alpha_mode(material, place, notices);
    apply_emissive_strength(material, &mut out);
    if let Some(values) = extension(material, "KHR_materials_pbrSpecularGlossiness") {
        approximate_specular_glossiness(document, values, &mut out, place, notices)?;
    }
    replace_non_finite(&mut out, place, notices);
    Ok(out)
}

fn extension<'m>(material: &'m json::Material, name: &str) -> Option<&'m Value> {
    material.extensions.as_ref()?.others.get(name)
}

fn alpha_mode(material: &json::Material, place: &Place<'_>, notices: &mut Notices) -> AlphaMode {
    match material.alpha_mode {
        Checked::Valid(json::material::AlphaMode::Opaque) => AlphaMode::Opaque,
        Checked::Valid(json::material::AlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(json::material::AlphaMode::Mask) => {
            AlphaMode::Mask(material.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0))
        }
        Checked::Invalid => {
            notices.add(notice::MATERIAL_VALUE, &place.field("alphaMode"));
            AlphaMode::Opaque
        }
    }
}

fn apply_emissive_strength(material: &json::Material, out: &mut Material) {
    let values = extension(material, "KHR_materials_emissive_strength");
    let strength = values.and_then(|values| values.get("emissiveStrength")).and_then(Value::as_f64).unwrap_or(1.0);
    out.emissive = out.emissive.map(|part| part * strength as f32);
}

/// Keeps the diffuse colour and the roughness of an older workflow; its specular colour has no place here.
///
/// Only where the file does not also describe the material in the core's way.
fn approximate_specular_glossiness(
    document: &Document<'_>,
    values: &Value,
    out: &mut Material,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<(), AssetError> {
    if out.base_colour_texture.is_some() || out.metallic_roughness_texture.is_some() {
        return Ok(());
    }
    if let Some(colour) =
        values.get("diffuseFactor").and_then(|value| json::deserialize::from_value(value.clone()).ok())
    {
        out.base_colour = colour;
    }
    let glossiness = values.get("glossinessFactor").and_then(Value::as_f64).unwrap_or(1.0);
    (out.metallic, out.roughness) = (0.0, 1.0 - glossiness as f32);
    let diffuse = values.get("diffuseTexture").cloned();
    let info: Option<json::texture::Info> = diffuse.and_then(|value| json::deserialize::from_value(value).ok());
    let extensions = place.field("extensions");
    let at_extension = extensions.field("KHR_materials_pbrSpecularGlossiness");
    out.base_colour_texture =
        texture::read(document, info.as_ref().map(Use::plain), &at_extension.field("diffuseTexture"), notices)?;
    notices.add(notice::SPECULAR_GLOSSINESS, place);
    Ok(())
}

fn replace_non_finite(material: &mut Material, place: &Place<'_>, notices: &mut Notices) {
    let default = Material::default();
    let mut bad = 0;
    let mut mend = |value: &mut f32, default: f32| {
        if !value.is_finite() {
            *value = default;
            bad += 1;
        }
    };
    std::iter::zip(&mut material.base_colour, default.base_colour).for_each(|(value, default)| mend(value, default));
    std::iter::zip(&mut material.emissive, default.emissive).for_each(|(value, default)| mend(value, default));
    mend(&mut material.metallic, default.metallic);
    mend(&mut material.roughness, default.roughness);
    mend(&mut material.normal_scale, default.normal_scale);
    mend(&mut material.occlusion_strength, default.occlusion_strength);
    if let AlphaMode::Mask(cutoff) = &mut material.alpha_mode {
        mend(cutoff, 0.5);
    }
    notices.count(notice::MATERIAL_VALUE, place, bad);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::sample::Sample;
    use super::*;

    fn material(values: &Value) -> Material {
        let mut sample = Sample::empty();
        sample.json["materials"] = json!([values]);
        sample.load().materials[0].clone()
    }

    #[test]
    fn an_empty_material_is_the_default_one() {
        let (read, default) = (material(&json!({})), Material::default());
        assert_eq!(format!("{read:?}"), format!("{default:?}"));
    }

    #[test]
    fn factors_modes_and_extensions_are_read() {
        let read = material(&json!({
            "name": "glass", "doubleSided": true, "alphaMode": "MASK", "alphaCutoff": 0.25,
            "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.75},
            "emissiveFactor": [1, 0.5, 0],
            "extensions": {"KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 4}}
        }));
        assert_eq!(read.name.as_deref(), Some("glass"));
        assert_eq!((read.base_colour, read.metallic, read.roughness), ([0.1, 0.2, 0.3, 0.4], 0.5, 0.75));
        assert_eq!((read.emissive, read.alpha_mode), ([4.0, 2.0, 0.0], AlphaMode::Mask(0.25)));
        assert!(read.double_sided && read.unlit);
        assert_eq!(material(&json!({"alphaMode": "MASK"})).alpha_mode, AlphaMode::Mask(0.5));
        assert_eq!(material(&json!({"alphaMode": "BLEND"})).alpha_mode, AlphaMode::Blend);
    }

    #[test]
    fn specular_glossiness_keeps_its_diffuse_colour_and_roughness() {
        let values = json!({"diffuseFactor": [0.5, 0.25, 0.125, 1], "glossinessFactor": 0.25});
        let read = material(&json!({"extensions": {"KHR_materials_pbrSpecularGlossiness": values}}));
        assert_eq!((read.base_colour, read.metallic, read.roughness), ([0.5, 0.25, 0.125, 1.0], 0.0, 0.75));
    }

    #[test]
    fn values_of_no_meaning_take_the_default_and_are_said() {
        let mut sample = Sample::empty();
        sample.json["materials"] = json!([{"alphaMode": "GLOW", "pbrMetallicRoughness": {"roughnessFactor": 1e39}, "emissiveFactor": [1e39, 0, 0]}]);
        let read = &sample.load().materials[0];
        assert_eq!((read.alpha_mode, read.roughness, read.emissive), (AlphaMode::Opaque, 1.0, [0.0; 3]));
        assert!(sample.finding("MATERIAL_VALUE").unwrap().message.starts_with("3 "));
    }
}
