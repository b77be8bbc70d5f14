//! Cut a surface into charts that lie flat.
//!
//! Reads: a mesh. Writes: charts, each some of its triangles with places in a plane, in the mesh's own unit. Pure.
//!
//! A chart is a region whose triangles all face within a cone, projected along the cone's axis: no triangle is turned
//! over or shrunk below the cosine of the cone's half angle. Regions are grown from seeds and grown again from their own
//! best triangles, then joined where two fit one cone, and halved where they sprawl. What would lie over another triangle of its chart becomes a
//! chart of its own.
//!
//! Source of growing again: D. Cohen-Steiner, P. Alliez, M. Desbrun, "Variational Shape Approximation", SIGGRAPH 2004,
//! doi:10.1145/1186562.1015817.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::{DVec2, DVec3};

use super::shell::Shell;
use super::trig::sin_cos;

/// Cosine of the half angle of the cone that a region is grown within: 48 degrees.
const GROWN_WITHIN: f64 = 0.67;
/// And of the cone that every chart ends within: 57 degrees.
pub(super) const FLAT_WITHIN: f64 = 0.54;
/// A region that fills less of its box than this is halved, unless it is a small share of all.
const SPRAWLS_BELOW: f64 = 0.5;
const SMALL: f64 = 0.004;
/// How often regions are grown again.
const ROUNDS: usize = 2;

/// Some triangles of a mesh, flat.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    /// Positions in the mesh's triangle list.
    pub triangles: Vec<usize>,
    /// Vertices of the mesh, each once.
    pub vertices: Vec<u32>,
    /// Where each lies; counter-clockwise as seen from outside.
    pub flat: Vec<DVec2>,
    /// As `triangles`, by position in `vertices`.
    pub corners: Vec<[u32; 3]>,
}

/// The charts of a mesh; every triangle is in exactly one.
pub(super) fn charts(shell: &Shell) -> Vec<Chart> {
    let faces = Faces::of(shell);
    let mut regions = Regions { of: vec![NONE; faces.normal.len()], axes: Vec::new() };
    regions.grow_anew(&faces);
    for _ in 0..ROUNDS {
        regions.grow_again(&faces);
    }
    regions.join(&faces);
    regions.halve_sprawling(&faces, shell);
    regions.flatten(&faces, shell)
}

const NONE: usize = usize::MAX;

/// What growing asks of triangles.
struct Faces {
    normal: Vec<DVec3>,
    area: Vec<f64>,
    centre: Vec<DVec3>,
    /// Triangles across each of the three edges.
    beside: Vec<[usize; 3]>,
}

impl Faces {
    fn of(shell: &Shell) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|at| shell.positions[at as usize]);
        let turned = |triangle: &[u32; 3]| {
            let [a, b, c] = corners(triangle);
            (b - a).cross(c - a)
        };
        // A sliver has no direction of its own worth following.
        let normal = |triangle: &[u32; 3]| {
            let smooth: DVec3 = triangle.iter().map(|at| shell.normals[*at as usize]).sum();
            let turned = turned(triangle);
            if turned.length() > 1e-9 { turned.normalize_or(DVec3::Y) } else { smooth.normalize_or(DVec3::Y) }
        };
        let mut edges: Vec<(u32, u32, usize, usize)> = Vec::with_capacity(3 * shell.triangles.len());
        for (face, triangle) in shell.triangles.iter().enumerate() {
            edges.extend((0..3).map(|edge| {
                let (a, b) = (triangle[edge], triangle[(edge + 1) % 3]);
                (a.min(b), a.max(b), face, edge)
            }));
        }
        edges.sort_unstable();
        let mut beside = vec![[NONE; 3]; shell.triangles.len()];
        for pair in edges.windows(2) {
            let ((a, b, face, edge), (c, d, other, back)) = (pair[0], pair[1]);
            if (a, b) == (c, d) {
                (beside[face][edge], beside[other][back]) = (other, face);
            }
        }
        Self {
            normal: shell.triangles.iter().map(normal).collect(),
            area: shell.triangles.iter().map(|triangle| 0.5 * turned(triangle).length()).collect(),
            centre: shell.triangles.iter().map(|triangle| corners(triangle).iter().sum::<DVec3>() / 3.0).collect(),
            beside,
        }
    }

    fn beside(&self, face: usize) -> impl Iterator<Item = usize> + '_ {
        self.beside[face].iter().copied().filter(|other| *other != NONE)
    }
}

/// A triangle that a region may take, the best fit first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Offer {
    misfit: f64,
    face: usize,
    region: usize,
}

impl Eq for Offer {}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.misfit
            .total_cmp(&other.misfit)
            .then_with(|| self.face.cmp(&other.face))
            .then_with(|| self.region.cmp(&other.region))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

struct Regions {
    /// The region of each triangle.
    of: Vec<usize>,
    /// Mean direction of each region, unit.
    axes: Vec<DVec3>,
}

impl Regions {
    /// Grows a region from every triangle that still has none, in order.
    fn grow_anew(&mut self, faces: &Faces) {
        for seed in 0..self.of.len() {
            if self.of[seed] != NONE {
                continue;
            }
            let region = self.axes.len();
            let mut sum = DVec3::ZERO;
            let mut queue = BinaryHeap::from([Reverse(Offer { misfit: 0.0, face: seed, region })]);
            while let Some(Reverse(offer)) = queue.pop() {
                let face = offer.face;
                let fits = sum == DVec3::ZERO || sum.normalize_or(DVec3::Y).dot(faces.normal[face]) > GROWN_WITHIN;
                if self.of[face] != NONE || !fits {
                    continue;
                }
                self.of[face] = region;
                sum += faces.normal[face] * faces.area[face].max(1e-9);
                let axis = sum.normalize_or(faces.normal[seed]);
                for other in faces.beside(face).filter(|other| self.of[*other] == NONE) {
                    let far = (faces.centre[other] - faces.centre[seed]).length();
                    let misfit = 1.0 - axis.dot(faces.normal[other]) + 0.004 * far;
                    queue.push(Reverse(Offer { misfit, face: other, region }));
                }
            }
            self.axes.push(sum.normalize_or(faces.normal[seed]));
        }
    }

    /// Grows all regions once more, together, each from the triangle that fits it best.
    fn grow_again(&mut self, faces: &Faces) {
        self.renew_axes(faces);
        let mut seeds: Vec<Option<Offer>> = vec![None; self.axes.len()];
        let mut middles = vec![(DVec3::ZERO, 0.0); self.axes.len()];
        for (face, region) in self.of.iter().copied().enumerate() {
            middles[region].0 += faces.centre[face] * faces.area[face];
            middles[region].1 += faces.area[face];
        }
        for (face, region) in self.of.iter().copied().enumerate() {
            let (sum, area) = middles[region];
            let far = (faces.centre[face] - sum / f64::max(area, 1e-12)).length();
            let misfit = 1.0 - self.axes[region].dot(faces.normal[face]) + 0.02 * far;
            let offer = Offer { misfit, face, region };
            if seeds[region].is_none_or(|best| offer < best) {
                seeds[region] = Some(offer);
            }
        }
        self.of.fill(NONE);
        let mut queue: BinaryHeap<Reverse<Offer>> = seeds.into_iter().flatten().map(Reverse).collect();
        while let Some(Reverse(Offer { face, region, .. })) = queue.pop() {
            if self.of[face] != NONE {
                continue;
            }
            self.of[face] = region;
            for other in faces.beside(face).filter(|other| self.of[*other] == NONE) {
                let fit = self.axes[region].dot(faces.normal[other]);
                if fit > GROWN_WITHIN {
                    queue.push(Reverse(Offer { misfit: 1.0 - fit, face: other, region }));
                }
            }
        }
        self.grow_anew(faces);
        self.renew_axes(faces);
    }

    fn renew_axes(&mut self, faces: &Faces) {
        let mut sums = vec![DVec3::ZERO; self.axes.len()];
        for (face, region) in self.of.iter().copied().enumerate() {
            sums[region] += faces.normal[face] * faces.area[face].max(1e-9);
        }
        for (axis, sum) in std::iter::zip(&mut self.axes, sums) {
            *axis = sum.normalize_or(*axis);
        }
    }

    /// Joins neighbours that fit one cone, those with the longest common border first.
    fn join(&mut self, faces: &Faces) {
        loop {
            let mut borders: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for (face, region) in self.of.iter().copied().enumerate() {
                for other in faces.beside(face).map(|other| self.of[other]).filter(|other| *other > region) {
                    *borders.entry((region, other)).or_default() += 1;
                }
            }
            let mut pairs: Vec<(Reverse<usize>, usize, usize)> =
                borders.into_iter().map(|((one, other), length)| (Reverse(length), one, other)).collect();
            pairs.sort_unstable();
            let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.axes.len()];
            self.of.iter().enumerate().for_each(|(face, region)| members[*region].push(face));
            let mut touched = vec![false; self.axes.len()];
            let mut joined = false;
            for (_, one, other) in pairs {
                if touched[one] || touched[other] {
                    continue;
                }
                let both = || members[one].iter().chain(&members[other]).copied();
                let sum: DVec3 = both().map(|face| faces.normal[face] * faces.area[face].max(1e-9)).sum();
                let axis = sum.normalize_or(self.axes[one]);
                if both().all(|face| axis.dot(faces.normal[face]) > FLAT_WITHIN + 0.01) {
                    members[other].iter().for_each(|face| self.of[*face] = one);
                    self.axes[one] = axis;
                    (touched[one], touched[other], joined) = (true, true, true);
                }
            }
            if !joined {
                return;
            }
        }
    }

    /// Halves regions that leave most of their box empty: arms that reach out from a chest.
    fn halve_sprawling(&mut self, faces: &Faces, shell: &Shell) {
        let total: f64 = faces.area.iter().sum();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.axes.len()];
        self.of.iter().enumerate().for_each(|(face, region)| members[*region].push(face));
        let mut at = 0;
        while at < members.len() {
            let own = &members[at];
            let area: f64 = own.iter().map(|face| faces.area[*face]).sum();
            if own.len() < 8 || area < SMALL * total || box_filled(own, self.axes[at], shell) > SPRAWLS_BELOW {
                at += 1;
                continue;
            }
            let furthest = |from: DVec3| {
                let far = |face: &usize| (faces.centre[*face] - from).length_squared();
                own.iter().copied().max_by(|one, other| far(one).total_cmp(&far(other))).unwrap_or(own[0])
            };
            let one = furthest(faces.centre[own[0]]);
            let other = furthest(faces.centre[one]);
            if one == other {
                at += 1;
                continue;
            }
            let new = self.axes.len();
            own.iter().for_each(|face| self.of[*face] = NONE);
            self.flood(&[(one, at), (other, new)], own, faces);
            self.axes.push(self.axes[at]);
            let (kept, given) = own.iter().partition(|face| self.of[**face] == at);
            members[at] = kept;
            members.push(given);
            for region in [at, new] {
                let sum: DVec3 =
                    members[region].iter().map(|face| faces.normal[*face] * faces.area[*face].max(1e-9)).sum();
                self.axes[region] = sum.normalize_or(self.axes[at]);
            }
        }
    }

    /// Shares `own` among seeds, each triangle to the one with the shortest way over it.
    fn flood(&mut self, seeds: &[(usize, usize)], own: &[usize], faces: &Faces) {
        let mut queue: BinaryHeap<Reverse<Offer>> =
            seeds.iter().map(|(face, region)| Reverse(Offer { misfit: 0.0, face: *face, region: *region })).collect();
        let within: std::collections::BTreeSet<usize> = own.iter().copied().collect();
        while let Some(Reverse(Offer { misfit, face, region })) = queue.pop() {
            if self.of[face] != NONE {
                continue;
            }
            self.of[face] = region;
            for other in faces.beside(face).filter(|other| self.of[*other] == NONE && within.contains(other)) {
                let way = misfit + (faces.centre[other] - faces.centre[face]).length();
                queue.push(Reverse(Offer { misfit: way, face: other, region }));
            }
        }
        // Islands go with the last seed.
        let last = seeds[seeds.len() - 1].1;
        for face in own {
            if self.of[*face] == NONE {
                self.of[*face] = last;
            }
        }
    }

    /// Projects every region; what does not lie flat is tried again as regions of its own.
    fn flatten(mut self, faces: &Faces, shell: &Shell) -> Vec<Chart> {
        let mut out = Vec::new();
        let mut open: Vec<usize> = (0..self.axes.len()).collect();
        loop {
            self.renew_axes(faces);
            let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.axes.len()];
            let wanted: Vec<bool> = (0..self.axes.len()).map(|region| open.contains(&region)).collect();
            for (face, region) in self.of.iter().copied().enumerate().filter(|(_, region)| wanted[*region]) {
                members[region].push(face);
            }
            let mut spilt = false;
            for region in open {
                let (chart, out_of_place) = flat(&members[region], self.axes[region], faces, shell);
                out.extend(chart);
                spilt |= !out_of_place.is_empty();
                out_of_place.into_iter().for_each(|face| self.of[face] = NONE);
            }
            if !spilt {
                return out;
            }
            let first = self.axes.len();
            self.grow_anew(faces);
            open = (first..self.axes.len()).collect();
        }
    }
}

/// The triangles projected along `axis`, and those that would be too steep or lie over others.
fn flat(members: &[usize], axis: DVec3, faces: &Faces, shell: &Shell) -> (Option<Chart>, Vec<usize>) {
    let (right, up) = plane(axis);
    let project = |at: u32| {
        let at = shell.positions[at as usize];
        DVec2::new(at.dot(right), at.dot(up))
    };
    let mut lain = Lain::new(members.iter().map(|face| faces.area[*face]).sum());
    let mut left = Vec::new();
    let mut chart = Chart { triangles: Vec::new(), vertices: Vec::new(), flat: Vec::new(), corners: Vec::new() };
    let mut place: BTreeMap<u32, u32> = BTreeMap::new();
    let fit = |face: usize| axis.dot(faces.normal[face]);
    // The best fit is taken whatever it is, so that every try ends with fewer triangles left.
    let best = members.iter().copied().max_by(|one, other| fit(*one).total_cmp(&fit(*other)));
    let others = members.iter().copied().filter(|face| Some(*face) != best);
    for face in best.into_iter().chain(others) {
        let triangle = shell.triangles[face];
        let first = Some(face) == best;
        if !first && (fit(face) < FLAT_WITHIN || !lain.fits(triangle.map(project))) {
            left.push(face);
            continue;
        }
        if first {
            lain.fits(triangle.map(project));
        }
        chart.triangles.push(face);
        chart.corners.push(triangle.map(|vertex| {
            *place.entry(vertex).or_insert_with(|| {
                chart.vertices.push(vertex);
                chart.flat.push(project(vertex));
                chart.vertices.len() as u32 - 1
            })
        }));
    }
    ((!chart.triangles.is_empty()).then_some(chart), left)
}

/// How much of the least box about a region's projection its triangles fill.
fn box_filled(members: &[usize], axis: DVec3, shell: &Shell) -> f64 {
    let (right, up) = plane(axis);
    let corners = |face: &usize| {
        shell.triangles[*face].map(|at| shell.positions[at as usize]).map(|at| DVec2::new(at.dot(right), at.dot(up)))
    };
    let flat: Vec<[DVec2; 3]> = members.iter().map(corners).collect();
    let area: f64 = flat.iter().map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a).abs()).sum();
    let least = (0..6).map(|turn| {
        let (sin, cos) = sin_cos(std::f64::consts::FRAC_PI_2 * f64::from(turn) / 6.0);
        let turned = flat.as_flattened().iter().map(|at| DVec2::new(at.x * cos - at.y * sin, at.x * sin + at.y * cos));
        let (low, high) =
            turned.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        (high.x - low.x) * (high.y - low.y)
    });
    area / least.fold(f64::INFINITY, f64::min).max(1e-12)
}

/// Two directions across a unit one, the second as much upwards as can be; right-handed with it.
fn plane(axis: DVec3) -> (DVec3, DVec3) {
    let upwards = if axis.y.abs() > 0.9 { DVec3::Z } else { DVec3::Y };
    let right = upwards.cross(axis).normalize_or(DVec3::X);
    (right, axis.cross(right))
}

/// Triangles that lie in a plane, found again by squares of a grid.
struct Lain {
    square: f64,
    by_square: BTreeMap<(i64, i64), Vec<usize>>,
    triangles: Vec<[DVec2; 3]>,
}

impl Lain {
    fn new(area: f64) -> Self {
        Self { square: (0.02 * area).sqrt().max(1e-6), by_square: BTreeMap::new(), triangles: Vec::new() }
    }

    /// Lays a triangle down unless it would lie over another.
    fn fits(&mut self, triangle: [DVec2; 3]) -> bool {
        let low = triangle.iter().copied().fold(DVec2::INFINITY, DVec2::min) / self.square;
        let high = triangle.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max) / self.square;
        let squares = || {
            (low.x.floor() as i64..=high.x.floor() as i64)
                .flat_map(move |x| (low.y.floor() as i64..=high.y.floor() as i64).map(move |y| (x, y)))
        };
        let near = squares().filter_map(|square| self.by_square.get(&square)).flatten();
        if near.copied().any(|other| overlap(triangle, self.triangles[other])) {
            return false;
        }
        let at = self.triangles.len();
        squares().for_each(|square| self.by_square.entry(square).or_default().push(at));
        self.triangles.push(triangle);
        true
    }
}

/// Whether two triangles, both counter-clockwise, share more than a border: no edge of either keeps them apart.
fn overlap(one: [DVec2; 3], other: [DVec2; 3]) -> bool {
    let apart = |edges: &[DVec2; 3], beyond: &[DVec2; 3]| {
        (0..3).any(|at| {
            let (from, to) = (edges[at], edges[(at + 1) % 3]);
            let along = to - from;
            let slack = 1e-9 + 1e-7 * along.length_squared();
            beyond.iter().all(|point| along.perp_dot(*point - from) <= slack)
        })
    };
    !apart(&one, &other) && !apart(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::field::tests::alone;
    use crate::kit::field::{Placed, Solid};
    use crate::kit::shell::mesh;

    fn shell_of(solids: Vec<Solid>, cell: f64) -> Shell {
        let solids: Vec<Placed> = solids.into_iter().map(alone).collect();
        mesh(&solids, cell).unwrap()
    }

    /// A tongue that reaches out over a plate, joined to it at one end: seen from above it hides what is beneath it.
    fn tongue() -> Shell {
        let path =
            [(DVec3::new(-6.0, 1.5, 0.0), 1.2), (DVec3::new(0.0, 3.5, 0.0), 1.2), (DVec3::new(6.0, 4.5, 0.0), 1.2)];
        shell_of(
            vec![Solid::Block { half: DVec3::new(9.0, 1.0, 9.0), round: 0.5 }, Solid::path(&path, DVec3::ONE)],
            0.7,
        )
    }

    fn flat_area([a, b, c]: [DVec2; 3]) -> f64 {
        0.5 * (b - a).perp_dot(c - a)
    }

    #[test]
    fn every_triangle_is_in_one_chart_and_keeps_more_than_half_its_area() {
        for shell in [tongue(), shell_of(vec![Solid::Ball(DVec3::splat(9.0))], 1.0)] {
            let mut seen = vec![0; shell.triangles.len()];
            for chart in charts(&shell) {
                for (face, corners) in std::iter::zip(&chart.triangles, &chart.corners) {
                    seen[*face] += 1;
                    let at = shell.triangles[*face].map(|at| shell.positions[at as usize]);
                    let solid = 0.5 * (at[1] - at[0]).cross(at[2] - at[0]).length();
                    let flat = flat_area(corners.map(|at| chart.flat[at as usize]));
                    // Projected area is the area times the cosine to the axis.
                    assert!(flat > (FLAT_WITHIN - 1e-6) * solid && flat < solid * (1.0 + 1e-9), "{flat} of {solid}");
                    for (own, corner) in std::iter::zip(shell.triangles[*face], corners) {
                        assert_eq!(chart.vertices[*corner as usize], own);
                    }
                }
            }
            assert!(seen.iter().all(|times| *times == 1));
        }
    }

    /// A ball within cones of 48 degrees takes six charts at the least it could; a careless cut takes many more.
    #[test]
    fn a_ball_takes_few_charts() {
        let count = charts(&shell_of(vec![Solid::Ball(DVec3::splat(9.0))], 1.0)).len();
        assert!((5..=14).contains(&count), "{count}");
    }

    #[test]
    fn nothing_lies_over_another_even_under_a_tongue() {
        for chart in charts(&tongue()) {
            let triangles: Vec<[DVec2; 3]> =
                chart.corners.iter().map(|corners| corners.map(|at| chart.flat[at as usize])).collect();
            let area: f64 = triangles.iter().copied().map(flat_area).sum();
            // Sample points, each within one triangle at most.
            for (at, triangle) in triangles.iter().enumerate() {
                let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
                let holds = |[a, b, c]: &[DVec2; 3]| {
                    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| (**to - **from).perp_dot(middle - **from) > 0.0)
                };
                let holders = triangles.iter().filter(|triangle| holds(triangle)).count();
                assert_eq!(holders, 1, "triangle {at} of a chart of area {area}");
            }
        }
    }

    #[test]
    fn triangles_that_share_an_edge_do_not_overlap_and_those_that_cross_do() {
        let at = |x: f64, y: f64| DVec2::new(x, y);
        let one = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
        assert!(!overlap(one, [at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)]));
        assert!(overlap(one, [at(0.2, 0.2), at(1.2, 0.2), at(0.2, 1.2)]));
        assert!(overlap(one, one));
    }
}
