//! Name a place in a glTF document as a JSON pointer, at no cost until it is written out.
//!
//! Pure. A place borrows its parent, so that reading ten thousand accessors allocates no names; only an
//! error or a finding turns one into text.

use std::fmt;

/// A value in the document, such as `/skins/0/joints/3`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    /// The document itself.
    Root,
    Field(&'a str),
    /// A field whose name carries a number, such as `JOINTS_1`.
    Numbered(&'a str, u32),
    Index(usize),
}

/// The document as a whole.
pub(super) const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

impl<'a> Place<'a> {
    /// The member `name` of this object.
    pub(super) fn field(&'a self, name: &'a str) -> Place<'a> {
        Place { parent: Some(self), step: Step::Field(name) }
    }

    /// The member `name` followed by `number`.
    pub(super) fn numbered(&'a self, name: &'a str, number: u32) -> Place<'a> {
        Place { parent: Some(self), step: Step::Numbered(name, number) }
    }

    /// The entry `at` of this array.
    pub(super) fn index(&'a self, at: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Index(at) }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            // RFC 6901: `~` and `/` inside a name are escaped.
            Step::Field(name) => write!(f, "/{}", name.replace('~', "~0").replace('/', "~1")),
            Step::Numbered(name, number) => write!(f, "/{name}{number}"),
            Step::Index(at) => write!(f, "/{at}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_as_a_json_pointer() {
        let skins = ROOT.field("skins");
        let skin = skins.index(0);
        let joints = skin.field("joints");
        assert_eq!(joints.index(3).to_string(), "/skins/0/joints/3");
        assert_eq!(skin.numbered("JOINTS_", 1).to_string(), "/skins/0/JOINTS_1");
        assert_eq!(ROOT.to_string(), "");
    }

    /// RFC 6901, section 5: the key `a/b` is written `/a~1b`, the key `m~n` `/m~0n`.
    #[test]
    fn slashes_and_tildes_in_names_are_escaped() {
        assert_eq!(ROOT.field("a/b").to_string(), "/a~1b");
        assert_eq!(ROOT.field("m~n").to_string(), "/m~0n");
    }
}
