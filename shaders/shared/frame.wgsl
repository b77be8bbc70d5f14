// Shared: what holds for a whole cell, in every pass.
//
// Radiances here are those of a white diffuse surface: irradiance / pi.

struct Frame {
    clip_from_stage: mat4x4<f32>,
    // Light clip space: x, y -1 to 1 over the shadow map, z 0 nearest the key to 1.
    light_from_stage: mat4x4<f32>,
    // The eye where `perspective` is 1; the direction back to it where that is 0.
    eye_in_stage: vec3<f32>,
    perspective: f32,
    to_key_in_stage: vec3<f32>,
    shadow_texel_m: f32,
    // Of a white surface that faces the key.
    key_radiance: vec3<f32>,
    shadow_map_px: f32,
    // Of a white surface that faces up.
    sky_radiance: vec3<f32>,
    ground_radius_m: f32,
    // Of a white surface that faces down.
    bounce_radiance: vec3<f32>,
    // The key's share of the light on the ground, 0 to 1.
    ground_key_share: f32,
    ground_centre_in_stage: vec3<f32>,
    unused: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
