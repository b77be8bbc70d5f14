//! A study into cells: the product of its axes, named, filtered, with defaults applied.
//!
//! Pure: opens no files.

mod cell;

pub use cell::{Cell, CellSpec, Framing, PoseSpec, SubjectSpec, VariantSpec, ViewSpec};

/// Every cell of a study, in axis order: the last axis turns fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The study's name.
    pub study: String,
    /// The axes, for headings and table columns.
    pub axes: Vec<PlanAxis>,
    /// The cells that are left after only, skip and the command line's filters.
    pub cells: Vec<Cell>,
}

/// An axis by its names.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanAxis {
    /// The axis.
    pub name: String,
    /// Its values, in order; [`Cell::values`] indexes them.
    pub values: Vec<String>,
}
