//! Study files: text into a [`Study`], with errors that name the line and the choices.
//!
//! Reads: the study's text, and listings of the folders that it names. Pure otherwise; no model is
//! opened. Defaults of a cell are not applied here but in `plan`.

mod axis;
mod choice;
mod error;
mod factorial;
mod files;
pub(crate) mod filters;
mod layout;
mod light;
pub(crate) mod nearest;
mod parse;
mod read;
mod schema;
mod settings;
mod starter;
mod table;
mod value_names;
mod write;

use std::path::{Path, PathBuf};

pub use choice::{
    Background, Direction, FrameScope, FreeCamera, GroundChoice, LoadChoice, ModelFile, Projection, Region, Rgb8,
    StyleName,
};
pub use error::{StudyError, StudyErrors, WrongText};
pub use layout::{SheetSpec, Theme};
pub use light::LightChoice;
pub use parse::{parse, read};
pub use schema::json_schema;
pub use settings::Settings;
pub use starter::starter;
pub use value_names::of_files as names_of_files;
pub use write::to_toml;

/// What a study may name that is not in its own text.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Where the kit's files are, or will be once built: `kit:workers/giant` is `workers/giant.glb`
    /// under it.
    pub kit_dir: &'a Path,
    /// The kit's names without `kit:`, such as `workers/giant`.
    pub kit_names: &'a [String],
    /// Columns of metrics.csv, for the sheet's captions.
    pub captions: &'a [&'a str],
}

/// A study: axes, what to leave out, and how the sheet is laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The file's stem: the folder under out/ and the first part of every cell's name.
    pub name: String,
    /// Where it was read from; `None` for a study made in memory.
    pub path: Option<PathBuf>,
    /// Heading of the sheet.
    pub title: String,
    /// What every cell starts from (`[cell]`).
    pub base: Settings,
    /// In file order.
    pub axes: Vec<Axis>,
    /// A cell stays if it matches any of these, or there are none.
    pub only: Vec<Filter>,
    /// A cell goes if it matches any of these.
    pub skip: Vec<Filter>,
    /// The sheet.
    pub sheet: SheetSpec,
    /// Repeats of every cell.
    pub repeat: Repeat,
}

/// One axis: a list of named values.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The user's name for it.
    pub name: String,
    /// In file order, `at`, `files` and `factorial` expanded.
    pub values: Vec<AxisValue>,
}

/// A named value of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisValue {
    /// Unique within its axis.
    pub name: String,
    /// What it sets.
    pub settings: Settings,
}

/// Axis name to the values that match: a cell matches if every axis named agrees.
pub type Filter = Vec<(String, Vec<String>)>;

/// Repeats of every cell, the same for every condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeat {
    /// Stratified sub-pixel offsets; 1 for a single picture.
    pub subpixel: u32,
    /// Largest turn to either side, degrees.
    pub yaw_deg: f32,
    /// Seeds what is random.
    pub seed: u64,
}

impl Default for Repeat {
    fn default() -> Self {
        Self { subpixel: 1, yaw_deg: 0.0, seed: 1 }
    }
}
