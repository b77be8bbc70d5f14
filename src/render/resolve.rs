//! Average samples into pixels: colour over what is covered, counts of masks, the ground's shadow.
//!
//! Pure: bytes as the adapter wrote them in, a [`CellImage`] out. Nothing is clamped: what is not
//! finite stays so, for the caller to see.

use half::f16;
use half::slice::HalfFloatSliceExt as _;

use crate::stage::{Display, Mask, MaskSet};

use super::extent::PxRect;
use super::image::{CellImage, MaskCounts};

/// Bytes a sample of scene-linear colour: four half floats.
pub(super) const COLOUR_BYTES: usize = 8;
/// Bytes a sample of ids.
pub(super) const ID_BYTES: usize = 4;
/// Bytes a sample of the ground's shadow.
pub(super) const GROUND_BYTES: usize = 1;

/// Blending over something opaque may end up to two steps of a half float short of 1.
const OPAQUE: f32 = 1.0 - 1.0 / 1024.0;

/// A rectangle of one attachment, rows from the top, `stride` bytes apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) stride: usize,
}

impl<'a> Plane<'a> {
    fn row(&self, row: usize, length: usize) -> &'a [u8] {
        &self.bytes[row * self.stride..][..length]
    }
}

/// What the adapter drew: samples of the bodies, and of the ground where one was drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn<'a> {
    /// Pixels that `colour` and `ids` hold; outside it nothing was drawn.
    pub(super) rect: PxRect,
    /// Premultiplied scene-linear half floats.
    pub(super) colour: Plane<'a>,
    /// Zero where no body is; masks in the low eight bits.
    pub(super) ids: Plane<'a>,
    /// Pixels that the plane holds, and the share of light missing, 0 to 255.
    pub(super) ground: Option<(PxRect, Plane<'a>)>,
}

/// What a cell's picture is to be, apart from what was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Finish {
    pub(super) width_px: u32,
    pub(super) height_px: u32,
    pub(super) samples: u32,
    /// Masks that any draw has.
    pub(super) masks: MaskSet,
    /// Whether any sample may be translucent.
    pub(super) blended: bool,
    /// Whether the scene has a ground, drawn or not.
    pub(super) ground: bool,
    pub(super) display: Display,
}

/// Averages the samples of a cell.
///
/// The colour of a pixel is the sum of its premultiplied samples over the sum of their opacities: the
/// mean over the covered samples, each as far as it is opaque.
pub(super) fn resolve(drawn: &Drawn<'_>, finish: &Finish) -> CellImage {
    let pixels = finish.width_px as usize * finish.height_px as usize;
    let masks = Mask::ALL.into_iter().filter(|mask| finish.masks.has(*mask));
    let mut image = CellImage {
        width_px: finish.width_px,
        height_px: finish.height_px,
        samples: finish.samples,
        colour: vec![[0.0; 3]; pixels],
        coverage: vec![0; pixels],
        opacity: finish.blended.then(|| vec![0.0; pixels]),
        masks: masks.map(|mask| MaskCounts { mask, counts: vec![0; pixels] }).collect(),
        ground_shadow: finish.ground.then(|| vec![0.0; pixels]),
        display: finish.display,
    };
    // The usual counts as constants, so that the loops over samples unroll.
    match finish.samples {
        1 => bodies(drawn, 1, &mut image),
        2 => bodies(drawn, 2, &mut image),
        4 => bodies(drawn, 4, &mut image),
        samples => bodies(drawn, samples as usize, &mut image),
    }
    shadows(drawn, finish.samples as usize, &mut image);
    if image.opacity.as_ref().is_some_and(|opacity| all_opaque(opacity, &image.coverage)) {
        image.opacity = None;
    }
    image
}

fn all_opaque(opacity: &[f32], coverage: &[u16]) -> bool {
    opacity.iter().zip(coverage).all(|(opacity, covered)| *covered == 0 || *opacity == 1.0)
}

/// A mask set with each bit moved to a count of sixteen bits of its own.
const fn spread_masks() -> [u128; 256] {
    let mut spread = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[set] |= ((set >> bit & 1) as u128) << (16 * bit);
            bit += 1;
        }
        set += 1;
    }
    spread
}

static SPREAD_MASKS: [u128; 256] = spread_masks();

/// One row of pixels: its ids, and its colours as floats.
struct SampleRows<'a> {
    ids: Vec<&'a [[u8; 4]]>,
    colours: Vec<f32>,
    width: usize,
}

/// Sums of one pixel's samples.
#[derive(Default)]
struct Sums {
    covered: u16,
    colour: [f32; 4],
    masks: u128,
}

impl SampleRows<'_> {
    #[inline(always)]
    fn sums(&self, pixel: usize, samples: usize) -> Sums {
        let mut sums = Sums::default();
        for (row, ids) in self.ids.iter().enumerate() {
            for sample in pixel * samples..(pixel + 1) * samples {
                let id = u32::from_le_bytes(ids[sample]);
                if id == 0 {
                    continue;
                }
                sums.covered += 1;
                sums.masks += SPREAD_MASKS[(id & 0xff) as usize];
                let at = (row * self.width + sample) * 4;
                for (sum, channel) in sums.colour.iter_mut().zip(&self.colours[at..at + 4]) {
                    *sum += channel;
                }
            }
        }
        sums
    }
}

#[inline(always)]
fn bodies(drawn: &Drawn<'_>, samples: usize, image: &mut CellImage) {
    let width = drawn.rect.width as usize * samples;
    let mut rows = SampleRows { ids: Vec::with_capacity(samples), colours: vec![0.0; samples * width * 4], width };
    for row in 0..drawn.rect.height as usize {
        rows.ids.clear();
        for sample_row in row * samples..(row + 1) * samples {
            rows.ids.push(drawn.ids.row(sample_row, width * ID_BYTES).as_chunks().0);
        }
        if rows.ids.iter().all(|ids| ids.iter().all(|id| *id == [0; 4])) {
            continue;
        }
        for (at, floats) in rows.colours.chunks_exact_mut(width * 4).enumerate() {
            floats_from_halves(drawn.colour.row(row * samples + at, width * COLOUR_BYTES), floats);
        }
        let first = (drawn.rect.y as usize + row) * image.width_px as usize + drawn.rect.x as usize;
        for pixel in 0..drawn.rect.width as usize {
            let sums = rows.sums(pixel, samples);
            if sums.covered > 0 {
                store(image, first + pixel, &sums);
            }
        }
    }
}

/// Little-endian half floats into floats of this machine.
fn floats_from_halves(bytes: &[u8], floats: &mut [f32]) {
    if let Ok(halves) = bytemuck::try_cast_slice::<u8, f16>(bytes)
        && cfg!(target_endian = "little")
    {
        halves.convert_to_f32_slice(floats);
    } else {
        for (float, half) in floats.iter_mut().zip(bytes.as_chunks().0) {
            *float = f16::from_le_bytes(*half).to_f32();
        }
    }
}

#[inline(always)]
fn store(image: &mut CellImage, pixel: usize, sums: &Sums) {
    let [r, g, b, alpha] = sums.colour;
    image.colour[pixel] = if alpha == 0.0 { [0.0; 3] } else { [r / alpha, g / alpha, b / alpha] };
    image.coverage[pixel] = sums.covered;
    if let Some(opacity) = &mut image.opacity {
        let mean = alpha / f32::from(sums.covered);
        opacity[pixel] = if mean > OPAQUE { 1.0 } else { mean };
    }
    for MaskCounts { mask, counts } in &mut image.masks {
        counts[pixel] = (sums.masks >> (16 * (*mask as u8).trailing_zeros())) as u16;
    }
}

/// The shadow on the ground, as far as bodies leave it to be seen.
fn shadows(drawn: &Drawn<'_>, samples: usize, image: &mut CellImage) {
    let (Some(shadow), Some((rect, plane))) = (&mut image.ground_shadow, drawn.ground) else { return };
    let full = 255.0 * (samples * samples) as f32;
    for row in 0..rect.height as usize {
        let y = rect.y as usize + row;
        let sample_rows: Vec<&[u8]> = (row * samples..(row + 1) * samples)
            .map(|sample_row| plane.row(sample_row, rect.width as usize * samples))
            .collect();
        for column in 0..rect.width as usize {
            let here = column * samples..(column + 1) * samples;
            let sum: u32 = sample_rows.iter().flat_map(|row| &row[here.clone()]).map(|code| u32::from(*code)).sum();
            if sum == 0 {
                continue;
            }
            let x = rect.x as usize + column;
            let pixel = y * image.width_px as usize + x;
            shadow[pixel] = if image.coverage[pixel] == 0 {
                sum as f32 / full
            } else {
                let (left, top) = (x - drawn.rect.x as usize, y - drawn.rect.y as usize);
                let seen = |row: usize, at: usize| 1.0 - opacity(drawn, left * samples + at, top * samples + row);
                let visible = sample_rows.iter().enumerate().flat_map(|(row, codes)| {
                    codes[here.clone()].iter().enumerate().map(move |(at, code)| f32::from(*code) * seen(row, at))
                });
                visible.sum::<f32>() / full
            };
        }
    }
}

/// Opacity of the bodies at a sample of the drawn rectangle.
fn opacity(drawn: &Drawn<'_>, column: usize, row: usize) -> f32 {
    let at = row * drawn.colour.stride + column * COLOUR_BYTES + 6;
    f16::from_le_bytes([drawn.colour.bytes[at], drawn.colour.bytes[at + 1]]).to_f32()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// One sample as a test writes it.
    #[derive(Debug, Clone, Copy)]
    struct Sample {
        colour: [f32; 4],
        id: u32,
        ground: u8,
    }

    const EMPTY: Sample = Sample { colour: [0.0; 4], id: 0, ground: 0 };

    fn opaque(rgb: [f32; 3], masks: u8) -> Sample {
        Sample { colour: [rgb[0], rgb[1], rgb[2], 1.0], id: 1 << 28 | u32::from(masks), ground: 0 }
    }

    /// Samples of a whole cell, rows from the top, as the adapter would write them.
    struct Written {
        colour: Vec<u8>,
        ids: Vec<u8>,
        ground: Vec<u8>,
    }

    impl Written {
        /// Each row padded by `padding` bytes of rubbish.
        fn new(samples: &[Sample], wide: usize, padding: usize) -> Self {
            let mut written = Self { colour: Vec::new(), ids: Vec::new(), ground: Vec::new() };
            for row in samples.chunks(wide) {
                for sample in row {
                    let halves = sample.colour.map(|channel| f16::from_f32(channel).to_le_bytes());
                    written.colour.extend(halves.concat());
                    written.ids.extend(sample.id.to_le_bytes());
                    written.ground.push(sample.ground);
                }
                for plane in [&mut written.colour, &mut written.ids, &mut written.ground] {
                    plane.extend(std::iter::repeat_n(0xa5, padding));
                }
            }
            written
        }

        fn drawn(&self, rect: PxRect, samples: u32, padding: usize, ground: bool) -> Drawn<'_> {
            let wide = (rect.width * samples) as usize;
            let plane = |bytes, sample_bytes| Plane { bytes, stride: wide * sample_bytes + padding };
            Drawn {
                rect,
                colour: plane(&self.colour, COLOUR_BYTES),
                ids: plane(&self.ids, ID_BYTES),
                ground: ground.then(|| (rect, plane(&self.ground, GROUND_BYTES))),
            }
        }
    }

    fn finish(width_px: u32, height_px: u32, samples: u32) -> Finish {
        Finish {
            width_px,
            height_px,
            samples,
            masks: MaskSet(0b11_1111),
            blended: true,
            ground: true,
            display: Display::default(),
        }
    }

    fn resolved(samples: &[Sample], finish: &Finish) -> CellImage {
        let wide = (finish.width_px * finish.samples) as usize;
        let rect = PxRect::whole(finish.width_px, finish.height_px);
        resolve(&Written::new(samples, wide, 16).drawn(rect, finish.samples, 16, finish.ground), finish)
    }

    /// Two red samples, one of blue glass at a quarter, one empty: colour (2, 0, 0.25) / 2.25, opacity
    /// 2.25 / 3.
    #[test]
    fn a_pixel_worked_by_hand() {
        let glass = Sample { colour: [0.0, 0.0, 0.25, 0.25], id: 2 << 28 | 1 | 4, ground: 102 };
        let bare = Sample { ground: 204, ..EMPTY };
        let red = opaque([1.0, 0.0, 0.0], 1 | 2);
        let image = resolved(&[red, red, glass, bare], &finish(1, 1, 2));
        let near = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        near(image.colour[0][0], 2.0 / 2.25);
        near(image.colour[0][2], 0.25 / 2.25);
        near(image.opacity.as_ref().unwrap()[0], 0.75);
        assert_eq!(image.coverage, [3]);
        let counts = |mask| image.mask(mask).unwrap().counts[0];
        assert_eq!((counts(Mask::Subject), counts(Mask::Worker), counts(Mask::Load), counts(Mask::Eyes)), (3, 2, 1, 0));
        // 0.4 seen through three quarters of the glass and 0.8 seen bare, over four samples.
        near(image.ground_shadow.as_ref().unwrap()[0], (0.4 * 0.75 + 0.8) / 4.0);
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        let image = resolved(&[opaque([f32::NAN, f32::INFINITY, 0.5], 1)], &finish(1, 1, 1));
        assert!(image.colour[0][0].is_nan() && image.colour[0][1].is_infinite());
        assert_eq!(image.colour[0][2], 0.5);
    }

    #[test]
    fn opacity_and_ground_are_absent_where_there_are_none() {
        let finish = Finish { ground: false, masks: MaskSet(1), ..finish(2, 1, 1) };
        let image = resolved(&[opaque([0.5; 3], 1), EMPTY], &finish);
        assert_eq!((image.opacity, image.ground_shadow), (None, None));
        assert_eq!(image.masks, [MaskCounts { mask: Mask::Subject, counts: vec![1, 0] }]);
    }

    #[test]
    fn the_last_step_of_a_half_float_is_opaque() {
        let short = Sample { colour: [0.5, 0.5, 0.5, 1.0 - 1.0 / 2048.0], id: 1 << 28, ground: 0 };
        assert_eq!(resolved(&[short], &finish(1, 1, 1)).opacity, None);
        let glass = Sample { colour: [0.5, 0.5, 0.5, 0.99], ..short };
        assert!(resolved(&[glass], &finish(1, 1, 1)).opacity.unwrap()[0] < 0.995);
    }

    #[test]
    fn a_rectangle_lands_where_it_was_copied_from() {
        let written = Written::new(&[opaque([0.25; 3], 1), opaque([0.5; 3], 1)], 1, 0);
        let rect = PxRect { x: 2, y: 1, width: 1, height: 2 };
        let image = resolve(&written.drawn(rect, 1, 0, false), &finish(4, 4, 1));
        let covered: Vec<_> = (0..16).filter(|at| image.coverage[*at] > 0).collect();
        assert_eq!(covered, [6, 10]);
        assert_eq!((image.colour[6], image.colour[10]), ([0.25; 3], [0.5; 3]));
    }

    #[test]
    fn the_most_samples_do_not_overflow() {
        let image = resolved(&vec![opaque([0.5; 3], 0b11_1111); 255 * 255], &finish(1, 1, 255));
        assert_eq!(image.coverage, [65_025]);
        assert!(image.masks.iter().all(|mask| mask.counts == [65_025]));
    }

    fn any_sample() -> impl Strategy<Value = Sample> {
        let covered = (prop::array::uniform3(0.0_f32..4.0), 0.0_f32..=1.0, 0_u8..64, any::<u8>());
        prop_oneof![
            Just(EMPTY),
            any::<u8>().prop_map(|ground| Sample { ground, ..EMPTY }),
            covered.prop_map(|([r, g, b], alpha, masks, ground)| Sample {
                colour: [r * alpha, g * alpha, b * alpha, alpha],
                id: 3 << 28 | u32::from(masks),
                ground,
            }),
        ]
    }

    /// The same, pixel by pixel in the plainest way and double precision.
    fn plainly(samples: &[Sample], finish: &Finish, x: u32, y: u32) -> ([f64; 3], u16, [u16; 6], f64) {
        let (side, wide) = (finish.samples, finish.width_px * finish.samples);
        let (mut sum, mut covered, mut masks, mut shadow) = ([0.0; 4], 0, [0; 6], 0.0);
        for row in y * side..(y + 1) * side {
            for column in x * side..(x + 1) * side {
                let sample = samples[(row * wide + column) as usize];
                let colour = sample.colour.map(|channel| f16::from_f32(channel).to_f64());
                shadow += f64::from(sample.ground) / 255.0 * (1.0 - colour[3]);
                if sample.id != 0 {
                    covered += 1;
                    (0..4).for_each(|channel| sum[channel] += colour[channel]);
                    (0..6).for_each(|bit| masks[bit] += (sample.id >> bit & 1) as u16);
                }
            }
        }
        let opacity = if sum[3] > 0.0 { sum[3] } else { 1.0 };
        ([sum[0] / opacity, sum[1] / opacity, sum[2] / opacity], covered, masks, shadow / f64::from(side * side))
    }

    proptest! {
        #[test]
        fn any_cell_agrees_with_the_plain_sum(
            side in 1_u32..=5,
            samples in prop::collection::vec(any_sample(), 3 * 2 * 25),
        ) {
            let finish = finish(3, 2, side);
            let samples = &samples[..(3 * 2 * side * side) as usize];
            let image = resolved(samples, &finish);
            for (pixel, (x, y)) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)].into_iter().enumerate() {
                let (colour, covered, masks, shadow) = plainly(samples, &finish, x, y);
                prop_assert_eq!(image.coverage[pixel], covered);
                for (channel, wanted) in colour.into_iter().enumerate() {
                    prop_assert!((f64::from(image.colour[pixel][channel]) - wanted).abs() < 1e-4);
                }
                for (counts, wanted) in image.masks.iter().zip(masks) {
                    prop_assert_eq!(counts.counts[pixel], wanted);
                }
                let found = f64::from(image.ground_shadow.as_ref().unwrap()[pixel]);
                prop_assert!((found - shadow).abs() < 1e-5, "{} {}", found, shadow);
            }
        }
    }
}
