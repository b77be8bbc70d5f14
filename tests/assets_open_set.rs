//! Every character of the open set: drawn, posed, upright, facing the viewer, in its own colours.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod model_files;
mod real_models;
mod runs;
mod staged;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use glam::Vec3;
use model_files::models_under;
use posegrid::plan::{Cell, PoseSpec};
use posegrid::rig::Role;
use posegrid::stage::{self, Actor, Cast, Staged};
use real_models::assets;
use runs::{Run, report};
use staged::staged;

/// What of a character shows which way it faces, as a look at the file tells.
enum Front {
    /// The soles stick out ahead of the ankles above them.
    Soles,
    /// The second node is ahead of the first.
    Nodes(&'static str, &'static str),
    /// This material's surface is ahead of everything drawn.
    Material(&'static str),
}

/// A file, the clips that it is drawn in (the bind pose where it has none) and what shows its front.
struct Subject {
    file: &'static str,
    clips: &'static [&'static str],
    front: Front,
    /// Colours that its texture shows at 128 px without any light, at least; 0 without a texture, which
    /// leaves what the materials and their seams make.
    colours: usize,
}

const fn subject(file: &'static str, clips: &'static [&'static str], front: Front, colours: usize) -> Subject {
    Subject { file, clips, front, colours }
}

const DRAWN: [Subject; 16] = [
    subject("humanoids/kaykit_barbarian/Barbarian.glb", &["idle", "walk"], Front::Soles, PAINTED),
    subject("humanoids/kaykit_mannequin/manny_med_mod.gltf", &["walk", "Running_A"], Front::Soles, PAINTED),
    subject("humanoids/quaternius_knight/KnightCharacter.glb", &["idle", "walk"], Front::Soles, 0),
    subject("humanoids/quaternius_farmer/Farmer.glb", &[], Front::Soles, 0),
    subject("humanoids/quaternius_bunny_hero/Character.glb", &["idle", "walk"], Front::Material("EyeColor"), 0),
    subject("humanoids/cesium_man/CesiumMan.glb", &[""], Front::Soles, PAINTED),
    subject("humanoids/rigged_figure/RiggedFigure.glb", &[""], Front::Soles, 0),
    subject("humanoids/godot_robot/player.glb", &["idle", "walk"], Front::Soles, 0),
    subject(
        "humanoids/dancing_rabbit/scene.gltf",
        &["mixamo.com"],
        Front::Nodes("mixamorig:LeftFoot_026", "mixamorig:LeftToeBase_027"),
        PAINTED,
    ),
    subject("humanoids/robot_expressive/robot_expressive.glb", &["idle", "walk"], Front::Soles, 0),
    subject("humanoids/m2m_human/m2m-custom-animtion-success.glb", &["New Custom"], Front::Soles, PATCHED),
    subject("humanoids/mh_dwarf_meshystyle/mh_dwarf_meshystyle.glb", &["idle", "walk"], Front::Soles, PAINTED),
    subject("humanoids/mh_woman_manny89/mh_woman_manny89.glb", &["idle", "walk"], Front::Soles, 0),
    subject(
        "heads/mh_head_facerig/mh_head_facerig_60bones_12morphs.glb",
        &["look_around_and_talk"],
        Front::Material("eye"),
        0,
    ),
    subject("heads/ict_head/ict_head_arkit_8shapes_cm.glb", &[], Front::Material("eye"), 0),
    subject("heads/godette_vrm/Godette_vrm_v4.vrm", &[], Front::Soles, PAINTED),
];

/// Clips for the mannequin, whose own file has none.
const CLIPS: &str = "humanoids/kaykit_mannequin_clips/Med_MovementBasic.glb";

/// Files that need a decoder, and the extension that says so.
const ENCODED: [(&str, &str); 3] = [
    ("humanoids/kaykit_mage_opt/Mage.glb", "EXT_meshopt_compression"),
    ("humanoids/kenney_zombie_draco/model.gltf", "KHR_draco_mesh_compression"),
    ("humanoids/quaternius_orc_meshopt/Orc.glb", "EXT_meshopt_compression"),
];

/// A texture with the character painted on it.
const PAINTED: usize = 100;
/// A texture of four flat tones on one material.
const PATCHED: usize = 5;
/// What materials alone make: at most eight colours, and blends where two meet.
const UNPAINTED: usize = 40;

fn toml_path(file: &str) -> String {
    format!("{:?}", assets().join(file).display().to_string())
}

/// A row a file and pose, seen from the front, in its flat colours.
fn study() -> String {
    let mut text =
        "[cell]\nazimuth = 0\nstyle = \"flat\"\nground = \"none\"\n[sheet]\ncell = 128\n[axes.who]\n".to_owned();
    for (at, subject) in DRAWN.iter().enumerate() {
        let more = if subject.file.contains("mannequin") {
            format!(", clip_files = [{}]", toml_path(CLIPS))
        } else {
            String::new()
        };
        let file = toml_path(subject.file);
        if subject.clips.is_empty() {
            let _ = writeln!(text, "s{at} = {{ subject = {file}{more} }}");
        }
        for (clip_at, clip) in subject.clips.iter().enumerate() {
            let _ = writeln!(text, "s{at}_{clip_at} = {{ subject = {file}{more}, clip = {clip:?}, at = 0.25 }}");
        }
    }
    text
}

fn encoded_rows() -> String {
    let row = |(at, (file, _)): (usize, &(&str, &str))| format!("encoded{at} = {{ subject = {} }}\n", toml_path(file));
    ENCODED.iter().enumerate().map(row).collect()
}

/// The subject that a cell of [`study`] shows.
fn subject_of(cell: &Cell) -> &'static Subject {
    let written = &cell.spec.subject.file.written;
    DRAWN.iter().find(|subject| written.ends_with(subject.file)).unwrap()
}

/// Every cell of the study, staged.
fn each_cell(mut check: impl FnMut(&'static Subject, &Cell, &Actor, &Staged)) {
    let (plan, cast) = staged(&study(), Path::new(""));
    for cell in &plan.cells {
        let staged = stage::scene(&cast, cell).unwrap_or_else(|finding| panic!("{}: {finding}", cell.name));
        check(subject_of(cell), cell, actor(&cast, cell), &staged);
    }
}

fn actor<'a>(cast: &'a Cast, cell: &Cell) -> &'a Actor {
    let member = cast.actors.iter().find(|member| member.spec == cell.spec.subject).unwrap();
    &member.ready.as_ref().unwrap().actor
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn the_tables_hold_every_file_of_the_set() {
    let mut listed: Vec<&str> = DRAWN.iter().map(|subject| subject.file).collect();
    listed.extend(ENCODED.map(|(file, _)| file));
    listed.push(CLIPS);
    listed.sort_unstable();
    assert_eq!([models_under(&assets(), "heads"), models_under(&assets(), "humanoids")].concat(), listed);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_character_is_drawn_in_its_pose_and_its_colours() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::render(folder.path(), "open", &(study() + &encoded_rows()));
    assert_eq!(run.code, Some(3), "{run}");
    assert!(!run.stderr.contains("panicked"), "{run}");
    let results = folder.path().join("out/open");
    let report = report(&results);
    for cell in report["cells"].as_array().unwrap() {
        let name = cell["name"].as_str().unwrap();
        assert_eq!(cell["outcome"], if name.contains("encoded") { "hole" } else { "made" }, "{cell:#}\n{run}");
    }
    for (at, (file, extension)) in ENCODED.iter().enumerate() {
        let cells = report["cells"].as_array().unwrap();
        let cell = cells.iter().find(|cell| cell["name"] == format!("open/encoded{at}")).unwrap();
        assert!(cell["reason"]["place"].as_str().unwrap().contains(file), "{cell:#}");
        assert!(cell["reason"]["message"].as_str().unwrap().contains(extension), "{cell:#}");
        assert!(run.stderr.lines().any(|line| line.contains(file) && line.contains(extension)), "{run}");
    }
    // A hundredth of the height: a pose that does nothing moves a vertex by less than a ten-thousandth.
    let poses = report["poses"].as_array().unwrap();
    let clips: usize = DRAWN.iter().map(|subject| subject.clips.len()).sum();
    let clip_poses: Vec<_> = poses.iter().filter(|pose| pose["pose"] != "bind").collect();
    assert_eq!(clip_poses.len(), clips, "{poses:#?}");
    for pose in clip_poses {
        assert!(pose["from_bind"].as_f64().unwrap() > 0.01, "{pose:#}");
        let nearest = pose["from_nearest"][1].as_f64();
        assert!(nearest.is_none_or(|share| share > 0.01), "{pose:#}");
    }
    for (at, subject) in DRAWN.iter().enumerate() {
        let stem = if subject.clips.is_empty() { format!("open__s{at}.png") } else { format!("open__s{at}_0.png") };
        let colours = colours_in(&results.join("cells").join(stem));
        let expected = if subject.colours > 0 { subject.colours..=usize::MAX } else { 1..=UNPAINTED };
        assert!(expected.contains(&colours), "{}: {colours} colours", subject.file);
    }
}

/// Different colours of the fully covered pixels whose neighbours are so too.
fn colours_in(picture: &Path) -> usize {
    let image = image::open(picture).unwrap().to_rgba8();
    let inner = |x: u32, y: u32| {
        let near = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (1, 2), (1, 1)];
        near.iter().all(|(dx, dy)| image.get_pixel(x + dx - 1, y + dy - 1).0[3] == 255)
    };
    let (width, height) = image.dimensions();
    let places = (1..width - 1).flat_map(|x| (1..height - 1).map(move |y| (x, y)));
    places.filter(|(x, y)| inner(*x, *y)).map(|(x, y)| image.get_pixel(x, y).0).collect::<BTreeSet<_>>().len()
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_character_stands_upright() {
    each_cell(|subject, cell, actor, staged| {
        let pose = actor.pose(&cell.spec.pose).unwrap();
        let joint = |role| {
            actor.anatomy.get(role).map(|node| actor.in_stage(pose.pose.model_from_node[node.at()].w_axis.truncate()))
        };
        let height = actor.placement.height_m;
        if subject.file.starts_with("humanoids") || subject.file.contains("godette") {
            let (head, hips) = (joint(Role::Head).unwrap(), joint(Role::Hips).unwrap());
            assert!(head.y - hips.y > 0.15 * height, "{}: head {head}, hips {hips}", subject.file);
        } else {
            let (eyes, teeth) = (of_material(actor, staged, "eye"), of_material(actor, staged, "teeth"));
            assert!(eyes.y - teeth.y > 0.1 * height, "{}: eyes {eyes}, teeth {teeth}", subject.file);
        }
        let lowest =
            staged.scene.bodies[0].vertices.iter().map(|vertex| vertex.position[1]).fold(f32::INFINITY, f32::min);
        assert!(lowest.abs() < 0.15 * height, "{}: feet at {lowest} m", cell.name);
    });
}

#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn every_character_faces_the_viewer() {
    each_cell(|subject, cell, actor, staged| {
        let camera = &staged.scene.camera;
        assert!(camera.eye_in_stage.z > 1.0e-3 && camera.back_in_stage.z > 0.9, "the front camera stands on +Z");
        let height = actor.placement.height_m;
        let bind: Vec<Vec3> = actor.bind_mesh.positions().map(|point| actor.in_stage(point)).collect();
        let ahead = match subject.front {
            Front::Soles => middle(&bind, 0.0, 0.03 * height) - middle(&bind, 0.06 * height, 0.14 * height),
            Front::Nodes(behind, ahead) => node(actor, ahead) - node(actor, behind),
            Front::Material(name) => of_material(actor, staged, name) - middle(&drawn(staged), f32::MIN, f32::MAX),
        };
        assert!(ahead.z > 0.01 * height && ahead.z > ahead.x.abs(), "{}: {ahead}", cell.name);
    });
}

/// Arms that hang are a pose that a clip has put on: every rig of the set binds with its arms out. The
/// robot of Godot has no hands to look for.
#[test]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn no_character_that_has_an_idle_clip_stands_in_its_bind_pose() {
    let mut checked = 0;
    each_cell(|subject, cell, actor, _| {
        let idle = matches!(&cell.spec.pose, PoseSpec::Clip { name, .. } if name == "idle");
        if !idle || subject.file.contains("godot_robot") {
            return;
        }
        let pose = actor.pose(&cell.spec.pose).unwrap().pose;
        for (hand, shoulder) in [(Role::LeftHand, Role::LeftShoulder), (Role::RightHand, Role::RightShoulder)] {
            let at = |role| {
                let node = actor.anatomy.require(role).unwrap();
                actor.in_stage(pose.model_from_node[node.at()].w_axis.truncate())
            };
            let drop = at(shoulder).y - at(hand).y;
            assert!(drop > 0.08 * actor.placement.height_m, "{}: the hand hangs {drop} m", cell.name);
        }
        checked += 1;
    });
    assert_eq!(checked, DRAWN.iter().filter(|subject| subject.clips.contains(&"idle")).count() - 1);
}

/// A node of the bind pose, by name.
fn node(actor: &Actor, name: &str) -> Vec3 {
    let found = actor.model.nodes.iter().position(|node| node.name.as_deref() == Some(name)).unwrap();
    actor.in_stage(actor.bind.model_from_node[found].w_axis.truncate())
}

/// The middle of the box round the points of a slab.
fn middle(points: &[Vec3], from_y: f32, to_y: f32) -> Vec3 {
    let within = points.iter().filter(|point| (from_y..=to_y).contains(&point.y));
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (least, greatest) = within.fold(none, |(least, greatest), point| (least.min(*point), greatest.max(*point)));
    (least + greatest) / 2.0
}

fn drawn(staged: &Staged) -> Vec<Vec3> {
    staged.scene.bodies[0].vertices.iter().map(|vertex| Vec3::from(vertex.position)).collect()
}

/// The mean of the triangle corners that have a material.
fn of_material(actor: &Actor, staged: &Staged, name: &str) -> Vec3 {
    let material = actor.model.materials.iter().position(|material| material.name.as_deref() == Some(name)).unwrap();
    let body = &staged.scene.bodies[0];
    let draws = body.surface.draws.iter().filter(|draw| draw.material == material);
    let corners = draws.flat_map(|draw| &body.surface.indices[draw.indices.start as usize..draw.indices.end as usize]);
    let (sum, count) = corners.fold((Vec3::ZERO, 0.0), |(sum, count), at| {
        (sum + Vec3::from(body.vertices[*at as usize].position), count + 1.0)
    });
    sum / count
}
