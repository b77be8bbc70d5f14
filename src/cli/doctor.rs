//! Show what this machine can draw with, and what is missing.

use super::exit::{Failure, Status};
use crate::render::{self, AdapterChoice, AdapterReport, Renderer};

/// Show what this machine can draw with, and what is missing.
///
/// Opens each adapter in turn, so that a driver that is listed but broken is found here and not in a run.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 where something can draw, 2 where nothing can.\n\nExample:\n  posegrid doctor --json"
)]
pub(super) struct Args {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What each adapter said and whether it opens.
fn examine() -> Vec<(AdapterReport, Result<(), String>)> {
    render::adapters()
        .into_iter()
        .map(|adapter| {
            let opened = Renderer::new(&AdapterChoice::Named(adapter.name.clone()));
            let works = opened.map(|_| ()).map_err(|error| super::exit::with_causes(&error));
            (adapter, works)
        })
        .collect()
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let found = examine();
    let usable = found.iter().any(|(_, works)| works.is_ok());
    if args.json {
        let adapters: Vec<serde_json::Value> = found
            .iter()
            .map(|(adapter, works)| {
                serde_json::json!({
                    "name": adapter.name, "backend": adapter.backend, "driver": adapter.driver,
                    "driver_info": adapter.driver_info, "type": adapter.device_type, "lane": render::lane(adapter),
                    "works": works.is_ok(), "error": works.as_ref().err(),
                })
            })
            .collect();
        let all = serde_json::json!({ "format": 1, "posegrid": env!("CARGO_PKG_VERSION"), "adapters": adapters });
        super::print(&format!("{all:#}\n"));
    } else {
        super::print(&format!("posegrid {}\n", env!("CARGO_PKG_VERSION")));
        for (adapter, works) in &found {
            let state = works.as_ref().map_or_else(|error| format!("does not open: {error}"), |()| "works".to_owned());
            super::print(&format!("{} ({}, {}): {state}\n", adapter.name, adapter.device_type, render::lane(adapter)));
        }
    }
    if usable {
        return Ok(Status::Done);
    }
    let message =
        if found.is_empty() { "no graphics adapter on this machine" } else { "no adapter of this machine opens" };
    Err(Failure::usage(message).with_hint("install software Vulkan: apt-get install libvulkan1 mesa-vulkan-drivers"))
}
