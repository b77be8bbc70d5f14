//! Cut-outs, blending, coverage and masks, counted by hand.

use glam::Vec3;
use posegrid::asset::{AlphaMode, Material};
use posegrid::render::CellImage;
use posegrid::stage::{BlendRun, Mask, MaskSet, Scene, Style};

use crate::scenes::{
    Parts, Shape, assert_same, at, dielectric, ground, orthographic_camera, render, scene, studio, texture, whole_draw,
    worker,
};

fn flat_scene(parts: Parts) -> Scene {
    let mut scene = scene(8, vec![parts.body()]);
    scene.style = Style::Flat;
    scene
}

fn middle(image: &CellImage) -> usize {
    at(image, image.width_px / 2, image.height_px / 2)
}

fn near(found: [f32; 3], wanted: [f32; 3]) {
    let off = (Vec3::from(found) - Vec3::from(wanted)).abs().max_element();
    assert!(off < 0.001, "{found:?}, where {wanted:?} is right");
}

/// Alpha 128 / 255 is 0.50196: drawn where the cutoff is at most that.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cut_out_is_drawn_where_alpha_reaches_the_cutoff() {
    let covered = |cutoff, alpha| {
        let material = Material {
            alpha_mode: AlphaMode::Mask(cutoff),
            base_colour_texture: Some(texture()),
            ..dielectric([1.0; 4])
        };
        let parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), material).image(1, &[[255, 255, 255, alpha]]);
        let image = render(&flat_scene(parts));
        (image.coverage[middle(&image)], image.opacity)
    };
    assert_eq!(covered(0.5, 128), (4, None));
    assert_eq!(covered(0.51, 128), (0, None));
    assert_eq!(covered(0.5, 127), (0, None));
    assert_eq!(covered(1.0, 255), (4, None));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_opaque_material_ignores_alpha() {
    let parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([0.5, 0.5, 0.5, 0.0]));
    let image = render(&flat_scene(parts));
    assert_eq!((image.coverage[middle(&image)], image.alpha(middle(&image))), (4, 1.0));
    near(image.colour[middle(&image)], [0.5; 3]);
}

fn glass(colour: [f32; 3], alpha: f32) -> Material {
    Material { alpha_mode: AlphaMode::Blend, ..dielectric(Vec3::from(colour).extend(alpha).to_array()) }
}

/// Red glass before green glass before a wall: 0.5 red + 0.5 (0.5 green + 0.5 wall).
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn glass_is_laid_over_what_is_behind_in_the_order_given() {
    let parts = Parts::default()
        .with(Shape::square(Vec3::new(0.0, 0.0, -0.5), 1.0), dielectric([0.0, 0.0, 1.0, 1.0]))
        .with(Shape::square(Vec3::new(0.0, 0.0, 0.5), 1.0), glass([1.0, 0.0, 0.0], 0.5))
        .with(Shape::square(Vec3::ZERO, 1.0), glass([0.0, 1.0, 0.0], 0.5));
    let mut scene = flat_scene(parts);
    scene.blended = vec![whole_draw(&scene.bodies[0], 2), whole_draw(&scene.bodies[0], 1)];
    let image = render(&scene);
    near(image.colour[middle(&image)], [0.5, 0.25, 0.25]);
    assert_eq!(image.opacity, None);
    scene.blended.reverse();
    let image = render(&scene);
    near(image.colour[middle(&image)], [0.25, 0.5, 0.25]);
}

/// Over nothing, opacity is 1 - 0.5 * 0.5 and the colour is what is there, not premultiplied:
/// (0.5 red + 0.25 green) / 0.75.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn glass_over_nothing_is_covered_and_translucent() {
    let parts = Parts::default()
        .with(Shape::square(Vec3::new(0.0, 0.0, 0.5), 1.0), glass([1.0, 0.0, 0.0], 0.5))
        .with(Shape::square(Vec3::ZERO, 1.0), glass([0.0, 1.0, 0.0], 0.5));
    let mut scene = flat_scene(parts);
    scene.blended = vec![whole_draw(&scene.bodies[0], 1), whole_draw(&scene.bodies[0], 0)];
    let image = render(&scene);
    let pixel = middle(&image);
    near(image.colour[pixel], [2.0 / 3.0, 1.0 / 3.0, 0.0]);
    assert_eq!(image.coverage[pixel], 4);
    assert!((image.alpha(pixel) - 0.75).abs() < 0.001);
    // Over a background of 0.5: 0.75 (2/3, 1/3, 0) + 0.25 * 0.5 = (0.625, 0.375, 0.125), by the curve.
    assert_eq!(image.over([0.5; 3])[pixel * 3..pixel * 3 + 3], [207, 165, 99]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn glass_behind_a_wall_is_not_seen() {
    let parts = Parts::default()
        .with(Shape::square(Vec3::ZERO, 1.0), dielectric([0.0, 0.0, 1.0, 1.0]))
        .with(Shape::square(Vec3::new(0.0, 0.0, -0.5), 1.0), glass([1.0, 0.0, 0.0], 0.5));
    let mut scene = flat_scene(parts);
    scene.blended = vec![whole_draw(&scene.bodies[0], 1)];
    let image = render(&scene);
    near(image.colour[middle(&image)], [0.0, 0.0, 1.0]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn glass_that_is_wholly_clear_covers_nothing() {
    let parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), glass([1.0, 0.0, 0.0], 0.0));
    let mut scene = flat_scene(parts);
    scene.blended = vec![whole_draw(&scene.bodies[0], 0)];
    assert!(render(&scene).coverage.iter().all(|covered| *covered == 0));
}

/// Cells of 8 pixels over 2 m, two samples a side: sample columns 0.125 m apart, centred at -0.9375 and
/// on. A square from -0.5 to 0.125 holds columns 4 to 8: two whole pixels and half of a third.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn coverage_and_masks_count_samples() {
    let mut parts = Parts::default();
    let mut half = Shape::square(Vec3::ZERO, 1.0);
    for vertex in &mut half.vertices {
        vertex.position[0] = if vertex.position[0] < 0.0 { -0.5 } else { 0.125 };
    }
    parts.add(half, dielectric([1.0, 0.0, 0.0, 1.0]), worker().with(Mask::Head));
    let mut load = Shape::square(Vec3::new(0.0, 0.0, -1.0), 1.0);
    for vertex in &mut load.vertices {
        vertex.position[1] = vertex.position[1].max(0.0);
    }
    parts.add(load, dielectric([0.0, 1.0, 0.0, 1.0]), MaskSet::default().with(Mask::Subject).with(Mask::Load));
    let image = render(&flat_scene(parts));
    let row = |counts: &[u16], row: usize| counts[row * 8..row * 8 + 8].to_vec();
    let counts = |mask| &image.mask(mask).unwrap().counts;
    assert_eq!(row(&image.coverage, 6), [0, 0, 4, 4, 2, 0, 0, 0]);
    assert_eq!(row(&image.coverage, 1), [4; 8]);
    assert_eq!(row(counts(Mask::Head), 1), [0, 0, 4, 4, 2, 0, 0, 0]);
    assert_eq!(row(counts(Mask::Load), 1), [4, 4, 0, 0, 2, 4, 4, 4]);
    assert_eq!(row(counts(Mask::Load), 6), [0; 8]);
    assert_eq!(counts(Mask::Subject), &image.coverage);
    assert!(image.mask(Mask::Eyes).is_none());
    near(image.colour[8 + 4], [0.5, 0.5, 0.0]);
    near(image.colour[6 * 8 + 4], [1.0, 0.0, 0.0]);
}

/// A mask that a draw has but no sample shows is there, with zeros.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_hidden_mask_is_counted_as_zero() {
    let mut parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4]));
    parts.add(Shape::square(Vec3::new(0.0, 0.0, -1.0), 0.5), dielectric([1.0; 4]), worker().with(Mask::Face));
    let image = render(&flat_scene(parts));
    assert!(image.mask(Mask::Face).unwrap().counts.iter().all(|count| *count == 0));
}

/// Half clear glass before the ground's shadow lets half of it through.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_ground_is_seen_through_glass_and_changes_nothing_of_it() {
    let mut parts = Parts::default().with(Shape::sphere(Vec3::new(0.0, 0.5, 0.0), 0.5, 24), dielectric([1.0; 4]));
    let mut pane = Shape::square(Vec3::ZERO, 1.0);
    for vertex in &mut pane.vertices {
        // Low before the camera, from 0.2 to 0.3 m to the right, where it throws its own thin shadow aside.
        let [x, y, _] = vertex.position;
        vertex.position = [1.0 + 0.4 * x, 0.3 + 0.3 * y, 2.0];
    }
    parts.add(pane, glass([1.0, 1.0, 1.0], 0.5), worker());
    let body = parts.body();
    let mut scene = scene(64, vec![body]);
    scene.blended = vec![whole_draw(&scene.bodies[0], 1)];
    scene.lights = studio();
    scene.camera = orthographic_camera(Vec3::new(0.5, 0.3, 0.0), Vec3::new(0.0, 0.5, 1.0), 1.5, 1.0);
    let bare = render(&scene);
    scene.ground = Some(ground(3.0));
    let with_ground = render(&scene);
    let clear = render(&Scene { blended: Vec::new(), ..scene.clone() });
    assert_same(&CellImage { ground_shadow: None, ..with_ground.clone() }, &bare, "the ground");
    let (seen, all) = (with_ground.ground_shadow.unwrap(), clear.ground_shadow.unwrap());
    let opacity = with_ground.opacity.unwrap();
    let behind_glass: Vec<usize> =
        (0..all.len()).filter(|at| all[*at] > 0.3 && with_ground.coverage[*at] == 4 && opacity[*at] < 0.6).collect();
    assert!(behind_glass.len() > 20, "{}", behind_glass.len());
    for pixel in behind_glass {
        assert!((seen[pixel] - 0.5 * all[pixel]).abs() < 0.01, "{} {}", seen[pixel], all[pixel]);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn part_of_a_draw_is_blended_alone() {
    let parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), glass([1.0, 0.0, 0.0], 0.5));
    let mut scene = flat_scene(parts);
    // The upper left triangle of the square.
    scene.blended = vec![BlendRun { body: 0, draw: 0, indices: vec![0, 3, 1] }];
    let image = render(&scene);
    assert_eq!((image.coverage[at(&image, 1, 1)], image.coverage[at(&image, 6, 6)]), (4, 0));
}
