//! Whether planted feet stay where they are set down.

use glam::{Vec2, Vec3, Vec3Swizzles as _};
use rayon::prelude::*;

use crate::WORKERS;
use crate::subject::Subject;
use crate::table::Table;

/// Samples a walk's loop.
const STEPS: usize = 96;
/// A vertex within this share of the height of the ground is on it.
const ON_GROUND: f32 = 0.005;
/// How far it may leave its line while it is, as a share of the height.
const MOST: f32 = 0.01;

/// What the feet of a walk do, as shares of the height.
struct Steps {
    /// Furthest that a vertex leaves its line while it is on the ground.
    slide: f32,
    /// Where in the planted time that is, 0 to 1.
    when: f32,
    /// The same, while the whole foot is down: after a fifth of its planted time.
    settled_slide: f32,
    /// Lowest and highest that the lowest vertex of a planted foot gets.
    lowest: f32,
    highest: f32,
    /// Fewest vertices that a planted foot has on the ground.
    fewest: usize,
}

fn steps(subject: &Subject) -> Steps {
    let height = subject.height_m();
    let stride_m = height * subject.walk("stride").unwrap() / 100.0;
    let travels = subject.recipe["motion"]["walk"].get("travels").is_some_and(|travels| travels.as_bool().unwrap());
    let planted = subject.walk("planted").unwrap_or(0.62);
    let meshes: Vec<_> = (0..STEPS).map(|step| subject.posed("walk", step as f32 / STEPS as f32)).collect();
    let mut found =
        Steps { slide: 0.0, when: 0.0, settled_slide: 0.0, lowest: f32::MAX, highest: f32::MIN, fewest: usize::MAX };
    for (side, down) in [(1.0, 0), (-1.0, STEPS / 2)] {
        let vertices: Vec<(usize, usize)> = subject
            .drawn()
            .iter()
            .flat_map(|part| {
                let bind = &subject.bind.parts[part.at].positions;
                let foot =
                    |vertex: &usize| ["leg", "foot"].contains(&part.classes[*vertex]) && bind[*vertex].x * side > 0.0;
                (0..bind.len()).filter(foot).map(|vertex| (part.at, vertex)).collect::<Vec<_>>()
            })
            .collect();
        assert!(vertices.len() > 20, "{} has a foot with {} vertices", subject.name, vertices.len());
        let last = (planted * STEPS as f32).floor() as usize;
        // Where a vertex is on the ground that moves back under the walker, so that what is planted stands still.
        let place = |(part, vertex): (usize, usize), step: usize| -> Vec3 {
            let phase = down + step;
            let at = meshes[phase % STEPS].parts[part].positions[vertex];
            let cycles = step as f32 / STEPS as f32;
            let gone = if travels { (phase / STEPS) as f32 } else { cycles };
            at + Vec3::Z * (stride_m * gone)
        };
        let mut fewest = vec![0usize; last + 1];
        let mut lowest = vec![f32::MAX; last + 1];
        for &vertex in &vertices {
            let mut touched: Vec<(usize, Vec2)> = Vec::new();
            for step in 0..=last {
                let at = place(vertex, step);
                lowest[step] = lowest[step].min(at.y);
                if at.y > ON_GROUND * height {
                    touched.clear();
                    continue;
                }
                fewest[step] += 1;
                touched.push((step, at.xz()));
                let from = |first: usize| touched.iter().find(|(step, _)| *step >= first).map(|(_, place)| *place);
                let share = step as f32 / last as f32;
                let slide = from(0).map_or(0.0, |start| at.xz().distance(start)) / height;
                if slide > found.slide {
                    (found.slide, found.when) = (slide, share);
                }
                let settled = from((0.2 * last as f32).ceil() as usize).map_or(0.0, |start| at.xz().distance(start));
                found.settled_slide = found.settled_slide.max(settled / height);
            }
        }
        found.fewest = found.fewest.min(*fewest.iter().min().unwrap());
        for low in lowest {
            (found.lowest, found.highest) = (found.lowest.min(low / height), found.highest.max(low / height));
        }
    }
    found
}

#[test]
fn planted_soles_go_back_exactly_as_fast_as_the_walk_goes_ahead() {
    let all: Vec<(&Subject, Steps)> = WORKERS.par_iter().map(|subject| (subject, steps(subject))).collect();
    let percent = |share: f32| format!("{:.2}", 100.0 * share);
    let row = |(subject, steps): &(&Subject, Steps)| {
        let speed = subject.height_m() * subject.walk("stride").unwrap() / 100.0 / subject.walk("secs").unwrap();
        vec![
            subject.name.clone(),
            format!("{speed:.2}"),
            percent(steps.slide),
            format!("{:.2}", steps.when),
            percent(steps.settled_slide),
            percent(steps.lowest),
            percent(steps.highest),
            steps.fewest.to_string(),
        ]
    };
    let rows = all.iter().map(row).collect();
    let heads = ["worker", "m/s", "slide", "when", "slide, settled", "lowest", "highest", "fewest on ground"];
    Table { heads: heads.to_vec(), rows }.is_in_the_document("feet");
    for (subject, steps) in &all {
        assert!(steps.slide < MOST, "{}: a planted sole slides {:.4} of the height", subject.name, steps.slide);
        assert!(steps.fewest > 0, "{}: a planted foot is off the ground", subject.name);
    }
}
