//! Know which recipes there are: those that ship, or a folder's.
//!
//! Reads: the embedded texts, or `*.toml` under a folder. Writes nothing.

use std::fs;
use std::path::Path;

use super::error::KitError;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../scenes/kit/", $name, ".toml")))),*]
    };
}

/// Name and text of every recipe that ships, in the order in which sheets show them.
const EMBEDDED: &[(&str, &str)] = embedded![
    "workers/dwarf",
    "workers/goblin",
    "workers/ratman",
    "workers/skink",
    "workers/elf",
    "workers/peasant",
    "workers/orc",
    "workers/gnome",
    "workers/ghoul",
    "workers/troll",
    "heads/foreman",
    "heads/cutter",
    "heads/boy",
    "heads/widow",
    "heads/smith",
    "heads/priest",
    "heads/brute",
    "heads/hunter",
    "heads/elder",
    "heads/matriarch",
    "heads/tusker",
    "heads/whelp",
    "loads/gold",
    "loads/lumber",
    "loads/stone",
    "analytic/capsule",
    "analytic/slab",
    "analytic/sphere",
];

/// A set of recipes by name.
#[derive(Debug, Clone)]
pub struct Roster {
    pub(super) recipes: Vec<(String, String)>,
}

impl Roster {
    /// The recipes that ship; touches no files.
    pub fn embedded() -> Self {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        Self { recipes: EMBEDDED.iter().map(own).collect() }
    }

    /// Every `*.toml` in a folder and the folders in it, named by its path below the folder, by name.
    ///
    /// # Errors
    ///
    /// [`KitError::Read`] where a folder or file cannot be read.
    pub fn from_folder(folder: &Path) -> Result<Self, KitError> {
        let mut recipes = Vec::new();
        collect(folder, "", &mut recipes)?;
        recipes.sort();
        Ok(Self { recipes })
    }

    /// Names such as `workers/dwarf`, in the roster's order.
    pub fn names(&self) -> Vec<String> {
        self.recipes.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The text of a recipe.
    ///
    /// # Errors
    ///
    /// [`KitError::UnknownName`] with the names that there are.
    pub fn text(&self, name: &str) -> Result<&str, KitError> {
        let found = self.recipes.iter().find(|(own, _)| own == name);
        found
            .map(|(_, text)| text.as_str())
            .ok_or_else(|| KitError::UnknownName { name: name.to_owned(), choices: self.names() })
    }
}

fn collect(folder: &Path, prefix: &str, into: &mut Vec<(String, String)>) -> Result<(), KitError> {
    let fault = |source| KitError::Read { path: folder.to_path_buf(), source };
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), into)?;
        } else if let Some(stem) = name.strip_suffix(".toml") {
            let text = fs::read_to_string(&path).map_err(|source| KitError::Read { path: path.clone(), source })?;
            into.push((format!("{prefix}{stem}"), text));
        }
    }
    Ok(())
}
