//! Read what a node says of when it is seen: hidden from the start, or a region of a head.
//!
//! Reads: the extension `KHR_node_visibility` and the extras `{"posegrid": {"mask": "face"}}` of a node.
//! What makes no sense is a finding, and the node is drawn as if it said nothing.

use gltf::json;
use json::Value;

use super::model::NodeMask;
use super::notice::{self, Notices};
use super::place::Place;

pub(super) const VISIBILITY: &str = "KHR_node_visibility";

/// Whether the file hides a node.
pub(super) fn hidden(node: &json::Node, place: &Place<'_>, notices: &mut Notices) -> bool {
    let Some(said) = node.extensions.as_ref().and_then(|extensions| extensions.others.get(VISIBILITY)) else {
        return false;
    };
    match said.get("visible") {
        None => false,
        Some(Value::Bool(visible)) => !visible,
        Some(_) => {
            notices.add(notice::VISIBILITY_INVALID, &place.field("extensions").field(VISIBILITY).field("visible"));
            false
        }
    }
}

/// The region that a node's mesh is.
pub(super) fn mask(node: &json::Node, place: &Place<'_>, notices: &mut Notices) -> Option<NodeMask> {
    let said = extras(node)?.get("posegrid")?.get("mask")?.clone();
    let mask = said.as_str().and_then(NodeMask::of);
    if mask.is_none() {
        notices.detail(notice::MASK_UNKNOWN, &place.field("extras").field("posegrid").field("mask"), said.to_string());
    }
    mask
}

/// A node's extras; `None` where they are no JSON that can be read.
pub(super) fn extras(node: &json::Node) -> Option<Value> {
    json::deserialize::from_str(node.extras.as_ref()?.get()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::model::NodeMask;
    use super::super::sample::Sample;

    fn nodes(nodes: Value) -> Sample {
        let mut sample = Sample::triangle();
        sample.json["nodes"] = nodes;
        sample
    }

    fn visible(visible: &Value) -> Value {
        json!({"KHR_node_visibility": {"visible": visible}})
    }

    /// The extension's text: false omits everything below, even what says true.
    #[test]
    fn a_hidden_node_hides_all_under_it() {
        let sample = nodes(json!([
            {"children": [1], "extensions": visible(&json!(false))},
            {"mesh": 0, "extensions": visible(&json!(true))},
            {"mesh": 0},
            {"extensions": {"KHR_node_visibility": {}}},
        ]));
        assert_eq!(sample.load().hidden_nodes(), [true, true, false, false]);
    }

    #[test]
    fn a_visibility_that_is_no_truth_value_is_a_finding_and_shown() {
        let sample = nodes(json!([{"mesh": 0}, {"mesh": 0, "extensions": visible(&json!("no"))}]));
        assert_eq!(sample.load().hidden_nodes(), [false, false]);
        let finding = sample.finding("VISIBILITY_INVALID").unwrap();
        assert!(finding.place.ends_with("/nodes/1/extensions/KHR_node_visibility/visible"), "{}", finding.place);
    }

    #[test]
    fn honouring_visibility_is_no_longer_a_warning() {
        let mut sample = nodes(json!([{"mesh": 0, "extensions": visible(&json!(false))}]));
        sample.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
        assert!(sample.finding("EXTENSION_NOT_HONOURED").is_none());
    }

    #[test]
    fn a_node_names_its_mask_in_its_extras() {
        let mask = |mask: &str| json!({"posegrid": {"mask": mask}});
        let sample = nodes(json!([
            {"extras": mask("face")}, {"extras": mask("eyes")}, {"extras": {"mask": "face"}}, {"extras": 7},
            {"extras": {"posegrid": "face"}}, {},
        ]));
        let masks: Vec<_> = sample.load().nodes.iter().map(|node| node.mask).collect();
        assert_eq!(masks, [Some(NodeMask::Face), Some(NodeMask::Eyes), None, None, None, None]);
        assert!(sample.finding("MASK_UNKNOWN").is_none());
    }

    #[test]
    fn a_mask_that_there_is_not_is_a_finding() {
        let sample =
            nodes(json!([{}, {"extras": {"posegrid": {"mask": "nose"}}}, {"extras": {"posegrid": {"mask": 3}}}]));
        let finding = sample.finding("MASK_UNKNOWN").unwrap();
        assert!(finding.message.contains("2 nodes") && finding.message.contains("nose"), "{}", finding.message);
        assert!(finding.place.ends_with("/nodes/1/extras/posegrid/mask"), "{}", finding.place);
    }
}
