//! Cells drawn on a real adapter, against numbers that come from elsewhere.

mod alpha;
mod determinism;
mod limits;
mod materials;
mod scenes;
mod shadows;
mod spheres;
