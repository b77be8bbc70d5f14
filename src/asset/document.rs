//! Hold a parsed document with its buffers, and resolve every index by a bounds check.
//!
//! Reads: the JSON of a model and the buffers it names. The schema is that of the `gltf` crate; its own
//! validation and iterators are left alone, because they refuse real files and panic on bad ones.

use std::borrow::Cow;
use std::path::Path;

use gltf::json;
use json::Index;

use super::error::{AssetError, Fault};
use super::limits::{Budget, Limits};
use super::notice::{self, Notices};
use super::place::{Place, ROOT};
use super::{container, repair, uri};

/// A parsed document and its binary data.
pub(super) struct Document<'a> {
    pub(super) path: &'a Path,
    pub(super) root: json::Root,
    pub(super) limits: &'a Limits,
    /// What accessors may still unfold to.
    pub(super) budget: Budget,
    /// What may still be read from files.
    files: Budget,
    /// One a buffer of the document; `None` where it has neither URI nor binary chunk.
    buffers: Vec<Option<Cow<'a, [u8]>>>,
}

impl<'a> Document<'a> {
    /// Parses `json` and reads every buffer.
    pub(super) fn open(
        path: &'a Path,
        container: &container::Container<'a>,
        limits: &'a Limits,
        notices: &mut Notices,
    ) -> Result<Self, AssetError> {
        let root = parse(path, container.json, notices)?;
        let budget = Budget::new("the data of its accessors", limits.decoded_bytes);
        let files = Budget::new("its files", limits.file_bytes);
        let mut document = Self { path, root, limits, budget, files, buffers: Vec::new() };
        document.check_views()?;
        document.buffers = document.read_buffers(container.binary, notices)?;
        Ok(document)
    }

    /// An error at `place`.
    pub(super) fn fail(&self, place: &Place<'_>, fault: Fault) -> AssetError {
        AssetError::at(self.path, place, fault)
    }

    /// Follows a URI from the model's folder; `place` is where it is written.
    pub(super) fn fetch(&self, uri: &str, place: &Place<'_>, notices: &mut Notices) -> Result<uri::Fetched, Fault> {
        let folder = self.path.parent().unwrap_or_else(|| Path::new(""));
        let fetched = uri::fetch(uri, folder, self.files.left())?;
        self.files.take(fetched.bytes.len() as u64, 1)?;
        notices.count(notice::URI_BACKSLASH, place, usize::from(fetched.backslashes));
        Ok(fetched)
    }

    /// Checks that `index` names an entry of `items`, which holds `list`s.
    pub(super) fn resolve<'d, T>(
        &self,
        items: &'d [T],
        index: Index<T>,
        list: &'static str,
        place: &Place<'_>,
    ) -> Result<&'d T, AssetError> {
        let missing = || self.fail(place, Fault::NoSuch { list, index: index.value(), count: items.len() });
        items.get(index.value()).ok_or_else(missing)
    }

    /// The bytes of a buffer, if it has any.
    pub(super) fn buffer(&self, index: Index<json::Buffer>, place: &Place<'_>) -> Result<Option<&[u8]>, AssetError> {
        self.resolve(&self.root.buffers, index, "buffer", place)?;
        Ok(self.buffers[index.value()].as_deref())
    }

    /// Pieces of the model that lie outside its own file, for its digest.
    pub(super) fn external_buffers(&self) -> impl Iterator<Item = &[u8]> {
        let external = |buffer: &json::Buffer| buffer.uri.as_deref().is_some_and(|uri| !uri::is_data(uri));
        std::iter::zip(&self.root.buffers, &self.buffers)
            .filter(move |(buffer, _)| external(buffer))
            .filter_map(|(_, bytes)| bytes.as_deref())
    }

    /// Resolves what every accessor and view refers to, used or not.
    fn check_views(&self) -> Result<(), AssetError> {
        let root = &self.root;
        let views = ROOT.field("bufferViews");
        for (at, view) in root.buffer_views.iter().enumerate() {
            self.resolve(&root.buffers, view.buffer, "buffer", &views.index(at).field("buffer"))?;
        }
        let accessors = ROOT.field("accessors");
        for (at, accessor) in root.accessors.iter().enumerate() {
            let place = accessors.index(at);
            if let Some(view) = accessor.buffer_view {
                self.resolve(&root.buffer_views, view, "buffer view", &place.field("bufferView"))?;
            }
        }
        Ok(())
    }

    fn read_buffers(
        &self,
        binary: Option<&'a [u8]>,
        notices: &mut Notices,
    ) -> Result<Vec<Option<Cow<'a, [u8]>>>, AssetError> {
        let list = ROOT.field("buffers");
        let mut buffers = Vec::with_capacity(self.root.buffers.len());
        for (at, buffer) in self.root.buffers.iter().enumerate() {
            let place = list.index(at);
            let bytes = match &buffer.uri {
                Some(uri) => Some(Cow::Owned(self.read_buffer(uri, &place, notices)?)),
                None if at == 0 => binary.map(Cow::Borrowed),
                None => None,
            };
            if bytes.as_ref().is_some_and(|bytes| (bytes.len() as u64) < buffer.byte_length.0) {
                notices.add(notice::BUFFER_SHORT, &place);
            }
            buffers.push(bytes);
        }
        Ok(buffers)
    }

    fn read_buffer(&self, uri: &str, place: &Place<'_>, notices: &mut Notices) -> Result<Vec<u8>, AssetError> {
        let place = place.field("uri");
        let fetched = self.fetch(uri, &place, notices).map_err(|fault| self.fail(&place, fault))?;
        if let Some(name) = fetched.file.as_ref().filter(|_| container::is_lfs_pointer(&fetched.bytes)) {
            return Err(self.fail(&place, Fault::LfsPointer { what: format!("its buffer {name:?}") }));
        }
        Ok(fetched.bytes)
    }
}

/// The parts of a document that say whether it is ours to read at all.
#[derive(serde::Deserialize)]
struct Head {
    asset: Option<HeadAsset>,
}

#[derive(serde::Deserialize)]
struct HeadAsset {
    version: Option<String>,
    #[serde(rename = "minVersion")]
    min_version: Option<String>,
}

fn parse(path: &Path, text: &[u8], notices: &mut Notices) -> Result<json::Root, AssetError> {
    let wrong = |error: &json::Error| {
        let place = format!(":{}:{}", error.line(), error.column());
        AssetError::new(path, place, Fault::Json(without_position(error)))
    };
    match json::deserialize::from_slice::<json::Root>(text) {
        Ok(root) => {
            check_version(path, Some(&root.asset.version), root.asset.min_version.as_ref())?;
            Ok(root)
        }
        Err(error) => {
            // A file of version 1 breaks the schema in many ways; its version is what to say.
            if let Ok(Head { asset: Some(asset) }) = json::deserialize::from_slice(text) {
                check_version(path, asset.version.as_ref(), asset.min_version.as_ref())?;
            }
            let (root, repairs) = repair::parse(text).ok_or_else(|| wrong(&error))?;
            if repairs.mended > 0 {
                notices.detail(notice::JSON_REPAIRED, &ROOT, without_position(&error));
            }
            notices.count(notice::CHANNEL_WITHOUT_NODE, &ROOT.field("animations"), repairs.channels_without_node);
            Ok(root)
        }
    }
}

/// Minor versions up are compatible by the specification unless `minVersion` says otherwise.
fn check_version(path: &Path, version: Option<&String>, min: Option<&String>) -> Result<(), AssetError> {
    let wrong = |pointer: &str, version: &String| {
        Err(AssetError::new(path, pointer, Fault::Version { version: version.clone() }))
    };
    match (version, min) {
        (_, Some(min)) if min != "2.0" => wrong("/asset/minVersion", min),
        (Some(version), _) if !version.starts_with("2.") => wrong("/asset/version", version),
        _ => Ok(()),
    }
}

/// The text of a JSON error without its ` at line 3 column 7`, which the place already says.
fn without_position(error: &json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::{load, load_bytes};
    use super::super::sample::Sample;
    use super::*;

    fn error_of(text: &str) -> AssetError {
        load_bytes(Path::new("a.gltf"), text.as_bytes(), &Limits::default()).unwrap_err()
    }

    #[test]
    fn bad_json_is_placed_by_line_and_column() {
        let error = error_of("{\n  \"asset\": {]\n}");
        assert_eq!(error.to_string(), "a.gltf:2:13: is not valid glTF JSON: key must be a string");
        let error = error_of(r#"{"asset": {"version": "2.0"}, "nodes": 7}"#);
        assert!(
            error.to_string().starts_with("a.gltf:1:40: is not valid glTF JSON: invalid type: integer `7`"),
            "{error}"
        );
        assert!(error_of("{}").to_string().contains("missing field `asset`"));
    }

    #[test]
    fn other_versions_are_named_even_where_the_rest_breaks_the_schema() {
        let one = error_of(r#"{"asset": {"version": "1.0"}, "nodes": {"a": {}}}"#);
        assert_eq!(one.to_string(), "a.gltf/asset/version: is glTF 1.0; only 2.0 is read");
        let newer = error_of(r#"{"asset": {"version": "2.7", "minVersion": "2.1"}}"#);
        assert_eq!((newer.code(), newer.place.as_str()), ("GLTF_VERSION", "/asset/minVersion"));
        let minor = r#"{"asset": {"version": "2.7", "minVersion": "2.0"}}"#;
        assert!(load_bytes(Path::new("a.gltf"), minor.as_bytes(), &Limits::default()).is_ok());
    }

    #[test]
    fn a_mended_document_says_so() {
        let text = r#"{"asset": {"version": "2.0"}, "nodes": [{"name": null, "mesh": -1}]}"#;
        let model = load_bytes(Path::new("a.gltf"), text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(model.findings[0].code, "JSON_REPAIRED");
        assert!(model.findings[0].message.contains("integer `-1`"), "{}", model.findings[0].message);
    }

    #[test]
    fn nesting_without_end_is_refused() {
        let text = "[".repeat(100_000);
        assert_eq!(error_of(&format!("{{\"extras\": {text}")).code(), "JSON_INVALID");
    }

    #[test]
    fn a_buffer_that_is_a_stand_in_or_absent_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut sample = Sample::triangle();
        sample.json["buffers"] = serde_json::json!([{"uri": "data 1.bin", "byteLength": 36}]);
        let path = folder.path().join("a.gltf");
        std::fs::write(&path, sample.json.to_string()).unwrap();
        let error = load(&path, &Limits::default()).unwrap_err();
        assert_eq!((error.code(), error.place.as_str()), ("FILE_MISSING", "/buffers/0/uri"));
        assert!(error.to_string().contains("data 1.bin"));

        let data = folder.path().join("data 1.bin");
        std::fs::write(&data, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 36\n").unwrap();
        assert_eq!(load(&path, &Limits::default()).unwrap_err().code(), "LFS_POINTER");

        std::fs::write(&data, &sample.binary).unwrap();
        let model = load(&path, &Limits::default()).unwrap();
        assert_eq!(model.meshes[0].primitives[0].positions.len(), 3);

        std::fs::write(&data, &sample.binary[..35]).unwrap();
        assert_eq!(load(&path, &Limits::default()).unwrap_err().code(), "DATA_OUT_OF_BOUNDS");
    }

    #[test]
    fn every_view_and_accessor_is_resolved_though_nothing_uses_it() {
        let mut sample = Sample::empty();
        sample.floats("SCALAR", &[0.0]);
        sample.json["accessors"][0]["bufferView"] = 1.into();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/accessors/0/bufferView".to_owned()));
        sample.json["bufferViews"][0]["buffer"] = 1.into();
        assert_eq!(sample.error(), ("INDEX_UNRESOLVED", "/bufferViews/0/buffer".to_owned()));
    }

    #[test]
    fn a_view_of_a_buffer_without_data_is_refused() {
        let text = Sample::triangle().json;
        let mut document = text.clone();
        document["buffers"] = serde_json::json!([{"byteLength": 36}]);
        let error = error_of(&document.to_string());
        assert_eq!((error.code(), error.place.as_str()), ("REQUIRED_ABSENT", "/bufferViews/0/buffer"));
    }
}
