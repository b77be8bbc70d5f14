// Shared: how a surface answers the key, the sky and the bounce.
//
// All vectors are unit length, in stage space; all radiances are scene-linear.

// What is lit.
struct Lit {
    albedo: vec3<f32>,
    metallic: f32,
    // Perceptual.
    roughness: f32,
    // 1 where nothing hides the sky.
    openness: f32,
    normal: vec3<f32>,
    to_eye: vec3<f32>,
}

// Below this the highlight of a key without size outgrows half floats.
const LEAST_ALPHA: f32 = 0.01;

// Reflectance of a dielectric of index 1.5, seen straight on.
const DIELECTRIC: f32 = 0.04;

// Light on a diffuse white surface from the sky above and the bounce below, both even over their
// half of the sphere: a half sphere tilted by t fills (1 + cos t) / 2 of the cosine-weighted view.
fn ambient_radiance(normal: vec3<f32>) -> vec3<f32> {
    return mix(frame.bounce_radiance, frame.sky_radiance, 0.5 + 0.5 * normal.y);
}

// What a lobe about `direction` sees of the same surroundings. At roughness 1 the lobe is as wide as
// a diffuse surface's; towards 0 the horizon sharpens.
fn reflected_radiance(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    let width = mix(0.25, 1.0, roughness);
    let upper = clamp(0.5 + 0.5 * direction.y / width, 0.0, 1.0);
    return mix(frame.bounce_radiance, frame.sky_radiance, upper);
}

// Share of even surroundings that the specular lobe returns: x * f0 + y.
//
// Source: B. Karis, "Physically Based Shading on Mobile", Unreal Engine blog, 2014, after
// D. Lazarov, "Getting More Physical in Call of Duty: Black Ops II", SIGGRAPH courses, 2013.
fn specular_share(roughness: f32, cos_eye: f32) -> vec2<f32> {
    let r = roughness * vec4<f32>(-1.0, -0.0275, -0.572, 0.022) + vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    // The published fit returns up to 4 % too much where a smooth surface is seen edge on.
    let a = min(min(r.x * r.x, exp2(-9.28 * cos_eye)) * r.x + r.y, 1.0);
    return vec2<f32>(-1.04, 1.04) * a + r.zw;
}

// Diffuse only; a metal's base colour counts as its albedo.
fn lambert(lit: Lit, key_visible: f32) -> vec3<f32> {
    let key = frame.key_radiance * (max(dot(lit.normal, frame.to_key_in_stage), 0.0) * key_visible);
    return lit.albedo * (key + ambient_radiance(lit.normal) * lit.openness);
}

// The BRDF of glTF 2.0, appendix B, times pi, times the cosine to the key: GGX with Smith's
// height-correlated visibility, Schlick's Fresnel, and a diffuse part weighted by what is left.
fn key_response(lit: Lit, diffuse: vec3<f32>, f0: vec3<f32>) -> vec3<f32> {
    let to_key = frame.to_key_in_stage;
    let cos_key = max(dot(lit.normal, to_key), 0.0);
    let cos_eye = max(dot(lit.normal, lit.to_eye), 1e-4);
    let sum = lit.to_eye + to_key;
    let half_way = sum * inverseSqrt(max(dot(sum, sum), 1e-8));
    let cos_half = max(dot(lit.normal, half_way), 0.0);
    let miss = 1.0 - clamp(dot(lit.to_eye, half_way), 0.0, 1.0);
    let fresnel = f0 + (1.0 - f0) * (miss * miss * miss * miss * miss);
    let alpha = max(lit.roughness * lit.roughness, LEAST_ALPHA);
    let alpha2 = alpha * alpha;
    let spread = cos_half * cos_half * (alpha2 - 1.0) + 1.0;
    let distribution = alpha2 / (spread * spread);
    let masking = cos_key * sqrt(cos_eye * cos_eye * (1.0 - alpha2) + alpha2);
    let shadowing = cos_eye * sqrt(cos_key * cos_key * (1.0 - alpha2) + alpha2);
    let specular = fresnel * (distribution * 0.5 / (masking + shadowing));
    return ((1.0 - fresnel) * diffuse + specular) * cos_key;
}

// Radiance towards the eye, emission apart.
fn shaded(lit: Lit, key_visible: f32) -> vec3<f32> {
    let diffuse = lit.albedo * (1.0 - lit.metallic);
    let f0 = mix(vec3<f32>(DIELECTRIC), lit.albedo, lit.metallic);
    let key = key_response(lit, diffuse, f0) * frame.key_radiance * key_visible;
    let share = specular_share(lit.roughness, max(dot(lit.normal, lit.to_eye), 0.0));
    let mirrored = f0 * share.x + share.y;
    let reflection = reflect(-lit.to_eye, lit.normal);
    let ambient = (1.0 - mirrored) * diffuse * ambient_radiance(lit.normal)
        + mirrored * reflected_radiance(reflection, lit.roughness);
    return key + ambient * lit.openness;
}
