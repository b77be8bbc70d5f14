//! `mean_y`: how light the mask is, in scene-linear luminance.
//!
//! `sum w Y / sum w`, with Y from Rec. 709 primaries before exposure and tone curve: a white diffuse
//! surface turned to E = pi has 1.
//!
//! *Source:* ITU-R BT.709-6 (2015), item 3.2, for the weights of Y.

use super::masked::Masked;
use super::moments::moments;

pub(super) fn read(masked: &Masked) -> Option<f64> {
    moments(masked, |pixel| pixel.y).map(|y| y.mean)
}
