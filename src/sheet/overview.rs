//! Show all pages of a study on one, side by side, each with its file's name.
//!
//! Reads: the small copies that pages leave when they are written. Writes: `overview.png`.

use super::canvas::{Canvas, Rect};
use super::footer::{Footer, Provenance};
use super::layout::Page;
use super::lettering::{Align, Lettering};
use super::shrink::fitted;
use super::sizes::Sizes;
use super::tile::Press;

/// Longest side of an overview: enough for a screen, little enough to hold.
const MOST_PX: u32 = 4096;
/// Smallest side of a page on it.
const LEAST_TILE_PX: i32 = 48;
/// Lines over each page: its file, and what it shows.
const LABEL_LINES: usize = 3;

/// Where each page goes on the overview.
#[derive(Debug, Clone)]
pub(crate) struct Overview {
    sizes: Sizes,
    /// Columns and rows of one page's room.
    tile: [i32; 2],
    columns: usize,
    /// Pages that are shown; the rest are counted at the end.
    shown: usize,
    label_lines: usize,
}

impl Overview {
    /// Chooses the number of columns that shows the pages largest; `None` for fewer than two pages.
    pub(crate) fn new(pages: &[Page], max_page_px: u32, lettering: &mut Lettering) -> Option<Self> {
        if pages.len() < 2 {
            return None;
        }
        let sizes = Sizes::new([384, 384]);
        let side = i32::try_from(max_page_px.min(MOST_PX)).unwrap_or(i32::MAX) - 2 * sizes.margin;
        let widest = pages.iter().map(|page| page.width).max().unwrap_or(1);
        let tallest = pages.iter().map(|page| page.body).max().unwrap_or(1);
        let label_px = LABEL_LINES as i32 * sizes.caption.line_px() + sizes.pad;
        let room =
            Room { side, page: [widest, tallest], label_px, gap: sizes.group_gap, head: 10 * sizes.label.line_px() };
        let best = (1..=pages.len()).filter_map(|columns| room.with_columns(columns, pages.len())).max_by(better);
        let (chosen, shown) = best.map_or_else(|| room.crowded(), |chosen| (chosen, pages.len()));
        let tile = room.page.map(|side| ((f64::from(side) * chosen.scale) as i32).max(1));
        let lines = |page: &Page| lettering.fit(&page.heading, sizes.caption, tile[0], LABEL_LINES - 1).lines.len() + 1;
        let label_lines = pages.iter().take(shown).map(lines).max().unwrap_or(1);
        Some(Self { sizes, tile, columns: chosen.columns, shown: shown.min(pages.len()), label_lines })
    }

    /// The size of a page's small copy; `None` for pages that are only counted.
    pub(crate) fn small_size(&self, at: usize, page: &Page) -> Option<[u32; 2]> {
        let room = self.tile.map(|side| side as u32);
        (at < self.shown).then(|| fitted([page.width as u32, page.body as u32], room))
    }

    /// Paints the overview.
    pub(crate) fn paint(
        &self,
        title: &str,
        pages: &[Page],
        small: &[Option<([u32; 2], Vec<u8>)>],
        provenance: &Provenance,
        press: &mut Press,
    ) -> ([u32; 2], Vec<u8>) {
        let sizes = self.sizes;
        let step = [self.tile[0] + sizes.group_gap, self.tile[1] + self.label_px() + sizes.group_gap];
        let rows = self.shown.div_ceil(self.columns) as i32;
        let content = (self.columns as i32 * step[0] - sizes.group_gap).max(sizes.least_content);
        let width = content + 2 * sizes.margin;
        let title = press.lettering.fit(title, sizes.title, content, 3);
        let left_out = pages.len() - self.shown;
        let said = match left_out {
            0 => format!("{} sheets", pages.len()),
            _ => format!("{} sheets, of which the last {left_out} are not shown", pages.len()),
        };
        let said = press.lettering.fit(&said, sizes.caption, content, 2);
        let top = sizes.margin + title.height_px() + said.height_px() + 2 * sizes.pad;
        let body = top + rows * step[1];
        let mut canvas = Canvas::new(width, 0, body, press.palette.paper);
        let ink = press.palette.ink;
        press.lettering.paint(&mut canvas, &title, [sizes.margin, sizes.margin], content, Align::Left, ink);
        let under = [sizes.margin, sizes.margin + title.height_px()];
        press.lettering.paint(&mut canvas, &said, under, content, Align::Left, press.palette.muted);
        for (at, page) in pages.iter().enumerate().take(self.shown) {
            let x = sizes.margin + (at % self.columns) as i32 * step[0];
            let y = top + (at / self.columns) as i32 * step[1];
            self.paint_page(&mut canvas, [x, y], page, small[at].as_ref(), press);
        }
        let footer = Footer::new(provenance, &mut press.lettering, &sizes, width);
        let foot = footer.paint(&mut press.lettering, press.palette, &sizes, width, body);
        let mut rgb = canvas.bytes().to_vec();
        rgb.extend_from_slice(foot.bytes());
        ([width as u32, (body + footer.height) as u32], rgb)
    }

    fn label_px(&self) -> i32 {
        self.label_lines as i32 * self.sizes.caption.line_px() + self.sizes.pad
    }

    fn paint_page(
        &self,
        canvas: &mut Canvas,
        [x, y]: [i32; 2],
        page: &Page,
        small: Option<&([u32; 2], Vec<u8>)>,
        press: &mut Press,
    ) {
        let file = press.lettering.fit(page.file.trim_end_matches(".png"), self.sizes.caption, self.tile[0], 1);
        press.lettering.paint(canvas, &file, [x, y], self.tile[0], Align::Left, press.palette.ink);
        let heading =
            press.lettering.fit(&page.heading, self.sizes.caption, self.tile[0], self.label_lines.saturating_sub(1));
        let below = [x, y + file.height_px()];
        press.lettering.paint(canvas, &heading, below, self.tile[0], Align::Left, press.palette.muted);
        let Some((size, rgb)) = small else { return };
        let top = y + self.label_px();
        let rim = Rect::new(x - 1, top - 1, size[0] as i32 + 2, size[1] as i32 + 2);
        canvas.fill(rim, press.palette.rule);
        canvas.blit(x, top, *size, rgb, 1);
    }
}

/// What there is to share out between pages.
struct Room {
    /// Longest side of the overview without its margins.
    side: i32,
    /// Largest page.
    page: [i32; 2],
    label_px: i32,
    gap: i32,
    /// Kept for title and foot.
    head: i32,
}

/// A number of columns and how large it shows the pages.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Chosen {
    columns: usize,
    scale: f64,
    /// Width over height of all pages together.
    aspect: f64,
}

/// The larger scale; of equal ones the shape of a screen, three to two.
fn better(one: &Chosen, other: &Chosen) -> std::cmp::Ordering {
    let off = |chosen: &Chosen| (chosen.aspect / 1.5).ln().abs();
    one.scale.total_cmp(&other.scale).then_with(|| off(other).total_cmp(&off(one)))
}

impl Room {
    /// `None` where pages would be too small.
    fn with_columns(&self, columns: usize, pages: usize) -> Option<Chosen> {
        let across = i32::try_from(columns).ok()?;
        let down = i32::try_from(pages.div_ceil(columns)).ok()?;
        let most =
            [(self.side + self.gap) / across - self.gap, (self.side - self.head) / down - self.label_px - self.gap];
        if most[0].min(most[1]) < LEAST_TILE_PX {
            return None;
        }
        let scale = [0, 1].map(|axis| f64::from(most[axis]) / f64::from(self.page[axis].max(1)));
        let scale = scale[0].min(scale[1]).min(0.5);
        let shown = [0, 1].map(|axis| f64::from(self.page[axis]) * scale);
        let aspect = f64::from(across) * shown[0] / (f64::from(down) * (shown[1] + f64::from(self.label_px)));
        Some(Chosen { columns, scale, aspect })
    }

    /// More pages than there is room for: as many as fit at the smallest size.
    fn crowded(&self) -> (Chosen, usize) {
        let scale = f64::from(LEAST_TILE_PX) / f64::from(self.page[0].max(self.page[1]).max(1));
        let columns = (self.side / (LEAST_TILE_PX + self.gap)).max(1) as usize;
        let rows = ((self.side - self.head) / (LEAST_TILE_PX + self.label_px + self.gap)).max(1) as usize;
        (Chosen { columns, scale, aspect: 1.0 }, columns * rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four pages of 400 by 200 in a square of 1,000 reach half size in 1 to 4 columns; together they are
    /// 0.42, 1.67, 2.5 and 6.67 as wide as high, and two columns are nearest to three to two.
    #[test]
    fn of_equal_sizes_the_overview_takes_the_shape_of_a_screen() {
        let room = Room { side: 1000, page: [400, 200], label_px: 20, gap: 10, head: 0 };
        let all: Vec<Chosen> = (1..=4).filter_map(|columns| room.with_columns(columns, 4)).collect();
        assert_eq!(all.iter().map(|chosen| chosen.scale).collect::<Vec<_>>(), [0.5; 4]);
        assert_eq!(all.iter().copied().max_by(better).map(|chosen| chosen.columns), Some(2));
    }

    /// Ten pages of 1,000 by 100: three columns leave 1010 / 3 - 10 = 326 pixels of width, one column leaves
    /// 1000 / 10 - 30 = 70 of height, and half size is the most.
    #[test]
    fn the_overview_shows_pages_as_large_as_it_can() {
        let room = Room { side: 1000, page: [1000, 100], label_px: 20, gap: 10, head: 0 };
        let wide = |columns| room.with_columns(columns, 10).map(|chosen| chosen.scale);
        assert_eq!(wide(3), Some(0.326));
        assert_eq!(wide(1), Some(0.5));
    }

    #[test]
    fn pages_that_would_be_specks_are_counted_and_not_shown() {
        let room = Room { side: 1000, page: [400, 400], label_px: 20, gap: 10, head: 100 };
        assert!((1..=5000).all(|columns| room.with_columns(columns, 5000).is_none()));
        let (chosen, shown) = room.crowded();
        assert_eq!((chosen.columns, shown), (1000 / 58, 1000 / 58 * (900 / 78)));
    }
}
