//! What a picture of a cell cannot tell.

/// What stage knows of a cell and a picture cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Facts {
    /// Cell pixels a metre at the depth of the target.
    pub px_per_m: f64,
    /// The subject's height in its bind pose.
    pub height_m: Option<f64>,
    /// Distance from the eye to the target; `None` for an orthographic camera.
    pub distance_m: Option<f64>,
    /// Vertical field of view; `None` for an orthographic camera.
    pub field_rad: Option<f64>,
    /// Height of the head in this pose and view, from its posed vertices; `None` without a head.
    pub head_px_h: Option<f64>,
    /// Metres of travel that posing took out.
    pub removed_m: Option<f64>,
}
