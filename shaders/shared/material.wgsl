// Shared: a glTF metallic-roughness material and its textures.

// Row vectors of an affine map of texture coordinates; `u.w` says which set it reads.
struct UvMap {
    u: vec4<f32>,
    v: vec4<f32>,
}

struct Material {
    base_colour: vec4<f32>,
    emissive: vec3<f32>,
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    base_colour_uv: UvMap,
    metallic_roughness_uv: UvMap,
    normal_uv: UvMap,
    occlusion_uv: UvMap,
    emissive_uv: UvMap,
}

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var base_colour_texture: texture_2d<f32>;
@group(2) @binding(2) var base_colour_sampler: sampler;
@group(2) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(4) var metallic_roughness_sampler: sampler;
@group(2) @binding(5) var normal_texture: texture_2d<f32>;
@group(2) @binding(6) var normal_sampler: sampler;
@group(2) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(8) var occlusion_sampler: sampler;
@group(2) @binding(9) var emissive_texture: texture_2d<f32>;
@group(2) @binding(10) var emissive_sampler: sampler;

// Which textures a pipeline reads at all; what is not read counts as white.
override has_base_colour_texture: bool = false;
override has_normal_texture: bool = false;
// Metallic-roughness, occlusion or emissive.
override has_more_textures: bool = false;

fn mapped_uv(map: UvMap, uv0: vec2<f32>, uv1: vec2<f32>) -> vec2<f32> {
    let uv = vec3<f32>(select(uv0, uv1, map.u.w > 0.5), 1.0);
    return vec2<f32>(dot(map.u.xyz, uv), dot(map.v.xyz, uv));
}

// Linear base colour and alpha.
fn base_colour_at(uv0: vec2<f32>, uv1: vec2<f32>, vertex_colour: vec4<f32>) -> vec4<f32> {
    var colour = material.base_colour * vertex_colour;
    if has_base_colour_texture {
        let uv = mapped_uv(material.base_colour_uv, uv0, uv1);
        colour *= textureSample(base_colour_texture, base_colour_sampler, uv);
    }
    return colour;
}
