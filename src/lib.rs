//! Pose every combination a study names, render each one offscreen, tile the pictures into labelled
//! contact sheets and measure them into CSV.
//!
//! The rooms, in the order in which data flows; a room uses only rooms above it:
//!
//! - [`base`]: index types, findings, digests, the sRGB curve; uses nothing
//! - [`study`]: text, file lists -> [`study::Study`]: schema, defaults, errors with their place
//! - [`asset`]: files -> [`asset::Model`] in its bind pose; and writing glTF back
//! - [`rig`]: Model, clip, time -> [`rig::Pose`], [`rig::PosedMesh`]; anatomy: roles, chest, torso frame
//! - [`carry`]: Model, load -> where the load sits
//! - [`kit`]: recipes -> our own workers and loads as glTF
//! - [`light`]: a light's name or numbers -> irradiances and directions
//! - [`plan`]: Study -> cells, names, only and skip; no models, no files
//! - [`stage`]: cell, Models -> [`stage::Scene`]: posed, loaded, framed, lit; pure, on the CPU
//! - [`render`]: Scene -> [`render::CellImage`]; the only room that knows wgpu
//! - [`measure`]: cell images and their facts -> readings, one file a metric
//! - [`run`]: cells -> results; workers, holes, progress; the only loop over cells
//! - [`sheet`]: results -> pages: layout, labels, captions
//! - [`report`]: CSV, run.json, HTML
//! - [`cli`]: a file a command

pub mod asset;
pub mod base;
pub mod carry;
pub mod cli;
pub mod kit;
pub mod light;
pub mod measure;
pub mod plan;
pub mod render;
pub mod report;
pub mod rig;
pub mod run;
pub mod sheet;
pub mod stage;
pub mod study;
