//! Write the kit's files, and leave alone those that are right already.
//!
//! Reads: recipes, and what lies under the folder. Writes: one GLB a recipe, through a file beside it
//! that is renamed, so that a reader never meets half of one.
//!
//! A file is right when it is whole and carries the digest of its recipe and of this room's sources.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::assemble::model;
use super::error::KitError;
use super::recipe::Source;
use super::roster::Roster;
use crate::asset::write_glb;
use crate::base::Digest;

/// One file of the kit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Such as `workers/dwarf`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Digest of the recipe and of what follows it, as in the file's `asset.extras`.
    pub recipe: Digest,
    /// Whether it was written now; else it was there, and right.
    pub fresh: bool,
}

/// Every source that shapes a file, so that a changed program makes its files anew.
const SOURCES: [&str; 32] = [
    include_str!("assemble.rs"),
    include_str!("atlas.rs"),
    include_str!("bake.rs"),
    include_str!("build.rs"),
    include_str!("clip.rs"),
    include_str!("error.rs"),
    include_str!("field.rs"),
    include_str!("form.rs"),
    include_str!("idle.rs"),
    include_str!("limits.rs"),
    include_str!("motion_spec.rs"),
    include_str!("naming.rs"),
    include_str!("noise.rs"),
    include_str!("occlude.rs"),
    include_str!("paint.rs"),
    include_str!("pattern.rs"),
    include_str!("pose.rs"),
    include_str!("recipe.rs"),
    include_str!("roster.rs"),
    include_str!("shape_spec.rs"),
    include_str!("shell.rs"),
    include_str!("skeleton.rs"),
    include_str!("split.rs"),
    include_str!("surface.rs"),
    include_str!("thin.rs"),
    include_str!("trig.rs"),
    include_str!("unwrap.rs"),
    include_str!("walk.rs"),
    include_str!("weights.rs"),
    include_str!("../asset/write.rs"),
    include_str!("../asset/write/buffer.rs"),
    include_str!("../asset/write/look.rs"),
];

impl Roster {
    /// The bytes of one as a GLB.
    ///
    /// # Errors
    ///
    /// [`KitError::UnknownName`], or [`KitError::Recipe`] where the recipe cannot be followed.
    pub fn generate(&self, name: &str) -> Result<Vec<u8>, KitError> {
        let text = self.text(name)?;
        let file = format!("{name}.toml");
        let source = Source { file: &file, text };
        let recipe = source.read()?;
        let model = model(&recipe, source)?;
        let extras = json!({ "posegrid": {
            "name": name,
            "title": recipe.title,
            "faction": recipe.faction,
            "recipe": recipe_digest(text).to_string(),
        } });
        Ok(write_glb(&model, &extras))
    }

    /// Makes every recipe, or only the named ones, as `dir/NAME.glb`, several at a time. What is there
    /// already from the same recipe is left alone.
    ///
    /// # Errors
    ///
    /// As [`Roster::generate`], or [`KitError::Write`] where a file cannot be written; of several errors
    /// the first in the roster's order.
    pub fn build(&self, dir: &Path, only: Option<&[&str]>) -> Result<Vec<Built>, KitError> {
        let names: Vec<String> = match only {
            None => self.names(),
            Some(only) => {
                let wanted: IndexSet<&str> = only.iter().copied().collect();
                wanted.into_iter().map(str::to_owned).collect()
            }
        };
        for name in &names {
            self.text(name)?;
        }
        let made: Vec<Result<Built, KitError>> = names.par_iter().map(|name| self.build_one(dir, name)).collect();
        made.into_iter().collect()
    }

    fn build_one(&self, dir: &Path, name: &str) -> Result<Built, KitError> {
        let recipe = recipe_digest(self.text(name)?);
        let path = dir.join(format!("{name}.glb"));
        let fresh = written_digest(&path).as_deref() != Some(recipe.to_string().as_str());
        if fresh {
            let bytes = self.generate(name)?;
            write_whole(&path, &bytes).map_err(|source| KitError::Write { path: path.clone(), source })?;
        }
        Ok(Built { name: name.to_owned(), path, recipe, fresh })
    }
}

fn recipe_digest(text: &str) -> Digest {
    Digest::of_parts(std::iter::once(text).chain(SOURCES).map(str::as_bytes))
}

/// The recipe's digest as a file states it; `None` where the file is absent, cut short or not ours.
fn written_digest(path: &Path) -> Option<String> {
    let mut file = fs::File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    let mut header = [0; 20];
    file.read_exact(&mut header).ok()?;
    let word = |at: usize| header[at..at + 4].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    if header[..4] != *b"glTF" || word(8) != size || word(12) > size {
        return None;
    }
    let mut text = Vec::new();
    file.take(word(12)).read_to_end(&mut text).ok()?;
    let json: Value = serde_json::from_slice(&text).ok()?;
    json["asset"]["extras"]["posegrid"]["recipe"].as_str().map(str::to_owned)
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("glb.{}.part", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_of_this_room_is_in_the_digest() {
        let room = concat!(env!("CARGO_MANIFEST_DIR"), "/src/kit");
        for entry in fs::read_dir(room).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let known = SOURCES.contains(&text.as_str());
            assert!(known || path.ends_with("mod.rs"), "{} is not listed in SOURCES", path.display());
        }
    }
}
