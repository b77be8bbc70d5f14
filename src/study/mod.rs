//! Study files: text into a [`Study`], with errors that name the line and the choices.

mod settings;

use std::path::PathBuf;

pub use settings::{
    Background, Direction, FrameScope, FreeCamera, GroundChoice, LightChoice, LoadChoice, ModelFile, Projection,
    Region, Rgb8, Settings, StyleName,
};

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

/// How a sheet is laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetSpec {
    /// Axes down the side, the outermost first.
    pub rows: Vec<String>,
    /// Axes along the top, the outermost first.
    pub columns: Vec<String>,
    /// Axes that turn pages, the outermost first.
    pub pages: Vec<String>,
    /// Columns and rows of a cell.
    pub cell_px: [u32; 2],
    /// Paper and type.
    pub theme: Theme,
    /// Readings to print under each cell, by column name of metrics.csv, `name` for the cell's name.
    pub captions: Vec<String>,
    /// Longest side of a page before it is split.
    pub max_page_px: u32,
    /// Whether the provenance line names the day.
    pub date: bool,
}

/// Paper and type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Theme {
    /// Dark type on light paper.
    #[default]
    Light,
    /// Light type on dark paper.
    Dark,
}

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
