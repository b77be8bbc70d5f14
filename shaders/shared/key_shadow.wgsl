// Shared: how much of the key reaches a point, from the shadow map.

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;

// Share of the four texels about `uv` that lie nearer to the key than `depth`.
fn hidden_tap(uv: vec2<f32>, depth: f32) -> f32 {
    return 1.0 - textureSampleCompareLevel(shadow_map, shadow_sampler, uv, depth);
}

// Share of the key that reaches a point in stage space, 0 to 1: a tent of 4 x 4 texels made of four
// bilinear comparisons.
//
// Source: I. Castano, "Shadow Mapping Summary - Part 1", The Witness, 2013 (the 3 x 3 filter).
fn key_visibility(point_in_stage: vec3<f32>) -> f32 {
    let point_in_light = frame.light_from_stage * vec4<f32>(point_in_stage, 1.0);
    // Behind every caster is depth 1, where the map is clear.
    let depth = min(point_in_light.z, 1.0);
    let texel = (point_in_light.xy * vec2<f32>(0.5, -0.5) + 0.5) * frame.shadow_map_px;
    let corner = floor(texel + 0.5);
    let part = texel + 0.5 - corner;
    let weight_low = 3.0 - 2.0 * part;
    let weight_high = 1.0 + 2.0 * part;
    let low = (corner - 0.5 + (2.0 - part) / weight_low - 1.0) / frame.shadow_map_px;
    let high = (corner - 0.5 + part / weight_high + 1.0) / frame.shadow_map_px;
    // The weights add up to 16 only nearly, so they weigh what is hidden: in the open that is exactly 0.
    let hidden = weight_low.x * weight_low.y * hidden_tap(low, depth)
        + weight_high.x * weight_low.y * hidden_tap(vec2<f32>(high.x, low.y), depth)
        + weight_low.x * weight_high.y * hidden_tap(vec2<f32>(low.x, high.y), depth)
        + weight_high.x * weight_high.y * hidden_tap(high, depth);
    return max(1.0 - hidden / 16.0, 0.0);
}

// Moves a receiver off its own surface by what the filter needs on a plane that is tilted to the
// key: a filter of r texels finds depths off by r * tan(angle), and a step d along the normal gains
// d / cos(angle).
fn off_the_surface(point_in_stage: vec3<f32>, normal_in_stage: vec3<f32>) -> vec3<f32> {
    let cosine = dot(normal_in_stage, frame.to_key_in_stage);
    let sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    return point_in_stage + normal_in_stage * (frame.shadow_texel_m * (0.5 + 2.5 * sine));
}
