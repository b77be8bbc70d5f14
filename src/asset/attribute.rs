//! Read the attributes of a primitive, and hold lists to what every reader relies on: one entry a vertex,
//! every number finite.

use glam::{Vec2, Vec4};
use gltf::json;
use json::Index;
use json::mesh::Semantic;
use json::validation::Checked;

use super::accessor::Integers;
use super::document::Document;
use super::error::{AssetError, Fault};
use super::notice::{self, Notices};
use super::place::Place;

/// The attributes of one primitive.
pub(super) struct Attributes<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) primitive: &'d json::mesh::Primitive,
    pub(super) place: &'d Place<'d>,
}

impl Attributes<'_> {
    fn accessor(&self, semantic: Semantic) -> Option<Index<json::Accessor>> {
        self.primitive.attributes.get(&Checked::Valid(semantic)).copied()
    }

    /// Reads an attribute, of `count` vertices where the count is known.
    pub(super) fn read<const N: usize>(
        &self,
        semantic: Semantic,
        name: &str,
        count: Option<usize>,
        notices: &mut Notices,
    ) -> Result<Option<Vec<[f32; N]>>, AssetError> {
        let Some(accessor) = self.accessor(semantic) else { return Ok(None) };
        let place = self.place.field(name);
        let list = self.document.floats::<N>(accessor, Integers::AsMarked, &place, notices)?;
        if let Some(count) = count {
            require_count(self.document, list.len(), count, &place)?;
        }
        Ok(Some(list))
    }

    /// `TEXCOORD_0` or `TEXCOORD_1`; empty where absent.
    pub(super) fn read_uvs(&self, set: u32, count: usize, notices: &mut Notices) -> Result<Vec<Vec2>, AssetError> {
        let name = if set == 0 { "TEXCOORD_0" } else { "TEXCOORD_1" };
        let mut list = self.read::<2>(Semantic::TexCoords(set), name, Some(count), notices)?.unwrap_or_default();
        finite_or_zero(&mut list, &self.place.field(name), notices);
        Ok(list.into_iter().map(Vec2::from_array).collect())
    }

    /// `COLOR_0`, empty where absent, with alpha 1 where the file stores three parts.
    pub(super) fn read_colours(&self, count: usize, notices: &mut Notices) -> Result<Vec<Vec4>, AssetError> {
        let Some(accessor) = self.accessor(Semantic::Colors(0)) else { return Ok(Vec::new()) };
        let place = self.place.field("COLOR_0");
        let kind = self.document.resolve(&self.document.root.accessors, accessor, "accessor", &place)?.type_;
        let mut list = if kind == Checked::Valid(json::accessor::Type::Vec3) {
            let list = self.document.floats::<3>(accessor, Integers::Normalised, &place, notices)?;
            list.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
        } else {
            self.document.floats::<4>(accessor, Integers::Normalised, &place, notices)?
        };
        require_count(self.document, list.len(), count, &place)?;
        finite_or_zero(&mut list, &place, notices);
        Ok(list.into_iter().map(Vec4::from_array).collect())
    }
}

/// Refuses a list that is not one a vertex.
pub(super) fn require_count(
    document: &Document<'_>,
    has: usize,
    wanted: usize,
    place: &Place<'_>,
) -> Result<(), AssetError> {
    if has == wanted {
        return Ok(());
    }
    Err(document.fail(place, Fault::Count { has, wanted, why: "one a vertex" }))
}

/// Refuses NaN and infinities.
pub(super) fn require_finite<const N: usize>(
    document: &Document<'_>,
    list: &[[f32; N]],
    place: &Place<'_>,
) -> Result<(), AssetError> {
    let is_bad = |entry: &[f32; N]| entry.iter().any(|value| !value.is_finite());
    match list.iter().position(is_bad) {
        Some(first) => {
            let count = list.iter().flatten().filter(|value| !value.is_finite()).count();
            Err(document.fail(place, Fault::NotFinite { count, first }))
        }
        None => Ok(()),
    }
}

/// Takes 0 for what is not finite, and counts it.
pub(super) fn finite_or_zero<const N: usize>(list: &mut [[f32; N]], place: &Place<'_>, notices: &mut Notices) {
    let bad = list.iter_mut().flatten().filter(|value| !value.is_finite());
    let count = bad.map(|value| *value = 0.0).count();
    notices.count(notice::ATTRIBUTE_NOT_FINITE, place, count);
}
