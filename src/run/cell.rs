//! Make one cell: stage it, draw it, check it, measure it.

use std::time::{Duration, Instant};

use super::result::{Made, Outcome};
use crate::base::{Digest, Finding};
use crate::measure;
use crate::plan::Cell;
use crate::render::{CellImage, RenderError, Renderer};
use crate::stage::{self, Cast, Staged};

/// Where the time went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    /// Opening devices and building pipelines.
    pub start_up: Duration,
    /// Posing, framing, lighting.
    pub stage: Duration,
    /// Drawing and reading back.
    pub draw: Duration,
    /// Samples into pixels.
    pub resolve: Duration,
    /// Readings.
    pub measure: Duration,
    /// Compositing and the cell's own file.
    pub encode: Duration,
}

impl Timings {
    /// Adds another's times.
    pub fn add(&mut self, other: &Self) {
        self.start_up += other.start_up;
        self.stage += other.stage;
        self.draw += other.draw;
        self.resolve += other.resolve;
        self.measure += other.measure;
        self.encode += other.encode;
    }
}

/// Makes a cell, or says why it is a hole.
///
/// # Errors
///
/// What no cell can be drawn for: a lost device, no memory.
pub(super) fn make(
    cast: &Cast,
    cell: &Cell,
    renderer: &mut Renderer,
    timings: &mut Timings,
) -> Result<Outcome, RenderError> {
    let mut clock = Instant::now();
    let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed();
    let staged = match stage::scene(cast, cell) {
        Ok(staged) => staged,
        Err(finding) => return Ok(Outcome::Hole(finding)),
    };
    timings.stage += lap();
    let image = match renderer.render(&staged.scene) {
        Ok(image) => image,
        Err(error) if error.is_transient() || matches!(error, RenderError::NoDevice { .. }) => return Err(error),
        Err(error) => {
            let mut finding = Finding::error("CELL_NOT_DRAWN", &cell.name, error.to_string());
            finding.hint = error.hint();
            return Ok(Outcome::Hole(finding));
        }
    };
    let resolving = renderer.take_resolve_time();
    timings.draw += lap().saturating_sub(resolving);
    timings.resolve += resolving;
    if let Some(finding) = measure::check(&image, staged.scene.style) {
        return Ok(Outcome::Hole(Finding { place: cell.name.clone(), ..finding }));
    }
    let readings = measure::readings(&image, &staged.facts);
    timings.measure += lap();
    let made = finished(cell, &staged, &image, readings);
    timings.encode += lap();
    Ok(Outcome::Made(Box::new(made)))
}

fn finished(cell: &Cell, staged: &Staged, image: &CellImage, readings: Vec<measure::MaskReadings>) -> Made {
    Made {
        size_px: [image.width_px, image.height_px],
        rgb: image.over(cell.spec.background.0),
        rgba: image.rgba8(),
        facts: staged.facts,
        readings,
        digest: digest(image),
    }
}

/// Digest of everything that can be measured or seen of a cell: the covered pixels and where they are.
/// Pixels that nothing covers are all alike and add nothing but time.
fn digest(image: &CellImage) -> Digest {
    let covered: Vec<usize> = (0..image.coverage.len()).filter(|at| image.coverage[*at] > 0).collect();
    let places: Vec<u32> = covered.iter().map(|at| *at as u32).collect();
    let colours: Vec<[f32; 3]> = covered.iter().map(|at| image.colour[*at]).collect();
    let opacity: Vec<f32> = image.opacity.iter().flat_map(|opacity| covered.iter().map(|at| opacity[*at])).collect();
    let shadow: Vec<f32> = image.ground_shadow.iter().flatten().copied().filter(|shadow| *shadow > 0.0).collect();
    let shaded: Vec<u32> = image
        .ground_shadow
        .iter()
        .flat_map(|shadow| (0..shadow.len()).filter(|at| shadow[*at] > 0.0).map(|at| at as u32))
        .collect();
    let counts: Vec<Vec<u16>> = std::iter::once(&image.coverage)
        .chain(image.masks.iter().map(|mask| &mask.counts))
        .map(|counts| covered.iter().map(|at| counts[*at]).collect())
        .collect();
    let size = [image.width_px, image.height_px, image.samples];
    let lists: [&[u8]; 6] = [
        bytemuck::cast_slice(&size),
        bytemuck::cast_slice(&places),
        bytemuck::cast_slice(&colours),
        bytemuck::cast_slice(&opacity),
        bytemuck::cast_slice(&shadow),
        bytemuck::cast_slice(&shaded),
    ];
    Digest::of_parts(lists.into_iter().chain(counts.iter().map(|counts| bytemuck::cast_slice(counts))))
}
