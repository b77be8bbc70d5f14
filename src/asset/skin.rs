//! Read skins, and check that every drawn vertex follows joints that its skin has.
//!
//! Reads: skins, inverse bind matrices, the node tree. Writes: [`Skin`]s; appends joints that lie outside
//! the scene to the tree's order, so that a pose has a matrix for each.

use glam::Mat4;
use gltf::json;

use crate::base::{NodeIndex, SkinIndex};

use super::accessor::Integers;
use super::document::Document;
use super::error::{AssetError, Fault};
use super::model::{Mesh, Skin};
use super::node::Tree;
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// Reads every skin of the file.
pub(super) fn read_skins(document: &Document<'_>, notices: &mut Notices) -> Result<Vec<Skin>, AssetError> {
    let list = ROOT.field("skins");
    let mut skins = Vec::with_capacity(document.root.skins.len());
    for (at, skin) in document.root.skins.iter().enumerate() {
        skins.push(read_skin(document, skin, &list.index(at), notices)?);
    }
    Ok(skins)
}

fn read_skin(
    document: &Document<'_>,
    skin: &json::Skin,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Skin, AssetError> {
    let list = place.field("joints");
    if skin.joints.is_empty() {
        return Err(document.fail(place, Fault::Absent("joints")));
    }
    let mut joints = Vec::with_capacity(skin.joints.len());
    for (at, joint) in skin.joints.iter().enumerate() {
        document.resolve(&document.root.nodes, *joint, "node", &list.index(at))?;
        joints.push(NodeIndex::new(joint.value()));
    }
    let joint_from_bind = match skin.inverse_bind_matrices {
        Some(accessor) => read_bind(document, accessor, joints.len(), &place.field("inverseBindMatrices"), notices)?,
        None => {
            notices.add(notice::SKIN_WITHOUT_BIND, place);
            vec![Mat4::IDENTITY; joints.len()]
        }
    };
    Ok(Skin { name: skin.name.clone(), joints, joint_from_bind })
}

fn read_bind(
    document: &Document<'_>,
    accessor: json::Index<json::Accessor>,
    joints: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Vec<Mat4>, AssetError> {
    let has = document.accessor_count(accessor, place)?;
    if has < joints {
        return Err(document.fail(place, Fault::Count { has, wanted: joints, why: "one a joint" }));
    }
    if !document.holds_floats(accessor) {
        let is = "not of floats".to_owned();
        return Err(document.fail(place, Fault::AccessorKind { is, wanted: "MAT4 of floats" }));
    }
    if document.has_stride(accessor) {
        notices.add(notice::BIND_STRIDE, place);
    }
    notices.count(notice::BIND_SURPLUS, place, has - joints);
    let mut columns = document.floats::<16>(accessor, Integers::AsMarked, place, notices)?;
    columns.truncate(joints);
    if let Some(first) = columns.iter().position(|matrix| matrix.iter().any(|value| !value.is_finite())) {
        return Err(document.fail(place, Fault::NotFinite { count: 1, first }));
    }
    let matrices: Vec<Mat4> = columns.iter().map(Mat4::from_cols_array).collect();
    let last_row = |matrix: &Mat4| matrix.row(3).to_array();
    notices.count(
        notice::BIND_NOT_AFFINE,
        place,
        matrices.iter().filter(|matrix| last_row(matrix) != [0.0, 0.0, 0.0, 1.0]).count(),
    );
    notices.count(notice::BIND_SINGULAR, place, matrices.iter().filter(|matrix| matrix.determinant() == 0.0).count());
    Ok(matrices)
}

/// Checks every drawn node's mesh against its skin.
pub(super) fn check_use(
    document: &Document<'_>,
    tree: &mut Tree,
    meshes: &[Mesh],
    skins: &[Skin],
    notices: &mut Notices,
) -> Result<(), AssetError> {
    let list = ROOT.field("nodes");
    let mut used = vec![false; skins.len()];
    for node in &tree.order {
        let place = list.index(node.at());
        let Some(mesh) = tree.nodes[node.at()].mesh else { continue };
        let mesh_and_primitives = &meshes[mesh.at()].primitives;
        match tree.nodes[node.at()].skin {
            Some(skin) => {
                used[skin.at()] = true;
                check_joints(document, &meshes[mesh.at()], skin, &skins[skin.at()], &place)?;
                let rigid = mesh_and_primitives.iter().filter(|primitive| primitive.influences.is_none()).count();
                notices.count(notice::SKIN_WITHOUT_INFLUENCES, &place, rigid);
            }
            None if mesh_and_primitives.iter().any(|primitive| primitive.influences.is_some()) => {
                notices.add(notice::INFLUENCES_WITHOUT_SKIN, &place);
            }
            None => {}
        }
    }
    let drawn = std::iter::zip(skins, used).filter(|(_, used)| *used).map(|(skin, _)| skin);
    let outside = join_to_order(tree, drawn);
    notices.count(notice::JOINT_OUTSIDE_SCENE, &ROOT.field("skins"), outside);
    Ok(())
}

fn check_joints(
    document: &Document<'_>,
    mesh: &Mesh,
    index: SkinIndex,
    skin: &Skin,
    place: &Place<'_>,
) -> Result<(), AssetError> {
    for influences in mesh.primitives.iter().filter_map(|primitive| primitive.influences.as_ref()) {
        let Some(entry) = influences.joints.iter().position(|joint| joint.at() >= skin.joints.len()) else { continue };
        let vertex = influences.offsets.partition_point(|offset| *offset as usize <= entry) - 1;
        let joint = influences.joints[entry].0;
        let joints = skin.joints.len();
        return Err(document.fail(place, Fault::NoSuchJoint { vertex, joint, skin: index.0, joints }));
    }
    Ok(())
}

/// Appends to the order what is needed to place joints outside the scene; gives the number of such joints.
///
/// What hangs on those nodes is not part of the scene, so their meshes are taken off.
fn join_to_order<'s>(tree: &mut Tree, skins: impl Iterator<Item = &'s Skin>) -> usize {
    let mut placed = vec![false; tree.nodes.len()];
    for node in &tree.order {
        placed[node.at()] = true;
    }
    let mut outside = 0;
    for joint in skins.flat_map(|skin| &skin.joints) {
        if placed[joint.at()] {
            continue;
        }
        outside += 1;
        let nodes = &tree.nodes;
        let chain = std::iter::successors(Some(*joint), |node| nodes[node.at()].parent);
        let mut missing: Vec<NodeIndex> = chain.take_while(|node| !placed[node.at()]).collect();
        missing.reverse();
        for node in missing {
            placed[node.at()] = true;
            tree.nodes[node.at()].mesh = None;
            tree.order.push(node);
        }
    }
    outside
}
