//! The torso frame and the stage, on a body whose numbers are known.

#[expect(dead_code, reason = "other test files use the rest")]
mod anatomy_body;

use anatomy_body::{Joint, body, plain, turned};
use glam::{Mat4, Quat, Vec3};
use indexmap::IndexMap;
use posegrid::asset::{Model, Transform};
use posegrid::base::NodeIndex;
use posegrid::rig::{BodyNotes, Role, TorsoFrame, anatomy, anatomy_with, bind_pose, skin, stage_from_model};
use posegrid::study::Direction;

const CHEST: usize = 3;

fn frame(model: &Model) -> TorsoFrame {
    TorsoFrame::new(&anatomy(model, &IndexMap::new()), &bind_pose(model)).expect("the body has a chest")
}

fn near(one: Vec3, other: Vec3) {
    assert!(one.distance(other) < 1e-5, "{one} is not {other}");
}

/// Facing +Z and upright: right is -X, up +Y, out -Z.
fn assert_plain(rotation: Quat) {
    near(rotation * Vec3::X, Vec3::NEG_X);
    near(rotation * Vec3::Y, Vec3::Y);
    near(rotation * Vec3::Z, Vec3::NEG_Z);
}

#[test]
fn out_of_an_upright_body_is_straight_behind_it() {
    let model = body(&plain());
    let torso = frame(&model).at(&bind_pose(&model));
    near(torso.origin, Vec3::new(0.0, 1.35, 0.0));
    assert_plain(torso.rotation);
    near(torso.torso_from_model(Vec3::new(0.0, 1.45, -0.3)), Vec3::new(0.0, 0.1, 0.3));
}

/// The neck 0.4 up and 0.3 ahead of the lower spine: up is (0, 4, 3) / 5, and out, across it and the
/// shoulders' line, (0, 3, -4) / 5.
#[test]
fn a_hunched_back_tilts_up_and_out_together() {
    let mut joints = plain();
    joints[4].2 = [0.0, 1.5, 0.3];
    let model = body(&joints);
    let rotation = frame(&model).at(&bind_pose(&model)).rotation;
    near(rotation * Vec3::Y, Vec3::new(0.0, 0.8, 0.6));
    near(rotation * Vec3::Z, Vec3::new(0.0, 0.6, -0.8));
    near(rotation * Vec3::X, Vec3::NEG_X);
}

#[test]
fn the_frame_turns_with_the_live_chest_and_with_nothing_else() {
    let model = body(&plain());
    let torso = frame(&model);
    let bow = Mat4::from_rotation_x(0.5) * Mat4::from_rotation_z(0.2);
    let mut pose = bind_pose(&model);
    let at_rest = torso.at(&pose).rotation;
    for (at, matrix) in pose.model_from_node.iter_mut().enumerate() {
        *matrix = if at == CHEST { Mat4::from_translation(Vec3::X) * bow * *matrix } else { Mat4::ZERO };
    }
    let live = torso.at(&pose);
    let expected = Quat::from_mat4(&bow) * at_rest;
    for axis in Vec3::AXES {
        near(live.rotation * axis, expected * axis);
    }
    near(live.origin, Vec3::X + bow.transform_point3(Vec3::new(0.0, 1.35, 0.0)));
}

/// Bone axes differ between rigs, and matrices carry scale, shear and mirroring: none of it may show.
#[test]
fn the_chests_own_axes_and_scale_do_not_matter() {
    let odd = [
        Mat4::from_rotation_x(1.0) * Mat4::from_rotation_y(2.0),
        Mat4::from_scale(Vec3::splat(100.0)),
        Mat4::from_scale(Vec3::splat(0.001)) * Mat4::from_rotation_z(0.7),
        Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)) * Mat4::from_rotation_x(0.4),
        Mat4::from_scale(Vec3::new(2.0, 0.5, 1.0)) * Mat4::from_rotation_y(0.6),
    ];
    let bow = Mat4::from_rotation_x(0.5) * Mat4::from_rotation_y(-0.9);
    for own in odd {
        let model = body(&plain());
        let mut bind = bind_pose(&model);
        bind.model_from_node[CHEST] *= own;
        let torso = TorsoFrame::new(&anatomy(&model, &IndexMap::new()), &bind).unwrap();
        assert_plain(torso.at(&bind).rotation);
        let mut live = bind.clone();
        live.model_from_node[CHEST] = bow * bind.model_from_node[CHEST];
        near(torso.at(&live).rotation * Vec3::Z, bow.transform_vector3(Vec3::NEG_Z));
        near(torso.at(&live).rotation * Vec3::Y, bow.transform_vector3(Vec3::Y));
    }
}

/// Half a turn about the vertical axis swaps the ends of the shoulders' line, not the names on them: here
/// the names are swapped and the face stays.
#[test]
fn a_rig_with_swapped_sides_still_gets_its_load_on_the_back() {
    let mut joints = plain();
    for joint in &mut joints {
        joint.2[0] = -joint.2[0];
    }
    let model = body(&joints);
    let torso = frame(&model);
    assert!(torso.mirrored);
    assert_plain(torso.at(&bind_pose(&model)).rotation);
    assert!(!frame(&body(&plain())).mirrored);
}

#[test]
fn a_chest_given_by_hand_is_enough_for_a_frame() {
    // A loaf on four stumps: no arms, no head, no neck.
    let joints: Vec<Joint> = vec![("base", None, [0.0, 0.5, 0.0], 0.2), ("middle", Some(0), [0.0, 0.8, 0.0], 0.2)];
    let model = body(&joints);
    let notes = BodyNotes {
        roles: IndexMap::from([("chest".to_owned(), "middle".to_owned())]),
        forward: Some(Direction::MinusX),
        up: None,
    };
    let torso = TorsoFrame::new(&anatomy_with(&model, &notes), &bind_pose(&model)).unwrap();
    near(torso.at(&bind_pose(&model)).rotation * Vec3::Z, Vec3::X);
    assert_eq!(torso.findings.len(), 2);
    let error = TorsoFrame::new(&anatomy(&model, &IndexMap::new()), &bind_pose(&model)).unwrap_err();
    assert_eq!(error.code, "ROLE_NOT_FOUND");
}

#[test]
fn a_flattened_or_broken_chest_gives_no_nan() {
    let model = body(&plain());
    let bind = bind_pose(&model);
    let torso = frame(&model);
    for bad in [Mat4::ZERO, Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)), Mat4::from_cols_array(&[f32::NAN; 16])] {
        let mut live = bind.clone();
        live.model_from_node[CHEST] = bad;
        assert!(torso.at(&live).rotation.is_finite());
    }
}

/// The plain body spans y from 0 (toes at 0.03 less 0.03) to 1.72 (head at 1.6 plus 0.12). Shifted by
/// (2, 1, 3), turned to face +X and told to be 3.44 m: doubled, turned back, feet to y = 0, hips to the axis.
#[test]
fn the_stage_puts_feet_down_hips_over_the_origin_and_the_face_to_plus_z() {
    let mut joints = plain();
    for joint in &mut joints {
        joint.2 = [joint.2[0] + 2.0, joint.2[1] + 1.0, joint.2[2] + 3.0];
    }
    let model = turned(body(&joints), std::f32::consts::FRAC_PI_2);
    let anatomy = anatomy(&model, &IndexMap::new());
    near(anatomy.facing.direction, Vec3::X);
    let bind = bind_pose(&model);
    let placed = stage_from_model(&anatomy, &bind, &skin(&model, &bind), Some(3.44));
    assert!((placed.height_in_model - 1.72).abs() < 1e-5);
    assert!((placed.metres_a_unit - 2.0).abs() < 1e-5);
    let on_stage = |role: Role| {
        let joint = bind.model_from_node[anatomy.get(role).unwrap().at()];
        placed.stage_from_model.transform_point3(joint.w_axis.truncate())
    };
    near(on_stage(Role::Hips), Vec3::new(0.0, 2.0, 0.0));
    near(on_stage(Role::LeftShoulder), Vec3::new(0.4, 2.9, 0.0));
    near(on_stage(Role::RightToes), Vec3::new(-0.2, 0.06, 0.24));
}

#[test]
fn a_body_without_joints_stands_by_the_middle_of_its_box() {
    let mut model = body(&[("", None, [4.0, 7.0, -2.0], 1.0)]);
    model.skins.clear();
    model.meshes[0].primitives[0].influences = None;
    model.nodes[1].skin = None;
    model.nodes[0].rest = Transform::IDENTITY;
    let bind = bind_pose(&model);
    let placed = stage_from_model(&anatomy(&model, &IndexMap::new()), &bind, &skin(&model, &bind), None);
    near(placed.stage_from_model.transform_point3(Vec3::new(4.0, 6.0, -2.0)), Vec3::ZERO);
    assert_eq!(placed.height_m, 2.0);
}

#[test]
fn heights_outside_those_of_characters_ask_for_height_m() {
    let height = |scale: f32| {
        let joints: Vec<Joint> = plain()
            .into_iter()
            .map(|(name, parent, place, half)| (name, parent, place.map(|x| x * scale), half * scale))
            .collect();
        let model = body(&joints);
        let bind = bind_pose(&model);
        stage_from_model(&anatomy(&model, &IndexMap::new()), &bind, &skin(&model, &bind), None).findings
    };
    assert!(height(1.0).is_empty());
    assert!(height(0.2).is_empty(), "0.344 m is a goblin");
    for (scale, line) in [(100.0, "height_m = 1.72"), (0.01, "height_m = 1.72"), (3.0, "height_m = 1.80")] {
        let findings = height(scale);
        assert_eq!(findings[0].code, "HEIGHT_UNLIKELY");
        assert!(findings[0].hint.as_ref().unwrap().contains(line), "{findings:?}");
    }
}

#[test]
fn a_model_that_draws_nothing_is_an_error_and_no_nan() {
    let mut model = body(&plain());
    model.nodes[22].mesh = None;
    let bind = bind_pose(&model);
    let placed = stage_from_model(&anatomy(&model, &IndexMap::new()), &bind, &skin(&model, &bind), Some(1.8));
    assert_eq!(placed.findings[0].code, "NOTHING_DRAWN");
    assert!(placed.stage_from_model.is_finite());
    assert_eq!(model.nodes[CHEST].parent, Some(NodeIndex(2)));
}
