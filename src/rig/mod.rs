//! Model, clip, time -> [`Pose`] -> [`PosedMesh`]; and anatomy: which bone is what.

mod clip_name;
#[cfg(test)]
mod fixture;
mod pose;
mod retarget;
mod sample;
mod skin;

pub use clip_name::{ClipChoice, find_clip, in_place_by_default};
pub use pose::{Pose, PosedMesh, PosedPart, rest_pose};
pub use retarget::{Retargeted, retarget};
pub use sample::{ClipPose, clip_pose};
pub use skin::{model_from_bind, skin};
