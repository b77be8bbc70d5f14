//! Decide which bones move a vertex, and how much.
//!
//! Reads: a vertex, the solids of its part, the bones. Writes: up to eight joints with weights that sum
//! to one. Pure.
//!
//! The solids near the vertex say which bones may move it: each its own bone and that bone's
//! neighbours in the skeleton. So a hand that hangs by a thigh never moves it. Among those, each has a
//! say of one over the fourth power of its distance: no edge anywhere, and broader where flesh is thicker.

use glam::DVec3;

use super::field::Placed;
use super::skeleton::{Role, Skeleton};
use super::trig::smooth;

/// Weights are whole multiples of this, so that they sum to one exactly.
const STEPS: u32 = 1024;
/// How many bones may move one vertex.
const MOST: usize = 8;

/// (bone, weight) pairs, by falling weight.
pub(super) fn weights(skeleton: &Skeleton, solids: &[Placed], at: DVec3, fade: f64) -> Vec<(usize, f32)> {
    let near: Vec<(f64, &Placed)> =
        solids.iter().filter(|solid| !solid.cut && !solid.within).map(|solid| (solid.distance(at), solid)).collect();
    let nearest = near.iter().map(|(distance, _)| *distance).fold(f64::INFINITY, f64::min);
    let mut sums = vec![0.0; skeleton.bones.len()];
    for (distance, solid) in near {
        let share = falloff((distance - nearest) / fade);
        if share > 0.0 {
            spread(skeleton, solid, at, share, &mut sums);
        }
    }
    rounded(&sums)
}

/// Shares one solid's say among its bone and that bone's neighbours.
fn spread(skeleton: &Skeleton, solid: &Placed, at: DVec3, share: f64, sums: &mut [f64]) {
    if solid.rigid {
        sums[solid.bone] += share;
        return;
    }
    let candidates = neighbours(skeleton, solid.bone);
    let away: Vec<f64> = candidates.iter().map(|bone| to_bone(skeleton, *bone, at)).collect();
    let nearest = away.iter().copied().fold(f64::INFINITY, f64::min);
    let skirt = Skirt::of(skeleton, solid.bone);
    let says: Vec<f64> = std::iter::zip(&candidates, away)
        .map(|(bone, away)| match &skirt {
            Some(skirt) => skirt.share(&skeleton.bones[*bone].role, at) * say(away, nearest, skirt.soft(at)),
            None => say(away, 0.0, 0.5),
        })
        .collect();
    let total: f64 = says.iter().sum();
    for (bone, say) in std::iter::zip(candidates, says) {
        sums[bone] += share * say / total;
    }
}

/// One over the distance to the fourth, evened out below `soft`; most of what all are away at `nearest` does
/// not count.
fn say(away: f64, nearest: f64, soft: f64) -> f64 {
    let square = away * away - STANDING * nearest * nearest + soft * soft;
    1.0 / (square * square)
}

/// How much of its distance from the nearest bone does not matter to what hangs round the legs.
const STANDING: f64 = 0.8;

/// What hangs on the hips is shared by thighs that go opposite ways. Two thighs of the same distance `d` change
/// hands over `(0.2 d^2 + soft^2) / (2 wide)`, where `wide` is half the hip joints' distance; a stride moves cloth
/// that hangs `drop` below them apart by about `0.85 drop`. So `soft` grows with both, and no skirt is stretched
/// to twice its length. Below the joints the spine lets go.
struct Skirt {
    wide: f64,
    joint_y: f64,
}

impl Skirt {
    fn of(skeleton: &Skeleton, bone: usize) -> Option<Self> {
        let thigh = skeleton.bones.iter().find(|other| other.role == Role::Thigh && other.parent == Some(bone))?;
        Some(Self { wide: (thigh.head.x - skeleton.bones[bone].head.x).abs(), joint_y: thigh.head.y })
    }

    fn soft(&self, at: DVec3) -> f64 {
        let drop = (self.joint_y - at.y).max(0.0);
        (self.wide * (self.wide + 1.2 * drop)).sqrt()
    }

    fn share(&self, role: &Role, at: DVec3) -> f64 {
        if matches!(role, Role::Spine(_)) { smooth(1.0 + (at.y - self.joint_y) / (1.5 * self.wide)) } else { 1.0 }
    }
}

/// To the bone; to the hips also as broad as the hip joints lie apart, or a thigh would own its hip.
fn to_bone(skeleton: &Skeleton, bone: usize, at: DVec3) -> f64 {
    let own = &skeleton.bones[bone];
    let along = to_segment(at, own.head, own.tail);
    if own.role != Role::Hips {
        return along;
    }
    let thighs = skeleton.bones.iter().filter(|bone| bone.role == Role::Thigh);
    thighs.map(|thigh| to_segment(at, own.head, thigh.head)).fold(along, f64::min)
}

/// The bone, its parent and its children; along the trunk also the next but one. Chains take part
/// only among themselves and in the bone they hang on.
fn neighbours(skeleton: &Skeleton, bone: usize) -> Vec<usize> {
    let role = |at: usize| &skeleton.bones[at].role;
    let parent = |at: usize| skeleton.bones[at].parent;
    let chained = |at: usize| matches!(role(at), Role::Chain { .. });
    let trunk = |at: usize| matches!(role(at), Role::Hips | Role::Spine(_));
    let related = |other: usize| {
        other == bone
            || parent(other) == Some(bone)
            || parent(bone) == Some(other)
            || (trunk(bone) && trunk(other) && bone.abs_diff(other) <= 2)
    };
    (0..skeleton.bones.len())
        .filter(|other| skeleton.bones[*other].deforms() && related(*other))
        .filter(|other| chained(bone) || !chained(*other))
        .collect()
}

fn to_segment(at: DVec3, head: DVec3, tail: DVec3) -> f64 {
    let along = tail - head;
    let share = ((at - head).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    (at - head - along * share).length()
}

/// 1 at 0, 0 from 1 on, smooth at both ends.
fn falloff(distance: f64) -> f64 {
    let left = (1.0 - distance * distance).max(0.0);
    left * left
}

/// The largest few as multiples of `1 / STEPS` that sum to one.
fn rounded(sums: &[f64]) -> Vec<(usize, f32)> {
    let mut kept: Vec<(usize, f64)> = sums.iter().copied().enumerate().filter(|(_, sum)| *sum > 0.0).collect();
    kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    kept.truncate(MOST);
    let total: f64 = kept.iter().map(|(_, sum)| sum).sum();
    let mut steps: Vec<(usize, u32)> =
        kept.iter().map(|(bone, sum)| (*bone, (sum / total * f64::from(STEPS)).floor() as u32)).collect();
    let given: u32 = steps.iter().map(|(_, count)| count).sum();
    if let Some(first) = steps.first_mut() {
        first.1 += STEPS - given;
    }
    steps.into_iter().filter(|(_, count)| *count > 0).map(|(bone, count)| (bone, count as f32 / STEPS as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_weights_sum_to_one_and_keep_the_largest_eight() {
        let weights = rounded(&[0.1, 0.0, 0.3, 0.2, 0.05, 0.04, 0.06, 0.07, 0.08, 0.03, 0.02]);
        let bones: Vec<usize> = weights.iter().map(|(bone, _)| *bone).collect();
        assert_eq!(bones, [2, 3, 0, 8, 7, 6, 4, 5]);
        assert_eq!(weights.iter().map(|(_, weight)| weight).sum::<f32>(), 1.0);
    }

    /// (0 + 4)^2 = 16 and (12 + 4)^2 = 256; twice as far is a sixteenth once that is far. Standing off 10, of
    /// which 0.8 do not count: (225 - 80 + 4)^2 = 22201.
    #[test]
    fn a_say_falls_with_the_fourth_power() {
        assert_eq!(say(0.0, 0.0, 2.0), 1.0 / 16.0);
        assert!((say(12f64.sqrt(), 0.0, 2.0) - 1.0 / 256.0).abs() < 1e-15);
        assert!((say(4000.0, 0.0, 2.0) * 16.0 / say(2000.0, 0.0, 2.0) - 1.0).abs() < 1e-5);
        assert!((say(15.0, 10.0, 2.0) - 1.0 / 22201.0).abs() < 1e-15);
    }

    /// Hip joints 4 to either side at height 50: the spine has let go 1.5 times that lower, at 44. There soft is
    /// the root of 4 (4 + 1.2 6) = 44.8.
    #[test]
    fn a_skirt_leaves_the_spine_below_the_hips() {
        let skirt = Skirt { wide: 4.0, joint_y: 50.0 };
        let share = |y: f64| skirt.share(&Role::Spine(0), DVec3::Y * y);
        assert_eq!((share(60.0), share(50.0), share(47.0), share(44.0)), (1.0, 1.0, 0.5, 0.0));
        assert_eq!(skirt.share(&Role::Thigh, DVec3::ZERO), 1.0);
        assert!((skirt.soft(DVec3::Y * 44.0) - 44.8f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn distance_to_a_segment_ends_at_its_ends() {
        let (head, tail) = (DVec3::ZERO, DVec3::Y * 2.0);
        assert_eq!(to_segment(DVec3::new(3.0, 1.0, 0.0), head, tail), 3.0);
        assert_eq!(to_segment(DVec3::new(0.0, 6.0, 3.0), head, tail), 5.0);
    }
}
