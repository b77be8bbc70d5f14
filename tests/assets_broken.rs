//! Broken files, as they really occur: each is named with its fault, and the rest of the study is made.
//!
//! What is wrong with each file is what its author broke on purpose, and what the Khronos validator says
//! of it.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod model_files;
mod real_models;
mod runs;

use std::fmt::Write as _;
use std::path::Path;

use model_files::models_under;
use real_models::assets;
use runs::{Run, report};
use serde_json::Value;

/// File, code, what the message has to hold so that a reader can find the fault.
const BROKEN: [(&str, &str, &str); 15] = [
    ("broken/bad_buffer_view/invalid-buffer-view-index.gltf", "INDEX_UNRESOLVED", "buffer 0"),
    ("broken/bad_json/invalid_syntax.gltf", "JSON_INVALID", "key must be a string"),
    ("broken/gltf1/BoxTextured.glb", "GLTF_VERSION", "glTF 1"),
    ("broken/ibm_count/ibm_invalid_count.gltf", "COUNT_MISMATCH", "2 entries"),
    ("broken/index_out_of_range/IndexOutOfRange.gltf", "VERTEX_INDEX_OUT_OF_RANGE", "vertex 255"),
    ("broken/infinities/BoxWithInfinites.glb", "NOT_FINITE", "24 values"),
    ("broken/lfs_external_bin/RainbowCuboid.gltf", "LFS_POINTER", "RainbowCuboid.bin"),
    ("broken/lfs_pointer/giraffe.glb", "LFS_POINTER", "Git LFS pointer"),
    ("broken/missing_bin/BoxTextured.gltf", "FILE_MISSING", "BoxTextured0.bin"),
    ("broken/node_loop/node_loop_scene.gltf", "NODE_CYCLE", "its own ancestor"),
    ("broken/recursive_nodes/RecursiveNodes.gltf", "NODE_CYCLE", "its own ancestor"),
    ("broken/skin_invalid/skin-invalid.gltf", "JSON_INVALID", "joints"),
    ("broken/truncated_glb/truncated_chunk_data.glb", "FILE_TRUNCATED", "48 bytes and 47 are there"),
    ("broken/unresolved_joint/unresolved_joint.gltf", "INDEX_UNRESOLVED", "node 0"),
    ("broken/wrong_length/WrongReportedLength.glb", "FILE_TRUNCATED", "563112 bytes and 32 are there"),
];

/// Files that are off, yet can be drawn: file, code of the warning.
const OFF: [(&str, &str); 2] = [
    ("tricky/joints1_nonnormalised/pbrTest.gltf", "WEIGHTS_NOT_NORMALISED"),
    ("humanoids/robot_expressive/robot_expressive.glb", "HEIGHT_UNLIKELY"),
];

const GOOD: &str = "humanoids/quaternius_farmer/Farmer.glb";

/// A row for the good subject, one a file that is off, one a broken file.
fn study() -> String {
    let mut text = "[axes.who]\n".to_owned();
    let files = std::iter::once(GOOD).chain(OFF.map(|(file, _)| file)).chain(BROKEN.map(|(file, ..)| file));
    for (at, file) in files.enumerate() {
        let _ = writeln!(text, "row{at} = {{ subject = {:?} }}", assets().join(file).display().to_string());
    }
    text + "[axes.view]\nfront = {}\nbehind = { azimuth = 180 }\n[sheet]\nrows = [\"who\"]\ncell = 64\n"
}

/// What of `findings` has its place in `file`.
fn of_file<'a>(findings: &'a Value, file: &str) -> Vec<&'a Value> {
    findings.as_array().unwrap().iter().filter(|finding| finding["place"].as_str().unwrap().contains(file)).collect()
}

/// How many lines of stderr name both the file and the code.
fn said(stderr: &str, severity: &str, code: &str, file: &str) -> usize {
    let start = format!("{severity}[{code}]: ");
    stderr.lines().filter(|line| line.starts_with(&start) && line.contains(file)).count()
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_table_holds_every_broken_file() {
    assert_eq!(models_under(&assets(), "broken"), BROKEN.map(|(file, ..)| file));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_study_over_broken_files_names_each_fault_once_and_makes_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::render(folder.path(), "broken", &study());
    assert_eq!(run.code, Some(3), "{run}");
    assert!(!run.stderr.contains("panicked") && !run.stderr.contains("INTERNAL_FAULT"), "{run}");
    let results = folder.path().join("out/broken");
    let report = report(&results);
    for (file, code, words) in BROKEN {
        assert_eq!(said(&run.stderr, "error", code, file), 1, "{code} of {file} on stderr\n{run}");
        let found = of_file(&report["findings"], file);
        let named = |finding: &Value| {
            let message = finding["message"].as_str().unwrap();
            finding["code"] == code && finding["severity"] == "error" && message.contains(words)
        };
        assert!(found.into_iter().any(named), "{code} with {words:?} of {file} in run.json: {:#}", report["findings"]);
    }
    for (file, code) in OFF {
        assert!(said(&run.stderr, "warning", code, file) > 0, "{code} of {file} on stderr\n{run}");
        assert!(of_file(&report["findings"], file).iter().any(|finding| finding["code"] == code), "{file}");
    }
    let rows = 1 + OFF.len();
    assert_eq!(report["counts"]["made"], 2 * rows, "{run}");
    assert_eq!(report["counts"]["holes"], 2 * BROKEN.len(), "{run}");
    for (at, cell) in report["cells"].as_array().unwrap().iter().enumerate() {
        let broken = (at / 2).checked_sub(rows).map(|row| BROKEN[row]);
        let picture = results.join("cells").join(cell["name"].as_str().unwrap().replace('/', "__") + ".png");
        assert_eq!(picture.exists(), broken.is_none(), "{}", picture.display());
        assert_eq!(cell["outcome"], if broken.is_none() { "made" } else { "hole" }, "{cell:#}");
        if let Some((file, code, _)) = broken {
            assert_eq!(cell["reason"]["code"], code);
            assert!(cell["reason"]["place"].as_str().unwrap().contains(file), "{cell:#}");
        }
    }
    assert_eq!(holes_in(&results.join("sheet-01.png")), BROKEN.len(), "the sheet shows each hole");
}

/// Holes in a column of a sheet's cells: down the left side of the holes, the ink of their frames stands
/// in one run a hole.
fn holes_in(sheet: &Path) -> usize {
    const HOLE_INK: [u8; 3] = [0x9B, 0x2C, 0x1A];
    let image = image::open(sheet).unwrap().to_rgb8();
    let runs_at = |x: u32| {
        let column: Vec<bool> = (0..image.height()).map(|y| image.get_pixel(x, y).0 == HOLE_INK).collect();
        column.split(|ink| !ink).filter(|run| run.len() >= 64).count()
    };
    (0..image.width()).map(runs_at).max().unwrap()
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn inspecting_a_broken_file_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for (file, code, words) in BROKEN {
        let path = assets().join(file).display().to_string();
        let run = Run::of(folder.path(), &["inspect", &path], &[]);
        assert_eq!(run.code, Some(1), "{file}\n{run}");
        let error = run.stderr.lines().next().unwrap_or_default();
        assert!(error.starts_with("error: ") && error.contains(file) && error.contains(words), "{file}\n{run}");
        assert!(!run.stderr.contains("panicked"), "{file}\n{run}");
        let run = Run::of(folder.path(), &["inspect", "--json", &path], &[]);
        let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{file}: {error}\n{run}"));
        assert_eq!(json["findings"][0]["code"], code, "{file}\n{run}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_sheet_of_a_folder_of_broken_files_is_a_sheet_of_holes() {
    let folder = tempfile::tempdir().unwrap();
    let broken = assets().join("broken").display().to_string();
    let run = Run::of(folder.path(), &["sheet", &broken], &[]);
    assert_eq!(run.code, Some(3), "{run}");
    assert!(!run.stderr.contains("panicked"), "{run}");
    for (file, code, _) in BROKEN {
        assert_eq!(said(&run.stderr, "error", code, file), 1, "{code} of {file} on stderr\n{run}");
    }
    let results = folder.path().join("out/sheet");
    let report = report(&results);
    assert_eq!(report["counts"]["made"], 0);
    assert_eq!(report["counts"]["holes"], report["counts"]["cells"]);
    assert_eq!(holes_in(&results.join("sheet-01.png")), BROKEN.len(), "{run}");
}
