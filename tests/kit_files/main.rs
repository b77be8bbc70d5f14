//! The kit's files, read back from their bytes alone: what they hold, and how their workers move.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod bodies;
mod glb;
mod motion;
mod texture;

use std::sync::LazyLock;

use glb::Glb;
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
}

fn workers() -> impl Iterator<Item = &'static Made> {
    KIT.iter().filter(|made| made.is_worker())
}

fn loads() -> impl Iterator<Item = &'static Made> {
    KIT.iter().filter(|made| !made.is_worker())
}

fn made(name: &str) -> &'static Made {
    KIT.iter().find(|made| made.name == name).unwrap()
}
