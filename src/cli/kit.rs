//! Make the sample workers and loads that ship with posegrid.

use std::path::PathBuf;

use super::exit::{Failure, Status, with_causes};
use super::studies::KIT_DIR;
use crate::kit::{KitError, Roster};

/// Make the sample workers and loads that ship with posegrid, as glTF.
///
/// Files that are there already from the same recipe are left alone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  posegrid kit\n  posegrid kit --recipes my-recipes -o my-kit workers/dwarf")]
pub(super) struct Args {
    /// Only these, such as workers/dwarf.
    names: Vec<String>,
    /// Folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = KIT_DIR)]
    out: PathBuf,
    /// A folder of recipes instead of those that ship.
    #[arg(long, value_name = "DIR")]
    recipes: Option<PathBuf>,
    /// Print the names and make nothing.
    #[arg(long)]
    list: bool,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let failed = |error: KitError| Failure { hint: error.hint(), ..Failure::usage(with_causes(&error)) };
    let roster = match &args.recipes {
        Some(folder) => Roster::from_folder(folder).map_err(failed)?,
        None => Roster::embedded(),
    };
    if args.list {
        roster.names().iter().for_each(|name| super::print(&format!("{name}\n")));
        return Ok(Status::Done);
    }
    let only: Vec<&str> = args.names.iter().map(String::as_str).collect();
    let built = roster.build(&args.out, (!only.is_empty()).then_some(&only)).map_err(failed)?;
    for file in built {
        let state = if file.fresh { "made" } else { "up to date" };
        super::print(&format!("{} ({state})\n", file.path.display()));
    }
    Ok(Status::Done)
}
