//! Read the trunk between the ends: hips, lower spine, chest and neck.
//!
//! Reads: a live tree and the ends of the body. Pure.
//!
//! Arms and head meet at a lowest common joint. The neck is the first bone on the way from there to the
//! head that is a neck by name or has no arm below it; the chest is the neck's parent, or the head's
//! where there is no neck. No spine bone is ever picked by its name: on one popular export the chain
//! runs Hips, Spine02, Spine01, Spine, neck. Names only settle what structure cannot: rigs on which
//! arms or thighs hang elsewhere.

use super::limbs::{Ends, Told};
use super::names::{Kind, meaning};
use super::role::{How, Role};
use super::skeleton::Skeleton;
use crate::base::NodeIndex;

/// A joint, how it was found and what spoke for it.
pub(super) type Spoken = (NodeIndex, How, String);

/// What was found of the trunk.
#[derive(Debug, Default)]
pub(super) struct Trunk {
    pub(super) hips: Option<Spoken>,
    pub(super) lower_spine: Option<Spoken>,
    pub(super) chest: Option<Spoken>,
    pub(super) neck: Option<Spoken>,
    /// Why there is no chest.
    pub(super) no_chest: Option<String>,
}

pub(super) fn read(skeleton: &Skeleton<'_>, ends: &Ends, told: &Told) -> Trunk {
    let reader = Reader { skeleton, ends };
    let mut trunk = Trunk::default();
    let legs_meet = ends.legs.and_then(|legs| skeleton.meet(legs.joints[0], legs.joints[1]));
    let meet = reader.arms_and_head_meet();
    let told_neck = told.get(&Role::Neck).map(|&(node, how)| (node, how, "told".to_owned()));
    let spine_end = meet.or(ends.head.map(|(head, _)| head));
    trunk.hips = reader.hips(legs_meet, spine_end);
    let hips = told.get(&Role::Hips).map(|&(node, _)| node).or(trunk.hips.as_ref().map(|hips| hips.0));
    trunk.neck = told_neck.or_else(|| reader.neck(meet, legs_meet.or(hips)));
    match reader.chest(trunk.neck.as_ref(), meet) {
        Ok(chest) => trunk.chest = Some(chest),
        Err(why) => trunk.no_chest = Some(why),
    }
    let chest = told.get(&Role::Chest).map(|&(node, _)| node).or(trunk.chest.as_ref().map(|chest| chest.0));
    trunk.lower_spine = hips.zip(chest).and_then(|(hips, chest)| reader.lower_spine(hips, chest));
    trunk
}

struct Reader<'a> {
    skeleton: &'a Skeleton<'a>,
    ends: &'a Ends,
}

impl Reader<'_> {
    fn is_named(&self, node: NodeIndex, kind: Kind) -> bool {
        self.skeleton.is_joint[node.at()] && meaning(self.skeleton.name(node)).kind == Some(kind)
    }

    /// Where both arms and the head come together; without a head, both arms.
    fn arms_and_head_meet(&self) -> Option<NodeIndex> {
        let arms = self.ends.arms?;
        let between = self.skeleton.meet(arms.joints[0], arms.joints[1])?;
        match self.ends.head {
            Some((head, _)) => self.skeleton.meet(between, head),
            None => Some(between),
        }
    }

    /// Where the legs and the spine meet, unless that is no hips by name and another joint is: rigs that
    /// move the feet by themselves hang the thighs beside the hips.
    fn hips(&self, legs_meet: Option<NodeIndex>, spine_end: Option<NodeIndex>) -> Option<Spoken> {
        let structural = match (legs_meet, spine_end) {
            (Some(legs), Some(spine)) => self.skeleton.meet(legs, spine),
            (legs, _) => legs,
        };
        let structural = structural.filter(|&node| self.skeleton.is_joint[node.at()]);
        if let Some(node) = structural.filter(|&node| self.is_named(node, Kind::Hips)) {
            return Some((node, How::Structure, "thighs and spine meet there, and so says its name".to_owned()));
        }
        let named = self.skeleton.live_joints().filter(|&node| self.is_named(node, Kind::Hips));
        let towards_spine = |node: NodeIndex| spine_end.is_none_or(|end| self.skeleton.is_under(end, node));
        let named = named.filter(|&node| towards_spine(node)).last();
        if let Some(node) = named {
            let thighs = structural.map_or_else(
                || "no legs were found".to_owned(),
                |at| format!("thighs and spine meet at {}", self.skeleton.model.node_name(at)),
            );
            return Some((node, How::Name, format!("the name says hips; {thighs}")));
        }
        structural.map(|node| (node, How::Structure, "thighs and spine meet there".to_owned()))
    }

    fn neck(&self, meet: Option<NodeIndex>, hips: Option<NodeIndex>) -> Option<Spoken> {
        let head = self.ends.head.map(|(head, _)| head);
        let Some(meet) = meet else { return self.neck_by_name_alone(head) };
        let head = head?;
        let way = self.skeleton.path(meet, head);
        let elsewhere =
            !self.skeleton.is_joint[meet.at()] || hips.is_some_and(|hips| self.skeleton.is_under(hips, meet));
        if elsewhere {
            return self.neck_where_arms_hang_elsewhere(&way, head);
        }
        let (at, first) = way
            .iter()
            .copied()
            .enumerate()
            .find(|&(at, node)| self.is_named(node, Kind::Neck) || at > 0 && self.skeleton.is_joint[node.at()])?;
        if at == 0 {
            let lowest = self.lowest_neck(first);
            return Some((lowest, How::Name, "the name says neck; the arms hang below it".to_owned()));
        }
        (first != head).then(|| {
            let above = self.skeleton.model.node_name(meet);
            (first, How::Structure, format!("first joint towards the head above {above}, where the arms meet"))
        })
    }

    /// A neck above a joint that is a neck too is not the lowest.
    fn lowest_neck(&self, neck: NodeIndex) -> NodeIndex {
        self.skeleton.upwards(neck).take_while(|&at| self.is_named(at, Kind::Neck)).last().unwrap_or(neck)
    }

    fn neck_where_arms_hang_elsewhere(&self, way: &[NodeIndex], head: NodeIndex) -> Option<Spoken> {
        let beyond = &way[1..];
        if let Some(&node) = beyond.iter().find(|&&node| self.is_named(node, Kind::Neck)) {
            return Some((node, How::Name, "the name says neck; the arms hang elsewhere".to_owned()));
        }
        let arms = self.ends.arms?;
        let shoulders = f32::midpoint(self.skeleton.at(arms.joints[0]).y, self.skeleton.at(arms.joints[1]).y);
        let level = shoulders - 0.02 * self.skeleton.height();
        let &node = beyond.iter().find(|&&node| self.skeleton.at(node).y >= level)?;
        (node != head)
            .then(|| (node, How::Place, "first joint towards the head that is as high as the shoulders".to_owned()))
    }

    fn neck_by_name_alone(&self, head: Option<NodeIndex>) -> Option<Spoken> {
        let named = self.skeleton.live_joints().filter(|&node| self.is_named(node, Kind::Neck));
        let mut leading = named.filter(|&node| head.is_none_or(|head| self.skeleton.is_under(head, node)));
        leading.next().map(|node| (node, How::Name, "the name says neck; there are no arms".to_owned()))
    }

    fn chest(&self, neck: Option<&Spoken>, meet: Option<NodeIndex>) -> Result<Spoken, String> {
        if let Some(why) = &self.ends.no_arms {
            return Err(why.clone());
        }
        let head = self.ends.head.map(|(head, _)| head);
        let (of, remark) = match (neck, head) {
            (Some((neck, ..)), _) => (*neck, ""),
            (None, Some(head)) if meet.is_some() => (head, ": there is no neck"),
            _ => return self.chest_without_neck(meet),
        };
        let parent = self.skeleton.model.nodes[of.at()].parent;
        let joint = parent.filter(|&parent| self.skeleton.is_joint[parent.at()]);
        let Some(chest) = joint else {
            return Err(format!("{} hangs on no joint", self.skeleton.model.node_name(of)));
        };
        if meet.is_none() && self.spine_lies(of) {
            return Err("no arms were found, and the spine lies rather than stands".to_owned());
        }
        let name = self.skeleton.model.node_name(of);
        let how = if meet.is_some() { How::Structure } else { How::Name };
        Ok((chest, how, format!("parent of {name}{remark}")))
    }

    /// Whether what leads from the legs to a neck is more level than upright, as on four legs.
    fn spine_lies(&self, neck: NodeIndex) -> bool {
        let Some(legs) = self.ends.legs else { return false };
        let [one, other] = legs.joints.map(|joint| self.skeleton.at(joint));
        let spine = self.skeleton.at(neck) - (one + other) / 2.0;
        spine.x.hypot(spine.z) > spine.y.abs()
    }

    fn chest_without_neck(&self, meet: Option<NodeIndex>) -> Result<Spoken, String> {
        match meet.filter(|&meet| self.skeleton.is_joint[meet.at()]) {
            Some(meet) => Ok((meet, How::Structure, "the arms meet there; no head was found".to_owned())),
            None => Err("neither two arms nor a neck was found".to_owned()),
        }
    }

    /// The first joint on the way from the hips to the chest; where the chest sits on the hips, itself.
    fn lower_spine(&self, hips: NodeIndex, chest: NodeIndex) -> Option<Spoken> {
        let skeleton = self.skeleton;
        let from = skeleton.meet(hips, chest)?;
        let way = skeleton.path(from, chest);
        let first = way.into_iter().find(|&node| node != from && skeleton.is_joint[node.at()]);
        let towards = format!("first joint above the hips towards {}", skeleton.model.node_name(chest));
        Some(first.map_or_else(
            || (hips, How::Structure, "chest and hips are one joint".to_owned()),
            |node| (node, How::Structure, towards),
        ))
    }
}
