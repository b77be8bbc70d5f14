//! Give one part a piece of another's surface.
//!
//! Reads: finished surfaces, and shapes that say which triangles go. Writes: a new surface, and the old one without them. Pure.
//!
//! The two meet along edges whose ends are the same to the bit, normals and colours too, so nothing shows where
//! they part: a face can be a mask of its own and still be one skin with its neck.

use super::error::KitError;
use super::field::{Placed, distance};
use super::form::{Frame, part_solids};
use super::paint::Paint;
use super::recipe::{Recipe, Source};
use super::shape_spec::PartSpec;
use super::shell::Shell;
use super::surface::{Piece, Surface};

/// Puts every part that is `from` another, and that `counts`, where the recipe has it.
pub(super) fn split<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    mut whole: Vec<Surface<'a>>,
    counts: impl Fn(&PartSpec) -> bool,
    source: Source<'_>,
) -> Result<Vec<Surface<'a>>, KitError> {
    for part in recipe.body.part.iter().filter(|part| part.from.is_some() && counts(part)) {
        let taken = take(frame, recipe, part, &mut whole, source)?;
        whole.push(taken);
    }
    let place = |surface: &Surface<'_>| recipe.body.part.iter().position(|part| std::ptr::eq(part, surface.spec));
    whole.sort_by_key(place);
    Ok(whole)
}

fn take<'a>(
    frame: &Frame<'_>,
    recipe: &'a Recipe,
    part: &'a PartSpec,
    whole: &mut [Surface<'a>],
    source: Source<'_>,
) -> Result<Surface<'a>, KitError> {
    let from = part.from.as_ref().expect("only parts that are from another come here");
    let Some(giver) = whole.iter_mut().find(|surface| surface.spec.name.get_ref() == from.get_ref()) else {
        let names = recipe.body.part.iter().filter(|part| part.from.is_none()).map(|part| part.name.get_ref().as_str());
        return Err(source.unknown(from, "part", names));
    };
    if giver.spec.colour.get_ref() != part.colour.get_ref() {
        let message = format!("{:?} is of another colour than {:?}", part.name.get_ref(), from.get_ref());
        let hint = format!("write colour = {:?}", giver.spec.colour.get_ref());
        return Err(source.fault(part.colour.span(), message, Some(hint)));
    }
    let region = part_solids(frame, &recipe.body, part, source)?;
    let pieces: Vec<Piece> = giver.pieces.iter_mut().map(|piece| cut(piece, &region)).collect();
    if pieces.iter().all(|piece| piece.shell.triangles.is_empty()) {
        let message = format!("nothing of {:?} lies in the shapes of {:?}", from.get_ref(), part.name.get_ref());
        return Err(source.fault(part.name.span(), message, Some("make its shapes larger".to_owned())));
    }
    let paint = Paint::new(frame, recipe, giver.made_as, source)?;
    Ok(Surface {
        spec: part,
        made_as: giver.made_as,
        pieces,
        material: giver.material.clone(),
        cell: giver.cell,
        detail: Vec::new(),
        paint,
    })
}

/// The triangles of a piece whose middle lies in the region, which the piece loses.
fn cut(piece: &mut Piece, region: &[Placed]) -> Piece {
    let inside = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|at| piece.shell.positions[at as usize]);
        distance(region, (a + b + c) / 3.0) < 0.0
    };
    let (gone, left): (Vec<_>, Vec<_>) = piece.shell.triangles.iter().copied().partition(inside);
    let taken = only(piece, &gone);
    *piece = only(piece, &left);
    taken
}

/// The same piece with these triangles, and the vertices that they use.
fn only(piece: &Piece, triangles: &[[u32; 3]]) -> Piece {
    let mut place = vec![None; piece.shell.positions.len()];
    let (solids, followed) = (piece.solids.clone(), piece.followed.clone());
    let mut out = Piece { shell: Shell::default(), tints: Vec::new(), uvs: Vec::new(), solids, followed };
    for corners in triangles {
        let moved = corners.map(|corner| {
            let at = corner as usize;
            *place[at].get_or_insert_with(|| {
                out.shell.positions.push(piece.shell.positions[at]);
                out.shell.normals.push(piece.shell.normals[at]);
                out.tints.extend(piece.tints.get(at));
                out.shell.positions.len() as u32 - 1
            })
        });
        out.shell.triangles.push(moved);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::field::Solid;
    use crate::kit::field::tests::alone;
    use glam::DVec3;

    /// A square of two triangles, (0,0) (1,0) (1,1) (0,1): the middle of the first, (2/3, 1/3), is within 0.2 of
    /// (0.6, 0.3); the second's, (1/3, 2/3), is not. Both keep three of the four corners.
    #[test]
    fn triangles_go_where_their_middle_lies() {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let positions: Vec<DVec3> = corners.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
        let shell = Shell { normals: vec![DVec3::Z; 4], positions, triangles: vec![[0, 1, 2], [0, 2, 3]] };
        let mut piece = Piece {
            shell,
            tints: vec![[0.1; 3], [0.2; 3], [0.3; 3], [0.4; 3]],
            uvs: Vec::new(),
            solids: Vec::new(),
            followed: None,
        };
        let ball = Placed { origin: DVec3::new(0.6, 0.3, 0.0), ..alone(Solid::Ball(DVec3::splat(0.2))) };
        let taken = cut(&mut piece, &[ball.hulled()]);
        assert_eq!(taken.shell.positions, [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0)]);
        assert_eq!(taken.tints, [[0.1; 3], [0.2; 3], [0.3; 3]]);
        assert_eq!(taken.shell.triangles, [[0, 1, 2]]);
        assert_eq!(piece.shell.positions, [DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0), DVec3::Y]);
        assert_eq!(piece.tints, [[0.1; 3], [0.3; 3], [0.4; 3]]);
    }
}
