//! Small models written as glTF text, for tests that go through the command line.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine as _;
use serde_json::{Value, json};

/// A glTF file in the making: accessors into one data-URI buffer.
#[derive(Default)]
pub(crate) struct Gltf {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    pub(crate) materials: Vec<Value>,
    pub(crate) meshes: Vec<Value>,
    pub(crate) nodes: Vec<Value>,
    pub(crate) skins: Vec<Value>,
    pub(crate) animations: Vec<Value>,
    /// Nodes that the scene does not list.
    pub(crate) outside: Vec<usize>,
}

impl Gltf {
    /// An accessor of floats, `width` a value.
    pub(crate) fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut accessor = json!({ "componentType": 5126, "count": values.len() / width, "type": kind });
        let corner = |pick: fn(f32, f32) -> f32| {
            (0..width).map(|at| values.iter().skip(at).step_by(width).copied().reduce(pick)).collect::<Vec<_>>()
        };
        accessor["min"] = json!(corner(f32::min));
        accessor["max"] = json!(corner(f32::max));
        self.accessor(&bytes, accessor)
    }

    /// An accessor of 16-bit indices or joints.
    pub(crate) fn shorts(&mut self, kind: &str, width: usize, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, json!({ "componentType": 5123, "count": values.len() / width, "type": kind }))
    }

    fn accessor(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() }));
        self.bytes.extend(bytes);
        accessor["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// A box from one corner to the other as a mesh of its own with material `material`.
    pub(crate) fn cuboid(&mut self, least: [f32; 3], greatest: [f32; 3], material: usize) -> usize {
        let (positions, indices) = cuboid(least, greatest);
        let positions = self.floats("VEC3", 3, &positions);
        let indices = self.shorts("SCALAR", 1, &indices);
        self.meshes.push(json!({ "primitives": [{
            "attributes": { "POSITION": positions }, "indices": indices, "material": material,
        }] }));
        self.meshes.len() - 1
    }

    /// Writes the file; the scene holds the nodes that are nobody's children, but for those outside.
    pub(crate) fn write(&self, path: &Path) {
        let children: Vec<usize> = self
            .nodes
            .iter()
            .flat_map(|node| node["children"].as_array().cloned().unwrap_or_default())
            .filter_map(|child| child.as_u64().map(|at| at as usize))
            .collect();
        let roots: Vec<usize> =
            (0..self.nodes.len()).filter(|at| !children.contains(at) && !self.outside.contains(at)).collect();
        let data = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
        let mut file = json!({
            "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": roots }], "nodes": self.nodes,
            "meshes": self.meshes, "materials": self.materials, "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len(), "uri": format!("data:application/octet-stream;base64,{data}") }],
        });
        for (key, list) in [("skins", &self.skins), ("animations", &self.animations)] {
            if !list.is_empty() {
                file[key] = json!(list);
            }
        }
        std::fs::write(path, file.to_string()).unwrap();
    }
}

/// Positions and indices of a box.
pub(crate) fn cuboid(least: [f32; 3], greatest: [f32; 3]) -> (Vec<f32>, Vec<u16>) {
    let corner = |at: usize, axis: usize| if at >> axis & 1 == 0 { least[axis] } else { greatest[axis] };
    let positions = (0..8).flat_map(|at| [corner(at, 0), corner(at, 1), corner(at, 2)]).collect();
    let indices = vec![
        0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
    ];
    (positions, indices)
}

/// A post of 1.8 m on two joints, with a clip `idle` that bends its upper half by `bend_rad`, and a clip
/// `walk` that bends it the other way.
pub(crate) fn post(bend_rad: f32) -> Gltf {
    let mut gltf = Gltf::default();
    gltf.materials.push(json!({ "name": "wood", "pbrMetallicRoughness": { "baseColorFactor": [0.6, 0.3, 0.1, 1.0] } }));
    let (mut positions, mut indices) = cuboid([-0.2, 0.0, -0.2], [0.2, 0.9, 0.2]);
    let (upper, more) = cuboid([-0.2, 0.9, -0.2], [0.2, 1.8, 0.2]);
    positions.extend(upper);
    indices.extend(more.iter().map(|at| at + 8));
    let joints: Vec<u16> = (0..16).flat_map(|at| [u16::from(at >= 8), 0, 0, 0]).collect();
    let weights: Vec<f32> = (0..16).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
    let position = gltf.floats("VEC3", 3, &positions);
    let joints = gltf.shorts("VEC4", 4, &joints);
    let weights = gltf.floats("VEC4", 4, &weights);
    let indices = gltf.shorts("SCALAR", 1, &indices);
    gltf.meshes.push(json!({ "name": "post", "primitives": [{
        "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "indices": indices, "material": 0,
    }] }));
    gltf.nodes = vec![
        json!({ "name": "body", "mesh": 0, "skin": 0 }),
        json!({ "name": "root", "children": [2] }),
        json!({ "name": "bend", "translation": [0.0, 0.9, 0.0] }),
    ];
    let unit = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bind: Vec<f32> = Vec::new();
    bind.extend(unit.iter().chain(&[0.0, 0.0, 0.0, 1.0]));
    bind.extend(unit.iter().chain(&[0.0, -0.9, 0.0, 1.0]));
    let bind = gltf.floats("MAT4", 16, &bind);
    gltf.skins.push(json!({ "joints": [1, 2], "inverseBindMatrices": bind }));
    for (name, angle) in [("idle", bend_rad), ("walk", -bend_rad)] {
        let times = gltf.floats("SCALAR", 1, &[0.0, 1.0]);
        let (sin, cos) = (angle / 2.0).sin_cos();
        let turns = gltf.floats("VEC4", 4, &[0.0, 0.0, sin, cos, 0.0, 0.0, sin, cos]);
        gltf.animations.push(json!({ "name": name,
            "channels": [{ "sampler": 0, "target": { "node": 2, "path": "rotation" } }],
            "samplers": [{ "input": times, "output": turns }],
        }));
    }
    gltf
}

/// Runs posegrid in `folder`.
pub(crate) fn posegrid(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_posegrid")).args(arguments).current_dir(folder).output().unwrap()
}

/// What a run said, for a failing assertion.
pub(crate) fn said(output: &Output) -> String {
    let mut text = format!("exit {:?}\n", output.status.code());
    let _ = writeln!(text, "{}", String::from_utf8_lossy(&output.stdout));
    let _ = writeln!(text, "{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The decoded RGBA pixels of a PNG with its width.
pub(crate) fn pixels(path: &Path) -> (usize, Vec<[u8; 4]>) {
    let image = image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_rgba8();
    (image.width() as usize, image.pixels().map(|pixel| pixel.0).collect())
}
