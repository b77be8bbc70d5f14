//! When a load shows: one rule, for every picture of a worker.

/// What a unit may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cargo {
    /// From a mine.
    Gold,
    /// From chopping.
    Lumber,
    /// From a quarry.
    Stone,
    /// Only ships carry it, and a ship has no back.
    Oil,
}

/// Whether the load of a unit that carries `cargo`, or nothing, is drawn. Gone the moment it is dropped
/// off, and while the unit is inside a mine.
pub fn shows(cargo: Option<Cargo>, inside_mine: bool) -> bool {
    match cargo {
        Some(Cargo::Gold | Cargo::Lumber | Cargo::Stone) => !inside_mine,
        Some(Cargo::Oil) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gold_lumber_and_stone_show_outside_a_mine() {
        for cargo in [Cargo::Gold, Cargo::Lumber, Cargo::Stone] {
            assert!(shows(Some(cargo), false), "{cargo:?}");
        }
    }

    #[test]
    fn nothing_shows_inside_a_mine() {
        for cargo in [Cargo::Gold, Cargo::Lumber, Cargo::Stone, Cargo::Oil] {
            assert!(!shows(Some(cargo), true), "{cargo:?}");
        }
        assert!(!shows(None, true));
    }

    #[test]
    fn oil_never_shows() {
        assert!(!shows(Some(Cargo::Oil), false));
    }

    #[test]
    fn a_load_dropped_off_is_gone() {
        assert!(!shows(None, false));
    }
}
