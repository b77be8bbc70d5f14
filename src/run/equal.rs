//! Find cells that were planned different and look the same.
//!
//! Reads: a plan, the digests of its finished cells. Gives: a warning an axis. Pure.
//!
//! Two settings that make one picture may be right (the front and the back of a ball), so this is a
//! warning and not an error; whether poses took effect is proved from vertices, elsewhere.

use std::collections::BTreeMap;

use crate::base::{Digest, Finding};
use crate::plan::{Cell, Plan};

/// For each axis, the first two cells in the plan's order that differ in it alone and have the same
/// pixels. `digests` are by position in the plan, `None` for a cell without a picture.
pub fn equal_pictures(plan: &Plan, digests: &[Option<Digest>]) -> Vec<Finding> {
    let mut same: BTreeMap<Digest, Vec<&Cell>> = BTreeMap::new();
    for (cell, digest) in std::iter::zip(&plan.cells, digests) {
        if let Some(digest) = digest {
            same.entry(*digest).or_default().push(cell);
        }
    }
    let mut first: BTreeMap<usize, (&Cell, &Cell)> = BTreeMap::new();
    for cells in same.values() {
        for (at, one) in cells.iter().enumerate() {
            for other in &cells[at + 1..] {
                let Some(axis) = only_difference(one, other) else { continue };
                let known = first.entry(axis).or_insert((one, other));
                if (one.index, other.index) < (known.0.index, known.1.index) {
                    *known = (one, other);
                }
            }
        }
    }
    first
        .into_iter()
        .map(|(axis, (one, other))| {
            let name = &plan.axes[axis].name;
            let message = format!("axis {name:?} changes nothing between {} and {}", one.name, other.name);
            Finding::warning("PICTURES_EQUAL", &plan.study, message)
                .with_hint("look whether the setting does what was meant; other pairs may be equal too")
        })
        .collect()
}

/// The axis in which two cells differ, if it is one.
fn only_difference(one: &Cell, other: &Cell) -> Option<usize> {
    let mut differing = (0..one.values.len()).filter(|axis| one.values[*axis] != other.values[*axis]);
    differing.next().filter(|_| differing.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::study::{Known, parse};

    fn plan() -> Plan {
        let names = ["workers/imp".to_owned()];
        let known = Known { kit_dir: Path::new("k"), kit_names: &names, captions: &[] };
        let text = "[cell]\nsubject = \"kit:workers/imp\"\n[axes.view]\na = { azimuth = 1 }\nb = { azimuth = 2 }\n\
                    [axes.light]\nx = { light = \"studio\" }\ny = { light = \"camera\" }\n";
        let study = parse(text, Path::new("s.toml"), Path::new(""), &known).unwrap();
        crate::plan::plan(&study, &[] as &[&str]).unwrap()
    }

    fn digests(names: [&str; 4]) -> Vec<Option<Digest>> {
        names.iter().map(|name| (!name.is_empty()).then(|| Digest::of(name.as_bytes()))).collect()
    }

    /// In plan order: a/x, a/y, b/x, b/y.
    #[test]
    fn each_axis_is_told_once_by_its_first_pair() {
        let found = equal_pictures(&plan(), &digests(["1", "2", "1", "2"]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].message.contains("\"view\"") && found[0].message.contains("s/a/x and s/b/x"), "{found:?}");
        assert_eq!(equal_pictures(&plan(), &digests(["1", "1", "1", "1"])).len(), 2);
    }

    #[test]
    fn cells_that_differ_in_two_axes_or_have_no_picture_say_nothing() {
        assert_eq!(equal_pictures(&plan(), &digests(["1", "2", "3", "1"])), []);
        assert_eq!(equal_pictures(&plan(), &digests(["", "", "", ""])), []);
    }
}
