//! Read how a sheet is laid out, and place every axis on it.
//!
//! An axis that no list names still has to run somewhere: the first such axis goes down the rows if
//! `rows` is empty, and all others are added to `columns`, innermost.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::choice::FrameScope;
use super::read::{Placed, Reader, Value, one_or_more_texts};
use super::table::{table, words};
use super::{Axis, nearest};

/// Longest side of a cell, pixels.
const MOST_CELL_PX: u32 = 8192;

/// How a sheet is laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetSpec {
    /// Axes down the side, the outermost first.
    pub rows: Vec<String>,
    /// Axes along the top, the outermost first.
    pub columns: Vec<String>,
    /// Axes that turn pages, the outermost first.
    pub pages: Vec<String>,
    /// Columns and rows of a cell.
    pub cell_px: [u32; 2],
    /// Paper and type.
    pub theme: Theme,
    /// Readings to print under each cell, by column name of metrics.csv, `name` for the cell's name.
    pub captions: Vec<String>,
    /// Longest side of a page before it is split.
    pub max_page_px: u32,
    /// Whether the provenance line names the day.
    pub date: bool,
}

impl Default for SheetSpec {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            columns: Vec::new(),
            pages: Vec::new(),
            cell_px: [256, 256],
            theme: Theme::Light,
            captions: Vec::new(),
            max_page_px: 8192,
            date: false,
        }
    }
}

words! {
    /// Paper and type.
    #[derive(Default)]
    pub enum Theme {
        /// Dark type on light paper.
        #[default]
        Light = "light",
        /// Light type on dark paper.
        Dark = "dark",
    }
}

/// Columns and rows of a cell: written as one number where they are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CellSize(pub(super) [u32; 2]);

table! {
    /// The sheet.
    pub(super) struct SheetText {
        /// Axes down the side, the outermost first.
        #[schemars(schema_with = "one_or_more_texts")]
        rows: Vec<Placed> = placed;
        /// Axes along the top, the outermost first.
        #[schemars(schema_with = "one_or_more_texts")]
        columns: Vec<Placed> = placed;
        /// Axes that turn pages, the outermost first.
        #[schemars(schema_with = "one_or_more_texts")]
        pages: Vec<Placed> = placed;
        /// Side of a cell, or [columns, rows], in pixels; 256 when left out.
        cell: CellSize = cell_size;
        /// Paper and type.
        theme: Theme = Reader::word;
        /// Readings to print under each cell, by column name of metrics.csv, `name` for the cell's name.
        #[schemars(schema_with = "one_or_more_texts")]
        captions: Vec<String> = captions;
        /// Longest side of a page before it is split, pixels; 8192 when left out.
        #[schemars(range(min = 64, max = 65_536))]
        max_px: u32 = |reader: &mut Reader, value: &Value| reader.count(value, 64, 65_536);
        /// Whether the provenance line names the day; false when left out.
        date: bool = Reader::flag;
        /// What is framed together: sets `frame` for every cell that does not set its own.
        scale: FrameScope = Reader::word;
    }
}

fn placed(reader: &mut Reader, value: &Value) -> Option<Vec<Placed>> {
    reader.one_or_more(value, "an axis or a list of axes", |reader, value| {
        Some(Placed { text: reader.text(value)?, span: value.span() })
    })
}

fn cell_size(reader: &mut Reader, value: &Value) -> Option<CellSize> {
    let side = |reader: &mut Reader, value: &Value| reader.count(value, 1, MOST_CELL_PX);
    match value.get_ref().as_array() {
        None => side(reader, value).map(|side| CellSize([side; 2])),
        Some(list) if list.len() == 2 => {
            let sides = [side(reader, &list[0]), side(reader, &list[1])];
            Some(CellSize([sides[0]?, sides[1]?]))
        }
        Some(_) => reader.wrong_type(value, "a side in pixels or [columns, rows]"),
    }
}

fn captions(reader: &mut Reader, value: &Value) -> Option<Vec<String>> {
    reader.one_or_more(value, "a column's name or a list of them", |reader, value| {
        let name = reader.text(value)?;
        let known = || std::iter::once("name").chain(reader.known.captions.iter().copied());
        if known().any(|known| known == name) {
            return Some(name);
        }
        let hint = nearest::hint("captions", &name, known());
        reader.wrong(value.span(), format!("no reading named {name:?}"), "unknown caption", Some(hint));
        None
    })
}

/// The sheet with every axis of the study on it, each once.
pub(super) fn place(reader: &mut Reader, text: &SheetText, axes: &[Axis]) -> SheetSpec {
    let mut seen: Vec<String> = Vec::new();
    let mut take = |list: &Option<Vec<Placed>>| -> Vec<String> {
        let named = list.iter().flatten();
        named.filter_map(|placed| take_axis(reader, &mut seen, placed, axes)).collect()
    };
    let mut rows = take(&text.rows);
    let mut columns = take(&text.columns);
    let pages = take(&text.pages);
    for axis in axes.iter().filter(|axis| !seen.contains(&axis.name)) {
        let side = if rows.is_empty() { &mut rows } else { &mut columns };
        side.push(axis.name.clone());
    }
    let plain = SheetSpec::default();
    SheetSpec {
        rows,
        columns,
        pages,
        cell_px: text.cell.map_or(plain.cell_px, |cell| cell.0),
        theme: text.theme.unwrap_or(plain.theme),
        captions: text.captions.clone().unwrap_or(plain.captions),
        max_page_px: text.max_px.unwrap_or(plain.max_page_px),
        date: text.date.unwrap_or(plain.date),
    }
}

fn take_axis(reader: &mut Reader, seen: &mut Vec<String>, placed: &Placed, axes: &[Axis]) -> Option<String> {
    let Placed { text: name, span } = placed;
    if !axes.iter().any(|axis| axis.name == *name) {
        let hint = nearest::hint("axes", name, axes.iter().map(|axis| &axis.name));
        reader.wrong(span.clone(), format!("no axis named {name:?}"), "unknown axis", Some(hint));
        return None;
    }
    if seen.contains(name) {
        reader.wrong(span.clone(), format!("axis {name:?} is placed twice"), "second place", None);
        return None;
    }
    seen.push(name.clone());
    Some(name.clone())
}

impl SheetText {
    /// The sheet as a study would write it, without what is left at its default.
    pub(super) fn of(sheet: &SheetSpec) -> Self {
        let plain = SheetSpec::default();
        let axes = |names: &[String]| {
            let placed = |name: &String| Placed { text: name.clone(), span: 0..0 };
            (!names.is_empty()).then(|| names.iter().map(placed).collect())
        };
        Self {
            rows: axes(&sheet.rows),
            columns: axes(&sheet.columns),
            pages: axes(&sheet.pages),
            cell: (sheet.cell_px != plain.cell_px).then_some(CellSize(sheet.cell_px)),
            theme: (sheet.theme != plain.theme).then_some(sheet.theme),
            captions: (!sheet.captions.is_empty()).then(|| sheet.captions.clone()),
            max_px: (sheet.max_page_px != plain.max_page_px).then_some(sheet.max_page_px),
            date: (sheet.date != plain.date).then_some(sheet.date),
            scale: None,
        }
    }
}

impl Serialize for CellSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [columns, rows] = self.0;
        if columns == rows { columns.serialize(serializer) } else { self.0.serialize(serializer) }
    }
}

impl JsonSchema for CellSize {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CellSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let side = json_schema!({ "type": "integer", "minimum": 1, "maximum": MOST_CELL_PX });
        json_schema!({ "anyOf": [side, { "type": "array", "items": side, "minItems": 2, "maxItems": 2 }] })
    }
}
