//! Sort the cells of a plan into pages, rows and columns.
//!
//! Pure, and without pixels: what is on which page, in which row and column. A row or column is kept
//! where the page has a cell for it; a cell that the plan lacks leaves its place empty.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::Plan;
use crate::study::SheetSpec;

/// The axes of each direction, as positions in [`Plan::axes`], and the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arrangement {
    pub(crate) row_axes: Vec<usize>,
    pub(crate) column_axes: Vec<usize>,
    pub(crate) page_axes: Vec<usize>,
    pub(crate) grids: Vec<Grid>,
}

/// One combination of the page axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Value of each page axis.
    pub(crate) page: Vec<usize>,
    /// Values of the row axes, a list a row.
    pub(crate) rows: Vec<Vec<usize>>,
    /// Values of the column axes, a list a column.
    pub(crate) columns: Vec<Vec<usize>>,
    /// Row by row: position in [`Plan::cells`].
    pub(crate) cells: Vec<Option<usize>>,
}

impl Arrangement {
    /// Axes that the sheet does not place turn pages, the first of them outermost.
    pub(crate) fn new(sheet: &SheetSpec, plan: &Plan) -> Self {
        let [row_axes, column_axes, mut page_axes] =
            [&sheet.rows, &sheet.columns, &sheet.pages].map(|names| plan.axis_positions(names));
        for axis in 0..plan.axes.len() {
            if ![&row_axes, &column_axes, &page_axes].iter().any(|placed| placed.contains(&axis)) {
                page_axes.push(axis);
            }
        }
        let grids = grids(plan, &row_axes, &column_axes, &page_axes);
        Self { row_axes, column_axes, page_axes, grids }
    }
}

/// Values of a cell's row axes and column axes, and its position in the plan.
type Member = (Vec<usize>, Vec<usize>, usize);

fn grids(plan: &Plan, row_axes: &[usize], column_axes: &[usize], page_axes: &[usize]) -> Vec<Grid> {
    let mut by_page: BTreeMap<Vec<usize>, Vec<Member>> = BTreeMap::new();
    for (position, cell) in plan.cells.iter().enumerate() {
        let along =
            |axes: &[usize]| axes.iter().map(|&axis| cell.values.get(axis).copied().unwrap_or(0)).collect::<Vec<_>>();
        by_page.entry(along(page_axes)).or_default().push((along(row_axes), along(column_axes), position));
    }
    by_page.into_iter().map(|(page, members)| grid(page, &members)).collect()
}

fn grid(page: Vec<usize>, members: &[Member]) -> Grid {
    let rows: BTreeSet<&Vec<usize>> = members.iter().map(|(row, _, _)| row).collect();
    let columns: BTreeSet<&Vec<usize>> = members.iter().map(|(_, column, _)| column).collect();
    let rows: Vec<Vec<usize>> = rows.into_iter().cloned().collect();
    let columns: Vec<Vec<usize>> = columns.into_iter().cloned().collect();
    let mut cells = vec![None; rows.len() * columns.len()];
    for (row, column, cell) in members {
        if let (Ok(row), Ok(column)) = (rows.binary_search(row), columns.binary_search(column)) {
            cells[row * columns.len() + column] = Some(*cell);
        }
    }
    Grid { page, rows, columns, cells }
}

/// How many outer axes change from one row or column to the next: 0 where only the innermost does.
pub(crate) fn depth(one: &[usize], next: &[usize]) -> usize {
    let first_change = one.iter().zip(next).position(|(a, b)| a != b).unwrap_or(one.len());
    one.len().saturating_sub(first_change + 1)
}

/// Runs of rows or columns that agree on the axes up to and with `level`.
pub(crate) fn runs(lines: &[Vec<usize>], level: usize) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for at in 0..lines.len() {
        match runs.last_mut() {
            Some(run) if lines[run.start][..=level] == lines[at][..=level] => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Cuts rows or columns into stretches that each fit in `room_px`.
///
/// A cut falls where the most outer axes change, if that leaves at least six tenths of what would fit;
/// without such a place, stretches are of even length. A line that does not fit alone stands alone.
pub(crate) fn cut(
    lines: &[Vec<usize>],
    size_px: i32,
    gap_px: impl Fn(usize) -> i32,
    room_px: i32,
) -> Vec<std::ops::Range<usize>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let fits = count_that_fits(&lines[start..], size_px, &gap_px, room_px);
        let left = lines.len() - start;
        let taken = if fits >= left { left } else { best_cut(&lines[start..], fits) };
        stretches.push(start..start + taken);
        start += taken;
    }
    stretches
}

fn count_that_fits(lines: &[Vec<usize>], size_px: i32, gap_px: &impl Fn(usize) -> i32, room_px: i32) -> usize {
    let mut used = i64::from(size_px);
    let mut count = 1;
    for pair in lines.windows(2) {
        used += i64::from(gap_px(depth(&pair[0], &pair[1]))) + i64::from(size_px);
        if used > i64::from(room_px) {
            break;
        }
        count += 1;
    }
    count
}

fn best_cut(lines: &[Vec<usize>], fits: usize) -> usize {
    let depth_at = |at: usize| depth(&lines[at - 1], &lines[at]);
    let least = (fits * 6).div_ceil(10).max(1);
    let deepest = (least..=fits).max_by_key(|&at| (depth_at(at), at)).unwrap_or(fits);
    if depth_at(deepest) > 0 {
        return deepest;
    }
    let stretches = lines.len().div_ceil(fits);
    lines.len().div_ceil(stretches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(groups: usize, members: usize) -> Vec<Vec<usize>> {
        (0..groups).flat_map(|group| (0..members).map(move |member| vec![group, member])).collect()
    }

    #[test]
    fn depth_counts_the_outer_axes_that_change() {
        assert_eq!(depth(&[0, 0, 0], &[0, 0, 1]), 0);
        assert_eq!(depth(&[0, 0, 9], &[0, 1, 0]), 1);
        assert_eq!(depth(&[0, 9, 9], &[1, 0, 0]), 2);
        assert_eq!(depth(&[], &[]), 0);
    }

    #[test]
    fn an_outer_heading_runs_over_its_inner_values() {
        let lines = [vec![0, 0], vec![0, 1], vec![1, 0], vec![2, 0], vec![2, 1]];
        assert_eq!(runs(&lines, 0), [0..2, 2..3, 3..5]);
        assert_eq!(runs(&lines, 1).len(), 5);
    }

    /// 60 rows of 10 with gaps of 2: 310 px hold 26 (26 * 12 - 2 = 310), so three stretches of 20.
    #[test]
    fn rows_without_groups_are_cut_into_even_stretches() {
        let lines: Vec<Vec<usize>> = (0..60).map(|row| vec![row]).collect();
        assert_eq!(cut(&lines, 10, |_| 2, 310), [0..20, 20..40, 40..60]);
        assert_eq!(cut(&lines, 10, |_| 2, 718).len(), 1);
        assert_eq!(cut(&lines, 10, |_| 2, 717).len(), 2);
    }

    /// Groups of 7: 20 rows fit, the last border within is after 14.
    #[test]
    fn a_cut_falls_between_groups_where_it_can() {
        assert_eq!(cut(&lines(4, 7), 10, |_| 0, 200), [0..14, 14..28]);
    }

    #[test]
    fn a_row_that_is_too_tall_stands_alone() {
        assert_eq!(cut(&lines(1, 3), 500, |_| 0, 100), [0..1, 1..2, 2..3]);
    }
}
