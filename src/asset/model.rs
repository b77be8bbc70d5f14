//! A character or prop as its file holds it: the node tree and the meshes in their bind pose.
//!
//! Spaces: positions of a mesh are in *bind* space (as stored); node matrices take them to *model*
//! space: right-handed, +Y up, origin as authored, in the file's unit. A model may face anywhere.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use crate::base::{ClipIndex, Digest, Finding, ImageIndex, JointIndex, MaterialIndex, MeshIndex, NodeIndex, SkinIndex};

/// One loaded file.
#[derive(Debug, Clone)]
pub struct Model {
    /// Where it came from, as the study wrote it.
    pub path: PathBuf,
    /// Digest of the file, its external buffers, and the external images that something drawn uses.
    pub digest: Digest,
    /// All nodes of the file, in file order; only those reachable from `roots` are drawn.
    pub nodes: Vec<Node>,
    /// Roots of the scene that is drawn.
    pub roots: Vec<NodeIndex>,
    /// Every reachable node, parents before children.
    pub order: Vec<NodeIndex>,
    /// All meshes.
    pub meshes: Vec<Mesh>,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All materials; a primitive without one uses [`Material::default`].
    pub materials: Vec<Material>,
    /// Decoded images, shared with every worker.
    pub images: Vec<Arc<Image>>,
    /// All animations.
    pub clips: Vec<Clip>,
    /// What a VRM file says of itself.
    pub humanoid: Option<Humanoid>,
    /// What was noticed while loading, none of it fatal.
    pub findings: Vec<Finding>,
}

/// One node of the tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// Name as written; nodes may be nameless and names may repeat.
    pub name: Option<String>,
    /// The parent, `None` for a root.
    pub parent: Option<NodeIndex>,
    /// Children in file order.
    pub children: Vec<NodeIndex>,
    /// Transform at rest.
    pub rest: Transform,
    /// Mesh that the node draws.
    pub mesh: Option<MeshIndex>,
    /// Skin that deforms the mesh.
    pub skin: Option<SkinIndex>,
    /// Morph weights at rest: the node's own, else its mesh's; empty without morph targets.
    pub morph_weights: Vec<f32>,
    /// Whether the file hides it and all under it (`KHR_node_visibility`); a study may still show it.
    pub hidden: bool,
    /// Which region of a head its mesh is, where the file says so.
    pub mask: Option<NodeMask>,
    /// Nodes that are drawn in its stead at lower levels of detail, the next lower first (`MSFT_lod`).
    pub lower: Vec<NodeIndex>,
    /// Share of the screen under which each level gives way to the next (`MSFT_screencoverage`); kept, not used.
    pub screen_coverage: Vec<f32>,
}

impl Node {
    /// A node at its parent's place that draws nothing.
    pub fn new(name: &str, parent: Option<NodeIndex>) -> Self {
        Self {
            name: (!name.is_empty()).then(|| name.to_owned()),
            parent,
            children: Vec::new(),
            rest: Transform::IDENTITY,
            mesh: None,
            skin: None,
            morph_weights: Vec::new(),
            hidden: false,
            mask: None,
            lower: Vec::new(),
            screen_coverage: Vec::new(),
        }
    }
}

/// A region of a head that a file may name: the extras of a node, `{"posegrid": {"mask": "face"}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeMask {
    /// The face, without hair, ears and tusks.
    Face,
    /// The eyes, which are part of the face.
    Eyes,
}

impl NodeMask {
    /// Every region.
    pub const ALL: [Self; 2] = [Self::Face, Self::Eyes];

    /// The word for it in files and recipes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Face => "face",
            Self::Eyes => "eyes",
        }
    }

    /// The region that a word means.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mask| mask.name() == word)
    }
}

/// A node's local transform. A matrix stays whole, because one with shear has no such parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transform {
    /// Scale, then rotate, then translate.
    Parts {
        /// In the parent's space.
        translation: Vec3,
        /// Unit quaternion.
        rotation: Quat,
        /// Along the node's own axes.
        scale: Vec3,
    },
    /// `parent_from_node`, as stored.
    Matrix(Mat4),
}

impl Transform {
    /// No transform.
    pub const IDENTITY: Self = Self::Parts { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The matrix `parent_from_node`.
    pub fn matrix(&self) -> Mat4 {
        match *self {
            Self::Parts { translation, rotation, scale } => {
                Mat4::from_scale_rotation_translation(scale, rotation, translation)
            }
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// A mesh: what one node draws.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// Name as written.
    pub name: Option<String>,
    /// One a material.
    pub primitives: Vec<Primitive>,
}

/// A triangle list with one material. Strips and fans are already lists; points and lines are gone.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// Bind space. Vertices that no triangle names are dropped.
    pub positions: Vec<Vec3>,
    /// One a vertex, unit length. Made flat where the file has none (vertices are then split).
    pub normals: Vec<Vec3>,
    /// Whether the normals were made flat: in a pose they are those of the posed faces.
    pub flat: bool,
    /// One a vertex: xyz unit, w = handedness. Empty unless the material has a normal texture.
    pub tangents: Vec<Vec4>,
    /// `TEXCOORD_0` and `TEXCOORD_1`; empty where absent.
    pub uvs: [Vec<Vec2>; 2],
    /// `COLOR_0`, linear; empty where absent.
    pub colours: Vec<Vec4>,
    /// Joint influences; `None` for a rigid primitive.
    pub influences: Option<Influences>,
    /// Morph targets, in file order.
    pub morphs: Vec<MorphTarget>,
    /// Three a triangle, counter-clockwise seen from the front.
    pub indices: Vec<u32>,
    /// Its material.
    pub material: Option<MaterialIndex>,
}

/// Joint influences of a primitive, any number a vertex; weights sum to one.
///
/// Vertex `v` owns the entries `offsets[v]..offsets[v + 1]`.
#[derive(Debug, Clone, Default)]
pub struct Influences {
    /// One more than vertices.
    pub offsets: Vec<u32>,
    /// Position in the skin's joint list.
    pub joints: Vec<JointIndex>,
    /// Never zero, never negative.
    pub weights: Vec<f32>,
}

impl Influences {
    /// The (joint, weight) pairs of one vertex.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (JointIndex, f32)> + '_ {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        self.joints[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }
}

/// Displacements of one morph target; each list is empty or has one entry a vertex.
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    /// Name from the mesh's `targetNames`.
    pub name: Option<String>,
    /// Added to positions.
    pub positions: Vec<Vec3>,
    /// Added to normals.
    pub normals: Vec<Vec3>,
    /// Added to tangents' xyz.
    pub tangents: Vec<Vec3>,
}

/// A skin: which nodes are its joints and how they were bound.
#[derive(Debug, Clone)]
pub struct Skin {
    /// Name as written.
    pub name: Option<String>,
    /// The node of each joint.
    pub joints: Vec<NodeIndex>,
    /// Inverse bind matrix of each joint; identity where the file has none.
    pub joint_from_bind: Vec<Mat4>,
}

/// What happens to a surface's alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Drawn where alpha reaches the cutoff.
    Mask(f32),
    /// Blended over what is behind.
    Blend,
}

/// A metallic-roughness material of glTF 2.0; factors are linear.
#[derive(Debug, Clone)]
pub struct Material {
    /// Name as written.
    pub name: Option<String>,
    /// Multiplies the base colour texture.
    pub base_colour: [f32; 4],
    /// Base colour and alpha; sRGB.
    pub base_colour_texture: Option<TextureRef>,
    /// 0 dielectric to 1 metal; multiplies the texture's blue.
    pub metallic: f32,
    /// Perceptual roughness; multiplies the texture's green.
    pub roughness: f32,
    /// Green roughness, blue metallic; linear.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Tangent-space normals; linear.
    pub normal_texture: Option<TextureRef>,
    /// Scales the normal texture's x and y.
    pub normal_scale: f32,
    /// Red occlusion; linear.
    pub occlusion_texture: Option<TextureRef>,
    /// 0 no occlusion to 1 the texture's own.
    pub occlusion_strength: f32,
    /// Emitted radiance, with `KHR_materials_emissive_strength` multiplied in.
    pub emissive: [f32; 3],
    /// Multiplies `emissive`; sRGB.
    pub emissive_texture: Option<TextureRef>,
    /// What alpha does.
    pub alpha_mode: AlphaMode,
    /// Drawn from behind too, with the normal turned.
    pub double_sided: bool,
    /// `KHR_materials_unlit`: base colour as it is.
    pub unlit: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: None,
            base_colour: [1.0; 4],
            base_colour_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// A use of an image: which, how it is sampled, and `KHR_texture_transform`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// The image; `None` where it could not be read (a finding says why): drawn as white.
    pub image: Option<ImageIndex>,
    /// How it is sampled.
    pub sampler: Sampler,
    /// Which of a primitive's `uvs` it reads.
    pub uv_set: usize,
    /// Added to the coordinates last.
    pub uv_offset: Vec2,
    /// Counter-clockwise, about the origin of UV space.
    pub uv_rotation_rad: f32,
    /// Applied first.
    pub uv_scale: Vec2,
}

/// How texels are found and mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Across u.
    pub wrap_u: Wrap,
    /// Across v.
    pub wrap_v: Wrap,
    /// Linear rather than nearest when enlarged.
    pub linear_magnify: bool,
    /// Linear rather than nearest when shrunk.
    pub linear_minify: bool,
    /// How mip levels are chosen.
    pub mips: Mips,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
            linear_magnify: true,
            linear_minify: true,
            mips: Mips::Linear,
        }
    }
}

/// What happens outside 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The edge goes on.
    Clamp,
    /// Every other tile is mirrored.
    Mirror,
    /// Tiles.
    Repeat,
}

/// How mip levels are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mips {
    /// Only the finest level.
    None,
    /// The nearest level.
    Nearest,
    /// Two levels mixed.
    Linear,
}

/// A decoded image, 8 bits a channel, straight alpha, rows from the top.
#[derive(Debug, Clone)]
pub struct Image {
    /// Name or URI, for messages.
    pub name: String,
    /// Digest of the encoded bytes.
    pub digest: Digest,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// An animation.
#[derive(Debug, Clone)]
pub struct Clip {
    /// Name as written; empty where the file has none.
    pub name: String,
    /// One a node and property.
    pub channels: Vec<Channel>,
    /// Time of the first key of any channel.
    pub first_secs: f32,
    /// Time of the last key of any channel.
    pub last_secs: f32,
}

/// One animated property of one node.
#[derive(Debug, Clone)]
pub struct Channel {
    /// The node it moves.
    pub node: NodeIndex,
    /// Which property, and its keys' values.
    pub track: Track,
    /// Rising key times.
    pub times_secs: Vec<f32>,
    /// How values between keys are found.
    pub interpolation: Interpolation,
}

/// Key values. With [`Interpolation::CubicSpline`] each key has three: in-tangent, value, out-tangent.
#[derive(Debug, Clone)]
pub enum Track {
    /// Local translations.
    Translation(Vec<Vec3>),
    /// Local rotations.
    Rotation(Vec<Quat>),
    /// Local scales.
    Scale(Vec<Vec3>),
    /// `targets` weights a key, flat.
    MorphWeights {
        /// Morph targets of the mesh.
        targets: usize,
        /// `keys * targets` values, or three times that for a cubic spline.
        values: Vec<f32>,
    },
}

/// How values between keys are found, as glTF defines them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The key before.
    Step,
    /// Linear; slerp for rotations.
    Linear,
    /// Cubic Hermite.
    CubicSpline,
}

/// What a VRM file says: which nodes are which bones, and which way it faces.
#[derive(Debug, Clone, Default)]
pub struct Humanoid {
    /// VRM bone name (`hips`, `upperChest`, `leftUpperArm`, ...) and its node.
    pub bones: Vec<(String, NodeIndex)>,
    /// VRM 0.x faces -Z, VRM 1.0 faces +Z.
    pub faces_minus_z: bool,
}

impl Model {
    /// A node's name, or its number where it has none.
    pub fn node_name(&self, node: NodeIndex) -> String {
        self.nodes[node.at()].name.clone().unwrap_or_else(|| format!("node {}", node.0))
    }

    /// Names of the clips, in file order.
    pub fn clip_names(&self) -> Vec<&str> {
        self.clips.iter().map(|clip| clip.name.as_str()).collect()
    }

    /// The clip at an index.
    pub fn clip(&self, clip: ClipIndex) -> &Clip {
        &self.clips[clip.at()]
    }

    /// The material of a primitive, the default one where it names none.
    pub fn material(&self, primitive: &Primitive) -> Material {
        primitive.material.map_or_else(Material::default, |at| self.materials[at.at()].clone())
    }
}
