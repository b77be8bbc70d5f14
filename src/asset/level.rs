//! Read which level of detail each node belongs to, and say which nodes a level draws.
//!
//! Reads: the extension `MSFT_lod` of nodes with the extras `MSFT_screencoverage`, and names that end in `_LOD0`,
//! `_LOD1` and so on. Writes: [`Node::lower`], and lower levels that the scene does not hold put where the node is that
//! they stand in for. What makes no sense is a finding, and the levels from there on are left out.
//!
//! Levels are counted through the whole model, 0 the finest. A node that lists lower levels is drawn at 0 with all under
//! it, the first of its list at 1 and so on; the last is drawn at every deeper level too. `X_LOD2` is drawn at 2 alone;
//! where a number is missing the finer one before it stays, and where the first is missing the finest that there is
//! starts at 0. A node in such a list is not read by its name. What has no level is drawn at all.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use gltf::json;
use json::Value;

use super::document::Document;
use super::hint;
use super::model::{Model, Node};
use super::node::{Tree, walk};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};
use crate::base::NodeIndex;

pub(super) const EXTENSION: &str = "MSFT_lod";
pub(super) const COVERAGE: &str = "MSFT_screencoverage";

/// Which levels of detail a model has, and which nodes each draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    count: usize,
    /// One a node; empty where a node is never drawn.
    spans: Vec<RangeInclusive<usize>>,
    /// One a node: whose lower level it is.
    finest: Vec<Option<NodeIndex>>,
}

impl Levels {
    /// How many there are, 1 or more.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The level that is drawn where `level` is asked for: the last one has no end.
    pub fn clamped(&self, level: usize) -> usize {
        level.min(self.count - 1)
    }

    /// Whether a level draws a node; hidden nodes are another matter.
    pub fn draws(&self, node: NodeIndex, level: usize) -> bool {
        self.spans[node.at()].contains(&self.clamped(level))
    }

    /// The levels that draw a node; `None` where all do.
    pub fn of(&self, node: NodeIndex) -> Option<RangeInclusive<usize>> {
        let span = &self.spans[node.at()];
        let last = self.count - 1;
        (*span.start() > 0 || *span.end() < last).then(|| *span.start()..=(*span.end()).min(last))
    }

    /// The node that this one stands in for at lower levels.
    pub fn stands_for(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.finest[node.at()]
    }

    fn new(nodes: &[Node], order: &[NodeIndex]) -> Self {
        let mut finest = vec![None; nodes.len()];
        let mut own: Vec<Option<RangeInclusive<usize>>> = vec![None; nodes.len()];
        for &node in order {
            let lower = &nodes[node.at()].lower;
            for (at, &level) in lower.iter().enumerate() {
                finest[level.at()] = Some(node);
                own[level.at()] = Some(at + 1..=if at + 1 == lower.len() { usize::MAX } else { at + 1 });
            }
            if !lower.is_empty() {
                own[node.at()] = Some(0..=0);
            }
        }
        for (node, span) in named(nodes, order, |node| own[node.at()].is_none()) {
            own[node.at()] = Some(span);
        }
        let mut spans = vec![0..=usize::MAX; nodes.len()];
        let mut deepest = 0;
        for &node in order {
            let above = nodes[node.at()].parent.map_or(0..=usize::MAX, |parent| spans[parent.at()].clone());
            if let Some(own) = &own[node.at()] {
                let (first, last) = (*own.start().max(above.start()), *own.end().min(above.end()));
                if first <= last {
                    deepest = deepest.max(if last == usize::MAX { first } else { last });
                }
                spans[node.at()] = first..=last;
            } else {
                spans[node.at()] = above;
            }
        }
        Self { count: deepest + 1, spans, finest }
    }
}

impl Model {
    /// Its levels of detail.
    pub fn levels(&self) -> Levels {
        Levels::new(&self.nodes, &self.order)
    }

    /// One flag a node: whether the file hides it, a node above it, or the node that it stands in for.
    pub fn hidden_nodes(&self) -> Vec<bool> {
        let spread = |own: &dyn Fn(NodeIndex) -> bool| {
            let mut hidden = vec![false; self.nodes.len()];
            for &node in &self.order {
                let parent = self.nodes[node.at()].parent;
                hidden[node.at()] = own(node) || parent.is_some_and(|parent| hidden[parent.at()]);
            }
            hidden
        };
        let hidden = spread(&|node| self.nodes[node.at()].hidden);
        let levels = self.levels();
        spread(&|node| hidden[node.at()] || levels.stands_for(node).is_some_and(|finest| hidden[finest.at()]))
    }

    /// One flag a node: whether its mesh is seen at a level where nobody asks for another look.
    pub fn seen_nodes(&self, level: usize) -> Vec<bool> {
        let levels = self.levels();
        let hidden = self.hidden_nodes();
        let seen = |node: usize| !hidden[node] && levels.draws(NodeIndex::new(node), level);
        (0..self.nodes.len()).map(seen).collect()
    }

    /// Whether nothing that a level draws can move: no skin, no joint above it, no clip on it.
    pub fn stands_still(&self, level: usize) -> bool {
        let levels = self.levels();
        let mut moved = vec![false; self.nodes.len()];
        let targets = self.clips.iter().flat_map(|clip| &clip.channels).map(|channel| channel.node);
        for node in targets.chain(self.skins.iter().flat_map(|skin| skin.joints.iter().copied())) {
            moved[node.at()] = true;
        }
        for &node in &self.order {
            moved[node.at()] |= self.nodes[node.at()].parent.is_some_and(|parent| moved[parent.at()]);
        }
        let drawn =
            self.order.iter().filter(|node| self.nodes[node.at()].mesh.is_some() && levels.draws(**node, level));
        drawn.into_iter().all(|node| self.nodes[node.at()].skin.is_none() && !moved[node.at()])
    }
}

/// A name without the level at its end, such as `tunic` of `tunic_LOD1`, and the level.
pub fn split_level(name: &str) -> Option<(&str, usize)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, number) = name.split_at(name.len() - digits);
    let stem = before.len().checked_sub(4).and_then(|at| before.split_at_checked(at))?;
    // Two digits are more levels than any model has; a longer number means something else.
    let is_level = (1..=2).contains(&digits) && stem.1.eq_ignore_ascii_case("_lod");
    is_level.then(|| Some((stem.0, number.parse().ok()?))).flatten()
}

/// Nodes that are levels by their names, and the levels that draw them.
fn named(
    nodes: &[Node],
    order: &[NodeIndex],
    counts: impl Fn(NodeIndex) -> bool,
) -> Vec<(NodeIndex, RangeInclusive<usize>)> {
    let families = families(nodes, order, counts);
    let mut spans = Vec::new();
    for (levels, members) in families.values() {
        for (node, level) in members {
            let first = if levels.first() == Some(level) { 0 } else { *level };
            let next = levels.range(level + 1..).next();
            spans.push((*node, first..=next.map_or(*level, |next| next - 1)));
        }
    }
    spans
}

/// The levels that nodes of one stem have, and those nodes.
type Family = (BTreeSet<usize>, Vec<(NodeIndex, usize)>);

fn families<'n>(
    nodes: &'n [Node],
    order: &[NodeIndex],
    counts: impl Fn(NodeIndex) -> bool,
) -> BTreeMap<&'n str, Family> {
    let mut families: BTreeMap<&str, Family> = BTreeMap::new();
    for &node in order.iter().filter(|node| counts(**node)) {
        if let Some((stem, level)) = nodes[node.at()].name.as_deref().and_then(split_level) {
            let family = families.entry(stem).or_default();
            family.0.insert(level);
            family.1.push((node, level));
        }
    }
    families
}

/// Reads every ladder of the scene, and takes in the levels that the scene does not hold.
pub(super) fn read_levels(document: &Document<'_>, tree: &mut Tree, notices: &mut Notices) {
    let count = tree.nodes.len();
    let mut ladders = Ladders { tree, held: vec![false; count], of: vec![None; count] };
    for node in ladders.tree.order.clone() {
        ladders.held[node.at()] = true;
    }
    let list = ROOT.field("nodes");
    for node in ladders.tree.order.clone() {
        ladders.read(document, node, &list.index(node.at()), notices);
    }
    tree.order = walk(&tree.nodes, &tree.roots);
    note_gaps(tree, notices);
    let materials = ROOT.field("materials");
    for (at, material) in document.root.materials.iter().enumerate() {
        let extensions = material.extensions.as_ref();
        let has = extensions.is_some_and(|extensions| extensions.others.contains_key(EXTENSION));
        notices.count(notice::LEVELS_OF_MATERIAL, &materials.index(at), usize::from(has));
    }
}

fn note_gaps(tree: &Tree, notices: &mut Notices) {
    let list = ROOT.field("nodes");
    let in_ladder: BTreeSet<NodeIndex> = tree.nodes.iter().flat_map(|node| node.lower.iter().copied()).collect();
    let counts = |node: NodeIndex| tree.nodes[node.at()].lower.is_empty() && !in_ladder.contains(&node);
    for (stem, (levels, members)) in families(&tree.nodes, &tree.order, counts) {
        let missing: Vec<String> = levels
            .last()
            .map(|last| (0..*last).filter(|level| !levels.contains(level)))
            .into_iter()
            .flatten()
            .map(|level| format!("{stem}_LOD{level}"))
            .collect();
        if let (false, Some((node, _))) = (missing.is_empty(), members.first()) {
            notices.detail(notice::LEVEL_GAP, &list.index(node.at()).field("name"), missing.join(", "));
        }
    }
}

struct Ladders<'t> {
    tree: &'t mut Tree,
    /// Whether the scene holds a node.
    held: Vec<bool>,
    /// Whose lower level a node is.
    of: Vec<Option<NodeIndex>>,
}

impl Ladders<'_> {
    fn read(&mut self, document: &Document<'_>, node: NodeIndex, place: &Place<'_>, notices: &mut Notices) {
        let json = &document.root.nodes[node.at()];
        let Some(said) = json.extensions.as_ref().and_then(|extensions| extensions.others.get(EXTENSION)) else {
            return;
        };
        let at_extension = place.field("extensions");
        let at_ladder = at_extension.field(EXTENSION);
        let at_ids = at_ladder.field("ids");
        let Some(ids) = said.get("ids").and_then(Value::as_array) else {
            notices.add(notice::LEVEL_UNRESOLVED, &at_ids);
            return;
        };
        for (at, id) in ids.iter().enumerate() {
            let place = at_ids.index(at);
            let count = self.tree.nodes.len();
            let level = id.as_u64().and_then(|id| usize::try_from(id).ok()).filter(|id| *id < count);
            let Some(level) = level.map(NodeIndex::new) else {
                let detail = format!("{id}, and there are {count} nodes");
                notices.detail(notice::LEVEL_UNRESOLVED, &place, detail);
                break;
            };
            if self.circular(node, level) {
                notices.detail(notice::LEVEL_CYCLE, &place, format!("node {} of node {}", level.0, node.0));
                break;
            }
            if let Some(first) = self.of[level.at()] {
                let detail = format!("node {} of node {} and of node {}", level.0, first.0, node.0);
                notices.detail(notice::LEVEL_SHARED, &place, detail);
                break;
            }
            self.take_in(node, level);
        }
        let coverage = hint::extras(json).and_then(|extras| Some(extras.get(COVERAGE)?.as_array()?.clone()));
        let numbers = coverage.iter().flatten().filter_map(Value::as_f64).map(|share| share as f32);
        self.tree.nodes[node.at()].screen_coverage = numbers.collect();
    }

    /// Whether one is the other, above or below it, or they would be levels of levels.
    fn circular(&self, node: NodeIndex, level: NodeIndex) -> bool {
        let above = |from: NodeIndex| std::iter::successors(Some(from), |at| self.tree.nodes[at.at()].parent);
        above(node).any(|at| at == level || self.of[at.at()].is_some())
            || above(level).any(|at| at == node)
            || !self.tree.nodes[level.at()].lower.is_empty()
    }

    /// Makes `level` the next lower level of `node`; one that the scene does not hold goes where the node is.
    fn take_in(&mut self, node: NodeIndex, level: NodeIndex) {
        self.of[level.at()] = Some(node);
        let nodes = &mut self.tree.nodes;
        nodes[node.at()].lower.push(level);
        if self.held[level.at()] {
            return;
        }
        if let Some(parent) = nodes[level.at()].parent {
            nodes[parent.at()].children.retain(|child| *child != level);
        }
        let parent = nodes[node.at()].parent;
        nodes[level.at()].parent = parent;
        match parent {
            Some(parent) => nodes[parent.at()].children.push(level),
            None => self.tree.roots.push(level),
        }
        for below in walk(&self.tree.nodes, &[level]) {
            self.held[below.at()] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample::Sample;
    use super::*;

    fn nodes(nodes: Value) -> Sample {
        let mut sample = Sample::triangle();
        sample.json["nodes"] = nodes;
        sample
    }

    fn ids(ids: &Value) -> Value {
        json!({ "MSFT_lod": { "ids": ids } })
    }

    /// Nodes that each level draws.
    fn drawn(model: &Model) -> Vec<Vec<u32>> {
        let levels = model.levels();
        let of = |level| model.order.iter().filter(|node| levels.draws(**node, level)).map(|node| node.0).collect();
        (0..levels.count()).map(of).collect()
    }

    #[test]
    fn a_ladder_draws_its_node_then_each_lower_level_and_the_last_for_ever() {
        let mut sample = nodes(json!([
            {"children": [1]}, {"extensions": ids(&json!([2, 4])), "children": [3], "mesh": 0}, {"mesh": 0}, {"mesh": 0},
            {"children": [5]}, {"mesh": 0},
        ]));
        sample.json["scenes"] = json!([{"nodes": [0]}]);
        let model = sample.load();
        assert!(model.findings.iter().all(|finding| finding.code == "FLAT_NORMALS"), "{:?}", model.findings);
        assert_eq!(drawn(&model), [vec![0, 1, 3], vec![0, 2], vec![0, 4, 5]]);
        assert!(model.levels().draws(NodeIndex(5), 7) && !model.levels().draws(NodeIndex(2), 7));
        // Outside the scene, they are put where the node is that they stand in for.
        assert_eq!(model.nodes[4].parent, Some(NodeIndex(0)));
        assert_eq!(model.levels().stands_for(NodeIndex(4)), Some(NodeIndex(1)));
    }

    #[test]
    fn lower_levels_that_hang_in_the_scene_are_drawn_there_at_their_level_only() {
        let model = nodes(json!([
            {"mesh": 0, "extensions": ids(&json!([2]))}, {"children": [2], "translation": [1, 0, 0]}, {"mesh": 0},
        ]));
        let model = model.load();
        assert_eq!(drawn(&model), [vec![0, 1], vec![1, 2]]);
        assert_eq!(model.nodes[2].parent, Some(NodeIndex(1)));
    }

    #[test]
    fn the_shorter_of_two_ladders_keeps_its_last_level() {
        let model = nodes(json!([
            {"extensions": ids(&json!([2, 3]))}, {"extensions": ids(&json!([4]))}, {}, {}, {}, {},
        ]));
        assert_eq!(drawn(&model.load()), [vec![0, 1, 5], vec![2, 4, 5], vec![3, 4, 5]]);
    }

    #[test]
    fn names_draw_at_their_level_with_all_under_them() {
        let model = nodes(json!([
            {"name": "arm"}, {"name": "body_LOD0", "children": [2]}, {"name": "buckle"}, {"name": "body_lod1"},
            {"name": "body_LOD2"}, {"name": "hat_LOD0"}, {"name": "hat_LOD1"}, {"name": "nose_LOD0"},
        ]));
        let model = model.load();
        assert_eq!(drawn(&model), [vec![0, 1, 2, 5, 7], vec![0, 3, 6], vec![0, 4]]);
        assert!(model.findings.iter().all(|finding| finding.code != "LEVEL_GAP"));
    }

    #[test]
    fn a_gap_in_names_is_said_and_bridged_by_the_finer_level() {
        let sample = nodes(json!([{}, {"name": "a_LOD0"}, {"name": "a_LOD2"}, {"name": "b_LOD1"}, {"name": "b_LOD2"}]));
        assert_eq!(drawn(&sample.load()), [vec![0, 1, 3], vec![0, 1, 3], vec![0, 2, 4]]);
        let finding = sample.finding("LEVEL_GAP").unwrap();
        assert!(finding.message.starts_with("2 names") && finding.message.contains("a_LOD1"), "{}", finding.message);
        assert!(finding.place.ends_with("/nodes/1/name"), "{}", finding.place);
    }

    #[test]
    fn what_looks_like_a_level_and_is_none() {
        for name in ["LOD1", "a_LOD", "a_LOD100", "a_LOD1.001", "aLOD1", "é_LOD", "_lo1", "a_LOD1_b", ""] {
            assert_eq!(split_level(name), None, "{name}");
        }
        assert_eq!(split_level("é_Lod07"), Some(("é", 7)));
        assert_eq!(split_level("_LOD0"), Some(("", 0)));
    }

    #[test]
    fn a_file_without_levels_has_one() {
        let model = nodes(json!([{}, {"children": [0]}])).load();
        assert_eq!((model.levels().count(), model.levels().clamped(3)), (1, 0));
        assert!(model.levels().draws(NodeIndex(0), 3) && model.levels().of(NodeIndex(0)).is_none());
    }

    #[test]
    fn in_a_ladder_names_count_for_nothing() {
        let model = nodes(json!([
            {"name": "a_LOD0", "extensions": ids(&json!([1]))}, {"name": "a_LOD7"}, {"name": "b_LOD0"},
            {"name": "b_LOD1"}, {"name": "b_LOD2"},
        ]));
        let model = model.load();
        assert_eq!(drawn(&model), [vec![0, 2], vec![1, 3], vec![1, 4]]);
        assert!(model.findings.iter().all(|finding| finding.code != "LEVEL_GAP"));
    }

    #[test]
    fn bad_ladders_are_findings_with_their_place_and_stop_there() {
        let bad = |list: Value, code: &str, place: &str, levels: &[&[u32]]| {
            let sample = nodes(list);
            let finding = sample.finding(code).unwrap_or_else(|| panic!("{code}"));
            assert!(finding.place.ends_with(place), "{} is not at {place}", finding.place);
            assert_eq!(drawn(&sample.load()), levels, "{code}");
        };
        let first = "/nodes/0/extensions/MSFT_lod/ids/0";
        bad(
            json!([{"extensions": ids(&json!([1, 9, 2]))}, {}, {}]),
            "LEVEL_UNRESOLVED",
            "/nodes/0/extensions/MSFT_lod/ids/1",
            &[&[0, 2], &[1, 2]],
        );
        bad(json!([{"extensions": ids(&json!([-1]))}]), "LEVEL_UNRESOLVED", first, &[&[0]]);
        bad(json!([{"extensions": ids(&json!(["1"]))}, {}]), "LEVEL_UNRESOLVED", first, &[&[0, 1]]);
        bad(json!([{"extensions": ids(&json!(4))}]), "LEVEL_UNRESOLVED", "/nodes/0/extensions/MSFT_lod/ids", &[&[0]]);
        bad(json!([{"extensions": ids(&json!([0]))}]), "LEVEL_CYCLE", first, &[&[0]]);
        bad(json!([{"extensions": ids(&json!([1])), "children": [1]}, {}]), "LEVEL_CYCLE", first, &[&[0, 1]]);
        bad(
            json!([{"children": [1]}, {"extensions": ids(&json!([0]))}]),
            "LEVEL_CYCLE",
            "/nodes/1/extensions/MSFT_lod/ids/0",
            &[&[0, 1]],
        );
        bad(
            json!([{"extensions": ids(&json!([1]))}, {"extensions": ids(&json!([0]))}]),
            "LEVEL_CYCLE",
            "/nodes/1/extensions/MSFT_lod/ids/0",
            &[&[0], &[1]],
        );
        bad(
            json!([{"extensions": ids(&json!([1]))}, {"extensions": ids(&json!([2]))}, {}]),
            "LEVEL_CYCLE",
            "/nodes/1/extensions/MSFT_lod/ids/0",
            &[&[0, 2], &[1, 2]],
        );
        bad(
            json!([{"extensions": ids(&json!([2]))}, {"extensions": ids(&json!([2]))}, {}]),
            "LEVEL_SHARED",
            "/nodes/1/extensions/MSFT_lod/ids/0",
            &[&[0, 1], &[1, 2]],
        );
        bad(
            json!([{"extensions": ids(&json!([1, 1]))}, {}]),
            "LEVEL_SHARED",
            "/nodes/0/extensions/MSFT_lod/ids/1",
            &[&[0], &[1]],
        );
    }

    #[test]
    fn a_lower_level_is_hidden_with_what_it_stands_in_for() {
        let hidden = json!({"MSFT_lod": {"ids": [2]}, "KHR_node_visibility": {"visible": false}});
        let model = nodes(json!([{"children": [2]}, {"extensions": hidden}, {"children": [3]}, {}])).load();
        assert_eq!(model.hidden_nodes(), [false, true, true, true]);
        assert_eq!(model.seen_nodes(1), [true, false, false, false]);
    }

    #[test]
    fn honouring_levels_is_no_note_and_levels_of_materials_are_one() {
        let mut sample = nodes(json!([{"mesh": 0}]));
        sample.json["extensionsUsed"] = json!(["MSFT_lod"]);
        assert!(sample.finding("EXTENSION_IGNORED").is_none());
        sample.json["materials"] = json!([{}, {"extensions": ids(&json!([0]))}]);
        assert!(sample.finding("LEVELS_OF_MATERIAL").unwrap().place.ends_with("/materials/1"));
    }

    #[test]
    fn what_has_a_skin_a_joint_or_a_clip_moves() {
        let mut sample = Sample::skinned_triangle();
        sample.json["nodes"] = json!([
            {"mesh": 0, "skin": 0, "extensions": ids(&json!([3, 4]))}, {"children": [2, 3]}, {}, {"mesh": 1}, {"mesh": 1},
        ]);
        let rigid = json!({"primitives": [{"attributes": {"POSITION": 0}}]});
        sample.json["meshes"].as_array_mut().unwrap().push(rigid);
        let model = sample.load();
        assert_eq!([0, 1, 2].map(|level| model.stands_still(level)), [false, false, true]);
    }

    #[test]
    fn coverages_are_kept() {
        let sample =
            nodes(json!([{"extensions": ids(&json!([1])), "extras": {"MSFT_screencoverage": [0.5, 0.01]}}, {}]));
        assert_eq!(sample.load().nodes[0].screen_coverage, [0.5, 0.01]);
    }
}
