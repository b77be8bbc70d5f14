//! What a cell may be told: every setting of a study file, all optional until the plan merges them.
//!
//! Two axes that set one key for one cell are an error, so merging never has to choose. Defaults are
//! in `plan`, in one place.

use indexmap::IndexMap;

use super::choice::{
    Background, Direction, FrameScope, FreeCamera, GroundChoice, LoadChoice, ModelFile, Projection, Region, Rgb8,
    StyleName,
};
use super::light::LightChoice;
use super::read::{Bounds, Reader, Value, one_or_more_texts};
use super::table::table;
use super::{choice, files, light};

table! {
    merging
    /// Settings of one axis value, or of the `[cell]` table that all cells start from.
    ///
    /// Angles are degrees here, as the study writes them; lengths are metres.
    pub struct Settings {
        /// The character: a model file, resolved against the study's folder, or `kit:...`.
        subject: ModelFile = files::read_model_file;
        /// Height to scale the subject to, metres.
        #[schemars(extend("exclusiveMinimum" = 0))]
        height_m: f32 = over_zero;
        /// Which way the file faces: `+x`, `-x`, `+y`, `-y`, `+z`, `-z`.
        forward: Direction = Reader::word;
        /// Which way is up in the file.
        up: Direction = Reader::word;
        /// Clip names of the study to clip names of the file.
        clips: IndexMap<String, String> = Reader::map_of_texts;
        /// Files whose clips the subject may use too; joints are matched by name.
        #[schemars(schema_with = "one_or_more_texts")]
        clip_files: Vec<ModelFile> = files::read_model_files;
        /// Role name to joint name; wins over what is found.
        roles: IndexMap<String, String> = Reader::map_of_texts;
        /// What counts as the head, where no head joint is known or another choice is meant.
        head: Region = choice::read_region;
        /// What counts as the face.
        face: Region = choice::read_region;
        /// What counts as the eyes.
        eyes: Region = choice::read_region;
        /// What the subject carries: a prop's file, or `none`.
        load: LoadChoice = files::read_load;
        /// Clip to pose by; `bind` is the bind pose, `rest` the nodes' rest pose.
        clip: String = Reader::text;
        /// Phase of the clip, 0 to 1.
        #[schemars(range(min = 0.0, max = 1.0))]
        at: f32 = phase;
        /// Whether the clip's travel is taken out.
        in_place: bool = Reader::flag;
        /// Degrees counter-clockwise seen from above, 0 = front, 90 = the camera at its left.
        azimuth: f32 = any_number;
        /// Degrees, up positive.
        #[schemars(range(min = -90.0, max = 90.0))]
        elevation: f32 = elevation;
        /// Perspective or orthographic.
        projection: Projection = Reader::word;
        /// Vertical field of view, degrees.
        #[schemars(range(max = 170.0), extend("exclusiveMinimum" = 0))]
        field_deg: f32 = field_of_view;
        /// Distance of the eye from the head joint, metres; replaces framing.
        #[schemars(extend("exclusiveMinimum" = 0))]
        distance_m: f32 = over_zero;
        /// Height of the screen that `distance_m` is meant for, pixels.
        #[schemars(range(min = 1, max = 65_536))]
        screen_px: u32 = screen_height;
        /// A camera placed by hand.
        camera: FreeCamera = choice::read_camera;
        /// What is framed together.
        frame: FrameScope = Reader::word;
        /// Pins the scale of a `row` or `sheet` frame.
        #[schemars(extend("exclusiveMinimum" = 0))]
        px_per_m: f32 = over_zero;
        /// Samples a pixel and side.
        #[schemars(range(min = 1, max = 8))]
        samples: u32 = samples;
        /// The light.
        light: LightChoice = light::read;
        /// How surfaces answer light.
        style: StyleName = Reader::word;
        /// Whether the shadow catcher is drawn.
        ground: GroundChoice = Reader::word;
        /// Linear grey or colour behind the cell, 0 to 1, or `#rrggbb` in sRGB.
        background: Background = choice::read_background;
        /// Level of detail, 0 the finest; the model's last where it has fewer.
        #[schemars(range(min = 0, max = 99))]
        lod: u32 = level;
        /// Meshes, materials or nodes that are not drawn.
        #[schemars(schema_with = "one_or_more_texts")]
        hide: Vec<String> = Reader::texts;
        /// Only these meshes, materials or nodes are drawn.
        #[schemars(schema_with = "one_or_more_texts")]
        show: Vec<String> = Reader::texts;
        /// Mesh, material or node name to a new base colour, `#rrggbb` sRGB; textures are kept and tinted.
        recolour: IndexMap<String, Rgb8> = choice::read_colours;
        /// Meshes, materials or nodes painted in one flat tone: the mean of their base colour.
        #[schemars(schema_with = "one_or_more_texts")]
        flatten: Vec<String> = Reader::texts;
    }
}

/// A number over zero.
fn over_zero(reader: &mut Reader, value: &Value) -> Option<f32> {
    reader.number(value, Bounds::over(0.0))
}

/// A number, not infinite.
fn any_number(reader: &mut Reader, value: &Value) -> Option<f32> {
    reader.number(value, Bounds::any())
}

/// A phase of a clip.
pub(super) fn phase(reader: &mut Reader, value: &Value) -> Option<f32> {
    if value.get_ref().is_array() {
        return reader.wrong_type(value, "one number from 0 to 1: a list of phases belongs in a value of an axis");
    }
    reader.number(value, Bounds::within(0.0, 1.0))
}

fn elevation(reader: &mut Reader, value: &Value) -> Option<f32> {
    reader.number(value, Bounds::within(-90.0, 90.0))
}

fn field_of_view(reader: &mut Reader, value: &Value) -> Option<f32> {
    reader.number(value, Bounds::over(0.0).to(170.0))
}

fn screen_height(reader: &mut Reader, value: &Value) -> Option<u32> {
    reader.count(value, 1, 65_536)
}

fn samples(reader: &mut Reader, value: &Value) -> Option<u32> {
    reader.count(value, 1, 8)
}

fn level(reader: &mut Reader, value: &Value) -> Option<u32> {
    reader.count(value, 0, 99)
}
