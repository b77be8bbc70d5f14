//! Lay the values of one cell over the study's `[cell]`, and refuse what cannot be decided.

use super::error::PlanError;
use crate::study::{AxisValue, Settings, Study};

/// The values of one cell, one an axis.
pub(super) type Chosen<'a> = [(&'a str, &'a AxisValue)];

/// A cell's settings, what its subject never shows apart.
pub(super) struct Merged {
    /// `hide` in here is the variant's.
    pub(super) settings: Settings,
    /// `hide` of the value that names the subject, else of `[cell]`: it counts for the subject's height
    /// and adds to what a variant hides.
    pub(super) subject_hide: Vec<String>,
}

/// The settings of a cell.
///
/// # Errors
///
/// Two values set one key; two settings place the camera; a value sets a phase and the cell has no
/// clip. A phase in `[cell]` alone is a default for the cells that have a clip.
pub(super) fn merged(study: &Study, chosen: &Chosen, cell: &str) -> Result<Merged, PlanError> {
    check_keys(chosen, cell)?;
    let mut settings = study.base.clone();
    let mut subject_hide = settings.hide.take();
    for (_, value) in chosen {
        if value.settings.subject.is_some() {
            let variant_hide = settings.hide.take();
            settings.overlay(&value.settings);
            subject_hide = settings.hide.take().or(subject_hide);
            settings.hide = variant_hide;
        } else {
            settings.overlay(&value.settings);
        }
    }
    let subject_hide = subject_hide.unwrap_or_default();
    if settings.camera.is_some() && settings.distance_m.is_some() {
        return Err(PlanError::TwoCameras { first: "camera", second: "distance_m", cell: cell.to_owned() });
    }
    let phased = chosen.iter().any(|(_, value)| value.settings.at.is_some());
    if phased && !settings.clip.as_deref().is_some_and(is_clip) {
        return Err(PlanError::PhaseWithoutClip { cell: cell.to_owned() });
    }
    Ok(Merged { settings, subject_hide })
}

/// Whether a clip's name means a clip, rather than a pose that the file holds without one.
pub(super) fn is_clip(name: &str) -> bool {
    !matches!(name, "bind" | "rest")
}

fn check_keys(chosen: &Chosen, cell: &str) -> Result<(), PlanError> {
    let mut owners: Vec<(&'static str, String)> = Vec::new();
    for (axis, value) in chosen {
        for key in value.settings.keys_set() {
            if key == "hide" && value.settings.subject.is_some() {
                continue;
            }
            let here = format!("{axis} = {}", value.name);
            if let Some((_, first)) = owners.iter().find(|(owned, _)| *owned == key) {
                let first = first.clone();
                return Err(PlanError::KeyTwice { key, first, second: here, cell: cell.to_owned() });
            }
            owners.push((key, here));
        }
    }
    Ok(())
}
