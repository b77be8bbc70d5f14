//! A cell with every default applied: what it is, before any file is opened.

use indexmap::IndexMap;

use crate::study::{
    Background, Direction, FrameScope, FreeCamera, GroundChoice, LightChoice, ModelFile, Projection, Region, Rgb8,
    StyleName,
};

/// One point of the product of a study's axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Position in the plan.
    pub index: usize,
    /// `study/value/value/...` in axis order.
    pub name: String,
    /// For each axis of the study, the position of its value.
    pub values: Vec<usize>,
    /// What it shows.
    pub spec: CellSpec,
}

/// Everything that a cell is told, defaults applied. Degrees are gone: angles are radians.
#[derive(Debug, Clone, PartialEq)]
pub struct CellSpec {
    /// Who.
    pub subject: SubjectSpec,
    /// Wearing what.
    pub load: Option<ModelFile>,
    /// In which pose.
    pub pose: PoseSpec,
    /// Seen from where.
    pub view: ViewSpec,
    /// Under which light.
    pub light: LightChoice,
    /// How surfaces answer it.
    pub style: StyleName,
    /// Whether the shadow catcher is drawn.
    pub ground: GroundChoice,
    /// What is behind it in a sheet.
    pub background: Background,
    /// What is changed about the model.
    pub variant: VariantSpec,
    /// Columns and rows of the cell.
    pub size_px: [u32; 2],
    /// Samples a pixel and side.
    pub samples: u32,
}

/// A character and what the study says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectSpec {
    /// Its file.
    pub file: ModelFile,
    /// Height to scale it to, metres.
    pub height_m: Option<f32>,
    /// Which way the file faces.
    pub forward: Option<Direction>,
    /// Which way is up in the file.
    pub up: Option<Direction>,
    /// Meshes, materials or nodes that are never drawn: they count for nothing, the height included.
    pub hide: Vec<String>,
    /// Clip names of the study to clip names of the file.
    pub clips: IndexMap<String, String>,
    /// More files with clips.
    pub clip_files: Vec<ModelFile>,
    /// Role name to joint name.
    pub roles: IndexMap<String, String>,
    /// What counts as the head.
    pub head: Option<Region>,
    /// What counts as the face.
    pub face: Option<Region>,
    /// What counts as the eyes.
    pub eyes: Option<Region>,
}

/// A pose by name.
#[derive(Debug, Clone, PartialEq)]
pub enum PoseSpec {
    /// As the mesh was bound to its joints.
    Bind,
    /// As the file's nodes stand.
    Rest,
    /// A moment of a clip.
    Clip {
        /// The clip's name as the study wrote it.
        name: String,
        /// 0 to 1 over all the clip's channels.
        phase: f32,
        /// Whether its travel is taken out; `None` lets the name decide (idle and walk: yes).
        in_place: Option<bool>,
    },
}

/// Where a cell is seen from.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewSpec {
    /// About +Y from the facing, counter-clockwise seen from above.
    pub azimuth_rad: f32,
    /// Up positive.
    pub elevation_rad: f32,
    /// How depth becomes size.
    pub projection: Projection,
    /// Vertical field of view.
    pub field_rad: f32,
    /// What decides the distance.
    pub framing: Framing,
}

/// What decides the camera's distance and target.
#[derive(Debug, Clone, PartialEq)]
pub enum Framing {
    /// Everything of a scope fits.
    Fit {
        /// Which cells share the frame.
        scope: FrameScope,
        /// Pins the scale.
        px_per_m: Option<f32>,
    },
    /// The eye is this far from the head joint, on its level.
    Distance {
        /// Metres.
        distance_m: f32,
        /// Height of the screen that the field of view spans, pixels.
        screen_px: u32,
    },
    /// Placed by hand.
    Free(FreeCamera),
}

/// Which of the model is drawn, and what is changed about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VariantSpec {
    /// Level of detail, 0 the finest; the model's last where it has fewer.
    pub lod: usize,
    /// Not drawn.
    pub hide: Vec<String>,
    /// Only these are drawn.
    pub show: Vec<String>,
    /// New base colours.
    pub recolour: IndexMap<String, Rgb8>,
    /// Painted in one tone.
    pub flatten: Vec<String>,
}

impl VariantSpec {
    /// Whether it is the model as it is, at its finest.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
