//! Write a commented starter study.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use super::exit::{Failure, Status};

/// Write a commented starter study that renders as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  posegrid new orcs && posegrid render orcs.toml")]
pub(super) struct Args {
    /// Name of the study; NAME.toml is written, and never over a file that is there.
    name: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let path = args.name.with_extension("toml");
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = crate::study::starter(&name);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
    super::print(&format!("{}\n", path.display()));
    eprintln!("render it: posegrid render {}", path.display());
    Ok(Status::Done)
}
