// Pass: the shadow catcher, drawn where the key's shadow can fall.
//
// In: corners on the ground in stage space. Out: 2 the share of the ground's light that is missing,
// 0 to 1, fading out towards the rim of the disc.

struct Between {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) position_in_stage: vec3<f32>,
}

@vertex
fn vertex(@location(0) position_in_stage: vec3<f32>) -> Between {
    return Between(frame.clip_from_stage * vec4<f32>(position_in_stage, 1.0), position_in_stage);
}

@fragment
fn fragment(in: Between) -> @location(2) vec4<f32> {
    let reach = distance(in.position_in_stage, frame.ground_centre_in_stage) / frame.ground_radius_m;
    let fade = 1.0 - smoothstep(0.6, 1.0, reach);
    let hidden = 1.0 - key_visibility(in.position_in_stage);
    return vec4<f32>(hidden * frame.ground_key_share * fade, 0.0, 0.0, 0.0);
}
