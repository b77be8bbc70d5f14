//! Cells drawn on a real adapter, against numbers that come from elsewhere.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod scenes;
