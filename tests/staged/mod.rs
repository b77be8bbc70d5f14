//! Plan and stage a study's text through the library, as the binary does.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::path::Path;
use std::sync::Arc;

use posegrid::asset::{self, Limits};
use posegrid::plan::{Plan, plan};
use posegrid::stage::{Cast, company};
use posegrid::study::{Known, parse};

/// The plan and the cast of a study; `kit_dir` holds the kit's files, built before.
pub(crate) fn staged(text: &str, kit_dir: &Path) -> (Plan, Cast) {
    let kit_names = posegrid::kit::names();
    let known = Known { kit_dir, kit_names: &kit_names, captions: &[] };
    let study =
        parse(text, Path::new("staged.toml"), Path::new(""), &known).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let plan = plan(&study, &[] as &[&str]).unwrap();
    let cast = Cast::assemble(&plan, &company(&plan, &plan, &[]), &[], &|file| {
        asset::load(&file.path, &Limits::default()).map(Arc::new).map_err(|error| error.finding())
    });
    (plan, cast)
}
