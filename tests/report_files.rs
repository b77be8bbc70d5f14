//! Tables, the run's description and the page to browse, as files.

#![expect(clippy::unwrap_used, reason = "functions beside the tests are tests too")]

mod sheet_fixtures;

use std::fs;

use indexmap::IndexMap;
use posegrid::base::{Digest, Finding};
use posegrid::plan::{Cell, Plan};
use posegrid::report::{
    CellReport, Counts, FORMAT, Index, Links, MetricsTable, ModelReport, PoseProof, RunReport, StudyReport, Timing,
    write_cell, write_run,
};
use posegrid::run::{CellResult, Outcome};
use posegrid::sheet::Provenance;
use posegrid::study::{LightChoice, Study, StyleName};
use sheet_fixtures::{COLUMNS, hole, made, plan, study};

fn stem(cell: &Cell) -> String {
    cell.name.replace('/', "__")
}

fn table(plan: &Plan, results: &[CellResult]) -> String {
    let mut table = MetricsTable::new(plan, &COLUMNS);
    results.iter().for_each(|result| table.add(result));
    String::from_utf8(table.to_csv().unwrap()).unwrap()
}

fn page(study: &Study, plan: &Plan, results: &[CellResult], links: &Links) -> String {
    let mut index = Index::new(study, plan, &COLUMNS, stem).unwrap();
    results.iter().for_each(|result| index.add(result));
    index.to_html(links).unwrap()
}

#[test]
fn a_row_a_cell_and_mask_in_the_order_of_the_plan() {
    let study = study(&[("who", &["orc", "elf, pale"]), ("light", &["noon"])], &["who"], &["light"], &[], [64, 48]);
    let mut plan = plan(&study, |_| true);
    plan.cells[1].spec.light = LightChoice::Sun { elevation: 43.17, azimuth: 0.0 };
    plan.cells[1].spec.style = StyleName::Lambert;
    let text = table(&plan, &[made(1, [8, 6]), made(0, [64, 48])]);
    let expected = "\
format,cell,who,light,mask,width_px,height_px,samples,shading,lit_by,px_per_m,height_m,distance_m,field_deg,head_px_h,removed_m,coverage,luma8_sd
1,carry/orc/noon,orc,noon,subject,64,48,2,shaded,studio,140.7,1.83,,,,,0.125,18
1,carry/orc/noon,orc,noon,head,64,48,2,shaded,studio,140.7,1.83,,,,,0.01,
1,\"carry/elf, pale/noon\",\"elf, pale\",noon,subject,8,6,2,lambert,sun elevation 43.17 azimuth 0,140.7,1.83,,,,,0.125,18.37
1,\"carry/elf, pale/noon\",\"elf, pale\",noon,head,8,6,2,lambert,sun elevation 43.17 azimuth 0,140.7,1.83,,,,,0.01,
";
    assert_eq!(text, expected);
}

#[test]
fn a_table_is_the_same_whatever_the_order_of_the_results() {
    let study = study(&[("who", &["a", "b", "c"])], &["who"], &[], &[], [8, 8]);
    let plan = plan(&study, |_| true);
    let (one, other) = ([made(0, [8, 8]), hole(1), made(2, [8, 8])], [made(2, [8, 8]), made(0, [8, 8]), hole(1)]);
    assert_eq!(table(&plan, &one), table(&plan, &other));
    assert_eq!(table(&plan, &one).lines().count(), 1 + 2 * 2, "a hole has no mask and so no row");
}

#[test]
fn no_two_columns_have_one_name() {
    let study = study(&[("mask", &["a"]), ("luma8_sd", &["b"]), ("pose", &["c"])], &[], &[], &[], [8, 8]);
    let plan = plan(&study, |_| true);
    let mut readings = COLUMNS.to_vec();
    readings.push("px_per_m");
    let text = String::from_utf8(MetricsTable::new(&plan, &readings).to_csv().unwrap()).unwrap();
    let mut header: Vec<&str> = text.trim().split(',').collect();
    assert_eq!(header[2..5], ["axis_mask", "axis_luma8_sd", "pose"]);
    let all = header.len();
    header.sort_unstable();
    header.dedup();
    assert_eq!(header.len(), all);
}

fn report(study: &Study, plan: &Plan, results: &[CellResult]) -> RunReport {
    let mut cells = CellReport::none_yet(plan);
    for result in results {
        cells[result.cell] = CellReport::of(&plan.cells[result.cell], result);
    }
    RunReport {
        format: FORMAT,
        study: StudyReport { name: study.name.clone(), title: study.title.clone(), digest: Digest::of(b"text") },
        posegrid: "0.1.0".to_owned(),
        renderer: "abc".to_owned(),
        adapter: serde_json::json!({ "name": "llvmpipe" }),
        counts: Counts::of(&cells),
        findings: vec![Finding::warning("GLYPH_MISSING", "x", "no glyph")],
        models: vec![ModelReport {
            file: "fox.glb".to_owned(),
            digest: Some(Digest::of(b"fox")),
            roles: IndexMap::from([("head".to_owned(), "b_Head_05".to_owned())]),
            facts: IndexMap::new(),
            findings: Vec::new(),
        }],
        poses: vec![PoseProof {
            subject: "fox.glb".to_owned(),
            pose: "walk@0.25".to_owned(),
            from_bind: 0.31,
            from_nearest: Some(("idle".to_owned(), 0.27)),
        }],
        sheets: vec!["sheet-01.png".to_owned()],
        cells,
        timing: None,
    }
}

#[test]
fn run_json_says_what_came_of_every_cell_and_nothing_that_differs_between_runs() {
    let study = study(&[("who", &["a", "b", "c"])], &["who"], &[], &[], [8, 8]);
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    let results = [made(0, [8, 8]), hole(1)];
    write_run(folder.path(), &report(&study, &plan, &results)).unwrap();
    let text = fs::read_to_string(folder.path().join("run.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["counts"], serde_json::json!({ "cells": 3, "made": 1, "holes": 1, "missing": 1 }));
    let outcomes: Vec<&str> =
        json["cells"].as_array().unwrap().iter().map(|cell| cell["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["made", "hole", "missing"]);
    let Outcome::Made(first) = &results[0].outcome else { panic!("made() makes") };
    assert_eq!(json["cells"][0]["pixels"], first.digest.to_string());
    assert_eq!(json["cells"][0]["facts"]["px_per_m"], 140.7);
    assert_eq!(json["cells"][1]["reason"]["code"], "CLIP_NOT_FOUND");
    assert_eq!(json["format"], 1);
    assert!(!text.contains("secs") && !text.contains(folder.path().to_str().unwrap()));
}

#[test]
fn times_are_there_only_when_asked_for() {
    let study = study(&[("who", &["a"])], &["who"], &[], &[], [8, 8]);
    let plan = plan(&study, |_| true);
    let timing = Timing { workers: 2, wall_secs: 1.5, parts_secs: IndexMap::new() };
    let with = RunReport { timing: Some(timing), ..report(&study, &plan, &[]) };
    let json = serde_json::to_value(with).unwrap();
    assert_eq!(json["timing"]["wall_secs"], 1.5);
}

#[test]
fn a_cells_picture_has_straight_alpha_and_an_srgb_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let Outcome::Made(mut cell) = made(0, [2, 1]).outcome else { panic!("made() makes") };
    cell.rgba = vec![200, 100, 50, 128, 0, 0, 0, 0];
    write_cell(folder.path(), "carry__a", &cell).unwrap();
    let path = folder.path().join("cells").join("carry__a.png");
    assert_eq!(image::open(&path).unwrap().into_rgba8().into_raw(), cell.rgba);
    assert!(fs::read(&path).unwrap().windows(4).any(|kind| kind == b"sRGB"));
    cell.rgba.pop();
    assert!(write_cell(folder.path(), "short", &cell).is_err());
    assert!(!folder.path().join("cells").join("short.png").exists());
}

#[test]
fn the_page_escapes_names_and_asks_for_nothing_from_outside() {
    let nasty = "<script>alert('x')</script>&\"";
    let mut study = study(&[(nasty, &[nasty]), ("b", &["50% #1?"])], &[nasty], &["b"], &[], [8, 8]);
    study.title = nasty.to_owned();
    let plan = plan(&study, |_| true);
    let links = Links {
        provenance: Provenance { study: nasty.to_owned(), warnings: vec![nasty.to_owned()], ..Provenance::default() },
        files: vec!["sheet-01.png".to_owned()],
    };
    let html = page(&study, &plan, &[made(0, [8, 8])], &links);
    assert!(!html.contains("<script>alert") && html.contains("&lt;script&gt;alert"));
    assert_eq!(html.matches("<script").count(), 1);
    assert!(html.contains("50%25%20%231%3F.png"));
    for outside in ["http:", "https:", "@import", "url(", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn the_page_has_every_cell_with_its_size_and_loads_pictures_late() {
    let axes: [(&str, &[&str]); 3] =
        [("view", &["front", "behind"]), ("who", &["a", "b"]), ("pose", &["idle", "walk"])];
    let study = study(&axes, &["who"], &["pose"], &["view"], [64, 48]);
    let plan = plan(&study, |values| values != [1, 1, 1]);
    let results =
        [made(0, [64, 48]), made(1, [16, 16]), hole(2), made(3, [64, 48]), made(4, [64, 48]), made(5, [64, 48])];
    let html = page(&study, &plan, &results, &Links::default()).replace("&#x2f;", "/");
    assert_eq!(html.matches("<img loading=\"lazy\"").count(), 5);
    assert!(html.contains("width=\"48\" height=\"48\" alt=\"front/a/walk\""), "16 pixels thrice are 48");
    assert_eq!(html.matches("<h2>").count(), 2);
    assert_eq!(html.matches("<td></td>").count(), 1, "what the plan lacks is empty");
    assert_eq!(html.matches("class=\"unmade\"").count(), 1, "what was not tried says so");
    assert!(html.contains("5 of 7 cells made") && html.contains("1 could not be"));
    assert!(html.contains("<a href=\"#c2\">front/b/idle</a>: CLIP_NOT_FOUND knight.glb: no clip named"));
    assert!(html.contains("subject: coverage 0.125, luma8 sd 18.4"));
}

#[test]
fn outer_headings_span_their_inner_values_on_the_page() {
    let axes: [(&str, &[&str]); 4] = [
        ("species", &["human", "orc"]),
        ("who", &["a", "b", "c"]),
        ("load", &["none", "gold"]),
        ("pose", &["idle", "walk"]),
    ];
    let study = study(&axes, &["species", "who"], &["load", "pose"], &[], [8, 8]);
    let html = page(&study, &plan(&study, |_| true), &[], &Links::default());
    assert!(html.contains("<th scope=\"colgroup\" colspan=\"2\" class=\"group\"><span>gold</span></th>"));
    assert!(html.contains("<th scope=\"rowgroup\" rowspan=\"3\" class=\"l0 group\"><span>orc</span></th>"));
    assert_eq!(html.matches("<tbody").count(), 2);
    assert_eq!(html.matches("</tbody>").count(), 2);
}

/// 5,000 cells, every 97th a hole from the sixth on: 52 holes, as 5 + 97 * 51 = 4,952.
#[test]
fn a_page_of_five_thousand_cells_loads_its_pictures_as_they_are_scrolled_to() {
    let names: Vec<String> = (0..250).map(|at| format!("individual {at:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let axes: [(&str, &[&str]); 3] = [
        ("who", &names),
        ("load", &["none", "gold", "wood", "barrel", "sack"]),
        ("pose", &["idle", "walk@0.25", "run", "die"]),
    ];
    let study = study(&axes, &["who"], &["load", "pose"], &[], [128, 128]);
    let plan = plan(&study, |_| true);
    assert_eq!(plan.cells.len(), 5000);
    let mut index = Index::new(&study, &plan, &COLUMNS, stem).unwrap();
    for cell in 0..plan.cells.len() {
        index.add(&if cell % 97 == 5 { hole(cell) } else { made(cell, [128, 128]) });
    }
    let html = index.to_html(&Links::default()).unwrap();
    assert_eq!(html.matches("<img").count(), 5000 - 52);
    assert_eq!(html.matches("loading=\"lazy\"").count(), 5000 - 52);
}
