//! Refuse numbers that no body can have, at the line where they stand.
//!
//! Reads: a recipe's text. Pure.
//!
//! Geometry is only as sound as its numbers: a bone without length has no direction, and a NaN would go
//! through every smooth union unseen.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::KitError;
use super::recipe::Source;

/// Key, least and most. A key is where it stands in the tables, list positions left out.
const LIMITS: &[(&str, f64, f64)] = &[
    ("height_m", 0.01, 100.0),
    ("skeleton.hips", 1.0, 150.0),
    ("skeleton.hip_width", 0.1, 100.0),
    ("skeleton.stance", 0.0, 100.0),
    ("skeleton.ankle", 0.1, 50.0),
    ("skeleton.foot", 0.1, 50.0),
    ("skeleton.toes", 0.1, 50.0),
    ("skeleton.spine", 0.1, 100.0),
    ("skeleton.neck", 0.1, 100.0),
    ("skeleton.head", 0.1, 100.0),
    ("skeleton.face", 0.1, 100.0),
    ("skeleton.shoulders", 0.1, 150.0),
    ("skeleton.upper_arm", 0.1, 100.0),
    ("skeleton.forearm", 0.1, 100.0),
    ("skeleton.hand", 0.1, 100.0),
    ("bust.neck", 0.1, 100.0),
    ("bust.head", 0.1, 100.0),
    ("bust.face", 0.1, 100.0),
    ("body.cell", 0.1, 50.0),
    ("body.triangles", 100.0, 1e6),
    ("body.blend", 0.0, 100.0),
    ("levels.coarse", 50.0, 1e6),
    ("levels.static", 50.0, 1e6),
    ("body.texture_px", 256.0, 4096.0),
    ("body.part.cell", 0.1, 50.0),
    ("body.part.keep", 0.01, 1000.0),
    ("body.part.sides", 3.0, 60.0),
    ("body.part.crease_deg", 1.0, 180.0),
    ("body.part.triangles", 8.0, 1e6),
    ("body.part.detail.keep", 0.01, 1000.0),
    ("body.part.scale", 0.01, 100.0),
    ("body.part.texels", 0.25, 4.0),
    ("wide", 0.05, 20.0),
    ("deep", 0.05, 20.0),
    ("motion.idle.secs", 0.05, 600.0),
    ("motion.idle.breaths", 1.0, 100.0),
    ("motion.walk.secs", 0.05, 600.0),
    ("motion.walk.stride", 0.0, 500.0),
    ("motion.walk.planted", 0.3, 0.9),
    ("finish.roughness", 0.0, 1.0),
    ("finish.metallic", 0.0, 1.0),
    ("finish.glow", 0.0, 10.0),
    ("finish.pattern_size", 0.05, 50.0),
    ("finish.pattern_strength", 0.0, 1.0),
    ("pleats.count", 2.0, 60.0),
    ("pleats.depth", 0.01, 50.0),
    ("pleats.uneven", 0.0, 1.0),
    ("rough.size", 0.1, 1000.0),
    ("rough.depth", 0.0, 50.0),
    ("chips.count", 0.0, 60.0),
    ("chips.depth", 0.0, 50.0),
];

/// What every other number is within.
const ANY: (f64, f64) = (-1000.0, 1000.0);

/// Checks every number of a recipe; the first one out of range, by line, is the error.
pub(super) fn check(source: Source<'_>) -> Result<(), KitError> {
    let table = DeTable::parse(source.text)
        .map_err(|error| source.fault(error.span().unwrap_or(0..0), error.message(), None))?;
    let mut numbers = Vec::new();
    collect(table.get_ref(), &mut Vec::new(), &mut numbers);
    numbers.sort_by_key(|number| number.span.start);
    for number in numbers {
        let (least, most) = limits(&number.path);
        if !(least..=most).contains(&number.value) {
            let key = number.path.last().map_or("", String::as_str);
            let message = format!("{key} = {} is out of range", number.value);
            return Err(source.fault(number.span, message, Some(format!("give a number from {least} to {most}"))));
        }
    }
    Ok(())
}

struct Number {
    path: Vec<String>,
    span: Range<usize>,
    value: f64,
}

fn limits(path: &[String]) -> (f64, f64) {
    let whole = path.join(".");
    // Finishes lie one table down, under the colour's name.
    let finish = if path.len() == 3 && path[0] == "finish" { format!("finish.{}", path[2]) } else { String::new() };
    let last = path.last().map_or("", String::as_str);
    // What a shape may have lies under it, wherever the shape stands.
    let under_a_shape = path.iter().rev().take(2).rev().map(String::as_str).collect::<Vec<_>>().join(".");
    let names = [whole.as_str(), finish.as_str(), under_a_shape.as_str(), last];
    let found = LIMITS.iter().find(|(key, ..)| names.contains(key));
    found.map_or(ANY, |(_, least, most)| (*least, *most))
}

fn collect(table: &DeTable<'_>, path: &mut Vec<String>, into: &mut Vec<Number>) {
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        visit(value, path, into);
        path.pop();
    }
}

fn visit(value: &Spanned<DeValue<'_>>, path: &mut Vec<String>, into: &mut Vec<Number>) {
    let number = |text: &str| text.replace('_', "").parse::<f64>().unwrap_or(f64::NAN);
    let found = match value.get_ref() {
        DeValue::Float(float) => Some(number(float.as_str())),
        DeValue::Integer(integer) => Some(number(integer.as_str())),
        DeValue::Array(values) => {
            values.iter().for_each(|value| visit(value, path, into));
            None
        }
        DeValue::Table(table) => {
            collect(table, path, into);
            None
        }
        DeValue::String(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => None,
    };
    into.extend(found.map(|value_found| Number { path: path.clone(), span: value.span(), value: value_found }));
}
