//! Place a recipe's shapes on its bones.
//!
//! Reads: shapes and parts as written. Writes: solids in body space, both sides. Pure.
//!
//! A shape on a bone of one side is placed on the left and mirrored to the right.

use glam::{DMat3, DQuat, DVec3};
use toml::Spanned;

use super::cling::{facing, laid};
use super::error::KitError;
use super::field::{Hull, Placed, Solid};
use super::recipe::{BodySpec, Source};
use super::relief::{Chips, Pleats, Relief, Rough};
use super::shape_spec::{PartSpec, ShapeSpec};
use super::skeleton::{Side, Skeleton};
use super::trig::{pitch, roll, yaw};

const SHAPES: [&str; 5] = ["limb", "path", "ball", "box", "tube"];

/// Where shapes may be put: a worker's bones, or a load's one place.
pub(super) enum Frame<'a> {
    Bones(&'a Skeleton),
    Load,
}

/// All solids of a part, in order.
pub(super) fn part_solids(
    frame: &Frame<'_>,
    body: &BodySpec,
    part: &PartSpec,
    source: Source<'_>,
) -> Result<Vec<Placed>, KitError> {
    let blend = part.blend.unwrap_or(body.blend);
    let mut solids = Vec::new();
    for take in &part.take {
        let (name, range) = taken(take, source)?;
        if let Frame::Bones(skeleton) = frame {
            skeleton.find_named(name, take, source)?;
        }
        let mut found = false;
        for shape in body.form.iter().filter(|shape| on_bone(shape.get_ref(), name)) {
            found = true;
            // What takes away shrinks where the rest grows, so that cloth follows hollows too.
            let grow = if shape.get_ref().cut { -part.grow } else { part.grow };
            let placing = Placing { blend: body.blend, grow, range, ground: None };
            solids.extend(place(frame, shape, placing, source)?);
        }
        if !found {
            let hint = Some("add a shape on that bone under [[body.form]], or leave it out".to_owned());
            return Err(source.fault(take.span(), format!("the form has nothing on {name:?}"), hint));
        }
    }
    for shape in &part.shapes {
        let scaled = Spanned::new(shape.span(), shape.get_ref().scaled(part.scale));
        let ground = match &shape.get_ref().on {
            Some(on) if on.get_ref() == part.name.get_ref() && !solids.is_empty() => Some(solids.clone()),
            Some(on) => Some(ground(frame, body, part, on, source)?),
            None => None,
        };
        let placing = Placing { blend: blend * part.scale, ground: ground.as_deref(), ..Placing::WHOLE };
        solids.extend(place(frame, &scaled, placing, source)?);
    }
    if solids.iter().all(|solid| solid.cut || solid.within) {
        let hint = Some("give it shapes, or take some of the form".to_owned());
        return Err(source.fault(part.name.span(), format!("part {:?} is empty", part.name.get_ref()), hint));
    }
    if part.rigid || part.rides.is_some() {
        solids.iter_mut().for_each(|solid| solid.rigid = true);
    }
    Ok(solids)
}

/// What a shape of `part` may lie on: an earlier part, or the form.
fn ground(
    frame: &Frame<'_>,
    body: &BodySpec,
    part: &PartSpec,
    on: &Spanned<String>,
    source: Source<'_>,
) -> Result<Vec<Placed>, KitError> {
    if on.get_ref() == "form" && !body.form.is_empty() {
        let placing = Placing { blend: body.blend, ..Placing::WHOLE };
        let placed = body.form.iter().map(|shape| place(frame, shape, placing, source));
        return Ok(placed.collect::<Result<Vec<_>, _>>()?.concat());
    }
    let earlier = body.part.iter().take_while(|other| other.name.get_ref() != part.name.get_ref());
    match earlier.clone().find(|other| other.name.get_ref() == on.get_ref()) {
        Some(other) => part_solids(frame, body, other, source),
        None => {
            let names = earlier.map(|other| other.name.get_ref().as_str());
            Err(source.unknown(on, "part before this one", names.chain(["form"])))
        }
    }
}

/// A dab of paint: where, which colour, and how far it fades.
#[derive(Clone)]
pub(super) struct Dab<'a> {
    pub solids: Vec<Placed>,
    pub colour: &'a Spanned<String>,
    pub fade: f64,
}

pub(super) fn part_paint<'a>(
    frame: &Frame<'_>,
    part: &'a PartSpec,
    source: Source<'_>,
) -> Result<Vec<Dab<'a>>, KitError> {
    let dab = |shape: &'a Spanned<ShapeSpec>| {
        let spec = shape.get_ref();
        let Some(colour) = &spec.colour else {
            let hint = Some("add colour = a name from [colours]".to_owned());
            return Err(source.fault(shape.span(), "paint needs a colour", hint));
        };
        if let Some(on) = &spec.on {
            let hint = Some("leave on out; paint is on its own part".to_owned());
            return Err(source.fault(on.span(), "paint lies on no other part", hint));
        }
        let scaled = Spanned::new(shape.span(), spec.scaled(part.scale));
        let solids = place(frame, &scaled, Placing::WHOLE, source)?;
        Ok(Dab { solids, colour, fade: spec.fade.unwrap_or(1.0) * part.scale })
    };
    part.paint.iter().map(dab).collect()
}

/// A mark as written, with the solids of its shape: one or a pair.
pub(super) type Mark = (Spanned<String>, Vec<Placed>);

/// The marked shapes of a part, and of the form that it takes, each with its solids: one or a pair.
pub(super) fn part_marks(
    frame: &Frame<'_>,
    body: &BodySpec,
    part: &PartSpec,
    source: Source<'_>,
) -> Result<Vec<Mark>, KitError> {
    let taken = body.form.iter().filter(|shape| {
        part.take.iter().any(|take| on_bone(shape.get_ref(), take.get_ref().split(':').next().unwrap_or_default()))
    });
    let own = part.shapes.iter().chain(&part.paint);
    let all = taken.map(|shape| (shape, 1.0)).chain(own.map(|shape| (shape, part.scale)));
    let mut marks = Vec::new();
    for (shape, scale) in all {
        if let Some(mark) = &shape.get_ref().mark {
            let scaled = Spanned::new(shape.span(), shape.get_ref().scaled(scale));
            marks.push((mark.clone(), place(frame, &scaled, Placing::WHOLE, source)?));
        }
    }
    Ok(marks)
}

/// Where a part's detail is worth more than elsewhere on it.
#[derive(Clone)]
pub(super) struct Detail {
    pub solids: Vec<Placed>,
    pub keep: f64,
    pub fade: f64,
}

pub(super) fn part_detail(frame: &Frame<'_>, part: &PartSpec, source: Source<'_>) -> Result<Vec<Detail>, KitError> {
    let detail = |shape: &Spanned<ShapeSpec>| {
        let spec = shape.get_ref();
        let Some(keep) = spec.keep else {
            let hint = Some("add keep = how many times as much as elsewhere, such as 6".to_owned());
            return Err(source.fault(shape.span(), "detail needs a worth", hint));
        };
        let solids = place(frame, shape, Placing::WHOLE, source)?;
        Ok(Detail { solids, keep, fade: spec.fade.unwrap_or(1.0).max(0.01) })
    };
    part.detail.iter().map(detail).collect()
}

fn on_bone(shape: &ShapeSpec, name: &str) -> bool {
    shape.bone.as_ref().is_some_and(|bone| bone.get_ref() == name)
}

/// `shin` is all of it, `shin:0-0.6` as much of a limb as that.
fn taken<'a>(take: &'a Spanned<String>, source: Source<'_>) -> Result<(&'a str, (f64, f64)), KitError> {
    let text = take.get_ref();
    let Some((name, range)) = text.split_once(':') else { return Ok((text, (0.0, 1.0))) };
    let ends = range.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match ends {
        Some((from, to)) if 0.0 <= from && from < to && to <= 1.0 => Ok((name, (from, to))),
        _ => {
            let hint = Some("write how much of the bone, such as shin:0-0.6".to_owned());
            Err(source.fault(take.span(), format!("{range:?} is no part of a bone"), hint))
        }
    }
}

/// How a shape is placed besides what it says itself.
#[derive(Clone, Copy)]
struct Placing<'a> {
    blend: f64,
    grow: f64,
    range: (f64, f64),
    /// What it lies on, where it says so.
    ground: Option<&'a [Placed]>,
}

impl Placing<'_> {
    const WHOLE: Self = Self { blend: 0.0, grow: 0.0, range: (0.0, 1.0), ground: None };
}

fn place(
    frame: &Frame<'_>,
    shape: &Spanned<ShapeSpec>,
    placing: Placing<'_>,
    source: Source<'_>,
) -> Result<Vec<Placed>, KitError> {
    let spec = shape.get_ref();
    let bones = carriers(frame, shape, source)?;
    let left = bones[0];
    let (head, tail, axes, sided) = match frame {
        Frame::Load => (DVec3::ZERO, DVec3::Y * 100.0, DMat3::IDENTITY, false),
        Frame::Bones(skeleton) => {
            let bone = &skeleton.bones[left];
            (bone.head, bone.tail, skeleton.shape_frame(left), bone.side == Some(Side::Left))
        }
    };
    let base = if matches!(frame, Frame::Load) { 0.0 } else { 0.5 };
    let off = axes * DVec3::from_array(spec.off);
    let turned = DMat3::from_quat(turned(spec.turn_deg));
    let along = |fraction: f64| head.lerp(tail, fraction) + off;
    let kind = kind(shape, source)?;
    let base = if kind == "path" { 0.0 } else { base };
    if kind != "limb" && !(placing.range.0..=placing.range.1).contains(&spec.at.unwrap_or(base).clamp(0.0, 1.0)) {
        return Ok(Vec::new());
    }
    let least = spec.r.get_ref().0.iter().copied().fold(f64::INFINITY, f64::min);
    if matches!(kind, "ball" | "box" | "tube") && least + placing.grow < 0.01 && placing.grow < 0.0 {
        return Ok(Vec::new()); // a hollow that what lies over it fills
    }
    let place = along(spec.at.unwrap_or(base));
    let (solid, origin, axes) = match (kind, placing.ground) {
        ("limb", Some(_)) => {
            let hint = Some("give a path, ball, box or tube".to_owned());
            return Err(source.fault(shape.span(), "a limb lies along its bone, on nothing else", hint));
        }
        ("limb", None) => {
            let (from, to) = limb_range(spec, placing.range);
            let (solid, origin) = limb(shape, along(from), along(to), placing.grow, (from, to), source)?;
            (solid, origin, DMat3::IDENTITY)
        }
        ("path", None) => {
            let stretch = DVec3::new(spec.wide, 1.0, spec.deep);
            (Solid::path(&path(shape, placing.grow, source)?, stretch), place, axes * turned)
        }
        ("path", Some(ground)) => {
            let points = path(shape, placing.grow, source)?;
            (strap(&points, place, axes * turned, spec, ground), place, DMat3::IDENTITY)
        }
        (other, None) => (lump(other, shape, placing.grow, source)?, place, axes * turned),
        (other, Some(ground)) => {
            let (place, normal) = laid(ground, place, spec.lift);
            (lump(other, shape, placing.grow, source)?, place, facing(normal, axes.y_axis) * turned)
        }
    };
    let relief = relief(shape, kind, source)?;
    let solid = if relief.is_none() { solid } else { Solid::Worn { smooth: Box::new(solid), relief } };
    let blend = spec.blend.unwrap_or(placing.blend).max(0.0);
    let one = Placed {
        solid,
        axes,
        origin,
        mirror: false,
        blend,
        cut: spec.cut,
        within: spec.within,
        bone: left,
        rigid: spec.rigid,
        hull: Hull::default(),
    };
    let twin = sided || spec.twin;
    let other = twin.then(|| Placed { mirror: true, bone: *bones.last().unwrap_or(&left), ..one.clone() });
    let both = std::iter::once(one).chain(other).map(Placed::hulled);
    match &spec.side {
        None => Ok(both.collect()),
        Some(side) if !twin => {
            let hint = Some("leave side out, or put it on a bone that has two sides".to_owned());
            Err(source.fault(side.span(), "a shape on one bone has no sides", hint))
        }
        Some(side) => match side.get_ref().as_str() {
            "left" => Ok(both.take(1).collect()),
            "right" => Ok(both.skip(1).collect()),
            _ => Err(source.unknown(side, "side", ["left", "right"].into_iter())),
        },
    }
}

/// A path from `place` laid on a surface, flat side down.
fn strap(points: &[(DVec3, f64)], place: DVec3, axes: DMat3, spec: &ShapeSpec, ground: &[Placed]) -> Solid {
    let laid = points.iter().map(|(point, radius)| (laid(ground, place + axes * *point, spec.lift), *radius));
    let (points, normals): (Vec<_>, Vec<_>) = laid.map(|((at, normal), radius)| ((at - place, radius), normal)).unzip();
    Solid::ribbon(&points, &normals, DVec3::new(spec.wide, 1.0, spec.deep))
}

/// The bone of a shape, or its left and right bones; for a load a single stand-in.
fn carriers(frame: &Frame<'_>, shape: &Spanned<ShapeSpec>, source: Source<'_>) -> Result<Vec<usize>, KitError> {
    match (frame, &shape.get_ref().bone) {
        (Frame::Bones(skeleton), Some(bone)) => skeleton.find_named(bone.get_ref(), bone, source),
        (Frame::Bones(_), None) => {
            let hint = Some("add bone = the bone that carries it".to_owned());
            Err(source.fault(shape.span(), "a worker's shape needs a bone", hint))
        }
        (Frame::Load, None) => Ok(vec![0]),
        (Frame::Load, Some(bone)) => {
            let hint = Some("leave bone out; a load has none".to_owned());
            Err(source.fault(bone.span(), "a load's shape has a bone", hint))
        }
    }
}

fn kind<'a>(shape: &'a Spanned<ShapeSpec>, source: Source<'_>) -> Result<&'a str, KitError> {
    let Some(kind) = &shape.get_ref().shape else { return Ok("limb") };
    if SHAPES.contains(&kind.get_ref().as_str()) {
        return Ok(kind.get_ref());
    }
    Err(source.unknown(kind, "shape", SHAPES.iter().copied()))
}

/// What a shape covers of its bone, cut down to what was taken.
fn limb_range(spec: &ShapeSpec, (start, end): (f64, f64)) -> (f64, f64) {
    let (from, to) = (spec.from.unwrap_or(0.0), spec.to.unwrap_or(1.0));
    (from.max(start).min(end), to.min(end).max(start))
}

fn limb(
    shape: &Spanned<ShapeSpec>,
    start: DVec3,
    end: DVec3,
    grow: f64,
    (from, to): (f64, f64),
    source: Source<'_>,
) -> Result<(Solid, DVec3), KitError> {
    let spec = shape.get_ref();
    let radii = radii(shape, &[1, 2], source)?;
    let (first, last) = (radii[0], *radii.last().unwrap_or(&radii[0]));
    let whole = (spec.from.unwrap_or(0.0), spec.to.unwrap_or(1.0));
    let share = |at: f64| first + (last - first) * ((at - whole.0) / (whole.1 - whole.0).max(1e-9)).clamp(0.0, 1.0);
    let points = [(DVec3::ZERO, share(from) + grow), (end - start, share(to) + grow)];
    Ok((Solid::path(&points, DVec3::new(spec.wide, 1.0, spec.deep)), start))
}

fn path(shape: &Spanned<ShapeSpec>, grow: f64, source: Source<'_>) -> Result<Vec<(DVec3, f64)>, KitError> {
    let spec = shape.get_ref();
    let points = spec.path.as_deref().unwrap_or_default();
    if points.len() < 2 {
        let hint = Some("path = [[x, y, z], [x, y, z], ...] with a radius for each".to_owned());
        return Err(source.fault(shape.span(), "a path needs at least two points", hint));
    }
    let radii = radii(shape, &[1, points.len()], source)?;
    let radius = |at: usize| radii.get(at).copied().unwrap_or(radii[0]) + grow;
    let points: Vec<(DVec3, f64)> =
        points.iter().enumerate().map(|(at, point)| (DVec3::from_array(*point), radius(at))).collect();
    Ok(rounded(&points))
}

/// A path with its corners rounded: Catmull and Rom's curve through the same points, radii with them.
fn rounded(points: &[(DVec3, f64)]) -> Vec<(DVec3, f64)> {
    const STEPS: usize = 4;
    if points.len() < 3 {
        return points.to_vec();
    }
    let at = |index: isize| points[index.clamp(0, points.len() as isize - 1) as usize];
    let mut curve = Vec::with_capacity((points.len() - 1) * STEPS + 1);
    for start in 0..points.len() as isize - 1 {
        let near: [_; 4] = std::array::from_fn(|step| at(start - 1 + step as isize));
        for step in 0..STEPS {
            let t = step as f64 / STEPS as f64;
            let place = cubic(near.map(|point| point.0), t);
            let radius = cubic(near.map(|point| DVec3::X * point.1), t).x;
            let (low, high) = (near[1].1.min(near[2].1), near[1].1.max(near[2].1));
            curve.push((place, radius.clamp(low, high)));
        }
    }
    curve.push(points[points.len() - 1]);
    curve
}

/// Between the second and third of four points.
fn cubic([a, b, c, d]: [DVec3; 4], t: f64) -> DVec3 {
    let linear = (c - a) * t;
    let square = (a * 2.0 - b * 5.0 + c * 4.0 - d) * (t * t);
    let cube = (b * 3.0 - a - c * 3.0 + d) * (t * t * t);
    b + (linear + square + cube) * 0.5
}

/// A ball, box or tube.
fn lump(kind: &str, shape: &Spanned<ShapeSpec>, grow: f64, source: Source<'_>) -> Result<Solid, KitError> {
    let spec = shape.get_ref();
    let given = radii(shape, &[1, 3], source)?;
    let size = match given.as_slice() {
        [all] => DVec3::splat(*all),
        sizes => DVec3::new(sizes[0], sizes[1], sizes[2]),
    } + grow;
    let least = size.min_element();
    let round = spec.round.unwrap_or(0.25 * least).clamp(0.0, 0.98 * least);
    Ok(match kind {
        "ball" => Solid::Ball(size * DVec3::new(spec.wide, 1.0, spec.deep)),
        "box" => Solid::Block { half: size, round },
        _ => Solid::Tube { half: size.y, low: size.x, high: size.z, deep: spec.deep, round },
    })
}

/// What a shape's skin has been through.
fn relief(shape: &Spanned<ShapeSpec>, kind: &str, source: Source<'_>) -> Result<Relief, KitError> {
    let spec = shape.get_ref();
    let pleats = spec.pleats.map(|own| Pleats {
        count: own.count,
        depth: own.depth,
        from: own.from,
        // Folds that begin all at once are a step.
        to: if (own.to - own.from).abs() < 1e-3 { own.from + 1e-3 } else { own.to },
        uneven: own.uneven,
        twist_rad: own.twist_deg.to_radians(),
    });
    let rough = spec.rough.as_ref().map(|own| {
        let own = own.get_ref();
        let size = match own.size.get_ref().0.as_slice() {
            [all] => DVec3::splat(*all),
            [x, y, z] => DVec3::new(*x, *y, *z),
            given => {
                let message = format!("size has {} numbers, but roughness takes 1 or 3", given.len());
                return Err(source.fault(own.size.span(), message, None));
            }
        };
        Ok(Rough { size, depth: own.depth, seed: own.seed, cracked: own.cracked })
    });
    let chips = spec.chips.as_ref().map(|own| {
        if kind != "box" {
            let hint = Some("give chips to a box".to_owned());
            return Err(source.fault(own.span(), format!("a {kind} has no edges to chip"), hint));
        }
        let own = own.get_ref();
        Ok(Chips { count: own.count, depth: own.depth, seed: own.seed })
    });
    Ok(Relief { pleats, rough: rough.transpose()?, chips: chips.transpose()? })
}

/// The radii, as many as one of `counts`, all above zero.
fn radii(shape: &Spanned<ShapeSpec>, counts: &[usize], source: Source<'_>) -> Result<Vec<f64>, KitError> {
    let written = &shape.get_ref().r;
    let radii = &written.get_ref().0;
    if !counts.contains(&radii.len()) {
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        let message = format!("r has {} numbers, but this shape takes {}", radii.len(), counts.join(" or "));
        return Err(source.fault(written.span(), message, None));
    }
    if let Some(bad) = radii.iter().find(|radius| !(0.01..=200.0).contains(*radius)) {
        let hint = Some("hundredths of the height, from 0.01 to 200".to_owned());
        return Err(source.fault(written.span(), format!("r = {bad} is out of range"), hint));
    }
    Ok(radii.clone())
}

fn turned(turn_deg: [f64; 3]) -> DQuat {
    roll(turn_deg[2]) * yaw(turn_deg[1]) * pitch(turn_deg[0])
}
