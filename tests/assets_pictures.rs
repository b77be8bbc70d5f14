//! Pictures of the odd files: against the reference renderings that come with them, and by what they show.
//!
//! The reference pictures are the sample images of the glTF Asset Generator, drawn by another engine under
//! another light. Their cameras are found from the pictures: the middle edge of each strip lies on row 200 of
//! 400, so eye and target are at y = 0 and look level. An edge that hangs 0.2 down from there is
//! 0.2 F / d pixels long, F = 200 / tan(field / 2), d its depth. Of skin 02 the left one is 100 px long and 96
//! px from the middle, the right one 152 and 146.5: with the target at the origin that gives F = 468,
//! D = 0.774, 39.7 degrees from z; the round numbers that fit are eye (0.5, 0, 0.6) and a field of 0.8 radians
//! (F = 473). By the same sums skin 11 is seen from (1.5, 0, 1), the two letters from (0, 0, 1.3).

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod real_models;
mod runs;
mod staged;

use std::collections::BTreeSet;
use std::path::Path;

use glam::Vec3;
use image::RgbaImage;
use real_models::assets;
use runs::{Run, report};
use staged::staged;

/// 0.8 radians.
const FIELD_DEG: f32 = 45.836_624;

/// A reference picture, the model it shows, the eye in the model's own space, and pixels inside what it shows.
struct Reference {
    model: &'static str,
    picture: &'static str,
    eye: [f32; 3],
    inside: &'static [[u32; 2]],
}

const SKIN_02: Reference = Reference {
    model: "tricky/skin_02/Animation_Skin_02.gltf",
    picture: "tricky/skin_02/reference_Animation_Skin_02.png",
    eye: [0.5, 0.0, 0.6],
    inside: &[[220, 160], [220, 260]],
};
const SKIN_03: Reference = Reference {
    model: "tricky/skin_03/Animation_Skin_03.gltf",
    picture: "tricky/skin_03/reference_Animation_Skin_03.png",
    eye: [0.5, 0.0, 0.6],
    inside: &[[220, 160], [220, 260]],
};
const SKIN_11: Reference = Reference {
    model: "tricky/skin_11/Animation_Skin_11.gltf",
    picture: "tricky/skin_11/reference_Animation_Skin_11.png",
    eye: [1.5, 0.0, 1.0],
    inside: &[[205, 180], [205, 220], [340, 180], [340, 230]],
};
const LETTERS: Reference = Reference {
    model: "tricky/instancing_skins/Instancing_09.gltf",
    picture: "tricky/instancing_skins/reference_Instancing_09.png",
    eye: [0.0, 0.0, 1.3],
    inside: &[],
};

impl Reference {
    fn picture(&self) -> RgbaImage {
        image::open(assets().join(self.picture)).unwrap().to_rgba8()
    }

    /// The model drawn as the reference picture is, in `style`.
    fn drawn(&self, style: &str) -> RgbaImage {
        let model = assets().join(self.model).display().to_string();
        let subject = format!("[cell]\nsubject = {model:?}\nclip = \"rest\"\nforward = \"+z\"\n");
        let (_, cast) = staged(&subject, Path::new(""));
        let actor = &cast.actors[0].ready.as_ref().unwrap().actor;
        let place = |point: [f32; 3]| actor.in_stage(Vec3::from_array(point)).to_array();
        let camera = format!("camera = {{ eye = {:?}, target = {:?} }}", place(self.eye), place([0.0; 3]));
        let study = format!(
            "{subject}{camera}\nfield_deg = {FIELD_DEG}\nstyle = {style:?}\nground = \"none\"\n[sheet]\ncell = 400\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let run = Run::render(folder.path(), "reference", &study);
        assert_eq!(run.code, Some(0), "{run}");
        image::open(folder.path().join("out/reference/cells/reference.png")).unwrap().to_rgba8()
    }

    /// What the reference picture shows: the pixels that are reached from inside over steps of at most two
    /// levels. The strips are smooth and the photograph behind them starts with a larger step.
    fn silhouette(&self) -> BTreeSet<[u32; 2]> {
        let picture = self.picture();
        let mut found: BTreeSet<[u32; 2]> = self.inside.iter().copied().collect();
        let mut open: Vec<[u32; 2]> = self.inside.to_vec();
        while let Some([x, y]) = open.pop() {
            for [to_x, to_y] in [[x + 1, y], [x.wrapping_sub(1), y], [x, y + 1], [x, y.wrapping_sub(1)]] {
                if to_x >= picture.width() || to_y >= picture.height() || found.contains(&[to_x, to_y]) {
                    continue;
                }
                let step = std::iter::zip(picture.get_pixel(x, y).0, picture.get_pixel(to_x, to_y).0);
                if step.into_iter().all(|(here, there)| here.abs_diff(there) <= 2) {
                    found.insert([to_x, to_y]);
                    open.push([to_x, to_y]);
                }
            }
        }
        found
    }
}

/// Pixels that a cell covers by half or more.
fn covered(cell: &RgbaImage) -> BTreeSet<[u32; 2]> {
    cell.enumerate_pixels().filter(|(.., pixel)| pixel.0[3] >= 128).map(|(x, y, _)| [x, y]).collect()
}

/// Mean colour of some pixels.
fn mean(picture: &RgbaImage, pixels: impl Iterator<Item = [u32; 2]>) -> [f64; 3] {
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for [x, y] in pixels {
        let pixel = picture.get_pixel(x, y).0;
        (0..3).for_each(|channel| sum[channel] += f64::from(pixel[channel]));
        count += 1.0;
    }
    sum.map(|channel| channel / count)
}

/// Their edges are half covered in the reference and counted out by the flood: about 1 % of the area. A skin
/// that is off by a joint's turn covers less than 0.9.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn skins_have_the_silhouettes_of_their_reference_pictures() {
    for reference in [SKIN_02, SKIN_03, SKIN_11] {
        let (ours, theirs) = (covered(&reference.drawn("flat")), reference.silhouette());
        let both = ours.intersection(&theirs).count() as f64;
        let either = ours.union(&theirs).count() as f64;
        assert!(both / either > 0.975, "{}: {:.4} of {either} pixels", reference.model, both / either);
    }
}

/// All are 0.8 linear grey: sRGB 231 without light. In the references, under the light of a street, it is
/// neutral within 20 levels, and 231 within 20 on the mean of the two halves.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn skins_have_the_grey_of_their_reference_pictures() {
    for reference in [SKIN_02, SKIN_03, SKIN_11] {
        let drawn = reference.drawn("flat");
        let ours = mean(&drawn, covered(&drawn).into_iter());
        assert!(ours.iter().all(|channel| (channel - 231.0).abs() < 0.5), "{}: {ours:?}", reference.model);
        let picture = reference.picture();
        let [upper, lower] = [true, false]
            .map(|upper| mean(&picture, reference.silhouette().into_iter().filter(|at| (at[1] < 200) == upper)));
        for channel in 0..3 {
            let theirs = (upper[channel] + lower[channel]) / 2.0;
            assert!((theirs - ours[channel]).abs() < 20.0, "{}: {upper:?} and {lower:?}", reference.model);
        }
    }
}

/// The strip has no normals. In the reference each half is one even tone and the crease between them is sharp.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn a_bent_strip_without_normals_has_a_sharp_crease_as_in_its_reference_picture() {
    for picture in [SKIN_02.picture(), SKIN_02.drawn("lambert")] {
        let level = |y: u32| i32::from(picture.get_pixel(220, y).0[0]);
        let crease = (level(196) - level(204)).abs();
        let below = (level(204) - level(290)).abs();
        assert!(crease >= 12 && below <= crease, "{crease} levels over the crease, {below} over the lower half");
    }
}

/// Two skins share one list of bind matrices, and each letter stands where its own joints are. Away from
/// edges, the letters, their frames and their paper are on the same side of middle grey in every channel.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn letters_have_the_colours_of_their_reference_picture() {
    let (ours, theirs) = (LETTERS.drawn("flat"), LETTERS.picture());
    let bits = |picture: &RgbaImage, x: u32, y: u32| picture.get_pixel(x, y).0.map(|level| level >= 128);
    let even = |x: u32, y: u32| {
        let [xs, ys] = [x, y].map(|at| at.saturating_sub(1)..=(at + 1).min(399));
        xs.flat_map(|x| ys.clone().map(move |y| [x, y]))
            .all(|[to_x, to_y]| bits(&ours, to_x, to_y) == bits(&ours, x, y))
    };
    let pixels: Vec<[u32; 2]> = covered(&ours).into_iter().filter(|[x, y]| even(*x, *y)).collect();
    let agree = pixels.iter().filter(|[x, y]| bits(&ours, *x, *y) == bits(&theirs, *x, *y));
    let share = agree.count() as f64 / pixels.len() as f64;
    assert!(pixels.len() > 40_000 && share > 0.99, "{share:.4} of {} pixels", pixels.len());
}

/// The three upper quads show a tick on green, blue and cyan where their offsets are read, and a cross on red
/// where they are not. Below, arrows point at the green sign of success where rotation, scale and all three
/// together are read as the extension says, at a yellow or red one elsewhere.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn texture_transforms_show_their_signs_of_success() {
    let model = assets().join("tricky/texture_transform/TextureTransformTest.gltf").display().to_string();
    let study = format!(
        "[cell]\nsubject = {model:?}\nforward = \"+z\"\nelevation = 0\nprojection = \"orthographic\"\n\
         style = \"flat\"\nground = \"none\"\n[sheet]\ncell = 320\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let run = Run::render(folder.path(), "transform", &study);
    assert_eq!(run.code, Some(0), "{run}");
    let picture = image::open(folder.path().join("out/transform/cells/transform.png")).unwrap().to_rgba8();
    let drawn = covered(&picture);
    let (left, right) = (drawn.iter().map(|at| at[0]).min().unwrap(), drawn.iter().map(|at| at[0]).max().unwrap());
    let (top, bottom) = (drawn.iter().map(|at| at[1]).min().unwrap(), drawn.iter().map(|at| at[1]).max().unwrap());
    let third = (right - left) / 3;
    for (quad, sign) in [[false, true, false], [false, false, true], [false, true, true]].into_iter().enumerate() {
        let from = left + quad as u32 * third;
        let corner = picture.get_pixel(from + third / 8, top + (bottom - top) / 16).0;
        assert_eq!([corner[0] > 100, corner[1] > 100, corner[2] > 100], sign, "quad {quad} is {corner:?}");
        let of = |is: fn([u8; 4]) -> bool| -> Vec<[f64; 2]> {
            let lower = drawn.iter().filter(|at| (from..from + third).contains(&at[0]) && at[1] > (top + bottom) / 2);
            lower.filter(|at| is(picture.get_pixel(at[0], at[1]).0)).map(|at| at.map(f64::from)).collect()
        };
        let arrow = of(|[r, g, b, _]| r < 60 && g < 60 && b < 60);
        let success = of(|[r, g, b, _]| r < 90 && g > 110 && b < 90);
        let failure = of(|[r, g, b, _]| r > 120 && b < 90 && g.abs_diff(r) < 60 || r > 120 && g < 60 && b < 60);
        let gap = |to: &[[f64; 2]]| {
            let apart = |[a, b]: [&[f64; 2]; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
            arrow.iter().flat_map(|a| to.iter().map(move |b| apart([a, b]))).fold(f64::INFINITY, f64::min)
        };
        assert!(arrow.len() > 20 && success.len() > 8, "quad {quad}: {} and {} px", arrow.len(), success.len());
        assert!(
            gap(&success) < gap(&failure),
            "quad {quad}: {} px to success, {} to failure",
            gap(&success),
            gap(&failure)
        );
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
#[cfg_attr(no_assets, ignore = "needs ../shared/assets")]
fn odd_files_are_drawn_without_a_hole() {
    let mut study = "[cell]\nforward = \"+z\"\n[sheet]\ncell = 96\n[axes.who]\n".to_owned();
    for (name, file, more) in [
        ("letters", LETTERS.model, "clip = \"rest\""),
        ("interpolation", "tricky/interpolation/InterpolationTest.glb", "clip = \"Linear Scale\", at = 0.4"),
        ("transform", "tricky/texture_transform/TextureTransformTest.gltf", ""),
        ("negative", "tricky/negative_scale/NegativeScaleTest.glb", ""),
        ("morph", "tricky/morph_stress/MorphStressTest.gltf", "clip = \"TheWave\", at = 0.3"),
        ("recursive", "tricky/recursive_skeletons/RecursiveSkeletons.glb", "clip = \"Track0\", at = 0.4"),
    ] {
        let path = assets().join(file).display().to_string();
        let comma = if more.is_empty() { "" } else { ", " };
        study += &format!("{name} = {{ subject = {path:?}{comma}{more} }}\n");
    }
    let folder = tempfile::tempdir().unwrap();
    let run = Run::render(folder.path(), "odd", &study);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(report(&folder.path().join("out/odd"))["counts"]["made"], 6, "{run}");
}
