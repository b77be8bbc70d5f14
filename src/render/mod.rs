//! A [`crate::stage::Scene`] into a [`CellImage`]. The only room that knows wgpu; it knows neither
//! studies nor loads.

mod image;

pub use image::{CellImage, MaskCounts, displayed};
