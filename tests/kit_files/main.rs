//! The kit's files, read back from their bytes alone: what they hold, and how their workers move.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod bodies;
mod glb;
mod heads;
mod motion;
mod texture;

use std::sync::LazyLock;

use glb::{Glb, Part};
use posegrid::kit;

/// One file of the kit and the recipe it was made from.
struct Made {
    name: String,
    glb: Glb,
    recipe: toml::Table,
}

/// Every file of the kit, made once.
static KIT: LazyLock<Vec<Made>> = LazyLock::new(|| kit::names().into_iter().map(Made::new).collect());

impl Made {
    fn new(name: String) -> Self {
        let path = format!("{}/scenes/kit/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let recipe = std::fs::read_to_string(path).unwrap().parse().unwrap();
        Self { glb: Glb::of(&kit::generate(&name).unwrap()), name, recipe }
    }

    /// A number of the recipe, by its tables and key.
    fn number(&self, path: &[&str]) -> f64 {
        let value = path[1..].iter().fold(&self.recipe[path[0]], |table, key| &table[*key]);
        value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).unwrap()
    }

    fn height_m(&self) -> f64 {
        self.number(&["height_m"])
    }

    fn is_worker(&self) -> bool {
        self.name.starts_with("workers/")
    }

    fn is_head(&self) -> bool {
        self.name.starts_with("heads/")
    }

    /// Every surface that closes in itself: a part that is a piece of another is put back where it came from.
    fn closed_parts(&self) -> Vec<Part> {
        let mut parts = self.glb.parts();
        for piece in self.recipe["body"]["part"].as_array().unwrap().iter().filter(|part| part.get("from").is_some()) {
            let named = |key: &str, parts: &[Part]| {
                let name = piece[key].as_str().unwrap();
                parts.iter().position(|part| part.name == name).unwrap()
            };
            let taken = parts.remove(named("name", &parts));
            let giver = named("from", &parts);
            let first = parts[giver].positions.len();
            parts[giver].positions.extend(taken.positions);
            parts[giver].triangles.extend(taken.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
        }
        parts
    }
}

fn workers() -> impl Iterator<Item = &'static Made> {
    KIT.iter().filter(|made| made.is_worker())
}

fn loads() -> impl Iterator<Item = &'static Made> {
    KIT.iter().filter(|made| made.name.starts_with("loads/"))
}

fn heads() -> impl Iterator<Item = &'static Made> {
    KIT.iter().filter(|made| made.is_head())
}

fn made(name: &str) -> &'static Made {
    KIT.iter().find(|made| made.name == name).unwrap()
}
