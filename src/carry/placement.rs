//! The six numbers that put a load on a back, and the matrix that they make in a pose.
//!
//! Reads: a placement, a torso frame, a pose. Pure.

use glam::{Mat4, Vec3};
use serde::{Serialize, Serializer};

use crate::rig::{Pose, TorsoFrame};

/// Where a load sits on one worker. Lengths are shares of H; angles are written in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Placement {
    /// Width of the load.
    pub size: f32,
    /// Of the load's origin from the chest joint, away from the back.
    pub out: f32,
    /// Of the load's origin from the chest joint, along the spine.
    pub up: f32,
    /// Of the load's origin from the chest joint, to the right.
    pub side: f32,
    /// About the torso's right; positive tips the top away from the back.
    #[serde(rename = "lean", serialize_with = "degrees")]
    pub lean_rad: f32,
    /// About the torso's up.
    #[serde(rename = "spin", serialize_with = "degrees")]
    pub spin_rad: f32,
}

fn degrees<S: Serializer>(angle_rad: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f32(angle_rad.to_degrees())
}

impl Placement {
    /// `torso_from_load`: H * (side, up, out) + Rx(lean) * Ry(spin) * s * p, about the load's own origin,
    /// with s the scale that makes a load of `load_width` as wide as `size` says.
    ///
    /// `height` is H in the model's unit; `load_width` is in the load's and greater than 0.
    pub fn torso_from_load(&self, height: f32, load_width: f32) -> Mat4 {
        let scale = self.size * height / load_width;
        Mat4::from_translation(height * Vec3::new(self.side, self.up, self.out))
            * Mat4::from_rotation_x(self.lean_rad)
            * Mat4::from_rotation_y(self.spin_rad)
            * Mat4::from_scale(Vec3::splat(scale))
    }
}

/// `model_from_load` in a pose: the load leans, twists and bobs with the chest, and scales with nothing
/// but H. See [`Placement::torso_from_load`].
pub fn model_from_load(pose: &Pose, torso: &TorsoFrame, placement: &Placement, height: f32, load_width: f32) -> Mat4 {
    torso.at(pose).model_from_torso() * placement.torso_from_load(height, load_width)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;

    const PLAIN: Placement = Placement { size: 0.3, out: 0.1, up: -0.2, side: 0.05, lean_rad: 0.0, spin_rad: 0.0 };

    fn carried(placement: Placement, point: Vec3) -> Vec3 {
        placement.torso_from_load(2.0, 0.5).transform_point3(point)
    }

    fn near(one: Vec3, other: Vec3) {
        assert!(one.distance(other) < 1e-6, "{one} is not {other}");
    }

    /// H = 2, so the origin is at (0.1, -0.4, 0.2); 0.5 wide becomes 0.3 * 2, so the scale is 1.2.
    #[test]
    fn lengths_are_shares_of_the_height() {
        near(carried(PLAIN, Vec3::ZERO), Vec3::new(0.1, -0.4, 0.2));
        near(carried(PLAIN, Vec3::new(0.25, 0.5, 1.0)), Vec3::new(0.4, 0.2, 1.4));
    }

    #[test]
    fn positive_lean_tips_the_top_away_from_the_back() {
        let leaning = Placement { lean_rad: 0.3, ..PLAIN };
        let top = carried(leaning, Vec3::Y) - carried(leaning, Vec3::ZERO);
        near(top, 1.2 * Vec3::new(0.0, 0.3_f32.cos(), 0.3_f32.sin()));
    }

    /// Spin first: x goes to -z by a quarter turn about y; then lean about x takes -z to y.
    #[test]
    fn spin_comes_before_lean() {
        let turned = Placement { lean_rad: FRAC_PI_2, spin_rad: FRAC_PI_2, ..PLAIN };
        near(carried(turned, Vec3::X) - carried(turned, Vec3::ZERO), 1.2 * Vec3::Y);
    }

    #[test]
    fn files_hold_degrees() {
        let json = serde_json::to_value(Placement { lean_rad: FRAC_PI_2, ..PLAIN }).unwrap();
        assert!((json["lean"].as_f64().unwrap() - 90.0).abs() < 1e-4);
    }
}
