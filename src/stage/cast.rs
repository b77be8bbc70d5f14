//! Everything that the cells of a plan share: actors, props, surfaces, frames and the pose proof.
//!
//! Reads: a plan and its loaded models. Gives: a [`Cast`], from which any cell's scene can be built
//! alone and in any order. Pure.
//!
//! A subject that fails is an entry with the reason: its cells become holes and the rest goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use super::actor::{self, Actor, ActorPose};
use super::body;
use super::dress::{self, Wardrobe};
use super::frame::{self, Extent, FrameKey, Frames};
use super::heads;
use super::proof::{self, PoseProof, Shown};
use super::prop::Prop;
use crate::asset::Model;
use crate::base::Finding;
use crate::carry::{self, Back, Placement};
use crate::plan::{Cell, Framing, Plan, PoseSpec, SubjectSpec, VariantSpec};
use crate::rig::Pose;
use crate::study::ModelFile;

/// Loads a model, or says why it cannot.
pub type Loader<'a> = dyn Fn(&ModelFile) -> Result<Arc<Model>, Finding> + Sync + 'a;

/// What the cells of a plan share.
#[derive(Debug)]
pub struct Cast {
    /// One a different subject, in the order in which the plan names them.
    pub actors: Vec<Member>,
    /// One a different load.
    pub props: Vec<(ModelFile, Result<Prop, Finding>)>,
    /// The frames of every scope.
    pub(super) frames: Frames,
    /// Furthest that any head of the company reaches from its joint, in the cells at a distance.
    pub(super) head_reach_m: Option<f32>,
    of_cell: Vec<CellRefs>,
    row_axes: Vec<usize>,
}

/// A subject with all that its cells need, or the reason why there is none.
#[derive(Debug)]
pub struct Member {
    /// What the study asked for.
    pub spec: SubjectSpec,
    /// The subject made ready.
    pub ready: Result<Ready, Finding>,
}

/// A subject made ready for its cells.
#[derive(Debug)]
pub struct Ready {
    /// The subject.
    pub actor: Actor,
    /// Its surfaces by variant.
    pub(super) wardrobe: Wardrobe,
    /// Where each load sits: by position in `Cast::props`.
    pub placements: BTreeMap<usize, Result<Placement, Finding>>,
    /// The pose proof, in the order in which the plan names poses.
    pub proofs: Vec<PoseProof>,
    /// Furthest that its head reaches from the head joint, in any of its cells at a distance.
    head_reach_m: Option<f32>,
    /// Frozen poses by name.
    frozen: BTreeMap<String, Finding>,
}

/// Where a cell finds what it shares.
#[derive(Debug, Clone, Copy)]
struct CellRefs {
    actor: usize,
    prop: Option<usize>,
}

impl Cast {
    /// Loads and readies everything that `plan` names. `company` are the cells that decide its frames and
    /// its pose proof, see [`super::company`]: all of `plan` where nothing was filtered. `row_axes` are
    /// the positions of the axes that make a row of the sheet.
    pub fn assemble(plan: &Plan, company: &[&Cell], row_axes: &[usize], load: &Loader<'_>) -> Self {
        let mut subjects: Vec<SubjectSpec> = Vec::new();
        let mut loads: Vec<ModelFile> = Vec::new();
        let mut refs_of = |cell: &Cell| CellRefs {
            actor: position_or_push(&mut subjects, &cell.spec.subject),
            prop: cell.spec.load.as_ref().map(|file| position_or_push(&mut loads, file)),
        };
        let of_cell: Vec<CellRefs> = plan.cells.iter().map(&mut refs_of).collect();
        let shown = |at: fn(&CellRefs) -> Option<usize>| of_cell.iter().filter_map(at).max().map_or(0, |at| at + 1);
        let (shown_actors, shown_props) = (shown(|refs| Some(refs.actor)), shown(|refs| refs.prop));
        let of_company: Vec<CellRefs> = company.iter().map(|cell| refs_of(cell)).collect();
        let mut props: Vec<(ModelFile, Result<Prop, Finding>)> =
            loads.into_par_iter().map(|file| (file.clone(), load(&file).and_then(Prop::new))).collect();
        let mut cells_of: Vec<Vec<(&Cell, Option<usize>)>> = vec![Vec::new(); subjects.len()];
        for (cell, refs) in std::iter::zip(company, &of_company) {
            cells_of[refs.actor].push((cell, refs.prop));
        }
        let made: Vec<(Member, BTreeMap<FrameKey, Extent>)> = subjects
            .into_par_iter()
            .zip(cells_of)
            .enumerate()
            .map(|(at, (spec, cells))| match ready(at, &spec, &cells, &props, row_axes, load) {
                Ok((ready, extents)) => (Member { spec, ready: Ok(ready) }, extents),
                Err(finding) => (Member { spec, ready: Err(finding) }, BTreeMap::new()),
            })
            .collect();
        let mut extents = BTreeMap::new();
        let mut actors = Vec::new();
        for (at, (member, of_member)) in made.into_iter().enumerate() {
            extents.extend(of_member.into_iter().map(|(key, extent)| ((key, at), extent)));
            actors.push(member);
        }
        let ready = actors.iter().filter_map(|member: &Member| member.ready.as_ref().ok());
        let head_reach_m = ready.filter_map(|ready| ready.head_reach_m).reduce(f32::max);
        // What was only there to be framed with has done its part.
        actors.truncate(shown_actors);
        props.truncate(shown_props);
        Self { actors, props, frames: Frames::new(extents), head_reach_m, of_cell, row_axes: row_axes.to_vec() }
    }

    /// What a cell of the plan shows: its subject, and its load if it carries one.
    pub(super) fn of(&self, at: usize) -> (usize, Option<usize>) {
        (self.of_cell[at].actor, self.of_cell[at].prop)
    }

    /// The scope that a cell is framed in.
    pub(super) fn frame_key(&self, cell: &Cell, actor: usize) -> FrameKey {
        frame::key(cell, actor, &self.row_axes)
    }
}

impl Ready {
    /// The reason why a pose may not be shown at a level; one that nothing can move is let off.
    pub(super) fn frozen(&self, pose: &PoseSpec, level: usize) -> Option<&Finding> {
        self.frozen.get(&proof::pose_name(pose)).filter(|_| self.actor.ladder.standing(level).is_none())
    }
}

fn position_or_push<T: PartialEq + Clone>(list: &mut Vec<T>, item: &T) -> usize {
    // The last is the likeliest: plans turn their first axis slowest.
    if let Some(at) = list.iter().rposition(|known| known == item) {
        return at;
    }
    list.push(item.clone());
    list.len() - 1
}

/// One combination of what moves vertices: variant, pose, load.
#[derive(Clone, Copy, PartialEq)]
struct Combo {
    variant: usize,
    pose: usize,
    prop: Option<usize>,
}

fn ready(
    at: usize,
    spec: &SubjectSpec,
    cells: &[(&Cell, Option<usize>)],
    props: &[(ModelFile, Result<Prop, Finding>)],
    row_axes: &[usize],
    load: &Loader<'_>,
) -> Result<(Ready, BTreeMap<FrameKey, Extent>), Finding> {
    let model = load(&spec.file)?;
    let sources = spec.clip_files.iter().map(load).collect::<Result<Vec<_>, _>>()?;
    let mut poses: Vec<PoseSpec> = Vec::new();
    let mut variants: Vec<VariantSpec> = Vec::new();
    let mut combos: Vec<Combo> = Vec::new();
    let mut scopes: BTreeMap<FrameKey, Vec<usize>> = BTreeMap::new();
    for (cell, prop) in cells {
        let combo = Combo {
            variant: position_or_push(&mut variants, &cell.spec.variant),
            pose: position_or_push(&mut poses, &cell.spec.pose),
            prop: *prop,
        };
        let combo = position_or_push(&mut combos, &combo);
        let scope = scopes.entry(frame::key(cell, at, row_axes)).or_default();
        if !scope.contains(&combo) {
            scope.push(combo);
        }
    }
    let mut wanted: Vec<String> = Vec::new();
    for pose in &poses {
        if let PoseSpec::Clip { name, .. } = pose {
            position_or_push(&mut wanted, name);
        }
    }
    let mut actor = Actor::new(model, &sources, spec, &wanted)?;
    let asked: Vec<usize> = variants.iter().map(|variant| variant.lod).collect();
    actor.findings.extend(actor.ladder.notes(&actor.model, &asked));
    let wardrobe = dress::wardrobe(&actor, &variants);
    let placements = placements(&actor, &combos, props);
    let posed: Vec<Result<ActorPose, Finding>> = poses.par_iter().map(|pose| actor.pose(pose)).collect();
    let extents = extents(&actor, &wardrobe, &placements, props, &combos, &posed, &scopes, &variants);
    let shown: Vec<Shown<'_>> = std::iter::zip(&poses, &posed)
        .filter_map(|(spec, posed)| {
            posed.as_ref().ok().map(|posed| Shown { spec, mesh: &posed.mesh, removed_m: posed.removed_m })
        })
        .collect();
    let proved = proof::prove(&actor, &shown);
    let mut frozen = BTreeMap::new();
    let mut proofs = Vec::new();
    for (proof, finding) in proved {
        if let Some(finding) = finding {
            frozen.insert(proof.pose.clone(), finding);
        }
        proofs.push(proof);
    }
    let head_reach_m = head_reach_m(&actor, &wardrobe, cells, &poses, &posed);
    Ok((Ready { actor, wardrobe, placements, proofs, head_reach_m, frozen }, extents))
}

fn head_reach_m(
    actor: &Actor,
    wardrobe: &Wardrobe,
    cells: &[(&Cell, Option<usize>)],
    poses: &[PoseSpec],
    posed: &[Result<ActorPose, Finding>],
) -> Option<f32> {
    let at_distance = cells.iter().filter(|(cell, _)| matches!(cell.spec.view.framing, Framing::Distance { .. }));
    at_distance
        .filter_map(|(cell, _)| {
            let pose = poses.iter().position(|pose| *pose == cell.spec.pose)?;
            let posed = posed[pose].as_ref().ok()?;
            let posed = actor.ladder.standing(cell.spec.variant.lod).unwrap_or(posed);
            heads::reach_m(actor, wardrobe.get(&cell.spec.variant).ok()?, posed)
        })
        .reduce(f32::max)
}

fn placements(
    actor: &Actor,
    combos: &[Combo],
    props: &[(ModelFile, Result<Prop, Finding>)],
) -> BTreeMap<usize, Result<Placement, Finding>> {
    let mut worn: Vec<usize> = combos.iter().filter_map(|combo| combo.prop).collect();
    worn.sort_unstable();
    worn.dedup();
    if worn.is_empty() {
        return BTreeMap::new();
    }
    let back = actor.torso.as_ref().map(|torso| {
        let height = actor.placement.height_in_model;
        let seen = actor.model.seen_nodes(0);
        let unseen: Vec<bool> = actor.bind_mesh.parts.iter().map(|part| !seen[part.node.at()]).collect();
        let mesh = actor::without(&actor.bind_mesh, &unseen);
        Back::in_bind(&actor.model, &actor.anatomy, torso, &actor.bind, &mesh, height)
    });
    let place = |at: &usize| {
        let prop = props[*at].1.as_ref().map_err(Clone::clone)?;
        let back = back.as_ref().map_err(|finding| (*finding).clone())?;
        Ok(carry::place(back, &prop.shape).placement)
    };
    worn.iter().map(|at| (*at, place(at))).collect()
}

/// What each scope must hold of this subject; scopes without a single vertex are left out.
#[expect(clippy::too_many_arguments, reason = "all of one subject's parts, gathered by the one caller")]
fn extents(
    actor: &Actor,
    wardrobe: &Wardrobe,
    placements: &BTreeMap<usize, Result<Placement, Finding>>,
    props: &[(ModelFile, Result<Prop, Finding>)],
    combos: &[Combo],
    posed: &[Result<ActorPose, Finding>],
    scopes: &BTreeMap<FrameKey, Vec<usize>>,
    variants: &[VariantSpec],
) -> BTreeMap<FrameKey, Extent> {
    let sets: Vec<Vec<Vec3>> = combos
        .par_iter()
        .map(|combo| {
            let (Ok(posed), Ok(dressed)) = (&posed[combo.pose], wardrobe.get(&variants[combo.variant])) else {
                return Vec::new();
            };
            let posed = actor.ladder.standing(variants[combo.variant].lod).unwrap_or(posed);
            let mut points = body::drawn_positions(&posed.mesh, &dressed.drawn, actor.stage_from_model());
            let carried = combo.prop.and_then(|at| Some((props[at].1.as_ref().ok()?, placements[&at].as_ref().ok()?)));
            if let Some((prop, placement)) = carried {
                let stage_from_load = stage_from_load(actor, &posed.pose, placement, prop);
                points.extend(prop.positions().map(|point| stage_from_load.transform_point3(point)));
            }
            points
        })
        .collect();
    scopes
        .iter()
        .filter_map(|(key, combos)| {
            let extent = Extent::of(combos.iter().map(|at| sets[*at].as_slice()))?;
            Some((key.clone(), extent))
        })
        .collect()
}

/// Where a load is in a pose: `stage_from_load`.
pub(super) fn stage_from_load(actor: &Actor, pose: &Pose, placement: &Placement, prop: &Prop) -> Mat4 {
    let torso = actor.torso.as_ref().expect("a load was placed by this torso");
    let height = actor.placement.height_in_model;
    actor.stage_from_model() * carry::model_from_load(pose, torso, placement, height, prop.shape.width)
}
