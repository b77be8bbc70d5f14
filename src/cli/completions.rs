//! Print completions for a shell.

use super::exit::{Failure, Status};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  posegrid completions bash > /etc/bash_completion.d/posegrid")]
pub(super) struct Args {
    /// The shell.
    shell: clap_complete::Shell,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut super::definition(), "posegrid", &mut text);
    super::print(&String::from_utf8_lossy(&text));
    Ok(Status::Done)
}
