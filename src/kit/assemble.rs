//! Put a worker or a load together as a [`Model`].
//!
//! Reads: a recipe's text. Writes: nodes, skin, meshes, materials and clips in the file's space: metres,
//! +Y up, a worker facing +Z on y = 0; a load in its own frame (base on y = 0, the face that rests on a
//! back at z = 0, centred in x). Pure.

use std::sync::Arc;

use glam::{DMat3, DMat4, DQuat, DVec2, DVec3, Mat4, Vec2, Vec3, Vec4};

use super::bake;
use super::clip::{Scale, clip, local_turn, stored, stored_turn, to_places};
use super::error::KitError;
use super::form::Frame;
use super::levels::{self, Levels};
use super::motion_spec::MotionSpec;
use super::pose::Pose;
use super::recipe::{Recipe, Source};
use super::shape_spec::PartSpec;
use super::skeleton::Skeleton;
use super::split::split;
use super::surface::{Surface, surfaces};
use super::{idle, walk};
use crate::asset::{Clip, Image, Influences, Material, Mesh, Model, Node, NodeMask, Primitive, Skin, Transform};
use crate::base::{Digest, JointIndex, MaterialIndex, MeshIndex, NodeIndex, SkinIndex};

/// Keys of a loop, the closing one not counted.
const IDLE_KEYS: usize = 24;
const WALK_KEYS: usize = 32;

/// A model, and what it was made from.
pub(super) struct Assembled<'a> {
    pub model: Model,
    /// None of a load.
    pub skeleton: Option<Skeleton>,
    pub parts: Vec<Surface<'a>>,
    pub scale: Scale,
    /// From the lowest drawn point to the highest, body space.
    pub height: f64,
}

impl Assembled<'_> {
    pub(super) fn height_m(&self) -> f64 {
        self.height * self.scale.metres
    }
}

/// The model of a recipe.
pub(super) fn model<'a>(recipe: &'a Recipe, source: Source<'_>) -> Result<Assembled<'a>, KitError> {
    if let Some(spec) = &recipe.bust {
        if recipe.skeleton.is_some() || recipe.motion.is_some() {
            let hint = Some("a head has neither [skeleton] nor [motion]; a worker has no [bust]".to_owned());
            return Err(source.fault(spec.span(), "there is a [bust] besides the bones of a worker", hint));
        }
        let skeleton = Skeleton::bust(spec.get_ref(), source)?;
        let made = painted(&Frame::Bones(&skeleton), recipe, source)?;
        return body(recipe, skeleton, None, made, source);
    }
    match (&recipe.skeleton, &recipe.motion) {
        (Some(spec), Some(motion)) => {
            let skeleton = Skeleton::new(spec.get_ref(), source)?;
            let made = painted(&Frame::Bones(&skeleton), recipe, source)?;
            body(recipe, skeleton, Some(motion), made, source)
        }
        (None, None) => {
            let made = painted(&Frame::Load, recipe, source)?;
            load(recipe, made, source)
        }
        (Some(_), None) => {
            let hint = Some("a worker needs [motion.idle] and [motion.walk]".to_owned());
            Err(source.fault(0..0, "there is a [skeleton] but no [motion]", hint))
        }
        (None, Some(_)) => {
            let hint = Some("a worker needs a [skeleton]; a load has neither".to_owned());
            Err(source.fault(0..0, "there is [motion] but no [skeleton]", hint))
        }
    }
}

/// All parts with their colours, the texture if they have one, and coarser levels of a worker.
struct Painted<'a> {
    parts: Vec<Surface<'a>>,
    image: Option<Image>,
    levels: Option<Levels<'a>>,
}

fn painted<'a>(frame: &Frame<'_>, recipe: &'a Recipe, source: Source<'_>) -> Result<Painted<'a>, KitError> {
    if let (Some(levels), None) = (&recipe.levels, &recipe.motion) {
        let hint = Some("a head or a load has no [levels]".to_owned());
        return Err(source.fault(levels.span(), "only a worker has levels of detail", hint));
    }
    let px = bake::side(recipe, source)?;
    let whole = surfaces(frame, recipe, source)?;
    let levels = Levels::of(frame, recipe, &whole, source)?;
    let mut parts = split(frame, recipe, whole, |_| true, source)?;
    let image = bake::paint(&mut parts, frame, recipe, px);
    Ok(Painted { parts, image, levels })
}

/// The box about all vertices that are seen, body space.
fn bounds(parts: &[Surface<'_>]) -> (DVec3, DVec3) {
    let all = parts.iter().filter(|part| !part.spec.hidden).flat_map(Surface::positions);
    all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
}

/// A worker, or a head, which has no motion.
fn body<'a>(
    recipe: &Recipe,
    skeleton: Skeleton,
    motion: Option<&MotionSpec>,
    made: Painted<'a>,
    source: Source<'_>,
) -> Result<Assembled<'a>, KitError> {
    let Painted { parts, image, levels } = made;
    let (low, high) = bounds(&parts);
    let scale = Scale { metres: recipe.height_m / (high.y - low.y), ground: low.y };
    let mut model = empty(source);
    model.images.extend(image.map(Arc::new));
    let first_bone = 1;
    add_bones(&mut model, &skeleton, scale, first_bone);
    model.skins.push(skin(&skeleton, scale, first_bone));
    let mut nodes = Vec::with_capacity(parts.len());
    for part in &parts {
        nodes.push(add_part(&mut model, &skeleton, scale, part, first_bone, source)?);
    }
    let percent = 0.01 * (high.y - low.y);
    if let Some(motion) = motion {
        model.clips = clips(&skeleton, motion, scale, percent, first_bone, source)?;
        if let Some(levels) = &levels {
            let body = levels::Body { skeleton: &skeleton, motion, scale };
            levels::add(&mut model, &body, levels, &nodes, source)?;
        }
    }
    model.order = (0..model.nodes.len()).map(NodeIndex::new).collect();
    Ok(Assembled { model, skeleton: Some(skeleton), parts, scale, height: high.y - low.y })
}

/// The root and, below it, one node a bone.
fn add_bones(model: &mut Model, skeleton: &Skeleton, scale: Scale, first_bone: usize) {
    model.nodes.push(Node::new(skeleton.naming.root(), None));
    model.roots.push(NodeIndex(0));
    let still = vec![DQuat::IDENTITY; skeleton.bones.len()];
    for (at, bone) in skeleton.bones.iter().enumerate() {
        let parent = bone.parent.map_or(0, |parent| first_bone + parent);
        let translation = match bone.parent {
            None => scale.point(bone.head),
            Some(parent) => {
                skeleton.rest_frame(parent).transpose() * (bone.head - skeleton.bones[parent].head) * scale.metres
            }
        };
        let mut own = Node::new(&skeleton.file_name(bone), Some(NodeIndex::new(parent)));
        own.rest = Transform::Parts {
            translation: stored(translation),
            rotation: stored_turn(local_turn(skeleton, at, &still)),
            scale: Vec3::ONE,
        };
        add_child(model, parent, own);
    }
}

fn skin(skeleton: &Skeleton, scale: Scale, first_bone: usize) -> Skin {
    let joint_from_bind = |bone: usize| {
        let rest = skeleton.rest_frame(bone);
        let joint = scale.point(skeleton.bones[bone].head);
        matrix(rest.transpose(), -(rest.transpose() * joint))
    };
    Skin {
        name: Some("skeleton".to_owned()),
        joints: (0..skeleton.bones.len()).map(|bone| NodeIndex::new(first_bone + bone)).collect(),
        joint_from_bind: (0..skeleton.bones.len()).map(joint_from_bind).collect(),
    }
}

fn matrix(turn: DMat3, shift: DVec3) -> Mat4 {
    let exact =
        DMat4::from_cols(turn.x_axis.extend(0.0), turn.y_axis.extend(0.0), turn.z_axis.extend(0.0), shift.extend(1.0));
    Mat4::from_cols_array(&exact.to_cols_array().map(|entry| to_places(entry, 1e7)))
}

fn add_part(
    model: &mut Model,
    skeleton: &Skeleton,
    scale: Scale,
    part: &Surface<'_>,
    first_bone: usize,
    source: Source<'_>,
) -> Result<NodeIndex, KitError> {
    let mut primitive = primitive(model, part, |at| scale.point(at));
    let mut own = Node::new(part.spec.name.get_ref(), None);
    shown_as(part.spec, &mut own, source)?;
    own.mesh = Some(MeshIndex::new(model.meshes.len()));
    let parent = if let Some(rides) = &part.spec.rides {
        let bone = skeleton.find_one(rides, source)?;
        let bone_from_model = skeleton.rest_frame(bone).transpose();
        let joint = skeleton.bones[bone].head;
        let local = |at: DVec3| stored(bone_from_model * (at - joint) * scale.metres);
        primitive.positions = part.positions().map(local).collect();
        primitive.normals = part.normals().map(|normal| direction(bone_from_model * normal)).collect();
        Some(first_bone + bone)
    } else {
        primitive.influences = Some(influences(skeleton, part));
        own.skin = Some(SkinIndex(0));
        None
    };
    own.parent = parent.map(NodeIndex::new);
    model.meshes.push(Mesh { name: Some(part.spec.name.get_ref().clone()), primitives: vec![primitive] });
    let at = NodeIndex::new(model.nodes.len());
    match parent {
        Some(parent) => add_child(model, parent, own),
        // A skinned mesh is placed by its joints alone, so its node is a root.
        None => {
            model.roots.push(at);
            model.nodes.push(own);
        }
    }
    Ok(at)
}

/// What a recipe says of when a part is seen.
pub(super) fn shown_as(part: &PartSpec, own: &mut Node, source: Source<'_>) -> Result<(), KitError> {
    own.hidden = part.hidden;
    if let Some(word) = &part.mask {
        let choices = || NodeMask::ALL.into_iter().map(NodeMask::name);
        let mask = NodeMask::of(word.get_ref()).ok_or_else(|| source.unknown(word, "mask", choices()))?;
        own.mask = Some(mask);
    }
    Ok(())
}

pub(super) fn influences(skeleton: &Skeleton, part: &Surface<'_>) -> Influences {
    let mut out = Influences { offsets: vec![0], ..Influences::default() };
    for pairs in part.weights(skeleton) {
        for (bone, weight) in pairs {
            out.joints.push(JointIndex::new(bone));
            out.weights.push(weight);
        }
        out.offsets.push(u32::try_from(out.joints.len()).expect("a part has far fewer than 2^32 influences"));
    }
    out
}

/// Geometry and material; materials of one colour are one.
pub(super) fn primitive(model: &mut Model, part: &Surface<'_>, place: impl Fn(DVec3) -> DVec3) -> Primitive {
    let own = &part.material;
    let same = |material: &Material| material.name == own.name && material.base_colour == own.base_colour;
    let material = model.materials.iter().position(same).unwrap_or_else(|| {
        model.materials.push(own.clone());
        model.materials.len() - 1
    });
    let colour = |tint: &[f64; 3]| {
        let [red, green, blue] = tint.map(|channel| to_places(channel, 1e4));
        Vec4::new(red, green, blue, 1.0)
    };
    Primitive {
        positions: part.positions().map(|at| stored(place(at))).collect(),
        normals: part.normals().map(direction).collect(),
        colours: part.pieces.iter().flat_map(|piece| &piece.tints).map(colour).collect(),
        uvs: [part.pieces.iter().flat_map(|piece| &piece.uvs).map(stored_uv).collect(), Vec::new()],
        indices: part.indices(),
        material: Some(MaterialIndex::new(material)),
        ..Primitive::default()
    }
}

fn stored_uv(uv: &DVec2) -> Vec2 {
    Vec2::from_array(uv.to_array().map(|along| to_places(along, 1e6)))
}

pub(super) fn direction(normal: DVec3) -> Vec3 {
    Vec3::from_array(normal.to_array().map(|part| to_places(part, 1e5)))
}

fn clips(
    skeleton: &Skeleton,
    motion: &MotionSpec,
    scale: Scale,
    percent: f64,
    first_bone: usize,
    source: Source<'_>,
) -> Result<Vec<Clip>, KitError> {
    let (idle, walk) = (&motion.idle, &motion.walk);
    let stride = *walk.stride.get_ref() * percent;
    let stand = poses(IDLE_KEYS, |phase| idle::pose(skeleton, idle, phase));
    let mut step = poses(WALK_KEYS, |phase| walk::pose(skeleton, walk, stride, phase));
    if walk.travels {
        step.0[WALK_KEYS].moved.z += stride;
    }
    for (clip, out_of_reach) in [("idle", stand.1), ("walk", step.1)] {
        if out_of_reach > 0.01 {
            let message = format!("in {clip} an ankle is {out_of_reach:.2} out of reach of its leg");
            let hint = Some("raise that clip's crouch, or lessen stride, bob, sway or heel_deg".to_owned());
            return Err(source.fault(walk.stride.span(), message, hint));
        }
    }
    Ok(vec![
        clip("idle", skeleton, scale, idle.secs, &stand.0, first_bone),
        clip("walk", skeleton, scale, walk.secs, &step.0, first_bone),
    ])
}

/// A loop's poses, the first once more at the end, and the furthest that a foot is out of reach.
fn poses(keys: usize, at: impl Fn(f64) -> (Pose, f64)) -> (Vec<Pose>, f64) {
    let mut out_of_reach: f64 = 0.0;
    let mut poses: Vec<Pose> = Vec::with_capacity(keys + 1);
    for key in 0..keys {
        let (pose, missing) = at(key as f64 / keys as f64);
        out_of_reach = out_of_reach.max(missing);
        poses.push(pose);
    }
    poses.push(poses[0].clone());
    (poses, out_of_reach)
}

fn load<'a>(
    recipe: &Recipe,
    Painted { parts, image, .. }: Painted<'a>,
    source: Source<'_>,
) -> Result<Assembled<'a>, KitError> {
    let (low, high) = bounds(&parts);
    let metres = recipe.height_m / (high.y - low.y);
    let origin = DVec3::new(0.5 * (low.x + high.x), low.y, low.z);
    let mut model = empty(source);
    model.images.extend(image.map(Arc::new));
    let name = source.file.rsplit('/').next().unwrap_or(source.file).trim_end_matches(".toml");
    model.nodes.push(Node::new(name, None));
    model.roots.push(NodeIndex(0));
    for part in &parts {
        let primitive = primitive(&mut model, part, |at| (at - origin) * metres);
        let mut own = Node::new(part.spec.name.get_ref(), Some(NodeIndex(0)));
        shown_as(part.spec, &mut own, source)?;
        own.mesh = Some(MeshIndex::new(model.meshes.len()));
        model.meshes.push(Mesh { name: Some(part.spec.name.get_ref().clone()), primitives: vec![primitive] });
        add_child(&mut model, 0, own);
    }
    model.order = (0..model.nodes.len()).map(NodeIndex::new).collect();
    let scale = Scale { metres, ground: low.y };
    Ok(Assembled { model, skeleton: None, parts, scale, height: high.y - low.y })
}

fn empty(source: Source<'_>) -> Model {
    Model {
        path: source.file.into(),
        digest: Digest::of(source.text.as_bytes()),
        nodes: Vec::new(),
        roots: Vec::new(),
        order: Vec::new(),
        meshes: Vec::new(),
        skins: Vec::new(),
        materials: Vec::new(),
        images: Vec::new(),
        clips: Vec::new(),
        humanoid: None,
        findings: Vec::new(),
    }
}

fn add_child(model: &mut Model, parent: usize, child: Node) {
    let at = NodeIndex::new(model.nodes.len());
    model.nodes[parent].children.push(at);
    model.nodes.push(child);
}
