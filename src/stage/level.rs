//! What the levels of detail of a subject mean for its cells: how each is posed, and what there is to say of it.
//!
//! Reads: a model, the levels that cells ask for. Gives: a [`Ladder`]. Pure.
//!
//! A level that nothing can move stands as it was made in every pose. What copies its place from a joint (a load, a camera
//! at a distance) then copies it from the finest level as that stands in the first moment of idle: a far figure idles.

use super::actor::ActorPose;
use crate::asset::{Levels, Model};
use crate::base::{Finding, NodeIndex};
use crate::rig::{self, Anatomy, Pose};

/// The levels of one subject.
#[derive(Debug, Clone)]
pub(super) struct Ladder {
    levels: Levels,
    /// One a level: how it stands, where nothing can move it.
    standing: Vec<Option<ActorPose>>,
}

impl Ladder {
    /// `bind` is the pose of a model that has no idle; `alias` is what the study calls it.
    pub(super) fn new(model: &Model, bind: &Pose, anatomy: &Anatomy, alias: Option<&str>) -> Self {
        let levels = model.levels();
        let still: Vec<bool> = (0..levels.count()).map(|level| level > 0 && model.stands_still(level)).collect();
        let standing = still.contains(&true).then(|| {
            let pose = match rig::find_clip(model, "idle", alias) {
                Ok(found) => rig::clip_pose(model, model.clip(found.clip), 0.0, true, anatomy.up).pose,
                Err(_) => bind.clone(),
            };
            ActorPose { mesh: rig::skin(model, &pose), pose, removed_m: 0.0 }
        });
        let standing = still.into_iter().map(|still| standing.clone().filter(|_| still)).collect();
        Self { levels, standing }
    }

    /// Whether a level draws a node.
    pub(super) fn draws(&self, node: NodeIndex, level: usize) -> bool {
        self.levels.draws(node, level)
    }

    /// How a level stands in every pose, if nothing can move it.
    pub(super) fn standing(&self, level: usize) -> Option<&ActorPose> {
        self.standing[self.levels.clamped(level)].as_ref()
    }

    /// What is to be said of the levels that a study asks for, once a subject.
    pub(super) fn notes(&self, model: &Model, asked: &[usize]) -> Vec<Finding> {
        let place = || model.path.display().to_string();
        let last = self.levels.count() - 1;
        let mut notes = Vec::new();
        if let Some(most) = asked.iter().max().filter(|most| **most > last) {
            let message = match last {
                0 => format!("lod = {most} is asked for and the model has one level, which is drawn"),
                _ => format!("lod = {most} is asked for and the last level is {last}, which is drawn"),
            };
            notes.push(Finding::note("LEVEL_CLAMPED", place(), message));
        }
        let mut still: Vec<usize> = asked.iter().map(|level| self.levels.clamped(*level)).collect();
        still.sort_unstable();
        still.dedup();
        still.retain(|level| self.standing(*level).is_some());
        if !still.is_empty() {
            let list = still.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("level {list} has neither skin nor clip and stands as it is in every pose");
            notes.push(Finding::note("LEVEL_STATIC", place(), message));
        }
        notes
    }
}
