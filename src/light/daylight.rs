//! Sun and clear sky by the sun's elevation.
//!
//! Magnitudes are the daylight availability of the IES: direct normal `127.5 exp(-0.21 / sin el)` klx
//! (its yearly swing of 3.4 % left out), clear sky on the horizontal `0.8 + 15.5 sqrt(sin el)` klx. The
//! ground bounces [`GROUND_ALBEDO`] of both, and the sky is taken as uniform over the hemisphere.
//!
//! Source: IES, "Recommended Practice for the Calculation of Daylight Availability", RP-21, 1984.

use std::f32::consts::PI;

use glam::Vec3;

use super::{KeyLight, Lights};

/// Share of light that the ground gives back.
const GROUND_ALBEDO: f32 = 0.2;

/// The sun's elevation at 15:30 UTC, 43 N, 0 E, 21 June: the judging hour, at which a horizontal
/// surface takes E = pi, so that an 18 % card encodes to 117.6.
const REFERENCE_ELEVATION_DEG: f32 = 43.165;

/// Sun and sky with the sun at an elevation and an azimuth from the facing (about +Y, from +Z towards +X).
pub(super) fn lights(elevation_rad: f32, azimuth_rad: f32) -> Lights {
    let (sun, sky) = kilolux(elevation_rad);
    let (reference_sun, reference_sky) = kilolux(REFERENCE_ELEVATION_DEG.to_radians());
    let reference = reference_sun * REFERENCE_ELEVATION_DEG.to_radians().sin() + reference_sky;
    let unit = PI / reference;
    let sin = elevation_rad.sin().max(0.0);
    let bounce = GROUND_ALBEDO * (sun * sin + sky);
    let to_light_in_stage = Vec3::new(
        elevation_rad.cos() * azimuth_rad.sin(),
        elevation_rad.sin(),
        elevation_rad.cos() * azimuth_rad.cos(),
    );
    Lights {
        key: (sun > 0.0).then_some(KeyLight { to_light_in_stage, irradiance: [sun * unit; 3], casts_shadow: true }),
        sky: [sky * unit; 3],
        bounce: [bounce * unit; 3],
    }
}

/// Direct normal and horizontal sky illuminance.
fn kilolux(elevation_rad: f32) -> (f32, f32) {
    let sin = elevation_rad.sin();
    if sin <= 0.0 { (0.0, 0.0) } else { (127.5 * (-0.21 / sin).exp(), 0.8 + 15.5 * sin.sqrt()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the judging hour the horizontal takes pi: 18 % grey stays 0.18.
    #[test]
    fn the_reference_hour_gives_the_card_pi() {
        let lights = lights(REFERENCE_ELEVATION_DEG.to_radians(), 0.0);
        let key = lights.key.unwrap();
        let horizontal = key.irradiance[0] * key.to_light_in_stage.y + lights.sky[0];
        assert!((horizontal - PI).abs() < 1.0e-4, "{horizontal}");
    }

    /// cos 70.43 degrees = 0.335: the sun gives an upright face a third of itself at noon.
    #[test]
    fn at_noon_an_upright_face_takes_a_third_of_the_sun() {
        let key = lights(70.43_f32.to_radians(), 0.0).key.unwrap();
        assert!((key.to_light_in_stage.z - 0.335).abs() < 1.0e-3);
    }

    #[test]
    fn below_the_horizon_there_is_no_sun() {
        assert_eq!(lights(-0.1, 0.0).key, None);
    }
}
