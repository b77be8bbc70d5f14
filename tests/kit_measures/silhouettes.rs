//! Whether workers can be told apart by their outlines alone.

use rayon::prelude::*;

use crate::WORKERS;
use crate::subject::Subject;
use crate::table::Table;

const ROWS: usize = 1024;
const COLUMNS: usize = 2048;
const WORDS: usize = COLUMNS / 64;
/// Shared area over joint area that no two may exceed.
const MOST: f64 = 0.85;

/// A bit a pixel, the lowest row first.
struct Mask {
    bits: Vec<u64>,
}

impl Mask {
    /// From the front, parallel, in idle's first pose, as tall as the picture, its own middle in the middle.
    fn of(subject: &Subject) -> Self {
        let posed = subject.posed("idle", 0.0);
        let drawn = subject.drawn();
        let heights = drawn.iter().flat_map(|part| posed.parts[part.at].positions.iter().map(|at| at.y));
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let scale = ROWS as f32 / (high - low);
        let mut mask = Self { bits: vec![0; ROWS * WORDS] };
        for part in &drawn {
            let positions = &posed.parts[part.at].positions;
            for corners in part.indices.chunks_exact(3) {
                let pixel = |corner: u32| {
                    let at = positions[corner as usize];
                    [at.x * scale + COLUMNS as f32 / 2.0, (at.y - low) * scale]
                };
                mask.fill([corners[0], corners[1], corners[2]].map(pixel));
            }
        }
        mask
    }

    /// Every pixel whose centre a triangle covers, row by row.
    fn fill(&mut self, corners: [[f32; 2]; 3]) {
        let rows = corners.map(|at| at[1]);
        let first = (rows.into_iter().fold(f32::MAX, f32::min) - 0.5).ceil().max(0.0) as usize;
        let past = ((rows.into_iter().fold(f32::MIN, f32::max) + 0.5).floor().max(0.0) as usize).min(ROWS);
        for row in first..past {
            let y = row as f32 + 0.5;
            let mut span = (f32::MAX, f32::MIN);
            for side in 0..3 {
                let ([ax, ay], [bx, by]) = (corners[side], corners[(side + 1) % 3]);
                if (ay <= y) != (by <= y) {
                    let x = ax + (bx - ax) * (y - ay) / (by - ay);
                    span = (span.0.min(x), span.1.max(x));
                }
            }
            let from = (span.0 - 0.5).ceil().max(0.0) as usize;
            let past = ((span.1 + 0.5).floor().max(0.0) as usize).min(COLUMNS);
            (from..past).for_each(|column| self.bits[row * WORDS + column / 64] |= 1 << (column % 64));
        }
    }

    fn area(&self) -> u32 {
        self.bits.iter().map(|word| word.count_ones()).sum()
    }

    /// Shared area over joint area.
    fn overlap(&self, other: &Self) -> f64 {
        let count = |of: fn(u64, u64) -> u64| -> u32 {
            self.bits.iter().zip(&other.bits).map(|(a, b)| of(*a, *b).count_ones()).sum()
        };
        f64::from(count(|a, b| a & b)) / f64::from(count(|a, b| a | b))
    }
}

/// A triangle with legs of 100 pixels has 5,000; two rectangles that share a third of what they cover together.
#[test]
fn masks_have_the_areas_of_what_was_drawn() {
    let mut triangle = Mask { bits: vec![0; ROWS * WORDS] };
    triangle.fill([[100.0, 100.0], [200.0, 100.0], [100.0, 200.0]]);
    assert!((4900..=5100).contains(&triangle.area()), "{}", triangle.area());
    let square = |left: f32| {
        let mut mask = Mask { bits: vec![0; ROWS * WORDS] };
        mask.fill([[left, 0.0], [left + 200.0, 0.0], [left, 200.0]]);
        mask.fill([[left + 200.0, 0.0], [left + 200.0, 200.0], [left, 200.0]]);
        mask
    };
    assert_eq!(square(300.0).area(), 40_000);
    assert!((square(300.0).overlap(&square(400.0)) - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn no_two_workers_have_nearly_the_same_outline() {
    let masks: Vec<Mask> = WORKERS.par_iter().map(Mask::of).collect();
    let mut rows = Vec::new();
    let mut alike = Vec::new();
    for (at, (subject, mask)) in WORKERS.iter().zip(&masks).enumerate() {
        let mut cells = vec![subject.name.clone()];
        for (other, other_mask) in WORKERS.iter().zip(&masks).take(at) {
            let overlap = mask.overlap(other_mask);
            cells.push(format!("{overlap:.2}"));
            if overlap > MOST {
                alike.push(format!("{} and {}: {overlap:.3}", subject.name, other.name));
            }
        }
        cells.resize(WORKERS.len(), String::new());
        rows.push(cells);
    }
    let mut heads = vec![""];
    heads.extend(WORKERS.iter().take(WORKERS.len() - 1).map(|subject| subject.name.as_str()));
    rows.remove(0);
    Table { heads, rows }.is_in_the_document("silhouettes");
    assert_eq!(WORKERS.len(), 10);
    assert!(alike.is_empty(), "outlines are more than {MOST} alike: {}", alike.join("; "));
}
