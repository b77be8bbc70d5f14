//! Find the files that a study names: models beside it, and the kit's by their `kit:` names.
//!
//! Reads: folder listings; no file is opened. The kit's files need not exist yet: its names are a
//! list that is given.

use std::path::{Path, PathBuf};

use super::choice::{LoadChoice, ModelFile};
use super::nearest;
use super::read::{Reader, Value};

/// What a glob takes for a model; a file named outright may end in anything.
const MODEL_ENDINGS: [&str; 3] = ["glb", "gltf", "vrm"];
/// A star of a kit glob stays within one folder.
const WITHIN_FOLDER: glob::MatchOptions =
    glob::MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// One model file.
pub(super) fn read_model_file(reader: &mut Reader, value: &Value) -> Option<ModelFile> {
    let written = reader.text(value)?;
    if is_glob(&written) && !reader.dir.join(&written).is_file() {
        let hint = "a glob is for the `files` or `loads` of an axis, which makes a value of each file".to_owned();
        reader.wrong(
            value.span(),
            format!("{written:?} names more than one file"),
            "one file belongs here",
            Some(hint),
        );
        return None;
    }
    match written.strip_prefix("kit:") {
        Some(name) => kit_file(reader, value, name),
        None => file_on_disk(reader, value, &written),
    }
}

/// One model file or several.
pub(super) fn read_model_files(reader: &mut Reader, value: &Value) -> Option<Vec<ModelFile>> {
    reader.one_or_more(value, "a file or a list of files", read_model_file)
}

/// `"none"` or one prop.
pub(super) fn read_load(reader: &mut Reader, value: &Value) -> Option<LoadChoice> {
    if value.get_ref().as_str() == Some("none") {
        return Some(LoadChoice::None);
    }
    read_model_file(reader, value).map(LoadChoice::Prop)
}

/// Every file of a glob, or of a list of globs and files, in the order of the list, sorted within a
/// glob.
pub(super) fn read_globs(reader: &mut Reader, value: &Value) -> Option<Vec<ModelFile>> {
    let lists = reader.one_or_more(value, "a glob or a list of globs and files", |reader, value| {
        let written = reader.text(value)?;
        if !is_glob(&written) || reader.dir.join(&written).is_file() {
            return read_model_file(reader, value).map(|file| vec![file]);
        }
        match written.strip_prefix("kit:") {
            Some(pattern) => kit_glob(reader, value, pattern),
            None => glob_on_disk(reader, value, &written),
        }
    })?;
    Some(lists.into_iter().flatten().collect())
}

fn is_glob(written: &str) -> bool {
    written.contains(['*', '?', '['])
}

fn kit_file(reader: &mut Reader, value: &Value, name: &str) -> Option<ModelFile> {
    if reader.known.kit_names.iter().any(|known| known == name) {
        return Some(kit_model(reader, name));
    }
    let hint = nearest::hint("kit's models", name, reader.known.kit_names);
    reader.wrong(value.span(), format!("the kit has no model {name:?}"), "unknown kit name", Some(hint));
    None
}

fn kit_model(reader: &Reader, name: &str) -> ModelFile {
    let path = reader.known.kit_dir.join(format!("{name}.glb"));
    ModelFile { written: format!("kit:{name}"), path, from_kit: true }
}

fn kit_glob(reader: &mut Reader, value: &Value, pattern: &str) -> Option<Vec<ModelFile>> {
    let glob = parse_glob(reader, value, pattern)?;
    let mut names: Vec<&String> =
        reader.known.kit_names.iter().filter(|name| glob.matches_with(name, WITHIN_FOLDER)).collect();
    names.sort();
    if names.is_empty() {
        let hint = nearest::hint("kit's models", pattern, reader.known.kit_names);
        reader.wrong(value.span(), format!("nothing in the kit matches {pattern:?}"), "matches nothing", Some(hint));
        return None;
    }
    Some(names.into_iter().map(|name| kit_model(reader, name)).collect())
}

fn file_on_disk(reader: &mut Reader, value: &Value, written: &str) -> Option<ModelFile> {
    let path = reader.dir.join(written);
    if path.is_file() {
        return Some(ModelFile { written: written.to_owned(), path, from_kit: false });
    }
    let message = if path.is_dir() {
        format!("{written:?} is a folder, not a model file")
    } else {
        format!("no file {written:?} beside the study")
    };
    let hint = what_is_there(reader.dir, written);
    reader.wrong(value.span(), message, "no such file", Some(hint));
    None
}

fn glob_on_disk(reader: &mut Reader, value: &Value, written: &str) -> Option<Vec<ModelFile>> {
    parse_glob(reader, value, written)?;
    let base = glob::Pattern::escape(&reader.dir.to_string_lossy());
    let whole = if Path::new(written).is_absolute() || base.is_empty() {
        written.to_owned()
    } else {
        format!("{base}/{written}")
    };
    let paths = glob::glob_with(&whole, WITHIN_FOLDER).into_iter().flatten().flatten();
    let mut files: Vec<ModelFile> = paths
        .filter(|path| path.is_file() && is_model(path))
        .map(|path| ModelFile { written: as_written(reader.dir, &path), path, from_kit: false })
        .collect();
    files.sort();
    if files.is_empty() {
        let hint = what_is_there(reader.dir, written);
        let message = format!("no model file matches {written:?}");
        reader.wrong(value.span(), message, "matches nothing", Some(hint));
        return None;
    }
    Some(files)
}

fn parse_glob(reader: &mut Reader, value: &Value, pattern: &str) -> Option<glob::Pattern> {
    match glob::Pattern::new(pattern) {
        Ok(glob) => Some(glob),
        Err(error) => {
            reader.wrong(value.span(), format!("{pattern:?} is no glob"), error.msg, None);
            None
        }
    }
}

/// The path as the study would name it, with `/` on every system.
fn as_written(dir: &Path, path: &Path) -> String {
    path.strip_prefix(dir).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| MODEL_ENDINGS.contains(&ending.as_str()))
}

/// Names what the folder of `written` holds, or the first folder of it that does not exist.
fn what_is_there(dir: &Path, written: &str) -> String {
    let mut folder = PathBuf::new();
    let parts: Vec<&str> = written.split('/').collect();
    let Some((last, folders)) = parts.split_last() else {
        return String::new();
    };
    for part in folders {
        if is_glob(part) {
            return format!("paths are relative to the study's folder; {} exists", shown(&folder));
        }
        let next = if part.is_empty() { PathBuf::from("/") } else { folder.join(part) };
        if !dir.join(&next).is_dir() {
            let there = entries(&dir.join(&folder), Path::is_dir);
            return format!(
                "there is no folder {part:?} in {}; {}",
                shown(&folder),
                nearest::hint("folders", part, there)
            );
        }
        folder = next;
    }
    let there = entries(&dir.join(&folder), |path| path.is_file() && is_model(path));
    format!("in {}: {}", shown(&folder), nearest::hint("model files", last, there))
}

fn shown(folder: &Path) -> String {
    if folder.as_os_str().is_empty() {
        "the study's folder".to_owned()
    } else {
        folder.to_string_lossy().replace('\\', "/")
    }
}

fn entries(folder: &Path, keep: impl Fn(&Path) -> bool) -> Vec<String> {
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut names: Vec<String> = found
        .filter(|path| keep(path))
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}
