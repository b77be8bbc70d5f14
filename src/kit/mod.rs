//! Make workers and loads from recipes, as glTF with known truths.
//!
//! Reads: recipes in TOML: those that ship in the binary, or a folder's ([`Roster`]).
//! Writes: `DIR/workers/dwarf.glb`, `DIR/workers/dwarf.truth.json` and so on, whole or not at all.
//!
//! A body is a signed distance field on a skeleton, meshed; docs/kit.md says what a recipe holds. The
//! same recipe gives the same bytes on every machine: no function here may differ between platforms.

mod assemble;
mod atlas;
mod bake;
mod build;
mod cling;
mod clip;
mod crease;
mod error;
mod field;
mod form;
mod idle;
mod layers;
mod levels;
mod limits;
mod motion_spec;
mod naming;
mod noise;
mod occlude;
mod paint;
mod pattern;
mod pose;
mod prism;
mod recipe;
mod relief;
mod roster;
mod shape_spec;
mod shell;
mod skeleton;
mod split;
mod surface;
mod thin;
mod trig;
mod truth;
mod unwrap;
mod walk;
mod weights;

use std::path::Path;

pub use build::Built;
pub use error::{KitError, RecipeFault};
pub use roster::Roster;
pub use truth::{
    BackSample, BackTruth, BoneTruth, Formula, Kind, Landmark, LoadTruth, MeshClasses, RigTruth, Three, TorsoTruth,
    Truth,
};

/// Names of what ships, such as `workers/dwarf` and `loads/gold`. Touches no files.
pub fn names() -> Vec<String> {
    Roster::embedded().names()
}

/// The bytes of one as a GLB. Touches no files.
///
/// # Errors
///
/// [`KitError::UnknownName`] with the choices.
pub fn generate(name: &str) -> Result<Vec<u8>, KitError> {
    Roster::embedded().generate(name)
}

/// What is known of one, from its recipe. Touches no files.
///
/// # Errors
///
/// As [`generate`].
pub fn truth(name: &str) -> Result<Truth, KitError> {
    Roster::embedded().truth(name)
}

/// Makes what ships, or only the named ones, as files under `dir`: see [`Roster::build`].
///
/// # Errors
///
/// As [`Roster::build`].
pub fn build(dir: &Path, only: Option<&[&str]>) -> Result<Vec<Built>, KitError> {
    Roster::embedded().build(dir, only)
}
