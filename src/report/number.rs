//! Write numbers so that a table has the same bytes on every machine.

/// Nine significant digits, the fewest that say them, no exponent between 1e-5 and 1e15. Empty where
/// there is nothing to say: 0 would read as a measurement, and NaN is none.
///
/// Nine digits tell any two 32-bit floats apart; what comes after is noise of the last addition.
pub(crate) fn nine_digits(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return String::new() };
    let rounded = rounded(value);
    let size = rounded.abs();
    if rounded == 0.0 {
        "0".to_owned()
    } else if (1e-5..1e15).contains(&size) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// The value at nine significant digits.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_nine_digits_and_no_more_than_they_need() {
        let said =
            [1.0 / 3.0, 2.0, 18.25, 123_456_789_012.0, -0.0, 0.1 + 0.2, 1.5e-7, -2.5e20].map(Some).map(nine_digits);
        assert_eq!(said, ["0.333333333", "2", "18.25", "123456789000", "0", "0.3", "1.5e-7", "-2.5e20"]);
    }

    #[test]
    fn what_is_no_number_is_empty() {
        assert_eq!([None, Some(f64::NAN), Some(f64::INFINITY)].map(nine_digits), ["", "", ""]);
    }
}
