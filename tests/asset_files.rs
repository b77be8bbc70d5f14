//! Load every real file of the shared set: counts as an independent tool found them, faults by their code.

#![expect(clippy::unwrap_used, reason = "a test fails where its own files cannot be read")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3, Vec4};
use posegrid::asset::{AssetError, Limits, Model, Primitive, load, load_bytes};
use posegrid::base::Severity;
use serde_json::{Value, json};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/assets")
}

fn try_load(file: &str) -> Result<Model, AssetError> {
    load(&assets().join(file), &Limits::default())
}

fn open(file: &str) -> Model {
    try_load(file).unwrap_or_else(|error| panic!("{}", error.finding()))
}

/// Rows of the manifest by file; its counts were made by another program.
fn manifest() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(assets().join("manifest.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    rows.into_iter().map(|row| (row["file"].clone(), row)).collect()
}

/// What each broken file's fault is, found by reading the file: code of the error, and where it is.
const BROKEN: [(&str, &str, &str); 15] = [
    ("bad_buffer_view/invalid-buffer-view-index.gltf", "INDEX_UNRESOLVED", "/bufferViews/0/buffer"),
    ("bad_json/invalid_syntax.gltf", "JSON_INVALID", ":1:2"),
    ("gltf1/BoxTextured.glb", "GLTF_VERSION", ""),
    // Two matrices for skins of one, two and three joints: only the last lacks one.
    ("ibm_count/ibm_invalid_count.gltf", "COUNT_MISMATCH", "/skins/2/inverseBindMatrices"),
    ("index_out_of_range/IndexOutOfRange.gltf", "VERTEX_INDEX_OUT_OF_RANGE", "/meshes/0/primitives/0/indices"),
    ("infinities/BoxWithInfinites.glb", "NOT_FINITE", "/meshes/0/primitives/0/attributes/POSITION"),
    ("lfs_external_bin/RainbowCuboid.gltf", "LFS_POINTER", "/buffers/0/uri"),
    ("lfs_pointer/giraffe.glb", "LFS_POINTER", ""),
    ("missing_bin/BoxTextured.gltf", "FILE_MISSING", "/buffers/0/uri"),
    ("node_loop/node_loop_scene.gltf", "NODE_CYCLE", "/nodes/5/children/0"),
    ("recursive_nodes/RecursiveNodes.gltf", "NODE_CYCLE", "/nodes/0"),
    // Ten of its twelve skins are fine JSON; the first that is not lacks its joints, on line 55.
    ("skin_invalid/skin-invalid.gltf", "JSON_INVALID", ":55:5"),
    ("truncated_glb/truncated_chunk_data.glb", "FILE_TRUNCATED", ""),
    ("unresolved_joint/unresolved_joint.gltf", "INDEX_UNRESOLVED", "/skins/0/joints/0"),
    ("wrong_length/WrongReportedLength.glb", "FILE_TRUNCATED", ""),
];

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_broken_file_is_refused_by_name_place_and_code() {
    for (file, code, place) in BROKEN {
        let error = try_load(&format!("broken/{file}")).expect_err(file);
        assert_eq!((error.code(), error.place.as_str()), (code, place), "{file}");
        let finding = error.finding();
        assert!(finding.place.contains(file) && !finding.message.is_empty(), "{finding}");
        assert!(finding.hint.is_some(), "{file} has no hint");
    }
    let in_table: Vec<String> = BROKEN.iter().map(|(file, ..)| format!("broken/{file}")).collect();
    let in_manifest: Vec<String> = manifest().into_keys().filter(|file| file.starts_with("broken/")).collect();
    assert_eq!(in_table, in_manifest, "the table and the set differ");
}

/// The file and the extension that only a decoder can open.
const COMPRESSED: [(&str, &str); 8] = [
    ("humanoids/kaykit_mage_opt/Mage.glb", "EXT_meshopt_compression"),
    ("humanoids/kenney_zombie_draco/model.gltf", "KHR_draco_mesh_compression"),
    ("humanoids/quaternius_orc_meshopt/Orc.glb", "EXT_meshopt_compression"),
    ("props/paper_bag_draco/model.gltf", "KHR_draco_mesh_compression"),
    ("tricky/draco_rigged/RiggedFigure.gltf", "KHR_draco_mesh_compression"),
    ("tricky/khr_meshopt/meshopt-no-fallback.gltf", "KHR_meshopt_compression"),
    ("tricky/ktx2_balloon/CesiumBalloonKTX2.glb", "KHR_texture_basisu"),
    ("tricky/ktx2_embedded/TextureVariants-Embedded-KTX.gltf", "KHR_texture_basisu"),
];

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn what_needs_a_decoder_is_refused_with_extension_and_way_out() {
    for (file, extension) in COMPRESSED {
        let error = try_load(file).expect_err(file);
        assert_eq!(error.code(), "EXTENSION_UNSUPPORTED", "{file}");
        let text = error.to_string();
        assert!(text.contains(file) && text.contains(extension), "{text}");
        assert!(error.hint().is_some_and(|hint| hint.contains("gltf-transform")), "{file}");
    }
}

/// Counts in the order of the manifest's columns: joints of the largest skin, skins, meshes, triangles, morph
/// targets, animations.
fn counts(model: &Model) -> [usize; 6] {
    let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
    [
        model.skins.iter().map(|skin| skin.joints.len()).max().unwrap_or(0),
        model.skins.len(),
        model.meshes.len(),
        primitives().map(|primitive| primitive.indices.len() / 3).sum(),
        primitives().map(|primitive| primitive.morphs.len()).max().unwrap_or(0),
        model.clips.len(),
    ]
}

const COUNTED: [&str; 6] = ["joints", "skins", "meshes", "triangles", "morph_targets", "animations"];

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_other_file_loads_with_the_counts_of_the_manifest() {
    let mut loaded = 0;
    for (file, row) in manifest() {
        if file.starts_with("broken/") || COMPRESSED.iter().any(|(compressed, _)| *compressed == file) {
            continue;
        }
        let model = open(&file);
        let expected = COUNTED.map(|column| row[column].parse::<usize>().unwrap());
        assert_eq!(counts(&model), expected, "{file}: {COUNTED:?}");
        assert!(model.findings.iter().all(|finding| finding.severity != Severity::Error), "{file}");
        loaded += 1;
    }
    assert_eq!(loaded, 53, "files of the set that need no decoder");
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn clip_names_are_those_of_the_manifest() {
    for (file, row) in manifest() {
        let names = &row["anim_names"];
        if names.is_empty() || file.starts_with("broken/") || COMPRESSED.iter().any(|(other, _)| *other == file) {
            continue;
        }
        let model = open(&file);
        let named = |name: &&str| if name.is_empty() { "(unnamed)" } else { *name }.to_owned();
        let joined = model.clip_names().iter().map(named).collect::<Vec<_>>().join(" | ");
        // The manifest cuts long lists short.
        assert!(joined.starts_with(names.trim_end()), "{file}\n{joined}\n{names}");
    }
}

/// The node's place in the model at rest.
fn model_from_nodes(model: &Model) -> BTreeMap<u32, Mat4> {
    let mut placed = BTreeMap::new();
    for node in &model.order {
        let above = model.nodes[node.at()].parent.map_or(Mat4::IDENTITY, |parent| placed[&parent.0]);
        placed.insert(node.0, above * model.nodes[node.at()].rest.matrix());
    }
    placed
}

/// Width, height and depth of what is drawn at rest, without skins.
fn extent(model: &Model) -> Vec3 {
    let placed = model_from_nodes(model);
    let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for node in &model.order {
        let Some(mesh) = model.nodes[node.at()].mesh else { continue };
        for position in model.meshes[mesh.at()].primitives.iter().flat_map(|primitive| &primitive.positions) {
            let at = placed[&node.0].transform_point3(*position);
            (min, max) = (min.min(at), max.max(at));
        }
    }
    max - min
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn unskinned_files_are_as_large_as_the_manifest_says() {
    let mut measured = 0;
    for (file, row) in manifest() {
        if row["skins"] != "0" || row["height"].is_empty() || file.starts_with("broken/") {
            continue;
        }
        let Ok(model) = try_load(&file) else { continue };
        let expected = ["width", "height", "depth"].map(|column| row[column].parse::<f32>().unwrap());
        let size = extent(&model);
        // The manifest rounds to four places.
        assert!(size.abs_diff_eq(Vec3::from_array(expected), 2e-4), "{file}: {size} for {expected:?}");
        measured += 1;
    }
    assert!(measured >= 18, "{measured} files");
}

/// Warnings of each file; every other file of the set loads without one.
const WARNINGS: [(&str, &[&str]); 7] = [
    ("heads/godette_vrm/Godette_vrm_v4.vrm", &["EXTENSION_NOT_HONOURED"; 3]),
    ("humanoids/cesium_man/CesiumMan.glb", &["WEIGHTS_NOT_NORMALISED"]),
    ("humanoids/mh_dwarf_meshystyle/mh_dwarf_meshystyle.glb", &["EXTENSION_NOT_HONOURED"; 2]),
    ("humanoids/rigged_figure/RiggedFigure.glb", &["WEIGHTS_NOT_NORMALISED"]),
    ("humanoids/robot_expressive/robot_expressive.glb", &["WEIGHTS_NOT_NORMALISED"]),
    ("tricky/joints1_nonnormalised/pbrTest.gltf", &["WEIGHTS_NOT_NORMALISED"]),
    // The validator counts one inverse bind matrix that is no such thing (four of its numbers).
    ("tricky/unassigned_skeleton/unassigned-skeleton.gltf", &["BIND_NOT_AFFINE", "BIND_SINGULAR"]),
];

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn good_files_give_no_warnings_and_odd_ones_their_own() {
    let odd: BTreeMap<&str, &[&str]> = WARNINGS.into_iter().collect();
    for file in manifest().into_keys() {
        let Ok(model) = try_load(&file) else { continue };
        let warnings: Vec<&str> = model
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Warning)
            .map(|finding| finding.code)
            .collect();
        assert_eq!(warnings, odd.get(file.as_str()).copied().unwrap_or_default(), "{file}: {:?}", model.findings);
    }
}

/// The manifest counts vertices whose weights are off by more than 0.02: `weights-not-normalised(188/3273)`.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn vertices_with_odd_weights_are_counted_as_in_the_manifest() {
    const FEATURE: &str = "weights-not-normalised(";
    let mut compared = 0;
    for (file, row) in manifest() {
        let Ok(model) = try_load(&file) else { continue };
        let Some(feature) = row["features"].split(' ').find_map(|feature| feature.strip_prefix(FEATURE)) else {
            continue;
        };
        let count = feature.split('/').next().unwrap();
        let finding = model.findings.iter().find(|finding| finding.code == "WEIGHTS_NOT_NORMALISED").unwrap();
        assert!(finding.message.contains(&format!("of {count} vertices")), "{file}: {}", finding.message);
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn all_external_images_of_awkward_names_are_found() {
    for (file, images) in [
        ("tricky/unicode_uri/Unicode ❤♻ Test.gltf", 1),
        ("tricky/space_uri/Box With Spaces.gltf", 3),
        ("tricky/webp_fallback/box-textured-with-fallback.gltf", 1),
        ("humanoids/dancing_rabbit/scene.gltf", 1),
        ("tricky/instancing_skins/Instancing_09.gltf", 2),
    ] {
        assert_eq!(open(file).images.len(), images, "{file}");
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn vrm_bones_name_the_nodes_that_their_names_suggest() {
    let old = open("heads/godette_vrm/Godette_vrm_v4.vrm");
    let humanoid = old.humanoid.as_ref().unwrap();
    let node = |bone: &str| {
        let (_, node) = humanoid.bones.iter().find(|(name, _)| name == bone).unwrap();
        old.node_name(*node).to_lowercase()
    };
    assert!(humanoid.faces_minus_z);
    assert!(node("head").contains("head") && node("hips").contains("pelvis") && node("chest").contains("chest"));
    assert!(node("leftHand").contains("hand.l") && node("rightFoot").contains("foot.r"));

    let new = open("tricky/vrm1_basic/basic_armature_vrm1.vrm");
    let humanoid = new.humanoid.as_ref().unwrap();
    assert!(!humanoid.faces_minus_z);
    for (bone, node) in &humanoid.bones {
        // VRM names `leftUpperArm` what this file names `upper_arm.L`.
        let named = new.node_name(*node).to_lowercase();
        let side = if bone.starts_with("left") {
            ".l"
        } else if bone.starts_with("right") {
            ".r"
        } else {
            ""
        };
        assert!(named.ends_with(side), "{bone} is {named}");
    }
    assert!(humanoid.bones.len() >= 15, "the bones that VRM 1.0 requires");
}

/// A `.gltf` file, loaded with its document changed.
fn load_changed(file: &str, change: impl Fn(&mut Value)) -> Model {
    let mut document: Value = serde_json::from_slice(&std::fs::read(assets().join(file)).unwrap()).unwrap();
    change(&mut document);
    load_bytes(&assets().join(file), document.to_string().as_bytes(), &Limits::default()).unwrap()
}

/// A PNG of one pixel.
const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Corners of all triangles, with their tangents.
fn corner_tangents(model: &Model) -> Vec<Vec4> {
    let of = |primitive: &Primitive| -> Vec<Vec4> {
        primitive.indices.iter().map(|index| primitive.tangents[*index as usize]).collect()
    };
    model.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(of).collect()
}

/// Blender wrote this file's tangents, by `MikkTSpace` on its own side. With a normal texture put into the
/// material, ours have to be the same ones, sign and all, within what it makes out of quads that reach us as
/// pairs of triangles.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn tangents_that_are_made_agree_with_those_of_the_exporter() {
    let file = "tricky/joints1_nonnormalised/pbrTest.gltf";
    let with_normal_texture = |document: &mut Value| {
        document["images"] = json!([{"uri": PIXEL}]);
        document["textures"] = json!([{"source": 0}]);
        document["materials"][0]["normalTexture"] = json!({"index": 0});
    };
    let given = corner_tangents(&load_changed(file, with_normal_texture));
    let made = corner_tangents(&load_changed(file, |document| {
        with_normal_texture(document);
        document["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("TANGENT");
    }));
    assert_eq!((given.len(), made.len()), (3 * 1168, 3 * 1168));
    let agrees = |(given, made): &(&Vec4, &Vec4)| given.truncate().dot(made.truncate()) > 0.9 && given.w == made.w;
    let share = given.iter().zip(&made).filter(agrees).count() as f32 / given.len() as f32;
    assert!(share > 0.98, "{share} of the corners agree");
}
