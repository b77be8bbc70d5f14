//! What the documentation says of keys, statuses, crates and studies, held against the program.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use posegrid::plan::{self, Plan};
use posegrid::study::{self, Known};
use posegrid::{kit, measure, sheet};
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What stands between a heading of any level and the next.
fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let from = text.find(&format!("# {heading}\n")).unwrap_or_else(|| panic!("no heading {heading:?}"));
    let body = text[from..].split_once('\n').unwrap().1;
    body.find("\n#").map_or(body, |end| &body[..end])
}

/// Cells of the tables in `text`, without head and rule.
fn rows(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_row = |line: &str| line.starts_with('|') && line.ends_with('|');
    let is_rule = |line: &&str| is_row(line) && line.contains("---");
    let cells = |line: &&str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    let body = |at: &usize| is_row(lines[*at]) && !is_rule(&lines[*at]) && !lines.get(at + 1).is_some_and(is_rule);
    (0..lines.len()).filter(body).map(|at| cells(&lines[at])).collect()
}

fn bare(cell: &str) -> String {
    cell.trim_matches('`').to_owned()
}

/// Keys of the tables under some headings of docs/studies.md.
fn documented(headings: &[&str]) -> BTreeSet<String> {
    let text = read("docs/studies.md");
    let keys: Vec<String> =
        headings.iter().flat_map(|heading| keyed_rows(section(&text, heading))).map(|row| bare(&row[0])).collect();
    let set: BTreeSet<String> = keys.iter().cloned().collect();
    assert_eq!(set.len(), keys.len(), "a key stands twice under {headings:?}");
    set
}

/// Rows of tables of keys: five or four cells, the first and the last but one in code.
fn keyed_rows(section: &str) -> Vec<Vec<String>> {
    rows(section).into_iter().filter(|row| (4..=5).contains(&row.len())).collect()
}

fn schema() -> Value {
    serde_json::from_str(&study::json_schema()).unwrap()
}

fn keys_at(schema: &Value, pointer: &str) -> BTreeSet<String> {
    let properties = schema.pointer(pointer).and_then(Value::as_object);
    properties.unwrap_or_else(|| panic!("the schema has no {pointer}")).keys().cloned().collect()
}

const SETTINGS: [&str; 5] = ["Subject", "Pose", "View", "Light and look", "Changes to the model"];

/// A heading of docs/studies.md, the table of the schema that it documents, and a study in which its
/// examples stand at `EXAMPLE`.
const TABLES: [(&str, &str, &str); 8] = [
    ("The file", "/properties", "EXAMPLE"),
    ("Camera", "/definitions/FreeCamera/properties", "[cell]\ncamera = { EXAMPLE, OTHER }"),
    ("A sun", "/definitions/SunText/properties", "[cell]\nlight = { EXAMPLE, OTHER }"),
    ("A key light", "/definitions/KeyText/properties", "[cell]\nlight = { EXAMPLE, OTHER }"),
    ("Repeat", "/definitions/RepeatText/properties", "[repeat]\nEXAMPLE"),
    (
        "Sheet",
        "/definitions/SheetText/properties",
        "[sheet]\nEXAMPLE\n[axes]\nworker = {a = {}}\nload = {a = {}}\npose = {a = {}}\nview = {a = {}}",
    ),
    ("Region", "", "[cell]\nhead = { EXAMPLE }"),
    ("Axes", "", "[axes.some]\nEXAMPLE"),
];

#[test]
fn every_setting_of_the_schema_is_documented_and_the_reverse() {
    assert_eq!(documented(&SETTINGS), keys_at(&schema(), "/definitions/Settings/properties"));
}

#[test]
fn every_other_table_of_the_schema_is_documented_and_the_reverse() {
    for (heading, pointer, _) in TABLES.into_iter().filter(|(_, pointer, _)| !pointer.is_empty()) {
        assert_eq!(documented(&[heading]), keys_at(&schema(), pointer), "{heading}");
    }
}

#[test]
fn every_key_of_an_axis_that_is_no_setting_is_documented_and_the_reverse() {
    let schema = schema();
    let all = keys_at(&schema, "/properties/axes/additionalProperties/properties");
    let settings = keys_at(&schema, "/definitions/Settings/properties");
    assert_eq!(documented(&["Axes"]), all.difference(&settings).cloned().collect());
}

#[test]
fn every_word_of_a_region_is_documented() {
    let schema = schema();
    let choices = schema.pointer("/definitions/Region/oneOf").and_then(Value::as_array).unwrap();
    let keyed = choices.iter().filter_map(|choice| choice.pointer("/properties")?.as_object());
    let keys: BTreeSet<String> = keyed.flat_map(|properties| properties.keys().cloned()).collect();
    assert_eq!(documented(&["Region"]), keys);
}

/// What the program knows beside a study's text, as the command line has it.
fn with_known<T>(use_it: impl FnOnce(&Known<'_>) -> T) -> T {
    let columns: Vec<&str> = measure::COLUMNS.iter().map(|column| column.name).collect();
    let captions = sheet::caption_choices(&columns);
    let captions: Vec<&str> = captions.iter().map(String::as_str).collect();
    use_it(&Known { kit_dir: Path::new("out/kit"), kit_names: &kit::names(), captions: &captions })
}

fn planned(text: &str, dir: &Path) -> Plan {
    let study = with_known(|known| study::parse(text, Path::new("study.toml"), dir, known));
    let study = study.unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    plan::plan(&study, &[] as &[&str]).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Values that an example may name without being what it is about.
const SUBJECT: &str = "subject = \"kit:workers/dwarf\"";

fn example_study(template: &str, key: &str, example: &str) -> String {
    let other = match key {
        "eye" => "target = [0, 0.5, 0]",
        "target" => "eye = [0, 1, 4]",
        "elevation" => "azimuth = 1",
        "azimuth" => "elevation = 1",
        "to_light" => "space = \"camera\"",
        _ => "to_light = [0, 1, 0]",
    };
    let text = template.replace("EXAMPLE", example).replace("OTHER", other);
    let cell = if text.contains("cell = { elevation") {
        text.replace("cell = {", &format!("cell = {{ {SUBJECT},"))
    } else if key == "files" {
        text
    } else if text.contains("[cell]\n") && key != "subject" {
        text.replace("[cell]\n", &format!("[cell]\n{SUBJECT}\n"))
    } else if text.contains("[cell]\n") {
        text
    } else {
        format!("{text}\n[cell]\n{SUBJECT}\n")
    };
    if key == "at" { cell.replace("[cell]\n", "[cell]\nclip = \"walk\"\n") } else { cell }
}

/// Reads the examples of a section's keys; says how many.
fn try_examples(heading: &str, template: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("moves.glb"), "").unwrap();
    let text = read("docs/studies.md");
    let rows = keyed_rows(section(&text, heading));
    for row in &rows {
        let (key, example) = (bare(&row[0]), bare(&row[3]));
        assert!(example.starts_with(&format!("{key} = ")), "{key}: {example}");
        let plan = planned(&example_study(template, &key, &example), folder.path());
        assert!(!plan.cells.is_empty());
    }
    rows.len()
}

#[test]
fn every_example_of_a_key_can_be_read() {
    let mut tried = 0;
    for heading in SETTINGS {
        tried += try_examples(heading, "[cell]\nEXAMPLE");
    }
    for (heading, _, template) in TABLES {
        tried += try_examples(heading, template);
    }
    assert!(tried > 60, "only {tried} examples were found");
}

/// The fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let starts = text.split(&fence).skip(1);
    starts.map(|rest| rest.split_once("```").unwrap().0.to_owned()).collect()
}

#[test]
fn every_study_in_the_documentation_plans() {
    for (file, least) in [("README.md", 1), ("docs/studies.md", 4)] {
        let studies: Vec<String> = blocks(&read(file), "toml");
        assert!(studies.len() >= least, "{file} has {} studies", studies.len());
        studies.iter().for_each(|text| assert!(!planned(text, root()).cells.is_empty()));
    }
}

#[test]
fn every_study_that_ships_plans() {
    let scenes = root().join("scenes");
    let files = fs::read_dir(&scenes).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        let study = with_known(|known| study::read(&file, known)).unwrap_or_else(|errors| panic!("{errors}"));
        plan::plan(&study, &[] as &[&str]).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

#[test]
fn every_caption_that_is_a_column_is_documented_and_the_reverse() {
    let text = read("docs/studies.md");
    let three = rows(section(&text, "Sheet")).into_iter().filter(|row| row.len() == 3);
    let documented: BTreeSet<String> = three.map(|row| bare(&row[0])).collect();
    let columns = measure::COLUMNS.iter().map(|column| column.name).chain(sheet::FACT_COLUMNS);
    assert_eq!(documented, columns.map(str::to_owned).collect());
}

/// `(status, meaning)` of each line `  75  passing trouble ...` under `Exit status:`.
fn statuses_of_help() -> Vec<(String, String)> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_posegrid")).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let list = text.split_once("Exit status:\n").unwrap().1;
    let lines = list.lines().take_while(|line| !line.trim().is_empty());
    let pair = |line: &str| line.trim().split_once(' ').map(|(code, words)| (code.to_owned(), words.trim().to_owned()));
    lines.filter_map(pair).collect()
}

#[test]
fn the_exit_statuses_of_the_readme_are_those_of_the_help() {
    let text = read("README.md");
    let documented: Vec<(String, String)> =
        rows(section(&text, "Exit status")).into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    assert!(documented.len() >= 5, "{documented:?}");
    assert_eq!(documented, statuses_of_help());
}

#[test]
fn every_crate_has_its_line_and_every_line_its_crate() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let text = read("docs/dependencies.md");
    for (table, heading) in [
        ("dependencies", "In the program"),
        ("build-dependencies", "In the build script"),
        ("dev-dependencies", "In tests"),
    ] {
        let crates: BTreeSet<String> = manifest[table].as_table().unwrap().keys().cloned().collect();
        let lines: Vec<Vec<String>> = rows(section(&text, heading));
        assert!(lines.iter().all(|row| row.len() == 4 && !row[1].is_empty()), "{heading}: {lines:?}");
        let documented: BTreeSet<String> = lines.iter().map(|row| bare(&row[0])).collect();
        assert_eq!(documented, crates, "{heading}");
    }
}

#[test]
fn every_code_in_the_documentation_is_one_of_the_program() {
    let text = read("docs/studies.md");
    let in_caps = |cell: &str| cell.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    let first = rows(section(&text, "Common errors")).into_iter().map(|row| bare(&row[0]));
    let codes: Vec<String> = first.filter(|cell| in_caps(cell)).collect();
    assert!(codes.len() > 15, "{codes:?}");
    let mut sources = String::new();
    gather(&root().join("src"), &mut sources);
    for code in codes {
        assert!(sources.contains(&format!("\"{code}\"")), "no finding has the code {code}");
    }
}

fn gather(folder: &Path, into: &mut String) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            gather(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// Files that a page links to beside itself, pictures left out.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let files = targets.map(|target| target.split('#').next().unwrap_or_default());
    let is_page = |file: &&str| !file.is_empty() && !file.contains("://") && !file.ends_with(".png");
    files.filter(is_page).map(str::to_owned).collect()
}

#[test]
fn every_link_between_pages_leads_to_a_file() {
    for page in [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/studies.md",
        "docs/architecture.md",
        "docs/dependencies.md",
    ] {
        let folder = root().join(page).parent().unwrap().to_path_buf();
        for link in links(&read(page)) {
            assert!(folder.join(&link).exists(), "{page} links to {link}, which is not there");
        }
    }
}
