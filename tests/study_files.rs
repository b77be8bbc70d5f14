//! Files that a study names: found beside it, named after their stems, or missing with what is there.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::fs;
use std::path::Path;

use posegrid::study::{self, Known, LoadChoice, ModelFile, Study, StudyErrors};
use tempfile::TempDir;

/// A folder with empty files of these names.
fn folder(files: &[&str]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for file in files {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    dir
}

fn read(dir: &TempDir, text: &str) -> Result<Study, StudyErrors> {
    let path = dir.path().join("scenes/study.toml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    study::read(&path, &Known { kit_dir: Path::new("k"), kit_names: &[], captions: &[] })
}

fn names(study: &Study) -> Vec<&str> {
    study.axes[0].values.iter().map(|value| value.name.as_str()).collect()
}

fn message(result: Result<Study, StudyErrors>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_glob_makes_a_value_of_each_model_sorted_by_path() {
    let dir = folder(&["models/b.glb", "models/A.gltf", "models/c.VRM", "models/skin.png", "models/sub/d.glb"]);
    let study = read(&dir, "[axes.who]\nfiles = \"../models/*\"\n").unwrap();
    assert_eq!(names(&study), ["A", "b", "c"]);
    let subject = study.axes[0].values[1].settings.subject.clone().unwrap();
    assert_eq!(subject.written, "../models/b.glb");
    assert_eq!(subject.path, dir.path().join("scenes/../models/b.glb"));
    assert!(!subject.from_kit);
}

#[test]
fn two_stars_look_into_every_folder() {
    let dir = folder(&["models/a.glb", "models/x/b.glb", "models/x/y/c.glb"]);
    let study = read(&dir, "[axes.who]\nfiles = \"../models/**/*.glb\"\n").unwrap();
    assert_eq!(names(&study), ["a", "b", "c"]);
}

#[test]
fn a_folder_is_added_where_stems_are_the_same() {
    let dir = folder(&["m/orc/body.glb", "m/elf/body.glb", "m/elf/Head.glb", "m/lone.glb"]);
    let study = read(&dir, "[axes.who]\nfiles = [\"../m/*/*.glb\", \"../m/lone.glb\"]\n").unwrap();
    assert_eq!(names(&study), ["Head", "elf-body", "orc-body", "lone"]);
}

#[test]
fn the_ending_is_added_where_only_it_differs() {
    let dir = folder(&["m/orc.glb", "m/orc.gltf"]);
    assert_eq!(names(&read(&dir, "[axes.who]\nfiles = \"../m/*\"\n").unwrap()), ["orc.glb", "orc.gltf"]);
}

#[test]
fn a_stem_that_is_a_setting_keeps_its_ending() {
    let dir = folder(&["head.glb", "files.glb", "orc.glb"]);
    let study = read(&dir, "[axes.who]\nfiles = \"../*.glb\"\n").unwrap();
    assert_eq!(names(&study), ["files.glb", "head.glb", "orc"]);
}

#[test]
fn one_file_twice_is_an_error() {
    let dir = folder(&["orc.glb"]);
    let text = message(read(&dir, "[axes.who]\nfiles = [\"../orc.glb\", \"../*.glb\"]\n"));
    assert!(text.contains("two values named \"orc\""), "{text}");
}

#[test]
fn names_of_files_tell_many_apart() {
    let file = |written: &str| ModelFile { written: written.to_owned(), path: written.into(), from_kit: false };
    let files = ["a/x/k.glb", "b/x/k.glb", "b/y/k.glb", "K2.glb", "kit:workers/imp"].map(file);
    assert_eq!(study::names_of_files(&files), ["a-x-k", "b-x-k", "y-k", "K2", "imp"]);
}

#[test]
fn loads_and_clip_files_are_found_too() {
    let dir = folder(&["props/rock.glb", "clips/walk.glb"]);
    let text = "[cell]\nload = \"../props/rock.glb\"\nclip_files = \"../clips/walk.glb\"\n";
    let study = read(&dir, text).unwrap();
    assert!(matches!(study.base.load, Some(LoadChoice::Prop(file)) if file.written == "../props/rock.glb"));
    assert_eq!(study.base.clip_files.unwrap()[0].written, "../clips/walk.glb");
}

#[test]
fn a_name_with_the_signs_of_a_glob_is_a_file_if_there_is_one() {
    let dir = folder(&["scenes/orc [old].glb"]);
    let study = read(&dir, "[cell]\nsubject = \"orc [old].glb\"\n[axes.who]\nfiles = \"orc [old].glb\"\n").unwrap();
    assert_eq!(study.base.subject.as_ref().unwrap().written, "orc [old].glb");
    assert_eq!(names(&study), ["orc [old]"]);
}

#[test]
fn a_folder_with_the_signs_of_a_glob_is_looked_into() {
    let dir = folder(&["a[1]/scenes/orc.glb"]);
    let path = dir.path().join("a[1]/scenes/study.toml");
    fs::write(&path, "[axes.who]\nfiles = \"*.glb\"\n").unwrap();
    let known = Known { kit_dir: Path::new("k"), kit_names: &[], captions: &[] };
    assert_eq!(names(&study::read(&path, &known).unwrap()), ["orc"]);
}

#[test]
fn a_missing_file_lists_the_models_of_its_folder() {
    let dir = folder(&["models/knight.glb", "models/orc.glb", "models/notes.txt"]);
    let text = message(read(&dir, "[cell]\nsubject = \"../models/knigt.glb\"\n"));
    assert!(text.contains("no file \"../models/knigt.glb\" beside the study"), "{text}");
    assert!(text.contains("in ../models: did you mean \"knight.glb\"?"), "{text}");
    assert!(text.contains("orc.glb") && !text.contains("notes.txt"), "{text}");
}

#[test]
fn a_missing_folder_lists_the_folders_there_are() {
    let dir = folder(&["models/humans/a.glb"]);
    let text = message(read(&dir, "[cell]\nsubject = \"../models/humens/a.glb\"\n"));
    assert!(text.contains("there is no folder \"humens\" in ../models; did you mean \"humans\"?"), "{text}");
    let text = message(read(&dir, "[cell]\nsubject = \"../models/humans\"\n"));
    assert!(text.contains("is a folder, not a model file"), "{text}");
}

#[test]
fn a_glob_that_matches_nothing_says_what_is_there() {
    let dir = folder(&["models/a.gltf"]);
    let text = message(read(&dir, "[axes.who]\nfiles = \"../models/*.glb\"\n"));
    assert!(text.contains("no model file matches \"../models/*.glb\"") && text.contains("a.gltf"), "{text}");
    let text = message(read(&dir, "[axes.who]\nfiles = \"../mdels/*.glb\"\n"));
    assert!(text.contains("no folder \"mdels\""), "{text}");
}

#[test]
fn each_missing_file_is_an_error_of_its_own() {
    let dir = folder(&[]);
    let text = "[axes.who]\nfiles = [\"a.glb\", \"b.glb\"]\n[axes.load]\nx = { load = \"c.glb\" }\n";
    let Err(StudyErrors::Wrong(wrong)) = read(&dir, text) else { panic!("no file is there") };
    assert_eq!(wrong.errors.len(), 3, "{wrong}");
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn real_models_are_found_under_names_of_their_own() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/assets");
    let text = "[axes.who]\nfiles = [\"humanoids/*/*.gl*\", \"tricky/*/*.gl*\"]\n";
    let known = Known { kit_dir: Path::new("k"), kit_names: &[], captions: &[] };
    let study = study::parse(text, Path::new("all.toml"), &assets, &known).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(names(&study).len() >= 40, "{:?}", names(&study));
    assert!(names(&study).contains(&"KnightCharacter"));
    let again = study::parse(&study::to_toml(&study), Path::new("all.toml"), &assets, &known);
    assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}")), study);
}
