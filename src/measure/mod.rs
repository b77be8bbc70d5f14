//! Read finished cells: their pixels and facts into numbers, one file a metric.
//!
//! Reads: a finished cell and what stage knew of it. Writes: a row of numbers for each mask, in the
//! order of [`COLUMNS`]. Pure: no GPU, no disk. The background and the ground count for nothing: a
//! pixel weighs what the mask has of its samples.

mod area;
mod check;
mod clipped_share;
mod column;
mod geometry;
mod luma8_sd;
mod masked;
mod mean_y;
mod moments;
mod reading;
mod rms_contrast;
mod sd_log2y;

pub use check::{CELL_BLANK, CELL_FULL, CELL_NOT_FINITE, CELL_ONE_COLOUR, check};
pub use column::{COLUMNS, Column};
pub use masked::Masked;
pub use reading::MaskReadings;

use crate::render::CellImage;
pub use crate::stage::Facts;
use crate::stage::Mask;

/// Reads every mask of a cell, in the order of [`Mask::ALL`]: the subject always, another mask where
/// a draw of the cell has it. A mask that nothing shows of has an area of 0 and no spread.
pub fn readings(image: &CellImage, facts: &Facts) -> Vec<MaskReadings> {
    let masked = |mask| Masked::new(image, facts, mask);
    Mask::ALL.into_iter().filter_map(masked).map(|masked| read(&masked)).collect()
}

fn read(masked: &Masked) -> MaskReadings {
    let values = COLUMNS.iter().map(|column| (column.read)(masked).filter(|value| value.is_finite()));
    MaskReadings { mask: masked.mask, values: values.collect() }
}
