//! Tile finished cells into labelled pages.
//!
//! Reads: a study's sheet settings, a plan, and results as they come.
//! Writes: `sheet-01.png` and so on, and `overview.png` where there are several, into one folder.
//!
//! [`Layout`] is pure and knows every pixel position before the first cell is rendered; [`Book`] paints.
//! A page is written in horizontal strips, a strip as soon as its cells have come, so that memory holds
//! a few rows of cells, whatever the size of the study. Rendering in the order of [`Layout::order`]
//! keeps it at one or two. What is behind a character is part of the cell; paper is not.

pub(crate) mod arrange;
mod book;
mod canvas;
pub(crate) mod caption;
mod facts;
mod footer;
mod heading;
mod layout;
mod lettering;
mod overview;
mod page;
mod png_file;
mod shrink;
mod sizes;
mod theme;
mod tile;

pub use book::{Book, Bound};
pub use caption::caption_choices;
pub use facts::{FACT_COLUMNS, fact};
pub use footer::Provenance;
pub use layout::Layout;
pub use png_file::{encode_rgba, rgb_encoder};

/// What can go wrong with a sheet.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// A caption names nothing that a cell has.
    #[error("no reading named {asked:?} for a caption")]
    UnknownCaption {
        /// As the study has it.
        asked: String,
        /// The choice that is spelled most alike.
        nearest: String,
        /// All choices.
        choices: Vec<String>,
    },
    /// A file of the sheet cannot be written.
    #[error("cannot write {file}")]
    Write {
        /// Its name in the output folder.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// The layout has no place for this cell.
    #[error("the sheet has no place for cell {cell}")]
    NoPlace {
        /// Position in the plan.
        cell: usize,
    },
    /// A cell came twice.
    #[error("cell {cell} is on the sheet already")]
    PlacedTwice {
        /// Position in the plan.
        cell: usize,
    },
    /// A picture's bytes do not fill its size.
    #[error("the picture of cell {cell} has {bytes} bytes where its size needs {needed}")]
    WrongLength {
        /// Position in the plan.
        cell: usize,
        /// Bytes that it has.
        bytes: usize,
        /// Bytes that `size_px` needs.
        needed: usize,
    },
}

impl SheetError {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownCaption { nearest, choices, .. } => {
                Some(format!("did you mean {nearest:?}? The choices are: {}", choices.join(", ")))
            }
            Self::Write { .. } => Some("check that the folder can be written to and the disk is not full".to_owned()),
            Self::NoPlace { .. } | Self::PlacedTwice { .. } | Self::WrongLength { .. } => None,
        }
    }
}
