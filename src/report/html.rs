//! Write index.html: every cell at full size, arranged as the sheets are, to browse from a folder.
//!
//! Reads: the study, its plan, and results in any order, of which it keeps a few words each. Writes: one
//! static page that asks for nothing but the files beside it. All names are escaped: they come from
//! files of strangers.

use std::path::Path;

use minijinja::Environment;
use minijinja::value::Serde;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::{CELLS_FOLDER, ReportError};
use crate::base::atomic;
use crate::base::colour::srgb8_from_linear;
use crate::plan::{Cell, Plan};
use crate::run::{CellResult, Made, Outcome};
use crate::sheet::arrange::{Arrangement, Grid, runs};
use crate::sheet::caption::{Caption, Said, say_all};
use crate::sheet::{Provenance, SheetError};
use crate::study::Study;

/// The page's file.
const FILE: &str = "index.html";
/// What a file's address keeps as it is: everything else is written as `%xx`.
const ADDRESS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// A page being gathered.
#[derive(Debug)]
pub struct Index<'a> {
    study: &'a Study,
    plan: &'a Plan,
    columns: Vec<String>,
    captions: Vec<Caption>,
    file_stem: fn(&Cell) -> String,
    /// By position in the plan.
    cells: Vec<CellView>,
}

/// What the page tells beside its cells.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// What the run was made from, with its warnings.
    pub provenance: Provenance,
    /// File names of sheets and of tables beside the page, in the order to show them.
    pub files: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct CellView {
    at: usize,
    name: String,
    width: u32,
    height: u32,
    background: String,
    /// Address of the picture; empty without one.
    picture: String,
    said: String,
    captions: Vec<Line>,
    hole: Option<HoleView>,
}

#[derive(Debug, Clone, Serialize)]
struct HoleView {
    code: String,
    reason: String,
}

#[derive(Debug, Clone, Serialize)]
struct Line {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Link {
    href: String,
    name: String,
}

#[derive(Serialize)]
struct HoleLink {
    cell: usize,
    name: String,
    reason: String,
}

#[derive(Serialize)]
struct GridView<'a> {
    name: String,
    columns: Vec<ColumnLevel>,
    rows: Vec<RowView<'a>>,
}

#[derive(Serialize)]
struct ColumnLevel {
    axis: String,
    innermost: bool,
    headings: Vec<Heading>,
}

#[derive(Serialize)]
struct Heading {
    text: String,
    span: usize,
}

#[derive(Serialize)]
struct RowView<'a> {
    /// Whether an outer group begins here.
    opens: bool,
    labels: Vec<Label>,
    cells: Vec<Option<&'a CellView>>,
}

#[derive(Serialize)]
struct Label {
    text: String,
    level: usize,
    innermost: bool,
    span: usize,
}

#[derive(Serialize)]
struct PageView<'a> {
    title: &'a str,
    provenance: String,
    cells: usize,
    made: usize,
    missing: usize,
    links: Vec<Link>,
    warnings: &'a [String],
    holes: Vec<HoleLink>,
    levels: Vec<RowLevel>,
    /// Width of all row labels.
    labels_ch: usize,
    /// Size of type in a hole.
    type_px: u32,
    grids: Vec<GridView<'a>>,
}

/// A row axis, with the room for its labels in widths of a digit.
#[derive(Serialize)]
struct RowLevel {
    axis: String,
    left_ch: usize,
    width_ch: usize,
}

impl<'a> Index<'a> {
    /// A page without results. `columns` name the readings; `file_stem` gives the name under which
    /// [`super::write_cell`] writes a cell's picture.
    ///
    /// # Errors
    ///
    /// [`SheetError::UnknownCaption`], as [`crate::sheet::Book::open`].
    pub fn new(
        study: &'a Study,
        plan: &'a Plan,
        columns: &[&str],
        file_stem: fn(&Cell) -> String,
    ) -> Result<Self, SheetError> {
        let captions = Caption::resolve(&study.sheet.captions, columns)?;
        let [width, height] = study.sheet.cell_px;
        let view = |(at, cell): (usize, &Cell)| {
            let [r, g, b] = cell.spec.background.0.map(srgb8_from_linear);
            CellView {
                at,
                name: short_name(plan, cell).to_owned(),
                width,
                height,
                background: format!("#{r:02x}{g:02x}{b:02x}"),
                picture: String::new(),
                said: String::new(),
                captions: Vec::new(),
                hole: None,
            }
        };
        let cells = plan.cells.iter().enumerate().map(view).collect();
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Ok(Self { study, plan, columns, captions, file_stem, cells })
    }

    /// Takes a result; one that the plan lacks is left out.
    pub fn add(&mut self, result: &CellResult) {
        let Some(cell) = self.plan.cells.get(result.cell) else { return };
        match &result.outcome {
            Outcome::Made(made) => self.add_made(result.cell, cell, made),
            Outcome::Hole(reason) => {
                let view = &mut self.cells[result.cell];
                let hint = reason.hint.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
                let said = [reason.place.as_str(), reason.message.as_str()];
                let said = said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
                view.said = format!("{}\n{said}{hint}", view.name);
                view.hole = Some(HoleView { code: reason.code.to_owned(), reason: said });
            }
        }
    }

    fn add_made(&mut self, at: usize, cell: &Cell, made: &Made) {
        let [tile, size] = [self.study.sheet.cell_px, made.size_px.map(|side| side.max(1))];
        let zoom = (tile[0] / size[0]).min(tile[1] / size[1]).max(1);
        let stem = (self.file_stem)(cell);
        let address = format!("{CELLS_FOLDER}/{stem}.png");
        let line = |caption: &Caption, name: &str| match caption {
            Caption::Name => Line { name: String::new(), value: name.to_owned() },
            other => {
                let Said { name, value } = other.say(made, zoom);
                Line { name, value }
            }
        };
        let view = &mut self.cells[at];
        view.captions = self.captions.iter().map(|caption| line(caption, &view.name)).collect();
        view.said = format!("{}\n{}", view.name, say_all(made, &self.columns));
        view.picture = utf8_percent_encode(&address, ADDRESS).to_string();
        [view.width, view.height] = size.map(|side| side * zoom);
    }

    /// The page as text.
    ///
    /// # Errors
    ///
    /// None in practice: the template is compiled in and tested.
    pub fn to_html(&self, links: &Links) -> Result<String, ReportError> {
        let mut environment = Environment::new();
        let form = |source: minijinja::Error| ReportError::form(FILE, source);
        environment.add_template(FILE, include_str!("templates/index.html")).map_err(form)?;
        let arrangement = Arrangement::new(&self.study.sheet, self.plan);
        let levels = self.levels(&arrangement);
        let [width, height] = self.study.sheet.cell_px;
        let page = PageView {
            title: &self.study.title,
            provenance: links.provenance.made_from(),
            cells: self.cells.len(),
            made: self.cells.iter().filter(|cell| !cell.picture.is_empty()).count(),
            missing: self.cells.iter().filter(|cell| cell.picture.is_empty() && cell.hole.is_none()).count(),
            links: links.files.iter().map(|file| link(file)).collect(),
            warnings: &links.provenance.warnings,
            holes: self.cells.iter().filter_map(hole_link).collect(),
            labels_ch: levels.last().map_or(0, |level| level.left_ch + level.width_ch),
            levels,
            type_px: (width.min(height) / 14).clamp(9, 15),
            grids: arrangement.grids.iter().map(|grid| self.grid(&arrangement, grid)).collect(),
        };
        environment.get_template(FILE).and_then(|template| template.render(Serde(page))).map_err(form)
    }

    /// Writes `index.html` in `folder`.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&self, folder: &Path, links: &Links) -> Result<(), ReportError> {
        let html = self.to_html(links)?;
        atomic::write(&folder.join(FILE), html.as_bytes()).map_err(|source| ReportError::write(FILE, source))
    }

    fn levels(&self, arrangement: &Arrangement) -> Vec<RowLevel> {
        let mut left_ch = 0;
        let level = |&axis: &usize| {
            let axis = &self.plan.axes[axis];
            let longest = axis.values.iter().chain([&axis.name]).map(|text| text.chars().count()).max().unwrap_or(0);
            let level = RowLevel { axis: axis.name.clone(), left_ch, width_ch: longest.clamp(6, 18) + 4 };
            left_ch += level.width_ch;
            level
        };
        arrangement.row_axes.iter().map(level).collect()
    }

    fn grid(&self, arrangement: &Arrangement, grid: &Grid) -> GridView<'_> {
        let axis_value =
            |axis: usize, value: usize| self.plan.axes[axis].values.get(value).cloned().unwrap_or_default();
        let said =
            |(&axis, &value): (&usize, &usize)| format!("{} = {}", self.plan.axes[axis].name, axis_value(axis, value));
        let levels = arrangement.column_axes.iter().enumerate();
        let columns = levels.map(|(level, &axis)| ColumnLevel {
            axis: self.plan.axes[axis].name.clone(),
            innermost: level + 1 == arrangement.column_axes.len(),
            headings: runs(&grid.columns, level)
                .into_iter()
                .map(|run| Heading { text: axis_value(axis, grid.columns[run.start][level]), span: run.len() })
                .collect(),
        });
        GridView {
            name: arrangement.page_axes.iter().zip(&grid.page).map(said).collect::<Vec<_>>().join(" · "),
            columns: columns.collect(),
            rows: self.rows(arrangement, grid),
        }
    }

    fn rows(&self, arrangement: &Arrangement, grid: &Grid) -> Vec<RowView<'_>> {
        let mut labels: Vec<Vec<Label>> = grid.rows.iter().map(|_| Vec::new()).collect();
        for (level, &axis) in arrangement.row_axes.iter().enumerate() {
            let innermost = level + 1 == arrangement.row_axes.len();
            for run in runs(&grid.rows, level) {
                let value = grid.rows[run.start][level];
                let text = self.plan.axes[axis].values.get(value).cloned().unwrap_or_default();
                labels[run.start].push(Label { text, level, innermost, span: run.len() });
            }
        }
        let width = grid.columns.len();
        let row = |(at, labels): (usize, Vec<Label>)| RowView {
            opens: at == 0 || (labels.len() > 1 && labels[0].level == 0),
            labels,
            cells: grid.cells[at * width..(at + 1) * width].iter().map(|cell| Some(&self.cells[(*cell)?])).collect(),
        };
        labels.into_iter().enumerate().map(row).collect()
    }
}

fn short_name<'p>(plan: &Plan, cell: &'p Cell) -> &'p str {
    cell.name.strip_prefix(&plan.study).and_then(|rest| rest.strip_prefix('/')).unwrap_or(&cell.name)
}

fn link(file: &str) -> Link {
    Link { href: utf8_percent_encode(file, ADDRESS).to_string(), name: file.to_owned() }
}

fn hole_link(cell: &CellView) -> Option<HoleLink> {
    let hole = cell.hole.as_ref()?;
    let reason = format!("{} {}", hole.code, hole.reason);
    Some(HoleLink { cell: cell.at, name: cell.name.clone(), reason })
}
