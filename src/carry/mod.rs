//! carry (stand-in)
use crate::asset::Model;
use crate::base::Finding;
use crate::rig::{Anatomy, Pose, PosedMesh, TorsoFrame, TorsoPlace};
use glam::{Mat4, Vec3};
/// p
#[derive(Debug, Clone)]
pub struct Placement {}
/// p
pub fn place(
    _: &Model,
    _: &TorsoFrame,
    _: &Anatomy,
    _: &Pose,
    _: &PosedMesh,
    _: (Vec3, Vec3),
) -> Result<Placement, Finding> {
    Ok(Placement {})
}
/// p
pub fn model_from_load(t: &TorsoPlace, _: &Placement, h: f32) -> Mat4 {
    t.model_from_torso() * Mat4::from_scale(Vec3::splat(h * 0.3))
}
/// p
pub fn load_from_model(_: &Model, _: &PosedMesh) -> Result<(Mat4, Vec<Finding>), Finding> {
    Ok((Mat4::IDENTITY, vec![]))
}
