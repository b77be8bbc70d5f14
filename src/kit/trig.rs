//! Sines, cosines and turns from `+ - * /` and square roots alone.
//!
//! The standard library's sine may differ between platforms in its last digit; these are IEEE
//! operations in a fixed order, so that a recipe gives the same bytes everywhere. Pure.

use glam::{DQuat, DVec3};

/// Half of pi in two parts: the sum is exact to beyond an `f64`.
const HALF_PI: f64 = std::f64::consts::FRAC_PI_2;
const HALF_PI_REST: f64 = 6.123_233_995_736_766e-17;

/// Sine and cosine of an angle in radians, to about 1e-14 for angles of a few turns.
///
/// Taylor's series to the 15th power over an eighth of a turn to either side.
pub(super) fn sin_cos(angle_rad: f64) -> (f64, f64) {
    let quarter = (angle_rad / HALF_PI).round();
    let rest = (angle_rad - quarter * HALF_PI) - quarter * HALF_PI_REST;
    let square = rest * rest;
    let sin =
        rest * series(square, [2.0 * 3.0, 4.0 * 5.0, 6.0 * 7.0, 8.0 * 9.0, 10.0 * 11.0, 12.0 * 13.0, 14.0 * 15.0]);
    let cos = series(square, [1.0 * 2.0, 3.0 * 4.0, 5.0 * 6.0, 7.0 * 8.0, 9.0 * 10.0, 11.0 * 12.0, 13.0 * 14.0]);
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// `1 - x/d0 (1 - x/d1 (1 - ...))`.
fn series(square: f64, divisors: [f64; 7]) -> f64 {
    divisors.iter().rev().fold(1.0, |inner, divisor| 1.0 - square / divisor * inner)
}

/// Sine of a share of a turn: `wave(0.25)` is 1.
pub(super) fn wave(turns: f64) -> f64 {
    sin_cos(turns * std::f64::consts::TAU).0
}

/// A turn about a unit axis, by the right hand.
pub(super) fn turn(axis: DVec3, angle_deg: f64) -> DQuat {
    let (sin, cos) = sin_cos(angle_deg * (std::f64::consts::PI / 360.0));
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// About +X: positive tips what stands up towards +Z.
pub(super) fn pitch(angle_deg: f64) -> DQuat {
    turn(DVec3::X, angle_deg)
}

/// About +Y: positive turns what faces +Z towards +X.
pub(super) fn yaw(angle_deg: f64) -> DQuat {
    turn(DVec3::Y, angle_deg)
}

/// About +Z: positive tips what stands up towards -X.
pub(super) fn roll(angle_deg: f64) -> DQuat {
    turn(DVec3::Z, angle_deg)
}

/// The shortest turn that takes one unit vector to another.
pub(super) fn arc(from: DVec3, to: DVec3) -> DQuat {
    let cosine = from.dot(to);
    if cosine < -0.999_999 {
        let axis = if from.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
        let side = from.cross(axis).normalize_or(DVec3::Z);
        return DQuat::from_xyzw(side.x, side.y, side.z, 0.0);
    }
    let cross = from.cross(to);
    unit(DQuat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + cosine))
}

/// The quaternion made unit length; identity for a zero one.
pub(super) fn unit(q: DQuat) -> DQuat {
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    if length > 0.0 {
        DQuat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length)
    } else {
        DQuat::IDENTITY
    }
}

/// 0 at and before 0, 1 at and after 1, flat at both ends.
pub(super) fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_agree_with_the_standard_library() {
        for step in -4000..4000 {
            let angle = f64::from(step) * 0.003;
            let (sin, cos) = sin_cos(angle);
            assert!((sin - angle.sin()).abs() < 1e-13, "sin {angle}");
            assert!((cos - angle.cos()).abs() < 1e-13, "cos {angle}");
        }
    }

    #[test]
    fn turns_follow_the_right_hand() {
        assert!((pitch(90.0) * DVec3::Y - DVec3::Z).length() < 1e-12);
        assert!((yaw(90.0) * DVec3::Z - DVec3::X).length() < 1e-12);
        assert!((roll(90.0) * DVec3::X - DVec3::Y).length() < 1e-12);
    }

    #[test]
    fn an_arc_takes_one_direction_to_the_other() {
        let from = DVec3::new(0.6, 0.8, 0.0);
        for to in [DVec3::new(0.0, -0.6, 0.8), -from, from] {
            assert!((arc(from, to) * from - to).length() < 1e-9, "{to}");
        }
    }
}
