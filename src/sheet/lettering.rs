//! Set type: shape lines, wrap them into blocks that fit, and paint them on a canvas.
//!
//! Reads the faces that are compiled in and nothing else: system fonts differ between machines, and so
//! would every sheet. A character that no face has is painted as a box and remembered.
//!
//! Pure but for its caches, which never change a result.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use cosmic_text::fontdb::{Database, Source};
use cosmic_text::{
    Attrs, Buffer, CacheKeyFlags, Family, FontSystem, LayoutGlyph, Metrics, Shaping, Stretch, SwashCache, SwashContent,
    Weight, Wrap,
};

use super::canvas::Canvas;
use super::theme::Rgb;
use crate::base::Finding;

/// Height of a line as a multiple of the size of the type.
const LEADING: f32 = 1.28;
/// Ascent and descent of the embedded faces as a share of the size (their `hhea` table, rounded).
const ASCENT: f32 = 0.928;
const DESCENT: f32 = 0.236;
/// Shaped lines that are kept; past this the cache starts anew, so that memory stays flat.
const KEPT_LINES: usize = 4096;

/// A weight and a size of type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Face {
    pub(crate) size_px: u32,
    pub(crate) bold: bool,
}

impl Face {
    pub(crate) fn regular(size_px: u32) -> Self {
        Self { size_px, bold: false }
    }

    pub(crate) fn bold(size_px: u32) -> Self {
        Self { size_px, bold: true }
    }

    /// From one baseline to the next.
    pub(crate) fn line_px(self) -> i32 {
        (self.size_px as f32 * LEADING).round() as i32
    }

    /// From the top of a line to its baseline.
    pub(crate) fn baseline_px(self) -> i32 {
        let size = self.size_px as f32;
        ((self.line_px() as f32 - (ASCENT + DESCENT) * size) / 2.0 + ASCENT * size).round() as i32
    }
}

/// Lines of type that fit where they belong.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub(crate) face: Face,
    pub(crate) lines: Vec<String>,
    /// Width of the widest line.
    pub(crate) width_px: i32,
    /// Whether a word had to be broken or something left out.
    pub(crate) forced: bool,
}

impl Block {
    pub(crate) fn height_px(&self) -> i32 {
        self.lines.len() as i32 * self.face.line_px()
    }
}

/// Where lines stand in the width that they are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

/// Which way lines run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Left to right.
    None,
    /// Bottom to top.
    Up,
}

struct Shaped {
    glyphs: Vec<LayoutGlyph>,
    width_px: f32,
}

/// The compositor: faces and caches.
pub(crate) struct Lettering {
    fonts: FontSystem,
    raster: SwashCache,
    shaped: HashMap<(String, Face), Arc<Shaped>>,
    /// Character to the first text that had it.
    missing: BTreeMap<char, String>,
}

impl std::fmt::Debug for Lettering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lettering").field("missing", &self.missing).finish_non_exhaustive()
    }
}

impl Lettering {
    pub(crate) fn new() -> Self {
        let mut faces = Database::new();
        for face in [dejavu::sans_condensed::regular(), dejavu::sans_condensed::bold()] {
            faces.load_font_source(Source::Binary(Arc::new(face)));
        }
        let fonts = FontSystem::new_with_locale_and_db("en-US".to_owned(), faces);
        Self { fonts, raster: SwashCache::new(), shaped: HashMap::new(), missing: BTreeMap::new() }
    }

    /// A warning for each character that was painted as a box, in the order of the characters.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let warn = |(character, text): (&char, &String)| {
            let message =
                format!("the sheet's typeface has no {character:?} (U+{:04X}): a box stands for it", *character as u32);
            Finding::warning("GLYPH_MISSING", text.clone(), message)
                .with_hint("the pictures and tables are not touched; name the value in another script to read it")
        };
        self.missing.iter().map(warn).collect()
    }

    /// Width of one line, rounded up.
    pub(crate) fn width_px(&mut self, text: &str, face: Face) -> i32 {
        self.shape(text, face).width_px.ceil() as i32
    }

    /// Breaks `text` into at most `max_lines` lines of at most `max_px`. Breaks between words, then
    /// within one; what still does not fit gives way to an ellipsis in the middle of the last line,
    /// because names of a family often differ at their end.
    pub(crate) fn fit(&mut self, text: &str, face: Face, max_px: i32, max_lines: usize) -> Block {
        let text = one_line(text);
        let mut lines = Vec::new();
        let mut forced = false;
        let mut rest = text.as_str();
        while !rest.is_empty() {
            if lines.len() + 1 >= max_lines.max(1) {
                let last = self.shorten(rest, face, max_px);
                forced |= last != rest;
                lines.push(last);
                break;
            }
            let (taken, whole_words) = self.take_line(rest, face, max_px);
            forced |= !whole_words;
            lines.push(rest[..taken].trim_end().to_owned());
            rest = rest[taken..].trim_start();
        }
        let width_px = lines.iter().map(|line| self.width_px(line, face)).max().unwrap_or(0);
        Block { face, lines, width_px, forced: forced || width_px > max_px }
    }

    /// How many bytes of `text` fit on a line, and whether they end where words do.
    fn take_line(&mut self, text: &str, face: Face, max_px: i32) -> (usize, bool) {
        let mut taken = 0;
        for end in word_ends(text) {
            if self.width_px(text[..end].trim_end(), face) > max_px {
                break;
            }
            taken = end;
        }
        if taken > 0 {
            return (taken, true);
        }
        let starts = self.cluster_starts(text, face);
        let fits = |this: &mut Self, end: usize| this.width_px(&text[..end], face) <= max_px;
        let mut best = starts.get(1).copied().unwrap_or(text.len());
        for &end in &starts[1..] {
            if !fits(self, end) {
                break;
            }
            best = end;
        }
        (best, false)
    }

    /// `text`, or its two ends round an ellipsis, so that it is at most `max_px` wide.
    fn shorten(&mut self, text: &str, face: Face, max_px: i32) -> String {
        if self.width_px(text, face) <= max_px {
            return text.to_owned();
        }
        let starts = self.cluster_starts(text, face);
        let kept = |count: usize| {
            let head = starts.get(count.div_ceil(2)).copied().unwrap_or(text.len());
            let tail = starts[starts.len() - count / 2..].first().copied().unwrap_or(text.len());
            format!("{}…{}", text[..head].trim_end(), text[tail..].trim_start())
        };
        let (mut fits, mut too_long) = (0, starts.len());
        while too_long - fits > 1 {
            let middle = usize::midpoint(fits, too_long);
            if self.width_px(&kept(middle), face) <= max_px { fits = middle } else { too_long = middle }
        }
        kept(fits)
    }

    /// Byte positions at which a break does not part what is drawn as one; the first is 0.
    fn cluster_starts(&mut self, text: &str, face: Face) -> Vec<usize> {
        let mut starts: Vec<usize> = self.shape(text, face).glyphs.iter().map(|glyph| glyph.start).collect();
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|start| text.is_char_boundary(*start));
        starts
    }

    /// Paints `block`, its top left corner at `at`; lines stand in `width_px` as `align` says.
    pub(crate) fn paint(
        &mut self,
        canvas: &mut Canvas,
        block: &Block,
        at: [i32; 2],
        width_px: i32,
        align: Align,
        colour: Rgb,
    ) {
        self.paint_turned(canvas, block, at, width_px, align, Turn::None, colour);
    }

    /// Like [`Self::paint`]; turned up, `at` is the block's *bottom* left corner and its lines run
    /// up the page, the next line to the right.
    #[expect(clippy::too_many_arguments, reason = "what, where and how: a struct would name the same seven")]
    pub(crate) fn paint_turned(
        &mut self,
        canvas: &mut Canvas,
        block: &Block,
        at: [i32; 2],
        width_px: i32,
        align: Align,
        turn: Turn,
        colour: Rgb,
    ) {
        for (row, line) in block.lines.iter().enumerate() {
            let shaped = self.shape(line, block.face);
            let slack = width_px - shaped.width_px.ceil() as i32;
            let x = match align {
                Align::Left => 0,
                Align::Centre => slack.div_euclid(2),
                Align::Right => slack,
            };
            let baseline = row as i32 * block.face.line_px() + block.face.baseline_px();
            for glyph in &shaped.glyphs {
                self.paint_glyph(glyph, x, baseline, |u, v, alpha| {
                    let [px, py] = match turn {
                        Turn::None => [at[0] + u, at[1] + v],
                        Turn::Up => [at[0] + v, at[1] - 1 - u],
                    };
                    canvas.mix(px, py, colour, alpha);
                });
            }
        }
    }

    fn paint_glyph(&mut self, glyph: &LayoutGlyph, x: i32, baseline: i32, mut put: impl FnMut(i32, i32, u8)) {
        let placed = glyph.physical((x as f32, baseline as f32), 1.0);
        let Some(image) = self.raster.get_image(&mut self.fonts, placed.cache_key) else { return };
        if image.content != SwashContent::Mask {
            return;
        }
        let (left, top) = (placed.x + image.placement.left, placed.y - image.placement.top);
        let width = image.placement.width.max(1) as usize;
        for (row, alphas) in image.data.chunks_exact(width).enumerate() {
            for (column, &alpha) in alphas.iter().enumerate().filter(|(_, alpha)| **alpha > 0) {
                put(left + column as i32, top + row as i32, alpha);
            }
        }
    }

    fn shape(&mut self, text: &str, face: Face) -> Arc<Shaped> {
        let key = (text.to_owned(), face);
        if let Some(shaped) = self.shaped.get(&key) {
            return Arc::clone(shaped);
        }
        let mut buffer = Buffer::new(&mut self.fonts, Metrics::new(face.size_px as f32, face.line_px() as f32));
        buffer.set_size(None, None);
        buffer.set_wrap(Wrap::None);
        let attributes = Attrs::new()
            .family(Family::Name("DejaVu Sans"))
            .stretch(Stretch::SemiCondensed)
            .weight(if face.bold { Weight::BOLD } else { Weight::NORMAL })
            .cache_key_flags(CacheKeyFlags::empty());
        buffer.set_text(text, &attributes, Shaping::Advanced, None);
        buffer.shape_until_scroll(&mut self.fonts, false);
        let (glyphs, width_px) =
            buffer.layout_runs().next().map_or_else(Default::default, |run| (run.glyphs.to_vec(), run.line_w));
        for glyph in glyphs.iter().filter(|glyph| glyph.glyph_id == 0) {
            if let Some(character) = text.get(glyph.start..).and_then(|rest| rest.chars().next()) {
                self.missing.entry(character).or_insert_with(|| text.to_owned());
            }
        }
        if self.shaped.len() >= KEPT_LINES {
            self.shaped.clear();
        }
        let shaped = Arc::new(Shaped { glyphs, width_px });
        self.shaped.insert(key, Arc::clone(&shaped));
        shaped
    }
}

/// `text` with every run of white space and control characters as one space.
fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a line may end, as byte positions: after white space and after what joins the parts of a name.
fn word_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    let after = text
        .char_indices()
        .filter(|(_, c)| c.is_whitespace() || "/_-@+,;:".contains(*c))
        .map(|(at, c)| at + c.len_utf8())
        .filter(|end| *end < text.len());
    after.chain(std::iter::once(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: Face = Face { size_px: 16, bold: false };

    /// Advances of the regular face in units of 1/2048 em, read from its `hmtx` table with another program: H 1386, n 1168.
    #[test]
    fn a_line_is_as_wide_as_the_advances_of_its_glyphs() {
        let mut lettering = Lettering::new();
        let width = (1386.0 + 2.0 * 1168.0) / 2048.0 * 16.0;
        assert_eq!(lettering.width_px("Hnn", FACE), f64::ceil(width) as i32);
    }

    #[test]
    fn words_wrap_whole_where_they_can() {
        let mut lettering = Lettering::new();
        let wide = lettering.width_px("skeleton_", FACE);
        let block = lettering.fit("skeleton_mage red hat", FACE, wide, 9);
        assert_eq!(block.lines, ["skeleton_", "mage", "red hat"]);
        assert!(!block.forced);
    }

    #[test]
    fn what_does_not_fit_keeps_both_its_ends() {
        let mut lettering = Lettering::new();
        let block = lettering.fit("Barbarian_of_the_north_A", FACE, 100, 1);
        let line = &block.lines[0];
        assert!(line.starts_with("Barb") && line.contains('…') && line.ends_with("_A"), "{line}");
        assert!(block.forced && block.width_px <= 100);
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken_and_loses_nothing() {
        let mut lettering = Lettering::new();
        let word = "Supercalifragilisticexpialidocious";
        let block = lettering.fit(word, FACE, 60, 99);
        assert!(block.lines.len() > 3 && block.forced && block.width_px <= 60);
        assert_eq!(block.lines.concat(), word);
    }

    #[test]
    fn an_accent_stays_on_its_letter() {
        let mut lettering = Lettering::new();
        let text = "e\u{302}\u{301}".repeat(20);
        let block = lettering.fit(&text, FACE, 40, 99);
        assert!(block.lines.iter().all(|line| line.starts_with('e')), "{:?}", block.lines);
    }

    #[test]
    fn a_line_too_narrow_for_a_letter_still_ends() {
        let mut lettering = Lettering::new();
        assert_eq!(lettering.fit("abc", FACE, 1, 2).lines.len(), 2);
        assert_eq!(lettering.fit("", FACE, 1, 2).lines.len(), 0);
        assert_eq!(lettering.fit("a\nb\tc", FACE, 500, 2).lines, ["a b c"]);
    }

    #[test]
    fn a_character_that_no_face_has_is_a_warning_once_and_a_box() {
        let mut lettering = Lettering::new();
        let block = lettering.fit("騎士 and 騎", FACE, 500, 1);
        let findings = lettering.findings();
        assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["GLYPH_MISSING"; 2]);
        assert!(findings[1].message.contains("U+9A0E"), "{}", findings[1].message);
        let mut canvas = Canvas::new(40, 0, 24, [255; 3]);
        lettering.paint(&mut canvas, &block, [0, 0], 40, Align::Left, [0; 3]);
        assert!(canvas.bytes().iter().any(|byte| *byte < 64));
    }

    #[test]
    fn all_that_a_sheet_says_of_itself_can_be_written() {
        let mut lettering = Lettering::new();
        for face in [FACE, Face::bold(16)] {
            lettering.width_px("…·–−×°²⚠", face);
        }
        assert_eq!(lettering.findings(), []);
    }

    /// Turned up, the ink of a line is its upright ink with x and y exchanged.
    #[test]
    fn a_turned_line_reads_from_bottom_to_top() {
        let mut lettering = Lettering::new();
        let block = lettering.fit("Lj", FACE, 100, 1);
        let (mut upright, mut turned) = (Canvas::new(32, 0, 32, [255; 3]), Canvas::new(32, 0, 32, [255; 3]));
        lettering.paint(&mut upright, &block, [0, 0], 32, Align::Left, [0; 3]);
        lettering.paint_turned(&mut turned, &block, [0, 32], 32, Align::Left, Turn::Up, [0; 3]);
        let at = |canvas: &Canvas, x: usize, y: usize| canvas.bytes()[(y * 32 + x) * 3];
        for y in 0..32 {
            for x in 0..32 {
                assert_eq!(at(&upright, x, y), at(&turned, y, 31 - x), "{x} {y}");
            }
        }
        assert!(upright.bytes().contains(&0));
    }
}
