//! The kit's textures: charts that keep apart and keep their shape, seams that meet, paint where it belongs.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};
use posegrid::kit::Roster;

use crate::glb::Glb;
use crate::{KIT, made};

/// A primitive with texture coordinates, as stored.
struct Sheet {
    mesh: String,
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    uvs: Vec<DVec2>,
    /// Joints and weights, flat; empty where rigid.
    weights: Vec<Vec<f64>>,
    triangles: Vec<[usize; 3]>,
    texture: Option<usize>,
}

fn sheets(glb: &Glb) -> Vec<Sheet> {
    let sheet = |mesh: &serde_json::Value| {
        let primitive = &mesh["primitives"][0];
        let attributes = &primitive["attributes"];
        let of = |name: &str| attributes.get(name).map(|accessor| glb.numbers(accessor).0).unwrap_or_default();
        let rows = |name: &str| of(name).chunks(4).map(<[f64]>::to_vec).collect::<Vec<_>>();
        let material = &glb.json["materials"][primitive["material"].as_u64().unwrap() as usize];
        Sheet {
            mesh: mesh["name"].as_str().unwrap().to_owned(),
            positions: glb.points(&attributes["POSITION"]),
            normals: glb.points(&attributes["NORMAL"]),
            uvs: of("TEXCOORD_0").chunks(2).map(|uv| DVec2::new(uv[0], uv[1])).collect(),
            weights: std::iter::zip(rows("JOINTS_0"), rows("WEIGHTS_0")).map(|(j, w)| [j, w].concat()).collect(),
            triangles: of_indices(glb, &primitive["indices"]),
            texture: material["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64().map(|at| at as usize),
        }
    };
    // Coarser levels have colours at their vertices.
    let fine =
        |mesh: &&serde_json::Value| !["_LOD1", "_LOD2"].iter().any(|end| mesh["name"].as_str().unwrap().ends_with(end));
    glb.json["meshes"].as_array().unwrap().iter().filter(fine).map(sheet).collect()
}

fn of_indices(glb: &Glb, accessor: &serde_json::Value) -> Vec<[usize; 3]> {
    glb.numbers(accessor).0.chunks(3).map(|corner| [0, 1, 2].map(|at| corner[at] as usize)).collect()
}

fn textured() -> impl Iterator<Item = (&'static str, &'static Glb)> {
    KIT.iter().filter(|made| !made.glb.json["images"].is_null()).map(|made| (made.name.as_str(), &made.glb))
}

#[test]
fn all_workers_have_one_texture_that_all_their_parts_share() {
    assert_eq!(textured().filter(|(name, _)| name.starts_with("workers/")).count(), 10);
    for (name, glb) in textured() {
        assert_eq!(glb.json["images"].as_array().unwrap().len(), 1, "{name}");
        for sheet in sheets(glb) {
            assert_eq!(sheet.uvs.len(), sheet.positions.len(), "{name} {}", sheet.mesh);
            assert_eq!(sheet.texture, Some(0), "{name} {}", sheet.mesh);
        }
    }
}

#[test]
fn no_texel_belongs_to_two_triangles() {
    for (name, glb) in textured() {
        let side = glb.image(0).0;
        let mut owners = vec![0u32; side * side];
        let mut covered = 0;
        for sheet in sheets(glb) {
            for corners in &sheet.triangles {
                let [a, b, c] = corners.map(|at| sheet.uvs[at] * side as f64);
                let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                assert!(low.min_element() >= 0.0 && high.max_element() <= side as f64, "{name} {}", sheet.mesh);
                let whole = (b - a).perp_dot(c - a);
                for y in low.y as usize..=(high.y as usize).min(side - 1) {
                    for x in low.x as usize..=(high.x as usize).min(side - 1) {
                        let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                        let turns = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(at - from) / whole);
                        // A hair within the edges, since neighbours share theirs.
                        if turns.iter().all(|turn| *turn > 1e-3) {
                            owners[y * side + x] += 1;
                            covered += 1;
                        }
                    }
                }
            }
        }
        assert!(owners.iter().all(|count| *count <= 1), "{name}: charts overlap");
        let filled = f64::from(covered) / (side * side) as f64;
        assert!(filled > 0.5, "{name} fills {filled:.2} of its texture");
    }
}

/// Shares of a length that a triangle keeps in the texture along its least and its most kept direction.
fn kept([a, b, c]: [DVec3; 3], [u, v, w]: [DVec2; 3]) -> [f64; 2] {
    let along = (b - a).normalize();
    let flat = [DVec2::ZERO, DVec2::new((b - a).length(), 0.0), {
        let over = (c - a).dot(along);
        DVec2::new(over, ((c - a) - along * over).length())
    }];
    let from = glam::DMat2::from_cols(flat[1], flat[2]);
    let to = glam::DMat2::from_cols(v - u, w - u) * from.inverse();
    // Singular values, from the trace and determinant of the squared matrix.
    let square = to.transpose() * to;
    let (trace, determinant) = (square.x_axis.x + square.y_axis.y, square.determinant());
    let root = (0.25 * trace * trace - determinant).max(0.0).sqrt();
    [(0.5 * trace - root).max(0.0).sqrt(), (0.5 * trace + root).sqrt()]
}

/// A chart's triangles face within 57.4 degrees of its axis, so none is shrunk below cos 57.4 = 0.54 and none enlarged.
#[test]
fn triangles_keep_their_area_and_no_part_is_stretched() {
    for (name, glb) in textured() {
        let side = glb.image(0).0 as f64;
        for sheet in sheets(glb) {
            let mut most: f64 = 0.0;
            let mut shares = Vec::new();
            for corners in &sheet.triangles {
                let (solid, flat) = (corners.map(|at| sheet.positions[at]), corners.map(|at| sheet.uvs[at] * side));
                let turned = (flat[1] - flat[0]).perp_dot(flat[2] - flat[0]);
                assert!(turned.abs() > 1e-7, "{name} {}: a triangle has no texels' worth of texture", sheet.mesh);
                // Stored coordinates are rounded: slivers say nothing.
                let area = (solid[1] - solid[0]).cross(solid[2] - solid[0]).length();
                let longest = (0..3).map(|at| (solid[at] - solid[(at + 1) % 3]).length()).fold(0.0, f64::max);
                if turned.abs() > 2.0 && area > 0.1 * longest * longest {
                    let kept = kept(solid, flat);
                    most = most.max(kept[1]);
                    shares.push(kept[0]);
                }
            }
            assert!(shares.iter().all(|share| *share > 0.52 * most), "{name} {}", sheet.mesh);
        }
    }
}

#[test]
fn vertices_on_both_sides_of_a_seam_are_one_place_with_one_normal_and_the_same_weights() {
    let mut seams = 0;
    for (name, glb) in textured() {
        for sheet in sheets(glb) {
            let mut first: BTreeMap<[u64; 3], usize> = BTreeMap::new();
            for (at, position) in sheet.positions.iter().enumerate() {
                let twin = *first.entry(position.to_array().map(f64::to_bits)).or_insert(at);
                if twin != at {
                    seams += 1;
                    // Loads have hard edges (`crease_deg`), where one place has several normals.
                    if !name.starts_with("loads/") {
                        assert_eq!(sheet.normals[twin], sheet.normals[at], "{name} {}", sheet.mesh);
                    }
                    assert_eq!(sheet.weights.get(twin), sheet.weights.get(at), "{name} {}", sheet.mesh);
                }
            }
        }
    }
    assert!(seams > 5_000, "{seams}");
}

/// sRGB, decoded by the formula of IEC 61966-2-1.
fn linear(code: u8) -> f64 {
    let encoded = f64::from(code) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The texel at a place in the texture.
fn texel(pixels: &[[u8; 4]], side: usize, uv: DVec2) -> [u8; 4] {
    let at = (uv * side as f64).as_u64vec2();
    pixels[at.y as usize * side + at.x as usize]
}

/// A ball, red with its +x half painted blue. Red and blue share no channel, so whatever light does to them, the
/// red half has no blue and the blue half no red; in between the paint fades over two units.
#[test]
fn a_texel_has_the_paint_of_its_place() {
    let recipe = r##"
title = "ball"
height_m = 1.0
[body]
cell = 4
triangles = 1500
blend = 1
texture_px = 256
[[body.part]]
name = "ball"
colour = "red"
shapes = [{ shape = "ball", r = 50, off = [0, 50, 50] }]
paint = [{ shape = "box", r = 60, off = [60, 50, 50], round = 0.1, colour = "blue", fade = 2 }]
[colours]
red = "#ff0000"
blue = "#0000ff"
"##;
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("ball.toml"), recipe).unwrap();
    let glb = Glb::of(&Roster::from_folder(folder.path()).unwrap().generate("ball").unwrap());
    let factor = glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"].as_array().unwrap();
    let factor: Vec<f64> = factor.iter().map(|channel| channel.as_f64().unwrap()).collect();
    assert_eq!(factor, [1.0, 0.0, 1.0, 1.0]);
    let (side, pixels) = glb.image(0);
    let sheet = sheets(&glb).remove(0);
    let (mut red, mut blue) = (0, 0);
    for corners in &sheet.triangles {
        let xs = corners.map(|at| sheet.positions[at].x);
        let middle = corners.iter().map(|at| sheet.uvs[*at]).sum::<DVec2>() / 3.0;
        let [r, _, b, alpha] = texel(&pixels, side, middle);
        assert_eq!(alpha, 255);
        let (own, other) = if xs.iter().all(|x| *x < -0.03) {
            red += 1;
            (r, b)
        } else if xs.iter().all(|x| *x > 0.03) {
            blue += 1;
            (b, r)
        } else {
            continue;
        };
        assert_eq!(other, 0, "at {xs:?}");
        // Alone in the world it is lit from 0.8 at its foot, less 5 % from beneath, up to full.
        assert!(linear(own) > 0.7, "{} at {xs:?}", linear(own));
    }
    assert!(red > 500 && blue > 500, "{red} {blue}");
}

/// Just outside a chart lies the chart's own edge colour: texels a step beyond a vertex on a seam have a colour that a
/// covered texel within three steps has.
#[test]
fn gutters_continue_their_charts() {
    let glb = &made("workers/dwarf").glb;
    let (side, pixels) = glb.image(0);
    let mut covered = vec![false; side * side];
    for sheet in sheets(glb) {
        for corners in &sheet.triangles {
            let [a, b, c] = corners.map(|at| sheet.uvs[at] * side as f64);
            let whole = (b - a).perp_dot(c - a);
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            for y in low.y as usize..=(high.y as usize).min(side - 1) {
                for x in low.x as usize..=(high.x as usize).min(side - 1) {
                    let at = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                    let turns = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(at - from) / whole);
                    covered[y * side + x] |= turns.iter().all(|turn| *turn > -1e-4);
                }
            }
        }
    }
    let (mut gutters, mut alike) = (0, 0);
    for (y, x) in (3..side - 3).flat_map(|y| (3..side - 3).map(move |x| (y, x))) {
        let near = [(y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x)];
        let edge: Vec<[u8; 4]> =
            near.iter().filter(|(y, x)| covered[y * side + x]).map(|(y, x)| pixels[y * side + x]).collect();
        if !covered[y * side + x] && !edge.is_empty() {
            gutters += 1;
            alike += u32::from(edge.contains(&pixels[y * side + x]));
        }
    }
    // Both rules of what is covered are rounded, so a few texels are counted otherwise.
    assert!(gutters > 5_000 && f64::from(alike) > 0.995 * f64::from(gutters), "{alike} of {gutters}");
}
