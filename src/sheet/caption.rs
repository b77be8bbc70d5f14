//! Say a cell's readings in a few words: which are asked for, and numbers that a person can read.
//!
//! Pure. A caption is `name`, `size`, a fact, or a column of metrics.csv; `head.luma8_sd` reads another
//! mask than the subject's.

use super::SheetError;
use super::facts::{FACT_COLUMNS, fact};
use crate::run::Made;
use crate::stage::Mask;

/// One line, or for a name several, under each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Caption {
    /// The cell's name without the study's.
    Name,
    /// Pixels that the picture has, and by how much the sheet enlarges it.
    Size,
    /// What stage knew.
    Fact(&'static str),
    /// What was measured: mask, column, its position in the readings.
    Reading { mask: Mask, column: String, position: usize },
}

/// Lines that a name may take.
pub(crate) const NAME_LINES: usize = 2;

/// A number with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Caption {
    /// Resolves what the study asks for against the columns of the readings.
    ///
    /// # Errors
    ///
    /// [`SheetError::UnknownCaption`] with the choices.
    pub(crate) fn resolve(asked: &[String], columns: &[&str]) -> Result<Vec<Self>, SheetError> {
        asked.iter().map(|caption| Self::resolve_one(caption, columns)).collect()
    }

    fn resolve_one(asked: &str, columns: &[&str]) -> Result<Self, SheetError> {
        if asked == "name" {
            return Ok(Self::Name);
        }
        if asked == "size" {
            return Ok(Self::Size);
        }
        if let Some(known) = FACT_COLUMNS.into_iter().find(|known| *known == asked) {
            return Ok(Self::Fact(known));
        }
        let (mask, column) = match asked.split_once('.') {
            Some((mask, column)) => (Mask::ALL.into_iter().find(|known| known.name() == mask), column),
            None => (Some(Mask::Subject), asked),
        };
        let position = columns.iter().position(|known| *known == column);
        let (Some(mask), Some(position)) = (mask, position) else {
            return Err(unknown(asked, columns));
        };
        Ok(Self::Reading { mask, column: column.to_owned(), position })
    }

    /// What it says of a made cell, enlarged `zoom` times; a name is said by the caller.
    pub(crate) fn say(&self, made: &Made, zoom: u32) -> Said {
        match self {
            Self::Name => Said { name: String::new(), value: String::new() },
            Self::Size => {
                let [w, h] = made.size_px;
                let enlarged = if zoom > 1 { format!(" ×{zoom}") } else { String::new() };
                Said { name: "size".to_owned(), value: format!("{w} × {h} px{enlarged}") }
            }
            Self::Fact(column) => {
                let (name, unit) = fact_words(column);
                Said { name: name.to_owned(), value: with_unit(fact(&made.facts, column), unit) }
            }
            Self::Reading { mask, column, position } => {
                let value = made.readings.iter().find(|row| row.mask == *mask);
                let value = value.and_then(|row| row.values.get(*position).copied().flatten());
                let (name, unit) = name_and_unit(column);
                let whose = if *mask == Mask::Subject { String::new() } else { format!("{} ", mask.name()) };
                Said { name: whose + &name, value: with_unit(value, unit) }
            }
        }
    }
}

/// All that was measured and known of a cell, a line a mask; what was not measured is left out.
pub(crate) fn say_all(made: &Made, columns: &[String]) -> String {
    let facts = FACT_COLUMNS.iter().filter_map(|column| {
        let value = fact(&made.facts, column)?;
        let (name, unit) = fact_words(column);
        Some(format!("{name} {}", with_unit(Some(value), unit)))
    });
    let mut lines = vec![facts.collect::<Vec<_>>().join(", ")];
    for row in &made.readings {
        let readings = columns.iter().zip(&row.values).filter(|(column, _)| !FACT_COLUMNS.contains(&column.as_str()));
        let said = readings.filter_map(|(column, value)| {
            let (name, unit) = name_and_unit(column);
            Some(format!("{name} {}", with_unit(Some((*value)?), unit)))
        });
        lines.push(format!("{}: {}", row.mask.name(), said.collect::<Vec<_>>().join(", ")));
    }
    lines.join("\n")
}

/// What a caption usually looks like, to make room for it before anything is measured.
pub(crate) fn typical(asked: &str) -> String {
    let column = asked.rsplit('.').next().unwrap_or(asked);
    let whose = asked.strip_suffix(column).unwrap_or_default().trim_end_matches('.');
    let ((name, unit), number) = match asked {
        "size" => (("size".to_owned(), ""), "000 × 000 px"),
        _ if FACT_COLUMNS.contains(&asked) => {
            let (name, unit) = fact_words(asked);
            ((name.to_owned(), unit), "000")
        }
        _ => (name_and_unit(column), "00.00"),
    };
    format!("{whose} {name} {number} {unit}").trim().to_owned()
}

/// Every caption that a study may ask for, where these are the columns of the readings: the cell's name
/// and size, the facts, each column of the subject, then `mask.column` for the other masks.
pub fn caption_choices(columns: &[&str]) -> Vec<String> {
    let plain = ["name", "size"].into_iter().chain(FACT_COLUMNS);
    let own = columns.iter().copied().filter(|column| !FACT_COLUMNS.contains(column));
    let masks = Mask::ALL.into_iter().filter(|mask| *mask != Mask::Subject);
    let others = masks.flat_map(|mask| columns.iter().map(move |column| format!("{}.{column}", mask.name())));
    plain.chain(own).map(str::to_owned).chain(others).collect()
}

fn unknown(asked: &str, columns: &[&str]) -> SheetError {
    let choices: Vec<String> =
        caption_choices(columns).into_iter().filter(|choice| choice.contains('.') == asked.contains('.')).collect();
    let nearest = choices.iter().max_by(|a, b| strsim::jaro(a, asked).total_cmp(&strsim::jaro(b, asked))).cloned();
    SheetError::UnknownCaption { asked: asked.to_owned(), nearest: nearest.unwrap_or_default(), choices }
}

fn fact_words(column: &str) -> (&'static str, &'static str) {
    match column {
        "px_per_m" => ("scale", "px/m"),
        "height_m" => ("height", "m"),
        "distance_m" => ("distance", "m"),
        "field_deg" => ("field", "°"),
        "head_px_h" => ("head", "px"),
        _ => ("travel", "m"),
    }
}

/// Ends of column names, the longest first: what a person calls it, and its unit.
const UNITS: [(&str, &str, &str); 17] = [
    ("_px_per_m", "", "px/m"),
    ("_px_h", " height", "px"),
    ("_px_n", " area", "px"),
    ("_stops", "", "stops"),
    ("_cd_m2", "", "cd/m²"),
    ("_secs", "", "s"),
    ("_bits", "", "bit"),
    ("_deg", "", "°"),
    ("_rad", "", "rad"),
    ("_cpd", "", "c/deg"),
    ("_cpf", "", "c/face"),
    ("_pct", "", "%"),
    ("_ppd", "", "px/deg"),
    ("_jnd", "", "JND"),
    ("_m2", "", "m²"),
    ("_px", "", "px"),
    ("_m", "", "m"),
];

/// A column's name in words, and its unit.
fn name_and_unit(column: &str) -> (String, &'static str) {
    let found = UNITS.into_iter().find(|(end, _, _)| column.len() > end.len() && column.ends_with(end));
    let (bare, more, unit) =
        found.map_or((column, "", ""), |(end, more, unit)| (&column[..column.len() - end.len()], more, unit));
    (bare.replace('_', " ") + more, unit)
}

fn with_unit(value: Option<f64>, unit: &str) -> String {
    let number = match value {
        None => return "–".to_owned(),
        Some(value) if !value.is_finite() => return "not finite".to_owned(),
        Some(value) => number(value),
    };
    match unit {
        "" => number,
        "°" | "%" => number + unit,
        _ => format!("{number} {unit}"),
    }
}

/// Three significant digits, all digits before the point; whole numbers as they are; a true minus.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    let text = if size == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e9).contains(&size) {
        format!("{size:.1e}")
    } else if size.fract() == 0.0 || size >= 1000.0 {
        format!("{size:.0}")
    } else {
        let decimals = [100.0, 10.0, 1.0, 0.1, 0.01, 0.001].iter().take_while(|limit| size < **limit).count();
        format!("{size:.decimals$}")
    };
    if value < 0.0 { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_matter() {
        let said = [18.123, 0.716_49, 128.37, 5.0, 1234.6, 0.001_234, -2.5, 0.0, 0.000_012].map(number);
        assert_eq!(said, ["18.1", "0.716", "128", "5", "1235", "0.00123", "−2.50", "0", "1.2e-5"]);
    }

    #[test]
    fn a_unit_moves_from_the_name_to_the_number() {
        assert_eq!(name_and_unit("value_gap_stops"), ("value gap".to_owned(), "stops"));
        assert_eq!(name_and_unit("luma8_sd"), ("luma8 sd".to_owned(), ""));
        assert_eq!(name_and_unit("face_px_h"), ("face height".to_owned(), "px"));
        assert_eq!(name_and_unit("clipped_share"), ("clipped share".to_owned(), ""));
        assert_eq!(with_unit(Some(0.5), "stops"), "0.500 stops");
        assert_eq!(with_unit(Some(30.0), "°"), "30°");
    }

    #[test]
    fn what_was_not_measured_is_a_dash_and_never_a_nought() {
        assert_eq!(with_unit(None, "px"), "–");
        assert_eq!(with_unit(Some(f64::NAN), "px"), "not finite");
    }

    #[test]
    fn an_unknown_caption_names_the_nearest_choice() {
        let error = Caption::resolve(&["luma8_ds".to_owned()], &["coverage", "luma8_sd"]).unwrap_err();
        assert!(matches!(error, SheetError::UnknownCaption { nearest, .. } if nearest == "luma8_sd"));
    }

    #[test]
    fn every_choice_that_is_offered_is_understood() {
        let columns = ["px_per_m", "luma8_sd"];
        let choices = caption_choices(&columns);
        assert_eq!(Caption::resolve(&choices, &columns).unwrap().len(), choices.len());
        assert!(choices.contains(&"head.luma8_sd".to_owned()));
        assert_eq!(choices.iter().filter(|choice| *choice == "px_per_m").count(), 1);
    }

    #[test]
    fn a_caption_may_name_the_mask() {
        let resolved = Caption::resolve(&["head.luma8_sd".to_owned()], &["coverage", "luma8_sd"]).unwrap();
        assert_eq!(resolved, [Caption::Reading { mask: Mask::Head, column: "luma8_sd".to_owned(), position: 1 }]);
        assert!(Caption::resolve(&["hat.luma8_sd".to_owned()], &["luma8_sd"]).is_err());
    }
}
