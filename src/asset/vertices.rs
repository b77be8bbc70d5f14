//! Pick the vertices of a primitive anew: drop those that nothing draws, split those that corners share.
//!
//! Pure. Every list a primitive holds goes through [`gather`] together, so that influences, coordinates and
//! morph targets stay with their vertex.

use super::model::{Influences, MorphTarget, Primitive};

/// The primitive whose vertex `v` is vertex `picks[v]` of `primitive`. Indices are left to the caller.
pub(super) fn gather(primitive: &Primitive, picks: &[u32]) -> Primitive {
    fn pick<T: Copy>(list: &[T], picks: &[u32]) -> Vec<T> {
        // An absent list stays absent.
        if list.is_empty() { Vec::new() } else { picks.iter().map(|at| list[*at as usize]).collect() }
    }
    let morph = |morph: &MorphTarget| MorphTarget {
        name: morph.name.clone(),
        positions: pick(&morph.positions, picks),
        normals: pick(&morph.normals, picks),
        tangents: pick(&morph.tangents, picks),
    };
    Primitive {
        positions: pick(&primitive.positions, picks),
        normals: pick(&primitive.normals, picks),
        flat: primitive.flat,
        tangents: pick(&primitive.tangents, picks),
        uvs: primitive.uvs.each_ref().map(|uvs| pick(uvs, picks)),
        colours: pick(&primitive.colours, picks),
        influences: primitive.influences.as_ref().map(|influences| gather_influences(influences, picks)),
        morphs: primitive.morphs.iter().map(morph).collect(),
        indices: Vec::new(),
        material: primitive.material,
    }
}

fn gather_influences(influences: &Influences, picks: &[u32]) -> Influences {
    let mut gathered = Influences { offsets: Vec::with_capacity(picks.len() + 1), ..Influences::default() };
    gathered.offsets.push(0);
    for at in picks {
        let range = influences.offsets[*at as usize] as usize..influences.offsets[*at as usize + 1] as usize;
        gathered.joints.extend_from_slice(&influences.joints[range.clone()]);
        gathered.weights.extend_from_slice(&influences.weights[range]);
        gathered.offsets.push(gathered.joints.len() as u32);
    }
    gathered
}

/// The most bytes that a vertex of `primitive` takes.
pub(super) fn bytes_a_vertex(primitive: &Primitive) -> usize {
    let vertices = primitive.positions.len().max(1);
    let influences = primitive.influences.as_ref().map_or(0, |influences| 4 + 8 * influences.joints.len() / vertices);
    let morphs: usize = primitive.morphs.len() * 36;
    80 + influences + morphs
}

/// Drops the vertices that no triangle names, so that nothing invisible counts in a size or a frame.
pub(super) fn drop_undrawn(primitive: Primitive) -> Primitive {
    let mut is_drawn = vec![false; primitive.positions.len()];
    for index in &primitive.indices {
        is_drawn[*index as usize] = true;
    }
    if is_drawn.iter().all(|drawn| *drawn) {
        return primitive;
    }
    let mut place = vec![0; is_drawn.len()];
    let mut picks = Vec::new();
    for (at, _) in is_drawn.iter().enumerate().filter(|(_, drawn)| **drawn) {
        place[at] = picks.len() as u32;
        picks.push(at as u32);
    }
    let mut kept = gather(&primitive, &picks);
    kept.indices = primitive.indices.iter().map(|index| place[*index as usize]).collect();
    kept
}

/// Gives every corner of every triangle a vertex of its own.
pub(super) fn split_corners(primitive: &Primitive) -> Primitive {
    let mut split = gather(primitive, &primitive.indices);
    split.indices = (0..primitive.indices.len() as u32).collect();
    split
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3, Vec4};

    use super::*;
    use crate::base::JointIndex;

    fn points(xs: &[f32]) -> Vec<Vec3> {
        xs.iter().map(|x| Vec3::splat(*x)).collect()
    }

    /// Five vertices of which 0 and 3 are not drawn; every list carries the vertex's number.
    fn numbered() -> Primitive {
        let numbers = [0.0, 1.0, 2.0, 3.0, 4.0];
        Primitive {
            positions: points(&numbers),
            normals: points(&numbers),
            uvs: [numbers.map(Vec2::splat).to_vec(), Vec::new()],
            colours: numbers.map(Vec4::splat).to_vec(),
            influences: Some(Influences {
                offsets: vec![0, 1, 3, 4, 5, 6],
                joints: [0, 1, 11, 2, 3, 4].map(JointIndex).to_vec(),
                weights: vec![1.0, 0.25, 0.75, 1.0, 1.0, 1.0],
            }),
            morphs: vec![MorphTarget { positions: points(&numbers), ..MorphTarget::default() }],
            indices: vec![4, 1, 2, 2, 1, 4],
            ..Primitive::default()
        }
    }

    #[test]
    fn undrawn_vertices_go_and_all_lists_stay_together() {
        let kept = drop_undrawn(numbered());
        assert_eq!(kept.indices, [2, 0, 1, 1, 0, 2]);
        for (vertex, number) in [(0, 1.0), (1, 2.0), (2, 4.0)] {
            assert_eq!(kept.positions[vertex].x, number);
            assert_eq!(kept.normals[vertex].x, number);
            assert_eq!(kept.uvs[0][vertex].x, number);
            assert_eq!(kept.colours[vertex].w, number);
            assert_eq!(kept.morphs[0].positions[vertex].x, number);
        }
        assert!(kept.uvs[1].is_empty() && kept.morphs[0].normals.is_empty());
        let influences = kept.influences.unwrap();
        assert_eq!(influences.of(0).collect::<Vec<_>>(), [(JointIndex(1), 0.25), (JointIndex(11), 0.75)]);
        assert_eq!(influences.of(2).collect::<Vec<_>>(), [(JointIndex(4), 1.0)]);
    }

    #[test]
    fn split_corners_are_one_vertex_each() {
        let split = split_corners(&numbered());
        assert_eq!(split.indices, [0, 1, 2, 3, 4, 5]);
        assert_eq!(split.positions.iter().map(|p| p.x).collect::<Vec<_>>(), [4.0, 1.0, 2.0, 2.0, 1.0, 4.0]);
        assert_eq!(split.influences.unwrap().of(4).count(), 2);
    }
}
