//! Find parts of a model by the names that its file has: meshes, materials, nodes and what hangs under
//! them. `*` stands for any run of characters. A name with its level at the end also counts without it, and a lower level
//! answers to the name of the node it stands in for, so that `hide = "tunic"` hides the tunic at every level.

use crate::asset::{Levels, Model, Primitive, split_level};
use crate::base::{Finding, NodeIndex};
use crate::rig::PosedPart;

/// Whether `name` is what `pattern` means. Letters count as written.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(head) else { return false };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return left.ends_with(piece);
        }
        match left.find(piece) {
            Some(at) => left = &left[at + piece.len()..],
            None => return false,
        }
    }
    true
}

/// Whether `name` is what `pattern` means, with or without the level at its end.
pub(super) fn means(pattern: &str, name: &str) -> bool {
    matches(pattern, name) || split_level(name).is_some_and(|(stem, _)| matches(pattern, stem))
}

/// Whether a pattern names a part: by its mesh, its material, its node or a node above that.
fn names_part(model: &Model, levels: &Levels, part: &PosedPart, pattern: &str) -> bool {
    let primitive = primitive(model, part);
    let material = primitive.material.and_then(|at| model.materials[at.at()].name.as_deref());
    let mesh = model.meshes[part.mesh.at()].name.as_deref();
    [material, mesh].into_iter().flatten().any(|name| means(pattern, name))
        || ancestors(model, part.node).any(|node| names_node(model, levels, node, pattern))
}

/// Whether a pattern names a node, or the one it stands in for.
pub(super) fn names_node(model: &Model, levels: &Levels, node: NodeIndex, pattern: &str) -> bool {
    let named = |node| means(pattern, &model.node_name(node));
    named(node) || levels.stands_for(node).is_some_and(named)
}

/// The primitive that a part draws.
pub(super) fn primitive<'a>(model: &'a Model, part: &PosedPart) -> &'a Primitive {
    &model.meshes[part.mesh.at()].primitives[part.primitive]
}

/// A node and all above it.
pub(super) fn ancestors(model: &Model, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
    std::iter::successors(Some(node), |at| model.nodes[at.at()].parent)
}

/// One flag a part: whether any of `patterns` names it.
///
/// # Errors
///
/// `SELECTS_NOTHING`: a pattern that names no part would quietly change nothing.
pub(super) fn parts_named(
    model: &Model,
    parts: &[PosedPart],
    setting: &str,
    patterns: &[impl AsRef<str>],
) -> Result<Vec<bool>, Finding> {
    let mut named = vec![false; parts.len()];
    let levels = model.levels();
    for pattern in patterns {
        let pattern = pattern.as_ref();
        let mut any = false;
        for (flag, part) in std::iter::zip(&mut named, parts) {
            let hit = names_part(model, &levels, part, pattern);
            *flag |= hit;
            any |= hit;
        }
        if !any {
            let message = format!("{setting} = {pattern:?} selects nothing");
            return Err(Finding::error("SELECTS_NOTHING", model.path.display().to_string(), message)
                .with_hint(choices(model, parts)));
        }
    }
    Ok(named)
}

/// What could have been named.
fn choices(model: &Model, parts: &[PosedPart]) -> String {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let material = primitive(model, part).material.and_then(|at| model.materials[at.at()].name.clone());
        let mesh = model.meshes[part.mesh.at()].name.clone();
        for name in [material, mesh, Some(model.node_name(part.node))].into_iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.sort();
    let shown = names.len().min(40);
    let more = if names.len() > shown { format!(" and {} more", names.len() - shown) } else { String::new() };
    format!("the model has {}{more}", names[..shown].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        assert!(matches("Tusk*", "Tusk_L"));
        assert!(matches("*_L", "Tusk_L"));
        assert!(matches("T*k_*", "Tusk_L"));
        assert!(matches("*", ""));
        assert!(!matches("Tusk*_R", "Tusk_L"));
        assert!(!matches("Tusk", "Tusk_L"));
        assert!(!matches("tusk*", "Tusk_L"));
        assert!(!matches("ab*ba", "aba"), "the two ends may not share a letter");
    }

    #[test]
    fn a_level_at_the_end_of_a_name_may_be_left_out() {
        assert!(means("tunic", "tunic_LOD1") && means("tunic_LOD1", "tunic_LOD1") && means("*ic", "tunic_lod0"));
        assert!(!means("tunic_LOD2", "tunic_LOD1") && !means("tun", "tunic_LOD1") && !means("tunic", "tunic_LODs"));
    }
}
