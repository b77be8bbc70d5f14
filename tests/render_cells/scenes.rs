//! Scenes worked out by hand, and one renderer for all tests.

use std::f32::consts::{PI, TAU};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use glam::{Vec3, camera};
use posegrid::asset::{Image, Material, Sampler, TextureRef};
use posegrid::base::{Digest, ImageIndex};
use posegrid::render::{AdapterChoice, CellImage, Renderer};
use posegrid::stage::{
    BlendRun, Body, Camera, Display, Draw, Ground, KeyLight, Lights, Mask, MaskSet, Scene, StaticVertex, Style,
    Surface, Vertex,
};

static RENDERER: LazyLock<Mutex<Renderer>> = LazyLock::new(|| Mutex::new(fresh_renderer()));

/// A renderer of its own; panics with the fix where the machine has no adapter.
pub(crate) fn fresh_renderer() -> Renderer {
    Renderer::new(&AdapterChoice::Software)
        .unwrap_or_else(|error| panic!("{error}; {}", error.hint().unwrap_or_default()))
}

/// Draws with the renderer that all tests share.
pub(crate) fn render(scene: &Scene) -> CellImage {
    RENDERER.lock().unwrap_or_else(PoisonError::into_inner).render(scene).unwrap_or_else(|error| panic!("{error}"))
}

/// Vertices and triangles without a material.
#[derive(Default, Clone)]
pub(crate) struct Shape {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) statics: Vec<StaticVertex>,
    pub(crate) indices: Vec<u32>,
}

impl Shape {
    fn push(&mut self, position: Vec3, normal: Vec3, tangent: Vec3, uv: [f32; 2]) {
        self.vertices.push(Vertex {
            position: position.to_array(),
            normal: normal.to_array(),
            tangent: tangent.extend(1.0).to_array(),
        });
        self.statics.push(StaticVertex { uv0: uv, uv1: [0.0; 2], colour: [1.0; 4] });
    }

    /// A sphere about `centre`, smooth, with rings and twice as many segments.
    pub(crate) fn sphere(centre: Vec3, radius: f32, rings: u32) -> Self {
        let mut shape = Self::default();
        let segments = rings * 2;
        for ring in 0..=rings {
            let (high, wide) = (PI * ring as f32 / rings as f32).sin_cos();
            let (level, reach) = (wide, high);
            for segment in 0..=segments {
                let (sine, cosine) = (TAU * segment as f32 / segments as f32).sin_cos();
                let normal = Vec3::new(reach * sine, level, reach * cosine);
                let uv = [segment as f32 / segments as f32, ring as f32 / rings as f32];
                shape.push(centre + normal * radius, normal, Vec3::new(cosine, 0.0, -sine), uv);
            }
        }
        for ring in 0..rings {
            for segment in 0..segments {
                let at = ring * (segments + 1) + segment;
                let below = at + segments + 1;
                shape.indices.extend([at, below, at + 1, at + 1, below, below + 1]);
            }
        }
        shape
    }

    /// A square of side 2 about `centre`, facing +Z; u to the right, v down from the top left.
    pub(crate) fn square(centre: Vec3, half: f32) -> Self {
        let mut shape = Self::default();
        for (x, y, uv) in
            [(-1.0, 1.0, [0.0, 0.0]), (1.0, 1.0, [1.0, 0.0]), (1.0, -1.0, [1.0, 1.0]), (-1.0, -1.0, [0.0, 1.0])]
        {
            shape.push(centre + Vec3::new(x, y, 0.0) * half, Vec3::Z, Vec3::X, uv);
        }
        shape.indices = vec![0, 3, 1, 1, 3, 2];
        shape
    }

    /// The same with every triangle wound the other way.
    pub(crate) fn rewound(mut self) -> Self {
        for triangle in self.indices.as_chunks_mut::<3>().0 {
            triangle.swap(1, 2);
        }
        self
    }

    /// The same with one colour at every vertex.
    pub(crate) fn coloured(mut self, colour: [f32; 4]) -> Self {
        for vertex in &mut self.statics {
            vertex.colour = colour;
        }
        self
    }
}

/// A body put together from shapes.
#[derive(Default)]
pub(crate) struct Parts {
    shape: Shape,
    draws: Vec<Draw>,
    materials: Vec<Material>,
    images: Vec<Arc<Image>>,
}

/// Masks of a worker without a head.
pub(crate) fn worker() -> MaskSet {
    MaskSet::default().with(Mask::Subject).with(Mask::Worker)
}

impl Parts {
    pub(crate) fn with(mut self, shape: Shape, material: Material) -> Self {
        self.add(shape, material, worker());
        self
    }

    pub(crate) fn add(&mut self, shape: Shape, material: Material, masks: MaskSet) {
        let first = self.shape.vertices.len() as u32;
        let from = self.shape.indices.len() as u32;
        self.shape.indices.extend(shape.indices.iter().map(|index| index + first));
        self.shape.vertices.extend(shape.vertices);
        self.shape.statics.extend(shape.statics);
        let to = self.shape.indices.len() as u32;
        let (part, material_at) = (self.draws.len() as u32, self.materials.len());
        self.draws.push(Draw { indices: from..to, material: material_at, masks, part, mirrored: false });
        self.materials.push(material);
    }

    /// Adds an image of 8-bit texels.
    pub(crate) fn image(mut self, width: u32, texels: &[[u8; 4]]) -> Self {
        let rgba = texels.concat();
        let height = texels.len() as u32 / width;
        let digest = Digest::of_parts([&width.to_le_bytes()[..], &rgba]);
        self.images.push(Arc::new(Image { name: "test".to_owned(), digest, width, height, rgba }));
        self
    }

    pub(crate) fn mirrored(mut self) -> Self {
        for draw in &mut self.draws {
            draw.mirrored = true;
        }
        self
    }

    pub(crate) fn body(self) -> Body {
        let words = format!("{:?} {:?}", self.draws, self.materials);
        let images: Vec<u8> = self.images.iter().flat_map(|image| image.digest.0).collect();
        let digest = Digest::of_parts([
            words.as_bytes(),
            bytemuck::cast_slice(&self.shape.statics),
            bytemuck::cast_slice(&self.shape.indices),
            &images,
        ]);
        let surface = Surface {
            digest,
            statics: self.shape.statics,
            indices: self.shape.indices,
            draws: self.draws,
            materials: self.materials,
            images: self.images,
        };
        Body { surface: Arc::new(surface), vertices: self.shape.vertices }
    }
}

/// A rough dielectric.
pub(crate) fn dielectric(base_colour: [f32; 4]) -> Material {
    Material { base_colour, metallic: 0.0, roughness: 1.0, ..Material::default() }
}

/// Reads the first image, texel by texel.
pub(crate) fn texture() -> TextureRef {
    let nearest = Sampler { linear_magnify: false, linear_minify: false, ..Sampler::default() };
    TextureRef {
        image: Some(ImageIndex(0)),
        sampler: nearest,
        uv_set: 0,
        uv_offset: glam::Vec2::ZERO,
        uv_rotation_rad: 0.0,
        uv_scale: glam::Vec2::ONE,
    }
}

/// Looks along -Z at the origin; the cell's height is two metres.
pub(crate) fn front_camera() -> Camera {
    orthographic_camera(Vec3::ZERO, Vec3::Z, 1.0, 1.0)
}

/// Looks at `centre` from `back`; `half_m` from the centre to the upper edge.
pub(crate) fn orthographic_camera(centre: Vec3, back: Vec3, half_m: f32, aspect: f32) -> Camera {
    let back = back.normalize_or(Vec3::Z);
    let eye = centre + back * 10.0;
    let wide = half_m * aspect;
    Camera {
        view_from_stage: camera::rh::view::look_to_mat4(eye, -back, Vec3::Y),
        clip_from_view: camera::rh::proj::directx::orthographic(-wide, wide, -half_m, half_m, 0.1, 20.0),
        eye_in_stage: eye,
        back_in_stage: back,
        orthographic: true,
        px_per_m: 1.0,
    }
}

/// Looks at `centre` from `distance_m` along `back`.
pub(crate) fn perspective_camera(centre: Vec3, back: Vec3, distance_m: f32, field_rad: f32) -> Camera {
    let back = back.normalize_or(Vec3::Z);
    let eye = centre + back * distance_m;
    Camera {
        view_from_stage: camera::rh::view::look_to_mat4(eye, -back, Vec3::Y),
        clip_from_view: camera::rh::proj::directx::perspective(field_rad, 1.0, 0.1, 100.0),
        eye_in_stage: eye,
        back_in_stage: back,
        orthographic: false,
        px_per_m: 1.0,
    }
}

/// A key of irradiance pi, without shadow: it takes a white diffuse surface that faces it to 1.
pub(crate) fn key(to_light: Vec3) -> KeyLight {
    KeyLight { to_light_in_stage: to_light.normalize_or(Vec3::Z), irradiance: [PI; 3], casts_shadow: false }
}

/// The key alone, from the eye's side.
pub(crate) fn head_on() -> Lights {
    Lights { key: Some(key(Vec3::Z)), sky: [0.0; 3], bounce: [0.0; 3] }
}

/// Studio light for a camera that looks along -Z, with shadow.
pub(crate) fn studio() -> Lights {
    Lights {
        key: Some(KeyLight { irradiance: [0.75 * PI; 3], casts_shadow: true, ..key(Vec3::new(-0.5, 0.6, 1.0)) }),
        sky: [0.25 * PI; 3],
        bounce: [0.10 * PI; 3],
    }
}

/// A square cell of bodies, head-on light, two samples a side, no ground.
pub(crate) fn scene(size_px: u32, bodies: Vec<Body>) -> Scene {
    Scene {
        name: "test".to_owned(),
        width_px: size_px,
        height_px: size_px,
        samples: 2,
        bodies,
        blended: Vec::new(),
        camera: front_camera(),
        lights: head_on(),
        style: Style::Shaded,
        ground: None,
        display: Display::default(),
    }
}

/// One run of a whole draw of the first body, as its surface has it.
pub(crate) fn whole_draw(body: &Body, draw: usize) -> BlendRun {
    let range = body.surface.draws[draw].indices.clone();
    BlendRun { body: 0, draw, indices: body.surface.indices[range.start as usize..range.end as usize].to_vec() }
}

/// The disc at the origin.
pub(crate) fn ground(radius_m: f32) -> Ground {
    Ground { centre_in_stage: Vec3::ZERO, radius_m }
}

/// The pixel at a column and row.
pub(crate) fn at(image: &CellImage, column: u32, row: u32) -> usize {
    (row * image.width_px + column) as usize
}

/// Whether two cells are the same, byte for byte; says where not, in few words.
#[track_caller]
pub(crate) fn assert_same(one: &CellImage, other: &CellImage, what: &str) {
    if one != other {
        let differing: Vec<usize> =
            (0..one.colour.len()).filter(|pixel| one.colour[*pixel] != other.colour[*pixel]).collect();
        let first = differing.first().map(|pixel| (pixel, one.colour[*pixel], other.colour[*pixel]));
        panic!("{what}: the cells differ, {} pixels in colour, first {first:?}", differing.len());
    }
}
