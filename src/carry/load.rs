//! The load frame: what a prop is turned into before it is carried.
//!
//! Reads: a prop's mesh at rest. Pure.

use glam::{Mat4, Vec3};

use crate::asset::Model;
use crate::base::Finding;
use crate::rig::PosedMesh;

/// A prop this near to the load frame, as a share of its largest side, is in it.
const IN_FRAME: f32 = 1e-3;

/// The box of a load, in load space, and how wide it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadShape {
    /// Along x, load's unit.
    pub width: f32,
    /// Along y, load's unit.
    pub height: f32,
    /// Along z, load's unit.
    pub depth: f32,
    /// How many breadths of the back it may be wide: 1; logs 1.5.
    pub breadths: f32,
}

impl LoadShape {
    /// The shape of a load by its box in load space, as wide as a back at most.
    pub fn of((least, greatest): (Vec3, Vec3)) -> Self {
        let size = greatest - least;
        Self { width: size.x, height: size.y, depth: size.z, breadths: 1.0 }
    }
}

/// From a prop's file to the load frame: base to y = 0, its furthest face towards -z to z = 0, centred in
/// x. Only a shift, for nothing is known of which face should rest on a back; a note says so where the
/// prop had to be moved.
///
/// `mesh` is the prop at rest.
///
/// # Errors
///
/// `LOAD_EMPTY` for a prop without vertices, width or height.
pub fn load_from_model(model: &Model, mesh: &PosedMesh) -> Result<(Mat4, Vec<Finding>), Finding> {
    let place = model.path.display().to_string();
    let (least, greatest) = mesh.bounds().unwrap_or((Vec3::ZERO, Vec3::ZERO));
    let size = greatest - least;
    if !size.is_finite() || size.x <= 0.0 || size.y <= 0.0 {
        return Err(Finding::error("LOAD_EMPTY", place, "the load has no width or no height"));
    }
    let shift = -Vec3::new((least.x + greatest.x) / 2.0, least.y, least.z);
    if shift.abs().max_element() <= IN_FRAME * size.max_element() {
        return Ok((Mat4::IDENTITY, Vec::new()));
    }
    let [x, y, z] = shift.to_array();
    let message = format!("the prop is not in the load frame; it is shifted by {x:.3}, {y:.3}, {z:.3}");
    let finding = Finding::note("LOAD_NOT_PREPARED", place, message)
        .with_hint("the face towards -z is taken to rest on the back; turn the prop if another should");
    Ok((Mat4::from_translation(shift), vec![finding]))
}
