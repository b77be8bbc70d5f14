//! The load frame: what a prop is turned into before it is carried.
//!
//! Reads: the bounds of a prop. Pure.

use glam::{Mat4, Vec3};

use crate::base::Finding;

/// A prop this near to the load frame, as a share of its largest side, is in it.
const IN_FRAME: f32 = 1e-3;

/// The box of a load, in load space, and how wide it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadShape {
    /// Along x, load's unit.
    pub width: f32,
    /// Along y, load's unit.
    pub height: f32,
    /// Along z, load's unit.
    pub depth: f32,
    /// How many breadths of the back it may be wide: 1; logs 1.5.
    pub breadths: f32,
}

/// A prop brought into the load frame.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadFrame {
    /// Its box there.
    pub shape: LoadShape,
    /// `load_from_prop`: a shift, for nothing is known of which face rests on the back.
    pub load_from_prop: Mat4,
    /// Says so where the prop had to be moved.
    pub finding: Option<Finding>,
}

/// Brings a prop into the load frame: base to y = 0, its furthest face towards -z to z = 0, centred in x.
///
/// `least` and `greatest` are the corners of its box; `place` names it in the finding.
///
/// # Errors
///
/// `LOAD_EMPTY` for a box that is not finite or has no width or height.
pub fn load_frame(least: Vec3, greatest: Vec3, breadths: f32, place: &str) -> Result<LoadFrame, Finding> {
    let size = greatest - least;
    if !size.is_finite() || size.x <= 0.0 || size.y <= 0.0 {
        return Err(Finding::error("LOAD_EMPTY", place, "the load has no width or no height"));
    }
    let shift = -Vec3::new((least.x + greatest.x) / 2.0, least.y, least.z);
    let shape = LoadShape { width: size.x, height: size.y, depth: size.z, breadths };
    if shift.abs().max_element() <= IN_FRAME * size.max_element() {
        return Ok(LoadFrame { shape, load_from_prop: Mat4::IDENTITY, finding: None });
    }
    let message =
        format!("the prop is not in the load frame; it is shifted by {:.3}, {:.3}, {:.3}", shift.x, shift.y, shift.z);
    let finding = Finding::note("LOAD_NOT_PREPARED", place, message)
        .with_hint("the face towards -z is taken to rest on the back; turn the prop if another should");
    Ok(LoadFrame { shape, load_from_prop: Mat4::from_translation(shift), finding: Some(finding) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_prop_gets_its_base_down_its_back_face_to_zero_and_its_middle_to_the_axis() {
        let frame = load_frame(Vec3::new(1.0, -2.0, 3.0), Vec3::new(5.0, 1.0, 4.0), 1.0, "keg.glb").unwrap();
        let corner = |point: Vec3| frame.load_from_prop.transform_point3(point);
        assert_eq!(corner(Vec3::new(1.0, -2.0, 3.0)), Vec3::new(-2.0, 0.0, 0.0));
        assert_eq!(corner(Vec3::new(5.0, 1.0, 4.0)), Vec3::new(2.0, 3.0, 1.0));
        assert_eq!((frame.shape.width, frame.shape.height, frame.shape.depth), (4.0, 3.0, 1.0));
        assert_eq!(frame.finding.unwrap().code, "LOAD_NOT_PREPARED");
    }

    #[test]
    fn a_prepared_prop_is_left_alone() {
        let frame = load_frame(Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 3.0, 1.0), 1.0, "keg.glb").unwrap();
        assert_eq!(frame.load_from_prop, Mat4::IDENTITY);
        assert_eq!(frame.finding, None);
    }

    #[test]
    fn a_prop_without_extent_is_an_error() {
        for (least, greatest) in [(Vec3::ZERO, Vec3::ZERO), (Vec3::ZERO, Vec3::INFINITY), (Vec3::ZERO, Vec3::NAN)] {
            assert_eq!(load_frame(least, greatest, 1.0, "keg.glb").unwrap_err().code, "LOAD_EMPTY");
        }
    }
}
