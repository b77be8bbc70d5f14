//! Write one page strip by strip while its cells come.
//!
//! Touches: one temporary file, renamed when the page is whole. A strip is encoded as soon as its cells
//! and all strips above it are there, and its pixels are freed.

use std::io::Write;
use std::path::Path;

use super::canvas::Canvas;
use super::footer::Footer;
use super::layout::{Mark, Page};
use super::png_file::{CHUNK_BYTES, io_error, rgb_encoder};
use super::shrink::Shrink;
use super::tile::Press;
use crate::base::atomic::{Handle, PendingFile};

/// A page that has its first cell and not yet its last.
pub(crate) struct OpenPage {
    file: PendingFile,
    stream: png::StreamWriter<'static, Handle>,
    footer: Footer,
    strips: Vec<Strip>,
    /// The first strip that is not encoded.
    next: usize,
    small: Option<Shrink>,
}

/// Rows of a page, waiting for cells.
struct Strip {
    canvas: Option<Canvas>,
    waiting: usize,
}

impl OpenPage {
    /// Starts `page` in `folder`. With `small`, a copy of that size is made on the way, without the foot.
    pub(crate) fn new(
        folder: &Path,
        page: &Page,
        footer: Footer,
        small: Option<[u32; 2]>,
        press: &mut Press,
    ) -> std::io::Result<Self> {
        let file = PendingFile::create(&folder.join(&page.file))?;
        let size = [page.width as u32, (page.body + footer.height) as u32];
        let writer = rgb_encoder(file.handle(), size).write_header().map_err(io_error)?;
        let stream = writer.into_stream_writer_with_size(CHUNK_BYTES).map_err(io_error)?;
        let mut strips: Vec<Strip> = page.strips.iter().map(|_| Strip { canvas: None, waiting: 0 }).collect();
        for slot in &page.slots {
            strips[slot.strip].waiting += 1;
        }
        let small = small.map(|to| Shrink::new([page.width as u32, page.body as u32], to));
        let mut open = Self { file, stream, footer, strips, next: 0, small };
        open.encode_whole_strips(page, press)?;
        Ok(open)
    }

    /// The strip's canvas with its headings, to paint a cell on.
    pub(crate) fn canvas(&mut self, page: &Page, strip: usize, press: &mut Press) -> &mut Canvas {
        self.strips[strip].canvas.get_or_insert_with(|| fresh(page, strip, press))
    }

    /// Notes that a cell of `strip` was painted; encodes what has become whole.
    pub(crate) fn painted(&mut self, page: &Page, strip: usize, press: &mut Press) -> std::io::Result<()> {
        self.strips[strip].waiting = self.strips[strip].waiting.saturating_sub(1);
        self.encode_whole_strips(page, press)
    }

    /// Whether all cells have come.
    pub(crate) fn is_whole(&self) -> bool {
        self.next == self.strips.len()
    }

    /// Strips whose pixels are held.
    pub(crate) fn rows_in_memory(&self) -> usize {
        self.strips.iter().filter(|strip| strip.canvas.is_some()).count()
    }

    fn encode_whole_strips(&mut self, page: &Page, press: &mut Press) -> std::io::Result<()> {
        while self.next < self.strips.len() && self.strips[self.next].waiting == 0 {
            let canvas = self.strips[self.next].canvas.take().unwrap_or_else(|| fresh(page, self.next, press));
            self.stream.write_all(canvas.bytes())?;
            if let Some(small) = &mut self.small {
                canvas.bytes().chunks_exact(page.width as usize * 3).for_each(|row| small.push_row(row));
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Adds the foot and gives the file its name; returns the small copy.
    pub(crate) fn close(mut self, page: &Page, press: &mut Press) -> std::io::Result<Option<([u32; 2], Vec<u8>)>> {
        let foot = self.footer.paint(&mut press.lettering, press.palette, &press.sizes, page.width, page.body);
        self.stream.write_all(foot.bytes())?;
        self.stream.finish().map_err(io_error)?;
        self.file.commit()?;
        Ok(self.small.map(Shrink::finish))
    }
}

/// The rows of a strip with all that is not a cell.
fn fresh(page: &Page, strip: usize, press: &mut Press) -> Canvas {
    let (top, bottom) = (page.strips[strip], page.strips.get(strip + 1).copied().unwrap_or(page.body));
    let mut canvas = Canvas::new(page.width, top, bottom, press.palette.paper);
    for mark in &page.marks {
        let reach = mark.reach();
        if canvas.meets(reach.start, reach.end) {
            paint(&mut canvas, mark, press);
        }
    }
    canvas
}

/// Paints a mark on whatever part of it the canvas shows.
pub(crate) fn paint(canvas: &mut Canvas, mark: &Mark, press: &mut Press) {
    match mark {
        Mark::Rule(rect) => canvas.fill(*rect, press.palette.rule),
        Mark::Text { block, at, width, align, turn, tone } => {
            press.lettering.paint_turned(canvas, block, *at, *width, *align, *turn, press.palette.tone(*tone));
        }
    }
}

/// Writes a page's file again with another foot, row by row.
pub(crate) fn replace_foot(folder: &Path, page: &Page, footer: &Footer, press: &mut Press) -> std::io::Result<()> {
    let path = folder.join(&page.file);
    let mut old = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path)?))
        .read_info()
        .map_err(std::io::Error::other)?;
    let file = PendingFile::create(&path)?;
    let size = [page.width as u32, (page.body + footer.height) as u32];
    let writer = rgb_encoder(file.handle(), size).write_header().map_err(io_error)?;
    let mut stream = writer.into_stream_writer_with_size(CHUNK_BYTES).map_err(io_error)?;
    for _ in 0..page.body {
        let row = old.next_row().map_err(std::io::Error::other)?.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        stream.write_all(row.data())?;
    }
    let foot = footer.paint(&mut press.lettering, press.palette, &press.sizes, page.width, page.body);
    stream.write_all(foot.bytes())?;
    stream.finish().map_err(io_error)?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::tests::page;
    use crate::sheet::lettering::Lettering;
    use crate::sheet::sizes::Sizes;
    use crate::sheet::theme::Palette;
    use crate::study::Theme;

    /// Labels reach over strips; on paper none of the borders may show.
    #[test]
    fn a_page_painted_strip_by_strip_is_the_page_painted_at_once() {
        let lines: Vec<Vec<usize>> = (0..6).flat_map(|outer| (0..6).map(move |inner| vec![outer, inner])).collect();
        for cell in [[9, 9], [40, 24]] {
            let (palette, sizes) = (Palette::of(Theme::Light), Sizes::new(cell));
            let mut press = Press { lettering: Lettering::new(), palette, sizes, captions: Vec::new(), name_lines: 1 };
            let page = page(cell, &lines);
            let strips = (0..page.strips.len()).map(|strip| fresh(&page, strip, &mut press));
            let strips: Vec<u8> = strips.flat_map(|canvas| canvas.bytes().to_vec()).collect();
            let mut whole = Canvas::new(page.width, 0, page.body, palette.paper);
            page.marks.iter().for_each(|mark| paint(&mut whole, mark, &mut press));
            assert!(strips == whole.bytes(), "{cell:?}");
        }
    }
}
