//! Build pipelines, each when a scene first needs it: a driver compiles a variant in 50 to 100 ms.

use std::collections::HashMap;

use crate::stage::Style;

use super::layout::{self, COLOUR_FORMAT, DEPTH_FORMAT, GROUND_FORMAT, ID_FORMAT, Layouts};
use super::material::{AlphaRule, Traits};
use super::shader;

/// How a pipeline answers light, as the surface shader counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lighting {
    Shaded = 0,
    Lambert = 1,
    Flat = 2,
    Outline = 3,
}

/// A variant of the surface pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SurfaceKey {
    pub(super) lighting: Lighting,
    pub(super) alpha: AlphaRule,
    pub(super) base_colour_texture: bool,
    pub(super) normal_texture: bool,
    pub(super) more_textures: bool,
    pub(super) shadow: bool,
    pub(super) two_sided: bool,
    pub(super) mirrored: bool,
}

impl SurfaceKey {
    /// The variant for a material in a style; what the style does not read is left out, so that
    /// materials which look alike in it share a pipeline.
    pub(super) fn new(traits: Traits, style: Style, shadow: bool, mirrored: bool) -> Self {
        let lighting = match style {
            Style::Outline => Lighting::Outline,
            Style::Flat => Lighting::Flat,
            Style::Shaded | Style::Lambert if traits.unlit => Lighting::Flat,
            Style::Lambert => Lighting::Lambert,
            Style::Shaded => Lighting::Shaded,
        };
        let lit = matches!(lighting, Lighting::Shaded | Lighting::Lambert);
        let reads_base = lighting != Lighting::Outline || traits.alpha != AlphaRule::Opaque;
        Self {
            lighting,
            alpha: traits.alpha,
            base_colour_texture: traits.base_colour_texture && reads_base,
            normal_texture: traits.normal_texture && lit,
            more_textures: traits.more_textures && lit,
            shadow: shadow && lit,
            two_sided: traits.two_sided,
            mirrored,
        }
    }

    fn constants(self) -> [(&'static str, f64); 6] {
        let flag = |value: bool| f64::from(u8::from(value));
        [
            ("lighting", f64::from(self.lighting as u8)),
            ("alpha_rule", f64::from(self.alpha as u8)),
            ("has_base_colour_texture", flag(self.base_colour_texture)),
            ("has_normal_texture", flag(self.normal_texture)),
            ("has_more_textures", flag(self.more_textures)),
            ("receives_shadow", flag(self.shadow)),
        ]
    }
}

/// A variant of the shadow pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ShadowKey {
    /// Whether alpha leaves holes.
    pub(super) cut_out: bool,
    pub(super) base_colour_texture: bool,
    pub(super) two_sided: bool,
    pub(super) mirrored: bool,
}

impl ShadowKey {
    pub(super) fn new(traits: Traits, mirrored: bool) -> Self {
        let cut_out = traits.alpha != AlphaRule::Opaque;
        Self {
            cut_out,
            base_colour_texture: cut_out && traits.base_colour_texture,
            two_sided: traits.two_sided,
            mirrored,
        }
    }
}

/// The pipelines built so far.
pub(super) struct Pipelines {
    surface_module: wgpu::ShaderModule,
    shadow_module: wgpu::ShaderModule,
    surface_layout: wgpu::PipelineLayout,
    shadow_layout: wgpu::PipelineLayout,
    ground_layout: wgpu::PipelineLayout,
    surfaces: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    shadows: HashMap<ShadowKey, wgpu::RenderPipeline>,
    ground: Option<wgpu::RenderPipeline>,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let Layouts { frame, shadow, material } = layouts;
        Self {
            surface_module: module(device, &shader::SURFACE),
            shadow_module: module(device, &shader::SHADOW),
            surface_layout: layout("surface", &[Some(frame), Some(shadow), Some(material)]),
            shadow_layout: layout("shadow", &[Some(frame), None, Some(material)]),
            ground_layout: layout("ground", &[Some(frame), Some(shadow)]),
            surfaces: HashMap::new(),
            shadows: HashMap::new(),
            ground: None,
        }
    }

    /// Builds the variants that are missing.
    pub(super) fn build(
        &mut self,
        device: &wgpu::Device,
        surfaces: impl Iterator<Item = SurfaceKey>,
        shadows: impl Iterator<Item = ShadowKey>,
        ground: bool,
    ) {
        for key in surfaces {
            let (module, layout) = (&self.surface_module, &self.surface_layout);
            self.surfaces.entry(key).or_insert_with(|| surface(device, module, layout, key));
        }
        for key in shadows {
            let (module, layout) = (&self.shadow_module, &self.shadow_layout);
            self.shadows.entry(key).or_insert_with(|| shadow(device, module, layout, key));
        }
        if ground && self.ground.is_none() {
            self.ground = Some(self::ground(device, &module(device, &shader::GROUND), &self.ground_layout));
        }
    }

    pub(super) fn surface(&self, key: SurfaceKey) -> Option<&wgpu::RenderPipeline> {
        self.surfaces.get(&key)
    }

    pub(super) fn shadow(&self, key: ShadowKey) -> Option<&wgpu::RenderPipeline> {
        self.shadows.get(&key)
    }

    pub(super) fn ground(&self) -> Option<&wgpu::RenderPipeline> {
        self.ground.as_ref()
    }
}

fn module(device: &wgpu::Device, source: &shader::ShaderSource) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(source.name),
        source: wgpu::ShaderSource::Wgsl(source.text().into()),
    })
}

fn options<'a>(constants: &'a [(&'a str, f64)]) -> wgpu::PipelineCompilationOptions<'a> {
    wgpu::PipelineCompilationOptions { constants, ..Default::default() }
}

fn depth(write: bool, bias: wgpu::DepthBiasState) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        // Of two surfaces in one place the later one is seen, as a decal should be.
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: wgpu::StencilState::default(),
        bias,
    }
}

/// Which sides of a triangle are drawn, and which way round its front is.
fn sides(two_sided: bool, mirrored: bool) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        front_face: if mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
        cull_mode: (!two_sided).then_some(wgpu::Face::Back),
        ..Default::default()
    }
}

/// An attachment that the pass leaves as it is.
fn untouched(format: wgpu::TextureFormat) -> Option<wgpu::ColorTargetState> {
    Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::empty() })
}

fn written(format: wgpu::TextureFormat, blend: Option<wgpu::BlendState>) -> Option<wgpu::ColorTargetState> {
    Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
}

fn surface(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    key: SurfaceKey,
) -> wgpu::RenderPipeline {
    let constants = key.constants();
    let blends = key.alpha == AlphaRule::Blend;
    let blend = blends.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("surface"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vertex"),
            compilation_options: options(&constants),
            buffers: &layout::vertex_buffers(),
        },
        primitive: sides(key.two_sided, key.mirrored),
        depth_stencil: Some(depth(!blends, wgpu::DepthBiasState::default())),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("fragment"),
            compilation_options: options(&constants),
            targets: &[written(COLOUR_FORMAT, blend), written(ID_FORMAT, None), untouched(GROUND_FORMAT)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn shadow(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    key: ShadowKey,
) -> wgpu::RenderPipeline {
    let constants = [("has_base_colour_texture", f64::from(u8::from(key.base_colour_texture)))];
    let buffers = layout::vertex_buffers();
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("shadow"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(if key.cut_out { "cut_out_vertex" } else { "vertex" }),
            compilation_options: options(&constants),
            buffers: &buffers[..if key.cut_out { 2 } else { 1 }],
        },
        // What the key could not see throws no shadow.
        primitive: sides(key.two_sided, key.mirrored),
        depth_stencil: Some(depth(true, wgpu::DepthBiasState::default())),
        multisample: wgpu::MultisampleState::default(),
        fragment: key.cut_out.then(|| wgpu::FragmentState {
            module,
            entry_point: Some("cut_out_fragment"),
            compilation_options: options(&constants),
            targets: &[],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn ground(device: &wgpu::Device, module: &wgpu::ShaderModule, layout: &wgpu::PipelineLayout) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("ground"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vertex"),
            compilation_options: options(&[]),
            buffers: &layout::vertex_buffers()[..1],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(depth(false, wgpu::DepthBiasState::default())),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("fragment"),
            compilation_options: options(&[]),
            targets: &[untouched(COLOUR_FORMAT), untouched(ID_FORMAT), written(GROUND_FORMAT, None)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Material;
    use crate::render::material;

    #[test]
    fn materials_that_look_alike_in_a_style_share_a_pipeline() {
        let rich = Traits { base_colour_texture: true, normal_texture: true, more_textures: true, ..plain() };
        let key = |traits, style| SurfaceKey::new(traits, style, true, false);
        assert_eq!(key(rich, Style::Outline), key(plain(), Style::Outline));
        assert_ne!(key(rich, Style::Flat), key(plain(), Style::Flat));
        assert_ne!(key(rich, Style::Shaded), key(plain(), Style::Shaded));
    }

    #[test]
    fn an_unlit_material_answers_no_light_in_any_lit_style() {
        let unlit = Traits { unlit: true, ..plain() };
        for style in [Style::Shaded, Style::Lambert, Style::Flat] {
            assert_eq!(SurfaceKey::new(unlit, style, true, false).lighting, Lighting::Flat);
        }
        assert_eq!(SurfaceKey::new(unlit, Style::Outline, true, false).lighting, Lighting::Outline);
    }

    fn plain() -> Traits {
        material::traits(&Material::default())
    }
}
