//! A first placement, from the shape of the back in one pose and the box of the load.
//!
//! Reads: a [`Back`], a [`LoadShape`]. Gives: a [`FirstPlacement`]. Pure.
//!
//! The load counts as its box: its contact face is flat. It is pushed in until the closest quarter of the
//! face is just inside the body, and no part goes deeper than a cap. Clearing the single furthest point
//! is the known wrong answer: flat packs then hover.

use super::back::Back;
use super::depth::{DepthMap, PATCH, percentile};
use super::load::LoadShape;
use super::placement::Placement;

/// How deep the closest quarter of the contact face sits, share of H.
const SEATED: f32 = 0.012;
/// How deep any part of it may go, share of H.
const DEEPEST: f32 = 0.06;
/// Where between hips and shoulders the middle of the contact face is.
const FACE_AT: f32 = 0.6;
/// A back is never followed further than this.
const MOST_LEAN_RAD: f32 = std::f32::consts::PI / 6.0;
/// Stand-ins, shares of H, for bodies without hips or shoulders by joint and without a back to measure.
const SPAN: f32 = 0.3;
const BREADTH: f32 = 0.2;
const BACK_DEPTH: f32 = 0.08;

/// A placement and what spoke for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstPlacement {
    /// The six numbers.
    pub placement: Placement,
    /// Whether the cap on depth, not the seat, decided `out`.
    pub capped: bool,
    /// Patches of the back behind the contact face; 0 where nothing could be measured and a plain body
    /// was assumed.
    pub patches: usize,
}

/// Puts a load on a back.
pub fn place(back: &Back, load: &LoadShape) -> FirstPlacement {
    let map = DepthMap::furthest(&back.triangles);
    let (hips, span) = hips_and_span(back);
    let breadth = breadth(back, &map, hips + span / 2.0, hips + span);
    let scale = (load.breadths * breadth / load.width).min(span / load.height);
    let (width, height) = (scale * load.width, scale * load.height);
    let middle = hips + FACE_AT * span;
    let lean_rad = lean_rad(&map, width, middle, height.max(span / 2.0));
    let up = (middle - height / 2.0 * lean_rad.cos()).max(hips);
    let mut gaps: Vec<f32> = map
        .within([-width / 2.0, width / 2.0], [up, up + height * lean_rad.cos()])
        .map(|(_, y, out)| (y - up) * lean_rad.tan() - out)
        .collect();
    let (out, capped) = seat(&mut gaps);
    let placement = Placement { size: width, out, up, side: 0.0, lean_rad, spin_rad: 0.0 };
    FirstPlacement { placement, capped, patches: gaps.len() }
}

/// How far out, from the gaps of a load whose origin is in the torso plane.
fn seat(gaps: &mut [f32]) -> (f32, bool) {
    let (Some(quarter), Some(least)) = (percentile(gaps, 0.25), percentile(gaps, 0.0)) else {
        return (BACK_DEPTH, false);
    };
    let (seated, capped) = (-SEATED - quarter, -DEEPEST - least);
    (seated.max(capped), capped > seated)
}

/// The hips joint and the way up to the shoulders; the chest joint is at 0.
fn hips_and_span(back: &Back) -> (f32, f32) {
    let hips = back.hips.unwrap_or(-SPAN * FACE_AT);
    let span = back.shoulders.map_or(SPAN, |shoulders| shoulders - hips);
    (hips, if span > 0.02 { span } else { SPAN })
}

/// The wider of the upper-arm distance and the median row of the back: joints alone fail on broad bodies
/// with small shoulders.
fn breadth(back: &Back, map: &DepthMap, from: f32, to: f32) -> f32 {
    let rows = map.rows([f32::NEG_INFINITY, f32::INFINITY], [from, to]);
    let mut widths: Vec<f32> = rows.iter().map(|row| row.to - row.from).collect();
    let rows = percentile(&mut widths, 0.5);
    let breadth = back.breadth.into_iter().chain(rows).fold(0.0, f32::max);
    if breadth > PATCH { breadth } else { BREADTH }
}

/// The Theil-Sen slope of the rows' medians, over the middle half of the load's width.
///
/// *Source:* H. Theil, "A rank-invariant method of linear and polynomial regression analysis", Proc. Kon.
/// Ned. Akad. Wet. 53, 1950; P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau",
/// J. Am. Stat. Assoc. 63, 1968: the median of the slopes of all pairs.
fn lean_rad(map: &DepthMap, width: f32, middle: f32, window: f32) -> f32 {
    let rows = map.rows([-width / 4.0, width / 4.0], [middle - window / 2.0, middle + window / 2.0]);
    let points: Vec<(f32, f32)> =
        rows.into_iter().filter_map(|mut row| Some((row.y, percentile(&mut row.outs, 0.5)?))).collect();
    let mut slopes = Vec::new();
    for (at, one) in points.iter().enumerate() {
        slopes.extend(points[at + 1..].iter().map(|other| (other.1 - one.1) / (other.0 - one.0)));
    }
    percentile(&mut slopes, 0.5).map_or(0.0, |slope| slope.atan().clamp(-MOST_LEAN_RAD, MOST_LEAN_RAD))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// A surface out = f(x, y) over a rectangle, in facets of 0.002 H.
    fn surface(x: [f32; 2], y: [f32; 2], out: impl Fn(f32, f32) -> f32) -> Vec<[Vec3; 3]> {
        const STEP: f32 = 0.002;
        let steps = |range: [f32; 2]| ((range[1] - range[0]) / STEP).round() as usize;
        let point = |column: usize, row: usize| {
            let (x, y) = (x[0] + column as f32 * STEP, y[0] + row as f32 * STEP);
            Vec3::new(x, y, out(x, y))
        };
        let mut triangles = Vec::new();
        for column in 0..steps(x) {
            for row in 0..steps(y) {
                let (a, b) = (point(column, row), point(column + 1, row));
                let (c, d) = (point(column + 1, row + 1), point(column, row + 1));
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        triangles
    }

    fn back(triangles: Vec<[Vec3; 3]>) -> Back {
        Back { triangles, hips: Some(-0.2), shoulders: Some(0.1), breadth: Some(0.24) }
    }

    fn slab(width: f32, height: f32) -> LoadShape {
        LoadShape { width, height, depth: 1.0, breadths: 1.0 }
    }

    fn near(one: f32, other: f32, within: f32) {
        assert!((one - other).abs() <= within, "{one} is not {other}");
    }

    /// The worked answer for a slab on a capsule: sqrt(R^2 - (w/8)^2) - 0.012. Between the quarter of the
    /// face nearest to the middle line, |x| < w/8, the body comes out that far or further.
    #[test]
    fn a_slab_on_a_capsule_sits_as_worked_out() {
        for radius in [0.12_f32, 0.15, 0.3] {
            let capsule = surface([-0.119, 0.119], [-0.3, 0.3], |x, _| (radius * radius - x * x).sqrt());
            let found = place(&back(capsule), &slab(0.24, 0.2));
            near(found.placement.size, 0.24, 1e-3);
            near(found.placement.lean_rad, 0.0, 1e-4);
            near(found.placement.out, (radius * radius - 0.03 * 0.03).sqrt() - 0.012, 1e-3);
            assert!(!found.capped);
        }
    }

    /// The worked answer for a slab on a sphere, sqrt(R^2 - w h / 4 pi) - 0.012: the closest quarter is a
    /// disc of a quarter of the slab's area. The sphere's middle is where the face's middle goes, 0.6 of
    /// the way from -0.2 to 0.1: at -0.02.
    #[test]
    fn a_slab_on_a_sphere_sits_as_worked_out() {
        let radius = 0.2_f32;
        let sphere = surface([-0.12, 0.12], [-0.12, 0.12], |x, y| (radius * radius - x * x - y * y).max(0.0).sqrt());
        let sphere = sphere.into_iter().map(|triangle| triangle.map(|p| p - Vec3::Y * 0.02)).collect();
        let found = place(&back(sphere), &slab(0.24, 0.2)).placement;
        near(found.out, (radius * radius - 0.24 * 0.2 / (4.0 * std::f32::consts::PI)).sqrt() - 0.012, 1e-3);
    }

    /// One spike of 0.1 over a flat back: the seat would leave it 0.112 deep, the cap leaves 0.06.
    #[test]
    fn no_part_goes_deeper_than_the_cap() {
        let spiked =
            surface(
                [-0.12, 0.12],
                [-0.3, 0.3],
                |x, y| {
                    if x.abs() < 0.012 && (y + 0.02).abs() < 0.012 { 0.2 } else { 0.1 }
                },
            );
        let found = place(&back(spiked), &slab(0.24, 0.2));
        assert!(found.capped);
        near(found.placement.out, 0.2 - 0.06, 1e-4);
    }

    /// A back that comes out 1 for each 4 up: the lean is atan(1/4), and the face lies along it. At its base,
    /// `up` above the plane's zero, the plane is at 0.1 + up / 4.
    #[test]
    fn a_sloping_back_gets_a_load_that_lies_along_it() {
        let slope = surface([-0.12, 0.12], [-0.3, 0.3], |_, y| 0.1 + y / 4.0);
        let found = place(&back(slope), &slab(0.24, 0.2)).placement;
        near(found.lean_rad, 0.25_f32.atan(), 1e-4);
        near(found.up, -0.02 - 0.1 * found.lean_rad.cos(), 1e-4);
        near(found.out, 0.1 + found.up / 4.0 - 0.012, 1e-4);
        let steep = surface([-0.12, 0.12], [-0.3, 0.3], |_, y| 0.1 - y);
        near(place(&back(steep), &slab(0.24, 0.2)).placement.lean_rad.to_degrees(), -30.0, 1e-3);
    }

    /// Breadth 0.24, span 0.3. A load twice as high as wide is held by the span: 0.15 wide. Logs may be
    /// half again as broad as the back.
    #[test]
    fn size_is_held_by_breadth_and_by_span() {
        let flat = || back(surface([-0.1, 0.1], [-0.3, 0.3], |_, _| 0.1));
        near(place(&flat(), &slab(2.0, 1.0)).placement.size, 0.24, 1e-5);
        near(place(&flat(), &slab(1.0, 2.0)).placement.size, 0.15, 1e-5);
        let logs = LoadShape { breadths: 1.5, ..slab(2.0, 1.0) };
        near(place(&flat(), &logs).placement.size, 0.36, 1e-5);
    }

    /// Joints 0.1 apart on a back 0.3 wide: joints alone would make the load of a broad body tiny.
    #[test]
    fn a_back_broader_than_its_shoulders_counts_as_it_is() {
        let broad = Back { breadth: Some(0.1), ..back(surface([-0.15, 0.15], [-0.3, 0.3], |_, _| 0.1)) };
        near(place(&broad, &slab(2.0, 1.0)).placement.size, 0.3, 1e-3);
    }

    #[test]
    fn the_middle_of_the_face_is_six_tenths_up_from_hips_to_shoulders() {
        let flat = || back(surface([-0.12, 0.12], [-0.3, 0.3], |_, _| 0.1));
        near(place(&flat(), &slab(2.0, 1.0)).placement.up, -0.02 - 0.06, 1e-5);
        // As high as the span: its middle at -0.02 would put its base at -0.17, still above the hips.
        near(place(&flat(), &slab(1.0, 2.0)).placement.up, -0.17, 1e-5);
        let low = Back { hips: Some(-0.1), shoulders: Some(0.1), ..flat() };
        near(place(&low, &slab(0.1, 1.0)).placement.up, -0.08, 1e-5);
    }

    #[test]
    fn a_body_without_a_back_gets_a_plain_placement() {
        let found = place(&Back::default(), &slab(1.0, 1.0));
        assert_eq!(found.patches, 0);
        near(found.placement.out, 0.08, 1e-6);
        near(found.placement.size, 0.2, 1e-6);
    }
}
