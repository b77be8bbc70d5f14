//! Why a study has no plan.

use crate::study::nearest;

/// Why a study has no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A cell without a character.
    #[error("no subject for cell {cell}")]
    NoSubject {
        /// Its name.
        cell: String,
    },
    /// Two axes want different things of one cell.
    #[error("{first:?} and {second:?} both set {key} for cell {cell}")]
    KeyTwice {
        /// The setting.
        key: &'static str,
        /// `axis = value` of the earlier axis.
        first: String,
        /// `axis = value` of the later axis.
        second: String,
        /// The first cell that has both.
        cell: String,
    },
    /// Two settings that exclude each other.
    #[error("{first} and {second} both place the camera of cell {cell}")]
    TwoCameras {
        /// One setting.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// The first cell that has both.
        cell: String,
    },
    /// A phase of no clip.
    #[error("cell {cell} has a phase and no clip")]
    PhaseWithoutClip {
        /// Its name.
        cell: String,
    },
    /// More than can be planned.
    #[error("{cells} cells are more than {most}")]
    TooManyCells {
        /// How many the product has.
        cells: u128,
        /// How many are allowed.
        most: u128,
    },
    /// The study's own `only` and `skip` leave nothing.
    #[error("no cell is left of the study {study}")]
    NothingLeft {
        /// Its name.
        study: String,
    },
    /// The command line's filters leave nothing.
    #[error("no cell of the study {study} matches {filters}")]
    NothingMatches {
        /// Its name.
        study: String,
        /// The filters as given.
        filters: String,
    },
    /// A filter that is not `axis=value`.
    #[error("{filter:?} is no filter")]
    NoFilter {
        /// As given.
        filter: String,
    },
    /// A filter's axis.
    #[error("no axis named {axis:?}")]
    UnknownAxis {
        /// As given.
        axis: String,
        /// The study's axes.
        choices: Vec<String>,
    },
    /// A filter's value.
    #[error("axis {axis:?} has no value {value:?}")]
    UnknownValue {
        /// The axis.
        axis: String,
        /// As given.
        value: String,
        /// The axis's values.
        choices: Vec<String>,
    },
}

impl PlanError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NoSubject { .. } => {
                "set subject = \"FILE\" under [cell] or in an axis, or give an axis files = \"*.glb\""
            }
            Self::KeyTwice { .. } => "make them one axis (factorial = {..} combines changes), or [[skip]] the cell",
            Self::TwoCameras { .. } => "leave one of them out",
            Self::PhaseWithoutClip { .. } => "name a clip, or [[skip]] the cell",
            Self::TooManyCells { .. } => "take values out, or split the study",
            Self::NothingLeft { .. } => {
                "look at [[only]] and [[skip]]: a cell stays if it matches any only and no skip"
            }
            Self::NothingMatches { .. } => {
                "filters on different axes must all match, and [[only]] and [[skip]] come first"
            }
            Self::NoFilter { .. } => "a filter is axis=value or axis=value,value; * matches any run of characters",
            Self::UnknownAxis { axis, choices } => return Some(nearest::hint("axes", axis, choices)),
            Self::UnknownValue { value, choices, .. } => return Some(nearest::hint("values", value, choices)),
        };
        Some(text.to_owned())
    }
}
