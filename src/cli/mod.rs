//! The command line: a file a command. Results go to stdout, progress and messages to stderr.

mod completions;
mod doctor;
mod exit;
mod inspect;
mod kit;
mod models;
mod new;
mod outputs;
mod plan;
mod produce;
mod progress;
mod render;
mod schema;
mod sheet;
mod studies;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::{Failure, Status};

/// Contact sheets and readability studies of game characters, rendered headless.
#[derive(Debug, Parser)]
#[command(version, about, after_help = exit::HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Render a study: sheets, cells, tables.
    Render(render::Args),
    /// Render model files without writing a study first.
    Sheet(sheet::Args),
    /// Show what a study would render, without rendering.
    Plan(plan::Args),
    /// Show what is in a model file, and what posegrid makes of it.
    Inspect(inspect::Args),
    /// Make the sample workers and loads that ship with posegrid.
    Kit(kit::Args),
    /// Show what this machine can draw with, and what is missing.
    Doctor(doctor::Args),
    /// Write a commented starter study.
    New(new::Args),
    /// Print the JSON Schema of study files.
    Schema(schema::Args),
    /// Print completions for a shell.
    Completions(completions::Args),
}

/// Parses the command line, runs the command and says how it ended.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not errors; a broken pipe while printing them is not ours to report.
            let _ = error.print();
            return if error.use_stderr() { Status::Usage.into() } else { Status::Done.into() };
        }
    };
    match run(&cli.command) {
        Ok(status) => status.into(),
        Err(failure) => {
            eprintln!("{failure}");
            failure.status.into()
        }
    }
}

fn run(command: &Command) -> Result<Status, Failure> {
    match command {
        Command::Render(args) => render::run(args),
        Command::Sheet(args) => sheet::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Kit(args) => kit::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::New(args) => new::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
    }
}

/// Prints a result to stdout; a reader that has gone away is no error.
fn print(text: &str) {
    use std::io::Write as _;
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// The command's own definition, for completions.
fn definition() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}
