//! Write metrics.csv: a row a cell and mask, with what was set, what is known and what was measured.
//!
//! Reads: the plan and results in any order. Writes: rows in the plan's order. Rows are kept as text
//! until then: ten thousand cells of three masks are a few megabytes.
//!
//! A unit is part of a column's name. What could not be measured is empty. A cell that could not be
//! made has no row, as it has no mask: run.json says why.

use std::path::Path;

use super::number::nine_digits;
use super::{FORMAT, ReportError};
use crate::base::atomic;
use crate::plan::{Cell, Plan};
use crate::run::{CellResult, Made, Outcome};
use crate::sheet::{FACT_COLUMNS, fact};
use crate::study::{LightChoice, StyleName};

/// The table's file.
const FILE: &str = "metrics.csv";
/// Columns before those of the axes, and between those and the facts.
const FIRST: [&str; 2] = ["format", "cell"];
const SETTINGS: [&str; 6] = ["mask", "width_px", "height_px", "samples", "shading", "lit_by"];

/// The rows that have come so far.
#[derive(Debug)]
pub struct MetricsTable<'a> {
    plan: &'a Plan,
    header: Vec<String>,
    /// Facts that are no column of the readings.
    facts: Vec<&'static str>,
    readings: usize,
    /// By position in the plan: the cell's rows.
    rows: Vec<Vec<Vec<String>>>,
}

impl<'a> MetricsTable<'a> {
    /// An empty table; `columns` name the readings in [`crate::measure::MaskReadings`].
    ///
    /// An axis whose name is another column's is called `axis_NAME`.
    pub fn new(plan: &'a Plan, columns: &[&str]) -> Self {
        let facts: Vec<&str> = FACT_COLUMNS.into_iter().filter(|fact| !columns.contains(fact)).collect();
        let others: Vec<&str> =
            FIRST.into_iter().chain(SETTINGS).chain(facts.iter().copied()).chain(columns.iter().copied()).collect();
        let axis = |name: &str| if others.contains(&name) { format!("axis_{name}") } else { name.to_owned() };
        let mut header: Vec<String> = FIRST.map(str::to_owned).to_vec();
        header.extend(plan.axes.iter().map(|known| axis(&known.name)));
        header.extend(others[FIRST.len()..].iter().map(|name| (*name).to_owned()));
        Self { plan, header, facts, readings: columns.len(), rows: vec![Vec::new(); plan.cells.len()] }
    }

    /// Takes a result; a hole, or a cell that the plan lacks, adds no row.
    pub fn add(&mut self, result: &CellResult) {
        let (Outcome::Made(made), Some(cell)) = (&result.outcome, self.plan.cells.get(result.cell)) else { return };
        self.rows[result.cell] =
            made.readings.iter().map(|row| self.row(cell, made, row.mask.name(), &row.values)).collect();
    }

    fn row(&self, cell: &Cell, made: &Made, mask: &str, values: &[Option<f64>]) -> Vec<String> {
        let mut row = vec![FORMAT.to_string(), cell.name.clone()];
        let value = |(axis, at): (&crate::plan::PlanAxis, &usize)| axis.values.get(*at).cloned().unwrap_or_default();
        row.extend(self.plan.axes.iter().zip(&cell.values).map(value));
        row.extend([mask.to_owned(), made.size_px[0].to_string(), made.size_px[1].to_string()]);
        row.extend([cell.spec.samples.to_string(), shading(cell.spec.style).to_owned(), lit_by(&cell.spec.light)]);
        row.extend(self.facts.iter().map(|column| nine_digits(fact(&made.facts, column))));
        row.extend((0..self.readings).map(|at| nine_digits(values.get(at).copied().flatten())));
        row
    }

    /// The table as text, rows in the plan's order.
    ///
    /// # Errors
    ///
    /// None in practice: the writer is memory.
    pub fn to_csv(&self) -> Result<Vec<u8>, ReportError> {
        let form = |source: Box<dyn std::error::Error + Send + Sync>| ReportError::form(FILE, source);
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.header).map_err(|source| form(source.into()))?;
        for row in self.rows.iter().flatten() {
            writer.write_record(row).map_err(|source| form(source.into()))?;
        }
        writer.into_inner().map_err(|source| form(source.to_string().into()))
    }

    /// Writes `metrics.csv` in `folder`.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        atomic::write(&folder.join(FILE), &self.to_csv()?).map_err(|source| ReportError::write(FILE, source))
    }
}

fn shading(style: StyleName) -> &'static str {
    match style {
        StyleName::Shaded => "shaded",
        StyleName::Lambert => "lambert",
        StyleName::Flat => "flat",
        StyleName::Outline => "outline",
    }
}

/// A light in a few words: its kind, with a sun's degrees.
fn lit_by(light: &LightChoice) -> String {
    match light {
        LightChoice::Studio => "studio".to_owned(),
        LightChoice::Camera => "camera".to_owned(),
        LightChoice::Sun { elevation, azimuth } => {
            format!("sun elevation {elevation} azimuth {azimuth}")
        }
        LightChoice::Key { .. } => "key".to_owned(),
    }
}
