//! Decide what each extension of a file means for its picture: honoured, harmless, missed, or fatal.
//!
//! Reads: the names a document uses and requires, and where they occur. A file that requires what cannot be
//! drawn is an error with a way out; one that merely uses it is drawn, and says what is missing.

use gltf::json;
use json::Value;

use super::document::Document;
use super::error::{AssetError, Fault};
use super::hint;
use super::level;
use super::neutral;
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// What becomes of an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Treatment {
    /// Read in full.
    Honoured,
    /// Compressed data that only a decoder can open.
    Decoder(&'static str),
    /// Not read; the picture is the same.
    Harmless,
    /// Not read; the picture differs.
    Missed,
    /// A material property that is not read: harmless while its values are at their defaults.
    Material,
    /// Never heard of.
    Unknown,
}

const DRACO: &str = "KHR_draco_mesh_compression";
const BASISU: &str = "KHR_texture_basisu";
const WEBP: &str = "EXT_texture_webp";
const AVIF: &str = "EXT_texture_avif";
const DDS: &str = "MSFT_texture_dds";
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
const DECODERS: [&str; 7] = [DRACO, MESHOPT[0], MESHOPT[1], BASISU, WEBP, AVIF, DDS];

/// What describes a file, offers another of its looks, adds lights (the study brings its own), or serves
/// physics, sound and picking.
const HARMLESS: [&str; 21] = [
    "AGI_articulations",
    "AGI_stk_metadata",
    "CESIUM_primitive_outline",
    "EXT_instance_features",
    "EXT_lights_ies",
    "EXT_lights_image_based",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_structural_metadata",
    "FB_ngon_encoding",
    "GODOT_single_root",
    "KHR_audio_emitter",
    "KHR_interactivity",
    "KHR_lights_punctual",
    "KHR_materials_variants",
    "KHR_physics_rigid_bodies",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "MSFT_screencoverage",
    "VRM",
    "VRMC_vrm",
];

/// What changes shading or movement and is known; a file that requires it is drawn all the same.
const MISSED: [&str; 8] = [
    "ADOBE_materials_thin_transparency",
    "KHR_animation_pointer",
    "KHR_materials_pbrSpecularGlossiness",
    "VRMC_materials_hdr_emissiveMultiplier",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
];

fn treatment(name: &str) -> Treatment {
    match name {
        "KHR_texture_transform"
        | "KHR_materials_unlit"
        | "KHR_materials_emissive_strength"
        | "KHR_mesh_quantization"
        | hint::VISIBILITY
        | level::EXTENSION => Treatment::Honoured,
        DRACO => Treatment::Decoder("compresses meshes"),
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => Treatment::Decoder("compresses buffers"),
        BASISU => Treatment::Decoder("stores images as KTX2"),
        WEBP => Treatment::Decoder("stores images as WebP"),
        AVIF => Treatment::Decoder("stores images as AVIF"),
        DDS => Treatment::Decoder("stores images as DDS"),
        _ if neutral::is_known(name) => Treatment::Material,
        _ if HARMLESS.contains(&name) || name.starts_with("OMI_") => Treatment::Harmless,
        _ if MISSED.contains(&name) => Treatment::Missed,
        _ => Treatment::Unknown,
    }
}

/// An error that names an extension which only a decoder can open.
pub(super) fn undecodable(name: &str) -> Fault {
    let what = match treatment(name) {
        Treatment::Decoder(what) => what,
        _ => "is not known here",
    };
    Fault::Extension { name: name.to_owned(), what, way_out: way_out(name) }
}

fn way_out(name: &str) -> &'static str {
    match name {
        DRACO => "take the compression off: `gltf-transform copy in.glb out.glb`, or export without Draco",
        "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
            "take the compression off: `gltf-transform copy in.glb out.glb`, or run gltfpack without -c"
        }
        BASISU => "store the images as PNG: `gltf-transform ktxdecompress in.glb out.glb`",
        WEBP | AVIF | DDS => "store the images as PNG: `gltf-transform png in.glb out.glb`",
        _ => "export without the extension",
    }
}

/// The meshopt extension of a view, if it has one.
pub(super) fn compression(view: &json::buffer::View) -> Option<&'static str> {
    let others = &view.extensions.as_ref()?.others;
    MESHOPT.into_iter().find(|name| others.contains_key(*name))
}

/// Whether a primitive is stored with Draco.
fn draco(primitive: &json::mesh::Primitive) -> bool {
    primitive.extensions.as_ref().is_some_and(|extensions| extensions.others.contains_key(DRACO))
}

/// Refuses what cannot be drawn and says what will be missing.
///
/// `drawn` says whether anything draws the material at an index.
pub(super) fn check(document: &Document<'_>, drawn: &[bool], notices: &mut Notices) -> Result<(), AssetError> {
    let list = ROOT.field("extensionsRequired");
    for (at, name) in document.root.extensions_required.iter().enumerate() {
        let fatal = match treatment(name) {
            Treatment::Decoder(_) => occurs(document, name),
            Treatment::Unknown => true,
            _ => false,
        };
        if fatal {
            return Err(document.fail(&list.index(at), undecodable(name)));
        }
    }
    let list = ROOT.field("extensionsUsed");
    for (at, name) in document.root.extensions_used.iter().enumerate() {
        let place = list.index(at);
        match treatment(name) {
            Treatment::Honoured | Treatment::Decoder(_) => {}
            Treatment::Harmless => notices.each(notice::EXTENSION_IGNORED, &place, name.clone()),
            Treatment::Material if !changes_a_material(document, name, drawn) => {
                notices.each(notice::EXTENSION_IGNORED, &place, name.clone());
            }
            Treatment::Missed | Treatment::Material | Treatment::Unknown => {
                notices.each(notice::EXTENSION_NOT_HONOURED, &place, name.clone());
            }
        }
    }
    // Wherever they occur, listed or not: their plain data might be absent.
    DECODERS.into_iter().try_for_each(|name| fallback(document, name, notices))
}

fn textures_with<'d>(document: &'d Document<'_>, name: &'d str) -> impl Iterator<Item = (usize, &'d json::Texture)> {
    document.root.textures.iter().enumerate().filter(move |(_, texture)| {
        texture.extensions.as_ref().is_some_and(|extensions| extensions.others.contains_key(name))
    })
}

/// Whether anything in the file is stored with the extension; some writers require what they do not use.
fn occurs(document: &Document<'_>, name: &str) -> bool {
    match name {
        DRACO => document.root.meshes.iter().flat_map(|mesh| &mesh.primitives).any(draco),
        _ if MESHOPT.contains(&name) => {
            document.root.buffer_views.iter().any(|view| compression(view).is_some_and(|found| found == name))
        }
        _ => textures_with(document, name).next().is_some(),
    }
}

/// Takes the plain data beside optional compressed ones, or refuses where there are none.
///
/// Buffer views are checked where they are read, since a compressed view that nobody reads harms nobody.
fn fallback(document: &Document<'_>, name: &str, notices: &mut Notices) -> Result<(), AssetError> {
    let fail = |place: &Place<'_>| Err(document.fail(place, undecodable(name)));
    if name == DRACO {
        let meshes = ROOT.field("meshes");
        for (at, mesh) in document.root.meshes.iter().enumerate() {
            let mesh_place = meshes.index(at);
            let primitives = mesh_place.field("primitives");
            for (at, primitive) in mesh.primitives.iter().enumerate().filter(|(_, primitive)| draco(primitive)) {
                let place = primitives.index(at);
                if !has_plain_data(document, primitive) {
                    return fail(&place);
                }
                notices.detail(notice::EXTENSION_FALLBACK, &place, name);
            }
        }
    } else if MESHOPT.contains(&name) {
        if occurs(document, name) {
            notices.detail(notice::EXTENSION_FALLBACK, &ROOT.field("bufferViews"), name);
        }
    } else {
        let textures = ROOT.field("textures");
        for (at, texture) in textures_with(document, name) {
            let place = textures.index(at);
            if texture.source.value() == u32::MAX as usize {
                return fail(&place);
            }
            notices.detail(notice::EXTENSION_FALLBACK, &place, name);
        }
    }
    Ok(())
}

/// Whether every accessor of a primitive has data of its own.
fn has_plain_data(document: &Document<'_>, primitive: &json::mesh::Primitive) -> bool {
    primitive.attributes.values().chain(&primitive.indices).all(|index| {
        let accessor = document.root.accessors.get(index.value());
        accessor.is_some_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
    })
}

fn changes_a_material(document: &Document<'_>, name: &str, drawn: &[bool]) -> bool {
    std::iter::zip(&document.root.materials, drawn).filter(|(_, drawn)| **drawn).any(|(material, _)| {
        let extension = material.extensions.as_ref().and_then(|extensions| extensions.others.get(name));
        extension.is_some_and(|values: &Value| !neutral::changes_nothing(name, values))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample::Sample;

    #[test]
    fn a_required_extension_that_is_not_known_is_refused_by_name() {
        let mut sample = Sample::triangle();
        sample.json["extensionsRequired"] = json!(["KHR_mesh_quantization", "EXT_unheard_of"]);
        let error = sample.try_load().unwrap_err();
        assert_eq!((error.code(), error.place.as_str()), ("EXTENSION_UNSUPPORTED", "/extensionsRequired/1"));
        assert!(error.to_string().contains("EXT_unheard_of") && error.hint().is_some());
    }

    #[test]
    fn each_extension_used_is_honoured_noted_or_missed_once() {
        let mut sample = Sample::triangle();
        sample.json["extensionsUsed"] =
            json!(["KHR_texture_transform", "KHR_xmp", "VRMC_springBone", "EXT_unheard_of"]);
        let findings = sample.load().findings;
        let of = |code: &str| -> Vec<String> {
            let of_code = findings.iter().filter(|finding| finding.code == code);
            of_code.map(|finding| finding.message.rsplit(' ').next().unwrap().to_owned()).collect()
        };
        assert_eq!(of("EXTENSION_IGNORED"), ["KHR_xmp"]);
        assert_eq!(of("EXTENSION_NOT_HONOURED"), ["VRMC_springBone", "EXT_unheard_of"]);
    }

    #[test]
    fn a_material_extension_counts_where_it_is_drawn_and_says_something() {
        let mut sample = Sample::triangle();
        sample.json["extensionsUsed"] = json!(["KHR_materials_ior"]);
        let ior = |value: f64| json!({"extensions": {"KHR_materials_ior": {"ior": value}}});
        sample.json["materials"] = json!([ior(1.5), ior(1.3)]);
        sample.json["meshes"][0]["primitives"][0]["material"] = 0.into();
        assert!(sample.finding("EXTENSION_IGNORED").is_some());
        sample.json["meshes"][0]["primitives"][0]["material"] = 1.into();
        assert!(sample.finding("EXTENSION_NOT_HONOURED").is_some());
    }

    #[test]
    fn draco_is_refused_unless_the_plain_data_are_there_too() {
        let mut sample = Sample::triangle();
        sample.json["meshes"][0]["primitives"][0]["extensions"] =
            json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
        assert!(sample.finding("EXTENSION_FALLBACK").is_some());
        let mut required = sample.clone();
        required.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        let error = required.try_load().unwrap_err();
        assert!(error.to_string().contains("KHR_draco_mesh_compression"));
        assert!(error.hint().unwrap().contains("gltf-transform"));
        sample.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        assert_eq!(sample.error(), ("EXTENSION_UNSUPPORTED", "/meshes/0/primitives/0".to_owned()));
    }

    #[test]
    fn an_extension_required_but_nowhere_used_is_no_obstacle() {
        let mut sample = Sample::triangle();
        sample.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression", "KHR_texture_basisu"]);
        assert!(sample.try_load().is_ok());
    }

    #[test]
    fn a_meshopt_view_is_read_from_its_fallback_and_refused_without() {
        let mut sample = Sample::triangle();
        sample.json["bufferViews"][0]["extensions"] = json!({"EXT_meshopt_compression": {"buffer": 0}});
        assert!(sample.finding("EXTENSION_FALLBACK").is_some());
        sample.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
        assert_eq!(sample.error(), ("EXTENSION_UNSUPPORTED", "/extensionsRequired/0".to_owned()));
    }

    #[test]
    fn a_texture_stored_only_as_webp_is_refused() {
        let mut sample = Sample::triangle();
        sample.json["textures"] = json!([{"extensions": {"EXT_texture_webp": {"source": 0}}}]);
        sample.json["images"] = json!([{"uri": "a.webp"}]);
        assert_eq!(sample.error(), ("EXTENSION_UNSUPPORTED", "/textures/0".to_owned()));
        sample.json["textures"][0]["source"] = 0.into();
        assert!(sample.finding("EXTENSION_FALLBACK").is_some());
    }
}
