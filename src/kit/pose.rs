//! Pose a skeleton bone by bone.
//!
//! Reads: a skeleton in its bind pose, body space. Writes: a [`Pose`]: how each bone is turned from its
//! bind pose, in body space, and how far the hips have moved. Pure.
//!
//! Bones are turned parents first; a bone that is not turned follows its parent.

use glam::{DQuat, DVec3};

use super::motion_spec::{ArmSpec, Stance};
use super::skeleton::{Role, Side, Skeleton, bent, hanging, mirrored};
use super::trig::{arc, pitch, roll, unit, yaw};

/// One moment of a clip.
#[derive(Debug, Clone)]
pub(super) struct Pose {
    /// Of the hips, from the bind pose.
    pub moved: DVec3,
    /// Of each bone, from the bind pose, about body axes.
    pub turned: Vec<DQuat>,
}

/// A pose in the making.
pub(super) struct Poser<'a> {
    skeleton: &'a Skeleton,
    pose: Pose,
    done: Vec<bool>,
}

/// A foot's place: its ankle, and how far its heel is lifted, degrees; negative lifts the toes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Footing {
    pub ankle: DVec3,
    pub pitch_deg: f64,
}

impl<'a> Poser<'a> {
    pub(super) fn new(skeleton: &'a Skeleton, moved: DVec3, hips: DQuat) -> Self {
        let mut done = vec![false; skeleton.bones.len()];
        let mut turned = vec![DQuat::IDENTITY; skeleton.bones.len()];
        (done[0], turned[0]) = (true, hips);
        Self { skeleton, pose: Pose { moved, turned }, done }
    }

    /// Bends the spine in equal shares, then the neck and head.
    pub(super) fn trunk(&mut self, spine: Bend, head: Bend) {
        let count = self.skeleton.spine_bones;
        for at in 0..count {
            let bone = self.skeleton.at(&Role::Spine(at), None);
            self.turn(bone, spine.share(count as f64));
        }
        for role in [Role::Neck, Role::Head] {
            self.turn(self.skeleton.at(&role, None), head.share(2.0));
        }
    }

    /// Lifts the collar, then aims upper arm and forearm; the hand follows.
    pub(super) fn arm(&mut self, side: Side, shrug_deg: f64, arm: Arm, heading: DQuat) {
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        self.turn(self.skeleton.at(&Role::Clavicle, Some(side)), roll(sign * shrug_deg));
        let upper = hanging(arm.out_deg, arm.forward_deg);
        let fore = bent(upper, arm.elbow_deg);
        let placed = |direction: DVec3| heading * if side == Side::Left { direction } else { mirrored(direction) };
        self.aim(self.skeleton.at(&Role::UpperArm, Some(side)), placed(upper));
        self.aim(self.skeleton.at(&Role::Forearm, Some(side)), placed(fore));
    }

    /// Bends hip and knee so that the ankle is where the footing has it. Gives back how far it is out
    /// of reach; 0 where it is not.
    pub(super) fn leg(&mut self, side: Side, footing: Footing) -> f64 {
        let [thigh, shin, foot, toes] =
            [Role::Thigh, Role::Shin, Role::Foot, Role::Toes].map(|role| self.skeleton.at(&role, Some(side)));
        let (upper, lower) = (self.skeleton.bones[thigh].length(), self.skeleton.bones[shin].length());
        let hip = self.joint(thigh);
        let reach = footing.ankle - hip;
        let distance = reach.length().min(0.9999 * (upper + lower)).max(1e-9);
        let along = reach.normalize_or(DVec3::NEG_Y);
        let out = if side == Side::Left { self.skeleton.toe_out_deg } else { -self.skeleton.toe_out_deg };
        let ahead = yaw(out) * DVec3::Z;
        let aside = (ahead - along * along.dot(ahead)).normalize_or(DVec3::Z);
        let share = (upper * upper - lower * lower + distance * distance) / (2.0 * distance);
        let height = (upper * upper - share * share).max(0.0).sqrt();
        let knee = along * share + aside * height;
        self.aim(thigh, knee.normalize_or(DVec3::NEG_Y));
        self.aim(shin, (along * distance - knee).normalize_or(DVec3::NEG_Y));
        let side_axis = yaw(out) * DVec3::X;
        let tipped = super::trig::turn(side_axis, footing.pitch_deg);
        self.set(foot, tipped);
        self.set(toes, if footing.pitch_deg > 0.0 { DQuat::IDENTITY } else { tipped });
        reach.length() - distance
    }

    /// Turns every chain's bones by a wave that runs down it; `sway(at)` is the turn of bone `at`.
    pub(super) fn chains(&mut self, sway: impl Fn(usize) -> DQuat) {
        for bone in 0..self.skeleton.bones.len() {
            if let Role::Chain { at, .. } = self.skeleton.bones[bone].role {
                self.turn(bone, sway(at));
            }
        }
    }

    /// The finished pose: what was not turned follows its parent.
    pub(super) fn finish(mut self) -> Pose {
        for bone in 0..self.done.len() {
            if !self.done[bone] {
                self.turn(bone, DQuat::IDENTITY);
            }
        }
        self.pose
    }

    /// Where a bone's joint is now; its ancestors must have been turned.
    fn joint(&self, bone: usize) -> DVec3 {
        joint(self.skeleton, &self.pose, bone)
    }

    /// Turns a bone within its parent's turn.
    fn turn(&mut self, bone: usize, by: DQuat) {
        let parent = self.parent_turn(bone);
        self.set(bone, parent * by);
    }

    /// Turns a bone the shortest way from where its parent carries it to a direction.
    fn aim(&mut self, bone: usize, direction: DVec3) {
        let parent = self.parent_turn(bone);
        let carried = parent * self.skeleton.bones[bone].direction();
        self.set(bone, arc(carried, direction) * parent);
    }

    fn set(&mut self, bone: usize, turned: DQuat) {
        self.pose.turned[bone] = unit(turned);
        self.done[bone] = true;
    }

    fn parent_turn(&self, bone: usize) -> DQuat {
        self.skeleton.bones[bone].parent.map_or(DQuat::IDENTITY, |parent| self.pose.turned[parent])
    }
}

/// Where a bone's joint is in a pose.
pub(super) fn joint(skeleton: &Skeleton, pose: &Pose, bone: usize) -> DVec3 {
    let own = &skeleton.bones[bone];
    match own.parent {
        None => own.head + pose.moved,
        Some(parent) => joint(skeleton, pose, parent) + pose.turned[parent] * (own.head - skeleton.bones[parent].head),
    }
}

/// An arm from straight down.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    pub out_deg: f64,
    pub forward_deg: f64,
    pub elbow_deg: f64,
}

impl Arm {
    pub(super) fn of(stance: &Stance, side: Side) -> Self {
        match stance.right {
            Some(ArmSpec { arm_out_deg, arm_forward_deg, elbow_deg }) if side == Side::Right => {
                Self { out_deg: arm_out_deg, forward_deg: arm_forward_deg, elbow_deg }
            }
            _ => Self { out_deg: stance.arm_out_deg, forward_deg: stance.arm_forward_deg, elbow_deg: stance.elbow_deg },
        }
    }
}

/// A bend that several bones share.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bend {
    pub pitch_deg: f64,
    pub yaw_deg: f64,
    pub roll_deg: f64,
}

impl Bend {
    fn share(self, count: f64) -> DQuat {
        yaw(self.yaw_deg / count) * pitch(self.pitch_deg / count) * roll(self.roll_deg / count)
    }
}
