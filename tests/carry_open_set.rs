//! Loads on the backs of real characters.

use std::path::Path;

use glam::Vec3;
use indexmap::IndexMap;
use posegrid::asset::{Limits, Model, load};
use posegrid::carry::{Back, FirstPlacement, LoadShape, model_from_load, place};
use posegrid::rig::{Anatomy, Pose, PosedMesh, Role, TorsoFrame, anatomy, bind_pose, skin, stage_from_model};

const OPEN_SET: [&str; 14] = [
    "humanoids/kaykit_barbarian/Barbarian.glb",
    "humanoids/kaykit_mannequin/manny_med_mod.gltf",
    "humanoids/quaternius_knight/KnightCharacter.glb",
    "humanoids/quaternius_farmer/Farmer.glb",
    "humanoids/quaternius_bunny_hero/Character.glb",
    "humanoids/cesium_man/CesiumMan.glb",
    "humanoids/rigged_figure/RiggedFigure.glb",
    "humanoids/godot_robot/player.glb",
    "humanoids/dancing_rabbit/scene.gltf",
    "humanoids/robot_expressive/robot_expressive.glb",
    "humanoids/m2m_human/m2m-custom-animtion-success.glb",
    "humanoids/mh_dwarf_meshystyle/mh_dwarf_meshystyle.glb",
    "humanoids/mh_woman_manny89/mh_woman_manny89.glb",
    "heads/godette_vrm/Godette_vrm_v4.vrm",
];

/// As wide as high, half as deep.
const PACK: LoadShape = LoadShape { width: 1.0, height: 1.0, depth: 0.5, breadths: 1.0 };

struct Worker {
    model: Model,
    anatomy: Anatomy,
    bind: Pose,
    mesh: PosedMesh,
    torso: TorsoFrame,
    height: f32,
}

impl Worker {
    fn open(file: &'static str) -> Self {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/assets")).join(file);
        let model = load(&path, &Limits::default()).unwrap_or_else(|error| panic!("{file}: {error}"));
        let anatomy = anatomy(&model, &IndexMap::new());
        let bind = bind_pose(&model);
        let mesh = skin(&model, &bind);
        let torso = TorsoFrame::new(&anatomy, &bind).expect("the body has a chest");
        let height = stage_from_model(&anatomy, &bind, &mesh, None).height_in_model;
        Self { model, anatomy, bind, mesh, torso, height }
    }

    fn back(&self) -> Back {
        Back::in_bind(&self.model, &self.anatomy, &self.torso, &self.bind, &self.mesh, self.height)
    }

    fn place(&self) -> FirstPlacement {
        place(&self.back(), &PACK)
    }

    fn joint(&self, role: Role) -> Vec3 {
        self.bind.model_from_node[self.anatomy.require(role).expect("the body has the role").at()].w_axis.truncate()
    }
}

/// By vertices alone: in the load's own frame, the body comes through the contact face somewhere, and
/// nowhere deeper than the cap.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_pack_rests_on_every_open_back() {
    for file in OPEN_SET {
        let worker = Worker::open(file);
        let found = worker.place();
        assert!(found.patches > 100, "{file}: {found:?}");
        let model_from_load = model_from_load(&worker.bind, &worker.torso, &found.placement, worker.height, PACK.width);
        let load_from_model = model_from_load.inverse();
        let scale = found.placement.size / PACK.width;
        let depths = worker.mesh.positions().filter_map(|point| {
            let point = load_from_model.transform_point3(point);
            let behind_face = point.x.abs() < PACK.width / 2.0 && (0.0..PACK.height).contains(&point.y);
            behind_face.then_some(point.z * scale)
        });
        let deepest = depths.fold(f32::NEG_INFINITY, f32::max);
        assert!(deepest > -0.002 && deepest < 0.065, "{file}: deepest {deepest}");
    }
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_pack_is_behind_every_open_body_between_hips_and_neck() {
    for file in OPEN_SET {
        let worker = Worker::open(file);
        let placement = worker.place().placement;
        let matrix = model_from_load(&worker.bind, &worker.torso, &placement, worker.height, PACK.width);
        let middle = matrix.transform_point3(Vec3::new(0.0, PACK.height / 2.0, 0.0));
        let behind = -(middle - worker.joint(Role::Chest)).dot(worker.anatomy.facing.direction) / worker.height;
        assert!(behind > 0.01, "{file}: {behind} behind the chest");
        let top = worker.anatomy.get(Role::Neck).map_or(Role::Head, |_| Role::Neck);
        assert!((worker.joint(Role::Hips).y..worker.joint(top).y).contains(&middle.y), "{file}: at {middle}");
        let outwards = matrix.transform_vector3(Vec3::Z).normalize_or_zero();
        assert!(outwards.dot(worker.anatomy.facing.direction) < -0.8, "{file}: opens to {outwards}");
    }
}

/// Every length is a share of H: a body ten times as large wears the same load the same way.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_numbers_do_not_depend_on_the_unit() {
    let worker = Worker::open("humanoids/mh_woman_manny89/mh_woman_manny89.glb");
    let mut large = Worker::open("humanoids/mh_woman_manny89/mh_woman_manny89.glb");
    for joint in &mut large.bind.model_from_node {
        *joint = glam::Mat4::from_scale(Vec3::splat(10.0)) * *joint;
    }
    large.mesh = skin(&large.model, &large.bind);
    large.height *= 10.0;
    large.torso = TorsoFrame::new(&large.anatomy, &large.bind).unwrap();
    let (one, other) = (worker.place().placement, large.place().placement);
    for (one, other) in
        [(one.size, other.size), (one.out, other.out), (one.up, other.up), (one.lean_rad, other.lean_rad)]
    {
        assert!((one - other).abs() < 2e-3, "{one} is not {other}");
    }
}

/// The rabbit's chest bone may be bent over; the load goes with it and keeps its distance.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_load_goes_where_the_chest_goes() {
    let worker = Worker::open("humanoids/dancing_rabbit/scene.gltf");
    let placement = worker.place().placement;
    let at = |pose: &Pose| model_from_load(pose, &worker.torso, &placement, worker.height, PACK.width);
    let bow = glam::Mat4::from_translation(Vec3::new(0.3, -0.2, 0.1)) * glam::Mat4::from_rotation_x(1.2);
    let mut bent = worker.bind.clone();
    let chest = &mut bent.model_from_node[worker.torso.chest.at()];
    *chest = bow * *chest;
    for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
        let expected = bow.transform_point3(at(&worker.bind).transform_point3(point));
        assert!(at(&bent).transform_point3(point).distance(expected) < 1e-4 * worker.height, "{point}");
    }
}
