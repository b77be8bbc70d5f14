//! Find the cells that decide how a filtered plan's cells look, though nobody asked to see them.
//!
//! Reads: the plan as filtered, and the study's whole plan. Gives: cells of the whole plan, its own
//! included. Pure.
//!
//! A subject is framed over all its poses and loads, and a row or a sheet over all its subjects; poses
//! are proved against each other. A cell drawn alone must be the cell among ten thousand, so all of that
//! is taken from the study and never from what `--only` left of it.

use std::collections::BTreeSet;

use super::frame::{self, FrameKey};
use crate::plan::{Cell, Framing, Plan, SubjectSpec};

/// Whether the cell's size is that of the largest head.
fn at_distance(cell: &Cell) -> bool {
    matches!(cell.spec.view.framing, Framing::Distance { .. })
}

/// The cells of `whole` that share a subject, or the frame of a row or of the sheet, with a cell of
/// `plan`, or the size of cells at a distance; in the order of `whole`. `row_axes` are the positions of the axes that make a row.
pub fn company<'a>(plan: &Plan, whole: &'a Plan, row_axes: &[usize]) -> Vec<&'a Cell> {
    let mut subjects: Vec<&SubjectSpec> = Vec::new();
    let mut scopes: BTreeSet<FrameKey> = BTreeSet::new();
    for cell in &plan.cells {
        if !subjects.contains(&&cell.spec.subject) {
            subjects.push(&cell.spec.subject);
        }
        scopes.extend(frame::shared_key(cell, row_axes));
    }
    let shows_distance = plan.cells.iter().any(at_distance);
    let decides = |cell: &&Cell| {
        (shows_distance && at_distance(cell))
            || subjects.contains(&&cell.spec.subject)
            || frame::shared_key(cell, row_axes).is_some_and(|key| scopes.contains(&key))
    };
    whole.cells.iter().filter(decides).collect()
}
