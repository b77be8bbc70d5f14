//! Stand and breathe.
//!
//! Reads: a skeleton and the `[motion.idle]` of a recipe. Writes: the pose at a share of the loop. Pure.
//!
//! Every term is a wave of a whole number of periods a loop, so that the end is the start.

use glam::DVec3;

use super::motion_spec::IdleSpec;
use super::pose::{Arm, Bend, Footing, Pose, Poser};
use super::skeleton::{Role, Side, Skeleton};
use super::trig::{pitch, roll, wave, yaw};

/// The pose at `phase`, 0 to 1, and how far the feet are out of reach.
pub(super) fn pose(skeleton: &Skeleton, spec: &IdleSpec, phase: f64) -> (Pose, f64) {
    let stance = &spec.stance;
    let breath = wave(phase * f64::from(spec.breaths) - 0.25) * 0.5 + 0.5;
    let sway = wave(phase);
    let moved = DVec3::new(
        spec.shift + spec.sway * sway,
        -stance.crouch - 0.15 * spec.breathe_deg * (1.0 - breath),
        -stance.back,
    );
    let hips = yaw(stance.hips_turn_deg) * pitch(stance.hips_lean_deg) * roll(stance.hips_tilt_deg);
    let mut poser = Poser::new(skeleton, moved, hips);
    let spine = Bend {
        pitch_deg: stance.lean_deg - spec.breathe_deg * breath,
        yaw_deg: stance.turn_deg + 0.4 * spec.look_deg * wave(phase + 0.1),
        roll_deg: stance.tilt_deg + 0.8 * spec.sway * sway,
    };
    let head = Bend {
        pitch_deg: -stance.head_up_deg + 0.7 * spec.breathe_deg * breath,
        yaw_deg: stance.head_turn_deg + spec.look_deg * wave(phase + 0.05),
        roll_deg: stance.head_tilt_deg - 0.5 * spec.sway * sway,
    };
    poser.trunk(spine, head);
    let mut out_of_reach: f64 = 0.0;
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let mut arm = Arm::of(stance, side);
        arm.out_deg += 0.8 * spec.breathe_deg * breath;
        // Arms hang a little behind the sway, not both alike.
        arm.forward_deg += sign * 0.6 * spec.breathe_deg * wave(phase - 0.12);
        arm.elbow_deg += spec.breathe_deg * breath;
        poser.arm(side, spec.shrug_deg * breath, arm, yaw(0.0));
        let foot = skeleton.at(&Role::Foot, Some(side));
        let ankle = skeleton.bones[foot].head;
        let ankle = DVec3::new(ankle.x * spec.spread, ankle.y, ankle.z + 0.5 * sign * spec.step);
        let footing = Footing { ankle, pitch_deg: 0.0 };
        out_of_reach = out_of_reach.max(poser.leg(side, footing));
    }
    poser.chains(|at| {
        yaw(spec.chain_deg * wave(phase - 0.13 * at as f64))
            * pitch(0.4 * spec.chain_deg * wave(2.0 * phase - 0.1 * at as f64))
    });
    (poser.finish(), out_of_reach)
}
