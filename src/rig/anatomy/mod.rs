//! Tell which bone is what, which way a body faces and how a load's frame hangs on its chest.
//!
//! Reads: a model, and what a study says of it. Gives: an [`Anatomy`]. Pure.
//!
//! In order of trust: the study, VRM data, structure, names, place. Only joints that carry weight count,
//! rigid meshes that ride a joint included. All of it is read off the bind pose, never off a live one.

mod chain;
mod facing;
mod limbs;
mod names;
mod part;
mod role;
mod skeleton;
mod stage_place;
mod told;
mod torso;
mod trunk;

use glam::{Quat, Vec3};
use indexmap::IndexMap;

use crate::asset::Model;
use crate::base::{Finding, NodeIndex};
use crate::study::Direction;
use chain::Limb;
use limbs::{Ends, Pair, Told};
use skeleton::Skeleton;

pub use facing::{Facing, FacingBy};
pub use part::BodyPart;
pub use role::{Anatomy, FoundRole, How, Role};
pub use stage_place::{StagePlacement, stage_from_model};
pub use torso::{TorsoFrame, TorsoPlace};

/// What a study says of a body.
#[derive(Debug, Clone, Default)]
pub struct BodyNotes {
    /// Role name to joint name; wins over what is found.
    pub roles: IndexMap<String, String>,
    /// Which way the file faces.
    pub forward: Option<Direction>,
    /// Which way is up in the file.
    pub up: Option<Direction>,
}

/// Which bone of `model` is what, with the study's `roles` and nothing else said.
pub fn anatomy(model: &Model, roles: &IndexMap<String, String>) -> Anatomy {
    anatomy_with(model, &BodyNotes { roles: roles.clone(), ..BodyNotes::default() })
}

/// Which bone of `model` is what, and which way it faces.
///
/// A role that cannot be found is no fault until someone asks for it: see [`Anatomy::require`].
pub fn anatomy_with(model: &Model, notes: &BodyNotes) -> Anatomy {
    let up = notes.up.map_or(Vec3::Y, facing::axis);
    let skeleton = Skeleton::new(model, up);
    let mut findings = Vec::new();
    let told = told::read(&skeleton, &notes.roles, &mut findings);
    let ends = limbs::find(&skeleton, &told);
    let trunk = trunk::read(&skeleton, &ends, &told);
    let mut roles = Roles::default();
    roles.put_trunk(trunk);
    let limbs = Limbs::read(&skeleton, &ends);
    let clues = roles.clues(&skeleton, &ends, &limbs, &told);
    let facing = facing::find(&skeleton, notes.forward, &clues);
    roles.put_limbs(&skeleton, &ends, &limbs, facing.direction);
    roles.put_told(model, &told);
    roles.drop_wrongly_told(model, &findings);
    let node_of = |role: Role| roles.found.get(&role).map(|found| found.0);
    let parts = part::parts(&skeleton, node_of);
    findings.extend(doubts(&skeleton, &facing, node_of));
    Anatomy {
        facing: Facing { direction: skeleton.body_from_model.inverse() * facing.direction, ..facing },
        up,
        roles: roles.listed(model),
        missing: roles.missing,
        findings,
        joints: skeleton.live_joints().map(|node| model.node_name(node)).collect(),
        place: model.path.display().to_string(),
        parts,
    }
}

/// Both limbs of each pair, in the order of the pair's joints.
#[derive(Default)]
struct Limbs {
    arms: [Limb; 2],
    legs: [Limb; 2],
}

impl Limbs {
    fn read(skeleton: &Skeleton<'_>, ends: &Ends) -> Self {
        let mut limbs = Self::default();
        if let Some(arms) = &ends.arms {
            let above = skeleton.meet(arms.joints[0], arms.joints[1]);
            limbs.arms = arms.joints.map(|joint| chain::arm(skeleton, above, joint));
        }
        if let Some(legs) = &ends.legs {
            let above = skeleton.meet(legs.joints[0], legs.joints[1]);
            limbs.legs = legs.joints.map(|joint| {
                let mut leg = chain::leg(skeleton, above, joint);
                chain::loose_foot(skeleton, &mut leg, joint);
                leg
            });
        }
        limbs
    }
}

/// Roles while they are gathered.
#[derive(Default)]
struct Roles {
    found: IndexMap<Role, (NodeIndex, How, String)>,
    missing: IndexMap<Role, String>,
}

impl Roles {
    fn put(&mut self, role: Role, found: Option<(NodeIndex, How, String)>) {
        if let Some(found) = found {
            self.found.insert(role, found);
        }
    }

    fn put_trunk(&mut self, trunk: trunk::Trunk) {
        self.put(Role::Hips, trunk.hips);
        self.put(Role::LowerSpine, trunk.lower_spine);
        self.put(Role::Chest, trunk.chest);
        self.put(Role::Neck, trunk.neck);
        if let Some(why) = trunk.no_chest {
            self.missing.insert(Role::Chest, why);
        }
    }

    /// Puts the head, and gathers what may tell the facing.
    fn clues(&mut self, skeleton: &Skeleton<'_>, ends: &Ends, limbs: &Limbs, told: &Told) -> facing::Clues {
        let evidence = |how| match how {
            How::Structure => "where the branch between the arms forks or ends",
            _ => "the name says head",
        };
        self.put(Role::Head, ends.head.map(|(node, how)| (node, how, evidence(how).to_owned())));
        let head = ends.head.map(|(head, _)| head);
        let named_front = |node: &NodeIndex| {
            skeleton.is_joint[node.at()]
                && names::meaning(skeleton.name(*node)).kind == Some(names::Kind::HeadFront)
                && head.is_some_and(|head| skeleton.is_under(*node, head))
        };
        let front = skeleton.model.order.iter().copied().find(named_front);
        self.put(Role::HeadFront, front.map(|node| (node, How::Name, "the name says head front".to_owned())));
        let told_or =
            |role: Role, found: chain::Found| told.get(&role).map(|&(node, _)| node).or(found.map(|(node, _)| node));
        let sides = [0, 1];
        let sided = ends.legs.is_some_and(|legs| legs.sided);
        let of = |side: usize, roles: [Role; 2], found: chain::Found| {
            if sided || ends.legs.is_none() { told_or(roles[side], found) } else { found.map(|(node, _)| node) }
        };
        facing::Clues {
            head,
            head_front: told_or(Role::HeadFront, front.map(|node| (node, How::Name))),
            feet: sides.map(|side| of(side, [Role::LeftFoot, Role::RightFoot], limbs.legs[side].end)),
            toes: sides.map(|side| of(side, [Role::LeftToes, Role::RightToes], limbs.legs[side].toes)),
            faces_minus_z: skeleton.model.humanoid.as_ref().map(|humanoid| humanoid.faces_minus_z),
        }
    }

    fn put_limbs(&mut self, skeleton: &Skeleton<'_>, ends: &Ends, limbs: &Limbs, facing: Vec3) {
        let arms = [[Role::LeftShoulder, Role::RightShoulder], [Role::LeftHand, Role::RightHand]];
        let legs = [[Role::LeftThigh, Role::RightThigh], [Role::LeftFoot, Role::RightFoot]];
        for (pair, limbs, roles) in [(&ends.arms, &limbs.arms, arms), (&ends.legs, &limbs.legs, legs)] {
            let Some(pair) = pair else { continue };
            let order = left_then_right(skeleton, pair, limbs, facing);
            let sides = if pair.sided { "side by name" } else { "side by place" };
            for (side, at) in order.into_iter().enumerate() {
                let limb = &limbs[at];
                let upper = "upper of the limb's two longest bones";
                self.put(roles[0][side], limb.upper.map(|found| said(found, upper, sides, pair)));
                self.put(roles[1][side], limb.end.map(|found| said(found, "two joints further", sides, pair)));
                let toes = [Role::LeftToes, Role::RightToes][side];
                self.put(toes, limb.toes.map(|found| said(found, "next after the foot", sides, pair)));
            }
        }
        if let Some(why) = &ends.no_arms {
            self.missing.insert(Role::LeftShoulder, why.clone());
            self.missing.insert(Role::RightShoulder, why.clone());
        }
    }

    fn put_told(&mut self, model: &Model, told: &Told) {
        for (&role, &(node, how)) in told {
            let evidence = match how {
                How::Override => "the study says so".to_owned(),
                _ => format!("VRM bone {}", told::vrm_name(model, role, node)),
            };
            self.put(role, Some((node, how, evidence)));
            self.missing.shift_remove(&role);
        }
    }

    /// A role that the study gives wrongly is not found at all: what it meant is not ours to guess.
    fn drop_wrongly_told(&mut self, model: &Model, findings: &[Finding]) {
        for role in Role::ALL {
            let place = format!("{}/roles/{}", model.path.display(), role.name());
            if findings.iter().any(|finding| finding.place == place) {
                self.found.shift_remove(&role);
            }
        }
    }

    fn listed(&self, model: &Model) -> Vec<FoundRole> {
        let found = |role: Role| {
            let (node, how, evidence) = self.found.get(&role)?;
            let joint = model.node_name(*node);
            Some(FoundRole { role, node: *node, joint, how: *how, evidence: evidence.clone() })
        };
        Role::ALL.into_iter().filter_map(found).collect()
    }
}

fn said((node, how): (NodeIndex, How), by_structure: &str, sides: &str, pair: &Pair) -> (NodeIndex, How, String) {
    let limb = match pair.how {
        How::Override | How::Data => "limb as told",
        How::Name => "limb by name",
        How::Structure | How::Place => "limb by its mirrored twin",
    };
    let joint = if how == How::Name { "the name says so" } else { by_structure };
    (node, how, format!("{joint}; {limb}, {sides}"))
}

/// Positions in a pair: the left one first. Without names the left is where it has to be under a body
/// that faces so.
fn left_then_right(skeleton: &Skeleton<'_>, pair: &Pair, limbs: &[Limb; 2], facing: Vec3) -> [usize; 2] {
    if pair.sided {
        return [0, 1];
    }
    let left = Vec3::Y.cross(facing);
    let place = |at: usize| {
        let joint = limbs[at].upper.map_or(pair.joints[at], |(node, _)| node);
        let end = limbs[at].end.map_or(joint, |(node, _)| node);
        (skeleton.at(joint) + skeleton.at(end)).dot(left)
    };
    if place(0) >= place(1) { [0, 1] } else { [1, 0] }
}

/// What looks odd about a body once its roles are known.
fn doubts(skeleton: &Skeleton<'_>, facing: &Facing, node_of: impl Fn(Role) -> Option<NodeIndex>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let path = skeleton.model.path.display();
    let at = |role: Role| node_of(role).map(|node| skeleton.at(node));
    let has_body = node_of(Role::Head).is_some() || node_of(Role::Chest).is_some();
    if facing.by == FacingBy::Assumed && has_body {
        let finding = Finding::warning("FACING_ASSUMED", format!("{path}"), facing.evidence.clone());
        findings.push(finding.with_hint("say which way the file faces: forward = \"+z\""));
    }
    if let (Some(hips), Some(top)) = (at(Role::Hips), at(Role::Neck).or(at(Role::Head))) {
        let spine = (top - hips).normalize_or(Vec3::Y);
        if spine.y < 0.5 && node_of(Role::Chest).is_some() {
            let in_model = skeleton.body_from_model.inverse() * spine;
            let message = format!("the spine does not point up: it runs along {}", axis_name(in_model));
            let hint = format!("if the file's up is another axis: up = \"{}\"", axis_name(in_model));
            findings.push(Finding::warning("UP_UNLIKELY", format!("{path}"), message).with_hint(hint));
        }
    }
    if let (Some(left), Some(right)) = (at(Role::LeftShoulder), at(Role::RightShoulder)) {
        let across = Vec3::new(right.x - left.x, 0.0, right.z - left.z).normalize_or_zero();
        if across.dot(facing.direction).abs() > 0.5 {
            let message = format!("facing ({}) and the line of the shoulders do not agree", facing.evidence);
            let finding = Finding::warning("FACING_UNSURE", format!("{path}"), message);
            findings.push(finding.with_hint("say which way the file faces: forward = \"+z\""));
        }
    }
    findings
}

/// The axis of the file nearest to a direction, as a study writes it.
fn axis_name(direction: Vec3) -> &'static str {
    let size = direction.abs();
    let names = if size.x >= size.y.max(size.z) {
        (direction.x, ["+x", "-x"])
    } else if size.y >= size.z {
        (direction.y, ["+y", "-y"])
    } else {
        (direction.z, ["+z", "-z"])
    };
    names.1[usize::from(names.0 < 0.0)]
}

/// Turns model space so that `up` is +Y.
fn body_from_model(up: Vec3) -> Quat {
    Quat::from_rotation_arc(up, Vec3::Y)
}
