//! Read animations: for each node and property, rising key times and the values at them.
//!
//! Reads: animations and their accessors. Writes: [`Clip`]s in file order. A channel that cannot be used is
//! left out with a finding, since a character with one odd channel still walks.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use gltf::json;
use json::Index;
use json::animation::Property;
use json::validation::Checked;

use crate::base::NodeIndex;

use super::accessor::Integers;
use super::document::Document;
use super::error::{AssetError, Fault};
use super::model::{Channel, Clip, Interpolation, Node, Track, Transform};
use super::node::{is_unit, unit_or_identity};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// Reads every animation, and splits the matrices of nodes that one moves.
pub(super) fn read_clips(
    document: &Document<'_>,
    nodes: &mut [Node],
    notices: &mut Notices,
) -> Result<Vec<Clip>, AssetError> {
    let list = ROOT.field("animations");
    let mut clips = Vec::with_capacity(document.root.animations.len());
    for (at, animation) in document.root.animations.iter().enumerate() {
        clips.push(read_clip(document, animation, nodes, &list.index(at), notices)?);
    }
    split_matrices(&clips, nodes, notices);
    Ok(clips)
}

fn read_clip(
    document: &Document<'_>,
    animation: &json::Animation,
    nodes: &[Node],
    place: &Place<'_>,
    notices: &mut Notices,
) -> Result<Clip, AssetError> {
    let list = place.field("channels");
    let mut channels = Vec::with_capacity(animation.channels.len());
    let mut seen = HashSet::new();
    for (at, channel) in animation.channels.iter().enumerate() {
        let place = list.index(at);
        let target = place.field("target");
        document.resolve(&document.root.nodes, channel.target.node, "node", &target.field("node"))?;
        let sampler = document.resolve(&animation.samplers, channel.sampler, "sampler", &place.field("sampler"))?;
        let Checked::Valid(property) = channel.target.path else {
            notices.add(notice::CHANNEL_UNKNOWN, &target.field("path"));
            continue;
        };
        if !seen.insert((channel.target.node.value(), property as u8)) {
            notices.add(notice::CHANNEL_DUPLICATE, &place);
            continue;
        }
        let node = NodeIndex::new(channel.target.node.value());
        let samplers = place.field("sampler");
        let reading = Reading { document, sampler, place: &samplers };
        channels.extend(reading.channel(node, property, nodes[node.at()].morph_weights.len(), notices)?);
    }
    let times = || channels.iter().flat_map(|channel| &channel.times_secs).copied();
    let first_secs = times().reduce(f32::min).unwrap_or(0.0);
    let last_secs = times().reduce(f32::max).unwrap_or(0.0);
    Ok(Clip { name: animation.name.clone().unwrap_or_default(), channels, first_secs, last_secs })
}

/// A sampler on the way to becoming a channel.
struct Reading<'d> {
    document: &'d Document<'d>,
    sampler: &'d json::animation::Sampler,
    place: &'d Place<'d>,
}

impl Reading<'_> {
    /// The channel, or `None` where it was left out.
    fn channel(
        &self,
        node: NodeIndex,
        property: Property,
        targets: usize,
        notices: &mut Notices,
    ) -> Result<Option<Channel>, AssetError> {
        let interpolation = match self.sampler.interpolation {
            Checked::Valid(json::animation::Interpolation::Step) => Interpolation::Step,
            Checked::Valid(json::animation::Interpolation::CubicSpline) => Interpolation::CubicSpline,
            Checked::Valid(json::animation::Interpolation::Linear) => Interpolation::Linear,
            Checked::Invalid => {
                notices.add(notice::CHANNEL_UNKNOWN, &self.place.field("interpolation"));
                return Ok(None);
            }
        };
        if property == Property::MorphTargetWeights && targets == 0 {
            notices.add(notice::CHANNEL_NO_MORPHS, self.place);
            return Ok(None);
        }
        let at_input = self.place.field("input");
        let times = self.document.floats::<1>(self.sampler.input, Integers::AsMarked, &at_input, notices)?;
        let times: Vec<f32> = times.into_iter().map(|[time]| time).collect();
        if times.is_empty() || times.iter().any(|time| !time.is_finite()) {
            notices.add(notice::CHANNEL_NOT_FINITE, &at_input);
            return Ok(None);
        }
        let a_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let Some(track) = self.track(property, targets, times.len() * a_key, notices)? else { return Ok(None) };
        let mut channel = Channel { node, track, times_secs: times, interpolation };
        notices.count(notice::KEYS_NOT_RISING, &at_input, drop_unordered_keys(&mut channel, a_key));
        Ok(Some(channel))
    }

    /// `count` values of a property; `None` where one is not finite.
    fn track(
        &self,
        property: Property,
        targets: usize,
        count: usize,
        notices: &mut Notices,
    ) -> Result<Option<Track>, AssetError> {
        let place = self.place.field("output");
        let output = self.sampler.output;
        Ok(match property {
            Property::Translation | Property::Scale => {
                let values = self.values::<3>(output, Integers::AsMarked, count, &place, notices)?;
                let values = values.map(|values| values.into_iter().map(Vec3::from_array).collect());
                values.map(if property == Property::Scale { Track::Scale } else { Track::Translation })
            }
            Property::Rotation => {
                let values = self.values::<4>(output, Integers::Normalised, count, &place, notices)?;
                let a_key = count / self.keys_of(count);
                values.map(|values| Track::Rotation(rotations(values, a_key, &place, notices)))
            }
            Property::MorphTargetWeights => {
                let wanted = count.checked_mul(targets).ok_or_else(|| {
                    let fault = Fault::Count { has: 0, wanted: usize::MAX, why: "one a key and target" };
                    self.document.fail(&place, fault)
                })?;
                let values = self.values::<1>(output, Integers::Normalised, wanted, &place, notices)?;
                values.map(|values| Track::MorphWeights {
                    targets,
                    values: values.into_iter().map(|[value]| value).collect(),
                })
            }
        })
    }

    fn keys_of(&self, count: usize) -> usize {
        match self.sampler.interpolation {
            Checked::Valid(json::animation::Interpolation::CubicSpline) => count / 3,
            _ => count,
        }
    }

    fn values<const N: usize>(
        &self,
        output: Index<json::Accessor>,
        integers: Integers,
        wanted: usize,
        place: &Place<'_>,
        notices: &mut Notices,
    ) -> Result<Option<Vec<[f32; N]>>, AssetError> {
        let mut values = self.document.floats::<N>(output, integers, place, notices)?;
        if values.len() < wanted {
            let fault = Fault::Count { has: values.len(), wanted, why: "what its keys and interpolation imply" };
            return Err(self.document.fail(place, fault));
        }
        notices.count(notice::KEYS_SURPLUS, place, usize::from(values.len() > wanted));
        values.truncate(wanted);
        if values.iter().flatten().any(|value| !value.is_finite()) {
            notices.add(notice::CHANNEL_NOT_FINITE, place);
            return Ok(None);
        }
        Ok(Some(values))
    }
}

/// Rotations of unit length; the tangents of a spline are no rotations and stay as they are.
fn rotations(values: Vec<[f32; 4]>, a_key: usize, place: &Place<'_>, notices: &mut Notices) -> Vec<Quat> {
    let mut rotations: Vec<Quat> = values.into_iter().map(Quat::from_array).collect();
    let mut off = 0;
    for rotation in rotations.iter_mut().skip(a_key / 3).step_by(a_key) {
        off += usize::from(!is_unit(*rotation));
        *rotation = unit_or_identity(*rotation);
    }
    notices.count(notice::ROTATION_NOT_UNIT, place, off);
    rotations
}

/// Leaves out keys that are no later than the one before; gives how many.
fn drop_unordered_keys(channel: &mut Channel, a_key: usize) -> usize {
    let mut latest = f32::NEG_INFINITY;
    let kept: Vec<bool> = channel
        .times_secs
        .iter()
        .map(|time| {
            let rises = *time > latest;
            latest = latest.max(*time);
            rises
        })
        .collect();
    let dropped = kept.iter().filter(|kept| !**kept).count();
    if dropped == 0 {
        return 0;
    }
    fn keep<T>(list: &mut Vec<T>, kept: &[bool], a_key: usize) {
        let mut at = 0;
        list.retain(|_| {
            at += 1;
            kept[(at - 1) / a_key]
        });
    }
    keep(&mut channel.times_secs, &kept, 1);
    match &mut channel.track {
        Track::Translation(values) | Track::Scale(values) => keep(values, &kept, a_key),
        Track::Rotation(values) => keep(values, &kept, a_key),
        Track::MorphWeights { targets, values } => keep(values, &kept, a_key * *targets),
    }
    dropped
}

/// A clip moves parts of a transform, so that a matrix it moves has to have parts.
fn split_matrices(clips: &[Clip], nodes: &mut [Node], notices: &mut Notices) {
    let list = ROOT.field("nodes");
    for channel in clips.iter().flat_map(|clip| &clip.channels) {
        let rest = &mut nodes[channel.node.at()].rest;
        if let (Transform::Matrix(matrix), false) = (&rest, matches!(channel.track, Track::MorphWeights { .. })) {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            let place = list.index(channel.node.at());
            if scale.is_finite() && rotation.is_finite() && translation.is_finite() {
                *rest = Transform::Parts { translation, rotation: unit_or_identity(rotation), scale };
            } else {
                *rest = Transform::IDENTITY;
            }
            notices.add(notice::MATRIX_ANIMATED, &place);
        }
    }
}
