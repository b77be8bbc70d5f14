//! One model of the kit with its truth, in its bind pose and in clips.

use std::collections::HashMap;
use std::path::Path;

use glam::Vec3;
use posegrid::asset::{self, Limits, Model};
use posegrid::base::NodeIndex;
use posegrid::kit::{self, Truth};
use posegrid::rig::{self, PosedMesh, PosedPart};

pub(crate) struct Subject {
    /// Such as `dwarf`.
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) truth: Truth,
    pub(crate) recipe: toml::Table,
    pub(crate) bind: PosedMesh,
    pub(crate) bytes: Vec<u8>,
}

/// A posed primitive that is drawn at the finest level, and what its truth says of its vertices.
pub(crate) struct Drawn<'a> {
    pub(crate) part: &'a str,
    /// Its place among all primitives, drawn or not.
    pub(crate) at: usize,
    pub(crate) indices: &'a [u32],
    pub(crate) classes: Vec<&'a str>,
    /// For each vertex the first in the same place: a texture's seams split what is one vertex.
    pub(crate) first: Vec<usize>,
}

impl Subject {
    pub(crate) fn new(name: &str) -> Self {
        let path = format!("{}/scenes/kit/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let recipe = std::fs::read_to_string(path).unwrap().parse().unwrap();
        // Beside the program: what is right already is not made again.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kit");
        let built = kit::build(&folder, Some(&[name])).unwrap().remove(0);
        let truth = serde_json::from_slice(&std::fs::read(&built.truth).unwrap()).unwrap();
        let bytes = std::fs::read(&built.path).unwrap();
        let model = asset::load_bytes(&built.path, &bytes, &Limits::default()).unwrap();
        let bind = rig::skin(&model, &rig::bind_pose(&model));
        Self { name: name.split('/').next_back().unwrap().to_owned(), model, truth, recipe, bind, bytes }
    }

    /// A number of the recipe's walk.
    pub(crate) fn walk(&self, key: &str) -> Option<f32> {
        let value = self.recipe["motion"]["walk"].get(key)?;
        value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).map(|number| number as f32)
    }

    pub(crate) fn height_m(&self) -> f32 {
        self.truth.height_m as f32
    }

    /// The mesh at a phase of a clip; a walk that travels really does.
    pub(crate) fn posed(&self, clip: &str, phase: f32) -> PosedMesh {
        let clip = self.model.clips.iter().find(|own| own.name == clip).unwrap();
        rig::skin(&self.model, &rig::clip_pose(&self.model, clip, phase, false, Vec3::Y).pose)
    }

    /// Every primitive that is drawn at the finest level.
    pub(crate) fn drawn(&self) -> Vec<Drawn<'_>> {
        let own = |(at, part): (usize, &PosedPart)| {
            let node = self.model.node_name(NodeIndex::new(part.node.at()));
            let known = self.truth.meshes.iter().find(|mesh| mesh.node == node && mesh.primitive == part.primitive);
            let known = known.unwrap_or_else(|| panic!("{}: the truth knows {node}", self.name));
            let primitive = &self.model.meshes[part.mesh.at()].primitives[part.primitive];
            (known.level == 0 && !known.hidden).then(|| Drawn {
                part: &known.part,
                at,
                indices: &primitive.indices,
                classes: known.by_vertex(),
                first: firsts(&primitive.positions),
            })
        };
        self.bind.parts.iter().enumerate().filter_map(own).collect()
    }
}

fn firsts(positions: &[Vec3]) -> Vec<usize> {
    let mut known = HashMap::new();
    let bits = |at: &Vec3| at.to_array().map(f32::to_bits);
    positions.iter().enumerate().map(|(vertex, at)| *known.entry(bits(at)).or_insert(vertex)).collect()
}

impl Drawn<'_> {
    /// Every edge once, vertices in one place counted as one.
    pub(crate) fn edges(&self) -> Vec<(usize, usize)> {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for corners in self.indices.chunks_exact(3) {
            for side in 0..3 {
                let [a, b] = [side, (side + 1) % 3].map(|corner| self.first[corners[corner] as usize]);
                edges.push((a.min(b), a.max(b)));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}
