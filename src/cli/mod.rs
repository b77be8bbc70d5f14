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
    Render(render::Args),
    Sheet(sheet::Args),
    Plan(plan::Args),
    Inspect(inspect::Args),
    Kit(kit::Args),
    Doctor(doctor::Args),
    New(new::Args),
    Schema(schema::Args),
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

/// Prints a result to stdout. A reader that has gone away is no error; a result that is lost is one.
fn print(text: &str) {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("error: cannot write to standard output: {error}");
        std::process::exit(i32::from(Status::Transient as u8));
    }
}

/// The command's own definition, for completions.
fn definition() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}
