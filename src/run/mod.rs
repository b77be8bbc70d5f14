//! The only loop over cells: stage, render and measure each, on as many workers as asked.

mod cell;
mod equal;
mod pool;
mod result;

pub use cell::Timings;
pub use equal::equal_pictures;
pub use pool::{Ended, Job, Options, Stopped, run};
pub use result::{CellResult, Made, Outcome};
