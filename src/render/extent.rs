//! Find the pixels that a scene can touch, so that no more is copied and averaged.
//!
//! Pure. A rectangle may be too large, never too small.

use glam::{Mat4, Vec3};

/// A rectangle of a cell's pixels, origin at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PxRect {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl PxRect {
    /// A whole cell.
    pub(super) fn whole(width_px: u32, height_px: u32) -> Self {
        Self { x: 0, y: 0, width: width_px, height: height_px }
    }
}

/// The pixels that triangles between `points_in_stage` can touch in a cell. The whole cell where a
/// point is behind the eye.
pub(super) fn touched(
    points_in_stage: impl Iterator<Item = Vec3>,
    clip_from_stage: Mat4,
    width_px: u32,
    height_px: u32,
) -> PxRect {
    let (wide, high) = (width_px as f32, height_px as f32);
    let (mut left, mut top) = (f32::INFINITY, f32::INFINITY);
    let (mut right, mut bottom) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for point in points_in_stage {
        let clip = clip_from_stage * point.extend(1.0);
        if !clip.is_finite() || clip.w <= 1e-6 {
            return PxRect::whole(width_px, height_px);
        }
        let x = (clip.x / clip.w * 0.5 + 0.5) * wide;
        let y = (0.5 - clip.y / clip.w * 0.5) * high;
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    // A pixel to spare for the rounding of vertices to the rasteriser's grid.
    let from = |edge: f32, end: f32| (edge.floor() - 1.0).clamp(0.0, end) as u32;
    let to = |edge: f32, end: f32| (edge.ceil() + 1.0).clamp(0.0, end) as u32;
    let (x, y) = (from(left, wide), from(top, high));
    PxRect { x, y, width: to(right, wide).saturating_sub(x), height: to(bottom, high).saturating_sub(y) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_the_upper_left_quarter_touch_only_that() {
        let points = [Vec3::new(-1.0, 0.0, 0.5), Vec3::new(0.0, 1.0, 0.5)];
        let rect = touched(points.into_iter(), Mat4::IDENTITY, 100, 200);
        assert_eq!(rect, PxRect { x: 0, y: 0, width: 51, height: 101 });
    }

    #[test]
    fn a_point_behind_the_eye_touches_everything() {
        let swap_z_into_w = Mat4::from_cols_array(&[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 1., 0., 0., 0., 0.]);
        let points = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
        assert_eq!(touched(points.into_iter(), swap_z_into_w, 8, 8), PxRect::whole(8, 8));
    }

    #[test]
    fn what_lies_outside_the_cell_touches_nothing() {
        let points = [Vec3::new(3.0, 0.0, 0.5), Vec3::new(4.0, 1.0, 0.5)];
        assert_eq!(touched(points.into_iter(), Mat4::IDENTITY, 100, 100).width, 0);
        assert_eq!(touched(std::iter::empty(), Mat4::IDENTITY, 100, 100).width, 0);
    }
}
