//! `luma8_sd`: the spread of light and dark, as the eye gets it from the screen.
//!
//! Population standard deviation of 8-bit Rec. 709 luma over the mask, 0 (one tone) to 127.5 (half
//! black, half white):
//!
//! `luma = 0.2126 R' + 0.7152 G' + 0.0722 B'`, `sd = sqrt(sum w (luma - mean)^2 / sum w)`
//!
//! R', G', B' are the display value's 8-bit sRGB codes: exposed, tone-mapped, clamped, encoded and
//! rounded; luma itself is not rounded. w is the share of the pixel's samples that the mask has.
//! Not invariant under exposure or tone curve; a share of clipped pixels stands beside it.
//!
//! *Source:* standard deviation as contrast: B. Moulden, F. Kingdom and L. F. Gatley, "The Standard
//! Deviation of Luminance as a Metric for Contrast in Random-dot Images", Perception 19(1), 1990,
//! pp. 79-101, doi:10.1068/p190079. Luma: ITU-R BT.709-6.

use super::masked::Masked;
use super::moments::moments;

pub(super) fn read(masked: &Masked) -> Option<f64> {
    moments(masked, |pixel| pixel.luma8).map(|luma| luma.sd)
}
