//! Find a worker's back in its distance fields, by rays from behind.
//!
//! Reads: bones, and the solids of all drawn parts. Pure.
//!
//! Rays run against `out` of the torso frame over a grid from hips to shoulders, between the upper-arm
//! joints. Of all places where a ray enters a part, the sample is the furthest out that counts as back: moved
//! by the trunk for more than half, or by trunk, neck and head and below the neck joint. So an arm, a tail
//! or a head in the way is looked through, and what clothes cover is not seen.

use glam::DVec3;

use super::classes::{Class, class_of};
use super::{BackSample, BackTruth, TorsoTruth, direction, metres, rounded};
use crate::kit::assemble::Assembled;
use crate::kit::clip::Scale;
use crate::kit::field::{distance, gradient};
use crate::kit::skeleton::{Role, Side, Skeleton};
use crate::kit::surface::{Piece, Surface};

/// Rays stand this share of the height apart.
const STEP: f64 = 0.02;
/// Where rays start and end along `out`, from the chest joint, as shares of the height.
const REACH: (f64, f64) = (0.8, -0.25);
/// Shortest step along a ray, body space: no part is thinner.
const STRIDE: f64 = 0.2;

/// The torso frame, body space.
pub(super) struct Torso {
    origin: DVec3,
    right: DVec3,
    up: DVec3,
    out: DVec3,
    /// Along `up` from the origin.
    hips: f64,
    shoulders: f64,
    neck: f64,
    breadth: f64,
}

impl Torso {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let joint = |role: &Role, side| skeleton.bones[skeleton.at(role, side)].head;
        let chest = joint(&Role::Spine(skeleton.spine_bones - 1), None);
        let (hips, neck) = (joint(&Role::Hips, None), joint(&Role::Neck, None));
        let arms = [Side::Left, Side::Right].map(|side| joint(&Role::UpperArm, Some(side)));
        let up = (neck - joint(&Role::Spine(0), None)).normalize_or(DVec3::Y);
        let out = (arms[1] - arms[0]).cross(up).normalize_or(DVec3::NEG_Z);
        let along = |at: DVec3| (at - chest).dot(up);
        Self {
            origin: chest,
            right: up.cross(out),
            up,
            out,
            hips: along(hips),
            shoulders: along(arms[0].midpoint(arms[1])),
            neck: along(neck),
            breadth: arms[0].distance(arms[1]),
        }
    }

    pub(super) fn stated(&self, scale: Scale) -> TorsoTruth {
        let length = |length: f64| rounded(length * scale.metres, 1e5);
        TorsoTruth {
            origin_m: metres(scale.point(self.origin)),
            right: direction(self.right),
            up: direction(self.up),
            out: direction(self.out),
            hips_m: length(self.hips),
            shoulders_m: length(self.shoulders),
            breadth_m: length(self.breadth),
        }
    }

    /// A ray's point `at` along `out`.
    fn point(&self, across: f64, along: f64, at: f64) -> DVec3 {
        self.origin + self.right * across + self.up * along + self.out * at
    }
}

/// One entry of a ray into a part.
struct Hit<'a> {
    at: f64,
    part: &'a Surface<'a>,
    normal: DVec3,
}

pub(super) fn back(torso: &Torso, skeleton: &Skeleton, made: &Assembled<'_>) -> BackTruth {
    let height = made.height;
    let step = STEP * height;
    let rows = ((torso.shoulders - torso.hips) / step).floor().max(0.0) as usize;
    let columns = (torso.breadth / step).floor() as usize;
    let classes: Vec<Class> = (0..skeleton.bones.len()).map(|bone| class_of(skeleton, bone)).collect();
    let mut samples = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let along = torso.hips + (row as f64 + 0.5) * step;
            let across = (column as f64 + 0.5 - 0.5 * columns as f64) * step;
            let hits = made.parts.iter().filter(|part| !part.spec.hidden);
            let hits = hits.filter_map(|part| first_back(torso, skeleton, &classes, part, (across, along), height));
            if let Some(hit) = hits.max_by(|a, b| a.at.total_cmp(&b.at)) {
                samples.push(BackSample {
                    at_m: metres(made.scale.point(torso.point(across, along, hit.at))),
                    normal: direction(hit.normal),
                    part: hit.part.spec.name.get_ref().clone(),
                });
            }
        }
    }
    BackTruth { step_m: rounded(step * made.scale.metres, 1e5), samples }
}

/// Where a ray first enters what of a part is back.
fn first_back<'a>(
    torso: &Torso,
    skeleton: &Skeleton,
    classes: &[Class],
    part: &'a Surface<'a>,
    (across, along): (f64, f64),
    height: f64,
) -> Option<Hit<'a>> {
    let on_ray = |at: f64| torso.point(across, along, at);
    let hit = |piece: &'a Piece| {
        let mut at = REACH.0 * height;
        let mut before = at;
        let mut outside = true;
        while at > REACH.1 * height {
            let here = distance(&piece.solids, on_ray(at));
            if outside && here < 0.0 {
                let entry = bisect(at, before, |at| distance(&piece.solids, on_ray(at)));
                let point = on_ray(entry);
                if is_back(torso, skeleton, classes, part, piece, point) {
                    let normal = gradient(&piece.solids, point).normalize_or(torso.out);
                    return Some(Hit { at: entry, part, normal });
                }
            }
            outside = here >= 0.0;
            before = at;
            // A distance may be off by the flatness of an ellipsoid, so only part of it is believed.
            at -= (0.25 * here).max(STRIDE);
        }
        None
    };
    part.pieces.iter().filter_map(hit).max_by(|a, b| a.at.total_cmp(&b.at))
}

/// Between an inside and an outside place along a ray, where the surface is.
fn bisect(mut inside: f64, mut outside: f64, distance: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..40 {
        let middle = f64::midpoint(inside, outside);
        if distance(middle) < 0.0 { inside = middle } else { outside = middle }
    }
    f64::midpoint(inside, outside)
}

fn is_back(
    torso: &Torso,
    skeleton: &Skeleton,
    classes: &[Class],
    part: &Surface<'_>,
    piece: &Piece,
    at: DVec3,
) -> bool {
    let by_bone = match &part.spec.rides {
        Some(rides) => skeleton.find(rides.get_ref()).into_iter().map(|bone| (bone, 1.0)).collect(),
        None => part.weights_at(skeleton, piece, at),
    };
    let (mut trunk, mut above) = (0.0, 0.0);
    for (bone, weight) in by_bone {
        match classes[bone] {
            Class::Trunk => trunk += weight,
            // A chain on the head is moved by the head's own bones.
            Class::Neck | Class::Head | Class::Hair => above += weight,
            _ => {}
        }
    }
    trunk > 0.5 || trunk + above > 0.5 && (at - torso.origin).dot(torso.up) < torso.neck
}
