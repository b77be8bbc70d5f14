//! Wrong use of the command line: the right exit status, a message that names what is wrong, no panic.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]
#![expect(dead_code, reason = "the builder has more than this file needs")]

mod tiny;

use std::path::Path;

use tiny::{posegrid, post, said};

/// A folder with a model and a study of it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    post(0.5).write(&folder.path().join("post.gltf"));
    let text = "[cell]\nsubject = \"post.gltf\"\nclip = \"idle\"\n[axes.view]\nfront = {}\nback = { azimuth = 180 }\n[sheet]\ncell = 32\n";
    std::fs::write(folder.path().join("s.toml"), text).unwrap();
    folder
}

fn expect(folder: &Path, arguments: &[&str], code: i32, words: &str) {
    let output = posegrid(folder, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
    assert!(stderr.contains(words) && !stderr.contains("panicked"), "{arguments:?}: {}", said(&output));
}

#[test]
fn wrong_use_ends_with_2_and_says_what_is_wrong() {
    let folder = folder();
    for limit in ["0", "-1", "nan", "inf", "1e30"] {
        expect(folder.path(), &["render", "s.toml", "--cell-limit", limit], 2, "--cell-limit");
    }
    expect(folder.path(), &["render", "s.toml", "--workers", "0"], 2, "--workers");
    expect(folder.path(), &["render", "none.toml"], 2, "none.toml");
    expect(folder.path(), &["render", "s.toml", "--only", "view=left"], 2, "left");
    expect(folder.path(), &["render", "s.toml", "--only", "pose=idle"], 2, "pose");
    expect(folder.path(), &["sheet", "post.gltf", "--name", ".."], 2, "--name");
    expect(folder.path(), &["sheet", "post.gltf", "--name", "a/b"], 2, "--name");
    expect(folder.path(), &["sheet", "nothing.glb"], 2, "nothing.glb");
    expect(folder.path(), &["frobnicate"], 2, "frobnicate");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_adapter_that_is_not_there_ends_with_2_and_lists_those_that_are() {
    expect(folder().path(), &["render", "s.toml", "--adapter", "nope"], 2, "this machine has");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_place_that_cannot_be_written_to_is_found_before_the_first_cell() {
    let folder = folder();
    std::fs::write(folder.path().join("file"), "in the way").unwrap();
    expect(folder.path(), &["render", "s.toml", "-o", "file"], 2, "file");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_printed_study_is_a_study_and_nothing_else() {
    let folder = folder();
    let output = posegrid(folder.path(), &["sheet", "post.gltf"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    std::fs::write(folder.path().join("again.toml"), &output.stdout).unwrap();
    let planned = posegrid(folder.path(), &["plan", "again.toml"]);
    assert_eq!(planned.status.code(), Some(0), "{}", said(&planned));
    assert!(String::from_utf8_lossy(&planned.stdout).contains("12 cells"), "3 poses x 4 views: {}", said(&planned));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn what_a_killed_run_left_is_swept_and_stale_pictures_go() {
    let folder = folder();
    assert_eq!(posegrid(folder.path(), &["render", "s.toml"]).status.code(), Some(0));
    let out = folder.path().join("out/s");
    // No process has this number: Linux gives at most 4,194,304.
    let left = out.join(".sheet-01.png.4194305-0.tmp");
    std::fs::write(&left, "half").unwrap();
    let stale = out.join("cells/s__gone.png");
    std::fs::write(&stale, "old").unwrap();
    assert_eq!(posegrid(folder.path(), &["render", "s.toml", "--only", "view=front"]).status.code(), Some(0));
    assert!(!left.exists(), "a dead process's file is swept");
    assert!(stale.exists() && out.join("cells/s__back.png").exists(), "a part of a study takes nothing away");
    assert_eq!(posegrid(folder.path(), &["render", "s.toml"]).status.code(), Some(0));
    assert!(!stale.exists(), "the whole study leaves its own cells alone");
    assert!(out.join("cells/s__back.png").exists());
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_subject_that_faces_up_and_a_role_that_is_none_are_holes() {
    let folder = folder();
    for (setting, code) in
        [("forward = \"+y\"", "FORWARD_ALONG_UP"), ("roles = { chest = \"Spine99\" }", "ROLE_JOINT_UNKNOWN")]
    {
        let text =
            format!("[cell]\nsubject = \"post.gltf\"\n{setting}\n[axes.view]\nfront = {{}}\n[sheet]\ncell = 32\n");
        std::fs::write(folder.path().join("bad.toml"), text).unwrap();
        expect(folder.path(), &["render", "bad.toml"], 3, code);
    }
}

/// Every cell of a run has a result, however many workers were given up on the way, and a hole has no
/// picture, though its worker may finish it late.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_time_limit_loses_no_cell_and_leaves_no_late_picture() {
    let folder = folder();
    let text = "[cell]\nsubject = \"post.gltf\"\nclip = \"idle\"\n[axes.a]\np = {}\nq = { elevation = 20 }\nr = { elevation = 40 }\n\
                [axes.b]\nv = {}\nw = { azimuth = 90 }\nx = { azimuth = 180 }\ny = { azimuth = 270 }\n[sheet]\ncell = 128\n";
    std::fs::write(folder.path().join("t.toml"), text).unwrap();
    for _ in 0..8 {
        let output = posegrid(folder.path(), &["render", "t.toml", "--cell-limit", "0.0005", "--json"]);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{}", said(&output));
        let run: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(folder.path().join("out/t/run.json")).unwrap()).unwrap();
        assert_eq!(run["counts"]["missing"], 0);
        assert_eq!(run["counts"]["cells"], 12);
        for cell in run["cells"].as_array().unwrap().iter().filter(|cell| cell["outcome"] == "hole") {
            let file = format!("out/t/cells/{}.png", cell["name"].as_str().unwrap().replace('/', "__"));
            assert!(!folder.path().join(&file).exists(), "{file} is a hole");
        }
    }
}

/// The kit's troll has the larger head: alone, the dwarf's cell is as large as beside the troll.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_at_a_distance_is_the_same_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[axes.who]\ndwarf = { subject = \"kit:workers/dwarf\" }\ntroll = { subject = \"kit:workers/troll\" }\n\
                [cell]\ndistance_m = 12\n";
    std::fs::write(folder.path().join("d.toml"), text).unwrap();
    let picture = folder.path().join("out/d/cells/d__dwarf.png");
    assert_eq!(posegrid(folder.path(), &["render", "d.toml"]).status.code(), Some(0));
    let whole = std::fs::read(&picture).unwrap();
    assert_eq!(posegrid(folder.path(), &["render", "d.toml", "--only", "who=dwarf"]).status.code(), Some(0));
    assert_eq!(tiny::pixels(&picture).0, {
        std::fs::write(folder.path().join("whole.png"), &whole).unwrap();
        tiny::pixels(&folder.path().join("whole.png")).0
    });
    assert!(std::fs::read(&picture).unwrap() == whole, "byte for byte");
}
