//! report stand-in
use crate::base::atomic;
use std::path::Path;
/// d
pub struct Done<'a> {
    /// d
    pub study: &'a crate::study::Study,
    /// d
    pub plan: &'a crate::plan::Plan,
    /// d
    pub cast: &'a crate::stage::Cast,
    /// d
    pub results: &'a [crate::run::CellResult],
    /// d
    pub adapter: &'a crate::render::AdapterReport,
    /// d
    pub files: &'a [String],
}
/// w
pub fn write(folder: &Path, done: &Done<'_>) -> std::io::Result<()> {
    let mut s = String::from("cell,mask");
    for c in crate::measure::COLUMNS {
        s.push(',');
        s.push_str(c.name);
    }
    s.push('\n');
    for r in done.results {
        if let crate::run::Outcome::Made(m) = &r.outcome {
            for row in &m.readings {
                s.push_str(&done.plan.cells[r.cell].name);
                s.push(',');
                s.push_str(row.mask.name());
                for v in &row.values {
                    s.push(',');
                    if let Some(v) = v {
                        s.push_str(&v.to_string());
                    }
                }
                s.push('\n');
            }
        }
    }
    atomic::write(&folder.join("metrics.csv"), s.as_bytes())
}
/// w
pub fn write_cell(path: &Path, size: [u32; 2], rgba: &[u8]) -> std::io::Result<()> {
    let bytes = crate::sheet::encode_rgba(size, rgba).map_err(std::io::Error::other)?;
    atomic::write(path, &bytes)
}
