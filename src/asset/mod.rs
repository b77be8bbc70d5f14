//! Files into [`Model`]s in their bind pose, and models back into glTF.

mod accessor;
mod attribute;
mod clip;
mod component;
mod container;
mod document;
mod error;
mod extension;
mod hint;
mod image;
mod influence;
mod level;
mod limits;
mod load;
mod material;
mod mesh;
mod model;
mod morph;
mod neutral;
mod node;
mod normal;
mod notice;
mod place;
mod repair;
#[cfg(test)]
mod sample;
mod skin;
mod tangent;
mod texture;
mod topology;
mod uri;
mod vertices;
mod vrm;
mod write;

pub use error::{AssetError, Fault};
pub use level::{Levels, split_level};
pub use limits::Limits;
pub use load::{load, load_bytes};
pub use model::{
    AlphaMode, Channel, Clip, Humanoid, Image, Influences, Interpolation, Material, Mesh, Mips, Model, MorphTarget,
    Node, NodeMask, Primitive, Sampler, Skin, TextureRef, Track, Transform, Wrap,
};
pub use write::write_glb;
