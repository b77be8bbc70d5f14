//! Walk: weight from foot to foot, arms against legs, planted feet that do not slide.
//!
//! Reads: a skeleton and the `[motion.walk]` of a recipe. Writes: the pose at a share of the cycle. Pure.
//!
//! The left heel meets the ground at phase 0, the right at 0.5. On the ground a foot moves back past the
//! body at the walking speed exactly: flat, or turning about its heel at first and its ball at last.

use glam::DVec3;

use super::motion_spec::WalkSpec;
use super::pose::{Arm, Bend, Footing, Pose, Poser};
use super::skeleton::{Role, Side, Skeleton};
use super::trig::{pitch, roll, smooth, wave, yaw};

/// Shares of the planted time in which the foot comes down on its heel, and rises on its ball.
const HEEL: f64 = 0.2;
const BALL: f64 = 0.35;

/// The pose at `phase`, 0 to 1, and how far the feet are out of reach.
///
/// `stride` is the recipe's in body space: it is a share of the finished height, so that the speed of a
/// walk in metres a second is `height_m * stride / 100 / secs` exactly.
pub(super) fn pose(skeleton: &Skeleton, spec: &WalkSpec, stride: f64, phase: f64) -> (Pose, f64) {
    let stance = &spec.stance;
    // Highest and furthest to the side in the middle of a foot's time on the ground.
    let over_left = wave(phase - 0.5 * spec.planted + 0.25);
    let rise = wave(2.0 * (phase - 0.5 * spec.planted) + 0.25);
    let ahead = if spec.travels { stride * phase } else { 0.0 };
    let moved = DVec3::new(spec.sway * over_left, spec.bob * rise - stance.crouch, -stance.back);
    // The left hip leads while the left foot is in front.
    let lead = wave(phase + 0.25);
    let hips = yaw(stance.hips_turn_deg - spec.hips_yaw_deg * lead)
        * pitch(stance.hips_lean_deg)
        * roll(stance.hips_tilt_deg + spec.hips_roll_deg * over_left);
    let mut poser = Poser::new(skeleton, moved, hips);
    let spine = Bend {
        pitch_deg: stance.lean_deg + 0.6 * spec.bob * rise,
        yaw_deg: stance.turn_deg + (spec.hips_yaw_deg + spec.shoulder_yaw_deg) * lead,
        roll_deg: stance.tilt_deg - 1.4 * spec.hips_roll_deg * over_left,
    };
    let head = Bend {
        pitch_deg: -stance.head_up_deg - 0.6 * spec.bob * rise,
        yaw_deg: stance.head_turn_deg - spec.shoulder_yaw_deg * lead,
        roll_deg: stance.head_tilt_deg + 0.4 * spec.hips_roll_deg * over_left,
    };
    poser.trunk(spine, head);
    let mut out_of_reach: f64 = 0.0;
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let mut arm = Arm::of(stance, side);
        let swing = -sign * wave(phase + 0.22);
        arm.forward_deg += spec.arm_swing_deg * swing;
        arm.elbow_deg += 0.35 * spec.arm_swing_deg * (swing + 0.4).max(0.0);
        poser.arm(side, 0.08 * spec.arm_swing_deg * swing, arm, yaw(0.6 * spec.shoulder_yaw_deg * lead));
        let own_phase = if side == Side::Left { phase } else { phase + 0.5 };
        out_of_reach =
            out_of_reach.max(poser.leg(side, footing(skeleton, spec, stride, side, own_phase.rem_euclid(1.0))));
    }
    poser.chains(|at| {
        let lag = 0.11 * at as f64;
        yaw(spec.chain_deg * wave(phase - lag)) * pitch(0.35 * spec.chain_deg * wave(2.0 * phase - lag))
    });
    let mut pose = poser.finish();
    pose.moved.z += ahead;
    (pose, out_of_reach)
}

/// Where a foot is at its own phase: down at 0, up at `planted`.
fn footing(skeleton: &Skeleton, spec: &WalkSpec, stride: f64, side: Side, phase: f64) -> Footing {
    let foot = &skeleton.bones[skeleton.at(&Role::Foot, Some(side))];
    let reach = 0.5 * stride * spec.planted;
    let (ahead, lift, pitch_deg) = if phase < spec.planted {
        let share = phase / spec.planted;
        let down = -spec.heel_deg * (1.0 - smooth(share / HEEL));
        let up = spec.toe_off_deg * smooth((share - (1.0 - BALL)) / BALL);
        (reach - stride * phase, 0.0, down + up)
    } else {
        let share = (phase - spec.planted) / (1.0 - spec.planted);
        let hump = 4.0 * share * (1.0 - share);
        let from_toe = spec.toe_off_deg * (1.0 - smooth(share / 0.6));
        let to_heel = -spec.heel_deg * smooth((share - 0.4) / 0.6);
        (swung(share, reach, stride * (1.0 - spec.planted)), spec.lift * hump * hump, from_toe + to_heel)
    };
    let flat = DVec3::new(foot.head.x * spec.track, foot.head.y + lift, foot.head.z + ahead);
    Footing { ankle: flat + roll_over(skeleton, spec, side, pitch_deg), pitch_deg }
}

/// From `-reach` to `reach` with the ground's own speed at both ends: Hermite's cubic.
fn swung(share: f64, reach: f64, ground: f64) -> f64 {
    let (t2, t3) = (share * share, share * share * share);
    let forward = -reach + 2.0 * reach * (3.0 * t2 - 2.0 * t3);
    forward - ground * (2.0 * t3 - 3.0 * t2 + share)
}

/// How far the ankle moves when the foot tips about its ball (heel up) or its heel (toes up).
fn roll_over(skeleton: &Skeleton, spec: &WalkSpec, side: Side, pitch_deg: f64) -> DVec3 {
    let foot = &skeleton.bones[skeleton.at(&Role::Foot, Some(side))];
    let out = if side == Side::Left { skeleton.toe_out_deg } else { -skeleton.toe_out_deg };
    let to_ball = foot.tail - foot.head;
    let pivot = if pitch_deg > 0.0 {
        to_ball
    } else {
        let ahead = to_ball.with_y(0.0);
        -spec.heel * ahead + DVec3::Y * -foot.head.y
    };
    let tipped = super::trig::turn(yaw(out) * DVec3::X, pitch_deg);
    pivot - tipped * pivot
}
