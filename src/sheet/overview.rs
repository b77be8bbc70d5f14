//! Show all pages of a study on one, side by side, each with its file's name.
//!
//! Reads: the small copies that pages leave when they are written. Writes: `overview.png`.

use super::canvas::{Canvas, Rect};
use super::footer::{Footer, Provenance};
use super::layout::Page;
use super::lettering::Align;
use super::shrink::fitted;
use super::sizes::Sizes;
use super::tile::Press;

/// Longest side of an overview: enough for a screen, little enough to hold.
const MOST_PX: u32 = 4096;
/// Smallest side of a page on it.
const LEAST_TILE_PX: i32 = 48;

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
    pub(crate) fn new(pages: &[Page], max_page_px: u32) -> Option<Self> {
        if pages.len() < 2 {
            return None;
        }
        let sizes = Sizes::new([384, 384], 0);
        let widest = pages.iter().map(|page| page.width).max().unwrap_or(1);
        let tallest = pages.iter().map(|page| page.body).max().unwrap_or(1);
        let label_lines = if pages.iter().any(|page| !page.heading.is_empty()) { 3 } else { 1 };
        let room = i32::try_from(max_page_px.min(MOST_PX)).unwrap_or(i32::MAX) - 2 * sizes.margin;
        let label_px = label_lines as i32 * sizes.caption.line_px() + sizes.pad;
        let head_and_foot = 8 * sizes.label.line_px();
        let mut best: Option<(f64, usize, usize)> = None;
        for columns in 1..=pages.len() {
            let most_w = (room - (columns as i32 - 1) * sizes.group_gap) / columns as i32;
            if most_w < LEAST_TILE_PX {
                break;
            }
            let rows = pages.len().div_ceil(columns);
            let most_h = (room - head_and_foot) / rows as i32 - label_px - sizes.group_gap;
            let fits = if most_h >= LEAST_TILE_PX { pages.len() } else { 0 };
            let scale = (f64::from(most_w) / f64::from(widest)).min(f64::from(most_h) / f64::from(tallest)).min(0.5);
            if fits > 0 && best.is_none_or(|(most, _, _)| scale > most) {
                best = Some((scale, columns, fits));
            }
        }
        let (scale, columns, shown) =
            best.unwrap_or_else(|| crowded(room, head_and_foot, label_px, sizes, widest, pages));
        let tile = [widest, tallest].map(|side| ((f64::from(side) * scale) as i32).max(1));
        Some(Self { sizes, tile, columns, shown: shown.min(pages.len()), label_lines })
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

/// More pages than there is room for: as many as fit at the smallest size.
fn crowded(
    room: i32,
    head_and_foot: i32,
    label_px: i32,
    sizes: Sizes,
    widest: i32,
    pages: &[Page],
) -> (f64, usize, usize) {
    let tallest = pages.iter().map(|page| page.body).max().unwrap_or(1);
    let scale = f64::from(LEAST_TILE_PX) / f64::from(widest.max(tallest));
    let columns = (room / (LEAST_TILE_PX + sizes.group_gap)).max(1) as usize;
    let rows = ((room - head_and_foot) / (LEAST_TILE_PX + label_px + sizes.group_gap)).max(1) as usize;
    (scale, columns, columns * rows)
}
