//! Print the JSON Schema of study files.

use super::exit::{Failure, Status};

/// Print the JSON Schema of study files, made from the types that read them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  posegrid schema > study.schema.json\nand as the first line of a study:\n  #:schema ./study.schema.json"
)]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> Result<Status, Failure> {
    super::print(&crate::study::json_schema());
    Ok(Status::Done)
}
