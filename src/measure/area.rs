//! `area_px` and `area_m2`: how much of the picture the mask takes.
//!
//! `area_px` is the sum over pixels of mask samples / samples a pixel: a silhouette to a fraction of
//! a pixel. `area_m2 = area_px / px_per_m^2` is the area as the camera sees it, at the depth of its
//! target: a projection, not a surface.

use super::masked::Masked;

pub(super) fn read_px(masked: &Masked) -> Option<f64> {
    Some(masked.area_px())
}

pub(super) fn read_m2(masked: &Masked) -> Option<f64> {
    let px_per_m = super::geometry::read_px_per_m(masked)?;
    Some(masked.area_px() / (px_per_m * px_per_m))
}
