//! Build tiny glTF documents in code, for the tests of this room.

use std::path::Path;

use serde_json::{Value, json};

use crate::base::Finding;

use super::error::AssetError;
use super::limits::Limits;
use super::load::load_bytes;
use super::model::{Model, Primitive};

pub(super) const I8: u32 = 5120;
pub(super) const U8: u32 = 5121;
pub(super) const I16: u32 = 5122;
pub(super) const U16: u32 = 5123;
pub(super) const U32: u32 = 5125;
pub(super) const F32: u32 = 5126;

/// A document under construction, with one binary chunk.
#[derive(Clone)]
pub(super) struct Sample {
    pub(super) json: Value,
    pub(super) binary: Vec<u8>,
}

/// The little-endian bytes of floats.
pub(super) fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The little-endian bytes of 16-bit integers.
pub(super) fn shorts(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

impl Sample {
    pub(super) fn empty() -> Self {
        let json = json!({"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": [], "nodes": []});
        Self { json, binary: Vec::new() }
    }

    /// One triangle in the plane z = 0, counter-clockwise from +z, without normals: mesh 0, node 0.
    pub(super) fn triangle() -> Self {
        let mut sample = Self::empty();
        let positions = sample.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        sample.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": positions}}]}]);
        sample.json["nodes"] = json!([{"mesh": 0}]);
        sample
    }

    /// The same, with every vertex on two joints, nodes 1 and 2.
    pub(super) fn skinned_triangle() -> Self {
        let mut sample = Self::triangle();
        let joints = sample.data(U8, "VEC4", &[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
        let weights = sample.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
        sample.attributes()["JOINTS_0"] = joints.into();
        sample.attributes()["WEIGHTS_0"] = weights.into();
        sample.json["nodes"] = json!([{"mesh": 0, "skin": 0}, {"children": [2]}, {}]);
        sample.json["skins"] = json!([{"joints": [1, 2]}]);
        sample
    }

    /// Adds a view of `bytes`; gives its index.
    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()});
        self.binary.extend(bytes);
        self.push("bufferViews", view)
    }

    /// Adds a packed accessor over `bytes`; gives its index.
    pub(super) fn data(&mut self, component: u32, kind: &str, bytes: &[u8]) -> usize {
        let size = match component {
            I8 | U8 => 1,
            I16 | U16 => 2,
            _ => 4,
        };
        let parts = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let view = self.view(bytes);
        let count = bytes.len() / (size * parts);
        self.push("accessors", json!({"bufferView": view, "componentType": component, "count": count, "type": kind}))
    }

    /// Adds an accessor of floats; gives its index.
    pub(super) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        self.data(F32, kind, &bytes_of(values))
    }

    /// Adds an entry to a top-level list; gives its index.
    pub(super) fn push(&mut self, list: &str, entry: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(entry);
        list.len() - 1
    }

    /// The first primitive's attributes.
    pub(super) fn attributes(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]["attributes"]
    }

    /// The document as a GLB file.
    pub(super) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.binary.len()}]);
        let pad = |mut bytes: Vec<u8>, with| {
            bytes.resize(bytes.len().next_multiple_of(4), with);
            bytes
        };
        let json = pad(json.to_string().into_bytes(), b' ');
        let binary = pad(self.binary.clone(), 0);
        let mut glb = b"glTF".to_vec();
        glb.extend(2u32.to_le_bytes());
        glb.extend((12 + 8 + json.len() as u32 + 8 + binary.len() as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &binary)] {
            glb.extend((chunk.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(chunk);
        }
        glb
    }

    pub(super) fn try_load(&self) -> Result<Model, AssetError> {
        load_bytes(Path::new("sample.glb"), &self.glb(), &Limits::default())
    }

    pub(super) fn load(&self) -> Model {
        self.try_load().unwrap()
    }

    /// The only primitive of the only mesh.
    pub(super) fn primitive(&self) -> Primitive {
        self.load().meshes[0].primitives[0].clone()
    }

    /// Code and place of the error that loading gives.
    pub(super) fn error(&self) -> (&'static str, String) {
        let error = self.try_load().unwrap_err();
        (error.code(), error.place)
    }

    /// The finding of a kind, if loading gives one.
    pub(super) fn finding(&self, code: &str) -> Option<Finding> {
        let mut found: Vec<Finding> = self.load().findings.into_iter().filter(|finding| finding.code == code).collect();
        assert!(found.len() <= 1, "one finding a kind: {found:?}");
        found.pop()
    }
}
