//! Pose a skeleton bone by bone.
//!
//! Reads: a skeleton in its bind pose, body space. Writes: a [`Pose`]: how each bone is turned from its
//! bind pose, in body space, and how far the hips have moved. Pure.
//!
//! Bones are turned parents first; a bone that is not turned follows its parent.

use glam::{DQuat, DVec3};

use super::motion_spec::Stance;
use super::skeleton::{Role, Side, Skeleton, bent, hanging, mirrored};
use super::trig::{arc, pitch, roll, turn, unit, yaw};

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
        let fore = bent(upper, arm.elbow_deg, arm.elbow_in_deg);
        let placed = |direction: DVec3| heading * if side == Side::Left { direction } else { mirrored(direction) };
        self.aim(self.skeleton.at(&Role::UpperArm, Some(side)), placed(upper));
        self.aim(self.skeleton.at(&Role::Forearm, Some(side)), placed(fore));
        let hand = self.skeleton.at(&Role::Hand, Some(side));
        // The palm is at +x of a left hand's frame, at -x of a right's.
        self.turn(hand, turn(self.skeleton.shape_frame(hand).z_axis, -sign * arm.wrist_deg));
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
        let tipped = turn(side_axis, footing.pitch_deg);
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
    /// From forward, inward about the upper arm.
    pub elbow_in_deg: f64,
    /// Towards the palm.
    pub wrist_deg: f64,
}

impl Arm {
    /// As the stance has it on that side.
    pub(super) fn of(stance: &Stance, side: Side) -> Self {
        let left = Self {
            out_deg: stance.arm_out_deg,
            forward_deg: stance.arm_forward_deg,
            elbow_deg: stance.elbow_deg,
            elbow_in_deg: stance.elbow_in_deg,
            wrist_deg: stance.wrist_deg,
        };
        if side == Side::Left {
            return left;
        }
        let own = &stance.right;
        Self {
            out_deg: own.arm_out_deg.unwrap_or(left.out_deg),
            forward_deg: own.arm_forward_deg.unwrap_or(left.forward_deg),
            elbow_deg: own.elbow_deg.unwrap_or(left.elbow_deg),
            elbow_in_deg: own.elbow_in_deg.unwrap_or(left.elbow_in_deg),
            wrist_deg: own.wrist_deg.unwrap_or(left.wrist_deg),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// From an arm that hangs, the elbow bends along (-0.35, 0, 1) made unit, (-0.330, 0, 0.944); a quarter
    /// turn further in is (-0.944, 0, -0.330).
    #[test]
    fn an_elbow_bends_forward_or_further_in() {
        let hang = hanging(0.0, 0.0);
        let forward = bent(hang, 90.0, 0.0);
        assert!((forward - DVec3::new(-0.330_350, 0.0, 0.943_858)).length() < 1e-5, "{forward}");
        let inward = bent(hang, 90.0, 90.0);
        assert!((inward - DVec3::new(-0.943_858, 0.0, -0.330_350)).length() < 1e-5, "{inward}");
        assert!((bent(hang, 0.0, 90.0) - DVec3::NEG_Y).length() < 1e-12);
    }

    #[test]
    fn the_right_arm_takes_what_it_does_not_say_from_the_left() {
        let text = "arm_out_deg = 20\nelbow_deg = 30\nwrist_deg = 5\nright = { arm_out_deg = 50, elbow_in_deg = 40 }";
        let stance: Stance = toml::from_str(text).unwrap();
        let right = Arm::of(&stance, Side::Right);
        assert_eq!((right.out_deg, right.elbow_deg, right.elbow_in_deg, right.wrist_deg), (50.0, 30.0, 40.0, 5.0));
        assert_eq!(Arm::of(&stance, Side::Left).elbow_in_deg, 0.0);
    }
}
