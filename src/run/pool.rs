//! Hand cells to workers and their results to one receiver.
//!
//! Each worker is a thread with a renderer of its own: two devices of one driver instance share its
//! locks, two instances do not. A cell that takes longer than the limit cannot be stopped, so its
//! worker is left behind and another takes its place; the cell is a hole.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::cell::{self, Timings};
use super::result::{CellResult, Outcome};
use crate::base::Finding;
use crate::plan::Plan;
use crate::render::{AdapterChoice, RenderError, Renderer};
use crate::stage::Cast;

/// What workers share.
#[derive(Debug)]
pub struct Job {
    /// The cells.
    pub plan: Plan,
    /// What they share.
    pub cast: Cast,
    /// Positions in the plan, in the order in which to make them.
    pub order: Vec<usize>,
}

/// How a job is run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Threads that render, each with a device of its own.
    pub workers: usize,
    /// What to draw with.
    pub adapter: AdapterChoice,
    /// A cell that takes longer becomes a hole.
    pub cell_limit: Option<Duration>,
    /// Set from outside to stop: cells in hand are finished, no others begun.
    pub stop: Arc<AtomicBool>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    /// Cells that have a result.
    pub finished: usize,
    /// Why it stopped before the last cell.
    pub stopped: Option<Stopped>,
    /// Where the time went, all workers together.
    pub timings: Timings,
}

/// Why a run stopped before its last cell.
#[derive(Debug)]
pub enum Stopped {
    /// It was asked to.
    Asked,
    /// Drawing is not possible, now or at all.
    Render(RenderError),
}

/// How long a run waits at its end for workers that took too long for a cell.
const LAST_WAIT: Duration = Duration::from_secs(2);

enum Message {
    Began { worker: usize, cell: usize, at: Instant },
    Finished { worker: usize, result: Box<CellResult>, timings: Timings },
    Gone { worker: usize, error: Option<RenderError> },
}

/// What every worker can reach.
struct Shared<F> {
    job: Arc<Job>,
    options: Options,
    next: AtomicUsize,
    halt: AtomicBool,
    finish: F,
}

/// Makes every cell of a job. `finish` runs on the worker for each cell made, such as to write its
/// picture; `receive` runs on the calling thread for each result as it comes.
pub fn run<F>(job: &Arc<Job>, options: &Options, finish: F, mut receive: impl FnMut(CellResult)) -> Ended
where
    F: Fn(&Plan, &mut CellResult) + Send + Sync + 'static,
{
    let shared = Arc::new(Shared {
        job: Arc::clone(job),
        options: options.clone(),
        next: AtomicUsize::new(0),
        halt: AtomicBool::new(false),
        finish,
    });
    let (sender, receiver) = mpsc::channel();
    let workers = options.workers.clamp(1, job.order.len().max(1));
    let mut crew = Crew { shared: Arc::clone(&shared), sender, alive: 0, busy: Vec::new(), threads: Vec::new() };
    (0..workers).for_each(|_| crew.hire());
    let mut ended = Ended { finished: 0, stopped: None, timings: Timings::default() };
    while crew.alive > 0 {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(Message::Began { worker, cell, at }) => crew.busy.push((worker, cell, at)),
            Ok(Message::Finished { worker, result, timings }) => {
                // A worker that was left behind may still come home: its cell is a hole by now.
                if crew.free(worker) {
                    ended.timings.add(&timings);
                    ended.finished += 1;
                    receive(*result);
                }
            }
            Ok(Message::Gone { worker, error }) => {
                if crew.known(worker) {
                    crew.alive -= 1;
                }
                if let Some(error) = error {
                    shared.halt.store(true, Ordering::Relaxed);
                    ended.stopped.get_or_insert(Stopped::Render(error));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        for cell in crew.overdue() {
            ended.finished += 1;
            receive(too_long(job, options, cell));
        }
    }
    crew.dismiss();
    if ended.stopped.is_none() && ended.finished < job.order.len() {
        ended.stopped = Some(Stopped::Asked);
    }
    ended
}

fn too_long(job: &Job, options: &Options, cell: usize) -> CellResult {
    let limit = options.cell_limit.unwrap_or_default();
    let name = &job.plan.cells[cell].name;
    let finding = Finding::error("CELL_TIMEOUT", name, format!("took longer than {} s", limit.as_secs_f32()))
        .with_hint("a larger --cell-limit gives it more time");
    CellResult { cell, outcome: Outcome::Hole(finding) }
}

/// The workers and what each has in hand.
struct Crew<F> {
    shared: Arc<Shared<F>>,
    sender: Sender<Message>,
    alive: usize,
    busy: Vec<(usize, usize, Instant)>,
    threads: Vec<Hired>,
}

/// A worker's thread; its position in [`Crew::threads`] is the worker's number.
struct Hired {
    thread: JoinHandle<()>,
    /// Set when the worker is left behind: its cell is a hole by then, and it may begin no other.
    left_behind: Arc<AtomicBool>,
}

impl<F> Crew<F>
where
    F: Fn(&Plan, &mut CellResult) + Send + Sync + 'static,
{
    fn hire(&mut self) {
        let (shared, sender, worker) = (Arc::clone(&self.shared), self.sender.clone(), self.threads.len());
        let left_behind = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&left_behind);
        let life = move || work(&shared, &sender, worker, &told);
        // Without a thread the run goes on with those it has; with none, it ends as stopped.
        if let Ok(thread) = thread::Builder::new().name(format!("worker {worker}")).spawn(life) {
            self.alive += 1;
            self.threads.push(Hired { thread, left_behind });
        }
    }

    /// Waits until every worker has closed its device: a process that ends while a driver is still
    /// closing one may crash in it. A worker that was left behind gets a while, and no more.
    fn dismiss(self) {
        let patience = Instant::now();
        for Hired { thread, left_behind } in self.threads {
            while left_behind.load(Ordering::Relaxed) && !thread.is_finished() && patience.elapsed() < LAST_WAIT {
                thread::sleep(Duration::from_millis(5));
            }
            if thread.is_finished() || !left_behind.load(Ordering::Relaxed) {
                // A worker's panic is caught cell by cell; one beyond that has been printed.
                let _ = thread.join();
            }
        }
    }

    /// Takes the cell from a worker's hand; false if it was taken before.
    fn free(&mut self, worker: usize) -> bool {
        let before = self.busy.len();
        self.busy.retain(|(name, ..)| *name != worker);
        self.busy.len() < before
    }

    fn known(&self, worker: usize) -> bool {
        !self.threads[worker].left_behind.load(Ordering::Relaxed)
    }

    /// Cells in hand for longer than the limit; their workers are replaced.
    fn overdue(&mut self) -> Vec<usize> {
        let Some(limit) = self.shared.options.cell_limit else { return Vec::new() };
        let late: Vec<(usize, usize)> = self
            .busy
            .iter()
            .filter(|(.., at)| at.elapsed() > limit)
            .map(|(worker, cell, _)| (*worker, *cell))
            .collect();
        for (worker, _) in &late {
            self.free(*worker);
            self.threads[*worker].left_behind.store(true, Ordering::Relaxed);
            self.alive -= 1;
            self.hire();
        }
        late.into_iter().map(|(_, cell)| cell).collect()
    }
}

/// One worker's life: a renderer, then cell after cell.
fn work<F>(shared: &Shared<F>, sender: &Sender<Message>, worker: usize, left_behind: &AtomicBool)
where
    F: Fn(&Plan, &mut CellResult) + Send + Sync + 'static,
{
    let started = Instant::now();
    let mut renderer = match Renderer::new(&shared.options.adapter) {
        Ok(renderer) => renderer,
        Err(error) => return gone(sender, worker, Some(error)),
    };
    let mut start_up = started.elapsed();
    loop {
        let told = [&*shared.options.stop, &shared.halt, left_behind];
        if told.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return gone(sender, worker, None);
        }
        let Some(&at) = shared.job.order.get(shared.next.fetch_add(1, Ordering::Relaxed)) else {
            return gone(sender, worker, None);
        };
        // A receiver that is gone means that nobody waits for this worker any more.
        if sender.send(Message::Began { worker, cell: at, at: Instant::now() }).is_err() {
            return;
        }
        let mut timings = Timings { start_up: std::mem::take(&mut start_up), ..Timings::default() };
        let outcome = match attempt(shared, &mut renderer, at, &mut timings) {
            Ok(outcome) => outcome,
            Err(error) => return gone(sender, worker, Some(error)),
        };
        if left_behind.load(Ordering::Relaxed) {
            return gone(sender, worker, None);
        }
        let mut result = CellResult { cell: at, outcome };
        let finishing = Instant::now();
        (shared.finish)(&shared.job.plan, &mut result);
        timings.encode += finishing.elapsed();
        if sender.send(Message::Finished { worker, result: Box::new(result), timings }).is_err() {
            return;
        }
    }
}

/// Makes a cell; trouble that may pass is tried once more on a new renderer.
fn attempt<F>(
    shared: &Shared<F>,
    renderer: &mut Renderer,
    at: usize,
    timings: &mut Timings,
) -> Result<Outcome, RenderError> {
    let job = &shared.job;
    let mut make = |renderer: &mut Renderer| {
        panic::catch_unwind(AssertUnwindSafe(|| cell::make(&job.cast, &job.plan.cells[at], renderer, timings)))
            .unwrap_or_else(|_| Ok(Outcome::Hole(fault(&job.plan.cells[at].name))))
    };
    match make(renderer) {
        Err(error) if error.is_transient() => {
            *renderer = Renderer::new(&shared.options.adapter)?;
            make(renderer)
        }
        made => made,
    }
}

/// A fault of ours must not take the other cells with it.
fn fault(name: &str) -> Finding {
    Finding::error("INTERNAL_FAULT", name, "posegrid itself failed on this cell")
        .with_hint("this is a fault of posegrid: the message above says where; please report it")
}

fn gone(sender: &Sender<Message>, worker: usize, error: Option<RenderError>) {
    // Nobody listens once the run has ended; then there is nothing left to say.
    let _ = sender.send(Message::Gone { worker, error });
}
