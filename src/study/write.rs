//! Write a study back as the text that reads to it again.
//!
//! Pure. Globs, phases and factorials are written out as the values they became; what is left at its
//! default is left out. Paths are written as the study wrote them, so the text belongs where the
//! study was read.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde::Serialize;

use super::layout::SheetText;
use super::parse::RepeatText;
use super::{Filter, Repeat, Study};

/// The study as TOML, ready to save.
///
/// A value named like a setting cannot be read back, as an axis's table would take it for one;
/// [`super::names_of_files`] makes no such names.
pub fn to_toml(study: &Study) -> String {
    let mut out = format!("title = {}\n", inline(&study.title));
    section(&mut out, "cell", &study.base);
    for axis in &study.axes {
        let _ = writeln!(out, "\n[axes.{}]", key(&axis.name));
        for value in &axis.values {
            let _ = writeln!(out, "{}", entry(&value.name, &value.settings));
        }
    }
    filters(&mut out, "only", &study.only);
    filters(&mut out, "skip", &study.skip);
    section(&mut out, "repeat", &repeat_text(&study.repeat));
    section(&mut out, "sheet", &SheetText::of(&study.sheet));
    out
}

fn repeat_text(repeat: &Repeat) -> RepeatText {
    let plain = Repeat::default();
    RepeatText {
        subpixel: (repeat.subpixel != plain.subpixel).then_some(repeat.subpixel),
        yaw_deg: (repeat.yaw_deg != plain.yaw_deg).then_some(repeat.yaw_deg),
        seed: (repeat.seed != plain.seed).then_some(repeat.seed),
    }
}

/// A table that can be written a key a line.
pub(super) trait Lines {
    /// `key = value` for each key that is set, in the order of the schema.
    fn lines(&self) -> Vec<String>;
}

/// A table under its heading; nothing for an empty table.
fn section(out: &mut String, name: &str, table: &impl Lines) {
    let lines = table.lines();
    if !lines.is_empty() {
        let _ = writeln!(out, "\n[{name}]\n{}", lines.join("\n"));
    }
}

fn filters(out: &mut String, which: &str, filters: &[Filter]) {
    for filter in filters {
        let _ = writeln!(out, "\n[[{which}]]");
        for (axis, values) in filter {
            let _ = match values.as_slice() {
                [value] => writeln!(out, "{}", entry(axis, value)),
                values => writeln!(out, "{}", entry(axis, &values)),
            };
        }
    }
}

/// `key = value` on one line, the key in quotes where it has to be.
pub(super) fn entry(key: &str, value: &impl Serialize) -> String {
    let table = inline(&IndexMap::from([(key, value)]));
    let inner = table.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inner.unwrap_or(&table).trim().to_owned()
}

/// A key, in quotes where it has to be.
fn key(name: &str) -> String {
    let entry = entry(name, &0);
    entry.strip_suffix("= 0").unwrap_or(&entry).trim().to_owned()
}

/// A value on one line.
pub(super) fn inline(value: &impl Serialize) -> String {
    let mut out = String::new();
    value
        .serialize(toml::ser::ValueSerializer::new(&mut out))
        .expect("a study's types are strings, numbers, lists and tables with string keys");
    out
}
