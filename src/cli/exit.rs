//! One list of exit statuses for every command.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Status {
    /// Done, nothing to report.
    Done = 0,
    /// Differences or errors found.
    Found = 1,
    /// Wrong use, or it could not start.
    Usage = 2,
    /// Done, with cells that could not be made.
    Holes = 3,
    /// Passing trouble: try again.
    Transient = 75,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// The list, for help texts.
pub(super) const HELP: &str = "\
Exit status:
  0   done, nothing to report
  1   differences or errors found
  2   wrong use, or it could not start (no adapter; no cell)
  3   done, with cells that could not be made: they are holes in the sheet
  4   incomplete: cells are missing
  75  passing trouble (device lost, out of memory, Ctrl-C): try again";

/// A command that could not do its work.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: Status,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Failure {
    /// Wrong use, or it could not start.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { status: Status::Usage, message: message.into(), hint: None }
    }

    /// Trouble that may pass.
    pub(super) fn transient(message: impl Into<String>) -> Self {
        Self { status: Status::Transient, message: message.into(), hint: None }
    }

    /// With what to do about it.
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

/// An error with every cause behind it: `cannot read x: No such file or directory`.
pub(super) fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        message.push_str(": ");
        message.push_str(&next.to_string());
        cause = next.source();
    }
    message
}
