//! Open a study and plan it, with errors as a user reads them.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use super::exit::{Failure, with_causes};
use crate::plan::{self, Cell, Plan};
use crate::study::{self, Known, Study, StudyErrors};
use crate::{kit, measure, sheet};

/// Where the kit is built.
pub(super) const KIT_DIR: &str = "out/kit";

/// Reads a study file.
pub(super) fn open(path: &Path) -> Result<Study, Failure> {
    with_known(|known| study::read(path, known)).map_err(|errors| failure(&errors))
}

/// Calls `read` with what a study may name beyond its own text.
pub(super) fn with_known<T>(read: impl FnOnce(&Known<'_>) -> T) -> T {
    let kit_names = kit::names();
    let columns: Vec<&str> = measure::COLUMNS.iter().map(|column| column.name).collect();
    let captions = sheet::caption_choices(&columns);
    let captions: Vec<&str> = captions.iter().map(String::as_str).collect();
    read(&Known { kit_dir: Path::new(KIT_DIR), kit_names: &kit_names, captions: &captions })
}

/// A study's errors as a failure.
pub(super) fn failure(errors: &StudyErrors) -> Failure {
    let message = match errors {
        StudyErrors::Wrong(text) => {
            let rendered = text.render(std::io::stderr().is_terminal());
            let count = text.errors.len();
            let what = if count == 1 { "an error".to_owned() } else { format!("{count} errors") };
            format!("{} has {what}\n{rendered}", text.path.display())
        }
        StudyErrors::Read { .. } => with_causes(errors),
    };
    Failure { hint: errors.hint(), ..Failure::usage(message) }
}

/// Plans a study's cells.
pub(super) fn plan(study: &Study, filters: &[String]) -> Result<Plan, Failure> {
    plan::plan(study, filters).map_err(|error| Failure { hint: error.hint(), ..Failure::usage(with_causes(&error)) })
}

/// Builds what cells need of the kit.
pub(super) fn build_kit(cells: &[&Cell]) -> Result<(), Failure> {
    let mut wanted: Vec<String> = Vec::new();
    for cell in cells {
        let files = [Some(&cell.spec.subject.file), cell.spec.load.as_ref()];
        for file in files.into_iter().flatten().chain(&cell.spec.subject.clip_files).filter(|file| file.from_kit) {
            let name = file.path.strip_prefix(KIT_DIR).unwrap_or(&file.path).with_extension("");
            let name = name.to_string_lossy().replace('\\', "/");
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let only: Vec<&str> = wanted.iter().map(String::as_str).collect();
    kit::build(&PathBuf::from(KIT_DIR), Some(&only))
        .map(|_| ())
        .map_err(|error| Failure { hint: error.hint(), ..Failure::usage(with_causes(&error)) })
}
