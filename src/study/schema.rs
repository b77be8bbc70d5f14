//! Describe a study file as a JSON Schema, so that an editor completes it.
//!
//! The tables come from the types that read them. What an axis may hold besides settings is put
//! together here: its values, and the keys that expand into values.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::layout::SheetText;
use super::parse::RepeatText;
use super::read::one_or_more_texts;
use super::settings::Settings;

/// The schema of a study file, JSON Schema draft 7, indented.
pub fn json_schema() -> String {
    let mut generator = SchemaSettings::draft07().for_serialize().into_generator();
    let mut root = study_schema(&mut generator);
    root.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    root.insert("definitions".to_owned(), Value::Object(generator.take_definitions(true)));
    let mut schema = root.to_value();
    forbid_null(&mut schema);
    format!("{schema:#}\n")
}

fn study_schema(generator: &mut SchemaGenerator) -> Schema {
    let axis = axis_schema(generator);
    let filters = json!({
        "type": "array",
        "items": { "type": "object", "minProperties": 1, "additionalProperties": one_or_more_texts(generator) }
    });
    json_schema!({
        "title": "posegrid study",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "title": { "type": "string", "description": "Heading of the sheet; the file's name when left out." },
            "cell": generator.subschema_for::<Settings>(),
            "axes": {
                "description": "Axes by name; every combination of their values is a cell.",
                "type": "object",
                "additionalProperties": axis,
            },
            "repeat": generator.subschema_for::<RepeatText>(),
            "only": with_description(&filters, "A cell stays if it matches any of these, or there are none."),
            "skip": with_description(&filters, "A cell goes if it matches any of these."),
            "sheet": generator.subschema_for::<SheetText>(),
        }
    })
}

/// An axis: settings for all its values, keys that expand into values, and values by name.
fn axis_schema(generator: &mut SchemaGenerator) -> Value {
    let value = value_schema(generator);
    let files = one_or_more_texts(generator);
    let mut properties = properties_of(&value);
    let expanding = [
        ("files", "A glob or a list: a value a file, which is its subject, named by the file's stem."),
        ("loads", "A glob or a list: a value a file, which is its load, named by the file's stem."),
    ];
    for (key, description) in expanding {
        properties.insert(key.to_owned(), with_description(files.as_value(), description));
    }
    let factors = json!({
        "description": "Factors by name: a value for each of their combinations, named a+b.",
        "type": "object",
        "minProperties": 1,
        "maxProperties": 10,
        "additionalProperties": generator.subschema_for::<Settings>(),
    });
    properties.insert("factorial".to_owned(), factors);
    json!({ "type": "object", "properties": properties, "additionalProperties": value })
}

/// The settings of a value, where `at` may be a list.
fn value_schema(generator: &mut SchemaGenerator) -> Value {
    let mut schema = Settings::json_schema(generator).to_value();
    if let Some(at) = schema.pointer_mut("/properties/at") {
        let one = at.take();
        *at = json!({
            "description": "Phase of the clip, 0 to 1; a list makes a value of each, named walk@0.25.",
            "anyOf": [one, { "type": "array", "minItems": 1, "items": one }],
        });
    }
    schema
}

fn properties_of(schema: &Value) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn with_description(schema: &Value, description: &str) -> Value {
    let mut schema = schema.clone();
    schema["description"] = json!(description);
    schema
}

/// TOML has no null: a key that may be left out is left out.
fn forbid_null(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(forbid_null),
        Value::Object(object) => {
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                choices.retain(|choice| *choice != json!({ "type": "null" }));
            }
            object.values_mut().for_each(forbid_null);
        }
        _ => {}
    }
}
