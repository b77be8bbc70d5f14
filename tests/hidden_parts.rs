//! What a file hides, and the regions of a head that it names: what a study makes of them.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod staged;
#[expect(dead_code, reason = "shared with tests that run the command line")]
mod tiny;

use std::path::Path;

use posegrid::stage::{self, Mask, Surface};
use serde_json::{Value, json};
use tiny::Gltf;

fn hidden() -> Value {
    json!({ "KHR_node_visibility": { "visible": false } })
}

/// A face of 1 m with an eye in it, short hair, and long hair that the file hides, as if 0.5 m taller.
fn head(folder: &Path) {
    let mut gltf = Gltf::default();
    gltf.materials.push(json!({ "name": "clay" }));
    let boxes = [
        ("face", [[-0.5, 0.0, -0.5], [0.5, 1.0, 0.5]]),
        ("eye", [[-0.1, 0.5, 0.5], [0.1, 0.6, 0.6]]),
        ("short", [[-0.5, 0.9, -0.6], [0.5, 1.0, -0.5]]),
        ("long", [[-0.5, 1.0, -0.6], [0.5, 1.5, -0.5]]),
    ];
    for (name, [least, greatest]) in boxes {
        let mesh = gltf.cuboid(least, greatest, 0);
        gltf.nodes.push(json!({ "name": name, "mesh": mesh }));
    }
    gltf.nodes[0]["extras"] = json!({ "posegrid": { "mask": "face" } });
    gltf.nodes[1]["extras"] = json!({ "posegrid": { "mask": "eyes" } });
    gltf.nodes[3]["extensions"] = hidden();
    gltf.write(&folder.join("head.gltf"));
}

/// The surfaces of a study's cells, with the subject's height.
fn surfaces(axes: &str) -> Vec<(Surface, f64)> {
    let folder = tempfile::tempdir().unwrap();
    head(folder.path());
    let file = folder.path().join("head.gltf");
    let text = format!("[cell]\nsubject = {file:?}\n{axes}\n[sheet]\ncell = 32\n");
    let (plan, cast) = staged::staged(&text, Path::new("out/kit"));
    let one = |cell| {
        let staged = stage::scene(&cast, cell).unwrap();
        (Surface::clone(&staged.scene.bodies[0].surface), staged.facts.height_m.unwrap())
    };
    plan.cells.iter().map(one).collect()
}

/// Which of the four boxes are drawn: a box is 12 triangles of three vertices each, in the file's order.
fn drawn(surface: &Surface) -> Vec<u32> {
    let mut boxes: Vec<u32> = surface.indices.iter().map(|vertex| vertex / 36).collect();
    boxes.dedup();
    boxes
}

/// Boxes that count towards a mask.
fn masked(surface: &Surface, mask: Mask) -> Vec<u32> {
    let draws = surface.draws.iter().filter(|draw| draw.masks.has(mask));
    let mut boxes: Vec<u32> = draws.map(|draw| surface.indices[draw.indices.start as usize] / 36).collect();
    boxes.dedup();
    boxes
}

#[test]
fn what_the_file_hides_is_not_drawn_and_counts_for_no_height() {
    let cells = surfaces("azimuth = 0\n[axes.look]\nplain = {}");
    assert_eq!(drawn(&cells[0].0), [0, 1, 2]);
    assert!((cells[0].1 - 1.0).abs() < 1e-6, "{}", cells[0].1);
}

#[test]
fn show_brings_it_back_beside_the_rest_or_alone_with_what_else_is_named() {
    let cells = surfaces(
        "[axes.look]\nboth = { show = \"long\" }\nchanged = { show = \"l*g\", hide = \"short\" }\n\
         alone = { show = [\"face\", \"long\"] }\nold = { show = \"short\" }\n\
         none = { show = \"long\", hide = \"long\" }",
    );
    let all: Vec<_> = cells.iter().map(|(surface, _)| drawn(surface)).collect();
    assert_eq!(all, [vec![0, 1, 2, 3], vec![0, 1, 3], vec![0, 3], vec![2], vec![0, 1, 2]]);
    assert!(cells.iter().all(|(_, height_m)| (height_m - 1.0).abs() < 1e-6), "one scale for all looks");
}

#[test]
fn masks_of_the_file_are_those_of_a_study_that_says_nothing() {
    let cells =
        surfaces("[axes.look]\nfile = {}\nstudy = { face = { nodes = \"short\" }, eyes = { nodes = \"face\" } }");
    let (file, study) = (&cells[0].0, &cells[1].0);
    assert_eq!((masked(file, Mask::Face), masked(file, Mask::Eyes)), (vec![0, 1], vec![1]));
    assert_eq!((masked(study, Mask::Face), masked(study, Mask::Eyes)), (vec![2], vec![0]));
}
