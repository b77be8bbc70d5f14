//! Name axes and values: what a name may hold, names for files, and no name twice.
//!
//! Names become parts of cell names, command-line filters and file names, so two values of an axis
//! must differ by more than case: some file systems do not tell those apart.

use std::ops::Range;

use super::axis::Candidate;
use super::read::Reader;
use super::{AxisValue, ModelFile};

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
    for Candidate { value, span } in candidates {
        match kept.iter().find(|other| folded(&other.name) == folded(&value.name)) {
            None => kept.push(value),
            Some(other) => {
                let message = if other.name == value.name {
                    format!("axis {axis:?} has two values named {:?}", value.name)
                } else {
                    format!("values {:?} and {:?} of axis {axis:?} differ only in case", other.name, value.name)
                };
                reader.wrong(span, message, "second value", None);
            }
        }
    }
    kept
}

/// A name for each file: its stem, with as many of its folders before it as tell it from the others,
/// or the whole file name where only the ending does.
pub(super) fn of_files(files: &[ModelFile]) -> Vec<String> {
    let stems: Vec<String> = files.iter().map(|file| name_with_folders(&file.written, 0, false)).collect();
    let alike = |at: usize| -> Vec<usize> {
        (0..files.len()).filter(|other| folded(&stems[*other]) == folded(&stems[at])).collect()
    };
    (0..files.len()).map(|at| shortest_name(files, at, &alike(at))).collect()
}

fn shortest_name(files: &[ModelFile], at: usize, alike: &[usize]) -> String {
    let written = &files[at].written;
    let depth = written.split('/').count();
    for (folders, ending) in (0..depth).map(|folders| (folders, false)).chain((0..depth).map(|folders| (folders, true)))
    {
        let name = |file: usize| name_with_folders(&files[file].written, folders, ending);
        let mine = folded(&name(at));
        if alike.iter().all(|other| *other == at || folded(&name(*other)) != mine) {
            return name(at);
        }
    }
    name_with_folders(written, 0, false)
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
