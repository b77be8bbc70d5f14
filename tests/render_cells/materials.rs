//! What a material says, told by flat colours and squares.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec2, Vec3};
use posegrid::asset::{Material, Sampler, TextureRef, Wrap};
use posegrid::render::CellImage;
use posegrid::stage::{KeyLight, Lights, Scene, Style};

use crate::scenes::{
    Parts, Shape, assert_same, at, dielectric, head_on, key, orthographic_camera, perspective_camera, render, scene,
    texture,
};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];

/// A square that fills the cell.
fn full(material: Material) -> Parts {
    Parts::default().with(Shape::square(Vec3::ZERO, 1.0), material)
}

fn styled(parts: Parts, style: Style) -> Scene {
    let mut scene = scene(16, vec![parts.body()]);
    scene.style = style;
    scene
}

fn flat(parts: Parts) -> CellImage {
    render(&styled(parts, Style::Flat))
}

/// Colour at the middle of the cell.
fn middle(image: &CellImage) -> [f32; 3] {
    image.colour[at(image, image.width_px / 2, image.height_px / 2)]
}

fn near(found: [f32; 3], wanted: [f32; 3]) {
    let off = (0..3).map(|channel| (found[channel] - wanted[channel]).abs()).fold(0.0, f32::max);
    assert!(off < 0.001, "{found:?}, where {wanted:?} is right");
}

/// The middle of each quarter: upper left, upper right, lower left, lower right.
fn quarters(image: &CellImage) -> [[u8; 3]; 4] {
    [(4, 4), (12, 4), (4, 12), (12, 12)].map(|(column, row)| image.srgb8(at(image, column, row)))
}

fn four_colours(texture: TextureRef) -> Parts {
    full(Material { base_colour_texture: Some(texture), ..dielectric([1.0; 4]) }).image(2, &[RED, GREEN, BLUE, WHITE])
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn the_first_texel_is_at_the_upper_left() {
    let image = flat(four_colours(texture()));
    assert_eq!(quarters(&image), [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255; 3]]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn every_srgb_code_of_a_texture_comes_back_in_the_flat_style() {
    let codes: Vec<[u8; 4]> = (0..=255).map(|code| [code, 255 - code, 118, 255]).collect();
    let image = flat(full(Material { base_colour_texture: Some(texture()), ..dielectric([1.0; 4]) }).image(16, &codes));
    for (pixel, code) in (0..=255).enumerate() {
        assert_eq!(image.srgb8(pixel), [code, 255 - code, 118]);
    }
}

/// A quarter turn about the origin shows the image turned clockwise; the offset brings it back into
/// view.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_texture_transform_turns_scales_and_moves() {
    let turned = TextureRef { uv_rotation_rad: FRAC_PI_2, uv_offset: Vec2::new(0.0, 1.0), ..texture() };
    let image = flat(four_colours(turned));
    assert_eq!(quarters(&image), [[0, 0, 255], [255, 0, 0], [255; 3], [0, 255, 0]]);
    let lower_right = TextureRef { uv_scale: Vec2::splat(0.5), uv_offset: Vec2::splat(0.5), ..texture() };
    assert_eq!(quarters(&flat(four_colours(lower_right))), [[255; 3]; 4]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_texture_reads_the_set_of_coordinates_it_names() {
    let mut square = Shape::square(Vec3::ZERO, 1.0);
    for vertex in &mut square.statics {
        vertex.uv1 = [0.75, 0.25];
    }
    let second = TextureRef { uv_set: 1, ..texture() };
    let material = Material { base_colour_texture: Some(second), ..dielectric([1.0; 4]) };
    let parts = Parts::default().with(square, material).image(2, &[RED, GREEN, BLUE, WHITE]);
    assert_eq!(quarters(&flat(parts)), [[0, 255, 0]; 4]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn factor_texture_and_vertex_colour_multiply() {
    let square = Shape::square(Vec3::ZERO, 1.0).coloured([0.5, 0.5, 1.0, 1.0]);
    let material = Material { base_colour_texture: Some(texture()), ..dielectric([1.0, 0.5, 0.25, 1.0]) };
    // Code 188 is linear 0.50289.
    let parts = Parts::default().with(square, material).image(1, &[[255, 188, 255, 255]]);
    near(middle(&flat(parts)), [0.5, 0.125_72, 0.25]);
}

/// Irradiance pi on a white surface that faces it.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn white_that_faces_a_key_of_pi_is_exactly_one() {
    assert_eq!(middle(&render(&styled(full(dielectric([1.0; 4])), Style::Lambert))), [1.0; 3]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn sky_and_bounce_share_a_wall_evenly() {
    let mut scene = styled(full(dielectric([1.0; 4])), Style::Lambert);
    scene.lights = Lights { key: None, sky: [PI, 0.0, 0.0], bounce: [0.0, PI, 0.0] };
    near(middle(&render(&scene)), [0.5, 0.5, 0.0]);
}

/// A floor sees only the sky, a ceiling only what comes from below.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn up_is_lit_by_the_sky_and_down_by_the_bounce() {
    let facing = |normal: Vec3| {
        let mut square = Shape::square(Vec3::ZERO, 1.0);
        square.vertices.iter_mut().for_each(|vertex| vertex.normal = normal.to_array());
        let mut scene = styled(Parts::default().with(square, dielectric([1.0; 4])), Style::Lambert);
        scene.lights = Lights { key: None, sky: [PI, 0.0, 0.0], bounce: [0.0, PI, 0.0] };
        middle(&render(&scene))
    };
    near(facing(Vec3::Y), [1.0, 0.0, 0.0]);
    near(facing(Vec3::NEG_Y), [0.0, 1.0, 0.0]);
}

/// An eye 3 m before a plane sees the key's reflection where the angles match: 3 m times the key's
/// slope, 0.3, to the right.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_highlight_sits_where_the_angles_match() {
    let plane = Shape::square(Vec3::ZERO, 1.5);
    let shiny = Material { roughness: 0.2, ..Material::default() };
    let mut scene = scene(128, vec![Parts::default().with(plane, shiny).body()]);
    scene.lights.key = Some(key(Vec3::new(0.3, 0.0, 1.0)));
    for (camera, wanted) in [
        (perspective_camera(Vec3::ZERO, Vec3::Z, 3.0, 2.0 * 0.5_f32.atan()), 0.9),
        // Of parallel rays none is at the angle, and all are alike.
        (orthographic_camera(Vec3::ZERO, Vec3::Z, 1.5, 1.0), 0.0),
    ] {
        scene.camera = camera;
        let image = render(&scene);
        let row = &image.colour[64 * 128..65 * 128];
        let most = row.iter().map(|rgb| rgb[0]).fold(0.0, f32::max);
        let brightest: Vec<usize> = (0..128).filter(|column| row[*column][0] >= most * 0.999).collect();
        let centre = brightest.iter().sum::<usize>() as f32 / brightest.len() as f32;
        let found = (centre + 0.5) / 64.0 * 1.5 - 1.5;
        assert!((found - wanted).abs() < 0.03, "{found}, where {wanted} is right");
    }
}

/// Texture coordinates from 0 to 2 over two texels, red then green.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn outside_its_square_a_texture_wraps_as_its_sampler_says() {
    let colours = |wrap| {
        let sampler = Sampler { wrap_u: wrap, ..texture().sampler };
        let doubled = TextureRef { sampler, uv_scale: Vec2::new(2.0, 1.0), ..texture() };
        let material = Material { base_colour_texture: Some(doubled), ..dielectric([1.0; 4]) };
        let image = flat(full(material).image(2, &[RED, GREEN]));
        [2, 6, 10, 14].map(|column| if image.srgb8(at(&image, column, 8)) == [255, 0, 0] { 'r' } else { 'g' })
    };
    assert_eq!(colours(Wrap::Repeat), ['r', 'g', 'r', 'g']);
    assert_eq!(colours(Wrap::Mirror), ['r', 'g', 'g', 'r']);
    assert_eq!(colours(Wrap::Clamp), ['r', 'g', 'g', 'g']);
}

/// One image as a colour and as numbers is two textures: code 188 is 0.503 of light and 0.737 of
/// roughness.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_image_may_be_colour_and_numbers_at_once() {
    let both =
        Material { base_colour_texture: Some(texture()), occlusion_texture: Some(texture()), ..dielectric([1.0; 4]) };
    let mut scene = styled(full(both).image(1, &[[188, 188, 188, 255]]), Style::Lambert);
    scene.lights = Lights { key: None, sky: [PI; 3], bounce: [PI; 3] };
    let found = middle(&render(&scene))[0];
    assert!((found - 0.502_89 * 188.0 / 255.0).abs() < 0.0015, "{found}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn styles_leave_out_what_they_say() {
    let material = Material { emissive: [0.0, 0.5, 0.0], ..dielectric([0.4, 0.2, 0.1, 1.0]) };
    let drawn = |style| middle(&render(&styled(full(material.clone()), style)));
    near(drawn(Style::Flat), [0.4, 0.2, 0.1]);
    near(drawn(Style::Lambert), [0.4, 0.2, 0.1]);
    near(drawn(Style::Outline), [0.02; 3]);
    // Head on at roughness 1 the lobe is 1 / (4 pi) and the Fresnel term 0.04: 0.96 base + 0.01.
    near(drawn(Style::Shaded), [0.96 * 0.4 + 0.01, 0.96 * 0.2 + 0.01 + 0.5, 0.96 * 0.1 + 0.01]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn emission_is_factor_times_srgb_texture() {
    let material =
        Material { emissive: [2.0, 1.0, 1.0], emissive_texture: Some(texture()), ..dielectric([0.0, 0.0, 0.0, 1.0]) };
    let mut scene = styled(full(material).image(1, &[[188, 188, 0, 255]]), Style::Shaded);
    scene.lights = Lights { key: None, sky: [0.0; 3], bounce: [0.0; 3] };
    let found = middle(&render(&scene));
    // llvmpipe decodes sRGB by a polynomial that is off by up to 0.2 %.
    assert!((found[0] - 1.005_78).abs() < 0.003 && (found[1] - 0.502_89).abs() < 0.0015, "{found:?}");
    assert_eq!(found[2], 0.0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn an_unlit_material_shows_its_base_colour_in_any_light() {
    let material = Material { unlit: true, ..dielectric([0.4, 0.2, 0.1, 1.0]) };
    let mut scene = styled(full(material), Style::Shaded);
    for lights in [head_on(), Lights { key: None, sky: [0.0; 3], bounce: [0.0; 3] }] {
        scene.lights = lights;
        near(middle(&render(&scene)), [0.4, 0.2, 0.1]);
    }
}

/// Code 218 is 0.7098: a normal tilted 45 degrees towards +X, or with green towards +Y.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_normal_texture_tilts_along_tangent_and_bitangent() {
    let lit_from = |texel: [u8; 4], to_light: Vec3| {
        let material = Material { normal_texture: Some(texture()), ..dielectric([1.0; 4]) };
        let mut scene = styled(full(material).image(1, &[texel]), Style::Lambert);
        scene.lights.key = Some(key(to_light));
        middle(&render(&scene))[0]
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let (right, up) = ([218, 128, 218, 255], [128, 218, 218, 255]);
    for (texel, to_light, wanted) in [
        (right, Vec3::X, half),
        (right, Vec3::NEG_X, 0.0),
        (right, Vec3::Z, half),
        (up, Vec3::Y, half),
        (up, Vec3::NEG_Y, 0.0),
    ] {
        let found = lit_from(texel, to_light);
        assert!((found - wanted).abs() < 0.005, "{texel:?} from {to_light}: {found}, where {wanted} is right");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn occlusion_hides_the_sky_but_not_the_key() {
    let material = Material { occlusion_texture: Some(texture()), occlusion_strength: 0.5, ..dielectric([1.0; 4]) };
    let mut scene = styled(full(material).image(1, &[[0, 255, 255, 255]]), Style::Lambert);
    near(middle(&render(&scene)), [1.0; 3]);
    scene.lights = Lights { key: None, sky: [PI; 3], bounce: [PI; 3] };
    near(middle(&render(&scene)), [0.5; 3]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn green_is_roughness_and_blue_is_metallic() {
    let by_texture = Material {
        metallic: 0.5,
        roughness: 1.0,
        metallic_roughness_texture: Some(texture()),
        ..dielectric([0.6, 0.4, 0.2, 1.0])
    };
    let by_factor = Material { metallic: 0.1, roughness: 0.6, metallic_roughness_texture: None, ..by_texture.clone() };
    let texel = [13, 153, 51, 255];
    let drawn = |material| {
        let mut scene = styled(full(material).image(1, &[texel]), Style::Shaded);
        scene.lights = Lights { key: Some(key(Vec3::new(0.2, 0.3, 1.0))), sky: [1.0; 3], bounce: [0.2; 3] };
        middle(&render(&scene))
    };
    near(drawn(by_texture), drawn(by_factor));
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_missing_image_counts_as_white() {
    let missing = Some(TextureRef { image: None, ..texture() });
    let plain = dielectric([0.6, 0.4, 0.2, 1.0]);
    let without = Material {
        base_colour_texture: missing,
        metallic_roughness_texture: missing,
        normal_texture: missing,
        occlusion_texture: missing,
        emissive_texture: missing,
        ..plain.clone()
    };
    let drawn = |material| render(&styled(full(material), Style::Shaded));
    assert_same(&drawn(without), &drawn(plain), "without images");
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_back_is_seen_only_of_a_two_sided_material_and_is_lit_from_its_own_side() {
    let back = |double_sided| {
        let material = Material { double_sided, ..dielectric([0.5, 0.5, 0.5, 1.0]) };
        let square = Shape::square(Vec3::ZERO, 1.0).rewound();
        let mut scene = styled(Parts::default().with(square, material), Style::Lambert);
        // The stored normal looks at the eye; the side that is seen looks away from it.
        scene.lights.key = Some(key(Vec3::NEG_Z));
        render(&scene)
    };
    assert!(back(false).coverage.iter().all(|covered| *covered == 0));
    near(middle(&back(true)), [0.5; 3]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_mirrored_draw_is_wound_the_other_way() {
    let drawn = |shape: Shape, double_sided| {
        let material = Material { double_sided, ..dielectric([0.5, 0.5, 0.5, 1.0]) };
        render(&styled(Parts::default().with(shape, material).mirrored(), Style::Lambert))
    };
    let square = Shape::square(Vec3::ZERO, 1.0);
    assert!(drawn(square.clone(), false).coverage.iter().all(|covered| *covered == 0));
    near(middle(&drawn(square.clone().rewound(), false)), [0.5; 3]);
    near(middle(&drawn(square.rewound(), true)), [0.5; 3]);
}

/// A checker of black and white, much finer than a sample, is linear 0.5.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_texture_far_away_keeps_its_light() {
    let checks: Vec<[u8; 4]> =
        (0..256 * 256).map(|at| if (at / 256 + at) % 2 == 0 { [0, 0, 0, 255] } else { WHITE }).collect();
    let material = Material { base_colour_texture: Some(texture()), ..dielectric([1.0; 4]) };
    let found = middle(&flat(full(material).image(256, &checks)));
    // Level 1 holds code 188, linear 0.50289.
    near(found, [0.502_89; 3]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn what_is_not_a_number_comes_through() {
    let square = Shape::square(Vec3::ZERO, 1.0).coloured([f32::NAN, 0.5, 0.5, 1.0]);
    for style in [Style::Shaded, Style::Lambert, Style::Flat] {
        let image = render(&styled(Parts::default().with(square.clone(), dielectric([1.0; 4])), style));
        assert!(middle(&image)[0].is_nan(), "{style:?}");
    }
    let mut bent = Shape::square(Vec3::ZERO, 1.0);
    bent.vertices[0].normal = [f32::NAN; 3];
    let mut scene = styled(Parts::default().with(bent, dielectric([1.0; 4])), Style::Shaded);
    scene.lights.key = Some(KeyLight { irradiance: [1.0; 3], ..key(Vec3::Z) });
    let image = render(&scene);
    assert!(image.colour.iter().any(|rgb| rgb[0].is_nan()));
}
