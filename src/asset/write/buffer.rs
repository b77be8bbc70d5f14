//! Lay arrays out in the one binary chunk: a buffer view and an accessor each.
//!
//! Reads: typed arrays. Writes: bytes, and the JSON that finds them again. Pure.
//!
//! Every view starts on a multiple of four, which suits all component types used here.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::numbers;

const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// What a view is bound as; glTF leaves it out for keys and matrices.
const VERTICES: Option<u32> = Some(34962);
const INDICES: Option<u32> = Some(34963);

#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    pub(super) fn bounded_vec3(&mut self, values: &[Vec3]) -> usize {
        let accessor = self.floats(&flat(values.iter().map(Vec3::to_array)), "VEC3", 3, VERTICES);
        let min = values.iter().copied().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let max = values.iter().copied().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
        self.accessors[accessor]["min"] = numbers(&min.to_array());
        self.accessors[accessor]["max"] = numbers(&max.to_array());
        accessor
    }

    pub(super) fn vertex_vec2(&mut self, values: &[Vec2]) -> usize {
        self.floats(&flat(values.iter().map(Vec2::to_array)), "VEC2", 2, VERTICES)
    }

    pub(super) fn vertex_vec3(&mut self, values: &[Vec3]) -> usize {
        self.floats(&flat(values.iter().map(Vec3::to_array)), "VEC3", 3, VERTICES)
    }

    pub(super) fn vertex_vec4(&mut self, values: &[Vec4]) -> usize {
        self.floats(&flat(values.iter().map(Vec4::to_array)), "VEC4", 4, VERTICES)
    }

    pub(super) fn key_vec3(&mut self, values: &[Vec3]) -> usize {
        self.floats(&flat(values.iter().map(Vec3::to_array)), "VEC3", 3, None)
    }

    pub(super) fn key_quats(&mut self, values: &[Quat]) -> usize {
        self.floats(&flat(values.iter().map(Quat::to_array)), "VEC4", 4, None)
    }

    pub(super) fn key_scalars(&mut self, values: &[f32]) -> usize {
        self.floats(values, "SCALAR", 1, None)
    }

    pub(super) fn key_times(&mut self, times: &[f32]) -> usize {
        let accessor = self.floats(times, "SCALAR", 1, None);
        let first = times.first().copied().unwrap_or(0.0);
        let last = times.last().copied().unwrap_or(0.0);
        self.accessors[accessor]["min"] = numbers(&[first]);
        self.accessors[accessor]["max"] = numbers(&[last]);
        accessor
    }

    pub(super) fn matrices(&mut self, values: &[Mat4]) -> usize {
        self.floats(&flat(values.iter().map(Mat4::to_cols_array)), "MAT4", 16, None)
    }

    /// Joint numbers as bytes where all fit, else as shorts.
    pub(super) fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let narrow = values.as_flattened().iter().all(|joint| *joint < 256);
        if narrow {
            let bytes: Vec<u8> = values.as_flattened().iter().map(|joint| *joint as u8).collect();
            self.accessor(&bytes, BYTE, "VEC4", values.len(), VERTICES)
        } else {
            let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|joint| joint.to_le_bytes()).collect();
            self.accessor(&bytes, SHORT, "VEC4", values.len(), VERTICES)
        }
    }

    /// Indices as shorts where all fit (65,535 is kept free, as glTF asks), else as ints.
    pub(super) fn indices(&mut self, values: &[u32]) -> usize {
        if values.iter().all(|index| *index < 65_535) {
            let bytes: Vec<u8> = values.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect();
            self.accessor(&bytes, SHORT, "SCALAR", values.len(), INDICES)
        } else {
            let bytes: Vec<u8> = values.iter().flat_map(|index| index.to_le_bytes()).collect();
            self.accessor(&bytes, INT, "SCALAR", values.len(), INDICES)
        }
    }

    /// A view without an accessor, for an encoded image.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Puts buffer, views and accessors into the root; gives back the binary chunk.
    pub(super) fn finish(mut self, root: &mut Map<String, Value>) -> Vec<u8> {
        if self.bytes.is_empty() {
            return self.bytes;
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        root.insert("buffers".into(), json!([{ "byteLength": self.bytes.len() }]));
        root.insert("bufferViews".into(), Value::Array(self.views));
        if !self.accessors.is_empty() {
            root.insert("accessors".into(), Value::Array(self.accessors));
        }
        self.bytes
    }

    fn floats(&mut self, values: &[f32], kind: &str, width: usize, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, FLOAT, kind, values.len() / width, target)
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize, target: Option<u32>) -> usize {
        let view = self.view(bytes, target);
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "type": kind, "count": count,
        }));
        self.accessors.len() - 1
    }
}

fn flat<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> Vec<f32> {
    values.flatten().collect()
}
