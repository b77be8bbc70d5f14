//! Tell which way a body faces, in its bind pose.
//!
//! Reads: a live tree and the roles. Pure.
//!
//! The first of these that speaks: the study; VRM; a head-front joint; eyes; the jaw; toes; the vertices
//! on the feet; else +Z, with a warning. Only the horizontal part is kept. A live pose is never asked:
//! one idle bends almost double.

use glam::Vec3;
use serde::{Serialize, Serializer};

use super::names::{Kind, meaning};
use super::skeleton::Skeleton;
use crate::base::NodeIndex;
use crate::study::Direction;

/// Authors put a body on an axis of the file: within this angle it is taken to face along it.
const ON_AXIS_RAD: f32 = 8.0 * std::f32::consts::PI / 180.0;
/// Evidence shorter than this share of the height is no evidence.
const LEAST_OFFSET: f32 = 0.004;
/// A joint of the face is nearer to the head than this share of the height.
const NEAR_HEAD: f32 = 0.5;

/// What told which way a body faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FacingBy {
    /// The study's `forward`.
    Override,
    /// VRM.
    Data,
    /// A joint just ahead of the head.
    HeadFront,
    /// The eyes.
    Eyes,
    /// The jaw.
    Jaw,
    /// The toes.
    Toes,
    /// Vertices that hang on the feet, ahead of the ankles.
    Feet,
    /// Nothing: +Z is assumed.
    Assumed,
}

impl FacingBy {
    /// The words in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::Data => "data",
            Self::HeadFront => "head front",
            Self::Eyes => "eyes",
            Self::Jaw => "jaw",
            Self::Toes => "toes",
            Self::Feet => "feet",
            Self::Assumed => "assumed",
        }
    }
}

/// Which way a body faces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Facing {
    /// Unit, model space, across up.
    #[serde(serialize_with = "three_numbers")]
    pub direction: Vec3,
    /// What told it.
    pub by: FacingBy,
    /// What spoke for it, in a few words.
    pub evidence: String,
}

pub(super) fn three_numbers<S: Serializer>(vector: &Vec3, serializer: S) -> Result<S::Ok, S::Error> {
    vector.to_array().serialize(serializer)
}

/// Joints that may tell.
#[derive(Debug, Default)]
pub(super) struct Clues {
    pub(super) head: Option<NodeIndex>,
    pub(super) head_front: Option<NodeIndex>,
    pub(super) feet: [Option<NodeIndex>; 2],
    pub(super) toes: [Option<NodeIndex>; 2],
    /// VRM: whether the file faces -Z.
    pub(super) faces_minus_z: Option<bool>,
}

/// Facing in body space: as [`Facing`], but before it is turned back to model space.
pub(super) fn find(skeleton: &Skeleton<'_>, forward: Option<Direction>, clues: &Clues) -> Facing {
    let body_from_model = skeleton.body_from_model;
    let told = |direction: Vec3, by, evidence: &str| {
        let flat = flat(body_from_model * direction);
        (flat.length() > 1e-3).then(|| facing(flat, by, evidence.to_owned()))
    };
    forward
        .and_then(|forward| told(axis(forward), FacingBy::Override, "the study says so"))
        .or_else(|| {
            let minus = clues.faces_minus_z?;
            let (direction, evidence) =
                if minus { (Vec3::NEG_Z, "VRM 0.x faces -Z") } else { (Vec3::Z, "VRM 1.0 faces +Z") };
            told(direction, FacingBy::Data, evidence)
        })
        .or_else(|| by_head_front(skeleton, clues))
        .or_else(|| by_face(skeleton, clues.head, Kind::Eye, FacingBy::Eyes))
        .or_else(|| by_face(skeleton, clues.head, Kind::Jaw, FacingBy::Jaw))
        .or_else(|| by_toes(skeleton, clues))
        .or_else(|| by_feet(skeleton, clues))
        .unwrap_or_else(|| {
            let direction = flat(body_from_model * Vec3::Z).try_normalize().unwrap_or(Vec3::Z);
            facing(
                direction,
                FacingBy::Assumed,
                "no head front, eyes, jaw, toes or feet tell: +Z is assumed".to_owned(),
            )
        })
}

/// The unit vector of an axis.
pub(super) fn axis(direction: Direction) -> Vec3 {
    match direction {
        Direction::PlusX => Vec3::X,
        Direction::MinusX => Vec3::NEG_X,
        Direction::PlusY => Vec3::Y,
        Direction::MinusY => Vec3::NEG_Y,
        Direction::PlusZ => Vec3::Z,
        Direction::MinusZ => Vec3::NEG_Z,
    }
}

fn flat(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}

fn facing(flat: Vec3, by: FacingBy, evidence: String) -> Facing {
    Facing { direction: flat.normalize_or(Vec3::Z), by, evidence }
}

/// A direction from an offset, put on an axis where it is near one; `None` where the offset is too short.
fn from_offset(skeleton: &Skeleton<'_>, offset: Vec3, by: FacingBy, what: &str) -> Option<Facing> {
    let flat = flat(offset);
    if !flat.is_finite() || flat.length() <= LEAST_OFFSET * skeleton.height() {
        return None;
    }
    let unit = flat.normalize_or(Vec3::Z);
    let nearest = if unit.x.abs() > unit.z.abs() { Vec3::X * unit.x.signum() } else { Vec3::Z * unit.z.signum() };
    let off_rad = unit.dot(nearest).clamp(-1.0, 1.0).acos();
    if off_rad <= ON_AXIS_RAD {
        return Some(facing(nearest, by, format!("{what}, {:.1} degrees off the axis", off_rad.to_degrees())));
    }
    Some(facing(unit, by, what.to_owned()))
}

fn by_head_front(skeleton: &Skeleton<'_>, clues: &Clues) -> Option<Facing> {
    let (head, front) = (clues.head?, clues.head_front?);
    let what = format!("from {} to {}", skeleton.model.node_name(head), skeleton.model.node_name(front));
    from_offset(skeleton, skeleton.at(front) - skeleton.at(head), FacingBy::HeadFront, &what)
}

/// Joints of the face need not carry weight: where they are is enough.
fn by_face(skeleton: &Skeleton<'_>, head: Option<NodeIndex>, kind: Kind, by: FacingBy) -> Option<Facing> {
    let head = head?;
    let found: Vec<NodeIndex> = skeleton
        .model
        .order
        .iter()
        .copied()
        .filter(|&node| skeleton.is_joint[node.at()] && meaning(skeleton.name(node)).kind == Some(kind))
        .filter(|&node| node != head && skeleton.is_under(node, head))
        .filter(|&node| skeleton.at(node).distance(skeleton.at(head)) < NEAR_HEAD * skeleton.height())
        .collect();
    let lone = found.len() == 1 && meaning(skeleton.name(found[0])).side.is_some();
    if found.is_empty() || lone {
        return None;
    }
    let place = |node: NodeIndex| skeleton.cloud[node.at()].centre().unwrap_or_else(|| skeleton.at(node));
    let mean = found.iter().map(|&node| place(node)).sum::<Vec3>() / found.len() as f32;
    let names: Vec<String> = found.iter().map(|&node| skeleton.model.node_name(node)).collect();
    let what = format!("from {} to {}", skeleton.model.node_name(head), names.join(" and "));
    from_offset(skeleton, mean - skeleton.at(head), by, &what)
}

fn by_toes(skeleton: &Skeleton<'_>, clues: &Clues) -> Option<Facing> {
    let offsets: Vec<Vec3> = std::iter::zip(clues.feet, clues.toes)
        .filter_map(|(foot, toes)| Some(flat(skeleton.at(toes?) - skeleton.at(foot?))))
        .collect();
    let mean = offsets.iter().sum::<Vec3>() / offsets.len().max(1) as f32;
    from_offset(skeleton, mean, FacingBy::Toes, "from the feet to the toes")
}

fn by_feet(skeleton: &Skeleton<'_>, clues: &Clues) -> Option<Facing> {
    let offsets: Vec<Vec3> = clues
        .feet
        .iter()
        .flatten()
        .filter_map(|&foot| Some(flat(skeleton.cloud_under[foot.at()].centre()? - skeleton.at(foot))))
        .collect();
    let mean = offsets.iter().sum::<Vec3>() / offsets.len().max(1) as f32;
    from_offset(skeleton, mean, FacingBy::Feet, "from the ankles to the middle of what hangs on the feet")
}
