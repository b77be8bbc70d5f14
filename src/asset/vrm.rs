//! Read what a VRM file says of its skeleton: which node is which bone, and which way it faces.
//!
//! Reads: the extensions `VRM` (0.x) and `VRMC_vrm` (1.0). Writes: a [`Humanoid`], bones of 0.x in the order
//! of the file, of 1.0 by name. A 0.x model faces -Z, a 1.0 model +Z.
//!
//! Sources: vrm-specification, 0.0 `schema/vrm.humanoid.bone.schema.json`; VRMC_vrm-1.0 `humanoid.md`.

use gltf::json::Value;

use crate::base::NodeIndex;

use super::document::Document;
use super::model::Humanoid;
use super::notice::{self, Notices};
use super::place::ROOT;

/// The humanoid of a VRM file; `None` for other files.
pub(super) fn read_humanoid(document: &Document<'_>, notices: &mut Notices) -> Option<Humanoid> {
    let extensions = &document.root.extensions.as_ref()?.others;
    let (named, faces_minus_z) = if let Some(vrm) = extensions.get("VRMC_vrm") {
        (bones_by_name(vrm), false)
    } else if let Some(vrm) = extensions.get("VRM") {
        note_unread_looks(vrm, notices);
        (bone_list(vrm), true)
    } else {
        return None;
    };
    let nodes = document.root.nodes.len();
    let mut bones: Vec<(String, NodeIndex)> = Vec::with_capacity(named.len());
    for (name, node) in named {
        match node.and_then(|node| usize::try_from(node).ok()).filter(|node| *node < nodes) {
            Some(node) => bones.push((name, NodeIndex::new(node))),
            None => notices.detail(notice::HUMANOID_INVALID, &ROOT.field("extensions"), name),
        }
    }
    Some(Humanoid { bones, faces_minus_z })
}

type NamedNodes = Vec<(String, Option<u64>)>;

/// VRM 1.0: an object of name and node.
fn bones_by_name(vrm: &Value) -> NamedNodes {
    let bones = vrm.pointer("/humanoid/humanBones").and_then(Value::as_object);
    bones.into_iter().flatten().map(|(name, bone)| (name.clone(), bone.get("node").and_then(Value::as_u64))).collect()
}

/// VRM 0.x: a list of bones; a node of -1 is a bone left unset.
fn bone_list(vrm: &Value) -> NamedNodes {
    let bones = vrm.pointer("/humanoid/humanBones").and_then(Value::as_array);
    let is_set = |bone: &&Value| bone.get("node").and_then(Value::as_i64) != Some(-1);
    let named = |bone: &Value| {
        let name = bone.get("bone").and_then(Value::as_str).unwrap_or("a nameless bone");
        (name.to_owned(), bone.get("node").and_then(Value::as_u64))
    };
    bones.into_iter().flatten().filter(is_set).map(named).collect()
}

/// In 0.x, toon shading and springs sit within the one extension.
fn note_unread_looks(vrm: &Value, notices: &mut Notices) {
    let extensions = ROOT.field("extensions");
    let place = extensions.field("VRM");
    let materials = vrm.get("materialProperties").and_then(Value::as_array);
    let is_toon =
        |material: &Value| material.get("shader").and_then(Value::as_str).is_some_and(|s| s.contains("MToon"));
    if materials.into_iter().flatten().any(is_toon) {
        notices.each(notice::EXTENSION_NOT_HONOURED, &place, "VRM (its MToon shading)");
    }
    let springs = vrm.pointer("/secondaryAnimation/boneGroups").and_then(Value::as_array);
    if springs.is_some_and(|springs| !springs.is_empty()) {
        notices.each(notice::EXTENSION_NOT_HONOURED, &place, "VRM (its spring bones)");
    }
}
