//! Open a device of our own and catch what goes wrong on it, so that nothing in a driver panics.

use std::sync::{Arc, Mutex, PoisonError};

use super::adapter::{self, AdapterChoice, AdapterReport};
use super::error::RenderError;

/// A device with its queue, its limits and the first thing that went wrong on it.
pub(super) struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) limits: wgpu::Limits,
    pub(super) report: AdapterReport,
    faults: Faults,
}

/// What a device reported outside a call's result.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    Lost(String),
    OutOfMemory,
    Refused(String),
}

/// The fault to report; a lost device hides every other.
#[derive(Debug, Clone, Default)]
struct Faults(Arc<Mutex<Option<Fault>>>);

impl Faults {
    fn note(&self, fault: Fault) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.is_none() || (matches!(fault, Fault::Lost(_)) && !matches!(*slot, Some(Fault::Lost(_)))) {
            *slot = Some(fault);
        }
    }

    /// Takes the fault out, but leaves a loss: that is for good.
    fn take(&self) -> Option<Fault> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(Fault::Lost(message)) => Some(Fault::Lost(message.clone())),
            _ => slot.take(),
        }
    }
}

impl Gpu {
    /// A device of its own on an instance of its own.
    ///
    /// # Errors
    ///
    /// [`RenderError::NoAdapter`] or [`RenderError::NoDevice`].
    pub(super) fn open(choice: &AdapterChoice) -> Result<Self, RenderError> {
        let instance = adapter::instance();
        let adapter = adapter::choose(&instance, choice)?;
        let report = adapter::report(&adapter.get_info());
        let limits = adapter.limits();
        let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("posegrid"),
            required_features: wgpu::Features::empty(),
            required_limits: limits.clone(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            trace: wgpu::Trace::Off,
        }));
        let (device, queue) =
            opened.map_err(|source| RenderError::NoDevice { adapter: report.name.clone(), source })?;
        let faults = Faults::default();
        watch(&device, &faults);
        Ok(Self { device, queue, limits, report, faults })
    }

    /// What went wrong since the last call, as the error of a cell.
    ///
    /// # Errors
    ///
    /// The fault, if there was one.
    pub(super) fn check(&self, cell: &str) -> Result<(), RenderError> {
        let cell = cell.to_owned();
        match self.faults.take() {
            None => Ok(()),
            Some(Fault::Lost(message)) => Err(RenderError::DeviceLost { cell, message }),
            Some(Fault::OutOfMemory) => Err(RenderError::OutOfMemory { cell }),
            Some(Fault::Refused(message)) => Err(RenderError::Refused { cell, message }),
        }
    }
}

fn watch(device: &wgpu::Device, faults: &Faults) {
    let uncaptured = faults.clone();
    device.on_uncaptured_error(Arc::new(move |error| {
        uncaptured.note(match error {
            wgpu::Error::OutOfMemory { .. } => Fault::OutOfMemory,
            wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
                Fault::Refused(description)
            }
        });
    }));
    let lost = faults.clone();
    device.set_device_lost_callback(move |_, message| lost.note(Fault::Lost(message)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_stands_until_it_is_taken() {
        let faults = Faults::default();
        faults.note(Fault::OutOfMemory);
        faults.note(Fault::Refused("after".to_owned()));
        assert_eq!(faults.take(), Some(Fault::OutOfMemory));
        assert_eq!(faults.take(), None);
    }

    #[test]
    fn a_lost_device_hides_what_came_before_and_stays_lost() {
        let faults = Faults::default();
        faults.note(Fault::Refused("before".to_owned()));
        faults.note(Fault::Lost("gone".to_owned()));
        assert_eq!(faults.take(), Some(Fault::Lost("gone".to_owned())));
        assert_eq!(faults.take(), Some(Fault::Lost("gone".to_owned())));
    }
}
