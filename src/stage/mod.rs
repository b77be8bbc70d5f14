//! A cell's settings and its models into a [`Scene`]: posed, loaded, framed, lit.

pub mod scene;

pub use crate::light::{KeyLight, Lights};
pub use scene::{
    BlendRun, Body, Camera, Display, Draw, Ground, Mask, MaskSet, Scene, StaticVertex, Style, Surface, Tone, Vertex,
};
