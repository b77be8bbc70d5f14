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
        let Some(track) = self.track(property, targets, times.len(), a_key, notices)? else { return Ok(None) };
        let mut channel = Channel { node, track, times_secs: times, interpolation };
        notices.count(notice::KEYS_NOT_RISING, &at_input, drop_unordered_keys(&mut channel, a_key));
        Ok(Some(channel))
    }

    /// The values of a property at `keys` keys, `a_key` each; `None` where one is not finite.
    fn track(
        &self,
        property: Property,
        targets: usize,
        keys: usize,
        a_key: usize,
        notices: &mut Notices,
    ) -> Result<Option<Track>, AssetError> {
        let place = self.place.field("output");
        // Keys were read, so that three times their number is no overflow.
        let count = keys * a_key;
        let output = self.sampler.output;
        Ok(match property {
            Property::Translation | Property::Scale => {
                let values = self.values::<3>(output, Integers::AsMarked, count, &place, notices)?;
                let values = values.map(|values| values.into_iter().map(Vec3::from_array).collect());
                values.map(if property == Property::Scale { Track::Scale } else { Track::Translation })
            }
            Property::Rotation => {
                let values = self.values::<4>(output, Integers::Normalised, count, &place, notices)?;
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::sample::{I16, Sample, shorts};
    use super::*;

    /// One node, one channel: `path` with keys at `times` and `values`.
    fn animated(path: &str, interpolation: &str, times: &[f32], kind: &str, values: &[f32]) -> Sample {
        let mut sample = Sample::empty();
        let (input, output) = (sample.floats("SCALAR", times), sample.floats(kind, values));
        sample.json["nodes"] = json!([{}]);
        sample.json["animations"] = json!([{"name": "Walk",
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
            "samplers": [{"input": input, "output": output, "interpolation": interpolation}]}]);
        sample
    }

    fn translations(channel: &Channel) -> Vec<f32> {
        let Track::Translation(values) = &channel.track else { panic!("{channel:?}") };
        values.iter().map(|value| value.x).collect()
    }

    #[test]
    fn keys_are_read_with_their_span_and_interpolation() {
        for (name, interpolation) in [("STEP", Interpolation::Step), ("LINEAR", Interpolation::Linear)] {
            let values = [1.0, 0.0, 0.0, 2.0, 0.0, 0.0];
            let clip = animated("translation", name, &[0.5, 2.0], "VEC3", &values).load().clips.remove(0);
            assert_eq!((clip.name.as_str(), clip.first_secs, clip.last_secs), ("Walk", 0.5, 2.0));
            assert_eq!(clip.channels[0].interpolation, interpolation);
            assert_eq!(translations(&clip.channels[0]), [1.0, 2.0]);
        }
    }

    #[test]
    fn splines_keep_three_values_a_key_and_only_the_middle_is_a_rotation() {
        let values = [0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 7.0];
        let model = animated("rotation", "CUBICSPLINE", &[0.0], "VEC4", &values).load();
        let channel = &model.clips[0].channels[0];
        assert_eq!(channel.interpolation, Interpolation::CubicSpline);
        let Track::Rotation(values) = &channel.track else { panic!("{channel:?}") };
        assert_eq!(values.iter().map(|value| value.w).collect::<Vec<_>>(), [5.0, 1.0, 7.0]);
    }

    #[test]
    fn integer_rotations_are_normalised_whether_marked_or_not() {
        let mut sample = animated("rotation", "LINEAR", &[0.0], "VEC4", &[0.0; 4]);
        let output = sample.data(I16, "VEC4", &shorts(&[0, 0, 0, 0x8001]));
        sample.json["animations"][0]["samplers"][0]["output"] = output.into();
        let model = sample.load();
        let Track::Rotation(values) = &model.clips[0].channels[0].track else { panic!("rotations") };
        assert_eq!(values[0], Quat::from_xyzw(0.0, 0.0, 0.0, -1.0));
        assert!(sample.finding("ROTATION_NOT_UNIT").is_none());
    }

    #[test]
    fn morph_weights_come_flat_with_the_targets_of_their_mesh() {
        let mut sample = animated("weights", "LINEAR", &[0.0, 1.0], "SCALAR", &[0.0, 1.0, 0.5, 0.25]);
        let mesh = Sample::triangle();
        // Without targets there is nothing to move.
        assert!(sample.load().clips[0].channels.is_empty());
        assert!(sample.finding("CHANNEL_NO_MORPHS").is_some());
        let positions = sample.floats("VEC3", &[0.0; 9]);
        sample.json["meshes"] = mesh.json["meshes"].clone();
        sample.json["meshes"][0]["primitives"][0] =
            json!({"attributes": {"POSITION": positions}, "targets": [{}, {"POSITION": positions}]});
        sample.json["nodes"] = json!([{"mesh": 0}]);
        let model = sample.load();
        let Track::MorphWeights { targets, values } = &model.clips[0].channels[0].track else { panic!("weights") };
        assert_eq!((*targets, values.as_slice()), (2, [0.0, 1.0, 0.5, 0.25].as_slice()));
    }

    #[test]
    fn too_few_values_are_refused_and_too_many_ignored() {
        let few = animated("translation", "CUBICSPLINE", &[0.0, 1.0], "VEC3", &[0.0; 15]);
        assert_eq!(few.error(), ("COUNT_MISMATCH", "/animations/0/channels/0/sampler/output".to_owned()));
        let many = animated("translation", "LINEAR", &[0.0], "VEC3", &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert_eq!(translations(&many.load().clips[0].channels[0]), [1.0]);
        assert!(many.finding("KEYS_SURPLUS").is_some());
    }

    #[test]
    fn keys_that_do_not_rise_are_left_out_with_their_values() {
        let values: Vec<f32> = (0..15).map(|at| (at / 3) as f32).collect();
        let sample = animated("translation", "LINEAR", &[0.0, 1.0, 1.0, 0.5, 2.0], "VEC3", &values);
        let channel = &sample.load().clips[0].channels[0];
        assert_eq!(
            (channel.times_secs.as_slice(), translations(channel)),
            ([0.0, 1.0, 2.0].as_slice(), vec![0.0, 1.0, 4.0])
        );
        assert!(sample.finding("KEYS_NOT_RISING").unwrap().message.starts_with("2 "));
        let sample = animated("translation", "CUBICSPLINE", &[0.0, 0.0], "VEC3", &[7.0; 18]);
        assert_eq!(translations(&sample.load().clips[0].channels[0]).len(), 3);
    }

    #[test]
    fn a_channel_with_a_value_that_is_not_finite_is_left_out() {
        for (times, values) in [([f32::NAN], [0.0; 3]), ([0.0], [0.0, f32::INFINITY, 0.0])] {
            let sample = animated("scale", "LINEAR", &times, "VEC3", &values);
            assert!(sample.load().clips[0].channels.is_empty());
            assert!(sample.finding("CHANNEL_NOT_FINITE").is_some());
        }
    }

    #[test]
    fn odd_channels_are_left_out_and_said() {
        let with = |target: Value| {
            let mut sample = animated("translation", "LINEAR", &[0.0], "VEC3", &[1.0, 0.0, 0.0]);
            let channels = sample.json["animations"][0]["channels"].as_array_mut().unwrap();
            channels.push(json!({"sampler": 0, "target": target}));
            assert_eq!(sample.load().clips[0].channels.len(), 1);
            sample
        };
        assert!(with(json!({"node": 0, "path": "translation"})).finding("CHANNEL_DUPLICATE").is_some());
        assert!(with(json!({"node": 0, "path": "pointer"})).finding("CHANNEL_UNKNOWN").is_some());
        assert!(with(json!({"path": "translation"})).finding("CHANNEL_WITHOUT_NODE").is_some());
    }

    #[test]
    fn what_a_channel_names_has_to_be_there() {
        let mut sample = animated("translation", "LINEAR", &[0.0], "VEC3", &[0.0; 3]);
        sample.json["animations"][0]["channels"][0]["sampler"] = 1.into();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/animations/0/channels/0/sampler".to_owned()));
        sample.json["animations"][0]["channels"][0]["target"]["node"] = 1.into();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/animations/0/channels/0/target/node".to_owned()));
    }

    #[test]
    fn a_matrix_that_a_clip_moves_is_split_into_parts() {
        let mut sample = animated("translation", "LINEAR", &[0.0], "VEC3", &[0.0; 3]);
        let matrix = glam::Mat4::from_scale_rotation_translation(Vec3::splat(2.0), Quat::IDENTITY, Vec3::X);
        sample.json["nodes"] = json!([{"matrix": matrix.to_cols_array()}]);
        let rest = sample.load().nodes[0].rest;
        assert_eq!(rest, Transform::Parts { translation: Vec3::X, rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) });
        assert!(sample.finding("MATRIX_ANIMATED").is_some());
    }
}
