//! Spheres whose light is known in closed form or by integrating the written-out formula.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use posegrid::asset::Material;
use posegrid::render::CellImage;
use posegrid::stage::{Lights, Style};

use crate::scenes::{Parts, Shape, dielectric, key, render, scene, studio};

/// Mean and standard deviation of a quantity over the visible disc, each pixel weighted by coverage.
fn statistics(image: &CellImage) -> (f64, f64) {
    let weighted =
        || image.colour.iter().zip(&image.coverage).map(|(rgb, covered)| (f64::from(rgb[1]), f64::from(*covered)));
    let weight: f64 = weighted().map(|(_, weight)| weight).sum();
    let mean = weighted().map(|(value, weight)| value * weight).sum::<f64>() / weight;
    let variance = weighted().map(|(value, weight)| (value - mean).powi(2) * weight).sum::<f64>() / weight;
    (mean, variance.sqrt())
}

/// The same by integrating `radiance(normal)` over the disc that the eye on +Z sees.
fn integrated(radiance: impl Fn(DVec3) -> f64) -> (f64, f64) {
    let steps = 1500;
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for row in 0..steps {
        for column in 0..steps {
            let x = (f64::from(column) + 0.5) / f64::from(steps) * 2.0 - 1.0;
            let y = (f64::from(row) + 0.5) / f64::from(steps) * 2.0 - 1.0;
            let rest = 1.0 - x * x - y * y;
            if rest > 0.0 {
                let value = radiance(DVec3::new(x, y, rest.sqrt()));
                (count, sum, squares) = (count + 1.0, sum + value, squares + value * value);
            }
        }
    }
    let mean = sum / count;
    (mean, (squares / count - mean * mean).sqrt())
}

fn to_key(phase_rad: f64) -> DVec3 {
    DVec3::new(phase_rad.sin(), 0.0, phase_rad.cos())
}

/// A fine sphere of 512 pixels lit by a key of irradiance pi at a phase angle.
fn sphere(material: Material, style: Style, phase_rad: f64) -> CellImage {
    let body = Parts::default().with(Shape::sphere(Vec3::ZERO, 0.95, 192), material).body();
    let mut scene = scene(512, vec![body]);
    scene.samples = 4;
    scene.style = style;
    scene.lights.key = Some(key(to_key(phase_rad).as_vec3()));
    render(&scene)
}

fn within_a_percent(found: (f64, f64), wanted: (f64, f64), of: &str) {
    let near = |found: f64, wanted: f64| (found - wanted).abs() < 0.01 * wanted;
    assert!(near(found.0, wanted.0) && near(found.1, wanted.1), "{of}: mean, sd {found:?}, where {wanted:?} is right");
}

/// Mean (2/3)(sin a + (pi - a) cos a)/pi. At 0 the second moment of the cosine over the disc is 1/2, so
/// the variance 1/2 - 4/9 = 1/18; at 90 degrees the deviation is 0.282791.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_lambert_sphere_has_the_mean_and_spread_of_the_formula() {
    let mean = |phase: f64| 2.0 / 3.0 * (phase.sin() + (PI - phase) * phase.cos()) / PI;
    let drawn = |phase| statistics(&sphere(dielectric([1.0; 4]), Style::Lambert, phase));
    within_a_percent(drawn(0.0), (2.0 / 3.0, 0.235_702), "phase 0");
    within_a_percent(drawn(PI / 2.0), (0.212_207, 0.282_791), "phase 90");
    let phase = PI / 3.0;
    let (by_sum, spread) = integrated(|normal| normal.dot(to_key(phase)).max(0.0));
    assert!((by_sum - mean(phase)).abs() < 1e-4, "{by_sum} {}", mean(phase));
    within_a_percent(drawn(phase), (mean(phase), spread), "phase 60");
}

/// The BRDF of glTF 2.0, appendix B, with Smith's masking in its own form: 1 / (1 + L(v) + L(l)),
/// L = (sqrt(1 + alpha^2 tan^2) - 1) / 2. Radiance under a key of irradiance pi, seen from +Z.
fn appendix_b(normal: DVec3, to_key: DVec3, base: f64, metallic: f64, roughness: f64) -> f64 {
    let (cos_key, cos_eye) = (normal.dot(to_key), normal.z);
    if cos_key <= 0.0 || cos_eye <= 0.0 {
        return 0.0;
    }
    let half_way = (to_key + DVec3::Z).normalize_or(DVec3::Z);
    let alpha = roughness * roughness;
    let tan2 = |cosine: f64| 1.0 / (cosine * cosine) - 1.0;
    let lambda = |cosine: f64| ((1.0 + alpha * alpha * tan2(cosine)).sqrt() - 1.0) / 2.0;
    let cos_half = normal.dot(half_way);
    let spread = 1.0 + tan2(cos_half) / (alpha * alpha);
    let distribution = 1.0 / (PI * alpha * alpha * cos_half.powi(4) * spread * spread);
    let masking = 1.0 / (1.0 + lambda(cos_eye) + lambda(cos_key));
    let schlick = (1.0 - half_way.z).powi(5);
    let lobe = distribution * masking / (4.0 * cos_key * cos_eye);
    let dielectric_f = 0.04 + 0.96 * schlick;
    let dielectric = (1.0 - dielectric_f) * base / PI + dielectric_f * lobe;
    let metal = (base + (1.0 - base) * schlick) * lobe;
    PI * cos_key * (dielectric * (1.0 - metallic) + metal * metallic)
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_dielectric_sphere_answers_as_the_gltf_brdf_does() {
    for phase in [0.0, PI / 4.0, 2.0] {
        let material = Material { roughness: 0.5, ..dielectric([0.5, 0.5, 0.5, 1.0]) };
        let drawn = statistics(&sphere(material, Style::Shaded, phase));
        let wanted = integrated(|normal| appendix_b(normal, to_key(phase), 0.5, 0.0, 0.5));
        within_a_percent(drawn, wanted, &format!("phase {phase}"));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_metal_sphere_answers_as_the_gltf_brdf_does() {
    let base_colour = [0.7, 0.7, 0.7, 1.0];
    let material = Material { base_colour, metallic: 1.0, roughness: 0.6, ..Material::default() };
    let drawn = statistics(&sphere(material, Style::Shaded, PI / 4.0));
    within_a_percent(drawn, integrated(|normal| appendix_b(normal, to_key(PI / 4.0), 0.7, 1.0, 0.6)), "metal");
}

/// The whole range of a covered pixel's green.
fn range(image: &CellImage) -> (f32, f32) {
    let covered = image.colour.iter().zip(&image.coverage).filter(|(_, covered)| **covered > 0);
    covered.fold((f32::MAX, f32::MIN), |(low, high), (rgb, _)| (low.min(rgb[1]), high.max(rgb[1])))
}

fn in_even_light(material: Material) -> (f32, f32) {
    let body = Parts::default().with(Shape::sphere(Vec3::ZERO, 0.9, 48), material).body();
    let mut scene = scene(128, vec![body]);
    let all_round = [std::f32::consts::PI; 3];
    scene.lights = Lights { key: None, sky: all_round, bounce: all_round };
    range(&render(&scene))
}

/// Surroundings of radiance 1: what is not reflected by the coat is reflected below it.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_white_dielectric_vanishes_in_even_light() {
    for roughness in [0.0, 0.5, 1.0] {
        let (low, high) = in_even_light(Material { roughness, ..dielectric([1.0; 4]) });
        assert!(low > 0.999 && high < 1.001, "roughness {roughness}: {low} to {high}");
    }
}

/// A smooth metal returns its base colour straight on and at most everything at the rim; a rough one
/// loses what bounces twice, but never half.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_metal_in_even_light_gives_back_no_more_than_it_gets() {
    for roughness in [0.0, 0.3, 0.7, 1.0] {
        let (low, high) = in_even_light(Material { roughness, ..Material::default() });
        assert!(low > 0.44 && high < 1.001, "roughness {roughness}: {low} to {high}");
    }
    let smooth = Material { base_colour: [0.5, 0.5, 0.5, 1.0], roughness: 0.0, ..Material::default() };
    let (low, high) = in_even_light(smooth);
    assert!((0.49..0.51).contains(&low) && (0.9..1.001).contains(&high), "{low} to {high}");
}

/// Without surroundings to mirror, most of a metal is black.
#[test]
#[cfg_attr(no_gpu, ignore = "needs an adapter")]
fn a_metal_in_studio_light_is_lit_all_over() {
    let metal = Material { base_colour: [0.9, 0.9, 0.9, 1.0], roughness: 0.3, ..Material::default() };
    let mut scene = scene(128, vec![Parts::default().with(Shape::sphere(Vec3::ZERO, 0.9, 48), metal).body()]);
    scene.lights = studio();
    let (low, high) = range(&render(&scene));
    assert!(low > 0.07 && high > 0.5, "{low} to {high}");
    scene.lights.sky = [0.0; 3];
    scene.lights.bounce = [0.0; 3];
    assert!(range(&render(&scene)).0 < 0.001);
}
