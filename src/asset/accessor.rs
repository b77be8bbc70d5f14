//! Read accessors into lists, every byte bounds-checked, in one pass a list.
//!
//! Reads: a document's accessors, views and buffers. Pure but for the budget it takes from.
//! Sparse accessors, strides, views of zeros and every component type go through here and nowhere else.
//!
//! Source: glTF 2.0 specification, section 3.6.2, "Accessors".

use gltf::json;
use json::Index;
use json::accessor::{ComponentType, Type};
use json::validation::Checked;

use super::component::{Layout, components, describe, floats_of, integers_of};
use super::document::Document;
use super::error::{AssetError, Fault};
use super::extension;
use super::notice::{self, Notices};
use super::place::{Place, ROOT};

/// How integers become numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integers {
    /// As the accessor's `normalized` says.
    AsMarked,
    /// Normalised whatever the accessor says: the property has no other meaning.
    Normalised,
}

impl Document<'_> {
    /// Entries of an accessor, by what its JSON says.
    pub(super) fn accessor_count(&self, index: Index<json::Accessor>, place: &Place<'_>) -> Result<usize, AssetError> {
        let accessor = self.resolve(&self.root.accessors, index, "accessor", place)?;
        usize::try_from(accessor.count.0).map_err(|_| self.too_many(place, accessor.count.0))
    }

    /// Reads an accessor of `N` components an element as floats.
    pub(super) fn floats<const N: usize>(
        &self,
        index: Index<json::Accessor>,
        integers: Integers,
        place: &Place<'_>,
        notices: &mut Notices,
    ) -> Result<Vec<[f32; N]>, AssetError> {
        let layout = self.layout(index, place)?;
        self.require_components(&layout, N, place)?;
        let normalised = layout.normalised || integers == Integers::Normalised;
        let mut list = floats_of(&layout, normalised);
        self.patch(index, &layout, &mut list, |layout| floats_of(layout, normalised), place, notices)?;
        Ok(list)
    }

    /// Reads an accessor of `N` components an element as integers; floats are refused.
    pub(super) fn integers<const N: usize>(
        &self,
        index: Index<json::Accessor>,
        place: &Place<'_>,
        notices: &mut Notices,
    ) -> Result<Vec<[u32; N]>, AssetError> {
        let layout = self.layout(index, place)?;
        self.require_components(&layout, N, place)?;
        if !matches!(layout.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32) {
            let is = describe(layout.kind, layout.component);
            return Err(self.fail(place, Fault::AccessorKind { is, wanted: "of unsigned integers" }));
        }
        let mut list = integers_of(&layout);
        self.patch(index, &layout, &mut list, integers_of, place, notices)?;
        Ok(list)
    }

    /// Whether an accessor holds 32-bit floats.
    pub(super) fn holds_floats(&self, index: Index<json::Accessor>) -> bool {
        let accessor = self.root.accessors.get(index.value());
        accessor.is_some_and(|accessor| {
            matches!(accessor.component_type, Checked::Valid(json::accessor::GenericComponentType(ComponentType::F32)))
        })
    }

    /// Whether the view of an accessor sets a byte stride.
    pub(super) fn has_stride(&self, index: Index<json::Accessor>) -> bool {
        let accessor = self.root.accessors.get(index.value());
        let view = accessor.and_then(|accessor| accessor.buffer_view);
        view.and_then(|view| self.root.buffer_views.get(view.value())).is_some_and(|view| view.byte_stride.is_some())
    }

    /// The bytes of a whole view; `place` is where the view is named.
    pub(super) fn view_bytes(&self, index: Index<json::buffer::View>, place: &Place<'_>) -> Result<&[u8], AssetError> {
        let view = self.resolve(&self.root.buffer_views, index, "buffer view", place)?;
        let list = ROOT.field("bufferViews");
        let at_view = list.index(index.value());
        let buffer = self.buffer(view.buffer, &at_view.field("buffer"))?;
        let Some(buffer) = buffer else {
            // Of compressed views, the plain data are in a buffer that may be left out.
            return Err(match extension::compression(view) {
                Some(name) => self.fail(&at_view, extension::undecodable(name)),
                None => {
                    self.fail(&at_view.field("buffer"), Fault::Absent("data: its buffer has neither URI nor chunk"))
                }
            });
        };
        let start = view.byte_offset.unwrap_or_default().0;
        let end = start.saturating_add(view.byte_length.0);
        // A view may reach past a buffer that was cut short, as long as nobody reads there.
        let held = end.min(buffer.len() as u64);
        if start > held {
            let what = format!("buffer {}", view.buffer.value());
            return Err(self.fail(&at_view, Fault::OutOfBounds { what, needs: end, has: buffer.len() as u64 }));
        }
        Ok(&buffer[start as usize..held as usize])
    }

    fn too_many(&self, place: &Place<'_>, count: u64) -> AssetError {
        let what = format!("an accessor of {count} elements");
        self.fail(place, Fault::TooLarge { what, bytes: u64::MAX, limit: self.limits.decoded_bytes })
    }

    fn layout(&self, index: Index<json::Accessor>, place: &Place<'_>) -> Result<Layout<'_>, AssetError> {
        let accessor = self.resolve(&self.root.accessors, index, "accessor", place)?;
        let list = ROOT.field("accessors");
        let at_accessor = list.index(index.value());
        let (Checked::Valid(kind), Checked::Valid(component)) = (accessor.type_, accessor.component_type) else {
            let is = "of an unknown type".to_owned();
            return Err(self.fail(&at_accessor, Fault::AccessorKind { is, wanted: "one of the types of glTF 2.0" }));
        };
        let (kind, component) = (kind, component.0);
        let element = components(kind) * component.size();
        self.budget.take(accessor.count.0, 4 * components(kind)).map_err(|fault| self.fail(&at_accessor, fault))?;
        let count = usize::try_from(accessor.count.0).map_err(|_| self.too_many(place, accessor.count.0))?;
        let mut layout =
            Layout { count, kind, component, normalised: accessor.normalized, bytes: None, stride: element };
        if let Some(view) = accessor.buffer_view {
            let stride = self.root.buffer_views.get(view.value()).and_then(|view| view.byte_stride);
            // A stride below the element's size would overlap elements: no writer means that.
            layout.stride = stride.map_or(element, |stride| stride.0.max(element));
            let offset = accessor.byte_offset.unwrap_or_default().0;
            layout.bytes = Some(self.slice(view, offset, &layout, &at_accessor)?);
        }
        Ok(layout)
    }

    /// The bytes that `layout` covers from `offset` into a view.
    fn slice(
        &self,
        view: Index<json::buffer::View>,
        offset: u64,
        layout: &Layout<'_>,
        place: &Place<'_>,
    ) -> Result<&[u8], AssetError> {
        let bytes = self.view_bytes(view, &place.field("bufferView"))?;
        let element = (components(layout.kind) * layout.component.size()) as u64;
        let span = (layout.count as u64)
            .checked_sub(1)
            .map_or(Some(0), |steps| steps.checked_mul(layout.stride as u64)?.checked_add(element));
        let end = span.and_then(|span| offset.checked_add(span)).unwrap_or(u64::MAX);
        if end > bytes.len() as u64 {
            let what = format!("buffer view {}", view.value());
            return Err(self.fail(place, Fault::OutOfBounds { what, needs: end, has: bytes.len() as u64 }));
        }
        Ok(&bytes[offset as usize..end as usize])
    }

    fn require_components(&self, layout: &Layout<'_>, wanted: usize, place: &Place<'_>) -> Result<(), AssetError> {
        let (kind, wanted) = match wanted {
            1 => (Type::Scalar, "SCALAR"),
            2 => (Type::Vec2, "VEC2"),
            3 => (Type::Vec3, "VEC3"),
            4 => (Type::Vec4, "VEC4"),
            _ => (Type::Mat4, "MAT4"),
        };
        if layout.kind == kind {
            return Ok(());
        }
        let is = describe(layout.kind, layout.component);
        Err(self.fail(place, Fault::AccessorKind { is, wanted }))
    }

    /// Overwrites the elements that a sparse accessor lists.
    fn patch<T: Copy>(
        &self,
        index: Index<json::Accessor>,
        layout: &Layout<'_>,
        list: &mut [T],
        read: impl Fn(&Layout<'_>) -> Vec<T>,
        place: &Place<'_>,
        notices: &mut Notices,
    ) -> Result<(), AssetError> {
        let accessor = self.resolve(&self.root.accessors, index, "accessor", place)?;
        let accessors = ROOT.field("accessors");
        let at_accessor = accessors.index(index.value());
        let Some(sparse) = &accessor.sparse else {
            notices.count(notice::ACCESSOR_EMPTY, &at_accessor, usize::from(layout.bytes.is_none()));
            return Ok(());
        };
        let at_sparse = at_accessor.field("sparse");
        self.budget.take(sparse.count.0, 4 + size_of::<T>()).map_err(|fault| self.fail(&at_sparse, fault))?;
        let count = usize::try_from(sparse.count.0).map_err(|_| self.too_many(place, sparse.count.0))?;

        let at_indices = at_sparse.field("indices");
        let Checked::Valid(component) = sparse.indices.component_type else {
            let is = "of an unknown type".to_owned();
            return Err(self.fail(&at_indices, Fault::AccessorKind { is, wanted: "of unsigned integers" }));
        };
        let packed = |kind, component: ComponentType| Layout {
            count,
            kind,
            component,
            normalised: layout.normalised,
            bytes: None,
            stride: components(kind) * component.size(),
        };
        let mut targets = packed(Type::Scalar, component.0);
        targets.bytes =
            Some(self.slice(sparse.indices.buffer_view, sparse.indices.byte_offset.0, &targets, &at_indices)?);
        let targets: Vec<[u32; 1]> = integers_of(&targets);
        let mut values = packed(layout.kind, layout.component);
        let at_values = at_sparse.field("values");
        values.bytes = Some(self.slice(sparse.values.buffer_view, sparse.values.byte_offset.0, &values, &at_values)?);

        for ([target], value) in targets.iter().zip(read(&values)) {
            let count = list.len();
            let missing = || self.fail(&at_indices, Fault::NoSuch { list: "element", index: *target as usize, count });
            *list.get_mut(*target as usize).ok_or_else(missing)? = value;
        }
        if !targets.is_sorted_by(|[a], [b]| a < b) {
            notices.add(notice::SPARSE_ORDER, &at_indices);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sample::{F32, I8, I16, Sample, U8, U16, U32, bytes_of, shorts};
    use super::*;

    /// Reads accessor 0 of a sample as vectors of two.
    fn pairs(sample: &Sample) -> Result<Vec<[f32; 2]>, AssetError> {
        let glb = sample.glb();
        let container = super::super::container::split(&glb).unwrap();
        let limits = super::super::limits::Limits::default();
        let mut notices = Notices::default();
        let document = Document::open(std::path::Path::new("sample.glb"), &container, &limits, &mut notices)?;
        document.floats(Index::new(0), Integers::AsMarked, &ROOT, &mut notices)
    }

    fn one(component: u32, normalised: bool, bytes: &[u8]) -> Vec<[f32; 2]> {
        let mut sample = Sample::empty();
        sample.data(component, "VEC2", bytes);
        sample.json["accessors"][0]["normalized"] = normalised.into();
        pairs(&sample).unwrap()
    }

    /// Specification, section 3.11: c / 255, max(c / 127, -1), c / 65535, max(c / 32767, -1).
    #[test]
    fn every_component_type_reads_plain_and_normalised() {
        assert_eq!(one(U8, true, &[255, 51]), [[1.0, 0.2]]);
        assert_eq!(one(U8, false, &[255, 51]), [[255.0, 51.0]]);
        assert_eq!(one(I8, true, &[127, 0x80]), [[1.0, -1.0]]);
        assert_eq!(one(I8, false, &[127, 0x80]), [[127.0, -128.0]]);
        assert_eq!(one(U16, true, &shorts(&[65_535, 13_107])), [[1.0, 0.2]]);
        assert_eq!(one(U16, false, &shorts(&[65_535, 1])), [[65_535.0, 1.0]]);
        assert_eq!(one(I16, true, &shorts(&[32_767, 0x8000])), [[1.0, -1.0]]);
        assert_eq!(one(I16, false, &shorts(&[1, 0xFFFF])), [[1.0, -1.0]]);
        assert_eq!(one(U32, false, &[1, 0, 0, 0, 0, 1, 0, 0]), [[1.0, 256.0]]);
        assert_eq!(one(F32, false, &bytes_of(&[0.1, -7.5])), [[0.1, -7.5]]);
    }

    #[test]
    fn strides_and_offsets_pick_the_right_bytes() {
        let mut sample = Sample::empty();
        let view = sample.view(&[9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 5, 6]);
        sample.json["bufferViews"][view]["byteStride"] = 4.into();
        sample.push(
            "accessors",
            json!({"bufferView": view, "byteOffset": 4, "componentType": U8, "count": 3, "type": "VEC2"}),
        );
        assert_eq!(pairs(&sample).unwrap(), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        sample.json["accessors"][0]["count"] = 4.into();
        assert_eq!(pairs(&sample).unwrap_err().code(), "DATA_OUT_OF_BOUNDS");
    }

    /// A sparse accessor of three elements that replaces the last two.
    fn sparse(with_base: bool) -> Sample {
        let mut sample = Sample::empty();
        sample.floats("VEC2", &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
        let indices = sample.view(&[1, 2]);
        let values = sample.view(&bytes_of(&[8.0, 9.0, 6.0, 7.0]));
        let accessor = &mut sample.json["accessors"][0];
        accessor["sparse"] = json!({"count": 2, "indices": {"bufferView": indices, "componentType": U8},
            "values": {"bufferView": values}});
        if !with_base {
            accessor.as_object_mut().unwrap().remove("bufferView");
        }
        sample
    }

    #[test]
    fn sparse_values_replace_what_the_view_or_zeros_give() {
        assert_eq!(pairs(&sparse(true)).unwrap(), [[1.0, 1.0], [8.0, 9.0], [6.0, 7.0]]);
        assert_eq!(pairs(&sparse(false)).unwrap(), [[0.0, 0.0], [8.0, 9.0], [6.0, 7.0]]);
    }

    #[test]
    fn sparse_indices_past_the_end_are_refused() {
        let mut sample = sparse(true);
        sample.json["accessors"][0]["count"] = 2.into();
        let error = pairs(&sample).unwrap_err();
        assert_eq!((error.code(), error.place.as_str()), ("INDEX_UNRESOLVED", "/accessors/0/sparse/indices"));
    }

    #[test]
    fn counts_and_offsets_that_no_memory_holds_are_refused() {
        for (count, offset) in [(u64::MAX, 0), (1 << 40, 0), (3, u64::MAX), (3, u64::MAX - 8)] {
            for with_base in [true, false] {
                let mut sample = sparse(with_base);
                sample.json["accessors"][0]["count"] = count.into();
                sample.json["accessors"][0]["byteOffset"] = offset.into();
                let refused = pairs(&sample);
                // Without a view the offset means nothing.
                assert_eq!(refused.is_err(), with_base || count > 3, "{count} {offset} {with_base}");
            }
        }
        let mut sample = sparse(true);
        sample.json["bufferViews"][0]["byteOffset"] = u64::MAX.into();
        assert_eq!(pairs(&sample).unwrap_err().code(), "DATA_OUT_OF_BOUNDS");
    }

    #[test]
    fn another_kind_than_wanted_says_what_it_is() {
        let mut sample = Sample::empty();
        sample.data(U16, "VEC3", &shorts(&[1, 2, 3]));
        let error = pairs(&sample).unwrap_err();
        assert_eq!(error.fault.to_string(), "is vec3 of u16; it has to be VEC2");
    }

    #[test]
    fn a_buffer_cut_short_is_read_as_far_as_it_goes() {
        let mut sample = Sample::empty();
        sample.floats("VEC2", &[1.0, 2.0]);
        sample.json["bufferViews"][0]["byteLength"] = 800.into();
        assert_eq!(pairs(&sample).unwrap(), [[1.0, 2.0]]);
        sample.json["accessors"][0]["count"] = 100.into();
        assert_eq!(pairs(&sample).unwrap_err().code(), "DATA_OUT_OF_BOUNDS");
    }
}
