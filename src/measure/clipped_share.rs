//! `clipped_share`: how much of the mask the screen cannot show any lighter, 0 to 1.
//!
//! Share of the mask, by weight, where a channel of the 8-bit display value is 255. `luma8_sd` loses
//! what is clipped, so a reading with a large share compares badly.

use super::masked::Masked;

pub(super) fn read(masked: &Masked) -> Option<f64> {
    let total = masked.area_px();
    let clipped = masked.pixels.iter().filter(|pixel| pixel.clipped);
    (total > 0.0).then(|| clipped.map(|pixel| pixel.weight).sum::<f64>() / total)
}
