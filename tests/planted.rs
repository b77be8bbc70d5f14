//! Faults planted on purpose: each must fail loudly, name itself, and leave the rest of the study made.
#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod tiny;

use std::path::Path;

use serde_json::json;
use tiny::{Gltf, pixels, posegrid, post, said};

/// A study of a good post beside a subject that the test makes bad.
fn study(bad: &str, more: &str) -> String {
    format!(
        "[axes.who]\ngood = {{ subject = \"good.gltf\" }}\nbad = {{ subject = \"{bad}\" }}\n\
         [cell]\nclip = \"idle\"\n{more}\n[sheet]\nrows = [\"who\"]\ncell = 64\n"
    )
}

/// Runs the study and checks that `code` is named, that the good cell is made, and that the exit says so.
fn expect_hole(folder: &Path, study: &str, code: &str) {
    post(0.5).write(&folder.join("good.gltf"));
    std::fs::write(folder.join("plant.toml"), study).unwrap();
    let output = posegrid(folder, &["render", "plant.toml"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(code), "{}", said(&output));
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let cells = folder.join("out/plant/cells");
    assert!(cells.join("plant__good.png").exists(), "{}", said(&output));
    assert!(!cells.join("plant__bad.png").exists(), "a hole has no picture");
    assert!(folder.join("out/plant/sheet-01.png").exists(), "the sheet shows the hole");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_in_which_nothing_can_be_seen_is_a_hole() {
    let folder = tempfile::tempdir().unwrap();
    let mut bad = post(0.5);
    bad.materials[0] =
        json!({ "alphaMode": "MASK", "pbrMetallicRoughness": { "baseColorFactor": [1.0, 1.0, 1.0, 0.1] } });
    bad.write(&folder.path().join("bad.gltf"));
    expect_hole(folder.path(), &study("bad.gltf", ""), "CELL_BLANK");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_that_is_not_finite_is_a_hole() {
    let folder = tempfile::tempdir().unwrap();
    // Infinite light on a face that it grazes is no number; a loader cannot know it.
    let text = "[axes.who]\ngood = { subject = \"good.gltf\" }\n\
                bad = { subject = \"good.gltf\", light = { to_light = [0, 0, 1], strength_pi = 3e38 } }\n\
                [cell]\nclip = \"idle\"\n[sheet]\ncell = 64\n";
    expect_hole(folder.path(), text, "CELL_NOT_FINITE");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_of_one_colour_is_a_hole() {
    let folder = tempfile::tempdir().unwrap();
    let mut bad = post(0.5);
    bad.materials[0] = json!({ "extensions": { "KHR_materials_unlit": {} },
        "pbrMetallicRoughness": { "baseColorFactor": [0.4, 0.4, 0.4, 1.0] } });
    bad.write(&folder.path().join("bad.gltf"));
    expect_hole(folder.path(), &study("bad.gltf", ""), "CELL_ONE_COLOUR");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_clip_that_moves_nothing_is_a_hole() {
    let folder = tempfile::tempdir().unwrap();
    post(0.0).write(&folder.path().join("bad.gltf"));
    expect_hole(folder.path(), &study("bad.gltf", ""), "POSE_FROZEN");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn two_phases_that_are_the_same_pose_are_holes() {
    let folder = tempfile::tempdir().unwrap();
    post(0.5).write(&folder.path().join("good.gltf"));
    let text = "[axes.pose]\nidle = { clip = \"idle\", at = [0, 0.5] }\nwalk = { clip = \"walk\" }\n\
                [cell]\nsubject = \"good.gltf\"\n[sheet]\ncell = 64\n";
    std::fs::write(folder.path().join("plant.toml"), text).unwrap();
    let output = posegrid(folder.path(), &["render", "plant.toml"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("POSE_FROZEN") && stderr.contains("idle@0.5"), "{stderr}");
    assert!(folder.path().join("out/plant/cells/plant__walk.png").exists(), "{}", said(&output));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_variant_that_selects_nothing_is_a_hole_that_lists_the_names() {
    let folder = tempfile::tempdir().unwrap();
    post(0.5).write(&folder.path().join("good.gltf"));
    let text = "[axes.look]\nplain = {}\nbad = { hide = [\"Tusk*\"] }\n\
                [cell]\nsubject = \"good.gltf\"\nclip = \"idle\"\n[sheet]\ncell = 64\n";
    std::fs::write(folder.path().join("plant.toml"), text).unwrap();
    let output = posegrid(folder.path(), &["render", "plant.toml"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("SELECTS_NOTHING") && stderr.contains("wood") && stderr.contains("Tusk*"), "{stderr}");
    assert!(folder.path().join("out/plant/cells/plant__plain.png").exists());
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_file_that_is_no_model_is_a_hole() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.glb"), "not a model").unwrap();
    expect_hole(folder.path(), &study("bad.glb", ""), "bad.glb");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_pinned_scale_that_cuts_the_subject_is_a_hole() {
    let folder = tempfile::tempdir().unwrap();
    let mut bad = post(0.5);
    bad.nodes[1]["scale"] = json!([3.0, 3.0, 3.0]);
    bad.write(&folder.path().join("bad.gltf"));
    expect_hole(folder.path(), &study("bad.gltf", "frame = \"sheet\"\npx_per_m = 12.0"), "FRAME_CLIPPED");
}

/// Light goes through: the post of the good cell is the colour of its wood, lit.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_good_cell_shows_what_it_should() {
    let folder = tempfile::tempdir().unwrap();
    post(0.0).write(&folder.path().join("bad.gltf"));
    expect_hole(folder.path(), &study("bad.gltf", ""), "POSE_FROZEN");
    let (width, pixels) = pixels(&folder.path().join("out/plant/cells/plant__good.png"));
    let covered: Vec<_> = pixels.iter().filter(|pixel| pixel[3] == 255).collect();
    assert!(covered.len() > 64 * 64 / 20 && covered.len() < 64 * 64 / 2, "{} covered", covered.len());
    assert!(covered.iter().all(|pixel| pixel[0] > pixel[1] && pixel[1] > pixel[2]), "wood is brown");
    assert_eq!(width, 64);
}

/// The axes of the stage, as conventions have them: the front camera sees the subject's left (+X) on its
/// right, up is up, and profile stands at the subject's left, so that the facing points left.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_gizmo_shows_azimuth_left_and_right_up_and_profile() {
    let folder = tempfile::tempdir().unwrap();
    let mut gizmo = Gltf::default();
    for colour in [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]] {
        gizmo.materials.push(json!({ "extensions": { "KHR_materials_unlit": {} }, "pbrMetallicRoughness": { "baseColorFactor": colour } }));
    }
    for (at, greatest) in [[1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0]].into_iter().enumerate() {
        let mut least = [-0.1; 3];
        least[at] = 0.1;
        let mesh = gizmo.cuboid(least, greatest, at);
        gizmo.nodes.push(json!({ "name": format!("arm {at}"), "mesh": mesh }));
    }
    gizmo.write(&folder.path().join("gizmo.gltf"));
    let text = "[axes.view]\nfront = { azimuth = 0 }\nprofile = { azimuth = 90 }\nbehind = { azimuth = 180 }\n\
                above = { azimuth = 0, elevation = 80 }\n\
                [cell]\nsubject = \"gizmo.gltf\"\nforward = \"+z\"\nelevation = 0\nstyle = \"flat\"\nground = \"none\"\n[sheet]\ncell = 128\n";
    std::fs::write(folder.path().join("gizmo.toml"), text).unwrap();
    let output = posegrid(folder.path(), &["render", "gizmo.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let centre = |view: &str, channel: usize| {
        let (width, pixels) = pixels(&folder.path().join(format!("out/gizmo/cells/gizmo__{view}.png")));
        let own =
            pixels.iter().enumerate().filter(|(_, p)| p[3] == 255 && (0..3).all(|c| (p[c] > 200) == (c == channel)));
        let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
        for (at, _) in own {
            x += (at % width) as f64;
            y += (at / width) as f64;
            count += 1.0;
        }
        assert!(count > 0.0, "{view} shows arm {channel}");
        (x / count, y / count)
    };
    let (front_x, front_up, front_z) = (centre("front", 0), centre("front", 1), centre("front", 2));
    assert!(front_x.0 > front_z.0 + 10.0, "the front camera sees the subject's left on its right");
    assert!(front_up.1 < front_x.1 - 10.0, "up is up");
    let (behind_x, behind_up) = (centre("behind", 0), centre("behind", 1));
    assert!(behind_x.0 < behind_up.0 - 10.0, "from behind, left is left");
    let (profile_z, profile_up) = (centre("profile", 2), centre("profile", 1));
    assert!(profile_z.0 < profile_up.0 - 10.0, "in profile the subject faces left");
    let above_z = centre("above", 2);
    assert!(above_z.1 > centre("above", 0).1 + 10.0, "from above, the facing points down the picture");
}
