//! A light's name or numbers into irradiances and directions in stage space.
//!
//! Pure. Light is irradiance: a white diffuse surface goes to linear 1.0 at E = pi.

mod daylight;

use std::f32::consts::PI;

use glam::Vec3;

use crate::study::LightChoice;

/// Irradiances, not radiances: a white diffuse surface goes to linear 1.0 at pi.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lights {
    /// The sun or key light; `None` for none.
    pub key: Option<KeyLight>,
    /// Irradiance on an upward face from the sky.
    pub sky: [f32; 3],
    /// Irradiance on a downward face from below.
    pub bounce: [f32; 3],
}

/// A light infinitely far away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyLight {
    /// Unit, stage space.
    pub to_light_in_stage: Vec3,
    /// On a face turned to it.
    pub irradiance: [f32; 3],
    /// Whether bodies shade each other and the ground.
    pub casts_shadow: bool,
}

/// The camera's axes in stage space, which lights that go with the camera need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraAxes {
    /// Unit.
    pub right: Vec3,
    /// Unit.
    pub up: Vec3,
    /// Unit, from the subject towards the eye.
    pub back: Vec3,
}

/// Towards the key of the sheets, in the camera's (right, up, back).
const STUDIO_KEY: Vec3 = Vec3::new(-0.5, 0.6, 1.0);

/// The lights of a cell.
pub fn lights(choice: &LightChoice, camera: CameraAxes) -> Lights {
    let with_camera = |v: Vec3| unit(camera.right * v.x + camera.up * v.y + camera.back * v.z);
    let key = |to_light, strength_pi: f32, casts_shadow| {
        (strength_pi > 0.0).then_some(KeyLight {
            to_light_in_stage: to_light,
            irradiance: [strength_pi * PI; 3],
            casts_shadow,
        })
    };
    match choice {
        LightChoice::Studio => {
            Lights { key: key(with_camera(STUDIO_KEY), 0.75, true), sky: [0.25 * PI; 3], bounce: [0.10 * PI; 3] }
        }
        LightChoice::Camera => {
            Lights { key: key(with_camera(STUDIO_KEY), 1.0, false), sky: [0.0; 3], bounce: [0.0; 3] }
        }
        LightChoice::Sun { elevation, azimuth } => daylight::lights(elevation.to_radians(), azimuth.to_radians()),
        LightChoice::Key { to_light, camera_space, strength_pi, sky_pi, bounce_pi, shadow } => {
            let to_light = Vec3::from(*to_light);
            let to_light = if *camera_space { with_camera(to_light) } else { unit(to_light) };
            Lights { key: key(to_light, *strength_pi, *shadow), sky: [sky_pi * PI; 3], bounce: [bounce_pi * PI; 3] }
        }
    }
}

fn unit(v: Vec3) -> Vec3 {
    v.normalize_or(Vec3::Y)
}
