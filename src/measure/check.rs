//! Find pictures that show nothing: blank, full, not finite, or one flat colour.
//!
//! Pure. Such a cell is a hole, because a black square that passes for a picture is worse than none.

use crate::base::{Code, Finding};
use crate::render::CellImage;
use crate::stage::Style;

/// Nothing is drawn.
pub const CELL_BLANK: Code = "CELL_BLANK";
/// The subject fills the whole cell.
pub const CELL_FULL: Code = "CELL_FULL";
/// A value is infinite or no number.
pub const CELL_NOT_FINITE: Code = "CELL_NOT_FINITE";
/// The subject is drawn in one colour where its surface should answer the light.
pub const CELL_ONE_COLOUR: Code = "CELL_ONE_COLOUR";

/// Where the finding is; whoever knows the cell's name may say it better.
const PLACE: &str = "picture";

/// What is wrong with a picture as a whole, the gravest first; `None` for a good one.
///
/// One colour, by the 8-bit display value over all covered pixels, is wrong in a style that answers
/// light only: flat and outlined pictures may well be one tone. A value that is not finite is wrong
/// in every style. A single covered pixel has one colour by nature and passes.
pub fn check(image: &CellImage, style: Style) -> Option<Finding> {
    let full = image.samples_per_px();
    if !is_finite(image) {
        let finding = Finding::error(CELL_NOT_FINITE, PLACE, "a value of the picture is infinite or no number");
        return Some(
            finding.with_hint("look for normals of length zero, and for material factors that are not finite"),
        );
    }
    if image.coverage.iter().all(|count| *count == 0) {
        let finding = Finding::error(CELL_BLANK, PLACE, "nothing of the subject is in the picture");
        return Some(finding.with_hint(
            "look at hide and show, at the camera and the size of the cell, and at faces that are seen from behind",
        ));
    }
    if image.coverage.iter().all(|count| *count == full) {
        let finding = Finding::error(CELL_FULL, PLACE, "the subject fills the whole picture");
        return Some(finding.with_hint("the camera is too near, or inside the subject"));
    }
    let answers_light = matches!(style, Style::Shaded | Style::Lambert);
    if answers_light && let Some([red, green, blue]) = only_colour(image) {
        let message = format!("the whole subject is one colour, #{red:02x}{green:02x}{blue:02x}");
        let finding = Finding::error(CELL_ONE_COLOUR, PLACE, message);
        return Some(finding.with_hint("look at the light, at unlit materials, and at style: flat may be meant"));
    }
    None
}

fn is_finite(image: &CellImage) -> bool {
    let colour = image.colour.iter().flatten();
    let shares = image.opacity.iter().chain(&image.ground_shadow).flatten();
    colour.chain(shares).all(|value| value.is_finite())
}

/// The colour of every covered pixel, if it is one and there are at least two.
fn only_colour(image: &CellImage) -> Option<[u8; 3]> {
    let mut covered = (0..image.coverage.len()).filter(|pixel| image.coverage[*pixel] > 0);
    let first = image.srgb8(covered.next()?);
    let mut others = covered.peekable();
    others.peek()?;
    others.all(|pixel| image.srgb8(pixel) == first).then_some(first)
}
