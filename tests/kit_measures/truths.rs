//! What the kit's truth files say, held against the models that they are of.

use glam::{DVec3, Vec3};
use posegrid::kit::{BoneTruth, Kind};
use rayon::prelude::*;

use crate::subject::Subject;
use crate::{ANALYTIC, HEADS, LOADS, WORKERS};

fn all() -> impl Iterator<Item = &'static Subject> {
    WORKERS.iter().chain(HEADS.iter()).chain(LOADS.iter()).chain(ANALYTIC.iter())
}

fn with_bones() -> impl Iterator<Item = &'static Subject> {
    all().filter(|subject| subject.truth.rig.is_some())
}

fn point(three: [f64; 3]) -> Vec3 {
    DVec3::from_array(three).as_vec3()
}

/// A joint in the bind pose: where its inverse bind matrix has its origin.
fn joint_in_bind(subject: &Subject, name: &str) -> Vec3 {
    let node = |node: &posegrid::base::NodeIndex| subject.model.node_name(*node) == name;
    let skin = &subject.model.skins[0];
    let at = skin.joints.iter().position(node).unwrap_or_else(|| panic!("{} has no joint {name}", subject.name));
    skin.joint_from_bind[at].inverse().w_axis.truncate()
}

/// To the nearest point of any triangle that is drawn at the finest level, metres; `of` one part or all.
fn to_mesh(subject: &Subject, of: Option<&str>, point: Vec3) -> f32 {
    let mut nearest = f32::INFINITY;
    for part in subject.drawn().iter().filter(|part| of.is_none_or(|of| part.part == of)) {
        let positions = &subject.bind.parts[part.at].positions;
        for corners in part.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|at| positions[corners[at] as usize]);
            nearest = nearest.min(to_triangle(point, corners));
        }
    }
    nearest
}

/// C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5.
fn to_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return p.distance(a);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return p.distance(b);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return p.distance(a + ab * (d1 / (d1 - d3)));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return p.distance(c);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return p.distance(a + ac * (d2 / (d2 - d6)));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return p.distance(b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6)));
    }
    let whole = va + vb + vc;
    p.distance(a + ab * (vb / whole) + ac * (vc / whole))
}

/// Over a triangle in the plane z = 0: straight above its inside, beside an edge, beyond a corner.
#[test]
fn distances_to_a_triangle_are_those_worked_by_hand() {
    let triangle = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
    for (point, distance) in [
        (Vec3::new(1.0, 1.0, 3.0), 3.0),
        (Vec3::new(2.0, -3.0, 4.0), 5.0),
        (Vec3::new(7.0, 0.0, 4.0), 5.0),
        (Vec3::new(4.0, 4.0, 0.0), 8f32.sqrt()),
    ] {
        assert!((to_triangle(point, triangle) - distance).abs() < 1e-5, "{point}");
    }
}

#[test]
fn heights_are_those_of_what_is_drawn() {
    for subject in all() {
        let drawn = subject.drawn();
        let heights = drawn.iter().flat_map(|part| subject.bind.parts[part.at].positions.iter().map(|at| at.y));
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        assert!((high - low - subject.height_m()).abs() < 3e-5, "{}: {}", subject.name, high - low);
    }
}

#[test]
fn the_recipes_digest_is_the_models() {
    for subject in all() {
        let json = crate::hygiene::json_of(&subject.bytes);
        assert_eq!(json["asset"]["extras"]["posegrid"]["recipe"], subject.truth.recipe.as_str(), "{}", subject.name);
        assert_eq!(subject.truth.format, 1);
    }
}

#[test]
fn kinds_are_those_of_their_folders() {
    let of = |subjects: &[Subject], kind: Kind| subjects.iter().all(|subject| subject.truth.kind == kind);
    assert!(of(&WORKERS, Kind::Worker) && of(&HEADS, Kind::Head) && of(&LOADS, Kind::Load));
    assert!(of(&ANALYTIC, Kind::Analytic));
}

#[test]
fn bones_and_roles_name_joints_where_they_are() {
    for subject in with_bones() {
        let rig = subject.truth.rig.as_ref().unwrap();
        assert_eq!(rig.bones.len(), subject.model.skins[0].joints.len(), "{}", subject.name);
        for bone in &rig.bones {
            let off = joint_in_bind(subject, &bone.name).distance(point(bone.joint_m));
            assert!(off < 1e-4, "{} {}: {off} m off", subject.name, bone.name);
        }
        let joint = |role: &str| joint_in_bind(subject, &rig.roles[role]);
        let ahead = (joint("head_front") - joint("head")).normalize_or_zero();
        assert!(ahead.dot(point(subject.truth.facing)) > 0.5, "{} faces {ahead}", subject.name);
        if subject.truth.kind == Kind::Head {
            continue;
        }
        assert_eq!(rig.roles.len(), 16, "{}: {:?}", subject.name, rig.roles);
        let heights = ["left_toes", "hips", "lower_spine", "chest", "neck", "head"].map(|role| joint(role).y);
        assert!(heights.is_sorted(), "{}: {heights:?}", subject.name);
        for role in ["shoulder", "hand", "thigh", "foot", "toes"] {
            let [left, right] = ["left", "right"].map(|side| joint(&format!("{side}_{role}")));
            assert!(
                left.x > 0.0 && (left * Vec3::new(-1.0, 1.0, 1.0)).distance(right) < 1e-4,
                "{} {role}",
                subject.name
            );
        }
    }
}

/// On a swapped rig the body's own left has a bone whose name says right, and on no other.
#[test]
fn swapped_rigs_are_those_whose_left_bones_are_named_right() {
    let mut swapped = Vec::new();
    for subject in with_bones().filter(|subject| subject.truth.kind != Kind::Head) {
        let rig = subject.truth.rig.as_ref().unwrap();
        let name = rig.roles["left_hand"].to_lowercase();
        let says_right = name.contains("right") || name.contains(" r ") || name.ends_with("_r") || name.ends_with(".r");
        assert_eq!(says_right, rig.swapped, "{}: {name}", subject.name);
        let lefts: Vec<&BoneTruth> = rig.bones.iter().filter(|bone| bone.side.as_deref() == Some("left")).collect();
        assert!(lefts.len() >= 8 && lefts.iter().all(|bone| bone.joint_m[0] > 0.0), "{}", subject.name);
        swapped.extend(rig.swapped.then_some(subject.name.as_str()));
    }
    assert_eq!(swapped, ["orc"]);
}

/// The torso's axes by their definition, from the joints of the file.
#[test]
fn torso_frames_are_square_and_point_out_of_the_back() {
    for subject in all().filter(|subject| subject.truth.torso.is_some()) {
        let torso = subject.truth.torso.as_ref().unwrap();
        let [right, up, out] = [torso.right, torso.up, torso.out].map(point);
        assert!(right.cross(up).distance(out) < 2e-4 && out.z < -0.8 && right.x < -0.99, "{}", subject.name);
        let rig = subject.truth.rig.as_ref().unwrap();
        let joint = |role: &str| joint_in_bind(subject, &rig.roles[role]);
        assert!((joint("neck") - joint("lower_spine")).normalize_or_zero().distance(up) < 1e-3, "{}", subject.name);
        assert!(joint("chest").distance(point(torso.origin_m)) < 1e-4, "{}", subject.name);
        let hips = (joint("hips") - joint("chest")).dot(up);
        assert!((hips - torso.hips_m as f32).abs() < 5e-4, "{}", subject.name);
        let breadth = joint("left_shoulder").distance(joint("right_shoulder"));
        assert!((breadth - torso.breadth_m as f32).abs() < 1e-4, "{}", subject.name);
    }
}

#[test]
fn samples_of_a_back_lie_on_the_mesh_behind_the_body() {
    let bodies: Vec<&Subject> = all().filter(|subject| subject.truth.back.is_some()).collect();
    assert_eq!(bodies.len(), WORKERS.len() + ANALYTIC.len());
    bodies.par_iter().for_each(|subject| {
        let (back, torso) = (subject.truth.back.as_ref().unwrap(), subject.truth.torso.as_ref().unwrap());
        let [up, out, origin] = [torso.up, torso.out, torso.origin_m].map(point);
        let height = subject.height_m();
        let rays = ((torso.shoulders_m - torso.hips_m) * torso.breadth_m / back.step_m.powi(2)) as usize;
        assert!(back.samples.len() > rays / 2, "{}: {} samples of {rays} rays", subject.name, back.samples.len());
        let (mut faces_out, mut coarse) = (0, 0);
        for sample in &back.samples {
            let at = point(sample.at_m);
            let along = (at - origin).dot(up);
            assert!(along > torso.hips_m as f32 && along < torso.shoulders_m as f32, "{} {at}", subject.name);
            let off = to_mesh(subject, Some(&sample.part), at) / height;
            assert!(off < 0.012, "{}: {at} is {off} of the height off {}", subject.name, sample.part);
            coarse += usize::from(off > 0.005);
            assert!((point(sample.normal).length() - 1.0).abs() < 1e-3, "{}", subject.name);
            faces_out += usize::from(point(sample.normal).dot(out) > 0.0);
        }
        // In a hollow a thinned mesh may be a little further off.
        assert!(coarse * 50 < back.samples.len(), "{}: {coarse} are more than 0.005 off", subject.name);
        assert!(faces_out * 100 > 99 * back.samples.len(), "{}: {faces_out} face out", subject.name);
    });
}

/// The vertices nearest a sample are no arm, tail or head.
#[test]
fn samples_of_a_back_are_on_its_trunk() {
    for subject in WORKERS.iter() {
        let drawn = subject.drawn();
        let (mut off, samples) = (0, &subject.truth.back.as_ref().unwrap().samples);
        for sample in samples {
            let at = point(sample.at_m);
            let near = |part: &&crate::subject::Drawn<'_>| part.part == sample.part;
            let vertices = drawn.iter().filter(near).flat_map(|part| {
                let positions = subject.bind.parts[part.at].positions.iter();
                positions.zip(&part.classes).map(|(vertex, class)| (vertex.distance(at), *class))
            });
            let (_, class) = vertices.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            off += usize::from(!["trunk", "neck", "hair"].contains(&class));
        }
        // Between two vertices the border of the trunk may run either way.
        assert!(off * 20 < samples.len(), "{}: {off} of {}", subject.name, samples.len());
    }
}

#[test]
fn landmarks_lie_on_the_surface_where_a_face_has_them() {
    for subject in with_bones() {
        let landmarks = &subject.truth.landmarks;
        let at = |name: &str| landmarks.get(name).map(|landmark| point(landmark.at_m));
        let place = |name: &str| at(name).unwrap_or_else(|| panic!("{} has no {name}", subject.name));
        for (name, landmark) in landmarks {
            let Some(part) = &landmark.part else { continue };
            let hundredths = 100.0 * to_mesh(subject, None, point(landmark.at_m)) / subject.height_m();
            // Mouths that are cut in, noses and chins have fewer triangles than bends; a head's hundredths are small.
            let most = if subject.truth.kind == Kind::Head { 2.0 } else { 0.7 };
            assert!(hundredths < most, "{}: {name} is {hundredths} hundredths off {part}", subject.name);
        }
        let rig = subject.truth.rig.as_ref().unwrap();
        for (name, role) in [("head_joint", "head"), ("neck_joint", "neck")] {
            assert!(place(name).distance(joint_in_bind(subject, &rig.roles[role])) < 1e-4, "{}", subject.name);
        }
        // The line of a head's bone may leave it through its hair or hat alone.
        let hidden = subject.truth.kind == Kind::Head && at("crown").is_none();
        let crown = if hidden { Vec3::INFINITY } else { place("crown") };
        assert!(crown.y > place("head_joint").y, "{}", subject.name);
        if subject.truth.kind == Kind::Analytic {
            continue;
        }
        for pair in ["eye", "brow", "ear", "mouth"] {
            if at(&format!("{pair}_left")).is_some() {
                let [left, right] = ["left", "right"].map(|side| place(&format!("{pair}_{side}")));
                assert!(left.x > 0.0 && right.x < 0.0, "{}: {pair} at {left} and {right}", subject.name);
            }
        }
        let head = head_box(subject);
        for name in ["eye_left", "eye_right"] {
            let at = place(name);
            assert!(at.cmpge(head.0).all() && at.cmple(head.1).all(), "{}: {name} at {at}", subject.name);
        }
        let (eyes, nose) = (place("eye_left").midpoint(place("eye_right")), place("nose"));
        assert!(nose.z > eyes.z && nose.y < eyes.y && eyes.y < crown.y, "{}", subject.name);
        for below in [at("mouth"), at("chin")].into_iter().flatten() {
            // A nose may hang below its mouth.
            assert!(below.y < eyes.y && below.z > place("head_joint").z, "{}: {below}", subject.name);
        }
    }
    for head in HEADS.iter() {
        let names: Vec<&str> = head.truth.landmarks.keys().map(String::as_str).collect();
        let whole = [
            "crown",
            "brow_left",
            "brow_right",
            "eye_left",
            "eye_right",
            "ear_left",
            "ear_right",
            "nose",
            "mouth_left",
            "mouth_right",
            "mouth",
            "chin",
            "head_joint",
            "neck_joint",
        ];
        // Where hair or hat hides the whole of it, a head has no crown.
        let names: Vec<&str> = names.into_iter().filter(|name| *name != "crown").collect();
        assert_eq!(names, whole[1..], "{}", head.name);
    }
}

/// The box about all vertices of the head.
fn head_box(subject: &Subject) -> (Vec3, Vec3) {
    let mut corners = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for part in subject.drawn() {
        let positions = subject.bind.parts[part.at].positions.iter();
        for (at, _) in positions.zip(&part.classes).filter(|(_, class)| **class == "head") {
            corners = (corners.0.min(*at), corners.1.max(*at));
        }
    }
    corners
}

/// Classes against the joints that have most of a vertex's weight, read from the file.
#[test]
fn classes_are_those_of_the_bones_that_move_a_vertex() {
    for subject in WORKERS.iter() {
        let rig = subject.truth.rig.as_ref().unwrap();
        let (mut hands, mut feet) = (0, 0);
        for part in subject.drawn() {
            let own = &subject.bind.parts[part.at];
            let primitive = &subject.model.meshes[own.mesh.at()].primitives[own.primitive];
            let Some(influences) = &primitive.influences else { continue };
            for (vertex, class) in part.classes.iter().enumerate() {
                let most = influences.of(vertex).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                if most.1 <= 0.5 || ["hair", "hat", "tail"].contains(class) {
                    continue;
                }
                let name = subject.model.node_name(subject.model.skins[0].joints[most.0.at()]);
                let bone = rig.bones.iter().find(|bone| bone.name == name).unwrap().bone.as_str();
                let expected = match bone {
                    "hips" | "chest" | "clavicle" => "trunk",
                    "upper_arm" | "forearm" => "arm",
                    "thigh" | "shin" => "leg",
                    "foot" | "toes" => "foot",
                    spine if spine.starts_with("spine") => "trunk",
                    other => other,
                };
                assert_eq!(*class, expected, "{} {} {vertex}", subject.name, part.part);
                hands += usize::from(*class == "hand");
                feet += usize::from(*class == "foot");
            }
        }
        assert!(hands > 50 && feet > 50, "{}: {hands} of hands, {feet} of feet", subject.name);
    }
    let of = |name: &str, part: &str| {
        let subject = WORKERS.iter().find(|subject| subject.name == name).unwrap();
        let drawn = subject.drawn();
        let found = drawn.iter().find(|own| own.part == part).unwrap();
        found.classes.iter().map(|class| (*class).to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(of("elf", "hair").iter().eq(["hair"]), "hair that is rigid on the head says that it is hair");
    assert!(of("ratman", "tail").iter().eq(["tail"]), "a tail without bones says that it is one");
    assert!(of("gnome", "hat").iter().eq(["hat"]), "a hat that rides on a bone");
    let skink = WORKERS.iter().find(|subject| subject.name == "skink").unwrap();
    assert!(skink.drawn().iter().any(|part| part.classes.contains(&"tail")), "a tail by its bones");
}

#[test]
fn loads_say_their_box_and_the_face_that_rests() {
    for subject in LOADS.iter() {
        let load = subject.truth.load.as_ref().unwrap();
        let (low, high) = subject.bind.bounds().unwrap();
        assert!((high - low).distance(point(load.size_m)) < 3e-5, "{}", subject.name);
        assert!((f64::from(low.z) - load.rest_z_m).abs() < 3e-5 && load.rest_normal == [0.0, 0.0, -1.0]);
        assert!((f64::from(low.x) + load.size_m[0] / 2.0).abs() < 5e-5, "{} is off centre", subject.name);
        let [wide, tall] = [0, 1].map(|axis| load.rest_high_m[axis] - load.rest_low_m[axis]);
        assert!(wide > 0.3 * load.size_m[0] && tall > 0.2 * load.size_m[1], "{}: {wide} by {tall}", subject.name);
    }
}
