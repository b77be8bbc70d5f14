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
