//! Write the kit's files, and leave alone those that are right already.
//!
//! Reads: recipes, and what lies under the folder. Writes: a GLB and a truth a recipe, each through a file
//! beside it that is renamed, so that a reader never meets half of one.
//!
//! A file is right when it is whole and carries the digest of its recipe and of this room's sources. Both
//! files of a recipe are right, or both are made anew.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use indexmap::IndexSet;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::assemble::{Assembled, model};
use super::error::KitError;
use super::recipe::{Recipe, Source};
use super::roster::Roster;
use super::truth::{Truth, truth};
use crate::asset::write_glb;
use crate::base::Digest;

/// One file of the kit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Such as `workers/dwarf`.
    pub name: String,
    /// The model.
    pub path: PathBuf,
    /// What is known of it, beside it.
    pub truth: PathBuf,
    /// Digest of the recipe and of what follows it, as in the file's `asset.extras`.
    pub recipe: Digest,
    /// Whether both were written now; else they were there, and right.
    pub fresh: bool,
}

/// Every source that shapes a file, so that a changed program makes its files anew.
const SOURCES: &[&str] = &[
    include_str!("assemble.rs"),
    include_str!("atlas.rs"),
    include_str!("bake.rs"),
    include_str!("build.rs"),
    include_str!("cling.rs"),
    include_str!("clip.rs"),
    include_str!("crease.rs"),
    include_str!("error.rs"),
    include_str!("field.rs"),
    include_str!("form.rs"),
    include_str!("idle.rs"),
    include_str!("layers.rs"),
    include_str!("levels.rs"),
    include_str!("limits.rs"),
    include_str!("motion_spec.rs"),
    include_str!("naming.rs"),
    include_str!("noise.rs"),
    include_str!("occlude.rs"),
    include_str!("paint.rs"),
    include_str!("pattern.rs"),
    include_str!("pose.rs"),
    include_str!("prism.rs"),
    include_str!("recipe.rs"),
    include_str!("relief.rs"),
    include_str!("roster.rs"),
    include_str!("shape_spec.rs"),
    include_str!("shell.rs"),
    include_str!("skeleton.rs"),
    include_str!("split.rs"),
    include_str!("surface.rs"),
    include_str!("thin.rs"),
    include_str!("trig.rs"),
    include_str!("truth/back.rs"),
    include_str!("truth/classes.rs"),
    include_str!("truth/face.rs"),
    include_str!("truth/formula.rs"),
    include_str!("truth/mod.rs"),
    include_str!("truth/text.rs"),
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
        self.follow(name, |_, recipe, made, digest| Ok(glb(name, recipe, made, digest)))
    }

    /// What is known of one, from its recipe.
    ///
    /// # Errors
    ///
    /// As [`Roster::generate`].
    pub fn truth(&self, name: &str) -> Result<Truth, KitError> {
        self.follow(name, |source, recipe, made, digest| truth(name, recipe, digest.to_owned(), made, source))
    }

    /// Makes one and hands it over.
    fn follow<T>(
        &self,
        name: &str,
        take: impl FnOnce(Source<'_>, &Recipe, &Assembled<'_>, &str) -> Result<T, KitError>,
    ) -> Result<T, KitError> {
        let text = self.text(name)?;
        let file = format!("{name}.toml");
        let source = Source { file: &file, text };
        let recipe = source.read()?;
        let made = model(&recipe, source)?;
        take(source, &recipe, &made, &recipe_digest(text).to_string())
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
        let [path, truth_path] = ["glb", "truth.json"].map(|ending| dir.join(format!("{name}.{ending}")));
        let digest = recipe.to_string();
        let right = |written: Option<String>| written.as_deref() == Some(digest.as_str());
        let fresh = !right(written_digest(&path)) || !right(stated_digest(&truth_path));
        if fresh {
            let (bytes, known) = self.follow(name, |source, recipe, made, digest| {
                Ok((glb(name, recipe, made, digest), truth(name, recipe, digest.to_owned(), made, source)?))
            })?;
            for (path, bytes) in [(&path, bytes), (&truth_path, known.to_json().into_bytes())] {
                write_whole(path, &bytes).map_err(|source| KitError::Write { path: path.clone(), source })?;
            }
        }
        Ok(Built { name: name.to_owned(), path, truth: truth_path, recipe, fresh })
    }
}

fn glb(name: &str, recipe: &Recipe, made: &Assembled<'_>, digest: &str) -> Vec<u8> {
    let extras = json!({ "posegrid": {
        "name": name,
        "title": recipe.title,
        "faction": recipe.faction,
        "recipe": digest,
    } });
    write_glb(&made.model, &extras)
}

fn recipe_digest(text: &str) -> Digest {
    Digest::of_parts(std::iter::once(text).chain(SOURCES.iter().copied()).map(str::as_bytes))
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

/// The recipe's digest as a truth states it; `None` where the file is absent, cut short or no truth.
fn stated_digest(path: &Path) -> Option<String> {
    let known: Truth = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    Some(known.recipe)
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
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
        let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kit");
        let files = [room.clone(), room.join("truth")].map(|folder| fs::read_dir(folder).unwrap());
        for entry in files.into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.ends_with("truth") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let known = SOURCES.contains(&text.as_str());
            assert!(known || path.ends_with("mod.rs"), "{} is not listed in SOURCES", path.display());
        }
    }
}
