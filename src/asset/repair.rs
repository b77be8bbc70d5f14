//! Mend documents that the schema crate refuses although they can be read.
//!
//! Reads: the text of a document that failed to parse. Pure. Some of these are valid glTF (a scene without
//! nodes, a channel without a node, for extensions); the rest is what exporters are known to write: whole
//! numbers as `24.0`, members that are `null`, an index of -1 for none.

use gltf::json;
use json::Value;
use json::deserialize::{from_slice, from_value};

/// What was changed before the document could be read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repairs {
    /// Places that break the schema of glTF.
    pub(super) mended: usize,
    /// Channels left out because they name no node, which is valid.
    pub(super) channels_without_node: usize,
    /// Other changes to what is valid.
    valid: usize,
}

/// Parses `text` after mending it; `None` where that did not help.
pub(super) fn parse(text: &[u8]) -> Option<(json::Root, Repairs)> {
    let mut document: Value = from_slice(text).ok()?;
    let mut repairs = Repairs::default();
    mend_members(&mut document, &mut repairs);
    mend_lists(&mut document, &mut repairs);
    let root = from_value(document).ok()?;
    if repairs == Repairs::default() {
        // Nothing was in the way but a member written twice, of which the last won.
        repairs.mended = 1;
    }
    Some((root, repairs))
}

const INDICES: [&str; 17] = [
    "buffer",
    "bufferView",
    "camera",
    "index",
    "indices",
    "input",
    "inverseBindMatrices",
    "material",
    "mesh",
    "node",
    "output",
    "sampler",
    "scene",
    "skeleton",
    "skin",
    "source",
    "texCoord",
];
const OTHER_INTEGERS: [&str; 15] = [
    "byteLength",
    "byteOffset",
    "byteStride",
    "children",
    "componentType",
    "count",
    "joints",
    "magFilter",
    "minFilter",
    "mode",
    "nodes",
    "target",
    "wrapS",
    "wrapT",
    "attributes",
];

/// Takes out `null` members and indices of -1, and writes whole floats as integers where integers belong.
/// Leaves alone what is an application's own.
fn mend_members(value: &mut Value, repairs: &mut Repairs) {
    match value {
        Value::Object(members) => {
            let before = members.len();
            members.retain(|name, member| !(member.is_null() || INDICES.contains(&name.as_str()) && *member == -1));
            repairs.mended += before - members.len();
            for (name, member) in members.iter_mut() {
                let name = name.as_str();
                if name == "extras" || name == "extensions" {
                    continue;
                }
                if INDICES.contains(&name) || OTHER_INTEGERS.contains(&name) {
                    mend_integers(member, repairs);
                }
                mend_members(member, repairs);
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| mend_members(entry, repairs)),
        _ => {}
    }
}

/// Mends an integer, a list of integers, or an object of them (a primitive's `attributes`).
fn mend_integers(value: &mut Value, repairs: &mut Repairs) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|float| float.fract() == 0.0 && (0.0..9.0e15).contains(float));
            if let Some(whole) = whole {
                *value = (whole as u64).into();
                repairs.mended += 1;
            }
        }
        Value::Array(entries) => {
            entries.iter_mut().filter(|entry| entry.is_number()).for_each(|entry| mend_integers(entry, repairs));
        }
        Value::Object(members) => {
            members.values_mut().filter(|member| member.is_number()).for_each(|member| mend_integers(member, repairs));
        }
        _ => {}
    }
}

fn mend_lists(document: &mut Value, repairs: &mut Repairs) {
    // The schema is strict about cameras, which nothing here reads.
    if let Some(root) = document.as_object_mut() {
        repairs.valid += usize::from(root.remove("cameras").is_some());
    }
    for scene in entries(document, "scenes") {
        repairs.valid += supply(scene, "nodes");
    }
    for mesh in entries(document, "meshes") {
        repairs.mended += supply(mesh, "primitives");
    }
    for animation in entries(document, "animations") {
        repairs.mended += supply(animation, "channels") + supply(animation, "samplers");
        if let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) {
            let before = channels.len();
            channels.retain(|channel| channel.pointer("/target").is_none_or(|target| target.get("node").is_some()));
            repairs.channels_without_node += before - channels.len();
        }
    }
}

fn entries<'v>(document: &'v mut Value, list: &str) -> impl Iterator<Item = &'v mut Value> {
    document.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Adds an empty `list` to an object that has none; 1 where it did.
fn supply(object: &mut Value, list: &str) -> usize {
    match object.as_object_mut() {
        Some(members) if !members.contains_key(list) => {
            members.insert(list.to_owned(), Value::Array(Vec::new()));
            1
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_documents_that_the_schema_crate_refuses_are_read_without_a_fault() {
        let text = br#"{"asset": {"version": "2.0"}, "scenes": [{}], "animations": [{"samplers": [], "channels":
            [{"sampler": 0, "target": {"path": "pointer"}}]}]}"#;
        assert!(from_slice::<json::Root>(text).is_err(), "nothing to mend");
        let (root, repairs) = parse(text).unwrap();
        assert_eq!((repairs.mended, repairs.channels_without_node), (0, 1));
        assert!(root.animations[0].channels.is_empty() && root.scenes[0].nodes.is_empty());
    }

    #[test]
    fn whole_floats_nulls_and_minus_one_are_mended_and_counted() {
        let text = br#"{"asset": {"version": "2.0"}, "nodes": [{"name": null, "skin": -1, "mesh": 0.0,
            "translation": [1.0, 2, 3], "extras": {"mesh": null}}]}"#;
        let (root, repairs) = parse(text).unwrap();
        assert_eq!(repairs.mended, 3);
        let node = &root.nodes[0];
        assert!(node.skin.is_none() && node.mesh.unwrap().value() == 0);
        assert_eq!(node.translation, Some([1.0, 2.0, 3.0]));
        assert!(node.extras.as_ref().unwrap().get().contains("null"));
    }

    #[test]
    fn what_has_no_sensible_meaning_is_left_broken() {
        assert!(parse(br#"{"asset": {"version": "2.0"}, "skins": [{"name": "no joints"}]}"#).is_none());
        assert!(parse(b"{]").is_none());
    }
}
