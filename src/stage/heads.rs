//! How large a cell must be to hold every head of a distance study.
//!
//! The game decides how many pixels a head has; the cell only has to hold the largest, with a quarter to
//! spare, in steps of 8 px so that a small change of a head leaves the size alone.

use glam::Vec3;

use super::actor::{Actor, ActorPose};
use super::scene::{Mask, Surface};
use super::surface::Dressed;
use crate::base::Finding;
use crate::rig::Role;

/// Room beside the largest head.
const SPARE: f32 = 1.25;

/// Sides of cells are multiples of this.
const STEP_PX: u32 = 8;

/// Furthest vertex of the head from the head joint, in stage metres; `None` where either is unknown.
pub(super) fn reach_m(actor: &Actor, dressed: &Dressed, posed: &ActorPose) -> Option<f32> {
    let joint = actor.anatomy.get(Role::Head)?;
    let centre = posed.pose.model_from_node[joint.at()].w_axis.truncate();
    let positions: Vec<Vec3> = posed.mesh.positions().collect();
    let furthest = head_vertices(&dressed.surface).map(|at| positions[at].distance(centre)).reduce(f32::max)?;
    Some(furthest * actor.placement.metres_a_unit)
}

fn head_vertices(surface: &Surface) -> impl Iterator<Item = usize> + '_ {
    let draws = surface.draws.iter().filter(|draw| draw.masks.has(Mask::Head));
    draws
        .flat_map(|draw| &surface.indices[draw.indices.start as usize..draw.indices.end as usize])
        .map(|at| *at as usize)
}

/// Side of a square cell that holds a head of this reach at a scale.
pub(super) fn cell_px(reach_m: f32, px_per_m: f32) -> u32 {
    let needed = 2.0 * reach_m * px_per_m * SPARE;
    // A cell that no device could draw is refused by the renderer, with its size.
    (needed.ceil().clamp(1.0, 65_536.0) as u32).next_multiple_of(STEP_PX)
}

/// Distances mean nothing for a subject whose unit is in doubt.
pub(super) fn trusted_size(actor: &Actor) -> Result<(), Finding> {
    let doubt = actor.placement.findings.iter().find(|finding| finding.code == "HEIGHT_UNLIKELY");
    match doubt {
        None => Ok(()),
        Some(finding) => {
            let message = format!("{}: a distance in metres means nothing without its height", finding.message);
            let refused = Finding::error("HEIGHT_UNLIKELY", finding.place.clone(), message);
            Err(Finding { hint: finding.hint.clone(), ..refused })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 540 / tan 37.5 degrees = 703.742 px is a metre at 1 m on 1,080 px: 58.645 px at 12 m. A head that reaches 0.15 m from
    /// its joint takes 2 * 0.15 * 58.645 = 17.6 px, with a quarter 22.0, so 24.
    #[test]
    fn a_cell_is_the_next_step_of_eight_that_holds_the_head_and_a_quarter() {
        let px_per_m = 540.0 / 37.5_f32.to_radians().tan() / 12.0;
        assert!((px_per_m - 58.645).abs() < 1.0e-2, "{px_per_m}");
        assert_eq!(cell_px(0.15, px_per_m), 24);
        assert_eq!(cell_px(0.15, 8.0 * px_per_m), 176);
    }
}
