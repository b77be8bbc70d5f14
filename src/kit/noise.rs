//! Make what looks random from a place in space: noise, cells, strands.
//!
//! Reads: a point. Writes: numbers that are the same on every machine: whole-number hashes, sums and
//! products, nothing else. Pure.
//!
//! Sources: the hash ends in `fmix32` of A. Appleby's `MurmurHash3` (public domain); the noise is K. Perlin,
//! "Improving Noise", SIGGRAPH 2002, doi:10.1145/566654.566636, with hashed instead of tabled directions; cells are
//! S. Worley, "A Cellular Texture Basis Function", SIGGRAPH 96, doi:10.1145/237170.237267; strands average noise
//! along a direction, as B. Cabral and L. Leedom do, "Imaging Vector Fields Using Line Integral Convolution",
//! SIGGRAPH 93, doi:10.1145/166117.166151.

use glam::DVec3;

/// Spreads every bit of `h` over all of the answer.
const fn mixed(mut h: u32) -> u32 {
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// Of a lattice point; neighbours have nothing in common.
pub(super) const fn hash(x: i32, y: i32, z: i32, seed: u32) -> u32 {
    let x = (x as u32).wrapping_mul(0x9e37_79b1);
    let y = (y as u32).wrapping_mul(0x85eb_ca77);
    let z = (z as u32).wrapping_mul(0xc2b2_ae3d);
    mixed(x ^ y.rotate_left(11) ^ z.rotate_left(21) ^ seed.wrapping_mul(0x27d4_eb2f))
}

/// 0 to 1, of a lattice point.
pub(super) fn chance(x: i32, y: i32, z: i32, seed: u32) -> f64 {
    f64::from(hash(x, y, z, seed) >> 8) / f64::from(1 << 24)
}

/// The whole number below, and what is over it.
pub(super) fn parted(value: f64) -> (i32, f64) {
    let whole = value as i32;
    let whole = if f64::from(whole) > value { whole - 1 } else { whole };
    (whole, value - f64::from(whole))
}

/// Smooth, about -1 to 1 with mean 0; its bumps are about 1 wide.
pub(super) fn noise(at: DVec3, seed: u32) -> f64 {
    let ((x, fx), (y, fy), (z, fz)) = (parted(at.x), parted(at.y), parted(at.z));
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v, w) = (fade(fx), fade(fy), fade(fz));
    let corner = |dx: i32, dy: i32, dz: i32| {
        let (px, py, pz) = (fx - f64::from(dx), fy - f64::from(dy), fz - f64::from(dz));
        // The twelve edges of a cube, four of them twice.
        let h = hash(x + dx, y + dy, z + dz, seed) & 15;
        let one = if h < 8 { px } else { py };
        let other = match h {
            0..4 => py,
            12 | 14 => px,
            _ => pz,
        };
        (if h & 1 == 0 { one } else { -one }) + (if h & 2 == 0 { other } else { -other })
    };
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let low = mix(mix(corner(0, 0, 0), corner(1, 0, 0), u), mix(corner(0, 1, 0), corner(1, 1, 0), u), v);
    let high = mix(mix(corner(0, 0, 1), corner(1, 0, 1), u), mix(corner(0, 1, 1), corner(1, 1, 1), u), v);
    mix(low, high, w)
}

/// Two sizes of noise, the finer half as strong.
pub(super) fn clouds(at: DVec3, seed: u32) -> f64 {
    noise(at, seed) + 0.5 * noise(at * 2.03 + DVec3::splat(17.3), seed ^ 0x55)
}

/// Noise drawn out along a unit direction, into streaks as many widths long as `half`.
///
/// The direction may change from place to place: only neighbours along it are averaged.
pub(super) fn streaks(at: DVec3, along: DVec3, half: i32, seed: u32) -> f64 {
    /// Less than a bump, so that a step along a streak exchanges few of what is averaged.
    const STEP: f64 = 0.55;
    let mut sum = 0.0;
    for k in -half..=half {
        sum += noise(at + along * (STEP * f64::from(k)), seed);
    }
    // A mean of that many, half of them independent, is as much too weak.
    let count = f64::from(2 * half + 1);
    sum / count * (0.5 * count).sqrt()
}

/// Where a point lies among cells grown from scattered seeds, about one in a unit cube.
#[derive(Debug, Clone, Copy)]
pub(super) struct InCell {
    /// To the cell's own seed.
    pub near: f64,
    /// How much further the next seed is: 0 on the border.
    pub border: f64,
    /// 0 to 1, the cell's own.
    pub chance: f64,
}

pub(super) fn cell(at: DVec3, seed: u32) -> InCell {
    let ((x, fx), (y, fy), (z, fz)) = (parted(at.x), parted(at.y), parted(at.z));
    let inside = DVec3::new(fx, fy, fz);
    let (mut nearest, mut next, mut own) = (f64::INFINITY, f64::INFINITY, 0);
    for (dx, dy, dz) in (-1..=1).flat_map(|dx| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dz| (dx, dy, dz)))) {
        let bits = hash(x + dx, y + dy, z + dz, seed);
        let jitter = |shift: u32| f64::from((bits >> shift) & 0x3ff) / 1024.0;
        let place = DVec3::new(f64::from(dx) + jitter(0), f64::from(dy) + jitter(10), f64::from(dz) + jitter(20));
        let distance = (place - inside).length_squared();
        if distance < nearest {
            (next, nearest, own) = (nearest, distance, bits);
        } else if distance < next {
            next = distance;
        }
    }
    let near = nearest.sqrt();
    InCell { near, border: next.sqrt() - near, chance: f64::from(mixed(own) >> 8) / f64::from(1 << 24) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `MurmurHash3`'s finaliser of 0 and 1, as its reference gives them: 1 ^ (1 >> 16) = 1, times 0x85ebca6b is
    /// itself, and so on to 0x514e28b7.
    #[test]
    fn the_hash_ends_as_its_reference_does() {
        assert_eq!(mixed(0), 0);
        assert_eq!(mixed(1), 0x514e_28b7);
    }

    /// Worked out in whole numbers and fractions outside this program. In the middle of a cube the noise is the mean of
    /// eight corners' slopes, -1/4 here; at the other place it is 831653 / 2097152.
    #[test]
    fn hashes_and_noise_are_what_sums_and_products_say() {
        assert_eq!(hash(1, 0, 0, 0), 0x11fd_02eb);
        assert_eq!(hash(-1, 2, 3, 7), 0xfd05_efe0);
        assert_eq!(noise(DVec3::splat(0.5), 0), -0.25);
        assert_eq!(noise(DVec3::new(0.25, -2.5, 0.75), 9), 831_653.0 / 2_097_152.0);
    }

    #[test]
    fn parts_below_zero_go_down() {
        assert_eq!(parted(-0.25), (-1, 0.75));
        assert_eq!(parted(2.5), (2, 0.5));
        assert_eq!(parted(-3.0), (-3, 0.0));
    }

    /// Gradient noise is zero on every lattice point, whatever the directions.
    #[test]
    fn noise_is_zero_on_the_lattice_has_mean_zero_and_stays_small() {
        assert_eq!(noise(DVec3::new(3.0, -2.0, 7.0), 5), 0.0);
        let mut sum = 0.0;
        let mut most: f64 = 0.0;
        for step in 0..40_000 {
            let step = f64::from(step);
            let value = noise(DVec3::new(step * 0.371, step * 0.113, step * -0.217), 9);
            sum += value;
            most = most.max(value.abs());
        }
        assert!((sum / 40_000.0).abs() < 0.01, "{sum}");
        assert!((0.6..1.1).contains(&most), "{most}");
    }

    #[test]
    fn streaks_change_less_along_than_across() {
        let (mut along, mut across) = (0.0, 0.0);
        for step in 0..2_000 {
            let at = DVec3::new(f64::from(step) * 0.77, f64::from(step) * 0.31, f64::from(step) * 0.13);
            let here = streaks(at, DVec3::Y, 6, 1);
            along += (streaks(at + DVec3::Y * 0.5, DVec3::Y, 6, 1) - here).abs();
            across += (streaks(at + DVec3::X * 0.5, DVec3::Y, 6, 1) - here).abs();
        }
        assert!(across > 2.0 * along, "{across} {along}");
    }

    /// With one seed in every unit cube none is further than the far corner of three cubes away, and on the way from
    /// one cell to another the border is met.
    #[test]
    fn a_walk_through_cells_meets_borders() {
        let cells: Vec<InCell> = (0..4_000).map(|step| cell(DVec3::X * (f64::from(step) * 0.005), 3)).collect();
        assert!(cells.iter().all(|cell| cell.near < 1.8 && cell.border >= 0.0));
        let crossings = cells.windows(2).filter(|pair| pair[0].chance != pair[1].chance);
        let worst = crossings.map(|pair| pair[0].border).fold(0.0, f64::max);
        assert!(worst > 0.0 && worst < 0.02, "{worst}");
    }
}
