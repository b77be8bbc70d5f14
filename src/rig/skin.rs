//! Carry every vertex from its bind pose to where a pose puts it.
//!
//! Reads: a model, a pose. Gives: a [`PosedMesh`] in model space. Pure.
//!
//! A skinned mesh is placed by its joints alone: its own node's transform is left out, as glTF 2.0
//! ("Skins") says. Morph targets come before the skin.

use glam::{Mat3, Mat4, Vec3, Vec4};

use super::pose::{Pose, PosedMesh, PosedPart};
use crate::asset::{Model, Primitive};
use crate::base::{NodeIndex, SkinIndex};

/// Every drawn primitive of `model` in `pose`.
pub fn skin(model: &Model, pose: &Pose) -> PosedMesh {
    let palettes: Vec<Option<Vec<Mat4>>> = used_skins(model)
        .into_iter()
        .enumerate()
        .map(|(at, used)| used.then(|| model_from_bind(model, SkinIndex::new(at), pose)))
        .collect();
    let mut parts = Vec::new();
    for &node in &model.order {
        let Some(mesh) = model.nodes[node.at()].mesh else { continue };
        for (at, primitive) in model.meshes[mesh.at()].primitives.iter().enumerate() {
            let palette = model.nodes[node.at()]
                .skin
                .and_then(|skin| palettes[skin.at()].as_deref())
                .filter(|_| primitive.influences.is_some());
            let morphed = Morphed::new(primitive, &pose.morph_weights[node.at()]);
            let mut part = PosedPart {
                node,
                mesh,
                primitive: at,
                positions: Vec::new(),
                normals: Vec::new(),
                tangents: Vec::new(),
                mirrored: false,
            };
            match palette {
                Some(palette) => place_skinned(primitive, &morphed, palette, &mut part),
                None => place_rigid(&morphed, pose.model_from_node[node.at()], &mut part),
            }
            if primitive.flat {
                flatten(&primitive.indices, &mut part);
            }
            parts.push(part);
        }
    }
    PosedMesh { parts }
}

fn used_skins(model: &Model) -> Vec<bool> {
    let mut used = vec![false; model.skins.len()];
    for &NodeIndex(node) in &model.order {
        let node = &model.nodes[node as usize];
        if let (Some(skin), Some(_)) = (node.skin, node.mesh) {
            used[skin.at()] = true;
        }
    }
    used
}

/// Per joint of a skin, the matrix that carries a bind-pose position to its posed place in model
/// space: `model_from_joint * joint_from_bind`.
pub fn model_from_bind(model: &Model, skin: SkinIndex, pose: &Pose) -> Vec<Mat4> {
    let skin = &model.skins[skin.at()];
    std::iter::zip(&skin.joints, &skin.joint_from_bind)
        .map(|(joint, joint_from_bind)| pose.model_from_node[joint.at()] * *joint_from_bind)
        .collect()
}

/// A primitive's vertices with its morph targets added; borrowed where there is nothing to add.
struct Morphed<'a> {
    positions: std::borrow::Cow<'a, [Vec3]>,
    normals: std::borrow::Cow<'a, [Vec3]>,
    tangents: std::borrow::Cow<'a, [Vec4]>,
}

impl<'a> Morphed<'a> {
    fn new(primitive: &'a Primitive, weights: &[f32]) -> Self {
        let mut morphed = Self {
            positions: (&primitive.positions).into(),
            normals: (&primitive.normals).into(),
            tangents: (&primitive.tangents).into(),
        };
        for (target, &weight) in std::iter::zip(&primitive.morphs, weights) {
            if weight == 0.0 {
                continue;
            }
            add(&target.positions, weight, |at, delta| morphed.positions.to_mut()[at] += delta);
            add(&target.normals, weight, |at, delta| morphed.normals.to_mut()[at] += delta);
            if !morphed.tangents.is_empty() {
                add(&target.tangents, weight, |at, delta| morphed.tangents.to_mut()[at] += delta.extend(0.0));
            }
        }
        morphed
    }
}

fn add(deltas: &[Vec3], weight: f32, mut onto: impl FnMut(usize, Vec3)) {
    for (at, delta) in deltas.iter().enumerate() {
        onto(at, *delta * weight);
    }
}

fn place_rigid(morphed: &Morphed<'_>, model_from_node: Mat4, part: &mut PosedPart) {
    let turn = Turn::of(&model_from_node);
    part.mirrored = turn.mirrored;
    part.positions = morphed.positions.iter().map(|p| model_from_node.transform_point3(*p)).collect();
    part.normals = morphed.normals.iter().map(|n| turn.normal(*n)).collect();
    part.tangents = morphed.tangents.iter().map(|t| turn.tangent(*t)).collect();
}

fn place_skinned(primitive: &Primitive, morphed: &Morphed<'_>, palette: &[Mat4], part: &mut PosedPart) {
    let count = morphed.positions.len();
    let influences = primitive.influences.as_ref().expect("the caller asked for a skinned primitive");
    part.positions.reserve(count);
    part.normals.reserve(count);
    part.tangents.reserve(morphed.tangents.len());
    let mut mirrored = 0;
    for vertex in 0..count {
        let model_from_bind =
            influences.of(vertex).fold(Mat4::ZERO, |sum, (joint, weight)| sum + palette[joint.at()] * weight);
        let turn = Turn::of(&model_from_bind);
        mirrored += usize::from(turn.mirrored);
        part.positions.push(model_from_bind.transform_point3(morphed.positions[vertex]));
        part.normals.push(turn.normal(morphed.normals[vertex]));
        if let Some(tangent) = morphed.tangents.get(vertex) {
            part.tangents.push(turn.tangent(*tangent));
        }
    }
    part.mirrored = mirrored * 2 > count;
}

/// Gives the corners of each triangle the normal of its posed face: joints that bend a face without normals
/// bend no normals of its own. A face of no area keeps what the pose made of its normals.
fn flatten(indices: &[u32], part: &mut PosedPart) {
    for triangle in indices.as_chunks::<3>().0 {
        let corners = triangle.map(|at| part.positions[at as usize]);
        let face = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        if let Some(normal) = face.try_normalize() {
            // A mirrored face is seen from the other side of its corners' turn.
            let outward = if part.mirrored { -normal } else { normal };
            triangle.iter().for_each(|at| part.normals[*at as usize] = outward);
        }
    }
}

/// How a matrix turns directions.
struct Turn {
    linear: Mat3,
    /// Inverse transpose up to a positive factor, so that normals stay normal under uneven scale.
    cofactor: Mat3,
    mirrored: bool,
}

impl Turn {
    fn of(matrix: &Mat4) -> Self {
        let linear = Mat3::from_mat4(*matrix);
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let cofactor = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let mirrored = x.dot(cofactor.x_axis) < 0.0;
        Self { linear, cofactor: if mirrored { -cofactor } else { cofactor }, mirrored }
    }

    fn normal(&self, normal: Vec3) -> Vec3 {
        unit(self.cofactor * normal)
    }

    fn tangent(&self, tangent: Vec4) -> Vec4 {
        let handedness = if self.mirrored { -tangent.w } else { tangent.w };
        unit(self.linear * tangent.truncate()).extend(handedness)
    }
}

/// Unit length at any scale: a cofactor is the square of a scale, and 0.001 squared twice underflows
/// what `normalize_or` accepts.
fn unit(vector: Vec3) -> Vec3 {
    let largest = vector.abs().max_element();
    if largest > 0.0 && largest.is_finite() { (vector / largest).normalize_or(Vec3::Y) } else { Vec3::Y }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::super::fixture::{model, node, quarter_turn, skinned_mesh};
    use super::super::rest_pose;
    use super::*;
    use crate::asset::{Mesh, MorphTarget, Transform};
    use crate::base::MeshIndex;

    /// Joint 0 at the origin, joint 1 one metre up; a vertex on each and one shared.
    fn arm() -> Model {
        let mut model = model(vec![
            node("shoulder", None, Vec3::ZERO),
            node("elbow", Some(0), Vec3::Y),
            node("mesh", None, Vec3::new(9.0, 9.0, 9.0)),
        ]);
        let vertices: [(Vec3, &[(u32, f32)]); 3] = [
            (Vec3::ZERO, &[(0, 1.0)]),
            (Vec3::new(0.0, 2.0, 0.0), &[(1, 1.0)]),
            (Vec3::new(0.0, 2.0, 0.0), &[(0, 0.5), (1, 0.5)]),
        ];
        skinned_mesh(&mut model, 2, &[0, 1], &vertices);
        model
    }

    #[test]
    fn at_rest_every_vertex_stays_where_it_was_whatever_the_mesh_node_says() {
        let model = arm();
        let posed = skin(&model, &rest_pose(&model));
        assert_eq!(posed.parts[0].positions, model.meshes[0].primitives[0].positions);
    }

    /// A quarter turn about the elbow at (0, 1, 0) takes (0, 2, 0) to (-1, 1, 0); half of it is the mean.
    #[test]
    fn a_turned_joint_carries_its_vertices_round_itself() {
        let mut model = arm();
        model.nodes[1].rest = Transform::Matrix(Mat4::from_translation(Vec3::Y) * quarter_turn());
        model.skins[0].joint_from_bind[1] = Mat4::from_translation(-Vec3::Y);
        let posed = skin(&model, &rest_pose(&model));
        let positions = &posed.parts[0].positions;
        assert!(positions[0].abs_diff_eq(Vec3::ZERO, 1.0e-6));
        assert!(positions[1].abs_diff_eq(Vec3::new(-1.0, 1.0, 0.0), 1.0e-6), "{}", positions[1]);
        assert!(positions[2].abs_diff_eq(Vec3::new(-0.5, 1.5, 0.0), 1.0e-6), "{}", positions[2]);
    }

    /// A slope of 45 degrees squashed to half its width stands at atan 2: normal (2, 1, 0) / sqrt 5.
    #[test]
    fn uneven_scale_keeps_normals_normal_at_any_size() {
        for size in [1.0e-4_f32, 1.0, 1.0e4] {
            let turn = Turn::of(&Mat4::from_scale(Vec3::new(0.5, 1.0, 1.0) * size));
            let normal = turn.normal(Vec3::new(1.0, 1.0, 0.0).normalize_or(Vec3::Y));
            assert!(normal.abs_diff_eq(Vec3::new(2.0, 1.0, 0.0) / 5.0_f32.sqrt(), 1.0e-5), "{size}: {normal}");
        }
    }

    #[test]
    fn a_mirroring_matrix_keeps_outward_normals_outward_and_says_so() {
        let turn = Turn::of(&Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        assert!(turn.mirrored);
        assert_eq!(turn.normal(Vec3::X), Vec3::NEG_X);
        assert_eq!(turn.normal(Vec3::Y), Vec3::Y);
        assert_eq!(turn.tangent(Vec4::new(0.0, 1.0, 0.0, 1.0)), Vec4::new(0.0, 1.0, 0.0, -1.0));
    }

    /// The face's corners hang on both joints of the arm, so the bent elbow tilts it: (0, 0, 0), (0, 0, 1) and
    /// (-0.5, 1.5, 0) span the normal (0, 0, 1) x (-0.5, 1.5, 0) = (-1.5, -0.5, 0).
    #[test]
    fn a_flat_face_has_the_normal_of_where_its_corners_are() {
        let mut model = arm();
        model.nodes[1].rest = Transform::Matrix(Mat4::from_translation(Vec3::Y) * quarter_turn());
        model.skins[0].joint_from_bind[1] = Mat4::from_translation(-Vec3::Y);
        let vertices: [(Vec3, &[(u32, f32)]); 3] =
            [(Vec3::ZERO, &[(0, 1.0)]), (Vec3::Z, &[(0, 1.0)]), (Vec3::new(0.0, 2.0, 0.0), &[(0, 0.5), (1, 0.5)])];
        skinned_mesh(&mut model, 2, &[0, 1], &vertices);
        let mesh = model.nodes[2].mesh.unwrap().at();
        model.meshes[mesh].primitives[0].flat = true;
        model.meshes[mesh].primitives[0].indices = vec![0, 1, 2];
        let last = model.skins.len() - 1;
        model.skins[last].joint_from_bind[1] = Mat4::from_translation(-Vec3::Y);
        let posed = skin(&model, &rest_pose(&model));
        let expected = Vec3::new(-1.5, -0.5, 0.0) / 2.5_f32.sqrt();
        for normal in &posed.parts[0].normals {
            assert!(normal.abs_diff_eq(expected, 1.0e-6), "{normal}");
        }
    }

    #[test]
    fn a_mirrored_flat_face_keeps_its_outward_side() {
        let mut model = model(vec![node("rigid", None, Vec3::ZERO)]);
        let primitive = Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            flat: true,
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        model.meshes.push(Mesh { name: None, primitives: vec![primitive] });
        model.nodes[0].mesh = Some(MeshIndex(0));
        model.nodes[0].rest = Transform::Matrix(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        assert_eq!(skin(&model, &rest_pose(&model)).parts[0].normals, [Vec3::Z; 3]);
    }

    #[test]
    fn morph_targets_come_before_the_node() {
        let mut model = model(vec![node("rigid", None, Vec3::X)]);
        let target = MorphTarget { positions: vec![Vec3::Y], ..MorphTarget::default() };
        let primitive = Primitive {
            positions: vec![Vec3::ZERO],
            normals: vec![Vec3::Z],
            morphs: vec![target],
            ..Primitive::default()
        };
        model.meshes.push(Mesh { name: None, primitives: vec![primitive] });
        model.nodes[0].mesh = Some(MeshIndex(0));
        model.nodes[0].morph_weights = vec![0.25];
        model.nodes[0].rest =
            Transform::Parts { translation: Vec3::X, rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) };
        let posed = skin(&model, &rest_pose(&model));
        assert_eq!(posed.parts[0].positions, [Vec3::new(1.0, 0.5, 0.0)]);
    }
}
