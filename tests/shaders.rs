//! Every shader on disk is used and is valid.

use std::fs;
use std::path::{Path, PathBuf};

use naga::valid::{Capabilities, ValidationFlags, Validator};
use posegrid::render::SHADERS;

fn wgsl_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            wgsl_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            files.push(path);
        }
    }
}

fn on_disk() -> Vec<PathBuf> {
    let mut files = Vec::new();
    wgsl_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders"), &mut files);
    assert!(files.len() >= SHADERS.len(), "found only {files:?}");
    files
}

#[test]
fn every_file_is_part_of_a_pass() {
    for file in on_disk() {
        let text = fs::read_to_string(&file).unwrap();
        let used = SHADERS.iter().any(|shader| shader.parts.contains(&text.as_str()));
        assert!(used, "{} is in no pass", file.display());
    }
}

#[test]
fn every_file_says_what_it_is() {
    for file in on_disk() {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("// Pass: ") || text.starts_with("// Shared: "), "{}", file.display());
    }
}

#[test]
fn every_pass_is_valid() {
    for shader in SHADERS {
        let text = shader.text();
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{}: {}", shader.name, error.emit_to_string(&text)));
        let checked = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
        assert!(checked.is_ok(), "{}: {:?}", shader.name, checked.err());
    }
}

#[test]
fn a_shader_that_is_wrong_is_not_valid() {
    let text = SHADERS[0].text().replace("frame.light_from_stage *", "frame.no_such_member *");
    assert!(naga::front::wgsl::parse_str(&text).is_err());
}
