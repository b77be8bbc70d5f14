//! Where a cell is seen from.
//!
//! Reads: a view, and a frame or a head joint. Gives: a [`Camera`]. Pure.
//!
//! Azimuth turns the camera about +Y from the facing (+Z), counter-clockwise seen from above: 0 is the
//! front, 90 degrees puts the camera at the subject's left (+X).

use glam::camera::rh;
use glam::{Vec2, Vec3};

use super::frame::Frame;
use super::scene::Camera;
use crate::light::CameraAxes;
use crate::plan::ViewSpec;
use crate::study::Projection;

/// Room left round the sphere.
const MARGIN: f32 = 1.02;

/// Steps that a shared scale is rounded outward to, so that a small edit leaves it alone.
const SCALE_STEP: f32 = 1.05;

/// Unit vector from the subject towards the eye.
pub(super) fn back(azimuth_rad: f32, elevation_rad: f32) -> Vec3 {
    let (sin_azimuth, cos_azimuth) = azimuth_rad.sin_cos();
    let (sin_elevation, cos_elevation) = elevation_rad.sin_cos();
    Vec3::new(sin_azimuth * cos_elevation, sin_elevation, cos_azimuth * cos_elevation)
}

/// The camera's axes. Straight from above or below, the subject's facing points down the picture.
pub(super) fn axes(azimuth_rad: f32, elevation_rad: f32) -> CameraAxes {
    let back = back(azimuth_rad, elevation_rad);
    let right = Vec3::new(azimuth_rad.cos(), 0.0, -azimuth_rad.sin());
    CameraAxes { right, up: back.cross(right), back }
}

/// Pixels a metre at the target that hold a sphere of `radius_m` in a cell.
pub(super) fn px_per_m(view: &ViewSpec, radius_m: f32, size_px: [u32; 2]) -> f32 {
    let [width, height] = size_px.map(|side| side as f32);
    match view.projection {
        Projection::Orthographic => width.min(height) / 2.0 / (MARGIN * radius_m),
        Projection::Perspective => {
            let half_tan = (view.field_rad / 2.0).tan();
            let narrow = (half_tan * (width / height).min(1.0)).atan();
            let distance = MARGIN * radius_m / narrow.sin();
            height / 2.0 / (distance * half_tan)
        }
    }
}

/// A shared scale, rounded to the next step that leaves more room.
pub(super) fn rounded_outward(px_per_m: f32) -> f32 {
    let step = f64::from(SCALE_STEP);
    let power = (f64::from(px_per_m).ln() / step.ln() + 1.0e-9).floor();
    step.powi(power as i32) as f32
}

/// A camera that shows a frame at a scale.
pub(super) fn framed(view: &ViewSpec, frame: Frame, px_per_m: f32, size_px: [u32; 2]) -> Camera {
    let height_m = size_px[1] as f32 / px_per_m;
    let distance = match view.projection {
        Projection::Perspective => height_m / 2.0 / (view.field_rad / 2.0).tan(),
        Projection::Orthographic => 4.0 * frame.radius_m.max(height_m),
    };
    let axes = axes(view.azimuth_rad, view.elevation_rad);
    placed(view, axes, frame.centre_in_stage, distance, frame.radius_m, height_m, size_px)
}

/// A camera whose axis goes through `target`, `distance_m` away.
pub(super) fn at_distance(
    view: &ViewSpec,
    target: Vec3,
    distance_m: f32,
    reach_m: f32,
    px_per_m: f32,
    size_px: [u32; 2],
) -> Camera {
    let axes = axes(view.azimuth_rad, view.elevation_rad);
    placed(view, axes, target, distance_m, reach_m, size_px[1] as f32 / px_per_m, size_px)
}

/// A camera placed by hand.
pub(super) fn free(view: &ViewSpec, eye: Vec3, target: Vec3, reach_m: f32, size_px: [u32; 2]) -> Camera {
    let back = (eye - target).normalize_or(Vec3::Z);
    let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
    let axes = CameraAxes { right, up: back.cross(right), back };
    let distance = eye.distance(target);
    placed(view, axes, target, distance, reach_m, 2.0 * distance * (view.field_rad / 2.0).tan(), size_px)
}

/// `reach_m` is how far from the target anything is drawn, `height_m` what the cell's height spans there.
fn placed(
    view: &ViewSpec,
    axes: CameraAxes,
    target: Vec3,
    distance: f32,
    reach_m: f32,
    height_m: f32,
    size_px: [u32; 2],
) -> Camera {
    let eye = target + axes.back * distance;
    let aspect = size_px[0] as f32 / size_px[1] as f32;
    // The ground's disc reaches 1.5 radii, its far rim a little further from the eye.
    let near = (distance - 2.0 * reach_m).max(distance * 0.02);
    let far = distance + 2.0 * reach_m;
    let clip_from_view = match view.projection {
        Projection::Perspective => {
            let field_rad = 2.0 * (height_m / 2.0 / distance).atan();
            rh::proj::directx::perspective(field_rad, aspect, near, far)
        }
        Projection::Orthographic => {
            let (x, y) = (height_m * aspect / 2.0, height_m / 2.0);
            rh::proj::directx::orthographic(-x, x, -y, y, near, far)
        }
    };
    Camera {
        view_from_stage: rh::view::look_to_mat4(eye, -axes.back, axes.up),
        clip_from_view,
        eye_in_stage: eye,
        back_in_stage: axes.back,
        orthographic: view.projection == Projection::Orthographic,
        px_per_m: size_px[1] as f32 / height_m,
    }
}

/// Axes of a camera that is already placed.
pub(super) fn axes_of(camera: &Camera) -> CameraAxes {
    let stage_from_view = camera.view_from_stage.transpose();
    CameraAxes {
        right: stage_from_view.x_axis.truncate(),
        up: stage_from_view.y_axis.truncate(),
        back: camera.back_in_stage,
    }
}

/// Where a point is in a cell, pixels from its top left corner; `None` behind the eye.
pub fn cell_from_stage(camera: &Camera, size_px: [u32; 2], point: Vec3) -> Option<Vec2> {
    let clip = camera.clip_from_view * (camera.view_from_stage * point.extend(1.0));
    (clip.w > 0.0).then(|| {
        let ndc = clip.truncate() / clip.w;
        Vec2::new((ndc.x + 1.0) / 2.0 * size_px[0] as f32, (1.0 - ndc.y) / 2.0 * size_px[1] as f32)
    })
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;
    use crate::plan::Framing;
    use crate::study::FrameScope;

    fn view(azimuth_deg: f32, projection: Projection) -> ViewSpec {
        ViewSpec {
            azimuth_rad: azimuth_deg.to_radians(),
            elevation_rad: 10.0_f32.to_radians(),
            projection,
            field_rad: 30.0_f32.to_radians(),
            framing: Framing::Fit { scope: FrameScope::Subject, px_per_m: None },
        }
    }

    const FRAME: Frame = Frame { centre_in_stage: Vec3::new(0.1, 1.0, -0.2), radius_m: 1.3 };

    #[test]
    fn azimuth_turns_counter_clockwise_seen_from_above() {
        assert!(back(0.0, 0.0).abs_diff_eq(Vec3::Z, 1.0e-6), "the front camera stands on +Z");
        assert!(back(FRAC_PI_2, 0.0).abs_diff_eq(Vec3::X, 1.0e-6), "profile stands at the subject's left");
        assert!(back(2.0 * FRAC_PI_2, 0.0).abs_diff_eq(Vec3::NEG_Z, 1.0e-6));
        assert!(back(0.0, 0.3).y > 0.0, "elevation is up positive");
    }

    /// distance = 1.02 r / sin(15 degrees), and the sphere's edge then lies inside the cell.
    #[test]
    fn the_distance_is_that_of_the_convention() {
        let view = view(45.0, Projection::Perspective);
        let size = [256, 256];
        let camera = framed(&view, FRAME, px_per_m(&view, FRAME.radius_m, size), size);
        let expected = 1.02 * 1.3 / 15.0_f32.to_radians().sin();
        assert!((camera.eye_in_stage.distance(FRAME.centre_in_stage) - expected).abs() < 1.0e-4);
        let centre = cell_from_stage(&camera, size, FRAME.centre_in_stage).unwrap();
        assert!(centre.abs_diff_eq(Vec2::splat(128.0), 1.0e-2), "{centre}");
    }

    #[test]
    fn the_whole_sphere_is_in_the_cell_at_any_shape() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            for size in [[256, 256], [128, 256], [256, 128]] {
                let view = view(180.0, projection);
                let camera = framed(&view, FRAME, px_per_m(&view, FRAME.radius_m, size), size);
                for step in 0..64 {
                    let (sin, cos) = (step as f32 * 0.1).sin_cos();
                    let axes = axes(view.azimuth_rad, view.elevation_rad);
                    let rim = FRAME.centre_in_stage + (axes.right * cos + axes.up * sin) * FRAME.radius_m;
                    let px = cell_from_stage(&camera, size, rim).unwrap();
                    assert!(px.x > 0.0 && px.y > 0.0 && px.x < size[0] as f32 && px.y < size[1] as f32, "{px}");
                }
            }
        }
    }

    #[test]
    fn one_metre_at_the_target_is_px_per_m_pixels() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let view = view(90.0, projection);
            let size = [200, 100];
            let camera = framed(&view, FRAME, 40.0, size);
            let axes = axes(view.azimuth_rad, view.elevation_rad);
            let here = cell_from_stage(&camera, size, FRAME.centre_in_stage).unwrap();
            let there = cell_from_stage(&camera, size, FRAME.centre_in_stage + axes.right).unwrap();
            assert!((there - here).abs_diff_eq(Vec2::new(40.0, 0.0), 1.0e-2), "{here} {there}");
            assert!((camera.px_per_m - 40.0).abs() < 1.0e-3);
        }
    }

    /// 1.05^40 = 7.03999, 1.05^41 = 7.39199.
    #[test]
    fn a_shared_scale_steps_down_to_a_power_of_1_05() {
        assert!((rounded_outward(7.3) - 7.039_99).abs() < 1.0e-4);
        assert!((rounded_outward(7.04) - 7.039_99).abs() < 1.0e-4);
        assert!((rounded_outward(rounded_outward(7.3)) - 7.039_99).abs() < 1.0e-4, "a step stays a step");
    }

    #[test]
    fn axes_of_a_placed_camera_are_the_ones_it_was_placed_by() {
        let view = view(130.0, Projection::Perspective);
        let camera = framed(&view, FRAME, 40.0, [64, 64]);
        let (given, read) = (axes(view.azimuth_rad, view.elevation_rad), axes_of(&camera));
        assert!(given.right.abs_diff_eq(read.right, 1.0e-5) && given.up.abs_diff_eq(read.up, 1.0e-5));
    }
}
