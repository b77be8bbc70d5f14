//! Put the triangles of blended materials in the order in which they must be drawn.
//!
//! Furthest first, by the depth of a triangle's centre along the view; ties by body, then draw, then
//! place in the file, so that the order never depends on a sort's whim.

use glam::Vec3;

use super::scene::{BlendRun, Body, Camera};
use crate::asset::AlphaMode;

/// The blended triangles of `bodies`, furthest first.
pub(super) fn sorted(bodies: &[Body], camera: &Camera) -> Vec<BlendRun> {
    let mut triangles = Vec::new();
    for (at, body) in bodies.iter().enumerate() {
        for (draw_at, draw) in body.surface.draws.iter().enumerate() {
            if body.surface.materials[draw.material].alpha_mode != AlphaMode::Blend {
                continue;
            }
            let range = draw.indices.start as usize..draw.indices.end as usize;
            for triangle in body.surface.indices[range].chunks_exact(3) {
                let centre: Vec3 = triangle.iter().map(|v| Vec3::from(body.vertices[*v as usize].position)).sum();
                let depth = -camera.view_from_stage.transform_point3(centre / 3.0).z;
                triangles.push((depth, at, draw_at, [triangle[0], triangle[1], triangle[2]]));
            }
        }
    }
    // The sort is stable, so equal depths keep the order of body, draw and file.
    triangles.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut runs: Vec<BlendRun> = Vec::new();
    for (_, body, draw, triangle) in triangles {
        match runs.last_mut() {
            Some(run) if run.body == body && run.draw == draw => run.indices.extend(triangle),
            _ => runs.push(BlendRun { body, draw, indices: triangle.to_vec() }),
        }
    }
    runs
}
