//! Take results as they come and turn them into everything in the output folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::asset::Model;
use crate::base::{Digest, Finding};
use crate::measure;
use crate::plan::{Cell, Plan};
use crate::render::{self, AdapterReport};
use crate::report::{
    CELLS_FOLDER, CellReport, Counts, FORMAT, Index, Links, MetricsTable, ModelReport, PoseProof, ReportError,
    RunReport, StudyReport, write_run,
};
use crate::run::{CellResult, Outcome, equal_pictures};
use crate::sheet::{Book, Bound, Layout, Provenance, SheetError};
use crate::stage::{Cast, Member, Prop};
use crate::study::{self, Study};

/// Tables beside the page of cells.
pub(super) const TABLES: [&str; 2] = ["metrics.csv", "run.json"];

/// Everything that a run leaves, while it grows.
pub(super) struct Outputs<'a> {
    folder: PathBuf,
    study: &'a Study,
    plan: &'a Plan,
    book: Book,
    table: MetricsTable<'a>,
    index: Index<'a>,
    cells: Vec<CellReport>,
    /// The sheet of each cell.
    sheets: Vec<Option<String>>,
    provenance: Provenance,
}

/// What is known only to the caller.
pub(super) struct Known<'a> {
    pub(super) cast: &'a Cast,
    pub(super) adapter: &'a AdapterReport,
    pub(super) findings: Vec<Finding>,
    /// Whether the plan is the whole study: pictures of cells that it lacks are then from before.
    pub(super) whole: bool,
}

impl<'a> Outputs<'a> {
    /// Opens the outputs; writes nothing yet.
    pub(super) fn open(
        folder: &Path,
        study: &'a Study,
        plan: &'a Plan,
        layout: Layout,
        provenance: Provenance,
    ) -> Result<Self, SheetError> {
        let columns: Vec<&str> = measure::COLUMNS.iter().map(|column| column.name).collect();
        Ok(Self {
            folder: folder.to_path_buf(),
            study,
            plan,
            cells: CellReport::none_yet(plan),
            table: MetricsTable::new(plan, &columns),
            index: Index::new(study, plan, &columns, Cell::file_stem)?,
            sheets: (0..plan.cells.len()).map(|at| layout.page_of(at).map(|(_, file)| file.to_owned())).collect(),
            book: Book::open(folder, layout, &columns, provenance.clone())?,
            provenance,
        })
    }

    /// Takes a result.
    pub(super) fn take(&mut self, result: &CellResult) -> Result<(), SheetError> {
        let cell = &self.plan.cells[result.cell];
        self.table.add(result);
        self.index.add(result);
        let file =
            matches!(result.outcome, Outcome::Made(_)).then(|| format!("{CELLS_FOLDER}/{}.png", cell.file_stem()));
        let sheet = self.sheets[result.cell].take();
        self.cells[result.cell] = CellReport { file, sheet, ..CellReport::of(cell, result) };
        self.book.place(result)
    }

    /// Writes what is left: the last pages, the tables, the page to browse.
    pub(super) fn finish(self, known: Known<'_>) -> Result<Bound, FinishError> {
        let digests: Vec<Option<Digest>> = self.cells.iter().map(|cell| cell.pixels).collect();
        let equal = equal_pictures(self.plan, &digests);
        let late: Vec<String> = equal.iter().map(|finding| finding.message.clone()).collect();
        let mut bound = self.book.finish(&late)?;
        self.table.write(&self.folder)?;
        let mut findings = known.findings;
        bound.findings.extend(equal);
        findings.extend(bound.findings.iter().cloned());
        let report = RunReport {
            format: FORMAT,
            study: StudyReport {
                name: self.study.name.clone(),
                title: self.study.title.clone(),
                digest: Digest::of(study::to_toml(self.study).as_bytes()),
            },
            posegrid: env!("CARGO_PKG_VERSION").to_owned(),
            renderer: env!("POSEGRID_RENDERER_DIGEST").to_owned(),
            adapter: adapter(known.adapter),
            counts: Counts::of(&self.cells),
            findings,
            models: models(known.cast),
            poses: poses(known.cast),
            sheets: bound.files.clone(),
            cells: self.cells,
            timing: None,
        };
        if known.whole {
            remove_stale(&self.folder.join(CELLS_FOLDER), &report.cells);
        }
        write_run(&self.folder, &report)?;
        let files = bound.files.iter().cloned().chain(TABLES.map(str::to_owned)).collect();
        let mut provenance = self.provenance;
        provenance.warnings.extend(late);
        self.index.write(&self.folder, &Links { provenance, files })?;
        Ok(bound)
    }
}

/// Removes pictures of cells that a changed study no longer has, and those of cells that are holes by now.
fn remove_stale(folder: &Path, cells: &[CellReport]) {
    let kept: BTreeSet<&str> = cells.iter().filter_map(|cell| cell.file.as_deref()?.rsplit('/').next()).collect();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".png") && !name.starts_with('.') && !kept.contains(name.as_str()) {
            // What cannot be removed does no harm: nothing refers to it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Why the last files could not be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum FinishError {
    #[error(transparent)]
    Sheet(#[from] SheetError),
    #[error(transparent)]
    Report(#[from] ReportError),
}

fn adapter(adapter: &AdapterReport) -> serde_json::Value {
    serde_json::json!({
        "name": adapter.name, "backend": adapter.backend, "driver": adapter.driver,
        "driver_info": adapter.driver_info, "type": adapter.device_type, "lane": render::lane(adapter),
    })
}

fn models(cast: &Cast) -> Vec<ModelReport> {
    cast.actors.iter().map(subject).chain(cast.props.iter().map(|(file, prop)| load(&file.written, prop))).collect()
}

fn subject(member: &Member) -> ModelReport {
    let ready = match &member.ready {
        Ok(ready) => ready,
        Err(finding) => return failed(&member.spec.file.written, finding),
    };
    let actor = &ready.actor;
    let facing = &actor.anatomy.facing;
    let mut facts = facts(&actor.model);
    facts.insert("height_m".to_owned(), serde_json::json!(actor.placement.height_m));
    facts.insert(
        "facing".to_owned(),
        serde_json::json!({ "direction": facing.direction.to_array(), "evidence": facing.evidence }),
    );
    let chest = actor.torso.as_ref().ok().map(|torso| actor.model.node_name(torso.chest));
    facts.insert("loads_ride".to_owned(), serde_json::json!(chest));
    ModelReport {
        file: member.spec.file.written.clone(),
        digest: Some(actor.model.digest),
        roles: actor.anatomy.roles.iter().map(|found| (found.role.name().to_owned(), found.joint.clone())).collect(),
        facts,
        findings: actor.findings.clone(),
    }
}

fn load(file: &str, prop: &Result<Prop, Finding>) -> ModelReport {
    match prop {
        Ok(prop) => ModelReport {
            file: file.to_owned(),
            digest: Some(prop.model.digest),
            roles: IndexMap::new(),
            facts: facts(&prop.model),
            findings: prop.findings.clone(),
        },
        Err(finding) => failed(file, finding),
    }
}

fn failed(file: &str, finding: &Finding) -> ModelReport {
    ModelReport {
        file: file.to_owned(),
        digest: None,
        roles: IndexMap::new(),
        facts: IndexMap::new(),
        findings: vec![finding.clone()],
    }
}

fn facts(model: &Model) -> IndexMap<String, serde_json::Value> {
    IndexMap::from([("clips".to_owned(), serde_json::json!(model.clip_names()))])
}

fn poses(cast: &Cast) -> Vec<PoseProof> {
    let ready = cast.actors.iter().filter_map(|member| Some((member, member.ready.as_ref().ok()?)));
    ready
        .flat_map(|(member, ready)| {
            ready.proofs.iter().map(|proof| PoseProof {
                subject: member.spec.file.written.clone(),
                pose: proof.pose.clone(),
                from_bind: f64::from(proof.from_bind),
                from_nearest: proof.from_nearest.clone().map(|(pose, share)| (pose, f64::from(share))),
            })
        })
        .collect()
}
