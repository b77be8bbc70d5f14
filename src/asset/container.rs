//! Split a model file into its JSON and its binary chunk.
//!
//! Reads: the bytes of a `.glb`, `.vrm` or `.gltf`. Writes: slices of them. Pure.
//! What a file is, its first bytes say, never its name: `.vrm` is GLB, and so is many a `.gltf.glb`.
//!
//! Source: glTF 2.0 specification, section 4, "GLB File Format Specification".

use super::error::Fault;

/// The two parts of a model file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Container<'a> {
    /// The document.
    pub(super) json: &'a [u8],
    /// The chunk that buffer 0 refers to by having no URI.
    pub(super) binary: Option<&'a [u8]>,
    /// The header's length is less than the file: something follows.
    pub(super) trailing_bytes: usize,
}

const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;
const LFS_FIRST_LINE: &[u8] = b"version https://git-lfs.github.com/spec/";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether `bytes` are the small text that Git leaves in place of a large file.
pub(super) fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(LFS_FIRST_LINE)
}

/// Splits a file by what its first bytes say it is.
pub(super) fn split(bytes: &[u8]) -> Result<Container<'_>, Fault> {
    if bytes.starts_with(b"glTF") {
        return split_glb(bytes);
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => Ok(Container { json: text, binary: None, trailing_bytes: 0 }),
        _ if is_lfs_pointer(bytes) => Err(Fault::LfsPointer { what: "the model".to_owned() }),
        _ => Err(Fault::NotGltf { looks_like: looks_like(bytes) }),
    }
}

fn looks_like(bytes: &[u8]) -> &'static str {
    const KINDS: [(&[u8], &str); 8] = [
        (b"Kaydara FBX Binary", "a binary FBX file"),
        (b"; FBX", "a text FBX file"),
        (b"BLENDER", "a Blender file"),
        (b"PK\x03\x04", "a ZIP archive (or USDZ)"),
        (b"ply", "a PLY file"),
        (b"<?xml", "an XML file (perhaps COLLADA)"),
        (b"<!DOCTYPE", "a web page (perhaps a failed download)"),
        (b"<html", "a web page (perhaps a failed download)"),
    ];
    if bytes.is_empty() {
        return "an empty file";
    }
    KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)).map_or("something else", |(_, name)| name)
}

fn split_glb(bytes: &[u8]) -> Result<Container<'_>, Fault> {
    let header = bytes.get(..HEADER_BYTES).ok_or_else(|| truncated("the GLB header", HEADER_BYTES, bytes.len()))?;
    let version = word(header, 4);
    if version != 2 {
        return Err(Fault::Version { version: version.to_string() });
    }
    let length = word(header, 8) as usize;
    let body = bytes.get(..length).ok_or_else(|| truncated("the GLB header says the file", length, bytes.len()))?;
    let mut rest = body.get(HEADER_BYTES..).ok_or(Fault::Container("its length is less than its header"))?;

    let (kind, json) = next_chunk(&mut rest)?.ok_or(Fault::Container("it has no chunks"))?;
    if kind != JSON_CHUNK {
        return Err(Fault::Container("its first chunk is not JSON"));
    }
    // Chunks of unknown kinds are allowed after the first two, and have to be ignored.
    let binary = match next_chunk(&mut rest)? {
        Some((BINARY_CHUNK, binary)) => Some(binary),
        _ => None,
    };
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    Ok(Container { json: trim_padding(json), binary, trailing_bytes: bytes.len() - length })
}

/// Padding should be spaces; some writers leave zeros, which no JSON reader takes.
fn trim_padding(json: &[u8]) -> &[u8] {
    let end = json.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    &json[..end]
}

fn next_chunk<'a>(rest: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, Fault> {
    // Fewer bytes than a chunk header are padding.
    if rest.len() < CHUNK_HEADER_BYTES {
        return Ok(None);
    }
    let (header, after) = rest.split_at(CHUNK_HEADER_BYTES);
    let (length, kind) = (word(header, 0) as usize, word(header, 4));
    let what = match kind {
        JSON_CHUNK => "the JSON chunk",
        BINARY_CHUNK => "the binary chunk",
        _ => "a chunk",
    };
    let data = after.get(..length).ok_or_else(|| truncated(what, length, after.len()))?;
    *rest = &after[length..];
    Ok(Some((kind, data)))
}

fn truncated(what: &str, needs: usize, has: usize) -> Fault {
    Fault::Truncated { what: what.to_owned(), needs: needs as u64, has: has as u64 }
}

/// The little-endian word at `at` of a slice known to be long enough.
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(version: u32, length: u32, chunks: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = b"glTF".to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        for (kind, data) in chunks {
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(*data);
        }
        bytes
    }

    #[test]
    fn a_glb_gives_its_json_and_its_binary_chunk() {
        let bytes = glb(2, 36, &[(JSON_CHUNK, b"{}\0\0"), (BINARY_CHUNK, b"\x01\x02\x03\x04")]);
        let container = split(&bytes).unwrap();
        assert_eq!(container, Container { json: b"{}", binary: Some(&[1, 2, 3, 4]), trailing_bytes: 0 });
    }

    #[test]
    fn a_glb_shorter_than_its_header_says_is_truncated() {
        let bytes = glb(2, 37, &[(JSON_CHUNK, b"{}  "), (BINARY_CHUNK, b"\x01\x02\x03\x04")]);
        assert!(matches!(split(&bytes), Err(Fault::Truncated { needs: 37, has: 36, .. })));
    }

    #[test]
    fn a_chunk_longer_than_the_file_is_truncated() {
        let mut bytes = glb(2, 24, &[(JSON_CHUNK, b"{}  ")]);
        bytes[12] = 5;
        assert!(matches!(split(&bytes), Err(Fault::Truncated { needs: 5, has: 4, .. })));
    }

    #[test]
    fn a_length_below_the_header_is_refused() {
        assert!(matches!(split(&glb(2, 3, &[])), Err(Fault::Container(_))));
        assert!(matches!(split(&glb(2, 12, &[])), Err(Fault::Container(_))));
    }

    #[test]
    fn version_one_is_named() {
        assert!(matches!(split(&glb(1, 12, &[])), Err(Fault::Version { version }) if version == "1"));
    }

    #[test]
    fn unknown_chunks_after_the_json_are_skipped() {
        let bytes = glb(2, 36, &[(JSON_CHUNK, b"{}  "), (0x1234, b"\x01\x02\x03\x04")]);
        assert_eq!(split(&bytes).unwrap().binary, None);
    }

    #[test]
    fn what_is_not_gltf_is_named() {
        let fbx = split(b"Kaydara FBX Binary  \0").unwrap_err();
        assert_eq!(fbx.to_string(), "is a binary FBX file, not glTF 2.0");
        assert_eq!(split(b"").unwrap_err().to_string(), "is an empty file, not glTF 2.0");
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
        assert_eq!(split(pointer).unwrap_err().code(), "LFS_POINTER");
    }

    #[test]
    fn a_byte_order_mark_before_json_is_skipped() {
        assert_eq!(split(b"\xEF\xBB\xBF {}").unwrap().json, b" {}");
    }
}
