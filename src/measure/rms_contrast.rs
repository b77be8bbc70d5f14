//! `rms_contrast`: spread of scene-linear luminance as a share of its mean; 0 for one tone.
//!
//! `sd(Y) / mean(Y)`, both weighted; the same under any exposure. Nothing where the mean is not over
//! zero: a black mask has no contrast that could be measured. Small glints weigh much.
//!
//! *Source:* E. Peli, "Contrast in complex images", J. Opt. Soc. Am. A 7(10), 1990, pp. 2032-2040,
//! doi:10.1364/JOSAA.7.002032. As the best index of visibility in natural images: P. J. Bex and
//! W. Makous, "Spatial frequency, phase, and the contrast of natural images", J. Opt. Soc. Am. A
//! 19(6), 2002, pp. 1096-1106, doi:10.1364/JOSAA.19.001096.

use super::masked::Masked;
use super::moments::moments;

pub(super) fn read(masked: &Masked) -> Option<f64> {
    let y = moments(masked, |pixel| pixel.y)?;
    (y.mean > 0.0).then(|| y.sd / y.mean)
}
