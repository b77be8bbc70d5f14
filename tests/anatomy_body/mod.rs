//! Bodies made by hand: joints at given places, each with a small box of vertices.

use glam::{Mat4, Quat, Vec3};
use posegrid::asset::{Influences, Mesh, Model, Node, Primitive, Skin, Transform};
use posegrid::base::{Digest, JointIndex, MeshIndex, NodeIndex, SkinIndex};

/// A joint: name (empty for none), parent's position in the list, place in model space, half the side of
/// the box of vertices that it carries (0 for a joint without weight).
pub(crate) type Joint = (&'static str, Option<usize>, [f32; 3], f32);

/// A body whose nodes are its joints, in list order, bound where they stand. Node `joints.len()` draws.
pub(crate) fn body(joints: &[Joint]) -> Model {
    let place = |at: usize| Vec3::from(joints[at].2);
    let mut nodes: Vec<Node> = joints
        .iter()
        .enumerate()
        .map(|(at, (name, parent, ..))| {
            let mut node = node(name, parent.map(NodeIndex::new));
            let translation = place(at) - parent.map_or(Vec3::ZERO, place);
            node.rest = Transform::Parts { translation, rotation: Quat::IDENTITY, scale: Vec3::ONE };
            node
        })
        .collect();
    let mut drawn = node("mesh", None);
    drawn.mesh = Some(MeshIndex(0));
    drawn.skin = Some(SkinIndex(0));
    nodes.push(drawn);
    let mut primitive = Primitive {
        influences: Some(Influences { offsets: vec![0], ..Influences::default() }),
        ..Primitive::default()
    };
    for (at, joint) in joints.iter().enumerate().filter(|(_, joint)| joint.3 > 0.0) {
        add_box(&mut primitive, place(at), joint.3, at);
    }
    let skin = Skin {
        name: None,
        joints: (0..joints.len()).map(NodeIndex::new).collect(),
        joint_from_bind: (0..joints.len()).map(|at| Mat4::from_translation(-place(at))).collect(),
    };
    model(nodes, vec![Mesh { name: None, primitives: vec![primitive] }], vec![skin])
}

/// A model of these lists; parents' children and the order are filled in.
pub(crate) fn model(mut nodes: Vec<Node>, meshes: Vec<Mesh>, skins: Vec<Skin>) -> Model {
    let parents: Vec<Option<NodeIndex>> = nodes.iter().map(|node| node.parent).collect();
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            nodes[parent.at()].children.push(NodeIndex::new(at));
        }
    }
    let roots: Vec<NodeIndex> = (0..nodes.len()).filter(|&at| parents[at].is_none()).map(NodeIndex::new).collect();
    let mut order = Vec::new();
    let mut open: Vec<NodeIndex> = roots.iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(nodes[node.at()].children.iter().rev());
    }
    Model {
        path: "body.glb".into(),
        digest: Digest::of(b"body"),
        nodes,
        roots,
        order,
        meshes,
        skins,
        materials: Vec::new(),
        images: Vec::new(),
        clips: Vec::new(),
        humanoid: None,
        findings: Vec::new(),
    }
}

/// A node at its parent's place that draws nothing.
pub(crate) fn node(name: &str, parent: Option<NodeIndex>) -> Node {
    Node::new(name, parent)
}

/// Eight corners round a point, wholly on one joint.
pub(crate) fn add_box(primitive: &mut Primitive, middle: Vec3, half: f32, joint: usize) {
    for corner in 0..8 {
        let sign = |bit: u32| if corner >> bit & 1 == 0 { -half } else { half };
        add_vertex(primitive, middle + Vec3::new(sign(0), sign(1), sign(2)), joint);
    }
}

/// One vertex wholly on one joint.
pub(crate) fn add_vertex(primitive: &mut Primitive, point: Vec3, joint: usize) {
    primitive.positions.push(point);
    primitive.normals.push(Vec3::Y);
    if let Some(influences) = &mut primitive.influences {
        influences.joints.push(JointIndex::new(joint));
        influences.weights.push(1.0);
        influences.offsets.push(influences.joints.len() as u32);
    }
}

/// The same body turned about +Y and otherwise alike.
pub(crate) fn turned(mut model: Model, by_rad: f32) -> Model {
    let turn = Mat4::from_rotation_y(by_rad);
    for node in model.roots.clone() {
        let node = &mut model.nodes[node.at()];
        node.rest = Transform::Matrix(turn * node.rest.matrix());
    }
    model
}

/// A plain body facing +Z: its joints in the order of the list.
///
/// 0 Hips, 1 Spine02, 2 Spine01, 3 Spine, 4 neck, 5 Head; arms 6 to 13, left then right: shoulder (a
/// clavicle), arm, forearm, hand; legs 14 to 21, left then right: thigh, shin, foot, toes.
pub(crate) fn plain() -> Vec<Joint> {
    let mut joints: Vec<Joint> = vec![
        ("Hips", None, [0.0, 1.0, 0.0], 0.1),
        ("Spine02", Some(0), [0.0, 1.1, 0.0], 0.1),
        ("Spine01", Some(1), [0.0, 1.2, 0.0], 0.1),
        ("Spine", Some(2), [0.0, 1.35, 0.0], 0.1),
        ("neck", Some(3), [0.0, 1.5, 0.0], 0.04),
        ("Head", Some(4), [0.0, 1.6, 0.0], 0.12),
    ];
    let arms = [
        ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        ["RightShoulder", "RightArm", "RightForeArm", "RightHand"],
    ];
    for (names, side) in arms.into_iter().zip([1.0, -1.0]) {
        let first = joints.len();
        for (at, (name, x)) in names.into_iter().zip([0.08, 0.2, 0.48, 0.74]).enumerate() {
            let parent = if at == 0 { 3 } else { first + at - 1 };
            joints.push((name, Some(parent), [side * x, 1.45, 0.0], 0.04));
        }
    }
    let legs =
        [["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"], ["RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"]];
    for (names, side) in legs.into_iter().zip([1.0, -1.0]) {
        let first = joints.len();
        let places = [[0.95, 0.0], [0.5, 0.0], [0.08, -0.02], [0.03, 0.12]];
        for (at, (name, [y, z])) in names.into_iter().zip(places).enumerate() {
            let parent = if at == 0 { 0 } else { first + at - 1 };
            joints.push((name, Some(parent), [side * 0.1, y, z], 0.03));
        }
    }
    joints
}

/// The same joints without their names.
pub(crate) fn nameless(joints: Vec<Joint>) -> Vec<Joint> {
    joints.into_iter().map(|(_, parent, place, half)| ("", parent, place, half)).collect()
}
