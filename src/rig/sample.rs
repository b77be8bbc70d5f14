//! A clip at a moment: every channel's value by glTF's interpolation, and travel taken out.
//!
//! Reads: a model, one of its clips, a phase. Gives: a [`Pose`]. Pure.
//!
//! The phase runs over all the clip's channels together, never over one channel's own keys: a channel
//! with a single key counts as that value throughout.

use glam::{Quat, Vec3};

use super::pose::{LocalPose, Pose};
use crate::asset::{Channel, Clip, Interpolation, Model, Track, Transform};
use crate::base::NodeIndex;

/// A clip's pose and what was done to it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipPose {
    /// The pose.
    pub pose: Pose,
    /// Horizontal travel over the whole clip that was taken out, in the model's own unit.
    pub removed: f32,
}

/// The pose at `phase` (0 to 1) of a clip. Joints the clip does not touch rest.
///
/// With `in_place`, the straight line from the first to the last key of the topmost translated joint
/// is taken out across `up`; sway and height stay.
pub fn clip_pose(model: &Model, clip: &Clip, phase: f32, in_place: bool, up: Vec3) -> ClipPose {
    let time_secs = clip.first_secs + phase * (clip.last_secs - clip.first_secs);
    let mut local = LocalPose::rest(model);
    for channel in &clip.channels {
        apply(channel, time_secs, &mut local);
    }
    let mut pose = local.resolve(model);
    let travel = if in_place { travel(model, clip, up) } else { None };
    let mut removed = 0.0;
    if let Some(travel) = travel {
        removed = travel.whole.length();
        let offset = travel.whole * travel.share(time_secs);
        for &node in &model.order {
            if is_under(model, node, travel.node) {
                pose.model_from_node[node.at()].w_axis -= offset.extend(0.0);
            }
        }
    }
    ClipPose { pose, removed }
}

fn apply(channel: &Channel, time_secs: f32, local: &mut LocalPose) {
    let at = channel.node.at();
    if at >= local.parent_from_node.len() {
        return;
    }
    if let Track::MorphWeights { targets, values } = &channel.track {
        if *targets > 0 && local.morph_weights[at].len() == *targets {
            let weights = (0..*targets).map(|t| number(channel, values, *targets, t, time_secs)).collect();
            local.morph_weights[at] = weights;
        }
        return;
    }
    // A node with a matrix may not be animated (glTF 2.0, "Transformations"); decomposing is kinder.
    let (mut scale, mut rotation, mut translation) = parts(local.parent_from_node[at]);
    match &channel.track {
        Track::Translation(values) => translation = vector(channel, values, time_secs),
        Track::Scale(values) => scale = vector(channel, values, time_secs),
        Track::Rotation(values) => rotation = turn(channel, values, time_secs),
        Track::MorphWeights { .. } => {}
    }
    local.parent_from_node[at] = Transform::Parts { translation, rotation, scale };
}

fn parts(transform: Transform) -> (Vec3, Quat, Vec3) {
    match transform {
        Transform::Parts { translation, rotation, scale } => (scale, rotation, translation),
        Transform::Matrix(matrix) => matrix.to_scale_rotation_translation(),
    }
}

/// The key at or before a time, and how far to the next one: 0 to 1, with their distance in seconds.
struct Between {
    before: usize,
    after: usize,
    share: f32,
    span_secs: f32,
}

fn between(times_secs: &[f32], time_secs: f32) -> Between {
    let after = times_secs.partition_point(|key| *key <= time_secs);
    let last = times_secs.len().saturating_sub(1);
    if after == 0 || after > last {
        let at = if after == 0 { 0 } else { last };
        return Between { before: at, after: at, share: 0.0, span_secs: 0.0 };
    }
    let span_secs = times_secs[after] - times_secs[after - 1];
    let share = if span_secs > 0.0 { (time_secs - times_secs[after - 1]) / span_secs } else { 0.0 };
    Between { before: after - 1, after, share, span_secs }
}

/// Cubic Hermite as glTF 2.0, appendix C, writes it: value, out-tangent, next value, next in-tangent.
fn hermite(share: f32) -> [f32; 4] {
    let (t, t2, t3) = (share, share * share, share * share * share);
    [2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, -2.0 * t3 + 3.0 * t2, t3 - t2]
}

/// Mixes keys linearly or by a spline; `get` reads the n-th stored value.
fn mix<T>(channel: &Channel, time_secs: f32, get: impl Fn(usize) -> T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let at = between(&channel.times_secs, time_secs);
    match channel.interpolation {
        Interpolation::Step => get(at.before),
        Interpolation::Linear => get(at.before) * (1.0 - at.share) + get(at.after) * at.share,
        Interpolation::CubicSpline if at.before == at.after => get(3 * at.before + 1),
        Interpolation::CubicSpline => {
            let [value, out, next, into] = hermite(at.share);
            get(3 * at.before + 1) * value
                + get(3 * at.before + 2) * (out * at.span_secs)
                + get(3 * at.after + 1) * next
                + get(3 * at.after) * (into * at.span_secs)
        }
    }
}

fn vector(channel: &Channel, values: &[Vec3], time_secs: f32) -> Vec3 {
    mix(channel, time_secs, |at| values[at])
}

fn number(channel: &Channel, values: &[f32], stride: usize, offset: usize, time_secs: f32) -> f32 {
    mix(channel, time_secs, |at| values[at * stride + offset])
}

fn turn(channel: &Channel, values: &[Quat], time_secs: f32) -> Quat {
    let mixed = if channel.interpolation == Interpolation::Linear {
        let at = between(&channel.times_secs, time_secs);
        // slerp of glam takes the short way round, as glTF asks.
        values[at.before].slerp(values[at.after], at.share)
    } else {
        Quat::from_vec4(mix(channel, time_secs, |at| glam::Vec4::from(values[at])))
    };
    if mixed.length_squared() > 0.0 { mixed.normalize() } else { Quat::IDENTITY }
}

/// The straight line that a clip walks.
struct Travel {
    node: NodeIndex,
    /// Model space, across up.
    whole: Vec3,
    first_secs: f32,
    last_secs: f32,
}

impl Travel {
    fn share(&self, time_secs: f32) -> f32 {
        ((time_secs - self.first_secs) / (self.last_secs - self.first_secs)).clamp(0.0, 1.0)
    }
}

fn travel(model: &Model, clip: &Clip, up: Vec3) -> Option<Travel> {
    let (channel, first, last) = clip
        .channels
        .iter()
        .filter_map(|channel| moved(channel).map(|(first, last)| (channel, first, last)))
        .min_by_key(|(channel, ..)| (depth(model, channel.node), channel.node))?;
    let rest = super::rest_pose(model);
    let parent = model.nodes[channel.node.at()].parent;
    let across = last - first;
    let whole = parent.map_or(across, |parent| rest.model_from_node[parent.at()].transform_vector3(across));
    let whole = whole - up * whole.dot(up);
    let (first_secs, last_secs) = (*channel.times_secs.first()?, *channel.times_secs.last()?);
    (last_secs > first_secs).then_some(Travel { node: channel.node, whole, first_secs, last_secs })
}

/// First and last translation of a channel that moves at all.
fn moved(channel: &Channel) -> Option<(Vec3, Vec3)> {
    let Track::Translation(values) = &channel.track else { return None };
    let key = |at: usize| match channel.interpolation {
        Interpolation::CubicSpline => values[3 * at + 1],
        Interpolation::Step | Interpolation::Linear => values[at],
    };
    let keys = channel.times_secs.len();
    let first = (keys > 0).then(|| key(0))?;
    let size = first.length().max(1.0e-3);
    (1..keys).any(|at| key(at).distance(first) > 1.0e-4 * size).then(|| (first, key(keys - 1)))
}

fn depth(model: &Model, node: NodeIndex) -> usize {
    std::iter::successors(model.nodes[node.at()].parent, |parent| model.nodes[parent.at()].parent).count()
}

fn is_under(model: &Model, node: NodeIndex, top: NodeIndex) -> bool {
    std::iter::successors(Some(node), |at| model.nodes[at.at()].parent).any(|at| at == top)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{channel, clip, model, node};
    use super::*;
    use crate::asset::Node;

    fn two_nodes() -> Vec<Node> {
        vec![node("root", None, Vec3::ZERO), node("hips", Some(0), Vec3::Y)]
    }

    fn place(model: &Model, clip: &Clip, phase: f32, in_place: bool, node: usize) -> Vec3 {
        clip_pose(model, clip, phase, in_place, Vec3::Y).pose.model_from_node[node].w_axis.truncate()
    }

    /// The clip spans 0.5 s to 1.5 s by its two channels together: phase 0.5 is 1.0 s.
    #[test]
    fn the_phase_runs_over_all_channels_together() {
        let model = model(two_nodes());
        let clip = clip(
            "c",
            vec![
                channel(0, &[0.5, 1.0], Track::Translation(vec![Vec3::ZERO, Vec3::X])),
                channel(1, &[1.0, 1.5], Track::Translation(vec![Vec3::Y, Vec3::Y * 2.0])),
            ],
        );
        assert_eq!(place(&model, &clip, 0.5, false, 1), Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(place(&model, &clip, 0.25, false, 1), Vec3::new(0.5, 1.0, 0.0));
        assert_eq!(place(&model, &clip, 1.0, false, 1), Vec3::new(1.0, 2.0, 0.0), "a channel holds its last key");
    }

    #[test]
    fn a_single_key_holds_throughout_and_untouched_joints_rest() {
        let model = model(two_nodes());
        let clip = clip(
            "c",
            vec![
                channel(0, &[0.0], Track::Translation(vec![Vec3::Z])),
                channel(0, &[0.0, 1.0], Track::Scale(vec![Vec3::ONE, Vec3::splat(3.0)])),
            ],
        );
        assert_eq!(place(&model, &clip, 0.0, false, 1), Vec3::new(0.0, 1.0, 1.0));
        assert_eq!(place(&model, &clip, 0.5, false, 1), Vec3::new(0.0, 2.0, 1.0));
    }

    #[test]
    fn a_step_holds_the_key_before() {
        let model = model(two_nodes());
        let mut step = channel(0, &[0.0, 1.0], Track::Translation(vec![Vec3::ZERO, Vec3::X]));
        step.interpolation = Interpolation::Step;
        let clip = clip("c", vec![step]);
        assert_eq!(place(&model, &clip, 0.99, false, 0), Vec3::ZERO);
        assert_eq!(place(&model, &clip, 1.0, false, 0), Vec3::X);
    }

    /// From 0 to 8 over 2 s with tangents 1 and 3 a second; at half time glTF's formula gives
    /// 0.5 * 0 + 0.125 * 2 * 1 + 0.5 * 8 - 0.125 * 2 * 3 = 3.5.
    #[test]
    fn a_cubic_spline_scales_its_tangents_by_the_time_between_keys() {
        let model = model(two_nodes());
        let x = |value: f32| Vec3::X * value;
        let keys = vec![x(77.0), x(0.0), x(1.0), x(3.0), x(8.0), x(77.0)];
        let mut cubic = channel(0, &[1.0, 3.0], Track::Translation(keys));
        cubic.interpolation = Interpolation::CubicSpline;
        let clip = clip("c", vec![cubic]);
        assert!(place(&model, &clip, 0.5, false, 0).abs_diff_eq(x(3.5), 1.0e-6));
        assert_eq!(place(&model, &clip, 0.0, false, 0), x(0.0));
        assert_eq!(place(&model, &clip, 1.0, false, 0), x(8.0));
    }

    #[test]
    fn rotations_take_the_short_way_round() {
        let model = model(two_nodes());
        let turned = Quat::from_rotation_z(1.0);
        let clip = clip("c", vec![channel(0, &[0.0, 1.0], Track::Rotation(vec![Quat::IDENTITY, -turned]))]);
        let pose = clip_pose(&model, &clip, 0.5, false, Vec3::Y).pose;
        let expected = Quat::from_rotation_z(0.5) * Vec3::Y;
        assert!(pose.model_from_node[1].w_axis.truncate().abs_diff_eq(expected, 1.0e-6));
    }

    #[test]
    fn morph_weights_are_mixed_target_by_target() {
        let mut model = model(two_nodes());
        model.nodes[0].morph_weights = vec![0.0, 0.0];
        let track = Track::MorphWeights { targets: 2, values: vec![0.0, 1.0, 1.0, 0.5] };
        let clip = clip("c", vec![channel(0, &[0.0, 1.0], track)]);
        assert_eq!(clip_pose(&model, &clip, 0.5, false, Vec3::Y).pose.morph_weights[0], [0.5, 0.75]);
    }

    /// The hips walk 2 m along z with a sway of 0.1 in x and a bob: only the straight line goes.
    #[test]
    fn in_place_takes_out_the_line_and_leaves_sway_and_height() {
        let model = model(two_nodes());
        let keys = vec![Vec3::Y, Vec3::new(0.1, 1.2, 1.0), Vec3::new(0.0, 1.0, 2.0)];
        let clip = clip(
            "walk",
            vec![
                channel(0, &[0.0, 1.0], Track::Translation(vec![Vec3::ZERO, Vec3::ZERO])),
                channel(1, &[0.0, 0.5, 1.0], Track::Translation(keys)),
            ],
        );
        assert!(place(&model, &clip, 0.5, true, 1).abs_diff_eq(Vec3::new(0.1, 1.2, 0.0), 1.0e-6));
        assert!(place(&model, &clip, 1.0, true, 1).abs_diff_eq(Vec3::Y, 1.0e-6));
        assert!((clip_pose(&model, &clip, 0.5, true, Vec3::Y).removed - 2.0).abs() < 1.0e-6);
        assert!(place(&model, &clip, 1.0, false, 1).abs_diff_eq(Vec3::new(0.0, 1.0, 2.0), 1.0e-6));
    }

    /// An armature in centimetres lying on its back: its z is the model's y, its -y the model's z.
    #[test]
    fn travel_is_read_in_model_space() {
        let mut nodes = two_nodes();
        nodes[0].rest = Transform::Parts {
            translation: Vec3::ZERO,
            rotation: Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
            scale: Vec3::splat(0.01),
        };
        let model = model(nodes);
        let keys = vec![Vec3::new(0.0, 0.0, 100.0), Vec3::new(0.0, -150.0, 110.0)];
        let clip = clip("walk", vec![channel(1, &[0.0, 1.0], Track::Translation(keys))]);
        let last = place(&model, &clip, 1.0, true, 1);
        assert!(last.abs_diff_eq(Vec3::new(0.0, 1.1, 0.0), 1.0e-5), "{last}");
    }
}
