//! What counts as back, on a body with one small square a case.

#[expect(dead_code, reason = "other test files use the rest")]
#[path = "anatomy_body/mod.rs"]
mod anatomy_body;

use anatomy_body::{Joint, add_vertex, body, plain};
use glam::{Mat4, Vec3};
use indexmap::IndexMap;
use posegrid::asset::Model;
use posegrid::carry::{Back, BackSurface};
use posegrid::rig::{Anatomy, Pose, TorsoFrame, anatomy, bind_pose, skin};

const CHEST: usize = 3;
const HEAD: usize = 5;
const FOREARM: usize = 8;
const THIGH: usize = 14;

struct Worker {
    model: Model,
    anatomy: Anatomy,
    bind: Pose,
    torso: TorsoFrame,
}

/// The plain body, a tail on joint 22, a broad back on the chest so that the rule holds, and squares.
fn worker(squares: &[Square]) -> Worker {
    let mut joints: Vec<Joint> = plain();
    joints.push(("Tail", Some(0), [0.0, 0.95, -0.2], 0.05));
    let mut model = body(&joints);
    let broad = Square { half: 0.2, ..Square::at(Vec3::new(0.0, 1.25, -0.1), CHEST) };
    for square in [broad].iter().chain(squares) {
        add_square(&mut model, square);
    }
    let anatomy = anatomy(&model, &IndexMap::new());
    let bind = bind_pose(&model);
    let torso = TorsoFrame::new(&anatomy, &bind).expect("the body has a chest");
    Worker { model, anatomy, bind, torso }
}

impl Worker {
    fn back(&self, pose: &Pose) -> Back {
        let surface =
            BackSurface::new(&self.model, &self.anatomy, &self.torso, &self.bind, &skin(&self.model, &self.bind));
        assert!(!surface.coarse);
        surface.posed(&self.anatomy, &self.torso, pose, &skin(&self.model, pose), 1.0)
    }
}

#[derive(Clone, Copy)]
struct Square {
    middle: Vec3,
    half: f32,
    joint: usize,
    faces_back: bool,
}

impl Square {
    fn at(middle: Vec3, joint: usize) -> Self {
        Self { middle, half: 0.01, joint, faces_back: true }
    }
}

fn add_square(model: &mut Model, square: &Square) {
    let primitive = &mut model.meshes[0].primitives[0];
    let first = primitive.positions.len() as u32;
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        add_vertex(primitive, square.middle + square.half * Vec3::new(x, y, 0.0), square.joint);
    }
    // Counter-clockwise seen from +Z faces +Z.
    let corners = if square.faces_back { [0, 2, 1, 0, 3, 2] } else { [0, 1, 2, 0, 2, 3] };
    primitive.indices.extend(corners.map(|corner| first + corner));
}

/// Whether a square is among the back's triangles, in the bind pose.
fn is_back(square: Square) -> bool {
    let alone = worker(&[]);
    let with = worker(&[square]);
    with.back(&with.bind).triangles.len() > alone.back(&alone.bind).triangles.len()
}

#[test]
fn a_cape_on_the_chest_is_back_and_a_shield_on_a_hand_is_not() {
    let behind = Vec3::new(0.0, 1.3, -0.2);
    assert!(is_back(Square::at(behind, CHEST)));
    assert!(!is_back(Square::at(behind, FOREARM)));
    assert!(!is_back(Square::at(behind, THIGH)));
}

#[test]
fn a_tail_is_not_back_however_high_it_stands() {
    assert!(!is_back(Square::at(Vec3::new(0.0, 1.3, -0.3), 22)));
}

#[test]
fn nothing_below_the_hips_is_back() {
    assert!(is_back(Square::at(Vec3::new(0.0, 1.05, -0.1), CHEST)));
    assert!(!is_back(Square::at(Vec3::new(0.0, 0.95, -0.1), CHEST)));
}

#[test]
fn hair_is_back_below_the_neck_and_head_above_it() {
    assert!(is_back(Square::at(Vec3::new(0.0, 1.4, -0.2), HEAD)));
    assert!(!is_back(Square::at(Vec3::new(0.0, 1.6, -0.2), HEAD)));
}

#[test]
fn fronts_are_not_back() {
    assert!(!is_back(Square { faces_back: false, ..Square::at(Vec3::new(0.0, 1.3, 0.1), CHEST) }));
}

#[test]
fn what_counts_is_decided_in_the_bind_pose_and_measured_in_the_pose() {
    let worker = worker(&[Square::at(Vec3::new(0.0, 1.3, -0.3), CHEST)]);
    let furthest = |pose: &Pose| {
        let triangles = worker.back(pose).triangles;
        triangles.iter().flatten().map(|point| point.z).fold(f32::NEG_INFINITY, f32::max)
    };
    assert!((furthest(&worker.bind) - 0.3).abs() < 1e-5);
    // The whole body falls on its face: in the torso frame nothing has changed.
    let mut fallen = worker.bind.clone();
    for matrix in &mut fallen.model_from_node {
        *matrix = Mat4::from_rotation_x(1.5) * *matrix;
    }
    assert!((furthest(&fallen) - 0.3).abs() < 1e-5);
    // The chest alone turns: what hangs on it goes with the frame, too.
    let mut bent = worker.bind.clone();
    bent.model_from_node[CHEST] = Mat4::from_translation(Vec3::Z) * bent.model_from_node[CHEST];
    assert!((furthest(&bent) - 0.3).abs() < 1e-5);
}

/// Hips at 1.0, upper arms at 1.45 and 0.2 to either side; the chest joint at 1.35.
#[test]
fn joints_are_measured_along_the_spine_from_the_chest() {
    let worker = worker(&[]);
    let back = worker.back(&worker.bind);
    let near = |one: Option<f32>, other: f32| assert!((one.unwrap() - other).abs() < 1e-5, "{one:?} is not {other}");
    near(back.hips, -0.35);
    near(back.shoulders, 0.1);
    near(back.breadth, 0.4);
}

/// A box figure: two opposite corners of its only back face hang on an arm, so no triangle is all trunk and
/// each of the two is trunk by two thirds.
#[test]
fn a_mesh_too_coarse_for_the_rule_gives_its_back_on_the_whole() {
    let mut model = body(&plain());
    let square = Square { half: 0.2, ..Square::at(Vec3::new(0.0, 1.25, -0.1), CHEST) };
    add_square(&mut model, &square);
    let influences = model.meshes[0].primitives[0].influences.as_mut().unwrap();
    let last = influences.joints.len() - 1;
    influences.joints[last].0 = FOREARM as u32;
    influences.joints[last - 2].0 = FOREARM as u32;
    let anatomy = anatomy(&model, &IndexMap::new());
    let bind = bind_pose(&model);
    let torso = TorsoFrame::new(&anatomy, &bind).unwrap();
    let mesh = skin(&model, &bind);
    let surface = BackSurface::new(&model, &anatomy, &torso, &bind, &mesh);
    assert!(surface.coarse);
    assert_eq!(surface.posed(&anatomy, &torso, &bind, &mesh, 1.0).triangles.len(), 2);
}
