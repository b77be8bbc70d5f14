//! What one cell looks like, in numbers: scene-linear colour, coverage and mask counts a pixel.

use crate::base::colour;
use crate::stage::{Display, Mask, Tone};

/// A finished cell. Rows from the top; every list has `width_px * height_px` entries.
#[derive(Debug, Clone, PartialEq)]
pub struct CellImage {
    /// Columns.
    pub width_px: u32,
    /// Rows.
    pub height_px: u32,
    /// Samples a pixel and side.
    pub samples: u32,
    /// Mean scene-linear colour over the covered samples, not premultiplied; black where none is.
    pub colour: Vec<[f32; 3]>,
    /// Covered samples, 0 to `samples * samples`; the ground does not cover.
    pub coverage: Vec<u16>,
    /// Mean opacity of the covered samples, 0 to 1; `None` where every sample is opaque.
    pub opacity: Option<Vec<f32>>,
    /// Samples of each mask that any draw of the cell has.
    pub masks: Vec<MaskCounts>,
    /// Share of the ground's light that is missing, 0 to 1, weighted by the samples that see ground;
    /// `None` without a ground.
    pub ground_shadow: Option<Vec<f32>>,
    /// How it is to be shown.
    pub display: Display,
}

/// Samples a pixel that belong to a mask.
#[derive(Debug, Clone, PartialEq)]
pub struct MaskCounts {
    /// Which mask.
    pub mask: Mask,
    /// 0 to `samples * samples` a pixel.
    pub counts: Vec<u16>,
}

impl CellImage {
    /// Samples a pixel.
    pub fn samples_per_px(&self) -> u16 {
        (self.samples * self.samples) as u16
    }

    /// The counts of a mask, `None` where no draw of the cell has it.
    pub fn mask(&self, mask: Mask) -> Option<&MaskCounts> {
        self.masks.iter().find(|counts| counts.mask == mask)
    }

    /// Display-linear colour of a pixel: exposed, tone-mapped, clamped to 0 to 1.
    pub fn display_linear(&self, pixel: usize) -> [f32; 3] {
        displayed(self.colour[pixel], self.display)
    }

    /// 8-bit sRGB of a pixel's colour; see [`Self::rgba8`] for coverage.
    pub fn srgb8(&self, pixel: usize) -> [u8; 3] {
        self.display_linear(pixel).map(colour::srgb8_from_linear)
    }

    /// Share of the pixel that the subject hides, 0 to 1.
    pub fn alpha(&self, pixel: usize) -> f32 {
        let covered = f32::from(self.coverage[pixel]) / f32::from(self.samples_per_px());
        self.opacity.as_ref().map_or(covered, |opacity| covered * opacity[pixel])
    }

    /// The picture as 8-bit sRGB with straight alpha, without the ground.
    pub fn rgba8(&self) -> Vec<u8> {
        let mut rgba = Vec::with_capacity(self.coverage.len() * 4);
        for pixel in 0..self.coverage.len() {
            if self.coverage[pixel] == 0 {
                rgba.extend([0; 4]);
                continue;
            }
            let [r, g, b] = self.srgb8(pixel);
            rgba.extend([r, g, b, (self.alpha(pixel) * 255.0 + 0.5) as u8]);
        }
        rgba
    }

    /// The picture over a display-linear background, ground shadow included, as 8-bit sRGB rgb.
    /// Composited in linear light.
    pub fn over(&self, background: [f32; 3]) -> Vec<u8> {
        let mut rgb = Vec::with_capacity(self.coverage.len() * 3);
        let bare = background.map(colour::srgb8_from_linear);
        for pixel in 0..self.coverage.len() {
            let shadow = self.ground_shadow.as_ref().map_or(0.0, |shadow| shadow[pixel]);
            if self.coverage[pixel] == 0 && shadow == 0.0 {
                rgb.extend(bare);
                continue;
            }
            let alpha = self.alpha(pixel);
            let behind = (1.0 - alpha - shadow).max(0.0);
            let front = if alpha > 0.0 { self.display_linear(pixel) } else { [0.0; 3] };
            rgb.extend((0..3).map(|c| colour::srgb8_from_linear(front[c] * alpha + background[c] * behind)));
        }
        rgb
    }
}

/// Scene-linear to display-linear, 0 to 1.
pub fn displayed(rgb: [f32; 3], display: Display) -> [f32; 3] {
    let gain = if display.exposure_stops == 0.0 { 1.0 } else { display.exposure_stops.exp2() };
    match display.tone {
        Tone::None => rgb.map(|channel| (channel * gain).clamp(0.0, 1.0)),
    }
}
