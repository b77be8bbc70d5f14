//! Fit the key's view to what casts a shadow, and find where on the ground that shadow can fall.
//!
//! Reads posed vertices in stage space; gives matrices and points there. Pure.

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::stage::{Body, Ground};

/// Texels left clear round the casters, so that the filter reads no edge.
const CLEAR_TEXELS: f32 = 3.0;
/// Below this sine of the key's elevation the ground gets no shadow.
const LEAST_ELEVATION: f32 = 0.01;
/// Sides of the polygon round the ground's disc.
const DISC_SIDES: usize = 8;

/// An orthographic view from the key that holds every caster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeyView {
    /// x, y -1 to 1 over the map; z 0 at the nearest caster to 1 at the furthest.
    pub(super) light_from_stage: Mat4,
    /// The larger side of a texel.
    pub(super) texel_m: f32,
    axes: Axes,
    low: Vec2,
    high: Vec2,
}

/// Orthonormal axes of the light, in stage space; `back` points to the key.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Axes {
    right: Vec3,
    up: Vec3,
    back: Vec3,
}

impl Axes {
    fn facing(to_key: Vec3) -> Self {
        let back = to_key.normalize_or(Vec3::Y);
        let aside = if back.y.abs() > 0.999 { Vec3::Z } else { Vec3::Y };
        let right = aside.cross(back).normalize_or(Vec3::X);
        Self { right, up: back.cross(right), back }
    }

    fn of(&self, point: Vec3) -> Vec3 {
        Vec3::new(self.right.dot(point), self.up.dot(point), self.back.dot(point))
    }
}

/// Side of the shadow map for a cell of so many samples a side.
pub(super) fn map_px(samples_a_side: u32) -> u32 {
    if samples_a_side <= 512 { 512 } else { 1024 }
}

/// The view from the key that holds every finite vertex of the bodies.
pub(super) fn key_view(bodies: &[Body], to_key: Vec3, map_px: u32) -> KeyView {
    let axes = Axes::facing(to_key);
    let mut low = Vec3::INFINITY;
    let mut high = Vec3::NEG_INFINITY;
    for vertex in bodies.iter().flat_map(|body| &body.vertices) {
        let point = axes.of(Vec3::from(vertex.position));
        if point.is_finite() {
            low = low.min(point);
            high = high.max(point);
        }
    }
    if low.x > high.x {
        (low, high) = (Vec3::splat(-1.0), Vec3::ONE);
    }
    fitted(axes, low, high, map_px as f32)
}

fn fitted(axes: Axes, low: Vec3, high: Vec3, map_px: f32) -> KeyView {
    let middle = (low + high) * 0.5;
    let pad = map_px / (map_px - 2.0 * CLEAR_TEXELS);
    let half = ((high - low) * 0.5).max(Vec3::splat(1e-3)) * Vec3::new(pad, pad, 1.001);
    let row = |axis: Vec3, scale: f32, offset: f32| (axis * scale).extend(offset);
    let x = row(axes.right, 1.0 / half.x, -middle.x / half.x);
    let y = row(axes.up, 1.0 / half.y, -middle.y / half.y);
    let z = row(axes.back, -0.5 / half.z, 0.5 + 0.5 * middle.z / half.z);
    KeyView {
        light_from_stage: Mat4::from_cols(x, y, z, Vec4::W).transpose(),
        texel_m: 2.0 * half.x.max(half.y) / map_px,
        axes,
        low: (middle - half).truncate(),
        high: (middle + half).truncate(),
    }
}

/// Corners, in order, of the part of the ground that the key's view falls on; empty where there is
/// none or the key is below the horizon.
pub(super) fn ground_patch(view: &KeyView, ground: &Ground) -> Vec<Vec3> {
    let Axes { right, up, back } = view.axes;
    if back.y < LEAST_ELEVATION || ground.radius_m <= 0.0 {
        return Vec::new();
    }
    let KeyView { low, high, .. } = *view;
    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
    let mut patch: Vec<Vec3> = corners
        .into_iter()
        .map(|(x, y)| {
            let corner = right * x + up * y;
            corner + back * ((ground.centre_in_stage.y - corner.y) / back.y)
        })
        .collect();
    for side in 0..DISC_SIDES {
        let angle = std::f32::consts::TAU * side as f32 / DISC_SIDES as f32;
        let outward = Vec3::new(angle.cos(), 0.0, angle.sin());
        patch = clipped(&patch, |point| ground.radius_m - outward.dot(point - ground.centre_in_stage));
    }
    patch
}

/// What of a convex polygon has a positive `inside`.
///
/// Source: I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping", CACM 17(1), 1974, pp. 32-42.
fn clipped(polygon: &[Vec3], inside: impl Fn(Vec3) -> f32) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (at, &to) in polygon.iter().enumerate() {
        let from = polygon[(at + polygon.len() - 1) % polygon.len()];
        let (before, after) = (inside(from), inside(to));
        if (before > 0.0) != (after > 0.0) {
            kept.push(from.lerp(to, before / (before - after)));
        }
        if after > 0.0 {
            kept.push(to);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::Digest;
    use crate::stage::{Surface, Vertex};

    fn body(points: &[Vec3]) -> Body {
        let vertices = points
            .iter()
            .map(|point| Vertex { position: point.to_array(), normal: [0.0, 1.0, 0.0], tangent: [0.0; 4] })
            .collect();
        let surface = Surface {
            digest: Digest::of(b""),
            statics: Vec::new(),
            indices: Vec::new(),
            draws: Vec::new(),
            materials: Vec::new(),
            images: Vec::new(),
        };
        Body { surface: Arc::new(surface), vertices }
    }

    fn box_of(low: Vec3, high: Vec3) -> Vec<Vec3> {
        (0..8)
            .map(|corner| {
                let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
                Vec3::new(pick(0), pick(1), pick(2))
            })
            .collect()
    }

    #[test]
    fn every_caster_lands_inside_the_map_and_the_nearest_has_depth_zero() {
        let points = box_of(Vec3::new(-0.4, 0.0, -0.3), Vec3::new(0.5, 1.8, 0.2));
        for to_key in [Vec3::Y, Vec3::new(-0.5, 0.6, 1.0), Vec3::NEG_Z, Vec3::new(0.3, -0.9, 0.1)] {
            let to_key = to_key.normalize_or(Vec3::Y);
            let view = key_view(&[body(&points)], to_key, 512);
            let depths = points.iter().map(|&point| {
                let in_light = view.light_from_stage.project_point3(point);
                assert!(in_light.x.abs() < 0.995 && in_light.y.abs() < 0.995, "{to_key} {in_light}");
                (in_light.z, to_key.dot(point))
            });
            let nearest = depths.clone().fold((f32::NAN, f32::MIN), |a, b| if b.1 > a.1 { b } else { a });
            let furthest = depths.fold((f32::NAN, f32::MAX), |a, b| if b.1 < a.1 { b } else { a });
            assert!(nearest.0.abs() < 0.001 && (furthest.0 - 1.0).abs() < 0.001, "{nearest:?} {furthest:?}");
        }
    }

    #[test]
    fn a_vertex_that_is_not_a_number_does_not_move_the_view() {
        let points = box_of(Vec3::ZERO, Vec3::ONE);
        let mut with_hole = points.clone();
        with_hole.push(Vec3::new(f32::NAN, 0.0, f32::INFINITY));
        assert_eq!(key_view(&[body(&points)], Vec3::Y, 512), key_view(&[body(&with_hole)], Vec3::Y, 512));
    }

    /// From 45 degrees the top of a 1 m box throws its shadow 1 m to the far side.
    #[test]
    fn the_patch_reaches_as_far_as_the_shadow_does() {
        let view = key_view(&[body(&box_of(Vec3::ZERO, Vec3::ONE))], Vec3::new(-1.0, 1.0, 0.0), 512);
        let ground = Ground { centre_in_stage: Vec3::ZERO, radius_m: 10.0 };
        let patch = ground_patch(&view, &ground);
        let furthest = patch.iter().map(|point| point.x).fold(f32::MIN, f32::max);
        let nearest = patch.iter().map(|point| point.x).fold(f32::MAX, f32::min);
        assert!((furthest - 2.0).abs() < 0.05, "{patch:?}");
        assert!(nearest.abs() < 0.05, "{patch:?}");
        assert!(patch.iter().all(|point| point.y.abs() < 1e-5), "{patch:?}");
    }

    #[test]
    fn the_patch_stays_near_the_disc() {
        let view = key_view(&[body(&box_of(Vec3::ZERO, Vec3::ONE))], Vec3::new(-1.0, 0.05, 0.0), 512);
        let ground = Ground { centre_in_stage: Vec3::ZERO, radius_m: 1.5 };
        let patch = ground_patch(&view, &ground);
        assert!(patch.len() >= 3);
        assert!(patch.iter().all(|point| point.length() < 1.5 * 1.09), "{patch:?}");
    }

    #[test]
    fn a_key_below_the_horizon_throws_nothing_on_the_ground() {
        let view = key_view(&[body(&box_of(Vec3::ZERO, Vec3::ONE))], Vec3::new(-1.0, -0.2, 0.0), 512);
        assert!(ground_patch(&view, &Ground { centre_in_stage: Vec3::ZERO, radius_m: 1.5 }).is_empty());
    }
}
