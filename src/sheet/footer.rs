//! Say at the foot of each page where it comes from and what is to be doubted.
//!
//! Pure. Wrapped to the page and never cut: a warning that does not fit is a warning that nobody reads.

use super::canvas::Canvas;
use super::lettering::{Align, Block, Lettering};
use super::sizes::Sizes;
use super::theme::Palette;

/// What a sheet was made from and with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The study's name.
    pub study: String,
    /// Version of posegrid.
    pub version: String,
    /// What rendered it, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub adapter: String,
    /// The day, where the study asks for it: a sheet without one has the same bytes on every day.
    pub date: Option<String>,
    /// Such as `Fox.glb: KHR_materials_sheen not honoured`.
    pub warnings: Vec<String>,
}

impl Provenance {
    /// Study, version, adapter and day in one line.
    pub fn made_from(&self) -> String {
        let parts = [self.study.clone(), format!("posegrid {}", self.version), self.adapter.clone()];
        let parts = parts.into_iter().chain(self.date.clone()).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" · ")
    }

    fn doubts(&self) -> String {
        self.warnings.iter().map(|warning| format!("⚠ {warning}")).collect::<Vec<_>>().join(" · ")
    }
}

/// The foot of a page, set in the page's width.
#[derive(Debug, Clone)]
pub(crate) struct Footer {
    made_from: Block,
    doubts: Block,
    pub(crate) height: i32,
}

impl Footer {
    pub(crate) fn new(provenance: &Provenance, lettering: &mut Lettering, sizes: &Sizes, page_w: i32) -> Self {
        let width = page_w - 2 * sizes.margin;
        let made_from = lettering.fit(&provenance.made_from(), sizes.caption, width, usize::MAX);
        let doubts = lettering.fit(&provenance.doubts(), sizes.caption, width, usize::MAX);
        let height = sizes.pad + made_from.height_px() + doubts.height_px() + sizes.margin;
        Self { made_from, doubts, height }
    }

    /// The foot as the page rows from `top` on.
    pub(crate) fn paint(
        &self,
        lettering: &mut Lettering,
        palette: &Palette,
        sizes: &Sizes,
        page_w: i32,
        top: i32,
    ) -> Canvas {
        let mut canvas = Canvas::new(page_w, top, top + self.height, palette.paper);
        let width = page_w - 2 * sizes.margin;
        let first = top + sizes.pad;
        lettering.paint(&mut canvas, &self.made_from, [sizes.margin, first], width, Align::Left, palette.muted);
        let second = first + self.made_from.height_px();
        lettering.paint(&mut canvas, &self.doubts, [sizes.margin, second], width, Align::Left, palette.ink);
        canvas
    }
}
