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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::sample::Sample;
    use super::*;

    fn with(name: &str, values: &Value) -> Sample {
        let mut sample = Sample::empty();
        sample.json["nodes"] = json!([{}, {}, {}]);
        sample.json["extensions"] = json!({name: values});
        sample
    }

    #[test]
    fn a_vrm_0_model_lists_its_bones_and_faces_backwards() {
        let bones = json!([{"bone": "hips", "node": 2}, {"bone": "head", "node": 1}, {"bone": "jaw", "node": -1}]);
        let sample = with("VRM", &json!({"humanoid": {"humanBones": bones}}));
        let humanoid = sample.load().humanoid.unwrap();
        assert_eq!(humanoid.bones, [("hips".to_owned(), NodeIndex(2)), ("head".to_owned(), NodeIndex(1))]);
        assert!(humanoid.faces_minus_z && sample.finding("HUMANOID_INVALID").is_none());
    }

    #[test]
    fn a_vrm_1_model_names_its_bones_and_faces_forwards() {
        let bones = json!({"hips": {"node": 0}, "head": {"node": 3}});
        let sample = with("VRMC_vrm", &json!({"humanoid": {"humanBones": bones}}));
        let humanoid = sample.load().humanoid.unwrap();
        assert_eq!(humanoid.bones, [("hips".to_owned(), NodeIndex(0))]);
        assert!(!humanoid.faces_minus_z);
        assert!(sample.finding("HUMANOID_INVALID").unwrap().message.ends_with("head"));
    }

    #[test]
    fn toon_shading_and_springs_of_vrm_0_are_said() {
        let sample = with(
            "VRM",
            &json!({"materialProperties": [{"shader": "VRM/MToon"}], "secondaryAnimation": {"boneGroups": [{}]}}),
        );
        let findings = sample.load().findings;
        assert_eq!(findings.iter().filter(|finding| finding.code == "EXTENSION_NOT_HONOURED").count(), 2);
    }

    #[test]
    fn other_files_have_no_humanoid() {
        assert!(Sample::empty().load().humanoid.is_none());
    }
}
