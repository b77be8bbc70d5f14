//! Weighted mean and population standard deviation, in two passes.
//!
//! The first pass finds the mean, the second the squares about it, less what rounding left in their
//! sum; a mean far from zero then costs no digits of the spread.

// Source: T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for Computing the Sample Variance:
// Analysis and Recommendations", The American Statistician 37(3), 1983, pp. 242-247,
// doi:10.1080/00031305.1983.10483115 (the corrected two-pass algorithm); the weights are ours.

use super::masked::{Masked, MaskedPixel};

/// Mean and spread of one value over a mask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    /// Weighted mean.
    pub(super) mean: f64,
    /// Weighted population standard deviation: divided by the weights' sum, not by one less.
    pub(super) sd: f64,
}

/// The moments of `value` over the pixels of a mask; `None` for a mask without pixels.
pub(super) fn moments(masked: &Masked, value: impl Fn(&MaskedPixel) -> f64) -> Option<Moments> {
    let total = masked.area_px();
    if total <= 0.0 {
        return None;
    }
    // Once a pixel: some values cost a logarithm.
    let values: Vec<f64> = masked.pixels.iter().map(value).collect();
    let weighted = || std::iter::zip(&masked.pixels, &values).map(|(pixel, value)| (pixel.weight, *value));
    let mean = weighted().map(|(weight, value)| weight * value).sum::<f64>() / total;
    let (mut squares, mut left) = (0.0, 0.0);
    for (weight, value) in weighted() {
        let off = value - mean;
        squares += weight * off * off;
        left += weight * off;
    }
    let variance = (squares - left * left / total) / total;
    // Not `max`, which would turn what is no number into a spread of 0.
    let variance = if variance < 0.0 { 0.0 } else { variance };
    Some(Moments { mean, sd: variance.sqrt() })
}
