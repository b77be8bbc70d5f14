//! Load each model file once, whoever asks for it first.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::asset::{self, Limits, Model};
use crate::base::Finding;
use crate::study::ModelFile;

type Slot = Arc<OnceLock<Result<Arc<Model>, Finding>>>;

/// Model files by path.
#[derive(Debug, Default)]
pub(super) struct Models {
    slots: Mutex<BTreeMap<PathBuf, Slot>>,
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
            Arc::clone(slots.entry(file.path.clone()).or_default())
        };
        slot.get_or_init(|| asset::load(&file.path, &Limits::default()).map(Arc::new).map_err(|error| error.finding()))
            .clone()
    }
}
