//! Sheets of every kind for a person to look at: `cargo test --test sheet_gallery -- --ignored`.

#![expect(clippy::unwrap_used, reason = "functions beside the tests are tests too")]

mod sheet_fixtures;

use std::path::Path;

use posegrid::run::CellResult;
use posegrid::sheet::{Book, Layout, Provenance};
use posegrid::study::{Study, Theme};
use sheet_fixtures::{COLUMNS, hole, made, plan, study};

fn provenance() -> Provenance {
    Provenance {
        study: "carry".to_owned(),
        version: "0.1.0".to_owned(),
        adapter: "llvmpipe (LLVM 15.0.6, 256 bits), Vulkan, Mesa 22.3.6".to_owned(),
        date: None,
        warnings: vec![
            "Fox.glb: KHR_materials_sheen not honoured".to_owned(),
            "knight.glb: clip \"walk\" is Walking_A; there are also Walking_B, Walking_C".to_owned(),
        ],
    }
}

fn bind(name: &str, study: &Study, keep: impl Fn(&[usize]) -> bool, result: impl Fn(usize) -> CellResult) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery").join(name);
    let plan = plan(study, keep);
    let layout = Layout::new(study, &plan);
    let order = layout.order();
    let mut book = Book::open(&folder, layout, &COLUMNS, provenance()).unwrap();
    for cell in order {
        book.place(&result(cell)).unwrap();
    }
    println!("{}: {:?}", folder.display(), book.finish(&[]).unwrap());
}

const WORKERS: [&str; 10] = [
    "barbarian",
    "knight",
    "mage",
    "rogue",
    "rogue_hooded",
    "skeleton_mage",
    "skeleton_minion",
    "orc",
    "fox",
    "cesium_man",
];
const LOADS: [&str; 4] = ["none", "gold", "wood", "barrel"];
const POSES: [&str; 2] = ["idle", "walk@0.25"];

#[test]
#[ignore = "writes pictures to look at"]
fn one_row() {
    let study = study(&[("worker", &WORKERS[..5])], &[], &["worker"], &[], [256, 256]);
    bind("one_row", &study, |_| true, |cell| made(cell, [256, 256]));
}

#[test]
#[ignore = "writes pictures to look at"]
fn ten_by_eight() {
    let axes: [(&str, &[&str]); 3] = [("worker", &WORKERS), ("load", &LOADS), ("pose", &POSES)];
    let mut study = study(&axes, &["worker"], &["load", "pose"], &[], [256, 256]);
    bind(
        "ten_by_eight",
        &study,
        |v| v != [2, 1, 0],
        |cell| if cell % 17 == 5 { hole(cell) } else { made(cell, [256, 256]) },
    );
    study.sheet.theme = Theme::Dark;
    study.sheet.captions = vec!["luma8_sd".to_owned(), "px_per_m".to_owned()];
    bind(
        "ten_by_eight_dark",
        &study,
        |_| true,
        |cell| if cell % 17 == 5 { hole(cell) } else { made(cell, [256, 256]) },
    );
}

#[test]
#[ignore = "writes pictures to look at"]
fn tall() {
    let names: Vec<String> = (0..60).map(|at| format!("individual {at:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let axes: [(&str, &[&str]); 4] =
        [("view", &["front", "behind"]), ("species", &["human", "orc"]), ("who", &names), ("pose", &POSES)];
    let study = study(&axes, &["species", "who"], &["pose"], &["view"], [128, 128]);
    bind("tall", &study, |v| (v[1] == 0) == (v[2] < 40), |cell| made(cell, [128, 128]));
}

#[test]
#[ignore = "writes pictures to look at"]
fn long_names_and_other_scripts() {
    let long = [
        "Barbarian_with_the_very_long_name_of_the_northern_pack_A",
        "Рыцарь в доспехах",
        "Ἀχιλλεύς",
        "فارس",
        "騎士",
        "é̂ combining naïve ☺",
        "SupercalifragilisticexpialidociousWithoutAnyBreaksAtAll",
    ];
    let columns =
        ["a_column_heading_that_is_far_too_long_for_its_cell_and_wraps_and_wraps_and_wraps", "short", "факел"];
    let axes: [(&str, &[&str]); 2] = [("worker", &long), ("load carried on the back", &columns)];
    let mut study = study(&axes, &["worker"], &["load carried on the back"], &[], [128, 128]);
    study.sheet.captions = vec!["name".to_owned(), "luma8_sd".to_owned()];
    study.title =
        "A title that is a good deal longer than the sheet is wide, so that it has to wrap on to a second line"
            .to_owned();
    bind("long_names", &study, |_| true, |cell| made(cell, [128, 128]));
}

#[test]
#[ignore = "writes pictures to look at"]
fn groups_both_ways() {
    let axes: [(&str, &[&str]); 4] =
        [("species", &["human", "orc"]), ("worker", &WORKERS[..3]), ("load", &LOADS[..3]), ("pose", &POSES)];
    let mut study = study(&axes, &["species", "worker"], &["load", "pose"], &[], [160, 160]);
    study.sheet.captions = vec!["luma8_sd".to_owned()];
    bind("groups", &study, |_| true, |cell| if cell == 8 { hole(cell) } else { made(cell, [160, 160]) });
}

#[test]
#[ignore = "writes pictures to look at"]
fn tiny_cells() {
    let axes: [(&str, &[&str]); 3] = [("worker", &WORKERS), ("load", &LOADS), ("pose", &POSES)];
    let mut study = study(&axes, &["worker"], &["load", "pose"], &[], [32, 32]);
    let result = |cell: usize| if cell % 17 == 5 { hole(cell) } else { made(cell, [32, 32]) };
    bind("tiny", &study, |_| true, result);
    study.sheet.captions = vec!["luma8_sd".to_owned()];
    bind("tiny_captions", &study, |_| true, result);
}

#[test]
#[ignore = "writes pictures to look at"]
fn large_cells() {
    let axes: [(&str, &[&str]); 3] = [("worker", &WORKERS[..3]), ("load", &LOADS), ("light", &["noon", "15:30"])];
    let mut study = study(&axes, &["worker"], &["load"], &["light"], [512, 512]);
    study.sheet.captions =
        vec!["name".to_owned(), "size".to_owned(), "luma8_sd".to_owned(), "head.luma8_sd".to_owned()];
    bind(
        "large",
        &study,
        |_| true,
        |cell| if cell == 4 { hole(cell) } else { made(cell, [[512, 512], [72, 72]][cell % 2]) },
    );
}
