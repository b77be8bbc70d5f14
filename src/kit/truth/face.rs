//! Place the landmarks of a face by the shapes that make it.
//!
//! Reads: bones, and the shapes that a recipe marks. Pure.
//!
//! A landmark is where the ray from the head's middle through a marked shape's centre leaves the surface of
//! the part that has the shape: the first such place beyond the centre, or, where the centre lies outside (paint, a
//! mouth that is cut in), the last before it. A shape that is cut in marks the surface as it is without cuts. The
//! centre of a nose's and a chin's path is its end furthest from the head's middle, of any other its middle: tips are
//! finer than a mesh. A mouth also has its corners, the ends of its path or the sides of its ball.
//! Unless it is marked, the crown is where the line of the head bone leaves what is drawn there highest, hair and
//! hats left out.

use glam::DVec3;
use indexmap::IndexMap;
use toml::Spanned;

use super::classes::part_is;
use super::{Landmark, metres};
use crate::kit::assemble::Assembled;
use crate::kit::error::KitError;
use crate::kit::field::{Placed, Solid, distance};
use crate::kit::form::{Frame, part_marks};
use crate::kit::recipe::{Recipe, Source};
use crate::kit::skeleton::{Role, Skeleton};
use crate::kit::surface::{Piece, Surface};

const MARKS: [&str; 7] = ["crown", "brow", "eye", "ear", "nose", "mouth", "chin"];

/// Step along a ray, body space.
const STRIDE: f64 = 0.05;

/// Landmarks in the order of [`MARKS`], then the two joints.
pub(super) fn landmarks(
    skeleton: &Skeleton,
    recipe: &Recipe,
    made: &Assembled<'_>,
    source: Source<'_>,
) -> Result<IndexMap<String, Landmark>, KitError> {
    let head = &skeleton.bones[skeleton.at(&Role::Head, None)];
    let middle = head.head.midpoint(head.tail);
    let mut found: Vec<(&str, String, Landmark)> = Vec::new();
    let mut marked = Vec::new();
    for part in &made.parts {
        for (mark, solids) in part_marks(&Frame::Bones(skeleton), &recipe.body, part.spec, source)? {
            // Several parts may take one shape of the form: the first that is drawn has its landmark.
            if part.spec.hidden || marked.contains(&mark.span()) {
                continue;
            }
            marked.push(mark.span());
            let word = MARKS.iter().find(|word| *word == mark.get_ref());
            let word = word.ok_or_else(|| source.unknown(&mark, "mark", MARKS.into_iter()))?;
            let cuts = !solids.iter().any(|solid| solid.cut);
            for (name, at) in named(word, &solids, middle) {
                let at = leaves(part, middle, at, cuts).ok_or_else(|| nowhere(&mark, part, source))?;
                if found.iter().any(|(_, known, _)| *known == name) {
                    let hint = Some("mark one shape, or one that is twin".to_owned());
                    return Err(source.fault(mark.span(), format!("a second {name} is marked"), hint));
                }
                let part = Some(part.spec.name.get_ref().clone());
                found.push((word, name, Landmark { at_m: metres(made.scale.point(at)), part }));
            }
        }
    }
    if !found.iter().any(|(word, ..)| *word == "crown") {
        let crown = crown(made, middle, (head.tail - head.head).normalize_or(DVec3::Y), source)?;
        found.extend(crown.map(|(part, at)| {
            let at_m = metres(made.scale.point(at));
            ("crown", "crown".to_owned(), Landmark { at_m, part: Some(part.spec.name.get_ref().clone()) })
        }));
    }
    let rank = |word: &str| MARKS.iter().position(|own| *own == word);
    found.sort_by_key(|(word, ..)| rank(word));
    let joint = |role: &Role| Landmark {
        at_m: metres(made.scale.point(skeleton.bones[skeleton.at(role, None)].head)),
        part: None,
    };
    let joints = [("head_joint", joint(&Role::Head)), ("neck_joint", joint(&Role::Neck))];
    let joints = joints.map(|(name, landmark)| (name.to_owned(), landmark));
    Ok(found.into_iter().map(|(_, name, landmark)| (name, landmark)).chain(joints).collect())
}

fn nowhere(mark: &Spanned<String>, part: &Surface<'_>, source: Source<'_>) -> KitError {
    let message = format!("no ray through this {} leaves part {:?}", mark.get_ref(), part.spec.name.get_ref());
    source.fault(mark.span(), message, Some("mark a shape that shows on the surface".to_owned()))
}

/// Names and centres of a mark's places.
fn named(word: &str, solids: &[Placed], middle: DVec3) -> Vec<(String, DVec3)> {
    let sided = |at: DVec3| (format!("{word}_{}", if at.x > 0.0 { "left" } else { "right" }), at);
    let by_side = |mut places: Vec<DVec3>| {
        places.sort_by(|a, b| b.x.total_cmp(&a.x));
        places.into_iter().map(sided).collect::<Vec<_>>()
    };
    match (word, solids) {
        ("mouth", [one]) => {
            let [first, centre, last] = across(one);
            let mut places = by_side(vec![first, last]);
            places.push((word.to_owned(), centre));
            places
        }
        // Each half of a mouth from the middle of the face outwards.
        ("mouth", halves) => {
            let ends = halves.iter().map(|half| {
                let [first, _, last] = across(half);
                if first.x.abs() > last.x.abs() { (first, last) } else { (last, first) }
            });
            let (corners, inner): (Vec<DVec3>, Vec<DVec3>) = ends.unzip();
            let mut places = by_side(corners);
            places.push((word.to_owned(), inner.iter().sum::<DVec3>() / inner.len() as f64));
            places
        }
        (_, [one]) => vec![(word.to_owned(), centre(word, one, middle))],
        (_, pair) => by_side(pair.iter().map(|solid| centre(word, solid, middle)).collect()),
    }
}

/// The end of a nose's or chin's path furthest from the head's middle, any other's middle; else that of the solid.
fn centre(word: &str, solid: &Placed, middle: DVec3) -> DVec3 {
    if !["nose", "chin"].contains(&word) {
        return across(solid)[1];
    }
    let points = solid.solid.points().into_iter().map(|(at, _)| solid.place(at));
    let furthest = points.max_by(|a, b| a.distance_squared(middle).total_cmp(&b.distance_squared(middle)));
    furthest.unwrap_or_else(|| solid.place(DVec3::ZERO))
}

/// One end, the middle and the other end of what lies across a face.
fn across(solid: &Placed) -> [DVec3; 3] {
    across_in_solid(&solid.solid).map(|at| solid.place(at))
}

fn across_in_solid(solid: &Solid) -> [DVec3; 3] {
    let points = solid.points();
    match (solid, points.as_slice()) {
        (_, [first, .., last]) => {
            let inner = points[points.len() / 2].0;
            let middle = if points.len() % 2 == 1 { inner } else { inner.midpoint(points[points.len() / 2 - 1].0) };
            [first.0, middle, last.0]
        }
        (Solid::Ball(half) | Solid::Block { half, .. }, _) => [DVec3::X * half.x, DVec3::ZERO, DVec3::X * -half.x],
        (Solid::Tube { low, high, .. }, _) => {
            let wide = DVec3::X * low.max(*high);
            [wide, DVec3::ZERO, -wide]
        }
        (Solid::Path { .. }, _) => [DVec3::ZERO; 3],
        (Solid::Worn { smooth, .. }, _) => across_in_solid(smooth),
    }
}

/// Where the ray from `middle` through `centre` leaves a part's surface, nearest the centre, with or without `cuts`.
fn leaves(part: &Surface<'_>, middle: DVec3, centre: DVec3, cuts: bool) -> Option<DVec3> {
    let whole = |piece: &Piece| piece.solids.iter().filter(|solid| cuts || !solid.cut).cloned().collect();
    let pieces: Vec<Vec<Placed>> = part.pieces.iter().map(whole).collect();
    let reach = (centre - middle).length();
    let along = (centre - middle) / reach.max(1e-9);
    let inside = |at: f64| pieces.iter().any(|solids| distance(solids, middle + along * at) < 0.0);
    let steps = (reach / STRIDE).ceil() as usize;
    let place = |step: usize| step as f64 * STRIDE;
    let leaves_from = |first: usize| (first..4 * steps + 400).find(|step| !inside(place(*step)));
    let before = || (1..=steps).rev().find(|step| inside(place(step - 1)));
    // A ball whose back is cut off may have lost its centre.
    let beyond = || (steps..2 * steps + 200).find(|step| inside(place(*step))).and_then(leaves_from);
    let out_at = if inside(reach) { leaves_from(steps) } else { before().or_else(beyond) };
    let mut ends = out_at.map(|step| (place(step.saturating_sub(1)), place(step)))?;
    for _ in 0..40 {
        let half = f64::midpoint(ends.0, ends.1);
        if inside(half) { ends.0 = half } else { ends.1 = half }
    }
    Some(middle + along * ends.0)
}

/// The highest place at which the line of the head bone leaves a drawn part that is neither hair nor hat.
fn crown<'a>(
    made: &'a Assembled<'_>,
    middle: DVec3,
    up: DVec3,
    source: Source<'_>,
) -> Result<Option<(&'a Surface<'a>, DVec3)>, KitError> {
    let mut highest: Option<(f64, &Surface<'_>, DVec3)> = None;
    for part in &made.parts {
        if part.spec.hidden || part_is(part.spec.is.as_ref(), source)?.is_some() || part_distance(part, middle) >= 0.0 {
            continue;
        }
        if let Some(at) = leaves(part, middle, middle + up * STRIDE, true) {
            let height = (at - middle).dot(up);
            if highest.is_none_or(|(known, ..)| height > known) {
                highest = Some((height, part, at));
            }
        }
    }
    Ok(highest.map(|(_, part, at)| (part, at)))
}

/// To the union of a part's pieces.
fn part_distance(part: &Surface<'_>, at: DVec3) -> f64 {
    part.pieces.iter().map(|piece| distance(&piece.solids, at)).fold(f64::INFINITY, f64::min)
}
