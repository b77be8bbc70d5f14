//! A cell's name as a file name: one that every system can keep, and another for another cell.

#![expect(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

use std::collections::BTreeSet;
use std::path::Path;

use posegrid::plan::{Cell, plan};
use posegrid::study::{self, Known};
use proptest::prelude::*;

/// A cell of this name; the rest of it does not matter.
fn stem(name: &str) -> String {
    let names = ["w".to_owned()];
    let known = Known { kit_dir: Path::new("k"), kit_names: &names, captions: &[] };
    let study = study::parse("[cell]\nsubject = \"kit:w\"\n", Path::new("s.toml"), Path::new(""), &known).unwrap();
    let cell = plan(&study, &[] as &[&str]).unwrap().cells.remove(0);
    Cell { name: name.to_owned(), ..cell }.file_stem()
}

#[test]
fn an_ordinary_name_keeps_all_but_its_slashes() {
    assert_eq!(stem("carry/giant/gold/walk@0.25/behind"), "carry__giant__gold__walk@0.25__behind");
    assert_eq!(stem("heads/größe 人/a+b"), "heads__größe 人__a+b");
}

/// The digest is the start of `printf 's/a:b' | sha256sum`.
#[test]
fn what_some_system_forbids_is_replaced_and_a_digest_tells_names_apart() {
    assert_eq!(stem("s/a:b"), "s__a_b~e7fc4f2f6c5d");
    assert_ne!(stem("s/a:b"), stem("s/a?b"));
    assert!(stem("s/a?b").starts_with("s__a_b~"));
}

#[test]
fn names_that_would_meet_are_told_apart() {
    let names = ["s/a/b", "s/a__b", "s__a/b", "s/a_/b", "s/a/_b", "s/a___b", "s/a_b", "s/a*b", "s/a_b~0"];
    let stems: BTreeSet<String> = names.iter().map(|name| stem(name).to_lowercase()).collect();
    assert_eq!(stems.len(), names.len(), "{stems:?}");
}

#[test]
fn a_name_that_is_anothers_stem_gets_a_stem_of_its_own() {
    let taken = stem("a:b");
    assert!(!taken.contains("__"), "nothing but the ~ tells it from an ordinary name");
    assert_ne!(stem(&taken), taken);
}

#[test]
fn names_of_devices_and_hidden_files_are_made_ordinary() {
    for name in ["con", "NUL", "com1", "aux.x", "Lpt9.a.b", ".hidden", "-flag", "ends.", "ends ", "..", ""] {
        let stem = stem(name);
        assert!(stem.contains('~'), "{name:?} is {stem:?}");
        assert!(!stem.starts_with(['.', '-', ' ']) && !stem.ends_with(['.', ' ']), "{stem:?}");
    }
    assert_eq!(stem("console"), "console");
}

#[test]
fn a_long_name_is_cut_between_letters_and_stays_its_own() {
    let long = "ü".repeat(300);
    let other = format!("{long}x");
    assert!(stem(&long).len() < 200);
    assert_ne!(stem(&long), stem(&other));
}

proptest! {
    #[test]
    fn any_name_becomes_a_file_name_for_every_system(name in ".{0,200}") {
        let stem = stem(&name);
        prop_assert!(!stem.is_empty() && stem.len() <= 200);
        prop_assert!(!stem.chars().any(|letter| letter.is_control() || "<>:\"/\\|?*".contains(letter)));
        prop_assert!(!stem.ends_with(['.', ' ']) && !stem.starts_with(['.', '-']));
    }

    #[test]
    fn two_names_have_two_stems(one in "[ab_/:~.]{0,6}", other in "[ab_/:~.]{0,6}") {
        prop_assume!(one != other);
        prop_assert_ne!(stem(&one), stem(&other));
    }
}
