//! The analytic bodies: their backs are formulas, and their meshes keep to them.

use glam::{DVec2, DVec3, Vec3Swizzles as _};
use posegrid::kit::Formula;

use crate::ANALYTIC;
use crate::subject::Subject;

/// Furthest that a back may be off its formula, as a share of the height.
const MOST: f64 = 0.0003;

fn named(name: &str) -> &'static Subject {
    ANALYTIC.iter().find(|subject| subject.name == name).unwrap()
}

/// How far a point is from the surface that a formula states, metres.
fn off(formula: &Formula, at: DVec3) -> f64 {
    match formula {
        Formula::Capsule { axis_m, radius_m, .. } => {
            let [low, high] = axis_m.map(DVec3::from_array);
            let on_axis = low + (high - low) * ((at.y - low.y) / (high.y - low.y)).clamp(0.0, 1.0);
            (at.distance(on_axis) - radius_m).abs()
        }
        Formula::Slab { z_m, .. } => (at.z - z_m).abs(),
        Formula::Sphere { centre_m, radius_m, .. } => (at.distance(DVec3::from_array(*centre_m)) - radius_m).abs(),
    }
}

fn part(formula: &Formula) -> &str {
    match formula {
        Formula::Capsule { part, .. } | Formula::Slab { part, .. } | Formula::Sphere { part, .. } => part,
    }
}

/// Whether a point is where the formula speaks of a back: behind, and on a slab's flat part.
fn is_spoken_of(formula: &Formula, at: DVec3) -> bool {
    match formula {
        Formula::Slab { low_m, high_m, .. } => {
            let inside =
                at.xy().cmpge(DVec2::from_array(*low_m)).all() && at.xy().cmple(DVec2::from_array(*high_m)).all();
            inside && at.z < 0.0
        }
        _ => at.z < 0.0,
    }
}

/// Recipes say R = 12, z = -9 and R = 20 hundredths, and bodies that are exactly 100 hundredths tall.
#[test]
fn formulas_are_those_of_the_recipes() {
    let names: Vec<&str> = ANALYTIC.iter().map(|subject| subject.name.as_str()).collect();
    assert_eq!(names, ["capsule", "slab", "sphere"]);
    match named("capsule").truth.formula.as_ref().unwrap() {
        Formula::Capsule { axis_h, radius_h, radius_m, .. } => {
            assert!((radius_h - 0.12).abs() < 2e-6 && (radius_m - 0.24).abs() < 2e-5, "{radius_h}");
            assert_eq!([axis_h[0][0], axis_h[0][2], axis_h[1][0], axis_h[1][2]], [0.0; 4], "upright over the origin");
            assert!((axis_h[0][1] - 0.48).abs() < 1e-5 && (axis_h[1][1] - 0.81).abs() < 1e-5, "{axis_h:?}");
        }
        other => panic!("{other:?}"),
    }
    match named("slab").truth.formula.as_ref().unwrap() {
        Formula::Slab { z_h, .. } => assert!((z_h + 0.09).abs() < 2e-6, "{z_h}"),
        other => panic!("{other:?}"),
    }
    match named("sphere").truth.formula.as_ref().unwrap() {
        Formula::Sphere { centre_h, radius_h, .. } => {
            assert!((radius_h - 0.2).abs() < 2e-6, "{radius_h}");
            // At 0.6 of the way from the hips at 0.48 to the shoulders at 0.81.
            assert!((centre_h[1] - 0.678).abs() < 1e-5 && centre_h[2] == 0.0, "{centre_h:?}");
        }
        other => panic!("{other:?}"),
    }
}

/// Vertices, and points inside triangles, which a coarse mesh would have well within a round body.
#[test]
fn backs_keep_to_their_formulas_between_hips_and_shoulders() {
    for subject in ANALYTIC.iter() {
        let (formula, torso) = (subject.truth.formula.as_ref().unwrap(), subject.truth.torso.as_ref().unwrap());
        let chest = torso.origin_m[1];
        let height = subject.truth.height_m;
        let mut checked = 0;
        for drawn in subject.drawn().iter().filter(|drawn| drawn.part == part(formula)) {
            let positions = &subject.bind.parts[drawn.at].positions;
            for corners in drawn.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| positions[corners[at] as usize].as_dvec3());
                // A triangle that runs over a slab's edge leaves the plane within its rectangle.
                if ![a, b, c].iter().all(|at| is_spoken_of(formula, *at)) {
                    continue;
                }
                for at in [a, b, c, (a + b + c) / 3.0, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0] {
                    let along = at.y - chest;
                    if along < torso.hips_m || along > torso.shoulders_m {
                        continue;
                    }
                    let off = off(formula, at) / height;
                    assert!(off < MOST, "{}: {at} is {off} of the height off", subject.name);
                    checked += 1;
                }
            }
        }
        assert!(checked > 5000, "{}: {checked}", subject.name);
        for sample in &subject.truth.back.as_ref().unwrap().samples {
            let at = DVec3::from_array(sample.at_m);
            assert_eq!(sample.part, part(formula), "{}", subject.name);
            assert!(!is_spoken_of(formula, at) || off(formula, at) < 2e-5, "{}: {at}", subject.name);
        }
    }
}

/// Every vertex of the back moves with the chest alone, so it is the formula in every pose.
#[test]
fn backs_are_rigid_on_the_chest() {
    for subject in ANALYTIC.iter() {
        let (formula, rig) = (subject.truth.formula.as_ref().unwrap(), subject.truth.rig.as_ref().unwrap());
        for drawn in subject.drawn().iter().filter(|drawn| drawn.part == part(formula)) {
            let own = &subject.bind.parts[drawn.at];
            let influences = subject.model.meshes[own.mesh.at()].primitives[own.primitive].influences.as_ref().unwrap();
            for vertex in 0..own.positions.len() {
                let moved: Vec<_> = influences.of(vertex).collect();
                assert_eq!(moved.len(), 1);
                let name = subject.model.node_name(subject.model.skins[0].joints[moved[0].0.at()]);
                assert_eq!(name, rig.roles["chest"]);
            }
        }
    }
}

/// Nothing but the back is within a load's reach behind it: limbs stay beside or below.
#[test]
fn limbs_are_clear_of_the_back() {
    for subject in ANALYTIC.iter() {
        let formula = subject.truth.formula.as_ref().unwrap();
        let drawn = subject.drawn();
        let behind = |name: &str| {
            let parts = drawn.iter().filter(move |drawn| drawn.part == name);
            parts
                .flat_map(|drawn| subject.bind.parts[drawn.at].positions.iter().map(|at| at.z))
                .fold(f32::MAX, f32::min)
        };
        let back = behind(part(formula));
        for limb in ["arms", "legs", "head", "neck", "feet"] {
            assert!(behind(limb) > back + 0.02 * subject.height_m(), "{}: {limb}", subject.name);
        }
    }
}
