//! Say why a cell could not be drawn, and whether trying again can help.

use super::adapter::AdapterChoice;

/// Why a renderer could not start or a cell could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No adapter answers the choice.
    #[error("no graphics adapter for {wanted}")]
    NoAdapter {
        /// What was asked for.
        wanted: AdapterChoice,
        /// Names of the adapters that are there.
        found: Vec<String>,
    },
    /// The adapter is there but gives no device.
    #[error("cannot open a device on {adapter}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// Why not.
        source: wgpu::RequestDeviceError,
    },
    /// The device is gone; this renderer draws nothing any more, a new one may.
    #[error("the graphics device was lost while drawing {cell}: {message}")]
    DeviceLost {
        /// The scene's name.
        cell: String,
        /// The driver's words.
        message: String,
    },
    /// The device had no memory left.
    #[error("the graphics device ran out of memory while drawing {cell}")]
    OutOfMemory {
        /// The scene's name.
        cell: String,
    },
    /// The cell is larger than the device can draw.
    #[error("{cell} is too large: {wide} x {high} samples, where the device takes {limit} a side")]
    TooLarge {
        /// The scene's name.
        cell: String,
        /// Columns of the cell times samples a side.
        wide: u64,
        /// Rows of the cell times samples a side.
        high: u64,
        /// The most that works.
        limit: u64,
    },
    /// The scene contradicts itself.
    #[error("cannot draw {cell}: {what}")]
    Malformed {
        /// The scene's name.
        cell: String,
        /// What does not fit.
        what: String,
    },
    /// The driver refused a command.
    #[error("the graphics driver refused {cell}: {message}")]
    Refused {
        /// The scene's name.
        cell: String,
        /// The driver's words.
        message: String,
    },
}

impl RenderError {
    /// Whether the same cell may work later, or on a new renderer.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::DeviceLost { .. } | Self::OutOfMemory { .. })
    }

    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoAdapter { found, .. } if found.is_empty() => {
                Some("install software Vulkan: apt-get install libvulkan1 mesa-vulkan-drivers".to_owned())
            }
            Self::NoAdapter { found, .. } => Some(format!("this machine has: {}", found.join(", "))),
            Self::NoDevice { .. } => Some("choose another adapter, or install mesa-vulkan-drivers".to_owned()),
            Self::DeviceLost { .. } => Some("try again".to_owned()),
            Self::OutOfMemory { .. } => Some("try again with fewer workers or smaller cells".to_owned()),
            Self::TooLarge { .. } => Some("ask for a smaller cell or fewer samples".to_owned()),
            Self::Malformed { .. } | Self::Refused { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_adapters_is_told_what_to_install() {
        let error = RenderError::NoAdapter { wanted: AdapterChoice::Any, found: Vec::new() };
        assert_eq!(error.to_string(), "no graphics adapter for any adapter");
        assert!(error.hint().unwrap().contains("apt-get install libvulkan1 mesa-vulkan-drivers"));
        assert!(!error.is_transient());
    }

    #[test]
    fn a_wrong_name_lists_what_there_is() {
        let error = RenderError::NoAdapter {
            wanted: AdapterChoice::Named("radeon".to_owned()),
            found: vec!["llvmpipe".to_owned()],
        };
        assert_eq!(error.to_string(), "no graphics adapter for the name \"radeon\"");
        assert_eq!(error.hint().unwrap(), "this machine has: llvmpipe");
    }

    #[test]
    fn only_passing_trouble_is_worth_another_try() {
        let cell = "a/b".to_owned();
        assert!(RenderError::DeviceLost { cell: cell.clone(), message: String::new() }.is_transient());
        assert!(RenderError::OutOfMemory { cell: cell.clone() }.is_transient());
        assert!(!RenderError::TooLarge { cell, wide: 1, high: 1, limit: 0 }.is_transient());
    }
}
