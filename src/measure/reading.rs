//! The shape of what is measured: a row of readings for each mask of a cell.

use crate::stage::Mask;

/// The readings of one mask, in the order of the columns; what could not be measured is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct MaskReadings {
    /// Which pixels.
    pub mask: Mask,
    /// One a column.
    pub values: Vec<Option<f64>>,
}
