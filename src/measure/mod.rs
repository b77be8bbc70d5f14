//! Cell images and their facts into readings, one file a metric.
//!
//! Pure: no GPU, no disk.

mod reading;

pub use reading::{Facts, MaskReadings};
