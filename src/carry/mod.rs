//! Where a load sits on a back, and when it shows.
//!
//! Reads: a model's anatomy and meshes, the bounds of a load. Pure.
//!
//! Spaces: *load* has its base at y = 0, the face that rests against a back at z = 0, its body towards
//! +z, and is centred in x; *torso* is [`crate::rig::TorsoFrame`]'s. Lengths of a [`Placement`] are shares
//! of H, the worker's height in its bind pose, so that a worker scaled keeps its load in place.

mod back;
mod depth;
mod first;
mod load;
mod placement;
mod shows;

pub use back::{Back, BackSurface};
pub use first::{FirstPlacement, place};
pub use load::{LoadFrame, LoadShape, load_frame};
pub use placement::{Placement, model_from_load};
pub use shows::{Cargo, shows};
