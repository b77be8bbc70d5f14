//! Everything that is wrong with a study file, each with its line.
//!
//! All errors of a file are reported together: one that is mended alone only to meet the next wastes
//! a run each.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyError {
    /// Bytes of the text that it is about.
    pub span: Range<usize>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// A few words under the marked text.
    pub label: String,
    /// What would be right, where that can be said.
    pub hint: Option<String>,
}

/// Why a study could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StudyErrors {
    /// The file itself.
    #[error("cannot read the study {}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What it says.
    #[error(transparent)]
    Wrong(#[from] WrongText),
}

impl StudyErrors {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Some("`posegrid new NAME` writes a study to start from".to_owned())
            }
            Self::Read { source, .. } if source.kind() == io::ErrorKind::InvalidData => {
                Some("a study is UTF-8 text".to_owned())
            }
            Self::Read { .. } | Self::Wrong(_) => None,
        }
    }
}

/// A study's text with all that is wrong in it, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongText {
    /// The file's name, as it was given.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
    /// Never empty.
    pub errors: Vec<StudyError>,
}

impl std::error::Error for WrongText {}

impl WrongText {
    /// The errors as a person reads them, each with its source line; `coloured` for a terminal.
    pub fn render(&self, coloured: bool) -> String {
        let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
        let reports: Vec<String> = self.errors.iter().map(|error| self.render_one(error, &renderer)).collect();
        reports.join("\n\n")
    }

    /// Line and column of an error, both counted from 1; columns count characters.
    pub fn line_and_column(&self, error: &StudyError) -> (usize, usize) {
        let before = &self.text[..self.boundary(error.span.start)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        (line, column)
    }

    fn render_one(&self, error: &StudyError, renderer: &Renderer) -> String {
        let start = self.boundary(error.span.start);
        let end = self.boundary(error.span.end).max(start);
        let path = self.path.display().to_string().replace('\\', "/");
        let snippet = Snippet::source(self.text.as_str())
            .path(path)
            .annotation(AnnotationKind::Primary.span(start..end).label(error.label.as_str()));
        let mut group = Level::ERROR.primary_title(error.message.as_str()).element(snippet);
        if let Some(hint) = &error.hint {
            group = group.element(Level::HELP.with_name("hint").message(hint.as_str()));
        }
        renderer.render(&[group])
    }

    /// The last character boundary at or before `at`.
    fn boundary(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

impl fmt::Display for WrongText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}
