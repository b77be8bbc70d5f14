//! Tell whether a material extension, as a file sets it, leaves the picture as it is.
//!
//! Pure. Exporters write extensions at their defaults: half of the specular and index-of-refraction blocks in
//! real files say nothing. Defaults are those of each extension's specification in the Khronos registry.

use gltf::json::Value;

/// Whether `name` is a material extension that this module can judge.
pub(super) fn is_known(name: &str) -> bool {
    changes(name, &Value::Null).is_some()
}

/// Whether `values` of the material extension `name` do nothing.
pub(super) fn changes_nothing(name: &str, values: &Value) -> bool {
    changes(name, values) == Some(false)
}

/// Whether the values change the picture; `None` for an extension that is not known.
fn changes(name: &str, values: &Value) -> Option<bool> {
    let is = |key: &str, neutral: f64| values.get(key).and_then(Value::as_f64).unwrap_or(neutral) == neutral;
    let has = |key: &str| values.get(key).is_some();
    let is_colour = |key: &str, neutral: f64| {
        let colour = values.get(key).and_then(Value::as_array);
        colour.is_none_or(|colour| colour.iter().all(|part| part.as_f64() == Some(neutral)))
    };
    let neutral = match name {
        "KHR_materials_anisotropy" => is("anisotropyStrength", 0.0),
        "KHR_materials_clearcoat" => is("clearcoatFactor", 0.0),
        "KHR_materials_diffuse_transmission" => is("diffuseTransmissionFactor", 0.0),
        "KHR_materials_dispersion" => is("dispersion", 0.0),
        "KHR_materials_ior" => is("ior", 1.5),
        "KHR_materials_iridescence" => is("iridescenceFactor", 0.0),
        "KHR_materials_sheen" => is_colour("sheenColorFactor", 0.0),
        "KHR_materials_specular" => {
            is("specularFactor", 1.0)
                && is_colour("specularColorFactor", 1.0)
                && !has("specularTexture")
                && !has("specularColorTexture")
        }
        "KHR_materials_transmission" => is("transmissionFactor", 0.0),
        // Without thickness the walls are thin, and nothing is absorbed between them.
        "KHR_materials_volume" => is("thicknessFactor", 0.0),
        _ => return None,
    };
    Some(!neutral)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neutral(name: &str, values: &str) -> bool {
        changes_nothing(name, &gltf::json::deserialize::from_str(values).unwrap())
    }

    #[test]
    fn defaults_change_nothing_and_anything_else_does() {
        assert!(neutral("KHR_materials_ior", "{}"));
        assert!(neutral("KHR_materials_ior", r#"{"ior": 1.5}"#));
        assert!(!neutral("KHR_materials_ior", r#"{"ior": 1.45}"#));
        assert!(neutral("KHR_materials_specular", r#"{"specularColorFactor": [1, 1.0, 1]}"#));
        assert!(!neutral("KHR_materials_specular", r#"{"specularColorFactor": [2, 2, 2]}"#));
        assert!(!neutral("KHR_materials_specular", r#"{"specularTexture": {"index": 0}}"#));
        assert!(neutral("KHR_materials_sheen", r#"{"sheenRoughnessFactor": 0.5}"#));
        assert!(!neutral("KHR_materials_clearcoat", r#"{"clearcoatFactor": 0.5}"#));
        assert!(!neutral("KHR_materials_unheard_of", "{}") && !is_known("KHR_materials_unheard_of"));
    }
}
