//! Gather what is merely off in a file: one finding a kind and model, with a count and the first place.
//!
//! A character with ten thousand odd vertices gives one line, not ten thousand.

use std::path::Path;

use crate::base::{Code, Finding, Severity};

use super::place::Place;

/// A kind of finding. `{n}` in the text stands for the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) says: &'static str,
    pub(super) hint: Option<&'static str>,
}

const fn note(code: Code, says: &'static str) -> Kind {
    Kind { code, severity: Severity::Note, says, hint: None }
}

const fn warning(code: Code, says: &'static str) -> Kind {
    Kind { code, severity: Severity::Warning, says, hint: None }
}

const fn hinted(code: Code, says: &'static str, hint: &'static str) -> Kind {
    Kind { code, severity: Severity::Warning, says, hint: Some(hint) }
}

const EXPORT_AGAIN: &str = "export again, or see https://github.khronos.org/glTF-Validator";

// The document and its files.
pub(super) const TRAILING_BYTES: Kind = note("TRAILING_BYTES", "{n} bytes after the end of the container were ignored");
pub(super) const JSON_REPAIRED: Kind =
    hinted("JSON_REPAIRED", "the document breaks the schema of glTF and was mended", EXPORT_AGAIN);
pub(super) const BUFFER_SHORT: Kind =
    hinted("BUFFER_SHORT", "{n} buffers are shorter than they say; what is there was read", "copy the files again");
pub(super) const URI_BACKSLASH: Kind =
    warning("URI_BACKSLASH", "{n} URIs use backslashes, which only some readers take as folders");
pub(super) const SPARSE_ORDER: Kind =
    warning("SPARSE_ORDER", "{n} sparse accessors list indices that do not rise; later values won");

pub(super) const ACCESSOR_EMPTY: Kind =
    warning("ACCESSOR_EMPTY", "{n} accessors have no data, which the format reads as zeros");

// Extensions.
pub(super) const EXTENSION_NOT_HONOURED: Kind =
    warning("EXTENSION_NOT_HONOURED", "an extension that changes the picture was not honoured");
pub(super) const EXTENSION_IGNORED: Kind =
    note("EXTENSION_IGNORED", "an extension that changes no picture was not read");
pub(super) const EXTENSION_FALLBACK: Kind =
    note("EXTENSION_FALLBACK", "the plain data beside an extension were used, {n} times");
pub(super) const SPECULAR_GLOSSINESS: Kind =
    warning("SPECULAR_GLOSSINESS", "{n} specular-glossiness materials were approximated without their specular colour");

// Nodes and skins.
pub(super) const SCENE_CHILD_AS_ROOT: Kind =
    warning("SCENE_CHILD_AS_ROOT", "{n} scene entries are children of other nodes");
pub(super) const NO_SCENE: Kind = note("NO_SCENE", "the file has no scene; its {n} root nodes were taken");
pub(super) const ROTATION_NOT_UNIT: Kind = warning("ROTATION_NOT_UNIT", "{n} rotations were not of unit length");
pub(super) const MATRIX_ANIMATED: Kind =
    warning("MATRIX_ANIMATED", "{n} animated nodes hold a matrix, which was split into its parts");
pub(super) const JOINT_OUTSIDE_SCENE: Kind =
    warning("JOINT_OUTSIDE_SCENE", "{n} joints of drawn skins lie outside the scene");
pub(super) const SKIN_WITHOUT_INFLUENCES: Kind =
    warning("SKIN_WITHOUT_INFLUENCES", "{n} primitives of skinned nodes have no joint influences and were drawn rigid");
pub(super) const INFLUENCES_WITHOUT_SKIN: Kind =
    warning("INFLUENCES_WITHOUT_SKIN", "{n} nodes draw a mesh with joint influences but name no skin");
pub(super) const SKIN_WITHOUT_BIND: Kind =
    note("SKIN_WITHOUT_BIND", "{n} skins have no inverse bind matrices; identity was taken");
pub(super) const BIND_SURPLUS: Kind = warning("BIND_SURPLUS", "{n} inverse bind matrices too many were ignored");
pub(super) const BIND_NOT_AFFINE: Kind =
    warning("BIND_NOT_AFFINE", "{n} inverse bind matrices do not end in the row 0 0 0 1");
pub(super) const BIND_SINGULAR: Kind =
    warning("BIND_SINGULAR", "{n} inverse bind matrices are singular: what follows them collapses");
pub(super) const BIND_STRIDE: Kind =
    note("BIND_STRIDE", "{n} inverse bind accessors have a byte stride, which the format does not allow");

pub(super) const VISIBILITY_INVALID: Kind =
    warning("VISIBILITY_INVALID", "{n} nodes have a `visible` that is neither true nor false; they were shown");
pub(super) const MASK_UNKNOWN: Kind =
    hinted("MASK_UNKNOWN", "{n} nodes name a mask that there is not", "the masks of a node are \"face\" and \"eyes\"");
pub(super) const LEVEL_UNRESOLVED: Kind = warning(
    "LEVEL_UNRESOLVED",
    "{n} lists of lower levels name what is no node; the levels from there on were left out",
);
pub(super) const LEVEL_CYCLE: Kind = warning(
    "LEVEL_CYCLE",
    "{n} lower levels are above or below the node that lists them, or have levels of their own; they were left out",
);
pub(super) const LEVEL_SHARED: Kind =
    warning("LEVEL_SHARED", "{n} nodes are the lower level of two; the later was left out");
pub(super) const LEVEL_GAP: Kind =
    warning("LEVEL_GAP", "{n} names count levels with some left out; the finer level before stands in");
pub(super) const LEVELS_OF_MATERIAL: Kind =
    note("LEVELS_OF_MATERIAL", "{n} materials have levels of their own; the finest was taken");

// Meshes.
pub(super) const POINTS_AND_LINES: Kind = note("POINTS_AND_LINES", "{n} primitives of points or lines were left out");
pub(super) const INCOMPLETE_TRIANGLE: Kind =
    warning("INCOMPLETE_TRIANGLE", "{n} primitives end in an incomplete triangle, which was left out");
pub(super) const NO_TRIANGLES: Kind = note("NO_TRIANGLES", "{n} primitives have no triangles and were left out");
pub(super) const NO_POSITIONS: Kind = warning("NO_POSITIONS", "{n} primitives have no positions and were left out");
pub(super) const FLAT_NORMALS: Kind = note("FLAT_NORMALS", "{n} primitives have no normals; flat ones were made");
pub(super) const NORMALS_MENDED: Kind =
    warning("NORMALS_MENDED", "{n} normals were zero or not finite; the faces' own were taken");
pub(super) const TANGENTS_MENDED: Kind =
    warning("TANGENTS_MENDED", "{n} primitives had tangents that were zero or not finite; they were made anew");
pub(super) const ATTRIBUTE_NOT_FINITE: Kind =
    warning("ATTRIBUTE_NOT_FINITE", "{n} vertex attribute values were not finite; 0 was taken");
pub(super) const UVS_MISSING: Kind = hinted(
    "UVS_MISSING",
    "{n} textured primitives lack the texture coordinates that their material names",
    "unwrap the mesh, or take the texture off the material",
);
pub(super) const MORPHS_UNEVEN: Kind =
    warning("MORPHS_UNEVEN", "{n} primitives have fewer morph targets than their mesh; the missing ones move nothing");
pub(super) const MORPH_WEIGHTS_COUNT: Kind =
    warning("MORPH_WEIGHTS_COUNT", "{n} lists of default morph weights are not as long as the targets");

// Influences.
pub(super) const WEIGHTS_NOT_NORMALISED: Kind =
    warning("WEIGHTS_NOT_NORMALISED", "the weights of {n} vertices do not sum to 1 and were scaled");
pub(super) const WEIGHTS_ZERO: Kind = hinted(
    "WEIGHTS_ZERO",
    "{n} vertices follow no joint; each was given to the first joint that it lists",
    "weight every vertex in the authoring tool",
);
pub(super) const WEIGHTS_INVALID: Kind =
    warning("WEIGHTS_INVALID", "{n} weights were negative or not finite; 0 was taken");
pub(super) const INFLUENCES_UNPAIRED: Kind =
    warning("INFLUENCES_UNPAIRED", "{n} sets of joints or weights have no partner and were ignored");

// Materials.
pub(super) const TEXTURE_UNREADABLE: Kind =
    warning("TEXTURE_UNREADABLE", "{n} images cannot be read; what they cover was drawn untextured");
pub(super) const TEXTURE_LFS_POINTER: Kind = hinted(
    "TEXTURE_LFS_POINTER",
    "{n} images are Git LFS pointers; what they cover was drawn untextured",
    "run `git lfs pull` where the file was cloned",
);
pub(super) const TEXTURE_MISSING: Kind = hinted(
    "TEXTURE_MISSING",
    "{n} image files are not there; what they cover was drawn untextured",
    "put them beside the model; names are case-sensitive",
);
pub(super) const TEXTURE_EMPTY: Kind = warning("TEXTURE_EMPTY", "{n} textures name no image");
pub(super) const UV_SET_UNREAD: Kind =
    warning("UV_SET_UNREAD", "{n} textures read a third or later set of coordinates and were left out");
pub(super) const MATERIAL_VALUE: Kind =
    warning("MATERIAL_VALUE", "{n} material values are not finite or of no known kind; the default was taken");

// Clips.
pub(super) const CHANNEL_WITHOUT_NODE: Kind =
    note("CHANNEL_WITHOUT_NODE", "{n} channels name no node and were left out");
pub(super) const CHANNEL_UNKNOWN: Kind =
    warning("CHANNEL_UNKNOWN", "{n} channels animate something unknown and were left out");
pub(super) const CHANNEL_DUPLICATE: Kind =
    warning("CHANNEL_DUPLICATE", "{n} channels animate what an earlier one does and were left out");
pub(super) const CHANNEL_NOT_FINITE: Kind =
    warning("CHANNEL_NOT_FINITE", "{n} channels hold values that are not finite and were left out");
pub(super) const CHANNEL_NO_MORPHS: Kind =
    warning("CHANNEL_NO_MORPHS", "{n} channels animate morph weights of nodes without morph targets and were left out");
pub(super) const KEYS_NOT_RISING: Kind =
    warning("KEYS_NOT_RISING", "{n} keys are no later than the one before and were left out");
pub(super) const KEYS_SURPLUS: Kind = warning("KEYS_SURPLUS", "{n} channels have more values than keys");

// VRM.
pub(super) const HUMANOID_INVALID: Kind =
    warning("HUMANOID_INVALID", "{n} humanoid bones of the VRM extension name no node of the file");

#[derive(Debug)]
struct Entry {
    kind: Kind,
    place: String,
    count: u64,
    detail: String,
    others: u64,
}

/// The findings of one model so far, in the order in which each kind was first seen.
#[derive(Debug, Default)]
pub(super) struct Notices {
    entries: Vec<Entry>,
}

impl Notices {
    /// Counts one more of `kind`.
    pub(super) fn add(&mut self, kind: Kind, place: &Place<'_>) {
        self.count(kind, place, 1);
    }

    /// Counts `count` more of `kind`; none is no finding.
    pub(super) fn count(&mut self, kind: Kind, place: &Place<'_>, count: usize) {
        self.put(kind, place, count as u64, String::new);
    }

    /// Counts one more of `kind`; the detail of the first is shown.
    pub(super) fn detail(&mut self, kind: Kind, place: &Place<'_>, detail: impl Into<String>) {
        self.put(kind, place, 1, || detail.into());
    }

    /// A finding of its own for each `detail`, such as the name of an extension.
    pub(super) fn each(&mut self, kind: Kind, place: &Place<'_>, detail: impl Into<String>) {
        let detail = detail.into();
        if !self.entries.iter().any(|entry| entry.kind == kind && entry.detail == detail) {
            self.entries.push(Entry { kind, place: place.to_string(), count: 1, detail, others: 0 });
        }
    }

    fn put(&mut self, kind: Kind, place: &Place<'_>, count: u64, detail: impl FnOnce() -> String) {
        if count == 0 {
            return;
        }
        match self.entries.iter_mut().find(|entry| entry.kind == kind) {
            Some(entry) => {
                entry.count += count;
                entry.others += 1;
            }
            None => self.entries.push(Entry { kind, place: place.to_string(), count, detail: detail(), others: 0 }),
        }
    }

    /// The findings, their places within `path`.
    pub(super) fn into_findings(self, path: &Path) -> Vec<Finding> {
        self.entries.into_iter().map(|entry| entry.into_finding(path)).collect()
    }
}

impl Entry {
    fn into_finding(self, path: &Path) -> Finding {
        let mut message = self.kind.says.replace("{n}", &self.count.to_string());
        if !self.detail.is_empty() {
            message.push_str(": ");
            message.push_str(&self.detail);
            if self.others > 0 {
                message.push_str(&format!(", and {} more", self.others));
            }
        }
        let place = format!("{}{}", path.display(), self.place);
        let finding = Finding::new(self.kind.severity, self.kind.code, place, message);
        match self.kind.hint {
            Some(hint) => finding.with_hint(hint),
            None => finding,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::place::ROOT;
    use super::*;

    #[test]
    fn a_kind_is_one_finding_with_a_count_and_its_first_place() {
        let mut notices = Notices::default();
        let meshes = ROOT.field("meshes");
        notices.count(WEIGHTS_ZERO, &meshes.index(0), 3);
        notices.count(WEIGHTS_ZERO, &meshes.index(7), 4);
        notices.count(WEIGHTS_INVALID, &meshes.index(8), 0);
        let findings = notices.into_findings(Path::new("a.glb"));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].place, "a.glb/meshes/0");
        assert!(findings[0].message.starts_with("7 vertices follow no joint"));
    }

    #[test]
    fn each_extension_is_a_finding_of_its_own_once() {
        let mut notices = Notices::default();
        for name in ["A_x", "B_y", "A_x"] {
            notices.each(EXTENSION_NOT_HONOURED, &ROOT, name);
        }
        let findings = notices.into_findings(Path::new("a.glb"));
        assert_eq!(findings.iter().filter(|finding| finding.message.ends_with("A_x")).count(), 1);
        assert_eq!(findings.len(), 2);
    }

    #[test]
    fn the_first_detail_stands_for_the_rest() {
        let mut notices = Notices::default();
        notices.detail(TEXTURE_MISSING, &ROOT, "a.png");
        notices.detail(TEXTURE_MISSING, &ROOT, "b.png");
        let finding = &notices.into_findings(Path::new("a.glb"))[0];
        assert!(finding.message.ends_with("untextured: a.png, and 1 more"), "{}", finding.message);
        assert!(finding.message.starts_with("2 image files"));
    }
}
