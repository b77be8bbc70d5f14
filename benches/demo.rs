//! Cells a second of a shipped study, where the time goes, and what share of it is the floor: the same
//! scenes, prepared in memory, only drawn and read back, in the same run.
//!
//! `cargo bench --bench demo -- [STUDY]`; scripts/bench sets what the driver needs. Ratios within one run
//! are worth quoting; times are the machine's.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use posegrid::asset::{self, Limits};
use posegrid::kit;
use posegrid::plan::{self, Plan};
use posegrid::render::{AdapterChoice, Renderer};
use posegrid::run::{self, Job, Options, Outcome};
use posegrid::sheet::{Layout, encode_rgba};
use posegrid::stage::{self, Cast, Scene};
use posegrid::study::{self, Known, Study};

const KIT_DIR: &str = "out/kit";
const ROUNDS: usize = 3;

fn main() {
    let path = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let path = path.unwrap_or_else(|| "scenes/carry.toml".to_owned());
    let names = kit::names();
    kit::build(Path::new(KIT_DIR), None).expect("the kit builds");
    let known = Known { kit_dir: Path::new(KIT_DIR), kit_names: &names, captions: &[] };
    let study = study::read(Path::new(&path), &known).expect("the study reads");
    let plan = plan::plan(&study, &[] as &[&str]).expect("the study has cells");
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    println!("{path}: {} cells, {workers} workers, best of {ROUNDS} rounds", plan.cells.len());
    for round in 1..=ROUNDS {
        one_round(round, &study, &plan, workers);
    }
}

fn one_round(round: usize, study: &Study, plan: &Plan, workers: usize) {
    let started = Instant::now();
    let job = Arc::new(Job { order: Layout::new(study, plan).order(), plan: plan.clone(), cast: cast(study, plan) });
    let load = started.elapsed();
    let options =
        Options { workers, adapter: AdapterChoice::Any, cell_limit: None, stop: Arc::new(AtomicBool::new(false)) };
    let encode = |_: &Plan, result: &mut run::CellResult| {
        if let Outcome::Made(made) = &mut result.outcome {
            std::hint::black_box(encode_rgba(made.size_px, &made.rgba).is_ok());
        }
    };
    let ended = run::run(&job, &options, encode, |result| drop(std::hint::black_box(result)));
    let whole = started.elapsed();
    let scenes: Vec<Scene> =
        plan.cells.iter().filter_map(|cell| stage::scene(&job.cast, cell).ok()).map(|staged| staged.scene).collect();
    let floor = floor(&scenes, workers);
    let per_cell = |part: Duration| part.as_secs_f64() * 1000.0 / plan.cells.len() as f64;
    let times = &ended.timings;
    println!(
        "round {round}: {:.0} cells/s; a cell, ms of one core: load {:.2}, start {:.2}, stage {:.2}, draw {:.2}, \
         resolve {:.2}, measure {:.2}, encode {:.2}; floor {:.0} cells/s, share of the floor {:.2}",
        plan.cells.len() as f64 / whole.as_secs_f64(),
        per_cell(load),
        per_cell(times.start_up),
        per_cell(times.stage),
        per_cell(times.draw),
        per_cell(times.resolve),
        per_cell(times.measure),
        per_cell(times.encode),
        scenes.len() as f64 / floor.as_secs_f64(),
        floor.as_secs_f64() / whole.as_secs_f64(),
    );
}

fn cast(study: &Study, plan: &Plan) -> Cast {
    let rows = plan.axis_positions(&study.sheet.rows);
    let company: Vec<_> = plan.cells.iter().collect();
    Cast::assemble(plan, &company, &rows, &|file| {
        asset::load(&file.path, &Limits::default()).map(Arc::new).map_err(|error| error.finding())
    })
}

/// Wall time of drawing and reading back alone, on as many workers, after each has drawn every pipeline
/// that the scenes need once.
fn floor(scenes: &[Scene], workers: usize) -> Duration {
    let next = AtomicUsize::new(0);
    let spent: Vec<Duration> = std::thread::scope(|scope| {
        let work = || {
            let mut renderer = Renderer::new(&AdapterChoice::Any).expect("an adapter draws");
            renderer.render(&scenes[0]).expect("a scene draws");
            renderer.take_resolve_time();
            let started = Instant::now();
            while let Some(scene) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
                std::hint::black_box(renderer.render(scene).is_ok());
            }
            started.elapsed().saturating_sub(renderer.take_resolve_time())
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
    });
    spent.into_iter().max().unwrap_or_default()
}
