//! A cell's settings and its models into a [`Scene`]: posed, loaded, framed, lit. Pure, on the CPU.

mod actor;
mod blend;
mod body;
mod build;
mod camera;
mod cast;
mod company;
mod dress;
mod facts;
mod frame;
mod heads;
mod level;
mod masks;
mod proof;
mod prop;
mod scene;
mod select;
mod surface;
mod variant;

pub use actor::{Actor, ActorPose};
pub use build::{Staged, scene};
pub use camera::cell_from_stage;
pub use cast::{Cast, Loader, Member, Ready};
pub use company::company;
pub use facts::Facts;
pub use frame::{Frame, FrameKey};
pub use proof::{PoseProof, pose_name};
pub use prop::Prop;
pub use scene::{
    BlendRun, Body, Camera, Display, Draw, Ground, Mask, MaskSet, Scene, StaticVertex, Style, Surface, Tone, Vertex,
};
pub use surface::Dressed;

pub use crate::light::{KeyLight, Lights};
