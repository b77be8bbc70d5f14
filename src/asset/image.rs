//! Decode the images that drawn materials use, each once, on all cores.
//!
//! Reads: images within buffers, in data URIs and beside the model. Writes: [`Image`]s, and the materials'
//! textures renumbered to them. An image that cannot be read is a finding, and what it covers is drawn as if
//! it were not textured.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Arc;

use gltf::json;
use image::{ImageFormat, ImageReader};
use rayon::prelude::*;

use crate::base::{Digest, ImageIndex};

use super::container;
use super::document::Document;
use super::error::Fault;
use super::limits::Budget;
use super::model::{Image, Material, TextureRef};
use super::notice::{self, Kind, Notices};
use super::place::{Place, ROOT};

/// What became of the images of a file.
pub(super) struct Images {
    pub(super) decoded: Vec<Arc<Image>>,
    /// Digests of the external files that were read, in file order, for the model's own.
    pub(super) external: Vec<Digest>,
}

/// An image before it is decoded.
struct Encoded<'d> {
    /// Position in the file's list of the first image with these bytes.
    first: usize,
    name: String,
    digest: Digest,
    format: ImageFormat,
    bytes: Cow<'d, [u8]>,
}

/// Decodes what the drawn materials use, and renumbers every texture to the decoded list.
pub(super) fn decode_used(
    document: &Document<'_>,
    materials: &mut [Material],
    drawn: &[bool],
    notices: &mut Notices,
) -> Images {
    let mut used = vec![false; document.root.images.len()];
    for (material, _) in std::iter::zip(&mut *materials, drawn).filter(|(_, drawn)| **drawn) {
        for image in textures_of(material).filter_map(|texture| texture.image) {
            used[image.at()] = true;
        }
    }
    let gathered = gather(document, &used, notices);
    let results: Vec<Result<Image, String>> = gathered.encoded.par_iter().map(decode).collect();
    let list = ROOT.field("images");
    let mut decoded = Vec::new();
    let mut places = Vec::with_capacity(results.len());
    for (encoded, result) in std::iter::zip(&gathered.encoded, results) {
        match result {
            Ok(image) => {
                places.push(Some(ImageIndex::new(decoded.len())));
                decoded.push(Arc::new(image));
            }
            Err(why) => {
                places.push(None);
                let detail = format!("{}: {why}", encoded.name);
                notices.detail(notice::TEXTURE_UNREADABLE, &list.index(encoded.first), detail);
            }
        }
    }
    for material in materials {
        for texture in textures_of(material) {
            texture.image = texture.image.and_then(|image| gathered.slots[image.at()]).and_then(|slot| places[slot]);
        }
        settle(material);
    }
    Images { decoded, external: gathered.external }
}

fn textures_of(material: &mut Material) -> impl Iterator<Item = &mut TextureRef> {
    [
        &mut material.base_colour_texture,
        &mut material.metallic_roughness_texture,
        &mut material.normal_texture,
        &mut material.occlusion_texture,
        &mut material.emissive_texture,
    ]
    .into_iter()
    .flatten()
}

/// Makes a material with unreadable images one that never had them: white would be a slanted normal, and
/// would make all of a surface glow where a texture picked out an eye.
fn settle(material: &mut Material) {
    let is_gone = |texture: &Option<TextureRef>| texture.is_some_and(|texture| texture.image.is_none());
    if is_gone(&material.emissive_texture) {
        material.emissive = [0.0; 3];
    }
    for texture in [
        &mut material.metallic_roughness_texture,
        &mut material.normal_texture,
        &mut material.occlusion_texture,
        &mut material.emissive_texture,
    ] {
        if is_gone(texture) {
            *texture = None;
        }
    }
}

/// The used images of a file, equal ones once.
struct Gathered<'d> {
    encoded: Vec<Encoded<'d>>,
    /// For each image of the file, which of `encoded` it is.
    slots: Vec<Option<usize>>,
    external: Vec<Digest>,
}

fn gather<'d>(document: &'d Document<'_>, used: &[bool], notices: &mut Notices) -> Gathered<'d> {
    let budget = Budget::new("its decoded images", document.limits.image_bytes);
    let list = ROOT.field("images");
    let mut gathered = Gathered { encoded: Vec::new(), slots: vec![None; used.len()], external: Vec::new() };
    let mut known: HashMap<Digest, usize> = HashMap::new();
    for (at, image) in document.root.images.iter().enumerate().filter(|(at, _)| used[*at]) {
        let place = list.index(at);
        let (bytes, file) = match fetch(document, image, &place, notices) {
            Ok(fetched) => fetched,
            Err((kind, detail)) => {
                notices.detail(kind, &place, detail);
                continue;
            }
        };
        let digest = Digest::of(&bytes);
        gathered.external.extend(file.is_some().then_some(digest));
        if let Some(same) = known.get(&digest) {
            gathered.slots[at] = Some(*same);
            continue;
        }
        let name = image.name.clone().filter(|name| !name.is_empty()).or(file).unwrap_or_else(|| format!("image {at}"));
        match examine(&bytes, document, &budget) {
            Ok(format) => {
                known.insert(digest, gathered.encoded.len());
                gathered.slots[at] = Some(gathered.encoded.len());
                gathered.encoded.push(Encoded { first: at, name, digest, format, bytes });
            }
            Err((kind, why)) => notices.detail(kind, &place, format!("{name}: {why}")),
        }
    }
    gathered
}

type Fetched<'d> = Result<(Cow<'d, [u8]>, Option<String>), (Kind, String)>;

/// The encoded bytes of an image, and the file's name if it has one.
fn fetch<'d>(document: &'d Document<'_>, image: &json::Image, place: &Place<'_>, notices: &mut Notices) -> Fetched<'d> {
    if let Some(view) = image.buffer_view {
        let bytes = document.view_bytes(view, &place.field("bufferView"));
        return match bytes {
            Ok(bytes) => Ok((Cow::Borrowed(bytes), None)),
            Err(error) => Err((notice::TEXTURE_UNREADABLE, error.fault.to_string())),
        };
    }
    let Some(uri) = &image.uri else {
        return Err((notice::TEXTURE_UNREADABLE, "it has neither URI nor buffer view".to_owned()));
    };
    match document.fetch(uri, &place.field("uri"), notices) {
        Ok(fetched) => Ok((Cow::Owned(fetched.bytes), fetched.file)),
        Err(Fault::MissingFile { name, similar }) => {
            let similar = similar.map(|similar| format!(" (the folder has {similar:?})")).unwrap_or_default();
            Err((notice::TEXTURE_MISSING, format!("{name}{similar}")))
        }
        Err(fault) => {
            let cause = std::error::Error::source(&fault).map(|cause| format!(": {cause}")).unwrap_or_default();
            Err((notice::TEXTURE_UNREADABLE, format!("it {fault}{cause}")))
        }
    }
}

/// Finds an image's format and size before anything is unpacked.
fn examine(bytes: &[u8], document: &Document<'_>, budget: &Budget) -> Result<ImageFormat, (Kind, String)> {
    if container::is_lfs_pointer(bytes) {
        return Err((notice::TEXTURE_LFS_POINTER, "not fetched".to_owned()));
    }
    let unreadable = |why: String| (notice::TEXTURE_UNREADABLE, why);
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg)) => format,
        Ok(other) => return Err(unreadable(format!("it is {}, not PNG or JPEG", other.to_mime_type()))),
        Err(_) if bytes.starts_with(b"\xABKTX") => return Err(unreadable("it is KTX, not PNG or JPEG".to_owned())),
        Err(_) => return Err(unreadable("it is neither PNG nor JPEG".to_owned())),
    };
    let size = ImageReader::with_format(Cursor::new(bytes), format).into_dimensions();
    let (width, height) = size.map_err(|error| unreadable(error.to_string()))?;
    let side = document.limits.image_side_px;
    if width > side || height > side {
        return Err(unreadable(format!("{width} by {height} px is over the limit of {side}")));
    }
    if width == 0 || height == 0 {
        return Err(unreadable("it has no pixels".to_owned()));
    }
    budget.take(u64::from(width) * u64::from(height), 4).map_err(|fault| unreadable(fault.to_string()))?;
    Ok(format)
}

/// Decodes to 8 bits a channel; deeper ones are rounded.
fn decode(encoded: &Encoded<'_>) -> Result<Image, String> {
    let image = ImageReader::with_format(Cursor::new(&*encoded.bytes), encoded.format).decode();
    let rgba = image.map_err(|error| error.to_string())?.into_rgba8();
    Ok(Image {
        name: encoded.name.clone(),
        digest: encoded.digest,
        width: rgba.width(),
        height: rgba.height(),
        rgba: rgba.into_raw(),
    })
}
