//! What the kit's files hold: closed surfaces, sound weights, stated sizes, named bones.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::glb::{Glb, Part};
use crate::{KIT, loads, made, workers};

fn bounds(glb: &Glb) -> (DVec3, DVec3) {
    let parts = glb.parts();
    let all = parts.iter().filter(|part| !glb.hidden(part.node)).flat_map(|part| part.positions.iter().copied());
    all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
}

#[test]
fn ten_workers_and_three_loads_ship() {
    assert_eq!(workers().count(), 10);
    let loads: Vec<&str> = loads().map(|made| made.name.as_str()).collect();
    assert_eq!(loads, ["loads/gold", "loads/lumber", "loads/stone"]);
}

/// How often each edge is walked in its own direction, equal positions counted as one.
fn directed_edges(part: &Part) -> BTreeMap<([i64; 3], [i64; 3]), usize> {
    let key = |at: usize| part.positions[at].to_array().map(|along| (along * 1e7).round() as i64);
    let mut edges = BTreeMap::new();
    for corners in &part.triangles {
        for at in 0..3 {
            *edges.entry((key(corners[at]), key(corners[(at + 1) % 3]))).or_default() += 1;
        }
    }
    edges
}

#[test]
fn every_edge_of_every_part_has_two_triangles_that_walk_it_opposite_ways() {
    for made in KIT.iter() {
        let name = &made.name;
        for part in made.closed_parts() {
            let edges = directed_edges(&part);
            for ((from, to), uses) in &edges {
                assert_ne!(from, to, "{name} {}: an edge without length", part.name);
                assert_eq!(*uses, 1, "{name} {}: {from:?} to {to:?}", part.name);
                assert_eq!(edges.get(&(*to, *from)), Some(&1), "{name} {}: open at {from:?}", part.name);
            }
        }
    }
}

#[test]
fn surfaces_face_outwards() {
    for made in KIT.iter() {
        let name = &made.name;
        for part in made.closed_parts() {
            let volume: f64 = part
                .triangles
                .iter()
                .map(|corners| {
                    let [a, b, c] = corners.map(|at| part.positions[at]);
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            assert!(volume > 0.0, "{name} {} has volume {volume}", part.name);
        }
    }
}

#[test]
fn normals_are_unit_and_agree_with_their_triangles() {
    for made in KIT.iter() {
        let (name, glb) = (&made.name, &made.glb);
        let (mut agree, mut all) = (0u32, 0u32);
        for part in glb.parts() {
            let mesh = glb.nodes()[part.node]["mesh"].as_u64().unwrap() as usize;
            let normals = glb.points(&glb.json["meshes"][mesh]["primitives"][0]["attributes"]["NORMAL"]);
            assert!(normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-4), "{name} {}", part.name);
            if part.influences.is_empty() && name.starts_with("workers/") {
                continue; // rides on a bone: its normals are in that bone's axes
            }
            for corners in &part.triangles {
                let [a, b, c] = corners.map(|at| part.positions[at]);
                let facing = (b - a).cross(c - a);
                all += 3;
                agree += corners.iter().filter(|at| normals[**at].dot(facing) > 0.0).count() as u32;
            }
        }
        // The cracks of bark are finer than a load's triangles.
        let least = if name.starts_with("loads/") { 0.94 } else { 0.97 };
        assert!(f64::from(agree) > least * f64::from(all), "{name}: {agree} of {all}");
    }
}

#[test]
fn weights_sum_to_one_and_name_joints_that_there_are() {
    for made in workers() {
        let (name, glb) = (&made.name, &made.glb);
        let joints = glb.joints().len();
        for part in glb.parts() {
            for influences in &part.influences {
                let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{name} {}: {sum}", part.name);
                assert!(influences.iter().all(|(joint, weight)| *joint < joints && *weight >= 0.0));
            }
            let rides = part.influences.is_empty();
            assert!(!rides || part.name == "hat", "{name} {} has no weights", part.name);
            assert!(part.triangles.as_flattened().iter().all(|index| *index < part.positions.len()));
        }
    }
}

#[test]
fn the_gnomes_hat_rides_on_its_heads_node() {
    let glb = &made("workers/gnome").glb;
    let hat = glb.node_called("hat");
    assert_eq!(glb.parent(hat), Some(glb.node_called("head")));
    assert!(glb.nodes()[hat]["skin"].is_null());
}

#[test]
fn heights_are_the_recipes_and_soles_are_on_the_ground() {
    for made in KIT.iter() {
        let (name, glb) = (&made.name, &made.glb);
        let (low, high) = bounds(glb);
        assert!(low.y.abs() < 2e-5, "{name} stands at {}", low.y);
        let height = made.height_m();
        assert!((high.y - height).abs() < 2e-5, "{name} is {} high, not {height}", high.y);
    }
}

#[test]
fn triangles_are_within_a_hundred_of_the_recipe_and_fit_a_small_figure() {
    // Analytic bodies are not thinned.
    for made in KIT.iter().filter(|made| !made.name.starts_with("analytic/")) {
        let (name, glb) = (&made.name, &made.glb);
        let parts = glb.parts();
        let seen = parts.iter().filter(|part| !glb.hidden(part.node));
        let count: usize = seen.map(|part| part.triangles.len()).sum();
        let asked = made.number(&["body", "triangles"]) as usize;
        assert!(count <= asked && count + 100 > asked, "{name} has {count}, not {asked}");
        let range = match name.split('/').next().unwrap() {
            "loads" => 1000..=2000,
            "heads" => 1200..=1700,
            _ => 3000..=6000,
        };
        assert!(range.contains(&count), "{name} has {count}");
    }
}

#[test]
fn builds_differ_clearly_in_height_and_breadth() {
    let size = |name: &str| {
        let (low, high) = bounds(&made(name).glb);
        high - low
    };
    let (goblin, troll) = (size("workers/goblin"), size("workers/troll"));
    assert!(troll.y > 3.0 * goblin.y, "the troll is {troll}, the goblin {goblin}");
    let (dwarf, elf) = (size("workers/dwarf"), size("workers/elf"));
    assert!(dwarf.x / dwarf.y > 1.3 * (elf.x / elf.y), "the dwarf is {dwarf}, the elf {elf}");
    let (rat, skink) = (size("workers/ratman"), size("workers/skink"));
    assert!(rat.z > 0.7 * rat.y && skink.z > 0.7 * skink.y, "tails reach far behind: {rat}, {skink}");
}

#[test]
fn workers_face_plus_z_with_their_left_at_plus_x() {
    for made in workers() {
        let (name, glb) = (&made.name, &made.glb);
        let front = glb.nodes().iter().position(|node| {
            let name = node["name"].as_str().unwrap().to_lowercase().replace('_', "");
            name.ends_with("headfront")
        });
        let front = front.unwrap_or_else(|| panic!("{name} has no head-front bone"));
        let head = glb.parent(front).unwrap();
        let ahead = glb.bind_joint(front) - glb.bind_joint(head);
        assert!(ahead.z > 0.5 * ahead.length(), "{name}: {ahead}");
    }
    let glb = &made("workers/dwarf").glb;
    assert!(glb.bind_joint(glb.node_called("mixamorig:LeftArm")).x > 0.0);
}

#[test]
fn the_orcs_rig_is_mirrored_and_no_other_is() {
    let orc = &made("workers/orc").glb;
    for bone in ["UpperArm", "Forearm", "Hand", "Thigh", "Calf", "Foot"] {
        assert!(orc.bind_joint(orc.node_called(&format!("Bip01 L {bone}"))).x < 0.0, "left {bone} is at the left");
        assert!(orc.bind_joint(orc.node_called(&format!("Bip01 R {bone}"))).x > 0.0, "right {bone} is at the right");
    }
    for (name, left) in [
        ("goblin", "hand.L"),
        ("gnome", "hand.L"),
        ("ratman", "hand_l"),
        ("troll", "hand_l"),
        ("skink", "LeftHand"),
        ("ghoul", "LeftHand"),
        ("elf", "LeftHand"),
        ("peasant", "mixamorig:LeftHand"),
    ] {
        let glb = &made(&format!("workers/{name}")).glb;
        assert!(glb.bind_joint(glb.node_called(left)).x > 0.0, "{name}");
    }
}

#[test]
fn the_elfs_spine_is_named_from_the_top_down() {
    let glb = &made("workers/elf").glb;
    let mut at = glb.node_called("Hips");
    for name in ["Spine02", "Spine01", "Spine", "neck", "Head"] {
        let child = glb.node_called(name);
        assert_eq!(glb.parent(child), Some(at), "{name}");
        assert!(glb.bind_joint(child).y > glb.bind_joint(at).y, "{name} is above");
        at = child;
    }
    assert_eq!(glb.parent(glb.node_called("head_end")), Some(at));
    assert_eq!(glb.parent(glb.node_called("headfront")), Some(at));
}

#[test]
fn every_worker_has_two_of_each_limb_bone_and_all_its_toes() {
    // Each convention's words for upper arm, forearm, hand, thigh, shin, foot, toes.
    let words = [
        ("mixamorig:", "Arm ForeArm Hand UpLeg Leg Foot ToeBase Shoulder"),
        ("Bip01 ", "UpperArm Forearm Hand Thigh Calf Foot Toe0 Clavicle"),
        ("Left", "Arm ForeArm Hand UpLeg Leg Foot ToeBase Shoulder"),
        ("LeftUpper", "Arm Leg"),
        (".L", "upper_arm forearm hand thigh shin foot toe shoulder"),
        ("_l", "upperarm lowerarm hand thigh calf foot ball clavicle"),
    ];
    for made in workers() {
        let (name, glb) = (&made.name, &made.glb);
        let bones: Vec<&str> = glb.nodes().iter().map(|node| node["name"].as_str().unwrap()).collect();
        let fits = words.iter().any(|(mark, list)| {
            list.split(' ')
                .all(|word| bones.iter().filter(|bone| bone.contains(mark) && bone.contains(word)).count() >= 1)
        });
        assert!(fits, "{name}: {bones:?}");
        // hips, two spine bones at least, neck, head, two markers and eight bones a side
        assert!(glb.joints().len() >= 3 + 2 + 2 + 16, "{name} has {}", glb.joints().len());
    }
}

#[test]
fn the_skinks_tail_has_bones_and_the_ratmans_is_skinned_to_its_hips() {
    let skink = &made("workers/skink").glb;
    assert_eq!(skink.parent(skink.node_called("Tail1")), Some(skink.node_called("Hips")));
    assert_eq!(skink.parent(skink.node_called("Tail5")), Some(skink.node_called("Tail4")));
    all_weight_on("workers/ratman", "tail", "pelvis");
}

#[test]
fn the_elfs_hair_is_skinned_to_the_head_and_hangs_below_the_neck() {
    all_weight_on("workers/elf", "hair", "Head");
    let glb = &made("workers/elf").glb;
    let hair = glb.parts().into_iter().find(|part| part.name == "hair").unwrap();
    let neck = glb.bind_joint(glb.node_called("neck")).y;
    let below = hair.positions.iter().filter(|at| at.y < neck - 0.2).count();
    assert!(below > 50, "{below} vertices hang over the back");
}

fn all_weight_on(name: &str, part: &str, bone: &str) {
    let glb = &made(name).glb;
    let joint = glb.joints().iter().position(|joint| *joint == glb.node_called(bone)).unwrap();
    let part = glb.parts().into_iter().find(|own| own.name == part).unwrap();
    assert!(!part.influences.is_empty());
    assert!(part.influences.iter().all(|influences| influences[0] == (joint, 1.0)));
}

/// The orc's strap follows his body: its weights are those of the skin below it but for the way between two
/// vertices. Weighed by its own bone alone it would differ by 0.24.
#[test]
fn gear_that_follows_moves_with_what_it_lies_on() {
    let glb = &made("workers/orc").glb;
    let parts = glb.parts();
    let part = |name: &str| parts.iter().find(|part| part.name == name).unwrap();
    let (strap, body) = (part("strap"), part("body"));
    let weight = |influences: &[(usize, f64)], joint: usize| -> f64 {
        influences.iter().filter(|(own, _)| *own == joint).map(|(_, weight)| weight).sum()
    };
    let differences = strap.positions.iter().zip(&strap.influences).map(|(at, own)| {
        let nearest = (0..body.positions.len())
            .min_by(|a, b| at.distance(body.positions[*a]).total_cmp(&at.distance(body.positions[*b])))
            .unwrap();
        let below = &body.influences[nearest];
        (0..glb.joints().len()).map(|joint| (weight(own, joint) - weight(below, joint)).abs()).sum::<f64>()
    });
    let mean = differences.sum::<f64>() / strap.positions.len() as f64;
    assert!(mean < 0.18, "{mean}");
}

#[test]
fn loads_stand_in_the_load_frame() {
    for made in loads() {
        let (name, glb) = (&made.name, &made.glb);
        let (low, high) = bounds(glb);
        assert!(low.y.abs() < 2e-5, "{name}: the base is at {}", low.y);
        assert!(low.z.abs() < 2e-5, "{name}: the face against the back is at {}", low.z);
        assert!((low.x + high.x).abs() < 4e-5, "{name} is off centre: {low} to {high}");
        assert!(high.z > 0.1 && high.z < high.x - low.x, "{name} is wider than deep: {low} to {high}");
        assert!(glb.json["skins"].is_null() && glb.json["animations"].is_null());
    }
}

#[test]
fn the_face_against_the_back_is_broad() {
    for made in loads() {
        let (name, glb) = (&made.name, &made.glb);
        let (low, high) = bounds(glb);
        let area = (high.x - low.x) * (high.y - low.y);
        let touching: f64 = glb
            .parts()
            .iter()
            .flat_map(|part| part.triangles.iter().map(|corners| corners.map(|at| part.positions[at])))
            .filter(|corners| corners.iter().all(|at| at.z < 0.12 * high.z))
            .map(|[a, b, c]| (-(b - a).cross(c - a).z * 0.5).max(0.0))
            .sum();
        assert!(touching > 0.3 * area, "{name}: {touching} of {area}");
    }
}

#[test]
fn coins_are_a_material_of_their_own() {
    let materials = made("loads/gold").glb.json["materials"].as_array().unwrap();
    let coin = materials.iter().find(|material| material["name"] == "coin").unwrap();
    assert!(coin["pbrMetallicRoughness"]["metallicFactor"].as_f64().unwrap() > 0.5);
    assert!(materials.iter().any(|material| material["name"] == "burlap"));
}

/// At rest a joint's matrix undoes its inverse bind matrix: the bind pose is the rest pose.
#[test]
fn rest_pose_is_bind_pose() {
    for made in workers() {
        let (name, glb) = (&made.name, &made.glb);
        let at_rest = glb.model_from_node(None);
        for (joint, joint_from_bind) in glb.joints().into_iter().zip(glb.joint_from_bind()) {
            let product = at_rest[joint] * joint_from_bind;
            assert!(product.abs_diff_eq(glam::DMat4::IDENTITY, 2e-5), "{name}: joint {joint} {product}");
        }
    }
}
