//! Render model files without writing a study first.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::exit::{Failure, Status, with_causes};
use super::models::Models;
use super::produce::{self, RunArgs};
use super::studies;
use crate::asset::Model;
use crate::rig;
use crate::study::{self, Axis, AxisValue, FrameScope, ModelFile, Repeat, Settings, SheetSpec, Study, Theme};

/// Render model files without writing a study first: idle, walk and rest of each, from the front,
/// three-quarter, profile and behind. Prints the study that was used, ready to save.
///
/// A clip that a model lacks is left out for it; the models' own first clips stand in where it has
/// neither.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  posegrid sheet knight.glb\n  posegrid sheet characters/ -o out > characters.toml")]
pub(super) struct Args {
    /// Model files (.glb, .gltf, .vrm), or folders of them.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    models: Vec<PathBuf>,
    /// Name of the study, and of its folder under the output folder.
    #[arg(long, default_value = "sheet")]
    name: String,
    #[command(flatten)]
    run: RunArgs,
}

/// File endings that hold models.
const ENDINGS: [&str; 3] = ["glb", "gltf", "vrm"];

/// Poses that are asked of every model.
const CLIPS: [&str; 2] = ["idle", "walk"];

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let files = model_files(&args.models)?;
    let study = study_of(&args.name, &files);
    super::print(&study::to_toml(&study));
    let plan = studies::plan(&study, &[])?;
    produce::produce(&study, plan, &args.run.for_printed_study())
}

/// Every model file that the arguments name, folders searched through, in the order of their paths.
fn model_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            search(path, &mut files).map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
            if files.len() == before {
                return Err(Failure::usage(format!("no model file under {}", path.display()))
                    .with_hint("model files end in .glb, .gltf or .vrm"));
            }
        } else if path.is_file() {
            files.push(path.clone());
        } else {
            return Err(Failure::usage(format!("cannot read {}: there is no such file or folder", path.display())));
        }
    }
    Ok(files)
}

fn search(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        // A link to a folder may lead back to where it stands.
        if entry.file_type()?.is_dir() {
            search(&path, files)?;
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))) {
            files.push(path);
        }
    }
    Ok(())
}
