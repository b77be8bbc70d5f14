//! The columns of the tables: which metric, in what unit, in which version.

use super::masked::Masked;
use super::{area, clipped_share, geometry, luma8_sd, mean_y, rms_contrast, sd_log2y};

/// One metric as a column of metrics.csv.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name, with its unit where it has one.
    pub name: &'static str,
    /// Its unit; `1` for a plain ratio.
    pub unit: &'static str,
    /// Goes up when a change moves its numbers: numbers of different versions are not compared.
    pub version: u32,
    /// What it says, in one sentence.
    pub doc: &'static str,
    /// Reads it; `None` where it cannot be measured.
    pub(super) read: fn(&Masked) -> Option<f64>,
}

const fn column(name: &'static str, unit: &'static str, read: fn(&Masked) -> Option<f64>, doc: &'static str) -> Column {
    Column { name, unit, version: 1, doc, read }
}

/// Every column, in the order of [`super::MaskReadings::values`].
pub const COLUMNS: &[Column] = &[
    column(
        "luma8_sd",
        "8-bit code values",
        luma8_sd::read,
        "Spread of light and dark: population standard deviation of 8-bit Rec. 709 luma of the display value.",
    ),
    column("mean_y", "1", mean_y::read, "Mean scene-linear luminance; white under E = pi is 1."),
    column("rms_contrast", "1", rms_contrast::read, "Standard deviation of scene-linear luminance over its mean."),
    column(
        "sd_log2y_stops",
        "stops",
        sd_log2y::read,
        "Standard deviation of log2 scene-linear luminance, clamped at 2^-12 of white.",
    ),
    column(
        "clipped_share",
        "1",
        clipped_share::read,
        "Share of the mask where a channel of the 8-bit display value is 255.",
    ),
    column("area_px", "px", area::read_px, "Pixels of the mask, in parts of a pixel."),
    column("area_m2", "m2", area::read_m2, "Area of the mask as the camera sees it, at the depth of its target."),
    column("px_per_m", "px/m", geometry::read_px_per_m, "Cell pixels a metre at the depth of the target."),
    column("head_px_h", "px", geometry::read_head_px_h, "Height of the head."),
    column("face_px_n", "px", geometry::read_face_px_n, "Pixels of the face, in parts of a pixel."),
    column("face_px_h", "px", geometry::read_face_px_h, "Height of the face's mask."),
    column(
        "face_deg",
        "deg",
        geometry::read_face_deg,
        "Angle of the face's height at the eye, as if the screen filled the camera's field of view.",
    ),
    column(
        "nyquist_cpf",
        "cycles/face",
        geometry::read_nyquist_cpf,
        "Finest pattern that the pixels can hold over the face's height.",
    ),
];
