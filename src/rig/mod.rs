//! Model, clip, time -> [`Pose`] -> [`PosedMesh`]; and anatomy: which bone is what.

mod anatomy;
mod bind;
mod clip_name;
#[cfg(test)]
mod fixture;
mod pose;
mod retarget;
mod sample;
mod skin;

pub use anatomy::{
    Anatomy, BodyNotes, BodyPart, Facing, FacingBy, FoundRole, How, Role, StagePlacement, TorsoFrame, TorsoPlace,
    anatomy, anatomy_with, stage_from_model,
};
pub use bind::{bind_pose, bind_pose_noted};
pub use clip_name::{ClipChoice, find_clip, in_place_by_default};
pub use pose::{Pose, PosedMesh, PosedPart, rest_pose};
pub use retarget::{Retargeted, retarget};
pub use sample::{ClipPose, clip_pose};
pub use skin::{model_from_bind, skin};
