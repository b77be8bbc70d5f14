//! Say what is wrong with a recipe, where, and what would be right.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// Why the kit, or one of it, could not be made.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// No recipe has this name.
    UnknownName {
        /// The name as asked for.
        name: String,
        /// Every name there is.
        choices: Vec<String>,
    },
    /// A recipe cannot be followed.
    Recipe(RecipeFault),
    /// A file or folder could not be read.
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file or folder could not be written.
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// One place in one recipe, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeFault {
    /// The recipe, such as `workers/dwarf.toml`.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Byte range in the recipe's text.
    pub span: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What would be right, the choices among it.
    pub hint: Option<String>,
}

impl KitError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownName { name, choices } => Some(choices_hint(name, choices.iter().map(String::as_str))),
            Self::Recipe(fault) => fault.hint.clone(),
            Self::Read { .. } | Self::Write { .. } => None,
        }
    }
}

impl fmt::Display for KitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name, .. } => write!(f, "the kit has no {name:?}"),
            Self::Recipe(fault) => write!(f, "{}:{}: {}", fault.file, fault.line, fault.message),
            Self::Read { path, .. } => write!(f, "cannot read {}", path.display()),
            Self::Write { path, .. } => write!(f, "cannot write {}", path.display()),
        }
    }
}

/// The choices, the one most like `given` first where one is close.
pub(super) fn choices_hint<'a>(given: &str, choices: impl Iterator<Item = &'a str>) -> String {
    let choices: Vec<&str> = choices.collect();
    let nearest = choices
        .iter()
        .map(|choice| (strsim::jaro_winkler(given, choice), choice))
        .filter(|(alike, _)| *alike > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let list = choices.join(", ");
    match nearest {
        Some((_, choice)) => format!("did you mean {choice}? the choices are: {list}"),
        None => format!("the choices are: {list}"),
    }
}
