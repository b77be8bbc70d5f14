//! Rigs whose names lie still carry on their backs: left and right swapped, a spine named from the top.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod runs;
mod staged;

use std::fmt::Write as _;
use std::path::Path;

use glam::Vec3;
use posegrid::plan::Cell;
use posegrid::rig::Role;
use posegrid::stage::{self, Actor, Cast};
use runs::{Run, report};
use staged::staged;

/// Worker, whether its left and right are swapped, its hands by their names, the joint that loads ride.
const WORKERS: [(&str, bool, [&str; 2], &str); 3] = [
    ("workers/orc", true, ["Bip01 L Hand", "Bip01 R Hand"], "Bip01 Spine2"),
    ("workers/elf", false, ["LeftHand", "RightHand"], "Spine"),
    ("workers/dwarf", false, ["mixamorig:LeftHand", "mixamorig:RightHand"], "mixamorig:Spine2"),
];
const LOADS: [&str; 3] = ["loads/gold", "loads/lumber", "loads/stone"];

fn study() -> String {
    let mut text = "[axes.worker]\n".to_owned();
    for (worker, ..) in WORKERS {
        let _ = writeln!(text, "{:?} = {{ subject = \"kit:{worker}\" }}", worker.replace('/', "_"));
    }
    text.push_str("[axes.load]\n");
    for load in LOADS {
        let _ = writeln!(text, "{:?} = {{ load = \"kit:{load}\" }}", load.replace('/', "_"));
    }
    text + "[axes.pose]\nbind = {}\nidle = { clip = \"idle\" }\nwalk = { clip = \"walk\", at = [0, 0.25, 0.5, 0.75] }\n"
}

fn actor<'a>(cast: &'a Cast, cell: &Cell) -> &'a Actor {
    let member = cast.actors.iter().find(|member| member.spec == cell.spec.subject).unwrap();
    &member.ready.as_ref().unwrap().actor
}

fn build(folder: &Path) {
    let names: Vec<&str> = WORKERS.iter().map(|(worker, ..)| *worker).chain(LOADS).collect();
    posegrid::kit::build(folder, Some(&names)).unwrap();
}

#[test]
fn the_workers_are_what_this_test_takes_them_for() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path());
    let (plan, cast) = staged(&study(), folder.path());
    for (worker, swapped, hands, chest) in WORKERS {
        let cell = plan.cells.iter().find(|cell| cell.spec.subject.file.written.ends_with(worker)).unwrap();
        let actor = actor(&cast, cell);
        let [left, right] = hands.map(|name| {
            let node = actor.model.nodes.iter().position(|node| node.name.as_deref() == Some(name)).unwrap();
            actor.in_stage(actor.bind.model_from_node[node].w_axis.truncate())
        });
        // The subject faces +Z, so its left is +X.
        assert_eq!(left.x < right.x, swapped, "{worker}: {hands:?} at {left} and {right}");
        let torso = actor.torso.as_ref().unwrap();
        assert_eq!(torso.mirrored, swapped, "{worker}");
        assert_eq!(actor.model.node_name(torso.chest), chest, "{worker}");
    }
}

/// The load's middle is further back (-Z) than any vertex of the torso that is as high and near the
/// spine, in every pose; and it is on the spine's height, between hips and head.
#[test]
fn a_load_is_behind_the_torso_in_every_pose() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path());
    let (plan, cast) = staged(&study(), folder.path());
    assert_eq!(plan.cells.len(), WORKERS.len() * LOADS.len() * 6);
    for cell in &plan.cells {
        let actor = actor(&cast, cell);
        let staged = stage::scene(&cast, cell).unwrap_or_else(|finding| panic!("{}: {finding}", cell.name));
        let vertices =
            |body: usize| staged.scene.bodies[body].vertices.iter().map(|vertex| Vec3::from(vertex.position));
        let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (least, greatest) = vertices(1).fold(none, |(least, greatest), at| (least.min(at), greatest.max(at)));
        let load = (least + greatest) / 2.0;
        let height = actor.placement.height_m;
        let pose = actor.pose(&cell.spec.pose).unwrap().pose;
        let joint = |role| {
            let node = actor.anatomy.require(role).unwrap();
            actor.in_stage(pose.model_from_node[node.at()].w_axis.truncate())
        };
        let (hips, chest, head) = (joint(Role::Hips), joint(Role::Chest), joint(Role::Head));
        assert!(load.z < chest.z - 0.03 * height, "{}: load {load}, chest {chest}", cell.name);
        assert!((hips.y..head.y).contains(&load.y), "{}: load {load}, hips {hips}, head {head}", cell.name);
        assert!((load.x - chest.x).abs() < 0.1 * height, "{}: load {load}, chest {chest}", cell.name);
        let near = |at: &Vec3| (at.y - load.y).abs() < 0.04 * height && (at.x - load.x).abs() < 0.05 * height;
        let back = vertices(0).filter(near).map(|at| at.z).fold(f32::INFINITY, f32::min);
        assert!(back.is_finite() && load.z < back, "{}: load {load}, back at {back}", cell.name);
    }
}

/// The picture agrees: from behind the load is in sight, from the front the worker hides most of it.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_load_is_seen_from_behind() {
    let folder = tempfile::tempdir().unwrap();
    let study = "[axes.worker]\nfiles = [\"kit:workers/orc\", \"kit:workers/elf\"]\n\
                 [axes.view]\nfront = {}\nbehind = { azimuth = 180 }\n\
                 [cell]\nload = \"kit:loads/gold\"\nclip = \"walk\"\nelevation = 0\n[sheet]\ncell = 96\n";
    let run = Run::render(folder.path(), "swapped", study);
    assert_eq!(run.code, Some(0), "{run}");
    let results = folder.path().join("out/swapped");
    for model in report(&results)["models"].as_array().unwrap().iter().take(2) {
        let expected = if model["file"] == "kit:workers/orc" { "Bip01 Spine2" } else { "Spine" };
        assert_eq!(model["facts"]["loads_ride"], expected, "{model:#}");
    }
    let table = std::fs::read_to_string(results.join("metrics.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (worker, view, mask, area) = (at("worker"), at("view"), at("mask"), at("area_px"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let load_px = |who: &str, from: &str| -> f64 {
        let row = rows.iter().find(|row| &row[worker] == who && &row[view] == from && &row[mask] == "load");
        row.map_or(0.0, |row| row[area].parse().unwrap())
    };
    for who in ["orc", "elf"] {
        let (front, behind) = (load_px(who, "front"), load_px(who, "behind"));
        assert!(behind > 100.0 && behind > 3.0 * front, "{who}: {front} px from the front, {behind} px from behind");
    }
}
