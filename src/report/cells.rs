//! Write each cell's own picture: straight alpha, without ground or background.

use std::path::Path;

use super::ReportError;
use crate::base::atomic;
use crate::run::Made;
use crate::sheet::encode_rgba;

/// Folder of the cells' pictures in the output folder.
pub const CELLS_FOLDER: &str = "cells";

/// Writes `cells/STEM.png` under `folder`.
///
/// # Errors
///
/// When the picture's bytes do not fill its size, or the file cannot be written.
pub fn write_cell(folder: &Path, stem: &str, made: &Made) -> Result<(), ReportError> {
    let file = format!("{CELLS_FOLDER}/{stem}.png");
    let bytes = encode_rgba(made.size_px, &made.rgba).map_err(|source| ReportError::form(&file, source))?;
    atomic::write(&folder.join(CELLS_FOLDER).join(format!("{stem}.png")), &bytes)
        .map_err(|source| ReportError::write(&file, source))
}
