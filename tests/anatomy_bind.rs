//! The bind pose by its definition, on skins small enough to work by hand.

#[expect(dead_code, reason = "other test files use the rest")]
mod anatomy_body;

use anatomy_body::{add_box, model, node};
use glam::{Mat4, Quat, Vec3};
use posegrid::asset::{Influences, Mesh, Model, Node, Primitive, Skin, Transform};
use posegrid::base::{MeshIndex, NodeIndex, SkinIndex};
use posegrid::rig::{bind_pose, bind_pose_noted, rest_pose};

fn at(translation: [f32; 3]) -> Transform {
    Transform::Parts { translation: translation.into(), rotation: Quat::IDENTITY, scale: Vec3::ONE }
}

fn shifted(by: [f32; 3]) -> Mat4 {
    Mat4::from_translation(Vec3::from(by))
}

/// Nodes by parent and rest translation, all of them joints with these inverse bind matrices, each with
/// weight unless its number is in `weightless`.
fn skinned(nodes: &[(Option<u32>, [f32; 3])], joint_from_bind: &[Mat4], weightless: &[usize]) -> Model {
    let mut list: Vec<Node> =
        nodes.iter().map(|(parent, place)| Node { rest: at(*place), ..node("", parent.map(NodeIndex)) }).collect();
    list.push(Node { mesh: Some(MeshIndex(0)), skin: Some(SkinIndex(0)), ..node("mesh", None) });
    let influences = Influences { offsets: vec![0], ..Influences::default() };
    let mut primitive = Primitive { influences: Some(influences), ..Primitive::default() };
    for joint in (0..joint_from_bind.len()).filter(|joint| !weightless.contains(joint)) {
        add_box(&mut primitive, Vec3::ZERO, 0.1, joint);
    }
    let skin = Skin {
        name: None,
        joints: (0..joint_from_bind.len()).map(NodeIndex::new).collect(),
        joint_from_bind: joint_from_bind.to_vec(),
    };
    model(list, vec![Mesh { name: None, primitives: vec![primitive] }], vec![skin])
}

fn places(model: &Model) -> Vec<Vec3> {
    bind_pose(model).model_from_node.iter().map(|matrix| matrix.w_axis.truncate()).collect()
}

/// Bound at heights 0, 1, 2 under a shift of +5 in x; at rest the last joint was bent down to x = 6.
/// Skinning at rest is the shift for the first two of three joints, so A is the shift: (5, 2, 0).
#[test]
fn a_joint_left_in_another_pose_goes_back_to_where_it_was_bound() {
    let inverse_binds = [shifted([0.0, 0.0, 0.0]), shifted([0.0, -1.0, 0.0]), shifted([0.0, -2.0, 0.0])];
    let model = skinned(
        &[(None, [5.0, 0.0, 0.0]), (Some(0), [0.0, 1.0, 0.0]), (Some(1), [1.0, 0.0, 0.0])],
        &inverse_binds,
        &[],
    );
    assert_eq!(rest_pose(&model).model_from_node[2].w_axis.truncate(), Vec3::new(6.0, 1.0, 0.0));
    let expected = [Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 1.0, 0.0), Vec3::new(5.0, 2.0, 0.0)];
    assert_eq!(places(&model)[..3], expected);
}

/// The majority need not hold the topmost joint: two of three share the identity, the root was moved by
/// 3 along z and its children back.
#[test]
fn what_most_joints_share_wins_over_the_topmost_joint() {
    let inverse_binds = [shifted([0.0, 0.0, 0.0]), shifted([0.0, -1.0, 0.0]), shifted([0.0, -2.0, 0.0])];
    let model = skinned(
        &[(None, [0.0, 0.0, 3.0]), (Some(0), [0.0, 1.0, -3.0]), (Some(1), [0.0, 1.0, 0.0])],
        &inverse_binds,
        &[],
    );
    assert_eq!(places(&model)[..3], [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0]);
}

/// All four skinning matrices differ: shifts by 1, 2, 3 and 4 in x. The topmost joint's is the shift by 1,
/// though it is listed last.
#[test]
fn without_a_majority_the_topmost_joint_decides() {
    let mut model = skinned(
        &[(None, [1.0, 0.0, 0.0]), (Some(0), [1.0, 1.0, 0.0]), (Some(1), [1.0, 1.0, 0.0]), (Some(2), [1.0, 1.0, 0.0])],
        &[0.0, 1.0, 2.0, 3.0].map(|y| shifted([0.0, -y, 0.0])),
        &[],
    );
    model.skins[0].joints.reverse();
    model.skins[0].joint_from_bind.reverse();
    let expected = [0.0, 1.0, 2.0, 3.0].map(|y| Vec3::new(1.0, y, 0.0));
    assert_eq!(places(&model)[..4], expected);
}

/// Two of four is no majority: "most" is more than half.
#[test]
fn half_of_the_joints_is_not_most() {
    let model = skinned(
        &[(None, [1.0, 0.0, 0.0]), (Some(0), [1.0, 0.0, 0.0]), (Some(1), [0.0; 3]), (Some(2), [5.0, 0.0, 0.0])],
        &[Mat4::IDENTITY; 4],
        &[],
    );
    assert_eq!(places(&model)[3], Vec3::X);
}

/// A hat rides the last joint: bound at (0, 2, 0), the hat 0.5 above it, whatever the rest pose was.
#[test]
fn what_is_no_joint_rides_the_nearest_one() {
    let inverse_binds = [shifted([0.0, 0.0, 0.0]), shifted([0.0, -1.0, 0.0]), shifted([0.0, -2.0, 0.0])];
    let mut model =
        skinned(&[(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0]), (Some(1), [1.0, 0.0, 0.0])], &inverse_binds, &[]);
    let mut nodes = std::mem::take(&mut model.nodes);
    nodes.iter_mut().for_each(|node| node.children.clear());
    nodes.push(Node { rest: at([0.0, 0.25, 0.0]), ..node("holder", Some(NodeIndex(2))) });
    nodes.push(Node { rest: at([0.0, 0.25, 0.0]), ..node("hat", Some(NodeIndex(4))) });
    let model = anatomy_body::model(nodes, model.meshes, model.skins);
    assert_eq!(places(&model)[5], Vec3::new(0.0, 2.5, 0.0));
}

/// Armatures at 100 times, as one common exporter writes them: joint matrices keep the scale, places do
/// not change.
#[test]
fn a_scaled_armature_keeps_its_scale() {
    let scale = Mat4::from_scale(Vec3::splat(0.01));
    let mut model = skinned(
        &[(None, [0.0; 3]), (Some(0), [0.0, 100.0, 0.0])],
        &[scale.inverse(), (shifted([0.0, 1.0, 0.0]) * scale).inverse()],
        &[],
    );
    model.nodes[0].rest = Transform::Matrix(scale);
    assert!(places(&model)[1].distance(Vec3::Y) < 1e-6);
    let bound = bind_pose(&model).model_from_node[1];
    assert!((bound.x_axis.truncate().length() - 0.01).abs() < 1e-8);
}

#[test]
fn a_matrix_that_cannot_be_inverted_leaves_its_joint_at_rest_and_is_said() {
    for bad in [
        Mat4::ZERO,
        Mat4::from_scale(Vec3::new(1.0, 1.0, 0.0)),
        Mat4::from_scale(Vec3::splat(1e-30)),
        Mat4::from_cols_array(&[f32::NAN; 16]),
    ] {
        let model = skinned(
            &[(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0]), (Some(1), [0.5, 0.0, 0.0])],
            &[Mat4::IDENTITY, shifted([0.0, -1.0, 0.0]), bad],
            &[],
        );
        let (pose, findings) = bind_pose_noted(&model);
        assert_eq!(pose.model_from_node[2].w_axis.truncate(), Vec3::new(0.5, 1.0, 0.0));
        assert_eq!(findings.len(), 1);
        assert_eq!(
            (findings[0].code, findings[0].place.as_str()),
            ("BIND_MATRIX_DEGENERATE", "body.glb/skins/0/joints/2")
        );
    }
}

#[test]
fn a_skin_of_nothing_but_bad_matrices_rests() {
    let model = skinned(&[(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0])], &[Mat4::ZERO; 2], &[]);
    assert_eq!(bind_pose(&model), rest_pose(&model));
}

/// Some exporters write the identity for joints that no vertex uses; the joint is not at the origin.
#[test]
fn a_matrix_that_was_never_written_binds_nothing() {
    let model = skinned(
        &[(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0]), (Some(1), [0.0, 1.0, 0.0])],
        &[Mat4::IDENTITY, shifted([0.0, -1.0, 0.0]), Mat4::IDENTITY],
        &[2],
    );
    assert_eq!(places(&model)[2], Vec3::new(0.0, 2.0, 0.0));
}

/// The first skin binds joint 2 at height 9 but moves nothing with it; the second, which does, binds it at
/// height 2.
#[test]
fn of_two_skins_the_one_that_puts_weight_on_a_joint_binds_it() {
    let places = [(None, [0.0; 3]), (Some(0), [0.0, 1.0, 0.0]), (Some(1), [0.0, 1.0, 0.0])];
    let heights = |last: f32| [0.0, 1.0, last].map(|y| shifted([0.0, -y, 0.0]));
    let mut model = skinned(&places, &heights(9.0), &[2]);
    let second = skinned(&places, &heights(2.0), &[]);
    model.skins.extend(second.skins);
    model.meshes.extend(second.meshes);
    let mut nodes = std::mem::take(&mut model.nodes);
    nodes.iter_mut().for_each(|node| node.children.clear());
    nodes.push(Node { mesh: Some(MeshIndex(1)), skin: Some(SkinIndex(1)), ..node("second", None) });
    let model = anatomy_body::model(nodes, model.meshes, model.skins);
    assert_eq!(bind_pose(&model).model_from_node[2].w_axis.truncate(), Vec3::Y * 2.0);
}

#[test]
fn a_model_without_skins_rests() {
    let nodes = vec![Node { rest: at([1.0, 2.0, 3.0]), ..node("crate", None) }];
    let model = model(nodes, Vec::new(), Vec::new());
    assert_eq!(bind_pose(&model), rest_pose(&model));
}
