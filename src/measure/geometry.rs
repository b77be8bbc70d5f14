//! How large head and face are on the screen: without these, no two readings compare.
//!
//! The same in every row of a cell. What needs a face is empty where no mask is one, what needs a
//! distance where the camera is orthographic.
//!
//! - `px_per_m`: cell pixels a metre at the depth of the camera's target.
//! - `head_px_h`: height of the head, from its posed vertices.
//! - `face_px_n`: pixels of the face, in parts of a pixel.
//! - `face_px_h`: height of the face's mask: whole rows between its first and last, which count by
//!   the largest share of a pixel that the mask has in them.
//! - `face_deg`: angle that the face's height takes at the eye, as if the screen filled the camera's
//!   field of view: `2 atan(height_m / (2 distance_m))`.
//! - `nyquist_cpf`: the finest pattern the pixels can hold, `face_px_h / 2` cycles a face height.
//!
//! *Source:* cycles a face and its angle as the measure of distance: G. R. Loftus and E. M. Harley,
//! "Why is it easier to identify someone close than far away?", Psychonomic Bulletin & Review 12(1),
//! 2005, pp. 43-65, doi:10.3758/BF03196348. Two pixels a cycle: C. E. Shannon, "Communication in the
//! Presence of Noise", Proc. IRE 37(1), 1949, pp. 10-21, doi:10.1109/JRPROC.1949.232969.

use super::masked::{Masked, counts};
use crate::stage::Mask;

pub(super) fn read_px_per_m(masked: &Masked) -> Option<f64> {
    Some(masked.facts.px_per_m).filter(|px_per_m| *px_per_m > 0.0 && px_per_m.is_finite())
}

pub(super) fn read_head_px_h(masked: &Masked) -> Option<f64> {
    masked.facts.head_px_h
}

pub(super) fn read_face_px_n(masked: &Masked) -> Option<f64> {
    let counts = counts(masked.image, Mask::Face)?;
    let samples: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    Some(samples as f64 / f64::from(masked.image.samples_per_px()))
}

pub(super) fn read_face_px_h(masked: &Masked) -> Option<f64> {
    let counts = counts(masked.image, Mask::Face)?;
    let rows: Vec<u16> = counts
        .chunks(masked.image.width_px.max(1) as usize)
        .map(|row| row.iter().copied().max().unwrap_or(0))
        .collect();
    let first = rows.iter().position(|most| *most > 0)?;
    let last = rows.iter().rposition(|most| *most > 0)?;
    let share = |row: usize| f64::from(rows[row]) / f64::from(masked.image.samples_per_px());
    Some(if first == last { share(first) } else { (last - first - 1) as f64 + share(first) + share(last) })
}

pub(super) fn read_face_deg(masked: &Masked) -> Option<f64> {
    let height_m = read_face_px_h(masked)? / read_px_per_m(masked)?;
    let distance_m = masked.facts.distance_m.filter(|distance_m| *distance_m > 0.0)?;
    Some((2.0 * (height_m / (2.0 * distance_m)).atan()).to_degrees())
}

pub(super) fn read_nyquist_cpf(masked: &Masked) -> Option<f64> {
    Some(read_face_px_h(masked)? / 2.0)
}
