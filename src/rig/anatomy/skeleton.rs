//! The joints that carry weight, where they are in the bind pose, and what hangs on each.
//!
//! Reads: a model and its bind pose. Gives: a tree of *live* nodes. Pure.
//!
//! A node is live if it or anything under it moves vertices; control bones and helpers fall away. A
//! rigid mesh counts for the nearest joint above it, or for its own node in a model without skins.
//! Positions here are in *body* space: model space turned so that up is +Y.

use glam::{Quat, Vec3};

use super::super::bind::{bind_pose, model_from_bind_space};
use super::super::pose::Pose;
use crate::asset::Model;
use crate::base::NodeIndex;

/// The least total weight that counts: stray weights that a paint brush left sum to less.
const LEAST_WEIGHT: f32 = 1e-3;

/// Vertices that one node moves more than any other does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cloud {
    pub(super) count: u32,
    sum: Vec3,
    pub(super) least: Vec3,
    pub(super) greatest: Vec3,
}

impl Cloud {
    const NONE: Self = Self { count: 0, sum: Vec3::ZERO, least: Vec3::INFINITY, greatest: Vec3::NEG_INFINITY };

    fn add(&mut self, point: Vec3) {
        self.count += 1;
        self.sum += point;
        self.least = self.least.min(point);
        self.greatest = self.greatest.max(point);
    }

    fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
    }

    pub(super) fn centre(&self) -> Option<Vec3> {
        (self.count > 0).then(|| self.sum / self.count as f32)
    }
}

/// The live tree of a model.
pub(super) struct Skeleton<'a> {
    pub(super) model: &'a Model,
    pub(super) bind: Pose,
    /// Turns model space so that up is +Y.
    pub(super) body_from_model: Quat,
    /// Joints in some skin; in a model without skins, every node.
    pub(super) is_joint: Vec<bool>,
    /// Total weight on the node itself.
    pub(super) own_weight: Vec<f32>,
    /// Total weight on the node and all under it.
    pub(super) weight: Vec<f32>,
    /// What the node itself moves, without rigid meshes that ride it: a sword is no part of the hand.
    pub(super) cloud: Vec<Cloud>,
    /// What the node and all under it move, rigid meshes included.
    pub(super) cloud_under: Vec<Cloud>,
    /// Every drawn vertex.
    pub(super) body: Cloud,
    depth: Vec<usize>,
}

impl<'a> Skeleton<'a> {
    pub(super) fn new(model: &'a Model, up: Vec3) -> Self {
        let count = model.nodes.len();
        let mut depth = vec![0; count];
        for &node in &model.order {
            depth[node.at()] = model.nodes[node.at()].parent.map_or(0, |parent| depth[parent.at()] + 1);
        }
        let mut skeleton = Self {
            model,
            bind: bind_pose(model),
            body_from_model: super::body_from_model(up),
            is_joint: joints(model),
            own_weight: vec![0.0; count],
            weight: vec![0.0; count],
            cloud: vec![Cloud::NONE; count],
            cloud_under: vec![Cloud::NONE; count],
            body: Cloud::NONE,
            depth,
        };
        skeleton.weigh();
        skeleton.sum_up();
        skeleton
    }

    fn weigh(&mut self) {
        let spaces = model_from_bind_space(self.model);
        let seen = self.model.seen_nodes(0);
        for &node in self.model.order.iter().filter(|node| seen[node.at()]) {
            let Some(mesh) = self.model.nodes[node.at()].mesh else { continue };
            let skin = self.model.nodes[node.at()].skin;
            for primitive in &self.model.meshes[mesh.at()].primitives {
                match (skin, &primitive.influences) {
                    (Some(skin), Some(influences)) => {
                        let joints = &self.model.skins[skin.at()].joints;
                        for (vertex, point) in primitive.positions.iter().enumerate() {
                            let point = self.body_from_model * spaces[skin.at()].transform_point3(*point);
                            self.body.add(point);
                            let mut most: Option<(NodeIndex, f32)> = None;
                            for (joint, weight) in influences.of(vertex) {
                                let Some(&joint) = joints.get(joint.at()) else { continue };
                                self.own_weight[joint.at()] += weight;
                                if most.is_none_or(|(_, greatest)| weight > greatest) {
                                    most = Some((joint, weight));
                                }
                            }
                            if let Some((joint, _)) = most {
                                self.cloud[joint.at()].add(point);
                            }
                        }
                    }
                    _ => self.weigh_rigid(node, &primitive.positions),
                }
            }
        }
    }

    fn weigh_rigid(&mut self, node: NodeIndex, positions: &[Vec3]) {
        let model_from_node = self.bind.model_from_node[node.at()];
        let rider = self.nearest_joint(node);
        for point in positions {
            let point = self.body_from_model * model_from_node.transform_point3(*point);
            self.body.add(point);
            if let Some(rider) = rider {
                self.own_weight[rider.at()] += 1.0;
                self.cloud_under[rider.at()].add(point);
            }
        }
    }

    /// The node itself or the nearest one above it that is a joint.
    pub(super) fn nearest_joint(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.upwards(node).find(|at| self.is_joint[at.at()])
    }

    fn sum_up(&mut self) {
        self.weight.clone_from(&self.own_weight);
        for (under, own) in std::iter::zip(&mut self.cloud_under, &self.cloud) {
            under.join(own);
        }
        for &node in self.model.order.iter().rev() {
            if let Some(parent) = self.model.nodes[node.at()].parent {
                self.weight[parent.at()] += self.weight[node.at()];
                let cloud = self.cloud_under[node.at()];
                self.cloud_under[parent.at()].join(&cloud);
            }
        }
    }

    /// Whether the node or anything under it moves vertices.
    pub(super) fn is_live(&self, node: NodeIndex) -> bool {
        self.weight[node.at()] > LEAST_WEIGHT
    }

    /// Live nodes, parents before children.
    pub(super) fn live(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.model.order.iter().copied().filter(|&node| self.is_live(node))
    }

    /// Live joints, parents before children.
    pub(super) fn live_joints(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.live().filter(|node| self.is_joint[node.at()])
    }

    /// Live children in file order.
    pub(super) fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.model.nodes[node.at()].children.iter().copied().filter(|&child| self.is_live(child))
    }

    /// The node, its parent, and so on to the root.
    pub(super) fn upwards(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::successors(Some(node), |at| self.model.nodes[at.at()].parent).take(self.model.nodes.len())
    }

    /// The node and all live nodes under it, parents before children.
    pub(super) fn under(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.live().filter(move |&at| self.is_under(at, node))
    }

    /// Whether `node` is `above` or hangs under it.
    pub(super) fn is_under(&self, node: NodeIndex, above: NodeIndex) -> bool {
        self.depth[node.at()] >= self.depth[above.at()] && self.upwards(node).any(|at| at == above)
    }

    /// How far from the root a node is.
    pub(super) fn depth(&self, node: NodeIndex) -> usize {
        self.depth[node.at()]
    }

    /// The lowest node that both hang under, either itself included.
    pub(super) fn meet(&self, one: NodeIndex, other: NodeIndex) -> Option<NodeIndex> {
        self.upwards(one).find(|&at| self.is_under(other, at))
    }

    /// From `above` down to `node`, both included; empty where `node` is not under `above`.
    pub(super) fn path(&self, above: NodeIndex, node: NodeIndex) -> Vec<NodeIndex> {
        if !self.is_under(node, above) {
            return Vec::new();
        }
        let mut path: Vec<NodeIndex> = self.upwards(node).take_while(|&at| at != above).collect();
        path.push(above);
        path.reverse();
        path
    }

    /// Where a joint is in the bind pose, body space.
    pub(super) fn at(&self, node: NodeIndex) -> Vec3 {
        self.body_from_model * self.bind.model_from_node[node.at()].w_axis.truncate()
    }

    /// Extent of every drawn vertex along up; 0 without vertices.
    pub(super) fn height(&self) -> f32 {
        if self.body.count == 0 { 0.0 } else { self.body.greatest.y - self.body.least.y }
    }

    /// The lowest drawn point.
    pub(super) fn ground(&self) -> f32 {
        if self.body.count == 0 { 0.0 } else { self.body.least.y }
    }

    /// The lowest point of what hangs under a node: its vertices, or its joints where it has none.
    pub(super) fn lowest_under(&self, node: NodeIndex) -> f32 {
        let joints = self.under(node).map(|at| self.at(at).y).fold(f32::INFINITY, f32::min);
        joints.min(self.cloud_under[node.at()].least.y)
    }

    /// The name as written, empty where there is none.
    pub(super) fn name(&self, node: NodeIndex) -> &str {
        self.model.nodes[node.at()].name.as_deref().unwrap_or("")
    }
}

fn joints(model: &Model) -> Vec<bool> {
    let mut is_joint = vec![false; model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = is_joint.get_mut(joint.at()) {
            *is_joint = true;
        }
    }
    if model.skins.is_empty() {
        model.order.iter().for_each(|node| is_joint[node.at()] = true);
    }
    is_joint
}
