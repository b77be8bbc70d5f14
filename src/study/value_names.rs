//! Name axes and values: what a name may hold, names for files, and no name twice.
//!
//! Names become parts of cell names, command-line filters and file names, so two values of an axis
//! must differ by more than case: some file systems do not tell those apart.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use super::axis::{Candidate, EXPANDING_KEYS};
use super::read::Reader;
use super::{AxisValue, ModelFile, Settings};

/// Notes what is wrong with the name of an axis or a value.
pub(super) fn check(reader: &mut Reader, what: &str, name: &str, span: Range<usize>) {
    let bars = if what == "an axis" { &['/', '\\', '=', ','][..] } else { &['/', '\\'][..] };
    let barred = name.chars().find(|letter| bars.contains(letter) || letter.is_control());
    if name.is_empty() || name.trim() != name {
        reader.wrong(span, format!("{name:?} cannot name {what}"), "empty, or with a space at an end", None);
    } else if let Some(letter) = barred {
        reader.wrong(span, format!("{name:?} cannot name {what}"), format!("{letter:?} has another meaning"), None);
    }
}

/// The values of an axis, those whose name is taken left out with an error each.
pub(super) fn unique(reader: &mut Reader, axis: &str, candidates: Vec<Candidate>) -> Vec<AxisValue> {
    let mut kept: Vec<AxisValue> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for Candidate { value, span } in candidates {
        match places.entry(folded(&value.name)) {
            Entry::Vacant(entry) => {
                entry.insert(kept.len());
                kept.push(value);
            }
            Entry::Occupied(entry) => {
                let first = &kept[*entry.get()].name;
                let message = if *first == value.name {
                    format!("axis {axis:?} has two values named {first:?}")
                } else {
                    format!("values {first:?} and {:?} of axis {axis:?} differ only in case", value.name)
                };
                reader.wrong(span, message, "second value", None);
            }
        }
    }
    kept
}

/// A name for each file, to be a value's: its stem, with as many of its folders before it as tell it
/// from the others, or its whole file name where only the ending does, or where the stem is a key
/// that an axis's table already has.
pub fn of_files(files: &[ModelFile]) -> Vec<String> {
    let mut names: Vec<Option<String>> = vec![None; files.len()];
    let most_folders = files.iter().map(|file| file.written.split('/').count()).max().unwrap_or(0);
    for ending in [false, true] {
        for folders in 0..most_folders {
            let tries: Vec<String> =
                files.iter().map(|file| name_with_folders(&file.written, folders, ending)).collect();
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for name in &tries {
                *counts.entry(folded(name)).or_default() += 1;
            }
            for (name, tried) in names.iter_mut().zip(tries) {
                if name.is_none() && !is_key(&tried) && counts[&folded(&tried)] == 1 {
                    *name = Some(tried);
                }
            }
        }
    }
    // One path twice: the second is an error where values are made unique.
    let last_resort = |file: &ModelFile| name_with_folders(&file.written, 0, false);
    names.into_iter().zip(files).map(|(name, file)| name.unwrap_or_else(|| last_resort(file))).collect()
}

/// Whether an axis's table would take the name for something else.
fn is_key(name: &str) -> bool {
    Settings::KEYS.contains(&name) || EXPANDING_KEYS.contains(&name)
}

/// `a/b/c.glb` with one folder: `b-c`; with its ending, `b-c.glb`.
fn name_with_folders(written: &str, folders: usize, ending: bool) -> String {
    let bare = written.strip_prefix("kit:").unwrap_or(written);
    let mut parts: Vec<&str> = bare.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let last = parts.pop().unwrap_or(bare);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| if stem.is_empty() { last } else { stem });
    let first = parts.len().saturating_sub(folders);
    let mut name: Vec<&str> = parts[first..].to_vec();
    name.push(if ending { last } else { stem });
    name.join("-")
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}
