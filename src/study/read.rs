//! Read the values of a study file, one at a time, and collect everything that is wrong with them.
//!
//! Reads: spanned TOML values. Writes: typed values, and errors with their place in the text.
//! Nothing stops at the first error: a value that cannot be read is `None`, and the rest goes on.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use indexmap::IndexMap;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Known;
use super::error::StudyError;
use super::nearest;

/// A value with its place in the text.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;
/// A key with its place in the text.
pub(super) type Key<'i> = Spanned<toml::de::DeString<'i>>;

/// A name with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    /// The name.
    pub(super) text: String,
    /// Where it stands.
    pub(super) span: Range<usize>,
}

/// Words that an enum of a study file may have.
pub(super) trait Word: Sized + Copy + 'static {
    /// Each word with what it means.
    const WORDS: &'static [(&'static str, Self)];
}

/// What a number may be; infinities and NaN never.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    min: f64,
    over_min: bool,
    max: f64,
}

impl Bounds {
    /// Any number.
    pub(super) const fn any() -> Self {
        Self { min: f64::NEG_INFINITY, over_min: false, max: f64::INFINITY }
    }

    /// `min` and up.
    pub(super) const fn at_least(min: f64) -> Self {
        Self { min, over_min: false, max: f64::INFINITY }
    }

    /// Over `min`.
    pub(super) const fn over(min: f64) -> Self {
        Self { min, over_min: true, max: f64::INFINITY }
    }

    /// `min` to `max`, both included.
    pub(super) const fn within(min: f64, max: f64) -> Self {
        Self { min, over_min: false, max }
    }

    /// The same with `max` as its upper end, included.
    pub(super) const fn to(self, max: f64) -> Self {
        Self { max, ..self }
    }

    fn hold(self, number: f64) -> bool {
        let above = if self.over_min { number > self.min } else { number >= self.min };
        number.is_finite() && above && number <= self.max
    }

    fn describe(self) -> String {
        let Self { min, over_min, max } = self;
        match (min.is_finite(), max.is_finite()) {
            (true, true) if over_min => format!("a number over {min}, up to {max}"),
            (true, true) => format!("a number from {min} to {max}"),
            (true, false) if over_min => format!("a number over {min}"),
            (true, false) => format!("a number from {min} up"),
            (false, true) => format!("a number up to {max}"),
            (false, false) => "a finite number".to_owned(),
        }
    }
}

/// What reading needs to know, and what it found wrong.
pub(super) struct Reader<'a> {
    /// What a study may name.
    pub(super) known: &'a Known<'a>,
    /// What paths are relative to.
    pub(super) dir: &'a Path,
    /// In the order in which they were found.
    pub(super) errors: Vec<StudyError>,
}

impl Reader<'_> {
    /// Notes an error: `message` is the sentence, `label` stands under the marked text.
    pub(super) fn wrong(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        label: impl Into<String>,
        hint: Option<String>,
    ) {
        self.errors.push(StudyError { span, message: message.into(), label: label.into(), hint });
    }

    /// Notes that a value is of the wrong type.
    pub(super) fn wrong_type<T>(&mut self, value: &Value, expected: impl Display) -> Option<T> {
        let found = match value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date or time",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let hint = matches!(value.get_ref(), DeValue::Datetime(_)).then(|| "an hour goes in quotes".to_owned());
        self.wrong(value.span(), format!("{found} has no place here"), format!("expected {expected}"), hint);
        None
    }

    /// Notes that a table lacks a key, unless something else is already wrong inside it.
    pub(super) fn incomplete(&mut self, value: &Value, label: impl Into<String>) {
        let span = value.span();
        if !self.errors.iter().any(|error| span.start <= error.span.start && error.span.end <= span.end) {
            self.wrong(span, "something is missing here", label, None);
        }
    }

    /// A string.
    pub(super) fn text(&mut self, value: &Value) -> Option<String> {
        match value.get_ref().as_str() {
            Some(text) => Some(text.to_owned()),
            None => self.wrong_type(value, "a string in quotes"),
        }
    }

    /// A string or a list of strings.
    pub(super) fn texts(&mut self, value: &Value) -> Option<Vec<String>> {
        self.one_or_more(value, "a string or a list of strings", Self::text)
    }

    /// One value or a list of them.
    pub(super) fn one_or_more<T>(
        &mut self,
        value: &Value,
        expected: &str,
        mut read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        match value.get_ref() {
            DeValue::Array(list) => {
                let read: Vec<Option<T>> = list.iter().map(|item| read(self, item)).collect();
                read.into_iter().collect()
            }
            DeValue::Table(_) => self.wrong_type(value, expected),
            _ => Some(vec![read(self, value)?]),
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, value: &Value) -> Option<bool> {
        match value.get_ref().as_bool() {
            Some(flag) => Some(flag),
            None => self.wrong_type(value, "true or false"),
        }
    }

    /// A number within bounds.
    pub(super) fn number(&mut self, value: &Value, bounds: Bounds) -> Option<f32> {
        let Some(number) = number_of(value.get_ref()) else {
            return self.wrong_type(value, bounds.describe());
        };
        // As it will be kept: a number may be in bounds as written and not once it is rounded.
        let kept = number as f32;
        if bounds.hold(number) && bounds.hold(f64::from(kept)) {
            return Some(kept);
        }
        self.wrong(value.span(), format!("{number} is out of range"), format!("expected {}", bounds.describe()), None);
        None
    }

    /// A whole number from `min` to `max`.
    pub(super) fn count(&mut self, value: &Value, min: u32, max: u32) -> Option<u32> {
        self.whole(value, u64::from(min), u64::from(max)).and_then(|whole| u32::try_from(whole).ok())
    }

    /// A whole number from `min` to `max`.
    pub(super) fn whole(&mut self, value: &Value, min: u64, max: u64) -> Option<u64> {
        let expected = format!("a whole number from {min} to {max}");
        let DeValue::Integer(written) = value.get_ref() else {
            return self.wrong_type(value, expected);
        };
        let whole = u64::from_str_radix(written.as_str().trim_start_matches('+'), written.radix()).ok();
        let in_range = whole.filter(|whole| (min..=max).contains(whole));
        if in_range.is_none() {
            self.wrong(value.span(), format!("{written} is out of range"), format!("expected {expected}"), None);
        }
        in_range
    }

    /// Three numbers.
    pub(super) fn triple(&mut self, value: &Value, bounds: Bounds) -> Option<[f32; 3]> {
        let expected = "a list of three numbers";
        let DeValue::Array(list) = value.get_ref() else {
            return self.wrong_type(value, expected);
        };
        if list.len() != 3 {
            self.wrong(value.span(), format!("{} numbers are given", list.len()), format!("expected {expected}"), None);
            return None;
        }
        let numbers: Vec<Option<f32>> = list.iter().map(|item| self.number(item, bounds)).collect();
        Some([numbers[0]?, numbers[1]?, numbers[2]?])
    }

    /// One word of an enum.
    pub(super) fn word<T: Word>(&mut self, value: &Value) -> Option<T> {
        let choices = || T::WORDS.iter().map(|(word, _)| *word);
        let Some(written) = value.get_ref().as_str() else {
            return self.wrong_type(value, nearest::list(choices()));
        };
        let found = T::WORDS.iter().find(|(word, _)| *word == written);
        if found.is_none() {
            let hint = nearest::hint("choices", written, choices());
            self.wrong(value.span(), format!("no such choice: {written:?}"), "unknown word", Some(hint));
        }
        found.map(|(_, meaning)| *meaning)
    }

    /// Names to strings.
    pub(super) fn map_of_texts(&mut self, value: &Value) -> Option<IndexMap<String, String>> {
        self.map(value, "a table of names and strings", Self::text)
    }

    /// Names to values.
    pub(super) fn map<T>(
        &mut self,
        value: &Value,
        expected: &str,
        mut read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Option<IndexMap<String, T>> {
        let table = self.table(value, expected)?;
        let entries: Vec<Option<(String, T)>> = in_file_order(table)
            .into_iter()
            .map(|(key, value)| Some((key.get_ref().to_string(), read(self, value)?)))
            .collect();
        entries.into_iter().collect()
    }

    /// A table.
    pub(super) fn table<'v, 'i>(&mut self, value: &'v Value<'i>, expected: &str) -> Option<&'v DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => self.wrong_type(value, expected),
        }
    }

    /// Reads every key of a table with `read_key`, which says whether it knows the key.
    pub(super) fn keys(
        &mut self,
        table: &DeTable,
        known: &[&str],
        what: &str,
        mut read_key: impl FnMut(&mut Self, &str, &Value) -> bool,
    ) {
        for (key, value) in in_file_order(table) {
            if !read_key(self, key.get_ref(), value) {
                self.unknown_key(key, what, known);
            }
        }
    }

    /// Notes a key that `what` does not have.
    pub(super) fn unknown_key(&mut self, key: &Key, what: &str, known: &[&str]) {
        let name = key.get_ref();
        let hint = nearest::hint("keys", name, known.iter().copied());
        self.wrong(key.span(), format!("{what} has no key {name:?}"), "unknown key", Some(hint));
    }
}

/// The entries of a table as the file has them; the table itself is sorted by key.
pub(super) fn in_file_order<'v, 'i>(table: &'v DeTable<'i>) -> Vec<(&'v Key<'i>, &'v Value<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn number_of(value: &DeValue) -> Option<f64> {
    match value {
        DeValue::Integer(written) => {
            i128::from_str_radix(written.as_str(), written.radix()).ok().map(|whole| whole as f64)
        }
        DeValue::Float(written) => written.as_str().parse().ok(),
        _ => None,
    }
}

impl Serialize for Placed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A string or a list of strings, as [`Reader::texts`] reads it.
pub(super) fn one_or_more_texts(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
}
