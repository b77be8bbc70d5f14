//! Which cells a study has, what each is told, and when it has none.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::f32::consts::PI;
use std::path::Path;

use posegrid::plan::{Cell, Counts, Framing, Plan, PlanError, PoseSpec, plan};
use posegrid::study::{self, Background, FrameScope, GroundChoice, Known, LightChoice, Projection, Study, StyleName};

const NONE: &[String] = &[];
const WHO: &str = "[cell]\nsubject = \"kit:workers/imp\"\n";

fn study(text: &str) -> Study {
    let names = ["workers/giant", "workers/imp", "loads/gold", "loads/coal"].map(str::to_owned);
    let known = Known { kit_dir: Path::new("k"), kit_names: &names, captions: &[] };
    study::parse(text, Path::new("s.toml"), Path::new(""), &known).unwrap_or_else(|errors| panic!("{errors}"))
}

fn planned(text: &str) -> Plan {
    plan(&study(text), NONE).unwrap()
}

fn refused(text: &str) -> PlanError {
    plan(&study(text), NONE).unwrap_err()
}

/// The only cell of a study of one worker with these settings.
fn cell(text: &str) -> Cell {
    let mut plan = planned(&format!("{WHO}{text}"));
    assert_eq!(plan.cells.len(), 1);
    plan.cells.remove(0)
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.cells.iter().map(|cell| cell.name.as_str()).collect()
}

const TWO_AXES: &str = "[axes.pose]\nidle = { clip = \"idle\" }\nwalk = { clip = \"walk\" }\n[axes.view]\nfront = {}\n\
                        left = { azimuth = 90 }\nback = { azimuth = 180 }\n";

#[test]
fn the_last_axis_turns_fastest() {
    let plan = planned(&format!("{WHO}{TWO_AXES}"));
    let expected = ["s/idle/front", "s/idle/left", "s/idle/back", "s/walk/front", "s/walk/left", "s/walk/back"];
    assert_eq!(names(&plan), expected);
    assert_eq!(plan.cells[4].values, [1, 1]);
    let indices: Vec<usize> = plan.cells.iter().map(|cell| cell.index).collect();
    assert_eq!(indices, [0, 1, 2, 3, 4, 5]);
    assert_eq!(plan.axes[1].values, ["front", "left", "back"]);
    assert_eq!(plan.study, "s");
}

#[test]
fn a_sheet_cell_has_the_defaults_of_the_conventions() {
    let spec = cell("").spec;
    assert_eq!(spec.pose, PoseSpec::Bind);
    assert_eq!(spec.load, None);
    assert_eq!(spec.view.azimuth_rad, 0.0);
    assert!((spec.view.elevation_rad - PI / 18.0).abs() < 1e-7);
    assert!((spec.view.field_rad - PI / 6.0).abs() < 1e-7);
    assert_eq!(spec.view.projection, Projection::Perspective);
    assert_eq!(spec.view.framing, Framing::Fit { scope: FrameScope::Subject, px_per_m: None });
    assert_eq!((spec.samples, spec.size_px), (2, [256, 256]));
    assert_eq!((spec.light, spec.style, spec.ground), (LightChoice::Studio, StyleName::Shaded, GroundChoice::Shadow));
    assert_eq!(spec.background, Background([0.18; 3]));
    assert!(spec.variant.is_empty());
    assert!(spec.subject.height_m.is_none() && spec.subject.forward.is_none() && spec.subject.head.is_none());
    assert!(spec.subject.clips.is_empty() && spec.subject.clip_files.is_empty());
}

#[test]
fn a_distance_cell_has_the_defaults_of_distance_studies() {
    let spec = cell("distance_m = 12\n").spec;
    assert_eq!(spec.view.framing, Framing::Distance { distance_m: 12.0, screen_px: 1080 });
    assert!((spec.view.field_rad - 75.0 * PI / 180.0).abs() < 1e-6);
    assert_eq!(spec.view.elevation_rad, 0.0);
    assert_eq!((spec.samples, spec.ground), (4, GroundChoice::None));
}

#[test]
fn what_is_set_wins_over_what_is_assumed() {
    let text = "distance_m = 5\nfield_deg = 60\nsamples = 8\nground = \"shadow\"\nelevation = -90\nscreen_px = 720\n\
                azimuth = 270\n[sheet]\ncell = [64, 96]\n";
    let spec = cell(text).spec;
    assert_eq!(spec.view.framing, Framing::Distance { distance_m: 5.0, screen_px: 720 });
    assert!((spec.view.field_rad - PI / 3.0).abs() < 1e-6);
    assert!((spec.view.elevation_rad + PI / 2.0).abs() < 1e-6);
    assert!((spec.view.azimuth_rad - 1.5 * PI).abs() < 1e-6);
    assert_eq!((spec.samples, spec.ground, spec.size_px), (8, GroundChoice::Shadow, [64, 96]));
}

#[test]
fn a_camera_by_hand_replaces_framing() {
    let spec = cell("frame = \"row\"\ncamera = { eye = [0, 1, 3], target = [0, 1, 0] }\n").spec;
    assert!(matches!(spec.view.framing, Framing::Free(camera) if camera.eye == [0.0, 1.0, 3.0]));
    assert!((spec.view.field_rad - PI / 6.0).abs() < 1e-7);
}

#[test]
fn a_pinned_scale_and_its_scope_come_through() {
    let spec = cell("px_per_m = 120\n[sheet]\nscale = \"row\"\n").spec;
    assert_eq!(spec.view.framing, Framing::Fit { scope: FrameScope::Row, px_per_m: Some(120.0) });
}

#[test]
fn a_clip_starts_at_its_beginning_and_bind_and_rest_are_no_clips() {
    let walk = |phase, in_place| PoseSpec::Clip { name: "walk".to_owned(), phase, in_place };
    assert_eq!(cell("clip = \"walk\"\n").spec.pose, walk(0.0, None));
    assert_eq!(cell("clip = \"walk\"\nat = 0.75\nin_place = false\n").spec.pose, walk(0.75, Some(false)));
    assert_eq!(cell("clip = \"bind\"\n").spec.pose, PoseSpec::Bind);
    assert_eq!(cell("clip = \"rest\"\n").spec.pose, PoseSpec::Rest);
}

#[test]
fn a_value_wins_over_the_base_in_silence() {
    let plan =
        planned("[cell]\nsubject = \"kit:workers/imp\"\nazimuth = 10\n[axes.a]\nx = {}\ny = { azimuth = 180 }\n");
    assert!((plan.cells[0].spec.view.azimuth_rad - PI / 18.0).abs() < 1e-7);
    assert!((plan.cells[1].spec.view.azimuth_rad - PI).abs() < 1e-6);
}

#[test]
fn a_load_of_none_takes_the_bases_load_off() {
    let text = "[cell]\nsubject = \"kit:workers/imp\"\nload = \"kit:loads/gold\"\n[axes.load]\nwith = {}\nwithout = { load = \"none\" }\n";
    let plan = planned(text);
    assert_eq!(plan.cells[0].spec.load.as_ref().unwrap().written, "kit:loads/gold");
    assert_eq!(plan.cells[1].spec.load, None);
}

#[test]
fn changes_to_the_model_come_through() {
    let text =
        "hide = [\"Cape\"]\nshow = [\"Body\"]\nflatten = [\"Skin\"]\nrecolour = { Skin = \"#010203\" }\nheight_m = 2\n";
    let spec = cell(text).spec;
    assert_eq!((spec.subject.hide, spec.variant.show), (vec!["Cape".to_owned()], vec!["Body".to_owned()]));
    assert_eq!((spec.variant.flatten, spec.variant.recolour["Skin"].0), (vec!["Skin".to_owned()], [1, 2, 3]));
    assert_eq!(spec.subject.height_m, Some(2.0));
}

#[test]
fn two_axes_that_set_one_key_are_named_with_it() {
    let text = format!(
        "{WHO}[axes.look]\nplain = {{}}\nflat = {{ style = \"flat\" }}\n[axes.shot]\nnear = {{}}\n\
                        outline = {{ style = \"outline\" }}\n"
    );
    let error = refused(&text);
    let expected = PlanError::KeyTwice {
        key: "style",
        first: "look = flat".to_owned(),
        second: "shot = outline".to_owned(),
        cell: "s/flat/outline".to_owned(),
    };
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), "\"look = flat\" and \"shot = outline\" both set style for cell s/flat/outline");
    let skipped = format!("{text}[[skip]]\nlook = \"flat\"\nshot = \"outline\"\n");
    assert_eq!(planned(&skipped).cells.len(), 3);
}

#[test]
fn a_filter_does_not_hide_what_two_axes_both_set() {
    let text = format!("{WHO}[axes.a]\nx = {{}}\ny = {{ azimuth = 1 }}\n[axes.b]\nz = {{ azimuth = 2 }}\n");
    assert!(matches!(plan(&study(&text), &["a=x"]), Err(PlanError::KeyTwice { .. })));
}

#[test]
fn a_camera_and_a_distance_exclude_each_other() {
    let error = refused(&format!("{WHO}distance_m = 3\ncamera = {{ eye = [0, 1, 3], target = [0, 1, 0] }}\n"));
    assert_eq!(error.to_string(), "camera and distance_m both place the camera of cell s");
}

#[test]
fn a_cell_without_a_subject_says_so() {
    let error = refused("[axes.view]\nfront = {}\n");
    assert_eq!(error, PlanError::NoSubject { cell: "s/front".to_owned() });
    assert!(error.hint().unwrap().contains("subject"));
}

#[test]
fn a_phase_needs_a_clip_in_its_own_cell() {
    let phases = "[axes.phase]\na = { at = 0.5 }\n";
    let error = refused(&format!("{WHO}[axes.pose]\nwalk = {{ clip = \"walk\" }}\nstill = {{}}\n{phases}"));
    assert_eq!(error, PlanError::PhaseWithoutClip { cell: "s/still/a".to_owned() });
    let error = refused(&format!("{WHO}[axes.pose]\nstill = {{ clip = \"bind\" }}\n{phases}"));
    assert_eq!(error, PlanError::PhaseWithoutClip { cell: "s/still/a".to_owned() });
    let by_default = format!("{WHO}at = 0.5\n[axes.pose]\nwalk = {{ clip = \"walk\" }}\nstill = {{}}\n");
    assert_eq!(planned(&by_default).cells.len(), 2);
}

#[test]
fn a_cell_stays_if_it_matches_any_only_and_no_skip() {
    let text = format!(
        "{WHO}{TWO_AXES}[[only]]\npose = \"idle\"\n[[only]]\npose = \"walk\"\nview = [\"front\", \"left\"]\n[[skip]]\nview = \"front\"\n"
    );
    let plan = planned(&text);
    assert_eq!(names(&plan), ["s/idle/left", "s/idle/back", "s/walk/left"]);
    assert_eq!(plan.cells[2].index, 2);
}

#[test]
fn a_study_that_leaves_nothing_is_an_error() {
    let error = refused(&format!("{WHO}{TWO_AXES}[[skip]]\npose = [\"idle\", \"walk\"]\n"));
    assert_eq!(error, PlanError::NothingLeft { study: "s".to_owned() });
}

fn filtered(filters: &[&str]) -> Result<Vec<String>, PlanError> {
    let plan = plan(&study(&format!("{WHO}{TWO_AXES}[[skip]]\npose = \"walk\"\nview = \"back\"\n")), filters)?;
    Ok(plan.cells.into_iter().map(|cell| cell.name).collect())
}

#[test]
fn filters_on_one_axis_list_values_and_several_must_all_match() {
    assert_eq!(filtered(&["view=left"]).unwrap(), ["s/idle/left", "s/walk/left"]);
    assert_eq!(filtered(&["view=left,back"]).unwrap(), ["s/idle/left", "s/idle/back", "s/walk/left"]);
    assert_eq!(filtered(&["view=left,back", "pose=walk"]).unwrap(), ["s/walk/left"]);
    assert_eq!(filtered(&["view=*t"]).unwrap(), ["s/idle/front", "s/idle/left", "s/walk/front", "s/walk/left"]);
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let error = filtered(&["pose=walk", "view=back"]).unwrap_err();
    assert_eq!(error.to_string(), "no cell of the study s matches pose=walk view=back");
    assert!(matches!(filtered(&["view=left", "view=front"]), Err(PlanError::NothingMatches { .. })));
}

#[test]
fn a_filter_that_names_nothing_lists_the_choices() {
    let error = filtered(&["veiw=left"]).unwrap_err();
    assert_eq!(error.to_string(), "no axis named \"veiw\"");
    assert!(error.hint().unwrap().starts_with("did you mean \"view\"?"));
    let error = filtered(&["view=left,bak"]).unwrap_err();
    assert_eq!(error.to_string(), "axis \"view\" has no value \"bak\"");
    assert!(error.hint().unwrap().starts_with("did you mean \"back\"?"));
    assert!(matches!(filtered(&["view"]), Err(PlanError::NoFilter { .. })));
    assert!(matches!(filtered(&["view="]), Err(PlanError::UnknownValue { .. })));
}

#[test]
fn a_value_with_a_comma_can_be_chosen() {
    let text = format!("{WHO}[axes.a]\n\"x,y\" = {{}}\nx = {{ azimuth = 1 }}\n");
    assert_eq!(names(&plan(&study(&text), &["a=x,y"]).unwrap()), ["s/x,y"]);
}

#[test]
fn counts_say_how_much_work_there_is() {
    let text = "[axes.worker]\nfiles = \"kit:workers/*\"\n[axes.load]\nnone = {}\nloads = \"kit:loads/*\"\n\
                [axes.pose]\nbind = {}\nwalk = { clip = \"walk\", at = [0, 0.5] }\nagain = { clip = \"walk\", at = 0 }\n";
    assert_eq!(planned(text).counts(), Counts { cells: 2 * 3 * 4, subjects: 2, loads: 2, poses: 3 });
}

#[test]
fn a_product_too_large_to_plan_is_refused_before_it_is_made() {
    let axis = |name: usize| {
        let values: Vec<String> = (0..100).map(|value| format!("v{value} = {{}}")).collect();
        format!("[axes.a{name}]\n{}\n", values.join("\n"))
    };
    let axes: Vec<String> = (0..30).map(axis).collect();
    let error = refused(&format!("{WHO}{}", axes.concat()));
    assert!(matches!(error, PlanError::TooManyCells { most: 1_000_000, .. }), "{error}");
}

/// What a subject never shows is its own; what an axis hides is the variant's, and the two do not clash.
#[test]
fn hide_beside_the_subject_is_the_subjects_and_hide_elsewhere_the_variants() {
    let text = "[axes.who]\nimp = { subject = \"kit:workers/imp\", hide = [\"sword\"] }\n\
                giant = { subject = \"kit:workers/giant\" }\n\
                [axes.look]\nplain = {}\nbald = { hide = [\"hair\"] }\n[cell]\nhide = [\"helper\"]\n";
    let plan = planned(text);
    let hidden: Vec<(&[String], &[String])> =
        plan.cells.iter().map(|cell| (cell.spec.subject.hide.as_slice(), cell.spec.variant.hide.as_slice())).collect();
    let (sword, helper, hair) = (["sword".to_owned()], ["helper".to_owned()], ["hair".to_owned()]);
    let expected: [(&[String], &[String]); 4] = [(&sword, &[]), (&sword, &hair), (&helper, &[]), (&helper, &hair)];
    assert_eq!(hidden, expected);
}
