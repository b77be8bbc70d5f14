//! Read the node tree and choose the scene that is drawn.
//!
//! Reads: nodes and scenes. Writes: [`Node`]s in file order, the roots, and every reachable node with
//! parents before children. Walks with a list, never by recursion: a file may be a thousand nodes deep.

use glam::{Mat4, Quat, Vec3};
use gltf::json;

use crate::base::{MeshIndex, NodeIndex, SkinIndex};

use super::document::Document;
use super::error::{AssetError, Fault};
use super::hint;
use super::level;
use super::model::{Node, Transform};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// The node tree of a file.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<NodeIndex>,
    /// Reachable nodes, parents before children.
    pub(super) order: Vec<NodeIndex>,
}

/// Reads all nodes and walks the scene.
pub(super) fn read_tree(document: &Document<'_>, notices: &mut Notices) -> Result<Tree, AssetError> {
    let mut nodes = Vec::with_capacity(document.root.nodes.len());
    let list = ROOT.field("nodes");
    for (at, node) in document.root.nodes.iter().enumerate() {
        nodes.push(read_node(document, node, &list.index(at), notices)?);
    }
    link(document, &mut nodes)?;
    let roots = scene_roots(document, &mut nodes, notices)?;
    let order = walk(&nodes, &roots);
    let mut tree = Tree { nodes, roots, order };
    level::read_levels(document, &mut tree, notices);
    Ok(tree)
}

fn read_node(
    document: &Document<'_>,
    node: &json::Node,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Node, AssetError> {
    let root = &document.root;
    let mut children = Vec::new();
    let list = place.field("children");
    for (at, child) in node.children.iter().flatten().enumerate() {
        document.resolve(&root.nodes, *child, "node", &list.index(at))?;
        children.push(NodeIndex::new(child.value()));
    }
    if let Some(mesh) = node.mesh {
        document.resolve(&root.meshes, mesh, "mesh", &place.field("mesh"))?;
    }
    if let Some(skin) = node.skin {
        document.resolve(&root.skins, skin, "skin", &place.field("skin"))?;
    }
    Ok(Node {
        name: node.name.clone(),
        parent: None,
        children,
        rest: read_transform(document, node, place, notices)?,
        mesh: node.mesh.map(|mesh| MeshIndex::new(mesh.value())),
        skin: node.skin.map(|skin| SkinIndex::new(skin.value())),
        morph_weights: node.weights.clone().unwrap_or_default(),
        hidden: hint::hidden(node, place, notices),
        mask: hint::mask(node, place, notices),
        lower: Vec::new(),
        screen_coverage: Vec::new(),
    })
}

fn read_transform(
    document: &Document<'_>,
    node: &json::Node,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Transform, AssetError> {
    let finite = |values: &[f32], field: &'static str| match values.iter().position(|value| !value.is_finite()) {
        Some(first) => Err(document.fail(&place.field(field), Fault::NotFinite { count: 1, first })),
        None => Ok(()),
    };
    if let Some(matrix) = node.matrix {
        finite(&matrix, "matrix")?;
        return Ok(Transform::Matrix(Mat4::from_cols_array(&matrix)));
    }
    let translation = node.translation.unwrap_or([0.0; 3]);
    let rotation = node.rotation.unwrap_or_default().0;
    let scale = node.scale.unwrap_or([1.0; 3]);
    finite(&translation, "translation")?;
    finite(&rotation, "rotation")?;
    finite(&scale, "scale")?;
    let rotation = Quat::from_array(rotation);
    if !is_unit(rotation) {
        notices.add(notice::ROTATION_NOT_UNIT, &place.field("rotation"));
    }
    Ok(Transform::Parts {
        translation: Vec3::from_array(translation),
        rotation: unit_or_identity(rotation),
        scale: Vec3::from_array(scale),
    })
}

/// Whether a rotation is of unit length, give or take what 8 bits lose: half a step of 1 / 127 in each part.
pub(super) fn is_unit(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() < 0.02
}

/// The rotation of unit length; none for a quaternion of no length.
pub(super) fn unit_or_identity(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length > 1e-12 && length.is_finite() { rotation / length } else { Quat::IDENTITY }
}

/// Fills in parents, refusing a second one and cycles.
fn link(document: &Document<'_>, nodes: &mut [Node]) -> Result<(), AssetError> {
    let list = ROOT.field("nodes");
    for parent in 0..nodes.len() {
        let place = list.index(parent);
        let children_place = place.field("children");
        for at in 0..nodes[parent].children.len() {
            let child = nodes[parent].children[at].at();
            if let Some(first) = nodes[child].parent {
                let fault = match ancestor_of(nodes, child, parent) {
                    true => Fault::NodeCycle { node: child },
                    false => Fault::TwoParents { node: child, parent: first.at() },
                };
                return Err(document.fail(&children_place.index(at), fault));
            }
            nodes[child].parent = Some(NodeIndex::new(parent));
        }
    }
    // Every node has one parent at most, so that a cycle is a ring that no parentless node reaches.
    let roots: Vec<NodeIndex> = parentless(nodes);
    let mut reached = vec![false; nodes.len()];
    for node in walk(nodes, &roots) {
        reached[node.at()] = true;
    }
    match reached.iter().position(|reached| !reached) {
        Some(node) => Err(document.fail(&list.index(node), Fault::NodeCycle { node })),
        None => Ok(()),
    }
}

/// Whether `above` is `node` or an ancestor of it, by the parents known so far.
fn ancestor_of(nodes: &[Node], above: usize, node: usize) -> bool {
    let chain = std::iter::successors(Some(node), |node| nodes[*node].parent.map(NodeIndex::at));
    chain.take(nodes.len() + 1).any(|node| node == above)
}

fn parentless(nodes: &[Node]) -> Vec<NodeIndex> {
    (0..nodes.len()).filter(|node| nodes[*node].parent.is_none()).map(NodeIndex::new).collect()
}

/// The roots of the default scene, else of the first, else every node without a parent.
fn scene_roots(
    document: &Document<'_>,
    nodes: &mut [Node],
    notices: &mut Notices,
) -> Result<Vec<NodeIndex>, AssetError> {
    let scenes = ROOT.field("scenes");
    let root = &document.root;
    let at_scene = root.scene.map_or(0, |scene| scene.value());
    if let Some(scene) = root.scene {
        document.resolve(&root.scenes, scene, "scene", &ROOT.field("scene"))?;
    }
    let Some(scene) = root.scenes.get(at_scene) else {
        let roots = parentless(nodes);
        notices.count(notice::NO_SCENE, &ROOT, roots.len());
        return Ok(roots);
    };
    let place = scenes.index(at_scene);
    let list = place.field("nodes");
    let mut listed = vec![false; nodes.len()];
    let mut roots = Vec::new();
    for (at, node) in scene.nodes.iter().enumerate() {
        document.resolve(&root.nodes, *node, "node", &list.index(at))?;
        if !std::mem::replace(&mut listed[node.value()], true) {
            roots.push(NodeIndex::new(node.value()));
        }
    }
    let under = below_listed(nodes, &listed);
    let is_child = |node: &&NodeIndex| nodes[node.at()].parent.is_some();
    notices.count(notice::SCENE_CHILD_AS_ROOT, &list, roots.iter().filter(is_child).count());
    roots.retain(|root| !under[root.at()]);
    for root in &roots {
        detach(nodes, *root);
    }
    Ok(roots)
}

/// For each node, whether the scene lists a node above it.
fn below_listed(nodes: &[Node], listed: &[bool]) -> Vec<bool> {
    let mut under = vec![false; nodes.len()];
    for node in walk(nodes, &parentless(nodes)) {
        if let Some(parent) = nodes[node.at()].parent {
            under[node.at()] = under[parent.at()] || listed[parent.at()];
        }
    }
    under
}

/// Makes a scene entry a root of its own where the scene does not hold what is above it.
fn detach(nodes: &mut [Node], root: NodeIndex) {
    if let Some(parent) = nodes[root.at()].parent.take() {
        nodes[parent.at()].children.retain(|node| *node != root);
    }
}

/// Every node below `roots`, parents before children, siblings in file order.
pub(super) fn walk(nodes: &[Node], roots: &[NodeIndex]) -> Vec<NodeIndex> {
    let mut order = Vec::new();
    let mut waiting: Vec<NodeIndex> = roots.iter().rev().copied().collect();
    while let Some(node) = waiting.pop() {
        order.push(node);
        waiting.extend(nodes[node.at()].children.iter().rev());
    }
    order
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::sample::Sample;
    use super::*;

    fn tree(nodes: Value) -> Sample {
        let mut sample = Sample::empty();
        sample.json["nodes"] = nodes;
        sample
    }

    fn numbers(nodes: &[NodeIndex]) -> Vec<u32> {
        nodes.iter().map(|node| node.0).collect()
    }

    #[test]
    fn parents_come_before_children_and_siblings_in_file_order() {
        let sample = tree(json!([{"children": [3, 1]}, {"children": [2]}, {}, {}, {}]));
        let model = sample.load();
        assert_eq!(numbers(&model.order), [0, 3, 1, 2, 4]);
        assert_eq!(numbers(&model.roots), [0, 4]);
        assert_eq!(model.nodes[2].parent, Some(NodeIndex(1)));
    }

    #[test]
    fn the_scene_is_the_default_one_else_the_first_else_all_roots() {
        let mut sample = tree(json!([{}, {}, {}]));
        assert_eq!(numbers(&sample.load().roots), [0, 1, 2]);
        sample.json["scenes"] = json!([{"nodes": [1]}, {"nodes": [2, 0]}]);
        assert_eq!(numbers(&sample.load().roots), [1]);
        sample.json["scene"] = 1.into();
        assert_eq!(numbers(&sample.load().roots), [2, 0]);
        sample.json["scene"] = 2.into();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/scene".to_owned()));
    }

    #[test]
    fn a_scene_without_nodes_draws_nothing() {
        let mut sample = tree(json!([{}]));
        sample.json["scenes"] = json!([{}]);
        let model = sample.load();
        assert!(model.order.is_empty() && model.findings.is_empty(), "{:?}", model.findings);
    }

    #[test]
    fn a_scene_entry_below_another_node_is_a_root_unless_the_scene_holds_that_node() {
        let mut sample = tree(json!([{"children": [1]}, {"children": [2]}, {}]));
        sample.json["scenes"] = json!([{"nodes": [1, 2]}]);
        let model = sample.load();
        assert_eq!((numbers(&model.roots), numbers(&model.order)), (vec![1], vec![1, 2]));
        assert_eq!((model.nodes[1].parent, model.nodes[0].children.len()), (None, 0));
        assert!(sample.finding("SCENE_CHILD_AS_ROOT").unwrap().message.starts_with("2 "));
    }

    #[test]
    fn cycles_and_second_parents_are_refused_where_they_are() {
        let ring = tree(json!([{"children": [1]}, {"children": [2]}, {"children": [1]}]));
        assert_eq!(ring.error(), ("NODE_CYCLE", "/nodes/2/children/0".to_owned()));
        let own = tree(json!([{"children": [0]}]));
        assert_eq!(own.error().0, "NODE_CYCLE");
        let pair = tree(json!([{}, {"children": [2]}, {"children": [1]}]));
        assert_eq!(pair.error().0, "NODE_CYCLE");
        let shared = tree(json!([{"children": [2]}, {"children": [2]}, {}]));
        assert_eq!(shared.error(), ("NODE_TWO_PARENTS", "/nodes/1/children/0".to_owned()));
    }

    #[test]
    fn a_chain_of_fifty_thousand_nodes_is_walked() {
        let count = 50_000;
        let chain: Vec<Value> =
            (1..=count).map(|next| if next < count { json!({"children": [next]}) } else { json!({}) }).collect();
        assert_eq!(tree(chain.into()).load().order.len(), count);
    }

    #[test]
    fn every_index_of_a_node_is_checked() {
        for (field, value) in [("mesh", json!(0)), ("skin", json!(0)), ("children", json!([1]))] {
            let (code, place) = tree(json!([{field: value}])).error();
            assert_eq!(code, "INDEX_UNRESOLVED");
            assert!(place.starts_with(&format!("/nodes/0/{field}")), "{place}");
        }
    }

    #[test]
    fn rotations_are_brought_to_unit_length_and_said() {
        let sample = tree(json!([{"rotation": [0, 0, 0, 2]}, {"rotation": [0, 0, 0, 0]}, {"translation": [1, 2, 3]}]));
        let model = sample.load();
        assert_eq!(model.nodes[0].rest, Transform::IDENTITY);
        assert_eq!(model.nodes[1].rest, Transform::IDENTITY);
        assert_eq!(model.nodes[2].rest.matrix().w_axis.to_array(), [1.0, 2.0, 3.0, 1.0]);
        assert!(sample.finding("ROTATION_NOT_UNIT").unwrap().message.starts_with("2 "));
    }

    #[test]
    fn numbers_past_32_bits_are_refused() {
        let sample = tree(json!([{"translation": [1e39, 0, 0]}]));
        assert_eq!(sample.error(), ("NOT_FINITE", "/nodes/0/translation".to_owned()));
    }

    #[test]
    fn a_matrix_is_kept_whole() {
        let mut matrix: Vec<f32> = Mat4::IDENTITY.to_cols_array().to_vec();
        matrix[4] = 0.5;
        let model = tree(json!([{"matrix": matrix}])).load();
        let Transform::Matrix(kept) = model.nodes[0].rest else { panic!("{:?}", model.nodes[0].rest) };
        assert_eq!(kept.to_cols_array().to_vec(), matrix);
    }
}
