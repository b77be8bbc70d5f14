// Pass: the key's shadow map, depth only.
//
// In: posed vertices in stage space. Out: depth in light clip space; cut-outs leave holes.

struct Between {
    @builtin(position) position_in_light: vec4<f32>,
    @location(0) uv0: vec2<f32>,
    @location(1) uv1: vec2<f32>,
    @location(2) opacity: f32,
}

@vertex
fn vertex(@location(0) position_in_stage: vec3<f32>) -> @builtin(position) vec4<f32> {
    return frame.light_from_stage * vec4<f32>(position_in_stage, 1.0);
}

@vertex
fn cut_out_vertex(
    @location(0) position_in_stage: vec3<f32>,
    @location(3) uv0: vec2<f32>,
    @location(4) uv1: vec2<f32>,
    @location(5) colour: vec4<f32>,
) -> Between {
    let position_in_light = frame.light_from_stage * vec4<f32>(position_in_stage, 1.0);
    return Between(position_in_light, uv0, uv1, colour.a);
}

@fragment
fn cut_out_fragment(in: Between) {
    let base = base_colour_at(in.uv0, in.uv1, vec4<f32>(1.0, 1.0, 1.0, in.opacity));
    if base.a < material.alpha_cutoff {
        discard;
    }
}
