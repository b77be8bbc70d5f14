//! Read the node tree and choose the scene that is drawn.
//!
//! Reads: nodes and scenes. Writes: [`Node`]s in file order, the roots, and every reachable node with
//! parents before children. Walks with a list, never by recursion: a file may be a thousand nodes deep.

use glam::{Mat4, Quat, Vec3};
use gltf::json;

use crate::base::{MeshIndex, NodeIndex, SkinIndex};

use super::document::Document;
use super::error::{AssetError, Fault};
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
    Ok(Tree { nodes, roots, order })
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

/// Whether a rotation is of unit length, give or take what text or 16 bits lose.
pub(super) fn is_unit(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() < 2e-3
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
fn walk(nodes: &[Node], roots: &[NodeIndex]) -> Vec<NodeIndex> {
    let mut order = Vec::new();
    let mut waiting: Vec<NodeIndex> = roots.iter().rev().copied().collect();
    while let Some(node) = waiting.pop() {
        order.push(node);
        waiting.extend(nodes[node.at()].children.iter().rev());
    }
    order
}
