//! Turn the bytes of an accessor's elements into numbers, a whole list at a time.
//!
//! Pure. The bytes are known to cover every element; where they lie, `accessor` has found out.

use gltf::json;
use json::accessor::{ComponentType, Type};

/// Where the elements of an accessor lie.
pub(super) struct Layout<'d> {
    pub(super) count: usize,
    pub(super) kind: Type,
    pub(super) component: ComponentType,
    pub(super) normalised: bool,
    /// From the first element to the last; `None` means zeros.
    pub(super) bytes: Option<&'d [u8]>,
    pub(super) stride: usize,
}

/// Components of an element.
pub(super) fn components(kind: Type) -> usize {
    match kind {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    }
}

/// What an accessor holds, for messages: `vec3 of u16`.
pub(super) fn describe(kind: Type, component: ComponentType) -> String {
    let kind = match kind {
        Type::Scalar => "SCALAR",
        Type::Vec2 => "VEC2",
        Type::Vec3 => "VEC3",
        Type::Vec4 => "VEC4",
        Type::Mat2 => "MAT2",
        Type::Mat3 => "MAT3",
        Type::Mat4 => "MAT4",
    };
    format!("{kind} of {component:?}").to_lowercase()
}

/// Reads every element through `read`, which turns the bytes of one component into a value.
fn elements<T: Copy + Default, const SIZE: usize, const N: usize>(
    layout: &Layout<'_>,
    read: impl Fn([u8; SIZE]) -> T,
) -> Vec<[T; N]> {
    let Some(bytes) = layout.bytes else { return vec![[T::default(); N]; layout.count] };
    let element = |bytes: &[u8]| {
        let mut values = [T::default(); N];
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<SIZE>().0) {
            *value = read(*bytes);
        }
        values
    };
    if layout.stride == SIZE * N {
        // Packed elements: chunks of a size the compiler knows.
        return bytes.chunks_exact(SIZE * N).map(element).collect();
    }
    (0..layout.count).map(|at| element(&bytes[at * layout.stride..][..SIZE * N])).collect()
}

/// Every element as floats. How normalised integers map: specification, section 3.11.
pub(super) fn floats_of<const N: usize>(layout: &Layout<'_>, normalised: bool) -> Vec<[f32; N]> {
    match (layout.component, normalised) {
        (ComponentType::F32, _) => elements(layout, f32::from_le_bytes),
        (ComponentType::U8, true) => elements(layout, |[byte]| f32::from(byte) / 255.0),
        (ComponentType::U8, false) => elements(layout, |[byte]| f32::from(byte)),
        (ComponentType::I8, true) => elements(layout, |[byte]| (f32::from(byte as i8) / 127.0).max(-1.0)),
        (ComponentType::I8, false) => elements(layout, |[byte]| f32::from(byte as i8)),
        (ComponentType::U16, true) => elements(layout, |bytes| f32::from(u16::from_le_bytes(bytes)) / 65_535.0),
        (ComponentType::U16, false) => elements(layout, |bytes| f32::from(u16::from_le_bytes(bytes))),
        (ComponentType::I16, true) => {
            elements(layout, |bytes| (f32::from(i16::from_le_bytes(bytes)) / 32_767.0).max(-1.0))
        }
        (ComponentType::I16, false) => elements(layout, |bytes| f32::from(i16::from_le_bytes(bytes))),
        (ComponentType::U32, true) => {
            elements(layout, |bytes| (f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX)) as f32)
        }
        (ComponentType::U32, false) => elements(layout, |bytes| u32::from_le_bytes(bytes) as f32),
    }
}

/// Every element as unsigned integers; the caller has checked that it holds such.
pub(super) fn integers_of<const N: usize>(layout: &Layout<'_>) -> Vec<[u32; N]> {
    match layout.component {
        ComponentType::U8 => elements(layout, |[byte]| u32::from(byte)),
        ComponentType::U16 => elements(layout, |bytes| u32::from(u16::from_le_bytes(bytes))),
        _ => elements(layout, u32::from_le_bytes),
    }
}
