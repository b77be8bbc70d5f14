//! Rigs made by hand, each with one trap of the kind that real files hold.

mod anatomy_body;

use anatomy_body::{Joint, body, nameless, plain, turned};
use glam::Vec3;
use indexmap::IndexMap;
use posegrid::asset::{Humanoid, Model};
use posegrid::base::NodeIndex;
use posegrid::rig::{Anatomy, BodyNotes, BodyPart, FacingBy, How, Role, anatomy, anatomy_with};
use posegrid::study::Direction;

fn read(model: &Model) -> Anatomy {
    anatomy(model, &IndexMap::new())
}

fn told(model: &Model, role: &str, joint: &str) -> Anatomy {
    anatomy(model, &IndexMap::from([(role.to_owned(), joint.to_owned())]))
}

fn node(anatomy: &Anatomy, role: Role) -> Option<usize> {
    anatomy.get(role).map(NodeIndex::at)
}

/// Puts a joint above another one in the tree.
fn insert_above(joints: &mut Vec<Joint>, child: usize, name: &'static str, place: [f32; 3], half: f32) -> usize {
    joints.push((name, joints[child].1, place, half));
    joints[child].1 = Some(joints.len() - 1);
    joints.len() - 1
}

#[test]
fn spine02_is_the_small_of_the_back_and_spine_the_chest() {
    let anatomy = read(&body(&plain()));
    let chest = anatomy.found(Role::Chest).unwrap();
    assert_eq!((chest.joint.as_str(), chest.how), ("Spine", How::Structure));
    assert_eq!(anatomy.found(Role::LowerSpine).unwrap().joint, "Spine02");
    assert_eq!(anatomy.found(Role::Hips).unwrap().joint, "Hips");
    assert_eq!(anatomy.found(Role::LeftShoulder).unwrap().joint, "LeftArm");
}

#[test]
fn every_role_is_found_without_a_name() {
    let anatomy = read(&body(&nameless(plain())));
    let expected = [
        (Role::Hips, 0),
        (Role::LowerSpine, 1),
        (Role::Chest, 3),
        (Role::Neck, 4),
        (Role::Head, 5),
        (Role::LeftShoulder, 7),
        (Role::LeftHand, 9),
        (Role::RightShoulder, 11),
        (Role::RightHand, 13),
        (Role::LeftThigh, 14),
        (Role::LeftFoot, 16),
        (Role::LeftToes, 17),
        (Role::RightThigh, 18),
        (Role::RightFoot, 20),
        (Role::RightToes, 21),
    ];
    for (role, at) in expected {
        assert_eq!(node(&anatomy, role), Some(at), "{role:?}");
    }
    assert_eq!(anatomy.facing.direction, Vec3::Z);
}

#[test]
fn sides_without_names_follow_the_facing() {
    let around = turned(body(&nameless(plain())), std::f32::consts::PI);
    let anatomy = read(&around);
    assert!(anatomy.facing.direction.distance(Vec3::NEG_Z) < 1e-5);
    assert_eq!(node(&anatomy, Role::LeftShoulder), Some(7));
    assert_eq!(node(&anatomy, Role::RightThigh), Some(18));
}

#[test]
fn a_bone_called_chest_is_not_the_chest_for_its_name() {
    let mut joints = plain();
    joints[1].0 = "Chest";
    joints.push(("Chest", None, [0.0, 1.3, 0.5], 0.0));
    joints.push(("UpperChest", Some(0), [0.0, 1.4, 0.5], 0.0));
    let anatomy = read(&body(&joints));
    assert_eq!(anatomy.found(Role::Chest).unwrap().joint, "Spine");
    assert_eq!(node(&anatomy, Role::LowerSpine), Some(1));
}

#[test]
fn a_weightless_twin_of_a_limb_falls_away() {
    let mut joints = plain();
    for (name, place) in [("LeftArm", [0.2, 1.45, 0.0]), ("Head", [0.0, 1.6, 1.0]), ("Hips", [0.0, 1.0, 0.0])] {
        joints.push((name, None, place, 0.0));
    }
    let anatomy = read(&body(&joints));
    assert_eq!(node(&anatomy, Role::LeftShoulder), Some(7));
    assert_eq!(node(&anatomy, Role::Head), Some(5));
    assert_eq!(node(&anatomy, Role::Hips), Some(0));
}

#[test]
fn without_a_neck_the_chest_is_the_heads_parent() {
    let mut joints = plain();
    joints[5].1 = Some(3);
    joints.remove(4);
    for joint in &mut joints {
        joint.1 = joint.1.map(|parent| if parent > 4 { parent - 1 } else { parent });
    }
    let anatomy = read(&body(&joints));
    assert_eq!(anatomy.found(Role::Chest).unwrap().joint, "Spine");
    assert_eq!(anatomy.get(Role::Neck), None);
}

#[test]
fn of_three_necks_the_lowest_hangs_off_the_chest() {
    let mut joints = plain();
    insert_above(&mut joints, 5, "neck2", [0.0, 1.54, 0.0], 0.03);
    insert_above(&mut joints, 5, "neck3", [0.0, 1.57, 0.0], 0.03);
    let anatomy = read(&body(&joints));
    assert_eq!(node(&anatomy, Role::Neck), Some(4));
    assert_eq!(node(&anatomy, Role::Chest), Some(3));
}

#[test]
fn clavicles_on_the_neck_leave_the_neck_a_neck() {
    let mut joints = plain();
    joints[6].1 = Some(4);
    joints[10].1 = Some(4);
    let anatomy = read(&body(&joints));
    let neck = anatomy.found(Role::Neck).unwrap();
    assert_eq!((neck.joint.as_str(), neck.how), ("neck", How::Name));
    assert_eq!(node(&anatomy, Role::Chest), Some(3));
}

#[test]
fn arms_hung_from_the_pelvis_leave_the_necks_name_to_win() {
    let mut joints = plain();
    joints[6].1 = Some(0);
    joints[10].1 = Some(0);
    let named = read(&body(&joints));
    assert_eq!(node(&named, Role::Chest), Some(3));
    assert_eq!(named.found(Role::Neck).unwrap().how, How::Name);
    let anatomy = read(&body(&nameless(joints)));
    // The shoulders are at 1.45: the neck at 1.5 is the first joint as high.
    assert_eq!(node(&anatomy, Role::Neck), Some(4));
    assert_eq!(anatomy.found(Role::Neck).unwrap().how, How::Place);
    assert_eq!(node(&anatomy, Role::Chest), Some(3));
}

#[test]
fn a_spine_that_goes_on_above_the_arms_leaves_the_chest_between_them() {
    let mut joints = plain();
    joints[4].0 = "Spine3";
    let anatomy = read(&body(&joints));
    assert_eq!(node(&anatomy, Role::Chest), Some(3));
    assert_eq!(node(&anatomy, Role::Neck), Some(4));
}

#[test]
fn thighs_beside_the_hips_leave_the_hips_name_to_win() {
    let mut joints = plain();
    let body_joint = insert_above(&mut joints, 0, "Body", [0.0, 1.05, 0.0], 0.1);
    joints[14].1 = Some(body_joint);
    joints[18].1 = Some(body_joint);
    let mut anatomy = read(&body(&joints));
    let hips = anatomy.found(Role::Hips).unwrap();
    assert_eq!((hips.joint.as_str(), hips.how), ("Hips", How::Name));
    assert_eq!(anatomy.found(Role::LowerSpine).unwrap().joint, "Spine02");
    joints[0].0 = "Abdomen";
    anatomy = read(&body(&joints));
    assert_eq!(anatomy.found(Role::Hips).unwrap().joint, "Body");
}

#[test]
fn feet_that_hang_on_no_leg_are_found_by_name() {
    let mut joints = plain();
    joints[16].1 = None;
    joints[20].1 = None;
    let anatomy = read(&body(&joints));
    assert_eq!(node(&anatomy, Role::LeftFoot), Some(16));
    assert_eq!(node(&anatomy, Role::RightToes), Some(21));
    assert_eq!(anatomy.facing.by, FacingBy::Toes);
}

#[test]
fn an_upper_arm_of_two_bones_is_settled_by_its_name() {
    let mut joints = plain();
    // The second half of the upper arm is the longer: by length alone the shoulder would be there.
    joints[7].2 = [0.15, 1.45, 0.0];
    let second = insert_above(&mut joints, 8, "LeftArm2", [0.2, 1.45, 0.0], 0.03);
    let anatomy = read(&body(&joints));
    let shoulder = anatomy.found(Role::LeftShoulder).unwrap();
    assert_eq!((shoulder.joint.as_str(), shoulder.how), ("LeftArm", How::Name));
    joints[7].0 = "";
    joints[second].0 = "";
    joints[8].0 = "";
    let unnamed = read(&body(&joints));
    assert_eq!(node(&unnamed, Role::LeftShoulder), Some(second));
}

#[test]
fn four_legs_ask_for_roles_and_take_them() {
    let mut joints = plain();
    // The spine lies along +Z, the hands are on the ground.
    for (at, place) in
        [[0.0, 1.0, -0.6], [0.0, 1.0, -0.3], [0.0, 1.0, 0.0], [0.0, 1.0, 0.3], [0.0, 1.1, 0.5], [0.0, 1.2, 0.6]]
            .into_iter()
            .enumerate()
    {
        joints[at].2 = place;
    }
    for (first, side) in [(6, 1.0), (10, -1.0)] {
        for (at, y) in [1.0, 0.9, 0.5, 0.05].into_iter().enumerate() {
            joints[first + at].2 = [side * 0.15, y, 0.3];
        }
    }
    for first in [14, 18] {
        for joint in &mut joints[first..first + 4] {
            joint.2[2] -= 0.6;
        }
    }
    for joints in [joints.clone(), nameless(joints)] {
        let model = body(&joints);
        let error = read(&model).require(Role::Chest).unwrap_err();
        assert_eq!(error.code, "ROLE_NOT_FOUND");
        assert!(error.message.contains("four legs"), "{error}");
        assert!(error.hint.as_ref().unwrap().contains("roles = { chest = \"...\" }"), "{error}");
        let name = model.node_name(NodeIndex(3));
        assert_eq!(told(&model, "chest", &name).require(Role::Chest), Ok(NodeIndex(3)));
    }
}

/// Both front and hind legs are called legs: there are no arms to veto, and the neck's name alone would
/// make a chest of the withers.
#[test]
fn four_legs_that_are_all_called_legs_have_no_chest() {
    let joints: Vec<Joint> = vec![
        ("Pelvis", None, [0.0, 1.0, -0.6], 0.1),
        ("Spine", Some(0), [0.0, 1.0, 0.0], 0.1),
        ("Withers", Some(1), [0.0, 1.0, 0.5], 0.1),
        ("Neck", Some(2), [0.0, 1.2, 0.7], 0.1),
        ("Head", Some(3), [0.0, 1.4, 0.9], 0.1),
        ("FrontLeg_L", Some(2), [0.2, 0.9, 0.5], 0.05),
        ("FrontFoot_L", Some(5), [0.2, 0.1, 0.5], 0.05),
        ("FrontLeg_R", Some(2), [-0.2, 0.9, 0.5], 0.05),
        ("FrontFoot_R", Some(7), [-0.2, 0.1, 0.5], 0.05),
        ("HindLeg_L", Some(0), [0.2, 0.9, -0.6], 0.05),
        ("HindFoot_L", Some(9), [0.2, 0.1, -0.6], 0.05),
        ("HindLeg_R", Some(0), [-0.2, 0.9, -0.6], 0.05),
        ("HindFoot_R", Some(11), [-0.2, 0.1, -0.6], 0.05),
    ];
    for joints in [joints.clone(), nameless(joints)] {
        let anatomy = read(&body(&joints));
        assert_eq!(anatomy.require(Role::Chest).unwrap_err().code, "ROLE_NOT_FOUND", "{:#?}", anatomy.roles);
    }
}

/// A penguin: its wings are no arms and its neck has a name.
#[test]
fn an_upright_body_without_arms_has_a_chest_by_its_necks_name() {
    let mut joints: Vec<Joint> = plain();
    for joint in &mut joints[6..14] {
        joint.3 = 0.0;
    }
    let chest = read(&body(&joints)).found(Role::Chest).unwrap().clone();
    assert_eq!((chest.joint.as_str(), chest.how), ("Spine", How::Name));
}

#[test]
fn a_study_wins_over_vrm_and_vrm_over_structure() {
    let mut model = body(&plain());
    let bones = [("hips", 0), ("spine", 1), ("chest", 2), ("neck", 4), ("head", 5)];
    model.humanoid = Some(Humanoid {
        bones: bones.into_iter().map(|(name, at)| (name.to_owned(), NodeIndex(at))).collect(),
        faces_minus_z: false,
    });
    let chest = read(&model).found(Role::Chest).unwrap().clone();
    assert_eq!((chest.node, chest.how), (NodeIndex(2), How::Data));
    let chest = told(&model, "chest", "Spine02").found(Role::Chest).unwrap().clone();
    assert_eq!((chest.node, chest.how), (NodeIndex(1), How::Override));
}

#[test]
fn a_told_neck_moves_the_chest_with_it() {
    let anatomy = told(&body(&plain()), "neck", "Spine");
    assert_eq!(node(&anatomy, Role::Chest), Some(2));
}

#[test]
fn a_joint_that_does_not_exist_is_an_error_with_choices() {
    let anatomy = told(&body(&plain()), "chest", "spine");
    let error = anatomy.require(Role::Chest).unwrap_err();
    assert_eq!(error.code, "ROLE_JOINT_UNKNOWN");
    assert_eq!(error.place, "body.glb/roles/chest");
    let hint = error.hint.unwrap();
    assert!(hint.contains("first: Spine, "), "{hint}");
    let anatomy = told(&body(&plain()), "left_upper_arm", "nobody");
    assert_eq!(anatomy.require(Role::LeftShoulder).unwrap_err().code, "ROLE_JOINT_UNKNOWN");
    let anatomy = told(&body(&plain()), "ribcage", "Spine");
    assert_eq!(anatomy.findings[0].code, "ROLE_UNKNOWN");
    assert!(anatomy.findings[0].hint.as_ref().unwrap().contains("lower_spine"));
}

#[test]
fn a_nameless_joint_is_told_by_its_number() {
    let anatomy = told(&body(&nameless(plain())), "chest", "node 2");
    assert_eq!(anatomy.found(Role::Chest).unwrap().how, How::Override);
    assert_eq!(node(&anatomy, Role::Chest), Some(2));
}

#[test]
fn facing_asks_head_front_then_eyes_then_toes() {
    let mut joints = plain();
    joints[17].2[2] = -0.2;
    joints[21].2[2] = -0.2;
    let facing = |joints: &[Joint]| read(&body(joints)).facing;
    assert_eq!((facing(&joints).by, facing(&joints).direction), (FacingBy::Toes, Vec3::NEG_Z));
    joints.push(("Eye_L", Some(5), [-0.1, 1.65, 0.03], 0.0));
    joints.push(("Eye_R", Some(5), [-0.1, 1.65, -0.03], 0.0));
    assert_eq!((facing(&joints).by, facing(&joints).direction), (FacingBy::Eyes, Vec3::NEG_X));
    joints.push(("headfront", Some(5), [0.0, 1.7, 0.1], 0.0));
    assert_eq!((facing(&joints).by, facing(&joints).direction), (FacingBy::HeadFront, Vec3::Z));
    let notes = BodyNotes { forward: Some(Direction::PlusX), ..BodyNotes::default() };
    let told = anatomy_with(&body(&joints), &notes).facing;
    assert_eq!((told.by, told.direction), (FacingBy::Override, Vec3::X));
}

#[test]
fn without_toes_the_vertices_of_the_feet_tell() {
    let mut joints = plain();
    // Toes that are no joints of their own: their boxes hang on the feet.
    joints[17].0 = "LeftFoot_end";
    joints[21].0 = "RightFoot_end";
    let mut model = body(&joints);
    let influences = model.meshes[0].primitives[0].influences.as_mut().unwrap();
    for joint in &mut influences.joints {
        if joint.0 == 17 || joint.0 == 21 {
            joint.0 -= 1;
        }
    }
    let facing = read(&model).facing;
    assert_eq!((facing.by, facing.direction), (FacingBy::Feet, Vec3::Z));
}

#[test]
fn with_nothing_to_tell_plus_z_is_assumed_and_said() {
    let joints: Vec<Joint> = plain()
        .into_iter()
        .enumerate()
        .map(|(at, joint)| if at >= 14 { (joint.0, joint.1, [joint.2[0], joint.2[1], 0.0], joint.3) } else { joint })
        .collect();
    let anatomy = read(&body(&joints));
    assert_eq!((anatomy.facing.by, anatomy.facing.direction), (FacingBy::Assumed, Vec3::Z));
    let warning = anatomy.findings.iter().find(|finding| finding.code == "FACING_ASSUMED").unwrap();
    assert!(warning.hint.as_ref().unwrap().contains("forward = "));
}

#[test]
fn a_body_turned_in_its_file_is_read_alike() {
    let by = 37.0_f32.to_radians();
    let anatomy = read(&turned(body(&nameless(plain())), by));
    let expected = Vec3::new(by.sin(), 0.0, by.cos());
    assert!(anatomy.facing.direction.distance(expected) < 1e-4, "{:?}", anatomy.facing);
    assert_eq!(node(&anatomy, Role::Chest), Some(3));
    assert_eq!(node(&anatomy, Role::LeftShoulder), Some(7));
}

#[test]
fn a_file_with_z_up_is_read_once_the_study_says_so() {
    let lying: Vec<Joint> =
        nameless(plain()).into_iter().map(|(name, parent, [x, y, z], half)| (name, parent, [x, -z, y], half)).collect();
    let model = body(&lying);
    let notes = BodyNotes { up: Some(Direction::PlusZ), ..BodyNotes::default() };
    let anatomy = anatomy_with(&model, &notes);
    assert_eq!(node(&anatomy, Role::Chest), Some(3));
    assert!(anatomy.facing.direction.distance(Vec3::NEG_Y) < 1e-5, "{:?}", anatomy.facing);
    let named: Vec<Joint> =
        plain().into_iter().map(|(name, parent, [x, y, z], half)| (name, parent, [x, -z, y], half)).collect();
    let doubt = read(&body(&named)).findings.into_iter().find(|finding| finding.code == "UP_UNLIKELY").unwrap();
    assert!(doubt.hint.unwrap().contains("up = \"+z\""));
}

#[test]
fn parts_of_the_body_follow_the_roles() {
    let mut joints = plain();
    joints.push(("Tail", Some(0), [0.0, 0.9, -0.2], 0.05));
    joints.push(("Cape", Some(3), [0.0, 1.3, -0.1], 0.05));
    joints.push(("Shield", Some(9), [0.8, 1.45, 0.0], 0.05));
    joints.push(("Hair", Some(5), [0.0, 1.5, -0.1], 0.05));
    let anatomy = read(&body(&joints));
    let expected = [
        (0, BodyPart::Trunk),
        (3, BodyPart::Trunk),
        (4, BodyPart::Neck),
        (5, BodyPart::Head),
        (6, BodyPart::Trunk),
        (7, BodyPart::Arm),
        (13, BodyPart::Arm),
        (14, BodyPart::Leg),
        (21, BodyPart::Leg),
        (22, BodyPart::HipsSide),
        (23, BodyPart::Trunk),
        (24, BodyPart::Arm),
        (25, BodyPart::Head),
    ];
    for (at, part) in expected {
        assert_eq!(anatomy.part(NodeIndex(at)), part, "{}", joints[at as usize].0);
    }
}

#[test]
fn roles_print_as_json_with_their_evidence() {
    let json = serde_json::to_value(read(&body(&plain()))).unwrap();
    assert_eq!(json["roles"][2]["role"], "chest");
    assert_eq!(json["roles"][2]["joint"], "Spine");
    assert_eq!(json["roles"][2]["how"], "structure");
    assert_eq!(json["facing"]["direction"], serde_json::json!([0.0, 0.0, 1.0]));
}
