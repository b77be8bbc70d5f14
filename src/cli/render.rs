//! Render a study: sheets, cells, tables.

use std::path::PathBuf;

use super::exit::{self, Failure, Status};
use super::produce::{self, RunArgs};
use super::studies;

/// Render a study: sheets, cells, tables, under out/STUDY.
#[derive(Debug, clap::Args)]
#[command(after_help = concat!("Examples:\n  posegrid render scenes/carry.toml\n  posegrid render scenes/carry.toml --only view=behind --only worker=dwarf,elf"))]
#[command(after_long_help = exit::HELP)]
pub(super) struct Args {
    /// The study file.
    study: PathBuf,
    /// Only the cells whose value of an axis is one of these; every --only must match.
    #[arg(long, value_name = "AXIS=VALUE[,VALUE]")]
    only: Vec<String>,
    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let study = studies::open(&args.study)?;
    produce::produce(&study, &args.only, &args.run)
}
