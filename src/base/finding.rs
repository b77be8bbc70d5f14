//! What was noticed about an input: how bad, a stable code, where, and what would be right.
//!
//! A finding never stops the farm: a bad subject becomes a finding, a marked hole in the sheet and a
//! row in the report. Codes are stable: scripts match on them.

use std::fmt;

use serde::Serialize;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// The picture was made, but may not show what its author meant.
    Warning,
    /// The subject or cell could not be made.
    Error,
}

/// A stable name for a kind of finding, such as `CLIP_NOT_FOUND`.
pub type Code = &'static str;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Which kind it is.
    pub code: Code,
    /// Where: a file, then a place in it, such as `knight.glb/skins/0`.
    pub place: String,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What would be right, where that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Finding {
    /// A finding of `severity` at `place`.
    pub fn new(severity: Severity, code: Code, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity, code, place: place.into(), message: message.into(), hint: None }
    }

    /// A note at `place`.
    pub fn note(code: Code, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, place, message)
    }

    /// A warning at `place`.
    pub fn warning(code: Code, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, place, message)
    }

    /// An error at `place`.
    pub fn error(code: Code, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, place, message)
    }

    /// The same finding with what would be right.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}[{}]: {}: {}", self.code, self.place, self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}
