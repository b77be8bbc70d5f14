//! What of a body is back, and its shape in the torso frame.
//!
//! Reads: a model, its anatomy, its torso frame and its mesh in poses. Pure.
//!
//! A vertex is back or not once and for all, in the bind pose: at or above the hips joint along torso up,
//! moved by the trunk for more than half; or by trunk, neck and head together for more than half and
//! below the neck joint, which is long hair. Limbs stay out, or a swinging arm would shove every load off
//! the body. A triangle is back if its three vertices are and, posed, it faces out.

use glam::Vec3;

use crate::asset::Model;
use crate::rig::{Anatomy, BodyPart, Pose, PosedMesh, PosedPart, Role, TorsoFrame, TorsoPlace};

/// A back that covers less than this share of breadth times span was not found by its vertices. Real
/// backs cover 0.88 and more; a box figure with arms blended into its corners covers 0.22.
const LEAST_COVERED: f32 = 0.5;

/// Which triangles of a model are back, before it is asked which way they face.
#[derive(Debug, Clone, PartialEq)]
pub struct BackSurface {
    /// Corners, one list a part of the model's [`PosedMesh`].
    parts: Vec<Vec<[u32; 3]>>,
    /// Whether the mesh is too coarse for the rule, so that triangles were taken that are back on the
    /// whole: by the mean of their vertices.
    pub coarse: bool,
}

/// A back in one pose, torso space, lengths as shares of H.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Back {
    /// Triangles that face out.
    pub triangles: Vec<[Vec3; 3]>,
    /// The hips joint along up.
    pub hips: Option<f32>,
    /// The middle of the upper-arm joints along up.
    pub shoulders: Option<f32>,
    /// Distance between the upper-arm joints.
    pub breadth: Option<f32>,
}

impl Back {
    /// Area of the back in the torso plane, as a share of breadth times span; infinite where the joints
    /// that these go by are unknown and there is any back at all.
    fn covered(&self) -> f32 {
        let doubled = |[a, b, c]: &[Vec3; 3]| (b - a).truncate().perp_dot((c - a).truncate());
        let area = self.triangles.iter().map(doubled).sum::<f32>() / 2.0;
        let span = self.shoulders.zip(self.hips).map(|(shoulders, hips)| shoulders - hips);
        match self.breadth.zip(span).map(|(breadth, span)| breadth * span) {
            Some(expected) if expected > 0.0 => area / expected,
            _ if area > 0.0 => f32::INFINITY,
            _ => 0.0,
        }
    }

    /// The back in the bind pose: [`BackSurface::new`], then [`BackSurface::posed`].
    pub fn in_bind(
        model: &Model,
        anatomy: &Anatomy,
        torso: &TorsoFrame,
        bind: &Pose,
        bind_mesh: &PosedMesh,
        height: f32,
    ) -> Self {
        BackSurface::new(model, anatomy, torso, bind, bind_mesh).posed(anatomy, torso, bind, bind_mesh, height)
    }
}

impl BackSurface {
    /// Decides every vertex, and by its vertices every triangle, in the bind pose.
    pub fn new(model: &Model, anatomy: &Anatomy, torso: &TorsoFrame, bind: &Pose, bind_mesh: &PosedMesh) -> Self {
        let place = torso.at(bind);
        let level = |role: Role| {
            let node = anatomy.get(role)?;
            Some(place.torso_from_model(bind.model_from_node[node.at()].w_axis.truncate()).y)
        };
        let hips = level(Role::Hips).unwrap_or(f32::NEG_INFINITY);
        let neck = level(Role::Neck).or_else(|| level(Role::Head)).unwrap_or(f32::NEG_INFINITY);
        let is_back = |vertex: &Belonging| vertex.is_back(hips, neck);
        let parts: Vec<(&[u32], Vec<Belonging>)> =
            bind_mesh.parts.iter().map(|part| belongings(model, anatomy, &place, part)).collect();
        let pick = |wanted: &dyn Fn([&Belonging; 3]) -> bool| -> Vec<Vec<[u32; 3]>> {
            let of_part = |(indices, vertices): &(&[u32], Vec<Belonging>)| {
                let corners = indices.as_chunks::<3>().0.iter().copied();
                corners.filter(|corners| wanted(corners.map(|corner| &vertices[corner as usize]))).collect()
            };
            parts.iter().map(of_part).collect()
        };
        let mut surface = Self { parts: pick(&|corners| corners.into_iter().all(is_back)), coarse: false };
        let found = surface.posed(anatomy, torso, bind, bind_mesh, 1.0);
        if found.covered() < LEAST_COVERED {
            surface = Self { parts: pick(&|corners| is_back(&Belonging::mean(corners))), coarse: true };
        }
        surface
    }

    /// The back as it is in a pose; `height` is H in the model's unit, greater than 0.
    ///
    /// # Panics
    ///
    /// If `mesh` is no pose of the model that the surface was decided for.
    pub fn posed(&self, anatomy: &Anatomy, torso: &TorsoFrame, pose: &Pose, mesh: &PosedMesh, height: f32) -> Back {
        let place = torso.at(pose);
        let at = |role: Role| {
            let node = anatomy.get(role)?;
            Some(place.torso_from_model(pose.model_from_node[node.at()].w_axis.truncate()) / height)
        };
        let shoulders = at(Role::LeftShoulder).zip(at(Role::RightShoulder));
        Back {
            triangles: self.outward(&place, mesh, height),
            hips: at(Role::Hips).map(|hips| hips.y),
            shoulders: shoulders.map(|(left, right)| f32::midpoint(left.y, right.y)),
            breadth: shoulders.map(|(left, right)| left.distance(right)),
        }
    }

    /// Triangles that face out, divided by `height`.
    fn outward(&self, place: &TorsoPlace, mesh: &PosedMesh, height: f32) -> Vec<[Vec3; 3]> {
        assert_eq!(self.parts.len(), mesh.parts.len(), "both are of one model");
        let mut triangles = Vec::new();
        for (corners, part) in std::iter::zip(&self.parts, &mesh.parts) {
            for corners in corners {
                let [a, b, c] = corners.map(|corner| place.torso_from_model(part.positions[corner as usize]) / height);
                let normal = (b - a).cross(c - a);
                let outward = if part.mirrored { -normal.z } else { normal.z };
                if outward > 0.0 {
                    triangles.push([a, b, c]);
                }
            }
        }
        triangles
    }
}

/// What a vertex belongs to, in the bind pose.
#[derive(Debug, Clone, Copy, Default)]
struct Belonging {
    /// Along torso up, model's unit.
    up: f32,
    /// Weight of the trunk.
    trunk: f32,
    /// Weight of head and neck.
    head_and_neck: f32,
}

impl Belonging {
    fn is_back(&self, hips: f32, neck: f32) -> bool {
        self.up >= hips && (self.trunk > 0.5 || self.trunk + self.head_and_neck > 0.5 && self.up < neck)
    }

    fn mean(corners: [&Self; 3]) -> Self {
        let mean = |of: fn(&Self) -> f32| corners.iter().map(|corner| of(corner)).sum::<f32>() / 3.0;
        Self {
            up: mean(|corner| corner.up),
            trunk: mean(|corner| corner.trunk),
            head_and_neck: mean(|corner| corner.head_and_neck),
        }
    }
}

/// The indices of a part and what each of its vertices belongs to.
fn belongings<'a>(
    model: &'a Model,
    anatomy: &Anatomy,
    place: &TorsoPlace,
    part: &PosedPart,
) -> (&'a [u32], Vec<Belonging>) {
    let primitive = &model.meshes[part.mesh.at()].primitives[part.primitive];
    let skin = model.nodes[part.node.at()].skin.map(|skin| &model.skins[skin.at()].joints);
    let of = |(vertex, position): (usize, &Vec3)| {
        let mut belonging = Belonging { up: place.torso_from_model(*position).y, ..Belonging::default() };
        match (skin, &primitive.influences) {
            (Some(joints), Some(influences)) => {
                for (joint, weight) in influences.of(vertex) {
                    if let Some(&node) = joints.get(joint.at()) {
                        belonging.add(anatomy.part(node), weight);
                    }
                }
            }
            _ => belonging.add(anatomy.part(part.node), 1.0),
        }
        belonging
    };
    (&primitive.indices, part.positions.iter().enumerate().map(of).collect())
}

impl Belonging {
    fn add(&mut self, part: BodyPart, weight: f32) {
        match part {
            BodyPart::Trunk => self.trunk += weight,
            BodyPart::Neck | BodyPart::Head => self.head_and_neck += weight,
            BodyPart::Arm | BodyPart::Leg | BodyPart::HipsSide => {}
        }
    }
}
