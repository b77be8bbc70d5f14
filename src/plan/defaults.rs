//! Every default of a cell, in this one place, and degrees into radians.
//!
//! | setting | sheets | with `distance_m` |
//! |---|---|---|
//! | pose | the bind pose; a clip starts at phase 0 | the same |
//! | `azimuth` | 0 degrees, from the front | the same |
//! | `elevation` | 10 degrees | 0: the eye is at the head joint's height |
//! | `field_deg` | 30 degrees | 75 |
//! | `projection` | perspective | the same |
//! | framing | the subject over all its poses and loads | by distance, on 1,080 px |
//! | `samples` | 2 a pixel and side | 4 |
//! | `light` | studio | the same |
//! | `style` | shaded | the same |
//! | `ground` | shadow | none |
//! | `background` | linear 0.18 | the same |
//! | `load` | none | the same |
//! | `lod` | 0, the finest | the same |

use super::cell::{CellSpec, Framing, PoseSpec, SubjectSpec, VariantSpec, ViewSpec};
use super::merge::{Merged, is_clip};
use crate::study::{Background, FrameScope, GroundChoice, LightChoice, LoadChoice, Projection, Settings, StyleName};

const AZIMUTH_DEG: f32 = 0.0;
const SHEET: ViewDefaults =
    ViewDefaults { elevation_deg: 10.0, field_deg: 30.0, samples: 2, ground: GroundChoice::Shadow };
const DISTANCE: ViewDefaults =
    ViewDefaults { elevation_deg: 0.0, field_deg: 75.0, samples: 4, ground: GroundChoice::None };
const SCREEN_PX: u32 = 1080;
const BACKGROUND: Background = Background([0.18; 3]);

/// What differs between sheets and distance studies.
struct ViewDefaults {
    elevation_deg: f32,
    field_deg: f32,
    samples: u32,
    ground: GroundChoice,
}

/// A cell's settings with every default applied; `None` without a subject.
pub(super) fn applied(merged: &Merged, size_px: [u32; 2]) -> Option<CellSpec> {
    let settings = &merged.settings;
    let plain = if settings.distance_m.is_some() { &DISTANCE } else { &SHEET };
    Some(CellSpec {
        subject: subject(merged)?,
        load: match &settings.load {
            Some(LoadChoice::Prop(file)) => Some(file.clone()),
            Some(LoadChoice::None) | None => None,
        },
        pose: pose(settings),
        view: view(settings, plain),
        light: settings.light.clone().unwrap_or(LightChoice::Studio),
        style: settings.style.unwrap_or(StyleName::Shaded),
        ground: settings.ground.unwrap_or(plain.ground),
        background: settings.background.unwrap_or(BACKGROUND),
        variant: variant(settings),
        size_px,
        samples: settings.samples.unwrap_or(plain.samples),
    })
}

fn subject(Merged { settings, subject_hide }: &Merged) -> Option<SubjectSpec> {
    Some(SubjectSpec {
        file: settings.subject.clone()?,
        height_m: settings.height_m,
        forward: settings.forward,
        up: settings.up,
        hide: subject_hide.clone(),
        clips: settings.clips.clone().unwrap_or_default(),
        clip_files: settings.clip_files.clone().unwrap_or_default(),
        roles: settings.roles.clone().unwrap_or_default(),
        head: settings.head.clone(),
        face: settings.face.clone(),
        eyes: settings.eyes.clone(),
    })
}

fn pose(settings: &Settings) -> PoseSpec {
    match settings.clip.as_deref() {
        None | Some("bind") => PoseSpec::Bind,
        Some(name) if is_clip(name) => {
            PoseSpec::Clip { name: name.to_owned(), phase: settings.at.unwrap_or(0.0), in_place: settings.in_place }
        }
        Some(_) => PoseSpec::Rest,
    }
}

fn view(settings: &Settings, plain: &ViewDefaults) -> ViewSpec {
    ViewSpec {
        azimuth_rad: settings.azimuth.unwrap_or(AZIMUTH_DEG).to_radians(),
        elevation_rad: settings.elevation.unwrap_or(plain.elevation_deg).to_radians(),
        projection: settings.projection.unwrap_or(Projection::Perspective),
        field_rad: settings.field_deg.unwrap_or(plain.field_deg).to_radians(),
        framing: framing(settings),
    }
}

fn framing(settings: &Settings) -> Framing {
    if let Some(camera) = settings.camera {
        return Framing::Free(camera);
    }
    match settings.distance_m {
        Some(distance_m) => Framing::Distance { distance_m, screen_px: settings.screen_px.unwrap_or(SCREEN_PX) },
        None => Framing::Fit { scope: settings.frame.unwrap_or(FrameScope::Subject), px_per_m: settings.px_per_m },
    }
}

fn variant(settings: &Settings) -> VariantSpec {
    VariantSpec {
        lod: settings.lod.map_or(0, |level| level as usize),
        hide: settings.hide.clone().unwrap_or_default(),
        show: settings.show.clone().unwrap_or_default(),
        recolour: settings.recolour.clone().unwrap_or_default(),
        flatten: settings.flatten.clone().unwrap_or_default(),
    }
}
