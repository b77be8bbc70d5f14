//! What a cell may be told: every setting of a study file, all optional until the plan merges them.
//!
//! Two axes that set one key for one cell are an error, so merging never has to choose. Defaults are
//! in `plan`, in one place.

use std::path::PathBuf;

use indexmap::IndexMap;

/// Settings of one axis value, or of the `[cell]` table that all cells start from.
///
/// Angles are degrees here, as the study writes them; lengths are metres.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The character: a model file, resolved against the study's folder, or `kit:...`.
    pub subject: Option<ModelFile>,
    /// Height to scale the subject to, metres.
    pub height_m: Option<f32>,
    /// Which way the file faces: `+x`, `-x`, `+y`, `-y`, `+z`, `-z`.
    pub forward: Option<Direction>,
    /// Which way is up in the file.
    pub up: Option<Direction>,
    /// Clip names of the study to clip names of the file.
    pub clips: Option<IndexMap<String, String>>,
    /// Files whose clips the subject may use too; joints are matched by name.
    pub clip_files: Option<Vec<ModelFile>>,
    /// Role name to joint name; wins over what is found.
    pub roles: Option<IndexMap<String, String>>,
    /// What counts as the head, where no head joint is known or another choice is meant.
    pub head: Option<Region>,
    /// What counts as the face.
    pub face: Option<Region>,
    /// What counts as the eyes.
    pub eyes: Option<Region>,
    /// What the subject carries; `none` is `Some(LoadChoice::None)`.
    pub load: Option<LoadChoice>,
    /// Clip to pose by; `bind` is the bind pose, `rest` the nodes' rest pose.
    pub clip: Option<String>,
    /// Phase of the clip, 0 to 1.
    pub at: Option<f32>,
    /// Whether the clip's travel is taken out.
    pub in_place: Option<bool>,
    /// Degrees counter-clockwise seen from above, 0 = front, 90 = the camera at its left.
    pub azimuth: Option<f32>,
    /// Degrees, up positive.
    pub elevation: Option<f32>,
    /// Perspective or orthographic.
    pub projection: Option<Projection>,
    /// Vertical field of view, degrees.
    pub field_deg: Option<f32>,
    /// Distance of the eye from the head joint, metres; replaces framing.
    pub distance_m: Option<f32>,
    /// Height of the screen that `distance_m` is meant for, pixels.
    pub screen_px: Option<u32>,
    /// A camera placed by hand.
    pub camera: Option<FreeCamera>,
    /// What is framed together.
    pub frame: Option<FrameScope>,
    /// Pins the scale of a `row` or `sheet` frame.
    pub px_per_m: Option<f32>,
    /// Samples a pixel and side.
    pub samples: Option<u32>,
    /// The light.
    pub light: Option<LightChoice>,
    /// How surfaces answer light.
    pub style: Option<StyleName>,
    /// Whether the shadow catcher is drawn.
    pub ground: Option<GroundChoice>,
    /// Linear grey or colour behind the cell, 0 to 1.
    pub background: Option<Background>,
    /// Meshes, materials or nodes that are not drawn.
    pub hide: Option<Vec<String>>,
    /// Only these meshes, materials or nodes are drawn.
    pub show: Option<Vec<String>>,
    /// Mesh, material or node name to a new base colour, `#rrggbb` sRGB; textures are kept and tinted.
    pub recolour: Option<IndexMap<String, Rgb8>>,
    /// Meshes, materials or nodes painted in one flat tone: the mean of their base colour.
    pub flatten: Option<Vec<String>>,
}

/// A model file as a study names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelFile {
    /// As written, for messages and tables.
    pub written: String,
    /// Where it is: resolved against the study's folder; a `kit:` name under the kit's folder.
    pub path: PathBuf,
    /// Whether the kit has to be built first.
    pub from_kit: bool,
}

/// An axis of a file, with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// +X
    PlusX,
    /// -X
    MinusX,
    /// +Y
    PlusY,
    /// -Y
    MinusY,
    /// +Z
    PlusZ,
    /// -Z
    MinusZ,
}

/// Part of a model, by the names that its file has; `*` matches any run of characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Region {
    /// Everything that is drawn.
    All,
    /// What hangs under these nodes, skinned vertices by their joints' weight.
    Nodes(Vec<String>),
    /// What has these materials.
    Materials(Vec<String>),
}

/// What the subject carries.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadChoice {
    /// Nothing.
    None,
    /// This prop.
    Prop(ModelFile),
}

/// How depth becomes size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Projection {
    /// Far is small.
    Perspective,
    /// All rays are parallel.
    Orthographic,
}

/// A camera placed by hand, in stage space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeCamera {
    /// Where it is, metres.
    pub eye: [f32; 3],
    /// What it looks at, metres.
    pub target: [f32; 3],
}

/// Which cells share one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameScope {
    /// A subject over all its poses and loads.
    Subject,
    /// All cells of a sheet row.
    Row,
    /// All cells of the study.
    Sheet,
    /// Each cell alone.
    Cell,
}

/// The light.
#[derive(Debug, Clone, PartialEq)]
pub enum LightChoice {
    /// Key and sky that go with the camera: every view is lit alike.
    Studio,
    /// The key alone, at E = pi, along the studio's direction.
    Camera,
    /// Sun and clear sky fixed in the world, at an elevation and an azimuth from the facing, degrees.
    Sun {
        /// Degrees above the horizon.
        elevation: f32,
        /// Degrees counter-clockwise from the facing, seen from above.
        azimuth: f32,
    },
    /// One light fixed to the camera or the world, with numbers.
    Key {
        /// Towards the light.
        to_light: [f32; 3],
        /// Whether `to_light` is in the camera's (right, up, back) rather than the stage's axes.
        camera_space: bool,
        /// Irradiance on a face turned to it, in units of pi.
        strength_pi: f32,
        /// Irradiance from the sky, in units of pi.
        sky_pi: f32,
        /// Irradiance from below, in units of pi.
        bounce_pi: f32,
        /// Whether it casts a shadow.
        shadow: bool,
    },
}

/// How surfaces answer light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StyleName {
    /// As the material says.
    Shaded,
    /// Diffuse only.
    Lambert,
    /// Albedo, unlit.
    Flat,
    /// The silhouette alone.
    Outline,
}

/// The shadow catcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroundChoice {
    /// A disc that is black where shadow falls.
    Shadow,
    /// Nothing.
    None,
}

/// What is behind a cell, linear, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background(pub [f32; 3]);

/// An 8-bit sRGB colour, written `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rgb8(pub [u8; 3]);
