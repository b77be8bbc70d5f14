//! Write what a run found for people and for scripts: tables, the run's description, pages to browse.
//!
//! Reads: a study, its plan, and results as they come, in any order. Writes: `metrics.csv`, `run.json`,
//! `index.html` and `cells/NAME.png` into the output folder, each whole or not at all.
//!
//! No file names a time, a folder of this machine or the order in which cells were made: two runs of
//! one study have the same bytes.

mod cells;
mod html;
mod metrics_csv;
mod number;
mod run_json;

pub use cells::{CELLS_FOLDER, write_cell};
pub use html::{Index, Links};
pub use metrics_csv::MetricsTable;
pub use run_json::{
    CellFacts, CellReport, Counts, FORMAT, ModelReport, PoseProof, RunReport, StudyReport, Timing, write_run,
};

/// A file of the report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The disk refused.
    #[error("cannot write {file}")]
    Write {
        /// Its name in the output folder.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// What was to be written cannot be put in the file's form.
    #[error("cannot put {file} into words")]
    Form {
        /// Its name in the output folder.
        file: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ReportError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Write { .. } => Some("check that the folder can be written to and the disk is not full"),
            Self::Form { .. } => None,
        }
    }

    fn form(file: &str, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Form { file: file.to_owned(), source: source.into() }
    }

    fn write(file: &str, source: std::io::Error) -> Self {
        Self::Write { file: file.to_owned(), source }
    }
}
