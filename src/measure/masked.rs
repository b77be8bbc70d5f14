//! The pixels of one mask with their weights: what every metric reads.

use super::Facts;
use crate::base::colour::REC709;
use crate::render::CellImage;
use crate::stage::Mask;

/// One mask of one cell.
#[derive(Debug, Clone)]
pub struct Masked<'a> {
    /// Which mask.
    pub mask: Mask,
    /// The cell.
    pub image: &'a CellImage,
    /// What stage knew of it.
    pub facts: &'a Facts,
    /// Pixels that the mask has any sample of, in the order of the image.
    pub pixels: Vec<MaskedPixel>,
}

/// One pixel of a mask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaskedPixel {
    /// Position in the image's lists.
    pub at: usize,
    /// Share of its samples that the mask has, over 0, at most 1.
    pub weight: f64,
    /// Scene-linear luminance: before exposure, white under E = pi is 1.
    pub y: f64,
    /// Rec. 709 luma of the 8-bit display value, itself not rounded, 0 to 255.
    pub luma8: f64,
    /// Whether a channel of the 8-bit display value is 255.
    pub clipped: bool,
}

impl<'a> Masked<'a> {
    /// The pixels of `mask`; `None` where no draw of the cell has it. The subject is what covers.
    pub fn new(image: &'a CellImage, facts: &'a Facts, mask: Mask) -> Option<Self> {
        let counts = counts(image, mask)?;
        let samples = f64::from(image.samples_per_px());
        let covered = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let pixels = covered.map(|(at, count)| {
            let shown = image.srgb8(at);
            MaskedPixel {
                at,
                weight: f64::from(*count) / samples,
                y: weighted(image.colour[at].map(f64::from)),
                luma8: weighted(shown.map(f64::from)),
                clipped: shown.contains(&255),
            }
        });
        Some(Self { mask, image, facts, pixels: pixels.collect() })
    }

    /// Pixels that the mask covers, in parts of a pixel.
    pub fn area_px(&self) -> f64 {
        self.pixels.iter().map(|pixel| pixel.weight).sum()
    }
}

/// Samples a pixel of a mask, the subject's from the coverage where it has no mask of its own.
pub(super) fn counts(image: &CellImage, mask: Mask) -> Option<&[u16]> {
    match image.mask(mask) {
        Some(counts) => Some(&counts.counts),
        None if mask == Mask::Subject => Some(&image.coverage),
        None => None,
    }
}

fn weighted(rgb: [f64; 3]) -> f64 {
    REC709[0] * rgb[0] + REC709[1] * rgb[1] + REC709[2] * rgb[2]
}
