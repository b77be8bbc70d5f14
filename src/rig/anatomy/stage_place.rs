//! Put a body on the stage: feet on the ground, facing the viewer, at its size.
//!
//! Reads: an [`Anatomy`], the mesh in its bind pose. Gives: [`StagePlacement`]. Pure.
//!
//! *Stage* space: metres, +Y up, the subject facing +Z, its lowest drawn bind vertex at y = 0, its hips
//! (else the middle of its box) over the origin.

use glam::{Mat3, Mat4, Vec3};
use serde::Serialize;

use super::role::{Anatomy, Role};
use crate::base::Finding;
use crate::rig::{Pose, PosedMesh};

/// Heights a character has; outside them a file's unit is likely not the metre.
const LIKELY_HEIGHT_M: std::ops::RangeInclusive<f32> = 0.3..=4.0;

/// How a model is put on the stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StagePlacement {
    /// `stage_from_model`: scale, turn and shift.
    #[serde(skip)]
    pub stage_from_model: Mat4,
    /// Stage metres a unit of the model.
    pub metres_a_unit: f32,
    /// Extent of the drawn bind vertices along up, model's unit: the H of carrying, unscaled.
    pub height_in_model: f32,
    /// The same on the stage.
    pub height_m: f32,
    /// Whether the study gave the height.
    pub height_told: bool,
    /// What was noticed.
    pub findings: Vec<Finding>,
}

/// Puts a body on the stage. `bind` and `bind_mesh` are its bind pose and what is drawn of it there;
/// `height_m` is the height that the study gives.
///
/// A body without drawn vertices keeps its unit and gets an error among the findings.
pub fn stage_from_model(
    anatomy: &Anatomy,
    bind: &Pose,
    bind_mesh: &PosedMesh,
    height_m: Option<f32>,
) -> StagePlacement {
    let turn = turn(anatomy);
    let mut findings = Vec::new();
    let bounds = bounds(bind_mesh.positions().map(|point| turn * point));
    if bounds.is_none() {
        findings.push(Finding::error("NOTHING_DRAWN", anatomy.place.clone(), "no vertex is drawn"));
    }
    let (least, greatest) = bounds.unwrap_or((Vec3::ZERO, Vec3::ZERO));
    let height_in_model = greatest.y - least.y;
    let scale = match height_m {
        Some(height_m) if height_in_model > 0.0 => height_m / height_in_model,
        _ => 1.0,
    };
    let hips = anatomy.get(Role::Hips).map(|hips| turn * bind.model_from_node[hips.at()].w_axis.truncate());
    let middle = hips.filter(|hips| hips.is_finite()).unwrap_or((least + greatest) / 2.0);
    let shift = -scale * Vec3::new(middle.x, least.y, middle.z);
    let placed_height_m = height_in_model * scale;
    if height_m.is_none() && bounds.is_some() && !LIKELY_HEIGHT_M.contains(&placed_height_m) {
        findings.push(unlikely_height(anatomy, placed_height_m));
    }
    StagePlacement {
        stage_from_model: Mat4::from_translation(shift) * Mat4::from_mat3(turn * scale),
        metres_a_unit: scale,
        height_in_model,
        height_m: placed_height_m,
        height_told: height_m.is_some(),
        findings,
    }
}

/// Turns facing to +Z and up to +Y.
fn turn(anatomy: &Anatomy) -> Mat3 {
    let up = anatomy.up;
    let facing = (anatomy.facing.direction - up * anatomy.facing.direction.dot(up)).normalize_or(Vec3::Z);
    Mat3::from_cols(up.cross(facing), up, facing).transpose()
}

fn bounds(points: impl Iterator<Item = Vec3>) -> Option<(Vec3, Vec3)> {
    points.filter(|point| point.is_finite()).fold(None, |bounds, point| {
        let (least, greatest) = bounds.unwrap_or((point, point));
        Some((least.min(point), greatest.max(point)))
    })
}

fn unlikely_height(anatomy: &Anatomy, height_m: f32) -> Finding {
    // The nearest power of ten that makes it a character: centimetres and the like.
    let likely = [0.01, 100.0, 0.001, 1000.0, 0.1, 10.0]
        .map(|factor| height_m * factor)
        .into_iter()
        .find(|height| (0.8..=2.5).contains(height))
        .unwrap_or(1.8);
    Finding::warning("HEIGHT_UNLIKELY", anatomy.place.clone(), format!("the subject is {height_m:.3} m tall"))
        .with_hint(format!("say how tall it is in the study file: height_m = {likely:.2}"))
}
