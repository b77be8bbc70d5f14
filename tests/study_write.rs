//! A study written is the study read; its schema and its reader know the same keys and ranges.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::path::Path;

use indexmap::IndexMap;
use posegrid::study::{
    self, Axis, AxisValue, Background, Direction, FrameScope, FreeCamera, GroundChoice, Known, LightChoice, LoadChoice,
    ModelFile, Projection, Region, Repeat, Rgb8, Settings, SheetSpec, Study, StudyErrors, StyleName, Theme,
};
use proptest::prelude::*;
use serde_json::Value;

fn parse(text: &str) -> Result<Study, StudyErrors> {
    let names = ["workers/giant", "workers/imp", "loads/gold"].map(str::to_owned);
    let known = Known { kit_dir: Path::new("k"), kit_names: &names, captions: &["luma8_sd", "area_px"] };
    study::parse(text, Path::new("s.toml"), Path::new(""), &known)
}

fn kit(name: &str) -> ModelFile {
    ModelFile { written: format!("kit:{name}"), path: Path::new("k").join(format!("{name}.glb")), from_kit: true }
}

/// A study with everything in it.
const FULL: &str = r##"
title = "it's \"all\""
[cell]
subject = "kit:workers/imp"
background = "#336699"
light = { to_light = [1, 2, 3], shadow = false }
[axes.pose]
bind = {}
walk = { clip = "walk", at = [0, 0.1] }
[axes.head]
factorial = { a = { hide = ["A"] }, "b c" = { recolour = { "x.y" = "#010203" } } }
[axes.view]
"left ü" = { azimuth = 90.5 }
free = { camera = { eye = [0, 1, 2.5], target = [0, 1, 0] } }
[[only]]
pose = "walk@*"
[[skip]]
pose = "walk@0"
view = "free"
[repeat]
subpixel = 16
[sheet]
rows = ["head"]
columns = ["pose", "view"]
cell = [64, 96]
theme = "dark"
captions = ["name"]
scale = "row"
"##;

#[test]
fn a_full_study_comes_back_as_it_was() {
    let study = parse(FULL).unwrap_or_else(|errors| panic!("{errors}"));
    let text = study::to_toml(&study);
    assert_eq!(parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}")), study);
    assert_eq!(study::to_toml(&parse(&text).unwrap()), text);
}

#[test]
fn a_value_is_one_line_and_numbers_are_as_short_as_they_can_be() {
    let text = study::to_toml(&parse(FULL).unwrap());
    assert!(text.contains("\"walk@0.1\" = { clip = \"walk\", at = 0.1 }\n"), "{text}");
    assert!(text.contains("\n[axes.head]\nbase = {}\na = { hide = [\"A\"] }\n"), "{text}");
    assert!(text.contains("cell = [64, 96]\n"), "{text}");
}

fn number(min: f32, max: f32) -> impl Strategy<Value = f32> {
    min..max
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(".{0,8}", 0..3)
}

fn map<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = IndexMap<String, T>> {
    prop::collection::vec((".{1,6}", value), 0..3).prop_map(|entries| entries.into_iter().collect())
}

fn point() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(number(-50.0, 50.0))
}

fn light() -> impl Strategy<Value = LightChoice> {
    prop_oneof![
        Just(LightChoice::Studio),
        Just(LightChoice::Camera),
        (number(-90.0, 90.0), number(-400.0, 400.0))
            .prop_map(|(elevation, azimuth)| LightChoice::Sun { elevation, azimuth }),
        (point(), any::<bool>(), prop::array::uniform3(number(0.0, 9.0)), any::<bool>()).prop_map(
            |(to_light, camera_space, [strength_pi, sky_pi, bounce_pi], shadow)| LightChoice::Key {
                to_light,
                camera_space,
                strength_pi,
                sky_pi,
                bounce_pi,
                shadow
            }
        ),
    ]
}

fn region() -> impl Strategy<Value = Region> {
    prop_oneof![Just(Region::All), words().prop_map(Region::Nodes), words().prop_map(Region::Materials)]
}

fn who() -> impl Strategy<Value = Settings> {
    let maps = (map(".{0,9}"), map(".{0,9}"), map(any::<[u8; 3]>().prop_map(Rgb8)));
    let of = prop::option::of::<BoxedStrategy<Region>>;
    (of(region().boxed()), of(region().boxed()), prop::option::of(number(0.1, 9.0)), maps, words(), any::<bool>())
        .prop_map(|(head, face, height_m, (clips, roles, recolour), hide, some)| Settings {
            subject: some.then(|| kit("workers/imp")),
            clip_files: some.then(|| vec![kit("workers/giant")]),
            load: some.then(|| LoadChoice::Prop(kit("loads/gold"))).or(Some(LoadChoice::None)),
            forward: some.then_some(Direction::MinusX),
            up: (!some).then_some(Direction::PlusZ),
            height_m,
            clips: some.then_some(clips),
            roles: (!roles.is_empty()).then_some(roles),
            recolour: Some(recolour),
            lod: some.then_some(3),
            hide: Some(hide.clone()),
            show: some.then(|| hide.clone()),
            flatten: (!some).then_some(hide),
            head,
            eyes: face.clone(),
            face,
            ..Settings::default()
        })
}

fn how() -> impl Strategy<Value = Settings> {
    let numbers = (number(0.0, 1.0), number(-720.0, 720.0), number(-90.0, 90.0), number(0.1, 170.0), number(0.1, 99.0));
    let background = prop::array::uniform3(number(0.0, 1.0)).prop_map(Background);
    (prop::option::of(light()), numbers, background, (point(), point()), any::<bool>(), 1_u32..=8).prop_map(
        |(light, (at, azimuth, elevation, field_deg, distance_m), background, (eye, target), some, samples)| Settings {
            clip: Some("walk".to_owned()),
            at: some.then_some(at),
            in_place: Some(some),
            azimuth: Some(azimuth),
            elevation: some.then_some(elevation),
            projection: some.then_some(Projection::Orthographic),
            field_deg: Some(field_deg),
            distance_m: some.then_some(distance_m),
            screen_px: (!some).then_some(1440),
            camera: (eye != target).then_some(FreeCamera { eye, target }),
            frame: some.then_some(FrameScope::Row),
            px_per_m: Some(distance_m),
            samples: Some(samples),
            light,
            style: some.then_some(StyleName::Lambert),
            ground: (!some).then_some(GroundChoice::None),
            background: Some(background),
            ..Settings::default()
        },
    )
}

/// Both halves of what can be set, laid over each other.
fn settings() -> impl Strategy<Value = Settings> {
    (who(), how()).prop_map(|(mut who, how)| {
        who.overlay(&how);
        who
    })
}

proptest! {
    #[test]
    fn any_study_comes_back_as_it_was(
        base in settings(),
        values in prop::collection::vec((settings(), "[^/\\\\\\p{C}\\s]{1,6}"), 1..4),
        title in ".{0,12}",
        subpixel in 1_u32..=4096,
        cell_px in prop::array::uniform2(1_u32..=8192),
    ) {
        let named = |(at, (settings, name)): (usize, (Settings, String))| AxisValue { name: format!("{at}{name}"), settings };
        let values: Vec<AxisValue> = values.into_iter().enumerate().map(named).collect();
        let first = values[0].name.clone();
        let study = Study {
            name: "s".to_owned(),
            path: Some("s.toml".into()),
            title,
            base,
            axes: vec![Axis { name: "a.b c".to_owned(), values }],
            only: vec![vec![("a.b c".to_owned(), vec![first])]],
            skip: Vec::new(),
            sheet: SheetSpec { rows: vec!["a.b c".to_owned()], cell_px, theme: Theme::Dark, ..SheetSpec::default() },
            repeat: Repeat { subpixel, yaw_deg: 0.1, seed: 7 },
        };
        let text = study::to_toml(&study);
        match parse(&text) {
            Ok(read) => prop_assert_eq!(read, study, "{}", text),
            Err(errors) => prop_assert!(false, "{}\n{}", errors, text),
        }
    }
}

fn schema() -> Value {
    serde_json::from_str(&study::json_schema()).unwrap()
}

fn keys(schema: &Value, pointer: &str) -> Vec<String> {
    let properties = schema.pointer(pointer).and_then(Value::as_object);
    properties.unwrap_or_else(|| panic!("nothing at {pointer}")).keys().cloned().collect()
}

/// Every key of a table of the schema is a key of the reader: whatever its value, it is not unknown.
#[test]
fn the_reader_knows_every_key_of_the_schema() {
    let schema = schema();
    let tables = [
        ("/definitions/Settings/properties", "[cell]\nKEY = 0\n"),
        ("/definitions/SheetText/properties", "[sheet]\nKEY = 0\n"),
        ("/definitions/RepeatText/properties", "[repeat]\nKEY = 0\n"),
        ("/definitions/KeyText/properties", "[cell]\nlight = { KEY = 0 }\n"),
        ("/definitions/SunText/properties", "[cell]\nlight = { KEY = 0 }\n"),
        ("/definitions/FreeCamera/properties", "[cell]\ncamera = { KEY = 0 }\n"),
        ("/properties/axes/additionalProperties/properties", "[axes.a]\nKEY = 0\n"),
        ("/properties/axes/additionalProperties/additionalProperties/properties", "[axes.a]\nb = { KEY = 0 }\n"),
        ("/properties", "KEY = 0\n"),
    ];
    for (pointer, text) in tables {
        for key in keys(&schema, pointer) {
            let text = text.replace("KEY", &key);
            let shown = parse(&text).map_or_else(|errors| errors.to_string(), |_| String::new());
            assert!(!shown.contains("unknown key"), "{shown}");
        }
    }
}

#[test]
fn the_schema_has_every_setting_and_no_null() {
    let schema = schema();
    let mut settings: Vec<&str> = Settings::KEYS.to_vec();
    settings.sort_unstable();
    assert_eq!(keys(&schema, "/definitions/Settings/properties"), settings);
    assert!(!study::json_schema().contains("null"));
}

/// At each end of a range in the schema the reader agrees on both sides of it.
#[test]
fn the_reader_has_the_ranges_of_the_schema() {
    let schema = schema();
    let mut ends = 0;
    // A phase alone would be refused for want of a clip.
    let clip = "axes.x.y.clip = \"c\"\n";
    for (table, pointer) in
        [("cell", "/definitions/Settings"), ("sheet", "/definitions/SheetText"), ("repeat", "/definitions/RepeatText")]
    {
        for key in keys(&schema, &format!("{pointer}/properties")) {
            let property = schema.pointer(&format!("{pointer}/properties/{key}")).unwrap();
            let step = if property["type"] == "integer" { 1.0 } else { 0.001 };
            for (end, inside, outside) in
                [("minimum", 0.0, -step), ("maximum", 0.0, step), ("exclusiveMinimum", step, 0.0)]
            {
                let Some(limit) = property[end].as_f64().filter(|limit| limit.abs() < 1e15) else { continue };
                if end == "minimum" && property["exclusiveMinimum"].is_number() {
                    continue;
                }
                ends += 1;
                let read = |number: f64| {
                    let number = if step == 1.0 { format!("{number:.0}") } else { format!("{number:?}") };
                    parse(&format!("{clip}{table}.{key} = {number}\n"))
                };
                assert!(read(limit + inside).is_ok(), "{key} {end}");
                assert!(read(limit + outside).is_err(), "{key} {end}");
            }
        }
    }
    assert!(ends >= 15, "{ends} ends were tried");
}

#[test]
fn words_of_the_schema_are_words_of_the_reader() {
    let schema = schema();
    for (key, definition) in [
        ("style", "StyleName"),
        ("ground", "GroundChoice"),
        ("frame", "FrameScope"),
        ("projection", "Projection"),
        ("forward", "Direction"),
    ] {
        let pointer = format!("/definitions/{definition}");
        let words = words_of(schema.pointer(&pointer).unwrap());
        assert!(words.len() >= 2, "{definition}");
        for word in words {
            assert!(parse(&format!("[cell]\n{key} = \"{word}\"\n")).is_ok(), "{key} = {word}");
        }
    }
}

fn words_of(schema: &Value) -> Vec<String> {
    let mut words = Vec::new();
    match schema {
        Value::Object(object) => {
            words.extend(object.get("const").and_then(Value::as_str).map(str::to_owned));
            words.extend(
                object
                    .get("enum")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .map(str::to_owned),
            );
            words.extend(object.values().flat_map(words_of));
        }
        Value::Array(list) => words.extend(list.iter().flat_map(words_of)),
        _ => {}
    }
    words
}
