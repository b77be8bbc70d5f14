//! Place a worker's bones by its proportions.
//!
//! Reads: the `[skeleton]` of a recipe. Writes: bones in *body* space: right-handed, +Y up, facing +Z,
//! the worker's left at +X, hundredths of the height, the ground near y = 0. Pure.
//!
//! The left side is computed, the right side is its mirror image, so bind poses are symmetric.

use glam::{DMat3, DVec3};

use super::error::KitError;
use super::naming::{NAMINGS, Naming};
use super::recipe::{BustSpec, ChainSpec, SkeletonSpec, Source};
use super::trig::{sin_cos, yaw};

/// What a bone is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    Hips,
    /// From the lowest, 0; the last is the chest.
    Spine(usize),
    Neck,
    Head,
    HeadTop,
    HeadFront,
    Clavicle,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shin,
    Foot,
    Toes,
    /// A tail's or lock's bone, from the one it hangs on, 0.
    Chain {
        name: String,
        at: usize,
    },
}

/// The worker's own side: its left is at +X.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Which way a bone's own axes lie at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axes {
    /// As the model's.
    Model,
    /// +Y along the bone.
    AlongY,
    /// +X along the bone.
    AlongX,
}

const AXES: [(&str, Axes); 3] = [("model", Axes::Model), ("along_y", Axes::AlongY), ("along_x", Axes::AlongX)];

#[derive(Debug, Clone)]
pub(super) struct Bone {
    pub role: Role,
    pub side: Option<Side>,
    pub parent: Option<usize>,
    /// The joint.
    pub head: DVec3,
    /// Where the bone ends.
    pub tail: DVec3,
}

impl Bone {
    /// Unit vector from joint to end.
    pub(super) fn direction(&self) -> DVec3 {
        (self.tail - self.head).normalize_or(DVec3::Y)
    }

    pub(super) fn length(&self) -> f64 {
        (self.tail - self.head).length()
    }

    /// Whether skin may follow it: the two marker bones of the head carry none.
    pub(super) fn deforms(&self) -> bool {
        !matches!(self.role, Role::HeadTop | Role::HeadFront)
    }
}

/// Bones, parents before children.
#[derive(Debug, Clone)]
pub(super) struct Skeleton {
    pub bones: Vec<Bone>,
    pub naming: Naming,
    pub axes: Axes,
    pub swapped: bool,
    /// Spine bones, hips not counted.
    pub spine_bones: usize,
    /// Feet turned out, degrees.
    pub toe_out_deg: f64,
}

impl Skeleton {
    pub(super) fn new(spec: &SkeletonSpec, source: Source<'_>) -> Result<Self, KitError> {
        let naming = choose(&spec.naming, "naming", &NAMINGS, source)?;
        let axes = choose(&spec.axes, "axes", &AXES, source)?;
        let (spine, leans) = (spec.spine.get_ref(), spec.spine_lean_deg.get_ref());
        if !(3..=6).contains(&spine.len()) {
            let hint = "hips, then two to five spine bones, the last of which is the chest".to_owned();
            return Err(source.fault(spec.spine.span(), format!("spine has {} lengths", spine.len()), Some(hint)));
        }
        if leans.len() != spine.len() {
            let message = format!("spine_lean_deg has {} angles for {} lengths", leans.len(), spine.len());
            return Err(source.fault(spec.spine_lean_deg.span(), message, Some("give one for each of spine".into())));
        }
        let mut skeleton = Self {
            bones: Vec::new(),
            naming,
            axes,
            swapped: spec.swapped,
            spine_bones: spine.len() - 1,
            toe_out_deg: spec.toe_out_deg,
        };
        let chest = skeleton.trunk(spec);
        skeleton.arms(spec, chest);
        skeleton.legs(spec);
        for chain in &spec.chain {
            skeleton.chain(chain, source)?;
        }
        Ok(skeleton)
    }

    /// Neck and head alone.
    pub(super) fn bust(spec: &BustSpec, source: Source<'_>) -> Result<Self, KitError> {
        let mut skeleton = Self {
            bones: Vec::new(),
            naming: choose(&spec.naming, "naming", &NAMINGS, source)?,
            axes: choose(&spec.axes, "axes", &AXES, source)?,
            swapped: false,
            spine_bones: 0,
            toe_out_deg: 0.0,
        };
        let joint = DVec3::new(0.0, spec.neck_up, -spec.neck_back);
        let nape = joint + leaning(spec.neck_lean_deg) * spec.neck;
        let neck = skeleton.add(Role::Neck, None, None, joint, nape);
        skeleton.head(neck, leaning(spec.head_lean_deg), spec.head, spec.face);
        for chain in &spec.chain {
            skeleton.chain(chain, source)?;
        }
        Ok(skeleton)
    }

    /// Hips, spine, neck and head; gives back the chest.
    fn trunk(&mut self, spec: &SkeletonSpec) -> usize {
        let mut joint = DVec3::new(0.0, spec.hips, -spec.hips_back);
        let mut parent = None;
        let segments = std::iter::zip(spec.spine.get_ref(), spec.spine_lean_deg.get_ref());
        for (at, (length, lean)) in segments.enumerate() {
            let role = if at == 0 { Role::Hips } else { Role::Spine(at - 1) };
            let end = joint + leaning(*lean) * *length;
            parent = Some(self.add(role, None, parent, joint, end));
            joint = end;
        }
        let chest = self.bones.len() - 1;
        let nape = joint + leaning(spec.neck_lean_deg) * spec.neck;
        let neck = self.add(Role::Neck, None, Some(chest), joint, nape);
        self.head(neck, leaning(spec.head_lean_deg), spec.head, spec.face);
        chest
    }

    /// The head on its neck, and its two marker bones.
    fn head(&mut self, neck: usize, up: DVec3, length: f64, face: f64) {
        let nape = self.bones[neck].tail;
        let crown = nape + up * length;
        let head = self.add(Role::Head, None, Some(neck), nape, crown);
        let ahead = frame_along(up).z_axis;
        let front = nape + up * (0.4 * length) + ahead * face;
        self.add(Role::HeadTop, None, Some(head), crown, crown + up * 2.0);
        self.add(Role::HeadFront, None, Some(head), front, front + ahead * 2.0);
    }

    fn arms(&mut self, spec: &SkeletonSpec, chest: usize) {
        let top = self.bones[chest].tail;
        let frame = frame_along(self.bones[chest].direction());
        let place = |x: f64, drop: f64, ahead: f64| top + frame * DVec3::new(x, -drop, ahead);
        let collar = place(0.16 * spec.shoulders, 0.8 * spec.shoulder_drop, spec.shoulder_forward * 0.5 + 1.0);
        let shoulder = place(0.5 * spec.shoulders, spec.shoulder_drop, spec.shoulder_forward);
        let upper = hanging(90.0 - spec.arm_down_deg, spec.arm_forward_deg);
        let fore = bent(upper, spec.elbow_deg, 0.0);
        let elbow = shoulder + upper * spec.upper_arm;
        let wrist = elbow + fore * spec.forearm;
        let joints = [collar, shoulder, elbow, wrist, wrist + fore * spec.hand];
        self.limb(chest, &[Role::Clavicle, Role::UpperArm, Role::Forearm, Role::Hand], &joints);
    }

    fn legs(&mut self, spec: &SkeletonSpec) {
        let hip = DVec3::new(0.5 * spec.hip_width, spec.hips, -spec.hips_back);
        let ankle = DVec3::new(0.5 * spec.stance, spec.ankle, -spec.ankle_back);
        let ahead = yaw(spec.toe_out_deg) * DVec3::Z;
        let knee = hip.lerp(ankle, 0.5) + ahead * spec.knee_forward;
        let ball = ankle.with_y(0.35 * spec.ankle) + ahead * spec.foot;
        let tip = ball + ahead * spec.toes;
        self.limb(0, &[Role::Thigh, Role::Shin, Role::Foot, Role::Toes], &[hip, knee, ankle, ball, tip]);
    }

    /// A row of bones on the left, then the same on the right.
    fn limb(&mut self, on: usize, roles: &[Role], joints: &[DVec3]) {
        for side in [Side::Left, Side::Right] {
            let mut parent = on;
            for (role, ends) in std::iter::zip(roles, joints.windows(2)) {
                let [head, tail] =
                    [ends[0], ends[1]].map(|point| if side == Side::Left { point } else { mirrored(point) });
                parent = self.add(role.clone(), Some(side), Some(parent), head, tail);
            }
        }
    }

    fn chain(&mut self, spec: &ChainSpec, source: Source<'_>) -> Result<(), KitError> {
        let name = spec.name.get_ref();
        if !name.chars().next().is_some_and(|first| first.is_ascii_lowercase()) {
            let hint = Some("start with a small letter, such as tail".to_owned());
            return Err(source.fault(spec.name.span(), format!("chain name {name:?} cannot be used"), hint));
        }
        let mut parent = self.find_one(&spec.on, source)?;
        let points = spec.points.get_ref();
        if points.len() < 2 {
            let hint = Some("one for each joint and one for the tip".to_owned());
            return Err(source.fault(spec.points.span(), "a chain needs at least two points", hint));
        }
        let start = self.bones[parent].head;
        for (at, ends) in points.windows(2).enumerate() {
            let role = Role::Chain { name: name.clone(), at };
            let [head, tail] = [ends[0], ends[1]].map(|point| start + DVec3::from_array(point));
            parent = self.add(role, None, Some(parent), head, tail);
        }
        Ok(())
    }

    fn add(&mut self, role: Role, side: Option<Side>, parent: Option<usize>, head: DVec3, tail: DVec3) -> usize {
        self.bones.push(Bone { role, side, parent, head, tail });
        self.bones.len() - 1
    }

    /// What recipes call a bone, its side left out: `hips`, `spine1`, `chest`, `upper_arm`, `tail2`.
    pub(super) fn recipe_name(&self, bone: &Bone) -> String {
        match &bone.role {
            Role::Spine(at) if at + 1 == self.spine_bones => "chest".to_owned(),
            Role::Spine(at) => format!("spine{}", at + 1),
            Role::Chain { name, at } => format!("{name}{}", at + 1),
            Role::Hips => "hips".into(),
            Role::Neck => "neck".into(),
            Role::Head => "head".into(),
            Role::HeadTop => "head_top".into(),
            Role::HeadFront => "head_front".into(),
            Role::Clavicle => "clavicle".into(),
            Role::UpperArm => "upper_arm".into(),
            Role::Forearm => "forearm".into(),
            Role::Hand => "hand".into(),
            Role::Thigh => "thigh".into(),
            Role::Shin => "shin".into(),
            Role::Foot => "foot".into(),
            Role::Toes => "toes".into(),
        }
    }

    /// The bone, or the left and right bones, of a recipe's name.
    pub(super) fn find(&self, name: &str) -> Vec<usize> {
        (0..self.bones.len()).filter(|at| self.recipe_name(&self.bones[*at]) == name).collect()
    }

    /// The same, an error with the choices where there is none.
    pub(super) fn find_named(
        &self,
        name: &str,
        written: &toml::Spanned<String>,
        source: Source<'_>,
    ) -> Result<Vec<usize>, KitError> {
        let found = self.find(name);
        if !found.is_empty() {
            return Ok(found);
        }
        let mut names: Vec<String> = self.bones.iter().map(|bone| self.recipe_name(bone)).collect();
        names.dedup();
        names.sort();
        names.dedup();
        Err(source.unknown(written, "bone", names.iter().map(String::as_str)))
    }

    /// A bone of the middle.
    pub(super) fn find_one(&self, name: &toml::Spanned<String>, source: Source<'_>) -> Result<usize, KitError> {
        match self.find_named(name.get_ref(), name, source)?.as_slice() {
            [one] => Ok(*one),
            _ => {
                let hint = Some("name a bone of the middle, such as hips, chest or head".to_owned());
                Err(source.fault(name.span(), format!("{:?} is two bones", name.get_ref()), hint))
            }
        }
    }

    /// The one bone of a role and side.
    pub(super) fn at(&self, role: &Role, side: Option<Side>) -> usize {
        self.bones
            .iter()
            .position(|bone| bone.role == *role && bone.side == side)
            .expect("every worker has every role but chains")
    }

    /// The name written to the file, the sides exchanged on a swapped rig.
    pub(super) fn file_name(&self, bone: &Bone) -> String {
        let side = bone.side.map(|side| match (side, self.swapped) {
            (Side::Left, false) | (Side::Right, true) => Side::Left,
            _ => Side::Right,
        });
        self.naming.name(&bone.role, side, self.spine_bones)
    }

    /// Axes of the space in which a recipe places shapes on a bone: along trunk, head and arms; the
    /// model's on legs and chains, where "along" would be down or backwards.
    pub(super) fn shape_frame(&self, bone: usize) -> DMat3 {
        match self.bones[bone].role {
            Role::Spine(_) | Role::Neck | Role::Head | Role::HeadTop => frame_along(self.bones[bone].direction()),
            Role::Clavicle | Role::UpperArm | Role::Forearm | Role::Hand => frame_along(self.bones[bone].direction()),
            _ => DMat3::IDENTITY,
        }
    }

    /// The bone's own axes at rest, as written to the file: `model_from_bone`.
    pub(super) fn rest_frame(&self, bone: usize) -> DMat3 {
        let along = frame_along(self.bones[bone].direction());
        match self.axes {
            Axes::Model => DMat3::IDENTITY,
            Axes::AlongY => along,
            Axes::AlongX => DMat3::from_cols(along.y_axis, -along.x_axis, along.z_axis),
        }
    }
}

/// The same point on the other side.
pub(super) fn mirrored(point: DVec3) -> DVec3 {
    DVec3::new(-point.x, point.y, point.z)
}

/// Upright, tipped forward.
fn leaning(lean_deg: f64) -> DVec3 {
    let (sin, cos) = sin_cos(lean_deg.to_radians());
    DVec3::new(0.0, cos, sin)
}

/// A left arm's direction from straight down, to the side and then to the front.
pub(super) fn hanging(out_deg: f64, forward_deg: f64) -> DVec3 {
    let (out_sin, out_cos) = sin_cos(out_deg.to_radians());
    let (sin, cos) = sin_cos(forward_deg.to_radians());
    DVec3::new(out_sin, -out_cos * cos, out_cos * sin)
}

/// A left forearm's direction: the elbow bends it forward and a little inward, and `in_deg` from there
/// further inward, about the upper arm.
pub(super) fn bent(upper: DVec3, elbow_deg: f64, in_deg: f64) -> DVec3 {
    let aim = DVec3::new(-0.35, 0.1, 1.0);
    let ahead = (aim - upper * upper.dot(aim)).normalize_or(DVec3::Z);
    let (in_sin, in_cos) = sin_cos(in_deg.to_radians());
    let aside = ahead * in_cos + ahead.cross(upper) * -in_sin;
    let (sin, cos) = sin_cos(elbow_deg.to_radians());
    upper * cos + aside * sin
}

/// Axes with +Y along a direction and +Z as far forward as that leaves.
pub(super) fn frame_along(y: DVec3) -> DMat3 {
    let hint = if y.z.abs() > 0.95 { DVec3::Y * -y.z.signum() } else { DVec3::Z };
    let x = y.cross(hint).normalize_or(DVec3::X);
    DMat3::from_cols(x, y, x.cross(y))
}

fn choose<T: Copy>(
    given: &toml::Spanned<String>,
    what: &str,
    table: &[(&str, T)],
    source: Source<'_>,
) -> Result<T, KitError> {
    let found = table.iter().find(|(word, _)| word == given.get_ref());
    found.map(|(_, value)| *value).ok_or_else(|| source.unknown(given, what, table.iter().map(|(word, _)| *word)))
}
