//! Read which joints each vertex follows and how much.
//!
//! Reads: every `JOINTS_n` and `WEIGHTS_n` of a primitive. Writes: [`Influences`], any number a vertex, of
//! which none is zero and all sum to one. Joints are checked against a skin where one is used (`skin`).

use gltf::json;
use json::mesh::Semantic;
use json::validation::Checked;

use crate::base::JointIndex;

use super::accessor::Integers;
use super::attribute::require_count;
use super::document::Document;
use super::error::AssetError;
use super::model::Influences;
use super::notice::{self, Notices};
use super::place::Place;

/// How far from 1 the weights of a vertex may sum before it is said: ten influences rounded to 8 bits are off
/// by 10 * 0.5 / 255 at most.
const WEIGHT_SUM_TOLERANCE: f32 = 0.02;

/// One set of four influences a vertex.
struct Set {
    joints: Vec<[u32; 4]>,
    weights: Vec<[f32; 4]>,
}

/// Reads the influences of a primitive of `vertices` vertices; `None` where it has none.
pub(super) fn read_influences(
    document: &Document<'_>,
    primitive: &json::mesh::Primitive,
    vertices: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Option<Influences>, AssetError> {
    let place = place.field("attributes");
    let accessor = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
    let mut sets = Vec::new();
    for semantic in primitive.attributes.keys() {
        let number = match semantic {
            Checked::Valid(Semantic::Joints(number) | Semantic::Weights(number)) => *number,
            _ => continue,
        };
        let pair = (accessor(Semantic::Joints(number)), accessor(Semantic::Weights(number)));
        match (semantic, pair) {
            // A pair is met twice; take it at its joints.
            (Checked::Valid(Semantic::Weights(_)), (Some(_), Some(_))) => {}
            (_, (Some(joints), Some(weights))) => {
                sets.push(read_set(document, joints, weights, number, vertices, &place, notices)?);
            }
            _ => notices.add(notice::INFLUENCES_UNPAIRED, &place),
        }
    }
    Ok((!sets.is_empty()).then(|| merge(&sets, vertices, &place, notices)))
}

fn read_set(
    document: &Document<'_>,
    joints: json::Index<json::Accessor>,
    weights: json::Index<json::Accessor>,
    number: u32,
    vertices: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Set, AssetError> {
    let at_joints = place.numbered("JOINTS_", number);
    let at_weights = place.numbered("WEIGHTS_", number);
    let set = Set {
        joints: document.integers(joints, &at_joints, notices)?,
        weights: document.floats(weights, Integers::Normalised, &at_weights, notices)?,
    };
    require_count(document, set.joints.len(), vertices, &at_joints)?;
    require_count(document, set.weights.len(), vertices, &at_weights)?;
    Ok(set)
}

fn merge(sets: &[Set], vertices: usize, place: &Place<'_>, notices: &mut Notices) -> Influences {
    let mut merged = Influences {
        offsets: Vec::with_capacity(vertices + 1),
        joints: Vec::with_capacity(2 * vertices),
        weights: Vec::with_capacity(2 * vertices),
    };
    let (mut invalid, mut zero, mut off) = (0, 0, 0);
    merged.offsets.push(0);
    for vertex in 0..vertices {
        let start = merged.weights.len();
        for set in sets {
            for (joint, weight) in std::iter::zip(set.joints[vertex], set.weights[vertex]) {
                if weight > 0.0 && weight.is_finite() {
                    merged.joints.push(JointIndex(joint));
                    merged.weights.push(weight);
                } else if weight != 0.0 {
                    invalid += 1;
                }
            }
        }
        let weights = &mut merged.weights[start..];
        let sum: f32 = weights.iter().sum();
        if weights.is_empty() {
            merged.joints.push(JointIndex(sets[0].joints[vertex][0]));
            merged.weights.push(1.0);
            zero += 1;
        } else if sum != 1.0 {
            weights.iter_mut().for_each(|weight| *weight /= sum);
            off += usize::from((sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE);
        }
        merged.offsets.push(merged.joints.len() as u32);
    }
    notices.count(notice::WEIGHTS_INVALID, place, invalid);
    notices.count(notice::WEIGHTS_ZERO, place, zero);
    notices.count(notice::WEIGHTS_NOT_NORMALISED, place, off);
    merged
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, U8, U16, shorts};

    /// A triangle whose three vertices have the same joints and weights.
    fn with_set(sample: &mut Sample, set: u32, joints: [u8; 4], weights: [f32; 4]) {
        let joints = sample.data(U8, "VEC4", &joints.repeat(3));
        let weights = sample.floats("VEC4", &weights.repeat(3));
        sample.attributes()[format!("JOINTS_{set}")] = joints.into();
        sample.attributes()[format!("WEIGHTS_{set}")] = weights.into();
    }

    fn of_first(sample: &Sample) -> Vec<(u32, f32)> {
        let influences = sample.primitive().influences.unwrap();
        influences.of(0).map(|(joint, weight)| (joint.0, weight)).collect()
    }

    #[test]
    fn sets_beyond_the_first_count_and_empty_entries_do_not() {
        let mut sample = Sample::triangle();
        with_set(&mut sample, 0, [1, 2, 3, 4], [0.25, 0.25, 0.0, 0.125]);
        with_set(&mut sample, 1, [5, 6, 7, 8], [0.25, 0.0, 0.0, 0.125]);
        assert_eq!(of_first(&sample), [(1, 0.25), (2, 0.25), (4, 0.125), (5, 0.25), (8, 0.125)]);
        assert!(sample.finding("WEIGHTS_NOT_NORMALISED").is_none());
    }

    #[test]
    fn weights_of_every_type_are_normalised_whether_marked_or_not() {
        for (component, bytes) in [(U8, [51, 204, 0, 0].repeat(3)), (U16, shorts(&[13_107, 52_428, 0, 0].repeat(3)))] {
            let mut sample = Sample::triangle();
            with_set(&mut sample, 0, [1, 2, 3, 4], [0.0; 4]);
            let weights = sample.data(component, "VEC4", &bytes);
            sample.attributes()["WEIGHTS_0"] = weights.into();
            let read = of_first(&sample);
            assert!((read[0].1 - 0.2).abs() < 1e-6 && (read[1].1 - 0.8).abs() < 1e-6, "{read:?}");
        }
    }

    #[test]
    fn weights_that_do_not_sum_to_one_are_scaled_and_counted() {
        let mut sample = Sample::triangle();
        with_set(&mut sample, 0, [1, 2, 0, 0], [0.5, 1.5, 0.0, 0.0]);
        assert_eq!(of_first(&sample), [(1, 0.25), (2, 0.75)]);
        assert!(sample.finding("WEIGHTS_NOT_NORMALISED").unwrap().message.contains("3 vertices"));
    }

    #[test]
    fn a_vertex_without_weight_follows_the_first_joint_it_lists() {
        let mut sample = Sample::triangle();
        with_set(&mut sample, 0, [7, 2, 0, 0], [0.0; 4]);
        assert_eq!(of_first(&sample), [(7, 1.0)]);
        assert!(sample.finding("WEIGHTS_ZERO").unwrap().message.starts_with("3 vertices"));
    }

    #[test]
    fn negative_and_broken_weights_are_nothing() {
        let mut sample = Sample::triangle();
        with_set(&mut sample, 0, [1, 2, 3, 4], [1.0, -0.5, f32::NAN, f32::INFINITY]);
        assert_eq!(of_first(&sample), [(1, 1.0)]);
        assert!(sample.finding("WEIGHTS_INVALID").unwrap().message.starts_with("9 weights"));
    }

    #[test]
    fn a_set_without_its_partner_is_ignored() {
        let mut sample = Sample::triangle();
        with_set(&mut sample, 0, [1, 2, 0, 0], [0.5, 0.5, 0.0, 0.0]);
        with_set(&mut sample, 1, [3, 4, 0, 0], [0.5, 0.5, 0.0, 0.0]);
        sample.attributes().as_object_mut().unwrap().remove("WEIGHTS_1");
        assert_eq!(of_first(&sample), [(1, 0.5), (2, 0.5)]);
        assert!(sample.finding("INFLUENCES_UNPAIRED").unwrap().message.starts_with("1 "));
    }

    #[test]
    fn joints_of_floats_or_of_another_count_are_refused() {
        let mut sample = Sample::triangle();
        with_set(&mut sample, 0, [1, 2, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        let floats = sample.floats("VEC4", &[0.0; 12]);
        sample.attributes()["JOINTS_0"] = floats.into();
        let place = "/meshes/0/primitives/0/attributes/JOINTS_0".to_owned();
        assert_eq!(sample.error(), ("ACCESSOR_KIND", place.clone()));
        let short = sample.data(U8, "VEC4", &[0; 8]);
        sample.attributes()["JOINTS_0"] = short.into();
        assert_eq!(sample.error(), ("COUNT_MISMATCH", place));
    }
}
