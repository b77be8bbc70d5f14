//! Hold a horizontal strip of a page in 8-bit sRGB and paint on it in page coordinates.
//!
//! Pure. Whatever lies outside the strip is clipped, so that a label that spans several strips is
//! painted on each of them with the same call.

use super::theme::Rgb;

/// A rectangle in page pixels, from its top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i32,
    pub(crate) h: i32,
}

impl Rect {
    pub(crate) fn new(x: i32, y: i32, w: i32, h: i32) -> Self {
        Self { x, y, w, h }
    }

    pub(crate) fn right(&self) -> i32 {
        self.x + self.w
    }

    pub(crate) fn bottom(&self) -> i32 {
        self.y + self.h
    }

    /// The same rectangle, smaller by `by` on every side; never of negative size.
    pub(crate) fn inset(&self, by: i32) -> Self {
        Self { x: self.x + by, y: self.y + by, w: (self.w - 2 * by).max(0), h: (self.h - 2 * by).max(0) }
    }
}

/// A strip of a page, as wide as the page.
#[derive(Debug, Clone)]
pub(crate) struct Canvas {
    /// Page row of the strip's first row.
    top: i32,
    width: i32,
    height: i32,
    /// Three bytes a pixel, rows from the top.
    rgb: Vec<u8>,
}

impl Canvas {
    /// The page rows `top` to `bottom`, blank.
    pub(crate) fn new(width: i32, top: i32, bottom: i32, paper: Rgb) -> Self {
        let (width, height) = (width.max(0), (bottom - top).max(0));
        let rgb = paper.repeat(width as usize * height as usize);
        Self { top, width, height, rgb }
    }

    /// The bytes of all rows, three a pixel.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.rgb
    }

    /// Whether any of the page rows `top` to `bottom` is on this strip.
    pub(crate) fn meets(&self, top: i32, bottom: i32) -> bool {
        top < self.top + self.height && bottom > self.top
    }

    fn offset(&self, x: i32, y: i32) -> Option<usize> {
        let row = y - self.top;
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&row);
        inside.then(|| (row as usize * self.width as usize + x as usize) * 3)
    }

    /// Mixes `colour` into a pixel; `alpha` 255 replaces it. Mixed in sRGB codes: dark type on light
    /// paper keeps its weight, where mixing light would make it thin.
    pub(crate) fn mix(&mut self, x: i32, y: i32, colour: Rgb, alpha: u8) {
        let Some(at) = self.offset(x, y) else { return };
        let share = u32::from(alpha);
        for (under, over) in self.rgb[at..at + 3].iter_mut().zip(colour) {
            *under = ((u32::from(*under) * (255 - share) + u32::from(over) * share + 127) / 255) as u8;
        }
    }

    /// Fills a rectangle.
    pub(crate) fn fill(&mut self, rect: Rect, colour: Rgb) {
        let (left, right) = (rect.x.max(0), rect.right().min(self.width));
        if left >= right {
            return;
        }
        for y in rect.y.max(self.top)..rect.bottom().min(self.top + self.height) {
            let Some(at) = self.offset(left, y) else { continue };
            for pixel in self.rgb[at..at + (right - left) as usize * 3].chunks_exact_mut(3) {
                pixel.copy_from_slice(&colour);
            }
        }
    }

    /// Fills a rectangle with diagonal stripes, `period` pixels from one to the next.
    pub(crate) fn hatch(&mut self, rect: Rect, ground: Rgb, stripe: Rgb, period: i32) {
        self.fill(rect, ground);
        for y in rect.y..rect.bottom() {
            for x in rect.x..rect.right() {
                if (x - rect.x + y - rect.y).rem_euclid(period) * 2 < period {
                    self.mix(x, y, stripe, 255);
                }
            }
        }
    }

    /// Paints a line of a round brush `width` pixels wide, with smooth edges.
    pub(crate) fn stroke(&mut self, from: [f32; 2], to: [f32; 2], width: f32, colour: Rgb) {
        let reach = width / 2.0 + 1.0;
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length_squared = (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
        for y in (from[1].min(to[1]) - reach).floor() as i32..=(from[1].max(to[1]) + reach) as i32 {
            for x in (from[0].min(to[0]) - reach).floor() as i32..=(from[0].max(to[0]) + reach) as i32 {
                let (px, py) = (x as f32 + 0.5 - from[0], y as f32 + 0.5 - from[1]);
                let along = ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0);
                let (ox, oy) = (px - along * dx, py - along * dy);
                let inside = (width / 2.0 + 0.5 - (ox * ox + oy * oy).sqrt()).clamp(0.0, 1.0);
                self.mix(x, y, colour, (inside * 255.0 + 0.5) as u8);
            }
        }
    }

    /// Paints a picture of three bytes a pixel, each pixel `zoom` pixels wide and high.
    pub(crate) fn blit(&mut self, x: i32, y: i32, size_px: [u32; 2], rgb: &[u8], zoom: u32) {
        let [columns, _] = size_px;
        for (row, pixels) in rgb.chunks_exact(columns.max(1) as usize * 3).enumerate() {
            for repeat in 0..zoom as i32 {
                let page_y = y + row as i32 * zoom as i32 + repeat;
                if !self.meets(page_y, page_y + 1) {
                    continue;
                }
                for (column, pixel) in pixels.chunks_exact(3).enumerate() {
                    let colour = [pixel[0], pixel[1], pixel[2]];
                    self.fill(Rect::new(x + column as i32 * zoom as i32, page_y, zoom as i32, 1), colour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(canvas: &Canvas, x: i32, y: i32) -> Rgb {
        let at = canvas.offset(x, y).unwrap();
        [canvas.rgb[at], canvas.rgb[at + 1], canvas.rgb[at + 2]]
    }

    #[test]
    fn a_strip_shows_its_own_rows_of_what_is_painted() {
        let mut strip = Canvas::new(4, 10, 12, [0; 3]);
        strip.fill(Rect::new(1, 9, 9, 2), [200, 0, 0]);
        assert_eq!([0, 1, 3].map(|x| pixel(&strip, x, 10)[0]), [0, 200, 200]);
        assert_eq!(pixel(&strip, 1, 11), [0; 3]);
        assert_eq!(strip.bytes().len(), 4 * 2 * 3);
    }

    #[test]
    fn half_alpha_is_half_way() {
        let mut strip = Canvas::new(1, 0, 1, [0, 100, 255]);
        strip.mix(0, 0, [255, 100, 0], 128);
        assert_eq!(pixel(&strip, 0, 0), [128, 100, 127]);
    }

    #[test]
    fn an_enlarged_pixel_is_a_square_of_itself() {
        let mut strip = Canvas::new(6, 0, 3, [9; 3]);
        strip.blit(1, 0, [2, 1], &[1, 1, 1, 2, 2, 2], 2);
        let row = |y| [0, 1, 2, 3, 4, 5].map(|x| pixel(&strip, x, y)[0]);
        assert_eq!([row(0), row(1), row(2)], [[9, 1, 1, 2, 2, 9], [9, 1, 1, 2, 2, 9], [9; 6]]);
    }
}
