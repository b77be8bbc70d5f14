//! Measure how far a point is from a body made of simple solids that melt into each other.
//!
//! Reads: solids placed in body space. Writes: signed distances, negative inside, and gradients. Pure.
//!
//! Distances to ellipsoids and stretched limbs are approximate; only their zero and sign are relied on.
//!
//! Source of the formulas: I. Quilez, "Distance functions", iquilezles.org/articles/distfunctions, for
//! the rounded cone, ellipsoid, rounded box and capped cone; quadratic smooth minimum from
//! "Smooth minimum", iquilezles.org/articles/smin.

use glam::{DMat3, DVec2, DVec3};

use super::relief::Relief;
use super::skeleton::{frame_along, mirrored};

/// A solid about its own origin.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Solid {
    /// Balls along a line, radii in step, all within stretched axes.
    Path { cones: Vec<Cone>, stretch: DVec3 },
    /// Radii along the axes.
    Ball(DVec3),
    /// Half edges, and how far edges are rounded.
    Block { half: DVec3, round: f64 },
    /// A stump along y from `-half` to `half`; z is `deep` times x.
    Tube { half: f64, low: f64, high: f64, deep: f64, round: f64 },
    /// A solid whose skin has pleats, dents or chips.
    Worn { smooth: Box<Self>, relief: Relief },
}

/// Two balls and what lies between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cone {
    start: DVec3,
    /// +Y towards the end.
    axes: DMat3,
    length: f64,
    first: f64,
    last: f64,
}

/// A solid in its place.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub solid: Solid,
    /// Body space from the solid's own.
    pub axes: DMat3,
    pub origin: DVec3,
    /// Whether it is the mirror image of what `axes` and `origin` say.
    pub mirror: bool,
    /// How far it melts into what came before.
    pub blend: f64,
    pub cut: bool,
    /// Leaves only what it covers.
    pub within: bool,
    /// The bone that carries it.
    pub bone: usize,
    /// Moves with that bone alone.
    pub rigid: bool,
    /// A ball that holds it, and how much less than the distance to that ball its own may be.
    pub hull: Hull,
}

/// A ball round a solid, in body space.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hull {
    centre: DVec3,
    radius: f64,
    least: f64,
}

impl Placed {
    /// The same with its hull.
    pub(super) fn hulled(mut self) -> Self {
        let (low, high) = self.bounds();
        let centre = low.midpoint(high);
        let to_balls = self.solid.balls().into_iter().map(|(at, radius)| (self.place(at) - centre).length() + radius);
        self.hull = Hull { centre, radius: to_balls.fold(0.0, f64::max), least: self.solid.least() };
        self
    }

    /// No more than the signed distance, and cheap.
    pub(super) fn at_least(&self, point: DVec3) -> f64 {
        ((point - self.hull.centre).length() - self.hull.radius) * self.hull.least
    }

    /// The place on its axis nearest to a point, and which way the axis runs there: along a limb or path, else its y.
    pub(super) fn grain(&self, point: DVec3) -> (DVec3, DVec3) {
        let local = self.axes.transpose() * (if self.mirror { mirrored(point) } else { point } - self.origin);
        let (foot, along) = self.solid.grain(local);
        let along = self.axes * along;
        (self.place(foot), if self.mirror { mirrored(along) } else { along })
    }

    /// Body space from the solid's own.
    pub(super) fn place(&self, local: DVec3) -> DVec3 {
        let point = self.origin + self.axes * local;
        if self.mirror { mirrored(point) } else { point }
    }

    /// Signed distance.
    pub(super) fn distance(&self, point: DVec3) -> f64 {
        let point = if self.mirror { mirrored(point) } else { point };
        self.solid.distance(self.axes.transpose() * (point - self.origin))
    }

    /// Corners of a box that holds it.
    pub(super) fn bounds(&self) -> (DVec3, DVec3) {
        self.solid.balls().into_iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (centre, radius)| {
            let centre = self.place(centre);
            (low.min(centre - radius), high.max(centre + radius))
        })
    }
}

impl Solid {
    /// Balls along a line of at least two points.
    pub(super) fn path(points: &[(DVec3, f64)], stretch: DVec3) -> Self {
        let cone = |ends: &[(DVec3, f64)]| {
            let ((start, first), (end, last)) = (ends[0], ends[1]);
            let axes = frame_along((end - start).normalize_or(DVec3::Y));
            Cone { start, axes, length: (end - start).length(), first, last }
        };
        Self::Path { cones: points.windows(2).map(cone).collect(), stretch }
    }

    /// The same, each stretch of it turned so that its +Z is near the normals at its ends.
    pub(super) fn ribbon(points: &[(DVec3, f64)], normals: &[DVec3], stretch: DVec3) -> Self {
        let cone = |(ends, out): (&[(DVec3, f64)], &[DVec3])| {
            let ((start, first), (end, last)) = (ends[0], ends[1]);
            let along = (end - start).normalize_or(DVec3::Y);
            let across = along.cross(out[0] + out[1]).normalize_or(DVec3::X);
            let axes = DMat3::from_cols(across, along, across.cross(along));
            Cone { start, axes, length: (end - start).length(), first, last }
        };
        Self::Path { cones: std::iter::zip(points.windows(2), normals.windows(2)).map(cone).collect(), stretch }
    }

    /// The points of a path, each with its radius before stretching, in the solid's own space.
    pub(super) fn points(&self) -> Vec<(DVec3, f64)> {
        let Self::Path { cones, .. } = self else { return Vec::new() };
        let first = cones.first().map(|cone| (cone.start, cone.first));
        let ends = cones.iter().map(|cone| (cone.start + cone.axes.y_axis * cone.length, cone.last));
        first.into_iter().chain(ends).collect()
    }

    fn distance(&self, p: DVec3) -> f64 {
        match self {
            Self::Path { cones, stretch } => {
                let widest = stretch.max_element();
                let nearest = cones.iter().fold(f64::INFINITY, |nearest, cone| {
                    // Too far away to be nearer: the answer is the same to the bit.
                    let reach = widest * (nearest + 0.5 * cone.length + cone.first.max(cone.last));
                    let middle = cone.start + cone.axes.y_axis * (0.5 * cone.length);
                    if reach > 0.0 && p.distance_squared(middle) >= reach * reach {
                        return nearest;
                    }
                    nearest.min(rounded_cone(cone.axes.transpose() * (p - cone.start) / *stretch, cone))
                });
                nearest * stretch.min_element()
            }
            Self::Ball(radii) => ellipsoid(p, *radii),
            Self::Block { half, round } => block(p, *half, *round),
            Self::Tube { half, low, high, deep, round } => {
                let p = DVec3::new(p.x, p.y, p.z / deep);
                let inner =
                    stump(DVec2::new(DVec2::new(p.x, p.z).length(), p.y), half - round, low - round, high - round);
                (inner - round) * deep.min(1.0)
            }
            Self::Worn { smooth, relief } => {
                let whole = smooth.distance(p);
                let chipped = match (&**smooth, &relief.chips) {
                    (Self::Block { half, .. }, Some(chips)) => chips.cut(whole, p, *half),
                    _ => whole,
                };
                let to_end = match &**smooth {
                    Self::Tube { half, .. } => half - p.y.abs(),
                    _ => f64::INFINITY,
                };
                chipped - relief.lift(p, to_end)
            }
        }
    }

    /// The place on its axis nearest to `p`, and the axis' direction there.
    fn grain(&self, p: DVec3) -> (DVec3, DVec3) {
        let on = |cone: &Cone| {
            let along = (p - cone.start).dot(cone.axes.y_axis).clamp(0.0, cone.length);
            (cone.start + cone.axes.y_axis * along, cone.axes.y_axis)
        };
        match self {
            Self::Path { cones, .. } => {
                let far = |cone: &&Cone| p.distance_squared(on(cone).0);
                cones.iter().min_by(|one, other| far(one).total_cmp(&far(other))).map_or((p, DVec3::Y), on)
            }
            Self::Worn { smooth, .. } => smooth.grain(p),
            _ => (DVec3::new(0.0, p.y, 0.0), DVec3::Y),
        }
    }

    /// The least share of a true distance that `distance` may give.
    fn least(&self) -> f64 {
        let share = |axes: DVec3| axes.min_element() / axes.max_element();
        match self {
            Self::Path { stretch, .. } => share(*stretch),
            Self::Ball(radii) => share(*radii),
            Self::Block { .. } => 1.0,
            Self::Tube { deep, .. } => share(DVec3::new(1.0, 1.0, *deep)),
            Self::Worn { smooth, .. } => smooth.least(),
        }
    }

    /// Balls that together hold the solid.
    fn balls(&self) -> Vec<(DVec3, f64)> {
        match self {
            Self::Path { cones, stretch } => {
                let wide = stretch.max_element();
                let ends = |cone: &Cone| {
                    [(cone.start, cone.first * wide), (cone.start + cone.axes.y_axis * cone.length, cone.last * wide)]
                };
                cones.iter().flat_map(ends).collect()
            }
            Self::Ball(radii) => vec![(DVec3::ZERO, radii.max_element())],
            Self::Block { half, .. } => vec![(DVec3::ZERO, half.length())],
            Self::Tube { half, low, high, deep, .. } => {
                let wide = low.max(*high) * deep.max(1.0);
                vec![(DVec3::ZERO, (wide * wide + half * half).sqrt())]
            }
            // A distance smaller by the lift is no less than `least` times one from balls that much larger.
            Self::Worn { smooth, relief } => {
                let more = relief.most_out() / smooth.least();
                smooth.balls().into_iter().map(|(at, radius)| (at, radius + more)).collect()
            }
        }
    }
}

fn rounded_cone(p: DVec3, cone: &Cone) -> f64 {
    let (length, ra, rb) = (cone.length, cone.first, cone.last);
    let q = DVec2::new(DVec2::new(p.x, p.z).length(), p.y);
    let slope = (ra - rb) / length.max(1e-9);
    if slope.abs() >= 1.0 {
        return (q.length() - ra).min((q - DVec2::new(0.0, length)).length() - rb);
    }
    let across = (1.0 - slope * slope).sqrt();
    let along = q.dot(DVec2::new(-slope, across));
    if along < 0.0 {
        q.length() - ra
    } else if along > across * length {
        (q - DVec2::new(0.0, length)).length() - rb
    } else {
        q.dot(DVec2::new(across, slope)) - ra
    }
}

fn ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    let near = (p / radii).length();
    let steep = (p / (radii * radii)).length();
    if steep < 1e-9 { -radii.min_element() } else { near * (near - 1.0) / steep }
}

fn block(p: DVec3, half: DVec3, round: f64) -> f64 {
    let q = p.abs() - (half - round);
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - round
}

/// In the half plane (distance from the axis, height): a stump of cone with flat ends.
fn stump(q: DVec2, half: f64, low: f64, high: f64) -> f64 {
    let rim = if q.y < 0.0 { low } else { high };
    let cap = DVec2::new(q.x - q.x.min(rim), q.y.abs() - half);
    let slant = DVec2::new(high - low, 2.0 * half);
    let top = DVec2::new(high, half);
    let along = ((top - q).dot(slant) / slant.length_squared().max(1e-12)).clamp(0.0, 1.0);
    let side = q - top + slant * along;
    let inside = side.x < 0.0 && cap.y < 0.0;
    let distance = cap.length_squared().min(side.length_squared()).sqrt();
    if inside { -distance } else { distance }
}

/// Solids joined in their order, with cuts taken out where they stand. Solids `within` that follow each
/// other cover together, so that one part can have several places.
pub(super) fn distance(solids: &[Placed], point: DVec3) -> f64 {
    let mut so_far = f64::INFINITY;
    for (at, placed) in solids.iter().enumerate() {
        if placed.within {
            let begins = at == 0 || !solids[at - 1].within;
            if begins {
                so_far = -melt(-so_far, -cover(&solids[at..], point), placed.blend);
            }
            continue;
        }
        // Too far away to matter: the answer is the same to the bit.
        let matters = if placed.cut { placed.blend - so_far } else { placed.blend + so_far };
        if so_far.is_finite() && placed.at_least(point) >= matters {
            continue;
        }
        let own = placed.distance(point);
        so_far = if placed.cut { -melt(-so_far, own, placed.blend) } else { melt(so_far, own, placed.blend) };
    }
    so_far
}

/// Distance to the run of solids `within` that begins a list.
fn cover(solids: &[Placed], point: DVec3) -> f64 {
    let run = solids.iter().take_while(|solid| solid.within);
    run.map(|solid| solid.distance(point)).fold(f64::INFINITY, f64::min)
}

/// The smaller of two distances, rounded where they are within `blend` of each other.
fn melt(a: f64, b: f64, blend: f64) -> f64 {
    let near = (blend - (a - b).abs()).max(0.0);
    if near > 0.0 { a.min(b) - near * near / (4.0 * blend) } else { a.min(b) }
}

/// The direction in which distance grows, by central differences; not unit length.
pub(super) fn gradient(solids: &[Placed], point: DVec3) -> DVec3 {
    const STEP: f64 = 0.02;
    let slope = |axis: DVec3| distance(solids, point + axis * STEP) - distance(solids, point - axis * STEP);
    DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z)) / (2.0 * STEP)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::kit) fn alone(solid: Solid) -> Placed {
        Placed {
            solid,
            axes: DMat3::IDENTITY,
            origin: DVec3::ZERO,
            mirror: false,
            blend: 0.0,
            cut: false,
            within: false,
            bone: 0,
            rigid: false,
            hull: Hull::default(),
        }
        .hulled()
    }

    /// A cone from radius 3 to 1 over length 5: its side touches the lower ball where the normal's
    /// slope is (3 - 1) / 5 = 0.4. Straight above the end the distance is to the small ball.
    #[test]
    fn a_limb_is_as_thick_as_its_balls() {
        let limb = alone(Solid::path(&[(DVec3::ZERO, 3.0), (DVec3::Y * 5.0, 1.0)], DVec3::ONE));
        assert!((limb.distance(DVec3::Y * 7.0) - 1.0).abs() < 1e-12);
        assert!((limb.distance(DVec3::Y * -4.0) - 1.0).abs() < 1e-12);
        let normal = DVec3::new((1.0f64 - 0.16).sqrt(), 0.4, 0.0);
        assert!(limb.distance(normal * 3.0).abs() < 1e-12);
        assert!(limb.distance(DVec3::Y * 5.0 + normal * 1.0).abs() < 1e-12);
    }

    /// A strap up the side of a body, 2 wide and 0.5 thick: thin along the normal, whichever way that is.
    #[test]
    fn a_ribbon_is_thin_along_its_normals() {
        let points = [(DVec3::ZERO, 2.0), (DVec3::Y * 9.0, 2.0)];
        let strap = alone(Solid::ribbon(&points, &[DVec3::X, DVec3::X], DVec3::new(1.0, 1.0, 0.25)));
        assert!(strap.distance(DVec3::new(0.5, 4.0, 0.0)).abs() < 1e-12);
        assert!(strap.distance(DVec3::new(0.0, 4.0, 2.0)).abs() < 1e-12);
    }

    #[test]
    fn boxes_and_tubes_measure_from_their_faces() {
        let block = alone(Solid::Block { half: DVec3::new(1.0, 2.0, 3.0), round: 0.5 });
        assert!((block.distance(DVec3::X * 4.0) - 3.0).abs() < 1e-12);
        assert!((block.distance(DVec3::ZERO) + 1.0).abs() < 1e-12);
        let tube = alone(Solid::Tube { half: 2.0, low: 3.0, high: 3.0, deep: 1.0, round: 0.5 });
        assert!((tube.distance(DVec3::Z * 5.0) - 2.0).abs() < 1e-12);
        assert!((tube.distance(DVec3::Y * 2.5) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_ellipsoid_ends_at_its_radii() {
        let ball = alone(Solid::Ball(DVec3::new(1.0, 2.0, 3.0)));
        for tip in [DVec3::X, DVec3::Y * 2.0, DVec3::NEG_Z * 3.0] {
            assert!(ball.distance(tip).abs() < 1e-12);
        }
        assert!(ball.distance(DVec3::ZERO) < 0.0);
    }

    /// A ball of radius 3 within a box of half edge 1: a box.
    #[test]
    fn within_leaves_only_what_it_covers() {
        let mut frame = alone(Solid::Block { half: DVec3::splat(1.0), round: 0.0 });
        frame.within = true;
        let solids = [alone(Solid::Ball(DVec3::splat(3.0))), frame];
        assert!((distance(&solids, DVec3::X * 2.0) - 1.0).abs() < 1e-12);
        assert!((distance(&solids, DVec3::ZERO) + 1.0).abs() < 1e-12);
        assert!(distance(&solids, DVec3::Y * 50.0) > 46.9);
    }

    /// A bent path: beside its second leg the grain runs along that leg, and the foot is straight across.
    #[test]
    fn grain_runs_along_the_nearest_leg() {
        let corners = [(DVec3::ZERO, 1.0), (DVec3::Y * 10.0, 1.0), (DVec3::new(10.0, 10.0, 0.0), 1.0)];
        let mut bent = alone(Solid::path(&corners, DVec3::ONE));
        let (foot, along) = bent.grain(DVec3::new(6.0, 12.0, 0.0));
        assert!((foot - DVec3::new(6.0, 10.0, 0.0)).length() < 1e-12 && (along - DVec3::X).length() < 1e-12);
        bent.mirror = true;
        let (foot, along) = bent.grain(DVec3::new(-6.0, 12.0, 0.0));
        assert!((foot - DVec3::new(-6.0, 10.0, 0.0)).length() < 1e-12 && (along + DVec3::X).length() < 1e-12);
    }

    /// A ball of radius 3 within two boxes of half edge 1 about x = -2 and x = 2: two pieces and nothing between.
    #[test]
    fn withins_that_follow_each_other_cover_together() {
        let frame = |x: f64| Placed {
            origin: DVec3::X * x,
            within: true,
            ..alone(Solid::Block { half: DVec3::splat(1.0), round: 0.0 })
        };
        let solids = [alone(Solid::Ball(DVec3::splat(3.0))), frame(-2.0).hulled(), frame(2.0).hulled()];
        assert!((distance(&solids, DVec3::X * 2.0) + 1.0).abs() < 1e-12);
        assert!((distance(&solids, DVec3::X * -2.0) + 1.0).abs() < 1e-12);
        assert!((distance(&solids, DVec3::ZERO) - 1.0).abs() < 1e-12);
        // A cut between them parts the runs: then only what both cover is left, which is nothing.
        let mut far = alone(Solid::Ball(DVec3::splat(0.1)));
        (far.cut, far.origin) = (true, DVec3::Y * 90.0);
        let [ball, left, right] = solids;
        assert!(distance(&[ball, left, far.hulled(), right], DVec3::X * 2.0) > 0.0);
    }

    #[test]
    fn a_cut_leaves_nothing_inside_it() {
        let mut hole = alone(Solid::Ball(DVec3::splat(1.0)));
        hole.cut = true;
        let solids = [alone(Solid::Ball(DVec3::splat(3.0))), hole];
        assert!((distance(&solids, DVec3::ZERO) - 1.0).abs() < 1e-12);
        assert!(distance(&solids, DVec3::X * 2.0) < 0.0);
    }
}
