//! Turn every way of drawing triangles into one list of vertex indices, three a triangle.
//!
//! Pure. Winding is kept: of a strip every other triangle is turned, as the specification writes it
//! (section 3.7.2.1: strip i, i + (1 + i % 2), i + (2 - i % 2); fan i + 1, i + 2, 0).

use gltf::json::mesh::Mode;

/// The triangles of `corners` drawn in `mode`, and whether an incomplete one was left out.
/// `None` for points and lines.
pub(super) fn triangles(mode: Mode, mut corners: Vec<u32>) -> Option<(Vec<u32>, bool)> {
    let count = corners.len();
    match mode {
        Mode::Triangles => {
            corners.truncate(count - count % 3);
            Some((corners, !count.is_multiple_of(3)))
        }
        Mode::TriangleStrip => {
            let corner = |at: usize| [corners[at], corners[at + 1 + at % 2], corners[at + 2 - at % 2]];
            Some(((0..count.saturating_sub(2)).flat_map(corner).collect(), count == 1 || count == 2))
        }
        Mode::TriangleFan => {
            let corner = |at: usize| [corners[at + 1], corners[at + 2], corners[0]];
            Some(((0..count.saturating_sub(2)).flat_map(corner).collect(), count == 1 || count == 2))
        }
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's formulas, written out for five corners.
    #[test]
    fn strips_and_fans_become_lists_with_their_winding() {
        let corners = vec![10, 11, 12, 13, 14];
        let strip = triangles(Mode::TriangleStrip, corners.clone()).unwrap();
        assert_eq!(strip, (vec![10, 11, 12, 11, 13, 12, 12, 13, 14], false));
        let fan = triangles(Mode::TriangleFan, corners.clone()).unwrap();
        assert_eq!(fan, (vec![11, 12, 10, 12, 13, 10, 13, 14, 10], false));
        assert_eq!(triangles(Mode::Triangles, corners).unwrap(), (vec![10, 11, 12], true));
    }

    #[test]
    fn too_few_corners_make_no_triangle() {
        for mode in [Mode::Triangles, Mode::TriangleStrip, Mode::TriangleFan] {
            assert_eq!(triangles(mode, vec![1, 2]).unwrap(), (vec![], true));
            assert_eq!(triangles(mode, vec![]).unwrap(), (vec![], false));
        }
        assert!(triangles(Mode::LineLoop, vec![1, 2, 3]).is_none());
    }
}
