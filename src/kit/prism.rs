//! Make tubes as exact prisms: coins and pegs, whose few flat faces a grid would only blur.
//!
//! Reads: placed tubes. Writes: one closed mesh each, two flat ends and a ring of sides. Pure.

use std::f64::consts::TAU;

use glam::DVec3;

use super::field::{Placed, Solid};
use super::shell::Shell;
use super::trig::sin_cos;

/// The prism of a tube; `None` where the solid is none.
pub(super) fn prism(placed: &Placed, sides: u32) -> Option<Shell> {
    let Solid::Tube { half, low, high, deep, .. } = placed.solid else { return None };
    let ring = |height: f64, radius: f64| {
        (0..sides).map(move |side| {
            let (sin, cos) = sin_cos(TAU * f64::from(side) / f64::from(sides));
            DVec3::new(radius * cos, height, radius * deep * sin)
        })
    };
    let positions: Vec<DVec3> = ring(-half, low).chain(ring(half, high)).map(|at| placed.place(at)).collect();
    let mut triangles = Vec::new();
    for side in 0..sides {
        let next = (side + 1) % sides;
        triangles.push([side, sides + side, sides + next]);
        triangles.push([side, sides + next, next]);
        if side > 0 && next > 0 {
            triangles.push([0, side, next]);
            triangles.push([sides, sides + next, sides + side]);
        }
    }
    if placed.mirror {
        triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    let normals = vec![DVec3::ZERO; positions.len()];
    Some(Shell { positions, normals, triangles })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::field::tests::alone;

    fn tube(mirror: bool) -> Placed {
        Placed {
            origin: DVec3::new(5.0, 0.0, 0.0),
            mirror,
            ..alone(Solid::Tube { half: 2.0, low: 3.0, high: 3.0, deep: 1.0, round: 0.1 })
        }
    }

    /// A hexagon of radius 3 has area 3 sqrt(3) / 2 * 9 = 23.3827; times 4 high.
    #[test]
    fn a_hexagonal_prism_has_its_volume_and_faces_outwards() {
        for mirror in [false, true] {
            let shell = prism(&tube(mirror), 6).unwrap();
            assert_eq!((shell.positions.len(), shell.triangles.len()), (12, 4 * 6 - 4));
            let volume: f64 = shell
                .triangles
                .iter()
                .map(|corners| {
                    let [a, b, c] = corners.map(|at| shell.positions[at as usize]);
                    a.cross(b).dot(c) / 6.0
                })
                .sum();
            assert!((volume - 93.530_743_6).abs() < 1e-6, "{volume}");
            let side = if mirror { -5.0 } else { 5.0 };
            assert!(shell.positions.iter().all(|at| (at.x - side).abs() < 3.1));
        }
    }
}
