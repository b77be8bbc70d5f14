//! Read an axis: its named values, with `files`, `loads`, `at` and `factorial` expanded.
//!
//! A setting written beside the values is shared by all of them; a value's own wins. Values stand in
//! the order of the file, with what a key expands to in that key's place.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::choice::LoadChoice;
use super::factorial;
use super::files;
use super::read::{Key, Reader, Value, in_file_order};
use super::settings::{Settings, phase};
use super::value_names;
use super::{Axis, AxisValue, nearest};

/// Keys of an axis that are neither a setting nor a value.
pub(super) const EXPANDING_KEYS: [&str; 3] = ["files", "loads", "factorial"];

/// A value before it is known to be unique.
pub(super) struct Candidate {
    /// What it sets, and its name.
    pub(super) value: AxisValue,
    /// Where it comes from.
    pub(super) span: Range<usize>,
}

/// Settings as an axis holds them, where one `at` may stand for several values.
#[derive(Default)]
struct ManyPhased {
    settings: Settings,
    /// Each phase with its place; empty where `at` is a single number or absent.
    phases: Vec<f32>,
}

/// An axis as far as it could be read.
pub(super) struct ReadAxis {
    /// With the values that are right.
    pub(super) axis: Axis,
    /// Whether they are all there: only then is a value that it lacks an error elsewhere.
    pub(super) whole: bool,
}

/// Reads one axis.
pub(super) fn read(reader: &mut Reader, key: &Key, value: &Value) -> ReadAxis {
    let name = key.get_ref().to_string();
    value_names::check(reader, "an axis", &name, key.span());
    let errors_before = reader.errors.len();
    let candidates = reader.table(value, "a table of values").map(|table| read_candidates(reader, table));
    let values = value_names::unique(reader, &name, candidates.unwrap_or_default());
    if values.is_empty() && reader.errors.len() == errors_before {
        reader.wrong(key.span(), format!("axis {name:?} has no values"), "empty axis", None);
    }
    ReadAxis { axis: Axis { name, values }, whole: reader.errors.len() == errors_before }
}

fn read_candidates(reader: &mut Reader, table: &DeTable) -> Vec<Candidate> {
    let shared = read_shared(reader, table);
    let mut candidates = Vec::new();
    for (key, value) in in_file_order(table) {
        read_entry(reader, &shared, key, value, &mut candidates);
    }
    if let Some((key, value)) = table.get_key_value("factorial") {
        factorial::read(reader, &shared.settings, key, value, &mut candidates);
    }
    candidates
}

fn read_shared(reader: &mut Reader, table: &DeTable) -> ManyPhased {
    let mut shared = ManyPhased::default();
    for (key, value) in in_file_order(table) {
        if Settings::KEYS.contains(&key.get_ref().as_ref()) {
            read_setting(reader, &mut shared, key, value);
        }
    }
    shared
}

/// Reads one setting, where `at` may be a list; `false` if there is no such setting.
fn read_setting(reader: &mut Reader, into: &mut ManyPhased, key: &Key, value: &Value) -> bool {
    if key.get_ref() == "at" && value.get_ref().is_array() {
        into.phases = reader.one_or_more(value, "a phase or a list of phases", phase).unwrap_or_default();
        if value.get_ref().as_array().is_some_and(|list| list.is_empty()) {
            reader.wrong(value.span(), "no phase is given", "empty list", None);
        }
        return true;
    }
    into.settings.read_key(reader, key.get_ref(), value)
}

fn read_entry(reader: &mut Reader, shared: &ManyPhased, key: &Key, value: &Value, out: &mut Vec<Candidate>) {
    let name = key.get_ref().as_ref();
    match name {
        "files" => out.extend(file_values(reader, shared, value, |settings, file| settings.subject = Some(file))),
        "loads" => out.extend(file_values(reader, shared, value, |settings, file| {
            settings.load = Some(LoadChoice::Prop(file));
        })),
        "factorial" => {}
        _ if Settings::KEYS.contains(&name) => {}
        _ => match value.get_ref() {
            DeValue::Table(table) => out.extend(named_values(reader, shared, key, table)),
            _ => {
                let known = Settings::KEYS.iter().chain(&EXPANDING_KEYS);
                let hint = format!(
                    "a value is a table of settings, such as {name} = {{ azimuth = 90 }}; {}",
                    nearest::hint("keys", name, known)
                );
                reader.wrong(
                    key.span(),
                    format!("{name:?} is neither a value nor a setting"),
                    "unknown key",
                    Some(hint),
                );
            }
        },
    }
}

/// A value a file, named by its stem.
fn file_values(
    reader: &mut Reader,
    shared: &ManyPhased,
    value: &Value,
    set: impl Fn(&mut Settings, super::ModelFile),
) -> Vec<Candidate> {
    let files = files::read_globs(reader, value).unwrap_or_default();
    let names = value_names::of_files(&files);
    let mut out = Vec::new();
    for (file, name) in files.into_iter().zip(names) {
        let mut own = ManyPhased::default();
        set(&mut own.settings, file);
        out.extend(over_phases(shared, &own, &name, &value.span()));
    }
    out
}

fn named_values(reader: &mut Reader, shared: &ManyPhased, key: &Key, table: &DeTable) -> Vec<Candidate> {
    let name = key.get_ref().as_ref();
    value_names::check(reader, "a value", name, key.span());
    let mut own = ManyPhased::default();
    for (key, value) in in_file_order(table) {
        if !read_setting(reader, &mut own, key, value) {
            reader.unknown_key(key, "a value", Settings::KEYS);
        }
    }
    over_phases(shared, &own, name, &key.span())
}

/// The value, or one for each of its phases, named `walk@0.25`.
fn over_phases(shared: &ManyPhased, own: &ManyPhased, name: &str, span: &Range<usize>) -> Vec<Candidate> {
    let mut settings = shared.settings.clone();
    settings.overlay(&own.settings);
    let phases = if own.phases.is_empty() && own.settings.at.is_none() { &shared.phases } else { &own.phases };
    let candidate =
        |name: String, settings: Settings| Candidate { value: AxisValue { name, settings }, span: span.clone() };
    if phases.is_empty() {
        return vec![candidate(name.to_owned(), settings)];
    }
    let at_phase = |at: &f32| {
        let settings = Settings { at: Some(*at), ..settings.clone() };
        candidate(format!("{name}@{at}"), settings)
    };
    phases.iter().map(at_phase).collect()
}
