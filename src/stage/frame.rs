//! Choose what a camera has to hold: one sphere for all cells that share a scale.
//!
//! Reads: posed vertices of each cell in stage space. Gives: a [`Frame`] a cell. Pure.
//!
//! The sphere is about the centre of the box of *all* posed vertices of the scope, loads in and ground
//! out; never of the bind pose, because a raised arm leaves that. Where several subjects share a scope,
//! each keeps its own axis and all share the centre's height and the radius, so that a small one looks
//! small and all feet stand on one pixel row.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};

use crate::plan::{Cell, Framing};
use crate::study::FrameScope;

/// What a camera has to hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// What the camera looks at.
    pub centre_in_stage: Vec3,
    /// Furthest vertex from the centre.
    pub radius_m: f32,
}

/// Which cells share a frame.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameKey {
    /// One subject in all its poses and loads.
    Subject(usize),
    /// A row of the sheet, by the positions of its values.
    Row(Vec<usize>),
    /// Everything.
    Sheet,
    /// One cell, by the positions of its values.
    Cell(Vec<usize>),
}

/// The scope that a cell is framed in; `row_axes` are the positions of the axes that make a row.
pub(super) fn key(cell: &Cell, actor: usize, row_axes: &[usize]) -> FrameKey {
    let cell_alone = || match &cell.spec.view.framing {
        Framing::Fit { scope: FrameScope::Cell, .. } => Some(FrameKey::Cell(cell.values.clone())),
        _ => None,
    };
    shared_key(cell, row_axes).or_else(cell_alone).unwrap_or(FrameKey::Subject(actor))
}

/// The scope that a cell shares with other subjects, if it does.
pub(super) fn shared_key(cell: &Cell, row_axes: &[usize]) -> Option<FrameKey> {
    match &cell.spec.view.framing {
        Framing::Fit { scope: FrameScope::Row, .. } => {
            Some(FrameKey::Row(row_axes.iter().map(|axis| cell.values[*axis]).collect()))
        }
        Framing::Fit { scope: FrameScope::Sheet, .. } => Some(FrameKey::Sheet),
        _ => None,
    }
}

/// What one subject needs of one frame: its axis, and the outline of its vertices turned about it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Extent {
    axis: Vec2,
    least_y: f32,
    greatest_y: f32,
    /// Upper hull of (y, d^2 + y^2), d the distance from the axis: enough to find the furthest vertex
    /// from any point of the axis.
    hull: Vec<(f64, f64)>,
}

impl Extent {
    /// Of every vertex given; `None` without one.
    pub(super) fn of<'a>(sets: impl Iterator<Item = &'a [Vec3]> + Clone) -> Option<Self> {
        let (mut least, mut greatest) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for point in sets.clone().flatten() {
            least = least.min(*point);
            greatest = greatest.max(*point);
        }
        if !(least.is_finite() && greatest.is_finite()) {
            return None;
        }
        let centre = (least + greatest) / 2.0;
        let axis = Vec2::new(centre.x, centre.z);
        let points = sets.flatten().map(|point| {
            let (dx, y, dz) = (f64::from(point.x - axis.x), f64::from(point.y), f64::from(point.z - axis.y));
            (y, dx * dx + dz * dz + y * y)
        });
        Some(Self { axis, least_y: least.y, greatest_y: greatest.y, hull: upper_hull(points.collect()) })
    }

    /// Distance of the furthest vertex from the point of the axis at height `y`:
    /// `d^2 + (v - y)^2 = (d^2 + v^2) - 2 v y + y^2`.
    fn radius(&self, y: f64) -> f64 {
        let furthest = self.hull.iter().map(|(v, s)| s - 2.0 * v * y).fold(f64::NEG_INFINITY, f64::max);
        (furthest + y * y).max(0.0).sqrt()
    }
}

/// Upper convex hull, left to right. Source: A. M. Andrew, "Another Efficient Algorithm for Convex
/// Hulls in Two Dimensions", Information Processing Letters 9(5), 1979.
fn upper_hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for point in points {
        while let [.., a, b] = hull[..]
            && (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0) >= 0.0
        {
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

/// The frame of each subject in each scope.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Frames(BTreeMap<(FrameKey, usize), Frame>);

impl Frames {
    /// From what each subject needs of each scope.
    pub(super) fn new(extents: BTreeMap<(FrameKey, usize), Extent>) -> Self {
        let mut scopes: BTreeMap<FrameKey, Vec<(usize, Extent)>> = BTreeMap::new();
        for ((key, subject), extent) in extents {
            scopes.entry(key).or_default().push((subject, extent));
        }
        let mut frames = BTreeMap::new();
        for (key, members) in scopes {
            let least = members.iter().map(|(_, extent)| extent.least_y).fold(f32::INFINITY, f32::min);
            let greatest = members.iter().map(|(_, extent)| extent.greatest_y).fold(f32::NEG_INFINITY, f32::max);
            let y = (least + greatest) / 2.0;
            let radius = members.iter().map(|(_, extent)| extent.radius(f64::from(y))).fold(0.0, f64::max) as f32;
            for (subject, extent) in members {
                let centre_in_stage = Vec3::new(extent.axis.x, y, extent.axis.y);
                frames.insert((key.clone(), subject), Frame { centre_in_stage, radius_m: radius.max(1.0e-6) });
            }
        }
        Self(frames)
    }

    /// The frame of a subject in a scope.
    pub(super) fn get(&self, key: &FrameKey, subject: usize) -> Option<Frame> {
        self.0.get(&(key.clone(), subject)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(points: &[Vec3]) -> Extent {
        Extent::of(std::iter::once(points)).unwrap()
    }

    /// Box -1..1 x 0..2 x 0: centre (0, 1, 0), corner at distance sqrt 2.
    #[test]
    fn one_subject_has_the_sphere_about_its_box() {
        let square = [Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 2.0, 0.0), Vec3::new(1.0, 0.0, 0.0)];
        let frames = Frames::new([((FrameKey::Subject(0), 0), extent(&square))].into());
        let frame = frames.get(&FrameKey::Subject(0), 0).unwrap();
        assert_eq!(frame.centre_in_stage, Vec3::Y);
        assert!((frame.radius_m - 2.0_f32.sqrt()).abs() < 1.0e-6, "{frame:?}");
    }

    /// A 1 m and a 3 m pole share y = 1.5 and r = 1.5; each keeps its own axis.
    #[test]
    fn a_shared_scope_keeps_each_axis_and_one_height() {
        let short = [Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 1.0, 0.0)];
        let tall = [Vec3::ZERO, Vec3::new(0.0, 3.0, 0.0)];
        let frames =
            Frames::new([((FrameKey::Sheet, 0), extent(&short)), ((FrameKey::Sheet, 1), extent(&tall))].into());
        let (short, tall) = (frames.get(&FrameKey::Sheet, 0).unwrap(), frames.get(&FrameKey::Sheet, 1).unwrap());
        assert_eq!(short.centre_in_stage, Vec3::new(5.0, 1.5, 0.0));
        assert_eq!(tall.centre_in_stage, Vec3::new(0.0, 1.5, 0.0));
        assert!((short.radius_m - 1.5).abs() < 1.0e-6 && short.radius_m.to_bits() == tall.radius_m.to_bits());
    }

    #[test]
    fn the_hull_finds_what_a_search_of_all_vertices_finds() {
        let points: Vec<Vec3> = (0..500_u32)
            .map(|n| {
                let a = n.wrapping_mul(2_654_435_761) as f32 / u32::MAX as f32;
                let b = n.wrapping_mul(40_503) as f32 % 97.0 / 97.0;
                Vec3::new((a * 37.0).sin() * b, a * 2.0 - 0.3, (a * 91.0).cos() * (1.0 - b))
            })
            .collect();
        let extent = extent(&points);
        for y in [-1.0_f32, 0.0, 0.4, 0.9, 3.0] {
            let centre = Vec3::new(extent.axis.x, y, extent.axis.y);
            let furthest = points.iter().map(|point| point.distance(centre)).fold(0.0, f32::max);
            assert!((extent.radius(f64::from(y)) - f64::from(furthest)).abs() < 1.0e-5);
        }
    }

    #[test]
    fn a_vertex_that_is_not_a_number_has_no_extent() {
        assert_eq!(Extent::of(std::iter::once([Vec3::NAN].as_slice())), None);
        assert_eq!(Extent::of(std::iter::empty::<&[Vec3]>()), None);
    }
}
