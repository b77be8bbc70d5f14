//! What is wrong with a study is said with its place and the choices, all of it at once.

use std::error::Error as _;
use std::path::Path;

use posegrid::study::{self, Known, Study, StudyErrors, WrongText};
use proptest::prelude::*;

fn parse(text: &str) -> Result<Study, StudyErrors> {
    let names = ["workers/giant", "workers/imp", "loads/gold"].map(str::to_owned);
    let known = Known { kit_dir: Path::new("out/kit"), kit_names: &names, captions: &["luma8_sd"] };
    study::parse(text, Path::new("scenes/bad.toml"), Path::new("scenes"), &known)
}

fn wrong(text: &str) -> WrongText {
    match parse(text) {
        Err(StudyErrors::Wrong(wrong)) => wrong,
        other => panic!("{text:?} gives {other:?}"),
    }
}

/// The single error of `text` has this place, message and hint.
#[track_caller]
fn one(text: &str, place: (usize, usize), message: &str, hint: &str) {
    let wrong = wrong(text);
    assert_eq!(wrong.errors.len(), 1, "{wrong}");
    let error = &wrong.errors[0];
    assert_eq!(wrong.line_and_column(error), place, "{wrong}");
    assert!(error.message.contains(message), "{wrong}");
    let shown = format!("{} {}", error.label, error.hint.as_deref().unwrap_or_default());
    assert!(shown.contains(hint), "{wrong}");
}

#[test]
fn an_unknown_key_lists_the_keys_with_the_nearest_first() {
    one("titel = \"x\"\n", (1, 1), "no key \"titel\"", "did you mean \"title\"?");
    one("[cell]\nazimut = 3\n", (2, 1), "no key \"azimut\"", "did you mean \"azimuth\"?");
    one("[axes.view]\nfront = { elevatoin = 3 }\n", (2, 11), "no key \"elevatoin\"", "did you mean \"elevation\"?");
    one("[sheet]\ncolums = []\n", (2, 1), "no key \"colums\"", "did you mean \"columns\"?");
    one("[repeat]\nsubpixels = 4\n", (2, 1), "no key \"subpixels\"", "did you mean \"subpixel\"?");
    one("[cell]\ncamera = { eye = [0, 0, 1], target = [0, 0, 0], filed = 3 }\n", (2, 49), "no key \"filed\"", "eye");
    one("[cell]\nlight = { elevation = 3, azimut = 3 }\n", (2, 26), "no key \"azimut\"", "azimuth");
}

#[test]
fn a_key_in_the_wrong_table_is_sent_to_the_right_one() {
    one("azimuth = 3\n", (1, 1), "no key \"azimuth\"", "under [cell]");
    one("rows = []\n", (1, 1), "no key \"rows\"", "under [sheet]");
}

#[test]
fn an_unknown_word_lists_the_words() {
    one("[cell]\nstyle = \"flatt\"\n", (2, 9), "\"flatt\"", "did you mean \"flat\"?");
    one("[cell]\nforward = \"z\"\n", (2, 11), "\"z\"", "+z");
    one("[cell]\nframe = \"rows\"\n", (2, 9), "\"rows\"", "did you mean \"row\"?");
    one("[cell]\nlight = \"nooon\"\n", (2, 9), "no light named \"nooon\"", "did you mean \"noon\"?");
    one("[cell]\nhead = \"none\"\n", (2, 8), "no region named \"none\"", "{ nodes = [..] }");
    one("[sheet]\ntheme = \"drak\"\n", (2, 9), "\"drak\"", "did you mean \"dark\"?");
    one("[sheet]\ncaptions = [\"luma_sd\"]\n", (2, 13), "no reading named \"luma_sd\"", "\"luma8_sd\"");
}

#[test]
fn a_wrong_type_says_what_belongs_there() {
    one("title = 3\n", (1, 9), "a number has no place here", "a string in quotes");
    one("[cell]\nazimuth = \"left\"\n", (2, 11), "a string has no place here", "a finite number");
    one("[cell]\nin_place = 1\n", (2, 12), "a number has no place here", "true or false");
    one("[cell]\nsamples = 2.0\n", (2, 11), "a number has no place here", "a whole number from 1 to 8");
    one("[cell]\nstyle = [\"flat\"]\n", (2, 9), "a list has no place here", "shaded, lambert, flat, outline");
    one("[cell]\nclips = \"walk\"\n", (2, 9), "a string has no place here", "a table of names");
    one("[cell]\nhide = [\"a\", 3]\n", (2, 14), "a number has no place here", "a string in quotes");
    one("[cell]\nlight = 15:30:00\n", (2, 9), "a date or time", "an hour goes in quotes");
    one("[cell]\nclip = \"walk\"\nat = [0.5]\n", (3, 6), "a list has no place here", "in a value of an axis");
    one("cell = 3\n", (1, 8), "a number has no place here", "a table of settings");
    one("axes = []\n", (1, 8), "a list has no place here", "[axes.NAME]");
    one("only = {}\n", (1, 8), "a table has no place here", "[[only]]");
    one("[sheet]\ncell = [1, 2, 3]\n", (2, 8), "a list has no place here", "[columns, rows]");
    one("[cell]\nbackground = true\n", (2, 14), "true or false has no place here", "#rrggbb");
}

#[test]
fn a_number_out_of_range_says_the_range() {
    one("[axes.a]\nx = { clip = \"x\", at = 1.01 }\n", (2, 24), "1.01 is out of range", "from 0 to 1");
    one("[axes.a]\nx = { clip = \"x\", at = [0, -0.5] }\n", (2, 28), "-0.5 is out of range", "from 0 to 1");
    one("[cell]\nazimuth = nan\n", (2, 11), "NaN is out of range", "a finite number");
    one("[cell]\nazimuth = -inf\n", (2, 11), "-inf is out of range", "a finite number");
    one("[cell]\nazimuth = 1e39\n", (2, 11), "out of range", "a finite number");
    one("[cell]\ndistance_m = -1\n", (2, 14), "-1 is out of range", "over 0");
    one("[cell]\ndistance_m = 0\n", (2, 14), "0 is out of range", "over 0");
    one("[cell]\nheight_m = 1e-60\n", (2, 12), "out of range", "over 0");
    one("[cell]\nelevation = 90.5\n", (2, 13), "90.5 is out of range", "from -90 to 90");
    one("[cell]\nfield_deg = 180\n", (2, 13), "180 is out of range", "over 0, up to 170");
    one("[cell]\nsamples = 0\n", (2, 11), "0 is out of range", "from 1 to 8");
    one("[cell]\nlod = 100\n", (2, 7), "100 is out of range", "from 0 to 99");
    one("[cell]\nlod = \"fine\"\n", (2, 7), "a string has no place here", "a whole number from 0 to 99");
    one("[cell]\nsamples = 9\n", (2, 11), "9 is out of range", "from 1 to 8");
    one("[cell]\nsamples = -1\n", (2, 11), "-1 is out of range", "from 1 to 8");
    one("[cell]\nbackground = 1.5\n", (2, 14), "1.5 is out of range", "from 0 to 1");
    one("[sheet]\ncell = 0\n", (2, 8), "0 is out of range", "from 1 to 8192");
    one("[sheet]\ncell = [256, 8193]\n", (2, 14), "8193 is out of range", "from 1 to 8192");
    one("[repeat]\nsubpixel = 0\n", (2, 12), "0 is out of range", "from 1 to 4096");
    one("[cell]\nlight = { to_light = [0, 1, 0], sky_pi = -1 }\n", (2, 42), "-1 is out of range", "from 0 up");
}

#[test]
fn what_is_given_by_halves_says_what_is_missing() {
    one("[cell]\ncamera = { eye = [0, 0, 1] }\n", (2, 10), "missing", "both eye and target");
    one("[cell]\nlight = { azimuth = 3 }\n", (2, 9), "missing", "elevation");
    one("[cell]\nlight = { strength_pi = 1 }\n", (2, 9), "missing", "to_light");
    one("[cell]\nhead = {}\n", (2, 8), "missing", "nodes");
    one("[cell]\nhead = { nodes = [], materials = [] }\n", (2, 8), "not both", "both");
    one("[cell]\ncamera = { eye = [0, 0, 1], target = [0, 0, 1] }\n", (2, 10), "is where it looks", "one point");
    one("[cell]\nlight = { to_light = [0, 0, 0] }\n", (2, 9), "comes from nowhere", "no direction");
    one("[cell]\nrecolour = { a = \"#12345\" }\n", (2, 18), "\"#12345\" is no colour", "#rrggbb");
    one("[cell]\nrecolour = { a = \"#+12345\" }\n", (2, 18), "is no colour", "#rrggbb");
}

#[test]
fn axes_need_values_and_values_need_tables() {
    one("[axes.view]\n", (1, 7), "axis \"view\" has no values", "empty axis");
    one("[axes.view]\nelevation = 3\n", (1, 7), "axis \"view\" has no values", "empty axis");
    one("[axes.view]\nfront = 0\nback = {}\n", (2, 1), "neither a value nor a setting", "front = { azimuth = 90 }");
    one("[axes.pose]\nwalk = { clip = \"walk\", at = [] }\n", (2, 30), "no phase is given", "empty list");
}

#[test]
fn names_that_would_mean_something_else_are_refused() {
    one("[axes.\"a=b\"]\nx = {}\n", (1, 7), "cannot name an axis", "'='");
    one("[axes.a]\n\"x/y\" = {}\n", (2, 1), "cannot name a value", "'/'");
    one("[axes.a]\n\"\" = {}\n", (2, 1), "cannot name a value", "empty");
    one("[axes.a]\n\" x\" = {}\n", (2, 1), "cannot name a value", "space");
}

#[test]
fn a_name_twice_is_an_error_even_in_another_case() {
    one("[axes.a]\nx = {}\nX = {}\n", (3, 1), "\"x\" and \"X\" of axis \"a\" differ only in case", "second");
    one(
        "[axes.a]\nwalk = { clip = \"w\", at = [0.5, 0.5] }\n",
        (2, 1),
        "axis \"a\" has two values named \"walk@0.5\"",
        "second",
    );
    one("[axes.a]\nbase = { style = \"flat\" }\nfactorial = { b = { azimuth = 3 } }\n", (3, 1), "two values", "second");
}

#[test]
fn factors_that_exclude_each_other_are_named() {
    let text = "[axes.a]\nfactorial = { b = { style = \"flat\" }, c = { style = \"lambert\" } }\n";
    one(text, (2, 1), "factors \"b\" and \"c\" both set style", "goes with every other");
    one("[axes.a]\nfactorial = {}\n", (2, 1), "0 factors", "1 to 10");
    let eleven: Vec<String> = (0..11).map(|at| format!("f{at} = {{ hide = [\"{at}\"] }}")).collect();
    one(&format!("[axes.a]\nfactorial = {{ {} }}\n", eleven.join(", ")), (2, 1), "11 factors", "1 to 10");
}

const AXES: &str = "[axes.pose]\nidle = {}\nwalk = {}\n[axes.view]\nfront = {}\n";

#[test]
fn an_unknown_axis_or_value_lists_those_there_are() {
    one(&format!("{AXES}[sheet]\nrows = [\"poses\"]\n"), (7, 9), "no axis named \"poses\"", "did you mean \"pose\"?");
    one(&format!("{AXES}[[only]]\nveiw = \"front\"\n"), (7, 1), "no axis named \"veiw\"", "did you mean \"view\"?");
    one(&format!("{AXES}[[skip]]\npose = \"wlak\"\n"), (7, 8), "no value \"wlak\"", "did you mean \"walk\"?");
    one(&format!("{AXES}[[skip]]\npose = [\"idle\", \"run*\"]\n"), (7, 17), "no value \"run*\"", "idle, walk");
    one(&format!("{AXES}[[skip]]\n"), (6, 1), "names no axis", "every cell");
}

#[test]
fn an_axis_placed_twice_is_an_error() {
    one(&format!("{AXES}[sheet]\nrows = [\"pose\", \"pose\"]\n"), (7, 17), "\"pose\" is placed twice", "second");
    one(&format!("{AXES}[sheet]\nrows = [\"pose\"]\npages = [\"pose\"]\n"), (8, 10), "placed twice", "second");
}

#[test]
fn scale_and_frame_at_once_are_an_error() {
    one("[cell]\nframe = \"row\"\n[sheet]\nscale = \"sheet\"\n", (4, 1), "scale and frame", "frame already");
}

#[test]
fn a_phase_without_any_clip_is_an_error() {
    one("[cell]\nat = 0.5\n", (2, 1), "no clip is given", "clip = \"walk\"");
    one("[axes.a]\nx = { at = [0, 0.5] }\n", (2, 7), "no clip is given", "clip = \"walk\"");
    assert!(parse("[axes.a]\nx = { at = 0 }\n[axes.b]\ny = { clip = \"walk\" }\n").is_ok());
}

#[test]
fn a_kit_name_that_is_not_there_lists_the_kit() {
    one(
        "[cell]\nsubject = \"kit:workers/gaint\"\n",
        (2, 11),
        "no model \"workers/gaint\"",
        "did you mean \"workers/giant\"?",
    );
    one("[axes.a]\nfiles = \"kit:heads/*\"\n", (2, 9), "nothing in the kit matches", "workers/imp");
    one("[cell]\nsubject = \"kit:workers/*\"\n", (2, 11), "more than one file", "`files`");
    one("[axes.a]\nfiles = \"kit:workers/[\"\n", (2, 9), "is no glob", "");
}

#[test]
fn all_errors_are_reported_together_in_the_order_of_the_text() {
    let text = "titel = \"x\"\n[cell]\nstyle = \"no\"\nsamples = 99\n[axes.a]\nx = { at = 2 }\n[axes.b]\n\
                [sheet]\nrows = [\"c\"]\n[[only]]\nd = \"e\"\n";
    let wrong = wrong(text);
    let lines: Vec<usize> = wrong.errors.iter().map(|error| wrong.line_and_column(error).0).collect();
    assert_eq!(lines, [1, 3, 4, 6, 6, 7, 9, 11]);
}

#[test]
fn values_of_a_broken_axis_are_not_reported_as_unknown() {
    one("[axes.a]\nx = { style = 3 }\nfiles = \"kit:workers/*\"\n[[only]]\na = \"later\"\n", (2, 15), "a number", "");
}

#[test]
fn text_that_is_no_toml_says_where() {
    let wrong = wrong("title = \"x\n[cell]\n");
    assert_eq!(wrong.line_and_column(&wrong.errors[0]).0, 1, "{wrong}");
    assert!(wrong.errors[0].message.contains("not TOML"));
    one("[cell]\nat = 0\nat = 1\n", (3, 1), "not TOML", "duplicate key");
}

#[test]
fn an_error_shows_its_line_and_marks_the_place() {
    let expected = "\
error: no such choice: \"flatt\"
 --> scenes/bad.toml:2:9
  |
2 | style = \"flatt\"  # ünïcode
  |         ^^^^^^^ unknown word
  |
  = hint: did you mean \"flat\"? the choices, nearest first: flat, lambert, shaded, outline";
    assert_eq!(wrong("[cell]\nstyle = \"flatt\"  # ünïcode\n").to_string(), expected);
}

#[test]
fn columns_count_characters_and_not_bytes() {
    one("[cell]\nclips = { \"größe\" = 3 }\n", (2, 21), "a number", "");
}

#[test]
fn a_file_that_cannot_be_read_says_which_and_why() {
    let known = Known { kit_dir: Path::new("k"), kit_names: &[], captions: &[] };
    let error = study::read(Path::new("scenes/none.toml"), &known).unwrap_err();
    assert_eq!(error.to_string(), "cannot read the study scenes/none.toml");
    assert!(error.source().is_some() && error.hint().is_some());
}

/// Pieces of studies, put together anyhow.
const PIECES: [&str; 24] = [
    "[cell]\n",
    "[axes.a]\n",
    "[[only]]\n",
    "[[skip]]\n",
    "[sheet]\n",
    "[repeat]\n",
    "a = ",
    "at = ",
    "clip = ",
    "files = ",
    "factorial = ",
    "light = ",
    "rows = ",
    "{ b = ",
    "{ style = \"flat\" }",
    "}",
    "[",
    "]",
    "\"ü人\"",
    "\"kit:*\"",
    "1e400",
    "-0x8",
    ", ",
    "\r\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_makes_it_panic(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..20), noise in ".{0,6}") {
        let text = pieces.concat() + &noise;
        if let Err(errors) = parse(&text) {
            prop_assert!(!errors.to_string().is_empty());
        }
    }

    #[test]
    fn a_study_with_a_letter_changed_is_read_or_refused_with_a_place(at in 0_usize..2000, letter in prop::char::any()) {
        let starter = study::starter("x");
        let mut letters: Vec<char> = starter.chars().collect();
        let at = at % letters.len();
        letters[at] = letter;
        let text: String = letters.into_iter().collect();
        if let Err(StudyErrors::Wrong(wrong)) = parse(&text) {
            prop_assert!(!wrong.errors.is_empty());
            let lines = text.lines().count() + 1;
            for error in &wrong.errors {
                prop_assert!(wrong.line_and_column(error).0 <= lines);
            }
            prop_assert!(wrong.to_string().contains("scenes/bad.toml"));
        }
    }
}
