//! How the kit's workers move: loops close, feet stay where they are planted, arms go against legs.

use glam::{DMat4, DVec3, Vec3Swizzles as _};

use crate::{Made, made, workers};

impl Made {
    fn walk(&self, key: &str) -> f64 {
        self.number(&["motion", "walk", key])
    }

    /// Metres a second, from the recipe alone.
    fn speed(&self) -> f64 {
        self.height_m() * self.walk("stride") / 100.0 / self.walk("secs")
    }

    fn travels(&self) -> bool {
        self.recipe["motion"]["walk"].get("travels").is_some_and(|travels| travels.as_bool().unwrap())
    }

    /// Nodes of the left and right toes by where they are, whatever their names.
    fn toes(&self) -> [usize; 2] {
        self.pair(|name| ["toe", "ball"].iter().any(|word| name.contains(word)))
    }

    fn hands(&self) -> [usize; 2] {
        self.pair(|name| name.contains("hand"))
    }

    fn pair(&self, wanted: impl Fn(&str) -> bool) -> [usize; 2] {
        let joints = self.glb.joints();
        let named = |node: &usize| wanted(&self.glb.nodes()[*node]["name"].as_str().unwrap().to_lowercase());
        let mut both: Vec<usize> = joints.into_iter().filter(named).collect();
        assert_eq!(both.len(), 2, "{}", self.name);
        both.sort_by(|a, b| self.glb.bind_joint(*b).x.total_cmp(&self.glb.bind_joint(*a).x));
        [both[0], both[1]]
    }

    /// Places of a node over the walk, `steps` even steps.
    fn over_the_walk(&self, node: usize, steps: usize) -> Vec<DVec3> {
        let secs = self.glb.seconds("walk");
        let at = |step: usize| self.glb.model_from_node(Some(("walk", secs * step as f64 / steps as f64)));
        (0..=steps).map(|step| at(step)[node].w_axis.truncate()).collect()
    }
}

#[test]
fn both_clips_last_as_long_as_the_recipe_says() {
    for worker in workers() {
        assert!((worker.glb.seconds("walk") - worker.walk("secs")).abs() < 1e-5, "{}", worker.name);
        let idle = worker.number(&["motion", "idle", "secs"]);
        assert!((worker.glb.seconds("idle") - idle).abs() < 1e-5, "{}", worker.name);
    }
}

#[test]
fn the_last_key_is_the_first_but_for_the_way_travelled() {
    let mut travelled = 0;
    for worker in workers() {
        for clip in ["idle", "walk"] {
            for (node, path, keys) in worker.glb.channels(clip) {
                let (mut last, first) = (keys[keys.len() - 1].clone(), &keys[0]);
                if clip == "walk" && path == "translation" && worker.travels() {
                    let way = last[2] - first[2];
                    assert!((way - worker.height_m() * worker.walk("stride") / 100.0).abs() < 2e-5, "{}", worker.name);
                    last[2] = first[2];
                    travelled += 1;
                }
                assert_eq!(&last, first, "{} {clip} node {node} {path}", worker.name);
            }
        }
    }
    assert_eq!(travelled, 1, "one worker's walk travels");
}

#[test]
fn neighbouring_turns_are_on_the_same_half_of_the_sphere() {
    for worker in workers() {
        for clip in ["idle", "walk"] {
            for (node, path, keys) in worker.glb.channels(clip) {
                if path == "rotation" {
                    let dot = |pair: &[Vec<f64>]| pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum::<f64>();
                    assert!(keys.windows(2).all(|pair| dot(pair) > 0.9), "{} {clip} node {node}", worker.name);
                }
            }
        }
    }
}

/// From a fifth of its time on the ground to its end a foot is flat or turns about its ball, so the ball
/// stands still against a ground that moves back at the recipe's speed. 200 steps a cycle, so between keys
/// too.
#[test]
fn a_planted_foot_slides_less_than_a_hundredth_of_the_height() {
    const STEPS: usize = 200;
    for worker in workers() {
        let planted = worker.recipe["motion"]["walk"].get("planted").map_or(0.62, |share| share.as_float().unwrap());
        let ground = if worker.travels() { 0.0 } else { worker.speed() * worker.walk("secs") / STEPS as f64 };
        for (side, node) in worker.toes().into_iter().enumerate() {
            let path = worker.over_the_walk(node, STEPS);
            let down = STEPS * side / 2;
            let steps = (0.2 * planted * STEPS as f64).ceil() as usize..=(planted * STEPS as f64).floor() as usize;
            let still: Vec<DVec3> = steps
                .map(|step| {
                    let at = path[(down + step) % STEPS];
                    // The right foot's time goes over the clip's end, where a travelling walk starts anew.
                    let lap = if worker.travels() && down + step >= STEPS { path[STEPS].z - path[0].z } else { 0.0 };
                    at + DVec3::Z * (ground * step as f64 + lap)
                })
                .collect();
            let slide = still.iter().map(|at| (*at - still[0]).xz().length()).fold(0.0, f64::max);
            assert!(slide < 0.01 * worker.height_m(), "{} side {side} slides {slide} m", worker.name);
            let rise = still.iter().map(|at| (at.y - still[0].y).abs()).fold(0.0, f64::max);
            assert!(rise < 0.01 * worker.height_m(), "{} side {side} rises {rise} m", worker.name);
        }
    }
}

#[test]
fn a_swinging_foot_leaves_the_ground_and_passes_the_other() {
    for worker in workers() {
        for node in worker.toes() {
            let path = worker.over_the_walk(node, 60);
            let (low, high) = path.iter().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.y), high.max(at.y)));
            assert!(high - low > 0.015 * worker.height_m(), "{} lifts {}", worker.name, high - low);
        }
    }
}

#[test]
fn hands_swing_against_the_feet_of_their_side() {
    for worker in workers().filter(|worker| !worker.travels()) {
        for (hand, foot) in worker.hands().into_iter().zip(worker.toes()) {
            let hand: Vec<f64> = worker.over_the_walk(hand, 40).iter().map(|at| at.z).collect();
            let foot: Vec<f64> = worker.over_the_walk(foot, 40).iter().map(|at| at.z).collect();
            let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
            let (hand_mean, foot_mean) = (mean(&hand), mean(&foot));
            let together: f64 = hand.iter().zip(&foot).map(|(a, b)| (a - hand_mean) * (b - foot_mean)).sum();
            assert!(together < 0.0, "{}: hand and foot go together, {together}", worker.name);
        }
    }
}

#[test]
fn idle_breathes_and_keeps_its_feet_where_they_are() {
    for worker in workers() {
        let secs = worker.glb.seconds("idle");
        let poses: Vec<_> =
            (0..16).map(|step| worker.glb.model_from_node(Some(("idle", secs * f64::from(step) / 16.0)))).collect();
        let move_of = |node: usize| {
            let at = |pose: &Vec<DMat4>| pose[node].w_axis.truncate();
            poses.iter().map(|pose| at(pose).distance(at(&poses[0]))).fold(0.0, f64::max)
        };
        for node in worker.toes() {
            assert!(move_of(node) < 0.004 * worker.height_m(), "{}: a foot moves {}", worker.name, move_of(node));
        }
        let hands = worker.hands().map(move_of);
        assert!(hands[0] > 0.002 * worker.height_m(), "{}: a hand moves {}", worker.name, hands[0]);
    }
}

/// The neck is lower above the hips than it is in front of them: bent by more than 45 degrees.
#[test]
fn the_ghoul_stands_upright_in_its_bind_pose_and_bends_almost_double_in_its_idle() {
    let ghoul = made("workers/ghoul");
    let (hips, neck) = (ghoul.glb.node_called("Hips"), ghoul.glb.node_called("Neck"));
    let bind = ghoul.glb.bind_joint(neck) - ghoul.glb.bind_joint(hips);
    assert!(bind.y > 4.0 * bind.z.abs(), "bind: {bind}");
    let pose = ghoul.glb.model_from_node(Some(("idle", 0.0)));
    let idle = (pose[neck].w_axis - pose[hips].w_axis).truncate();
    assert!(idle.z > idle.y, "idle: {idle}");
}

/// Skinned with the clips, no triangle's edge grows beyond four times its length: no broken elbows.
#[test]
fn no_edge_tears_in_any_pose() {
    for worker in workers() {
        let parts = worker.glb.parts();
        let (joints, joint_from_bind) = (worker.glb.joints(), worker.glb.joint_from_bind());
        for (clip, share) in [("idle", 0.3), ("walk", 0.0), ("walk", 0.3), ("walk", 0.5), ("walk", 0.8)] {
            let pose = worker.glb.model_from_node(Some((clip, share * worker.glb.seconds(clip))));
            let moves: Vec<_> = joints.iter().zip(&joint_from_bind).map(|(node, bind)| pose[*node] * *bind).collect();
            for part in parts.iter().filter(|part| !part.influences.is_empty()) {
                let posed: Vec<DVec3> = part
                    .positions
                    .iter()
                    .zip(&part.influences)
                    .map(|(at, all)| {
                        all.iter().map(|(joint, weight)| moves[*joint].transform_point3(*at) * *weight).sum()
                    })
                    .collect();
                for (a, b) in part.triangles.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]) {
                    let (before, after) = (part.positions[a].distance(part.positions[b]), posed[a].distance(posed[b]));
                    let long = after > 0.02 * worker.height_m();
                    assert!(!long || after < 4.0 * before, "{} {clip} {}: {before} to {after}", worker.name, part.name);
                }
            }
        }
    }
}
