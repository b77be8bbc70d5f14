//! How far edges stretch as a worker moves.

use rayon::prelude::*;

use crate::WORKERS;
use crate::subject::Subject;
use crate::table::Table;

const CLIPS: [&str; 2] = ["idle", "walk"];
const PHASES: usize = 24;
/// Posed length over bind length that no edge outside hands and hair may exceed.
const MOST: f32 = 2.0;

/// An edge at its worst.
#[derive(Clone)]
struct Worst {
    ratio: f32,
    part: String,
    /// Its middle in the bind pose, hundredths of the height.
    at: [f32; 3],
    classes: [String; 2],
    clip: &'static str,
    phase: usize,
    rest_m: f32,
}

/// Every edge with the longest and the shortest that it becomes, worst first; all of one worker.
struct Edges {
    longest: Vec<Worst>,
    shortest: Vec<Worst>,
}

fn edges(subject: &Subject) -> Edges {
    let drawn = subject.drawn();
    let mut longest: Vec<Vec<Worst>> = Vec::new();
    for part in &drawn {
        let bind = &subject.bind.parts[part.at].positions;
        let fresh = |(a, b): (usize, usize)| Worst {
            ratio: 1.0,
            part: part.part.to_owned(),
            at: ((bind[a] + bind[b]) * (50.0 / subject.height_m())).to_array(),
            classes: [part.classes[a].to_owned(), part.classes[b].to_owned()],
            clip: "",
            phase: 0,
            rest_m: bind[a].distance(bind[b]),
        };
        longest.push(part.edges().into_iter().map(fresh).collect());
    }
    let mut shortest = longest.clone();
    for clip in CLIPS {
        for phase in 0..PHASES {
            let posed = subject.posed(clip, phase as f32 / PHASES as f32);
            for ((part, longest), shortest) in drawn.iter().zip(&mut longest).zip(&mut shortest) {
                let positions = &posed.parts[part.at].positions;
                for (((a, b), long), short) in part.edges().into_iter().zip(longest).zip(shortest) {
                    let ratio = positions[a].distance(positions[b]) / long.rest_m;
                    if ratio > long.ratio {
                        (long.ratio, long.clip, long.phase) = (ratio, clip, phase);
                    }
                    if ratio < short.ratio {
                        (short.ratio, short.clip, short.phase) = (ratio, clip, phase);
                    }
                }
            }
        }
    }
    let mut longest: Vec<Worst> = longest.into_iter().flatten().collect();
    let mut shortest: Vec<Worst> = shortest.into_iter().flatten().collect();
    longest.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    shortest.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    Edges { longest, shortest }
}

/// Of a hand or hair, by the truth: either end's class.
fn left_out(edge: &Worst) -> bool {
    edge.classes.iter().any(|class| class == "hand" || class == "hair")
}

fn place(edge: &Worst) -> String {
    let [x, y, z] = edge.at;
    let ends = if edge.classes[0] == edge.classes[1] { edge.classes[0].clone() } else { edge.classes.join("-") };
    format!("{ends} at {x:.0}, {y:.0}, {z:.0}")
}

#[test]
fn no_edge_outside_hands_and_hair_grows_to_more_than_twice_its_length() {
    let all: Vec<(&Subject, Edges)> = WORKERS.par_iter().map(|subject| (subject, edges(subject))).collect();
    let mut rows = Vec::new();
    let mut over = Vec::new();
    for (subject, edges) in &all {
        let counted: Vec<&Worst> = edges.longest.iter().filter(|edge| !left_out(edge)).collect();
        let worst = counted[0];
        let hands = edges.longest.iter().find(|edge| left_out(edge)).map_or(1.0, |edge| edge.ratio);
        let short = edges.shortest.iter().find(|edge| !left_out(edge)).unwrap();
        let bad = counted.iter().filter(|edge| edge.ratio > MOST).count();
        rows.push(vec![
            subject.name.clone(),
            format!("{:.2}", worst.ratio),
            worst.part.clone(),
            place(worst),
            format!("{} {}/{PHASES}", worst.clip, worst.phase),
            bad.to_string(),
            format!("{hands:.2}"),
            format!("{:.2} ({})", 1.0 / short.ratio, short.part),
        ]);
        over.extend(
            counted.iter().filter(|edge| edge.ratio > MOST).map(|edge| (subject.name.clone(), (*edge).clone())),
        );
    }
    let heads = ["worker", "worst", "part", "place (x, y, z)", "when", "edges over 2", "hands, hair", "squeezed"];
    Table { heads: heads.to_vec(), rows }.is_in_the_document("stretch");
    assert!(over.is_empty(), "{} edges stretch to more than {MOST} times:\n{}", over.len(), offenders(&over));
}

/// Offending edges by worker and part.
fn offenders(over: &[(String, Worst)]) -> String {
    let mut groups: indexmap::IndexMap<(&str, &str), Vec<&Worst>> = indexmap::IndexMap::new();
    for (name, edge) in over {
        groups.entry((name, &edge.part)).or_default().push(edge);
    }
    let mut text = String::new();
    for ((name, part), edges) in groups {
        text += &format!("{name} {part}: {} edges over {MOST}\n", edges.len());
        for edge in edges.iter().take(6) {
            text += &format!(
                "  {:.2}  {}  {} {}/{PHASES}, {:.1} cm long at rest\n",
                edge.ratio,
                place(edge),
                edge.clip,
                edge.phase,
                edge.rest_m * 100.0
            );
        }
    }
    text
}
