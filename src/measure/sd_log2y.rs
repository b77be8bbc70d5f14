//! `sd_log2y_stops`: spread of scene-linear luminance in stops, the same under any exposure.
//!
//! `sd(log2(max(Y, 2^-12)))`. Twelve stops under white is where the clamp stands, because the
//! logarithm of black has no bottom and a few black pixels would decide the number; no exposure is
//! applied, so that the clamp does not move with it.
//!
//! *Source:* our definition; the standard deviation of the logarithm is the scale-free counterpart
//! of `rms_contrast` and, for small contrasts, equals it divided by ln 2.

use super::masked::Masked;
use super::moments::moments;

/// Least luminance that is told apart: 2^-12 of white.
const FLOOR: f64 = 1.0 / 4096.0;

pub(super) fn read(masked: &Masked) -> Option<f64> {
    // A value that is no number stays none: `max` would turn it into the floor.
    let stops = |y: f64| if y.is_nan() { y } else { y.max(FLOOR).log2() };
    moments(masked, |pixel| stops(pixel.y)).map(|stops| stops.sd)
}
