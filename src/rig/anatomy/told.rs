//! Roles that need no finding: what VRM data and the study say.
//!
//! Reads: a model's VRM bones, the study's `roles`. Pure.

use indexmap::IndexMap;

use super::limbs::Told;
use super::role::{How, Role, listed};
use super::skeleton::Skeleton;
use crate::asset::{Humanoid, Model};
use crate::base::{Finding, NodeIndex};

/// VRM bone names of each role, the best first: the chest is the highest spine bone that the file names.
const VRM_BONES: [(Role, &[&str]); 15] = [
    (Role::Hips, &["hips"]),
    (Role::LowerSpine, &["spine"]),
    (Role::Chest, &["upperChest", "chest", "spine"]),
    (Role::Neck, &["neck"]),
    (Role::Head, &["head"]),
    (Role::LeftShoulder, &["leftUpperArm"]),
    (Role::RightShoulder, &["rightUpperArm"]),
    (Role::LeftHand, &["leftHand"]),
    (Role::RightHand, &["rightHand"]),
    (Role::LeftThigh, &["leftUpperLeg"]),
    (Role::RightThigh, &["rightUpperLeg"]),
    (Role::LeftFoot, &["leftFoot"]),
    (Role::RightFoot, &["rightFoot"]),
    (Role::LeftToes, &["leftToes"]),
    (Role::RightToes, &["rightToes"]),
];

/// What the file and the study say; the study wins.
pub(super) fn read(skeleton: &Skeleton<'_>, overrides: &IndexMap<String, String>, findings: &mut Vec<Finding>) -> Told {
    let mut told = Told::new();
    if let Some(humanoid) = &skeleton.model.humanoid {
        for (role, names) in VRM_BONES {
            if let Some(node) = names.iter().find_map(|name| vrm_bone(skeleton.model, humanoid, name)) {
                told.insert(role, (node, How::Data));
            }
        }
    }
    for (role_name, joint) in overrides {
        let place = format!("{}/roles/{role_name}", skeleton.model.path.display());
        let Some(role) = Role::from_name(role_name) else {
            findings.push(unknown_role(place, role_name));
            continue;
        };
        let place = format!("{}/roles/{}", skeleton.model.path.display(), role.name());
        match joint_by_name(skeleton, joint) {
            Some(node) => {
                told.insert(role, (node, How::Override));
            }
            None => {
                told.shift_remove(&role);
                findings.push(unknown_joint(skeleton, place, role, joint));
            }
        }
    }
    told
}

/// The VRM name that spoke for a role, for its evidence.
pub(super) fn vrm_name(model: &Model, role: Role, node: NodeIndex) -> &'static str {
    let bones = model.humanoid.as_ref().map_or(&[][..], |humanoid| &humanoid.bones);
    let names = VRM_BONES.iter().find(|(named, _)| *named == role).map_or(&[][..], |(_, names)| names);
    let spoke = |name: &&str| bones.iter().any(|(bone, at)| bone == *name && *at == node);
    names.iter().copied().find(|name| spoke(name)).unwrap_or("humanoid")
}

fn vrm_bone(model: &Model, humanoid: &Humanoid, name: &str) -> Option<NodeIndex> {
    let found = humanoid.bones.iter().find(|(bone, _)| bone == name).map(|(_, node)| *node);
    found.filter(|node| model.order.contains(node))
}

/// A node by name, or by `node 12` where it has none: a live joint before a joint before any node.
fn joint_by_name(skeleton: &Skeleton<'_>, name: &str) -> Option<NodeIndex> {
    let mut named = skeleton.model.order.iter().copied().filter(|&node| skeleton.model.node_name(node) == name);
    let rank = |node: NodeIndex| (!skeleton.is_joint[node.at()], !skeleton.is_live(node));
    let first = named.next()?;
    Some(named.fold(first, |best, node| if rank(node) < rank(best) { node } else { best }))
}

fn unknown_role(place: String, role: &str) -> Finding {
    let names: Vec<String> = Role::ALL.iter().map(|role| role.name().to_owned()).collect();
    Finding::error("ROLE_UNKNOWN", place, format!("no role is called {role}"))
        .with_hint(format!("roles are {}", listed(&names)))
}

fn unknown_joint(skeleton: &Skeleton<'_>, place: String, role: Role, joint: &str) -> Finding {
    let mut names: Vec<String> = skeleton.live_joints().map(|node| skeleton.model.node_name(node)).collect();
    let likeness = |name: &String| strsim::jaro_winkler(&name.to_lowercase(), &joint.to_lowercase());
    names.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
    Finding::error(
        "ROLE_JOINT_UNKNOWN",
        place,
        format!("no joint is called {joint}, which roles gives as {}", role.name()),
    )
    .with_hint(format!("joints that carry weight, the likest first: {}", listed(&names)))
}
