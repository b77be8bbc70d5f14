//! Part a mesh's vertices along hard edges, so that each side is lit as the flat face it is.
//!
//! Reads: a closed mesh with one vertex a place. Writes: the same triangles with several vertices at one place where
//! faces meet at more than an angle. Pure.

use glam::DVec3;

use super::shell::Shell;
use super::trig::sin_cos;

/// Parts vertices where two neighbouring triangles turn by more than `angle_deg`. A vertex without a hard edge keeps
/// its normal.
pub(super) fn crease(shell: &mut Shell, angle_deg: f64) {
    let least_cosine = sin_cos(angle_deg.to_radians()).1;
    let areas: Vec<DVec3> = shell.triangles.iter().map(|corners| area(shell, *corners)).collect();
    let facing: Vec<DVec3> = areas.iter().map(|area| area.normalize_or_zero()).collect();
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); shell.positions.len()];
    for (face, corners) in shell.triangles.iter().enumerate() {
        corners.iter().for_each(|corner| around[*corner as usize].push(face));
    }
    for (vertex, faces) in around.iter().enumerate() {
        let sides = sides(shell, vertex as u32, faces, |one, other| facing[one].dot(facing[other]) >= least_cosine);
        if sides.len() < 2 {
            continue;
        }
        for (nth, side) in sides.iter().enumerate() {
            let normal = side.iter().map(|face| areas[*face]).sum::<DVec3>().normalize_or(shell.normals[vertex]);
            if nth == 0 {
                shell.normals[vertex] = normal;
                continue;
            }
            let fresh = shell.positions.len() as u32;
            shell.positions.push(shell.positions[vertex]);
            shell.normals.push(normal);
            for face in side {
                let corner = shell.triangles[*face].iter_mut().find(|corner| **corner == vertex as u32);
                *corner.expect("a face lies round its own corners") = fresh;
            }
        }
    }
}

/// Twice the area, along the normal.
fn area(shell: &Shell, corners: [u32; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|corner| shell.positions[corner as usize]);
    (b - a).cross(c - a)
}

/// The faces round a vertex, in groups that soft edges join.
fn sides(shell: &Shell, vertex: u32, faces: &[usize], soft: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    // Neighbours round a vertex share a second place; after earlier cuts that may be two vertices.
    let place = |corner: u32| shell.positions[corner as usize];
    let others = |face: usize| shell.triangles[face].into_iter().filter(|corner| *corner != vertex);
    let meet = |one: usize, other: usize| others(one).any(|a| others(other).any(|b| place(a) == place(b)));
    let mut sides: Vec<Vec<usize>> = Vec::new();
    for face in faces {
        let joins = |side: &Vec<usize>| side.iter().any(|other| meet(*face, *other) && soft(*face, *other));
        let (joined, mut apart): (Vec<_>, Vec<_>) = sides.into_iter().partition(joins);
        let mut side: Vec<usize> = joined.into_iter().flatten().collect();
        side.push(*face);
        side.sort_unstable();
        apart.push(side);
        sides = apart;
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares that share an edge along z, the second bent down by `deg`.
    fn hinge(deg: f64) -> Shell {
        let (sin, cos) = deg.to_radians().sin_cos();
        let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        Shell {
            positions: vec![
                at(-1.0, 0.0, 0.0),
                at(-1.0, 0.0, 1.0),
                at(0.0, 0.0, 1.0),
                at(0.0, 0.0, 0.0),
                at(cos, -sin, 1.0),
                at(cos, -sin, 0.0),
            ],
            normals: vec![DVec3::X; 6],
            triangles: vec![[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]],
        }
    }

    #[test]
    fn a_hard_edge_gives_each_side_its_own_normal() {
        let mut shell = hinge(60.0);
        crease(&mut shell, 40.0);
        assert_eq!(shell.positions.len(), 8, "two places of the edge, each twice");
        let along = |face: usize| shell.triangles[face].map(|corner| shell.normals[corner as usize]);
        let bent = DVec3::new(60.0f64.to_radians().sin(), 0.5, 0.0);
        let edge = |normal: &DVec3| *normal != DVec3::X;
        assert!(along(0).iter().chain(&along(1)).filter(|own| edge(own)).all(|own| (*own - DVec3::Y).length() < 1e-9));
        assert!(along(2).iter().chain(&along(3)).filter(|own| edge(own)).all(|own| (*own - bent).length() < 1e-9));
        assert_eq!(along(0).iter().chain(&along(3)).filter(|own| edge(own)).count(), 2);
    }

    #[test]
    fn a_soft_edge_stays_whole() {
        let mut shell = hinge(30.0);
        crease(&mut shell, 40.0);
        assert_eq!(shell.positions.len(), 6);
        assert!(shell.normals.iter().all(|normal| *normal == DVec3::X));
    }
}
