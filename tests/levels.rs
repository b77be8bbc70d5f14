//! Levels of detail through a study: what each draws, how it stands, and what is said of it.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod staged;
#[expect(dead_code, reason = "shared with tests that run the command line")]
mod tiny;

use std::path::Path;

use posegrid::base::Finding;
use posegrid::plan::Plan;
use posegrid::stage::{self, Cast, Staged};
use serde_json::json;
use tiny::{Gltf, post};

/// How a file says its levels.
#[derive(Clone, Copy)]
enum Way {
    Ladder,
    Names,
}

/// A post that bends, a box half as high that rides its upper joint, and a box as high that nothing moves.
fn bending(way: Way, bend_rad: f32) -> Gltf {
    let mut gltf = post(bend_rad);
    let coarse = gltf.cuboid([-0.2, -0.5, -0.2], [0.2, 0.0, 0.2], 0);
    let far = gltf.cuboid([-0.3, 0.0, -0.3], [0.3, 1.8, 0.3], 0);
    let (first, second) = (gltf.nodes.len(), gltf.nodes.len() + 1);
    gltf.nodes.push(json!({ "name": "post_LOD1", "mesh": coarse }));
    gltf.nodes.push(json!({ "name": "post_LOD2", "mesh": far }));
    let children = gltf.nodes[2]["children"].as_array().cloned().unwrap_or_default();
    gltf.nodes[2]["children"] = children.into_iter().chain([json!(first)]).collect();
    match way {
        Way::Names => gltf.nodes[0]["name"] = json!("post_LOD0"),
        Way::Ladder => {
            gltf.nodes[0]["name"] = json!("post");
            gltf.nodes[0]["extensions"] = json!({ "MSFT_lod": { "ids": [first, second] } });
            gltf.nodes[first]["name"] = json!("coarse");
            gltf.nodes[second]["name"] = json!("far");
            gltf.outside.push(second);
        }
    }
    gltf
}

/// The plan and cast of a study of one model.
fn cast(gltf: &Gltf, text: &str) -> (Plan, Cast) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("post.gltf");
    gltf.write(&file);
    let text = format!("[cell]\nsubject = {file:?}\n{text}\n[sheet]\ncell = 32\n");
    staged::staged(&text, Path::new("out/kit"))
}

fn scenes(gltf: &Gltf, text: &str) -> Vec<Result<Staged, Finding>> {
    let (plan, cast) = cast(gltf, text);
    plan.cells.iter().map(|cell| stage::scene(&cast, cell)).collect()
}

/// The drawn vertices of a cell, each once.
fn drawn(staged: &Staged) -> Vec<[f32; 3]> {
    let body = &staged.scene.bodies[0];
    let mut used = body.surface.indices.clone();
    used.sort_unstable();
    used.dedup();
    used.into_iter().map(|at| body.vertices[at as usize].position).collect()
}

fn top(staged: &Staged) -> f32 {
    drawn(staged).iter().map(|at| at[1]).fold(f32::MIN, f32::max)
}

const LEVELS: &str =
    "clip = \"idle\"\n[axes.level]\nfine = {}\ncoarse = { lod = 1 }\nfar = { lod = 2 }\nfurther = { lod = 9 }";

#[test]
fn each_level_draws_its_own_mesh_at_one_scale_and_in_one_frame() {
    for way in [Way::Ladder, Way::Names] {
        let cells: Vec<Staged> = scenes(&bending(way, 0.5), LEVELS).into_iter().map(Result::unwrap).collect();
        let counts: Vec<usize> = cells.iter().map(|cell| drawn(cell).len()).collect();
        // A box without normals has 36 vertices; the post is two boxes.
        assert_eq!(counts, [72, 36, 36, 36]);
        assert_ne!(drawn(&cells[1]), drawn(&cells[2]));
        assert_eq!(drawn(&cells[2]), drawn(&cells[3]));
        let heights: Vec<f64> = cells.iter().map(|cell| cell.facts.height_m.unwrap()).collect();
        assert!(heights.iter().all(|height| height.to_bits() == heights[0].to_bits()), "{heights:?}");
        let scales: Vec<f64> = cells.iter().map(|cell| cell.facts.px_per_m).collect();
        assert!(scales.iter().all(|scale| scale.to_bits() == scales[0].to_bits()), "{scales:?}");
        // Level 2 is as high as it was made, whatever the other levels do.
        assert!((top(&cells[2]) - 1.8).abs() < 1e-5, "{}", top(&cells[2]));
    }
}

#[test]
fn the_height_is_that_of_the_finest_level() {
    let mut gltf = bending(Way::Names, 0.5);
    let tall = gltf.cuboid([-0.3, -1.0, -0.3], [0.3, 9.0, 0.3], 0);
    gltf.nodes.last_mut().unwrap()["mesh"] = json!(tall);
    let plain = scenes(&post(0.5), "clip = \"idle\"\n[axes.a]\nb = {}");
    let height_m = plain[0].as_ref().unwrap().facts.height_m;
    for cell in scenes(&gltf, LEVELS) {
        assert_eq!(cell.unwrap().facts.height_m, height_m);
    }
}

#[test]
fn what_a_level_has_no_joint_for_stands_still_and_a_note_says_so() {
    let text =
        "lod = 2\n[axes.pose]\nidle = { clip = \"idle\" }\nwalk = { clip = \"walk\" }\nbind = { clip = \"bind\" }";
    let cells: Vec<Staged> = scenes(&bending(Way::Names, 0.5), text).into_iter().map(Result::unwrap).collect();
    assert!(cells.iter().all(|cell| drawn(cell) == drawn(&cells[0])));
    let coarse: Vec<Staged> = scenes(&bending(Way::Names, 0.5), &text.replace("lod = 2", "lod = 1"))
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_ne!(drawn(&coarse[0]), drawn(&coarse[1]), "a level on a joint moves");

    let codes = |lod: &str| -> Vec<(&'static str, String)> {
        let (_, cast) = cast(&bending(Way::Names, 0.5), &text.replace("lod = 2", lod));
        let findings = cast.actors[0].ready.as_ref().unwrap().actor.findings.clone();
        let levels = findings.into_iter().filter(|finding| finding.code.starts_with("LEVEL"));
        levels.map(|finding| (finding.code, finding.message)).collect()
    };
    let still = "level 2 has neither skin nor clip and stands as it is in every pose".to_owned();
    assert_eq!(codes("lod = 0"), []);
    assert_eq!(codes("lod = 2"), [("LEVEL_STATIC", still.clone())]);
    let clamped = "lod = 5 is asked for and the last level is 2, which is drawn".to_owned();
    assert_eq!(codes("lod = 5"), [("LEVEL_CLAMPED", clamped), ("LEVEL_STATIC", still)]);
}

#[test]
fn poses_are_proven_on_the_finest_level() {
    // Frozen at level 0 and, riding the same joint, at level 1; level 2 was never meant to move.
    let holes = |bend_rad: f32| -> Vec<Option<&'static str>> {
        let cells = scenes(&bending(Way::Names, bend_rad), LEVELS);
        cells.into_iter().map(|cell| cell.err().map(|finding| finding.code)).collect()
    };
    assert_eq!(holes(0.5), [None; 4]);
    assert_eq!(holes(0.0), [Some("POSE_FROZEN"), Some("POSE_FROZEN"), None, None]);
}

#[test]
fn a_name_means_its_part_at_every_level() {
    for (way, name) in [(Way::Ladder, "post"), (Way::Names, "post"), (Way::Names, "po*t")] {
        for hidden in scenes(&bending(way, 0.5), &LEVELS.replace("clip", &format!("hide = \"{name}\"\nclip"))) {
            assert_eq!(hidden.unwrap_err().code, "NOTHING_DRAWN");
        }
        let shown = scenes(&bending(way, 0.5), &format!("{LEVELS}\n[axes.look]\nx = {{ show = \"{name}\" }}"));
        assert!(shown.iter().all(Result::is_ok));
    }
    let one = scenes(&bending(Way::Names, 0.5), &format!("{LEVELS}\n[axes.look]\nx = {{ show = \"post_LOD1\" }}"));
    assert_eq!(one.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, false, false]);
}
