//! The sRGB curve, exact both ways, and the weights of Rec. 709.
//!
//! Encoding to 8 bits goes through a table of thresholds, never through `powf`: that differs between
//! machines, and a step of one level is a changed picture.

use std::sync::LazyLock;

/// Rec. 709 weights of red, green and blue, in linear luminance and in luma alike.
/// Source: ITU-R BT.709-6 (2015), item 3.2.
pub const REC709: [f64; 3] = [0.2126, 0.7152, 0.0722];

/// Luminance of a linear colour, in the colour's own unit.
pub fn luminance(rgb: [f32; 3]) -> f32 {
    let [red, green, blue] = REC709.map(|weight| weight as f32);
    red * rgb[0] + green * rgb[1] + blue * rgb[2]
}

/// Linear value of an encoded one, both 0 to 1. Source: IEC 61966-2-1.
pub fn linear_from_srgb(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// Encoded value of a linear one, both 0 to 1. Source: IEC 61966-2-1.
pub fn srgb_from_linear(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Linear value of each 8-bit code.
pub static LINEAR_FROM_SRGB8: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|code| linear_from_srgb(code as f64 / 255.0) as f32));

/// `THRESHOLDS[k]` is the least linear value that rounds to code `k + 1`.
static THRESHOLDS: LazyLock<[f32; 255]> =
    LazyLock::new(|| std::array::from_fn(|code| linear_from_srgb((code as f64 + 0.5) / 255.0) as f32));

/// First code to try for each of 4,096 even steps of the linear value.
static FIRST_CODE: LazyLock<[u8; 4097]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let linear = step as f32 / 4096.0;
        THRESHOLDS.partition_point(|threshold| *threshold <= linear) as u8
    })
});

/// The 8-bit sRGB code of a linear value, rounded to nearest; clamps to 0 and 255, NaN gives 0.
pub fn srgb8_from_linear(linear: f32) -> u8 {
    if linear >= 1.0 {
        return 255;
    }
    if linear <= 0.0 || linear.is_nan() {
        return 0;
    }
    let mut code = usize::from(FIRST_CODE[(linear * 4096.0) as usize]);
    while code < 255 && THRESHOLDS[code] <= linear {
        code += 1;
    }
    code as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_the_way_there_and_back() {
        for code in 0..=255u8 {
            assert_eq!(srgb8_from_linear(LINEAR_FROM_SRGB8[usize::from(code)]), code);
        }
    }

    /// An 18 % card encodes to 117.6 (1.055 * 0.18^(1/2.4) - 0.055 = 0.46135...), so to 118.
    #[test]
    fn the_grey_card_encodes_to_118() {
        assert!((255.0 * srgb_from_linear(0.18) - 117.6).abs() < 0.05);
        assert_eq!(srgb8_from_linear(0.18), 118);
    }

    #[test]
    fn the_table_agrees_with_the_curve_between_codes() {
        for step in 0..100_000 {
            let linear = step as f32 / 100_000.0;
            let exact = 255.0 * srgb_from_linear(f64::from(linear));
            let off = (exact - f64::from(srgb8_from_linear(linear))).abs();
            assert!(off <= 0.5001, "{linear} encodes to {exact}");
        }
    }

    #[test]
    fn what_is_out_of_range_clamps() {
        assert_eq!(srgb8_from_linear(-1.0), 0);
        assert_eq!(srgb8_from_linear(7.0), 255);
        assert_eq!(srgb8_from_linear(f32::NAN), 0);
    }
}
