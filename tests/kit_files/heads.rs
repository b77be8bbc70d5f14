//! Heads without bodies: necks that fit the workers of their kind, parts of one name, faces and eyes as masks.

use std::f64::consts::PI;

use glam::DVec3;

use crate::{Made, heads, made};

/// The other heads are orcs.
const HUMANS: [&str; 6] = ["foreman", "cutter", "boy", "widow", "smith", "priest"];

fn is_human(head: &Made) -> bool {
    HUMANS.contains(&head.name.trim_start_matches("heads/"))
}

/// Where the parts of these names cross the level of the neck joint, from that joint.
fn ring(from: &Made, parts: &[&str]) -> Vec<DVec3> {
    let glb = &from.glb;
    let is_neck = |node: &usize| glb.nodes()[*node]["name"].as_str().unwrap().to_lowercase().ends_with("neck");
    let joint = glb.bind_joint((0..glb.nodes().len()).find(is_neck).unwrap());
    let mut ring = Vec::new();
    for part in glb.parts().iter().filter(|part| parts.contains(&part.name.as_str())) {
        for corners in &part.triangles {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let [a, b] = [part.positions[corners[a]] - joint, part.positions[corners[b]] - joint];
                if a.y * b.y < 0.0 {
                    ring.push(a.lerp(b, a.y / (a.y - b.y)));
                }
            }
        }
    }
    ring
}

/// How far a ring reaches to the right, left and back. Its front may be a chin's: an orc's hangs below his neck joint.
fn reach(ring: &[DVec3]) -> [f64; 3] {
    let furthest = |along: DVec3| ring.iter().map(|at| at.dot(along)).fold(0.0, f64::max);
    [DVec3::NEG_X, DVec3::X, DVec3::NEG_Z].map(furthest)
}

#[test]
fn necks_fit_the_workers_of_their_kind() {
    for head in heads() {
        let worker = made(if is_human(head) { "workers/peasant" } else { "workers/orc" });
        let (own, body) = (reach(&ring(head, &["scalp", "face"])), reach(&ring(worker, &["head"])));
        for (own, body) in std::iter::zip(own, body) {
            assert!((own - body).abs() < 0.05 * body, "{}: {own:.4} m where its worker has {body:.4} m", head.name);
        }
    }
}

/// All round, and not at the sides and back alone: the mean distance from the joint, by direction.
#[test]
fn human_necks_are_as_thick_as_the_peasants_in_front_too() {
    let sectors = |ring: &[DVec3]| -> Vec<f64> {
        let sector = |at: &DVec3| (((at.x.atan2(at.z) / PI + 1.0) * 4.0) as usize).min(7);
        let own = |wanted: usize| {
            let found: Vec<f64> = ring.iter().filter(|at| sector(at) == wanted).map(|at| at.length()).collect();
            found.iter().sum::<f64>() / found.len() as f64
        };
        (0..8).map(own).collect()
    };
    let body = sectors(&ring(made("workers/peasant"), &["head"]));
    for head in heads().filter(|head| is_human(head)) {
        for (own, body) in std::iter::zip(sectors(&ring(head, &["scalp", "face"])), &body) {
            assert!((own - body).abs() < 0.05 * body, "{}: {own:.4} m where the peasant has {body:.4} m", head.name);
        }
    }
}

/// What a study hides on one head it can hide on all.
#[test]
fn heads_have_parts_of_one_name() {
    let common = [
        "scalp",
        "face",
        "ears",
        "eyes",
        "irises",
        "pupils",
        "glints",
        "lids",
        "lips",
        "brows",
        "brows_raised",
        "paint",
    ];
    for head in heads() {
        let parts = head.glb.parts();
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let wanted = common.iter().chain(["hair_short", "hair_long", "hair_tied"].iter().filter(|_| is_human(head)));
        for name in wanted {
            assert!(names.contains(name), "{} has no part {name}", head.name);
        }
        let hidden = |name: &str| parts.iter().find(|part| part.name == name).map(|part| head.glb.hidden(part.node));
        assert_eq!((hidden("brows"), hidden("brows_raised")), (Some(false), Some(true)), "{}", head.name);
        let styles = ["hair_short", "hair_long", "hair_tied"].map(|name| hidden(name) == Some(false));
        assert!(!is_human(head) || styles.iter().filter(|seen| **seen).count() == 1, "{} wears {styles:?}", head.name);
    }
}

/// The face is below the hairline and above the neck, in front of the ears.
#[test]
fn the_face_mask_is_the_front_of_the_skin_alone() {
    for head in heads() {
        let parts = head.glb.parts();
        let extent = |name: &str| {
            let part = parts.iter().find(|part| part.name == name).unwrap();
            assert!(!part.triangles.is_empty());
            let fold = |(low, high): (DVec3, DVec3), at: &DVec3| (low.min(*at), high.max(*at));
            part.positions.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), fold)
        };
        let (face, skin, eyes) = (extent("face"), extent("scalp"), extent("eyes"));
        let mask = |name: &str| {
            let node = head.glb.node_called(name);
            head.glb.nodes()[node]["extras"]["posegrid"]["mask"].as_str().map(str::to_owned)
        };
        assert_eq!(
            (mask("face").as_deref(), mask("eyes").as_deref(), mask("scalp")),
            (Some("face"), Some("eyes"), None)
        );
        assert!(face.0.y > skin.0.y + 0.03 && face.1.y < skin.1.y - 0.01, "{}: {face:?} in {skin:?}", head.name);
        assert!(face.0.z > 0.3 * skin.0.z + 0.7 * 0.0 && face.1.z > skin.1.z, "{}: {face:?} in {skin:?}", head.name);
        assert!(face.0.y < eyes.0.y && eyes.1.y < face.1.y, "{}: eyes {eyes:?} in {face:?}", head.name);
    }
}
