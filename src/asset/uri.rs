//! Follow the URIs of buffers and images: data URIs, and files beside the model.
//!
//! Reads: files under the model's folder. Names may hold spaces, percent-encoding or any Unicode; what is
//! written is tried as it decodes first and as it stands next, since exporters differ.

use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use super::error::Fault;

/// Base 64 as found in files: padded or not, with loose trailing bits.
const LENIENT_BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Bytes that a URI led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fetched {
    pub(super) bytes: Vec<u8>,
    /// The file's decoded name, for messages; `None` for a data URI.
    pub(super) file: Option<String>,
    /// The name was found only after its backslashes were taken as folders.
    pub(super) backslashes: bool,
}

/// Follows `uri` from `folder`, refusing files over `limit_bytes`.
pub(super) fn fetch(uri: &str, folder: &Path, limit_bytes: u64) -> Result<Fetched, Fault> {
    if let Some(data) = strip_scheme(uri, "data:") {
        let bytes = decode_data(data).map_err(|why| Fault::Uri { uri: shortened(uri), why })?;
        return Ok(Fetched { bytes, file: None, backslashes: false });
    }
    if has_scheme(uri) {
        return Err(Fault::Uri { uri: shortened(uri), why: "only files beside the model and data URIs are read" });
    }
    let decoded = percent_decode_str(uri).decode_utf8().ok().filter(|name| !name.contains('\0'));
    let Some(decoded) = decoded else {
        return Err(Fault::Uri { uri: shortened(uri), why: "it does not decode to a file name" });
    };
    if Path::new(&*decoded).is_absolute() || decoded.starts_with(['/', '\\']) {
        return Err(Fault::Uri { uri: shortened(uri), why: "it is not relative to the model" });
    }
    fetch_file(&decoded, uri, folder, limit_bytes)
}

fn fetch_file(decoded: &str, raw: &str, folder: &Path, limit_bytes: u64) -> Result<Fetched, Fault> {
    let slashed = decoded.replace('\\', "/");
    for (name, backslashes) in [(decoded, false), (raw, false), (&slashed, slashed != decoded)] {
        match read(&folder.join(name), name, limit_bytes) {
            Ok(bytes) => return Ok(Fetched { bytes, file: Some(name.to_owned()), backslashes }),
            Err(Fault::ReadFile { source, .. }) if is_absent(&source) => {}
            Err(fault) => return Err(fault),
        }
    }
    Err(Fault::MissingFile { name: decoded.to_owned(), similar: most_similar(&folder.join(&slashed)) })
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename)
}

/// Reads a whole file, refusing one over the limit before it is read.
pub(super) fn read(path: &Path, name: &str, limit_bytes: u64) -> Result<Vec<u8>, Fault> {
    let wrap = |source| Fault::ReadFile { name: name.to_owned(), source };
    let facts = std::fs::metadata(path).map_err(wrap)?;
    if !facts.is_file() {
        return Err(wrap(io::Error::other("it is not a regular file")));
    }
    let bytes = facts.len();
    if bytes > limit_bytes {
        return Err(Fault::TooLarge { what: name.to_owned(), bytes, limit: limit_bytes });
    }
    std::fs::read(path).map_err(wrap)
}

/// The name in the same folder that is most like the missing one, if any is.
fn most_similar(missing: &Path) -> Option<String> {
    let wanted = missing.file_name()?.to_string_lossy().to_lowercase();
    let entries = std::fs::read_dir(missing.parent().map_or_else(|| PathBuf::from("."), Path::to_owned)).ok()?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
    names.sort();
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &wanted), name))
        .filter(|(likeness, _)| *likeness > 0.9)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}

fn decode_data(data: &str) -> Result<Vec<u8>, &'static str> {
    let (head, body) = data.split_once(',').ok_or("a data URI needs a comma")?;
    let body: Vec<u8> = percent_decode_str(body).collect();
    if head.to_ascii_lowercase().ends_with(";base64") {
        let clean: Vec<u8> = body.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
        LENIENT_BASE64.decode(clean).map_err(|_| "its base 64 is malformed")
    } else {
        Ok(body)
    }
}

/// Whether a URI holds its bytes itself.
pub(super) fn is_data(uri: &str) -> bool {
    strip_scheme(uri, "data:").is_some()
}

fn strip_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let head = uri.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then(|| &uri[scheme.len()..])
}

/// RFC 3986, section 3.1: a letter, then letters, digits, `+`, `-` or `.`, then a colon. One letter is a
/// Windows drive, which is no scheme but no relative path either.
fn has_scheme(uri: &str) -> bool {
    let Some((head, _)) = uri.split_once(':') else { return false };
    head.starts_with(|first: char| first.is_ascii_alphabetic())
        && head.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn shortened(uri: &str) -> String {
    const SHOWN: usize = 64;
    match uri.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &uri[..end]),
        None => uri.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 1 << 20;

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        folder
    }

    /// RFC 4648, section 10: `foobar` is `Zm9vYmFy`, `fo` is `Zm8=`.
    #[test]
    fn data_uris_are_decoded_with_and_without_base64() {
        let fetch = |uri| fetch(uri, Path::new("nowhere"), LIMIT).map(|fetched| fetched.bytes);
        assert_eq!(fetch("data:application/octet-stream;base64,Zm9vYmFy").unwrap(), b"foobar");
        assert_eq!(fetch("DATA:;base64,Zm8").unwrap(), b"fo");
        assert_eq!(fetch("data:,a%20b").unwrap(), b"a b");
        assert_eq!(fetch("data:;base64,Zm9v*").unwrap_err().code(), "URI_INVALID");
        assert_eq!(fetch("data:;base64").unwrap_err().code(), "URI_INVALID");
    }

    #[test]
    fn names_are_found_percent_encoded_raw_and_in_unicode() {
        let names = ["Box With Spaces.bin", "Unicode ❤♻.bin", "per%20cent.bin", "sub/x.bin"];
        let folder = folder_with(&names);
        for (uri, name) in [
            ("Box%20With%20Spaces.bin", names[0]),
            ("Box With Spaces.bin", names[0]),
            ("Unicode%20%E2%9D%A4%E2%99%BB.bin", names[1]),
            ("Unicode ❤♻.bin", names[1]),
            ("per%20cent.bin", names[2]),
            ("./sub/x.bin", names[3]),
        ] {
            assert_eq!(fetch(uri, folder.path(), LIMIT).unwrap().bytes, name.as_bytes(), "{uri}");
        }
        let backslash = fetch("sub\\x.bin", folder.path(), LIMIT).unwrap();
        assert!(backslash.backslashes && backslash.bytes == b"sub/x.bin");
    }

    #[test]
    fn a_missing_file_names_the_one_most_like_it() {
        let folder = folder_with(&["Skin.PNG", "other.bin"]);
        let Err(Fault::MissingFile { name, similar }) = fetch("skin.png", folder.path(), LIMIT) else {
            panic!("skin.png is not there");
        };
        assert_eq!((name.as_str(), similar.as_deref()), ("skin.png", Some("Skin.PNG")));
    }

    #[test]
    fn what_is_not_beside_the_model_is_refused() {
        for uri in ["https://example.com/a.bin", "file:///etc/passwd", "/etc/passwd", "C:\\a.bin", "%00.bin", "%ff"] {
            let fault = fetch(uri, Path::new("."), LIMIT).unwrap_err();
            assert_eq!(fault.code(), "URI_INVALID", "{uri}");
        }
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let folder = folder_with(&["large.bin"]);
        assert_eq!(fetch("large.bin", folder.path(), 8).unwrap_err().code(), "TOO_LARGE");
        assert!(fetch("large.bin", folder.path(), 9).is_ok());
    }
}
