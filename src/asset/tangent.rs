//! Supply the tangents that a normal texture needs: the file's own, else `MikkTSpace`'s.
//!
//! Pure. The specification (section 3.7.2.1) names `MikkTSpace` as the algorithm that files without tangents
//! were baked for. Where it finds different tangents at one vertex, the vertex is split.

use bevy_mikktspace::{Geometry, TangentSpace};
use glam::{Vec2, Vec3, Vec4};

use super::model::{Material, Primitive};
use super::notice::{self, Notices};
use super::place::Place;
use super::vertices::gather;

/// Gives a primitive tangents if its material has a normal texture, and takes them away if not.
pub(super) fn supply(primitive: &mut Primitive, material: Option<&Material>, place: &Place<'_>, notices: &mut Notices) {
    let Some(texture) = material.and_then(|material| material.normal_texture) else {
        primitive.tangents.clear();
        for morph in &mut primitive.morphs {
            morph.tangents.clear();
        }
        return;
    };
    if !primitive.tangents.is_empty() {
        if mend(&mut primitive.tangents) {
            return;
        }
        notices.add(notice::TANGENTS_MENDED, place);
    }
    primitive.tangents.clear();
    if primitive.uvs[texture.uv_set].is_empty() {
        return;
    }
    generate(primitive, texture.uv_set);
}

/// Brings tangents to unit length and their sign to one of -1 and 1; false if one cannot be.
fn mend(tangents: &mut [Vec4]) -> bool {
    tangents.iter_mut().all(|tangent| {
        let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        tangent.truncate().try_normalize().map(|unit| *tangent = unit.extend(sign)).is_some()
    })
}

/// The corners of a triangle list, as the generator asks for them.
struct Corners<'p> {
    positions: &'p [Vec3],
    normals: &'p [Vec3],
    uvs: &'p [Vec2],
    indices: &'p [u32],
    /// One a corner.
    tangents: Vec<Option<Vec4>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.indices[3 * face + corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)].to_array()
    }

    /// V is turned: a tangent space has V going up the image, glTF's coordinates have it going down.
    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let uv = self.uvs[self.vertex(face, corner)];
        [uv.x, -uv.y]
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        self.tangents[3 * face + corner] = space.map(|space| Vec4::from_array(space.tangent_encoded()));
    }
}

fn generate(primitive: &mut Primitive, uv_set: usize) {
    let mut corners = Corners {
        positions: &primitive.positions,
        normals: &primitive.normals,
        uvs: &primitive.uvs[uv_set],
        indices: &primitive.indices,
        tangents: vec![None; primitive.indices.len()],
    };
    // The error type has no values.
    let _ = bevy_mikktspace::generate_tangents(&mut corners);
    let tangents = std::mem::take(&mut corners.tangents);
    weld(primitive, &tangents);
}

/// Gives each vertex its corners' tangent, and a vertex of its own to every further one.
fn weld(primitive: &mut Primitive, of_corners: &[Option<Vec4>]) {
    const NONE: u32 = u32::MAX;
    let vertices = primitive.positions.len();
    let mut picks: Vec<u32> = (0..vertices as u32).collect();
    let mut tangents: Vec<Option<Vec4>> = vec![None; vertices];
    // The further vertices of each vertex, as a linked list.
    let mut next = vec![NONE; vertices];
    let normals = &primitive.normals;
    for (index, tangent) in primitive.indices.iter_mut().zip(of_corners) {
        let origin = *index;
        let tangent = tangent.filter(|tangent| tangent.is_finite());
        let tangent = tangent.unwrap_or_else(|| any_tangent(normals[origin as usize]));
        let mut at = origin;
        loop {
            match tangents[at as usize] {
                None => tangents[at as usize] = Some(tangent),
                Some(known) if known == tangent => {}
                Some(_) if next[at as usize] != NONE => {
                    at = next[at as usize];
                    continue;
                }
                Some(_) => {
                    let new = picks.len() as u32;
                    next[at as usize] = new;
                    picks.push(origin);
                    tangents.push(Some(tangent));
                    next.push(NONE);
                    at = new;
                }
            }
            break;
        }
        *index = at;
    }
    if picks.len() > vertices {
        let indices = std::mem::take(&mut primitive.indices);
        *primitive = gather(primitive, &picks);
        primitive.indices = indices;
    }
    primitive.tangents = std::iter::zip(tangents, &primitive.normals)
        .map(|(known, normal)| known.unwrap_or_else(|| any_tangent(*normal)))
        .collect();
}

/// A tangent for a corner whose triangle and neighbours have no area in texture space.
fn any_tangent(normal: Vec3) -> Vec4 {
    normal.try_normalize().map_or(Vec3::X, Vec3::any_orthonormal_vector).extend(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::model::{MorphTarget, Sampler, TextureRef};
    use super::super::place::ROOT;
    use super::*;

    fn bumpy(uv_set: usize) -> Material {
        let texture = TextureRef {
            image: None,
            sampler: Sampler::default(),
            uv_set,
            uv_offset: Vec2::ZERO,
            uv_rotation_rad: 0.0,
            uv_scale: Vec2::ONE,
        };
        Material { normal_texture: Some(texture), ..Material::default() }
    }

    /// A square in the plane z = 0 that faces +z, its picture upright: u goes right, v goes down.
    fn square() -> Primitive {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        Primitive {
            positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
            normals: vec![Vec3::Z; 4],
            uvs: [corners.map(|(x, y)| Vec2::new(x, 1.0 - y)).to_vec(), Vec::new()],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Primitive::default()
        }
    }

    fn supplied(mut primitive: Primitive, material: &Material) -> Primitive {
        supply(&mut primitive, Some(material), &ROOT, &mut Notices::default());
        primitive
    }

    /// Specification, 3.7.2.1: bitangent = cross(normal, tangent.xyz) * tangent.w, and green points up the
    /// picture: z cross x is y, which is up, so that w is 1.
    #[test]
    fn an_upright_picture_has_its_tangent_to_the_right_and_its_bitangent_up() {
        let made = supplied(square(), &bumpy(0));
        assert_eq!(made.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    }

    #[test]
    fn a_mirrored_picture_turns_tangent_and_sign() {
        let mut mirrored = square();
        for uv in &mut mirrored.uvs[0] {
            uv.x = -uv.x;
        }
        assert_eq!(supplied(mirrored, &bumpy(0)).tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
    }

    /// The left triangle shows the picture upright, the right one mirrored, as at the middle of a face: the
    /// two shared vertices have two tangents each.
    #[test]
    fn a_vertex_between_mirrored_halves_is_split_with_all_it_holds() {
        let mut halves = square();
        halves.uvs[0] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(u, v)| Vec2::new(u, -v)).to_vec();
        let numbers: Vec<Vec3> = (0..4).map(|at| Vec3::splat(at as f32)).collect();
        halves.morphs = vec![MorphTarget { positions: numbers, ..MorphTarget::default() }];
        let made = supplied(halves, &bumpy(0));
        assert_eq!(made.positions.len(), 6);
        assert_eq!(made.tangents.len(), 6);
        for (corner, original) in [0.0, 1.0, 2.0, 0.0, 2.0, 3.0].into_iter().enumerate() {
            let vertex = made.indices[corner] as usize;
            assert_eq!(made.morphs[0].positions[vertex].x, original, "corner {corner}");
        }
        let signs: Vec<f32> = made.indices.iter().map(|index| made.tangents[*index as usize].w).collect();
        assert_eq!(signs[..3], [signs[0]; 3]);
        assert_eq!(signs[3..], [-signs[0]; 3]);
    }

    #[test]
    fn the_files_own_tangents_win_and_only_where_a_normal_texture_needs_them() {
        let mut given = square();
        given.tangents = vec![Vec4::new(0.0, 2.0, 0.0, -0.5); 4];
        assert!(supplied(given.clone(), &Material::default()).tangents.is_empty());
        assert_eq!(supplied(given.clone(), &bumpy(0)).tangents, [Vec4::new(0.0, 1.0, 0.0, -1.0); 4]);
        given.tangents[2] = Vec4::ZERO;
        assert_eq!(supplied(given, &bumpy(0)).tangents[0], Vec4::new(1.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn the_coordinates_of_the_normal_texture_are_the_ones_used() {
        let mut turned = square();
        let [upright, _] = turned.uvs;
        // The second set is the first, turned by a quarter: u goes up.
        turned.uvs = [upright.clone(), upright.iter().map(|uv| Vec2::new(1.0 - uv.y, uv.x)).collect()];
        let tangent = supplied(turned.clone(), &bumpy(1)).tangents[0];
        assert!(tangent.abs_diff_eq(Vec4::new(0.0, 1.0, 0.0, 1.0), 1e-6), "{tangent}");
        turned.uvs[1].clear();
        assert!(supplied(turned, &bumpy(1)).tangents.is_empty());
    }

    #[test]
    fn a_picture_without_area_still_gives_unit_tangents() {
        let mut flat = square();
        flat.uvs[0].fill(Vec2::ZERO);
        let made = supplied(flat, &bumpy(0));
        assert!(made.tangents.iter().all(|tangent| (tangent.truncate().length() - 1.0).abs() < 1e-5));
        assert!(made.tangents.iter().all(|tangent| tangent.truncate().dot(Vec3::Z).abs() < 1e-5));
    }
}
