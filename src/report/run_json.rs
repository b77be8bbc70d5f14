//! Write run.json: what was run, with what, and what came of every cell.
//!
//! Reads: what the caller has gathered. Writes: one JSON file. Two runs of one study write the same
//! bytes, so the parts that differ between runs ([`Timing`]) are there only when asked for, and paths
//! are as the study writes them.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;

use super::ReportError;
use super::number::rounded;
use crate::base::{Digest, Finding, atomic};
use crate::measure::Facts;
use crate::plan::{Cell, Plan};
use crate::run::{CellResult, Outcome};

/// Version of every table and of run.json; a newer one is refused by what reads them.
pub const FORMAT: u32 = 1;
/// The file.
const FILE: &str = "run.json";

/// All of run.json.
#[derive(Debug, Clone, Serialize)]
pub struct RunReport {
    /// [`FORMAT`].
    pub format: u32,
    /// What was run.
    pub study: StudyReport,
    /// Version of posegrid.
    pub posegrid: String,
    /// Digest of everything in posegrid that shapes a pixel.
    pub renderer: String,
    /// What rendered, as the renderer describes it.
    pub adapter: serde_json::Value,
    /// How many cells came to what.
    pub counts: Counts,
    /// What is wrong with the run as a whole or with its models; those of cells are with the cells.
    pub findings: Vec<Finding>,
    /// Each file that was read.
    pub models: Vec<ModelReport>,
    /// Proof that poses took effect, a row a subject and pose.
    pub poses: Vec<PoseProof>,
    /// File names of sheets, in order.
    pub sheets: Vec<String>,
    /// In the plan's order.
    pub cells: Vec<CellReport>,
    /// How it was run; makes the file differ from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

/// The study as run.json names it.
#[derive(Debug, Clone, Serialize)]
pub struct StudyReport {
    /// Its name.
    pub name: String,
    /// Heading of the sheet.
    pub title: String,
    /// Digest of its text.
    pub digest: Digest,
}

/// How many cells came to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// In the plan.
    pub cells: usize,
    /// With a picture.
    pub made: usize,
    /// Tried in vain.
    pub holes: usize,
    /// Never tried.
    pub missing: usize,
}

/// A model file.
#[derive(Debug, Clone, Serialize)]
pub struct ModelReport {
    /// As the study writes it.
    pub file: String,
    /// Digest of its files.
    pub digest: Option<Digest>,
    /// Role to joint, where a skeleton was found.
    pub roles: IndexMap<String, String>,
    /// What else is known of it, such as its height, facing and clips.
    pub facts: IndexMap<String, serde_json::Value>,
    /// What was noticed.
    pub findings: Vec<Finding>,
}

/// How far a pose moves a subject, as a share of its height.
#[derive(Debug, Clone, Serialize)]
pub struct PoseProof {
    /// The subject's file as the study writes it.
    pub subject: String,
    /// The pose.
    pub pose: String,
    /// Largest displacement of a vertex from the bind pose.
    pub from_bind: f64,
    /// The pose of the same axis that is most alike, and the largest displacement from it.
    pub from_nearest: Option<(String, f64)>,
}

/// One cell.
#[derive(Debug, Clone, Serialize)]
pub struct CellReport {
    /// Its name.
    pub name: String,
    /// The sheet that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Its own picture, where one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `made`, `hole` or `missing`.
    pub outcome: &'static str,
    /// Columns and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_px: Option<[u32; 2]>,
    /// Digest of its decoded pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<Digest>,
    /// What its pixels depend on, each with a digest.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub key: IndexMap<String, Digest>,
    /// What stage knew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<CellFacts>,
    /// Why it is a hole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Finding>,
}

/// [`Facts`] as run.json has them, at nine significant digits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellFacts {
    /// Cell pixels a metre at the depth of the target.
    pub px_per_m: f64,
    /// The subject's height in its bind pose.
    pub height_m: Option<f64>,
    /// Distance from the eye to the target.
    pub distance_m: Option<f64>,
    /// Vertical field of view.
    pub field_deg: Option<f64>,
    /// Height of the head.
    pub head_px_h: Option<f64>,
    /// Metres of travel that posing took out.
    pub removed_m: Option<f64>,
}

/// How a run went; differs from run to run.
#[derive(Debug, Clone, Serialize)]
pub struct Timing {
    /// Workers that rendered.
    pub workers: usize,
    /// From start to end.
    pub wall_secs: f64,
    /// Part to seconds.
    pub parts_secs: IndexMap<String, f64>,
}

impl From<&Facts> for CellFacts {
    fn from(facts: &Facts) -> Self {
        Self {
            px_per_m: rounded(facts.px_per_m),
            height_m: facts.height_m.map(rounded),
            distance_m: facts.distance_m.map(rounded),
            field_deg: facts.field_rad.map(|field| rounded(field.to_degrees())),
            head_px_h: facts.head_px_h.map(rounded),
            removed_m: facts.removed_m.map(rounded),
        }
    }
}

impl CellReport {
    /// A cell that was not tried, or not yet.
    pub fn missing(cell: &Cell) -> Self {
        Self {
            name: cell.name.clone(),
            sheet: None,
            file: None,
            outcome: "missing",
            size_px: None,
            pixels: None,
            key: IndexMap::new(),
            facts: None,
            reason: None,
        }
    }

    /// What a result says of its cell. The caller adds sheet, file and key.
    pub fn of(cell: &Cell, result: &CellResult) -> Self {
        let bare = Self::missing(cell);
        match &result.outcome {
            Outcome::Made(made) => Self {
                outcome: "made",
                size_px: Some(made.size_px),
                pixels: Some(made.digest),
                facts: Some(CellFacts::from(&made.facts)),
                ..bare
            },
            Outcome::Hole(reason) => Self { outcome: "hole", reason: Some(reason.clone()), ..bare },
        }
    }

    /// A list with every cell of the plan as missing, to be filled as results come.
    pub fn none_yet(plan: &Plan) -> Vec<Self> {
        plan.cells.iter().map(Self::missing).collect()
    }
}

impl Counts {
    /// Counts the outcomes of cells.
    pub fn of(cells: &[CellReport]) -> Self {
        let count = |outcome: &str| cells.iter().filter(|cell| cell.outcome == outcome).count();
        Self { cells: cells.len(), made: count("made"), holes: count("hole"), missing: count("missing") }
    }
}

/// Writes `run.json` in `folder`.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_run(folder: &Path, report: &RunReport) -> Result<(), ReportError> {
    let mut bytes = serde_json::to_vec_pretty(report).map_err(|source| ReportError::form(FILE, source))?;
    bytes.push(b'\n');
    atomic::write(&folder.join(FILE), &bytes).map_err(|source| ReportError::write(FILE, source))
}
