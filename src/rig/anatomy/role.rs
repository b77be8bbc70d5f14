//! The roles that bones play, and what was found of them.

use glam::Vec3;
use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::facing::{Facing, three_numbers};
use super::part::BodyPart;
use crate::base::{Finding, NodeIndex};

/// What a bone is to a body. Left and right are the body's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Where the thighs and the spine meet.
    Hips,
    /// First joint above the hips towards the chest.
    LowerSpine,
    /// What the neck hangs off.
    Chest,
    /// The lowest neck joint.
    Neck,
    /// The head's joint.
    Head,
    /// The left upper-arm joint, never the clavicle.
    LeftShoulder,
    /// The right upper-arm joint, never the clavicle.
    RightShoulder,
    /// The left hand or wrist.
    LeftHand,
    /// The right hand or wrist.
    RightHand,
    /// The left thigh.
    LeftThigh,
    /// The right thigh.
    RightThigh,
    /// The left foot or ankle.
    LeftFoot,
    /// The right foot or ankle.
    RightFoot,
    /// The left toes or ball of the foot.
    LeftToes,
    /// The right toes or ball of the foot.
    RightToes,
    /// A joint just ahead of the head, that some rigs have.
    HeadFront,
}

impl Role {
    /// All roles, from the hips up, then the limbs.
    pub const ALL: [Self; 16] = [
        Self::Hips,
        Self::LowerSpine,
        Self::Chest,
        Self::Neck,
        Self::Head,
        Self::HeadFront,
        Self::LeftShoulder,
        Self::RightShoulder,
        Self::LeftHand,
        Self::RightHand,
        Self::LeftThigh,
        Self::RightThigh,
        Self::LeftFoot,
        Self::RightFoot,
        Self::LeftToes,
        Self::RightToes,
    ];

    /// The name in study files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hips => "hips",
            Self::LowerSpine => "lower_spine",
            Self::Chest => "chest",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::LeftShoulder => "left_shoulder",
            Self::RightShoulder => "right_shoulder",
            Self::LeftHand => "left_hand",
            Self::RightHand => "right_hand",
            Self::LeftThigh => "left_thigh",
            Self::RightThigh => "right_thigh",
            Self::LeftFoot => "left_foot",
            Self::RightFoot => "right_foot",
            Self::LeftToes => "left_toes",
            Self::RightToes => "right_toes",
            Self::HeadFront => "head_front",
        }
    }

    /// The role that a study file means by `name`; `left_upper_arm` is another word for `left_shoulder`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "left_upper_arm" => Some(Self::LeftShoulder),
            "right_upper_arm" => Some(Self::RightShoulder),
            _ => Self::ALL.into_iter().find(|role| role.name() == name),
        }
    }
}

/// How a role was found, the most trusted first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The study file says so.
    Override,
    /// The file says so: VRM.
    Data,
    /// By how the joints hang together.
    Structure,
    /// By the joint's name.
    Name,
    /// By where the joint is.
    Place,
}

impl How {
    /// The word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::Data => "data",
            Self::Structure => "structure",
            Self::Name => "name",
            Self::Place => "place",
        }
    }
}

/// The joint that plays a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundRole {
    /// Which role.
    pub role: Role,
    /// The joint's node.
    #[serde(serialize_with = "node_number")]
    pub node: NodeIndex,
    /// The joint's name, or its number where it has none.
    pub joint: String,
    /// How it was found.
    pub how: How,
    /// What spoke for it, in a few words.
    pub evidence: String,
}

fn node_number<S: Serializer>(node: &NodeIndex, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(node.0)
}

/// Which bone of a model is what, and which way the model faces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Anatomy {
    /// The roles that were found, in the order of [`Role::ALL`].
    pub roles: Vec<FoundRole>,
    /// Why roles are missing, where more can be said than that nothing fits.
    pub missing: IndexMap<Role, String>,
    /// Which way the model faces in its bind pose.
    pub facing: Facing,
    /// Unit, model space: up as the study says, else +Y.
    #[serde(serialize_with = "three_numbers")]
    pub up: Vec3,
    /// What was noticed; errors among them are roles that the study gave wrongly.
    pub findings: Vec<Finding>,
    /// Names of the joints that carry weight: what a study may name.
    pub joints: Vec<String>,
    /// Where it was read from, for messages.
    #[serde(skip)]
    pub(super) place: String,
    /// One a node: which part of the body it moves.
    #[serde(skip)]
    pub(super) parts: Vec<BodyPart>,
}

impl Anatomy {
    /// The node of a role, `None` where it was not found.
    pub fn get(&self, role: Role) -> Option<NodeIndex> {
        self.found(role).map(|found| found.node)
    }

    /// What was found for a role.
    pub fn found(&self, role: Role) -> Option<&FoundRole> {
        self.roles.iter().find(|found| found.role == role)
    }

    /// Which part of the body a node moves.
    pub fn part(&self, node: NodeIndex) -> BodyPart {
        self.parts.get(node.at()).copied().unwrap_or(BodyPart::Trunk)
    }

    /// The node of a role that a caller cannot do without.
    ///
    /// # Errors
    ///
    /// `ROLE_NOT_FOUND`, with why, the joints to choose from and the line to add to the study file; or
    /// the study's own wrong line.
    pub fn require(&self, role: Role) -> Result<NodeIndex, Finding> {
        if let Some(node) = self.get(role) {
            return Ok(node);
        }
        let wrong = format!("{}/roles/{}", self.place, role.name());
        if let Some(finding) = self.findings.iter().find(|finding| finding.place == wrong) {
            return Err(finding.clone());
        }
        let why = self.missing.get(&role).map_or_else(|| "no joint fits".to_owned(), Clone::clone);
        let message = format!("cannot tell which joint is the {}: {why}", role.name().replace('_', " "));
        let hint = format!(
            "add to the subject in the study file: roles = {{ {} = \"...\" }}, with one of the joints {}",
            role.name(),
            listed(&self.joints)
        );
        Err(Finding::error("ROLE_NOT_FOUND", self.place.clone(), message).with_hint(hint))
    }
}

/// Names in a row, the long tail counted.
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 60;
    let mut text = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    if text.is_empty() { "(none carries weight)".to_owned() } else { text }
}
