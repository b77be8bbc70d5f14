//! How much work a plan is.

use std::collections::BTreeSet;

use super::Plan;
use super::cell::PoseSpec;

/// How many different things a plan holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Pictures.
    pub cells: usize,
    /// Different character files.
    pub subjects: usize,
    /// Different props; carrying nothing is none.
    pub loads: usize,
    /// Different poses by name, phase and place, whoever takes them.
    pub poses: usize,
}

impl Plan {
    /// How many cells, subjects, loads and poses there are.
    pub fn counts(&self) -> Counts {
        let specs = || self.cells.iter().map(|cell| &cell.spec);
        let subjects: BTreeSet<_> = specs().map(|spec| &spec.subject.file.path).collect();
        let loads: BTreeSet<_> = specs().filter_map(|spec| spec.load.as_ref()).map(|load| &load.path).collect();
        let poses: BTreeSet<_> = specs().map(|spec| pose_key(&spec.pose)).collect();
        Counts { cells: self.cells.len(), subjects: subjects.len(), loads: loads.len(), poses: poses.len() }
    }
}

/// Equal for equal poses; a phase goes by its bits.
fn pose_key(pose: &PoseSpec) -> (u8, &str, u32, Option<bool>) {
    match pose {
        PoseSpec::Bind => (0, "", 0, None),
        PoseSpec::Rest => (1, "", 0, None),
        PoseSpec::Clip { name, phase, in_place } => (2, name, phase.to_bits(), *in_place),
    }
}
