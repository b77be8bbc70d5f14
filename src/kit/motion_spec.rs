//! What a recipe says of its clips. Lengths are hundredths of the height, angles degrees.

use serde::Deserialize;
use toml::Spanned;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MotionSpec {
    pub idle: IdleSpec,
    pub walk: WalkSpec,
}

/// How a body holds itself, in either clip.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stance {
    /// Hips below, and behind, where the bind pose has them.
    #[serde(default)]
    pub crouch: f64,
    #[serde(default)]
    pub back: f64,
    /// Forward tip of the hips, of the spine in all, and how much the neck and head undo.
    #[serde(default)]
    pub hips_lean_deg: f64,
    #[serde(default)]
    pub lean_deg: f64,
    #[serde(default)]
    pub head_up_deg: f64,
    /// Arms from straight down: to the side, to the front; elbow bend.
    pub arm_out_deg: f64,
    #[serde(default)]
    pub arm_forward_deg: f64,
    pub elbow_deg: f64,
    /// How far the elbow bends inward instead of forward, and the wrist towards the palm.
    #[serde(default)]
    pub elbow_in_deg: f64,
    #[serde(default)]
    pub wrist_deg: f64,
    /// The right arm's, where it is held otherwise.
    #[serde(default)]
    pub right: ArmSpec,
    /// To the left: hips and, within them, spine and head turned; tilted so that the left side is higher.
    #[serde(default)]
    pub hips_turn_deg: f64,
    #[serde(default)]
    pub hips_tilt_deg: f64,
    #[serde(default)]
    pub turn_deg: f64,
    #[serde(default)]
    pub tilt_deg: f64,
    #[serde(default)]
    pub head_turn_deg: f64,
    #[serde(default)]
    pub head_tilt_deg: f64,
}

/// One arm: see [`Stance`]. What it does not say is the left's.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArmSpec {
    #[serde(default)]
    pub arm_out_deg: Option<f64>,
    #[serde(default)]
    pub arm_forward_deg: Option<f64>,
    #[serde(default)]
    pub elbow_deg: Option<f64>,
    #[serde(default)]
    pub elbow_in_deg: Option<f64>,
    #[serde(default)]
    pub wrist_deg: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IdleSpec {
    pub stance: Stance,
    /// Weight on the left leg: hips that far to its side.
    #[serde(default)]
    pub shift: f64,
    /// The left foot that far ahead of the right; between the ankles, as a share of the skeleton's stance.
    #[serde(default)]
    pub step: f64,
    #[serde(default = "whole")]
    pub spread: f64,
    /// Of the loop, and how many breaths it holds.
    pub secs: f64,
    #[serde(default = "two")]
    pub breaths: u32,
    /// The chest's rise, and the shoulders'.
    pub breathe_deg: f64,
    #[serde(default)]
    pub shrug_deg: f64,
    /// Hips from side to side.
    #[serde(default)]
    pub sway: f64,
    /// The head from side to side.
    #[serde(default)]
    pub look_deg: f64,
    /// Each bone of a chain from side to side.
    #[serde(default)]
    pub chain_deg: f64,
}

const fn whole() -> f64 {
    1.0
}

const fn two() -> u32 {
    2
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WalkSpec {
    pub stance: Stance,
    /// Of the cycle: one step of each foot.
    pub secs: f64,
    /// How far a cycle goes, hundredths of the finished height.
    pub stride: Spanned<f64>,
    /// The hips really go that far; else the ground is thought to move.
    #[serde(default)]
    pub travels: bool,
    /// Share of the cycle that a foot is on the ground.
    #[serde(default = "most")]
    pub planted: f64,
    /// How high a foot swings.
    pub lift: f64,
    /// Between the ankles, as a share of the stance's.
    #[serde(default = "most_narrow")]
    pub track: f64,
    /// Heel first, and heel up at the end.
    #[serde(default)]
    pub heel_deg: f64,
    /// Where its heel touches, behind the ankle, share of ankle to ball: less for a round heel than for a boot's.
    #[serde(default = "third")]
    pub heel: f64,
    #[serde(default)]
    pub toe_off_deg: f64,
    /// Hips up and down, from side to side.
    pub bob: f64,
    pub sway: f64,
    #[serde(default)]
    pub hips_yaw_deg: f64,
    #[serde(default)]
    pub hips_roll_deg: f64,
    #[serde(default)]
    pub shoulder_yaw_deg: f64,
    pub arm_swing_deg: f64,
    #[serde(default)]
    pub chain_deg: f64,
}

const fn most() -> f64 {
    0.62
}

const fn most_narrow() -> f64 {
    0.8
}

const fn third() -> f64 {
    0.35
}
