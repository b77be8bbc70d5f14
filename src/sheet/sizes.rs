//! Derive the sizes of type and the widths of gaps from the size of a cell.
//!
//! Pure. Type grows with the cell between limits: it stays readable beside cells of 32 pixels, and does
//! not shout beside cells of 1,024.

use super::lettering::Face;

/// Largest side of a cell that a page is laid out for: past it, pages would be too large to address.
const MOST_CELL_PX: i32 = 1 << 16;

/// Sizes shared by all pages of a study, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Columns and rows that a cell's picture has on the sheet.
    pub(crate) tile: [i32; 2],
    /// Width kept for a cell and its caption.
    pub(crate) slot_w: i32,
    /// Height kept for a cell and its caption.
    pub(crate) slot_h: i32,
    /// From the picture to the caption's first line.
    pub(crate) caption_gap: i32,
    /// Between cells.
    pub(crate) gap: i32,
    /// Added to `gap` for each outer axis that changes.
    pub(crate) group_gap: i32,
    /// Round the page.
    pub(crate) margin: i32,
    /// Between a label and what it labels.
    pub(crate) pad: i32,
    /// Least width between the margins, so that title and provenance can be read.
    pub(crate) least_content: i32,
    pub(crate) label: Face,
    pub(crate) group_label: Face,
    pub(crate) caption: Face,
    pub(crate) page_heading: Face,
    pub(crate) title: Face,
}

impl Sizes {
    /// Sizes for cells of `cell_px` columns and rows without captions.
    pub(crate) fn new(cell_px: [u32; 2]) -> Self {
        let tile = cell_px.map(|side| i32::try_from(side.max(1)).unwrap_or(i32::MAX).min(MOST_CELL_PX));
        let side = f64::from(tile[0].min(tile[1]));
        let between = |value: f64, least: f64, most: f64| value.clamp(least, most).round() as i32;
        let label_px = between(9.0 + side / 36.0, 11.0, 32.0) as u32;
        let scaled = |share: f64, least: u32| ((f64::from(label_px) * share).round() as u32).max(least);
        let label = Face::regular(label_px);
        Self {
            tile,
            slot_w: tile[0].max(label.line_px()),
            slot_h: tile[1].max(label.line_px()),
            caption_gap: between(side / 64.0, 2.0, 6.0),
            gap: between(side / 32.0, 2.0, 16.0),
            group_gap: between(side / 14.0, 8.0, 36.0),
            margin: between(side / 8.0, 20.0, 56.0),
            pad: (label_px as i32 * 2 / 3).max(6),
            least_content: label_px as i32 * 26,
            label,
            group_label: Face::bold(label_px),
            caption: Face::regular(scaled(0.8, 11)),
            page_heading: Face::regular(scaled(1.15, 12)),
            title: Face::bold(scaled(1.6, 17)),
        }
    }

    /// The same sizes with room for `lines` lines of captions, `wanted_px` wide if that is not out of
    /// proportion.
    #[must_use]
    pub(crate) fn with_captions(self, lines: usize, wanted_px: i32) -> Self {
        if lines == 0 {
            return self;
        }
        let most = self.caption.size_px as i32 * 11;
        let slot_w = self.slot_w.max(wanted_px.min(most));
        // Captions wider than their pictures would run into each other across the gap of small cells.
        let apart = if slot_w > self.tile[0] { self.caption.size_px as i32 } else { 0 };
        let below = self.tile[1] + self.caption_gap + lines as i32 * self.caption.line_px();
        Self { slot_w, slot_h: below.max(self.label.line_px()), gap: (self.gap + 4).max(apart), ..self }
    }

    /// The gap between two rows or columns that differ in `depth` outer axes.
    pub(crate) fn gap_at(&self, depth: usize) -> i32 {
        self.gap + depth as i32 * self.group_gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_is_readable_beside_a_tiny_cell_and_quiet_beside_a_huge_one() {
        assert_eq!(Sizes::new([16, 16]).label.size_px, 11);
        assert_eq!(Sizes::new([4096, 4096]).label.size_px, 32);
        assert!(Sizes::new([512, 512]).label.size_px > Sizes::new([256, 256]).label.size_px);
    }

    #[test]
    fn a_row_or_column_is_never_narrower_than_a_line_of_its_label() {
        let sizes = Sizes::new([8, 8]);
        assert_eq!([sizes.slot_w, sizes.slot_h], [sizes.label.line_px(); 2]);
    }
}
