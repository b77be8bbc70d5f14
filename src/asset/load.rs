//! Load a model: container, document, tree, skins, materials, meshes, images, clips.
//!
//! Reads: one file and what it refers to. Writes: a [`Model`]. The same bytes always give the same model.

use std::path::Path;

use crate::base::Digest;

use super::document::Document;
use super::error::{AssetError, Fault};
use super::limits::Limits;
use super::model::Model;
use super::node::Tree;
use super::notice::{self, Notices};
use super::place::ROOT;
use super::{clip, container, extension, image, material, mesh, morph, node, skin, uri, vrm};

/// Loads a `.glb`, `.gltf` or `.vrm` with every buffer, and every image that something drawn uses.
///
/// # Errors
///
/// [`AssetError`] for whatever keeps the subject from being drawn; what is merely off is in
/// [`Model::findings`].
pub fn load(path: &Path, limits: &Limits) -> Result<Model, AssetError> {
    let bytes = uri::read(path, "the model", limits.file_bytes).map_err(|fault| {
        let fault = match fault {
            Fault::ReadFile { source, .. } => Fault::Read(source),
            fault => fault,
        };
        AssetError::new(path, "", fault)
    })?;
    load_bytes(path, &bytes, limits)
}

/// Loads a model from the `bytes` of its main file; URIs start from the folder of `path`.
///
/// # Errors
///
/// As [`load`].
pub fn load_bytes(path: &Path, bytes: &[u8], limits: &Limits) -> Result<Model, AssetError> {
    let mut notices = Notices::default();
    let container = container::split(bytes).map_err(|fault| AssetError::new(path, "", fault))?;
    notices.count(notice::TRAILING_BYTES, &ROOT, container.trailing_bytes);
    let document = Document::open(path, &container, limits, &mut notices)?;
    let mut tree = node::read_tree(&document, &mut notices)?;
    let drawn = drawn_materials(&document, &tree);
    extension::check(&document, &drawn, &mut notices)?;

    let skins = skin::read_skins(&document, &mut notices)?;
    let mut materials = material::read_materials(&document, &mut notices)?;
    let images = image::decode_used(&document, &mut materials, &drawn, &mut notices);
    // After the images: a normal texture that cannot be read needs no tangents.
    let meshes = mesh::read_meshes(&document, &materials, &mut notices)?;
    skin::check_use(&document, &mut tree, &meshes, &skins, &mut notices)?;
    morph::set_rest_weights(&document, &mut tree.nodes, &meshes, &mut notices);
    let clips = clip::read_clips(&document, &mut tree.nodes, &mut notices)?;
    let humanoid = vrm::read_humanoid(&document, &mut notices);

    let main = std::iter::once(bytes);
    let external_images = images.external.iter().map(|digest| digest.0.as_slice());
    let digest = Digest::of_parts(main.chain(document.external_buffers()).chain(external_images));
    let Tree { nodes, roots, order } = tree;
    Ok(Model {
        path: path.to_owned(),
        digest,
        nodes,
        roots,
        order,
        meshes,
        skins,
        materials,
        images: images.decoded,
        clips,
        humanoid,
        findings: notices.into_findings(path),
    })
}

/// For each material, whether a node of the scene draws it. Indices are not checked yet.
fn drawn_materials(document: &Document<'_>, tree: &Tree) -> Vec<bool> {
    let mut drawn = vec![false; document.root.materials.len()];
    for mesh in tree.order.iter().filter_map(|node| tree.nodes[node.at()].mesh) {
        for material in document.root.meshes[mesh.at()].primitives.iter().filter_map(|primitive| primitive.material) {
            if let Some(drawn) = drawn.get_mut(material.value()) {
                *drawn = true;
            }
        }
    }
    drawn
}
