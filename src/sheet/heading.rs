//! Set what stands round the cells: title, page heading, column headings and row labels.
//!
//! Pure. Headings are nested as the axes are: an outer value stands once over all its inner values. A
//! label that does not fit is wrapped, turned, or shortened in its middle; none overlaps another.

use super::arrange::{Grid, runs};
use super::canvas::Rect;
use super::layout::{Mark, Setter};
use super::lettering::{Align, Block, Face, Turn};
use super::sizes::Sizes;
use super::theme::Tone;

/// Lines that a column heading may take.
const HEADING_LINES: usize = 3;
/// Rows after which the label of a group is said again, in case the first is out of sight.
const SAID_AGAIN_AFTER: usize = 6;

/// Title, page heading and page number.
pub(crate) struct Head {
    marks: Vec<Mark>,
    pub(crate) height: i32,
}

impl Head {
    /// The marks, moved so that the head begins at `origin`.
    pub(crate) fn marks_at(self, origin: [i32; 2]) -> Vec<Mark> {
        self.marks.into_iter().map(|mark| moved(mark, origin)).collect()
    }
}

fn moved(mark: Mark, by: [i32; 2]) -> Mark {
    match mark {
        Mark::Rule(rect) => Mark::Rule(Rect { x: rect.x + by[0], y: rect.y + by[1], ..rect }),
        Mark::Text { block, at, width, align, turn, tone } => {
            Mark::Text { block, at: [at[0] + by[0], at[1] + by[1]], width, align, turn, tone }
        }
    }
}

fn text(block: Block, at: [i32; 2], width: i32, align: Align, tone: Tone) -> Mark {
    Mark::Text { block, at, width, align, turn: Turn::None, tone }
}

/// `sheet 2 of 5 · rows 31–60 of 60`; empty for a lone whole page.
pub(crate) fn note(
    page: usize,
    pages: usize,
    rows: Option<(usize, usize, usize)>,
    columns: Option<(usize, usize, usize)>,
) -> String {
    let mut parts = Vec::new();
    if pages > 1 {
        parts.push(format!("sheet {page} of {pages}"));
    }
    for (what, stretch) in [("row", rows), ("column", columns)] {
        match stretch {
            Some((start, end, all)) if start + 1 == end => parts.push(format!("{what} {end} of {all}")),
            Some((start, end, all)) => parts.push(format!("{what}s {}–{end} of {all}", start + 1)),
            None => {}
        }
    }
    parts.join(" · ")
}

/// `view = behind · light = noon`.
pub(crate) fn page_heading(setter: &Setter<'_>, grid: &Grid) -> String {
    let said = |(&axis, &value): (&usize, &usize)| {
        let axis = &setter.plan.axes[axis];
        format!("{} = {}", axis.name, axis.values.get(value).map_or("", String::as_str))
    };
    setter.arrangement.page_axes.iter().zip(&grid.page).map(said).collect::<Vec<_>>().join(" · ")
}

/// Sets title, page heading and note in a width.
pub(crate) fn head(setter: &mut Setter<'_>, width: i32, note: &str, grid: &Grid) -> Head {
    let sizes = setter.sizes;
    let mut marks = Vec::new();
    let note_block = setter.lettering.fit(note, sizes.caption, width, 1);
    let beside = if note.is_empty() { 0 } else { note_block.width_px + 2 * sizes.pad };
    let own_line = width - beside < width / 2;
    let title_w = if own_line { width } else { width - beside };
    let title = setter.lettering.fit(&setter.study.title, sizes.title, title_w, HEADING_LINES);
    let mut y = title.height_px();
    if !note.is_empty() {
        let level = sizes.title.baseline_px() - sizes.caption.baseline_px();
        let (at, align) = if own_line { ([0, y], Align::Left) } else { ([0, level], Align::Right) };
        y += if own_line { note_block.height_px() } else { 0 };
        marks.push(text(note_block, at, width, align, Tone::Muted));
    }
    marks.push(text(title, [0, 0], title_w, Align::Left, Tone::Ink));
    let heading = page_heading(setter, grid);
    if !heading.is_empty() {
        let block = setter.lettering.fit(&heading, sizes.page_heading, width, HEADING_LINES);
        let height = block.height_px();
        marks.push(text(block, [0, y + sizes.pad / 3], width, Align::Left, Tone::Muted));
        y += sizes.pad / 3 + height;
    }
    Head { marks, height: y + 2 * sizes.pad }
}

/// The headings over the columns, and the names of their axes.
pub(crate) struct Columns {
    /// Positions from the grid's left edge and down from the headings' top.
    marks: Vec<Mark>,
    /// Name of each column axis and the bottom of its headings.
    axis_names: Vec<(Block, i32)>,
    /// From the top of the headings to the first row.
    pub(crate) height: i32,
    pad: i32,
}

/// Sets the name of an axis, for the corner between row labels and column headings.
fn axis_name(setter: &mut Setter<'_>, axis: usize) -> Block {
    let face = setter.sizes.caption;
    setter.lettering.fit(&setter.plan.axes[axis].name, face, face.size_px as i32 * 7, HEADING_LINES)
}

impl Columns {
    /// From the first row up to the bottom of the axis names on the innermost level.
    fn names_up(&self) -> i32 {
        self.axis_names.last().map_or(self.pad / 2, |(_, bottom)| self.height - bottom)
    }

    /// The marks for a grid whose first cell is at `corner`; axis names stand left of it, from `left`.
    pub(crate) fn marks_at(self, corner: [i32; 2], left: i32) -> Vec<Mark> {
        let top = corner[1] - self.height;
        let mut marks: Vec<Mark> = self.marks.into_iter().map(|mark| moved(mark, [corner[0], top])).collect();
        for (name, bottom) in self.axis_names {
            let at = [left, top + bottom - name.height_px()];
            marks.push(text(name, at, corner[0] - left - self.pad, Align::Right, Tone::Muted));
        }
        marks
    }
}

/// Sets the headings of columns that start at `starts`, a level an axis.
pub(crate) fn columns(setter: &mut Setter<'_>, lines: &[Vec<usize>], starts: &[i32]) -> Columns {
    let sizes = setter.sizes;
    let axes = setter.arrangement.column_axes.clone();
    let mut set = Columns { marks: Vec::new(), axis_names: Vec::new(), height: 0, pad: sizes.pad };
    let row_names = setter.arrangement.row_axes.clone();
    let row_names = row_names.into_iter().map(|axis| axis_name(setter, axis).height_px()).max().unwrap_or(0);
    if axes.is_empty() {
        set.height = if row_names > 0 { row_names + sizes.pad / 2 } else { 0 };
    }
    for (level, &axis) in axes.iter().enumerate() {
        let innermost = level + 1 == axes.len();
        let face = if innermost { sizes.label } else { sizes.group_label };
        let spans = spans(setter, lines, level, axis, starts);
        let name = axis_name(setter, axis);
        let least = if innermost { name.height_px().max(row_names) } else { name.height_px() };
        set.height += level_marks(setter, &spans, face, [set.height, least], &mut set.marks);
        let below_baseline = |face: Face| face.line_px() - face.baseline_px();
        let bottom = set.height - below_baseline(face) + below_baseline(name.face);
        set.axis_names.push((name, bottom));
        if innermost {
            set.height += sizes.pad / 2;
        } else {
            let rule = |span: &Span| Mark::Rule(Rect::new(span.x, set.height + sizes.pad / 4, span.w, 1));
            set.marks.extend(spans.iter().map(rule));
            set.height += sizes.pad / 2 + 1;
        }
    }
    set
}

/// The headings of one level and the columns that each stands over.
fn spans(setter: &Setter<'_>, lines: &[Vec<usize>], level: usize, axis: usize, starts: &[i32]) -> Vec<Span> {
    let span = |run: std::ops::Range<usize>| Span {
        text: setter.plan.axes[axis].values.get(lines[run.start][level]).cloned().unwrap_or_default(),
        x: starts[run.start],
        w: starts[run.end - 1] + setter.sizes.slot_w - starts[run.start],
    };
    runs(lines, level).into_iter().map(span).collect()
}

struct Span {
    text: String,
    x: i32,
    w: i32,
}

/// Sets one level of headings with its top at `top`; returns its height, at least `least`. All of a
/// level run the same way: along the page if each fits its span without force, or the spans are wide
/// anyway.
fn level_marks(
    setter: &mut Setter<'_>,
    spans: &[Span],
    face: Face,
    [top, least]: [i32; 2],
    marks: &mut Vec<Mark>,
) -> i32 {
    let size = face.size_px as i32;
    let narrowest = spans.iter().map(|span| span.w).min().unwrap_or(0);
    let level: Vec<Block> =
        spans.iter().map(|span| setter.lettering.fit(&span.text, face, span.w, HEADING_LINES)).collect();
    if narrowest >= 7 * size || level.iter().all(|block| !block.forced) {
        let height = level.iter().map(Block::height_px).fold(least, i32::max);
        for (block, span) in level.into_iter().zip(spans) {
            let y = top + height - block.height_px();
            marks.push(text(block, [span.x, y], span.w, Align::Centre, Tone::Ink));
        }
        return height;
    }
    let turned: Vec<Block> = spans
        .iter()
        .map(|span| setter.lettering.fit(&span.text, face, 12 * size, (span.w / face.line_px()).max(1) as usize))
        .collect();
    let height = turned.iter().map(|block| block.width_px).fold(least, i32::max);
    for (block, span) in turned.into_iter().zip(spans) {
        let x = span.x + (span.w - block.height_px()) / 2;
        let at = [x, top + height];
        marks.push(Mark::Text { block, at, width: height, align: Align::Left, turn: Turn::Up, tone: Tone::Ink });
    }
    height
}

/// The labels left of the rows.
pub(crate) struct Rows {
    levels: Vec<Level>,
    /// From the left margin to the first column.
    pub(crate) width: i32,
}

struct Level {
    x: i32,
    width: i32,
    axis_name: Block,
    /// First and last row, and the label.
    labels: Vec<(usize, usize, Block)>,
}

impl Rows {
    /// The marks for rows that start at `starts` below `corner`, with the first level at `left`.
    pub(crate) fn marks_at(
        self,
        left: i32,
        corner: [i32; 2],
        starts: &[i32],
        headings: &Columns,
        sizes: Sizes,
    ) -> Vec<Mark> {
        let mut marks = Vec::new();
        let names_bottom = corner[1] - headings.names_up();
        for level in self.levels {
            let x = left + level.x;
            let at = [x, names_bottom - level.axis_name.height_px()];
            marks.push(text(level.axis_name, at, level.width, Align::Left, Tone::Muted));
            for (first, last, block) in level.labels {
                for (at, (first, last)) in said_at(first, last).into_iter().enumerate() {
                    // Beside the pictures, not beside the pictures and their captions.
                    let (top, bottom) = (starts[first], starts[last] + sizes.tile[1].max(sizes.label.line_px()));
                    let y = corner[1] + (i32::midpoint(top, bottom) - block.height_px() / 2).max(top);
                    let tone = if at == 0 { Tone::Ink } else { Tone::Muted };
                    marks.push(text(block.clone(), [x, y], level.width, Align::Left, tone));
                }
            }
        }
        marks
    }
}

/// The rows, first and last, whose middle has the label of a group: all of a short one; of a long one
/// its first row, and again every few.
fn said_at(first: usize, last: usize) -> Vec<(usize, usize)> {
    if last - first < SAID_AGAIN_AFTER {
        return vec![(first, last)];
    }
    (first..=last).step_by(SAID_AGAIN_AFTER).map(|row| (row, row)).collect()
}

/// Sets the labels of rows, a level an axis, the outermost bold and leftmost.
pub(crate) fn rows(setter: &mut Setter<'_>, lines: &[Vec<usize>]) -> Rows {
    let sizes = setter.sizes;
    let axes = setter.arrangement.row_axes.clone();
    let size = sizes.label.size_px as i32;
    let widest = sizes.tile[0].clamp(9 * size, 16 * size);
    let mut levels = Vec::new();
    let mut x = 0;
    for (level, &axis) in axes.iter().enumerate() {
        let innermost = level + 1 == axes.len();
        let face = if innermost { sizes.label } else { sizes.group_label };
        let axis_name = axis_name(setter, axis);
        let mut labels = Vec::new();
        for run in runs(lines, level) {
            let value = setter.plan.axes[axis].values.get(lines[run.start][level]).cloned().unwrap_or_default();
            let rows = if run.len() > SAID_AGAIN_AFTER { 1 } else { run.len() };
            let height = rows as i32 * (sizes.slot_h + sizes.gap) - sizes.gap;
            let most = (height / face.line_px()).clamp(1, 6) as usize;
            labels.push((run.start, run.end - 1, setter.lettering.fit(&value, face, widest, most)));
        }
        let width = labels.iter().map(|(_, _, block)| block.width_px).chain([axis_name.width_px]).max().unwrap_or(0);
        levels.push(Level { x, width, axis_name, labels });
        x += width + sizes.pad * 3 / 2;
    }
    let axes = setter.arrangement.column_axes.clone();
    let names = axes.iter().map(|&axis| axis_name(setter, axis).width_px + sizes.pad).max().unwrap_or(0);
    Rows { levels, width: x + names }
}
