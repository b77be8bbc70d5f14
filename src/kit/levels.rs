//! Make the coarser levels of detail of a worker: one that moves, and one that stands still.
//!
//! Reads: a worker's surfaces as they are before they are painted, what the recipe asks for. Writes: surfaces with fewer
//! triangles, and their nodes in a model. Pure.
//!
//! Both are thinned from the finest by the same queue and coloured at their vertices. The first keeps skin and bones. The
//! second has none: its vertices stand where the first moment of idle puts them. It is a mesh a part, like the others,
//! so that whatever hides or recolours a part does so at every level.

use glam::{DQuat, DVec3};
use serde::Deserialize;
use toml::Spanned;

use super::assemble::{direction, influences, primitive, shown_as};
use super::bake;
use super::clip::{Scale, stored};
use super::error::KitError;
use super::form::Frame;
use super::idle;
use super::layers::Layers;
use super::motion_spec::MotionSpec;
use super::pose::{Pose, joint};
use super::recipe::{Recipe, Source};
use super::shape_spec::PartSpec;
use super::skeleton::Skeleton;
use super::split::split;
use super::surface::{Surface, thin_all};
use crate::asset::{Influences, Mesh, Model, Node, Primitive};
use crate::base::{JointIndex, MeshIndex, NodeIndex, SkinIndex};

/// What a recipe asks for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelsSpec {
    /// Triangles of the level that moves, about.
    pub coarse: Spanned<usize>,
    /// Triangles of the level that stands still, about.
    #[serde(rename = "static")]
    pub still: Spanned<usize>,
    /// `msft_lod` or `names`.
    #[serde(rename = "as")]
    pub way: Spanned<String>,
}

/// How a file says its levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Nodes outside the scene that the finest ones list.
    Ladder,
    /// Nodes of the scene whose names end in a level.
    Names,
}

/// How far layers are kept apart at each level, for the fewer triangles, the further they stray; and how much vertices
/// keep apart for their colours, which no texture carries any more.
const KEPT: [(f64, f32); 2] = [(0.8, 5.0), (1.6, 2.0)];

const WAYS: [(&str, Way); 2] = [("msft_lod", Way::Ladder), ("names", Way::Names)];

/// The coarser levels of a worker.
pub(super) struct Levels<'a> {
    pub way: Way,
    /// One a level, the finest left out: surfaces with their colours.
    lower: [Vec<Surface<'a>>; 2],
}

impl<'a> Levels<'a> {
    /// Of surfaces that are neither split nor painted yet; `None` where the recipe asks for none.
    pub(super) fn of(
        frame: &Frame<'_>,
        recipe: &'a Recipe,
        whole: &[Surface<'a>],
        source: Source<'_>,
    ) -> Result<Option<Self>, KitError> {
        let Some(spec) = &recipe.levels else { return Ok(None) };
        let spec = spec.get_ref();
        let way = WAYS.iter().find(|(word, _)| word == spec.way.get_ref());
        let way = way.ok_or_else(|| source.unknown(&spec.way, "way", WAYS.iter().map(|(word, _)| *word)))?.1;
        let budgets = [&spec.coarse, &spec.still];
        let mut finer = recipe.body.triangles;
        for budget in budgets {
            if *budget.get_ref() >= finer {
                let message = format!("a level of {} triangles is no coarser than one of {finer}", budget.get_ref());
                let hint = Some("triangles of [body], coarse and static fall in this order".to_owned());
                return Err(source.fault(budget.span(), message, hint));
            }
            finer = *budget.get_ref();
        }
        let make = |at: usize| {
            let wanted = |part: &PartSpec| !(part.fine_only || at == 1 && part.no_static);
            let parts = whole.iter().filter(|part| wanted(part.spec)).cloned().collect();
            // What stands still bends nowhere, so nothing needs to stay apart for its bones.
            let feels = if at == 0 { frame } else { &Frame::Load };
            let mut parts = coarser(feels, recipe, parts, *budgets[at].get_ref(), KEPT[at]);
            parts = split(frame, recipe, parts, wanted, source)?;
            colour(frame, recipe, &mut parts);
            Ok(parts)
        };
        Ok(Some(Self { way, lower: [make(0)?, make(1)?] }))
    }
}

/// Thins parts to a budget, and keeps what lies over what apart.
fn coarser<'a>(
    feels: &Frame<'_>,
    recipe: &Recipe,
    mut parts: Vec<Surface<'a>>,
    budget: usize,
    (room, colours): (f64, f32),
) -> Vec<Surface<'a>> {
    let layers = Layers::of(&parts);
    thin_all(feels, recipe, &mut parts, budget, colours);
    // Vertices stay where thinning put them: drawn back onto the surface, so few of them would make a thinner body.
    parts.iter_mut().flat_map(|part| &mut part.pieces).for_each(|piece| piece.shell.turn(&piece.solids));
    layers.part(&mut parts, room);
    parts
}

/// Colours of vertices want a material without the texture, and that a name of its own.
fn colour(frame: &Frame<'_>, recipe: &Recipe, parts: &mut [Surface<'_>]) {
    bake::paint(parts, frame, recipe, None);
    if recipe.body.texture_px.is_some() {
        for part in parts {
            part.material.name = part.material.name.take().map(|name| format!("{name}_LOD1"));
        }
    }
}

/// A worker that is being put together.
pub(super) struct Body<'a> {
    pub skeleton: &'a Skeleton,
    pub motion: &'a MotionSpec,
    pub scale: Scale,
}

/// Adds the nodes of all lower levels to a model; `fine` are the nodes of the finest parts, in the recipe's order.
pub(super) fn add(
    model: &mut Model,
    body: &Body<'_>,
    levels: &Levels<'_>,
    fine: &[NodeIndex],
    source: Source<'_>,
) -> Result<(), KitError> {
    let standing = idle::pose(body.skeleton, &body.motion.idle, 0.0).0;
    let names: Vec<String> = fine.iter().map(|node| model.node_name(*node)).collect();
    let mut lower: Vec<Vec<NodeIndex>> = vec![Vec::new(); fine.len()];
    for (at, parts) in levels.lower.iter().enumerate() {
        let pose = (at == 1).then_some(&standing);
        for part in parts {
            let node = add_part(model, body, part, at + 1, pose, source)?;
            let own = names.iter().position(|name| name == part.spec.name.get_ref());
            lower[own.expect("a coarse part is a fine one with fewer triangles")].push(node);
        }
    }
    match levels.way {
        Way::Names => fine.iter().for_each(|node| mark_finest(model, *node)),
        Way::Ladder => std::iter::zip(fine, lower).for_each(|(node, lower)| hang(model, *node, lower)),
    }
    Ok(())
}

/// The finest level of a part has it in its name too.
fn mark_finest(model: &mut Model, node: NodeIndex) {
    let name = format!("{}_LOD0", model.node_name(node));
    if let Some(mesh) = model.nodes[node.at()].mesh {
        model.meshes[mesh.at()].name = Some(name.clone());
    }
    model.nodes[node.at()].name = Some(name);
}

/// Makes `lower` the lower levels of a node. A part that has none gives way to an empty node.
///
/// A mesh that rides on a bone gives way to an empty node as well, and another empty node, beside the bones, gives way to
/// its lower levels: whoever puts them where the riding node is would move them with the bone a second time.
fn hang(model: &mut Model, node: NodeIndex, lower: Vec<NodeIndex>) {
    let name = model.node_name(node);
    if model.nodes[node.at()].parent.is_none() && !lower.is_empty() {
        model.nodes[node.at()].lower = lower;
        return;
    }
    let parent = model.nodes[node.at()].parent;
    let empty = push(model, Node::new(&format!("{name}_none"), parent));
    match parent {
        Some(parent) => model.nodes[parent.at()].children.push(empty),
        None => model.roots.push(empty),
    }
    model.nodes[node.at()].lower = vec![empty];
    if !lower.is_empty() {
        let holder = push(model, Node { lower, ..Node::new(&format!("{name}_afar"), None) });
        model.roots.push(holder);
    }
}

fn push(model: &mut Model, node: Node) -> NodeIndex {
    model.nodes.push(node);
    NodeIndex::new(model.nodes.len() - 1)
}

/// A part at a lower level, skinned, or in one pose for good.
fn add_part(
    model: &mut Model,
    body: &Body<'_>,
    part: &Surface<'_>,
    level: usize,
    pose: Option<&Pose>,
    source: Source<'_>,
) -> Result<NodeIndex, KitError> {
    let name = format!("{}_LOD{level}", part.spec.name.get_ref());
    let mut primitive = primitive(model, part, |at| body.scale.point(at));
    let mut node = Node::new(&name, None);
    shown_as(part.spec, &mut node, source)?;
    let rides = part.spec.rides.as_ref().map(|bone| body.skeleton.find_one(bone, source)).transpose()?;
    match pose {
        None => {
            primitive.influences = Some(match rides {
                Some(bone) => wholly(bone, primitive.positions.len()),
                None => influences(body.skeleton, part),
            });
            node.skin = Some(SkinIndex(0));
        }
        Some(pose) => stand(&mut primitive, body, part, rides, pose),
    }
    node.mesh = Some(MeshIndex::new(model.meshes.len()));
    model.meshes.push(Mesh { name: Some(name), primitives: vec![primitive] });
    let node = push(model, node);
    model.roots.push(node);
    Ok(node)
}

/// All of one bone.
fn wholly(bone: usize, vertices: usize) -> Influences {
    Influences {
        offsets: (0..=vertices as u32).collect(),
        joints: vec![JointIndex::new(bone); vertices],
        weights: vec![1.0; vertices],
    }
}

/// Puts every vertex where a pose has it, by the weights that it would have.
fn stand(primitive: &mut Primitive, body: &Body<'_>, part: &Surface<'_>, rides: Option<usize>, pose: &Pose) {
    let skeleton = body.skeleton;
    let turns: Vec<(DQuat, DVec3, DVec3)> = (0..skeleton.bones.len())
        .map(|bone| (pose.turned[bone], skeleton.bones[bone].head, joint(skeleton, pose, bone)))
        .collect();
    let weights: Vec<Vec<(usize, f32)>> = match rides {
        Some(bone) => vec![vec![(bone, 1.0)]; primitive.positions.len()],
        None => part.weights(skeleton).collect(),
    };
    let places = std::iter::zip(part.positions(), part.normals());
    let posed = std::iter::zip(places, weights).map(|((at, normal), weights)| {
        weights.iter().fold((DVec3::ZERO, DVec3::ZERO), |(place, turned), (bone, weight)| {
            let ((turn, from, to), weight) = (turns[*bone], f64::from(*weight));
            (place + (to + turn * (at - from)) * weight, turned + turn * normal * weight)
        })
    });
    (primitive.positions, primitive.normals) =
        posed.map(|(at, normal)| (stored(body.scale.point(at)), direction(normal.normalize_or(DVec3::Y)))).unzip();
}
