//! Where every node of a model is at one moment, and where that puts its vertices.

use glam::{Mat4, Vec3, Vec4};

use crate::asset::{Model, Transform};
use crate::base::{MeshIndex, NodeIndex};

/// Where every node is at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// One a node of the model; identity for nodes that no root reaches.
    pub model_from_node: Vec<Mat4>,
    /// Morph weights, one list a node; empty where its mesh has no morph targets.
    pub morph_weights: Vec<Vec<f32>>,
}

/// Vertices after morphing and skinning, in model space. Only [`super::skin`] makes one.
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
    /// Whether the transform mirrors, so that front faces are clockwise.
    pub mirrored: bool,
}

/// Local transforms and morph weights, before the tree is walked.
#[derive(Debug, Clone)]
pub(super) struct LocalPose {
    pub(super) parent_from_node: Vec<Transform>,
    pub(super) morph_weights: Vec<Vec<f32>>,
}

impl LocalPose {
    /// Every node as the file leaves it.
    pub(super) fn rest(model: &Model) -> Self {
        Self {
            parent_from_node: model.nodes.iter().map(|node| node.rest).collect(),
            morph_weights: model.nodes.iter().map(|node| node.morph_weights.clone()).collect(),
        }
    }

    /// Walks the tree.
    pub(super) fn resolve(self, model: &Model) -> Pose {
        let mut model_from_node = vec![Mat4::IDENTITY; model.nodes.len()];
        for &node in &model.order {
            let parent_from_node = self.parent_from_node[node.at()].matrix();
            model_from_node[node.at()] = match model.nodes[node.at()].parent {
                Some(parent) => model_from_node[parent.at()] * parent_from_node,
                None => parent_from_node,
            };
        }
        Pose { model_from_node, morph_weights: self.morph_weights }
    }
}

/// The pose in which the file leaves its nodes. It may differ from the bind pose.
pub fn rest_pose(model: &Model) -> Pose {
    LocalPose::rest(model).resolve(model)
}

impl PosedMesh {
    /// The smallest box round every vertex as (least, greatest) corners, or `None` without vertices.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.positions().fold(None, |bounds, point| {
            let (least, greatest) = bounds.unwrap_or((point, point));
            Some((least.min(point), greatest.max(point)))
        })
    }

    /// All vertices, part after part.
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.parts.iter().flat_map(|part| part.positions.iter().copied())
    }

    /// The largest distance between a vertex here and the same vertex there, of the parts whose node counts.
    ///
    /// # Panics
    ///
    /// If the two are not poses of one model.
    pub fn furthest_from(&self, other: &Self, counts: impl Fn(NodeIndex) -> bool) -> f32 {
        assert_eq!(self.parts.len(), other.parts.len(), "both are poses of one model");
        std::iter::zip(&self.parts, &other.parts)
            .filter(|(part, _)| counts(part.node))
            .flat_map(|(here, there)| std::iter::zip(&here.positions, &there.positions))
            .map(|(here, there)| here.distance_squared(*there))
            .fold(0.0, f32::max)
            .sqrt()
    }
}
