//! Run posegrid in a folder, and read what it says and leaves.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// What one run of posegrid said.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Runs `posegrid` in `folder`, with variables of the environment set.
    pub(crate) fn of(folder: &Path, arguments: &[&str], env: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_posegrid"));
        let Output { status, stdout, stderr } =
            command.args(arguments).envs(env.iter().copied()).current_dir(folder).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Writes the study `name` into `folder` and renders it into `folder/out/name`.
    pub(crate) fn render(folder: &Path, name: &str, study: &str) -> Self {
        let file = format!("{name}.toml");
        std::fs::write(folder.join(&file), study).unwrap();
        Self::of(folder, &["render", &file], &[])
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {:?}\n{}\n{}", self.code, self.stdout, self.stderr)
    }
}

/// run.json of a study's folder.
pub(crate) fn report(results: &Path) -> Value {
    let path = results.join("run.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}
