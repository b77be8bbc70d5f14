//! Small models built in code, for this room's tests.

use std::path::PathBuf;

use glam::{Mat4, Quat, Vec3};

use crate::asset::{Channel, Clip, Influences, Interpolation, Mesh, Model, Node, Primitive, Skin, Track, Transform};
use crate::base::{Digest, JointIndex, MeshIndex, NodeIndex, SkinIndex};

/// A node at a translation from its parent.
pub(crate) fn node(name: &str, parent: Option<u32>, translation: Vec3) -> Node {
    let rest = Transform::Parts { translation, rotation: Quat::IDENTITY, scale: Vec3::ONE };
    Node { rest, ..Node::new(name, parent.map(NodeIndex)) }
}

/// A model of nodes; parents must come before children.
pub(crate) fn model(mut nodes: Vec<Node>) -> Model {
    for at in 0..nodes.len() {
        if let Some(parent) = nodes[at].parent {
            nodes[parent.at()].children.push(NodeIndex::new(at));
        }
    }
    let roots = (0..nodes.len()).filter(|at| nodes[*at].parent.is_none()).map(NodeIndex::new).collect();
    Model {
        path: PathBuf::from("fixture.glb"),
        digest: Digest::of(b"fixture"),
        order: (0..nodes.len()).map(NodeIndex::new).collect(),
        nodes,
        roots,
        meshes: Vec::new(),
        skins: Vec::new(),
        materials: Vec::new(),
        images: Vec::new(),
        clips: Vec::new(),
        humanoid: None,
        findings: Vec::new(),
    }
}

/// Gives `node` a mesh of the given vertices, skinned to all of `joints` by the weights of each vertex.
pub(crate) fn skinned_mesh(model: &mut Model, node: u32, joints: &[u32], vertices: &[(Vec3, &[(u32, f32)])]) {
    let mut influences = Influences { offsets: vec![0], ..Influences::default() };
    for (_, weights) in vertices {
        influences.joints.extend(weights.iter().map(|(joint, _)| JointIndex(*joint)));
        influences.weights.extend(weights.iter().map(|(_, weight)| *weight));
        influences.offsets.push(influences.joints.len() as u32);
    }
    let primitive = Primitive {
        positions: vertices.iter().map(|(position, _)| *position).collect(),
        normals: vec![Vec3::Z; vertices.len()],
        influences: Some(influences),
        ..Primitive::default()
    };
    let rest = super::rest_pose(model);
    let joint_from_bind = joints.iter().map(|joint| rest.model_from_node[*joint as usize].inverse()).collect();
    model.skins.push(Skin { name: None, joints: joints.iter().map(|j| NodeIndex(*j)).collect(), joint_from_bind });
    model.meshes.push(Mesh { name: None, primitives: vec![primitive] });
    model.nodes[node as usize].mesh = Some(MeshIndex::new(model.meshes.len() - 1));
    model.nodes[node as usize].skin = Some(SkinIndex::new(model.skins.len() - 1));
}

/// A clip of channels; its span is that of all keys.
pub(crate) fn clip(name: &str, channels: Vec<Channel>) -> Clip {
    let times = || channels.iter().flat_map(|channel| channel.times_secs.iter().copied());
    Clip {
        name: name.to_owned(),
        first_secs: times().fold(f32::INFINITY, f32::min),
        last_secs: times().fold(f32::NEG_INFINITY, f32::max),
        channels,
    }
}

/// A channel with linear keys.
pub(crate) fn channel(node: u32, times_secs: &[f32], track: Track) -> Channel {
    Channel { node: NodeIndex(node), track, times_secs: times_secs.to_vec(), interpolation: Interpolation::Linear }
}

/// A quarter turn about Z.
pub(crate) fn quarter_turn() -> Mat4 {
    Mat4::from_rotation_z(std::f32::consts::FRAC_PI_2)
}
