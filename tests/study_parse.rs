//! What a study's text means.

use std::path::Path;

use posegrid::plan::plan;
use posegrid::study::{self, FrameScope, Known, Study, StudyErrors};

const NONE: &[String] = &[];

fn kit_names() -> Vec<String> {
    ["workers/giant", "workers/imp", "workers/mid", "loads/gold", "loads/coal"].map(str::to_owned).to_vec()
}

fn parse(text: &str) -> Result<Study, StudyErrors> {
    let names = kit_names();
    let known = Known { kit_dir: Path::new("out/kit"), kit_names: &names, captions: &["luma8_sd"] };
    study::parse(text, Path::new("scenes/carry.toml"), Path::new("scenes"), &known)
}

/// The example of the design: 3 workers, 2 loads, 2 poses, 2 views.
const CARRY: &str = r#"
title = "Every worker wearing every load"
[axes.worker]
files = "kit:workers/*"
[axes.load]
none = {}
gold = { load = "kit:loads/gold" }
[axes.pose]
idle = { clip = "idle" }
walk = { clip = "walk", at = [0.25] }
[axes.view]
behind = { azimuth = 180 }
profile = { azimuth = 90 }
[sheet]
rows = ["worker"]
columns = ["load", "pose"]
pages = ["view"]
cell = 256
scale = "sheet"             # one scale for all, so that a small worker looks small
"#;

#[test]
fn the_carry_study_has_a_cell_for_every_combination() {
    let study = parse(CARRY).unwrap();
    assert_eq!(study.name, "carry");
    assert_eq!(study.base.frame, Some(FrameScope::Sheet));
    assert_eq!(study.sheet.columns, ["load", "pose"]);
    let plan = plan(&study, NONE).unwrap();
    assert_eq!(plan.cells.len(), 3 * 2 * 2 * 2);
    assert_eq!(plan.cells[0].name, "carry/giant/none/idle/behind");
    assert_eq!(plan.cells[1].name, "carry/giant/none/idle/profile");
    assert_eq!(plan.cells[23].name, "carry/mid/gold/walk@0.25/profile");
    assert_eq!(plan.cells[23].values, [2, 1, 1, 1]);
    assert_eq!(plan.counts().subjects, 3);
    assert_eq!(plan.counts().loads, 1);
    assert_eq!(plan.counts().poses, 2);
}
