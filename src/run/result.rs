//! What became of a cell.

use crate::base::Finding;
use crate::measure::{Facts, MaskReadings};

/// A cell that was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct CellResult {
    /// Position in the plan.
    pub cell: usize,
    /// What came of it.
    pub outcome: Outcome,
}

/// A picture, or the reason why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Rendered and measured.
    Made(Box<Made>),
    /// Could not be made: a marked hole in the sheet.
    Hole(Finding),
}

/// A finished cell, reduced to what sheets and tables need.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Columns and rows.
    pub size_px: [u32; 2],
    /// 8-bit sRGB over the cell's background, rows from the top, three bytes a pixel.
    pub rgb: Vec<u8>,
    /// 8-bit sRGB with straight alpha, without the ground: the cell's own PNG.
    pub rgba: Vec<u8>,
    /// What stage knew.
    pub facts: Facts,
    /// One row a mask, in the order of [`crate::stage::Mask::ALL`].
    pub readings: Vec<MaskReadings>,
    /// Digest of the decoded pixels, coverage and masks.
    pub digest: crate::base::Digest,
}
