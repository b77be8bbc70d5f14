//! Name the colours of paper and type. 8-bit sRGB.
//!
//! A theme changes paper and type only: what is behind a character belongs to the cell, so that a
//! picture is the same picture on either paper.

use crate::study::Theme;

/// An 8-bit sRGB colour.
pub(crate) type Rgb = [u8; 3];

/// The colours of one theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Palette {
    /// The page.
    pub(crate) paper: Rgb,
    /// Titles, labels, values.
    pub(crate) ink: Rgb,
    /// What explains: axis names, metric names, provenance.
    pub(crate) muted: Rgb,
    /// Hairlines between groups.
    pub(crate) rule: Rgb,
    /// Ground of a cell that could not be made.
    pub(crate) hole: Rgb,
    /// Hatching on it.
    pub(crate) hole_hatch: Rgb,
    /// The mark and the reason on it.
    pub(crate) hole_ink: Rgb,
}

const LIGHT: Palette = Palette {
    paper: [0xF6, 0xF6, 0xF4],
    ink: [0x1C, 0x1D, 0x20],
    muted: [0x65, 0x67, 0x6C],
    rule: [0xCF, 0xCF, 0xCB],
    hole: [0xF3, 0xE5, 0xE0],
    hole_hatch: [0xEA, 0xD3, 0xCB],
    hole_ink: [0x9B, 0x2C, 0x1A],
};

const DARK: Palette = Palette {
    paper: [0x18, 0x19, 0x1C],
    ink: [0xEC, 0xEC, 0xE9],
    muted: [0x9C, 0x9E, 0xA5],
    rule: [0x3A, 0x3C, 0x41],
    hole: [0x2C, 0x20, 0x20],
    hole_hatch: [0x3B, 0x29, 0x28],
    hole_ink: [0xF2, 0x8F, 0x78],
};

impl Palette {
    /// The colours of `theme`.
    pub(crate) fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    /// The colour of a tone.
    pub(crate) fn tone(&self, tone: Tone) -> Rgb {
        match tone {
            Tone::Ink => self.ink,
            Tone::Muted => self.muted,
        }
    }
}

/// What a mark on the page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Ink,
    Muted,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::colour::{LINEAR_FROM_SRGB8, luminance};

    /// Contrast ratio of WCAG 2.1, "relative luminance" and "contrast ratio".
    fn contrast(one: Rgb, other: Rgb) -> f32 {
        let bright = |rgb: Rgb| luminance(rgb.map(|code| LINEAR_FROM_SRGB8[usize::from(code)])) + 0.05;
        let (one, other) = (bright(one), bright(other));
        one.max(other) / one.min(other)
    }

    /// WCAG 2.1, success criterion 1.4.3: 4.5 for type of any size.
    #[test]
    fn all_type_has_a_contrast_of_four_and_a_half() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = Palette::of(theme);
            for tone in [palette.ink, palette.muted] {
                assert!(contrast(tone, palette.paper) >= 4.5, "{theme:?} {tone:?}");
            }
            for ground in [palette.hole, palette.hole_hatch] {
                assert!(contrast(palette.hole_ink, ground) >= 4.5, "{theme:?} {ground:?}");
            }
        }
    }
}
