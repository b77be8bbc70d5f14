//! Paint finished parts: into one texture that all share, or onto their vertices.
//!
//! Reads: parts with their solids, paint and patterns. Writes: an image with the parts' texture coordinates (their
//! vertices are then split where charts end), or vertex colours. Pure.
//!
//! A texel's colour is that of its place in space: paint, pattern, light. Two charts that meet therefore agree along
//! their seam, and nothing in the image says where a chart ends: the rest is filled with the nearest texel's colour, so
//! that smaller mip levels do not mix in what is no surface.

use std::sync::LazyLock;

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::atlas::pack;
use super::error::KitError;
use super::field::Placed;
use super::form::Frame;
use super::occlude::{self, Surroundings};
use super::paint::Paint;
use super::pattern::Spot;
use super::recipe::{Recipe, Source};
use super::shell::Shell;
use super::surface::Surface;
use super::trig::smooth;
use super::unwrap::{Chart, charts};
use crate::asset::{Image, Sampler, TextureRef, Wrap};
use crate::base::{Digest, ImageIndex};

/// The texture's side as the recipe wants it; `None` for vertex colours.
pub(super) fn side(recipe: &Recipe, source: Source<'_>) -> Result<Option<u32>, KitError> {
    let Some(px) = &recipe.body.texture_px else { return Ok(None) };
    if px.get_ref().is_power_of_two() {
        return Ok(Some(*px.get_ref()));
    }
    let hint = Some("the choices are: 256, 512, 1024, 2048, 4096".to_owned());
    Err(source.fault(px.span(), format!("texture_px = {} is no power of two", px.get_ref()), hint))
}

/// Gives all parts their colours; the texture, where it is to be one of `px` texels a side.
pub(super) fn paint(parts: &mut [Surface<'_>], frame: &Frame<'_>, recipe: &Recipe, px: Option<u32>) -> Option<Image> {
    let reach = reach(frame, recipe);
    let Some(px) = px else {
        let tints = tints(parts, reach);
        let pieces = parts.iter_mut().flat_map(|part| &mut part.pieces);
        pieces.zip(tints).for_each(|(piece, tints)| piece.tints = tints);
        return None;
    };
    let laid = lay_out(parts, px);
    for (piece, laid) in parts.iter_mut().flat_map(|part| &mut part.pieces).zip(&laid.pieces) {
        piece.shell = laid.split(&piece.shell);
        piece.uvs = laid.texels.iter().map(|at| *at / f64::from(px)).collect();
    }
    let rgba = texels(parts, &laid, px, reach);
    for part in parts {
        let sampler = Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, ..Sampler::default() };
        part.material.base_colour_texture = Some(TextureRef {
            image: Some(ImageIndex(0)),
            sampler,
            uv_set: 0,
            uv_offset: glam::Vec2::ZERO,
            uv_rotation_rad: 0.0,
            uv_scale: glam::Vec2::ONE,
        });
    }
    Some(Image { name: "paint".to_owned(), digest: Digest::of(&rgba), width: px, height: px, rgba })
}

/// A hundredth of a worker, in what the recipe calls a hundredth: heads and loads are smaller things drawn larger.
fn reach(frame: &Frame<'_>, recipe: &Recipe) -> f64 {
    match frame {
        Frame::Bones(_) if recipe.bust.is_none() => 1.0,
        _ => 2.0,
    }
}

fn pieces<'p>(parts: &'p [Surface<'_>]) -> Vec<occlude::Piece<'p>> {
    let of_part = |part: &'p Surface<'_>| {
        let whole = move |piece: &'p super::surface::Piece| occlude::Piece {
            solids: &piece.solids,
            cell: part.cell,
            hidden: part.spec.hidden,
        };
        part.pieces.iter().map(whole)
    };
    parts.iter().flat_map(of_part).collect()
}

/// The lowest and highest drawn point.
fn span(parts: &[Surface<'_>]) -> (f64, f64) {
    let all = parts.iter().flat_map(Surface::positions).map(|at| at.y);
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
}

/// Vertex colours of every piece: paint and light, which vertices can carry; patterns they cannot.
fn tints(parts: &[Surface<'_>], reach: f64) -> Vec<Vec<[f64; 3]>> {
    let around = Surroundings::new(&pieces(parts), reach, false);
    let (low, high) = span(parts);
    let all: Vec<(&Paint<'_>, &Shell)> =
        parts.iter().flat_map(|part| part.pieces.iter().map(|piece| (&part.paint, &piece.shell))).collect();
    let tint = |own: usize, paint: &Paint<'_>, at: DVec3, normal: DVec3| {
        let light = around.light(&around.near(own, at, 0.0), at, normal);
        tinted(paint.tint(at), light.shade(normal, (at.y - low) / (high - low)))
    };
    let of_piece = |(own, (paint, shell)): (usize, &(&Paint<'_>, &Shell))| {
        std::iter::zip(&shell.positions, &shell.normals).map(|(at, normal)| tint(own, paint, *at, *normal)).collect()
    };
    all.par_iter().enumerate().map(of_piece).collect()
}

fn tinted(tint: [f64; 3], factor: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|channel| (tint[channel] * factor[channel]).clamp(0.0, 1.0))
}

/// Where everything lies in the image.
struct Layout {
    pieces: Vec<Laid>,
    /// Texels a unit of a part that wishes nothing.
    scale: f64,
}

/// One piece in the image.
struct Laid {
    /// The vertex that each is a copy of.
    origin: Vec<u32>,
    /// Where each lies, texels.
    texels: Vec<DVec2>,
    /// In the shell's order.
    triangles: Vec<[u32; 3]>,
}

impl Laid {
    fn split(&self, shell: &Shell) -> Shell {
        let copy = |from: &[DVec3]| self.origin.iter().map(|at| from[*at as usize]).collect();
        Shell { positions: copy(&shell.positions), normals: copy(&shell.normals), triangles: self.triangles.clone() }
    }
}

fn lay_out(parts: &[Surface<'_>], px: u32) -> Layout {
    let shells: Vec<(&Shell, f64)> =
        parts.iter().flat_map(|part| part.pieces.iter().map(|piece| (&piece.shell, part.spec.texels))).collect();
    let cut: Vec<Vec<Chart>> = shells.par_iter().map(|(shell, _)| charts(shell)).collect();
    let wishes: Vec<(&Chart, f64)> = std::iter::zip(&cut, &shells)
        .flat_map(|(charts, (_, dense))| charts.iter().map(|chart| (chart, *dense)))
        .collect();
    let (scale, places) = pack(&wishes, px);
    let mut places = places.into_iter();
    let lay = |(charts, (shell, _)): (&Vec<Chart>, &(&Shell, f64))| {
        let mut laid = Laid { origin: Vec::new(), texels: Vec::new(), triangles: vec![[0; 3]; shell.triangles.len()] };
        for (chart, places) in std::iter::zip(charts, &mut places) {
            let first = laid.origin.len() as u32;
            laid.origin.extend(&chart.vertices);
            laid.texels.extend(places);
            for (face, corners) in std::iter::zip(&chart.triangles, &chart.corners) {
                laid.triangles[*face] = corners.map(|corner| first + corner);
            }
        }
        laid
    };
    Layout { pieces: std::iter::zip(&cut, &shells).map(lay).collect(), scale }
}

/// A triangle in the image and in space.
struct Facet<'a> {
    texels: [DVec2; 3],
    places: [DVec3; 3],
    normals: [DVec3; 3],
    paint: &'a Paint<'a>,
    solids: &'a [Placed],
    /// Pieces that may darken it, its own first.
    near: Vec<usize>,
    /// Width of a texel in space.
    texel: f64,
}

fn facets<'p>(parts: &'p [Surface<'_>], laid: &Layout, around: &Surroundings<'_>) -> Vec<Facet<'p>> {
    let whole: Vec<(&'p Surface<'_>, &'p super::surface::Piece)> =
        parts.iter().flat_map(|part| part.pieces.iter().map(move |piece| (part, piece))).collect();
    let of_piece = |(own, (part, piece)): (usize, &(&'p Surface<'_>, &'p super::surface::Piece))| {
        let facet = |corners: &[u32; 3]| {
            let corners = corners.map(|corner| corner as usize);
            let places = corners.map(|corner| piece.shell.positions[corner]);
            let middle = places.iter().sum::<DVec3>() / 3.0;
            let radius = places.iter().map(|at| (*at - middle).length()).fold(0.0, f64::max);
            Facet {
                texels: corners.map(|corner| laid.pieces[own].texels[corner]),
                places,
                normals: corners.map(|corner| piece.shell.normals[corner]),
                paint: &part.paint,
                solids: &piece.solids,
                near: around.near(own, middle, radius),
                texel: 1.0 / (laid.scale * part.spec.texels),
            }
        };
        piece.shell.triangles.iter().map(facet).collect::<Vec<_>>()
    };
    let found: Vec<Vec<Facet<'p>>> = whole.par_iter().enumerate().map(of_piece).collect();
    found.into_iter().flatten().collect()
}

/// No facet.
const NONE: u32 = u32::MAX;

/// The image's bytes.
fn texels(parts: &[Surface<'_>], laid: &Layout, px: u32, reach: f64) -> Vec<u8> {
    let around = Surroundings::new(&pieces(parts), reach, true);
    let facets = facets(parts, laid, &around);
    let (low, high) = span(parts);
    let owners = owners(&facets, px);
    let side = px as usize;
    let mut rgba = vec![0u8; 4 * side * side];
    rgba.par_chunks_mut(4 * side).enumerate().for_each(|(y, row)| {
        for (x, texel) in row.chunks_exact_mut(4).enumerate() {
            let owner = owners[y * side + x];
            if owner != NONE {
                let facet = &facets[owner as usize];
                let colour = facet.colour(DVec2::new(x as f64 + 0.5, y as f64 + 0.5), &around, (low, high));
                texel[..3].copy_from_slice(&colour.map(code));
                texel[3] = 255;
            }
        }
    });
    fill(&mut rgba, &owners, side);
    rgba
}

/// The facet that holds each texel's centre.
fn owners(facets: &[Facet<'_>], px: u32) -> Vec<u32> {
    let side = px as usize;
    let mut owners = vec![NONE; side * side];
    for (at, facet) in facets.iter().enumerate() {
        let [a, b, c] = facet.texels;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let span = |low: f64, high: f64| {
            (low - 0.5).ceil().max(0.0) as usize..=((high - 0.5).floor().max(0.0) as usize).min(side - 1)
        };
        for y in span(low.y, high.y) {
            for x in span(low.x, high.x) {
                let owner = &mut owners[y * side + x];
                let shares = facet.shares(DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
                if *owner == NONE && shares.iter().all(|share| *share >= -1e-9) {
                    *owner = at as u32;
                }
            }
        }
    }
    owners
}

impl Facet<'_> {
    /// How much of each corner a texel has.
    fn shares(&self, texel: DVec2) -> [f64; 3] {
        let [a, b, c] = self.texels;
        let whole = (b - a).perp_dot(c - a);
        let (of_b, of_c) = ((texel - a).perp_dot(c - a) / whole, (b - a).perp_dot(texel - a) / whole);
        [1.0 - of_b - of_c, of_b, of_c]
    }

    /// The colour of a texel as a share of the material's, linear.
    fn colour(&self, texel: DVec2, around: &Surroundings<'_>, (low, high): (f64, f64)) -> [f64; 3] {
        let (at, normal) = self.place(self.shares(texel));
        let light = around.light(&self.near, at, normal);
        let lit = light.shade(normal, (at.y - low) / (high - low));
        let painted = tinted(self.paint.tint(at), lit.map(|lit| lit.max(0.0)));
        let Some(pattern) = &self.paint.pattern else { return painted };
        let (foot, along) = if pattern.has_grain() { grain(self.solids, at) } else { (at, DVec3::Y) };
        let spot = Spot { at, normal, light, foot, along, texel: self.texel };
        tinted(painted, pattern.factor(&spot))
    }

    /// The place in space on the curved surface that the corners' normals tell of, and its normal.
    ///
    /// Source: T. Boubekeur, M. Alexa, "Phong Tessellation", SIGGRAPH Asia 2008, doi:10.1145/1409060.1409094.
    fn place(&self, shares: [f64; 3]) -> (DVec3, DVec3) {
        let mix = |from: &[DVec3; 3]| from[0] * shares[0] + from[1] * shares[1] + from[2] * shares[2];
        let flat = mix(&self.places);
        let onto = |corner: usize| flat - self.normals[corner] * (flat - self.places[corner]).dot(self.normals[corner]);
        let round = mix(&[onto(0), onto(1), onto(2)]);
        (flat.lerp(round, 0.75), mix(&self.normals).normalize_or(self.normals[0]))
    }
}

/// The axis of the solids about a place, those nearer counting more: its nearest point and its direction.
fn grain(solids: &[Placed], at: DVec3) -> (DVec3, DVec3) {
    /// Solids further behind the nearest than this do not count.
    const FADE: f64 = 2.0;
    let near = solids.iter().filter(|solid| !solid.cut && !solid.within);
    let near: Vec<(f64, &Placed)> = near.map(|solid| (solid.distance(at), solid)).collect();
    let least = near.iter().map(|(distance, _)| *distance).fold(f64::INFINITY, f64::min);
    let (mut foot, mut along, mut all) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (distance, solid) in near {
        let share = smooth(1.0 - (distance - least) / FADE);
        if share > 0.0 {
            let (own_foot, own_along) = solid.grain(at);
            foot += own_foot * share;
            // A strand has no head: what runs the other way runs along.
            let own_along = if own_along.dot(along) < 0.0 { -own_along } else { own_along };
            along += own_along * share;
            all += share;
        }
    }
    (foot / all.max(1e-12), along.normalize_or(DVec3::Y))
}

/// Gives every texel without a facet the colour of the nearest that has one, gutters first of all.
///
/// Two sweeps carry the nearest along. Source: P.-E. Danielsson, "Euclidean Distance Mapping", Computer Graphics and
/// Image Processing 14 (1980), doi:10.1016/0146-664X(80)90054-4.
fn fill(rgba: &mut [u8], owners: &[u32], side: usize) {
    let mut nearest: Vec<u32> =
        owners.iter().enumerate().map(|(at, owner)| if *owner == NONE { NONE } else { at as u32 }).collect();
    let far = |at: usize, from: u32| {
        if from == NONE {
            return u64::MAX;
        }
        let from = from as usize;
        let (dx, dy) = ((at % side).abs_diff(from % side) as u64, (at / side).abs_diff(from / side) as u64);
        dx * dx + dy * dy
    };
    let better = |nearest: &mut Vec<u32>, at: usize, beside: usize| {
        let offered = nearest[beside];
        if far(at, offered) < far(at, nearest[at]) {
            nearest[at] = offered;
        }
    };
    for down in [true, false] {
        for step in 0..side {
            let y = if down { step } else { side - 1 - step };
            let before = if down { y.checked_sub(1) } else { (y + 1 < side).then_some(y + 1) };
            for x in 0..side {
                if let Some(before) = before {
                    for beside in x.saturating_sub(1)..=(x + 1).min(side - 1) {
                        better(&mut nearest, y * side + x, before * side + beside);
                    }
                }
            }
            for x in 1..side {
                better(&mut nearest, y * side + x, y * side + x - 1);
            }
            for x in (1..side).rev() {
                better(&mut nearest, y * side + x - 1, y * side + x);
            }
        }
    }
    for (at, from) in nearest.iter().copied().enumerate().filter(|(at, _)| owners[*at] == NONE) {
        let from = if from == NONE { at } else { from as usize };
        rgba.copy_within(4 * from..4 * from + 4, 4 * at);
        rgba[4 * at + 3] = 255;
    }
}

/// `STEPS[k]` is the least linear value, in ten millionths, that rounds to code `k + 1`.
///
/// The curve's power may differ in its last digit between machines, so steps are whole numbers.
static STEPS: LazyLock<[u32; 255]> = LazyLock::new(|| {
    let middle = |code: usize| crate::base::colour::linear_from_srgb((code as f64 + 0.5) / 255.0);
    std::array::from_fn(|code| (middle(code) * 1e7).round() as u32)
});

/// The 8-bit sRGB code of a linear value.
fn code(linear: f64) -> u8 {
    let value = (linear.clamp(0.0, 1.0) * 1e7).round() as u32;
    STEPS.partition_point(|step| *step <= value) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of five with one chart's texel at each end: 1 and 2 are nearest to the first, 3 and 4 to the last; the row
    /// beneath has no chart at all.
    #[test]
    fn texels_without_a_chart_take_the_nearest_ones_colour() {
        let side = 5;
        let mut owners = vec![NONE; side * side];
        let mut rgba = vec![0u8; 4 * side * side];
        for (at, colour) in [(0, [10, 20, 30, 255]), (4, [200, 100, 50, 255])] {
            owners[at] = 0;
            rgba[4 * at..4 * at + 4].copy_from_slice(&colour);
        }
        fill(&mut rgba, &owners, side);
        for y in 0..side {
            for x in [0, 1, 3, 4] {
                let expected = if x < 2 { [10, 20, 30, 255] } else { [200, 100, 50, 255] };
                assert_eq!(rgba[4 * (y * side + x)..][..4], expected, "{x} {y}");
            }
        }
    }

    /// The curve of IEC 61966-2-1 the other way: half a code to either side is the same code.
    #[test]
    fn codes_are_those_of_the_srgb_curve() {
        for level in 0..=255u8 {
            let linear = |code: f64| crate::base::colour::linear_from_srgb((code / 255.0).clamp(0.0, 1.0));
            let own = f64::from(level);
            assert_eq!([own - 0.49, own, own + 0.49].map(|at| code(linear(at))), [level; 3]);
        }
        // 18 % grey: 255 * (1.055 * 0.18^(1/2.4) - 0.055) = 117.6.
        assert_eq!(code(0.18), 118);
    }

    /// A step that lay on the border between two ten millionths could round either way on another machine.
    #[test]
    fn no_step_of_the_curve_is_near_a_tie() {
        for at in 0..255 {
            let exact = crate::base::colour::linear_from_srgb((f64::from(at) + 0.5) / 255.0) * 1e7;
            assert!((exact.fract() - 0.5).abs() > 1e-4, "{at}: {exact}");
        }
    }

    /// Three corners of a ball of radius 10 with its normals: the middle of the flat triangle lies inside, the place
    /// that the normals tell of lies much nearer the ball.
    #[test]
    fn places_bend_with_the_normals() {
        let normals = [DVec3::X, DVec3::new(0.8, 0.6, 0.0), DVec3::new(0.8, 0.0, 0.6)];
        let paint = Paint::plain([1.0; 3]);
        let facet = Facet {
            texels: [DVec2::ZERO, DVec2::X, DVec2::Y],
            places: normals.map(|normal| normal * 10.0),
            normals,
            paint: &paint,
            solids: &[],
            near: Vec::new(),
            texel: 1.0,
        };
        let thirds = [1.0 / 3.0; 3];
        let flat = facet.places.iter().sum::<DVec3>() / 3.0;
        let (at, normal) = facet.place(thirds);
        assert!((at.length() - 10.0).abs() < 0.35 * (flat.length() - 10.0).abs(), "{at} of {flat}");
        assert!((normal - flat.normalize_or(DVec3::X)).length() < 1e-9);
        assert_eq!(facet.place([0.0, 1.0, 0.0]).0, facet.places[1]);
    }
}
