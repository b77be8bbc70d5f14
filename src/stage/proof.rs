//! Prove from geometry that poses took effect.
//!
//! A picture can look right and show the wrong pose; a vertex cannot. For each subject and clip pose:
//! the largest displacement of a vertex from the bind pose and from every other clip pose, as a share
//! of the height. (A file may well rest in the first frame of a clip; that is no fault.) Under a ten-thousandth of it nothing moved, and the cell would show what it does not say.

use serde::Serialize;

use super::actor::Actor;
use crate::base::Finding;
use crate::plan::PoseSpec;
use crate::rig::PosedMesh;

/// Least displacement, as a share of the height, that counts as another pose.
pub(super) const LEAST_SHARE: f32 = 1.0e-4;

/// How far a pose is from the bind pose and from its nearest neighbour.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PoseProof {
    /// The pose, as the study names it.
    pub pose: String,
    /// Largest displacement of a vertex from the bind pose, share of the height.
    pub from_bind: f32,
    /// Least of the largest displacements from the other poses, and which pose that is.
    pub from_nearest: Option<(String, f32)>,
    /// Metres of travel that were taken out.
    pub removed_m: f32,
}

/// A pose with its vertices.
pub(super) struct Shown<'a> {
    pub(super) spec: &'a PoseSpec,
    pub(super) mesh: &'a PosedMesh,
    pub(super) removed_m: f32,
}

/// A pose's name in messages and tables.
pub fn pose_name(spec: &PoseSpec) -> String {
    match spec {
        PoseSpec::Bind => "bind".to_owned(),
        PoseSpec::Rest => "rest".to_owned(),
        PoseSpec::Clip { name, phase, .. } => format!("{name}@{phase}"),
    }
}

/// The proof of each pose, and for each whether it is frozen.
pub(super) fn prove(actor: &Actor, shown: &[Shown<'_>]) -> Vec<(PoseProof, Option<Finding>)> {
    shown
        .iter()
        .enumerate()
        .map(|(at, this)| {
            let from_bind = actor.displacement(this.mesh, &actor.bind_mesh);
            let from_nearest = shown
                .iter()
                .enumerate()
                .filter(|(other, shown)| *other != at && matches!(shown.spec, PoseSpec::Clip { .. }))
                .map(|(_, other)| (pose_name(other.spec), actor.displacement(this.mesh, other.mesh)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let proof = PoseProof { pose: pose_name(this.spec), from_bind, from_nearest, removed_m: this.removed_m };
            let finding = frozen(actor, this.spec, &proof);
            (proof, finding)
        })
        .collect()
}

fn frozen(actor: &Actor, spec: &PoseSpec, proof: &PoseProof) -> Option<Finding> {
    if !matches!(spec, PoseSpec::Clip { .. }) {
        return None;
    }
    let (same_as, share) = if proof.from_bind < LEAST_SHARE {
        ("the bind pose", proof.from_bind)
    } else {
        let (name, share) = proof.from_nearest.as_ref()?;
        (name.as_str(), *share)
    };
    (share < LEAST_SHARE).then(|| {
        let message = format!(
            "pose {} is the same as {same_as}: no vertex moves more than {share:.1e} of the height",
            proof.pose
        );
        Finding::error("POSE_FROZEN", actor.model.path.display().to_string(), message)
            .with_hint("name another clip or phase, or use clip = \"bind\" if the bind pose is meant")
    })
}
