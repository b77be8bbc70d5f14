//! Read a whole study file.
//!
//! Axes first, then what names them: `only`, `skip` and the sheet.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::axis::ReadAxis;
use super::error::{StudyError, StudyErrors, WrongText};
use super::layout::{self, SheetText};
use super::read::{Bounds, Key, Reader, Value, in_file_order};
use super::settings::Settings;
use super::table::table;
use super::{Axis, Filter, Known, Repeat, Study, axis, filters, nearest};

/// Keys at the top of a study file.
pub(super) const TOP_KEYS: [&str; 7] = ["title", "cell", "axes", "repeat", "only", "skip", "sheet"];

table! {
    /// Repeats of every cell, the same for every condition.
    pub(super) struct RepeatText {
        /// Stratified sub-pixel offsets; 1, a single picture, when left out.
        #[schemars(range(min = 1, max = 4096))]
        subpixel: u32 = |reader: &mut Reader, value: &Value| reader.count(value, 1, 4096);
        /// Largest turn to either side, degrees; 0 when left out.
        #[schemars(range(min = 0.0, max = 180.0))]
        yaw_deg: f32 = |reader: &mut Reader, value: &Value| reader.number(value, Bounds::within(0.0, 180.0));
        /// Seeds what is random; 1 when left out.
        #[schemars(range(min = 0, max = 9_223_372_036_854_775_807_u64))]
        seed: u64 = |reader: &mut Reader, value: &Value| reader.whole(value, 0, i64::MAX as u64);
    }
}

/// Reads a study file; its paths are relative to its folder, its name is the file's stem.
///
/// # Errors
///
/// The file cannot be read, or everything that is wrong with it.
pub fn read(path: &Path, known: &Known) -> Result<Study, StudyErrors> {
    let text =
        std::fs::read_to_string(path).map_err(|source| StudyErrors::Read { path: path.to_path_buf(), source })?;
    let dir = path.parent().unwrap_or(Path::new(""));
    parse(&text, path, dir, known)
}

/// Reads a study's text. `path` names it, in errors and for its cells; paths in it are relative to
/// `dir`.
///
/// # Errors
///
/// Everything that is wrong with it, in the order of the text.
pub fn parse(text: &str, path: &Path, dir: &Path, known: &Known) -> Result<Study, StudyErrors> {
    let (table, syntax) = DeTable::parse_recoverable(text);
    let mut reader = Reader { known, dir, errors: syntax.iter().map(syntax_error).collect() };
    // Text that is no TOML has no keys to trust: what follows from its faults is not reported.
    let study = syntax.is_empty().then(|| study_of(&mut reader, table.get_ref(), path));
    let mut errors = reader.errors;
    errors.sort_by_key(|error| error.span.start);
    match study {
        Some(study) if errors.is_empty() => Ok(study),
        _ => Err(WrongText { path: path.to_path_buf(), text: text.to_owned(), errors }.into()),
    }
}

fn syntax_error(error: &toml::de::Error) -> StudyError {
    StudyError {
        span: error.span().unwrap_or(0..0),
        message: "this is not TOML".to_owned(),
        label: error.message().lines().collect::<Vec<_>>().join(", "),
        hint: None,
    }
}

fn study_of(reader: &mut Reader, table: &DeTable, path: &Path) -> Study {
    let name = path.file_stem().map_or_else(|| "study".to_owned(), |stem| stem.to_string_lossy().into_owned());
    check_top_keys(reader, table);
    let title = table.get("title").and_then(|value| reader.text(value)).unwrap_or_else(|| name.clone());
    let mut base = table.get("cell").map(|value| read_base(reader, value)).unwrap_or_default();
    let axes = table.get("axes").map(|value| read_axes(reader, value)).unwrap_or_default();
    let [only, skip] = ["only", "skip"].map(|which| read_filters(reader, table, which, &axes));
    let axes: Vec<Axis> = axes.into_iter().map(|read| read.axis).collect();
    check_phases(reader, table, &base, &axes);
    let repeat = table.get("repeat").map(|value| read_repeat(reader, value)).unwrap_or_default();
    let sheet_text = table.get("sheet").map(|value| read_sheet(reader, value)).unwrap_or_default();
    take_scale(reader, table, &sheet_text, &mut base);
    let sheet = layout::place(reader, &sheet_text, &axes);
    Study { name, path: Some(path.to_path_buf()), title, base, axes, only, skip, sheet, repeat }
}

fn check_top_keys(reader: &mut Reader, table: &DeTable) {
    for (key, _) in in_file_order(table) {
        let name: &str = key.get_ref();
        if TOP_KEYS.contains(&name) {
            continue;
        }
        let home = if Settings::KEYS.contains(&name) {
            Some("it belongs under [cell], or in a value of an axis".to_owned())
        } else if SheetText::KEYS.contains(&name) {
            Some("it belongs under [sheet]".to_owned())
        } else {
            None
        };
        let hint = home.unwrap_or_else(|| nearest::hint("keys", name, TOP_KEYS));
        reader.wrong(key.span(), format!("a study has no key {name:?} at its top"), "unknown key", Some(hint));
    }
}

fn read_base(reader: &mut Reader, value: &Value) -> Settings {
    let mut base = Settings::default();
    if let Some(table) = reader.table(value, "a table of settings") {
        reader.keys(table, Settings::KEYS, "[cell]", |reader, key, value| base.read_key(reader, key, value));
    }
    base
}

fn read_axes(reader: &mut Reader, value: &Value) -> Vec<ReadAxis> {
    let Some(table) = reader.table(value, "tables named [axes.NAME]") else {
        return Vec::new();
    };
    in_file_order(table).into_iter().map(|(key, value)| axis::read(reader, key, value)).collect()
}

fn read_repeat(reader: &mut Reader, value: &Value) -> Repeat {
    let mut text = RepeatText::default();
    if let Some(table) = reader.table(value, "a table of repeats") {
        reader.keys(table, RepeatText::KEYS, "[repeat]", |reader, key, value| text.read_key(reader, key, value));
    }
    let plain = Repeat::default();
    Repeat {
        subpixel: text.subpixel.unwrap_or(plain.subpixel),
        yaw_deg: text.yaw_deg.unwrap_or(plain.yaw_deg),
        seed: text.seed.unwrap_or(plain.seed),
    }
}

fn read_sheet(reader: &mut Reader, value: &Value) -> SheetText {
    let mut text = SheetText::default();
    if let Some(table) = reader.table(value, "a table of the sheet's layout") {
        reader.keys(table, SheetText::KEYS, "[sheet]", |reader, key, value| text.read_key(reader, key, value));
    }
    text
}

fn read_filters(reader: &mut Reader, table: &DeTable, which: &str, axes: &[ReadAxis]) -> Vec<Filter> {
    table.get(which).map(|value| filters::read(reader, which, value, axes)).unwrap_or_default()
}

/// `[sheet] scale` is another way to write `[cell] frame`; both at once would hide one.
fn take_scale(reader: &mut Reader, table: &DeTable, sheet: &SheetText, base: &mut Settings) {
    let Some(scale) = sheet.scale else {
        return;
    };
    if base.frame.is_some() {
        let place = find(table, &["sheet", "scale"]).map_or(0..0, |(key, _)| key.span());
        reader.wrong(place, "scale and frame both say what is framed together", "[cell] has frame already", None);
    }
    base.frame = Some(scale);
}

/// A phase needs a clip: if no cell can have one, every `at` is an error. Where only some cells can,
/// the plan decides.
fn check_phases(reader: &mut Reader, table: &DeTable, base: &Settings, axes: &[Axis]) {
    let values = || axes.iter().flat_map(|axis| &axis.values).map(|value| &value.settings);
    if base.clip.is_some() || values().any(|settings| settings.clip.is_some()) {
        return;
    }
    let mut places = Vec::new();
    for top in ["cell", "axes"] {
        if let Some(value) = table.get(top) {
            collect_keys("at", value.get_ref(), &mut places);
        }
    }
    for span in places {
        let hint = "name the clip: clip = \"walk\", at = 0.25".to_owned();
        reader.wrong(span, "at is a phase of a clip, and no clip is given", "phase without a clip", Some(hint));
    }
}

fn collect_keys(wanted: &str, value: &DeValue, places: &mut Vec<std::ops::Range<usize>>) {
    let DeValue::Table(table) = value else {
        return;
    };
    for (key, value) in in_file_order(table) {
        if key.get_ref() == wanted && !value.get_ref().is_table() {
            places.push(key.span());
        }
        collect_keys(wanted, value.get_ref(), places);
    }
}

fn find<'v, 'i>(table: &'v DeTable<'i>, path: &[&str]) -> Option<(&'v Key<'i>, &'v Value<'i>)> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(*first)?;
    if rest.is_empty() {
        return Some((key, value));
    }
    find(value.get_ref().as_table()?, rest)
}
