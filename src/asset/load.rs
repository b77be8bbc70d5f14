//! Load a model: container, document, tree, skins, materials, meshes, images, clips.
//!
//! Reads: one file and what it refers to. Writes: a [`Model`]. The same bytes always give the same model.

use std::path::Path;

use crate::base::Digest;

use super::document::Document;
use super::error::{AssetError, Fault};
use super::limits::Limits;
use super::model::Model;
use super::node::Tree;
use super::notice::{self, Notices};
use super::place::ROOT;
use super::{clip, container, extension, image, material, mesh, morph, node, skin, uri, vrm};

/// Loads a `.glb`, `.gltf` or `.vrm` with every buffer, and every image that something drawn uses.
///
/// # Errors
///
/// [`AssetError`] for whatever keeps the subject from being drawn; what is merely off is in
/// [`Model::findings`].
pub fn load(path: &Path, limits: &Limits) -> Result<Model, AssetError> {
    let bytes = uri::read(path, "the model", limits.file_bytes).map_err(|fault| {
        let fault = match fault {
            Fault::ReadFile { source, .. } => Fault::Read(source),
            fault => fault,
        };
        AssetError::new(path, "", fault)
    })?;
    load_bytes(path, &bytes, limits)
}

/// Loads a model from the `bytes` of its main file; URIs start from the folder of `path`.
///
/// # Errors
///
/// As [`load`].
pub fn load_bytes(path: &Path, bytes: &[u8], limits: &Limits) -> Result<Model, AssetError> {
    let mut notices = Notices::default();
    let container = container::split(bytes).map_err(|fault| AssetError::new(path, "", fault))?;
    notices.count(notice::TRAILING_BYTES, &ROOT, container.trailing_bytes);
    let document = Document::open(path, &container, limits, &mut notices)?;
    let mut tree = node::read_tree(&document, &mut notices)?;
    let drawn = drawn_materials(&document, &tree);
    extension::check(&document, &drawn, &mut notices)?;

    let skins = skin::read_skins(&document, &mut notices)?;
    let mut materials = material::read_materials(&document, &mut notices)?;
    let images = image::decode_used(&document, &mut materials, &drawn, &mut notices);
    // After the images: a normal texture that cannot be read needs no tangents.
    let meshes = mesh::read_meshes(&document, &materials, &mut notices)?;
    skin::check_use(&document, &mut tree, &meshes, &skins, &mut notices)?;
    morph::set_rest_weights(&document, &mut tree.nodes, &meshes, &mut notices);
    let clips = clip::read_clips(&document, &mut tree.nodes, &mut notices)?;
    let humanoid = vrm::read_humanoid(&document, &mut notices);

    let main = std::iter::once(bytes);
    let external_images = images.external.iter().map(|digest| digest.0.as_slice());
    let digest = Digest::of_parts(main.chain(document.external_buffers()).chain(external_images));
    let Tree { nodes, roots, order } = tree;
    Ok(Model {
        path: path.to_owned(),
        digest,
        nodes,
        roots,
        order,
        meshes,
        skins,
        materials,
        images: images.decoded,
        clips,
        humanoid,
        findings: notices.into_findings(path),
    })
}

/// For each material, whether a node of the scene draws it. Indices are not checked yet.
fn drawn_materials(document: &Document<'_>, tree: &Tree) -> Vec<bool> {
    let mut drawn = vec![false; document.root.materials.len()];
    for mesh in tree.order.iter().filter_map(|node| tree.nodes[node.at()].mesh) {
        for material in document.root.meshes[mesh.at()].primitives.iter().filter_map(|primitive| primitive.material) {
            if let Some(drawn) = drawn.get_mut(material.value()) {
                *drawn = true;
            }
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::sample::{Sample, U8, bytes_of};
    use super::*;

    fn digest_of(folder: &Path) -> String {
        load(&folder.join("a.gltf"), &Limits::default()).unwrap().digest.to_string()
    }

    #[test]
    fn the_digest_moves_with_the_model_its_buffers_and_its_drawn_images() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        let mut sample = Sample::triangle();
        sample.json["buffers"] = json!([{"uri": "a.bin", "byteLength": 36}]);
        sample.json["images"] = json!([{"uri": "a.png"}]);
        sample.json["textures"] = json!([{"source": 0}]);
        sample.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
        sample.json["meshes"][0]["primitives"][0]["material"] = 0.into();
        write("a.gltf", sample.json.to_string().as_bytes());
        write("a.bin", &sample.binary);
        write("a.png", b"one");
        let first = digest_of(folder.path());
        assert_eq!(digest_of(folder.path()), first);
        write("a.png", b"two");
        let second = digest_of(folder.path());
        write("a.png", b"one");
        write("a.bin", &[sample.binary.as_slice(), &[0]].concat());
        let third = digest_of(folder.path());
        write("a.bin", &sample.binary);
        write("a.gltf", format!("{} ", sample.json).as_bytes());
        let fourth = digest_of(folder.path());
        let mut all = vec![&first, &second, &third, &fourth];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 4);
    }

    #[test]
    fn a_file_that_is_not_there_is_named_with_its_cause() {
        let error = load(Path::new("no_such.glb"), &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "no_such.glb: cannot be read");
        assert!(std::error::Error::source(&error).is_some());
    }

    #[test]
    fn a_file_over_the_limit_is_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        std::fs::write(&path, Sample::triangle().glb()).unwrap();
        let limits = Limits { file_bytes: 100, ..Limits::default() };
        assert_eq!(load(&path, &limits).unwrap_err().code(), "TOO_LARGE");
    }

    /// A document that reaches every part of the loader, a few hundred bytes a part.
    fn rich() -> Sample {
        let mut sample = Sample::skinned_triangle();
        let uvs = sample.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        let indices = sample.data(U8, "SCALAR", &[0, 1, 2, 2, 1, 0]);
        let bind = sample.floats("MAT4", &glam::Mat4::IDENTITY.to_cols_array().repeat(2));
        let (times, turns) =
            (sample.floats("SCALAR", &[0.0, 1.0]), sample.floats("VEC4", &[0.0, 0.0, 0.0, 1.0].repeat(2)));
        let weights = sample.floats("SCALAR", &[0.0, 1.0]);
        let (at, by) = (sample.view(&[1]), sample.view(&bytes_of(&[0.0, 1.0, 0.0])));
        let lift = sample.push(
            "accessors",
            json!({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1,
                "indices": {"bufferView": at, "componentType": U8}, "values": {"bufferView": by}}}),
        );
        let picture = sample.view(&image::tests::png_of(&[[1, 2, 3, 4]; 16], 4));
        sample.attributes()["TEXCOORD_0"] = uvs.into();
        let primitive = &mut sample.json["meshes"][0]["primitives"][0];
        primitive["indices"] = indices.into();
        primitive["targets"] = json!([{"POSITION": lift}]);
        primitive["material"] = 0.into();
        sample.json["skins"][0]["inverseBindMatrices"] = bind.into();
        sample.json["animations"] = json!([{"samplers": [{"input": times, "output": turns},
                {"input": times, "output": weights, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 0, "path": "weights"}}]}]);
        sample.json["materials"] = json!([{"normalTexture": {"index": 0}, "emissiveTexture": {"index": 0}}]);
        sample.json["textures"] = json!([{"source": 0}]);
        sample.json["images"] = json!([{"bufferView": picture}]);
        sample.json["extensions"] = json!({"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}]}}});
        sample.json["scenes"] = json!([{"nodes": [0, 1]}]);
        sample
    }

    #[test]
    fn the_rich_document_reaches_every_part() {
        let model = rich().load();
        let primitive = &model.meshes[0].primitives[0];
        assert!(!primitive.tangents.is_empty() && primitive.influences.is_some() && primitive.morphs.len() == 1);
        assert!(model.images.len() == 1 && model.clips[0].channels.len() == 2 && model.humanoid.is_some());
    }

    /// Small enough that no damaged count makes a test slow.
    const TIGHT: Limits =
        Limits { file_bytes: 1 << 20, decoded_bytes: 1 << 22, image_side_px: 256, image_bytes: 1 << 20 };

    /// A model, or an error that names the file: either way, no panic.
    fn survives(bytes: &[u8]) {
        match load_bytes(Path::new("damaged.glb"), bytes, &TIGHT) {
            Ok(model) => check_lists(&model),
            Err(error) => assert!(error.to_string().starts_with("damaged.glb")),
        }
    }

    /// What others rely on without asking.
    fn check_lists(model: &Model) {
        for primitive in model.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            let count = primitive.positions.len();
            assert_eq!(primitive.normals.len(), count);
            assert!(primitive.positions.iter().chain(&primitive.normals).all(|vector| vector.is_finite()));
            assert!(primitive.tangents.is_empty() || primitive.tangents.len() == count);
            assert!(primitive.tangents.iter().all(|tangent| tangent.is_finite()));
            assert!(primitive.indices.len().is_multiple_of(3));
            assert!(primitive.indices.iter().all(|index| (*index as usize) < count));
            if let Some(influences) = &primitive.influences {
                assert_eq!(influences.offsets.len(), count + 1);
                for vertex in 0..count {
                    let sum: f32 = influences.of(vertex).map(|(_, weight)| weight).sum();
                    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
                }
            }
            for morph in &primitive.morphs {
                assert!([0, count].contains(&morph.positions.len()) && [0, count].contains(&morph.normals.len()));
            }
        }
        for node in &model.order {
            let parent = model.nodes[node.at()].parent;
            assert!(parent.is_none_or(|parent| model.order.contains(&parent)));
        }
    }

    proptest! {
        // A fixed seed: the same damage each run. PROPTEST_CASES and PROPTEST_RNG_SEED look further.
        #![proptest_config(ProptestConfig {
            cases: 2000,
            failure_persistence: None,
            rng_seed: prop::test_runner::RngSeed::Fixed(1),
            ..ProptestConfig::default()
        })]

        #[test]
        fn damaged_bytes_never_panic(damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
            let mut bytes = rich().glb();
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            survives(&bytes);
        }

        #[test]
        fn a_file_cut_anywhere_never_panics(cut in any::<prop::sample::Index>(), fix_lengths in any::<bool>()) {
            let mut bytes = rich().glb();
            bytes.truncate(cut.index(bytes.len()));
            if fix_lengths && bytes.len() > 12 {
                let length = (bytes.len() as u32).to_le_bytes();
                bytes[8..12].copy_from_slice(&length);
            }
            survives(&bytes);
        }

        /// Numbers of the document, not its bytes: most damage above only breaks the JSON.
        #[test]
        fn damaged_numbers_never_panic(
            damage in prop::collection::vec(
                (any::<prop::sample::Index>(), prop::sample::select(vec!["0", "1", "2", "3", "7", "5121", "5126", "-1",
                    "1.5", "1e39", "4294967295", "18446744073709551615", "null", "[]", "{}"])), 1..4)
        ) {
            let mut sample = rich();
            for (at, value) in damage {
                let mut numbers = Vec::new();
                collect(&mut sample.json, &mut numbers);
                let at = at.index(numbers.len());
                *numbers.swap_remove(at) = serde_json::from_str(value).unwrap();
            }
            survives(&sample.glb());
        }
    }

    fn collect<'v>(value: &'v mut serde_json::Value, numbers: &mut Vec<&'v mut serde_json::Value>) {
        match value {
            serde_json::Value::Object(members) => members.values_mut().for_each(|member| collect(member, numbers)),
            serde_json::Value::Array(entries) => entries.iter_mut().for_each(|entry| collect(entry, numbers)),
            serde_json::Value::Number(_) => numbers.push(value),
            _ => {}
        }
    }
}
