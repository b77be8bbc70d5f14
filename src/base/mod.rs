//! What every room shares: index types, findings, digests, the sRGB curve and whole-file writes.
//!
//! Uses nothing else of posegrid.

pub mod atomic;
pub mod colour;
pub mod digest;
pub mod finding;
pub mod index;

pub use digest::Digest;
pub use finding::{Code, Finding, Severity};
pub use index::{ClipIndex, ImageIndex, JointIndex, MaterialIndex, MeshIndex, NodeIndex, SkinIndex};
