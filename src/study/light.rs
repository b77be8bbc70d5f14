//! The light of a cell, as a study writes it: a name, a sun, or numbers.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::nearest;
use super::read::{Bounds, Reader, Value};
use super::table::{table, words};

/// The light.
#[derive(Debug, Clone, PartialEq)]
pub enum LightChoice {
    /// Key and sky that go with the camera: every view is lit alike.
    Studio,
    /// The key alone, at E = pi, along the studio's direction.
    Camera,
    /// Sun and clear sky fixed in the world, at an elevation and an azimuth from the facing, degrees.
    Sun {
        /// Degrees above the horizon.
        elevation: f32,
        /// Degrees counter-clockwise from the facing, seen from above.
        azimuth: f32,
    },
    /// One light fixed to the camera or the world, with numbers.
    Key {
        /// Towards the light.
        to_light: [f32; 3],
        /// Whether `to_light` is in the camera's (right, up, back) rather than the stage's axes.
        camera_space: bool,
        /// Irradiance on a face turned to it, in units of pi.
        strength_pi: f32,
        /// Irradiance from the sky, in units of pi.
        sky_pi: f32,
        /// Irradiance from below, in units of pi.
        bounce_pi: f32,
        /// Whether it casts a shadow.
        shadow: bool,
    },
}

/// Named lights. The suns stand at 43 N, 0 E on 21 June, 12:00 and 15:30 UTC; the face is turned to
/// the sun's azimuth, so that the hour means elevation alone.
const NAMED: [(&str, LightChoice); 4] = [
    ("studio", LightChoice::Studio),
    ("camera", LightChoice::Camera),
    ("noon", LightChoice::Sun { elevation: 70.43, azimuth: 0.0 }),
    ("15:30", LightChoice::Sun { elevation: 43.17, azimuth: 0.0 }),
];

const EXPECTED: &str = "\"studio\", \"camera\", \"noon\", \"15:30\", { elevation = .. } or { to_light = [..] }";

words! {
    /// Which axes a light's direction is given in.
    pub(super) enum LightSpace {
        /// The camera's right, up and back: the light goes with the view.
        Camera = "camera",
        /// The stage's axes: the light stays where it is.
        Stage = "stage",
    }
}

table! {
    /// A sun over the horizon.
    #[schemars(extend("required" = ["elevation"]))]
    pub(super) struct SunText {
        /// Degrees above the horizon.
        #[schemars(range(min = -90.0, max = 90.0))]
        elevation: f32 = |reader: &mut Reader, value: &Value| reader.number(value, Bounds::within(-90.0, 90.0));
        /// Degrees counter-clockwise from the facing, seen from above; 0 when left out.
        azimuth: f32 = |reader: &mut Reader, value: &Value| reader.number(value, Bounds::any());
    }
}

table! {
    /// One light with numbers; what is left out is the studio's.
    #[schemars(extend("required" = ["to_light"]))]
    pub(super) struct KeyText {
        /// Towards the light; its length does not matter.
        to_light: [f32; 3] = |reader: &mut Reader, value: &Value| reader.triple(value, Bounds::any());
        /// Which axes `to_light` is given in: `camera` when left out.
        space: LightSpace = Reader::word;
        /// Irradiance on a face turned to it, in units of pi; 0.75 when left out.
        #[schemars(range(min = 0.0))]
        strength_pi: f32 = irradiance;
        /// Irradiance from the sky on an upward face, in units of pi; 0.25 when left out.
        #[schemars(range(min = 0.0))]
        sky_pi: f32 = irradiance;
        /// Irradiance from below on a downward face, in units of pi; 0.1 when left out.
        #[schemars(range(min = 0.0))]
        bounce_pi: f32 = irradiance;
        /// Whether it casts a shadow; true when left out.
        shadow: bool = Reader::flag;
    }
}

fn irradiance(reader: &mut Reader, value: &Value) -> Option<f32> {
    reader.number(value, Bounds::at_least(0.0))
}

/// A name, `{ elevation, azimuth }` or `{ to_light, .. }`.
pub(super) fn read(reader: &mut Reader, value: &Value) -> Option<LightChoice> {
    if let Some(name) = value.get_ref().as_str() {
        let found = NAMED.into_iter().find(|(known, _)| *known == name);
        if found.is_none() {
            let hint = nearest::hint("lights", name, NAMED.iter().map(|(known, _)| *known));
            reader.wrong(value.span(), format!("no light named {name:?}"), format!("expected {EXPECTED}"), Some(hint));
        }
        return found.map(|(_, light)| light);
    }
    let table = reader.table(value, EXPECTED)?;
    if table.keys().any(|key| SunText::KEYS.contains(&key.get_ref().as_ref())) {
        let mut text = SunText::default();
        reader.keys(table, SunText::KEYS, "a sun", |reader, key, value| text.read_key(reader, key, value));
        sun(reader, value, &text)
    } else {
        let mut text = KeyText::default();
        reader.keys(table, KeyText::KEYS, "a light", |reader, key, value| text.read_key(reader, key, value));
        key_light(reader, value, &text)
    }
}

fn sun(reader: &mut Reader, value: &Value, text: &SunText) -> Option<LightChoice> {
    let Some(elevation) = text.elevation else {
        reader.incomplete(value, "a sun needs its elevation");
        return None;
    };
    Some(LightChoice::Sun { elevation, azimuth: text.azimuth.unwrap_or(0.0) })
}

fn key_light(reader: &mut Reader, value: &Value, text: &KeyText) -> Option<LightChoice> {
    let Some(to_light) = text.to_light else {
        reader.incomplete(value, format!("expected {EXPECTED}"));
        return None;
    };
    if to_light == [0.0; 3] {
        reader.wrong(value.span(), "the light comes from nowhere", "to_light has no direction", None);
        return None;
    }
    Some(LightChoice::Key {
        to_light,
        camera_space: text.space.unwrap_or(LightSpace::Camera) == LightSpace::Camera,
        strength_pi: text.strength_pi.unwrap_or(0.75),
        sky_pi: text.sky_pi.unwrap_or(0.25),
        bounce_pi: text.bounce_pi.unwrap_or(0.1),
        shadow: text.shadow.unwrap_or(true),
    })
}

impl Serialize for LightChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some((name, _)) = NAMED.iter().find(|(_, light)| light == self) {
            return serializer.serialize_str(name);
        }
        match *self {
            Self::Studio => serializer.serialize_str("studio"),
            Self::Camera => serializer.serialize_str("camera"),
            Self::Sun { elevation, azimuth } => {
                SunText { elevation: Some(elevation), azimuth: Some(azimuth) }.serialize(serializer)
            }
            Self::Key { to_light, camera_space, strength_pi, sky_pi, bounce_pi, shadow } => KeyText {
                to_light: Some(to_light),
                space: Some(if camera_space { LightSpace::Camera } else { LightSpace::Stage }),
                strength_pi: Some(strength_pi),
                sky_pi: Some(sky_pi),
                bounce_pi: Some(bounce_pi),
                shadow: Some(shadow),
            }
            .serialize(serializer),
        }
    }
}

impl JsonSchema for LightChoice {
    fn schema_name() -> Cow<'static, str> {
        "LightChoice".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let names = NAMED.map(|(name, _)| name);
        json_schema!({
            "description": "A light by its name, a sun over the horizon, or one light with numbers.",
            "anyOf": [
                { "type": "string", "enum": names },
                generator.subschema_for::<SunText>(),
                generator.subschema_for::<KeyText>(),
            ]
        })
    }
}
