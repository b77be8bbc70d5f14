//! Draw cloth, fur, stone and the like at a place in space.
//!
//! Reads: a place on a surface. Writes: what a colour there is multiplied by, about 1 in the mean. Pure.
//!
//! Patterns are solid: they follow from the place in space alone, so they run on across seams. Woven ones are drawn on
//! the three planes of the model and mixed by the normal; strands follow the axes of the part's shapes.

use glam::DVec3;

use super::error::KitError;
use super::noise::{cell, chance, clouds, noise, parted, streaks};
use super::occlude::Light;
use super::recipe::{FinishSpec, Source};
use super::trig::smooth;

/// How strong a pattern is where the recipe does not say.
const STRENGTH: f64 = 0.5;

/// A place on a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub at: DVec3,
    /// Unit.
    pub normal: DVec3,
    pub light: Light,
    /// The nearest place on the axis of the shape, and the axis' direction there: see [`Pattern::has_grain`].
    pub foot: DVec3,
    pub along: DVec3,
    /// Width of a texel: what is finer than a few of them is left out.
    pub texel: f64,
}

/// Red, green, blue: how much lighter or darker, 0 as it was.
type Change = [f64; 3];

/// One way to draw: from a place in units of the pattern's size.
type Draw = fn(&Spot, DVec3, f64) -> Change;

struct Kind {
    name: &'static str,
    /// Of a thread, stitch, scale, strand or grain, hundredths of the height, where the recipe does not say.
    size: f64,
    draw: Draw,
    grain: bool,
}

const fn kind(name: &'static str, size: f64, draw: Draw, grain: bool) -> Kind {
    Kind { name, size, draw, grain }
}

static KINDS: [Kind; 17] = [
    kind("weave", 0.8, weave, false),
    kind("knit", 1.3, knit, false),
    kind("burlap", 1.0, burlap, false),
    kind("leather", 1.0, leather, false),
    kind("fur", 0.55, fur, true),
    kind("hair", 0.5, hair, true),
    kind("skin", 1.2, skin, false),
    kind("scales", 1.6, scales, false),
    kind("bark", 1.6, bark, true),
    kind("wood", 0.8, wood, true),
    kind("end_grain", 1.0, end_grain, true),
    kind("stone", 1.0, stone, false),
    kind("metal", 1.0, metal, false),
    kind("straw", 0.6, straw, true),
    kind("rope", 1.0, rope, true),
    kind("hewn", 1.0, hewn, false),
    kind("coin", 8.0, coin, true),
];

/// A pattern as a recipe asks for it.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    kind: &'static Kind,
    size: f64,
    strength: f64,
}

impl Pattern {
    /// What a finish says, if it says anything of a pattern.
    pub(super) fn of(finish: &FinishSpec, source: Source<'_>) -> Result<Option<Self>, KitError> {
        let Some(name) = &finish.pattern else { return Ok(None) };
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name.get_ref()) else {
            return Err(source.unknown(name, "pattern", KINDS.iter().map(|kind| kind.name)));
        };
        let size = finish.pattern_size.unwrap_or(kind.size);
        Ok(Some(Self { kind, size, strength: finish.pattern_strength.unwrap_or(STRENGTH) }))
    }

    /// Whether it asks for the shape's axis.
    pub(super) fn has_grain(&self) -> bool {
        self.kind.grain
    }

    /// What the colour at a place is multiplied by.
    pub(super) fn factor(&self, spot: &Spot) -> [f64; 3] {
        let change = (self.kind.draw)(spot, spot.at / self.size, self.size);
        change.map(|change| (1.0 + 2.0 * self.strength * change).clamp(0.25, 1.9))
    }
}

fn grey(change: f64) -> Change {
    [change; 3]
}

impl Spot {
    /// 0 for a detail that a texel swallows, 1 for one of several texels.
    fn shows(&self, detail: f64) -> f64 {
        smooth((detail / self.texel - 1.0) / 1.5)
    }

    /// 1 on edges, tips and corners, where hands and weather rub.
    fn worn(&self) -> f64 {
        smooth((self.light.bulge - 0.1) / 0.25)
    }

    /// The axis laid into the surface.
    fn strand(&self) -> DVec3 {
        let flat = self.along - self.normal * self.normal.dot(self.along);
        let down = DVec3::Y - self.normal * self.normal.y;
        flat.normalize_or(down.normalize_or(DVec3::X))
    }

    /// Something drawn on the planes that face the normal, across and up, mixed where none wins.
    fn on_planes(&self, q: DVec3, draw: impl Fn(f64, f64) -> f64) -> f64 {
        let sharp = |part: f64| (part * part) * (part * part) * (part * part);
        let share = DVec3::from_array(self.normal.to_array().map(sharp));
        let share = share / (share.x + share.y + share.z).max(1e-12);
        let (mut sum, mut all) = (0.0, 0.0);
        for (share, across, up) in [(share.x, q.z, q.y), (share.y, q.x, q.z), (share.z, q.x, q.y)] {
            if share > 0.04 {
                sum += share * draw(across, up);
                all += share;
            }
        }
        sum / all
    }
}

/// A hump over 0 to 1, 1 in the middle; 2/3 in the mean.
fn hump(t: f64) -> f64 {
    1.0 - (2.0 * t - 1.0) * (2.0 * t - 1.0)
}

/// Soft folds of hanging cloth and the unevenness of its dye.
fn drape(q: DVec3) -> f64 {
    let long = DVec3::new(q.x, q.y * 0.28, q.z);
    let folds = noise(long * 0.15, 11) + 0.5 * noise(long * 0.37, 16);
    0.36 * folds + 0.2 * clouds(q * 0.12, 12)
}

/// Dye lies thicker in a fold: what is darker is also fuller.
fn cloth(change: f64) -> Change {
    [0.9 * change, change, 1.07 * change]
}

/// Crossing threads, each of its own tone; `tone` is how much they differ.
fn threads(q: DVec3, across: f64, up: f64, tone: f64) -> f64 {
    // No loom is exact.
    let sway = DVec3::new(0.21, 0.19, 0.23);
    let (across, up) = (across + 0.5 * noise(q * sway, 13), up + 0.5 * noise(q * sway, 14));
    let ((column, u), (row, v)) = (parted(across), parted(up));
    let over = (column + row) & 1 == 0;
    let (width, length, thread) = if over { (u, v, (column, 0)) } else { (v, u, (row, 1)) };
    let own = chance(thread.0, thread.1, 0, 15) - 0.5;
    hump(width) * (0.5 + 0.5 * hump(length)) - 0.5556 + tone * own
}

fn weave(spot: &Spot, q: DVec3, size: f64) -> Change {
    let thread = spot.on_planes(q, |across, up| threads(q, across, up, 0.3));
    cloth(0.2 * thread * spot.shows(0.5 * size) + drape(q) + 0.12 * spot.worn())
}

fn burlap(spot: &Spot, q: DVec3, size: f64) -> Change {
    let thread = spot.on_planes(q, |across, up| threads(q, across, up, 0.22));
    let slubs = noise(q * DVec3::new(0.9, 0.35, 0.9), 21) + noise(q * DVec3::new(0.35, 0.9, 0.35), 22);
    cloth(0.42 * thread * spot.shows(0.5 * size) + 0.16 * slubs + 0.6 * drape(q) + 0.12 * spot.worn())
}

fn knit(spot: &Spot, q: DVec3, size: f64) -> Change {
    let stitch = |across: f64, up: f64| {
        let (column, u) = parted(across);
        let (row, v) = parted(up * 1.25 + 1.1 * (u - 0.5).abs());
        let leg = if u < 0.5 { 2.0 * u } else { 2.0 * u - 1.0 };
        hump(leg) * (0.4 + 0.6 * hump(v)) - 0.5333 + 0.25 * (chance(column, row, 0, 31) - 0.5)
    };
    cloth(0.5 * spot.on_planes(q, stitch) * spot.shows(0.4 * size) + 0.8 * drape(q * 1.4))
}

fn leather(spot: &Spot, q: DVec3, size: f64) -> Change {
    let grain = cell(q, 41);
    let crease = 1.0 - smooth(grain.border / 0.22);
    let fine = 0.1 * (grain.chance - 0.5) - 0.26 * (crease - 0.31);
    let folds = 1.0 - smooth(noise(q * DVec3::new(0.25, 0.5, 0.25), 42).abs() / 0.09);
    let patches = 0.34 * clouds(q * 0.2, 43);
    let scuffs = spot.worn() * (0.3 + 0.35 * noise(q * 0.9, 44));
    grey(fine * spot.shows(0.6 * size) - 0.16 * (folds - 0.18) + patches + scuffs)
}

fn fur(spot: &Spot, q: DVec3, size: f64) -> Change {
    let strand = spot.strand();
    let hairs = 0.5 * streaks(q, strand, 4, 51) * spot.shows(size);
    let tufts = 0.5 * streaks(q * 0.36, strand, 2, 52);
    grey(hairs + tufts + 0.25 * clouds(q * 0.1, 53))
}

fn hair(spot: &Spot, q: DVec3, size: f64) -> Change {
    let strand = spot.strand();
    let hairs = 0.42 * streaks(q, strand, 6, 61) * spot.shows(size);
    let locks = 0.7 * streaks(q * 0.36, strand, 6, 62);
    grey(hairs + locks + 0.16 * noise(q * 0.12, 63))
}

fn skin(spot: &Spot, q: DVec3, size: f64) -> Change {
    let pale =
        0.14 * noise(q * 0.28, 71) + 0.1 * noise(q * 0.8, 72) + 0.05 * noise(q * 2.6, 73) * spot.shows(0.3 * size);
    // Blood shows where skin is drawn over a tip: noses, knuckles, ears.
    let flush = 0.22 * noise(q * 0.22, 74) + 0.14 * spot.worn();
    [pale + 0.35 * flush, pale - 0.7 * flush, pale - 0.6 * flush]
}

fn scales(spot: &Spot, q: DVec3, size: f64) -> Change {
    let scale = cell(q * DVec3::new(1.0, 1.25, 1.0), 81);
    let rim = 1.0 - smooth(scale.border / 0.2);
    let dome = 0.5 - scale.near;
    let tone = 0.32 * (scale.chance - 0.5) + 0.2 * dome - 0.36 * (rim - 0.34);
    let patches = 0.3 * clouds(q * 0.1, 82);
    let change = tone * spot.shows(0.4 * size) + patches + 0.12 * spot.worn();
    [change, change + 0.05 * noise(q * 0.2, 83), change]
}

/// A place squeezed along the axis, so that what is drawn there is drawn out.
fn drawn_out(q: DVec3, along: DVec3, by: f64) -> DVec3 {
    q - along * (q.dot(along) * (1.0 - 1.0 / by))
}

fn bark(spot: &Spot, q: DVec3, size: f64) -> Change {
    let long = drawn_out(q, spot.along, 4.5);
    let bent = long + DVec3::splat(0.35 * noise(q * 0.5, 91));
    let furrow = 1.0 - smooth(noise(bent * 0.8, 92).abs() / 0.16);
    let crack = 1.0 - smooth(noise(bent * 2.1, 93).abs() / 0.12);
    let plates = 0.3 * noise(long * 0.6, 94) + 0.12 * noise(q * 1.6, 95) * spot.shows(0.6 * size);
    let change = -0.5 * (furrow - 0.2) - 0.22 * (crack - 0.22) * spot.shows(0.5 * size) + plates;
    let moss = 0.07 * noise(q * 0.2, 96);
    [change - moss, change + moss, change - moss]
}

fn wood(spot: &Spot, q: DVec3, size: f64) -> Change {
    let long = drawn_out(q, spot.along, 9.0);
    let (_, ring) = parted(3.2 * noise(long * 0.28, 101) + 0.4 * noise(long * 0.9, 102));
    let bands = 0.26 * (hump(ring) - 0.6667);
    let fibres = 0.16 * noise(drawn_out(q * 2.0, spot.along, 12.0), 103) * spot.shows(0.5 * size);
    let cracks = 1.0 - smooth(noise(long * 0.8, 104).abs() / 0.05);
    grey(bands + fibres - 0.22 * (cracks - 0.09) + 0.12 * noise(q * 0.16, 105) + 0.25 * spot.worn())
}

fn end_grain(spot: &Spot, q: DVec3, size: f64) -> Change {
    if spot.normal.dot(spot.along).abs() < 0.6 {
        return wood(spot, q, size);
    }
    let out = (spot.at - spot.foot) / size;
    let far = out.length();
    let (ring, share) = parted(1.1 * far + 0.5 * noise(q * 0.3, 111));
    let tone = 0.16 * (chance(ring, 0, 0, 112) - 0.5);
    let rings = 0.5 * (0.25 - share * share * share) * spot.shows(0.5 * size);
    let rays = 1.0 - smooth(noise(out / far.max(0.3) * 5.0 + DVec3::splat(3.7), 113).abs() / 0.06);
    grey(rings + tone - 0.25 * rays * smooth(far / 3.0) + 0.02 + 0.1 * clouds(q * 0.4, 114))
}

fn stone(spot: &Spot, q: DVec3, size: f64) -> Change {
    let bent = q + DVec3::splat(0.8 * noise(q * 0.35, 121));
    let patches = 0.3 * clouds(bent * 0.24, 122);
    let grain = 0.12 * noise(q * 1.1, 123);
    let specks = 0.3 * noise(q * 2.7, 124) * spot.shows(0.35 * size);
    let vein = 1.0 - smooth(noise(bent * 0.28, 125).abs() / 0.05);
    let chips = 0.5 * smooth((spot.light.bulge - 0.12 + 0.2 * noise(q * 0.8, 126)) / 0.18) * spot.worn();
    grey(patches + grain + specks - 0.22 * (vein - 0.11) + chips)
}

fn metal(spot: &Spot, q: DVec3, size: f64) -> Change {
    let brushed = 0.1 * noise(q * DVec3::new(0.5, 3.2, 0.5), 131) * spot.shows(0.4 * size);
    let dents = 0.15 * clouds(q * 0.45, 132);
    let pits = smooth((noise(q * 1.3, 133) - 0.42) / 0.2);
    let worn = 0.55 * spot.worn() * (0.8 + 0.5 * noise(q * 1.2, 134));
    let tarnish = 0.05 * noise(q * 0.3, 135);
    let change = brushed + dents - 0.3 * (pits - 0.045) + worn;
    [change + tarnish, change, change - tarnish]
}

fn straw(spot: &Spot, q: DVec3, size: f64) -> Change {
    let strand = spot.strand();
    let stalks = 0.6 * streaks(q, strand, 6, 141) * spot.shows(size);
    let bundles = 0.5 * streaks(q * 0.4, strand, 4, 142);
    let change = stalks + bundles + 0.1 * noise(q * 0.15, 143);
    let green = 0.05 * noise(q * 0.3, 144);
    [change - green, change + green, change - green]
}

/// Strands laid round the axis at half a right angle.
fn rope(spot: &Spot, q: DVec3, size: f64) -> Change {
    let strand = spot.strand();
    let laid = (strand + spot.normal.cross(strand)).normalize_or(strand);
    let strands = 0.9 * streaks(q * 0.55, laid, 6, 151) * spot.shows(size);
    let fibres = 0.3 * streaks(q * 1.6, laid, 4, 152) * spot.shows(0.4 * size);
    grey(strands + fibres + 0.2 * clouds(q * 0.1, 153) + 0.3 * spot.worn())
}

/// Stone with the strokes of a pick, slanting over each face.
fn hewn(spot: &Spot, q: DVec3, size: f64) -> Change {
    let stroke = |across: f64, up: f64| {
        let slant = across * 0.42 + up * 0.3 + 0.35 * noise(q * 0.3, 161);
        let (_, share) = parted(slant);
        // Struck deep on one side, run out on the other; not everywhere.
        let strength = smooth(0.5 + 1.6 * noise(q * 0.24, 162));
        strength * (share * share - 0.3333)
    };
    let strokes = 0.45 * spot.on_planes(q, stroke) * spot.shows(0.9 * size);
    stone(spot, q, size).map(|change| change + strokes)
}

/// A struck face: a rim, beads along it, a mark in the middle. The size is the coin's radius.
fn coin(spot: &Spot, q: DVec3, size: f64) -> Change {
    let out = (spot.at - spot.foot) / size;
    let far = out.length();
    let worn = 0.1 * noise(q * 4.0, 171);
    if spot.normal.dot(spot.along).abs() < 0.6 || far > 1.05 {
        return grey(worn);
    }
    let band = |from: f64, to: f64| smooth((far - from) / 0.06) * smooth((to - far) / 0.06);
    let (across, up) = (out.dot(sideways(spot.along)), out.dot(spot.along.cross(sideways(spot.along))));
    // A lozenge with a dark border.
    let mark = across.abs() + up.abs();
    let raised = smooth((0.46 - mark) / 0.06);
    let border = smooth((0.6 - mark) / 0.06) - raised;
    let change = 0.34 * band(0.82, 1.2) - 0.42 * band(0.66, 0.82) + 0.3 * raised - 0.34 * border;
    grey(worn + change * spot.shows(0.14 * size) + 0.03)
}

/// A direction across the axis, the same for all of one shape.
fn sideways(along: DVec3) -> DVec3 {
    let first = if along.x.abs() < 0.7 { DVec3::X } else { DVec3::Z };
    along.cross(first).normalize_or(DVec3::Z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(at: DVec3, normal: DVec3) -> Spot {
        let light = Light { open: 1.0, bulge: 0.0 };
        Spot { at, normal, light, foot: DVec3::new(0.0, at.y, 0.0), along: DVec3::Y, texel: 0.1 }
    }

    /// Places all over a ball of a worker's size, by a golden spiral.
    fn all_over(count: u32) -> impl Iterator<Item = Spot> {
        (0..count).map(move |at| {
            let y = 1.0 - 2.0 * (f64::from(at) + 0.5) / f64::from(count);
            let (sin, cos) = crate::kit::trig::sin_cos(f64::from(at) * 2.399_963_229_728_653);
            let wide = (1.0 - y * y).sqrt();
            let normal = DVec3::new(wide * cos, y, wide * sin);
            spot(normal * 30.0 + DVec3::new(0.37, 50.0, 0.11), normal)
        })
    }

    #[test]
    fn every_pattern_is_one_in_the_mean_and_neither_flat_nor_wild() {
        let mut bad = Vec::new();
        for kind in &KINDS {
            let pattern = Pattern { kind, size: kind.size, strength: STRENGTH };
            let count = 40_000;
            let (mut sum, mut square) = ([0.0; 3], 0.0);
            for spot in all_over(count) {
                let factor = pattern.factor(&spot);
                (0..3).for_each(|channel| sum[channel] += factor[channel]);
                square += factor[1] * factor[1];
            }
            let mean = sum.map(|sum| sum / f64::from(count));
            let spread = (square / f64::from(count) - mean[1] * mean[1]).sqrt();
            let near = mean.iter().all(|mean| (mean - 1.0).abs() < 0.015);
            if !near || !(0.015..0.3).contains(&spread) {
                bad.push(format!("{} mean {mean:.3?} spread {spread:.3}", kind.name));
            }
        }
        assert!(bad.is_empty(), "{bad:#?}");
    }

    #[test]
    fn no_strength_is_no_pattern() {
        for kind in &KINDS {
            let pattern = Pattern { kind, size: kind.size, strength: 0.0 };
            assert!(all_over(50).all(|spot| pattern.factor(&spot) == [1.0; 3]), "{}", kind.name);
        }
    }

    /// The middle of a thread that lies over is lighter than a place between threads: hump 1 against 0.
    #[test]
    fn threads_are_light_in_the_middle_and_dark_at_their_rims() {
        assert_eq!((hump(0.5), hump(0.0), hump(1.0)), (1.0, 0.0, 0.0));
        let straight = DVec3::ZERO; // where noise is zero and threads do not sway
        let at = |across: f64, up: f64| threads(straight, across, up, 0.0);
        assert!((at(0.5, 0.5) - (1.0 - 0.5556)).abs() < 1e-12);
        assert!((at(0.0, 0.5) + 0.5556).abs() < 1e-12);
        // The next one lies under: its rims are above and below.
        assert!((at(1.5, 0.0) + 0.5556).abs() < 1e-12 && at(1.5, 0.5) > 0.4);
    }

    /// What a texel cannot show is left out: a weave of threads a tenth of a texel wide has only its folds left.
    #[test]
    fn what_a_texel_swallows_is_left_out() {
        let mut coarse = spot(DVec3::new(3.3, 4.7, 1.9), DVec3::Z);
        coarse.texel = 10.0;
        let pattern = Pattern { kind: &KINDS[0], size: 1.0, strength: STRENGTH };
        assert!((pattern.factor(&coarse)[1] - (1.0 + drape(coarse.at))).abs() < 1e-12);
    }
}
