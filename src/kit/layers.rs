//! Keep what lies over something apart from it where few triangles are left to say which is on top.
//!
//! Reads: thinned surfaces with their solids. Writes: their vertices, moved. Pure.
//!
//! Two smooth skins a finger apart cross once each is a handful of flat triangles: a leg then shows through its boot. So
//! what another part covers sinks, which nobody sees, and a visible place close over another part rises a little.

use rayon::prelude::*;

use glam::DVec3;

use super::field::{Placed, distance, gradient};
use super::surface::Surface;
use super::trig::smooth;

/// How deep a place must lie in another part to be covered wholly.
const COVERED: f64 = 0.6;
/// Parts whose grid is this fine are small things on a larger one: eyes, teeth.
const SMALL: f64 = 0.6;
/// A part sinks no further than this many cells of its own grid: small things are finely meshed, and thin.
const DEEPEST: f64 = 0.7;

/// The solids of all parts.
pub(super) struct Layers(Vec<(usize, Vec<Placed>)>);

impl Layers {
    /// Hidden parts cover nothing: whoever shows them wants what is beneath as well.
    pub(super) fn of(parts: &[Surface<'_>]) -> Self {
        let seen = parts.iter().enumerate().filter(|(_, part)| !part.spec.hidden);
        Self(seen.flat_map(|(at, part)| part.pieces.iter().map(move |piece| (at, piece.solids.clone()))).collect())
    }

    /// Moves vertices by up to `room`, in hundredths of the height.
    pub(super) fn part(&self, parts: &mut [Surface<'_>], room: f64) {
        parts.par_iter_mut().enumerate().for_each(|(own, part)| {
            let deepest = room.min(DEEPEST * part.cell);
            let small = part.cell <= SMALL;
            for piece in &mut part.pieces {
                for (at, normal) in std::iter::zip(&mut piece.shell.positions, &piece.shell.normals) {
                    let (above, over) = self.nearest(own, *at, *normal);
                    *at += *normal * moved(above, over, small, room, deepest);
                }
            }
        });
    }

    /// Distance to the nearest other part, and how squarely the place faces away from it: 1 right over it, 0 beside.
    fn nearest(&self, own: usize, at: DVec3, normal: DVec3) -> (f64, f64) {
        let others = self.0.iter().filter(|(part, _)| *part != own).map(|(_, solids)| (distance(solids, at), solids));
        let nearest = others.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or((f64::INFINITY, 0.0), |(above, solids)| {
            (above, gradient(solids, at).normalize_or(DVec3::ZERO).dot(normal).max(0.0))
        })
    }
}

/// How far a place moves out; below 0, in.
fn moved(above: f64, over: f64, small: bool, room: f64, deepest: f64) -> f64 {
    if above < 0.0 {
        return -deepest * smooth(-above / COVERED);
    }
    // Not at the rim, where two surfaces meet, nor far above. Small things rise whole: they lie in hollows, which few
    // triangles fill.
    let rim = if small { 1.0 } else { over * smooth(2.0 * above / room) };
    0.6 * room * rim * (1.0 - smooth((above - room) / room))
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn what_is_covered_sinks_and_what_lies_close_over_something_rises() {
        let plain = |above: f64| moved(above, 1.0, false, 1.0, 0.5);
        assert_eq!([-5.0, -0.6, 0.0].map(plain), [-0.5, -0.5, 0.0]);
        assert_eq!([1.0, 2.0, f64::INFINITY].map(plain), [0.6, 0.0, 0.0]);
        assert_eq!(moved(1.0, 0.0, false, 1.0, 0.5), 0.0, "beside a belt, not over it");
        assert_eq!(moved(0.0, 0.0, true, 1.0, 0.5), 0.6, "an eye in its socket");
    }
}
