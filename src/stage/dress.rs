//! A subject's surfaces by variant, with the masks that its bones and the study give it.

use super::actor::Actor;
use super::masks::{Extent, MaskRegion};
use super::scene::{Mask, MaskSet};
use super::surface::{self, Dressed};
use crate::asset::{Model, NodeMask};
use crate::base::{Finding, NodeIndex};
use crate::plan::VariantSpec;
use crate::rig::Role;
use crate::study::Region;

/// Surfaces of one subject.
#[derive(Debug)]
pub(super) struct Wardrobe(Vec<(VariantSpec, Result<Dressed, Finding>)>);

impl Wardrobe {
    /// The surface in a variant.
    pub(super) fn get(&self, variant: &VariantSpec) -> Result<&Dressed, Finding> {
        let (_, dressed) =
            self.0.iter().find(|(known, _)| known == variant).expect("every variant of the plan is here");
        dressed.as_ref().map_err(Clone::clone)
    }
}

/// The surfaces of an actor in every variant that its cells ask for.
pub(super) fn wardrobe(actor: &Actor, variants: &[VariantSpec]) -> Wardrobe {
    let base = MaskSet::default().with(Mask::Subject).with(Mask::Worker);
    let regions = regions(actor);
    let dress = |variant: &VariantSpec| {
        let parts = &actor.bind_mesh.parts;
        surface::dress(&actor.model, parts, &actor.spec.hide, variant, base, &regions)
    };
    Wardrobe(variants.iter().map(|variant| (variant.clone(), dress(variant))).collect())
}

/// The study's word on head, face and eyes. Without one, the head is what hangs on the head joint, and face and eyes
/// are what the file says, if it does.
fn regions(actor: &Actor) -> Vec<MaskRegion> {
    let head = match &actor.spec.head {
        Some(named) => Some(Extent::Named(named.clone())),
        None => actor.anatomy.get(Role::Head).map(Extent::Joint),
    };
    let told = |region: &Option<Region>, marks: &[NodeMask]| {
        region.clone().map(Extent::Named).or_else(|| marked(&actor.model, marks))
    };
    // The eyes are part of the face.
    let face = told(&actor.spec.face, &[NodeMask::Face, NodeMask::Eyes]);
    let eyes = told(&actor.spec.eyes, &[NodeMask::Eyes]);
    [(Mask::Head, head), (Mask::Face, face), (Mask::Eyes, eyes)]
        .into_iter()
        .filter_map(|(mask, extent)| extent.map(|extent| MaskRegion { mask, extent }))
        .collect()
}

/// The nodes that the file marks as one of `marks`; `None` where there is none.
fn marked(model: &Model, marks: &[NodeMask]) -> Option<Extent> {
    let is_marked = |node: &NodeIndex| model.nodes[node.at()].mask.is_some_and(|mask| marks.contains(&mask));
    let nodes: Vec<NodeIndex> = model.order.iter().copied().filter(is_marked).collect();
    (!nodes.is_empty()).then_some(Extent::Marked(nodes))
}
