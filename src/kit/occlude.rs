//! Tell how much of the sky a place on a surface sees, and whether it stands out or lies in a fold.
//!
//! Reads: the solids of all parts. Writes: a [`Light`] for a place and its normal. Pure.
//!
//! A few points above the place are asked how near the nearest surface is: where it is nearer than the place's own would
//! be on a plain, something stands about. So a belt darkens the tunic beneath it. A part that covers the place wholly
//! darkens nothing: the place is only seen where a study hides that part. Parts that are hidden from the first darken
//! only themselves.
//!
//! Source: A. Evans, "Fast Approximations for Global Illumination on Dynamic Scenes", SIGGRAPH 2006 courses; many
//! texels ask, so distances are sampled into grids first.

use glam::DVec3;
use rayon::prelude::*;

use super::field::{Placed, distance};
use super::trig::smooth;

/// The darkest that a place gets for what stands about it.
pub(super) const DARKEST: f64 = 0.55;
/// Samples of one grid at the most, about.
const MOST_SAMPLES: f64 = 100_000.0;
/// How far the points asked are from the place, in reaches.
const FURTHEST: f64 = 3.6;

/// What stands in the scene, piece by piece.
pub(super) struct Surroundings<'a> {
    bodies: Vec<Body<'a>>,
    /// Unit of length for all distances here: a hundredth of a worker.
    reach: f64,
}

/// One piece as it is handed in.
pub(super) struct Piece<'a> {
    pub solids: &'a [Placed],
    /// Edge of the grid cell that it was meshed with.
    pub cell: f64,
    /// Not seen unless asked for.
    pub hidden: bool,
}

struct Body<'a> {
    solids: &'a [Placed],
    hidden: bool,
    /// Box that holds all that it may darken.
    low: DVec3,
    high: DVec3,
    grid: Option<Grid>,
}

/// How a place is lit by its surroundings alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Light {
    /// From [`DARKEST`] to 1, the open sky.
    pub open: f64,
    /// Above 0 on an edge or tip, below in a fold; about -0.5 to 0.5.
    pub bulge: f64,
}

impl<'a> Surroundings<'a> {
    /// With grids it answers many questions fast; without, few without delay.
    pub(super) fn new(pieces: &[Piece<'a>], reach: f64, grids: bool) -> Self {
        let bodies = pieces.par_iter().map(|piece| Body::new(piece, reach, grids)).collect();
        Self { bodies, reach }
    }

    /// The pieces that matter to places within `radius` of `middle` on the piece `own`; `own` first.
    pub(super) fn near(&self, own: usize, middle: DVec3, radius: f64) -> Vec<usize> {
        let within = |body: &Body<'_>| {
            let outside = (body.low - middle).max(middle - body.high).max_element();
            outside <= radius && body.distance(middle) <= radius + FURTHEST * self.reach
        };
        let others = self.bodies.iter().enumerate().filter(|(at, body)| *at != own && !body.hidden && within(body));
        std::iter::once(own).chain(others.map(|(at, _)| at)).collect()
    }

    /// At a place on the first of `near`, with its unit normal.
    pub(super) fn light(&self, near: &[usize], at: DVec3, normal: DVec3) -> Light {
        let (right, up) = across(normal);
        let own = &self.bodies[near[0]];
        // How much each piece counts: not at all once it covers the place.
        let mut counts = [(own, 1.0); 12];
        let mut count = 1;
        for body in near[1..].iter().map(|at| &self.bodies[*at]) {
            let share = smooth((body.distance(at) / self.reach + 1.6) / 1.2);
            if share > 0.0 && count < counts.len() {
                counts[count] = (body, share);
                count += 1;
            }
        }
        let counts = &counts[..count];
        // Plain loops: this is asked a million times a model.
        let blocked = |direction: DVec3, far: f64, rise: f64| {
            let free = far * rise;
            let point = at + direction * far;
            let mut clear = free;
            for (body, share) in counts {
                clear = clear.min(free + (body.distance(point) - free) * share);
            }
            (1.0 - clear / free).min(1.0)
        };
        let (mut sum, mut all) = (0.0, 0.0);
        for (far, weight) in [(0.6, 1.0), (1.5, 1.0), (FURTHEST, 0.8)] {
            sum += weight * blocked(normal, far * self.reach, 1.0);
            all += weight;
        }
        let own_distance = own.distance(at);
        let mut rise = 0.0;
        for side in [right, -right, up, -up] {
            let slant = normal * 0.6 + side * 0.8;
            for (far, weight) in [(1.0, 0.5), (2.8, 0.5)] {
                sum += weight * blocked(slant, far * self.reach, 0.6);
                all += weight;
            }
            rise += own.distance(at + side * (BULGE * self.reach)) - own_distance;
        }
        let open = 1.0 - (1.0 - DARKEST) * (2.3 * sum / all).min(1.0);
        Light { open, bulge: (0.25 * rise / (BULGE * self.reach)).clamp(-1.0, 1.0) }
    }
}

/// How far to the sides a bulge is measured, in reaches.
const BULGE: f64 = 1.1;

impl Light {
    /// What a painter makes of it: shadows with some colour, edges a little lighter, folds darker, all darker towards
    /// the feet. `height` is 0 at the ground to 1 at the top.
    pub(super) fn shade(self, normal: DVec3, height: f64) -> [f64; 3] {
        let edge = 1.0 + 0.18 * smooth((self.bulge - 0.07) / 0.3) - 0.28 * smooth((-self.bulge - 0.02) / 0.25);
        let fall = 0.8 + 0.3 * smooth(0.12 + height / 0.75);
        let sky = 1.0 + 0.05 * normal.y;
        let shadow = 1.0 - self.open;
        // Less light leaves a shadow warmer and fuller, never grey.
        [0.92, 1.02, 1.06].map(|much| (1.0 - shadow * much) * edge * fall * sky)
    }
}

/// Two directions across a unit one.
pub(super) fn across(normal: DVec3) -> (DVec3, DVec3) {
    let other = if normal.y.abs() < 0.8 { DVec3::Y } else { DVec3::Z };
    let right = other.cross(normal).normalize_or(DVec3::X);
    (right, normal.cross(right))
}

impl<'a> Body<'a> {
    fn new(piece: &Piece<'a>, reach: f64, grids: bool) -> Self {
        let solid = piece.solids.iter().filter(|solid| !solid.cut && !solid.within).map(Placed::bounds);
        let (low, high) = solid
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (one, other)| (low.min(one), high.max(other)));
        let (low, high) = (low - FURTHEST * reach, high + FURTHEST * reach);
        let size = high - low;
        let cell = (0.6 * piece.cell).max(fine(size));
        let grid = (grids && size.is_finite()).then(|| Grid::new(piece.solids, low, size, cell, reach));
        Self { solids: piece.solids, hidden: piece.hidden, low, high, grid }
    }

    #[inline]
    fn distance(&self, at: DVec3) -> f64 {
        match &self.grid {
            Some(grid) => grid.distance(at),
            None => distance(self.solids, at),
        }
    }
}

/// The least cell with which a box takes no more samples than allowed, found without a cube root's library.
fn fine(size: DVec3) -> f64 {
    let volume = size.x * size.y * size.z;
    let mut cell = 0.05;
    while volume / (cell * cell * cell) > MOST_SAMPLES && cell < 1e6 {
        cell *= 1.05;
    }
    cell
}

/// Distances on a lattice, in between mixed.
struct Grid {
    low: DVec3,
    per_cell: f64,
    size: [usize; 3],
    samples: Vec<f32>,
}

/// Edge of a block of samples that is asked once whether it matters.
const BLOCK: usize = 4;

impl Grid {
    fn new(solids: &[Placed], low: DVec3, span: DVec3, cell: f64, reach: f64) -> Self {
        let size = (span / cell).to_array().map(|along| along.ceil() as usize + 2);
        let layer = size[0] * size[1];
        let mut samples = vec![0.0f32; layer * size[2]];
        let place = |x: f64, y: f64, z: f64| low + DVec3::new(x, y, z) * cell;
        // Further from the surface than this nothing is asked exactly.
        let far = FURTHEST * reach + cell * BLOCK as f64;
        samples.par_chunks_mut(layer * BLOCK).enumerate().for_each(|(slab, samples)| {
            let deep = samples.len() / layer;
            let starts = |along: usize| (0..along).step_by(BLOCK);
            for (y0, x0) in starts(size[1]).flat_map(|y| starts(size[0]).map(move |x| (y, x))) {
                let half = 0.5 * (BLOCK - 1) as f64;
                let z0 = slab * BLOCK;
                let middle = distance(solids, place(x0 as f64 + half, y0 as f64 + half, z0 as f64 + half));
                let exact = middle.abs() < far;
                for z in 0..deep {
                    for y in y0..(y0 + BLOCK).min(size[1]) {
                        for x in x0..(x0 + BLOCK).min(size[0]) {
                            let own = || distance(solids, place(x as f64, y as f64, (z0 + z) as f64));
                            samples[z * layer + y * size[0] + x] = if exact { own() } else { middle } as f32;
                        }
                    }
                }
            }
        });
        Self { low, per_cell: 1.0 / cell, size, samples }
    }

    #[inline]
    fn distance(&self, at: DVec3) -> f64 {
        let local = (at - self.low) * self.per_cell;
        let part = |value: f64, size: usize| {
            // Through 32 bits, which processors convert at once.
            let value = value.max(0.0).min((size - 1) as f64 - 1e-6);
            let whole = value as i32;
            (whole as usize, (value - f64::from(whole)) as f32)
        };
        let ((x, u), (y, v), (z, w)) =
            (part(local.x, self.size[0]), part(local.y, self.size[1]), part(local.z, self.size[2]));
        let row = self.size[0];
        let first = x + row * (y + self.size[1] * z);
        let pair = |at: usize| {
            let pair = &self.samples[at..at + 2];
            pair[0] + (pair[1] - pair[0]) * u
        };
        let layer = row * self.size[1];
        let low = pair(first) + (pair(first + row) - pair(first)) * v;
        let high = pair(first + layer) + (pair(first + layer + row) - pair(first + layer)) * v;
        f64::from(low + (high - low) * w)
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::Solid;
    use super::super::field::tests::alone;
    use super::*;

    fn wall(half: DVec3, middle: DVec3) -> Vec<Placed> {
        let mut wall = alone(Solid::Block { half, round: 0.01 });
        wall.origin = middle;
        vec![wall.hulled()]
    }

    fn lit(bodies: &[&[Placed]], hidden: bool, at: DVec3, normal: DVec3, grids: bool) -> Light {
        let pieces: Vec<Piece<'_>> = bodies
            .iter()
            .enumerate()
            .map(|(at, solids)| Piece { solids, cell: 0.5, hidden: hidden && at > 0 })
            .collect();
        let around = Surroundings::new(&pieces, 1.0, grids);
        around.light(&around.near(0, at, 0.5), at, normal)
    }

    #[test]
    fn a_plain_is_open_and_flat_and_a_corner_is_neither() {
        let floor = wall(DVec3::new(20.0, 2.0, 20.0), DVec3::NEG_Y * 2.0);
        let side = wall(DVec3::new(2.0, 8.0, 20.0), DVec3::new(-4.0, 8.0, 0.0));
        for grids in [false, true] {
            let plain = lit(&[&floor], false, DVec3::X * 3.0, DVec3::Y, grids);
            assert!(plain.open > 0.99 && plain.bulge.abs() < 0.02, "{plain:?}");
            let corner = lit(&[&floor, &side], false, DVec3::X * -1.9, DVec3::Y, grids);
            assert!(corner.open < 0.85 && corner.open >= DARKEST, "{corner:?}");
            // From the foot of a wall outwards it only gets lighter.
            let walk = (0..8).map(|step| DVec3::X * (-1.9 + 0.6 * f64::from(step)));
            let open: Vec<f64> = walk.map(|at| lit(&[&floor, &side], false, at, DVec3::Y, grids).open).collect();
            assert!(open.windows(2).all(|pair| pair[1] > pair[0] - 1e-3), "{open:?}");
        }
    }

    #[test]
    fn what_covers_a_place_wholly_or_is_hidden_does_not_darken_it() {
        let floor = wall(DVec3::new(20.0, 2.0, 20.0), DVec3::NEG_Y * 2.0);
        let heap = wall(DVec3::splat(9.0), DVec3::ZERO);
        assert!(lit(&[&floor, &heap], false, DVec3::ZERO, DVec3::Y, true).open > 0.97);
        let side = wall(DVec3::new(2.0, 8.0, 20.0), DVec3::new(-4.0, 8.0, 0.0));
        assert!(lit(&[&floor, &side], true, DVec3::X * -1.9, DVec3::Y, true).open > 0.99);
    }

    /// On a ball of radius R, a step s along the tangent is about s^2 / 2R above the surface; in a bowl as much below.
    #[test]
    fn a_ball_bulges_and_a_bowl_the_other_way() {
        let ball = vec![alone(Solid::Ball(DVec3::splat(5.0)))];
        let bulge = lit(&[&ball], false, DVec3::Y * 5.0, DVec3::Y, false).bulge;
        let height = (25.0f64 + BULGE * BULGE).sqrt() - 5.0;
        assert!((bulge - height / BULGE).abs() < 1e-9, "{bulge}");
        let mut hole = alone(Solid::Ball(DVec3::splat(5.0)));
        hole.cut = true;
        let bowl = vec![alone(Solid::Block { half: DVec3::splat(9.0), round: 0.1 }), hole];
        let light = lit(&[&bowl], false, DVec3::NEG_Y * 5.0, DVec3::Y, false);
        assert!((light.bulge + height / BULGE).abs() < 1e-9 && light.open < 0.95, "{light:?}");
    }

    #[test]
    fn a_grid_is_as_good_as_the_solids() {
        let ball = vec![alone(Solid::Ball(DVec3::splat(5.0)))];
        let piece = [Piece { solids: &ball, cell: 0.5, hidden: false }];
        let grid = Surroundings::new(&piece, 1.0, true);
        for step in 0..50 {
            let at = DVec3::new(f64::from(step) * 0.1, 4.0, f64::from(step) * -0.05);
            assert!((grid.bodies[0].distance(at) - distance(&ball, at)).abs() < 0.02, "{at}");
        }
    }
}
