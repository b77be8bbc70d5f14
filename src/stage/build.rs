//! One cell's scene from what the cast shares.
//!
//! Reads: a [`Cast`], a cell of its plan. Gives: a [`Scene`] and the cell's facts. Pure: the same cell
//! gives the same scene, alone or among ten thousand.

use glam::Vec3;

use super::actor::ActorPose;
use super::cast::{self, Cast, Ready};
use super::facts::Facts;
use super::scene::{Body, Camera, Display, Ground, Mask, Scene, Style};
use super::{blend, body, camera, heads};
use crate::base::Finding;
use crate::light;
use crate::plan::{Cell, Framing};
use crate::rig::Role;
use crate::study::{FrameScope, GroundChoice, StyleName};

/// A scene and what a picture of it cannot tell.
#[derive(Debug, Clone)]
pub struct Staged {
    /// Ready to draw.
    pub scene: Scene,
    /// For the tables.
    pub facts: Facts,
}

/// The disc's radius in radii of the framed sphere.
const GROUND_RADII: f32 = 1.5;

/// The scene of a cell.
///
/// # Errors
///
/// The reason why the cell is a hole: its subject, its load, its pose, its variant or its frame.
pub fn scene(cast: &Cast, cell: &Cell) -> Result<Staged, Finding> {
    let (actor_at, prop_at) = cast.of(cell.index);
    let ready = cast.actors[actor_at].ready.as_ref().map_err(Clone::clone)?;
    let actor = &ready.actor;
    let spec = &cell.spec;
    if let Some(finding) = ready.frozen(&spec.pose, spec.variant.lod) {
        return Err(finding.clone());
    }
    let posed = actor.pose_at(&spec.pose, spec.variant.lod)?;
    let dressed = ready.wardrobe.get(&spec.variant)?;
    let mut bodies = vec![Body {
        surface: dressed.surface.clone(),
        vertices: body::vertices(&posed.mesh, actor.stage_from_model()),
    }];
    if let Some(at) = prop_at {
        bodies.push(load_body(cast, ready, at, &posed)?);
    }
    let shot = shoot(cast, cell, actor_at, &posed, &bodies)?;
    inside(cell, &shot, &bodies)?;
    let lights = light::lights(&spec.light, camera::axes_of(&shot.camera));
    let ground =
        (spec.ground == GroundChoice::Shadow && lights.key.is_some_and(|key| key.casts_shadow)).then_some(Ground {
            centre_in_stage: Vec3::new(shot.centre.x, 0.0, shot.centre.z),
            radius_m: GROUND_RADII * shot.reach_m,
        });
    let facts = Facts {
        px_per_m: f64::from(shot.camera.px_per_m),
        height_m: Some(f64::from(actor.placement.height_m)),
        distance_m: (!shot.camera.orthographic).then(|| f64::from(shot.camera.eye_in_stage.distance(shot.centre))),
        field_rad: (!shot.camera.orthographic)
            .then(|| 2.0 * f64::from(1.0 / shot.camera.clip_from_view.y_axis.y).atan()),
        head_px_h: head_px_h(&shot, &bodies[0]).map(f64::from),
        removed_m: Some(f64::from(posed.removed_m)),
    };
    let scene = Scene {
        name: cell.name.clone(),
        width_px: shot.size_px[0],
        height_px: shot.size_px[1],
        samples: spec.samples,
        blended: blend::sorted(&bodies, &shot.camera),
        bodies,
        camera: shot.camera,
        lights,
        style: style(spec.style),
        ground,
        display: Display::default(),
    };
    Ok(Staged { scene, facts })
}

fn style(name: StyleName) -> Style {
    match name {
        StyleName::Shaded => Style::Shaded,
        StyleName::Lambert => Style::Lambert,
        StyleName::Flat => Style::Flat,
        StyleName::Outline => Style::Outline,
    }
}

fn load_body(cast: &Cast, ready: &Ready, at: usize, posed: &ActorPose) -> Result<Body, Finding> {
    let prop = cast.props[at].1.as_ref().map_err(Clone::clone)?;
    let placement = ready.placements[&at].as_ref().map_err(Clone::clone)?;
    let stage_from_load = cast::stage_from_load(&ready.actor, &posed.pose, placement, prop);
    let vertices = body::vertices(&prop.mesh, stage_from_load * prop.load_from_model);
    Ok(Body { surface: prop.dressed.surface.clone(), vertices })
}

/// A camera and what it was chosen by.
struct Shot {
    camera: Camera,
    size_px: [u32; 2],
    centre: Vec3,
    reach_m: f32,
}

fn shoot(cast: &Cast, cell: &Cell, actor_at: usize, posed: &ActorPose, bodies: &[Body]) -> Result<Shot, Finding> {
    let view = &cell.spec.view;
    let size_px = cell.spec.size_px;
    match &view.framing {
        Framing::Fit { scope, px_per_m } => {
            let frame = cast.frames.get(&cast.frame_key(cell, actor_at), actor_at).ok_or_else(|| {
                Finding::error("NOTHING_TO_FRAME", &cell.name, "no vertex of the subject is at a finite place")
            })?;
            let fitted = camera::px_per_m(view, frame.radius_m, size_px);
            let scale = match (px_per_m, scope) {
                (Some(pinned), _) => *pinned,
                (None, FrameScope::Row | FrameScope::Sheet) => camera::rounded_outward(fitted),
                (None, FrameScope::Subject | FrameScope::Cell) => fitted,
            };
            let camera = camera::framed(view, frame, scale, size_px);
            Ok(Shot { camera, size_px, centre: frame.centre_in_stage, reach_m: frame.radius_m })
        }
        Framing::Distance { distance_m, screen_px } => {
            let ready = cast.actors[actor_at].ready.as_ref().map_err(Clone::clone)?;
            heads::trusted_size(&ready.actor)?;
            let joint = ready.actor.anatomy.require(Role::Head)?;
            let target = ready.actor.in_stage(posed.pose.model_from_node[joint.at()].w_axis.truncate());
            let px_per_m = *screen_px as f32 / 2.0 / (view.field_rad / 2.0).tan() / distance_m;
            let size_px = cast.head_reach_m.map_or(size_px, |reach_m| [heads::cell_px(reach_m, px_per_m); 2]);
            let camera = camera::at_distance(view, target, *distance_m, reach(bodies, target), px_per_m, size_px);
            Ok(Shot { camera, size_px, centre: target, reach_m: reach(bodies, target) })
        }
        Framing::Free(free) => {
            let (eye, target) = (Vec3::from(free.eye), Vec3::from(free.target));
            let reach_m = reach(bodies, target);
            Ok(Shot { camera: camera::free(view, eye, target, reach_m, size_px), size_px, centre: target, reach_m })
        }
    }
}

fn drawn_vertices(body: &Body) -> impl Iterator<Item = Vec3> + '_ {
    body.surface.indices.iter().map(|at| Vec3::from(body.vertices[*at as usize].position))
}

fn reach(bodies: &[Body], target: Vec3) -> f32 {
    bodies.iter().flat_map(drawn_vertices).map(|point| point.distance(target)).fold(1.0e-3, f32::max)
}

/// A vertex outside the frame is an error wherever the frame was chosen to hold all of them.
fn inside(cell: &Cell, shot: &Shot, bodies: &[Body]) -> Result<(), Finding> {
    if !matches!(cell.spec.view.framing, Framing::Fit { .. }) {
        return Ok(());
    }
    let [width, height] = shot.size_px.map(|side| side as f32);
    for body in bodies {
        for point in drawn_vertices(body) {
            let px = camera::cell_from_stage(&shot.camera, shot.size_px, point);
            let seen = px.is_some_and(|px| px.x >= 0.0 && px.y >= 0.0 && px.x <= width && px.y <= height);
            if !seen {
                let at = px.map_or("behind the eye".to_owned(), |px| format!("at pixel {:.0}, {:.0}", px.x, px.y));
                let message = format!("a vertex is outside the frame, {at} of {width} x {height}");
                return Err(Finding::error("FRAME_CLIPPED", &cell.name, message)
                    .with_hint("a smaller px_per_m, or none, makes room"));
            }
        }
    }
    Ok(())
}

/// Rows that the head's vertices span in the cell.
fn head_px_h(shot: &Shot, worker: &Body) -> Option<f32> {
    let (mut top, mut bottom) = (f32::INFINITY, f32::NEG_INFINITY);
    for draw in worker.surface.draws.iter().filter(|draw| draw.masks.has(Mask::Head)) {
        for at in &worker.surface.indices[draw.indices.start as usize..draw.indices.end as usize] {
            let point = Vec3::from(worker.vertices[*at as usize].position);
            let px = camera::cell_from_stage(&shot.camera, shot.size_px, point)?;
            top = top.min(px.y);
            bottom = bottom.max(px.y);
        }
    }
    (bottom > top).then_some(bottom - top)
}
