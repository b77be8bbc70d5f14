//! Paint one cell: its picture, or a marked hole with the reason, and the caption under it.
//!
//! Pure. A small picture is enlarged by a whole number, so that a pixel stays a pixel; a picture larger
//! than its tile is shrunk in linear light.

use super::canvas::{Canvas, Rect};
use super::caption::{Caption, Said};
use super::layout::{PlacedCell, Slot};
use super::lettering::{Align, Block, Face, Lettering};
use super::shrink::{Shrink, fitted};
use super::sizes::Sizes;
use super::theme::{Palette, Rgb};
use crate::base::Finding;
use crate::run::Made;

/// What painting a cell needs.
pub(crate) struct Press {
    pub(crate) lettering: Lettering,
    pub(crate) palette: &'static Palette,
    pub(crate) sizes: Sizes,
    pub(crate) captions: Vec<Caption>,
    /// Lines that a cell's name has.
    pub(crate) name_lines: usize,
}

impl Press {
    /// Paints a finished cell.
    pub(crate) fn made(&mut self, canvas: &mut Canvas, slot: &Slot, cell: &PlacedCell, made: &Made) {
        let zoom = picture(canvas, slot.tile, cell.background, made);
        let mut y = slot.caption.y;
        for caption in self.captions.clone() {
            if caption == Caption::Name {
                let block = self.lettering.fit(&cell.name, self.sizes.caption, slot.caption.w, self.name_lines);
                let at = [slot.caption.x, y];
                self.lettering.paint(canvas, &block, at, slot.caption.w, Align::Left, self.palette.ink);
                y += self.name_lines as i32 * self.sizes.caption.line_px();
            } else {
                self.reading(canvas, &caption.say(made, zoom), Rect { y, ..slot.caption });
                y += self.sizes.caption.line_px();
            }
        }
    }

    /// The name at the left, the number at the right; the number is never shortened for the name.
    fn reading(&mut self, canvas: &mut Canvas, said: &Said, line: Rect) {
        let face = self.sizes.caption;
        let value = self.lettering.fit(&said.value, face, line.w, 1);
        let left = line.w - value.width_px - face.size_px as i32 / 2;
        let at = [line.x, line.y];
        if left >= 2 * face.size_px as i32 {
            let name = self.lettering.fit(&said.name, face, left, 1);
            self.lettering.paint(canvas, &name, at, left, Align::Left, self.palette.muted);
            self.lettering.paint(canvas, &value, at, line.w, Align::Right, self.palette.ink);
        } else {
            self.lettering.paint(canvas, &value, at, line.w, Align::Centre, self.palette.ink);
        }
    }

    /// Paints a hole: hatched, crossed, with what went wrong inside where there is room.
    pub(crate) fn hole(&mut self, canvas: &mut Canvas, slot: &Slot, reason: &Finding) {
        let tile = slot.tile;
        let palette = self.palette;
        let side = tile.w.min(tile.h);
        canvas.hatch(tile, palette.hole, palette.hole_hatch, (side / 16).clamp(4, 24));
        frame(canvas, tile, palette.hole_ink);
        let pad = (side / 16).clamp(2, 16);
        let room = tile.inset(pad + 1);
        let Some(words) = self.words(room, reason) else {
            cross(canvas, tile, side * 2 / 5, palette.hole_ink);
            return;
        };
        let height: i32 = words.iter().map(Block::height_px).sum();
        let left = room.h - height - pad;
        let mark = (side / 4).min(left);
        let top = room.y + (room.h - height - mark - pad) / 2;
        cross(canvas, Rect::new(tile.x, top, tile.w, mark), mark * 4 / 5, palette.hole_ink);
        let mut y = top + mark + pad;
        for block in &words {
            self.lettering.paint(canvas, block, [room.x, y], room.w, Align::Centre, palette.hole_ink);
            y += block.height_px();
        }
    }

    /// Code, place and message, if they fit under a mark; the largest size that leaves nothing out,
    /// else the smallest, shortened.
    fn words(&mut self, room: Rect, reason: &Finding) -> Option<Vec<Block>> {
        let least = 10;
        let lines_at = |size: u32| ((room.h * 7 / 10) / Face::regular(size).line_px()) as usize;
        if lines_at(least) < 2 || room.w < 60 {
            return None;
        }
        let largest = self.sizes.label.size_px;
        for size in (least..=largest).rev() {
            let words = self.words_at(room.w, reason, size, lines_at(size));
            if words.iter().all(|block| !block.forced) {
                return Some(words);
            }
        }
        Some(self.words_at(room.w, reason, least, lines_at(least)))
    }

    fn words_at(&mut self, width: i32, reason: &Finding, size: u32, lines: usize) -> Vec<Block> {
        let code = self.lettering.fit(reason.code, Face::bold(size), width, lines.saturating_sub(1).clamp(1, 2));
        let said = match (reason.place.is_empty(), reason.message.is_empty()) {
            (false, false) => format!("{}: {}", reason.place, reason.message),
            _ => format!("{}{}", reason.place, reason.message),
        };
        let left = lines.saturating_sub(code.lines.len()).max(1);
        vec![code, self.lettering.fit(&said, Face::regular(size), width, left)]
    }

    /// Paints the place of a cell that never came: outlined, so that it is not taken for one that was
    /// left out on purpose.
    pub(crate) fn unmade(&mut self, canvas: &mut Canvas, slot: &Slot) {
        frame(canvas, slot.tile, self.palette.rule);
        let block = self.lettering.fit("not made", self.sizes.caption, slot.tile.w, 1);
        if !block.forced {
            let at = [slot.tile.x, slot.tile.y + (slot.tile.h - block.height_px()) / 2];
            self.lettering.paint(canvas, &block, at, slot.tile.w, Align::Centre, self.palette.muted);
        }
    }
}

/// Paints the picture in the middle of its tile; returns how often it was enlarged, 0 if shrunk.
fn picture(canvas: &mut Canvas, tile: Rect, background: Rgb, made: &Made) -> u32 {
    let room = [tile.w as u32, tile.h as u32];
    let size = made.size_px;
    let zoom = (room[0] / size[0].max(1)).min(room[1] / size[1].max(1));
    let shown = if zoom > 0 { size.map(|side| side * zoom) } else { fitted(size, room) };
    if shown != room {
        canvas.fill(tile, background);
    }
    let x = tile.x + (room[0] - shown[0]) as i32 / 2;
    let y = tile.y + (room[1] - shown[1]) as i32 / 2;
    if zoom > 0 {
        canvas.blit(x, y, size, &made.rgb, zoom);
    } else {
        let mut shrink = Shrink::new(size, shown);
        made.rgb.chunks_exact(size[0] as usize * 3).for_each(|row| shrink.push_row(row));
        let (size, rgb) = shrink.finish();
        canvas.blit(x, y, size, &rgb, 1);
    }
    zoom
}

fn frame(canvas: &mut Canvas, rect: Rect, colour: Rgb) {
    canvas.fill(Rect { h: 1, ..rect }, colour);
    canvas.fill(Rect { y: rect.bottom() - 1, h: 1, ..rect }, colour);
    canvas.fill(Rect { w: 1, ..rect }, colour);
    canvas.fill(Rect { x: rect.right() - 1, w: 1, ..rect }, colour);
}

/// A cross of `side` pixels in the middle of `rect`.
fn cross(canvas: &mut Canvas, rect: Rect, side: i32, colour: Rgb) {
    let middle = [rect.x as f32 + rect.w as f32 / 2.0, rect.y as f32 + rect.h as f32 / 2.0];
    let reach = side as f32 / 2.0;
    let brush = (side as f32 / 7.0).clamp(1.5, 14.0);
    let [x, y] = middle;
    canvas.stroke([x - reach, y - reach], [x + reach, y + reach], brush, colour);
    canvas.stroke([x - reach, y + reach], [x + reach, y - reach], brush, colour);
}
