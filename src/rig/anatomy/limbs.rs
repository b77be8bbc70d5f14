//! Find the two arms, the two legs and the head: the ends from which the trunk is read.
//!
//! Reads: a live tree, and what the file or the study already settles. Pure.
//!
//! What is told wins; then names, where both sides are named; then structure: a limb is one of two
//! siblings that mirror each other, legs the pair that reaches the ground, arms a pair between which
//! something goes on upwards. Names only point at a limb here: which joint of it is the shoulder, and
//! what hangs between limbs, is structure's business.

use glam::Vec3;
use indexmap::IndexMap;

use super::names::{Kind, Meaning, Side, is_small_part, meaning};
use super::role::{How, Role};
use super::skeleton::Skeleton;
use crate::base::NodeIndex;

/// Two mirrored limbs by a joint of each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    /// The left one first, where the sides are known.
    pub(super) joints: [NodeIndex; 2],
    pub(super) how: How,
    /// Whether `joints` is left, then right.
    pub(super) sided: bool,
}

/// The ends of a body.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    pub(super) arms: Option<Pair>,
    pub(super) legs: Option<Pair>,
    pub(super) head: Option<(NodeIndex, How)>,
    /// Why there are no arms, where more can be said than that none was found.
    pub(super) no_arms: Option<String>,
}

/// Roles that the file or the study settles.
pub(super) type Told = IndexMap<Role, (NodeIndex, How)>;

pub(super) fn find(skeleton: &Skeleton<'_>, told: &Told) -> Ends {
    let names: Vec<Meaning> = (0..skeleton.model.nodes.len())
        .map(|at| {
            let node = NodeIndex::new(at);
            if skeleton.is_joint[at] && skeleton.is_live(node) {
                meaning(skeleton.name(node))
            } else {
                Meaning::default()
            }
        })
        .collect();
    let named_head = told.get(&Role::Head).copied().or_else(|| named_head(skeleton, &names));
    // What mirrors itself on a face is no limb.
    let on_head = |pair: &Mirrored| named_head.is_some_and(|(head, _)| skeleton.is_under(pair.joints[0], head));
    let pairs: Vec<Mirrored> = mirrored_pairs(skeleton).into_iter().filter(|pair| !on_head(pair)).collect();
    let legs = told_pair(told, [Role::LeftThigh, Role::RightThigh])
        .or_else(|| named_pair(skeleton, &names, &[Kind::Thigh, Kind::Leg, Kind::Shin, Kind::Foot]))
        .or_else(|| legs_by_structure(skeleton, &pairs));
    let arms = told_pair(told, [Role::LeftShoulder, Role::RightShoulder])
        .or_else(|| named_pair(skeleton, &names, &[Kind::UpperArm, Kind::Shoulder, Kind::Forearm, Kind::Hand]))
        .or_else(|| arms_by_structure(skeleton, &pairs, legs.as_ref()));
    let head = named_head.or_else(|| head_by_structure(skeleton, arms.as_ref(), legs.as_ref()));
    let mut ends = Ends { arms, legs, head, no_arms: None };
    if ends.arms.is_some_and(|arms| !matches!(arms.how, How::Override | How::Data))
        && goes_on_four_legs(skeleton, &ends)
    {
        ends.arms = None;
        ends.no_arms = Some("the body goes on four legs, so it has no arms to find the chest by".to_owned());
    }
    ends
}

fn told_pair(told: &Told, roles: [Role; 2]) -> Option<Pair> {
    let (left, how) = told.get(&roles[0])?;
    let (right, _) = told.get(&roles[1])?;
    Some(Pair { joints: [*left, *right], how: *how, sided: true })
}

/// The topmost joints of the first kind that is named on both sides, or twice without a side.
fn named_pair(skeleton: &Skeleton<'_>, names: &[Meaning], kinds: &[Kind]) -> Option<Pair> {
    kinds.iter().find_map(|&kind| {
        let of = |side: Option<Side>| topmost(skeleton, names, kind, side);
        if let (Some(&left), Some(&right)) = (of(Some(Side::Left)).first(), of(Some(Side::Right)).first()) {
            return Some(Pair { joints: [left, right], how: How::Name, sided: true });
        }
        let unsided = of(None);
        let [one, other] = unsided[..] else { return None };
        Some(Pair { joints: [one, other], how: How::Name, sided: false })
    })
}

/// Live joints of a kind and side with none of the same kind and side above them; of several legs those
/// nearest to the root first, for hind legs hang off the hips, of several arms the highest.
fn topmost(skeleton: &Skeleton<'_>, names: &[Meaning], kind: Kind, side: Option<Side>) -> Vec<NodeIndex> {
    let wanted = Meaning { kind: Some(kind), side };
    let mut found: Vec<NodeIndex> = skeleton
        .live_joints()
        .filter(|&node| names[node.at()] == wanted)
        .filter(|&node| skeleton.upwards(node).skip(1).all(|above| names[above.at()] != wanted))
        .collect();
    let is_leg = matches!(kind, Kind::Thigh | Kind::Leg | Kind::Shin | Kind::Foot);
    let depth = |node: NodeIndex| if is_leg { skeleton.depth(node) } else { 0 };
    found.sort_by(|&one, &other| {
        depth(one).cmp(&depth(other)).then(skeleton.at(other).y.total_cmp(&skeleton.at(one).y))
    });
    found
}

fn named_head(skeleton: &Skeleton<'_>, names: &[Meaning]) -> Option<(NodeIndex, How)> {
    let is_head = |node: NodeIndex| names[node.at()].kind == Some(Kind::Head);
    let heads = skeleton.live_joints().filter(|&node| is_head(node));
    let topmost = heads.filter(|&node| !skeleton.upwards(node).skip(1).any(is_head));
    let heaviest =
        topmost.reduce(|most, node| if skeleton.weight[node.at()] > skeleton.weight[most.at()] { node } else { most });
    heaviest.map(|node| (node, How::Name))
}

/// Siblings that mirror each other, with how far they reach.
struct Mirrored {
    joints: [NodeIndex; 2],
    root_height: f32,
    reach: f32,
    joints_in_line: usize,
}

fn mirrored_pairs(skeleton: &Skeleton<'_>) -> Vec<Mirrored> {
    let mut pairs = Vec::new();
    for parent in skeleton.live() {
        let children: Vec<NodeIndex> = skeleton.children(parent).collect();
        for (at, &one) in children.iter().enumerate() {
            for &other in &children[at + 1..] {
                if is_mirrored(skeleton, one, other) {
                    pairs.push(Mirrored {
                        joints: [one, other],
                        root_height: f32::midpoint(skeleton.at(one).y, skeleton.at(other).y),
                        reach: f32::midpoint(reach(skeleton, one), reach(skeleton, other)),
                        joints_in_line: joints_in_line(skeleton, one).min(joints_in_line(skeleton, other)),
                    });
                }
            }
        }
    }
    pairs
}

/// Whether two subtrees look like left and right: side by side at one height, much alike in weight,
/// reach and number of joints.
fn is_mirrored(skeleton: &Skeleton<'_>, one: NodeIndex, other: NodeIndex) -> bool {
    let height = skeleton.height();
    let apart = middle(skeleton, one) - middle(skeleton, other);
    let sideways = Vec3::new(apart.x, 0.0, apart.z).length();
    let alike = |one: f32, other: f32, within: f32| one <= other * within && other <= one * within;
    let count = |node| skeleton.under(node).count() as f32;
    sideways > 0.04 * height
        && apart.y.abs() < 0.25 * sideways + 0.02 * height
        && (skeleton.at(one).y - skeleton.at(other).y).abs() < 0.1 * height
        && alike(skeleton.weight[one.at()], skeleton.weight[other.at()], 2.5)
        && alike(count(one), count(other), 1.5)
        && alike(reach(skeleton, one), reach(skeleton, other), 1.5)
}

fn middle(skeleton: &Skeleton<'_>, node: NodeIndex) -> Vec3 {
    skeleton.cloud_under[node.at()].centre().unwrap_or_else(|| skeleton.at(node))
}

/// The longest side of the box round a joint and all that hangs on it.
fn reach(skeleton: &Skeleton<'_>, node: NodeIndex) -> f32 {
    let cloud = &skeleton.cloud_under[node.at()];
    let root = skeleton.at(node);
    (cloud.greatest.max(root) - cloud.least.min(root)).max_element()
}

fn joints_in_line(skeleton: &Skeleton<'_>, node: NodeIndex) -> usize {
    let root = skeleton.depth(node);
    skeleton.under(node).map(|at| skeleton.depth(at) - root + 1).max().unwrap_or(1)
}

/// The pair that reaches the ground, of two joints or more rather than one, hung lowest.
fn legs_by_structure(skeleton: &Skeleton<'_>, pairs: &[Mirrored]) -> Option<Pair> {
    let height = skeleton.height();
    let lowest =
        |pair: &Mirrored| pair.joints.map(|node| skeleton.lowest_under(node)).into_iter().fold(f32::MIN, f32::max);
    pairs
        .iter()
        .filter(|pair| lowest(pair) - skeleton.ground() < 0.25 * height)
        .filter(|pair| pair.root_height - lowest(pair) > 0.06 * height)
        .min_by(|one, other| {
            let rank = |pair: &Mirrored| pair.joints_in_line < 2;
            rank(one).cmp(&rank(other)).then(one.root_height.total_cmp(&other.root_height))
        })
        .map(|pair| Pair { joints: pair.joints, how: How::Structure, sided: false })
}

/// The pair of the longest reach between which something goes on upwards: of a head's ears or a
/// hood's ends, nothing does.
fn arms_by_structure(skeleton: &Skeleton<'_>, pairs: &[Mirrored], legs: Option<&Pair>) -> Option<Pair> {
    let apart_from_legs = |pair: &&Mirrored| {
        legs.is_none_or(|legs| {
            let related = |leg: NodeIndex, arm: NodeIndex| skeleton.is_under(leg, arm) || skeleton.is_under(arm, leg);
            let leg_height = skeleton.at(legs.joints[0]).y.max(skeleton.at(legs.joints[1]).y);
            pair.root_height > leg_height
                && !legs.joints.iter().any(|&leg| pair.joints.iter().any(|&arm| related(leg, arm)))
        })
    };
    let goes_on = |pair: &&Mirrored| {
        let parent = skeleton.model.nodes[pair.joints[0].at()].parent;
        parent.is_some_and(|parent| {
            skeleton.children(parent).any(|child| {
                !pair.joints.contains(&child) && skeleton.cloud_under[child.at()].greatest.y > pair.root_height
            })
        })
    };
    pairs
        .iter()
        .filter(apart_from_legs)
        .filter(goes_on)
        .max_by(|one, other| one.reach.total_cmp(&other.reach))
        .map(|pair| Pair { joints: pair.joints, how: How::Structure, sided: false })
}

/// Between the arms, the branch that goes highest; in it, the last joint before it forks or thins out.
fn head_by_structure(skeleton: &Skeleton<'_>, arms: Option<&Pair>, legs: Option<&Pair>) -> Option<(NodeIndex, How)> {
    let arms = arms?;
    let meet = skeleton.meet(arms.joints[0], arms.joints[1])?;
    let limbs: Vec<NodeIndex> = arms.joints.into_iter().chain(legs.into_iter().flat_map(|legs| legs.joints)).collect();
    let top = |node: NodeIndex| skeleton.cloud_under[node.at()].greatest.y;
    let mut at = skeleton
        .children(meet)
        .filter(|&child| !limbs.iter().any(|&limb| skeleton.is_under(limb, child)))
        .filter(|&child| top(child) > skeleton.at(meet).y && !is_small_part(skeleton.name(child)))
        .max_by(|&one, &other| top(one).total_cmp(&top(other)))?;
    loop {
        let children: Vec<NodeIndex> = skeleton.children(at).collect();
        match children[..] {
            [only] if skeleton.weight[only.at()] > 0.2 * skeleton.weight[at.at()] => at = only,
            _ => return Some((at, How::Structure)),
        }
    }
}

/// Arms that reach the ground under a spine that lies more than it stands.
fn goes_on_four_legs(skeleton: &Skeleton<'_>, ends: &Ends) -> bool {
    let (Some(arms), Some(legs)) = (&ends.arms, &ends.legs) else { return false };
    let near_ground = |node: NodeIndex| skeleton.lowest_under(node) - skeleton.ground() < 0.12 * skeleton.height();
    let between = |pair: &Pair| (skeleton.at(pair.joints[0]) + skeleton.at(pair.joints[1])) / 2.0;
    let spine = between(arms) - between(legs);
    let lies = Vec3::new(spine.x, 0.0, spine.z).length() > spine.y.abs();
    lies && arms.joints.iter().all(|&arm| near_ground(arm))
}
