//! Show what a study would render, without rendering.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::exit::{Failure, Status};
use super::studies;

/// Show what a study would render, without rendering.
///
/// Prints counts and axes, and with --cells every cell. No model is opened.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  posegrid plan scenes/carry.toml\n  posegrid plan scenes/carry.toml --cells --only view=behind"
)]
pub(super) struct Args {
    /// The study file.
    study: PathBuf,
    /// Only the cells whose value of an axis is one of these; every --only must match.
    #[arg(long, value_name = "AXIS=VALUE[,VALUE]")]
    only: Vec<String>,
    /// List every cell.
    #[arg(long)]
    cells: bool,
    /// Print JSON, cells included.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Status, Failure> {
    let study = studies::open(&args.study)?;
    let plan = studies::plan(&study, &args.only)?;
    let counts = plan.counts();
    let mut text = String::new();
    if args.json {
        let cells: Vec<&str> = plan.cells.iter().map(|cell| cell.name.as_str()).collect();
        let axes: Vec<serde_json::Value> =
            plan.axes.iter().map(|axis| serde_json::json!({ "name": axis.name, "values": axis.values })).collect();
        let all =
            serde_json::json!({ "format": 1, "study": plan.study, "counts": counts, "axes": axes, "cells": cells });
        let _ = writeln!(text, "{all:#}");
    } else {
        let _ = writeln!(text, "{}: {} cells", plan.study, counts.cells);
        let _ = writeln!(text, "{} subjects, {} loads, {} poses", counts.subjects, counts.loads, counts.poses);
        for axis in &plan.axes {
            let _ = writeln!(text, "  {} ({}): {}", axis.name, axis.values.len(), axis.values.join(", "));
        }
        let whole: usize = plan.axes.iter().map(|axis| axis.values.len()).product();
        if whole > counts.cells {
            let _ = writeln!(
                text,
                "  {} of {whole} combinations are left out by only, skip or --only",
                whole - counts.cells
            );
        }
        if args.cells {
            for cell in &plan.cells {
                let _ = writeln!(text, "{}", cell.name);
            }
        }
    }
    super::print(&text);
    Ok(Status::Done)
}
