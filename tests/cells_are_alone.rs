//! A cell is the same bytes alone and among others, in any order, on any number of threads.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use runs::{Run, report};
use serde_json::Value;
use tempfile::TempDir;

/// The axes in the order in which the study is written; what they hold is the same in any.
const AXES: [(&str, &str); 4] = [
    ("worker", "files = [\"kit:workers/gnome\", \"kit:workers/troll\"]"),
    ("load", "none = {}\ngold = { load = \"kit:loads/gold\" }"),
    ("pose", "idle = { clip = \"idle\" }\nwalk = { clip = \"walk\", at = 0.25 }"),
    // Each view is framed in another scope: the subject, its row, the whole sheet.
    ("view", "front = {}\nbehind = { azimuth = 180, frame = \"row\" }\nprofile = { azimuth = 90, frame = \"sheet\" }"),
];

fn study(axes: [usize; 4]) -> String {
    let axes: String = axes.iter().map(|at| format!("[axes.{}]\n{}\n", AXES[*at].0, AXES[*at].1)).collect();
    axes + "[sheet]\nrows = [\"load\"]\ncolumns = [\"worker\", \"pose\", \"view\"]\ncell = 64\n"
}

/// A folder with the kit and the whole study, rendered.
static WHOLE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::render(folder.path(), "alone", &study([0, 1, 2, 3]));
    assert_eq!(run.code, Some(0), "{run}");
    folder
});

fn whole() -> PathBuf {
    WHOLE.path().join("out/alone")
}

/// The results of the study rendered again, beside the first ones.
fn again(out: &str, more: &[&str], env: &[(&str, &str)]) -> PathBuf {
    let run = Run::of(WHOLE.path(), &[&["render", "alone.toml", "--out", out], more].concat(), env);
    assert_eq!(run.code, Some(0), "{run}");
    WHOLE.path().join(out).join("alone")
}

/// Every file of a folder of results, by its path in it.
fn files(results: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![results.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.strip_prefix(results).unwrap().to_path_buf(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn assert_same_files(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{} differs", name.display());
    }
}

/// The rows of metrics.csv of one cell, by its values.
fn rows_of(results: &Path, values: [&str; 4]) -> Vec<String> {
    let text = std::fs::read_to_string(results.join("metrics.csv")).unwrap();
    let holds = |line: &&str| values.iter().all(|value| line.split(',').any(|field| field == *value));
    text.lines().filter(holds).map(str::to_owned).collect()
}

/// What run.json says of one cell.
fn cell_of(report: &Value, name: &str) -> Value {
    report["cells"].as_array().unwrap().iter().find(|cell| cell["name"] == name).unwrap().clone()
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_alone_is_byte_for_byte_the_cell_of_the_whole_study() {
    for (at, values) in [
        ["gnome", "none", "idle", "front"],
        ["troll", "none", "walk", "front"],
        ["gnome", "none", "idle", "behind"],
        ["gnome", "gold", "walk", "profile"],
    ]
    .into_iter()
    .enumerate()
    {
        let filters: Vec<String> =
            std::iter::zip(AXES, values).map(|((axis, _), value)| format!("{axis}={value}")).collect();
        let only: Vec<&str> = filters.iter().flat_map(|filter| ["--only", filter]).collect();
        let alone = again(&format!("alone{at}"), &only, &[]);
        let picture = format!("cells/alone__{}.png", values.join("__"));
        assert_eq!(files(&alone.join("cells")).len(), 1, "{picture} is drawn alone");
        let read = |results: &Path| std::fs::read(results.join(&picture)).unwrap();
        assert!(read(&alone) == read(&whole()), "{picture} differs");
        let rows = rows_of(&whole(), values);
        assert!(!rows.is_empty(), "the whole table has {values:?}");
        assert_eq!(rows_of(&alone, values), rows);
        let name = format!("alone/{}", values.join("/"));
        assert_eq!(cell_of(&report(&alone), &name), cell_of(&report(&whole()), &name));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn cells_do_not_depend_on_the_order_in_which_a_study_has_its_axes() {
    let run = Run::render(WHOLE.path(), "turned", &study([3, 2, 1, 0]));
    assert_eq!(run.code, Some(0), "{run}");
    let turned = WHOLE.path().join("out/turned");
    let (one, other) = (files(&whole().join("cells")), files(&turned.join("cells")));
    assert_eq!((one.len(), other.len()), (24, 24));
    for (name, bytes) in one {
        let stem = name.file_stem().unwrap().to_str().unwrap();
        let mut values: Vec<&str> = stem.split("__").skip(1).collect();
        values.reverse();
        let same = PathBuf::from(format!("turned__{}.png", values.join("__")));
        let decoded = |bytes: &[u8]| image::load_from_memory(bytes).unwrap().to_rgba8();
        assert!(decoded(&bytes) == decoded(&other[&same]), "{stem} differs");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_run_does_not_depend_on_its_workers_or_the_drivers_threads() {
    let settings = [("1", "0"), ("2", "1"), ("1", "2")];
    for (workers, threads) in settings {
        let out = format!("workers{workers}_threads{threads}");
        let results = again(&out, &["--workers", workers], &[("LP_NUM_THREADS", threads)]);
        assert_same_files(&whole(), &results);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_run_leaves_the_same_files_every_time() {
    let results = again("twice", &[], &[]);
    assert_same_files(&whole(), &results);
    let names: Vec<String> = files(&results).keys().map(|path| path.display().to_string()).collect();
    for name in ["sheet-01.png", "metrics.csv", "run.json", "index.html"] {
        assert!(names.iter().any(|found| found == name), "{name} among {names:?}");
    }
}

/// The same study with the same models in two places: run from beside it, and from afar by its whole path. One
/// cell is a hole and one file is broken, so that findings are compared too.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_run_leaves_the_same_files_wherever_the_study_stands() {
    let [near, far] = ["here", "far/from/there"].map(|place| {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join(place);
        std::fs::create_dir_all(home.join("models")).unwrap();
        posegrid::kit::build(&home.join("models"), Some(&["workers/gnome"])).unwrap();
        std::fs::write(home.join("models/broken.glb"), "no model").unwrap();
        let study = "[axes.who]\nfiles = [\"models/workers/gnome.glb\", \"models/broken.glb\"]\n\
                     [axes.pose]\nwalk = { clip = \"walk\" }\ndance = { clip = \"dance\" }\n[sheet]\ncell = 64\n";
        std::fs::write(home.join("moved.toml"), study).unwrap();
        (folder, home)
    });
    let from_beside = Run::of(&near.1, &["render", "moved.toml"], &[]);
    assert_eq!(from_beside.code, Some(3), "{from_beside}");
    let whole_path = far.1.join("moved.toml").display().to_string();
    let from_afar = Run::of(far.0.path(), &["render", &whole_path], &[]);
    assert_eq!(from_afar.code, Some(3), "{from_afar}");
    assert_same_files(&near.1.join("out/moved"), &far.0.path().join("out/moved"));
}
