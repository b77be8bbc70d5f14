//! Read morph targets, their names and their weights at rest.
//!
//! Reads: the targets of a primitive, `targetNames` in the extras of its mesh. Writes: [`MorphTarget`]s.

use glam::Vec3;
use gltf::json;
use json::Index;

use super::accessor::Integers;
use super::attribute::{finite_or_zero, require_count, require_finite};
use super::document::Document;
use super::error::AssetError;
use super::model::{Mesh, MorphTarget, Node};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// Reads the targets of a primitive of `vertices` vertices.
pub(super) fn read_morphs(
    document: &Document<'_>,
    primitive: &json::mesh::Primitive,
    names: &[String],
    vertices: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Vec<MorphTarget>, AssetError> {
    let list = place.field("targets");
    let mut morphs = Vec::new();
    for (at, target) in primitive.targets.iter().flatten().enumerate() {
        let place = list.index(at);
        let mut read = |accessor: Option<Index<json::Accessor>>, semantic: &'static str| {
            read_displacements(document, accessor, vertices, &place.field(semantic), notices)
        };
        let positions = read(target.positions, "POSITION")?;
        let (mut normals, mut tangents) = (read(target.normals, "NORMAL")?, read(target.tangents, "TANGENT")?);
        require_finite(document, &positions, &place.field("POSITION"))?;
        finite_or_zero(&mut normals, &place.field("NORMAL"), notices);
        finite_or_zero(&mut tangents, &place.field("TANGENT"), notices);
        let vectors = |list: Vec<[f32; 3]>| list.into_iter().map(Vec3::from_array).collect();
        morphs.push(MorphTarget {
            name: names.get(at).cloned(),
            positions: vectors(positions),
            normals: vectors(normals),
            tangents: vectors(tangents),
        });
    }
    Ok(morphs)
}

fn read_displacements(
    document: &Document<'_>,
    accessor: Option<Index<json::Accessor>>,
    vertices: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Vec<[f32; 3]>, AssetError> {
    let Some(accessor) = accessor else { return Ok(Vec::new()) };
    let list = document.floats::<3>(accessor, Integers::AsMarked, place, notices)?;
    require_count(document, list.len(), vertices, place)?;
    Ok(list)
}

/// Names of the targets: by convention in the mesh's extras; some writers put them in the primitive's.
pub(super) fn target_names(mesh: &json::Mesh) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Extras {
        #[serde(rename = "targetNames")]
        names: Vec<String>,
    }
    let of = |extras: &json::Extras| {
        let text = extras.as_ref()?.get();
        json::deserialize::from_str::<Extras>(text).ok().map(|extras| extras.names)
    };
    let of_primitive = || mesh.primitives.iter().find_map(|primitive| of(&primitive.extras));
    of(&mesh.extras).or_else(of_primitive).unwrap_or_default()
}

/// Targets of a mesh: those of the primitive that has most.
pub(super) fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|primitive| primitive.morphs.len()).max().unwrap_or(0)
}

/// Gives each node the weights it has at rest: its own, else its mesh's, else none.
pub(super) fn set_rest_weights(document: &Document<'_>, nodes: &mut [Node], meshes: &[Mesh], notices: &mut Notices) {
    let list = ROOT.field("nodes");
    for (at, node) in nodes.iter_mut().enumerate() {
        let Some(mesh) = node.mesh else {
            node.morph_weights.clear();
            continue;
        };
        let targets = target_count(&meshes[mesh.at()]);
        if node.morph_weights.is_empty() {
            node.morph_weights.extend(document.root.meshes[mesh.at()].weights.iter().flatten());
        }
        if !matches!(node.morph_weights.len(), 0) && node.morph_weights.len() != targets {
            notices.add(notice::MORPH_WEIGHTS_COUNT, &list.index(at));
        }
        node.morph_weights.resize(targets, 0.0);
        for weight in node.morph_weights.iter_mut().filter(|weight| !weight.is_finite()) {
            *weight = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample::{Sample, U8, bytes_of};
    use super::*;

    /// A triangle of two targets: one lifts vertex 2 by a sparse accessor, one is empty.
    fn morphed() -> Sample {
        let mut sample = Sample::triangle();
        let (indices, values) = (sample.view(&[2]), sample.view(&bytes_of(&[0.0, 0.0, 5.0])));
        let lift = sample.push(
            "accessors",
            json!({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1,
                "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values}}}),
        );
        sample.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": lift}, {}]);
        sample
    }

    #[test]
    fn targets_are_read_with_their_names() {
        let mut sample = morphed();
        sample.json["meshes"][0]["extras"] = json!({"targetNames": ["lift", "rest"]});
        let morphs = sample.primitive().morphs;
        assert_eq!(morphs[0].positions, [Vec3::ZERO, Vec3::ZERO, Vec3::new(0.0, 0.0, 5.0)]);
        assert_eq!((morphs[0].name.as_deref(), morphs[1].name.as_deref()), (Some("lift"), Some("rest")));
        assert!(morphs[1].positions.is_empty() && morphs[1].normals.is_empty());
    }

    #[test]
    fn names_in_the_primitive_stand_in_and_odd_extras_do_no_harm() {
        let mut sample = morphed();
        sample.json["meshes"][0]["extras"] = json!({"targetNames": 7});
        sample.json["meshes"][0]["primitives"][0]["extras"] = json!({"targetNames": ["lift"]});
        let morphs = sample.primitive().morphs;
        assert_eq!((morphs[0].name.as_deref(), morphs[1].name.as_deref()), (Some("lift"), None));
    }

    #[test]
    fn rest_weights_are_the_nodes_own_else_the_meshs_else_none() {
        let mut sample = morphed();
        let weights = |sample: &Sample| sample.load().nodes[0].morph_weights.clone();
        assert_eq!(weights(&sample), [0.0, 0.0]);
        sample.json["meshes"][0]["weights"] = json!([0.5, 0.25]);
        assert_eq!(weights(&sample), [0.5, 0.25]);
        sample.json["nodes"][0]["weights"] = json!([1.0]);
        assert_eq!(weights(&sample), [1.0, 0.0]);
        assert!(sample.finding("MORPH_WEIGHTS_COUNT").is_some());
    }

    #[test]
    fn primitives_with_fewer_targets_get_empty_ones() {
        let mut sample = morphed();
        let mut plain = sample.json["meshes"][0]["primitives"][0].clone();
        plain.as_object_mut().unwrap().remove("targets");
        sample.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(plain);
        assert_eq!(sample.load().meshes[0].primitives[1].morphs.len(), 2);
        assert!(sample.finding("MORPHS_UNEVEN").is_some());
    }

    #[test]
    fn a_target_of_another_length_is_refused() {
        let mut sample = morphed();
        let short = sample.floats("VEC3", &[0.0; 6]);
        sample.json["meshes"][0]["primitives"][0]["targets"][1]["NORMAL"] = short.into();
        assert_eq!(sample.error(), ("COUNT_MISMATCH", "/meshes/0/primitives/0/targets/1/NORMAL".to_owned()));
    }
}
