//! Studies, plans and results made by hand, so that sheets and tables are tested without a renderer.

use std::path::PathBuf;

use posegrid::base::{Digest, Finding};
use posegrid::measure::{Facts, MaskReadings};
use posegrid::plan::{Cell, CellSpec, Framing, Plan, PlanAxis, PoseSpec, SubjectSpec, VariantSpec, ViewSpec};
use posegrid::run::{CellResult, Made, Outcome};
use posegrid::stage::Mask;
use posegrid::study::{
    Background, FrameScope, GroundChoice, LightChoice, ModelFile, Projection, Repeat, Settings, SheetSpec, Study,
    StyleName, Theme,
};

/// Columns of the readings of [`made`].
pub(crate) const COLUMNS: [&str; 2] = ["coverage", "luma8_sd"];

/// A study whose sheet has these axes down, across and over the pages; each axis is a name and its values.
pub(crate) fn study(
    axes: &[(&str, &[&str])],
    rows: &[&str],
    columns: &[&str],
    pages: &[&str],
    cell_px: [u32; 2],
) -> Study {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let axes = axes.iter().map(|(name, values)| posegrid::study::Axis {
        name: (*name).to_owned(),
        values: values
            .iter()
            .map(|value| posegrid::study::AxisValue { name: (*value).to_owned(), settings: Settings::default() })
            .collect(),
    });
    Study {
        name: "carry".to_owned(),
        path: None,
        title: "Every worker wearing every load".to_owned(),
        base: Settings::default(),
        axes: axes.collect(),
        only: Vec::new(),
        skip: Vec::new(),
        sheet: SheetSpec {
            rows: owned(rows),
            columns: owned(columns),
            pages: owned(pages),
            cell_px,
            theme: Theme::Light,
            captions: Vec::new(),
            max_page_px: 8192,
            date: false,
        },
        repeat: Repeat { subpixel: 1, yaw_deg: 0.0, seed: 1 },
    }
}

/// Every cell of the study that `keep` keeps, by its value indices.
pub(crate) fn plan(study: &Study, keep: impl Fn(&[usize]) -> bool) -> Plan {
    let axes: Vec<PlanAxis> = study
        .axes
        .iter()
        .map(|axis| PlanAxis {
            name: axis.name.clone(),
            values: axis.values.iter().map(|value| value.name.clone()).collect(),
        })
        .collect();
    let count: usize = axes.iter().map(|axis| axis.values.len()).product();
    let mut cells = Vec::new();
    for number in 0..count {
        let mut left = number;
        let mut values: Vec<usize> = axes
            .iter()
            .rev()
            .map(|axis| {
                let value = left % axis.values.len();
                left /= axis.values.len();
                value
            })
            .collect();
        values.reverse();
        if keep(&values) {
            let index = cells.len();
            cells.push(cell(study, &axes, index, values));
        }
    }
    Plan { study: study.name.clone(), axes, cells }
}

fn cell(study: &Study, axes: &[PlanAxis], index: usize, values: Vec<usize>) -> Cell {
    let parts: Vec<&str> = std::iter::once(study.name.as_str())
        .chain(axes.iter().zip(&values).map(|(axis, &value)| axis.values[value].as_str()))
        .collect();
    let file = ModelFile { written: "fox.glb".to_owned(), path: PathBuf::from("fox.glb"), from_kit: false };
    let subject = SubjectSpec {
        file,
        height_m: None,
        forward: None,
        up: None,
        hide: Vec::new(),
        clips: indexmap::IndexMap::new(),
        clip_files: Vec::new(),
        roles: indexmap::IndexMap::new(),
        head: None,
        face: None,
        eyes: None,
    };
    let spec = CellSpec {
        subject,
        load: None,
        pose: PoseSpec::Bind,
        view: ViewSpec {
            azimuth_rad: 0.0,
            elevation_rad: 0.0,
            projection: Projection::Perspective,
            field_rad: 0.5,
            framing: Framing::Fit { scope: FrameScope::Subject, px_per_m: None },
        },
        light: LightChoice::Studio,
        style: StyleName::Shaded,
        ground: GroundChoice::None,
        background: Background([0.18; 3]),
        variant: VariantSpec::default(),
        size_px: study.sheet.cell_px,
        samples: 2,
    };
    Cell { index, name: parts.join("/"), values, spec }
}

/// A lit figure on the sheets' grey; each cell has its own hue and width.
pub(crate) fn made(cell: usize, size_px: [u32; 2]) -> CellResult {
    let [w, h] = size_px;
    let (mut rgb, mut rgba) = (Vec::new(), Vec::new());
    for y in 0..h {
        for x in 0..w {
            let (u, v) =
                ((f64::from(x) + 0.5) / f64::from(w) * 2.0 - 1.0, (f64::from(y) + 0.5) / f64::from(h) * 2.0 - 1.0);
            let colour = figure(cell, u, v);
            rgb.extend(colour.unwrap_or([118; 3]));
            rgba.extend(colour.unwrap_or([0; 3]));
            rgba.push(if colour.is_some() { 255 } else { 0 });
        }
    }
    let readings = vec![
        MaskReadings { mask: Mask::Subject, values: vec![Some(0.125), Some(18.0 + cell as f64 * 0.37)] },
        MaskReadings { mask: Mask::Head, values: vec![Some(0.01), None] },
    ];
    let facts = Facts { px_per_m: 140.7, height_m: Some(1.83), ..Facts::default() };
    let digest = Digest::of(&rgb);
    CellResult { cell, outcome: Outcome::Made(Box::new(Made { size_px, rgb, rgba, facts, readings, digest })) }
}

fn figure(cell: usize, u: f64, v: f64) -> Option<[u8; 3]> {
    let wide = 0.3 + 0.03 * (cell % 5) as f64;
    let ball = |cx: f64, cy: f64, rx: f64, ry: f64| {
        let (x, y) = ((u - cx) / rx, (v - cy) / ry);
        let z = 1.0 - x * x - y * y;
        (z > 0.0).then(|| (0.25 + 0.75 * (0.45 * -x + 0.55 * -y + 0.7 * z.sqrt()).max(0.0)).min(1.0))
    };
    let shade = ball(0.0, -0.55, 0.2, 0.24).or_else(|| ball(0.0, 0.2, wide, 0.62));
    let tint = [[214, 150, 110], [130, 170, 200], [160, 190, 120], [200, 120, 150], [190, 180, 120]][cell % 5];
    shade.map(|shade| tint.map(|channel| (f64::from(channel) * shade) as u8))
}

/// A cell that could not be made.
pub(crate) fn hole(cell: usize) -> CellResult {
    let reason =
        Finding::error("CLIP_NOT_FOUND", "knight.glb", "no clip named \"wlak\" among Idle, Walking_A, Running_A");
    CellResult { cell, outcome: Outcome::Hole(reason) }
}
