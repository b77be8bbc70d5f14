//! Find the shared models.

use std::path::{Path, PathBuf};

/// The folder of shared models.
pub(crate) fn assets() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/assets")).to_path_buf()
}
