//! A study into cells: the product of its axes, named, filtered, with defaults applied.
//!
//! Reads: a study and the command line's filters. Writes: cells in axis order, the last axis turning
//! fastest. Pure: opens no files.
//!
//! A cell's settings are the study's `[cell]` with its values laid over it, silently; two *values*
//! that set one key are an error, as neither can be said to win.

mod cell;
mod count;
mod defaults;
mod error;
mod merge;
mod name;
mod product;

pub use cell::{Cell, CellSpec, Framing, PoseSpec, SubjectSpec, VariantSpec, ViewSpec};
pub use count::Counts;
pub use error::PlanError;
pub use product::plan;

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

impl Plan {
    /// Positions of axes by their names, in the order of `names`; what is no axis is passed over.
    pub fn axis_positions(&self, names: &[String]) -> Vec<usize> {
        names.iter().filter_map(|name| self.axes.iter().position(|axis| axis.name == *name)).collect()
    }
}

/// An axis by its names.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanAxis {
    /// The axis.
    pub name: String,
    /// Its values, in order; [`Cell::values`] indexes them.
    pub values: Vec<String>,
}
