//! Render model files without writing a study first.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::exit::{Failure, Status};
use super::models::Models;
use super::produce::{self, Paths, RunArgs};
use crate::asset::Model;
use crate::rig;
use crate::study::{self, Axis, AxisValue, ModelFile, Repeat, Settings, SheetSpec, Study};

/// Render model files without writing a study first.
///
/// Shows idle, walk and rest of each, from the front, three-quarter, profile and behind. Prints the
/// study that was used, ready to save.
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
    #[arg(long, default_value = "sheet", value_parser = folder_name)]
    name: String,
    #[command(flatten)]
    run: RunArgs,
}

/// A name that makes one folder in the output folder and none elsewhere.
fn folder_name(text: &str) -> Result<String, String> {
    let plain = !text.is_empty() && !text.starts_with('.') && !text.contains(['/', '\\']) && text.trim() == text;
    if plain {
        Ok(text.to_owned())
    } else {
        Err("must be a plain name, without / and not starting with a dot".to_owned())
    }
}

/// File endings that hold models.
pub(super) const ENDINGS: [&str; 3] = ["glb", "gltf", "vrm"];

/// Poses that are asked of every model.
const CLIPS: [&str; 2] = ["idle", "walk"];

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let files = model_files(&args.models)?;
    let study = study_of(&args.name, &files);
    if !args.run.json {
        super::print(&study::to_toml(&study));
    }
    produce::produce(&study, &[], &args.run, Paths::Stderr)
}

/// Every model file that the arguments name, folders searched through, in the order of their paths.
fn model_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            search(path, &mut files)
                .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
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
        } else if path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// The study of a list of model files.
fn study_of(name: &str, files: &[PathBuf]) -> Study {
    let models = Models::default();
    let files: Vec<ModelFile> = files
        .iter()
        .map(|path| ModelFile { written: path.to_string_lossy().into_owned(), path: path.clone(), from_kit: false })
        .collect();
    let names = study::names_of_files(&files);
    let plays: Vec<Plays> =
        files.iter().map(|file| models.load(file).map_or_else(|_| Plays::default(), |m| Plays::of(&m))).collect();
    let subjects = std::iter::zip(&names, &files).zip(&plays).map(|((name, file), plays)| {
        let clips = plays.first.as_ref().map(|first| IndexMap::from([(FIRST_CLIP.to_owned(), first.clone())]));
        AxisValue {
            name: name.clone(),
            settings: Settings { subject: Some(file.clone()), clips, ..Settings::default() },
        }
    });
    let mut poses: Vec<AxisValue> = Vec::new();
    let mut skip = Vec::new();
    for (pose, clip) in CLIPS.iter().map(|clip| (*clip, *clip)).chain([(FIRST_CLIP, FIRST_CLIP)]) {
        let lacking: Vec<String> = std::iter::zip(&names, &plays)
            .filter(|(_, plays)| !plays.has(clip))
            .map(|(name, _)| name.clone())
            .collect();
        if lacking.len() == names.len() {
            continue;
        }
        let at = (pose != "idle").then_some(0.25);
        poses.push(AxisValue {
            name: pose.to_owned(),
            settings: Settings { clip: Some(clip.to_owned()), at, ..Settings::default() },
        });
        if !lacking.is_empty() {
            skip.push(vec![("model".to_owned(), lacking), ("pose".to_owned(), vec![pose.to_owned()])]);
        }
    }
    poses.push(AxisValue {
        name: "rest".to_owned(),
        settings: Settings { clip: Some("rest".to_owned()), ..Settings::default() },
    });
    let view = |name: &str, azimuth: f32| AxisValue {
        name: name.to_owned(),
        settings: Settings { azimuth: Some(azimuth), ..Settings::default() },
    };
    let views = vec![view("front", 0.0), view("three_quarter", 45.0), view("profile", 90.0), view("behind", 180.0)];
    Study {
        name: name.to_owned(),
        path: None,
        title: if files.len() == 1 { names[0].clone() } else { format!("{} models", files.len()) },
        base: Settings::default(),
        axes: vec![
            Axis { name: "model".to_owned(), values: subjects.collect() },
            Axis { name: "pose".to_owned(), values: poses },
            Axis { name: "view".to_owned(), values: views },
        ],
        only: Vec::new(),
        skip,
        sheet: SheetSpec {
            rows: vec!["model".to_owned()],
            columns: vec!["pose".to_owned(), "view".to_owned()],
            ..SheetSpec::default()
        },
        repeat: Repeat::default(),
    }
}

/// The pose that shows a model which has clips, but none of [`CLIPS`].
const FIRST_CLIP: &str = "first_clip";

/// Which of the asked clips a model can play.
#[derive(Debug, Default)]
struct Plays {
    named: Vec<&'static str>,
    /// Its first clip, where it has none of the asked ones.
    first: Option<String>,
}

impl Plays {
    fn of(model: &Model) -> Self {
        let named: Vec<&str> = CLIPS.into_iter().filter(|clip| rig::find_clip(model, clip, None).is_ok()).collect();
        let first = if named.is_empty() { model.clips.first().map(|clip| clip.name.clone()) } else { None };
        Self { named, first }
    }

    fn has(&self, clip: &str) -> bool {
        self.named.contains(&clip) || (clip == FIRST_CLIP && self.first.is_some())
    }
}
