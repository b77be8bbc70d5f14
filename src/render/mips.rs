//! Shrink an image to its mip levels on the CPU, so that every adapter samples the same texels.
//!
//! Pure. Each level is the area average of the one before, in the space where averages mean
//! something: linear light for colours, unit vectors for normals.

use crate::asset::Image;
use crate::base::colour;

/// What an image holds, and so how its texels are averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Filter {
    /// sRGB colour whose alpha means nothing.
    Colour,
    /// sRGB colour that counts as far as it is opaque.
    ColourByAlpha,
    /// Linear numbers.
    Data,
    /// Directions.
    Normal,
}

/// One level, rows from the top, 8 bits a channel as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba: Vec<u8>,
}

/// A level in numbers that may be averaged.
struct Texels {
    width: usize,
    height: usize,
    texels: Vec<[f32; 4]>,
}

/// The image and all its smaller levels down to one texel, the largest no wider or higher than
/// `limit_px`.
pub(super) fn levels(image: &Image, filter: Filter, limit_px: u32) -> Vec<Level> {
    let mut texels = Texels {
        width: image.width as usize,
        height: image.height as usize,
        texels: image.rgba.as_chunks::<4>().0.iter().map(|texel| decoded(*texel, filter)).collect(),
    };
    let mut levels = Vec::new();
    if image.width.max(image.height) <= limit_px {
        levels.push(Level { width: image.width, height: image.height, rgba: image.rgba.clone() });
    }
    while texels.width > 1 || texels.height > 1 {
        texels = halved(&texels, filter);
        if texels.width.max(texels.height) <= limit_px as usize {
            levels.push(stored(&texels, filter));
        }
    }
    levels
}

fn decoded(texel: [u8; 4], filter: Filter) -> [f32; 4] {
    let [r, g, b, a] = texel;
    let rgb = match filter {
        Filter::Colour | Filter::ColourByAlpha => [r, g, b].map(|code| colour::LINEAR_FROM_SRGB8[usize::from(code)]),
        Filter::Data => [r, g, b].map(|code| f32::from(code) / 255.0),
        Filter::Normal => [r, g, b].map(|code| f32::from(code) / 127.5 - 1.0),
    };
    [rgb[0], rgb[1], rgb[2], f32::from(a) / 255.0]
}

fn stored(texels: &Texels, filter: Filter) -> Level {
    let byte = |value: f32| (value * 255.0 + 0.5) as u8;
    let rgba = texels.texels.iter().flat_map(|&[r, g, b, a]| {
        let rgb = match filter {
            Filter::Colour | Filter::ColourByAlpha => [r, g, b].map(colour::srgb8_from_linear),
            Filter::Data => [r, g, b].map(byte),
            Filter::Normal => [r, g, b].map(|axis| byte(axis * 0.5 + 0.5)),
        };
        [rgb[0], rgb[1], rgb[2], byte(a)]
    });
    Level { width: texels.width as u32, height: texels.height as u32, rgba: rgba.collect() }
}

/// The texels that one texel of the next level covers along an axis, each with its share.
fn taps(length: usize) -> Vec<Vec<(usize, f32)>> {
    let shorter = (length / 2).max(1);
    let step = length as f32 / shorter as f32;
    (0..shorter)
        .map(|at| {
            let (from, to) = (at as f32 * step, (at + 1) as f32 * step);
            (from as usize..length.min(to.ceil() as usize))
                .map(|texel| (texel, ((texel + 1) as f32).min(to) - (texel as f32).max(from)))
                .filter(|(_, share)| *share > 1e-6)
                .map(|(texel, share)| (texel, share / step))
                .collect()
        })
        .collect()
}

fn halved(from: &Texels, filter: Filter) -> Texels {
    let (columns, rows) = (taps(from.width), taps(from.height));
    let mut texels = Vec::with_capacity(columns.len() * rows.len());
    for row in &rows {
        for column in &columns {
            let covered = row.iter().flat_map(|&(y, high)| {
                column.iter().map(move |&(x, wide)| (from.texels[y * from.width + x], high * wide))
            });
            texels.push(averaged(covered, filter));
        }
    }
    Texels { width: columns.len(), height: rows.len(), texels }
}

fn averaged(covered: impl Iterator<Item = ([f32; 4], f32)>, filter: Filter) -> [f32; 4] {
    let mut plain = [0.0; 4];
    let mut by_alpha = [0.0; 3];
    for (texel, share) in covered {
        for channel in 0..4 {
            plain[channel] += texel[channel] * share;
        }
        for channel in 0..3 {
            by_alpha[channel] += texel[channel] * texel[3] * share;
        }
    }
    let [r, g, b, alpha] = plain;
    match filter {
        Filter::ColourByAlpha if alpha > 0.0 => [by_alpha[0] / alpha, by_alpha[1] / alpha, by_alpha[2] / alpha, alpha],
        Filter::Normal => {
            let unit = glam::Vec3::new(r, g, b).normalize_or(glam::Vec3::Z);
            [unit.x, unit.y, unit.z, alpha]
        }
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Digest;

    fn image(width: u32, height: u32, texels: &[[u8; 4]]) -> Image {
        Image { name: String::new(), digest: Digest::of(b""), width, height, rgba: texels.concat() }
    }

    /// Half white, half black is linear 0.5, which encodes to 187.5 (1.055 * 0.5^(1/2.4) - 0.055 =
    /// 0.73536) and so to 188; averaging codes would give 128.
    #[test]
    fn colours_are_averaged_in_linear_light() {
        let checks = image(2, 2, &[[0, 0, 0, 255], [255; 4], [255; 4], [0, 0, 0, 255]]);
        assert_eq!(levels(&checks, Filter::Colour, 64)[1].rgba, [188, 188, 188, 255]);
        assert_eq!(levels(&checks, Filter::Data, 64)[1].rgba, [128, 128, 128, 255]);
    }

    #[test]
    fn the_colour_behind_transparent_texels_does_not_bleed() {
        let leaf = image(2, 1, &[[0, 200, 0, 255], [255, 0, 255, 0]]);
        assert_eq!(levels(&leaf, Filter::ColourByAlpha, 64)[1].rgba, [0, 200, 0, 128]);
        assert_ne!(levels(&leaf, Filter::Colour, 64)[1].rgba[..3], [0, 200, 0]);
    }

    /// Two normals 45 degrees either side of z mean (0, 0, 0.707), which is z again: 255 in blue.
    #[test]
    fn normals_stay_unit_length() {
        let code = |axis: f32| ((axis * 0.5 + 0.5) * 255.0).round() as u8;
        let tilted = code(std::f32::consts::FRAC_1_SQRT_2);
        let (left, right) = ([255 - tilted, 128, tilted, 255], [tilted, 128, tilted, 255]);
        let [x, _, z, _] = levels(&image(2, 1, &[left, right]), Filter::Normal, 64)[1].rgba[..] else {
            panic!("one texel")
        };
        assert!(z >= 254 && x.abs_diff(128) <= 1, "{x} {z}");
    }

    /// Of three columns, one texel covers all: (0 + 90 + 180) / 3. Of five, two cover two and a half
    /// each: (10 + 20 + 30 / 2) / 2.5 = 18 and (30 / 2 + 40 + 50) / 2.5 = 42.
    #[test]
    fn odd_sizes_are_averaged_over_the_area() {
        let grey = |value: u8| [value, value, value, 255];
        let three = levels(&image(3, 1, &[grey(0), grey(90), grey(180)]), Filter::Data, 64);
        assert_eq!(three[1].rgba, [90, 90, 90, 255]);
        let five = levels(&image(5, 1, &[10, 20, 30, 40, 50].map(grey)), Filter::Data, 64);
        assert_eq!(five[1].rgba, [18, 18, 18, 255, 42, 42, 42, 255]);
    }

    #[test]
    fn levels_go_down_to_one_texel_and_start_within_the_limit() {
        let texels = vec![[7; 4]; 12 * 5];
        let sizes = |limit| {
            levels(&image(12, 5, &texels), Filter::Data, limit)
                .iter()
                .map(|level| (level.width, level.height))
                .collect::<Vec<_>>()
        };
        assert_eq!(sizes(64), [(12, 5), (6, 2), (3, 1), (1, 1)]);
        assert_eq!(sizes(8), [(6, 2), (3, 1), (1, 1)]);
    }
}
