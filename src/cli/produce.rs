//! Everything between a plan and its output folder: kit, models, run, sheets, tables.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::exit::{Failure, Status, with_causes};
use super::models::Models;
use super::outputs::{Known, Outputs, TABLES};
use super::progress::Progress;
use super::{sheet as sheet_command, studies};
use crate::base::atomic::{self, PendingFile};
use crate::base::{Finding, Severity};
use crate::plan::Plan;
use crate::render::{self, AdapterChoice, AdapterReport};
use crate::report;
use crate::run::{self, CellResult, Ended, Job, Options, Outcome, Stopped};
use crate::sheet::{Layout, Provenance};
use crate::stage::{self, Cast};
use crate::study::Study;

/// What every command that renders takes.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct RunArgs {
    /// Folder for results; each study gets a folder of its own in it.
    #[arg(short, long, value_name = "DIR", default_value = "out")]
    pub(super) out: PathBuf,
    /// Threads that render, each with a graphics device of its own [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Draw with the adapter whose name holds this; `posegrid doctor` lists them.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// A cell that takes longer than this becomes a hole, seconds.
    #[arg(long, value_name = "SECS", default_value_t = 120.0, value_parser = seconds, allow_negative_numbers = true)]
    cell_limit: f32,
    /// Say nothing but errors.
    #[arg(short, long)]
    quiet: bool,
    /// Print the counts as JSON to stdout.
    #[arg(long)]
    pub(super) json: bool,
    /// Print where the time went.
    #[arg(long)]
    timing: bool,
}

/// A day: longer than any cell is worth waiting for.
const MOST_SECS: f32 = 86_400.0;

fn seconds(text: &str) -> Result<f32, String> {
    let secs: f32 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if secs > 0.0 && secs <= MOST_SECS {
        Ok(secs)
    } else {
        Err(format!("must be more than 0 and at most {MOST_SECS} seconds"))
    }
}

impl RunArgs {
    fn adapter(&self) -> AdapterChoice {
        self.adapter.clone().map_or(AdapterChoice::Any, AdapterChoice::Named)
    }

    fn options(&self) -> Options {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Options {
            workers: self.workers.map_or(cores, usize::from),
            adapter: self.adapter(),
            cell_limit: Some(Duration::from_secs_f32(self.cell_limit)),
            stop: stop_on_signal(),
        }
    }
}

/// A flag that Ctrl-C and SIGTERM set; a second Ctrl-C ends the process at once.
fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let set = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Status::Transient as u8));
        }
        eprintln!("stopping: the cells in hand are finished first");
    });
    // A handler that is there already serves as well; without one Ctrl-C just ends the process.
    drop(set);
    stop
}

/// Renders the cells of a study that `filters` leave into `out/STUDY`.
pub(super) fn produce(study: &Study, filters: &[String], args: &RunArgs, paths: Paths) -> Result<Status, Failure> {
    let started = Instant::now();
    let options = args.options();
    let folder = args.out.join(&study.name);
    let adapter = render::find(&options.adapter).map_err(|error| render_failure(&error))?;
    writable(&folder)?;
    let (job, layout) = load(study, filters)?;
    let loaded = started.elapsed();
    let noticed = noticed(study, &job.cast);
    let provenance = provenance(study, &adapter, &noticed);
    let mut outputs = Outputs::open(&folder, study, &job.plan, layout, provenance)
        .map_err(|error| Failure { hint: error.hint(), ..Failure::usage(with_causes(&error)) })?;
    let mut progress = Progress::new(job.plan.cells.len(), args.quiet);
    noticed.iter().for_each(|finding| say(&progress, finding));
    let (ended, holes) = draw(&job, &options, &folder, &noticed, &mut outputs, &mut progress)?;
    progress.finish();
    let rendered = started.elapsed();
    if let Some(stopped) = ended.stopped {
        return Err(cut_short(stopped, ended.finished, job.plan.cells.len(), &folder));
    }
    let known = Known { cast: &job.cast, adapter: &adapter, findings: noticed, whole: filters.is_empty() };
    let bound = outputs.finish(known).map_err(|error| Failure::transient(with_causes(&error)))?;
    bound.findings.iter().for_each(|finding| say(&progress, finding));
    let count = Count { cells: job.plan.cells.len(), holes };
    tell(args, paths, &folder, &bound.files, count, started.elapsed());
    if args.timing {
        tell_timing(&ended, loaded, rendered, started.elapsed(), options.workers);
    }
    Ok(if holes > 0 { Status::Holes } else { Status::Done })
}

/// Finds out before the first cell whether there is a place for it.
fn writable(folder: &Path) -> Result<(), Failure> {
    atomic::sweep(folder);
    atomic::sweep(&folder.join(report::CELLS_FOLDER));
    PendingFile::create(&folder.join("run.json")).map(drop).map_err(|error| {
        Failure::usage(format!("cannot write to the folder {}: {error}", folder.display()))
            .with_hint("-o DIR names another place for results")
    })
}

/// Plans a study and loads what its cells show, the kit's files made first.
fn load(study: &Study, filters: &[String]) -> Result<(Arc<Job>, Layout), Failure> {
    let plan = studies::plan(study, filters)?;
    let whole = studies::plan(study, &[])?;
    let layout = Layout::new(study, &plan);
    let row_axes = plan.axis_positions(&study.sheet.rows);
    let company = stage::company(&plan, &whole, &row_axes);
    studies::build_kit(&company)?;
    let models = Models::default();
    let cast = Cast::assemble(&plan, &company, &row_axes, &|file| models.load(file));
    Ok((Arc::new(Job { order: layout.order(), plan, cast }), layout))
}

/// Runs a job into the outputs. Gives how it ended and how many cells are holes.
fn draw(
    job: &Arc<Job>,
    options: &Options,
    folder: &Path,
    noticed: &[Finding],
    outputs: &mut Outputs<'_>,
    progress: &mut Progress,
) -> Result<(Ended, usize), Failure> {
    let unwritten: Arc<Mutex<Option<Failure>>> = Arc::default();
    let finish = cell_writer(folder.to_path_buf(), Arc::clone(&unwritten), Arc::clone(&options.stop));
    let mut holes = 0;
    // A subject's fault makes a hole of each of its cells: it is said once.
    let mut said = noticed.to_vec();
    let mut broken: Option<Failure> = None;
    let ended = run::run(job, options, finish, |result| {
        progress.step();
        if let Outcome::Hole(finding) = &result.outcome {
            holes += 1;
            if !said.contains(finding) {
                say(progress, finding);
                said.push(finding.clone());
            }
        }
        if broken.is_none()
            && let Err(error) = outputs.take(&result)
        {
            broken = Some(Failure::transient(with_causes(&error)));
            options.stop.store(true, Ordering::Relaxed);
        }
    });
    let unwritten = unwritten.lock().unwrap_or_else(PoisonError::into_inner).take();
    broken.or(unwritten).map_or(Ok((ended, holes)), Err)
}

/// Errors are said even to who asked for quiet; notes are for run.json.
fn say(progress: &Progress, finding: &Finding) {
    match finding.severity {
        Severity::Error => progress.warn(&finding.to_string()),
        Severity::Warning => progress.say(&finding.to_string()),
        Severity::Note => {}
    }
}

/// Writes each cell's own picture on the worker that made it.
fn cell_writer(
    folder: PathBuf,
    unwritten: Arc<Mutex<Option<Failure>>>,
    stop: Arc<AtomicBool>,
) -> impl Fn(&Plan, &mut CellResult) + Send + Sync + 'static {
    move |plan, result| {
        let Outcome::Made(made) = &mut result.outcome else { return };
        let written = report::write_cell(&folder, &plan.cells[result.cell].file_stem(), made);
        made.rgba = Vec::new();
        if let Err(error) = written {
            let mut slot = unwritten.lock().unwrap_or_else(PoisonError::into_inner);
            slot.get_or_insert(Failure::transient(with_causes(&error)));
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// What was noticed of the study and of all subjects and loads, each once, in the plan's order.
fn noticed(study: &Study, cast: &Cast) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    if study.repeat.subpixel > 1 || study.repeat.yaw_deg > 0.0 {
        let message = "[repeat] is not rendered by this version: each cell is drawn once";
        all.push(Finding::warning("REPEAT_IGNORED", &study.name, message));
    }
    let actors = cast.actors.iter().flat_map(|member| match &member.ready {
        Ok(ready) => ready.actor.findings.clone(),
        Err(finding) => vec![finding.clone()],
    });
    let props = cast.props.iter().flat_map(|(_, prop)| match prop {
        Ok(prop) => prop.findings.clone(),
        Err(finding) => vec![finding.clone()],
    });
    for finding in actors.chain(props) {
        if !all.contains(&finding) {
            all.push(finding);
        }
    }
    all
}

fn provenance(study: &Study, adapter: &AdapterReport, noticed: &[Finding]) -> Provenance {
    let warnings = noticed
        .iter()
        .filter(|finding| finding.severity == Severity::Warning)
        .map(|finding| format!("{}: {}", model_name(&finding.place), finding.message))
        .collect();
    Provenance {
        study: study.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        adapter: format!("{}, {}", adapter.name, render::lane(adapter)),
        date: study.sheet.date.then(today),
        warnings,
    }
}

/// The model's file of a place such as `characters/knight.glb/skins/0`, without its folders.
fn model_name(place: &str) -> &str {
    let is_model = |part: &&str| {
        let ending = part.rsplit_once('.').map_or("", |(_, ending)| ending);
        sheet_command::ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    let mut parts = place.split(['/', '\\']);
    parts.clone().find(is_model).or_else(|| parts.next_back()).unwrap_or(place)
}

/// The day in UTC, as 2026-11-30.
fn today() -> String {
    #[expect(clippy::disallowed_methods, reason = "the study asks for the day; nothing else reads the clock")]
    let now = std::time::SystemTime::now();
    let days = now.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (year, month, day) = civil_from_days(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Gregorian date of a count of days since 1970-01-01.
///
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013, `civil_from_days`.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

fn render_failure(error: &render::RenderError) -> Failure {
    let status = if error.is_transient() { Status::Transient } else { Status::Usage };
    Failure { status, message: with_causes(error), hint: error.hint() }
}

fn cut_short(stopped: Stopped, finished: usize, total: usize, folder: &Path) -> Failure {
    match stopped {
        Stopped::Asked => Failure::transient(format!("stopped after {finished} of {total} cells"))
            .with_hint(format!("finished cells are in {}; run the same command again", folder.join("cells").display())),
        Stopped::Render(error) => render_failure(&error),
    }
}

/// Where the paths of results are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// They are the command's result.
    Stdout,
    /// stdout has the study.
    Stderr,
}

#[derive(Clone, Copy)]
struct Count {
    cells: usize,
    holes: usize,
}

fn tell(args: &RunArgs, paths: Paths, folder: &Path, sheets: &[String], count: Count, took: Duration) {
    let Count { cells, holes } = count;
    let others = TABLES.into_iter().chain(["index.html"]);
    let files = sheets.iter().map(String::as_str).chain(others).map(|file| folder.join(file).display().to_string());
    if args.json {
        let files: Vec<String> = files.collect();
        let counts =
            serde_json::json!({ "format": 1, "cells": cells, "made": cells - holes, "holes": holes, "files": files });
        super::print(&format!("{counts:#}\n"));
        return;
    }
    if args.quiet {
        return;
    }
    for file in files {
        match paths {
            Paths::Stdout => super::print(&format!("{file}\n")),
            Paths::Stderr => eprintln!("{file}"),
        }
    }
    let rate = cells as f64 / took.as_secs_f64();
    let holes = if holes > 0 { format!(", {holes} of them holes") } else { String::new() };
    eprintln!("{cells} cells{holes} in {:.1} s, {rate:.1} cells/s", took.as_secs_f64());
}

fn tell_timing(ended: &Ended, loaded: Duration, rendered: Duration, whole: Duration, workers: usize) {
    let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
    let times = &ended.timings;
    eprintln!(
        "wall, ms: load {:.0}, cells {:.0}, write {:.0}",
        ms(loaded),
        ms(rendered - loaded),
        ms(whole - rendered)
    );
    eprintln!(
        "over {workers} workers, ms: start {:.0}, stage {:.0}, draw {:.0}, resolve {:.0}, measure {:.0}, encode {:.0}",
        ms(times.start_up),
        ms(times.stage),
        ms(times.draw),
        ms(times.resolve),
        ms(times.measure),
        ms(times.encode)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2000-02-29 is day 11,016 and 2026-11-30 day 20,787 (date -d, divided by 86,400).
    #[test]
    fn days_become_dates_across_a_leap_day() {
        assert_eq!(civil_from_days(0), (1970, 1, 1));
        assert_eq!(civil_from_days(11_016), (2000, 2, 29));
        assert_eq!(civil_from_days(11_017), (2000, 3, 1));
        assert_eq!(civil_from_days(20_787), (2026, 11, 30));
    }

    #[test]
    fn a_warning_on_a_sheet_names_the_model_and_not_the_place_in_it() {
        assert_eq!(model_name("knight.glb"), "knight.glb");
        assert_eq!(model_name("../characters/Knight.GLB/meshes/0/primitives/0/attributes"), "Knight.GLB");
        assert_eq!(model_name("C:\\characters\\knight.vrm/extensions/VRM"), "knight.vrm");
        assert_eq!(model_name("carry/dwarf/gold"), "gold");
    }
}
