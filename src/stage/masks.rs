//! Which triangles of a model count towards which mask.
//!
//! A triangle is in a node region when over half of its weight is under the region's nodes; a rigid
//! part is in it when its node is.

use crate::asset::Model;
use crate::base::{Finding, NodeIndex};
use crate::rig::PosedPart;
use crate::study::Region;

use super::scene::{Mask, MaskSet};
use super::select;

/// A mask and where it lies.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MaskRegion {
    pub(super) mask: Mask,
    pub(super) extent: Extent,
}

/// Where a mask lies on a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Extent {
    /// By names of the study.
    Named(Region),
    /// Under one joint.
    Joint(NodeIndex),
    /// The meshes of these nodes, as the file says.
    Marked(Vec<NodeIndex>),
}

/// For each part, one set a triangle: `base` with every region the triangle is in.
///
/// # Errors
///
/// `MASK_EMPTY` where the study names a region that holds no triangle.
pub(super) fn triangle_masks(
    model: &Model,
    parts: &[PosedPart],
    base: MaskSet,
    regions: &[MaskRegion],
) -> Result<Vec<Vec<MaskSet>>, Finding> {
    let mut sets: Vec<Vec<MaskSet>> =
        parts.iter().map(|part| vec![base; select::primitive(model, part).indices.len() / 3]).collect();
    for region in regions {
        let mut any = false;
        let nodes = nodes_of(model, &region.extent);
        for (part, sets) in std::iter::zip(parts, &mut sets) {
            for (set, inside) in std::iter::zip(sets, triangles_in(model, part, &region.extent, &nodes)) {
                if inside {
                    *set = set.with(region.mask);
                    any = true;
                }
            }
        }
        if let (false, Extent::Named(named)) = (any, &region.extent) {
            let message = format!("{} = {} holds no triangle", region.mask.name(), written(named));
            return Err(Finding::error("MASK_EMPTY", model.path.display().to_string(), message)
                .with_hint("`posegrid inspect` lists the nodes and materials of a model"));
        }
    }
    Ok(sets)
}

/// A region as a study writes it.
fn written(region: &Region) -> String {
    match region {
        Region::All => "\"all\"".to_owned(),
        Region::Nodes(names) => format!("{{ nodes = {names:?} }}"),
        Region::Materials(names) => format!("{{ materials = {names:?} }}"),
    }
}

/// One flag a node: whether it is a node of the region or under one.
fn nodes_of(model: &Model, extent: &Extent) -> Vec<bool> {
    let mut inside = vec![false; model.nodes.len()];
    let levels = model.levels();
    for &node in &model.order {
        let named = match extent {
            Extent::Joint(joint) => *joint == node,
            Extent::Named(Region::Nodes(patterns)) => {
                patterns.iter().any(|pattern| select::names_node(model, &levels, node, pattern))
            }
            Extent::Named(Region::All | Region::Materials(_)) | Extent::Marked(_) => false,
        };
        inside[node.at()] = named || model.nodes[node.at()].parent.is_some_and(|parent| inside[parent.at()]);
    }
    inside
}

fn triangles_in<'a>(
    model: &'a Model,
    part: &'a PosedPart,
    extent: &'a Extent,
    nodes: &'a [bool],
) -> Box<dyn Iterator<Item = bool> + 'a> {
    let primitive = select::primitive(model, part);
    let count = primitive.indices.len() / 3;
    let whole = match extent {
        Extent::Named(Region::All) => Some(true),
        Extent::Named(Region::Materials(patterns)) => {
            let name = primitive.material.and_then(|at| model.materials[at.at()].name.as_deref());
            Some(name.is_some_and(|name| patterns.iter().any(|pattern| select::means(pattern, name))))
        }
        Extent::Marked(nodes) => Some(nodes.contains(&part.node)),
        Extent::Named(Region::Nodes(_)) | Extent::Joint(_) => None,
    };
    let skin = model.nodes[part.node.at()].skin.map(|skin| &model.skins[skin.at()]);
    match (whole, &primitive.influences, skin) {
        (Some(whole), ..) => Box::new(std::iter::repeat_n(whole, count)),
        (None, Some(influences), Some(skin)) => {
            let weight: Vec<f32> = (0..part.positions.len())
                .map(|vertex| {
                    influences.of(vertex).filter(|(joint, _)| nodes[skin.joints[joint.at()].at()]).map(|(_, w)| w).sum()
                })
                .collect();
            Box::new(
                primitive
                    .indices
                    .chunks_exact(3)
                    .map(move |triangle| triangle.iter().map(|vertex| weight[*vertex as usize]).sum::<f32>() > 1.5),
            )
        }
        (None, ..) => Box::new(std::iter::repeat_n(nodes[part.node.at()], count)),
    }
}
