// Pass: bodies, opaque, cut out or blended.
//
// In: posed vertices in stage space, texture coordinates, linear vertex colour, an id a draw.
// Out: 0 scene-linear colour, premultiplied by alpha; 1 the id.

// How light is answered: 0 as the material says, 1 diffuse only, 2 base colour, 3 one dark tone.
override lighting: u32 = 0u;
// What alpha does: 0 nothing, 1 cuts out, 2 blends.
override alpha_rule: u32 = 0u;
override receives_shadow: bool = false;

// Scene-linear tone of an outline.
const OUTLINE_TONE: f32 = 0.02;
// Fainter than this is 0 in 8 bits, and counts as not there.
const LEAST_OPACITY: f32 = 0.00196;

struct Input {
    @location(0) position_in_stage: vec3<f32>,
    @location(1) normal_in_stage: vec3<f32>,
    @location(2) tangent_in_stage: vec4<f32>,
    @location(3) uv0: vec2<f32>,
    @location(4) uv1: vec2<f32>,
    @location(5) colour: vec4<f32>,
    @location(6) id: u32,
}

struct Between {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) position_in_stage: vec3<f32>,
    @location(1) normal_in_stage: vec3<f32>,
    @location(2) tangent_in_stage: vec4<f32>,
    @location(3) uv0: vec2<f32>,
    @location(4) uv1: vec2<f32>,
    @location(5) colour: vec4<f32>,
    @location(6) @interpolate(flat) id: u32,
}

struct Output {
    @location(0) colour: vec4<f32>,
    @location(1) id: u32,
}

@vertex
fn vertex(input: Input) -> Between {
    var out: Between;
    out.position_in_clip = frame.clip_from_stage * vec4<f32>(input.position_in_stage, 1.0);
    out.position_in_stage = input.position_in_stage;
    out.normal_in_stage = input.normal_in_stage;
    out.tangent_in_stage = input.tangent_in_stage;
    out.uv0 = input.uv0;
    out.uv1 = input.uv1;
    out.colour = input.colour;
    out.id = input.id;
    return out;
}

// The normal that is lit: bent by the normal texture, turned where the back is seen.
fn shading_normal(in: Between, facing: f32) -> vec3<f32> {
    let normal = in.normal_in_stage;
    if !has_normal_texture {
        return normalize(normal) * facing;
    }
    let uv = mapped_uv(material.normal_uv, in.uv0, in.uv1);
    let bend = (textureSample(normal_texture, normal_sampler, uv).xyz * 2.0 - 1.0)
        * vec3<f32>(material.normal_scale, material.normal_scale, 1.0);
    let bitangent = cross(normal, in.tangent_in_stage.xyz) * in.tangent_in_stage.w;
    return normalize(in.tangent_in_stage.xyz * bend.x + bitangent * bend.y + normal * bend.z) * facing;
}

fn radiance(in: Between, albedo: vec3<f32>, facing: f32) -> vec3<f32> {
    var lit = Lit(albedo, material.metallic, material.roughness, 1.0, shading_normal(in, facing), vec3<f32>(0.0));
    var emission = material.emissive;
    if has_more_textures {
        let rough_metal = textureSample(metallic_roughness_texture, metallic_roughness_sampler,
            mapped_uv(material.metallic_roughness_uv, in.uv0, in.uv1));
        lit.roughness *= rough_metal.g;
        lit.metallic *= rough_metal.b;
        let open = textureSample(occlusion_texture, occlusion_sampler,
            mapped_uv(material.occlusion_uv, in.uv0, in.uv1)).r;
        lit.openness = 1.0 + material.occlusion_strength * (open - 1.0);
        emission *= textureSample(emissive_texture, emissive_sampler,
            mapped_uv(material.emissive_uv, in.uv0, in.uv1)).rgb;
    }
    var key_visible = 1.0;
    if receives_shadow {
        let outward = normalize(in.normal_in_stage) * facing;
        key_visible = key_visibility(off_the_surface(in.position_in_stage, outward));
    }
    if lighting == 1u {
        return lambert(lit, key_visible);
    }
    lit.to_eye = normalize(frame.eye_in_stage - in.position_in_stage * frame.perspective);
    return shaded(lit, key_visible) + emission;
}

@fragment
fn fragment(in: Between, @builtin(front_facing) front: bool) -> Output {
    let base = base_colour_at(in.uv0, in.uv1, in.colour);
    var seen = base.rgb;
    if lighting == 3u {
        seen = vec3<f32>(OUTLINE_TONE);
    } else if lighting < 2u {
        seen = radiance(in, base.rgb, select(-1.0, 1.0, front));
    }
    var alpha = 1.0;
    if alpha_rule == 1u && base.a < material.alpha_cutoff {
        discard;
    }
    if alpha_rule == 2u {
        alpha = base.a;
        if alpha < LEAST_OPACITY {
            discard;
        }
    }
    return Output(vec4<f32>(seen * alpha, alpha), in.id);
}
