//! Whether the kit's meshes are sound: closed, without slivers of nothing, with weights and normals that hold.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use posegrid::base::NodeIndex;
use posegrid::rig::PosedPart;
use rayon::prelude::*;
use serde_json::Value;

use crate::subject::Subject;
use crate::table::Table;
use crate::{HEADS, WORKERS};

const MOST_INFLUENCES: usize = 8;
/// One corner in so many may have a normal that looks away from its triangle: a fold finer than the mesh.
const AGAINST: usize = 30;

#[derive(Default)]
struct Counts {
    triangles: usize,
    vertices: usize,
    parts: usize,
    /// Edges, equal positions counted as one, that have not exactly two triangles that walk them opposite ways.
    open_edges: usize,
    /// Triangles with two corners in one place, or of no area.
    degenerate: usize,
    /// Vertices whose weights do not sum to exactly one.
    off_weights: usize,
    most_influences: usize,
    /// Corners whose normal is not of unit length.
    off_normals: usize,
    /// Corners whose normal looks away from their triangle's front.
    against: usize,
    /// Places where vertices of one surface meet with other weights or normals.
    torn_seams: usize,
}

/// A position by its bits, minus zero as zero.
type Place = [u32; 3];

fn place(at: Vec3) -> Place {
    at.to_array().map(|along| (along + 0.0).to_bits())
}

/// How often each edge is walked, and what is said of each place.
type Sewn = (BTreeMap<(Place, Place), usize>, BTreeMap<Place, BTreeSet<String>>);

fn counts(subject: &Subject) -> Counts {
    let mut counts = Counts::default();
    // A part that is a piece of another's surface closes together with it.
    let mut surfaces: BTreeMap<String, Sewn> = BTreeMap::new();
    counts.off_weights = weights_off_one(&subject.bytes);
    let drawn = subject.drawn();
    counts.parts = drawn.iter().map(|part| part.part).collect::<BTreeSet<_>>().len();
    for part in &drawn {
        let own = &subject.bind.parts[part.at];
        let primitive = &subject.model.meshes[own.mesh.at()].primitives[own.primitive];
        counts.triangles += part.indices.len() / 3;
        counts.vertices += own.positions.len();
        let (edges, seams) = surfaces.entry(whole_part(subject, part.part)).or_default();
        for (vertex, at) in primitive.positions.iter().enumerate() {
            let weights: Vec<(usize, f32)> = match &primitive.influences {
                Some(influences) => influences.of(vertex).map(|(joint, weight)| (joint.at(), weight)).collect(),
                None => vec![(own.node.at(), 1.0)],
            };
            counts.most_influences = counts.most_influences.max(weights.len());
            let mut weights = weights;
            weights.sort_by_key(|(joint, _)| *joint);
            seams.entry(place(*at)).or_default().insert(format!("{weights:?} {}", primitive.normals[vertex]));
        }
        counts.off_normals += own.normals.iter().filter(|normal| (normal.length() - 1.0).abs() > 1e-3).count();
        for corners in part.indices.chunks_exact(3) {
            let corners = [0, 1, 2].map(|at| corners[at] as usize);
            let [a, b, c] = corners.map(|corner| own.positions[corner]);
            let facing = (b - a).cross(c - a);
            let places = corners.map(|corner| place(primitive.positions[corner]));
            let meet = places[0] == places[1] || places[1] == places[2] || places[2] == places[0];
            counts.degenerate += usize::from(meet || facing.length() < 1e-9);
            counts.against += corners.iter().filter(|corner| own.normals[**corner].dot(facing) < 0.0).count();
            for side in 0..3 {
                *edges.entry((places[side], places[(side + 1) % 3])).or_default() += 1;
            }
        }
    }
    for (edges, seams) in surfaces.values() {
        let two = |(edge, uses): (&(Place, Place), &usize)| *uses == 1 && edges.get(&(edge.1, edge.0)) == Some(&1);
        counts.open_edges += edges.iter().filter(|edge| !two(*edge)).count();
        counts.torn_seams += seams.values().filter(|weights| weights.len() > 1).count();
    }
    counts
}

pub(crate) fn json_of(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

/// Vertices of a file whose weights, as stored, do not sum to exactly one. The loader would mend them unseen.
fn weights_off_one(glb: &[u8]) -> usize {
    let json = json_of(glb);
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let binary = &glb[20 + length + 8..];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let mut off = 0;
    for primitive in json["meshes"].as_array().unwrap().iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap()) {
        // A sum in the units of the file, of which `one` are a whole.
        let (mut sums, mut one): (Vec<f64>, f64) = (Vec::new(), 1.0);
        let attributes = primitive["attributes"].as_object().unwrap().iter();
        for (_, accessor) in attributes.filter(|(name, _)| name.starts_with("WEIGHTS_")) {
            let accessor = &json["accessors"][number(accessor)];
            let view = &json["bufferViews"][number(&accessor["bufferView"])];
            let bytes = match number(&accessor["componentType"]) {
                5121 => 1,
                5123 => 2,
                5126 => 4,
                other => panic!("weights of component type {other}"),
            };
            one = [0.0, 255.0, 65535.0, 0.0, 1.0][bytes];
            let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
            let stride = number(&view["byteStride"]).max(4 * bytes);
            sums.resize(number(&accessor["count"]), 0.0);
            for (vertex, sum) in sums.iter_mut().enumerate() {
                for lane in 0..4 {
                    let at = start + vertex * stride + lane * bytes;
                    *sum += match bytes {
                        1 => f64::from(binary[at]),
                        2 => f64::from(u16::from_le_bytes(binary[at..at + 2].try_into().unwrap())),
                        _ => f64::from(f32::from_le_bytes(binary[at..at + 4].try_into().unwrap())),
                    };
                }
            }
        }
        off += sums.iter().filter(|sum| **sum != one).count();
    }
    off
}

/// The part whose surface a part is a piece of: itself, but for what the recipe takes `from` another.
fn whole_part(subject: &Subject, part: &str) -> String {
    let parts = subject.recipe["body"]["part"].as_array().unwrap();
    let own = parts.iter().find(|spec| spec["name"].as_str() == Some(part));
    own.and_then(|spec| spec.get("from")?.as_str()).unwrap_or(part).to_owned()
}

fn all(subjects: &[Subject]) -> Vec<(&Subject, Counts)> {
    subjects.par_iter().map(|subject| (subject, counts(subject))).collect()
}

#[test]
fn meshes_are_closed_and_sound() {
    let (workers, heads) = (all(&WORKERS), all(&HEADS));
    let row = |(subject, counts): &(&Subject, Counts)| {
        let mut cells = vec![subject.name.clone()];
        let numbers = [
            counts.parts,
            counts.triangles,
            counts.vertices,
            counts.open_edges,
            counts.degenerate,
            counts.off_weights,
            counts.most_influences,
            counts.off_normals,
            counts.against,
            counts.torn_seams,
        ];
        cells.extend(numbers.map(|number| number.to_string()));
        cells
    };
    let names = [
        "model",
        "parts",
        "triangles",
        "vertices",
        "open edges",
        "degenerate",
        "weights not 1",
        "most bones",
        "normals not unit",
        "normals against",
        "torn seams",
    ];
    let rows = workers.iter().chain(&heads).map(row).collect();
    Table { heads: names.to_vec(), rows }.is_in_the_document("hygiene");
    let mut faults = Vec::new();
    for (subject, counts) in workers.iter().chain(&heads) {
        let range = if subject.truth.kind == posegrid::kit::Kind::Head { 1200..=1700 } else { 3000..=6000 };
        let mut check = |holds: bool, what: String| {
            if !holds {
                faults.push(format!("{}: {what}", subject.name));
            }
        };
        check(range.contains(&counts.triangles), format!("{} triangles, not {range:?}", counts.triangles));
        check(counts.open_edges == 0, format!("{} open edges", counts.open_edges));
        check(counts.degenerate == 0, format!("{} degenerate triangles", counts.degenerate));
        check(counts.off_weights == 0, format!("{} vertices with weights that do not sum to 1", counts.off_weights));
        check(counts.most_influences <= MOST_INFLUENCES, format!("{} bones on a vertex", counts.most_influences));
        check(counts.off_normals == 0, format!("{} normals that are not unit", counts.off_normals));
        check(
            counts.against <= 3 * counts.triangles / AGAINST,
            format!("{} corners with normals against their face", counts.against),
        );
        check(counts.torn_seams == 0, format!("{} places where weights or normals differ", counts.torn_seams));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_vertex_has_one_class() {
    for subject in WORKERS.iter().chain(HEADS.iter()) {
        let node = |part: &PosedPart| subject.model.node_name(NodeIndex::new(part.node.at()));
        let drawn = subject.bind.parts.iter().map(|part| (node(part), part.primitive, part.positions.len()));
        let stated = subject.truth.meshes.iter().map(|mesh| (mesh.node.clone(), mesh.primitive, mesh.vertices));
        let (drawn, stated): (BTreeSet<_>, BTreeSet<_>) = (drawn.collect(), stated.collect());
        assert_eq!(drawn, stated, "{}", subject.name);
        assert_eq!(stated.len(), subject.truth.meshes.len(), "{}", subject.name);
        for mesh in &subject.truth.meshes {
            assert_eq!(mesh.by_vertex().len(), mesh.vertices, "{} {}", subject.name, mesh.node);
        }
    }
}
