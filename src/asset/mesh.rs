//! Read meshes: every primitive as a triangle list with whole, finite, equally long lists.
//!
//! Reads: primitives and their accessors. Writes: [`Mesh`]es. What the specification lets a file leave out
//! (indices, normals, tangents) is made here, so that nobody after has to ask.

use glam::{Vec3, Vec4};
use gltf::json;
use json::Index;
use json::mesh::{Mode, Semantic};
use json::validation::Checked;

use crate::base::MaterialIndex;

use super::attribute::{Attributes, require_finite};
use super::document::Document;
use super::error::{AssetError, Fault};
use super::influence::read_influences;
use super::model::{Material, Mesh, MorphTarget, Primitive};
use super::morph::{read_morphs, target_names};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};
use super::{normal, tangent, topology, vertices};

/// Reads every mesh of the file.
pub(super) fn read_meshes(
    document: &Document<'_>,
    materials: &[Material],
    notices: &mut Notices,
) -> Result<Vec<Mesh>, AssetError> {
    let list = ROOT.field("meshes");
    let mut meshes = Vec::with_capacity(document.root.meshes.len());
    for (at, mesh) in document.root.meshes.iter().enumerate() {
        meshes.push(read_mesh(document, mesh, materials, &list.index(at), notices)?);
    }
    Ok(meshes)
}

fn read_mesh(
    document: &Document<'_>,
    mesh: &json::Mesh,
    materials: &[Material],
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Mesh, AssetError> {
    let names = target_names(mesh);
    let list = place.field("primitives");
    let mut primitives = Vec::with_capacity(mesh.primitives.len());
    for (at, primitive) in mesh.primitives.iter().enumerate() {
        let place = list.index(at);
        match read_primitive(document, primitive, &names, &place, notices)? {
            Some(primitive) if primitive.indices.is_empty() => notices.add(notice::NO_TRIANGLES, &place),
            Some(primitive) => primitives.push(finish(document, primitive, materials, &place, notices)?),
            None => {}
        }
    }
    even_out_morphs(&mut primitives, &names, &list, notices);
    Ok(Mesh { name: mesh.name.clone(), primitives })
}

/// Reads a primitive as the file stores it; `None` for points, lines and what has no positions.
fn read_primitive(
    document: &Document<'_>,
    primitive: &json::mesh::Primitive,
    names: &[String],
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Option<Primitive>, AssetError> {
    let attributes = Attributes { document, primitive, place: &place.field("attributes") };
    let Some(positions) = attributes.read::<3>(Semantic::Positions, "POSITION", None, notices)? else {
        notices.add(notice::NO_POSITIONS, place);
        return Ok(None);
    };
    require_finite(document, &positions, &attributes.place.field("POSITION"))?;
    let count = positions.len();
    let Some(indices) = read_triangles(document, primitive, count, place, notices)? else { return Ok(None) };
    if let Some(material) = primitive.material {
        document.resolve(&document.root.materials, material, "material", &place.field("material"))?;
    }
    let mut optional = |semantic, name| -> Result<_, AssetError> {
        let mut list = attributes.read::<3>(semantic, name, Some(count), notices)?.unwrap_or_default();
        // Normals that are not finite are mended from the faces, with those of no length.
        list.iter_mut()
            .filter(|normal| normal.iter().any(|part| !part.is_finite()))
            .for_each(|normal| *normal = [0.0; 3]);
        Ok(list.into_iter().map(Vec3::from_array).collect())
    };
    let normals = optional(Semantic::Normals, "NORMAL")?;
    let tangents = attributes.read::<4>(Semantic::Tangents, "TANGENT", Some(count), notices)?.unwrap_or_default();
    Ok(Some(Primitive {
        positions: positions.into_iter().map(Vec3::from_array).collect(),
        normals,
        flat: false,
        tangents: tangents.into_iter().map(Vec4::from_array).collect(),
        uvs: [attributes.read_uvs(0, count, notices)?, attributes.read_uvs(1, count, notices)?],
        colours: attributes.read_colours(count, notices)?,
        influences: read_influences(document, primitive, count, place, notices)?,
        morphs: read_morphs(document, primitive, names, count, place, notices)?,
        indices,
        material: primitive.material.map(|material| MaterialIndex::new(material.value())),
    }))
}

/// The corners of every triangle; `None` for points and lines.
fn read_triangles(
    document: &Document<'_>,
    primitive: &json::mesh::Primitive,
    vertices: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Option<Vec<u32>>, AssetError> {
    let mode = match primitive.mode {
        Checked::Valid(mode) => mode,
        Checked::Invalid => {
            let fault = Fault::AccessorKind { is: "unknown".to_owned(), wanted: "a drawing mode from 0 to 6" };
            return Err(document.fail(&place.field("mode"), fault));
        }
    };
    if matches!(mode, Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
        notices.add(notice::POINTS_AND_LINES, place);
        return Ok(None);
    }
    let corners = match primitive.indices {
        Some(accessor) => read_indices(document, accessor, vertices, &place.field("indices"), notices)?,
        None => (0..vertices).map(|vertex| vertex as u32).collect(),
    };
    document.budget.take(corners.len() as u64, 12).map_err(|fault| document.fail(place, fault))?;
    let triangles = topology::triangles(mode, corners);
    Ok(triangles.map(|(indices, incomplete)| {
        notices.count(notice::INCOMPLETE_TRIANGLE, place, usize::from(incomplete));
        indices
    }))
}

fn read_indices(
    document: &Document<'_>,
    accessor: Index<json::Accessor>,
    vertices: usize,
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Vec<u32>, AssetError> {
    let list = document.integers::<1>(accessor, place, notices)?;
    let corners: Vec<u32> = list.into_iter().map(|[index]| index).collect();
    match corners.iter().position(|vertex| *vertex as usize >= vertices) {
        Some(index) => Err(document.fail(place, Fault::NoSuchVertex { index, vertex: corners[index], vertices })),
        None => Ok(corners),
    }
}

/// Drops undrawn vertices and makes what the file leaves out.
fn finish(
    document: &Document<'_>,
    primitive: Primitive,
    materials: &[Material],
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Primitive, AssetError> {
    let mut primitive = vertices::drop_undrawn(primitive);
    if primitive.normals.is_empty() {
        let corners = primitive.indices.len() as u64;
        let charge = document.budget.take(corners, vertices::bytes_a_vertex(&primitive));
        charge.map_err(|fault| document.fail(place, fault))?;
        primitive = normal::make_flat(&primitive);
        // The specification has tangents without normals ignored.
        primitive.tangents.clear();
        notices.add(notice::FLAT_NORMALS, place);
    } else {
        notices.count(notice::NORMALS_MENDED, place, normal::mend(&mut primitive));
    }
    let material = primitive.material.map(|material| &materials[material.at()]);
    if material.is_some_and(|material| lacks_uvs(&primitive, material)) {
        notices.add(notice::UVS_MISSING, place);
    }
    tangent::supply(&mut primitive, material, place, notices);
    Ok(primitive)
}

/// Whether a material reads coordinates that a primitive does not have.
fn lacks_uvs(primitive: &Primitive, material: &Material) -> bool {
    let textures = [
        material.base_colour_texture,
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ];
    textures.iter().flatten().any(|texture| texture.image.is_some() && primitive.uvs[texture.uv_set].is_empty())
}

/// Gives every primitive of a mesh as many targets as the one that has most.
fn even_out_morphs(primitives: &mut [Primitive], names: &[String], place: &Place<'_>, notices: &mut Notices) {
    let most = primitives.iter().map(|primitive| primitive.morphs.len()).max().unwrap_or(0);
    for primitive in primitives {
        let has = primitive.morphs.len();
        notices.count(notice::MORPHS_UNEVEN, place, usize::from(has < most));
        primitive
            .morphs
            .extend((has..most).map(|at| MorphTarget { name: names.get(at).cloned(), ..MorphTarget::default() }));
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use serde_json::json;

    use super::super::sample::{I8, Sample, U8, U16, U32, shorts};
    use super::*;

    fn triangle_with(name: &str, kind: &str, values: &[f32]) -> Sample {
        let mut sample = Sample::triangle();
        let accessor = sample.floats(kind, values);
        sample.attributes()[name] = accessor.into();
        sample
    }

    #[test]
    fn a_bare_triangle_gets_flat_normals_and_no_more() {
        let primitive = Sample::triangle().primitive();
        assert_eq!(primitive.normals, [Vec3::Z; 3]);
        assert_eq!(primitive.indices, [0, 1, 2]);
        assert!(primitive.tangents.is_empty() && primitive.uvs[0].is_empty() && primitive.colours.is_empty());
        assert!(primitive.influences.is_none() && primitive.material.is_none());
        assert!(Sample::triangle().finding("FLAT_NORMALS").is_some());
    }

    #[test]
    fn indices_of_every_type_are_read_and_checked() {
        for (component, bytes) in [(U8, vec![2, 1, 0]), (U16, shorts(&[2, 1, 0])), (U32, shorts(&[2, 0, 1, 0, 0, 0]))] {
            let mut sample = triangle_with("NORMAL", "VEC3", &[0.0, 0.0, 1.0].repeat(3));
            let indices = sample.data(component, "SCALAR", &bytes);
            sample.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
            assert_eq!(sample.primitive().indices, [2, 1, 0]);
        }
        let mut sample = Sample::triangle();
        let indices = sample.data(U8, "SCALAR", &[0, 1, 3]);
        sample.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
        let error = sample.try_load().unwrap_err();
        assert_eq!(
            error.to_string(),
            "sample.glb/meshes/0/primitives/0/indices: index 2 names vertex 3, but the primitive has 3"
        );
        let signed = sample.data(I8, "SCALAR", &[0, 1, 2]);
        sample.json["meshes"][0]["primitives"][0]["indices"] = signed.into();
        assert_eq!(sample.error().0, "ACCESSOR_KIND");
    }

    #[test]
    fn strips_become_lists() {
        let mut sample = Sample::empty();
        let positions = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
        let (positions, normals) =
            (sample.floats("VEC3", &positions), sample.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4)));
        sample.json["meshes"] =
            json!([{"primitives": [{"mode": 5, "attributes": {"POSITION": positions, "NORMAL": normals}}]}]);
        assert_eq!(sample.primitive().indices, [0, 1, 2, 1, 3, 2]);
    }

    #[test]
    fn points_and_lines_are_left_out_with_a_note() {
        let mut sample = Sample::triangle();
        for mode in 0..4 {
            let mut primitive = sample.json["meshes"][0]["primitives"][0].clone();
            primitive["mode"] = mode.into();
            sample.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
        }
        assert_eq!(sample.load().meshes[0].primitives.len(), 1);
        assert!(sample.finding("POINTS_AND_LINES").unwrap().message.starts_with("4 "));
    }

    #[test]
    fn nothing_is_drawn_of_a_primitive_without_positions_or_triangles() {
        let mut sample = Sample::triangle();
        sample.json["meshes"][0]["primitives"] = json!([{"attributes": {}}]);
        assert!(sample.load().meshes[0].primitives.is_empty());
        assert!(sample.finding("NO_POSITIONS").is_some());
        let mut sample = Sample::triangle();
        let indices = sample.data(U8, "SCALAR", &[0, 1]);
        sample.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
        assert!(sample.load().meshes[0].primitives.is_empty());
        assert!(sample.finding("INCOMPLETE_TRIANGLE").is_some() && sample.finding("NO_TRIANGLES").is_some());
    }

    #[test]
    fn lists_that_are_not_one_a_vertex_are_refused() {
        for (name, kind) in [("NORMAL", "VEC3"), ("TANGENT", "VEC4"), ("TEXCOORD_0", "VEC2"), ("COLOR_0", "VEC4")] {
            let parts = kind.as_bytes()[3] - b'0';
            let sample = triangle_with(name, kind, &vec![1.0; 2 * usize::from(parts)]);
            assert_eq!(sample.error(), ("COUNT_MISMATCH", format!("/meshes/0/primitives/0/attributes/{name}")));
        }
    }

    #[test]
    fn positions_that_are_not_finite_are_refused_and_coordinates_mended() {
        let sample = triangle_with("POSITION", "VEC3", &[0.0, 0.0, 0.0, 0.0, f32::NAN, f32::INFINITY, 0.0, 0.0, 0.0]);
        let error = sample.try_load().unwrap_err();
        assert_eq!(error.fault.to_string(), "holds 2 values that are not finite, the first in entry 1");
        let sample = triangle_with("TEXCOORD_0", "VEC2", &[f32::NAN, 0.5, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(sample.primitive().uvs[0][0], Vec2::new(0.0, 0.5));
        assert!(sample.finding("ATTRIBUTE_NOT_FINITE").is_some());
    }

    #[test]
    fn normals_are_brought_to_unit_length() {
        let sample = triangle_with("NORMAL", "VEC3", &[0.0, 0.0, 3.0, 0.0, 0.0, 0.0, f32::NAN, 0.0, 1.0]);
        assert_eq!(sample.primitive().normals, [Vec3::Z; 3]);
        assert!(sample.finding("NORMALS_MENDED").unwrap().message.starts_with("2 "));
    }

    #[test]
    fn colours_of_three_parts_get_alpha_one_and_bytes_are_normalised() {
        let sample = triangle_with("COLOR_0", "VEC3", &[0.25, 0.5, 2.0].repeat(3));
        assert_eq!(sample.primitive().colours[2], Vec4::new(0.25, 0.5, 2.0, 1.0));
        let mut sample = Sample::triangle();
        let colours = sample.data(U8, "VEC4", &[255, 0, 51, 102].repeat(3));
        sample.attributes()["COLOR_0"] = colours.into();
        assert_eq!(sample.primitive().colours[0], Vec4::new(1.0, 0.0, 0.2, 0.4));
    }

    /// `KHR_mesh_quantization` allows integer positions that are not normalised.
    #[test]
    fn quantized_positions_and_normals_need_no_decoder() {
        let mut sample = Sample::triangle();
        let positions = sample.data(U16, "VEC3", &shorts(&[0, 0, 0, 300, 0, 0, 0, 7, 0]));
        let normals = sample.data(I8, "VEC3", &[0, 0, 0x81, 0, 0, 0x81, 0, 0, 0x81]);
        sample.json["accessors"][normals]["normalized"] = true.into();
        sample.attributes()["POSITION"] = positions.into();
        sample.attributes()["NORMAL"] = normals.into();
        sample.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        let primitive = sample.primitive();
        assert_eq!(primitive.positions[1], Vec3::new(300.0, 0.0, 0.0));
        assert_eq!(primitive.normals[0], -Vec3::Z);
    }

    #[test]
    fn vertices_that_no_triangle_names_are_dropped() {
        let mut sample = Sample::triangle();
        let positions = [9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let positions = sample.floats("VEC3", &positions);
        let indices = sample.data(U8, "SCALAR", &[1, 2, 3]);
        sample.attributes()["POSITION"] = positions.into();
        sample.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
        assert_eq!(sample.primitive().positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    }

    #[test]
    fn a_material_that_is_not_there_is_refused() {
        let mut sample = Sample::triangle();
        sample.json["meshes"][0]["primitives"][0]["material"] = 0.into();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/meshes/0/primitives/0/material".to_owned()));
    }

    #[test]
    fn an_accessor_without_data_is_zeros_and_said() {
        let mut sample = triangle_with("TEXCOORD_0", "VEC2", &[1.0; 6]);
        let uvs = sample.attributes()["TEXCOORD_0"].as_u64().unwrap() as usize;
        sample.json["accessors"][uvs].as_object_mut().unwrap().remove("bufferView");
        assert_eq!(sample.primitive().uvs[0], [Vec2::ZERO; 3]);
        assert!(sample.finding("ACCESSOR_EMPTY").is_some());
    }
}
