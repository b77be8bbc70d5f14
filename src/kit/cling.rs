//! Lay shapes onto a surface.
//!
//! Reads: points near a surface, the solids it is the zero of. Writes: the same points on it, or so far
//! outside, with its normals, and axes that lie in it. Pure.
//!
//! A strap drawn by hand dives into a chest and comes out again; one that is laid on cannot.

use glam::{DMat3, DVec3};

use super::field::{Placed, distance, gradient};

/// Newton's steps at most, and how far one goes: half a chest.
const STEPS: usize = 40;
const STRIDE: f64 = 3.0;

/// A point `lift` outside the surface near `point`, and the surface's normal there.
pub(super) fn laid(solids: &[Placed], point: DVec3, lift: f64) -> (DVec3, DVec3) {
    let mut at = point;
    for _ in 0..STEPS {
        let slope = gradient(solids, at);
        let step = slope * ((distance(solids, at) - lift) / slope.length_squared().max(0.05));
        at -= step.clamp_length_max(STRIDE);
        if step.length_squared() < 1e-16 {
            break;
        }
    }
    (at, gradient(solids, at).normalize_or(DVec3::Z))
}

/// +Z along a normal, +Y as near to `up` as that leaves.
pub(super) fn facing(normal: DVec3, up: DVec3) -> DMat3 {
    let x = up.cross(normal).normalize_or(DVec3::X);
    DMat3::from_cols(x, normal.cross(x), normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::field::Solid;
    use crate::kit::field::tests::alone;

    /// On a ball of radius 5 about (1, 0, 0) the nearest point to (1, 0, 9) is (1, 0, 5), half a unit
    /// outside (1, 0, 5.5); from inside, the same way out.
    #[test]
    fn points_come_to_the_surface_from_either_side() {
        let ball = Placed { origin: DVec3::X, ..alone(Solid::Ball(DVec3::splat(5.0))) }.hulled();
        for start in [9.0, 2.0] {
            let (at, normal) = laid(std::slice::from_ref(&ball), DVec3::new(1.0, 0.0, start), 0.5);
            assert!((at - DVec3::new(1.0, 0.0, 5.5)).length() < 1e-6, "{at}");
            assert!((normal - DVec3::Z).length() < 1e-6, "{normal}");
        }
    }

    #[test]
    fn a_face_looks_along_the_normal_and_stays_upright() {
        let axes = facing(DVec3::X, DVec3::new(0.3, 1.0, 0.0));
        assert!((axes.z_axis - DVec3::X).length() < 1e-12 && (axes.y_axis - DVec3::Y).length() < 1e-12);
        assert!((axes.determinant() - 1.0).abs() < 1e-12);
    }
}
