//! What a recipe says of shapes and parts. docs/kit.md explains each key.

use serde::Deserialize;
use toml::Spanned;

/// One line of a part's or form's list. Which keys a shape takes depends on its kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeSpec {
    /// `limb` where absent.
    #[serde(default)]
    pub shape: Option<Spanned<String>>,
    /// The bone that carries it; needed on a worker, absent on a load.
    #[serde(default)]
    pub bone: Option<Spanned<String>>,
    /// One radius or several, by kind.
    pub r: Spanned<Numbers>,
    /// Where along the bone: of a limb's start and end, of any other shape's middle.
    #[serde(default)]
    pub from: Option<f64>,
    #[serde(default)]
    pub to: Option<f64>,
    #[serde(default)]
    pub at: Option<f64>,
    /// Away from there, in the bone's frame.
    #[serde(default)]
    pub off: [f64; 3],
    /// Points of a path, from `at` and `off`.
    #[serde(default)]
    pub path: Option<Vec<[f64; 3]>>,
    /// About x, then y, then z of the bone's frame.
    #[serde(default)]
    pub turn_deg: [f64; 3],
    /// Stretches the cross-section sideways, front to back.
    #[serde(default = "one")]
    pub wide: f64,
    #[serde(default = "one")]
    pub deep: f64,
    /// Lies on the surface of that part, or of the form, so far outside.
    #[serde(default)]
    pub on: Option<Spanned<String>>,
    #[serde(default)]
    pub lift: f64,
    /// Of a bone's two sides only the `left` or the `right`.
    #[serde(default)]
    pub side: Option<Spanned<String>>,
    /// Rounds the edges of a box or tube.
    #[serde(default)]
    pub round: Option<f64>,
    /// What its skin has been through.
    #[serde(default)]
    pub pleats: Option<PleatsSpec>,
    #[serde(default)]
    pub rough: Option<Spanned<RoughSpec>>,
    #[serde(default)]
    pub chips: Option<Spanned<ChipsSpec>>,
    /// Overrides the part's own.
    #[serde(default)]
    pub blend: Option<f64>,
    /// Takes away what it covers.
    #[serde(default)]
    pub cut: bool,
    /// Leaves only what it covers.
    #[serde(default)]
    pub within: bool,
    /// Also mirrored to the other side, on a bone of the middle.
    #[serde(default)]
    pub twin: bool,
    /// Moves with its own bone alone.
    #[serde(default)]
    pub rigid: bool,
    /// Which place of the face it makes: a landmark of the truth file.
    #[serde(default)]
    pub mark: Option<Spanned<String>>,
    /// Paint only: which colour.
    #[serde(default)]
    pub colour: Option<Spanned<String>>,
    /// Paint and detail: how far it fades.
    #[serde(default)]
    pub fade: Option<f64>,
    /// Detail only: how many times as much it is worth here.
    #[serde(default)]
    pub keep: Option<f64>,
}

/// Folds that run up and down: see `Pleats`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PleatsSpec {
    pub count: u32,
    pub depth: f64,
    /// Heights about the shape's middle: where folds begin, where they are deepest.
    pub from: f64,
    pub to: f64,
    #[serde(default)]
    pub uneven: f64,
    /// Over a length of 100.
    #[serde(default)]
    pub twist_deg: f64,
}

/// Dents and bumps: see `Rough`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoughSpec {
    /// One number, or one along each axis of the shape.
    pub size: Spanned<Numbers>,
    pub depth: f64,
    #[serde(default)]
    pub seed: u32,
    #[serde(default)]
    pub cracked: bool,
}

/// Broken edges and corners of a box: see `Chips`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChipsSpec {
    pub count: u32,
    pub depth: f64,
    #[serde(default)]
    pub seed: u32,
}

const fn one() -> f64 {
    1.0
}

impl ShapeSpec {
    /// The same shape, all its lengths `by` times as long; where it is along its bone stays.
    pub(super) fn scaled(&self, by: f64) -> Self {
        let times = |lengths: [f64; 3]| lengths.map(|length| length * by);
        let all = |numbers: &Spanned<Numbers>| {
            Spanned::new(numbers.span(), Numbers(numbers.get_ref().0.iter().map(|number| number * by).collect()))
        };
        let pleats = |own: PleatsSpec| PleatsSpec {
            depth: own.depth * by,
            from: own.from * by,
            to: own.to * by,
            twist_deg: own.twist_deg / by,
            ..own
        };
        let rough = |own: &Spanned<RoughSpec>| {
            let spec = own.get_ref();
            Spanned::new(own.span(), RoughSpec { size: all(&spec.size), depth: spec.depth * by, ..spec.clone() })
        };
        let chips = |own: &Spanned<ChipsSpec>| {
            let spec = own.get_ref();
            Spanned::new(own.span(), ChipsSpec { depth: spec.depth * by, ..*spec })
        };
        Self {
            r: all(&self.r),
            pleats: self.pleats.map(pleats),
            rough: self.rough.as_ref().map(rough),
            chips: self.chips.as_ref().map(chips),
            off: times(self.off),
            path: self.path.as_ref().map(|points| points.iter().copied().map(times).collect()),
            round: self.round.map(|round| round * by),
            blend: self.blend.map(|blend| blend * by),
            fade: self.fade.map(|fade| fade * by),
            lift: self.lift * by,
            ..self.clone()
        }
    }
}

/// A closed surface with one material.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartSpec {
    pub name: Spanned<String>,
    pub colour: Spanned<String>,
    #[serde(default)]
    pub cell: Option<f64>,
    /// Makes each of its tubes an exact prism of that many sides.
    #[serde(default)]
    pub sides: Option<u32>,
    /// Edges that turn by more are lit as hard.
    #[serde(default)]
    pub crease_deg: Option<f64>,
    /// How many triangles it has, whatever the others have.
    #[serde(default)]
    pub triangles: Option<usize>,
    /// Is no surface of its own but what of that part's lies in its shapes.
    #[serde(default)]
    pub from: Option<Spanned<String>>,
    /// How much more its detail is worth than another part's.
    #[serde(default = "one")]
    pub keep: f64,
    /// Texels along a length, times those of other parts.
    #[serde(default = "one")]
    pub texels: f64,
    #[serde(default)]
    pub blend: Option<f64>,
    /// Makes its own shapes and paint that many times as large, where they are.
    #[serde(default = "one")]
    pub scale: f64,
    /// Bones whose shapes of the form it takes, `shin` or `shin:0-0.6`.
    #[serde(default)]
    pub take: Vec<Spanned<String>>,
    /// Added to what it takes.
    #[serde(default)]
    pub grow: f64,
    #[serde(default)]
    pub shapes: Vec<Spanned<ShapeSpec>>,
    #[serde(default)]
    pub paint: Vec<Spanned<ShapeSpec>>,
    /// Where its detail is worth more than elsewhere.
    #[serde(default)]
    pub detail: Vec<Spanned<ShapeSpec>>,
    /// Every shape moves with its own bone alone.
    #[serde(default)]
    pub rigid: bool,
    /// The part whose skin weights it takes.
    #[serde(default)]
    pub follows: Option<Spanned<String>>,
    /// The bone whose node carries the mesh, which then has no skin.
    #[serde(default)]
    pub rides: Option<Spanned<String>>,
    /// In the file, but shown only where a study asks for it: another style of hair.
    #[serde(default)]
    pub hidden: bool,
    /// Left out of both coarser levels of detail: too small to be seen there.
    #[serde(default)]
    pub fine_only: bool,
    /// Left out of the level that stands still.
    #[serde(default)]
    pub no_static: bool,
    /// `hair`, `hat` or `tail`, where the bones that move it do not say so.
    #[serde(default)]
    pub is: Option<Spanned<String>>,
    /// Which mask of a study it is in besides the head: `face` or `eyes`.
    #[serde(default)]
    pub mask: Option<Spanned<String>>,
}

/// A number or a list of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "OneOrMany")]
pub(super) struct Numbers(pub Vec<f64>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

impl From<OneOrMany> for Numbers {
    fn from(given: OneOrMany) -> Self {
        match given {
            OneOrMany::One(number) => Self(vec![number]),
            OneOrMany::Many(numbers) => Self(numbers),
        }
    }
}
