//! Name the choices when a word is none of them, the likeliest first.
//!
//! Pure.

/// Choices shown before the rest is counted only.
const SHOWN: usize = 12;
/// Jaro-Winkler likeness from which a choice is offered as what was meant.
const LIKELY: f64 = 0.8;

/// What the choices are, the nearest to `got` first; `kind` is their name in the plural.
pub(crate) fn hint<S: AsRef<str>>(kind: &str, got: &str, choices: impl IntoIterator<Item = S>) -> String {
    let ranked = ranked(got, choices);
    let Some((likeness, first)) = ranked.first().map(|(likeness, first)| (likeness, first.as_ref())) else {
        return format!("there are no {kind} to choose from");
    };
    let meant = if *likeness >= LIKELY { format!("did you mean {first:?}? ") } else { String::new() };
    format!("{meant}the {kind}, nearest first: {}", list(ranked.iter().map(|(_, choice)| choice)))
}

/// The choices from the likeliest to the least, with their likeness, 0 to 1.
fn ranked<S: AsRef<str>>(got: &str, choices: impl IntoIterator<Item = S>) -> Vec<(f64, S)> {
    let folded = got.to_lowercase();
    let mut ranked: Vec<(f64, S)> = choices
        .into_iter()
        .map(|choice| (strsim::jaro_winkler(&folded, &choice.as_ref().to_lowercase()), choice))
        .collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    ranked
}

/// Names the first few choices and counts the rest.
pub(crate) fn list<S: AsRef<str>>(choices: impl IntoIterator<Item = S>) -> String {
    let choices: Vec<S> = choices.into_iter().collect();
    let shown: Vec<&str> = choices.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match choices.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
