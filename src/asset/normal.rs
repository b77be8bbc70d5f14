//! Make normals where a file has none, and mend those that point nowhere.
//!
//! Pure. Without normals the specification (section 3.7.2.1) asks for flat ones: vertices are split, so that
//! each triangle has its own.

use glam::Vec3;

use super::model::Primitive;
use super::vertices::split_corners;

/// The normal of a triangle without area, which no pixel shows.
const OF_NOTHING: Vec3 = Vec3::Z;

/// Splits the vertices and gives each triangle its face's normal.
///
/// Morph targets get the change of that normal at full weight, so that a target alone is exact there.
pub(super) fn make_flat(primitive: &Primitive) -> Primitive {
    let mut flat = split_corners(primitive);
    flat.normals = face_normals(&flat.positions);
    flat.flat = true;
    let mut morphs = std::mem::take(&mut flat.morphs);
    for morph in &mut morphs {
        // Displacements of normals or tangents that do not exist move nothing.
        morph.tangents.clear();
        morph.normals = if morph.positions.is_empty() {
            Vec::new()
        } else {
            let moved: Vec<Vec3> =
                std::iter::zip(&flat.positions, &morph.positions).map(|(at, by)| *at + *by).collect();
            std::iter::zip(face_normals(&moved), &flat.normals).map(|(moved, rest)| moved - *rest).collect()
        };
    }
    flat.morphs = morphs;
    flat
}

/// One normal a corner, three corners a triangle.
fn face_normals(corners: &[Vec3]) -> Vec<Vec3> {
    let normal = |corners: &[Vec3; 3]| [face(*corners).try_normalize().unwrap_or(OF_NOTHING); 3];
    corners.as_chunks::<3>().0.iter().flat_map(normal).collect()
}

/// A triangle's normal, twice its area long.
fn face([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

/// Brings normals to unit length; those of no length take the mean of the faces round them. Gives how many
/// had to.
pub(super) fn mend(primitive: &mut Primitive) -> usize {
    let mut broken = Vec::new();
    for (vertex, normal) in primitive.normals.iter_mut().enumerate() {
        match normal.try_normalize() {
            Some(unit) => *normal = unit,
            None => broken.push(vertex),
        }
    }
    if broken.is_empty() {
        return 0;
    }
    let mut sums = vec![Vec3::ZERO; primitive.positions.len()];
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let face = face(triangle.map(|index| primitive.positions[index as usize]));
        for index in triangle {
            sums[*index as usize] += face;
        }
    }
    for vertex in &broken {
        primitive.normals[*vertex] = sums[*vertex].try_normalize().unwrap_or(OF_NOTHING);
    }
    broken.len()
}

#[cfg(test)]
mod tests {
    use super::super::model::MorphTarget;
    use super::*;

    /// Two triangles that meet at a right angle along the x axis: one lies in y = 0, one stands in z = 0.
    fn bent_sheet() -> Primitive {
        let positions = [(0, 0, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0)];
        Primitive {
            positions: positions.map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32)).to_vec(),
            indices: vec![0, 2, 1, 0, 1, 3],
            ..Primitive::default()
        }
    }

    #[test]
    fn flat_normals_are_those_of_the_faces() {
        let flat = make_flat(&bent_sheet());
        assert_eq!(flat.positions.len(), 6);
        // z cross x is y; x cross y is z.
        assert_eq!(flat.normals, [Vec3::Y, Vec3::Y, Vec3::Y, Vec3::Z, Vec3::Z, Vec3::Z]);
        assert!(flat.flat);
    }

    /// The target folds the standing triangle back: its normal goes from +z to +y.
    #[test]
    fn flat_normals_follow_a_morph_target_at_full_weight() {
        let mut sheet = bent_sheet();
        let mut positions = vec![Vec3::ZERO; 4];
        positions[3] = Vec3::new(0.0, -1.0, -1.0);
        sheet.morphs = vec![MorphTarget { positions, ..MorphTarget::default() }];
        let flat = make_flat(&sheet);
        assert_eq!(flat.morphs[0].normals[0], Vec3::ZERO);
        assert_eq!(flat.normals[3] + flat.morphs[0].normals[3], Vec3::Y);
    }

    #[test]
    fn broken_normals_take_the_mean_of_their_faces() {
        let mut sheet = bent_sheet();
        sheet.normals = vec![Vec3::ZERO, Vec3::new(0.0, 2.0, 0.0), Vec3::Y, Vec3::splat(f32::NAN)];
        assert_eq!(mend(&mut sheet), 2);
        assert!(sheet.normals[0].abs_diff_eq(Vec3::new(0.0, 1.0, 1.0) / 2f32.sqrt(), 1e-6));
        assert_eq!(sheet.normals[1], Vec3::Y);
        assert_eq!(sheet.normals[3], Vec3::Z);
    }
}
