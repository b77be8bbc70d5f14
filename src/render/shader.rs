//! Put each pass's shader together from its file and what it shares.

const FRAME: &str = include_str!("../../shaders/shared/frame.wgsl");
const KEY_SHADOW: &str = include_str!("../../shaders/shared/key_shadow.wgsl");
const MATERIAL: &str = include_str!("../../shaders/shared/material.wgsl");
const LIGHT: &str = include_str!("../../shaders/shared/light.wgsl");

/// One pass's WGSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShaderSource {
    /// The pass, as its file is called.
    pub name: &'static str,
    /// What it shares, then the pass itself.
    pub parts: &'static [&'static str],
}

impl ShaderSource {
    /// The whole text.
    pub fn text(&self) -> String {
        self.parts.concat()
    }
}

/// Bodies.
pub(super) const SURFACE: ShaderSource = ShaderSource {
    name: "surface",
    parts: &[FRAME, KEY_SHADOW, MATERIAL, LIGHT, include_str!("../../shaders/surface.wgsl")],
};

/// The shadow map.
pub(super) const SHADOW: ShaderSource =
    ShaderSource { name: "shadow", parts: &[FRAME, MATERIAL, include_str!("../../shaders/shadow.wgsl")] };

/// The shadow catcher.
pub(super) const GROUND: ShaderSource =
    ShaderSource { name: "ground", parts: &[FRAME, KEY_SHADOW, include_str!("../../shaders/ground.wgsl")] };

/// Every pass.
pub const SHADERS: [ShaderSource; 3] = [SHADOW, SURFACE, GROUND];
