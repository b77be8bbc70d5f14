//! Model, clip, time -> [`Pose`] -> [`PosedMesh`]; and anatomy: which bone is what.

mod pose;

pub use pose::{Pose, PosedMesh, PosedPart};
