//! Shrink a picture row by row, so that a page need never be whole in memory.
//!
//! Pure. Each pixel of the result is the mean *light* over the area that it covers, fractions of
//! pixels included: averaging sRGB codes instead would darken fine detail.

use crate::base::colour::{LINEAR_FROM_SRGB8, srgb8_from_linear};

/// A picture being shrunk.
#[derive(Debug, Clone)]
pub(crate) struct Shrink {
    from: [usize; 2],
    to: [usize; 2],
    row: usize,
    /// Light gathered for the result's current row.
    gathered: Vec<[f32; 3]>,
    /// Finished rows.
    rgb: Vec<u8>,
}

impl Shrink {
    /// From one size to another that is not larger on either side.
    pub(crate) fn new(from: [u32; 2], to: [u32; 2]) -> Self {
        let from = from.map(|side| side.max(1) as usize);
        let to = [0, 1].map(|axis| (to[axis].max(1) as usize).min(from[axis]));
        Self { from, to, row: 0, gathered: vec![[0.0; 3]; to[0]], rgb: Vec::with_capacity(to[0] * to[1] * 3) }
    }

    /// Takes the next row, three bytes a pixel.
    pub(crate) fn push_row(&mut self, row: &[u8]) {
        let step = self.from[1] as f64 / self.to[1] as f64;
        let (top, bottom) = (self.row as f64, (self.row + 1) as f64);
        self.row += 1;
        let done = self.rgb.len() / (self.to[0] * 3);
        if done >= self.to[1] {
            return;
        }
        let border = (done + 1) as f64 * step;
        let share = ((border.min(bottom) - top) / step) as f32;
        let light = self.narrowed(row);
        self.gather(&light, share);
        // A tolerance keeps rounding from leaving the last row one input row short.
        if bottom + 1e-6 >= border {
            for sum in &mut self.gathered {
                self.rgb.extend(sum.map(srgb8_from_linear));
                *sum = [0.0; 3];
            }
            self.gather(&light, ((bottom - border).max(0.0) / step) as f32);
        }
    }

    fn gather(&mut self, light: &[[f32; 3]], share: f32) {
        for (sum, light) in self.gathered.iter_mut().zip(light) {
            for channel in 0..3 {
                sum[channel] += light[channel] * share;
            }
        }
    }

    /// A row at the result's width, as light.
    fn narrowed(&self, row: &[u8]) -> Vec<[f32; 3]> {
        let step = self.from[0] as f64 / self.to[0] as f64;
        let light_at = |x: usize| [0, 1, 2].map(|c| LINEAR_FROM_SRGB8[usize::from(row[x * 3 + c])]);
        let column = |at: usize| {
            let (left, right) = (at as f64 * step, ((at + 1) as f64 * step).min(self.from[0] as f64));
            let mut sum = [0.0f32; 3];
            for x in left as usize..(right.ceil() as usize).min(self.from[0]) {
                let share = ((right.min((x + 1) as f64) - left.max(x as f64)).max(0.0) / step) as f32;
                let light = light_at(x);
                for channel in 0..3 {
                    sum[channel] += light[channel] * share;
                }
            }
            sum
        };
        (0..self.to[0]).map(column).collect()
    }

    /// The result's size and its bytes; rows that never came are black.
    pub(crate) fn finish(mut self) -> ([u32; 2], Vec<u8>) {
        self.rgb.resize(self.to[0] * self.to[1] * 3, 0);
        (self.to.map(|side| side as u32), self.rgb)
    }
}

/// The largest size of the shape of `from` that fits in `room`, never larger than `from`.
pub(crate) fn fitted(from: [u32; 2], room: [u32; 2]) -> [u32; 2] {
    let scale = [0, 1].map(|axis| f64::from(room[axis]) / f64::from(from[axis].max(1)));
    let scale = scale[0].min(scale[1]).min(1.0);
    from.map(|side| ((f64::from(side) * scale) as u32).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(from: [u32; 2], to: [u32; 2], rgb: &[u8]) -> Vec<u8> {
        let mut shrink = Shrink::new(from, to);
        rgb.chunks_exact(from[0] as usize * 3).for_each(|row| shrink.push_row(row));
        shrink.finish().1
    }

    /// Half white, half black is half the light: linear 0.5 encodes to 188 (1.055 * 0.5^(1/2.4) - 0.055 = 0.7354).
    #[test]
    fn a_chequer_keeps_its_light() {
        let chequer = [255, 255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 255];
        assert_eq!(shrunk([2, 2], [1, 1], &chequer), [188, 188, 188]);
    }

    /// Three pixels to two: the first result is the white pixel and half of the next, so two thirds of the light.
    /// Linear 2/3 encodes to 213 (1.055 * (2/3)^(1/2.4) - 0.055 = 0.8360).
    #[test]
    fn a_pixel_on_a_border_is_shared() {
        let row = [[255; 3], [0; 3], [0; 3]].concat();
        assert_eq!(shrunk([3, 1], [2, 1], &row), [[213; 3], [0; 3]].concat());
        let column = row.clone();
        assert_eq!(shrunk([1, 3], [1, 2], &column), [[213; 3], [0; 3]].concat());
    }

    #[test]
    fn an_even_colour_stays_exactly_itself_at_any_ratio() {
        for (from, to) in [([7, 5], [3, 2]), ([100, 99], [7, 98]), ([13, 13], [13, 1])] {
            let rgb = [118, 3, 250].repeat((from[0] * from[1]) as usize);
            let expected = [118, 3, 250].repeat((to[0] * to[1]) as usize);
            assert_eq!(shrunk(from, to, &rgb), expected, "{from:?} to {to:?}");
        }
    }

    #[test]
    fn a_shape_is_kept_and_nothing_grows() {
        assert_eq!(fitted([400, 200], [100, 100]), [100, 50]);
        assert_eq!(fitted([40, 20], [100, 100]), [40, 20]);
    }
}
