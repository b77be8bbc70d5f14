//! The measures that prove the kit, taken from its files as a user gets them; docs/kit-measures.md has
//! their tables.
//!
//! Each test compares its table with the document's, number by number as rounded there.
//! `POSEGRID_BLESS=1 cargo test --test kit_measures` writes the tables anew; limits hold all the same.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod analytic;
mod feet;
mod hygiene;
mod loops;
mod silhouettes;
mod stretch;
mod subject;
mod table;
mod truths;

use std::sync::LazyLock;

use posegrid::kit;
use rayon::prelude::*;
use subject::Subject;

/// Every worker, made once.
static WORKERS: LazyLock<Vec<Subject>> = LazyLock::new(|| made("workers/"));

/// Every head, made once.
static HEADS: LazyLock<Vec<Subject>> = LazyLock::new(|| made("heads/"));

/// Every load, made once.
static LOADS: LazyLock<Vec<Subject>> = LazyLock::new(|| made("loads/"));

/// Every analytic body, made once.
static ANALYTIC: LazyLock<Vec<Subject>> = LazyLock::new(|| made("analytic/"));

fn made(folder: &str) -> Vec<Subject> {
    let names: Vec<String> = kit::names().into_iter().filter(|name| name.starts_with(folder)).collect();
    names.par_iter().map(|name| Subject::new(name)).collect()
}
