//! Pictures that show nothing are found, and good ones are not.

use posegrid::measure::{CELL_BLANK, CELL_FULL, CELL_NOT_FINITE, CELL_ONE_COLOUR, check};
use posegrid::render::CellImage;
use posegrid::stage::{Display, Style};

const STYLES: [Style; 4] = [Style::Shaded, Style::Lambert, Style::Flat, Style::Outline];

/// Four pixels, three of them covered, in two tones.
fn good() -> CellImage {
    CellImage {
        width_px: 2,
        height_px: 2,
        samples: 2,
        colour: vec![[0.1, 0.1, 0.1], [0.5, 0.4, 0.3], [0.1, 0.1, 0.1], [0.0; 3]],
        coverage: vec![4, 4, 1, 0],
        opacity: None,
        masks: Vec::new(),
        ground_shadow: None,
        display: Display::default(),
    }
}

fn code(image: &CellImage, style: Style) -> Option<&'static str> {
    check(image, style).map(|finding| finding.code)
}

#[test]
fn a_good_picture_passes_in_every_style() {
    for style in STYLES {
        assert_eq!(code(&good(), style), None, "{style:?}");
    }
}

#[test]
fn an_empty_picture_is_blank_in_every_style() {
    let blank = CellImage { coverage: vec![0; 4], ..good() };
    for style in STYLES {
        assert_eq!(code(&blank, style), Some(CELL_BLANK), "{style:?}");
    }
}

#[test]
fn a_ground_shadow_alone_is_blank() {
    let shadow = CellImage { coverage: vec![0; 4], ground_shadow: Some(vec![0.5; 4]), ..good() };
    assert_eq!(code(&shadow, Style::Shaded), Some(CELL_BLANK));
}

#[test]
fn a_covered_picture_is_full_only_when_every_sample_is() {
    let full = CellImage { coverage: vec![4; 4], ..good() };
    let nearly = CellImage { coverage: vec![4, 4, 4, 3], ..good() };
    for style in STYLES {
        assert_eq!(code(&full, style), Some(CELL_FULL), "{style:?}");
        assert_eq!(code(&nearly, style), None, "{style:?}");
    }
}

#[test]
fn one_colour_is_wrong_where_light_should_be_answered() {
    let black = CellImage { colour: vec![[0.0; 3]; 4], ..good() };
    assert_eq!(code(&black, Style::Shaded), Some(CELL_ONE_COLOUR));
    assert_eq!(code(&black, Style::Lambert), Some(CELL_ONE_COLOUR));
    assert_eq!(code(&black, Style::Flat), None);
    assert_eq!(code(&black, Style::Outline), None);
}

#[test]
fn one_code_of_one_channel_is_another_colour() {
    let mut image = CellImage { colour: vec![[0.5; 3]; 4], ..good() };
    assert_eq!(code(&image, Style::Shaded), Some(CELL_ONE_COLOUR));
    image.colour[2] = [0.5, 0.5, 0.51];
    assert_eq!(code(&image, Style::Shaded), None);
}

#[test]
fn white_that_is_clipped_everywhere_is_one_colour() {
    let image = CellImage { colour: vec![[1.5; 3], [2.5; 3], [9.0; 3], [0.0; 3]], ..good() };
    assert_eq!(code(&image, Style::Shaded), Some(CELL_ONE_COLOUR));
}

#[test]
fn a_single_pixel_has_one_colour_and_passes() {
    let image = CellImage { coverage: vec![0, 1, 0, 0], ..good() };
    assert_eq!(code(&image, Style::Shaded), None);
}

#[test]
fn no_number_and_infinity_are_found_wherever_they_are() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for style in STYLES {
            for channel in 0..3 {
                let mut image = good();
                image.colour[3][channel] = value;
                assert_eq!(code(&image, style), Some(CELL_NOT_FINITE), "{style:?} {value} {channel}");
            }
            let opacity = CellImage { opacity: Some(vec![1.0, value, 1.0, 1.0]), ..good() };
            assert_eq!(code(&opacity, style), Some(CELL_NOT_FINITE));
            let shadow = CellImage { ground_shadow: Some(vec![0.0, 0.0, 0.0, value]), ..good() };
            assert_eq!(code(&shadow, style), Some(CELL_NOT_FINITE));
        }
    }
}

#[test]
fn a_finding_says_what_to_look_at() {
    let blank = CellImage { coverage: vec![0; 4], ..good() };
    let finding = check(&blank, Style::Shaded).unwrap();
    assert!(finding.hint.is_some());
    assert!(finding.to_string().starts_with("error[CELL_BLANK]: picture: nothing of the subject"));
}
