//! A cell's bytes depend on the cell alone.

use glam::Vec3;
use posegrid::asset::{AlphaMode, Material};
use posegrid::render::{AdapterChoice, CellImage, Renderer};
use posegrid::stage::{Scene, Style};

use crate::scenes::{
    Parts, Shape, assert_same, dielectric, fresh_renderer, ground, perspective_camera, scene, studio, texture,
    whole_draw,
};

/// A textured ball, a metal one and a pane of glass on the ground, differing by `seed`.
fn varied(seed: u32, size_px: u32) -> Scene {
    let texels: Vec<[u8; 4]> = (0..64 * 64_u32)
        .map(|at| {
            let value = at.wrapping_mul(2_654_435_761).wrapping_add(seed.wrapping_mul(40_503));
            [(value >> 8) as u8, (value >> 16) as u8, (value >> 24) as u8, 255]
        })
        .collect();
    let lean = seed as f32 * 0.1;
    let mut parts = Parts::default()
        .with(
            Shape::sphere(Vec3::new(-0.4, 0.45, lean), 0.4, 24),
            Material { base_colour_texture: Some(texture()), roughness: 0.4, ..dielectric([1.0; 4]) },
        )
        .with(Shape::sphere(Vec3::new(0.4, 0.4, -lean), 0.35, 24), Material { roughness: 0.3, ..Material::default() });
    let glass = Material { alpha_mode: AlphaMode::Blend, ..dielectric([0.3, 0.6, 0.9, 0.4]) };
    parts = parts.with(Shape::square(Vec3::new(0.0, 0.3, 0.6), 0.3), glass).image(64, &texels);
    let mut scene = scene(size_px, vec![parts.body()]);
    scene.name = format!("varied {seed}");
    scene.blended = vec![whole_draw(&scene.bodies[0], 2)];
    scene.lights = studio();
    scene.ground = Some(ground(1.5));
    scene.camera = perspective_camera(Vec3::new(0.0, 0.4, 0.0), Vec3::new(0.3, 0.3, 1.0), 5.0, 0.5);
    scene
}

fn draw(renderer: &mut Renderer, scene: &Scene) -> CellImage {
    renderer.render(scene).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_alone_is_the_cell_among_others() {
    let alone = draw(&mut fresh_renderer(), &varied(3, 96));
    assert!(alone.coverage.iter().any(|covered| *covered > 0));
    assert!(alone.ground_shadow.as_ref().is_some_and(|shadow| shadow.iter().any(|share| *share > 0.0)));
    let mut busy = fresh_renderer();
    for (seed, size_px, samples) in [(1, 96, 2), (2, 64, 4), (4, 200, 1), (5, 96, 3)] {
        let mut other = varied(seed, size_px);
        other.samples = samples;
        other.style = if seed == 4 { Style::Outline } else { Style::Shaded };
        draw(&mut busy, &other);
        assert_same(&draw(&mut busy, &varied(3, 96)), &alone, &format!("after {seed}"));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn two_renderers_side_by_side_draw_the_same() {
    let on_a_thread = || std::thread::spawn(|| draw(&mut fresh_renderer(), &varied(3, 96)));
    let (one, other) = (on_a_thread(), on_a_thread());
    assert_same(&one.join().unwrap(), &other.join().unwrap(), "two threads");
}

/// A budget of one byte throws everything out that the next cell does not use.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn forgetting_surfaces_changes_no_byte_and_keeps_memory_flat() {
    let mut forgetful = Renderer::with_budget(&AdapterChoice::Software, 1).unwrap();
    let mut keeping = fresh_renderer();
    let mut least = u64::MAX;
    for seed in [1, 2, 3, 1, 2, 3] {
        let scene = varied(seed, 64);
        assert_same(&draw(&mut forgetful, &scene), &draw(&mut keeping, &scene), &format!("cell {seed}"));
        least = least.min(forgetful.held_bytes());
        assert_eq!(forgetful.held_bytes(), least, "{seed}");
    }
    assert!(keeping.held_bytes() > 2 * least);
}

/// Two surfaces with the same image share its texture.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn equal_images_are_held_once() {
    let mut renderer = fresh_renderer();
    let textured = |base: f32| {
        let material = Material { base_colour_texture: Some(texture()), ..dielectric([base, base, base, 1.0]) };
        let parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), material);
        scene(16, vec![parts.image(64, &[[200; 4]; 64 * 64]).body()])
    };
    draw(&mut renderer, &textured(1.0));
    let one = renderer.held_bytes();
    draw(&mut renderer, &textured(0.5));
    // A texture of 64 texels a side takes over 16 KiB, a square's vertices under one.
    assert!(renderer.held_bytes() < one + 4096, "{one} {}", renderer.held_bytes());
    assert!(one > 16 * 1024);
}
