//! A cell's settings and its models into a [`Scene`]: posed, loaded, framed, lit.

pub mod scene;

pub use scene::{
    BlendRun, Body, Camera, Display, Draw, Ground, KeyLight, Lights, Mask, MaskSet, Scene, StaticVertex, Style,
    Surface, Tone, Vertex,
};
