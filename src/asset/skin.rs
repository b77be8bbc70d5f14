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
        let primitives = &meshes[mesh.at()].primitives;
        match tree.nodes[node.at()].skin {
            Some(skin) => {
                used[skin.at()] = true;
                check_joints(document, &meshes[mesh.at()], skin, &skins[skin.at()], &place)?;
                let rigid = primitives.iter().filter(|primitive| primitive.influences.is_none()).count();
                notices.count(notice::SKIN_WITHOUT_INFLUENCES, &place, rigid);
            }
            None if primitives.iter().any(|primitive| primitive.influences.is_some()) => {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::sample::{Sample, U8, U16, shorts};
    use super::*;

    /// `count` matrices that move by 1, 2, ... along x.
    fn moves(count: usize) -> Vec<f32> {
        (0..count).flat_map(|at| Mat4::from_translation(glam::Vec3::X * (at + 1) as f32).to_cols_array()).collect()
    }

    fn bound(matrices: &[f32]) -> Sample {
        let mut sample = Sample::skinned_triangle();
        let accessor = sample.floats("MAT4", matrices);
        sample.json["skins"][0]["inverseBindMatrices"] = accessor.into();
        sample
    }

    #[test]
    fn inverse_bind_matrices_are_read_by_columns() {
        let skin = &bound(&moves(2)).load().skins[0];
        assert_eq!(skin.joints, [NodeIndex(1), NodeIndex(2)]);
        assert_eq!(skin.joint_from_bind[1].transform_point3(glam::Vec3::ZERO), glam::Vec3::new(2.0, 0.0, 0.0));
    }

    #[test]
    fn a_skin_without_matrices_binds_at_the_identity() {
        let sample = Sample::skinned_triangle();
        assert_eq!(sample.load().skins[0].joint_from_bind, [Mat4::IDENTITY; 2]);
        assert!(sample.finding("SKIN_WITHOUT_BIND").is_some());
    }

    #[test]
    fn too_few_matrices_are_refused_and_too_many_ignored() {
        assert_eq!(bound(&moves(1)).error(), ("COUNT_MISMATCH", "/skins/0/inverseBindMatrices".to_owned()));
        let surplus = bound(&moves(5));
        assert_eq!(surplus.load().skins[0].joint_from_bind.len(), 2);
        assert!(surplus.finding("BIND_SURPLUS").unwrap().message.starts_with("3 "));
    }

    #[test]
    fn broken_matrices_are_refused_or_said() {
        let mut matrices = moves(2);
        matrices[20] = f32::NAN;
        assert_eq!(bound(&matrices).error().0, "NOT_FINITE");
        let mut sample = bound(&[0.0; 32]);
        assert!(sample.finding("BIND_SINGULAR").is_some());
        let of_shorts = sample.data(U16, "MAT4", &shorts(&[0; 32]));
        sample.json["skins"][0]["inverseBindMatrices"] = of_shorts.into();
        assert_eq!(sample.error().0, "ACCESSOR_KIND");
    }

    #[test]
    fn joints_are_checked_against_the_nodes() {
        let mut sample = Sample::skinned_triangle();
        sample.json["skins"][0]["joints"] = json!([1, 3]);
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/skins/0/joints/1".to_owned()));
        sample.json["skins"][0]["joints"] = json!([]);
        assert_eq!(sample.error(), ("REQUIRED_ABSENT", "/skins/0".to_owned()));
    }

    #[test]
    fn a_vertex_that_follows_a_joint_past_the_skin_is_refused() {
        let mut sample = Sample::skinned_triangle();
        sample.json["skins"][0]["joints"] = json!([1]);
        let error = sample.try_load().unwrap_err();
        assert_eq!(error.to_string(), "sample.glb/nodes/0: vertex 0 follows joint 1, but skin 0 has 1");
    }

    #[test]
    fn a_joint_past_the_skin_without_weight_is_no_fault() {
        let mut sample = Sample::skinned_triangle();
        let joints = sample.data(U8, "VEC4", &[0, 1, 99, 0].repeat(3));
        sample.attributes()["JOINTS_0"] = joints.into();
        assert!(sample.try_load().is_ok());
    }

    #[test]
    fn joints_outside_the_scene_can_be_posed_but_are_not_drawn() {
        let mut sample = Sample::skinned_triangle();
        sample.json["nodes"][1]["mesh"] = 0.into();
        sample.json["scenes"] = json!([{"nodes": [0]}]);
        let model = sample.load();
        assert_eq!(model.order, [NodeIndex(0), NodeIndex(1), NodeIndex(2)]);
        assert_eq!((model.roots.as_slice(), model.nodes[1].mesh), ([NodeIndex(0)].as_slice(), None));
        assert!(sample.finding("JOINT_OUTSIDE_SCENE").unwrap().message.starts_with("2 "));
    }

    #[test]
    fn skins_and_influences_that_lack_each_other_are_said() {
        let mut sample = Sample::skinned_triangle();
        sample.json["nodes"][0].as_object_mut().unwrap().remove("skin");
        assert!(sample.finding("INFLUENCES_WITHOUT_SKIN").is_some());
        let mut sample = Sample::skinned_triangle();
        sample.attributes().as_object_mut().unwrap().retain(|name, _| name == "POSITION");
        assert!(sample.finding("SKIN_WITHOUT_INFLUENCES").is_some());
    }

    #[test]
    fn three_thousand_joints_are_read() {
        let mut sample = Sample::skinned_triangle();
        let count = 3000;
        sample.json["nodes"].as_array_mut().unwrap().extend((0..count).map(|_| json!({})));
        sample.json["skins"][0]["joints"] = (3..3 + count).map(Value::from).collect();
        let joints = sample.data(U16, "VEC4", &shorts(&[2999, 1, 0, 0].repeat(3)));
        sample.attributes()["JOINTS_0"] = joints.into();
        let model = sample.load();
        assert_eq!(model.skins[0].joints.len(), count);
        let influences = model.meshes[0].primitives[0].influences.as_ref().unwrap();
        assert_eq!(influences.of(0).next().unwrap().0.0, 2999);
    }
}
