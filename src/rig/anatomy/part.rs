//! Which part of the body each joint moves.
//!
//! Reads: a live tree and the roles. Pure.
//!
//! Trunk is what is left: every joint that is no arm from the upper arm on, no leg, foot, neck or head,
//! and no side chain of the hips, such as a tail. So a cape on the chest is trunk and a shield on a hand
//! is arm.

use super::skeleton::Skeleton;
use crate::asset::Model;
use crate::base::NodeIndex;

use super::role::Role;

/// A part of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyPart {
    /// The rest, and what hangs on it: capes, packs, clavicles.
    Trunk,
    /// From the upper arm on.
    Arm,
    /// From the thigh on, feet included.
    Leg,
    /// The neck, up to the head.
    Neck,
    /// The head and all on it.
    Head,
    /// What hangs on the hips, or below them, without leading to chest or thigh: a tail.
    HipsSide,
}

/// One a node of the model, in its order.
pub(super) fn parts(skeleton: &Skeleton<'_>, role: impl Fn(Role) -> Option<NodeIndex>) -> Vec<BodyPart> {
    let model: &Model = skeleton.model;
    let mut parts = vec![BodyPart::Trunk; model.nodes.len()];
    let starts = [
        (Role::LeftShoulder, BodyPart::Arm),
        (Role::RightShoulder, BodyPart::Arm),
        (Role::LeftHand, BodyPart::Arm),
        (Role::RightHand, BodyPart::Arm),
        (Role::LeftThigh, BodyPart::Leg),
        (Role::RightThigh, BodyPart::Leg),
        (Role::LeftFoot, BodyPart::Leg),
        (Role::RightFoot, BodyPart::Leg),
        (Role::Neck, BodyPart::Neck),
        (Role::Head, BodyPart::Head),
    ];
    let trunk_line: Vec<NodeIndex> = role(Role::Chest).map_or_else(Vec::new, |chest| skeleton.upwards(chest).collect());
    for &node in &model.order {
        let parent = model.nodes[node.at()].parent;
        let inherited = parent.map_or(BodyPart::Trunk, |parent| parts[parent.at()]);
        let own = starts.iter().find(|(start, _)| role(*start) == Some(node)).map(|(_, part)| *part);
        parts[node.at()] = own.unwrap_or_else(|| {
            let beside = inherited == BodyPart::Trunk && is_beside_hips(skeleton, node, parent, &trunk_line, &role);
            if beside { BodyPart::HipsSide } else { inherited }
        });
    }
    parts
}

/// Whether a joint hangs on the hips or on what is above them in the tree, leading neither to the chest
/// nor to an arm.
fn is_beside_hips(
    skeleton: &Skeleton<'_>,
    node: NodeIndex,
    parent: Option<NodeIndex>,
    trunk_line: &[NodeIndex],
    role: &impl Fn(Role) -> Option<NodeIndex>,
) -> bool {
    let (Some(hips), Some(parent)) = (role(Role::Hips), parent) else { return false };
    let limbs = [Role::LeftShoulder, Role::RightShoulder];
    skeleton.is_joint[node.at()]
        && skeleton.is_under(hips, parent)
        && !trunk_line.contains(&node)
        && !skeleton.is_under(hips, node)
        && !limbs.iter().any(|&limb| role(limb).is_some_and(|limb| skeleton.is_under(limb, node)))
}
