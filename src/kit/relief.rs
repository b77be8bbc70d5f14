//! Wear the smooth skin of a solid: pleats that gather towards a tie, roughness, chipped edges.
//!
//! Reads: points in a solid's own space. Writes: how far the skin is moved there, and planes that chips leave. Pure.
//!
//! Pleats and chips only take away, so that a hull of the smooth solid still holds the worn one; roughness adds
//! no more than its depth, and hulls grow by that.

use glam::{DVec2, DVec3};

use super::noise::{chance, noise};
use super::trig::{sin_cos, smooth};

/// What a solid's skin has been through.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Relief {
    pub pleats: Option<Pleats>,
    pub rough: Option<Rough>,
    pub chips: Option<Chips>,
}

/// Folds that run up and down, about the y axis: round crests, sharp troughs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pleats {
    /// Folds in one turn.
    pub count: u32,
    /// Of a trough below the smooth skin; crests lie on it.
    pub depth: f64,
    /// Height where there are none yet, and where they are deepest; past that they stay so.
    pub from: f64,
    pub to: f64,
    /// 0: all alike; 1: some broad, some narrow, some shallow.
    pub uneven: f64,
    /// Turn about the axis over a length of 100 along it.
    pub twist_rad: f64,
}

/// Soft dents and bumps, or the plates and furrows of bark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rough {
    /// From one bump to the next, along each axis.
    pub size: DVec3,
    /// Furthest in or out.
    pub depth: f64,
    pub seed: u32,
    /// Flat plates between narrow furrows.
    pub cracked: bool,
}

/// Edges and corners of a box broken off by flat faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chips {
    pub count: u32,
    /// Of the deepest, below the corner or edge that it takes.
    pub depth: f64,
    pub seed: u32,
}

impl Relief {
    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The furthest that it lifts the skin.
    pub(super) fn most_out(&self) -> f64 {
        self.rough.map_or(0.0, |rough| rough.depth)
    }

    /// How far outwards the skin is moved at a point, so far from an end that is sawn off flat and stays so.
    pub(super) fn lift(&self, p: DVec3, to_end: f64) -> f64 {
        self.rough.map_or(0.0, |rough| rough.lift(p) * smooth(to_end / (4.0 * rough.depth)))
            - self.pleats.map_or(0.0, |pleats| pleats.drop(p))
    }
}

impl Pleats {
    /// How far inwards the skin is moved.
    fn drop(&self, p: DVec3) -> f64 {
        let across = DVec2::new(p.x, p.z);
        let radius = across.length();
        let share = smooth((p.y - self.from) / (self.to - self.from)) * smooth(radius / self.depth);
        if share <= 0.0 {
            return 0.0;
        }
        // Unit complex numbers: their powers are multiples of the angle, without an arc tangent.
        let once = across / radius;
        let twice = times(once, once);
        let thrice = times(twice, once);
        let fold = (0..self.count).fold(DVec2::X, |power, _| times(power, once));
        let astray = self.uneven * (1.3 * (0.8 * twice.x + 0.6 * twice.y) + 0.9 * (0.6 * thrice.x - 0.8 * thrice.y));
        let turned = astray + f64::from(self.count) * self.twist_rad * p.y * 0.01;
        let (sin, cos) = sin_cos(turned);
        let fold = times(fold, DVec2::new(cos, sin));
        // |cos(a / 2)| from cos a.
        let crest = (0.5 + 0.5 * fold.x.clamp(-1.0, 1.0)).sqrt();
        let shallow = 1.0 - self.uneven * 0.3 * (1.0 + 0.6 * thrice.x + 0.8 * twice.y).clamp(0.0, 2.0);
        self.depth * share * shallow * (1.0 - crest)
    }
}

/// Product of complex numbers.
fn times(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

impl Rough {
    fn lift(&self, p: DVec3) -> f64 {
        let bump = noise(p / self.size, self.seed).clamp(-1.0, 1.0);
        let bump = if self.cracked { 2.0 * smooth(bump.abs() * 3.0) - 1.0 } else { bump };
        self.depth * bump
    }
}

impl Chips {
    /// The distance, where flat faces cut a box of half edges `half`; never less than `distance`.
    pub(super) fn cut(&self, distance: f64, p: DVec3, half: DVec3) -> f64 {
        (0..self.count).fold(distance, |so_far, chip| {
            let draw = |nth: i32| chance(chip as i32, nth, 0, self.seed);
            let sign = |nth: i32| if draw(nth) < 0.5 { -1.0 } else { 1.0 };
            let slant = |nth: i32| 0.45 + 0.55 * draw(nth);
            let mut normal = DVec3::new(sign(0) * slant(3), sign(1) * slant(4), sign(2) * slant(5));
            // Three of four break an edge, the rest a corner.
            let along = (draw(6) * 4.0) as usize;
            if along < 3 {
                normal[along] *= 0.12;
            }
            let normal = normal / normal.length();
            let rim = (normal.abs() * half).element_sum();
            so_far.max(normal.dot(p) - rim + self.depth * (0.35 + 0.65 * draw(7)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Pleats = Pleats { count: 8, depth: 3.0, from: 10.0, to: 20.0, uneven: 0.0, twist_rad: 0.0 };

    /// Crests of eight folds lie at multiples of 45 degrees, troughs between. Between them, at 11.25 degrees,
    /// 1 - cos(45 deg) = 0.292893 of the depth. Half way from 10 to 20 they are half as deep.
    #[test]
    fn pleats_drop_in_troughs_and_not_on_crests() {
        let at = |deg: f64, height: f64| {
            let (sin, cos) = deg.to_radians().sin_cos();
            EVEN.drop(DVec3::new(30.0 * cos, height, 30.0 * sin))
        };
        for crest in [0.0, 45.0, 90.0, -135.0] {
            assert!(at(crest, 25.0).abs() < 1e-9, "{crest}");
        }
        assert!((at(22.5, 25.0) - 3.0).abs() < 1e-7);
        assert!((at(112.5, 15.0) - 1.5).abs() < 1e-7);
        assert!((at(11.25, 25.0) - 3.0 * 0.292_893_2).abs() < 1e-6);
        assert!(at(22.5, 10.0).abs() < 1e-12);
        assert!(EVEN.drop(DVec3::new(0.0, 25.0, 0.0)).abs() < 1e-12, "on the axis");
    }

    /// A twist of a sixteenth of a turn over 100 makes troughs of what were crests there.
    #[test]
    fn a_twist_turns_pleats_with_height() {
        let twisted = Pleats { twist_rad: std::f64::consts::PI / 8.0, ..EVEN };
        assert!((twisted.drop(DVec3::new(30.0, 100.0, 0.0)) - 3.0).abs() < 1e-6);
    }

    #[test]
    fn uneven_pleats_never_rise_above_the_skin_or_sink_below_their_depth() {
        let uneven = Pleats { uneven: 1.0, twist_rad: 0.7, ..EVEN };
        let mut seen: (f64, f64) = (9.0, 0.0);
        for step in 0..5000 {
            let (sin, cos) = (f64::from(step) * 0.37).sin_cos();
            let drop = uneven.drop(DVec3::new(20.0 * cos, f64::from(step % 50), 20.0 * sin));
            seen = (seen.0.min(drop), seen.1.max(drop));
        }
        assert!(seen.0 >= 0.0 && seen.1 <= 3.0 && seen.1 > 2.0, "{seen:?}");
    }

    /// Cracked skin lies at its full height on plates and at its full depth in furrows, and nowhere past them.
    #[test]
    fn roughness_stays_within_its_depth_and_uses_it() {
        for cracked in [false, true] {
            let rough = Rough { size: DVec3::new(4.0, 20.0, 4.0), depth: 2.0, seed: 5, cracked };
            let lifts = (0..20_000).map(|step| rough.lift(DVec3::new(0.31, 0.17, 0.23) * f64::from(step)));
            let (least, most) = lifts.fold((0.0f64, 0.0f64), |(low, high), lift| (low.min(lift), high.max(lift)));
            let full = if cracked { 2.0 } else { 1.0 };
            assert!((-2.0..=-0.99 * full).contains(&least) && (0.99 * full..=2.0).contains(&most), "{least} {most}");
        }
    }

    #[test]
    fn chips_only_take_away_and_no_deeper_than_they_may() {
        let half = DVec3::new(10.0, 8.0, 6.0);
        let chips = Chips { count: 12, depth: 4.0, seed: 3 };
        let taken = |p: DVec3| chips.cut(0.0, p, half);
        assert!(taken(DVec3::ZERO) <= 0.0, "the middle stays");
        let corners = (0..8).map(|corner| {
            let side = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            taken(DVec3::new(side(0), side(1), side(2)) * half)
        });
        let corners: Vec<f64> = corners.collect();
        assert!(corners.iter().all(|depth| (0.0..=4.0).contains(depth)), "{corners:?}");
        assert!(corners.iter().any(|depth| *depth > 1.0), "{corners:?}");
    }
}
