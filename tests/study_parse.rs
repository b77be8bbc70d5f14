//! What a study's text means.

use std::path::Path;

use posegrid::plan::plan;
use posegrid::study::{
    self, Background, Direction, FrameScope, GroundChoice, Known, LightChoice, LoadChoice, Region, Repeat, Rgb8,
    Settings, Study, StudyErrors, StyleName, Theme,
};

const NONE: &[String] = &[];

fn parse_result(text: &str) -> Result<Study, StudyErrors> {
    let names = ["workers/giant", "workers/mid", "workers/imp", "loads/gold", "loads/coal"].map(str::to_owned);
    let known = Known { kit_dir: Path::new("out/kit"), kit_names: &names, captions: &["luma8_sd", "area_px"] };
    study::parse(text, Path::new("scenes/carry.toml"), Path::new("scenes"), &known)
}

fn parse(text: &str) -> Study {
    parse_result(text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn base(text: &str) -> Settings {
    parse(&format!("[cell]\n{text}")).base
}

fn names(study: &Study, axis: usize) -> Vec<&str> {
    study.axes[axis].values.iter().map(|value| value.name.as_str()).collect()
}

fn settings<'a>(study: &'a Study, axis: &str, value: &str) -> &'a Settings {
    let axis = study.axes.iter().find(|known| known.name == axis).expect("the axis is there");
    let value = axis.values.iter().find(|known| known.name == value);
    &value.expect("the value is there").settings
}

/// The example of the design: 3 workers, 2 loads, 2 poses, 2 views.
const CARRY: &str = r#"
title = "Every worker wearing every load"
[axes.worker]
files = "kit:workers/*"
[axes.load]
none = {}
gold = { load = "kit:loads/gold" }
[axes.pose]
idle = { clip = "idle" }
walk = { clip = "walk", at = [0.25] }
[axes.view]
behind = { azimuth = 180 }
profile = { azimuth = 90 }
[sheet]
rows = ["worker"]
columns = ["load", "pose"]
pages = ["view"]
cell = 256
scale = "sheet"             # one scale for all, so that a small worker looks small
"#;

#[test]
fn the_carry_study_has_a_cell_for_every_combination() {
    let study = parse(CARRY);
    assert_eq!(study.name, "carry");
    assert_eq!(study.title, "Every worker wearing every load");
    assert_eq!(study.base.frame, Some(FrameScope::Sheet));
    assert_eq!(study.sheet.rows, ["worker"]);
    assert_eq!(study.sheet.columns, ["load", "pose"]);
    assert_eq!(study.sheet.pages, ["view"]);
    let plan = plan(&study, NONE).unwrap();
    assert_eq!(plan.cells.len(), 3 * 2 * 2 * 2);
    assert_eq!(plan.cells[0].name, "carry/giant/none/idle/behind");
    assert_eq!(plan.cells[1].name, "carry/giant/none/idle/profile");
    assert_eq!(plan.cells[23].name, "carry/mid/gold/walk@0.25/profile");
    assert_eq!(plan.cells[23].values, [2, 1, 1, 1]);
}

#[test]
fn axes_and_values_stand_in_the_order_of_the_file() {
    let study = parse("[axes.zebra]\nb = {}\na = {}\n[axes.ant]\nz = {}\ny = {}\nc = {}\n");
    assert_eq!(study.axes.iter().map(|axis| axis.name.as_str()).collect::<Vec<_>>(), ["zebra", "ant"]);
    assert_eq!(names(&study, 0), ["b", "a"]);
    assert_eq!(names(&study, 1), ["z", "y", "c"]);
}

#[test]
fn a_kit_name_is_a_file_under_the_kit() {
    let study = parse("[cell]\nsubject = \"kit:workers/imp\"\nload = \"kit:loads/coal\"\n");
    let subject = study.base.subject.unwrap();
    assert_eq!(subject.written, "kit:workers/imp");
    assert_eq!(subject.path, Path::new("out/kit/workers/imp.glb"));
    assert!(subject.from_kit);
    assert!(matches!(study.base.load, Some(LoadChoice::Prop(file)) if file.written == "kit:loads/coal"));
}

#[test]
fn a_kit_glob_makes_a_value_of_each_name_sorted() {
    let study = parse("[axes.worker]\nfiles = \"kit:workers/*\"\n[axes.load]\nnone = {}\nloads = \"kit:loads/*\"\n");
    assert_eq!(names(&study, 0), ["giant", "imp", "mid"]);
    assert_eq!(names(&study, 1), ["none", "coal", "gold"]);
    assert!(settings(&study, "worker", "imp").subject.is_some());
    assert!(settings(&study, "load", "coal").load.is_some());
    assert_eq!(settings(&study, "load", "coal").subject, None);
}

#[test]
fn a_list_of_files_keeps_its_order() {
    let study = parse("[axes.worker]\nfiles = [\"kit:workers/mid\", \"kit:workers/[gi]*\"]\n");
    assert_eq!(names(&study, 0), ["mid", "giant", "imp"]);
}

#[test]
fn what_a_key_expands_to_stands_in_its_place() {
    let study = parse("[axes.worker]\nfirst = {}\nfiles = \"kit:workers/[gi]*\"\nlast = {}\n");
    assert_eq!(names(&study, 0), ["first", "giant", "imp", "last"]);
}

#[test]
fn a_list_of_phases_makes_a_value_of_each() {
    let study =
        parse("[axes.pose]\nwalk = { clip = \"walk\", at = [0, 0.25, 1] }\nrun = { clip = \"run\", at = 0.5 }\n");
    assert_eq!(names(&study, 0), ["walk@0", "walk@0.25", "walk@1", "run"]);
    assert_eq!(settings(&study, "pose", "walk@0.25").at, Some(0.25));
    assert_eq!(settings(&study, "pose", "walk@1").clip.as_deref(), Some("walk"));
    assert_eq!(settings(&study, "pose", "run").at, Some(0.5));
}

#[test]
fn a_setting_beside_the_values_is_shared_and_a_values_own_wins() {
    let study = parse("[axes.view]\nelevation = 20\nfront = {}\ntop = { elevation = 80 }\nstyle = \"flat\"\n");
    assert_eq!(names(&study, 0), ["front", "top"]);
    assert_eq!(settings(&study, "view", "front").elevation, Some(20.0));
    assert_eq!(settings(&study, "view", "top").elevation, Some(80.0));
    assert_eq!(settings(&study, "view", "top").style, Some(StyleName::Flat));
}

#[test]
fn shared_phases_apply_to_values_without_their_own() {
    let study = parse("[axes.pose]\nat = [0, 0.5]\nwalk = { clip = \"walk\" }\nrun = { clip = \"run\", at = 0.1 }\n");
    assert_eq!(names(&study, 0), ["walk@0", "walk@0.5", "run"]);
    assert_eq!(settings(&study, "pose", "run").at, Some(0.1));
}

/// Two factors: 2^2 combinations, the fewest changes first.
#[test]
fn a_factorial_adds_every_combination() {
    let text = "[axes.head]\nfactorial = { hair = { hide = [\"Hair\"] }, skin = { style = \"flat\" } }\n";
    let study = parse(text);
    assert_eq!(names(&study, 0), ["base", "hair", "skin", "hair+skin"]);
    assert_eq!(*settings(&study, "head", "base"), Settings::default());
    let both = settings(&study, "head", "hair+skin");
    assert_eq!(both.hide.as_deref(), Some(&["Hair".to_owned()][..]));
    assert_eq!(both.style, Some(StyleName::Flat));
}

#[test]
fn three_factors_go_by_how_many_are_changed() {
    let text = "[axes.head]\nfactorial = { a = { hide = [\"A\"] }, b = { hide = [\"B\"] }, c = { hide = [\"C\"] } }\n";
    let study = parse(text);
    assert_eq!(names(&study, 0), ["base", "a", "b", "c", "a+b", "a+c", "b+c", "a+b+c"]);
    let all = settings(&study, "head", "a+b+c").hide.clone().unwrap();
    assert_eq!(all, ["A", "B", "C"]);
}

#[test]
fn colours_of_two_factors_are_joined() {
    let text = "[axes.head]\nfactorial = { a = { recolour = { skin = \"#102030\" } }, b = { recolour = { hair = \"#ffffff\" } } }\n";
    let both = settings(&parse(text), "head", "a+b").recolour.clone().unwrap();
    assert_eq!(both["skin"], Rgb8([16, 32, 48]));
    assert_eq!(both["hair"], Rgb8([255, 255, 255]));
}

#[test]
fn a_combination_that_is_there_already_is_not_added_again() {
    let text = "[axes.head]\nplain = {}\nbald = { hide = [\"Hair\"] }\nbrows = { flatten = [\"Brow\"] }\n\
                factorial = { hair = { hide = [\"Hair\"] }, brow = { flatten = [\"Brow\"] } }\n";
    assert_eq!(names(&parse(text), 0), ["plain", "bald", "brows", "hair+brow"]);
}

#[test]
fn a_factorial_starts_from_what_is_shared() {
    let text = "[axes.head]\ndistance_m = 12\nfactorial = { a = { style = \"flat\" } }\n";
    let study = parse(text);
    assert_eq!(settings(&study, "head", "base").distance_m, Some(12.0));
    assert_eq!(settings(&study, "head", "a").distance_m, Some(12.0));
}

#[test]
fn every_kind_of_light_can_be_written() {
    let light = |text: &str| base(&format!("light = {text}")).light.unwrap();
    assert_eq!(light("\"studio\""), LightChoice::Studio);
    assert_eq!(light("\"camera\""), LightChoice::Camera);
    assert_eq!(light("\"noon\""), LightChoice::Sun { elevation: 70.43, azimuth: 0.0 });
    assert_eq!(light("\"15:30\""), LightChoice::Sun { elevation: 43.17, azimuth: 0.0 });
    assert_eq!(light("{ elevation = 12, azimuth = -30.5 }"), LightChoice::Sun { elevation: 12.0, azimuth: -30.5 });
    assert_eq!(light("{ elevation = 12 }"), LightChoice::Sun { elevation: 12.0, azimuth: 0.0 });
    let key = LightChoice::Key {
        to_light: [1.0, 2.0, 0.0],
        camera_space: false,
        strength_pi: 1.0,
        sky_pi: 0.0,
        bounce_pi: 0.5,
        shadow: false,
    };
    let text =
        "{ to_light = [1, 2, 0], space = \"stage\", strength_pi = 1, sky_pi = 0, bounce_pi = 0.5, shadow = false }";
    assert_eq!(light(text), key);
}

/// The studio of the conventions: key 0.75 pi in the camera's axes, sky 0.25 pi, bounce 0.10 pi.
#[test]
fn a_light_with_numbers_is_the_studios_where_it_says_nothing() {
    let studio = LightChoice::Key {
        to_light: [0.0, 0.0, 1.0],
        camera_space: true,
        strength_pi: 0.75,
        sky_pi: 0.25,
        bounce_pi: 0.1,
        shadow: true,
    };
    assert_eq!(base("light = { to_light = [0, 0, 1] }").light, Some(studio));
}

#[test]
fn a_background_is_linear_unless_it_is_a_code() {
    assert_eq!(base("background = 0.25").background, Some(Background([0.25; 3])));
    assert_eq!(base("background = [0, 0.5, 1]").background, Some(Background([0.0, 0.5, 1.0])));
    let Background(white_green) = base("background = \"#ffFF80\"").background.unwrap();
    assert_eq!(white_green[..2], [1.0, 1.0]);
    // IEC 61966-2-1: ((128/255 + 0.055) / 1.055) ^ 2.4.
    assert!((white_green[2] - 0.215_861).abs() < 1e-6);
}

#[test]
fn every_other_setting_can_be_written() {
    let all = base(
        r##"
        height_m = 1.8
        forward = "-z"
        up = "+y"
        clips = { walk = "Walking_A" }
        roles = { head = "Bip01 Head" }
        clip_files = ["kit:workers/mid"]
        head = "all"
        face = { nodes = ["Face*"] }
        eyes = { materials = ["Eye"] }
        load = "none"
        clip = "walk"
        at = 0.5
        in_place = false
        azimuth = -45
        elevation = 90
        projection = "orthographic"
        field_deg = 40
        screen_px = 720
        camera = { eye = [0, 1, 5], target = [0, 1, 0] }
        frame = "row"
        px_per_m = 120
        samples = 8
        ground = "none"
        lod = 2
        hide = "Cape"
        show = ["Body", "Head"]
        flatten = []
        "##,
    );
    assert_eq!(all.height_m, Some(1.8));
    assert_eq!((all.forward, all.up), (Some(Direction::MinusZ), Some(Direction::PlusY)));
    assert_eq!(all.clips.unwrap()["walk"], "Walking_A");
    assert_eq!(all.head, Some(Region::All));
    assert_eq!(all.face, Some(Region::Nodes(vec!["Face*".to_owned()])));
    assert_eq!(all.eyes, Some(Region::Materials(vec!["Eye".to_owned()])));
    assert_eq!(all.load, Some(LoadChoice::None));
    assert_eq!(all.camera.unwrap().eye, [0.0, 1.0, 5.0]);
    assert_eq!((all.in_place, all.samples), (Some(false), Some(8)));
    assert_eq!(all.ground, Some(GroundChoice::None));
    assert_eq!((all.lod, all.hide.unwrap()), (Some(2), vec!["Cape".to_owned()]));
    assert_eq!(all.flatten.unwrap(), [""; 0]);
}

#[test]
fn unplaced_axes_go_down_the_rows_first_and_along_the_columns_then() {
    let axes = "[axes.a]\nx = {}\n[axes.b]\nx = {}\n[axes.c]\nx = {}\n";
    let sheet = |text: &str| parse(&format!("{axes}{text}")).sheet;
    let plain = sheet("");
    assert_eq!((plain.rows, plain.columns), (vec!["a".to_owned()], vec!["b".to_owned(), "c".to_owned()]));
    let given = sheet("[sheet]\nrows = \"b\"\n");
    assert_eq!((given.rows, given.columns), (vec!["b".to_owned()], vec!["a".to_owned(), "c".to_owned()]));
    let paged = sheet("[sheet]\npages = [\"a\"]\ncolumns = [\"c\"]\n");
    assert_eq!((paged.rows, paged.columns), (vec!["b".to_owned()], vec!["c".to_owned()]));
}

#[test]
fn a_sheet_takes_its_sizes_theme_and_captions() {
    let text =
        "[sheet]\ncell = [96, 128]\ntheme = \"dark\"\ncaptions = [\"name\", \"area_px\"]\nmax_px = 4000\ndate = true\n";
    let sheet = parse(text).sheet;
    assert_eq!((sheet.cell_px, sheet.theme, sheet.max_page_px, sheet.date), ([96, 128], Theme::Dark, 4000, true));
    assert_eq!(sheet.captions, ["name", "area_px"]);
    assert_eq!(parse("").sheet.cell_px, [256, 256]);
    assert!(!parse("").sheet.date, "a sheet made twice is the same sheet");
}

#[test]
fn repeats_are_one_picture_unless_asked_for() {
    assert_eq!(parse("").repeat, Repeat { subpixel: 1, yaw_deg: 0.0, seed: 1 });
    let text = "[repeat]\nsubpixel = 64\nyaw_deg = 3\nseed = 0x10\n";
    assert_eq!(parse(text).repeat, Repeat { subpixel: 64, yaw_deg: 3.0, seed: 16 });
}

#[test]
fn filters_take_one_value_a_list_or_a_star() {
    let text = "[axes.pose]\nidle = { clip = \"idle\" }\nwalk = { clip = \"walk\", at = [0, 0.5] }\n\
                [axes.view]\nfront = {}\nback = {}\n\
                [[only]]\npose = \"walk@*\"\nview = [\"front\", \"back\"]\n[[only]]\npose = \"idle\"\n[[skip]]\nview = \"*ck\"\n";
    let study = parse(text);
    let walks = vec!["walk@0".to_owned(), "walk@0.5".to_owned()];
    let views = vec!["front".to_owned(), "back".to_owned()];
    assert_eq!(study.only[0], [("pose".to_owned(), walks), ("view".to_owned(), views)]);
    assert_eq!(study.only[1], [("pose".to_owned(), vec!["idle".to_owned()])]);
    assert_eq!(study.skip, [vec![("view".to_owned(), vec!["back".to_owned()])]]);
}

#[test]
fn numbers_are_read_in_every_form_that_toml_has() {
    assert_eq!(base("azimuth = 0x10").azimuth, Some(16.0));
    assert_eq!(base("azimuth = 1_000").azimuth, Some(1000.0));
    assert_eq!(base("azimuth = -1.5e1").azimuth, Some(-15.0));
    assert_eq!(base("azimuth = +7").azimuth, Some(7.0));
    assert_eq!(base("samples = 0b11").samples, Some(3));
    assert_eq!(base("samples = +4").samples, Some(4));
}

#[test]
fn a_study_without_axes_or_title_is_one_cell_named_by_its_file() {
    let study = parse("[cell]\nsubject = \"kit:workers/mid\"\n");
    assert_eq!(study.title, "carry");
    let plan = plan(&study, NONE).unwrap();
    assert_eq!(plan.cells.len(), 1);
    assert_eq!(plan.cells[0].name, "carry");
}

#[test]
fn the_starter_reads_as_it_is_whatever_its_name() {
    for name in ["heads", "it's \"quoted\"", "a\\b\n'''", "ünïcode 人", ""] {
        let study = parse(&study::starter(name));
        assert_eq!(study.title, name);
        assert_eq!(plan(&study, NONE).unwrap().cells.len(), 3 * 2 * (4 * 3 - 2));
    }
}
