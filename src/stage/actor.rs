//! A subject made ready: its model, its bones by role, where it stands, and the clips it was asked for.
//!
//! Reads: loaded models, what the study says of the subject. Gives: an [`Actor`] that can be posed.
//! Pure.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::level::Ladder;
use super::select;
use crate::asset::{Clip, Model};
use crate::base::{Finding, Severity};
use crate::plan::{PoseSpec, SubjectSpec};
use crate::rig::{self, Anatomy, BodyNotes, Pose, PosedMesh, StagePlacement, TorsoFrame};
use crate::study::Direction;

/// A subject made ready.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The file.
    pub model: Arc<Model>,
    /// What the study says of it.
    pub spec: SubjectSpec,
    /// Which bone is what.
    pub anatomy: Anatomy,
    /// Where it stands.
    pub placement: StagePlacement,
    /// The bind pose.
    pub bind: Pose,
    /// The bind pose's vertices, model space.
    pub bind_mesh: PosedMesh,
    /// The frame that loads ride; the reason where the body has none.
    pub torso: Result<TorsoFrame, Finding>,
    /// What was noticed, the model's own findings first.
    pub findings: Vec<Finding>,
    clips: BTreeMap<String, Result<ActorClip, Finding>>,
    pub(super) ladder: Ladder,
}

/// A clip that an actor can play.
#[derive(Debug, Clone)]
struct ActorClip {
    clip: Clip,
}

/// An actor in a pose.
#[derive(Debug, Clone)]
pub struct ActorPose {
    /// Every node.
    pub pose: Pose,
    /// Every vertex, model space.
    pub mesh: PosedMesh,
    /// Travel that was taken out, stage metres.
    pub removed_m: f32,
}

impl Actor {
    /// Makes a subject ready for the clips in `wanted`; `sources` are its files of further clips.
    ///
    /// # Errors
    ///
    /// A finding where the model cannot be shown at all.
    pub fn new(
        model: Arc<Model>,
        sources: &[Arc<Model>],
        spec: &SubjectSpec,
        wanted: &[String],
    ) -> Result<Self, Finding> {
        forward_across_up(&model, spec)?;
        let (bind, bind_findings) = rig::bind_pose_noted(&model);
        let bind_mesh = rig::skin(&model, &bind);
        let notes = BodyNotes { roles: spec.roles.clone(), forward: spec.forward, up: spec.up };
        let anatomy = rig::anatomy_with(&model, &notes);
        let hidden = select::parts_named(&model, &bind_mesh.parts, "hide", &spec.hide)?;
        let seen_nodes = model.seen_nodes(0);
        let unseen: Vec<bool> = std::iter::zip(&bind_mesh.parts, hidden)
            .map(|(part, hidden)| hidden || !seen_nodes[part.node.at()])
            .collect();
        let seen_mesh = without(&bind_mesh, &unseen);
        let placement = rig::stage_from_model(&anatomy, &bind, &seen_mesh, spec.height_m);
        let torso = TorsoFrame::new(&anatomy, &bind);
        let ladder = Ladder::new(&model, &bind, &anatomy, spec.clips.get("idle").map(String::as_str));
        let mut findings = model.findings.clone();
        for noticed in [&bind_findings, &anatomy.findings, &placement.findings] {
            findings.extend(noticed.iter().cloned());
        }
        // What the study itself says wrongly of a subject would show it wrongly.
        let mut told = anatomy.findings.iter().chain(&placement.findings);
        if let Some(fatal) = told.find(|finding| finding.severity == Severity::Error) {
            return Err(fatal.clone());
        }
        let mut clips = BTreeMap::new();
        for name in wanted {
            let found = find(&model, sources, spec, name, &mut findings);
            clips.insert(name.clone(), found);
        }
        Ok(Self { model, spec: spec.clone(), anatomy, placement, bind, bind_mesh, torso, findings, clips, ladder })
    }

    /// The actor in a pose.
    ///
    /// # Errors
    ///
    /// `CLIP_NOT_FOUND` or `CLIP_AMBIGUOUS`, listing the clips.
    pub fn pose(&self, spec: &PoseSpec) -> Result<ActorPose, Finding> {
        let (pose, removed) = match spec {
            PoseSpec::Bind => (self.bind.clone(), 0.0),
            PoseSpec::Rest => (rig::rest_pose(&self.model), 0.0),
            PoseSpec::Clip { name, phase, in_place } => {
                let found = self.clips.get(name).expect("every clip of the plan was asked for").as_ref();
                let clip = &found.map_err(Clone::clone)?.clip;
                let in_place = in_place.unwrap_or_else(|| rig::in_place_by_default(name));
                let posed = rig::clip_pose(&self.model, clip, *phase, in_place, self.anatomy.up);
                (posed.pose, posed.removed)
            }
        };
        let mesh = rig::skin(&self.model, &pose);
        Ok(ActorPose { pose, mesh, removed_m: removed * self.placement.metres_a_unit })
    }

    /// The actor in a pose at a level of detail: one that nothing can move stands as it was made.
    ///
    /// # Errors
    ///
    /// As [`Actor::pose`].
    pub fn pose_at(&self, spec: &PoseSpec, level: usize) -> Result<ActorPose, Finding> {
        let Some(standing) = self.ladder.standing(level) else { return self.pose(spec) };
        if let PoseSpec::Clip { name, .. } = spec {
            self.clips.get(name).expect("every clip of the plan was asked for").as_ref().map_err(Clone::clone)?;
        }
        Ok(standing.clone())
    }

    /// `stage_from_model`.
    pub fn stage_from_model(&self) -> Mat4 {
        self.placement.stage_from_model
    }

    /// Largest displacement between two poses' vertices of the finest level, as a share of the height.
    pub fn displacement(&self, one: &PosedMesh, other: &PosedMesh) -> f32 {
        one.furthest_from(other, |node| self.ladder.draws(node, 0)) / self.placement.height_in_model
    }

    /// A point of a pose in stage space.
    pub fn in_stage(&self, point_in_model: Vec3) -> Vec3 {
        self.placement.stage_from_model.transform_point3(point_in_model)
    }
}

/// A subject that faces its own up or down has no facing.
fn forward_across_up(model: &Model, spec: &SubjectSpec) -> Result<(), Finding> {
    let axis = |direction: Direction| match direction {
        Direction::PlusX | Direction::MinusX => 0,
        Direction::PlusY | Direction::MinusY => 1,
        Direction::PlusZ | Direction::MinusZ => 2,
    };
    let up = spec.up.unwrap_or(Direction::PlusY);
    if spec.forward.is_none_or(|forward| axis(forward) != axis(up)) {
        return Ok(());
    }
    let message = "forward lies along up, so that the subject would face the sky or the ground";
    Err(Finding::error("FORWARD_ALONG_UP", model.path.display().to_string(), message)
        .with_hint("up is +y unless the study says otherwise; forward is one of the other axes"))
}

/// A mesh without the parts that are hidden.
pub(super) fn without<'a>(mesh: &'a PosedMesh, hidden: &[bool]) -> Cow<'a, PosedMesh> {
    if !hidden.contains(&true) {
        return Cow::Borrowed(mesh);
    }
    let shown = std::iter::zip(&mesh.parts, hidden).filter(|(_, hidden)| !**hidden);
    Cow::Owned(PosedMesh { parts: shown.map(|(part, _)| part.clone()).collect() })
}

/// The clip a word means: the model's own first, then those of its further files.
fn find(
    model: &Arc<Model>,
    sources: &[Arc<Model>],
    spec: &SubjectSpec,
    name: &str,
    findings: &mut Vec<Finding>,
) -> Result<ActorClip, Finding> {
    let alias = spec.clips.get(name).map(String::as_str);
    let own = rig::find_clip(model, name, alias);
    let own = match own {
        Ok(choice) => {
            findings.extend(choice.finding);
            return Ok(ActorClip { clip: model.clip(choice.clip).clone() });
        }
        Err(finding) => finding,
    };
    let mut last = own;
    for source in sources {
        match rig::find_clip(source, name, alias) {
            Ok(choice) => {
                findings.extend(choice.finding);
                let moved = rig::retarget(source, source.clip(choice.clip), model);
                if !moved.unmatched.is_empty() {
                    let place = source.path.display().to_string();
                    let clip = &source.clip(choice.clip).name;
                    let file = model.path.file_name().unwrap_or(model.path.as_os_str()).display();
                    let joints = moved.unmatched.join(", ");
                    let message = format!("clip {clip:?} moves joints that {file} does not have: {joints}");
                    findings.push(Finding::warning("JOINTS_UNMATCHED", place, message));
                }
                return Ok(ActorClip { clip: moved.clip });
            }
            Err(finding) => last = finding,
        }
    }
    Err(last)
}
