//! The only loop over cells: stage, render and measure each, on as many workers as asked.

mod cell;
mod pool;
mod result;

pub use cell::Timings;
pub use pool::{Ended, Job, Options, Stopped, run};
pub use result::{CellResult, Made, Outcome};
