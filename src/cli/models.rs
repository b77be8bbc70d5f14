//! Load each model file once, whoever asks for it first.
//!
//! What is noticed of a model is placed by its name as the study writes it: a report is then the same
//! wherever the study is kept and from wherever it is run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::asset::{self, Limits, Model};
use crate::base::Finding;
use crate::study::ModelFile;

type Slot = Arc<OnceLock<Result<Arc<Model>, Finding>>>;

/// Model files by path and by how they are written.
#[derive(Debug, Default)]
pub(super) struct Models {
    slots: Mutex<BTreeMap<(PathBuf, String), Slot>>,
}

impl Models {
    /// The model of a file, loaded at the first call.
    ///
    /// # Errors
    ///
    /// Why the file cannot be loaded.
    pub(super) fn load(&self, file: &ModelFile) -> Result<Arc<Model>, Finding> {
        let slot = {
            // A map that a panicking thread left is whole: slots are only ever added.
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry((file.path.clone(), file.written.clone())).or_default())
        };
        slot.get_or_init(|| load_as_written(file)).clone()
    }
}

fn load_as_written(file: &ModelFile) -> Result<Arc<Model>, Finding> {
    let path = file.path.display().to_string();
    let as_written = |mut finding: Finding| {
        if let Some(rest) = finding.place.strip_prefix(&path) {
            finding.place = format!("{}{rest}", file.written);
        }
        finding
    };
    let mut model = asset::load(&file.path, &Limits::default()).map_err(|error| as_written(error.finding()))?;
    model.findings = model.findings.into_iter().map(as_written).collect();
    model.path = PathBuf::from(&file.written);
    Ok(Arc::new(model))
}
