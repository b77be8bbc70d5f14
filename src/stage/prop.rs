//! A load made ready: its vertices at rest, its surface, and where its own frame is.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::scene::{Mask, MaskSet};
use super::surface::{self, Dressed};
use crate::asset::Model;
use crate::base::Finding;
use crate::carry;
use crate::plan::VariantSpec;
use crate::rig::{self, PosedMesh};

/// A load made ready.
#[derive(Debug, Clone)]
pub struct Prop {
    /// The file.
    pub model: Arc<Model>,
    /// Its vertices at rest, model space.
    pub mesh: PosedMesh,
    /// From the file's space to the load frame: base at y = 0, the resting face at z = 0, centred in x.
    pub load_from_model: Mat4,
    /// Box in the load frame: least and greatest corners, the file's unit.
    pub bounds: (Vec3, Vec3),
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
        let dressed = surface::dress(&model, &mesh.parts, &VariantSpec::default(), base, &[])?;
        let (load_from_model, noted) = carry::load_from_model(&model, &mesh)?;
        let corners = mesh.positions().map(|point| load_from_model.transform_point3(point));
        let bounds = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(least, greatest), point| {
            (least.min(point), greatest.max(point))
        });
        let mut findings = model.findings.clone();
        findings.extend(noted);
        Ok(Self { model, mesh, load_from_model, bounds, findings, dressed })
    }

    /// Every vertex in the load frame.
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.mesh.positions().map(|point| self.load_from_model.transform_point3(point))
    }
}
