//! The frame in which a load hangs on a back, and where it is in any pose.
//!
//! Reads: an [`Anatomy`] and the bind pose; then poses. Pure.
//!
//! *Torso* space: x right, y up along the spine, z out of the back, in the model's unit; origin the chest
//! joint. Bone axes are arbitrary between rigs, so the frame is built from anatomy in the bind pose and
//! kept as an offset from the chest's rotation: `torso = chest * offset`, one multiplication a pose.

use glam::{DMat3, DQuat, DVec3, Mat3, Mat4, Quat, Vec3};
use serde::Serialize;

use super::role::{Anatomy, Role};
use crate::base::{Finding, NodeIndex};
use crate::rig::Pose;

/// Steps of the polar iteration; it doubles its digits a step once it is near.
const POLAR_STEPS: usize = 40;

/// A torso frame, computed once a model.
#[derive(Debug, Clone, PartialEq)]
pub struct TorsoFrame {
    /// The chest joint.
    pub chest: NodeIndex,
    /// `chest_from_torso`: what the frame is to the chest's own axes.
    pub offset: Quat,
    /// Whether the rig's left and right are swapped, so that the frame had to be turned round.
    pub mirrored: bool,
    /// What stood in for joints that were not found.
    pub findings: Vec<Finding>,
}

/// Where a torso is in one pose: `model_from_torso` without scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TorsoPlace {
    /// The chest joint, model space.
    #[serde(serialize_with = "super::facing::three_numbers")]
    pub origin: Vec3,
    /// Columns right, up and out, model space.
    #[serde(serialize_with = "four_numbers")]
    pub rotation: Quat,
}

fn four_numbers<S: serde::Serializer>(rotation: &Quat, serializer: S) -> Result<S::Ok, S::Error> {
    rotation.to_array().serialize(serializer)
}

impl TorsoPlace {
    /// From model space to the torso's axes, in the model's unit.
    pub fn torso_from_model(&self, point: Vec3) -> Vec3 {
        self.rotation.inverse() * (point - self.origin)
    }

    /// As a matrix.
    pub fn model_from_torso(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation, self.origin)
    }
}

impl TorsoFrame {
    /// The frame of a body, from where its joints are in the bind pose.
    ///
    /// Without a neck the head stands in for it, without shoulders the facing does.
    ///
    /// # Errors
    ///
    /// `ROLE_NOT_FOUND` without a chest.
    pub fn new(anatomy: &Anatomy, bind: &Pose) -> Result<Self, Finding> {
        let chest = anatomy.require(Role::Chest)?;
        let mut findings = Vec::new();
        let at = |role: Role| anatomy.get(role).map(|node| bind.model_from_node[node.at()].w_axis.truncate());
        let mut stand_in = |what: &str| {
            findings.push(Finding::note("TORSO_STAND_IN", anatomy.place.clone(), format!("torso frame: {what}")));
        };
        let facing = anatomy.facing.direction;
        let spine = at(Role::Neck)
            .or_else(|| at(Role::Head).inspect(|_| stand_in("the head stands in for the neck")))
            .zip(at(Role::LowerSpine).or(at(Role::Hips)))
            .map(|(top, foot)| top - foot)
            .and_then(Vec3::try_normalize);
        let up = spine.unwrap_or_else(|| {
            stand_in("neither spine nor neck was found; the file's up is taken");
            anatomy.up
        });
        let shoulders = at(Role::RightShoulder).zip(at(Role::LeftShoulder)).map(|(right, left)| right - left);
        let across = shoulders.and_then(|right| right.cross(up).try_normalize());
        let out = across.unwrap_or_else(|| {
            stand_in("no shoulders were found; the back is taken to be behind the facing");
            away(facing, up)
        });
        // Left and right swapped would put the load on the belly.
        let mirrored = out.dot(facing) > 0.0;
        let out = if mirrored { -out } else { out };
        let frame = Quat::from_mat3(&Mat3::from_cols(up.cross(out), up, out)).normalize();
        let offset = rotation_of(&bind.model_from_node[chest.at()]).inverse() * frame;
        Ok(Self { chest, offset: offset.normalize(), mirrored, findings })
    }

    /// Where the torso is in a pose of the same model.
    pub fn at(&self, pose: &Pose) -> TorsoPlace {
        let model_from_chest = &pose.model_from_node[self.chest.at()];
        let rotation = (rotation_of(model_from_chest) * self.offset).normalize();
        TorsoPlace { origin: model_from_chest.w_axis.truncate(), rotation }
    }
}

/// The unit vector across `up` that points most away from `facing`.
fn away(facing: Vec3, up: Vec3) -> Vec3 {
    let back = -(facing - up * facing.dot(up));
    back.try_normalize().unwrap_or_else(|| up.any_orthonormal_vector())
}

/// The rotation of a matrix with any scale, shear or mirroring in it: the orthogonal factor of its polar
/// decomposition, negated where it mirrors, which turns as the matrix turns.
///
/// *Source:* N. Higham, "Computing the polar decomposition, with applications", SIAM J. Sci. Stat.
/// Comput. 7(4), 1986, pp. 1160-1174: X becomes the mean of X and its inverse transpose. A flattened
/// matrix has no inverse; its columns are made orthogonal one after another instead.
pub(super) fn rotation_of(matrix: &Mat4) -> Quat {
    let linear = DMat3::from_mat4(matrix.as_dmat4());
    let largest = linear.to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    if !(largest > 0.0 && linear.is_finite()) {
        return Quat::IDENTITY;
    }
    let scaled = linear * (1.0 / largest);
    let orthogonal = if scaled.determinant().abs() > 1e-9 { polar(scaled) } else { orthogonal_columns(scaled) };
    let proper = if orthogonal.determinant() < 0.0 { orthogonal * -1.0 } else { orthogonal };
    DQuat::from_mat3(&proper).normalize().as_quat()
}

fn polar(matrix: DMat3) -> DMat3 {
    let mut x = matrix;
    for _ in 0..POLAR_STEPS {
        let next = (x + x.inverse().transpose()) * 0.5;
        let settled = next.abs_diff_eq(x, 1e-14);
        x = next;
        if settled {
            break;
        }
    }
    x
}

fn orthogonal_columns(matrix: DMat3) -> DMat3 {
    let longest = |one: DVec3, other: DVec3| if one.length_squared() >= other.length_squared() { one } else { other };
    let x = matrix.x_axis.try_normalize().unwrap_or_else(|| {
        longest(matrix.y_axis, matrix.z_axis).try_normalize().unwrap_or(DVec3::X).any_orthonormal_vector()
    });
    let across = matrix.y_axis - x * x.dot(matrix.y_axis);
    let z_across = matrix.z_axis - x * x.dot(matrix.z_axis);
    let y = if across.length() > 1e-9 {
        across.normalize()
    } else {
        z_across.try_normalize().map_or_else(|| x.any_orthonormal_vector(), |z| z.cross(x))
    };
    DMat3::from_cols(x, y, x.cross(y))
}
