//! Say how far a run is: a bar on a terminal, plain lines elsewhere, nothing when told to be quiet.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How far a run is.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { total: usize, done: usize, started: Instant, last: Instant },
    Quiet,
}

/// Time between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

impl Progress {
    pub(super) fn new(total: usize, quiet: bool) -> Self {
        if quiet {
            return Self::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            return Self::Lines { total, done: 0, started: now, last: now };
        }
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cells  {per_sec}  {eta} left")
            .expect("the template is valid");
        bar.set_style(style);
        Self::Bar(bar)
    }

    /// One more cell has a result.
    pub(super) fn step(&mut self) {
        match self {
            Self::Bar(bar) => bar.inc(1),
            Self::Lines { total, done, started, last } => {
                *done += 1;
                if last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    let rate = *done as f64 / started.elapsed().as_secs_f64();
                    let left = (*total - *done) as f64 / rate;
                    eprintln!("{done}/{total} cells, {rate:.1} cells/s, {left:.0} s left");
                }
            }
            Self::Quiet => {}
        }
    }

    /// Says a line without tearing the bar.
    pub(super) fn say(&self, line: &str) {
        match self {
            Self::Bar(bar) => bar.suspend(|| eprintln!("{line}")),
            Self::Lines { .. } => eprintln!("{line}"),
            Self::Quiet => {}
        }
    }

    /// Says an error, which no wish for quiet holds back.
    pub(super) fn warn(&self, line: &str) {
        match self {
            Self::Quiet => eprintln!("{line}"),
            Self::Bar(_) | Self::Lines { .. } => self.say(line),
        }
    }

    /// Clears the bar.
    pub(super) fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
