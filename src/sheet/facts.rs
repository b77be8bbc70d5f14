//! Name the facts of a cell, as metrics.csv and captions call them.
//!
//! Pure. The unit is part of the name, as in every table.

use crate::measure::Facts;

/// Columns of facts, in the order of the tables.
pub const FACT_COLUMNS: [&str; 6] = ["px_per_m", "height_m", "distance_m", "field_deg", "head_px_h", "removed_m"];

/// The value of a fact; `None` where it is not known or `column` names no fact.
pub fn fact(facts: &Facts, column: &str) -> Option<f64> {
    match column {
        "px_per_m" => Some(facts.px_per_m),
        "height_m" => facts.height_m,
        "distance_m" => facts.distance_m,
        "field_deg" => facts.field_rad.map(f64::to_degrees),
        "head_px_h" => facts.head_px_h,
        "removed_m" => facts.removed_m,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_column_has_its_own_value() {
        let facts = Facts {
            px_per_m: 1.0,
            height_m: Some(2.0),
            distance_m: Some(3.0),
            field_rad: Some(std::f64::consts::PI),
            head_px_h: Some(5.0),
            removed_m: Some(6.0),
        };
        let values: Vec<_> = FACT_COLUMNS.iter().map(|column| fact(&facts, column).unwrap()).collect();
        assert_eq!(values, [1.0, 2.0, 3.0, 180.0, 5.0, 6.0]);
        assert_eq!(fact(&facts, "samples"), None);
    }
}
