//! Whether clips close: where a loop ends it goes on as it began.

use glam::{Quat, Vec3};
use posegrid::asset::{Channel, Clip, Track};

use crate::WORKERS;
use crate::table::Table;

/// Rounding of stored turns, degrees a second.
const ROUNDING: f32 = 0.5;

/// How hard a clip's joints change their turning, degrees a second.
struct Jumps {
    inside: f32,
    seam: f32,
    /// Channels whose seam is worse than anywhere inside their own loop.
    worse: Vec<String>,
}

/// Turning between neighbouring keys, degrees a second about an axis of the joint.
fn speeds(channel: &Channel, turns: &[Quat]) -> Vec<Vec3> {
    let times = &channel.times_secs;
    let speed = |at: usize| {
        let step = turns[at].inverse() * turns[at + 1];
        let step = if step.w < 0.0 { -step } else { step };
        step.to_scaled_axis() * (1.0 / (times[at + 1] - times[at])).to_degrees()
    };
    (0..turns.len() - 1).map(speed).collect()
}

fn jumps(clip: &Clip, name: impl Fn(&Channel) -> String) -> Jumps {
    let mut found = Jumps { inside: 0.0, seam: 0.0, worse: Vec::new() };
    for channel in &clip.channels {
        let Track::Rotation(turns) = &channel.track else { continue };
        let speeds = speeds(channel, turns);
        let inside = speeds.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f32::max);
        let seam = speeds[speeds.len() - 1].distance(speeds[0]);
        if seam > inside + ROUNDING {
            found.worse.push(format!("{}: {seam:.2} against {inside:.2} deg/s", name(channel)));
        }
        (found.inside, found.seam) = (found.inside.max(inside), found.seam.max(seam));
    }
    found
}

#[test]
fn a_loop_goes_on_at_its_seam_as_smoothly_as_inside() {
    let mut rows = Vec::new();
    let mut worse = Vec::new();
    for subject in WORKERS.iter() {
        let mut cells = vec![subject.name.clone()];
        for clip in ["idle", "walk"] {
            let clip = subject.model.clips.iter().find(|own| own.name == clip).unwrap();
            let jumps = jumps(clip, |channel| {
                format!("{} {} {}", subject.name, clip.name, subject.model.node_name(channel.node))
            });
            cells.extend([
                clip.channels.len().to_string(),
                format!("{:.0}", jumps.inside),
                format!("{:.0}", jumps.seam),
            ]);
            worse.extend(jumps.worse);
        }
        rows.push(cells);
    }
    let heads =
        ["worker", "idle: channels", "jump inside", "jump at seam", "walk: channels", "jump inside", "jump at seam"];
    Table { heads: heads.to_vec(), rows }.is_in_the_document("loops");
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}

#[test]
fn every_channel_ends_on_the_key_that_it_began_with_but_for_the_way_travelled() {
    let mut travelled = Vec::new();
    for subject in WORKERS.iter() {
        for clip in &subject.model.clips {
            for channel in &clip.channels {
                let place = format!("{} {} {}", subject.name, clip.name, subject.model.node_name(channel.node));
                match &channel.track {
                    Track::Rotation(turns) => assert_eq!(turns.first(), turns.last(), "{place}"),
                    Track::Scale(sizes) => assert_eq!(sizes.first(), sizes.last(), "{place}"),
                    Track::MorphWeights { .. } => panic!("{place}: the kit has no morphs"),
                    Track::Translation(places) => {
                        let way = *places.last().unwrap() - places[0];
                        if way != Vec3::ZERO {
                            let stride_m = subject.height_m() * subject.walk("stride").unwrap() / 100.0;
                            assert!(
                                clip.name == "walk" && (way - Vec3::Z * stride_m).length() < 2e-5,
                                "{place}: {way}"
                            );
                            travelled.push(subject.name.as_str());
                        }
                    }
                }
            }
        }
    }
    let travels = |subject: &&crate::subject::Subject| subject.recipe["motion"]["walk"].get("travels").is_some();
    let stated: Vec<&str> = WORKERS.iter().filter(travels).map(|subject| subject.name.as_str()).collect();
    assert!(!stated.is_empty(), "a walk travels");
    assert_eq!(travelled, stated);
}

/// Two turns of a joint about y at steady speed, then a sudden stop at the seam.
#[test]
fn a_jump_at_the_seam_is_seen() {
    let key = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
    let channel = |turns: Vec<Quat>| Channel {
        node: posegrid::base::NodeIndex::new(0),
        times_secs: (0..turns.len()).map(|at| at as f32).collect(),
        track: Track::Rotation(turns),
        interpolation: posegrid::asset::Interpolation::Linear,
    };
    let clip = |turns: Vec<Quat>| Clip {
        name: "test".to_owned(),
        channels: vec![channel(turns)],
        first_secs: 0.0,
        last_secs: 4.0,
    };
    let there_and_back = jumps(&clip([0.0, 10.0, 20.0, 10.0, 0.0].map(key).to_vec()), |_| "joint".to_owned());
    assert!((there_and_back.inside - 20.0).abs() < 0.01 && (there_and_back.seam - 20.0).abs() < 0.01);
    assert!(there_and_back.worse.is_empty());
    let sudden = jumps(&clip([0.0, 2.0, 6.0, 12.0, 20.0].map(key).to_vec()), |_| "joint".to_owned());
    assert!((sudden.inside - 2.0).abs() < 0.01 && (sudden.seam - 6.0).abs() < 0.01, "{}", sudden.seam);
    assert_eq!(sudden.worse.len(), 1);
}
