//! What is measured, against numbers from outside: worked by hand, or from numpy.

use posegrid::base::colour;
use posegrid::measure::{COLUMNS, Facts, MaskReadings, readings};
use posegrid::render::{CellImage, MaskCounts};
use posegrid::stage::{Display, Mask, Tone};
use proptest::prelude::*;

/// A cell of one grey a pixel, wholly covered, one sample a pixel.
fn image_of(width_px: u32, greys: &[f32]) -> CellImage {
    CellImage {
        width_px,
        height_px: greys.len() as u32 / width_px,
        samples: 1,
        colour: greys.iter().map(|grey| [*grey; 3]).collect(),
        coverage: vec![1; greys.len()],
        opacity: None,
        masks: Vec::new(),
        ground_shadow: None,
        display: Display::default(),
    }
}

/// An 8 by 8 checkerboard of the codes 100 and 140.
fn checkerboard() -> CellImage {
    let code = |at: usize| if (at % 8 + at / 8).is_multiple_of(2) { 100 } else { 140 };
    let greys: Vec<f32> = (0..64).map(|at| colour::LINEAR_FROM_SRGB8[code(at)]).collect();
    image_of(8, &greys)
}

fn value(row: &MaskReadings, name: &str) -> Option<f64> {
    let at = COLUMNS.iter().position(|column| column.name == name).expect("a column has that name");
    row.values[at]
}

fn read(image: &CellImage, name: &str) -> Option<f64> {
    read_with(image, &Facts::default(), name)
}

fn read_with(image: &CellImage, facts: &Facts, name: &str) -> Option<f64> {
    value(&readings(image, facts)[0], name)
}

fn close(found: Option<f64>, expected: f64, tolerance: f64) {
    let found = found.expect("it can be measured");
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// numpy 2.4: `std([100, 140])`, and of the linear values `((c/255 + 0.055) / 1.055) ** 2.4`.
#[test]
fn the_checkerboard_has_the_spread_that_numpy_finds() {
    let board = checkerboard();
    close(read(&board, "luma8_sd"), 20.0, 1e-9);
    close(read(&board, "mean_y"), 0.194844, 1e-5);
    close(read(&board, "rms_contrast"), 0.345951, 1e-5);
    close(read(&board, "sd_log2y_stops"), 0.520577, 1e-5);
    close(read(&board, "area_px"), 64.0, 0.0);
}

/// 3 pixels of code 100 that count once and one of 140 that counts a half: luma 360/3.5, and
/// sd = 40 sqrt(p (1 - p)) with p = 0.5/3.5 = 1/7: 40 sqrt(6)/7 = 13.997.
#[test]
fn a_pixel_counts_by_its_share_of_the_mask() {
    let linear = |code: usize| colour::LINEAR_FROM_SRGB8[code];
    let mut image = image_of(2, &[linear(100), linear(100), linear(100), linear(140)]);
    image.samples = 2;
    image.coverage = vec![4, 4, 4, 2];
    close(read(&image, "luma8_sd"), 40.0 * 6.0_f64.sqrt() / 7.0, 1e-9);
    close(read(&image, "area_px"), 3.5, 1e-12);
}

/// Rec. 709: green 182.376, red 54.213, blue 18.411 of 255; not the weights of Rec. 601.
#[test]
fn luma_weighs_the_channels_as_rec_709_does() {
    let mut image = image_of(2, &[0.0, 0.0]);
    image.colour[0] = [1.0, 0.0, 0.0];
    close(read(&image, "luma8_sd"), 0.2126 * 255.0 / 2.0, 1e-9);
    image.colour[0] = [0.0, 1.0, 0.0];
    close(read(&image, "luma8_sd"), 0.7152 * 255.0 / 2.0, 1e-9);
    close(read(&image, "mean_y"), 0.7152 / 2.0, 1e-9);
    image.colour[0] = [0.0, 0.0, 1.0];
    close(read(&image, "luma8_sd"), 0.0722 * 255.0 / 2.0, 1e-9);
}

/// The codes are 8-bit, so 0.18 reads as 118 and not as 117.6; their luma is not rounded again.
#[test]
fn luma_reads_rounded_codes_and_is_not_rounded() {
    let image = image_of(2, &[0.18, 0.0]);
    close(read(&image, "luma8_sd"), 59.0, 1e-9);
    let mut tinted = image_of(2, &[0.0, 0.0]);
    tinted.colour[0] = [colour::LINEAR_FROM_SRGB8[10], 0.0, 0.0];
    close(read(&tinted, "luma8_sd"), 2.126 / 2.0, 1e-9);
}

/// Two stops brighter, the linear 0.05 and 0.1 show as 0.2 and 0.4: codes 124 and 170.
#[test]
fn luma_is_read_after_exposure_and_luminance_before_it() {
    let mut image = image_of(2, &[0.05, 0.1]);
    image.display = Display { exposure_stops: 2.0, tone: Tone::None };
    close(read(&image, "luma8_sd"), 23.0, 1e-9);
    close(read(&image, "mean_y"), 0.075, 1e-8);
    close(read(&image, "sd_log2y_stops"), 0.5, 1e-6);
}

/// Black reads as 12 stops under white: half white, half black is 6 to either side.
#[test]
fn black_is_twelve_stops_under_white() {
    close(read(&image_of(2, &[1.0, 0.0]), "sd_log2y_stops"), 6.0, 1e-12);
}

#[test]
fn what_the_screen_cannot_show_is_counted_as_clipped() {
    close(read(&image_of(2, &[3.0, 0.2, 0.2, 0.2]), "clipped_share"), 0.25, 1e-12);
    close(read(&checkerboard(), "clipped_share"), 0.0, 0.0);
    let mut red = image_of(2, &[0.2, 0.2]);
    red.colour[1] = [1.0, 0.2, 0.2];
    close(read(&red, "clipped_share"), 0.5, 1e-12);
}

#[test]
fn a_black_mask_has_a_mean_and_no_contrast() {
    let black = image_of(2, &[0.0, 0.0]);
    close(read(&black, "mean_y"), 0.0, 0.0);
    assert_eq!(read(&black, "rms_contrast"), None);
}

#[test]
fn a_value_that_is_no_number_is_not_measured() {
    let image = image_of(2, &[f32::NAN, 0.2]);
    assert_eq!(read(&image, "mean_y"), None);
    assert_eq!(read(&image, "sd_log2y_stops"), None);
    close(read(&image, "area_px"), 2.0, 0.0);
}

#[test]
fn each_mask_has_a_row_and_reads_its_own_pixels() {
    let mut image = image_of(2, &[0.1, 0.3, 0.5, 0.7]);
    let mask = |mask, counts: [u16; 4]| MaskCounts { mask, counts: counts.to_vec() };
    image.masks =
        vec![mask(Mask::Head, [0, 0, 1, 0]), mask(Mask::Worker, [0, 1, 1, 0]), mask(Mask::Eyes, [0, 0, 0, 0])];
    let rows = readings(&image, &Facts::default());
    let masks: Vec<Mask> = rows.iter().map(|row| row.mask).collect();
    assert_eq!(masks, [Mask::Subject, Mask::Worker, Mask::Head, Mask::Eyes]);
    close(value(&rows[0], "mean_y"), 0.4, 1e-7);
    close(value(&rows[1], "mean_y"), 0.4, 1e-7);
    close(value(&rows[1], "area_px"), 2.0, 0.0);
    close(value(&rows[2], "mean_y"), 0.5, 1e-7);
    close(value(&rows[2], "luma8_sd"), 0.0, 0.0);
}

#[test]
fn a_mask_that_nothing_shows_of_has_no_area_and_no_spread() {
    let mut image = image_of(2, &[0.1, 0.3]);
    image.masks = vec![MaskCounts { mask: Mask::Eyes, counts: vec![0, 0] }];
    let rows = readings(&image, &Facts::default());
    assert_eq!(rows[1].mask, Mask::Eyes);
    assert_eq!(value(&rows[1], "area_px"), Some(0.0));
    for name in ["luma8_sd", "mean_y", "rms_contrast", "sd_log2y_stops", "clipped_share"] {
        assert_eq!(value(&rows[1], name), None, "{name}");
    }
}

/// A face of 0.2286 m on a full-HD screen with a vertical field of 75 degrees: f = 540 / tan(37.5
/// deg) = 703.742 px, so 58.645 px/m at 12 m; 13.406 px, 6.703 cycles. 43 ft away it takes one degree.
#[test]
fn a_face_at_twelve_metres_holds_under_seven_cycles() {
    let facts = Facts { px_per_m: 703.742 / 12.0, distance_m: Some(12.0), head_px_h: Some(13.49), ..Facts::default() };
    let image = image_with_face(13.406);
    close(read_with(&image, &facts, "px_per_m"), 58.645, 1e-3);
    close(read_with(&image, &facts, "head_px_h"), 13.49, 0.0);
    close(read_with(&image, &facts, "face_px_h"), 13.406, 0.002);
    close(read_with(&image, &facts, "nyquist_cpf"), 6.703, 1e-3);
    close(read_with(&image, &facts, "face_deg"), 1.0915, 2e-3);
    let far = Facts { px_per_m: 703.742 / 13.106, distance_m: Some(13.106), ..Facts::default() };
    close(read_with(&image_with_face(0.2286 * far.px_per_m), &far, "face_deg"), 1.0, 2e-3);
}

/// A face one pixel wide and `height_px` high, from the middle of a row, at 1,024 samples a pixel.
fn image_with_face(height_px: f64) -> CellImage {
    let mut image = image_of(1, &[0.2; 16]);
    image.samples = 32;
    let full = 1024.0;
    image.coverage = vec![1024; 16];
    let mut left = height_px - 0.5;
    let mut counts = vec![0, 512];
    while counts.len() < 16 {
        counts.push((left.clamp(0.0, 1.0) * full).round() as u16);
        left -= 1.0;
    }
    image.masks = vec![MaskCounts { mask: Mask::Face, counts }];
    image
}

#[test]
fn face_pixels_are_counted_in_parts() {
    let facts = Facts::default();
    close(read_with(&image_with_face(3.25), &facts, "face_px_n"), 3.25, 1e-9);
    close(read_with(&image_with_face(0.5), &facts, "face_px_h"), 0.5, 1e-9);
}

#[test]
fn what_is_not_known_is_empty() {
    let board = checkerboard();
    for name in ["area_m2", "px_per_m", "head_px_h", "face_px_n", "face_px_h", "face_deg", "nyquist_cpf"] {
        assert_eq!(read(&board, name), None, "{name}");
    }
    let orthographic = Facts { px_per_m: 50.0, distance_m: None, ..Facts::default() };
    let face = image_with_face(4.0);
    assert_eq!(read_with(&face, &orthographic, "face_deg"), None);
    close(read_with(&face, &orthographic, "nyquist_cpf"), 2.0, 1e-9);
}

/// 64 px at 8 px/m are one square metre.
#[test]
fn area_in_metres_goes_by_the_square_of_the_scale() {
    let facts = Facts { px_per_m: 8.0, ..Facts::default() };
    close(read_with(&checkerboard(), &facts, "area_m2"), 1.0, 1e-12);
}

/// A lit sphere, orthographic, albedo times E = 1, the light `phase` away from the eye: mean Y is
/// (2/3)(sin a + (pi - a) cos a)/pi, and sd is 1/sqrt(18) at a = 0.
#[test]
fn a_lambert_sphere_has_the_mean_of_the_integral() {
    for (phase, mean) in [(0.0_f64, 2.0 / 3.0), (std::f64::consts::FRAC_PI_2, 2.0 / (3.0 * std::f64::consts::PI))] {
        let image = sphere(400, phase);
        close(read(&image, "mean_y"), mean, 2e-3);
    }
    let full = sphere(400, 0.0);
    close(read(&full, "rms_contrast"), 1.0 / (2.0 * 2.0_f64.sqrt()), 2e-3);
    let half = sphere(400, std::f64::consts::FRAC_PI_2);
    close(read(&half, "rms_contrast"), 0.282791 / 0.212207, 5e-3);
}

fn sphere(side: u32, phase: f64) -> CellImage {
    let mut greys = Vec::new();
    let mut coverage = Vec::new();
    for at in 0..side * side {
        let x = 2.0 * (f64::from(at % side) + 0.5) / f64::from(side) - 1.0;
        let y = 2.0 * (f64::from(at / side) + 0.5) / f64::from(side) - 1.0;
        let z2 = 1.0 - x * x - y * y;
        coverage.push(u16::from(z2 > 0.0));
        greys.push((x * phase.sin() + z2.max(0.0).sqrt() * phase.cos()).max(0.0) as f32);
    }
    CellImage { coverage, ..image_of(side, &greys) }
}

#[test]
fn a_spread_far_from_zero_keeps_its_digits() {
    // 1e6 and 1e6 + 1, half each: sd 0.5. A one-pass sum of squares would lose it to rounding.
    let image = image_of(2, &[1.0e6, 1.0e6 + 1.0]);
    close(read(&image, "rms_contrast"), 0.5 / (1.0e6 + 0.5), 1e-15);
}

#[test]
fn columns_have_names_of_their_own_and_a_sentence() {
    for (at, column) in COLUMNS.iter().enumerate() {
        assert!(COLUMNS[..at].iter().all(|earlier| earlier.name != column.name), "{}", column.name);
        assert!(column.doc.ends_with('.') && column.version >= 1 && !column.unit.is_empty(), "{}", column.name);
    }
}

const SPREADS: [&str; 5] = ["luma8_sd", "mean_y", "rms_contrast", "sd_log2y_stops", "clipped_share"];

fn greys() -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(0.001_f32..1.2, 4..40)
}

fn near(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-5 * (1.0 + one.abs()),
        (one, other) => one == other,
    }
}

proptest! {
    #[test]
    fn a_doubled_picture_reads_the_same(greys in greys()) {
        let single = image_of(1, &greys);
        let doubled: Vec<f32> = greys.iter().flat_map(|grey| [*grey; 4]).collect();
        let doubled = image_of(2, &doubled);
        for name in SPREADS {
            prop_assert!(near(read(&single, name), read(&doubled, name)), "{}", name);
        }
        prop_assert!(near(read(&single, "area_px").map(|area| area * 4.0), read(&doubled, "area_px")));
    }

    #[test]
    fn what_is_outside_the_mask_does_not_matter(greys in greys(), outside in 0.0_f32..9.0) {
        let plain = image_of(1, &greys);
        let mut wider = greys.clone();
        wider.extend([outside, 0.0, f32::NAN]);
        let mut wider = image_of(1, &wider);
        for count in wider.coverage.iter_mut().skip(greys.len()) {
            *count = 0;
        }
        for name in SPREADS {
            prop_assert_eq!(read(&plain, name), read(&wider, name), "{}", name);
        }
    }

    #[test]
    fn more_light_scales_the_mean_and_leaves_the_contrast(greys in greys(), stops in -2_i32..6) {
        let gain = 2.0_f32.powi(stops);
        let image = image_of(1, &greys);
        let lit: Vec<f32> = greys.iter().map(|grey| grey * gain).collect();
        let lit = image_of(1, &lit);
        let scaled = read(&image, "mean_y").map(|mean| mean * f64::from(gain));
        prop_assert!(near(scaled, read(&lit, "mean_y")));
        prop_assert!(near(read(&image, "rms_contrast"), read(&lit, "rms_contrast")));
        // Above the clamp alone: 0.001 a quarter as bright is 2^-12 still.
        prop_assert!(near(read(&image, "sd_log2y_stops"), read(&lit, "sd_log2y_stops")));
    }

    #[test]
    fn the_order_of_the_pixels_does_not_matter(greys in greys()) {
        let mut turned = greys.clone();
        turned.reverse();
        for name in SPREADS {
            prop_assert!(near(read(&image_of(1, &greys), name), read(&image_of(1, &turned), name)), "{}", name);
        }
    }

    /// A second, dumber computation: every sample a pixel of its own.
    #[test]
    fn weights_are_the_same_as_samples_one_by_one(pixels in prop::collection::vec((0.001_f32..1.2, 0_u16..=4), 2..30)) {
        let greys: Vec<f32> = pixels.iter().map(|(grey, _)| *grey).collect();
        let mut weighted = image_of(1, &greys);
        weighted.samples = 2;
        weighted.coverage = pixels.iter().map(|(_, count)| *count).collect();
        let apart: Vec<f32> = pixels.iter().flat_map(|(grey, count)| vec![*grey; usize::from(*count)]).collect();
        prop_assume!(!apart.is_empty());
        let apart = image_of(1, &apart);
        for name in SPREADS {
            prop_assert!(near(read(&weighted, name), read(&apart, name)), "{}", name);
        }
    }
}
