//! Render a study: sheets, cells, tables.

use std::path::PathBuf;

use super::exit::{self, Failure, Status};
use super::produce::{self, Paths, RunArgs};
use super::studies;

const EXAMPLES: &str = "\
Examples:
  posegrid render scenes/carry.toml
  posegrid render scenes/carry.toml --only view=behind --only worker=dwarf,elf";

/// Render a study: sheets, cells, tables.
///
/// Everything goes into out/STUDY, STUDY being the study file's stem.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{}\n\n{EXAMPLES}", exit::HELP))]
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
    produce::produce(&study, &args.only, &args.run, Paths::Stdout)
}
