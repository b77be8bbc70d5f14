//! Read a recipe: TOML into the types below, each complaint with its line.
//!
//! Lengths are hundredths of the thing's height unless the name says otherwise, angles are degrees.
//! What each number means to someone who writes a recipe is in docs/kit.md.

use std::ops::Range;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::error::{KitError, RecipeFault, choices_hint};
use super::levels::LevelsSpec;
use super::limits;
use super::motion_spec::MotionSpec;
use super::shape_spec::{PartSpec, ShapeSpec};

/// A recipe's text with the name that errors call it by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// Such as `workers/dwarf.toml`.
    pub file: &'a str,
    /// The whole file.
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at a byte range.
    pub(super) fn fault(&self, span: Range<usize>, message: impl Into<String>, hint: Option<String>) -> KitError {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        KitError::Recipe(RecipeFault { file: self.file.to_owned(), line, span, message: message.into(), hint })
    }

    /// An error that lists what could have been written.
    pub(super) fn unknown<'c>(
        &self,
        given: &Spanned<String>,
        what: &str,
        choices: impl Iterator<Item = &'c str>,
    ) -> KitError {
        let name = given.get_ref();
        self.fault(given.span(), format!("unknown {what} {name:?}"), Some(choices_hint(name, choices)))
    }

    pub(super) fn read(&self) -> Result<Recipe, KitError> {
        let recipe = toml::from_str(self.text)
            .map_err(|error| self.fault(error.span().unwrap_or(0..0), error.message(), None))?;
        limits::check(*self)?;
        Ok(recipe)
    }
}

/// A worker, where there is a skeleton; a head, where there is a bust; else a load.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    /// A few words, for people.
    pub title: String,
    /// Whose side it is on: colours of a faction go together. For people.
    #[serde(default)]
    pub faction: Option<String>,
    /// From the lowest drawn point to the highest, in the bind pose, metres.
    pub height_m: f64,
    #[serde(default)]
    pub skeleton: Option<Spanned<SkeletonSpec>>,
    #[serde(default)]
    pub bust: Option<Spanned<BustSpec>>,
    pub body: BodySpec,
    /// `#rrggbb`, sRGB, by the name that parts use.
    pub colours: IndexMap<String, Spanned<String>>,
    /// Gloss and metal, by colour name.
    #[serde(default)]
    pub finish: IndexMap<Spanned<String>, FinishSpec>,
    #[serde(default)]
    pub motion: Option<MotionSpec>,
    #[serde(default)]
    pub levels: Option<Spanned<LevelsSpec>>,
    #[serde(default)]
    pub analytic: Option<AnalyticSpec>,
}

/// Makes a worker an analytic body: its back is one shape, whose formula its truth states.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalyticSpec {
    /// The part that has that one shape.
    pub part: Spanned<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FinishSpec {
    /// 0 mirror to 1 chalk.
    #[serde(default = "dull")]
    pub roughness: f64,
    /// 0 or 1.
    #[serde(default)]
    pub metallic: f64,
    /// How much of its own colour it gives off as light.
    #[serde(default)]
    pub glow: f64,
    /// What is drawn on it where there is a texture, how large, how strong.
    #[serde(default)]
    pub pattern: Option<Spanned<String>>,
    #[serde(default)]
    pub pattern_size: Option<f64>,
    #[serde(default)]
    pub pattern_strength: Option<f64>,
}

pub(super) const fn dull() -> f64 {
    0.85
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodySpec {
    /// Edge of a grid cell; smaller is finer.
    pub cell: f64,
    /// In all parts together, about.
    pub triangles: usize,
    /// How far shapes melt into each other.
    pub blend: f64,
    /// Side of the texture that all parts share; colours of vertices where absent.
    #[serde(default)]
    pub texture_px: Option<Spanned<u32>>,
    /// The naked figure, which parts take from.
    #[serde(default)]
    pub form: Vec<Spanned<ShapeSpec>>,
    pub part: Vec<PartSpec>,
}

/// The bones of a head alone.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BustSpec {
    pub naming: Spanned<String>,
    pub axes: Spanned<String>,
    /// Neck joint above the ground, behind the middle.
    pub neck_up: f64,
    #[serde(default)]
    pub neck_back: f64,
    pub neck: f64,
    #[serde(default)]
    pub neck_lean_deg: f64,
    /// Head joint to crown.
    pub head: f64,
    #[serde(default)]
    pub head_lean_deg: f64,
    /// Head joint to the head-front bone.
    pub face: f64,
    #[serde(default)]
    pub chain: Vec<ChainSpec>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SkeletonSpec {
    pub naming: Spanned<String>,
    /// Which way bone axes lie: see `Axes`.
    pub axes: Spanned<String>,
    /// Left bones carry right names.
    #[serde(default)]
    pub swapped: bool,

    /// Hip joints above the ground, behind the middle, apart.
    pub hips: f64,
    #[serde(default)]
    pub hips_back: f64,
    pub hip_width: f64,
    /// Between the ankles.
    pub stance: f64,
    /// Knees ahead of the straight line from hip to ankle.
    pub knee_forward: f64,
    /// Ankles above the ground, behind the middle.
    pub ankle: f64,
    #[serde(default)]
    pub ankle_back: f64,
    /// Ankle to ball, ball to tip.
    pub foot: f64,
    pub toes: f64,
    #[serde(default)]
    pub toe_out_deg: f64,

    /// Lengths from the hips up: hips first, chest last.
    pub spine: Spanned<Vec<f64>>,
    /// Forward from upright, one for each of `spine`.
    pub spine_lean_deg: Spanned<Vec<f64>>,
    pub neck: f64,
    #[serde(default)]
    pub neck_lean_deg: f64,
    /// Head joint to crown.
    pub head: f64,
    #[serde(default)]
    pub head_lean_deg: f64,
    /// Head joint to the head-front bone.
    pub face: f64,

    /// Between the upper-arm joints; below the neck joint; ahead of it.
    pub shoulders: f64,
    pub shoulder_drop: f64,
    #[serde(default)]
    pub shoulder_forward: f64,
    pub upper_arm: f64,
    pub forearm: f64,
    pub hand: f64,
    /// Below level, ahead of the side, elbow bend.
    pub arm_down_deg: f64,
    #[serde(default)]
    pub arm_forward_deg: f64,
    pub elbow_deg: f64,

    #[serde(default)]
    pub chain: Vec<ChainSpec>,
}

/// A tail or a lock of hair: a row of bones.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainSpec {
    pub name: Spanned<String>,
    pub on: Spanned<String>,
    /// Joints and the tip, from the bone it hangs on, model axes.
    pub points: Spanned<Vec<[f64; 3]>>,
}
