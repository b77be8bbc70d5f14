//! Take finished cells in any order and write the pages that they complete.
//!
//! Reads: [`CellResult`]s. Touches: the output folder. The bytes of a page depend on its cells, not on
//! the order in which they came.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::SheetError;
use super::caption::Caption;
use super::footer::{Footer, Provenance};
use super::layout::Layout;
use super::lettering::Lettering;
use super::overview::Overview;
use super::page::{OpenPage, replace_foot};
use super::png_file::{io_error, rgb_encoder};
use super::theme::Palette;
use super::tile::Press;
use crate::base::{Finding, atomic};
use crate::run::{CellResult, Outcome};

/// The overview's file name.
const OVERVIEW: &str = "overview.png";

/// A folder of pages being written.
pub struct Book {
    folder: PathBuf,
    layout: Layout,
    press: Press,
    provenance: Provenance,
    overview: Option<Overview>,
    open: BTreeMap<usize, OpenPage>,
    closed: Vec<bool>,
    placed: Vec<bool>,
    small: Vec<Option<([u32; 2], Vec<u8>)>>,
}

/// What [`Book::finish`] leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// File names in the folder: the pages in order, then the overview where there is one.
    pub files: Vec<String>,
    /// Cells that never came, as positions in the plan.
    pub unmade: Vec<usize>,
    /// Characters that the sheet's typeface cannot write.
    pub findings: Vec<Finding>,
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book").field("folder", &self.folder).field("open", &self.open.len()).finish_non_exhaustive()
    }
}

impl Book {
    /// Opens a book in `folder`. `columns` are the names of the readings in [`crate::measure::MaskReadings`].
    /// The day in `provenance` is left out unless the study asks for it.
    ///
    /// Writes nothing yet, so that a wrong caption is found before the first cell is rendered.
    ///
    /// # Errors
    ///
    /// [`SheetError::UnknownCaption`].
    pub fn open(folder: &Path, layout: Layout, columns: &[&str], provenance: Provenance) -> Result<Self, SheetError> {
        let captions = Caption::resolve(&layout.asked_captions, columns)?;
        let palette = Palette::of(layout.theme);
        let (sizes, name_lines) = (layout.sizes, layout.name_lines);
        let mut press = Press { lettering: Lettering::new(), palette, sizes, captions, name_lines };
        Ok(Self {
            folder: folder.to_path_buf(),
            overview: Overview::new(&layout.pages, layout.max_page_px, &mut press.lettering),
            press,
            provenance: Provenance { date: provenance.date.filter(|_| layout.date), ..provenance },
            open: BTreeMap::new(),
            closed: vec![false; layout.pages.len()],
            placed: vec![false; layout.cells.len()],
            small: vec![None; layout.pages.len()],
            layout,
        })
    }

    /// Paints a cell; writes its page if it was the last.
    ///
    /// # Errors
    ///
    /// When the page cannot be written, or the result does not belong on this sheet.
    pub fn place(&mut self, result: &CellResult) -> Result<(), SheetError> {
        let cell = result.cell;
        let [page_at, slot_at] = self.layout.cells.get(cell).ok_or(SheetError::NoPlace { cell })?.place;
        if self.placed[cell] {
            return Err(SheetError::PlacedTwice { cell });
        }
        check_length(result)?;
        self.open_page(page_at)?;
        let page = &self.layout.pages[page_at];
        let slot = &page.slots[slot_at];
        if let Some(open) = self.open.get_mut(&page_at) {
            let canvas = open.canvas(page, slot.strip, &mut self.press);
            match &result.outcome {
                Outcome::Made(made) => self.press.made(canvas, slot, &self.layout.cells[cell], made),
                Outcome::Hole(reason) => self.press.hole(canvas, slot, reason),
            }
            open.painted(page, slot.strip, &mut self.press).map_err(|source| write_error(&page.file, source))?;
        }
        self.placed[cell] = true;
        if self.open.get(&page_at).is_some_and(OpenPage::is_whole) {
            self.close_page(page_at)?;
        }
        Ok(())
    }

    /// Rows of cells whose pixels are held, because some of their cells have not come.
    pub fn rows_in_memory(&self) -> usize {
        self.open.values().map(OpenPage::rows_in_memory).sum()
    }

    fn open_page(&mut self, at: usize) -> Result<(), SheetError> {
        if self.open.contains_key(&at) {
            return Ok(());
        }
        let page = &self.layout.pages[at];
        let footer = Footer::new(&self.provenance, &mut self.press.lettering, &self.press.sizes, page.width);
        let small = self.overview.as_ref().and_then(|overview| overview.small_size(at, page));
        let open = OpenPage::new(&self.folder, page, footer, small, &mut self.press)
            .map_err(|source| write_error(&page.file, source))?;
        self.open.insert(at, open);
        Ok(())
    }

    fn close_page(&mut self, at: usize) -> Result<(), SheetError> {
        let page = &self.layout.pages[at];
        if let Some(open) = self.open.remove(&at) {
            self.small[at] = open.close(page, &mut self.press).map_err(|source| write_error(&page.file, source))?;
        }
        self.closed[at] = true;
        Ok(())
    }

    /// Writes what is left: pages that lack cells show where, and `late` warnings join the provenance
    /// line of every page. Removes pages that an earlier, larger run left in the folder.
    ///
    /// # Errors
    ///
    /// When a page cannot be written.
    pub fn finish(mut self, late: &[String]) -> Result<Bound, SheetError> {
        let has_foot: Vec<bool> =
            (0..self.closed.len()).map(|at| self.closed[at] || self.open.contains_key(&at)).collect();
        self.provenance.warnings.extend(late.iter().cloned());
        let unmade: Vec<usize> = (0..self.placed.len()).filter(|&cell| !self.placed[cell]).collect();
        for &cell in &unmade {
            self.mark_unmade(cell)?;
        }
        if !late.is_empty() {
            for (at, page) in self.layout.pages.iter().enumerate().filter(|(at, _)| has_foot[*at]) {
                let footer = Footer::new(&self.provenance, &mut self.press.lettering, &self.press.sizes, page.width);
                replace_foot(&self.folder, page, &footer, &mut self.press)
                    .map_err(|source| write_error(&self.layout.pages[at].file, source))?;
            }
        }
        let mut files: Vec<String> = self.layout.pages.iter().map(|page| page.file.clone()).collect();
        if self.write_overview()? {
            files.push(OVERVIEW.to_owned());
        }
        self.remove_stale(&files)?;
        let mut findings = self.layout.findings().to_vec();
        let known: Vec<String> = findings.iter().map(|finding| finding.message.clone()).collect();
        findings.extend(self.press.lettering.findings().into_iter().filter(|new| !known.contains(&new.message)));
        Ok(Bound { files, unmade, findings })
    }

    fn mark_unmade(&mut self, cell: usize) -> Result<(), SheetError> {
        let [page_at, slot_at] = self.layout.cells[cell].place;
        self.open_page(page_at)?;
        let page = &self.layout.pages[page_at];
        let slot = &page.slots[slot_at];
        if let Some(open) = self.open.get_mut(&page_at) {
            let canvas = open.canvas(page, slot.strip, &mut self.press);
            self.press.unmade(canvas, slot);
            open.painted(page, slot.strip, &mut self.press).map_err(|source| write_error(&page.file, source))?;
        }
        if self.open.get(&page_at).is_some_and(OpenPage::is_whole) {
            self.close_page(page_at)?;
        }
        Ok(())
    }

    fn write_overview(&mut self) -> Result<bool, SheetError> {
        let Some(overview) = &self.overview else { return Ok(false) };
        let (size, rgb) =
            overview.paint(&self.layout.title, &self.layout.pages, &self.small, &self.provenance, &mut self.press);
        let write = || -> io::Result<()> {
            let file = atomic::PendingFile::create(&self.folder.join(OVERVIEW))?;
            let mut writer = rgb_encoder(file.handle(), size).write_header().map_err(io_error)?;
            writer.write_image_data(&rgb).map_err(io_error)?;
            writer.finish().map_err(io_error)?;
            file.commit()
        };
        write().map_err(|source| write_error(OVERVIEW, source))?;
        Ok(true)
    }

    fn remove_stale(&self, files: &[String]) -> Result<(), SheetError> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(()) };
        for name in entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()) {
            if is_ours(&name) && !files.contains(&name) {
                fs::remove_file(self.folder.join(&name)).map_err(|source| write_error(&name, source))?;
            }
        }
        Ok(())
    }
}

/// Whether a file name is one that a book writes.
fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix("sheet-").and_then(|rest| rest.strip_suffix(".png"));
    name == OVERVIEW || number.is_some_and(|digits| digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn check_length(result: &CellResult) -> Result<(), SheetError> {
    let Outcome::Made(made) = &result.outcome else { return Ok(()) };
    let [w, h] = made.size_px.map(|side| side as usize);
    let (bytes, needed) = (made.rgb.len(), w * h * 3);
    if bytes == needed { Ok(()) } else { Err(SheetError::WrongLength { cell: result.cell, bytes, needed }) }
}

fn write_error(file: &str, source: io::Error) -> SheetError {
    SheetError::Write { file: file.to_owned(), source }
}
