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

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::super::sample::Sample;
    use super::*;

    /// A PNG file of pixels in rows of `width`.
    pub(in super::super) fn png_of(pixels: &[[u8; 4]], width: u32) -> Vec<u8> {
        let height = pixels.len() as u32 / width;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(pixels.as_flattened()).unwrap();
        bytes
    }

    /// A triangle for each of the images, its material's base colour that image; the last is not drawn.
    fn with_images(images: &[&[u8]]) -> Sample {
        let mut sample = Sample::triangle();
        let primitive = sample.json["meshes"][0]["primitives"][0].clone();
        sample.json["nodes"] = json!([]);
        sample.json["meshes"] = json!([]);
        for (at, bytes) in images.iter().enumerate() {
            let view = sample.view(bytes);
            sample.push("images", json!({"bufferView": view, "name": format!("picture {at}")}));
            sample.push("textures", json!({"source": at}));
            let texture = json!({"index": at});
            sample.push(
                "materials",
                json!({"pbrMetallicRoughness": {"baseColorTexture": texture, "metallicRoughnessTexture": texture},
                    "normalTexture": texture, "occlusionTexture": texture, "emissiveTexture": texture,
                    "emissiveFactor": [1, 1, 1]}),
            );
            let mut primitive = primitive.clone();
            primitive["material"] = at.into();
            sample.push("meshes", json!({"primitives": [primitive]}));
            if at + 1 < images.len() {
                sample.push("nodes", json!({"mesh": at}));
            }
        }
        sample
    }

    #[test]
    fn equal_images_are_decoded_once_and_undrawn_ones_never() {
        let (one, other) = (png_of(&[[1, 2, 3, 4], [5, 6, 7, 8]], 2), png_of(&[[9, 9, 9, 255]], 1));
        let model = with_images(&[&one, &other, &one, b"never looked at"]).load();
        assert_eq!(model.images.len(), 2);
        let image = &model.images[0];
        assert_eq!((image.width, image.height, image.name.as_str()), (2, 1, "picture 0"));
        assert_eq!((image.rgba.as_slice(), image.digest), ([1, 2, 3, 4, 5, 6, 7, 8].as_slice(), Digest::of(&one)));
        let of = |at: usize| model.materials[at].base_colour_texture.unwrap().image;
        let indices = [Some(ImageIndex(0)), Some(ImageIndex(1)), Some(ImageIndex(0)), None];
        assert_eq!([of(0), of(1), of(2), of(3)], indices);
    }

    #[test]
    fn sixteen_bits_are_rounded_to_eight() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Sixteen);
        // 0x8080 is 128 * 257, exactly 128 of 8 bits; 0x80FF lies nearest to 128; 0x8101 to 129.
        encoder.write_header().unwrap().write_image_data(&[0x80, 0x80, 0x80, 0xFF, 0x81, 0x01]).unwrap();
        assert_eq!(with_images(&[&bytes, b""]).load().images[0].rgba, [128, 128, 129, 255]);
    }

    #[test]
    fn an_unreadable_image_leaves_its_material_plain_and_dark() {
        let sample = with_images(&[b"\xABKTX 20\xBB", b""]);
        let material = &sample.load().materials[0];
        assert!(material.base_colour_texture.unwrap().image.is_none());
        assert!(material.normal_texture.is_none() && material.metallic_roughness_texture.is_none());
        assert!(material.occlusion_texture.is_none() && material.emissive_texture.is_none());
        assert_eq!(material.emissive, [0.0; 3]);
        let finding = sample.finding("TEXTURE_UNREADABLE").unwrap();
        assert!(finding.message.ends_with("picture 0: it is KTX, not PNG or JPEG"), "{}", finding.message);
        assert_eq!(finding.place, "sample.glb/images/0");
    }

    #[test]
    fn damaged_images_and_stand_ins_are_told_apart() {
        let mut damaged = png_of(&[[1, 2, 3, 4]; 64], 8);
        damaged.truncate(damaged.len() - 30);
        assert!(with_images(&[&damaged, b""]).finding("TEXTURE_UNREADABLE").is_some());
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
        let finding = with_images(&[pointer, b""]).finding("TEXTURE_LFS_POINTER").unwrap();
        assert!(finding.hint.unwrap().contains("git lfs pull"));
    }

    #[test]
    fn a_missing_image_file_is_named() {
        let mut sample = with_images(&[b"", b""]);
        sample.json["images"][0] = json!({"uri": "no%20such.png"});
        let finding = sample.finding("TEXTURE_MISSING").unwrap();
        assert!(finding.message.ends_with("no such.png"), "{}", finding.message);
    }

    #[test]
    fn images_over_the_limit_are_not_unpacked() {
        let sample = with_images(&[&png_of(&[[0; 4]; 64], 8), b""]);
        let limits = super::super::limits::Limits { image_bytes: 255, ..Default::default() };
        let model = super::super::load_bytes(std::path::Path::new("a.glb"), &sample.glb(), &limits).unwrap();
        assert!(model.images.is_empty());
        assert!(model.findings.iter().any(|finding| finding.code == "TEXTURE_UNREADABLE"));
    }
}
