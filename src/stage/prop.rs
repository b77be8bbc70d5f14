//! A load made ready: its vertices at rest, its surface, and where its own frame is.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::scene::{Mask, MaskSet};
use super::surface::{self, Dressed};
use crate::asset::Model;
use crate::base::Finding;
use crate::carry::{self, LoadShape};
use crate::plan::VariantSpec;
use crate::rig::{self, PosedMesh};

/// How many breadths of the back a load may be wide.
const BREADTHS: f32 = 1.0;

/// A load made ready.
#[derive(Debug, Clone)]
pub struct Prop {
    /// The file.
    pub model: Arc<Model>,
    /// Its vertices at rest, model space.
    pub mesh: PosedMesh,
    /// From the file's space to the load frame: base at y = 0, the resting face at z = 0, centred in x.
    pub load_from_model: Mat4,
    /// Its box in the load frame, the file's unit.
    pub shape: LoadShape,
    /// What was noticed.
    pub findings: Vec<Finding>,
    pub(super) dressed: Dressed,
}

impl Prop {
    /// Makes a load ready.
    ///
    /// # Errors
    ///
    /// `NOTHING_DRAWN` for a file without triangles.
    pub fn new(model: Arc<Model>) -> Result<Self, Finding> {
        let mesh = rig::skin(&model, &rig::rest_pose(&model));
        let base = MaskSet::default().with(Mask::Subject).with(Mask::Load);
        let dressed = surface::dress(&model, &mesh.parts, &[], &VariantSpec::default(), base, &[])?;
        let place = model.path.display().to_string();
        let (least, greatest) = mesh.bounds().unwrap_or((Vec3::ZERO, Vec3::ZERO));
        let frame = carry::load_frame(least, greatest, BREADTHS, &place)?;
        let mut findings = model.findings.clone();
        findings.extend(frame.finding);
        Ok(Self { model, mesh, load_from_model: frame.load_from_prop, shape: frame.shape, findings, dressed })
    }

    /// Every vertex in the load frame.
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.mesh.positions().map(|point| self.load_from_model.transform_point3(point))
    }
}
