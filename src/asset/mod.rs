//! Files into [`Model`]s in their bind pose, and models back into glTF.

mod model;
mod write;

pub use model::{
    AlphaMode, Channel, Clip, Humanoid, Image, Influences, Interpolation, Material, Mesh, Mips, Model, MorphTarget,
    Node, Primitive, Sampler, Skin, TextureRef, Track, Transform, Wrap,
};
pub use write::write_glb;
