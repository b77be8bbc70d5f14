//! Decide where everything on every page goes, before the first cell is rendered.
//!
//! Reads: the study's sheet settings and the plan. Writes: a [`Layout`]. Pure: the same study always
//! has the same layout.
//!
//! Pages follow the page axes; a page that would pass the study's limit is cut between rows first and
//! then between columns, and each part has all headings again. The provenance line is not laid out
//! here, because what it says is known only when models have been read; 8 lines are kept for it.

use std::ops::Range;

use super::arrange::{Arrangement, Grid, cut, depth};
use super::canvas::Rect;
use super::caption::{NAME_LINES, typical};
use super::heading::{self, Columns, Head, Rows};
use super::lettering::{Align, Block, Lettering, Turn};
use super::sizes::Sizes;
use super::theme::{Rgb, Tone};
use crate::base::Finding;
use crate::base::colour::srgb8_from_linear;
use crate::plan::Plan;
use crate::study::{SheetSpec, Study, Theme};

/// Lines of provenance that a page has room for before it passes the limit.
const FOOTER_LINES: i32 = 8;

/// Where everything goes.
#[derive(Debug, Clone)]
pub struct Layout {
    pub(crate) title: String,
    pub(crate) theme: Theme,
    pub(crate) asked_captions: Vec<String>,
    pub(crate) max_page_px: u32,
    /// Whether the provenance line may name the day.
    pub(crate) date: bool,
    pub(crate) sizes: Sizes,
    /// Lines that a cell's name has in its caption.
    pub(crate) name_lines: usize,
    pub(crate) pages: Vec<Page>,
    /// By position in the plan.
    pub(crate) cells: Vec<PlacedCell>,
    findings: Vec<Finding>,
}

/// What the sheet needs to know of a cell beside its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacedCell {
    /// Without the study's part.
    pub(crate) name: String,
    /// What is behind it, for the rim of a picture that does not fill its tile.
    pub(crate) background: Rgb,
    /// Position in [`Layout::pages`], and in that page's slots.
    pub(crate) place: [usize; 2],
}

/// One page without its provenance line.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// `sheet-01.png` and so on.
    pub(crate) file: String,
    /// What tells it from other pages, for the overview.
    pub(crate) heading: String,
    pub(crate) width: i32,
    /// Height above the provenance line.
    pub(crate) body: i32,
    pub(crate) marks: Vec<Mark>,
    pub(crate) slots: Vec<Slot>,
    /// First page row of each strip; the last strip ends at `body`.
    pub(crate) strips: Vec<i32>,
}

/// Room for one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    /// Position in the plan.
    pub(crate) cell: usize,
    /// Where the picture goes.
    pub(crate) tile: Rect,
    /// Where the caption goes; of no height without one.
    pub(crate) caption: Rect,
    /// Position in [`Page::strips`].
    pub(crate) strip: usize,
}

/// Something on the page that is no cell.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    /// Lines of type; `at` is the top left corner, or turned up the bottom left one.
    Text { block: Block, at: [i32; 2], width: i32, align: Align, turn: Turn, tone: Tone },
    /// A hairline.
    Rule(Rect),
}

impl Mark {
    /// Page rows that it may touch, with room for accents that rise above their line.
    pub(crate) fn reach(&self) -> Range<i32> {
        match self {
            Self::Rule(rect) => rect.y..rect.bottom(),
            Self::Text { block, at, width, turn, .. } => {
                let over = block.face.line_px();
                match turn {
                    Turn::None => at[1] - over..at[1] + block.height_px() + over,
                    Turn::Up => at[1] - width - over..at[1] + over,
                }
            }
        }
    }
}

/// Part of a grid that one page shows.
struct Part<'a> {
    grid: &'a Grid,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Layout {
    /// Lays out all pages of a study.
    pub fn new(study: &Study, plan: &Plan) -> Self {
        let sheet = &study.sheet;
        let arrangement = Arrangement::new(sheet, plan);
        let cells: Vec<PlacedCell> = plan.cells.iter().map(|cell| placed_cell(&plan.study, cell)).collect();
        let mut lettering = Lettering::new();
        let (sizes, name_lines) = sizes(sheet, &cells, &mut lettering);
        let mut setter = Setter { lettering, sizes, plan, arrangement: &arrangement, study };
        let parts: Vec<Part<'_>> = arrangement.grids.iter().flat_map(|grid| setter.parts(grid)).collect();
        let digits = parts.len().to_string().len().max(2);
        let pages = (0..parts.len()).map(|at| setter.page(&parts, at, digits)).collect::<Vec<_>>();
        let mut layout = Self {
            title: study.title.clone(),
            theme: sheet.theme,
            asked_captions: sheet.captions.clone(),
            max_page_px: sheet.max_page_px,
            date: sheet.date,
            sizes,
            name_lines,
            cells,
            findings: setter.lettering.findings(),
            pages,
        };
        layout.note_places();
        layout
    }

    fn note_places(&mut self) {
        for (page_at, page) in self.pages.iter().enumerate() {
            for (slot_at, slot) in page.slots.iter().enumerate() {
                self.cells[slot.cell].place = [page_at, slot_at];
            }
        }
    }

    /// The order of cells, as positions in the plan, that keeps the fewest rows of pages in memory: page
    /// by page, row by row.
    pub fn order(&self) -> Vec<usize> {
        self.pages.iter().flat_map(|page| page.slots.iter().map(|slot| slot.cell)).collect()
    }

    /// File names of the pages, and what each shows (`view = behind`; empty for a lone page).
    pub fn pages(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pages.iter().map(|page| (page.file.as_str(), page.heading.as_str()))
    }

    /// Where a cell is: the page, counted from 0, and the file's name.
    pub fn page_of(&self, cell: usize) -> Option<(usize, &str)> {
        let [page, _] = self.cells.get(cell)?.place;
        self.pages.get(page).map(|found| (page, found.file.as_str()))
    }

    /// Labels that the sheet's typeface cannot write.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// Sizes with room for the captions, and the lines that a name needs.
fn sizes(sheet: &SheetSpec, cells: &[PlacedCell], lettering: &mut Lettering) -> (Sizes, usize) {
    let bare = Sizes::new(sheet.cell_px);
    let readings: Vec<&String> = sheet.captions.iter().filter(|asked| *asked != "name").collect();
    let names = sheet.captions.len() - readings.len();
    let wanted = readings.iter().map(|asked| lettering.width_px(&typical(asked), bare.caption)).max();
    let wanted = wanted.unwrap_or(bare.caption.size_px as i32 * 8);
    let wide = bare.with_captions(1, wanted).slot_w;
    let one_line = names == 0 || cells.iter().all(|cell| lettering.width_px(&cell.name, bare.caption) <= wide);
    let name_lines = if one_line { 1 } else { NAME_LINES };
    (bare.with_captions(readings.len() + names * name_lines, wanted), name_lines)
}

fn placed_cell(study: &str, cell: &crate::plan::Cell) -> PlacedCell {
    let name = cell.name.strip_prefix(study).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&cell.name);
    let background = cell.spec.background.0.map(srgb8_from_linear);
    PlacedCell { name: name.to_owned(), background, place: [usize::MAX; 2] }
}

/// What setting a page needs.
pub(crate) struct Setter<'a> {
    pub(crate) lettering: Lettering,
    pub(crate) sizes: Sizes,
    pub(crate) plan: &'a Plan,
    pub(crate) arrangement: &'a Arrangement,
    pub(crate) study: &'a Study,
}

impl<'a> Setter<'a> {
    /// Cuts a grid into what fits on pages: the rows of the first columns, then of the next.
    fn parts<'g>(&mut self, grid: &'g Grid) -> Vec<Part<'g>> {
        let sizes = self.sizes;
        let limit = i32::try_from(self.study.sheet.max_page_px).unwrap_or(i32::MAX);
        let room = limit - 2 * sizes.margin;
        let labels = heading::rows(self, &grid.rows);
        let columns = cut(&grid.columns, sizes.slot_w, |depth| sizes.gap_at(depth), room - labels.width);
        let mut parts = Vec::new();
        for columns in columns {
            let across = self.offsets(&grid.columns[columns.clone()], sizes.slot_w);
            let content = (labels.width + across.total).max(sizes.least_content);
            let headings = heading::columns(self, &grid.columns[columns.clone()], &across.starts);
            let head =
                heading::head(self, content, &heading::note(99, 99, Some((0, 999, 999)), Some((0, 999, 999))), grid);
            let above = head.height + headings.height;
            let footer = (FOOTER_LINES + 1) * sizes.caption.line_px();
            let rows = cut(&grid.rows, sizes.slot_h, |depth| sizes.gap_at(depth), room - above - footer);
            parts.extend(rows.into_iter().map(|rows| Part { grid, rows, columns: columns.clone() }));
        }
        parts
    }

    /// Starts of rows or columns of `size` pixels, from 0, and their total extent.
    fn offsets(&self, lines: &[Vec<usize>], size: i32) -> Offsets {
        let mut starts = Vec::with_capacity(lines.len());
        let mut at = 0;
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                at += self.sizes.gap_at(depth(&lines[index - 1], line));
            }
            starts.push(at);
            at += size;
        }
        Offsets { starts, total: at }
    }

    fn page(&mut self, parts: &[Part<'_>], at: usize, digits: usize) -> Page {
        let Part { grid, rows, columns } = &parts[at];
        let sizes = self.sizes;
        let (row_lines, column_lines) = (&grid.rows[rows.clone()], &grid.columns[columns.clone()]);
        let across = self.offsets(column_lines, sizes.slot_w);
        let down = self.offsets(row_lines, sizes.slot_h);
        let labels = heading::rows(self, row_lines);
        let headings = heading::columns(self, column_lines, &across.starts);
        let content = (labels.width + across.total).max(sizes.least_content);
        let stretch = |part: &Range<usize>, all: usize| (part.len() < all).then_some((part.start, part.end, all));
        let note =
            heading::note(at + 1, parts.len(), stretch(rows, grid.rows.len()), stretch(columns, grid.columns.len()));
        let head = heading::head(self, content, &note, grid);
        let corner = [sizes.margin + labels.width, sizes.margin + head.height + headings.height];
        let frame = Frame { corner, across, down };
        let mut page = Page {
            file: format!("sheet-{:0digits$}.png", at + 1),
            heading: page_label(self, grid, &note, parts.len()),
            width: content + 2 * sizes.margin,
            body: corner[1] + frame.down.total + sizes.gap,
            marks: Vec::new(),
            slots: slots(grid, rows, columns, &frame, sizes),
            strips: strips(&frame),
        };
        page.marks = self.marks(&frame, head, headings, labels, row_lines);
        page
    }

    fn marks(&mut self, frame: &Frame, head: Head, headings: Columns, labels: Rows, rows: &[Vec<usize>]) -> Vec<Mark> {
        let margin = self.sizes.margin;
        let mut marks = head.marks_at([margin, margin]);
        marks.extend(labels.marks_at(margin, frame.corner, &frame.down.starts, &headings, self.sizes));
        marks.extend(headings.marks_at(frame.corner, margin));
        for index in 1..rows.len() {
            if depth(&rows[index - 1], &rows[index]) > 0 {
                let above = frame.down.starts[index - 1] + self.sizes.slot_h;
                let middle = frame.corner[1] + i32::midpoint(above, frame.down.starts[index]);
                let width = frame.corner[0] - margin + frame.across.total;
                marks.push(Mark::Rule(Rect::new(margin, middle, width, 1)));
            }
        }
        marks
    }
}

struct Offsets {
    starts: Vec<i32>,
    total: i32,
}

/// Where the grid of a page begins, and its rows and columns from there.
struct Frame {
    corner: [i32; 2],
    across: Offsets,
    down: Offsets,
}

fn slots(grid: &Grid, rows: &Range<usize>, columns: &Range<usize>, frame: &Frame, sizes: Sizes) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (strip, row) in rows.clone().enumerate() {
        for (along, column) in columns.clone().enumerate() {
            let Some(cell) = grid.cells[row * grid.columns.len() + column] else { continue };
            let (x, y) = (frame.corner[0] + frame.across.starts[along], frame.corner[1] + frame.down.starts[strip]);
            let tile = Rect::new(x + (sizes.slot_w - sizes.tile[0]) / 2, y, sizes.tile[0], sizes.tile[1]);
            let under = sizes.tile[1] + sizes.caption_gap;
            let caption = Rect::new(x, y + under, sizes.slot_w, (sizes.slot_h - under).max(0));
            slots.push(Slot { cell, tile, caption, strip: strip + 1 });
        }
    }
    slots
}

/// A strip for what is above the grid, then one a row of cells.
fn strips(frame: &Frame) -> Vec<i32> {
    std::iter::once(0).chain(frame.down.starts.iter().map(|start| frame.corner[1] + start)).collect()
}

fn page_label(setter: &Setter<'_>, grid: &Grid, note: &str, pages: usize) -> String {
    if pages < 2 {
        return String::new();
    }
    let heading = heading::page_heading(setter, grid);
    let stretch = note.split_once(" · ").map(|(_, stretch)| stretch.to_owned());
    [Some(heading).filter(|heading| !heading.is_empty()), stretch].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plan::PlanAxis;
    use crate::study::{Repeat, Settings};

    const NASTY: [&str; 6] = [
        "x",
        "a name that has to be wrapped more than once, whatever the cell",
        "ASingleWordThatNoLineOfAnyUsualSheetHasEnoughRoomForSoThatItIsBroken",
        "Łódź ÀÉÎÕÜ ĝǰ",
        "under_scored-and/slashed@0.25",
        "أسد",
    ];

    /// A study without cells: labels are set from the axes.
    fn study(cell_px: [u32; 2]) -> (Study, Plan) {
        let sheet = SheetSpec {
            rows: vec!["species".to_owned(), "who with a long axis name".to_owned()],
            columns: vec!["load that is worn on the back".to_owned(), "pose".to_owned()],
            pages: vec!["view".to_owned()],
            cell_px,
            theme: Theme::Light,
            captions: Vec::new(),
            max_page_px: 8192,
            date: false,
        };
        let names = || NASTY.map(str::to_owned).to_vec();
        let axes = sheet.rows.iter().chain(&sheet.columns).chain(&sheet.pages);
        let axes = axes.map(|name| PlanAxis { name: name.clone(), values: names() }).collect();
        let study = Study {
            name: "s".to_owned(),
            path: None,
            title: NASTY[1].to_owned(),
            base: Settings::default(),
            axes: Vec::new(),
            only: Vec::new(),
            skip: Vec::new(),
            sheet,
            repeat: Repeat { subpixel: 1, yaw_deg: 0.0, seed: 1 },
        };
        (study, Plan { study: "s".to_owned(), axes, cells: Vec::new() })
    }

    /// A page with these rows and these columns, its labels as awkward as they come.
    pub(crate) fn page(cell_px: [u32; 2], lines: &[Vec<usize>]) -> Page {
        let (study, plan) = study(cell_px);
        let arrangement = Arrangement::new(&study.sheet, &plan);
        let cells = (0..lines.len() * lines.len()).map(Some).collect();
        let grid = Grid { page: vec![1], rows: lines.to_vec(), columns: lines.to_vec(), cells };
        let sizes = Sizes::new(cell_px);
        let mut setter =
            Setter { lettering: Lettering::new(), sizes, plan: &plan, arrangement: &arrangement, study: &study };
        let part = Part { grid: &grid, rows: 0..lines.len(), columns: 0..lines.len() };
        setter.page(&[part], 0, 2)
    }

    /// Where the lines of a mark are, without the slack of their alignment.
    fn extent(mark: &Mark) -> Option<Rect> {
        let Mark::Text { block, at, width, align, turn, .. } = mark else { return None };
        let along = match align {
            Align::Left => 0,
            Align::Centre => (width - block.width_px).div_euclid(2),
            Align::Right => width - block.width_px,
        };
        let (long, high) = (block.width_px, block.height_px());
        Some(match turn {
            Turn::None => Rect::new(at[0] + along, at[1], long, high),
            Turn::Up => Rect::new(at[0], at[1] - along - long, high, long),
        })
    }

    fn overlap(one: Rect, other: Rect) -> bool {
        one.x < other.right() && other.x < one.right() && one.y < other.bottom() && other.y < one.bottom()
    }

    fn assert_apart(cell: [u32; 2], lines: &[Vec<usize>], least_labels: usize) {
        let page = page(cell, lines);
        let labels: Vec<Rect> = page.marks.iter().filter_map(extent).collect();
        let tiles: Vec<Rect> = page.slots.iter().map(|slot| slot.tile).collect();
        assert!(labels.len() >= least_labels, "{cell:?} has only {} labels", labels.len());
        for (at, &label) in labels.iter().enumerate() {
            assert!(label.x >= 0 && label.right() <= page.width && label.y >= 0 && label.bottom() <= page.body);
            for &other in labels[at + 1..].iter().chain(&tiles) {
                assert!(!overlap(label, other), "{cell:?}: {label:?} and {other:?}");
            }
        }
    }

    #[test]
    fn no_label_overlaps_another_or_a_cell_or_leaves_the_page() {
        let lines: Vec<Vec<usize>> = (0..6).flat_map(|outer| [vec![outer, 5 - outer], vec![outer, 5]]).collect();
        for cell in [[8, 8], [32, 32], [48, 200], [256, 256], [700, 100]] {
            assert_apart(cell, &lines, 30);
            assert_apart(cell, &[vec![0, 0]], 10);
        }
    }

    #[test]
    fn headings_of_tiny_cells_are_turned_and_those_of_large_cells_are_not() {
        let lines = [vec![0, 1], vec![0, 4]];
        let turned = |cell| {
            let page = page(cell, &lines);
            page.marks.iter().any(|mark| matches!(mark, Mark::Text { turn: Turn::Up, .. }))
        };
        assert!(turned([32, 32]));
        assert!(!turned([512, 512]));
    }

    #[test]
    fn an_outer_axis_widens_the_gap_and_draws_a_rule() {
        let page = page([64, 64], &[vec![0, 0], vec![0, 1], vec![1, 0]]);
        let column = |at: usize| page.slots[at].tile.x;
        let row = |at: usize| page.slots[at * 3].tile.y;
        assert!(column(2) - column(1) > column(1) - column(0));
        assert!(row(2) - row(1) > row(1) - row(0));
        let between = row(1) + 64..row(2);
        let rule = |mark: &&Mark| matches!(mark, Mark::Rule(rect) if between.contains(&rect.y) && rect.h == 1);
        assert_eq!(page.marks.iter().filter(rule).count(), 1);
    }
}
