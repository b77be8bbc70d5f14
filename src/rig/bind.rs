//! Put every joint where it was when the mesh was bound to it.
//!
//! Reads: a model's nodes at rest and its skins' inverse bind matrices. Gives: a [`Pose`] in model
//! space. Pure.
//!
//! joint k = A * inverse(inverse bind matrix k), with A the skinning matrix that most of the skin's
//! joints share at rest, or that of its topmost joint where none is shared by most. The nodes' rest
//! pose is not the bind pose: in many files an idle frame was left in the nodes.

use glam::{DMat3, DMat4, DVec3, Mat4};

use super::pose::{LocalPose, Pose};
use crate::asset::{Model, Skin};
use crate::base::{Finding, NodeIndex, SkinIndex};

/// Skinning matrices closer than this count as one: a share of the linear part for its entries, and of
/// the skeleton's extent for the translation. Exporters' rounding stays under 1e-5; an idle frame left
/// in the nodes starts near 1e-3.
const SHARED_WITHIN: f64 = 2e-4;

/// The least determinant of a matrix with unit columns that is still worth inverting.
const LEAST_VOLUME: f64 = 1e-9;

/// An inverse with a greater entry than this came from bytes that were never a matrix.
const GREATEST_ENTRY: f64 = 1e9;

/// The pose in which the meshes were bound: see [`bind_pose_noted`].
pub fn bind_pose(model: &Model) -> Pose {
    bind_pose_noted(model).0
}

/// The pose in which the meshes were bound, and the joints that had to fall back to rest.
///
/// Where skins disagree on a joint, the first skin that puts weight on it wins. Nodes that are no
/// joint keep their rest transform under the nearest joint above them; a model without skins rests.
pub fn bind_pose_noted(model: &Model) -> (Pose, Vec<Finding>) {
    let rest = rest_in_f64(model);
    let mut findings = Vec::new();
    let mut bound: Vec<Option<DMat4>> = vec![None; model.nodes.len()];
    let claims = claims(model);
    for weighted in [true, false] {
        for claim in &claims {
            bind_skin(model, claim, weighted, &rest, &mut bound, &mut findings);
        }
    }
    let mut local = LocalPose::rest(model);
    let morph_weights = std::mem::take(&mut local.morph_weights);
    let mut model_from_node = vec![DMat4::IDENTITY; model.nodes.len()];
    for &node in &model.order {
        let riding = || {
            let parent_from_node = local.parent_from_node[node.at()].matrix().as_dmat4();
            match model.nodes[node.at()].parent {
                Some(parent) => model_from_node[parent.at()] * parent_from_node,
                None => parent_from_node,
            }
        };
        model_from_node[node.at()] = bound[node.at()].unwrap_or_else(riding);
    }
    let model_from_node = model_from_node.iter().map(DMat4::as_mat4).collect();
    (Pose { model_from_node, morph_weights }, findings)
}

/// Per skin, the matrix A that takes its bind space to model space; identity where no joint gives one.
pub(super) fn model_from_bind_space(model: &Model) -> Vec<Mat4> {
    let rest = rest_in_f64(model);
    model.skins.iter().map(|skin| shared_matrix(model, skin, &rest).unwrap_or(DMat4::IDENTITY).as_mat4()).collect()
}

fn rest_in_f64(model: &Model) -> Vec<DMat4> {
    let mut model_from_node = vec![DMat4::IDENTITY; model.nodes.len()];
    for &node in &model.order {
        let parent_from_node = model.nodes[node.at()].rest.matrix().as_dmat4();
        model_from_node[node.at()] = match model.nodes[node.at()].parent {
            Some(parent) => model_from_node[parent.at()] * parent_from_node,
            None => parent_from_node,
        };
    }
    model_from_node
}

/// Which joints of a skin carry weight in it.
struct Claim {
    skin: SkinIndex,
    weighted: Vec<bool>,
}

/// One a skin, those that something is drawn with first.
fn claims(model: &Model) -> Vec<Claim> {
    let mut claims: Vec<Claim> = (0..model.skins.len())
        .map(|at| Claim { skin: SkinIndex::new(at), weighted: vec![false; model.skins[at].joints.len()] })
        .collect();
    for &node in &model.order {
        let node = &model.nodes[node.at()];
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else { continue };
        for primitive in &model.meshes[mesh.at()].primitives {
            for joint in primitive.influences.iter().flat_map(|influences| &influences.joints) {
                if let Some(weighted) = claims[skin.at()].weighted.get_mut(joint.at()) {
                    *weighted = true;
                }
            }
        }
    }
    claims.sort_by_key(|claim| !claim.weighted.contains(&true));
    claims
}

/// Binds those joints of a skin that carry weight in it, or those that do not; what is bound stays.
fn bind_skin(
    model: &Model,
    claim: &Claim,
    weighted: bool,
    rest: &[DMat4],
    bound: &mut [Option<DMat4>],
    findings: &mut Vec<Finding>,
) {
    let skin = &model.skins[claim.skin.at()];
    let Some(model_from_bind) = shared_matrix(model, skin, rest) else { return };
    for (at, (&joint, joint_from_bind)) in std::iter::zip(&skin.joints, &skin.joint_from_bind).enumerate() {
        let never_bound = || never_bound(joint, joint_from_bind, rest, &model_from_bind);
        if joint.at() >= bound.len() || claim.weighted[at] != weighted || (!weighted && never_bound()) {
            continue;
        }
        match inverse(&joint_from_bind.as_dmat4()) {
            Some(bind_from_joint) => {
                bound[joint.at()].get_or_insert(model_from_bind * bind_from_joint);
            }
            None => findings.push(degenerate(model, claim.skin, at, joint)),
        }
    }
}

/// Whether a joint without weight has a matrix that was never written: some exporters leave the identity
/// there, which would put the joint, and what rides it, at the origin.
fn never_bound(joint: NodeIndex, joint_from_bind: &Mat4, rest: &[DMat4], model_from_bind: &DMat4) -> bool {
    let reach = rest[joint.at()].w_axis.truncate().length();
    *joint_from_bind == Mat4::IDENTITY && !alike(&rest[joint.at()], model_from_bind, reach)
}

fn degenerate(model: &Model, skin: SkinIndex, at: usize, joint: NodeIndex) -> Finding {
    Finding::warning(
        "BIND_MATRIX_DEGENERATE",
        format!("{}/skins/{}/joints/{at}", model.path.display(), skin.0),
        format!("the inverse bind matrix of joint {} cannot be inverted; it stays as at rest", model.node_name(joint)),
    )
}

/// The skinning matrix that more than half of a skin's joints share at rest, else its topmost joint's.
fn shared_matrix(model: &Model, skin: &Skin, rest: &[DMat4]) -> Option<DMat4> {
    let skinning: Vec<(NodeIndex, DMat4)> = std::iter::zip(&skin.joints, &skin.joint_from_bind)
        .filter(|(joint, _)| joint.at() < rest.len())
        .map(|(&joint, joint_from_bind)| (joint, rest[joint.at()] * joint_from_bind.as_dmat4()))
        .filter(|(_, matrix)| inverse(matrix).is_some())
        .collect();
    let reach = extent(skinning.iter().map(|(joint, _)| rest[joint.at()].w_axis.truncate()));
    let shared = skinning
        .iter()
        .map(|(_, matrix)| (matrix, skinning.iter().filter(|(_, other)| alike(matrix, other, reach)).count()))
        .find(|(_, count)| count * 2 > skin.joints.len());
    if let Some((matrix, _)) = shared {
        return Some(*matrix);
    }
    skinning.iter().min_by_key(|(joint, _)| depth(model, *joint)).map(|(_, matrix)| *matrix)
}

fn extent(points: impl Iterator<Item = DVec3>) -> f64 {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (least, greatest) = points.fold(none, |(least, greatest), p| (least.min(p), greatest.max(p)));
    (greatest - least).max_element().max(0.0)
}

fn alike(one: &DMat4, other: &DMat4, reach: f64) -> bool {
    let linear = |matrix: &DMat4| DMat3::from_mat4(*matrix);
    let size = linear(one).to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    linear(one).abs_diff_eq(linear(other), size * SHARED_WITHIN)
        && (one.w_axis - other.w_axis).abs().max_element() <= reach * SHARED_WITHIN
}

/// Joints above a joint; a cycle ends the count, for the loader lets none through.
fn depth(model: &Model, node: NodeIndex) -> usize {
    std::iter::successors(model.nodes[node.at()].parent, |at| model.nodes[at.at()].parent)
        .take(model.nodes.len())
        .count()
}

/// The inverse, `None` for a matrix that flattens space, is not finite, or holds garbage.
fn inverse(matrix: &DMat4) -> Option<DMat4> {
    let linear = DMat3::from_mat4(*matrix);
    let lengths = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length);
    let box_volume: f64 = lengths.iter().product();
    let sound = matrix.is_finite() && box_volume > 0.0 && linear.determinant().abs() > LEAST_VOLUME * box_volume;
    let inverse = sound.then(|| matrix.inverse())?;
    let greatest = inverse.to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    (greatest < GREATEST_ENTRY).then_some(inverse)
}
