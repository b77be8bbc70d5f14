//! Pack charts into one square image.
//!
//! Reads: charts, and how much denser than others each wants its texels. Writes: how large and where each chart lies,
//! in texels, x to the right and y down. Pure.
//!
//! Charts are laid one on another from the top, the longest first, each where it leaves the least height; what is
//! compared are outlines column by column, so that a chart may rest in another's hollow. The largest scale at which all
//! fit is searched for from above.
//!
//! Source of the outlines: B. Lévy and others, "Least Squares Conformal Maps for Automatic Texture Atlas Generation",
//! SIGGRAPH 2002, doi:10.1145/566654.566590, section 4.

use glam::DVec2;

use super::trig::sin_cos;
use super::unwrap::Chart;

/// Share of the image that charts may fill at the best.
const BEST_FILL: f64 = 0.86;
/// How often the scale is halved in on.
const REFINED: usize = 3;
/// Directions tried for each chart, within a quarter turn.
const TURNS: usize = 12;

/// Texels kept free round every chart, of an image `px` wide.
pub(super) fn gutter(px: u32) -> f64 {
    f64::from(px / 340).clamp(2.0, 8.0)
}

/// Where a chart's vertices lie, texels.
pub(super) type Laid = Vec<DVec2>;

/// Texels a unit, and every chart in its place; each with its own wish for density.
pub(super) fn pack(charts: &[(&Chart, f64)], px: u32) -> (f64, Vec<Laid>) {
    let turned: Vec<Laid> = charts.iter().map(|(chart, dense)| turned(chart, *dense)).collect();
    let area: f64 = std::iter::zip(charts, &turned).map(|((chart, _), flat)| area(chart, flat)).sum();
    let side = f64::from(px);
    // Shrunk until all fits, then enlarged as far as it goes on fitting.
    let (mut scale, mut too_large) = ((BEST_FILL * side * side / area.max(1e-9)).sqrt(), f64::INFINITY);
    let mut best = loop {
        let (places, height) = lay(charts, &turned, scale, px);
        if height <= side {
            break (scale, places);
        }
        too_large = scale;
        scale *= (side / height).sqrt().clamp(0.5, 0.985);
    };
    for _ in 0..REFINED {
        let scale = 0.5 * (best.0 + too_large.min(1.1 * best.0));
        let (places, height) = lay(charts, &turned, scale, px);
        if height <= side {
            best = (scale, places);
        } else {
            too_large = scale;
        }
    }
    let (scale, places) = best;
    let moved = |(flat, place): (Laid, DVec2)| flat.into_iter().map(|at| at * scale + place).collect();
    (scale, turned.into_iter().zip(places).map(moved).collect())
}

fn area(chart: &Chart, flat: &[DVec2]) -> f64 {
    let one = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|at| flat[at as usize]);
        0.5 * (b - a).perp_dot(c - a).abs()
    };
    chart.corners.iter().map(one).sum()
}

/// The chart at its density, standing upright in its least box, that box's corner at the origin.
fn turned(chart: &Chart, dense: f64) -> Laid {
    let at = |turn: usize| {
        let (sin, cos) = sin_cos(std::f64::consts::FRAC_PI_2 * turn as f64 / TURNS as f64);
        // y down: the image is the plane as seen from outside, turned.
        let turned = |at: &DVec2| DVec2::new(at.x * cos - at.y * sin, -(at.x * sin + at.y * cos)) * dense;
        chart.flat.iter().map(turned).collect::<Laid>()
    };
    let size = |flat: &Laid| {
        let (low, high) = bounds(flat);
        high - low
    };
    let mut best = at(0);
    for turn in 1..TURNS {
        let other = at(turn);
        let (own, least) = (size(&other), size(&best));
        // A turn must be worth it, so that rounding cannot choose.
        if own.x * own.y < 0.995 * least.x * least.y {
            best = other;
        }
    }
    if size(&best).x > size(&best).y {
        best.iter_mut().for_each(|at| *at = DVec2::new(-at.y, at.x));
    }
    let low = bounds(&best).0;
    best.iter_mut().for_each(|at| *at -= low);
    best
}

fn bounds(flat: &[DVec2]) -> (DVec2, DVec2) {
    flat.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), at| (low.min(*at), high.max(*at)))
}

/// Where each chart's corner goes, and how high the heap is.
fn lay(charts: &[(&Chart, f64)], turned: &[Laid], scale: f64, px: u32) -> (Vec<DVec2>, f64) {
    let step = f64::from((px / 512).max(1));
    let columns = (f64::from(px) / step) as usize;
    let mut order: Vec<usize> = (0..charts.len()).collect();
    let tall: Vec<f64> = turned.iter().map(|flat| bounds(flat).1.y).collect();
    order.sort_by(|one, other| tall[*other].total_cmp(&tall[*one]).then(one.cmp(other)));
    let mut horizon = vec![0.0f64; columns];
    let mut places = vec![DVec2::ZERO; charts.len()];
    let mut height: f64 = 0.0;
    for chart in order {
        let outline = Outline::of(charts[chart].0, &turned[chart], scale, step, gutter(px));
        let wide = outline.top.len();
        if wide > columns {
            return (places, f64::from(px) * wide as f64 / columns as f64 * 1.2);
        }
        let (mut rest, mut first) = (f64::INFINITY, 0);
        for at in 0..=columns - wide {
            let mut lowest = f64::NEG_INFINITY;
            for (own, top) in std::iter::zip(&horizon[at..at + wide], &outline.top) {
                lowest = lowest.max(own - top);
                if lowest >= rest {
                    break;
                }
            }
            if lowest < rest {
                (rest, first) = (lowest, at);
            }
        }
        for (own, foot) in std::iter::zip(&mut horizon[first..first + wide], &outline.foot) {
            *own = own.max(rest + foot);
            height = height.max(*own);
        }
        places[chart] = DVec2::new(first as f64 * step, rest) + outline.shift;
    }
    (places, height)
}

/// A chart's upper and lower rim with its share of the gutter, a number a column of `step` texels.
struct Outline {
    top: Vec<f64>,
    foot: Vec<f64>,
    /// From the outline's corner to the chart's.
    shift: DVec2,
}

impl Outline {
    fn of(chart: &Chart, flat: &[DVec2], scale: f64, step: f64, gutter: f64) -> Self {
        // Half the gutter on every side makes a whole one between two charts, and half of one at the rim.
        let margin = 0.5 * gutter;
        let (_, size) = bounds(flat);
        let columns = ((size.x * scale + 2.0 * margin) / step).ceil().max(1.0) as usize;
        let (mut top, mut foot) = (vec![f64::INFINITY; columns], vec![f64::NEG_INFINITY; columns]);
        for corners in &chart.corners {
            for edge in 0..3 {
                let ends = [corners[edge], corners[(edge + 1) % 3]].map(|at| flat[at as usize] * scale);
                let (left, right) = if ends[0].x <= ends[1].x { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
                let slope = (right.y - left.y) / (right.x - left.x).max(1e-9);
                // Every column within a margin of the edge, as far as the edge goes within a margin of the column.
                let first = (left.x / step) as usize;
                let last = (((right.x + 2.0 * margin) / step) as usize).min(columns - 1);
                for column in first..=last {
                    let from = (column as f64 * step - 2.0 * margin).max(left.x);
                    let to = ((column + 1) as f64 * step).min(right.x).max(from.min(right.x));
                    let at = |x: f64| {
                        (left.y + (x.min(right.x) - left.x) * slope).clamp(left.y.min(right.y), left.y.max(right.y))
                    };
                    let (one, other) = (at(from), at(to));
                    top[column] = top[column].min(one.min(other));
                    foot[column] = foot[column].max(one.max(other) + 2.0 * margin);
                }
            }
        }
        Self { top, foot, shift: DVec2::splat(margin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A right triangle with legs `wide` and `tall`.
    fn chart(wide: f64, tall: f64) -> Chart {
        Chart {
            triangles: vec![0],
            vertices: vec![0, 1, 2],
            flat: vec![DVec2::ZERO, DVec2::new(wide, 0.0), DVec2::new(0.0, tall)],
            corners: vec![[0, 1, 2]],
        }
    }

    /// Texels whose centre is within `reach` of a triangle.
    fn covered(laid: &Laid, reach: f64) -> Vec<(i64, i64)> {
        let (low, high) = bounds(laid);
        let near = |p: DVec2| {
            let edges = (0..3).map(|at| (laid[at], laid[(at + 1) % 3]));
            let turn = (laid[1] - laid[0]).perp_dot(laid[2] - laid[0]).signum();
            let inside = edges.clone().all(|(a, b)| turn * (b - a).perp_dot(p - a) >= 0.0);
            let to = |(a, b): (DVec2, DVec2)| {
                let share = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                (p - a - (b - a) * share).length()
            };
            inside || edges.map(to).fold(f64::INFINITY, f64::min) <= reach
        };
        let span = |low: f64, high: f64| (low - reach).floor() as i64..=(high + reach).ceil() as i64;
        let all = span(low.x, high.x).flat_map(|x| span(low.y, high.y).map(move |y| (x, y)));
        all.filter(|(x, y)| near(DVec2::new(*x as f64 + 0.5, *y as f64 + 0.5))).collect()
    }

    #[test]
    fn charts_lie_within_the_image_and_a_gutter_apart() {
        let px = 256;
        let charts: Vec<Chart> = (0..60).map(|at| chart(1.0 + f64::from(at % 7), 1.0 + f64::from(at % 11))).collect();
        let wishes: Vec<(&Chart, f64)> = charts.iter().map(|chart| (chart, 1.0)).collect();
        let (scale, laid) = pack(&wishes, px);
        // The triangles' own area, and a third of it at the least is used.
        let area: f64 = (0..60).map(|at| 0.5 * (1.0 + f64::from(at % 7)) * (1.0 + f64::from(at % 11))).sum();
        assert!(area * scale * scale > 0.33 * f64::from(px * px), "{scale}");
        let mut owner = std::collections::BTreeMap::new();
        for (at, laid) in laid.iter().enumerate() {
            assert!(
                laid.iter().all(|at| at.min_element() >= 1.0 - 1e-9 && at.max_element() <= f64::from(px) - 1.0 + 1e-9)
            );
            for texel in covered(laid, 0.5 * gutter(px) - 0.01) {
                assert_eq!(owner.insert(texel, at), None, "{at} at {texel:?}");
            }
        }
    }

    #[test]
    fn a_chart_that_wants_it_is_denser_and_none_is_stretched() {
        let (plain, dense) = (chart(3.0, 4.0), chart(3.0, 4.0));
        let (scale, laid) = pack(&[(&plain, 1.0), (&dense, 2.0)], 256);
        // The long side of the right triangle is 5.
        for (laid, times) in [(&laid[0], 1.0), (&laid[1], 2.0)] {
            assert!(((laid[2] - laid[1]).length() - 5.0 * times * scale).abs() < 1e-9);
        }
    }
}
