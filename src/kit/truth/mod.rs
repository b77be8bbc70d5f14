//! State what is known of a file of the kit, from its recipe and not from its mesh.
//!
//! Reads: a recipe, its bones and its solids. Writes: [`Truth`], which `posegrid kit` puts beside each
//! GLB as `NAME.truth.json`. Pure.
//!
//! Whatever finds joints, backs or faces in a model can be held against this. Points are in the file's
//! model space: metres, +Y up, a worker facing +Z; all numbers are rounded, points to 0.01 mm.

mod back;
mod classes;
mod face;
mod formula;
mod text;

use glam::DVec3;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::assemble::Assembled;
use super::clip::Scale;
use super::error::KitError;
use super::recipe::{Recipe, Source};
use super::skeleton::{Role, Side, Skeleton};

/// Three numbers of a point or direction.
pub type Three = [f64; 3];

/// What is known of one file of the kit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// Of this file's format: 1.
    pub format: u32,
    /// Such as `workers/dwarf`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Digest of the recipe and of the program's sources: the GLB carries the same.
    pub recipe: String,
    /// From the lowest drawn point to the highest, in the bind pose.
    pub height_m: f64,
    /// Which way it faces.
    pub facing: Three,
    /// Of what has bones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rig: Option<RigTruth>,
    /// Of workers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torso: Option<TorsoTruth>,
    /// Of workers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<BackTruth>,
    /// Places on the face, by name: `crown`, `head_joint`, `neck_joint`, and as far as the recipe marks
    /// them `nose`, `mouth`, `chin`, and `eye`, `brow`, `ear`, `mouth` each with `_left` and `_right`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub landmarks: IndexMap<String, Landmark>,
    /// What of the body each vertex is, mesh by mesh, in the order of the file's nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<MeshClasses>,
    /// Of loads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadTruth>,
    /// Of analytic bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<Formula>,
}

/// What a recipe makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A whole body that moves.
    Worker,
    /// A head on its neck.
    Head,
    /// Something to carry.
    Load,
    /// A worker whose back is a formula.
    Analytic,
}

/// The bones of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RigTruth {
    /// Whether left bones carry right names.
    pub swapped: bool,
    /// Bone names by role, as `posegrid inspect` calls roles. Left and right are the body's own, so on a
    /// swapped rig a left role has a bone with a right name.
    pub roles: IndexMap<String, String>,
    /// Every bone, parents before children.
    pub bones: Vec<BoneTruth>,
}

/// One bone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoneTruth {
    /// As written in the file.
    pub name: String,
    /// As recipes call it, such as `upper_arm`.
    pub bone: String,
    /// The body's own `left` or `right`, whatever the name says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Its joint in the bind pose.
    pub joint_m: Three,
}

/// The torso frame in the bind pose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TorsoTruth {
    /// The chest joint.
    pub origin_m: Three,
    /// To the body's right.
    pub right: Three,
    /// From the lower spine to the neck.
    pub up: Three,
    /// Away from the back.
    pub out: Three,
    /// Of the hips joint and of the middle of the upper-arm joints, along `up` from the origin.
    pub hips_m: f64,
    /// See `hips_m`.
    pub shoulders_m: f64,
    /// Between the upper-arm joints.
    pub breadth_m: f64,
}

/// The back's surface in the bind pose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BackTruth {
    /// Between neighbouring rays, along `right` and along `up` of the torso.
    pub step_m: f64,
    /// Where rays from behind meet it, row by row from the hips up, from the body's left to its right.
    pub samples: Vec<BackSample>,
}

/// One point of a back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BackSample {
    /// Where.
    pub at_m: Three,
    /// Unit length.
    pub normal: Three,
    /// The part that it lies on.
    pub part: String,
}

/// One place on a face.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Landmark {
    /// Where.
    pub at_m: Three,
    /// The part on whose surface it lies; none for joints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
}

/// The vertices of one primitive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeshClasses {
    /// Name of the node whose mesh it is.
    pub node: String,
    /// The recipe's part.
    pub part: String,
    /// Level of detail, 0 the finest.
    pub level: u32,
    /// Its place in its mesh.
    pub primitive: usize,
    /// Whether nothing shows it unless it is asked for.
    pub hidden: bool,
    /// How many it has.
    pub vertices: usize,
    /// Vertices in their order as runs, a class and how many: `trunk 120 arm 30`. Classes: trunk, neck,
    /// head, hair, hat, tail, arm, hand, leg, foot, and still (moved by no bone). Limbs are arm, hand,
    /// leg and foot.
    pub classes: String,
}

/// What a load is in its own frame: base at y = 0, the face that rests on a back at z = 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadTruth {
    /// Width, height, depth of its box; x is from minus half the width to plus half.
    pub size_m: Three,
    /// Which way the face that rests on a back looks.
    pub rest_normal: Three,
    /// Where that face's plane is, along z.
    pub rest_z_m: f64,
    /// Low and high corner, x and y, of what lies within a hundredth of the depth of that plane.
    pub rest_low_m: [f64; 2],
    /// See `rest_low_m`.
    pub rest_high_m: [f64; 2],
}

/// The surface that a back is, exactly. `_h` are shares of the height.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Formula {
    /// All points `radius` away from a segment.
    Capsule {
        /// The part that is it.
        part: String,
        /// Ends of the segment.
        axis_m: [Three; 2],
        /// See `axis_m`.
        axis_h: [Three; 2],
        /// Away from the segment.
        radius_m: f64,
        /// See `radius_m`.
        radius_h: f64,
    },
    /// A plane across z, within a rectangle.
    Slab {
        /// The part whose back it is.
        part: String,
        /// Where the plane is.
        z_m: f64,
        /// See `z_m`.
        z_h: f64,
        /// Low and high corner, x and y; beyond them edges are rounded.
        low_m: [f64; 2],
        /// See `low_m`.
        high_m: [f64; 2],
    },
    /// All points `radius` away from a point.
    Sphere {
        /// The part that is it.
        part: String,
        /// The point.
        centre_m: Three,
        /// See `centre_m`.
        centre_h: Three,
        /// Away from it.
        radius_m: f64,
        /// See `radius_m`.
        radius_h: f64,
    },
}

impl MeshClasses {
    /// The class of each vertex, in order.
    pub fn by_vertex(&self) -> Vec<&str> {
        let mut words = self.classes.split(' ');
        let mut all = Vec::with_capacity(self.vertices);
        while let (Some(class), Some(count)) = (words.next(), words.next()) {
            all.extend(std::iter::repeat_n(class, count.parse().unwrap_or(0)));
        }
        all
    }
}

impl Truth {
    /// As JSON: keys in one order, what fits on a line on one line.
    pub fn to_json(&self) -> String {
        text::json(self)
    }
}

/// Everything that is known of what was made.
pub(super) fn truth(
    name: &str,
    recipe: &Recipe,
    digest: String,
    made: &Assembled<'_>,
    source: Source<'_>,
) -> Result<Truth, KitError> {
    let skeleton = made.skeleton.as_ref();
    let whole = skeleton.filter(|_| recipe.skeleton.is_some());
    let kind = match (skeleton, &recipe.skeleton, &recipe.analytic) {
        (None, ..) => Kind::Load,
        (Some(_), None, _) => Kind::Head,
        (_, _, Some(_)) => Kind::Analytic,
        _ => Kind::Worker,
    };
    let torso = whole.map(back::Torso::new);
    Ok(Truth {
        format: 1,
        name: name.to_owned(),
        kind,
        recipe: digest,
        height_m: recipe.height_m,
        facing: [0.0, 0.0, 1.0],
        rig: skeleton.map(|skeleton| rig(skeleton, made.scale)),
        torso: torso.as_ref().map(|torso| torso.stated(made.scale)),
        back: torso.as_ref().zip(whole).map(|(torso, skeleton)| back::back(torso, skeleton, made)),
        landmarks: match skeleton {
            Some(skeleton) => face::landmarks(skeleton, recipe, made, source)?,
            None => IndexMap::new(),
        },
        meshes: classes::meshes(skeleton, recipe, &made.model, source)?,
        load: if skeleton.is_none() { Some(load(made)) } else { None },
        formula: formula::formula(recipe, made, source)?,
    })
}

fn rig(skeleton: &Skeleton, scale: Scale) -> RigTruth {
    let bone = |bone: &super::skeleton::Bone| BoneTruth {
        name: skeleton.file_name(bone),
        bone: skeleton.recipe_name(bone),
        side: bone.side.map(|side| side_name(side).to_owned()),
        joint_m: metres(scale.point(bone.head)),
    };
    let mut roles = IndexMap::new();
    for bone in &skeleton.bones {
        for role in role_names(skeleton, &bone.role) {
            let name = bone.side.map_or_else(|| role.to_owned(), |side| format!("{}_{role}", side_name(side)));
            roles.insert(name, skeleton.file_name(bone));
        }
    }
    RigTruth { swapped: skeleton.swapped, roles, bones: skeleton.bones.iter().map(bone).collect() }
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// The roles that a bone plays, by the words of `rig::Role`; the lowest spine bone may also be the chest.
fn role_names(skeleton: &Skeleton, role: &Role) -> Vec<&'static str> {
    match role {
        Role::Hips => vec!["hips"],
        Role::Spine(at) => {
            let ends = [(*at == 0, "lower_spine"), (at + 1 == skeleton.spine_bones, "chest")];
            ends.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
        }
        Role::Neck => vec!["neck"],
        Role::Head => vec!["head"],
        Role::HeadFront => vec!["head_front"],
        Role::UpperArm => vec!["shoulder"],
        Role::Hand => vec!["hand"],
        Role::Thigh => vec!["thigh"],
        Role::Foot => vec!["foot"],
        Role::Toes => vec!["toes"],
        Role::HeadTop | Role::Clavicle | Role::Forearm | Role::Shin | Role::Chain { .. } => Vec::new(),
    }
}

/// A load's box and the box of what touches a back, from its vertices: they are what lies against it.
fn load(made: &Assembled<'_>) -> LoadTruth {
    let nodes = made.model.nodes.iter().filter_map(|node| node.mesh);
    let points: Vec<DVec3> = nodes
        .flat_map(|mesh| &made.model.meshes[mesh.at()].primitives)
        .flat_map(|primitive| primitive.positions.iter().map(|at| at.as_dvec3()))
        .collect();
    let bounds = |points: &mut dyn Iterator<Item = DVec3>| {
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let (low, high) = bounds(&mut points.iter().copied());
    let near = low.z + 0.01 * (high.z - low.z);
    let (rest_low, rest_high) = bounds(&mut points.iter().copied().filter(|at| at.z <= near));
    let two = |at: DVec3| [rounded(at.x, 1e5), rounded(at.y, 1e5)];
    LoadTruth {
        size_m: metres(high - low),
        rest_normal: [0.0, 0.0, -1.0],
        rest_z_m: 0.0,
        rest_low_m: two(rest_low),
        rest_high_m: two(rest_high),
    }
}

/// A point, to 0.01 mm.
fn metres(point: DVec3) -> Three {
    point.to_array().map(|along| rounded(along, 1e5))
}

/// A direction.
fn direction(unit: DVec3) -> Three {
    unit.to_array().map(|part| rounded(part, 1e4))
}

/// The nearest multiple of `1 / steps`; never minus zero.
fn rounded(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps + 0.0
}
