//! Find what can draw, and name the lane it draws in.
//!
//! Touches the graphics drivers of the machine; reads no setting of its own.

use std::fmt;

use super::error::RenderError;

/// Which adapter to draw with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AdapterChoice {
    /// Hardware before software.
    #[default]
    Any,
    /// The first whose name holds this, whatever the case.
    Named(String),
    /// A software adapter, such as Mesa's llvmpipe.
    Software,
}

impl fmt::Display for AdapterChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any adapter"),
            Self::Named(name) => write!(f, "the name {name:?}"),
            Self::Software => f.write_str("software drawing"),
        }
    }
}

/// What an adapter says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterReport {
    /// Such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
    pub name: String,
    /// Such as `vulkan`.
    pub backend: String,
    /// Such as `llvmpipe`.
    pub driver: String,
    /// The driver's version in its own words.
    pub driver_info: String,
    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    pub device_type: &'static str,
}

/// Every adapter of the machine, in the order of preference.
pub fn adapters() -> Vec<AdapterReport> {
    sorted_adapters(&instance()).iter().map(|adapter| report(&adapter.get_info())).collect()
}

/// The adapter that a choice means, without opening it.
///
/// # Errors
///
/// [`RenderError::NoAdapter`] where nothing answers it.
pub fn find(choice: &AdapterChoice) -> Result<AdapterReport, RenderError> {
    choose(&instance(), choice).map(|adapter| report(&adapter.get_info()))
}

/// The lane of an adapter: backend, driver and its version. Pictures of one lane are equal byte for
/// byte; those of two need not be.
pub fn lane(adapter: &AdapterReport) -> String {
    [&adapter.backend, &adapter.driver, &adapter.driver_info]
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A fresh instance: two workers that share one share its driver's locks as well.
pub(super) fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor {
        // Validation layers would change nothing but the time.
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    })
}

/// The adapter that a choice means.
///
/// # Errors
///
/// [`RenderError::NoAdapter`] where nothing answers it.
pub(super) fn choose(instance: &wgpu::Instance, choice: &AdapterChoice) -> Result<wgpu::Adapter, RenderError> {
    let mut all = sorted_adapters(instance);
    let infos: Vec<_> = all.iter().map(wgpu::Adapter::get_info).collect();
    match infos.iter().position(|info| answers(info, choice)) {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(RenderError::NoAdapter {
            wanted: choice.clone(),
            found: infos.into_iter().map(|info| info.name).collect(),
        }),
    }
}

fn answers(info: &wgpu::AdapterInfo, choice: &AdapterChoice) -> bool {
    match choice {
        AdapterChoice::Any => true,
        AdapterChoice::Named(name) => info.name.to_lowercase().contains(&name.to_lowercase()),
        AdapterChoice::Software => info.device_type == wgpu::DeviceType::Cpu,
    }
}

/// Stable: adapters of one type keep the driver's order.
fn sorted_adapters(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let mut all = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    all.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Cpu => 3,
        wgpu::DeviceType::Other => 4,
    });
    all
}

pub(super) fn report(info: &wgpu::AdapterInfo) -> AdapterReport {
    AdapterReport {
        name: info.name.clone(),
        backend: info.backend.to_string(),
        driver: info.driver.clone(),
        driver_info: info.driver_info.clone(),
        device_type: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_leaves_out_what_the_driver_does_not_say() {
        let mut adapter = AdapterReport {
            name: "llvmpipe (LLVM 15.0.6, 256 bits)".to_owned(),
            backend: "vulkan".to_owned(),
            driver: "llvmpipe".to_owned(),
            driver_info: "Mesa 22.3.6 (LLVM 15.0.6)".to_owned(),
            device_type: "software",
        };
        assert_eq!(lane(&adapter), "vulkan llvmpipe Mesa 22.3.6 (LLVM 15.0.6)");
        adapter.driver.clear();
        assert_eq!(lane(&adapter), "vulkan Mesa 22.3.6 (LLVM 15.0.6)");
    }
}
