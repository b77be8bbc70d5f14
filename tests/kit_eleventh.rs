//! An eleventh worker, the way docs/kit.md tells it: a copied recipe with other numbers, through the program, up to a
//! picture of it.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]
#![expect(dead_code, reason = "the tests share one helper, and each uses a part of it")]

mod tiny;

use std::fs;
use std::path::Path;

use tiny::{pixels, posegrid, said};

/// The peasant's recipe with a handful of numbers and colours changed; each must be there to be changed.
fn recipe() -> String {
    let path = format!("{}/scenes/kit/workers/peasant.toml", env!("CARGO_MANIFEST_DIR"));
    let mut text = fs::read_to_string(path).unwrap();
    for (from, to) in [
        ("title = \"Human peasant\"", "title = \"Eleventh\""),
        ("height_m = 1.80", "height_m = 2.10"),
        ("shoulders = 22.5", "shoulders = 25"),
        ("naming = \"mixamo\"", "naming = \"unreal\""),
        ("linen = \"#d8cbb0\"", "linen = \"#20b040\""),
        ("crown_blue = \"#2f558f\"", "crown_blue = \"#20b040\""),
        ("trousers = \"#6b5a45\"", "trousers = \"#20b040\""),
    ] {
        assert!(text.contains(from), "the peasant's recipe says {from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// Of a picture's covered pixels, the share that is greener than red and blue, and how many are covered.
fn greenness(cell: &Path) -> (f32, usize) {
    let (_, all) = pixels(cell);
    let covered: Vec<&[u8; 4]> = all.iter().filter(|pixel| pixel[3] > 200).collect();
    let green = covered.iter().filter(|pixel| {
        let [red, green, blue] = [0, 1, 2].map(|channel| i32::from(pixel[channel]));
        green > red + 20 && green > blue + 20
    });
    (green.count() as f32 / covered.len().max(1) as f32, covered.len())
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_copied_recipe_with_other_numbers_comes_out_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::create_dir_all(place("mine/workers")).unwrap();
    fs::write(place("mine/workers/eleventh.toml"), recipe()).unwrap();
    let made = posegrid(folder.path(), &["kit", "--recipes", "mine", "-o", "made"]);
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    assert!(String::from_utf8_lossy(&made.stdout).contains("eleventh.glb (made)"), "{}", said(&made));
    let truth: serde_json::Value =
        serde_json::from_slice(&fs::read(place("made/workers/eleventh.truth.json")).unwrap()).unwrap();
    assert_eq!((truth["height_m"].as_f64(), truth["kind"].as_str()), (Some(2.1), Some("worker")));
    assert_eq!(truth["rig"]["roles"]["left_shoulder"], "upperarm_l");

    // `kit:` names what ships; one's own is named by its file, and a folder of them by a glob that truths do not match.
    let study = "[axes.who]\nfiles = \"made/workers/*\"\n[axes.pose]\nidle = { clip = \"idle\" }\nwalk = { clip = \"walk\", at = 0.25 }\n\
                 [sheet]\nrows = [\"who\"]\ncell = 128\n";
    fs::write(place("eleven.toml"), study).unwrap();
    let drawn = posegrid(folder.path(), &["render", "eleven.toml"]);
    assert_eq!(drawn.status.code(), Some(0), "{}", said(&drawn));
    let mut cells: Vec<_> =
        fs::read_dir(place("out/eleven/cells")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cells.sort();
    assert_eq!(cells.len(), 2, "{cells:?}");
    for cell in &cells {
        let (green, covered) = greenness(cell);
        assert!(covered > 1500 && green > 0.2, "{}: {green} of {covered} pixels are green", cell.display());
    }
    assert!(fs::read(&cells[0]).unwrap() != fs::read(&cells[1]).unwrap(), "it stands and walks");
}
