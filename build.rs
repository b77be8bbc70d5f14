//! Digest of everything that shapes a pixel, made at build time, so that a cell's key moves when a
//! picture can move and stays when only words change.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The rooms that decide what a cell looks like, with the shaders and the pinned libraries.
const PIXEL_SHAPING: [&str; 9] =
    ["src/base", "src/asset", "src/rig", "src/carry", "src/light", "src/stage", "src/render", "shaders", "Cargo.lock"];

fn main() {
    say_what_is_missing();
    let mut files = Vec::new();
    for place in PIXEL_SHAPING {
        println!("cargo:rerun-if-changed={place}");
        collect(Path::new(place), &mut files);
    }
    files.sort();
    let mut hasher = Sha256::new();
    for file in &files {
        let bytes = fs::read(file).unwrap_or_default();
        hasher.update(file.to_string_lossy().replace('\\', "/").as_bytes());
        hasher.update(bytes.len().to_le_bytes());
        hasher.update(&bytes);
    }
    let mut hex = String::new();
    for byte in hasher.finalize() {
        let _ = write!(hex, "{byte:02x}");
    }
    println!("cargo:rustc-env=POSEGRID_RENDERER_DIGEST={hex}");
}

/// Tests that need what is absent are ignored with a reason, so that cargo counts them; none passes
/// without having run.
fn say_what_is_missing() {
    println!("cargo:rustc-check-cfg=cfg(no_assets)");
    println!("cargo:rustc-check-cfg=cfg(no_gpu)");
    println!("cargo:rerun-if-changed=../shared/assets/manifest.csv");
    println!("cargo:rerun-if-env-changed=POSEGRID_NO_GPU");
    if !Path::new("../shared/assets/manifest.csv").exists() {
        println!("cargo:rustc-cfg=no_assets");
    }
    if std::env::var_os("POSEGRID_NO_GPU").is_some_and(|value| value == "1") {
        println!("cargo:rustc-cfg=no_gpu");
    }
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_dir() {
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        for entry in entries {
            collect(&entry.path(), files);
        }
    } else if place.is_file() {
        files.push(place.to_path_buf());
    }
}
