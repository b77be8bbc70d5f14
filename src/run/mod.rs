//! The only loop over cells: stage, render and measure each, on as many workers as asked.

mod result;

pub use result::{CellResult, Made, Outcome};
