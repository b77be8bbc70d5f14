//! Choose cells by their values: `[[only]]`, `[[skip]]` and the command line's `axis=value,value`.
//!
//! A value may hold `*` for any run of characters, so that `walk@*` means every phase of a walk.
//! Pure.

use toml::de::DeValue;

use super::axis::ReadAxis;
use super::read::{Reader, Value, in_file_order};
use super::{Filter, nearest};

/// The values of `axis` that `wanted` names; none for a word that names nothing.
pub(crate) fn matching<'a>(values: impl Iterator<Item = &'a str>, wanted: &str) -> Vec<String> {
    let values: Vec<&str> = values.collect();
    if let Some(exact) = values.iter().find(|value| **value == wanted) {
        return vec![(*exact).to_owned()];
    }
    if !wanted.contains('*') {
        return Vec::new();
    }
    values.into_iter().filter(|value| star_matches(wanted, value)).map(str::to_owned).collect()
}

/// Whether `pattern` covers the whole of `text`; only `*` is special.
fn star_matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else {
        return rest.is_empty();
    };
    for piece in middle {
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// Reads `[[only]]` or `[[skip]]`, whose name is `which`.
pub(super) fn read(reader: &mut Reader, which: &str, value: &Value, axes: &[ReadAxis]) -> Vec<Filter> {
    let DeValue::Array(tables) = value.get_ref() else {
        let _: Option<()> = reader.wrong_type(value, format!("[[{which}]] tables of axis = value"));
        return Vec::new();
    };
    tables.iter().filter_map(|table| read_one(reader, which, table, axes)).collect()
}

fn read_one(reader: &mut Reader, which: &str, value: &Value, axes: &[ReadAxis]) -> Option<Filter> {
    let table = reader.table(value, "a table of axis = value")?;
    if table.is_empty() {
        let message = format!("[[{which}]] names no axis");
        reader.wrong(value.span(), message, "would match every cell", None);
        return None;
    }
    let mut filter = Filter::new();
    for (key, value) in in_file_order(table) {
        let name = key.get_ref().as_ref();
        let Some(axis) = axes.iter().find(|read| read.axis.name == name) else {
            let hint = nearest::hint("axes", name, axes.iter().map(|read| &read.axis.name));
            reader.wrong(key.span(), format!("no axis named {name:?}"), "unknown axis", Some(hint));
            continue;
        };
        let values = reader.one_or_more(value, "a value or a list of values", |reader, value| {
            let wanted = reader.text(value)?;
            values_of(reader, axis, value, &wanted)
        });
        filter.push((axis.axis.name.clone(), values.into_iter().flatten().flatten().collect()));
    }
    Some(filter)
}

fn values_of(reader: &mut Reader, read: &ReadAxis, value: &Value, wanted: &str) -> Option<Vec<String>> {
    let names = || read.axis.values.iter().map(|value| value.name.as_str());
    let found = matching(names(), wanted);
    if found.is_empty() && read.whole {
        let hint = nearest::hint("values", wanted, names());
        let message = format!("axis {:?} has no value {wanted:?}", read.axis.name);
        reader.wrong(value.span(), message, "unknown value", Some(hint));
    }
    Some(found)
}
