//! What cannot be drawn is refused in words.

use std::sync::Arc;

use glam::Vec3;
use posegrid::asset::Material;
use posegrid::base::Digest;
use posegrid::render::{AdapterChoice, RenderError, Renderer, adapters, lane};
use posegrid::stage::{BlendRun, Scene, Surface};

use crate::scenes::{Parts, Shape, dielectric, fresh_renderer, render, scene, texture};

fn square() -> Scene {
    scene(16, vec![Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4])).body()])
}

fn with_surface(change: impl FnOnce(&mut Surface)) -> Scene {
    let mut scene = square();
    let mut surface = Surface::clone(&scene.bodies[0].surface);
    change(&mut surface);
    surface.digest = Digest::of(format!("{:?} {:?}", surface.indices, surface.draws).as_bytes());
    scene.bodies[0].surface = Arc::new(surface);
    scene
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn software_drawing_has_a_name_and_a_lane() {
    let software: Vec<_> = adapters().into_iter().filter(|adapter| adapter.device_type == "software").collect();
    let renderer = fresh_renderer();
    assert!(software.contains(renderer.adapter()), "{software:?}");
    assert!(lane(renderer.adapter()).starts_with(&renderer.adapter().backend));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_adapter_that_is_not_there_is_an_error_that_lists_what_is() {
    let error = Renderer::new(&AdapterChoice::Named("no such thing".to_owned())).err().unwrap();
    assert!(matches!(error, RenderError::NoAdapter { .. }));
    assert!(error.hint().unwrap().starts_with("this machine has: "));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_adapter_is_found_by_part_of_its_name() {
    let name = adapters().into_iter().find(|adapter| adapter.device_type == "software").unwrap().name;
    let part = name.split(' ').next().unwrap().to_uppercase();
    assert_eq!(Renderer::new(&AdapterChoice::Named(part)).unwrap().adapter().name, name);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_cell_beyond_the_device_is_too_large() {
    let mut renderer = fresh_renderer();
    for (width_px, height_px, samples) in [(30_000, 16, 1), (16, 2_000, 64), (16_000, 16_000, 1), (u32::MAX, 1, 2)] {
        let scene = Scene { width_px, height_px, samples, ..square() };
        let error = renderer.render(&scene).err().unwrap();
        assert!(matches!(error, RenderError::TooLarge { .. }), "{error}");
        assert!(!error.is_transient() && error.hint().is_some());
    }
    assert!(renderer.render(&square()).is_ok());
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_scene_that_contradicts_itself_is_refused() {
    let mut renderer = fresh_renderer();
    let run = |body, draw, indices: &[u32]| {
        let blended = vec![BlendRun { body, draw, indices: indices.to_vec() }];
        Scene { blended, ..square() }
    };
    let textured = Material { base_colour_texture: Some(texture()), ..Material::default() };
    let mut fewer = square();
    fewer.bodies[0].vertices.pop();
    for (scene, what) in [
        (Scene { width_px: 0, ..square() }, "it has no pixels"),
        (Scene { samples: 0, ..square() }, "0 samples a side, where 1 to 255 work"),
        (fewer, "body 0: 3 vertices for a surface of 4"),
        (with_surface(|surface| surface.indices[2] = 9), "body 0: index 9 into 4 vertices"),
        (with_surface(|surface| surface.draws[0].indices = 3..9), "body 0: a draw of indices 3 to 9 of 6"),
        (with_surface(|surface| surface.draws[0].material = 7), "body 0: material 7 of 1"),
        (with_surface(|surface| surface.materials[0] = textured), "body 0: image 0 of 0"),
        (run(1, 0, &[0, 1, 2]), "blended run 0: body 1 of 1"),
        (run(0, 1, &[0, 1, 2]), "blended run 0: draw 1 of 1"),
        (run(0, 0, &[0, 1, 4]), "blended run 0: index 4 into 4 vertices"),
    ] {
        let error = renderer.render(&scene).err().unwrap();
        assert_eq!(error.to_string(), format!("cannot draw test: {what}"));
    }
    assert!(renderer.render(&square()).is_ok());
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_empty_scene_is_an_empty_cell() {
    let image = render(&scene(8, Vec::new()));
    assert!(image.coverage.iter().all(|covered| *covered == 0));
    assert!(image.masks.is_empty() && image.opacity.is_none() && image.ground_shadow.is_none());
    let bare = with_surface(|surface| {
        surface.statics.clear();
        surface.indices.clear();
        surface.draws.clear();
    });
    let mut bare = bare;
    bare.bodies[0].vertices.clear();
    assert!(render(&bare).coverage.iter().all(|covered| *covered == 0));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn any_number_of_samples_and_any_shape_of_cell_works() {
    for samples in 1..=5 {
        let scene = Scene { samples, width_px: 7, height_px: 13, ..square() };
        let image = render(&scene);
        assert_eq!(image.coverage, vec![(samples * samples) as u16; 7 * 13]);
    }
}
