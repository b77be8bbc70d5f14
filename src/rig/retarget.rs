//! Let a model use another file's clip: joints are matched by name, nothing else is changed.

use std::collections::BTreeMap;

use crate::asset::{Clip, Model};
use crate::base::NodeIndex;

/// A clip that now moves another model's nodes.
#[derive(Debug, Clone)]
pub struct Retargeted {
    /// The clip, with channels of the nodes that matched.
    pub clip: Clip,
    /// Names of the animated nodes that the model does not have, in clip order, each once.
    pub unmatched: Vec<String>,
}

/// `clip` of `source`, moving the nodes of `target` that bear the same names.
///
/// Where a name stands twice in `target`, its first joint of that name is meant.
pub fn retarget(source: &Model, clip: &Clip, target: &Model) -> Retargeted {
    let mut by_name: BTreeMap<&str, NodeIndex> = BTreeMap::new();
    for &node in &target.order {
        if let Some(name) = target.nodes[node.at()].name.as_deref() {
            by_name.entry(name).or_insert(node);
        }
    }
    let mut unmatched = Vec::new();
    let mut channels = Vec::new();
    for channel in &clip.channels {
        let name = source.node_name(channel.node);
        match by_name.get(name.as_str()) {
            Some(&node) => channels.push(crate::asset::Channel { node, ..channel.clone() }),
            None if unmatched.contains(&name) => {}
            None => unmatched.push(name),
        }
    }
    Retargeted { clip: Clip { channels, ..clip.clone() }, unmatched }
}
