//! A posed mesh into the vertices of a scene's body, in stage space.

use glam::{Mat3, Mat4, Vec3};

use super::scene::Vertex;
use crate::rig::PosedMesh;

/// Every vertex of a mesh, part after part, carried to the stage.
pub(super) fn vertices(mesh: &PosedMesh, stage_from_model: Mat4) -> Vec<Vertex> {
    let turn = Mat3::from_mat4(stage_from_model);
    // A stage matrix turns, scales evenly and moves: no inverse transpose is needed.
    let direction = |v: Vec3| (turn * v).normalize_or(Vec3::Y);
    let mut vertices = Vec::with_capacity(mesh.parts.iter().map(|part| part.positions.len()).sum());
    for part in &mesh.parts {
        vertices.extend((0..part.positions.len()).map(|at| {
            Vertex {
                position: stage_from_model.transform_point3(part.positions[at]).to_array(),
                normal: direction(part.normals[at]).to_array(),
                tangent: part
                    .tangents
                    .get(at)
                    .map_or([0.0; 4], |tangent| direction(tangent.truncate()).extend(tangent.w).to_array()),
            }
        }));
    }
    vertices
}

/// Positions of the drawn parts, part after part, in stage space.
pub(super) fn drawn_positions(mesh: &PosedMesh, drawn: &[bool], stage_from_model: Mat4) -> Vec<Vec3> {
    std::iter::zip(&mesh.parts, drawn)
        .filter(|(_, drawn)| **drawn)
        .flat_map(|(part, _)| part.positions.iter().map(|point| stage_from_model.transform_point3(*point)))
        .collect()
}
