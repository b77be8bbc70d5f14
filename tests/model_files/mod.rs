//! List the shared models.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::path::Path;

/// Every model file under `folder` of `root`, by its path from there with `/`, sorted.
pub(crate) fn models_under(root: &Path, folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root.join(folder)];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "glb" || ending == "gltf" || ending == "vrm") {
                found.push(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}
