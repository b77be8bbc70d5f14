//! Skins, interpolation and morphs of the odd files, against numbers worked by hand.
//!
//! The numbers come from the files' own keys and matrices, by the arithmetic that stands beside them, and
//! were checked with a separate program (a few lines of Python that know nothing of this one).

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod real_models;
mod staged;

use std::path::Path;

use glam::{Quat, Vec3};
use posegrid::rig::PosedMesh;
use posegrid::stage::{Actor, ActorPose};
use real_models::assets;
use staged::staged;

/// A file in a pose; `settings` as a study writes them.
fn posed(file: &str, settings: &str) -> (Actor, ActorPose) {
    let path = assets().join(file).display().to_string();
    let (plan, cast) = staged(&format!("[cell]\nsubject = {path:?}\n{settings}\n"), Path::new(""));
    let actor = cast.actors[0].ready.as_ref().unwrap_or_else(|finding| panic!("{finding}")).actor.clone();
    let pose = actor.pose(&plan.cells[0].spec.pose).unwrap();
    (actor, pose)
}

/// Every vertex is one of `expected`, and each of those is a vertex. Faces without normals have corners of
/// their own, so a vertex may come more than once.
fn assert_places(mesh: &PosedMesh, part: usize, expected: &[[f32; 3]]) {
    let near = |one: Vec3, other: &[f32; 3]| one.distance(Vec3::from_array(*other)) < 1.0e-5;
    let positions = &mesh.parts[part].positions;
    for at in positions {
        assert!(expected.iter().any(|other| near(*at, other)), "{at} is none of {expected:?}");
    }
    for other in expected {
        assert!(positions.iter().any(|at| near(*at, other)), "{other:?} is none of {positions:?}");
    }
}

/// A file whose clip has no name, a quarter through it: half a second into two.
const QUARTER: &str = "clip = \"\"\nat = 0.25";

/// All four strips: joint 0 is at (0, -0.2, 0), turned -90 degrees about x, which takes its z to y. Joint 1 is
/// 0.2 along that z, at the origin. The lowest corners hang on joint 0, whose inverse bind matrix moves z by
/// +0.2: corner (x, 0, -0.2) is at 0 along its z, at y = -0.2. The others hang on joint 1, whose matrix is
/// the unit: the middle stays at the origin, the top is 0.2 along joint 1's z.
///
/// Its clip turns joint 1 from 0 at 0 s to 90 degrees about x at 1 s and back: 45 at half a second. With
/// joint 0 that makes -45: z goes to (0, sin 45, cos 45), the top to (0, 0.141421, 0.141421).
/// The four files store joints as u8 and u16, weights as u8, u16 and f32.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_turned_joint_bends_the_strip_whatever_its_numbers_are_stored_as() {
    let h = 0.141_421;
    let expected =
        [[-0.25, -0.2, 0.0], [0.25, -0.2, 0.0], [-0.25, 0.0, 0.0], [0.25, 0.0, 0.0], [-0.25, h, h], [0.25, h, h]];
    for kind in 0..4 {
        let (_, pose) = posed(&format!("tricky/skintype_0{kind}/Animation_SkinType_0{kind}.gltf"), QUARTER);
        assert_places(&pose.mesh, 0, &expected);
    }
}

/// At rest joint 1 of the same strip is turned by -30 degrees more, by -120 in all: z goes to
/// (0, sin 120, cos 120), the top to (0, 0.173205, -0.1). The node that draws the strip is turned by 45
/// degrees, and so is its parent: neither counts.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_node_that_draws_a_skin_does_not_move_it() {
    let (y, z) = (0.173_205, -0.1);
    let expected =
        [[-0.25, -0.2, 0.0], [0.25, -0.2, 0.0], [-0.25, 0.0, 0.0], [0.25, 0.0, 0.0], [-0.25, y, z], [0.25, y, z]];
    let (_, pose) = posed("tricky/skin_02/Animation_Skin_02.gltf", "clip = \"rest\"");
    assert_places(&pose.mesh, 0, &expected);
}

/// Without inverse bind matrices the unit is meant: corner (x, 0, -0.2) of joint 0 is at -0.2 along its z,
/// at y = -0.2 - 0.2.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_skin_without_bind_matrices_takes_the_unit_for_each() {
    let (y, z) = (0.173_205, -0.1);
    let expected =
        [[-0.25, -0.4, 0.0], [0.25, -0.4, 0.0], [-0.25, 0.0, 0.0], [0.25, 0.0, 0.0], [-0.25, y, z], [0.25, y, z]];
    let (_, pose) = posed("tricky/skin_03/Animation_Skin_03.gltf", "clip = \"rest\"");
    assert_places(&pose.mesh, 0, &expected);
}

/// Joint 1 goes from 0 to -45 degrees: -22.5 at half a second, -112.5 with joint 0. z goes to
/// (0, sin 112.5, cos 112.5) = (0, 0.923880, -0.382683), the top 0.2 of it; y goes to
/// (0, cos 112.5, -sin 112.5). A triangle rides joint 1 without a skin: its corners (0, -0.2, 0.1),
/// (0, -0.2, 0.2) and (0, 0, 0) along joint 1's y and z are at -0.2 y + 0.1 z =
/// (0, 0.076537 + 0.092388, 0.184776 - 0.038268) and so on.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_rigid_mesh_rides_an_animated_joint() {
    let (_, pose) = posed("tricky/skin_04/Animation_Skin_04.gltf", QUARTER);
    let (y, z) = (0.184_776, -0.076_537);
    let strip =
        [[-0.25, -0.2, 0.0], [0.25, -0.2, 0.0], [-0.25, 0.0, 0.0], [0.25, 0.0, 0.0], [-0.25, y, z], [0.25, y, z]];
    assert_places(&pose.mesh, 0, &strip);
    assert_places(&pose.mesh, 1, &RIDER);
}

const RIDER: [[f32; 3]; 3] = [[0.0, 0.030_343, 0.203_910], [0.0, 0.122_731, 0.165_642], [0.0, 0.0, 0.0]];

/// Two prisms, two skins, the same two joints. Joint 0 is at y = -0.3, turned +90 degrees about x, which
/// takes its z to -y; joint 1 is -0.6 along it, at y = 0.3. Joint 1 goes from 0 to -15 degrees about its z:
/// -7.5 at half a second, which is +7.5 about y. The upper corners turn by it:
/// (0, 0.3, 0.3) to (0.3 sin 7.5, 0.3, 0.3 cos 7.5), and (-0.3, 0.3, -0.3) to
/// (-0.3 cos 7.5 - 0.3 sin 7.5, 0.3, 0.3 sin 7.5 - 0.3 cos 7.5). The outer prism is 0.48 wide, 0.18 high.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn two_skins_share_an_animated_joint() {
    let (_, pose) = posed("tricky/skin_07/Animation_Skin_07.gltf", QUARTER);
    let (sin, cos) = (0.130_526, 0.991_445);
    for (part, w, h) in [(0, 0.3, 0.3), (1, 0.48, 0.09)] {
        let (near, far) = (w * (cos + sin), w * (cos - sin));
        let expected =
            [[0.0, -h, w], [w, -h, -w], [-w, -h, -w], [w * sin, h, w * cos], [-near, h, -far], [far, h, -near]];
        assert_places(&pose.mesh, part, &expected);
    }
}

/// A chain of joints with a plain node in it: joint 0 at y = -0.5, turned so that z goes to y, then joint 1,
/// joint 2, the plain node and joint 3, each 0.2 further. At half a second joint 1 stands at -22.5 degrees
/// (of -45), joints 2 and 3 at +45 (of 90), so the chain runs along angles of 90 + 22.5, 90 + 22.5 - 45 and
/// 90 + 22.5 - 90 from z. With s = 0.2 sin 67.5 = 0.184776 and c = 0.2 cos 67.5 = 0.076537:
/// joint 1 at y = -0.3; joint 2 at (y, z) = (-0.3 + s, -c); the plain node 0.2 on, at (-0.3 + 2 s, 0);
/// joint 3 at (-0.3 + 3 s, c); the strip's end at (-0.3 + 3 s + c, c + s).
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_node_that_is_no_joint_carries_the_joints_below_it() {
    let (_, pose) = posed("tricky/skin_09/Animation_Skin_09.gltf", QUARTER);
    let (s, c) = (0.184_776, 0.076_537);
    let spine = [
        (-0.5, 0.0),
        (-0.3, 0.0),
        (-0.3 + s, -c),
        (-0.3 + 2.0 * s, 0.0),
        (-0.3 + 3.0 * s, c),
        (-0.3 + 3.0 * s + c, c + s),
    ];
    let expected: Vec<[f32; 3]> = spine.iter().flat_map(|(y, z)| [[-0.25, *y, *z], [0.25, *y, *z]]).collect();
    assert_places(&pose.mesh, 0, &expected);
}

/// One mesh drawn twice by two skins: the second joint 0 is 0.6 further along x.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn one_mesh_follows_two_skins() {
    let (y, z) = (0.173_205, -0.1);
    let (_, pose) = posed("tricky/skin_11/Animation_Skin_11.gltf", "clip = \"rest\"");
    for (part, x) in [(0, 0.0), (1, 0.6)] {
        let at = |side: f32, y: f32, z: f32| [x + side, y, z];
        let expected = [
            at(-0.25, -0.2, 0.0),
            at(0.25, -0.2, 0.0),
            at(-0.25, 0.0, 0.0),
            at(0.25, 0.0, 0.0),
            at(-0.25, y, z),
            at(0.25, y, z),
        ];
        assert_places(&pose.mesh, part, &expected);
    }
}

/// The box of all 84 skins, at rest and four tenths through the clip, by the separate program.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn eighty_four_skins_of_one_mesh_are_each_where_their_joints_are() {
    let file = "tricky/recursive_skeletons/RecursiveSkeletons.glb";
    for (settings, least, greatest) in [
        ("clip = \"rest\"", [-30.0, 0.0, -30.0], [30.0, 125.1, 30.0]),
        ("clip = \"Track0\"\nat = 0.4", [-119.403_37, -0.796_59, -34.114_43], [53.779_86, 125.1, 119.401_83]),
    ] {
        let (_, pose) = posed(file, settings);
        assert_eq!(pose.mesh.parts.len(), 84);
        let bounds = pose.mesh.bounds().unwrap();
        let near = |one: Vec3, other: [f32; 3]| one.distance(Vec3::from_array(other)) < 2.0e-3;
        assert!(near(bounds.0, least) && near(bounds.1, greatest), "{settings}: {bounds:?}");
    }
}

/// The wave at 0.3 of 1.958333 s is 0.5875 s, a tenth past key 14 (24 keys a second): the separate program adds
/// the eight targets by the weights there and finds the highest bar at 1.46339, half a unit over its first.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn morph_targets_are_added_by_their_weights() {
    let (_, pose) = posed("tricky/morph_stress/MorphStressTest.gltf", "clip = \"TheWave\"\nat = 0.3");
    let expected = [0.963_39, 0.929_16, 0.610_82, 0.228_48, 0.009_70, 0.0, 0.0, 0.0];
    let weights = pose.pose.morph_weights.iter().find(|weights| weights.len() == 8).unwrap();
    for (weight, expected) in std::iter::zip(weights, expected) {
        assert!((weight - expected).abs() < 1.0e-4, "{weights:?}");
    }
    let (least, greatest) = pose.mesh.bounds().unwrap();
    assert!(least.distance(Vec3::new(-2.0, -0.1, -0.5)) < 1.0e-4, "{least}");
    assert!(greatest.distance(Vec3::new(2.0, 1.463_39, 0.5)) < 1.0e-4, "{greatest}");
}

/// Node, scale, rotation about z and translation of each clip at four tenths of it.
///
/// Scales: keys at 1/24, 5/12 and 7/8 s, 1.625 s in all; t = 1/24 + 0.65 is 0.6 between 5/12 and 7/8, from 0.5
/// to 1. Step 0.5; linear 0.5 + 0.6 * 0.5; cubic with tangents of zero 3 * 0.36 - 2 * 0.216 = 0.648 of the
/// way, 0.824.
///
/// Translations: t = 2/3 s is 0.6 between 5/12 and 5/6, from y = 10 to 6: linear 7.6, cubic 10 - 0.648 * 4 =
/// 7.408; the step clip's keys end later, its t = 0.683333 s is still before 5/6: 10.
///
/// Rotations: t = 0.683333 s is u = 0.581818 between 5/12 and 7/8, from -45 to -90 degrees: step -45; linear
/// -45 - 45 u = -71.1818. Cubic: with h00 = 0.378369, h10 = 0.101746, h01 = 0.621631, h11 = -0.141559 and
/// tangents times 11/24 s: z = 0.378369 * -0.382683 + 0.101746 * -0.021950 + 0.621631 * -0.707107
/// - 0.141559 * -0.016254 = -0.584287, w = 0.770863 by the same sum; at unit length (-0.604054, 0.796944),
///   which is -74.3242 degrees.
const MOMENTS: [(&str, &str, f32, f32, [f32; 3]); 9] = [
    ("Step Scale", "Cube", 0.5, 0.0, [0.0, 0.0, 0.0]),
    ("Linear Scale", "Cube.001", 0.8, 0.0, [-3.296_33, 0.0, 0.0]),
    ("CubicSpline Scale", "Cube.002", 0.824, 0.0, [3.340_119, 0.0, 0.0]),
    ("Step Rotation", "Cube.003", 1.0, -45.0, [0.0, 3.356_412, 0.0]),
    ("CubicSpline Rotation", "Cube.004", 1.0, -74.324_2, [3.335_062, 3.356_412, 0.0]),
    ("Linear Rotation", "Cube.005", 1.0, -71.181_8, [-3.311_399, 3.356_412, 0.0]),
    ("Step Translation", "Cube.006", 1.0, 0.0, [0.0, 10.0, 0.0]),
    ("CubicSpline Translation", "Cube.008", 1.0, 0.0, [3.305_18, 7.408, 0.0]),
    ("Linear Translation", "Cube.009", 1.0, 0.0, [-3.297_581, 7.6, 0.0]),
];

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn steps_lines_and_splines_pass_where_their_formulas_say() {
    for (clip, node, scale, turn_deg, place) in MOMENTS {
        let settings = format!("clip = {clip:?}\nat = 0.4\nin_place = false");
        let (actor, pose) = posed("tricky/interpolation/InterpolationTest.glb", &settings);
        let at = actor.model.nodes.iter().position(|known| known.name.as_deref() == Some(node)).unwrap();
        let (scaled, turned, placed) = pose.pose.model_from_node[at].to_scale_rotation_translation();
        assert!(scaled.distance(Vec3::splat(scale)) < 1.0e-4, "{clip}: scale {scaled}");
        let expected = Quat::from_rotation_z(turn_deg.to_radians());
        assert!(turned.angle_between(expected).to_degrees() < 0.02, "{clip}: turned {turned}");
        // One of the cubes stands 9 mm behind the others.
        assert!(placed.distance(Vec3::from_array(place)) < 0.01, "{clip}: at {placed}");
    }
}
