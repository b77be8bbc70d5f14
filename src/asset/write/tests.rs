use serde_json::{Value, json};

use super::*;
use crate::asset::{Material, NodeMask, Sampler, TextureRef};
use crate::base::{ClipIndex, Digest, ImageIndex, JointIndex, MaterialIndex, MeshIndex, SkinIndex};
use glam::{Mat4, Quat, Vec2, Vec3};
use std::sync::Arc;

/// One skinned triangle with a texture and a clip: something in every list.
fn triangle() -> Model {
    let node = |name: &str, children: &[u32]| Node {
        children: children.iter().map(|child| NodeIndex(*child)).collect(),
        ..Node::new(name, None)
    };
    let mut body = node("body", &[]);
    body.parent = Some(NodeIndex(0));
    body.mesh = Some(MeshIndex(0));
    body.skin = Some(SkinIndex(0));
    let influences = Influences {
        offsets: vec![0, 1, 2, 7],
        joints: [0, 1, 0, 1, 0, 1, 0].map(JointIndex).to_vec(),
        weights: vec![1.0, 1.0, 0.25, 0.25, 0.25, 0.125, 0.125],
    };
    let texture = TextureRef {
        image: Some(ImageIndex(0)),
        sampler: Sampler::default(),
        uv_set: 0,
        uv_offset: Vec2::ZERO,
        uv_rotation_rad: 0.0,
        uv_scale: Vec2::new(2.0, 1.0),
    };
    let rgba = vec![255, 0, 0, 255, 0, 255, 0, 128];
    Model {
        path: "triangle".into(),
        digest: Digest::of(b""),
        nodes: vec![
            node("root", &[1, 3]),
            Node { parent: Some(NodeIndex(0)), ..node("low", &[2]) },
            Node { parent: Some(NodeIndex(1)), ..node("high", &[]) },
            body,
        ],
        roots: vec![NodeIndex(0)],
        order: [0, 1, 2, 3].map(NodeIndex).to_vec(),
        meshes: vec![Mesh {
            name: Some("triangle".into()),
            primitives: vec![Primitive {
                positions: vec![Vec3::ZERO, Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.0, 1.5, -0.25)],
                normals: vec![Vec3::Z; 3],
                uvs: [vec![Vec2::ZERO; 3], Vec::new()],
                influences: Some(influences),
                indices: vec![0, 1, 2],
                material: Some(MaterialIndex(0)),
                ..Primitive::default()
            }],
        }],
        skins: vec![Skin {
            name: None,
            joints: vec![NodeIndex(1), NodeIndex(2)],
            joint_from_bind: vec![Mat4::IDENTITY; 2],
        }],
        materials: vec![Material {
            name: Some("red".into()),
            base_colour_texture: Some(texture),
            emissive: [0.0, 3.0, 0.0],
            ..Material::default()
        }],
        images: vec![Arc::new(crate::asset::Image {
            name: "dots".into(),
            digest: Digest::of(&rgba),
            width: 2,
            height: 1,
            rgba,
        })],
        clips: vec![Clip {
            name: "turn".into(),
            channels: vec![
                Channel {
                    node: NodeIndex(2),
                    track: Track::Rotation(vec![Quat::IDENTITY; 2]),
                    times_secs: vec![0.0, 0.7],
                    interpolation: Interpolation::Linear,
                },
                Channel {
                    node: NodeIndex(1),
                    track: Track::Translation(vec![Vec3::ZERO, Vec3::X]),
                    times_secs: vec![0.0, 0.7],
                    interpolation: Interpolation::Step,
                },
            ],
            first_secs: 0.0,
            last_secs: 0.7,
        }],
        humanoid: None,
        findings: Vec::new(),
    }
}

/// The two chunks, cut by the lengths that the container states.
fn chunks(glb: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&glb[..4], b"glTF");
    assert_eq!((word(4), word(8)), (2, glb.len()));
    let json_len = word(12);
    assert_eq!(&glb[16..20], b"JSON");
    let binary_at = 20 + json_len;
    assert_eq!(&glb[binary_at + 4..binary_at + 8], b"BIN\0");
    let binary = glb[binary_at + 8..binary_at + 8 + word(binary_at)].to_vec();
    assert_eq!(glb.len(), binary_at + 8 + binary.len());
    (serde_json::from_slice(&glb[20..binary_at]).unwrap(), binary)
}

#[test]
fn the_gltf_crate_accepts_what_is_written() {
    let glb = write_glb(&triangle(), &json!({ "note": 1 }));
    let read = gltf::Gltf::from_slice(&glb).unwrap();
    assert_eq!(read.nodes().count(), 4);
    assert_eq!(read.skins().next().unwrap().joints().count(), 2);
    assert_eq!(read.animations().next().unwrap().name(), Some("turn"));
    assert_eq!(read.materials().next().unwrap().name(), Some("red"));
}

#[test]
fn positions_carry_their_bounds_and_their_bytes() {
    let (json, binary) = chunks(&write_glb(&triangle(), &Value::Null));
    let accessor =
        &json["accessors"][json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize];
    assert_eq!(accessor["min"], json!([0.0, 0.0, -0.25]));
    assert_eq!(accessor["max"], json!([0.3, 1.5, 0.0]));
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let third_y = f32::from_le_bytes(binary[start + 28..start + 32].try_into().unwrap());
    assert_eq!(third_y, 1.5);
}

#[test]
fn a_fifth_influence_opens_a_second_set() {
    let (json, _) = chunks(&write_glb(&triangle(), &Value::Null));
    let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
    assert!(attributes["JOINTS_1"].is_u64() && attributes["WEIGHTS_1"].is_u64());
    assert!(attributes["JOINTS_2"].is_null());
}

#[test]
fn channels_with_the_same_key_times_share_them() {
    let (json, _) = chunks(&write_glb(&triangle(), &Value::Null));
    let samplers = json["animations"][0]["samplers"].as_array().unwrap();
    assert_eq!(samplers[0]["input"], samplers[1]["input"]);
    assert_ne!(samplers[0]["output"], samplers[1]["output"]);
}

#[test]
fn emission_above_one_becomes_a_strength() {
    let (json, _) = chunks(&write_glb(&triangle(), &Value::Null));
    let material = &json["materials"][0];
    assert_eq!(material["emissiveFactor"], json!([0.0, 1.0, 0.0]));
    assert_eq!(material["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"], json!(3.0));
    assert_eq!(json["extensionsUsed"], json!(["KHR_texture_transform", "KHR_materials_emissive_strength"]));
}

#[test]
fn an_image_reads_back_pixel_for_pixel() {
    let model = triangle();
    let (json, binary) = chunks(&write_glb(&model, &Value::Null));
    let view = &json["bufferViews"][json["images"][0]["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let png = &binary[start..start + view["byteLength"].as_u64().unwrap() as usize];
    let pixels = image::load_from_memory(png).unwrap().into_rgba8().into_raw();
    assert_eq!(pixels, model.images[0].rgba);
}

#[test]
fn clip_names_survive() {
    let model = triangle();
    assert_eq!(model.clip(ClipIndex(0)).name, "turn");
    let (json, _) = chunks(&write_glb(&model, &Value::Null));
    assert_eq!(json["animations"][0]["name"], json!("turn"));
}

#[test]
fn what_is_hidden_and_what_a_mask_holds_read_back() {
    let mut model = triangle();
    model.nodes[1].hidden = true;
    model.nodes[3].mask = Some(NodeMask::Eyes);
    let (json, _) = chunks(&write_glb(&model, &Value::Null));
    assert_eq!(json["extensionsUsed"][0], json!("KHR_node_visibility"));
    assert!(json["nodes"][0]["extensions"].is_null() && json["nodes"][0]["extras"].is_null());
    let read = read(&model);
    assert_eq!(read.hidden_nodes(), [false, true, true, false]);
    assert_eq!(read.nodes.iter().map(|node| node.mask).collect::<Vec<_>>(), [None, None, None, Some(NodeMask::Eyes)]);
}

/// A model written and loaded again.
fn read(model: &Model) -> Model {
    let glb = write_glb(model, &Value::Null);
    crate::asset::load_bytes(std::path::Path::new("written.glb"), &glb, &crate::asset::Limits::default()).unwrap()
}

#[test]
fn levels_read_back_and_stay_out_of_the_scene() {
    let mut model = triangle();
    let more = model.nodes.len();
    for parent in [None, Some(NodeIndex(0))] {
        model.nodes.push(Node { mesh: Some(MeshIndex(0)), ..Node::new("coarse", parent) });
    }
    model.roots.push(NodeIndex::new(more));
    model.nodes[0].children.push(NodeIndex::new(more + 1));
    model.order.extend([more, more + 1].map(NodeIndex::new));
    model.nodes[0].lower = vec![NodeIndex::new(more)];
    model.nodes[0].screen_coverage = vec![0.5, 0.25];
    // Node 3, like its lower level, hangs below node 0.
    model.nodes[3].lower = vec![NodeIndex::new(more + 1)];
    let (json, _) = chunks(&write_glb(&model, &Value::Null));
    assert_eq!(json["extensionsUsed"][0], json!("MSFT_lod"));
    assert_eq!((&json["scenes"][0]["nodes"], &json["nodes"][0]["children"]), (&json!([0]), &json!([1, 3])));
    model.nodes[3].lower.clear();
    model.nodes[0].children.pop();
    model.nodes.pop();
    model.order.pop();
    let read = read(&model);
    assert_eq!((read.nodes[0].lower.clone(), read.levels()), (model.nodes[0].lower.clone(), model.levels()));
    assert_eq!(read.nodes[0].screen_coverage, [0.5, 0.25]);
    assert_eq!(read.levels().count(), 2);
}
