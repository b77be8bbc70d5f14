//! Declare a table of a study file once, and have its type, its reader, its writer and its schema.
//!
//! A key's line gives its type and how its value is read. From it come the struct's field, an
//! `Option` because every key may be left out; `KEYS`, for errors that list the choices; `read_key`;
//! and, through serde and schemars, the written form and the JSON Schema. Nothing can be read that
//! the schema does not know, and the other way round.

/// Declares a struct that is a table of a study file; see the module. `merging` adds what lays one
/// table over another.
macro_rules! table {
    (
        merging
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty = $read:expr;)*
        }
    ) => {
        $crate::study::table::table! {
            $(#[$meta])*
            $vis struct $name {
                $($(#[$field_meta])* $field: $type = $read;)*
            }
        }

        impl $name {
            /// The keys that are set, in the order of `KEYS`.
            $vis fn keys_set(&self) -> Vec<&'static str> {
                let mut keys = Vec::new();
                $(if self.$field.is_some() { keys.push(stringify!($field)); })*
                keys
            }

            /// Takes over every key that `over` sets.
            $vis fn overlay(&mut self, over: &Self) {
                $(if over.$field.is_some() { self.$field.clone_from(&over.$field); })*
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty = $read:expr;)*
        }
    ) => {
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, schemars::JsonSchema)]
        $(#[$meta])*
        #[schemars(deny_unknown_fields)]
        $vis struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                $vis $field: Option<$type>,
            )*
        }

        impl $name {
            /// Every key, in the order of the schema.
            $vis const KEYS: &'static [&'static str] = &[$(stringify!($field)),*];

            /// Reads the value of `key` if the table has such a key; `false` if it has none.
            pub(in crate::study) fn read_key(
                &mut self,
                reader: &mut $crate::study::read::Reader,
                key: &str,
                value: &$crate::study::read::Value,
            ) -> bool {
                match key {
                    $(stringify!($field) => self.$field = $read(reader, value),)*
                    _ => return false,
                }
                true
            }
        }

        impl $crate::study::write::Lines for $name {
            fn lines(&self) -> Vec<String> {
                let mut lines = Vec::new();
                $(if let Some(value) = &self.$field {
                    lines.push($crate::study::write::entry(stringify!($field), value));
                })*
                lines
            }
        }
    };
}

/// Declares an enum whose values are words of a study file.
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, schemars::JsonSchema)]
        $vis enum $name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)*
        }

        impl $crate::study::read::Word for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),*];
        }
    };
}

pub(super) use {table, words};
