//! A [`crate::stage::Scene`] into a [`CellImage`]. The only room that knows wgpu; it knows neither
//! studies nor loads.
//!
//! In the order in which a cell passes: `cell` plans it, `surface` and `passes` bring it to the device,
//! `passes` draws it, `resolve` averages it; `renderer` holds what outlives it.

mod adapter;
mod cache;
mod cell;
mod device;
mod draw;
mod error;
mod extent;
mod image;
mod layout;
mod material;
mod mips;
mod passes;
mod pipeline;
mod renderer;
mod resolve;
mod shader;
mod shadow;
mod surface;
mod target;
mod texture;
mod uniforms;

pub use adapter::{AdapterChoice, AdapterReport, adapters, find, lane};
pub use error::RenderError;
pub use image::{CellImage, MaskCounts, displayed};
pub use renderer::{DEFAULT_BUDGET_BYTES, Renderer};
pub use shader::{SHADERS, ShaderSource};
