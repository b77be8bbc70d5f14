//! The values that settings may have, and how each is written.

use std::path::PathBuf;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::read::{Bounds, Reader, Value, one_or_more_texts};
use super::table::{table, words};
use crate::base::colour;

/// A model file as a study names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelFile {
    /// As written, for messages and tables.
    pub written: String,
    /// Where it is: resolved against the study's folder; a `kit:` name under the kit's folder.
    pub path: PathBuf,
    /// Whether the kit has to be built first.
    pub from_kit: bool,
}

/// Part of a model, by the names that its file has; `*` matches any run of characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Region {
    /// Everything that is drawn.
    All,
    /// What hangs under these nodes, skinned vertices by their joints' weight.
    Nodes(#[schemars(schema_with = "one_or_more_texts")] Vec<String>),
    /// What has these materials.
    Materials(#[schemars(schema_with = "one_or_more_texts")] Vec<String>),
}

/// What the subject carries.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadChoice {
    /// Nothing.
    None,
    /// This prop.
    Prop(ModelFile),
}

/// A camera placed by hand, in stage space.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FreeCamera {
    /// Where it is, metres.
    pub eye: [f32; 3],
    /// What it looks at, metres.
    pub target: [f32; 3],
}

/// What is behind a cell, linear, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background(pub [f32; 3]);

/// An 8-bit sRGB colour, written `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rgb8(pub [u8; 3]);

words! {
    /// An axis of a file, with its sign.
    pub enum Direction {
        /// +X
        PlusX = "+x",
        /// -X
        MinusX = "-x",
        /// +Y
        PlusY = "+y",
        /// -Y
        MinusY = "-y",
        /// +Z
        PlusZ = "+z",
        /// -Z
        MinusZ = "-z",
    }
}

words! {
    /// How depth becomes size.
    pub enum Projection {
        /// Far is small.
        Perspective = "perspective",
        /// All rays are parallel.
        Orthographic = "orthographic",
    }
}

words! {
    /// Which cells share one frame.
    pub enum FrameScope {
        /// A subject over all its poses and loads.
        Subject = "subject",
        /// All cells of a sheet row.
        Row = "row",
        /// All cells of the study.
        Sheet = "sheet",
        /// Each cell alone.
        Cell = "cell",
    }
}

words! {
    /// How surfaces answer light.
    pub enum StyleName {
        /// As the material says.
        Shaded = "shaded",
        /// Diffuse only.
        Lambert = "lambert",
        /// Albedo, unlit.
        Flat = "flat",
        /// The silhouette alone.
        Outline = "outline",
    }
}

words! {
    /// The shadow catcher.
    pub enum GroundChoice {
        /// A disc that is black where shadow falls.
        Shadow = "shadow",
        /// Nothing.
        None = "none",
    }
}

table! {
    /// A region by names, as written.
    pub(super) struct RegionText {
        #[schemars(schema_with = "one_or_more_texts")]
        nodes: Vec<String> = Reader::texts;
        #[schemars(schema_with = "one_or_more_texts")]
        materials: Vec<String> = Reader::texts;
    }
}

table! {
    /// A camera placed by hand, as written.
    pub(super) struct CameraText {
        eye: [f32; 3] = point;
        target: [f32; 3] = point;
    }
}

fn point(reader: &mut Reader, value: &Value) -> Option<[f32; 3]> {
    reader.triple(value, Bounds::any())
}

/// `"all"`, `{ nodes = [..] }` or `{ materials = [..] }`.
pub(super) fn read_region(reader: &mut Reader, value: &Value) -> Option<Region> {
    const EXPECTED: &str = "\"all\", { nodes = [..] } or { materials = [..] }";
    if let Some(word) = value.get_ref().as_str() {
        return if word == "all" {
            Some(Region::All)
        } else {
            reader.wrong(value.span(), format!("no region named {word:?}"), format!("expected {EXPECTED}"), None);
            None
        };
    }
    let table = reader.table(value, EXPECTED)?;
    let mut text = RegionText::default();
    reader.keys(table, RegionText::KEYS, "a region", |reader, key, value| text.read_key(reader, key, value));
    match (text.nodes, text.materials) {
        (Some(nodes), None) => Some(Region::Nodes(nodes)),
        (None, Some(materials)) => Some(Region::Materials(materials)),
        (Some(_), Some(_)) => {
            reader.wrong(value.span(), "a region is nodes or materials, not both", "both are given", None);
            None
        }
        (None, None) => {
            reader.incomplete(value, format!("expected {EXPECTED}"));
            None
        }
    }
}

/// `{ eye = [x, y, z], target = [x, y, z] }`.
pub(super) fn read_camera(reader: &mut Reader, value: &Value) -> Option<FreeCamera> {
    let table = reader.table(value, "{ eye = [x, y, z], target = [x, y, z] }")?;
    let mut text = CameraText::default();
    reader.keys(table, CameraText::KEYS, "a camera", |reader, key, value| text.read_key(reader, key, value));
    let (Some(eye), Some(target)) = (text.eye, text.target) else {
        reader.incomplete(value, "a camera needs both eye and target");
        return None;
    };
    if eye == target {
        reader.wrong(value.span(), "the camera is where it looks", "eye and target are one point", None);
        return None;
    }
    Some(FreeCamera { eye, target })
}

/// A linear grey, a linear `[r, g, b]` or an sRGB `"#rrggbb"`.
pub(super) fn read_background(reader: &mut Reader, value: &Value) -> Option<Background> {
    let share = Bounds::within(0.0, 1.0);
    let linear = match value.get_ref() {
        inner if inner.is_str() => {
            read_colour(reader, value)?.0.map(|code| colour::LINEAR_FROM_SRGB8[usize::from(code)])
        }
        inner if inner.is_array() => reader.triple(value, share)?,
        inner if inner.is_integer() || inner.is_float() => [reader.number(value, share)?; 3],
        _ => return reader.wrong_type(value, "a linear grey, [r, g, b] or \"#rrggbb\""),
    };
    Some(Background(linear))
}

/// Names to `"#rrggbb"`.
pub(super) fn read_colours(reader: &mut Reader, value: &Value) -> Option<IndexMap<String, Rgb8>> {
    reader.map(value, "a table of names and \"#rrggbb\"", read_colour)
}

fn read_colour(reader: &mut Reader, value: &Value) -> Option<Rgb8> {
    let written = reader.text(value)?;
    let parsed = parse_colour(&written);
    if parsed.is_none() {
        reader.wrong(value.span(), format!("{written:?} is no colour"), "expected \"#rrggbb\"", None);
    }
    parsed
}

fn parse_colour(written: &str) -> Option<Rgb8> {
    let digits = written.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some(Rgb8([(code >> 16) as u8, (code >> 8) as u8, code as u8]))
}

impl Serialize for ModelFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.written)
    }
}

impl JsonSchema for ModelFile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ModelFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A glTF or VRM file relative to the study's folder, or kit:FOLDER/NAME."
        })
    }
}

impl Serialize for LoadChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_str("none"),
            Self::Prop(file) => file.serialize(serializer),
        }
    }
}

impl JsonSchema for LoadChoice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LoadChoice".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "\"none\", a prop's file relative to the study's folder, or kit:FOLDER/NAME."
        })
    }
}

impl Serialize for Background {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [red, green, blue] = self.0;
        if red == green && green == blue { red.serialize(serializer) } else { self.0.serialize(serializer) }
    }
}

impl JsonSchema for Background {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Background".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let share = json_schema!({ "type": "number", "minimum": 0, "maximum": 1 });
        json_schema!({
            "description": "A linear grey, 0 to 1; a linear [r, g, b]; or an sRGB \"#rrggbb\".",
            "anyOf": [
                share,
                { "type": "array", "items": share, "minItems": 3, "maxItems": 3 },
                Rgb8::json_schema(generator),
            ]
        })
    }
}

impl Serialize for Rgb8 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [red, green, blue] = self.0;
        serializer.collect_str(&format_args!("#{red:02x}{green:02x}{blue:02x}"))
    }
}

impl JsonSchema for Rgb8 {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rgb8".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$" })
    }
}
