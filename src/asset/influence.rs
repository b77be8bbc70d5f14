//! Read which joints each vertex follows and how much.
//!
//! Reads: every `JOINTS_n` and `WEIGHTS_n` of a primitive. Writes: [`Influences`], any number a vertex, of
//! which none is zero and all sum to one. Joints are checked against a skin where one is used (`skin`).

use gltf::json;
use json::mesh::Semantic;
use json::validation::Checked;

use crate::base::JointIndex;

use super::accessor::Integers;
use super::document::Document;
use super::error::AssetError;
use super::mesh::require_count;
use super::model::Influences;
use super::notice::{self, Notices};
use super::place::Place;

/// How far from 1 the weights of a vertex may sum before it is said: half a step of 8 bits.
const WEIGHT_SUM_TOLERANCE: f32 = 0.5 / 255.0;

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
