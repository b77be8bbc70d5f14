//! Show what is in a model file, and what posegrid makes of it.

use std::fmt::Write as _;
use std::path::PathBuf;

use indexmap::IndexMap;

use super::exit::{Failure, Status};
use crate::asset::{self, Levels, Limits, Model, NodeMask};
use crate::base::{Finding, NodeIndex, Severity};
use crate::rig::{self, Anatomy, BodyNotes, PosedMesh, StagePlacement, TorsoFrame};

/// Show what is in a model file, and what posegrid makes of it.
///
/// Prints sizes, levels of detail, roles with how each was found, clips, materials, the tree of nodes with what is hidden
/// or belongs to a mask, and warnings.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0; 1 where the file cannot be read or a finding is an error.\n\nExample:\n  posegrid inspect knight.glb --json"
)]
pub(super) struct Args {
    /// A model file: .glb, .gltf or .vrm.
    model: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A model with what was made of it.
struct Seen {
    model: Model,
    anatomy: Anatomy,
    placement: StagePlacement,
    torso: Result<TorsoFrame, Finding>,
    findings: Vec<Finding>,
}

impl Seen {
    fn new(model: Model) -> Self {
        let (bind, noted) = rig::bind_pose_noted(&model);
        let bind_mesh = rig::skin(&model, &bind);
        let anatomy = rig::anatomy_with(&model, &BodyNotes { roles: IndexMap::new(), forward: None, up: None });
        let seen = model.seen_nodes(0);
        let parts = bind_mesh.parts.into_iter().filter(|part| seen[part.node.at()]).collect();
        let placement = rig::stage_from_model(&anatomy, &bind, &PosedMesh { parts }, None);
        let torso = TorsoFrame::new(&anatomy, &bind);
        let findings =
            [&model.findings, &noted, &anatomy.findings, &placement.findings].into_iter().flatten().cloned().collect();
        Self { model, anatomy, placement, torso, findings }
    }
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let model = match asset::load(&args.model, &Limits::default()) {
        Ok(model) => model,
        Err(error) => {
            let finding = error.finding();
            if args.json {
                let all =
                    serde_json::json!({ "format": 1, "file": args.model.display().to_string(), "findings": [finding] });
                super::print(&format!("{all:#}\n"));
            }
            return Err(Failure {
                status: Status::Found,
                message: format!("{}: {}", finding.place, finding.message),
                hint: finding.hint,
            });
        }
    };
    let seen = Seen::new(model);
    super::print(&if args.json { json(&seen) } else { text(&seen) });
    let fatal = seen.findings.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if fatal { Status::Found } else { Status::Done })
}

/// Triangles and vertices that a level draws where a study asks for nothing else.
fn counts(model: &Model, level: usize) -> (usize, usize) {
    let seen = model.seen_nodes(level);
    let drawn = model.order.iter().filter(|node| seen[node.at()]).filter_map(|node| model.nodes[node.at()].mesh);
    let primitives = drawn.flat_map(|mesh| &model.meshes[mesh.at()].primitives);
    primitives.fold((0, 0), |(triangles, vertices), primitive| {
        (triangles + primitive.indices.len() / 3, vertices + primitive.positions.len())
    })
}

fn json(seen: &Seen) -> String {
    let model = &seen.model;
    let (triangles, vertices) = counts(model, 0);
    let (ladder, hidden) = (model.levels(), model.hidden_nodes());
    let nodes: Vec<_> = (0..model.nodes.len())
        .map(NodeIndex::new)
        .map(|at| {
            let node = &model.nodes[at.at()];
            serde_json::json!({
                "name": node.name, "parent": node.parent.map(|at| at.0),
                "mesh": node.mesh.map(|at| at.0), "skin": node.skin.map(|at| at.0),
                "hidden": hidden[at.at()], "mask": node.mask.map(NodeMask::name),
                "levels": ladder.of(at).map(|levels| [*levels.start(), *levels.end()]),
                "screen_coverage": node.screen_coverage,
            })
        })
        .collect();
    let levels: Vec<_> = (0..ladder.count())
        .map(|level| {
            let (triangles, vertices) = counts(model, level);
            serde_json::json!({ "triangles": triangles, "vertices": vertices, "still": model.stands_still(level) })
        })
        .collect();
    let clips: Vec<_> = model
        .clips
        .iter()
        .map(|clip| serde_json::json!({ "name": clip.name, "first_secs": clip.first_secs, "last_secs": clip.last_secs, "channels": clip.channels.len() }))
        .collect();
    let materials: Vec<_> = model
        .materials
        .iter()
        .map(|material| {
            serde_json::json!({
                "name": material.name, "base_colour": material.base_colour, "metallic": material.metallic,
                "roughness": material.roughness, "alpha": format!("{:?}", material.alpha_mode),
                "double_sided": material.double_sided, "unlit": material.unlit,
            })
        })
        .collect();
    let meshes: Vec<_> = model
        .meshes
        .iter()
        .map(|mesh| serde_json::json!({ "name": mesh.name, "primitives": mesh.primitives.len() }))
        .collect();
    let skins: Vec<_> =
        model.skins.iter().map(|skin| serde_json::json!({ "name": skin.name, "joints": skin.joints.len() })).collect();
    let images: Vec<_> = model
        .images
        .iter()
        .map(|image| serde_json::json!({ "name": image.name, "width": image.width, "height": image.height }))
        .collect();
    let all = serde_json::json!({
        "format": 1, "file": model.path.display().to_string(), "digest": model.digest,
        "triangles": triangles, "vertices": vertices, "levels": levels, "nodes": nodes, "meshes": meshes, "skins": skins,
        "clips": clips, "materials": materials, "images": images,
        "anatomy": seen.anatomy, "placement": seen.placement,
        "torso": seen.torso.as_ref().ok().map(|torso| serde_json::json!({ "chest": model.node_name(torso.chest), "mirrored": torso.mirrored })),
        "torso_missing": seen.torso.as_ref().err(), "findings": seen.findings,
    });
    format!("{all:#}\n")
}

fn text(seen: &Seen) -> String {
    let model = &seen.model;
    let (triangles, vertices) = counts(model, 0);
    let mut out = String::new();
    let _ = writeln!(out, "{}\n  digest {}", model.path.display(), model.digest.short());
    let joints: usize = model.skins.iter().map(|skin| skin.joints.len()).sum();
    let _ = writeln!(
        out,
        "  {triangles} triangles, {vertices} vertices, {} nodes, {} skins with {joints} joints, {} materials, {} images",
        model.nodes.len(),
        model.skins.len(),
        model.materials.len(),
        model.images.len()
    );
    let placement = &seen.placement;
    let _ = writeln!(
        out,
        "  height {:.3} m, faces {} ({})",
        placement.height_m,
        direction(seen),
        seen.anatomy.facing.evidence
    );
    levels(&mut out, model);
    roles(&mut out, seen);
    clips(&mut out, model);
    materials(&mut out, model);
    out.push_str("\nnodes\n");
    let (levels, hidden) = (model.levels(), model.hidden_nodes());
    model.roots.iter().for_each(|root| tree(&mut out, model, &levels, &hidden, *root));
    if !seen.findings.is_empty() {
        out.push_str("\nnoticed\n");
        for finding in &seen.findings {
            let _ = writeln!(out, "  {finding}");
        }
    }
    out
}

/// A line a level, where there are several.
fn levels(out: &mut String, model: &Model) {
    let count = model.levels().count();
    if count < 2 {
        return;
    }
    let _ = writeln!(out, "\nlevels of detail ({count})");
    for level in 0..count {
        let (triangles, vertices) = counts(model, level);
        let still = if model.stands_still(level) { ", stands still" } else { "" };
        let _ = writeln!(out, "  {level:<16} {triangles} triangles, {vertices} vertices{still}");
    }
}

fn direction(seen: &Seen) -> String {
    let d = seen.anatomy.facing.direction;
    format!("({:.2}, {:.2}, {:.2})", d.x, d.y, d.z)
}

fn roles(out: &mut String, seen: &Seen) {
    out.push_str("\nroles\n");
    for found in &seen.anatomy.roles {
        let _ =
            writeln!(out, "  {:<16} {:<28} {} ({})", found.role.name(), found.joint, found.how.name(), found.evidence);
    }
    for (role, why) in &seen.anatomy.missing {
        let _ = writeln!(out, "  {:<16} not found: {why}", role.name());
    }
    match &seen.torso {
        Ok(torso) => {
            let mirrored = if torso.mirrored { ", left and right are swapped in this rig" } else { "" };
            let _ = writeln!(out, "  loads ride {}{mirrored}", seen.model.node_name(torso.chest));
        }
        Err(finding) => drop(writeln!(out, "  no load can be worn: {}", finding.message)),
    }
}

fn clips(out: &mut String, model: &Model) {
    let _ = writeln!(out, "\nclips ({})", model.clips.len());
    for clip in &model.clips {
        let secs = clip.last_secs - clip.first_secs;
        let _ = writeln!(out, "  {:<40} {secs:.2} s, {} channels", format!("{:?}", clip.name), clip.channels.len());
    }
}

fn materials(out: &mut String, model: &Model) {
    let _ = writeln!(out, "\nmaterials ({})", model.materials.len());
    for material in &model.materials {
        let name = material.name.as_deref().unwrap_or("(no name)");
        let textured = if material.base_colour_texture.is_some() { ", textured" } else { "" };
        let _ = writeln!(
            out,
            "  {name:<40} metallic {:.2}, roughness {:.2}{textured}",
            material.metallic, material.roughness
        );
    }
}

/// A node and what hangs under it. Depth is bounded by the loader.
fn tree(out: &mut String, model: &Model, levels: &Levels, hidden: &[bool], root: NodeIndex) {
    let mut open = vec![(root, 1)];
    while let Some((node, depth)) = open.pop() {
        let this = &model.nodes[node.at()];
        let mesh =
            this.mesh.map(|mesh| model.meshes[mesh.at()].name.clone().unwrap_or_else(|| format!("mesh {}", mesh.0)));
        let mesh = mesh.map(|name| format!("  [{name}]"));
        let mask = this.mask.map(|mask| format!("  mask {}", mask.name()));
        let hidden = hidden[node.at()].then(|| "  hidden".to_owned());
        let drawn = levels.of(node).map(|of| match (*of.start(), *of.end()) {
            (first, last) if first == last => format!("  level {first}"),
            (first, last) if first < last => format!("  levels {first} to {last}"),
            _ => "  at no level".to_owned(),
        });
        let more: String = [mesh, drawn, hidden, mask].into_iter().flatten().collect();
        let _ = writeln!(out, "{}{}{more}", "  ".repeat(depth), model.node_name(node));
        open.extend(this.children.iter().rev().map(|child| (*child, depth + 1)));
    }
}
