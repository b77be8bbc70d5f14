//! Say of every vertex what of a body it is.
//!
//! Reads: a made model, its bones, and what the recipe says of its parts. Pure.
//!
//! A vertex is of the class of the bones that together move it most. A part that `is` hair, a tail or a
//! hat is that, whatever moves it: hair on a head, or a tail that has no bones of its own.

use toml::Spanned;

use super::MeshClasses;
use crate::asset::{Model, Node, Primitive};
use crate::base::NodeIndex;
use crate::kit::error::KitError;
use crate::kit::recipe::{Recipe, Source};
use crate::kit::skeleton::{Role, Skeleton};

/// What of a body a vertex is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Trunk,
    Neck,
    Head,
    Hair,
    Hat,
    Tail,
    Arm,
    Hand,
    Leg,
    Foot,
    /// Moved by no bone.
    Still,
}

const CLASSES: [(&str, Class); 11] = [
    ("trunk", Class::Trunk),
    ("neck", Class::Neck),
    ("head", Class::Head),
    ("hair", Class::Hair),
    ("hat", Class::Hat),
    ("tail", Class::Tail),
    ("arm", Class::Arm),
    ("hand", Class::Hand),
    ("leg", Class::Leg),
    ("foot", Class::Foot),
    ("still", Class::Still),
];

/// What a recipe may say that a part is.
const IS: [(&str, Class); 3] = [("hair", Class::Hair), ("hat", Class::Hat), ("tail", Class::Tail)];

/// What a part says that it is.
pub(super) fn part_is(is: Option<&Spanned<String>>, source: Source<'_>) -> Result<Option<Class>, KitError> {
    let Some(word) = is else { return Ok(None) };
    let found = IS.iter().find(|(name, _)| name == word.get_ref());
    let class = found.ok_or_else(|| source.unknown(word, "kind of part", IS.iter().map(|(name, _)| *name)))?;
    Ok(Some(class.1))
}

/// All primitives, in the order of the model's nodes.
pub(super) fn meshes(
    skeleton: Option<&Skeleton>,
    recipe: &Recipe,
    model: &Model,
    source: Source<'_>,
) -> Result<Vec<MeshClasses>, KitError> {
    let of_bone: Vec<Class> = skeleton
        .map(|skeleton| (0..skeleton.bones.len()).map(|bone| class_of(skeleton, bone)).collect())
        .unwrap_or_default();
    let mut meshes = Vec::new();
    for (at, node) in model.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let name = model.node_name(NodeIndex::new(at));
        let (part, level) = part_and_level(&name);
        let spec = recipe.body.part.iter().find(|spec| spec.name.get_ref() == part);
        let is = part_is(spec.and_then(|spec| spec.is.as_ref()), source)?;
        for (index, primitive) in model.meshes[mesh.at()].primitives.iter().enumerate() {
            let class = |vertex: usize| is.unwrap_or_else(|| class(&of_bone, model, node, primitive, vertex));
            meshes.push(MeshClasses {
                node: name.clone(),
                part: part.to_owned(),
                level,
                primitive: index,
                hidden: spec.is_some_and(|spec| spec.hidden),
                vertices: primitive.positions.len(),
                classes: runs((0..primitive.positions.len()).map(class)),
            });
        }
    }
    Ok(meshes)
}

/// `tunic_LOD1` is level 1 of the tunic.
fn part_and_level(node: &str) -> (&str, u32) {
    let split = node.rsplit_once("_LOD").and_then(|(part, level)| Some((part, level.parse().ok()?)));
    split.unwrap_or((node, 0))
}

/// By the bones that move it most together, or by the bone that it rides on.
fn class(of_bone: &[Class], model: &Model, node: &Node, primitive: &Primitive, vertex: usize) -> Class {
    let Some(influences) = primitive.influences.as_ref().filter(|_| node.skin.is_some()) else {
        return node.parent.and_then(|parent| bone_of_node(model, parent)).map_or(Class::Still, |bone| of_bone[bone]);
    };
    let mut sums = [0.0; CLASSES.len()];
    for (joint, weight) in influences.of(vertex) {
        sums[place(of_bone[joint.at()])] += weight;
    }
    let most = (0..sums.len()).rev().max_by(|a, b| sums[*a].total_cmp(&sums[*b]));
    most.map_or(Class::Still, |at| CLASSES[at].1)
}

fn place(class: Class) -> usize {
    CLASSES.iter().position(|(_, own)| *own == class).expect("every class is in the list")
}

/// Joints of a kit's skin are its bones, in order.
fn bone_of_node(model: &Model, node: NodeIndex) -> Option<usize> {
    model.skins.first()?.joints.iter().position(|joint| *joint == node)
}

/// A chain on the hips is a tail, one on the head hair; any other is what it hangs on.
pub(super) fn class_of(skeleton: &Skeleton, bone: usize) -> Class {
    match &skeleton.bones[bone].role {
        Role::Hips | Role::Spine(_) | Role::Clavicle => Class::Trunk,
        Role::Neck => Class::Neck,
        Role::Head | Role::HeadTop | Role::HeadFront => Class::Head,
        Role::UpperArm | Role::Forearm => Class::Arm,
        Role::Hand => Class::Hand,
        Role::Thigh | Role::Shin => Class::Leg,
        Role::Foot | Role::Toes => Class::Foot,
        Role::Chain { .. } => {
            let mut on = bone;
            while let (Role::Chain { .. }, Some(parent)) = (&skeleton.bones[on].role, skeleton.bones[on].parent) {
                on = parent;
            }
            match skeleton.bones[on].role {
                Role::Hips => Class::Tail,
                Role::Head | Role::HeadTop | Role::HeadFront => Class::Hair,
                _ => class_of(skeleton, on),
            }
        }
    }
}

/// `trunk 120 arm 30`.
fn runs(classes: impl Iterator<Item = Class>) -> String {
    let mut runs: Vec<(Class, usize)> = Vec::new();
    for class in classes {
        match runs.last_mut() {
            Some((last, count)) if *last == class => *count += 1,
            _ => runs.push((class, 1)),
        }
    }
    let words: Vec<String> =
        runs.iter().map(|(class, count)| format!("{} {count}", CLASSES[place(*class)].0)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_class_are_a_run() {
        let classes = [Class::Trunk, Class::Trunk, Class::Hand, Class::Trunk];
        assert_eq!(runs(classes.into_iter()), "trunk 2 hand 1 trunk 1");
    }

    #[test]
    fn a_level_is_read_off_a_nodes_name() {
        assert_eq!(part_and_level("tunic"), ("tunic", 0));
        assert_eq!(part_and_level("tunic_LOD2"), ("tunic", 2));
        assert_eq!(part_and_level("tunic_LODx"), ("tunic_LODx", 0));
    }
}
