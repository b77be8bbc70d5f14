//! State the surface of an analytic body's back as a formula.
//!
//! Reads: the one shape of the part that a recipe names. Pure.

use glam::DVec3;

use super::{Formula, Three, metres, rounded};
use crate::kit::assemble::Assembled;
use crate::kit::error::KitError;
use crate::kit::field::{Placed, Solid};
use crate::kit::recipe::{Recipe, Source};

pub(super) fn formula(recipe: &Recipe, made: &Assembled<'_>, source: Source<'_>) -> Result<Option<Formula>, KitError> {
    let Some(spec) = &recipe.analytic else { return Ok(None) };
    let wanted = spec.part.get_ref();
    let names = || made.parts.iter().map(|part| part.spec.name.get_ref().as_str());
    let part = made.parts.iter().find(|part| part.spec.name.get_ref() == wanted);
    let part = part.ok_or_else(|| source.unknown(&spec.part, "part", names()))?;
    let solids: Vec<&Placed> = part.pieces.iter().flat_map(|piece| &piece.solids).collect();
    let stated = match solids.as_slice() {
        [one] => stated(wanted, one, made),
        _ => None,
    };
    stated.map(Some).ok_or_else(|| {
        let hint =
            Some("give it one shape: an upright limb or path of two points, a box or a ball, unturned".to_owned());
        source.fault(spec.part.span(), format!("part {wanted:?} is no capsule, slab or sphere"), hint)
    })
}

fn stated(part: &str, solid: &Placed, made: &Assembled<'_>) -> Option<Formula> {
    let part = part.to_owned();
    let point = |at: DVec3| made.scale.point(at);
    let share = |at: DVec3| -> Three { (point(at) / made.height_m()).to_array().map(|along| rounded(along, 1e6)) };
    let length_m = |length: f64| rounded(length * made.scale.metres, 1e5);
    let length_h = |length: f64| rounded(length / made.height, 1e6);
    match &solid.solid {
        Solid::Path { stretch, .. } if *stretch == DVec3::ONE => {
            let points = solid.solid.points();
            let [(low, radius), (high, other)] = points.as_slice() else { return None };
            let ends = [solid.place(*low), solid.place(*high)];
            let upright = ends[0].x == ends[1].x && ends[0].z == ends[1].z;
            (upright && radius == other).then(|| Formula::Capsule {
                part,
                axis_m: ends.map(|end| metres(point(end))),
                axis_h: ends.map(share),
                radius_m: length_m(*radius),
                radius_h: length_h(*radius),
            })
        }
        Solid::Block { half, round } if solid.axes.abs_diff_eq(glam::DMat3::IDENTITY, 1e-12) => {
            let flat = *half - *round;
            let corner = |sign: f64| solid.place(DVec3::new(sign * flat.x, sign * flat.y, -half.z));
            let two = |at: DVec3| [rounded(point(at).x, 1e5), rounded(point(at).y, 1e5)];
            Some(Formula::Slab {
                part,
                z_m: metres(point(corner(1.0)))[2],
                z_h: share(corner(1.0))[2],
                low_m: two(corner(-1.0)),
                high_m: two(corner(1.0)),
            })
        }
        Solid::Ball(radii) if *radii == DVec3::splat(radii.x) => Some(Formula::Sphere {
            part,
            centre_m: metres(point(solid.origin)),
            centre_h: share(solid.origin),
            radius_m: length_m(radii.x),
            radius_h: length_h(radii.x),
        }),
        _ => None,
    }
}
