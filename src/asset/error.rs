//! Say why a file could not be loaded: which file, where in it, what is wrong and what to do.
//!
//! A fault here is fatal for one subject. What is merely off is a finding of the model instead.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::base::{Code, Finding};

use super::place::Place;

/// A file that could not be loaded.
#[derive(Debug)]
pub struct AssetError {
    /// The file that the study named.
    pub path: PathBuf,
    /// Where in it: a JSON pointer such as `/skins/0/joints/3`, `:line:column`, or empty.
    pub place: String,
    /// What is wrong.
    pub fault: Box<Fault>,
}

impl AssetError {
    pub(super) fn new(path: &Path, place: impl Into<String>, fault: Fault) -> Self {
        Self { path: path.to_owned(), place: place.into(), fault: Box::new(fault) }
    }

    pub(super) fn at(path: &Path, place: &Place<'_>, fault: Fault) -> Self {
        Self::new(path, place.to_string(), fault)
    }

    /// A stable name for the kind of fault.
    pub fn code(&self) -> Code {
        self.fault.code()
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        self.fault.hint()
    }

    /// The same as a finding of severity error, its cause within the message.
    pub fn finding(&self) -> Finding {
        let cause = std::error::Error::source(self).map(|cause| format!(": {cause}")).unwrap_or_default();
        let place = format!("{}{}", self.path.display(), self.place);
        let finding = Finding::error(self.code(), place, format!("{}{cause}", self.fault));
        match self.hint() {
            Some(hint) => finding.with_hint(hint),
            None => finding,
        }
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}: {}", self.path.display(), self.place, self.fault)
    }
}

impl std::error::Error for AssetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&*self.fault)
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The operating system refused.
    #[error("cannot be read")]
    Read(#[source] std::io::Error),
    /// It would take more than [`super::Limits`] grant.
    #[error("{what} would take {bytes} bytes, over the limit of {limit}")]
    TooLarge {
        /// What is too large.
        what: String,
        /// How large.
        bytes: u64,
        /// How large it may be.
        limit: u64,
    },
    /// A stand-in that Git leaves where large files were not fetched.
    #[error("{what} is a Git LFS pointer, not the file itself")]
    LfsPointer {
        /// Which file.
        what: String,
    },
    /// Neither binary nor JSON glTF.
    #[error("is {looks_like}, not glTF 2.0")]
    NotGltf {
        /// What it seems to be.
        looks_like: &'static str,
    },
    /// glTF of another major version.
    #[error("is glTF {version}; only 2.0 is read")]
    Version {
        /// As the file says.
        version: String,
    },
    /// The file ends before its header or chunks say.
    #[error("ends early: {what} needs {needs} bytes and {has} are there")]
    Truncated {
        /// Which part.
        what: String,
        /// Bytes it should have.
        needs: u64,
        /// Bytes that are there.
        has: u64,
    },
    /// A binary container whose chunks make no sense.
    #[error("is not a valid GLB container: {0}")]
    Container(&'static str),
    /// Not JSON, or not the shape that glTF asks for. The place gives line and column.
    #[error("is not valid glTF JSON: {0}")]
    Json(String),
    /// A file that the model refers to is not there.
    #[error("refers to {name:?}, which is not there")]
    MissingFile {
        /// As the model writes it, decoded.
        name: String,
        /// The name in that folder that is most like it.
        similar: Option<String>,
    },
    /// A file that the model refers to cannot be read.
    #[error("refers to {name:?}, which cannot be read")]
    ReadFile {
        /// As the model writes it, decoded.
        name: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A URI that cannot be followed.
    #[error("cannot follow the URI {uri:?}: {why}")]
    Uri {
        /// As written, shortened.
        uri: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An index past the end of its list.
    #[error("names {list} {index}, but the file has {count}")]
    NoSuch {
        /// What the list holds: node, accessor, ...
        list: &'static str,
        /// The index.
        index: usize,
        /// Entries in the list.
        count: usize,
    },
    /// A vertex index past the last vertex.
    #[error("index {index} names vertex {vertex}, but the primitive has {vertices}")]
    NoSuchVertex {
        /// Position in the index list.
        index: usize,
        /// The vertex it names.
        vertex: u32,
        /// Vertices of the primitive.
        vertices: usize,
    },
    /// A joint past the end of the skin's list, with weight on it.
    #[error("vertex {vertex} follows joint {joint}, but skin {skin} has {joints}")]
    NoSuchJoint {
        /// The vertex.
        vertex: usize,
        /// The joint it names.
        joint: u32,
        /// The skin of the node.
        skin: u32,
        /// Joints of that skin.
        joints: usize,
    },
    /// A node that is its own ancestor.
    #[error("node {node} is its own ancestor")]
    NodeCycle {
        /// The node.
        node: usize,
    },
    /// A node that is the child of two.
    #[error("node {node} is already a child of node {parent}")]
    TwoParents {
        /// The node.
        node: usize,
        /// Its first parent.
        parent: usize,
    },
    /// Data that lie outside their buffer or view.
    #[error("needs bytes up to {needs} of {what}, which has {has}")]
    OutOfBounds {
        /// The buffer or view.
        what: String,
        /// End of the data.
        needs: u64,
        /// End of the buffer or view.
        has: u64,
    },
    /// An accessor that is not of a kind that the use allows.
    #[error("is {is}; it has to be {wanted}")]
    AccessorKind {
        /// What the accessor holds.
        is: String,
        /// What is allowed there.
        wanted: &'static str,
    },
    /// Two lists that should be of one length.
    #[error("has {has} entries; {why} asks for {wanted}")]
    Count {
        /// Its length.
        has: usize,
        /// The length it should have.
        wanted: usize,
        /// What says so.
        why: &'static str,
    },
    /// NaN or an infinity where a number belongs.
    #[error("holds {count} values that are not finite, the first in entry {first}")]
    NotFinite {
        /// How many.
        count: usize,
        /// The first entry that holds one.
        first: usize,
    },
    /// Something that the specification requires is absent.
    #[error("has no {0}")]
    Absent(&'static str),
    /// An extension without which the file cannot be drawn.
    #[error("needs the extension {name}, which {what}")]
    Extension {
        /// Its name.
        name: String,
        /// What it does, as far as known.
        what: &'static str,
        /// A way out.
        way_out: &'static str,
    },
}

impl Fault {
    /// A stable name for the kind of fault.
    pub fn code(&self) -> Code {
        match self {
            Self::Read(_) | Self::ReadFile { .. } => "FILE_UNREADABLE",
            Self::TooLarge { .. } => "TOO_LARGE",
            Self::LfsPointer { .. } => "LFS_POINTER",
            Self::NotGltf { .. } => "NOT_GLTF",
            Self::Version { .. } => "GLTF_VERSION",
            Self::Truncated { .. } => "FILE_TRUNCATED",
            Self::Container(_) => "GLB_INVALID",
            Self::Json(_) => "JSON_INVALID",
            Self::MissingFile { .. } => "FILE_MISSING",
            Self::Uri { .. } => "URI_INVALID",
            Self::NoSuch { .. } => "INDEX_UNRESOLVED",
            Self::NoSuchVertex { .. } => "VERTEX_INDEX_OUT_OF_RANGE",
            Self::NoSuchJoint { .. } => "JOINT_INDEX_OUT_OF_RANGE",
            Self::NodeCycle { .. } => "NODE_CYCLE",
            Self::TwoParents { .. } => "NODE_TWO_PARENTS",
            Self::OutOfBounds { .. } => "DATA_OUT_OF_BOUNDS",
            Self::AccessorKind { .. } => "ACCESSOR_KIND",
            Self::Count { .. } => "COUNT_MISMATCH",
            Self::NotFinite { .. } => "NOT_FINITE",
            Self::Absent(_) => "REQUIRED_ABSENT",
            Self::Extension { .. } => "EXTENSION_UNSUPPORTED",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::LfsPointer { .. } => "run `git lfs pull` where the file was cloned".to_owned(),
            Self::NotGltf { .. } => "export the model as glTF 2.0 (.glb)".to_owned(),
            Self::Version { .. } => "convert the file to glTF 2.0, or export it again".to_owned(),
            Self::Truncated { .. } => "copy or download the file again".to_owned(),
            Self::MissingFile { similar: Some(similar), .. } => {
                format!("the folder has {similar:?}; names are case-sensitive")
            }
            Self::MissingFile { .. } => "put it beside the model, or export one .glb that holds everything".to_owned(),
            Self::Uri { .. } => "export one .glb that holds everything".to_owned(),
            Self::TooLarge { .. } => "if the file is meant to be this large, raise the limit".to_owned(),
            Self::NodeCycle { .. } | Self::TwoParents { .. } => {
                "a glTF scene is a tree: duplicate the node in the authoring tool and export again".to_owned()
            }
            Self::Extension { way_out, .. } => (*way_out).to_owned(),
            Self::Container(_)
            | Self::Json(_)
            | Self::NoSuch { .. }
            | Self::NoSuchVertex { .. }
            | Self::NoSuchJoint { .. }
            | Self::OutOfBounds { .. }
            | Self::AccessorKind { .. }
            | Self::Count { .. }
            | Self::NotFinite { .. }
            | Self::Absent(_) => {
                "the file is malformed: export it again, or see https://github.khronos.org/glTF-Validator".to_owned()
            }
            Self::Read(_) | Self::ReadFile { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_file_place_fault_and_way_out() {
        let fault = Fault::NoSuch { list: "node", index: 57, count: 12 };
        let error = AssetError::new(Path::new("knight.glb"), "/skins/0/joints/3", fault);
        assert_eq!(error.to_string(), "knight.glb/skins/0/joints/3: names node 57, but the file has 12");
        let finding = error.finding();
        assert_eq!((finding.code, finding.place.as_str()), ("INDEX_UNRESOLVED", "knight.glb/skins/0/joints/3"));
        assert!(finding.hint.is_some());
    }

    #[test]
    fn the_cause_is_a_source_and_not_part_of_the_text() {
        let fault = Fault::Read(std::io::Error::other("disk on fire"));
        let error = AssetError::new(Path::new("a.glb"), "", fault);
        assert_eq!(error.to_string(), "a.glb: cannot be read");
        assert!(error.finding().message.ends_with("cannot be read: disk on fire"));
    }
}
