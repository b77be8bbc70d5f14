//! Sample a motion into the keys of a clip.
//!
//! Reads: a pose at each share of the loop. Writes: channels in the file's own bone axes and metres. Pure.
//!
//! The last key is a copy of the first, but for how far a travelling clip has gone.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::pose::Pose;
use super::skeleton::Skeleton;
use super::trig::unit;
use crate::asset::{Channel, Clip, Interpolation, Track};
use crate::base::NodeIndex;

/// Body space into the file's metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub metres: f64,
    /// The lowest drawn point, body space.
    pub ground: f64,
}

impl Scale {
    pub(super) fn point(self, point: DVec3) -> DVec3 {
        (point - DVec3::Y * self.ground) * self.metres
    }
}

/// Rounded, so that a last digit that differs somewhere cannot reach a file.
pub(super) fn stored(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|along| to_places(along, 1e5)))
}

pub(super) fn stored_turn(q: DQuat) -> Quat {
    let [x, y, z, w] = q.to_array().map(|part| to_places(part, 1e7));
    Quat::from_xyzw(x, y, z, w)
}

/// The nearest multiple of `1 / steps`; never minus zero.
pub(super) fn to_places(value: f64, steps: f64) -> f32 {
    ((value * steps).round() / steps + 0.0) as f32
}

/// A bone's turn within its parent at rest, in its own axes: `parent_from_bone`.
pub(super) fn local_turn(skeleton: &Skeleton, bone: usize, turned: &[DQuat]) -> DQuat {
    let in_model = |bone: usize| turned[bone] * DQuat::from_mat3(&skeleton.rest_frame(bone));
    let own = in_model(bone);
    unit(skeleton.bones[bone].parent.map_or(own, |parent| in_model(parent).conjugate() * own))
}

/// A clip of `poses`, the last of which closes the loop; node of bone `b` is `first_bone + b`.
pub(super) fn clip(
    name: &str,
    skeleton: &Skeleton,
    scale: Scale,
    secs: f64,
    poses: &[Pose],
    first_bone: usize,
) -> Clip {
    let last = poses.len() - 1;
    let times_secs: Vec<f32> = (0..=last).map(|at| to_places(secs * at as f64 / last as f64, 1e5)).collect();
    let channel = |bone: usize, track: Track| Channel {
        node: NodeIndex::new(first_bone + bone),
        track,
        times_secs: times_secs.clone(),
        interpolation: Interpolation::Linear,
    };
    let hips = skeleton.bones[0].head;
    let places = poses.iter().map(|pose| stored(scale.point(hips + pose.moved))).collect();
    let mut channels = vec![channel(0, Track::Translation(places))];
    for bone in 0..skeleton.bones.len() {
        let turns = turns(skeleton, bone, poses);
        let rest = stored_turn(local_turn(skeleton, bone, &vec![DQuat::IDENTITY; skeleton.bones.len()]));
        if turns.iter().any(|turn| *turn != rest) {
            channels.push(channel(bone, Track::Rotation(turns)));
        }
    }
    Clip { name: name.to_owned(), channels, first_secs: 0.0, last_secs: times_secs[last] }
}

/// A bone's keys, each on the same half of the sphere as the one before.
fn turns(skeleton: &Skeleton, bone: usize, poses: &[Pose]) -> Vec<Quat> {
    let mut before = DQuat::IDENTITY;
    let mut keys: Vec<Quat> = Vec::with_capacity(poses.len());
    for pose in poses {
        let local = local_turn(skeleton, bone, &pose.turned);
        let near = if !keys.is_empty() && local.dot(before) < 0.0 { -local } else { local };
        keys.push(stored_turn(near));
        before = near;
    }
    keys
}
