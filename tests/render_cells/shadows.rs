//! Where shadows fall, by geometry.

use std::f32::consts::PI;

use glam::{Vec3, Vec4};
use posegrid::asset::{AlphaMode, Material};
use posegrid::render::CellImage;
use posegrid::stage::{KeyLight, Scene, Style};

use crate::scenes::{Parts, Shape, assert_same, dielectric, ground, key, orthographic_camera, render, scene, studio};

fn casting(to_light: Vec3) -> Option<KeyLight> {
    Some(KeyLight { casts_shadow: true, ..key(to_light) })
}

/// The point of the ground that an orthographic camera shows at the middle of a pixel.
fn ground_under(scene: &Scene, pixel: usize) -> Vec3 {
    let (column, row) = (pixel as u32 % scene.width_px, pixel as u32 / scene.width_px);
    let x = (column as f32 + 0.5) / scene.width_px as f32 * 2.0 - 1.0;
    let y = 1.0 - (row as f32 + 0.5) / scene.height_px as f32 * 2.0;
    let stage_from_clip = (scene.camera.clip_from_view * scene.camera.view_from_stage).inverse();
    let near = (stage_from_clip * Vec4::new(x, y, 0.0, 1.0)).truncate();
    let back = scene.camera.back_in_stage;
    near - back * (near.y / back.y)
}

/// A ball half a metre up, seen from high above.
fn ball_over_ground() -> Scene {
    let ball = Shape::sphere(Vec3::new(0.0, 0.5, 0.0), 0.3, 64);
    let mut scene = scene(128, vec![Parts::default().with(ball, dielectric([0.5, 0.5, 0.5, 1.0])).body()]);
    scene.lights = studio();
    scene.ground = Some(ground(3.0));
    scene.camera = orthographic_camera(Vec3::ZERO, Vec3::new(0.0, 2.0, 1.0), 1.6, 1.0);
    scene
}

/// The ball hides the key where the ray to it passes nearer to the centre than the radius; it takes
/// away 0.75 sin e of 0.75 sin e + 0.25, with e the key's elevation.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_shadow_of_a_ball_falls_where_the_rays_say() {
    let scene = ball_over_ground();
    let image = render(&scene);
    let shadow = image.ground_shadow.as_ref().unwrap();
    let to_key = scene.lights.key.unwrap().to_light_in_stage;
    let share = 0.75 * to_key.y / (0.75 * to_key.y + 0.25);
    let (mut dark, mut light) = (0, 0);
    for pixel in (0..shadow.len()).filter(|pixel| image.coverage[*pixel] == 0) {
        let from_centre = ground_under(&scene, pixel) - Vec3::new(0.0, 0.5, 0.0);
        let miss_m = from_centre.cross(to_key).length();
        // Pixels are 25 mm wide and lie aslant; the disc fades only beyond 1.8 m.
        if miss_m < 0.3 - 0.03 {
            assert!((shadow[pixel] - share).abs() < 0.01, "{from_centre} {}", shadow[pixel]);
            dark += 1;
        } else if miss_m > 0.3 + 0.03 {
            assert!(shadow[pixel] == 0.0, "{from_centre} {}", shadow[pixel]);
            light += 1;
        }
    }
    assert!(dark > 200 && light > 5_000, "{dark} {light}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_ground_changes_nothing_but_its_own_shadow() {
    let mut scene = ball_over_ground();
    let with_ground = render(&scene);
    scene.ground = None;
    let without = render(&scene);
    assert_same(&CellImage { ground_shadow: None, ..with_ground }, &without, "the ground");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_shadow_fades_out_at_the_rim_of_the_disc() {
    let mut scene = ball_over_ground();
    let whole = render(&scene).ground_shadow.unwrap();
    scene.ground = Some(ground(1.2));
    let faded = render(&scene).ground_shadow.unwrap();
    for pixel in 0..whole.len() {
        let reach = ground_under(&scene, pixel).length();
        if reach > 1.25 {
            assert_eq!(faded[pixel], 0.0);
        } else if reach < 0.6 * 1.2 - 0.05 {
            assert_eq!(faded[pixel], whole[pixel]);
        }
        assert!(faded[pixel] <= whole[pixel] + 1e-6);
    }
    assert!(faded != whole);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn from_below_no_ground_is_seen() {
    let mut scene = ball_over_ground();
    scene.camera = orthographic_camera(Vec3::ZERO, Vec3::new(0.0, -0.2, 1.0), 1.6, 1.0);
    assert!(render(&scene).ground_shadow.unwrap().iter().all(|shadow| *shadow == 0.0));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_key_without_shadow_darkens_nothing() {
    let mut scene = ball_over_ground();
    scene.lights.key = scene.lights.key.map(|key| KeyLight { casts_shadow: false, ..key });
    assert!(render(&scene).ground_shadow.unwrap().iter().all(|shadow| *shadow == 0.0));
}

/// A plane that nothing hides must look the same with and without a shadow map, however it is tilted.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_bare_wall_does_not_shade_itself() {
    let wall = Parts::default().with(Shape::square(Vec3::ZERO, 0.95), dielectric([1.0; 4])).body();
    let mut scene = scene(64, vec![wall]);
    scene.style = Style::Lambert;
    for degrees in [0.0_f32, 20.0, 45.0, 70.0, 80.0, 85.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let to_light = Vec3::new(sine * 0.6, sine * 0.8, cosine);
        scene.lights.key = casting(to_light);
        let shaded = render(&scene);
        scene.lights.key = Some(key(to_light));
        assert_same(&shaded, &render(&scene), &format!("{degrees} degrees"));
    }
}

/// Where a ball faces the key it does not shade itself.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_ball_shades_itself_only_where_it_turns_away() {
    let ball = Parts::default().with(Shape::sphere(Vec3::ZERO, 0.9, 64), dielectric([1.0; 4])).body();
    let mut scene = scene(128, vec![ball]);
    scene.style = Style::Lambert;
    let to_light = Vec3::new(0.6, 0.5, 0.3);
    scene.lights.key = casting(to_light);
    let shaded = render(&scene);
    scene.lights.key = Some(key(to_light));
    let bare = render(&scene);
    let spotted =
        (0..bare.colour.len()).filter(|at| bare.colour[*at][0] > 0.06 && shaded.colour[*at] != bare.colour[*at]);
    assert_eq!(spotted.count(), 0);
}

/// A small ball before a wall hides the key from the wall; the load shades the worker.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn one_body_shades_another() {
    let wall = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4])).body();
    let ball = Parts::default().with(Shape::sphere(Vec3::new(-0.5, 0.0, 0.5), 0.2, 32), dielectric([1.0; 4])).body();
    let mut scene = scene(64, vec![wall, ball]);
    scene.style = Style::Lambert;
    // The ray through the ball's centre meets the wall at the origin.
    scene.lights.key = casting(Vec3::new(-1.0, 0.0, 1.0));
    let image = render(&scene);
    let here = |x: f32| image.colour[(32 * 64) + ((x + 1.0) * 32.0) as usize][0];
    assert!(here(0.0) < 1e-6, "{}", here(0.0));
    assert!((here(0.5) - std::f32::consts::FRAC_1_SQRT_2).abs() < 0.001, "{}", here(0.5));
}

/// A peg of 40 mm on a wall throws a shadow that starts at its foot, within two pixels.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_shadow_starts_where_its_caster_stands() {
    let mut parts = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4]));
    // A fin that stands out of the wall at x = 0, seen edge on.
    let mut fin = Shape::square(Vec3::ZERO, 1.0);
    for vertex in &mut fin.vertices {
        let [x, y, _] = vertex.position;
        vertex.position = [0.0, y * 0.5, 0.2 * (x + 1.0)];
    }
    parts = parts.with(fin, Material { double_sided: true, ..dielectric([1.0; 4]) });
    let mut scene = scene(256, vec![parts.body()]);
    scene.style = Style::Lambert;
    scene.lights.key = casting(Vec3::new(-1.0, 0.0, 1.0));
    let image = render(&scene);
    let row = &image.colour[128 * 256..129 * 256];
    let first_dark = (128..256).find(|column| row[*column][0] < 0.1).unwrap();
    assert!(first_dark <= 130, "{first_dark}");
    // 0.4 m tall under 45 degrees: 0.4 m long, 51.2 pixels.
    let first_lit = (first_dark..256).find(|column| row[*column][0] > 0.6).unwrap();
    assert!((first_lit as f32 - (128.0 + 51.2)).abs() < 4.0, "{first_lit}");
}

/// A pane whose front turns away from the key, which it hides only where it has two sides; one that
/// is wound the other way and mirrored has its front where the plain one does.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_back_throws_a_shadow_only_of_a_two_sided_material() {
    let lit_behind = |pane: Shape, double_sided, mirrored| {
        let parts = Parts::default().with(pane, Material { double_sided, ..dielectric([1.0; 4]) });
        let pane = if mirrored { parts.mirrored().body() } else { parts.body() };
        let wall = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4])).body();
        let mut scene = scene(32, vec![wall, pane]);
        scene.style = Style::Lambert;
        scene.lights.key = casting(Vec3::new(-1.0, 0.0, 1.0));
        render(&scene).colour[16 * 32 + 24][0] > 0.5
    };
    let pane = Shape::square(Vec3::new(0.0, 0.0, 0.5), 0.3);
    assert!(!lit_behind(pane.clone(), false, false));
    assert!(lit_behind(pane.clone().rewound(), false, false));
    assert!(!lit_behind(pane.clone().rewound(), true, false));
    assert!(!lit_behind(pane.clone().rewound(), false, true));
    assert!(lit_behind(pane, false, true));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn holes_of_a_cut_out_let_the_key_through() {
    let shadow_with = |alpha, alpha_mode| {
        let pane = Shape::square(Vec3::new(0.0, 0.0, 0.5), 0.3);
        let material = Material { alpha_mode, ..dielectric([1.0, 1.0, 1.0, alpha]) };
        let wall = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4])).body();
        let mut scene = scene(32, vec![wall, Parts::default().with(pane, material).body()]);
        scene.style = Style::Lambert;
        scene.lights.key = casting(Vec3::new(-1.0, 0.0, 1.0));
        render(&scene).colour[16 * 32 + 24][0]
    };
    assert!(shadow_with(0.2, AlphaMode::Opaque) < 1e-6);
    assert!(shadow_with(0.6, AlphaMode::Mask(0.5)) < 1e-6);
    assert!(shadow_with(0.4, AlphaMode::Mask(0.5)) > 0.7);
    assert!(shadow_with(0.6, AlphaMode::Blend) < 1e-6);
    assert!(shadow_with(0.4, AlphaMode::Blend) > 0.7);
}

/// The key's shadow takes away only the key: under studio light half of the sky is left on a wall.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_sky_reaches_into_the_shadow() {
    let wall = Parts::default().with(Shape::square(Vec3::ZERO, 1.0), dielectric([1.0; 4])).body();
    let ball = Parts::default().with(Shape::sphere(Vec3::new(-0.5, 0.0, 0.5), 0.2, 32), dielectric([1.0; 4])).body();
    let mut scene = scene(64, vec![wall, ball]);
    scene.style = Style::Lambert;
    scene.lights.key = casting(Vec3::new(-1.0, 0.0, 1.0));
    scene.lights.sky = [0.4 * PI; 3];
    assert!((render(&scene).colour[32 * 64 + 32][0] - 0.2).abs() < 0.001);
}
