//! All that the renderer needs to draw one cell, and nothing of where it came from.
//!
//! Spaces: *stage* is metres, right-handed, +Y up, the subject facing +Z, its lowest drawn bind vertex
//! at y = 0; *view* looks along -Z; *clip* has x, y -1 to 1, y up, z 0 to 1.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use crate::asset::{Image, Material};
use crate::base::Digest;
use crate::light::Lights;

/// One cell, ready to draw.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The cell's name, for messages only.
    pub name: String,
    /// Columns of the finished cell.
    pub width_px: u32,
    /// Rows of the finished cell.
    pub height_px: u32,
    /// Samples a pixel and side: 2 means four a pixel.
    pub samples: u32,
    /// The worker, then what it carries.
    pub bodies: Vec<Body>,
    /// Triangles of blended materials, furthest first.
    pub blended: Vec<BlendRun>,
    /// Where it is seen from.
    pub camera: Camera,
    /// What lights it.
    pub lights: Lights,
    /// How surfaces answer light.
    pub style: Style,
    /// The shadow catcher, if one is drawn.
    pub ground: Option<Ground>,
    /// How scene-linear light becomes 8 bits.
    pub display: Display,
}

/// One posed model: what is shared by all its cells, and where its vertices are in this one.
#[derive(Debug, Clone)]
pub struct Body {
    /// Shared by every cell that shows this model in this variant.
    pub surface: Arc<Surface>,
    /// Posed, stage space; as many as `surface.statics`.
    pub vertices: Vec<Vertex>,
}

/// What a vertex has in one pose. The layout is the vertex buffer's.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct Vertex {
    /// Stage space, metres.
    pub position: [f32; 3],
    /// Stage space, unit length.
    pub normal: [f32; 3],
    /// Stage space: xyz unit, w the handedness; zero where the material needs none.
    pub tangent: [f32; 4],
}

/// What a vertex has in every pose. The layout is the vertex buffer's.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct StaticVertex {
    /// First texture coordinates.
    pub uv0: [f32; 2],
    /// Second texture coordinates.
    pub uv1: [f32; 2],
    /// Linear vertex colour, white where the model has none.
    pub colour: [f32; 4],
}

/// The unposed half of a model's geometry, with its materials.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Names the contents: equal digests may share GPU buffers and textures.
    pub digest: Digest,
    /// One a vertex.
    pub statics: Vec<StaticVertex>,
    /// Three a triangle.
    pub indices: Vec<u32>,
    /// What to draw, in order; blended ones are drawn from [`Scene::blended`] instead.
    pub draws: Vec<Draw>,
    /// Materials that `draws` index.
    pub materials: Vec<Material>,
    /// Images that the materials index by [`crate::base::ImageIndex`].
    pub images: Vec<Arc<Image>>,
}

/// A run of triangles with one material and one set of masks.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// Range of `Surface::indices`.
    pub indices: Range<u32>,
    /// Position in `Surface::materials`.
    pub material: usize,
    /// Masks that its pixels count towards.
    pub masks: MaskSet,
    /// Which part of the model it is: node and primitive, counted through the model.
    pub part: u32,
    /// Whether its transform mirrors: front faces are then clockwise.
    pub mirrored: bool,
}

/// Consecutive triangles of one draw in the sorted order.
#[derive(Debug, Clone, PartialEq)]
pub struct BlendRun {
    /// Position in `Scene::bodies`.
    pub body: usize,
    /// Position in that body's `draws`.
    pub draw: usize,
    /// Three a triangle, into the body's vertices.
    pub indices: Vec<u32>,
}

/// A region whose pixels are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Mask {
    /// Everything but the ground.
    Subject = 1,
    /// The worker without its load.
    Worker = 2,
    /// What it carries.
    Load = 4,
    /// What hangs on the head joint.
    Head = 8,
    /// The face, by name.
    Face = 16,
    /// The eyes, by name.
    Eyes = 32,
}

impl Mask {
    /// All masks, in the order of the tables.
    pub const ALL: [Self; 6] = [Self::Subject, Self::Worker, Self::Load, Self::Head, Self::Face, Self::Eyes];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Subject => "subject",
            Self::Worker => "worker",
            Self::Load => "load",
            Self::Head => "head",
            Self::Face => "face",
            Self::Eyes => "eyes",
        }
    }
}

/// A set of masks: the low eight bits of a sample's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MaskSet(pub u8);

impl MaskSet {
    /// The set with `mask` in it.
    #[must_use]
    pub fn with(self, mask: Mask) -> Self {
        Self(self.0 | mask as u8)
    }

    /// Whether `mask` is in it.
    pub fn has(self, mask: Mask) -> bool {
        self.0 & mask as u8 != 0
    }
}

/// Where a cell is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Looks along -Z, +Y up.
    pub view_from_stage: Mat4,
    /// z 0 at the near plane, 1 at the far one.
    pub clip_from_view: Mat4,
    /// The eye; for an orthographic camera, a point on the axis in front of everything.
    pub eye_in_stage: Vec3,
    /// Unit, from the subject towards the eye.
    pub back_in_stage: Vec3,
    /// Whether all rays are parallel.
    pub orthographic: bool,
    /// Cell pixels a metre at the depth of the target.
    pub px_per_m: f32,
}

/// How surfaces answer light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// As the material says.
    #[default]
    Shaded,
    /// Diffuse only.
    Lambert,
    /// Albedo, unlit.
    Flat,
    /// The silhouette in one dark tone.
    Outline,
}

/// The disc that catches the shadow at y = 0: black, with alpha = shadow, fading out at its rim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ground {
    /// Centre of the disc; y is 0.
    pub centre_in_stage: Vec3,
    /// Radius of the disc.
    pub radius_m: f32,
}

/// How scene-linear light becomes an 8-bit picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Display {
    /// Light is multiplied by two to this power.
    pub exposure_stops: f32,
    /// What bends the result before the sRGB curve.
    pub tone: Tone,
}

/// A tone curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tone {
    /// Clamp to 0 to 1.
    #[default]
    None,
}
