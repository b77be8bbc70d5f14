//! The right answers on the open set of real characters.
//!
//! The chests are the table of the design page. Facing is checked twice: against what a look at each
//! file's own feet and face says, and against the vertices alone, which know nothing of joints.

use std::path::Path;

use glam::Vec3;
use indexmap::IndexMap;
use posegrid::asset::{Limits, Model, load};
use posegrid::rig::{Anatomy, How, PosedMesh, Role, TorsoFrame, anatomy, bind_pose, rest_pose, skin, stage_from_model};

/// File, chest, facing. Files that need a decoder are left to the tests of that decoder.
const OPEN_SET: [(&str, &str, Vec3); 15] = [
    ("humanoids/kaykit_barbarian/Barbarian.glb", "chest", Vec3::Z),
    ("humanoids/kaykit_mannequin/manny_med_mod.gltf", "chest", Vec3::Z),
    ("humanoids/quaternius_knight/KnightCharacter.glb", "Torso", Vec3::Z),
    ("humanoids/quaternius_farmer/Farmer.glb", "Chest", Vec3::Z),
    ("humanoids/quaternius_bunny_hero/Character.glb", "Torso", Vec3::Z),
    ("humanoids/cesium_man/CesiumMan.glb", "node 12", Vec3::X),
    ("humanoids/rigged_figure/RiggedFigure.glb", "node 12", Vec3::Z),
    ("humanoids/godot_robot/player.glb", "chest", Vec3::Z),
    ("humanoids/dancing_rabbit/scene.gltf", "mixamorig:Spine2_04", Vec3::Z),
    ("humanoids/robot_expressive/robot_expressive.glb", "Torso", Vec3::Z),
    ("humanoids/m2m_human/m2m-custom-animtion-success.glb", "spine_03", Vec3::Z),
    ("humanoids/mh_dwarf_meshystyle/mh_dwarf_meshystyle.glb", "Spine", Vec3::Z),
    ("humanoids/mh_woman_manny89/mh_woman_manny89.glb", "spine_05", Vec3::Z),
    ("heads/godette_vrm/Godette_vrm_v4.vrm", "chest_Armature", Vec3::NEG_Z),
    ("tricky/quantized_only/RobotExpressive.glb", "Torso", Vec3::Z),
];

fn open(file: &str) -> Model {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/assets")).join(file);
    load(&path, &Limits::default()).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn read(model: &Model) -> Anatomy {
    anatomy(model, &IndexMap::new())
}

fn joint(anatomy: &Anatomy, role: Role) -> &str {
    anatomy.found(role).map_or("(none)", |found| found.joint.as_str())
}

fn nameless(mut model: Model) -> Model {
    model.humanoid = None;
    model.nodes.iter_mut().for_each(|node| node.name = None);
    model
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_chest_of_every_open_character_is_found() {
    for (file, chest, _) in OPEN_SET {
        assert_eq!(joint(&read(&open(file)), Role::Chest), chest, "{file}");
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_chest_is_found_without_any_name() {
    for (file, ..) in OPEN_SET {
        let model = open(file);
        let named = read(&model).get(Role::Chest);
        let anatomy = read(&nameless(model));
        assert_eq!(anatomy.get(Role::Chest), named, "{file}: {:#?}", anatomy.roles);
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_open_character_faces_as_its_file_shows() {
    for (file, _, facing) in OPEN_SET {
        let found = read(&open(file)).facing;
        assert!(found.direction.distance(facing) < 1e-3, "{file}: {found:?}");
    }
}

/// Soles stick out ahead of the ankles above them. The bunny's feet are round stumps and the
/// rabbit's are in wide trousers: see below.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_open_character_faces_where_its_soles_point() {
    for (file, ..) in OPEN_SET.iter().filter(|(file, ..)| !file.contains("bunny") && !file.contains("rabbit")) {
        let model = open(file);
        let mesh = skin(&model, &bind_pose(&model));
        let (least, greatest) = mesh.bounds().unwrap();
        let height = greatest.y - least.y;
        let band = |from: f32, to: f32| middle(&mesh, least.y + from * height, least.y + to * height);
        let ahead = band(0.0, 0.03) - band(0.06, 0.14);
        let facing = read(&model).facing.direction;
        assert!(ahead.dot(facing) > 0.01 * height, "{file}: {ahead} against {facing}");
    }
}

/// Where eyes and snout are modelled and the back of the head is bare, the vertices of a slab through the
/// eyes are more on the side of the face than the box round the head.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn bunny_and_rabbit_face_where_their_eyes_are_modelled() {
    for (file, eyes, head) in [
        ("humanoids/quaternius_bunny_hero/Character.glb", (0.5, 0.7), (0.5, 0.7)),
        ("humanoids/dancing_rabbit/scene.gltf", (0.58, 0.62), (0.58, 0.68)),
    ] {
        let model = open(file);
        let mesh = skin(&model, &bind_pose(&model));
        let (least, greatest) = mesh.bounds().unwrap();
        let height = greatest.y - least.y;
        let at = |share: f32| least.y + share * height;
        let slab = mesh.positions().filter(|point| (at(eyes.0)..=at(eyes.1)).contains(&point.y));
        let (sum, count) = slab.fold((Vec3::ZERO, 0.0), |(sum, count), point| (sum + point, count + 1.0));
        let ahead = sum / count - middle(&mesh, at(head.0), at(head.1));
        assert!(ahead.dot(read(&model).facing.direction) > 0.05 * height, "{file}: {ahead}");
    }
}

/// The middle of the box round the vertices of a slab, so that dense patches do not pull it.
fn middle(mesh: &PosedMesh, from_y: f32, to_y: f32) -> Vec3 {
    let within = mesh.positions().filter(|point| (from_y..=to_y).contains(&point.y));
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (least, greatest) = within.fold(none, |(least, greatest), p| (least.min(p), greatest.max(p)));
    (least + greatest) / 2.0
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn out_points_behind_every_open_character() {
    for (file, ..) in OPEN_SET {
        let model = open(file);
        let anatomy = read(&model);
        let bind = bind_pose(&model);
        let torso = TorsoFrame::new(&anatomy, &bind).unwrap().at(&bind);
        let out = torso.rotation * Vec3::Z;
        assert!(out.dot(anatomy.facing.direction) < -0.85, "{file}: out {out}");
        assert!((torso.rotation * Vec3::Y).y > 0.85, "{file}: up {}", torso.rotation * Vec3::Y);
    }
}

/// The godot robot's `l-arm` is at -X while it faces +Z: a body that faces +Z has its left at +X.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn only_the_robot_with_swapped_sides_is_mirrored() {
    for (file, ..) in OPEN_SET {
        let model = open(file);
        let torso = TorsoFrame::new(&read(&model), &bind_pose(&model)).unwrap();
        assert_eq!(torso.mirrored, file.contains("godot_robot"), "{file}");
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_open_character_stands_on_the_stage_facing_the_viewer() {
    for (file, ..) in OPEN_SET {
        let model = open(file);
        let anatomy = read(&model);
        let bind = bind_pose(&model);
        let mesh = skin(&model, &bind);
        let placed = stage_from_model(&anatomy, &bind, &mesh, Some(1.8));
        let points = || mesh.positions().map(|point| placed.stage_from_model.transform_point3(point));
        let lowest = points().map(|point| point.y).fold(f32::INFINITY, f32::min);
        let highest = points().map(|point| point.y).fold(f32::NEG_INFINITY, f32::max);
        assert!(lowest.abs() < 1e-4, "{file}: lowest {lowest}");
        assert!((highest - 1.8).abs() < 1e-3, "{file}: highest {highest}");
        let facing = placed.stage_from_model.transform_vector3(anatomy.facing.direction);
        assert!(facing.normalize_or_zero().distance(Vec3::Z) < 1e-4, "{file}: faces {facing}");
        let hips = bind.model_from_node[anatomy.require(Role::Hips).unwrap().at()].w_axis.truncate();
        let hips = placed.stage_from_model.transform_point3(hips);
        assert!(hips.x.abs() < 1e-4 && hips.z.abs() < 1e-4, "{file}: hips over {hips}");
    }
}

/// Heights of the manifest, which another program measured.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn an_unlikely_height_asks_for_the_line_to_add() {
    for (file, height_m, asks) in [
        ("humanoids/mh_woman_manny89/mh_woman_manny89.glb", 1.72, false),
        ("humanoids/quaternius_farmer/Farmer.glb", 1.856, false),
        ("tricky/fox_100x/Fox.glb", 79.0289, true),
    ] {
        let model = open(file);
        let bind = bind_pose(&model);
        let placed = stage_from_model(&read(&model), &bind, &skin(&model, &bind), None);
        assert!((placed.height_m - height_m).abs() < 1e-3 * height_m, "{file}: {}", placed.height_m);
        let hint = placed.findings.iter().find_map(|finding| finding.hint.clone());
        assert_eq!(hint.is_some_and(|hint| hint.contains("height_m = ")), asks, "{file}");
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn four_legs_have_no_chest_and_the_error_says_what_to_add() {
    let anatomy = read(&open("tricky/fox_100x/Fox.glb"));
    let error = anatomy.require(Role::Chest).unwrap_err();
    assert_eq!(error.code, "ROLE_NOT_FOUND");
    assert!(error.message.contains("four legs"), "{error}");
    let hint = error.hint.unwrap();
    assert!(hint.contains("roles = { chest = \"...\" }") && hint.contains("b_Spine02_03"), "{hint}");
    assert!(anatomy.get(Role::LeftShoulder).is_none());
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_head_alone_and_a_hand_alone_have_no_chest() {
    for file in ["heads/mh_head_facerig/mh_head_facerig_60bones_12morphs.glb", "tricky/hand_left/Hand_low_L.gltf"] {
        let anatomy = read(&open(file));
        assert!(anatomy.require(Role::Chest).is_err(), "{file}: {:#?}", anatomy.roles);
        assert!(anatomy.get(Role::LeftShoulder).is_none(), "{file}");
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn vrm_says_every_role_of_a_vrm_file() {
    let anatomy = read(&open("tricky/vrm1_basic/basic_armature_vrm1.vrm"));
    for (role, name) in [(Role::Chest, "chest"), (Role::LeftShoulder, "upper_arm.L"), (Role::RightToes, "toes.R")] {
        let found = anatomy.found(role).unwrap();
        assert_eq!((found.joint.as_str(), found.how), (name, How::Data));
    }
    assert_eq!(anatomy.facing.direction, Vec3::Z);
}

/// The design page: in five of sixteen real characters the nodes' rest pose is not the bind pose. The
/// knight's arms hang at rest and are spread in its bind pose, where the palms are 5.46 apart.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_bind_pose_is_not_the_pose_that_was_left_in_the_nodes() {
    let model = open("humanoids/quaternius_knight/KnightCharacter.glb");
    let anatomy = read(&model);
    let apart = |pose: &posegrid::rig::Pose| {
        let at = |role| pose.model_from_node[anatomy.require(role).unwrap().at()].w_axis.truncate();
        at(Role::LeftHand).distance(at(Role::RightHand))
    };
    assert!((apart(&bind_pose(&model)) - 5.467).abs() < 0.01);
    assert!((apart(&rest_pose(&model)) - 1.873).abs() < 0.01);
}

/// In the bind pose every joint's skinning matrix is the same, so a mesh comes out as it was stored,
/// only turned and scaled as a whole.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_bind_pose_keeps_the_shape_of_every_open_mesh() {
    for (file, ..) in OPEN_SET {
        let model = open(file);
        let mesh = skin(&model, &bind_pose(&model));
        for part in &mesh.parts {
            let primitive = &model.meshes[part.mesh.at()].primitives[part.primitive];
            if primitive.influences.is_none() || !primitive.morphs.is_empty() {
                continue;
            }
            let count = primitive.positions.len();
            let ratio = |at: usize| {
                let (a, b) = (at, (at * 7 + 3) % count);
                let stored = primitive.positions[a].distance(primitive.positions[b]);
                (stored > 0.0).then(|| part.positions[a].distance(part.positions[b]) / stored)
            };
            let ratios: Vec<f32> = (0..count).filter_map(ratio).collect();
            let (least, greatest) =
                ratios.iter().fold((f32::INFINITY, 0.0_f32), |(least, most), r| (least.min(*r), most.max(*r)));
            assert!(greatest <= least * 1.01, "{file}: {least} to {greatest}");
        }
    }
}

/// Whatever loads can be asked: nothing panics and nothing comes out that is not finite.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_file_that_loads_is_read_without_a_fault() {
    let shared = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/assets"));
    let mut manifest = csv::Reader::from_path(shared.join("manifest.csv")).unwrap();
    let files: Vec<String> = manifest.records().map(|record| record.unwrap()[0].to_owned()).collect();
    let mut read_files = 0;
    for file in files {
        let Ok(model) = load(&shared.join(&file), &Limits::default()) else { continue };
        read_files += 1;
        let anatomy = read(&model);
        let bind = bind_pose(&model);
        assert!(bind.model_from_node.iter().all(glam::Mat4::is_finite), "{file}");
        let placed = stage_from_model(&anatomy, &bind, &skin(&model, &bind), Some(1.8));
        assert!(placed.stage_from_model.is_finite(), "{file}: {placed:?}");
        if let Ok(torso) = TorsoFrame::new(&anatomy, &bind) {
            assert!(torso.at(&bind).rotation.is_normalized(), "{file}");
        }
    }
    assert!(read_files > 50, "{read_files} files loaded");
}
