//! Read one limb from its root to its tip: which joint is the shoulder or thigh, which the hand or foot.
//!
//! Reads: a live tree, a joint of the limb, the joint that the limb hangs off. Pure.
//!
//! The upper of the two longest bones in a row is the upper arm or thigh; what comes before is a
//! clavicle or a hip helper. Where a name says otherwise the name settles it: rigs with two bones to the
//! upper arm have their longest bones elsewhere.

use glam::Vec3;

use super::names::{Kind, meaning};
use super::role::How;
use super::skeleton::Skeleton;
use crate::base::NodeIndex;

/// Joints of a limb are among its first few; what follows are fingers or toes.
const JOINTS_LOOKED_AT: usize = 6;

/// A joint and how it was found.
pub(super) type Found = Option<(NodeIndex, How)>;

/// One limb.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limb {
    /// Upper arm or thigh.
    pub(super) upper: Found,
    /// Hand or foot.
    pub(super) end: Found,
    /// Toes; `None` for an arm.
    pub(super) toes: Found,
}

/// An arm through `joint`, hung somewhere under `above`.
pub(super) fn arm(skeleton: &Skeleton<'_>, above: Option<NodeIndex>, joint: NodeIndex) -> Limb {
    let line = line(skeleton, above, joint);
    let upper = upper(skeleton, &line, |at| {
        named(skeleton, &line, Kind::UpperArm).or_else(|| {
            let shoulder = named(skeleton, &line, Kind::Shoulder)?;
            let after_clavicle = named(skeleton, &line, Kind::Clavicle).is_some();
            (after_clavicle || at == shoulder).then_some(shoulder)
        })
    });
    let hand = named_under(skeleton, line[0], Kind::Hand);
    Limb { upper, end: hand.or_else(|| after(&line, upper, 2)), toes: None }
}

/// A leg through `joint`, hung somewhere under `above`. Its foot may hang elsewhere: see [`loose_foot`].
pub(super) fn leg(skeleton: &Skeleton<'_>, above: Option<NodeIndex>, joint: NodeIndex) -> Limb {
    let line = line(skeleton, above, joint);
    let upper =
        upper(skeleton, &line, |_| named(skeleton, &line, Kind::Thigh).or_else(|| named(skeleton, &line, Kind::Leg)));
    let foot = named_under(skeleton, line[0], Kind::Foot);
    let toes = named_under(skeleton, line[0], Kind::Toes);
    let end = foot.or_else(|| after(&line, upper, 2));
    Limb { upper, end, toes: toes.or_else(|| after(&line, end, 1)) }
}

/// A foot by name that hangs on no leg, as on rigs where it is moved by itself; and its toes.
pub(super) fn loose_foot(skeleton: &Skeleton<'_>, leg: &mut Limb, thigh: NodeIndex) {
    let side = meaning(skeleton.name(thigh)).side;
    let named = |kind| {
        skeleton.live_joints().find(|&node| {
            let meaning = meaning(skeleton.name(node));
            meaning.kind == Some(kind) && meaning.side == side && side.is_some()
        })
    };
    leg.end = leg.end.or_else(|| named(Kind::Foot).map(|node| (node, How::Name)));
    leg.toes = leg.toes.or_else(|| named(Kind::Toes).map(|node| (node, How::Name)));
}

/// From just under `above` through `joint` and on along the child that leads furthest.
fn line(skeleton: &Skeleton<'_>, above: Option<NodeIndex>, joint: NodeIndex) -> Vec<NodeIndex> {
    let mut line: Vec<NodeIndex> = match above {
        Some(above) if skeleton.is_under(joint, above) => {
            skeleton.path(above, joint).into_iter().skip_while(|&at| at == above).collect()
        }
        _ => Vec::new(),
    };
    line.retain(|node| skeleton.is_joint[node.at()]);
    if line.last() != Some(&joint) {
        line.push(joint);
    }
    let mut at = joint;
    while let Some(next) = furthest_child(skeleton, at) {
        line.push(next);
        at = next;
    }
    line.truncate(JOINTS_LOOKED_AT + 2);
    line
}

fn furthest_child(skeleton: &Skeleton<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let length = |child: NodeIndex| {
        let from = skeleton.at(node);
        skeleton.under(child).map(|at| skeleton.at(at).distance(from)).fold(0.0, f32::max)
    };
    skeleton
        .children(node)
        .filter(|child| skeleton.is_joint[child.at()])
        .map(|child| (child, length(child)))
        .reduce(|most, next| if next.1 > most.1 { next } else { most })
        .map(|(child, _)| child)
}

/// The upper arm or thigh: by structure, unless the name settles on another.
fn upper(skeleton: &Skeleton<'_>, line: &[NodeIndex], by_name: impl Fn(NodeIndex) -> Option<NodeIndex>) -> Found {
    let structural = line[upper_of_two_longest(&points(skeleton, line))];
    match by_name(structural) {
        Some(named) if named != structural => Some((named, How::Name)),
        _ => Some((structural, How::Structure)),
    }
}

/// Joints in a row, and for a short row the tip of what the last one moves.
fn points(skeleton: &Skeleton<'_>, line: &[NodeIndex]) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = line.iter().take(JOINTS_LOOKED_AT).map(|&node| skeleton.at(node)).collect();
    if line.len() < 4
        && let [.., before, last] = points[..]
    {
        let cloud = &skeleton.cloud[line[line.len() - 1].at()];
        if cloud.count > 0 {
            // Along the bone, as far as the box of its vertices goes.
            let along = (last - before).normalize_or_zero();
            let corner = Vec3::select(along.cmpge(Vec3::ZERO), cloud.greatest, cloud.least);
            points.push(last + along * along.dot(corner - last).max(0.0));
        }
    }
    points
}

fn upper_of_two_longest(points: &[Vec3]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (at, three) in points.windows(3).enumerate() {
        let length = three[0].distance(three[1]) + three[1].distance(three[2]);
        if length > best.1 {
            best = (at, length);
        }
    }
    best.0
}

/// The first joint of the row that a name says is of this kind.
fn named(skeleton: &Skeleton<'_>, line: &[NodeIndex], kind: Kind) -> Option<NodeIndex> {
    line.iter().copied().find(|&node| meaning(skeleton.name(node)).kind == Some(kind))
}

fn named_under(skeleton: &Skeleton<'_>, root: NodeIndex, kind: Kind) -> Found {
    let mut under = skeleton.under(root).filter(|node| skeleton.is_joint[node.at()]);
    under.find(|&node| meaning(skeleton.name(node)).kind == Some(kind)).map(|node| (node, How::Name))
}

/// The joint `steps` after another in the row.
fn after(line: &[NodeIndex], from: Found, steps: usize) -> Found {
    let (from, _) = from?;
    let at = line.iter().position(|&node| node == from)?;
    line.get(at + steps).map(|&node| (node, How::Structure))
}
