//! A cell's name as a file name that every system can keep.

use super::Cell;
use crate::base::Digest;

/// Longest stem, bytes; with an ending it stays under the 255 of common file systems.
const MOST_BYTES: usize = 150;
/// Names that Windows keeps for devices, in any case.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

impl Cell {
    /// The cell's name as the stem of a file name: the same for the same name, different for
    /// different ones, kept as it is where every system can keep it.
    ///
    /// `/` becomes `__`. Where that or anything else loses something (a character that some system
    /// forbids, a long name, a name of a device), the first 12 hex digits of the name's SHA-256
    /// follow after `~`.
    pub fn file_stem(&self) -> String {
        file_stem(&self.name)
    }
}

fn file_stem(name: &str) -> String {
    let mut stem: String =
        name.replace('/', "__").chars().map(|letter| if is_kept(letter) { letter } else { '_' }).collect();
    let mut lossless = stem.replace("__", "/") == name && !name.contains('~');
    if stem.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|at| stem.is_char_boundary(*at)).unwrap_or(0);
        stem.truncate(end);
        lossless = false;
    }
    lossless &=
        !is_device(&stem) && !stem.starts_with(['.', '-', ' ']) && !stem.ends_with(['.', ' ']) && !stem.is_empty();
    if lossless {
        return stem;
    }
    let bare = stem.trim_matches(['.', ' ']).trim_start_matches('-');
    format!("{bare}~{}", Digest::of(name.as_bytes()).short())
}

fn is_kept(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*' | '/')
}

/// `con`, `com1` and the like, alone or before a dot.
fn is_device(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    DEVICES.contains(&first.trim_end_matches(|letter: char| letter.is_ascii_digit()))
}
