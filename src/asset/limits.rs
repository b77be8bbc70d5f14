//! Refuse files that would take more memory than a character can need.
//!
//! A glTF accessor may claim any count without holding a byte of data, and many primitives may share one
//! accessor, so the size of a file says nothing of what it unfolds to.

use std::cell::Cell;

use super::error::Fault;

/// The most that one model may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the model and of every file it refers to, together.
    pub file_bytes: u64,
    /// Bytes of everything decoded from accessors, together.
    pub decoded_bytes: u64,
    /// Columns or rows of an image.
    pub image_side_px: u32,
    /// Bytes of everything decoded from images, together.
    pub image_bytes: u64,
}

impl Default for Limits {
    /// Far above what a character needs, and within what a machine has.
    fn default() -> Self {
        Self { file_bytes: 1 << 30, decoded_bytes: 1 << 31, image_side_px: 16_384, image_bytes: 1 << 31 }
    }
}

/// What is left of a limit.
#[derive(Debug)]
pub(super) struct Budget {
    what: &'static str,
    limit: u64,
    left: Cell<u64>,
}

impl Budget {
    /// A budget of `limit` bytes for `what`.
    pub(super) fn new(what: &'static str, limit: u64) -> Self {
        Self { what, limit, left: Cell::new(limit) }
    }

    /// What is left, in bytes.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes `count` elements of `size` bytes.
    pub(super) fn take(&self, count: u64, size: usize) -> Result<(), Fault> {
        let bytes = count.checked_mul(size as u64);
        match bytes.and_then(|bytes| self.left.get().checked_sub(bytes)) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                let taken = self.limit - self.left.get();
                let bytes = bytes.unwrap_or(u64::MAX).saturating_add(taken);
                Err(Fault::TooLarge { what: self.what.to_owned(), bytes, limit: self.limit })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_exactly_at_its_limit() {
        let budget = Budget::new("accessors", 100);
        assert!(budget.take(25, 4).is_ok());
        assert!(budget.take(1, 1).is_err());
        assert!(budget.take(0, 16).is_ok());
    }

    #[test]
    fn a_product_past_64_bits_is_refused() {
        let fault = Budget::new("accessors", 100).take(u64::MAX, 16).unwrap_err();
        assert_eq!(fault.code(), "TOO_LARGE");
    }
}
