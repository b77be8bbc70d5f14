//! Write a [`Model`] as one binary glTF 2.0 file.
//!
//! Reads: a model, and what to say of it in `asset.extras`.
//! Writes: the bytes of a GLB. Pure: the same model gives the same bytes.
//!
//! A skinned mesh's node keeps its transform, though glTF has readers ignore it. What a model cannot
//! hold (cameras, lights, extensions other than unlit, emissive strength, texture transform, node visibility and levels) is not there to be written. Source: Khronos Group, glTF 2.0 Specification, ISO/IEC 12113:2022.

mod buffer;
mod look;

use serde_json::{Map, Value, json};

use self::buffer::Buffer;
use super::{
    Channel, Clip, Influences, Interpolation, Levels, Mesh, Model, Node, Primitive, Skin, Track, Transform, hint, level,
};
use crate::base::NodeIndex;

/// The bytes of a GLB that holds `model`; `extras` becomes `asset.extras` unless it is null.
pub fn write_glb(model: &Model, extras: &Value) -> Vec<u8> {
    let mut writer = Writer { buffer: Buffer::default(), root: Map::new(), extensions: Vec::new() };
    let mut asset = json!({ "version": "2.0", "generator": concat!("posegrid ", env!("CARGO_PKG_VERSION")) });
    if !extras.is_null() {
        asset["extras"] = extras.clone();
    }
    writer.root.insert("asset".into(), asset);
    writer.root.insert("scene".into(), json!(0));
    let levels = model.levels();
    let scene: Vec<NodeIndex> = model.roots.iter().copied().filter(|root| levels.stands_for(*root).is_none()).collect();
    writer.root.insert("scenes".into(), json!([{ "nodes": node_numbers(&scene) }]));
    let nodes = model.nodes.iter().map(|node| writer.node(node, &children(model, &levels, node))).collect();
    writer.list("nodes", nodes);
    let meshes = model.meshes.iter().map(|mesh| writer.mesh(mesh)).collect();
    writer.list("meshes", meshes);
    let skins = model.skins.iter().map(|skin| writer.skin(skin)).collect();
    writer.list("skins", skins);
    look::write(&mut writer, model);
    let clips = model.clips.iter().map(|clip| writer.clip(clip)).collect();
    writer.list("animations", clips);
    writer.finish()
}

struct Writer {
    buffer: Buffer,
    root: Map<String, Value>,
    extensions: Vec<&'static str>,
}

impl Writer {
    /// Adds a top-level list; glTF forbids empty ones.
    fn list(&mut self, name: &str, values: Vec<Value>) {
        if !values.is_empty() {
            self.root.insert(name.into(), Value::Array(values));
        }
    }

    fn uses(&mut self, extension: &'static str) {
        if !self.extensions.contains(&extension) {
            self.extensions.push(extension);
        }
    }

    fn node(&mut self, node: &Node, children: &[NodeIndex]) -> Value {
        let mut out = json!({});
        match node.rest {
            rest if rest == Transform::IDENTITY => {}
            Transform::Parts { translation, rotation, scale } => {
                out["translation"] = numbers(&translation.to_array());
                out["rotation"] = numbers(&rotation.to_array());
                out["scale"] = numbers(&scale.to_array());
            }
            Transform::Matrix(matrix) => out["matrix"] = numbers(&matrix.to_cols_array()),
        }
        if !children.is_empty() {
            out["children"] = json!(node_numbers(children));
        }
        if let Some(mesh) = node.mesh {
            out["mesh"] = json!(mesh.0);
        }
        if let Some(skin) = node.skin {
            out["skin"] = json!(skin.0);
        }
        if !node.morph_weights.is_empty() {
            out["weights"] = numbers(&node.morph_weights);
        }
        if node.hidden {
            self.uses(hint::VISIBILITY);
            out["extensions"][hint::VISIBILITY] = json!({ "visible": false });
        }
        if !node.lower.is_empty() {
            self.uses(level::EXTENSION);
            out["extensions"][level::EXTENSION] = json!({ "ids": node_numbers(&node.lower) });
        }
        if !node.screen_coverage.is_empty() {
            out["extras"][level::COVERAGE] = numbers(&node.screen_coverage);
        }
        if let Some(mask) = node.mask {
            out["extras"]["posegrid"]["mask"] = json!(mask.name());
        }
        named(out, node.name.as_deref())
    }

    fn mesh(&mut self, mesh: &Mesh) -> Value {
        let primitives: Vec<Value> = mesh.primitives.iter().map(|primitive| self.primitive(primitive)).collect();
        let mut out = json!({ "primitives": primitives });
        let names: Vec<Value> = mesh
            .primitives
            .first()
            .map(|first| first.morphs.iter().map(|morph| json!(morph.name.clone().unwrap_or_default())).collect())
            .unwrap_or_default();
        if !names.is_empty() {
            out["extras"] = json!({ "targetNames": names });
        }
        named(out, mesh.name.as_deref())
    }

    fn primitive(&mut self, primitive: &Primitive) -> Value {
        let buffer = &mut self.buffer;
        let mut attributes = Map::new();
        let mut add = |name: String, accessor: usize| attributes.insert(name, json!(accessor));
        add("POSITION".into(), buffer.bounded_vec3(&primitive.positions));
        if !primitive.normals.is_empty() {
            add("NORMAL".into(), buffer.vertex_vec3(&primitive.normals));
        }
        if !primitive.tangents.is_empty() {
            add("TANGENT".into(), buffer.vertex_vec4(&primitive.tangents));
        }
        for (set, uvs) in primitive.uvs.iter().enumerate().filter(|(_, uvs)| !uvs.is_empty()) {
            add(format!("TEXCOORD_{set}"), buffer.vertex_vec2(uvs));
        }
        if !primitive.colours.is_empty() {
            add("COLOR_0".into(), buffer.vertex_vec4(&primitive.colours));
        }
        if let Some(influences) = &primitive.influences {
            for (set, (joints, weights)) in influence_sets(influences).into_iter().enumerate() {
                add(format!("JOINTS_{set}"), buffer.joints(&joints));
                add(format!("WEIGHTS_{set}"), buffer.vertex_vec4(&weights));
            }
        }
        let mut out = json!({ "attributes": attributes, "indices": buffer.indices(&primitive.indices) });
        if let Some(material) = primitive.material {
            out["material"] = json!(material.0);
        }
        let targets: Vec<Value> = primitive.morphs.iter().map(|morph| target_json(buffer, morph)).collect();
        if !targets.is_empty() {
            out["targets"] = Value::Array(targets);
        }
        out
    }

    fn skin(&mut self, skin: &Skin) -> Value {
        let out = json!({
            "joints": node_numbers(&skin.joints),
            "inverseBindMatrices": self.buffer.matrices(&skin.joint_from_bind),
        });
        named(out, skin.name.as_deref())
    }

    fn clip(&mut self, clip: &Clip) -> Value {
        let mut inputs: Vec<(&[f32], usize)> = Vec::new();
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for channel in &clip.channels {
            let times = channel.times_secs.as_slice();
            let input = inputs.iter().find(|(seen, _)| *seen == times).map(|(_, accessor)| *accessor);
            let input = input.unwrap_or_else(|| {
                let accessor = self.buffer.key_times(times);
                inputs.push((times, accessor));
                accessor
            });
            let (path, output) = self.track(channel);
            channels.push(json!({
                "sampler": samplers.len(),
                "target": { "node": channel.node.0, "path": path },
            }));
            samplers.push(json!({
                "input": input,
                "output": output,
                "interpolation": interpolation_name(channel.interpolation),
            }));
        }
        named(json!({ "channels": channels, "samplers": samplers }), Some(clip.name.as_str()))
    }

    fn track(&mut self, channel: &Channel) -> (&'static str, usize) {
        match &channel.track {
            Track::Translation(values) => ("translation", self.buffer.key_vec3(values)),
            Track::Scale(values) => ("scale", self.buffer.key_vec3(values)),
            Track::Rotation(values) => ("rotation", self.buffer.key_quats(values)),
            Track::MorphWeights { values, .. } => ("weights", self.buffer.key_scalars(values)),
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if !self.extensions.is_empty() {
            self.root.insert("extensionsUsed".into(), json!(self.extensions));
        }
        let binary = self.buffer.finish(&mut self.root);
        let mut text = Value::Object(self.root).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        container(&text, &binary)
    }
}

/// The two chunks behind the 12-byte header; both are already a multiple of four long.
fn container(json_chunk: &[u8], binary_chunk: &[u8]) -> Vec<u8> {
    let binary_len = if binary_chunk.is_empty() { 0 } else { 8 + binary_chunk.len() };
    let total = 12 + 8 + json_chunk.len() + binary_len;
    let mut out = Vec::with_capacity(total);
    let word = |out: &mut Vec<u8>, value: usize| {
        out.extend(u32::try_from(value).expect("a model in memory is under 4 GiB").to_le_bytes());
    };
    out.extend(b"glTF");
    word(&mut out, 2);
    word(&mut out, total);
    word(&mut out, json_chunk.len());
    out.extend(b"JSON");
    out.extend(json_chunk);
    if !binary_chunk.is_empty() {
        word(&mut out, binary_chunk.len());
        out.extend(b"BIN\0");
        out.extend(binary_chunk);
    }
    out
}

/// A node's children, but for lower levels of its other children: those belong in no scene, so that who does not know
/// levels draws the finest alone.
fn children(model: &Model, levels: &Levels, node: &Node) -> Vec<NodeIndex> {
    let beside = |child: &NodeIndex| {
        levels
            .stands_for(*child)
            .is_some_and(|finest| model.nodes[finest.at()].parent == model.nodes[child.at()].parent)
    };
    node.children.iter().copied().filter(|child| !beside(child)).collect()
}

fn node_numbers(nodes: &[NodeIndex]) -> Vec<u32> {
    nodes.iter().map(|node| node.0).collect()
}

fn named(mut object: Value, name: Option<&str>) -> Value {
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        object["name"] = json!(name);
    }
    object
}

fn target_json(buffer: &mut Buffer, morph: &super::MorphTarget) -> Value {
    let mut target = Map::new();
    if !morph.positions.is_empty() {
        target.insert("POSITION".into(), json!(buffer.bounded_vec3(&morph.positions)));
    }
    if !morph.normals.is_empty() {
        target.insert("NORMAL".into(), json!(buffer.vertex_vec3(&morph.normals)));
    }
    if !morph.tangents.is_empty() {
        target.insert("TANGENT".into(), json!(buffer.vertex_vec3(&morph.tangents)));
    }
    Value::Object(target)
}

/// Influences as glTF's sets of four, as many sets as the fullest vertex needs.
fn influence_sets(influences: &Influences) -> Vec<(Vec<[u16; 4]>, Vec<glam::Vec4>)> {
    let vertices = influences.offsets.len().saturating_sub(1);
    let fullest = (0..vertices).map(|vertex| influences.of(vertex).count()).max().unwrap_or(0).max(1);
    let sets = fullest.div_ceil(4);
    let mut out = vec![(vec![[0u16; 4]; vertices], vec![glam::Vec4::ZERO; vertices]); sets];
    for vertex in 0..vertices {
        for (at, (joint, weight)) in influences.of(vertex).enumerate() {
            let (joints, weights) = &mut out[at / 4];
            joints[vertex][at % 4] = u16::try_from(joint.0).expect("a skin has under 65,536 joints");
            weights[vertex][at % 4] = weight;
        }
    }
    out
}

fn interpolation_name(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    }
}

/// Floats by their shortest decimal that reads back as the same `f32`.
fn numbers(values: &[f32]) -> Value {
    values.iter().map(|value| number(*value)).collect()
}

fn number(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or(f64::from(value)))
}

#[cfg(test)]
mod tests;
