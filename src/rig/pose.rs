//! Where every node of a model is at one moment, and where that puts its vertices.

use glam::{Mat4, Vec3, Vec4};

use crate::base::{MeshIndex, NodeIndex};

/// Where every node is at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// One a node of the model; identity for nodes that no root reaches.
    pub model_from_node: Vec<Mat4>,
    /// Morph weights, one list a node; empty where its mesh has no morph targets.
    pub morph_weights: Vec<Vec<f32>>,
}

/// Vertices after morphing and skinning, in model space. Only the functions of this room make one.
#[derive(Debug, Clone, PartialEq)]
pub struct PosedMesh {
    /// One a drawn primitive, in node order, then primitive order: the same list for every pose.
    pub parts: Vec<PosedPart>,
}

/// One drawn primitive in one pose.
#[derive(Debug, Clone, PartialEq)]
pub struct PosedPart {
    /// The node that draws it.
    pub node: NodeIndex,
    /// The node's mesh.
    pub mesh: MeshIndex,
    /// Position in the mesh's primitives.
    pub primitive: usize,
    /// Model space.
    pub positions: Vec<Vec3>,
    /// Model space, unit length.
    pub normals: Vec<Vec3>,
    /// Model space: xyz unit, w the handedness; empty where the primitive has none.
    pub tangents: Vec<Vec4>,
    /// Whether the transform mirrors, so that front faces are clockwise. Always false for a skinned
    /// part: joints decide there, and a mirrored joint is a fault of the rig.
    pub mirrored: bool,
}
