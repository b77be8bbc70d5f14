//! How far out a surface comes, patch by patch of the torso plane.
//!
//! Reads: triangles in torso space, lengths as shares of H. Pure.

use std::collections::BTreeMap;

use glam::Vec3;

/// Side of a patch, as a share of H.
pub(super) const PATCH: f32 = 0.01;
/// Patches further from the chest than this are no back: they would only cost memory.
const FURTHEST_PATCH: i32 = 400;

/// Largest out of a surface at the centre of each patch that it covers, by (column to the right, row up).
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DepthMap {
    patches: BTreeMap<(i32, i32), f32>,
}

impl DepthMap {
    /// Samples triangles at the patches' centres and keeps the largest out.
    pub(super) fn furthest(triangles: &[[Vec3; 3]]) -> Self {
        let mut map = Self::default();
        for triangle in triangles {
            map.add(triangle);
        }
        map
    }

    fn add(&mut self, [a, b, c]: &[Vec3; 3]) {
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let (least, greatest) = (a.min(*b).min(*c), a.max(*b).max(*c));
        for column in first(least.x)..=last(greatest.x) {
            for row in first(least.y)..=last(greatest.y) {
                let point = Vec3::new(centre(column), centre(row), 0.0);
                let share = |from: &Vec3, to: &Vec3| (to - from).truncate().perp_dot((point - from).truncate()) / area;
                let (of_c, of_a, of_b) = (share(a, b), share(b, c), share(c, a));
                if of_a < 0.0 || of_b < 0.0 || of_c < 0.0 {
                    continue;
                }
                let out = of_a * a.z + of_b * b.z + of_c * c.z;
                let kept = self.patches.entry((column, row)).or_insert(out);
                *kept = kept.max(out);
            }
        }
    }

    /// Patches whose centres lie in a rectangle, as (x, y, out).
    pub(super) fn within(&self, x: [f32; 2], y: [f32; 2]) -> impl Iterator<Item = (f32, f32, f32)> + '_ {
        let inside = move |(column, row): (i32, i32)| {
            (x[0]..=x[1]).contains(&centre(column)) && (y[0]..=y[1]).contains(&centre(row))
        };
        let patches = self.patches.iter().filter(move |(patch, _)| inside(**patch));
        patches.map(|(&(column, row), &out)| (centre(column), centre(row), out))
    }

    /// Rows between two heights: (y, outs from left to right, x from and to).
    pub(super) fn rows(&self, x: [f32; 2], y: [f32; 2]) -> Vec<Row> {
        let mut rows: BTreeMap<i32, Row> = BTreeMap::new();
        for (patch_x, patch_y, out) in self.within(x, y) {
            let row = rows.entry((patch_y / PATCH).floor() as i32).or_insert_with(|| Row::at(patch_y));
            row.outs.push(out);
            row.from = row.from.min(patch_x - PATCH / 2.0);
            row.to = row.to.max(patch_x + PATCH / 2.0);
        }
        rows.into_values().collect()
    }
}

/// One row of patches.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// Height of the patches' centres.
    pub(super) y: f32,
    /// One a patch.
    pub(super) outs: Vec<f32>,
    /// Left edge.
    pub(super) from: f32,
    /// Right edge.
    pub(super) to: f32,
}

impl Row {
    fn at(y: f32) -> Self {
        Self { y, outs: Vec::new(), from: f32::INFINITY, to: f32::NEG_INFINITY }
    }
}

fn centre(patch: i32) -> f32 {
    (patch as f32 + 0.5) * PATCH
}

fn first(edge: f32) -> i32 {
    ((edge / PATCH - 0.5).ceil() as i32).clamp(-FURTHEST_PATCH, FURTHEST_PATCH)
}

fn last(edge: f32) -> i32 {
    ((edge / PATCH - 0.5).floor() as i32).clamp(-FURTHEST_PATCH, FURTHEST_PATCH)
}

/// The value a share of the way through, by linear interpolation between ranks; `None` without values.
pub(super) fn percentile(values: &mut [f32], share: f32) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    let rank = share * values.len().checked_sub(1)? as f32;
    let (below, above) = (values[rank.floor() as usize], values[rank.ceil() as usize]);
    Some(below + (above - below) * rank.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_furthest_of_two_sheets_is_kept() {
        let sheet = |z: f32| [Vec3::new(0.0, 0.0, z), Vec3::new(0.02, 0.0, z), Vec3::new(0.0, 0.02, z)];
        let map = DepthMap::furthest(&[sheet(0.1), sheet(0.3), sheet(0.2)]);
        let patches: Vec<_> = map.within([0.0, 1.0], [0.0, 1.0]).collect();
        // Centres at 0.005 and 0.015; (0.015, 0.015) is outside the triangle.
        assert_eq!(patches.len(), 3);
        assert!(patches.iter().all(|(_, _, out)| (*out - 0.3).abs() < 1e-6));
    }

    /// out = x + 2 y over a square: at a centre (0.035, 0.015) it is 0.065.
    #[test]
    fn a_slope_is_read_at_the_centres_of_patches() {
        let at = |x: f32, y: f32| Vec3::new(x, y, x + 2.0 * y);
        let square = [[at(0.0, 0.0), at(0.1, 0.0), at(0.1, 0.1)], [at(0.0, 0.0), at(0.1, 0.1), at(0.0, 0.1)]];
        let map = DepthMap::furthest(&square);
        assert_eq!(map.within([-1.0, 1.0], [-1.0, 1.0]).count(), 100);
        let (_, _, out) = map.within([0.03, 0.04], [0.01, 0.02]).next().unwrap();
        assert!((out - 0.065).abs() < 1e-6);
        let rows = map.rows([-1.0, 1.0], [0.02, 0.04]);
        assert_eq!(rows.len(), 2);
        assert!((rows[0].to - rows[0].from - 0.1).abs() < 1e-6);
    }

    #[test]
    fn percentiles_lie_between_ranks() {
        assert_eq!(percentile(&mut [4.0, 1.0, 3.0, 2.0], 0.25), Some(1.75));
        assert_eq!(percentile(&mut [5.0], 0.25), Some(5.0));
        assert_eq!(percentile(&mut [], 0.25), None);
    }
}
