//! Write 8-bit sRGB PNG files whose bytes depend on the pixels alone: no times, no software names.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, SrgbRenderingIntent};

/// Bytes that an encoder gathers before it writes a chunk.
pub(crate) const CHUNK_BYTES: usize = 1 << 16;

/// An encoder of an opaque picture.
pub fn rgb_encoder<W: Write>(to: W, size_px: [u32; 2]) -> Encoder<'static, W> {
    encoder(to, size_px, ColorType::Rgb)
}

/// A picture with straight alpha as a PNG file: four bytes a pixel, rows from the top.
///
/// # Errors
///
/// When `rgba` does not fill `size_px`, or a side is 0.
pub fn encode_rgba(size_px: [u32; 2], rgba: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut writer = encoder(&mut bytes, size_px, ColorType::Rgba).write_header()?;
    writer.write_image_data(rgba)?;
    writer.finish()?;
    Ok(bytes)
}

fn encoder<W: Write>(to: W, [width, height]: [u32; 2], colour: ColorType) -> Encoder<'static, W> {
    let mut encoder = Encoder::new(to, width, height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder
}

/// An encoding failure as a failure to write; what the disk said is kept.
pub(crate) fn io_error(error: EncodingError) -> std::io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => std::io::Error::other(other),
    }
}
