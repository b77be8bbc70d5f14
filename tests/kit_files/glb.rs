//! Read a GLB and pose it, in `f64`, knowing nothing of how it was written.
//!
//! A second, dumber implementation, straight from the glTF 2.0 specification.

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

/// A GLB in memory.
pub(crate) struct Glb {
    pub(crate) json: Value,
    binary: Vec<u8>,
}

/// One primitive's vertices in the bind pose, model space.
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) positions: Vec<DVec3>,
    pub(crate) triangles: Vec<[usize; 3]>,
    /// Per vertex, (joint of the skin, weight).
    pub(crate) influences: Vec<Vec<(usize, f64)>>,
    pub(crate) node: usize,
}

impl Glb {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(8)), (b"glTF".as_slice(), bytes.len()));
        let json_end = 20 + word(12);
        let json = serde_json::from_slice(&bytes[20..json_end]).unwrap();
        Self { json, binary: bytes[json_end + 8..].to_vec() }
    }

    /// All numbers of an accessor, flat, and how many one element has.
    pub(crate) fn numbers(&self, accessor: &Value) -> (Vec<f64>, usize) {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("accessor type {other}"),
        };
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let count = accessor["count"].as_u64().unwrap() as usize * width;
        let bytes = &self.binary[start..];
        let numbers = (0..count).map(|at| match accessor["componentType"].as_u64().unwrap() {
            5121 => f64::from(bytes[at]),
            5123 => f64::from(u16::from_le_bytes(bytes[2 * at..2 * at + 2].try_into().unwrap())),
            5126 => f64::from(f32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap())),
            other => panic!("component type {other}"),
        });
        (numbers.collect(), width)
    }

    pub(crate) fn points(&self, accessor: &Value) -> Vec<DVec3> {
        let (numbers, width) = self.numbers(accessor);
        assert_eq!(width, 3);
        numbers.chunks(3).map(|xyz| DVec3::new(xyz[0], xyz[1], xyz[2])).collect()
    }

    /// A texture's pixels: side, and red, green, blue, alpha each.
    pub(crate) fn image(&self, at: usize) -> (usize, Vec<[u8; 4]>) {
        let view = &self.json["bufferViews"][self.json["images"][at]["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let bytes = &self.binary[start..start + view["byteLength"].as_u64().unwrap() as usize];
        let image = image::load_from_memory(bytes).unwrap().into_rgba8();
        assert_eq!(image.width(), image.height());
        (image.width() as usize, image.pixels().map(|pixel| pixel.0).collect())
    }

    pub(crate) fn nodes(&self) -> &[Value] {
        self.json["nodes"].as_array().unwrap()
    }

    pub(crate) fn node_called(&self, name: &str) -> usize {
        let named = |name: &str| self.nodes().iter().position(|node| node["name"] == name);
        named(name).or_else(|| named(&format!("{name}_LOD0"))).unwrap_or_else(|| panic!("no node {name}"))
    }

    pub(crate) fn parent(&self, child: usize) -> Option<usize> {
        let has = |node: &Value| node["children"].as_array().is_some_and(|all| all.iter().any(|at| *at == child));
        self.nodes().iter().position(has)
    }

    /// Nodes of the only skin's joints.
    pub(crate) fn joints(&self) -> Vec<usize> {
        let joints = self.json["skins"][0]["joints"].as_array().unwrap();
        joints.iter().map(|joint| joint.as_u64().unwrap() as usize).collect()
    }

    /// Local matrices at rest, a node each.
    fn rest(&self) -> Vec<(DVec3, DQuat)> {
        let list = |value: &Value| -> Vec<f64> {
            value.as_array().map(|all| all.iter().map(|number| number.as_f64().unwrap()).collect()).unwrap_or_default()
        };
        let part = |node: &Value| {
            let (t, r) = (list(&node["translation"]), list(&node["rotation"]));
            let t = if t.is_empty() { DVec3::ZERO } else { DVec3::new(t[0], t[1], t[2]) };
            let r = if r.is_empty() { DQuat::IDENTITY } else { DQuat::from_xyzw(r[0], r[1], r[2], r[3]) };
            (t, r)
        };
        self.nodes().iter().map(part).collect()
    }

    fn clip(&self, name: &str) -> &Value {
        let clips = self.json["animations"].as_array().unwrap();
        clips.iter().find(|clip| clip["name"] == name).unwrap_or_else(|| panic!("no clip {name}"))
    }

    pub(crate) fn seconds(&self, clip: &str) -> f64 {
        let (times, _) = self.numbers(&self.clip(clip)["samplers"][0]["input"]);
        *times.last().unwrap()
    }

    /// (node, path, keys as written) of every channel of a clip.
    pub(crate) fn channels(&self, clip: &str) -> Vec<(usize, String, Vec<Vec<f64>>)> {
        let clip = self.clip(clip);
        let channels = clip["channels"].as_array().unwrap();
        let keys = |channel: &Value| {
            let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let (numbers, width) = self.numbers(&sampler["output"]);
            let node = channel["target"]["node"].as_u64().unwrap() as usize;
            let path = channel["target"]["path"].as_str().unwrap().to_owned();
            (node, path, numbers.chunks(width).map(<[f64]>::to_vec).collect())
        };
        channels.iter().map(keys).collect()
    }

    /// Model-space matrices of all nodes: at rest, or a clip at a time.
    pub(crate) fn model_from_node(&self, at: Option<(&str, f64)>) -> Vec<DMat4> {
        let mut local = self.rest();
        if let Some((clip, secs)) = at {
            let (times, _) = self.numbers(&self.clip(clip)["samplers"][0]["input"]);
            let key = times.iter().rposition(|time| *time <= secs).unwrap_or(0).min(times.len() - 2);
            let share = ((secs - times[key]) / (times[key + 1] - times[key])).clamp(0.0, 1.0);
            for (node, path, keys) in self.channels(clip) {
                let (a, b) = (&keys[key], &keys[key + 1]);
                if path == "translation" {
                    local[node].0 = DVec3::new(a[0], a[1], a[2]).lerp(DVec3::new(b[0], b[1], b[2]), share);
                } else {
                    let quat = |key: &[f64]| DQuat::from_xyzw(key[0], key[1], key[2], key[3]).normalize();
                    local[node].1 = quat(a).slerp(quat(b), share);
                }
            }
        }
        let matrix = |node: usize| DMat4::from_rotation_translation(local[node].1, local[node].0);
        (0..local.len())
            .map(|node| self.chain(node).into_iter().fold(DMat4::IDENTITY, |m, at| m * matrix(at)))
            .collect()
    }

    /// From the root down to a node.
    fn chain(&self, node: usize) -> Vec<usize> {
        let mut chain = vec![node];
        while let Some(parent) = self.parent(chain[chain.len() - 1]) {
            chain.push(parent);
        }
        chain.reverse();
        chain
    }

    /// Joint places in the bind pose, from the inverse bind matrices.
    pub(crate) fn bind_joint(&self, node: usize) -> DVec3 {
        let at = self.joints().iter().position(|joint| *joint == node).unwrap();
        self.joint_from_bind()[at].inverse().w_axis.truncate()
    }

    pub(crate) fn joint_from_bind(&self) -> Vec<DMat4> {
        let (numbers, _) = self.numbers(&self.json["skins"][0]["inverseBindMatrices"]);
        numbers.chunks(16).map(DMat4::from_cols_slice).collect()
    }

    /// Every primitive of the finest level, by its part's name; a rigid mesh is carried to model space by its node at rest.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let at_rest = self.model_from_node(None);
        let meshes = |(node, value): (usize, &Value)| {
            let mesh = &self.json["meshes"][value["mesh"].as_u64()? as usize];
            let name = value["name"].as_str()?;
            let (name, level) = name.rsplit_once("_LOD").unwrap_or((name, "0"));
            if level != "0" {
                return None;
            }
            let primitive = &mesh["primitives"][0];
            let mut positions = self.points(&primitive["attributes"]["POSITION"]);
            if value["skin"].is_null() {
                positions.iter_mut().for_each(|at| *at = at_rest[node].transform_point3(*at));
            }
            let (indices, _) = self.numbers(&primitive["indices"]);
            let triangles = indices.chunks(3).map(|corner| [0, 1, 2].map(|at| corner[at] as usize)).collect();
            let influences = self.influences(&primitive["attributes"]);
            Some(Part { name: name.to_owned(), positions, triangles, influences, node })
        };
        self.nodes().iter().enumerate().filter_map(meshes).collect()
    }

    /// Whether the file itself hides the node.
    pub(crate) fn hidden(&self, node: usize) -> bool {
        self.nodes()[node]["extensions"]["KHR_node_visibility"]["visible"] == Value::Bool(false)
    }

    fn influences(&self, attributes: &Value) -> Vec<Vec<(usize, f64)>> {
        if attributes["JOINTS_0"].is_null() {
            return Vec::new();
        }
        let set = |at: usize| -> Vec<Vec<(usize, f64)>> {
            let (joints, _) = self.numbers(&attributes[format!("JOINTS_{at}")]);
            let (weights, _) = self.numbers(&attributes[format!("WEIGHTS_{at}")]);
            let pairs: Vec<(usize, f64)> = joints.iter().map(|joint| *joint as usize).zip(weights).collect();
            pairs.chunks(4).map(<[(usize, f64)]>::to_vec).collect()
        };
        let mut all = set(0);
        if !attributes["JOINTS_1"].is_null() {
            all.iter_mut().zip(set(1)).for_each(|(first, second)| first.extend(second));
        }
        all
    }
}
