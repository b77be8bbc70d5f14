//! Find the clip that a study means by a word: packs name one walk `Walking_A`, another
//! `CharacterArmature|Walk`, a third `MF_Unarmed_Walk_Fwd`.
//!
//! Pure. Four ranks, the best that finds one wins: the exact name; equal once normalised; the word or
//! its -ing form with nothing but filler beside it (first by name, and the others are told); the only
//! clip that holds the word. Two clips of rank four are an error: guessing would show a wrong pose.

use crate::asset::Model;
use crate::base::{ClipIndex, Finding};

/// Words that may stand beside the asked one without changing what the clip is.
const FILLER: [&str; 5] = ["loop", "inplace", "neutral", "fwd", "in"];

/// What was chosen, and what else could have been.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipChoice {
    /// The clip.
    pub clip: ClipIndex,
    /// Said once where the choice was not the only one.
    pub finding: Option<Finding>,
}

/// The clip of `model` that `wanted` means; `alias` is the study's own word on it.
///
/// # Errors
///
/// `CLIP_NOT_FOUND` or `CLIP_AMBIGUOUS`, with the list of clips.
pub fn find_clip(model: &Model, wanted: &str, alias: Option<&str>) -> Result<ClipChoice, Finding> {
    let names = model.clip_names();
    let place = model.path.display().to_string();
    if let Some(alias) = alias {
        return names.iter().position(|name| *name == alias).map(chosen).ok_or_else(|| {
            Finding::error(
                "CLIP_NOT_FOUND",
                place,
                format!("no clip named {alias:?}, which `clips` gives for {wanted:?}"),
            )
            .with_hint(list(&names))
        });
    }
    let exact = names.iter().position(|name| *name == wanted);
    let normal = |name: &str| words(name).concat();
    let equal = || names.iter().position(|name| normal(name) == normal(wanted));
    if let Some(at) = exact.or_else(equal) {
        return Ok(chosen(at));
    }
    let word = normal(wanted);
    let mut close: Vec<usize> = (0..names.len()).filter(|at| only_filler_beside(&word, &words(names[*at]))).collect();
    close.sort_by_key(|at| names[*at]);
    if let Some((&first, others)) = close.split_first() {
        let finding = (!others.is_empty()).then(|| {
            let others: Vec<&str> = others.iter().map(|at| names[*at]).collect();
            Finding::warning("CLIP_CHOSEN", &place, format!("{wanted:?} is taken to mean {:?}", names[first]))
                .with_hint(format!(
                    "there are also {}; `clips = {{ {wanted} = {:?} }}` settles it",
                    list_of(&others),
                    names[first]
                ))
        });
        return Ok(ClipChoice { clip: ClipIndex::new(first), finding });
    }
    let holding: Vec<usize> =
        (0..names.len()).filter(|at| words(names[*at]).iter().any(|w| is_form_of(w, &word))).collect();
    match holding[..] {
        [only] => Ok(chosen(only)),
        [] => Err(Finding::error("CLIP_NOT_FOUND", place, format!("no clip named {wanted:?}")).with_hint(list(&names))),
        [first, ..] => {
            let candidates: Vec<&str> = holding.iter().map(|at| names[*at]).collect();
            Err(Finding::error("CLIP_AMBIGUOUS", place, format!("{wanted:?} could be {}", list_of(&candidates)))
                .with_hint(format!("say which: `clips = {{ {wanted} = {:?} }}`", names[first])))
        }
    }
}

fn chosen(at: usize) -> ClipChoice {
    ClipChoice { clip: ClipIndex::new(at), finding: None }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "the file has no clips".to_owned() } else { format!("the file has {}", list_of(names)) }
}

fn list_of(names: &[&str]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// Lower-case words of a clip's name: after the last `|`, split on case, digits, `_` and the like.
///
/// A last part `baselayer` is an exporter's layer, not a name: the part before it is meant.
fn words(name: &str) -> Vec<String> {
    let mut parts = name.split('|').rev();
    let last = parts.next().unwrap_or(name);
    let name = if last.eq_ignore_ascii_case("baselayer") { parts.next().unwrap_or(last) } else { last };
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    for c in name.chars() {
        let starts = match before {
            Some(b) if b.is_alphanumeric() => {
                (c.is_uppercase() && !b.is_uppercase()) || (c.is_numeric() != b.is_numeric())
            }
            _ => true,
        };
        if c.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if !starts => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        before = Some(c);
    }
    words
}

fn only_filler_beside(word: &str, words: &[String]) -> bool {
    let rest: Vec<&String> = words.iter().filter(|w| !is_form_of(w, word)).collect();
    let filler = |w: &&String| {
        w.chars().count() == 1 || w.chars().all(char::is_numeric) || FILLER.contains(&w.as_str()) || *w == "place"
    };
    rest.len() < words.len() && rest.iter().all(filler)
}

/// Whether `word` is `wanted` or its -ing form: walk walking, idle idling, run running.
fn is_form_of(word: &str, wanted: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing") else { return word == wanted };
    let doubled = || {
        let last = wanted.chars().last()?;
        stem.strip_suffix(last)
    };
    word == wanted || stem == wanted || wanted.strip_suffix('e') == Some(stem) || doubled() == Some(wanted)
}

/// Whether a clip of this name walks or stands on the spot unless told otherwise.
pub fn in_place_by_default(wanted: &str) -> bool {
    words(wanted).iter().any(|word| is_form_of(word, "idle") || is_form_of(word, "walk"))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{clip, model};
    use super::*;

    fn pack(names: &[&str]) -> Model {
        let mut model = model(Vec::new());
        model.clips = names.iter().map(|name| clip(name, Vec::new())).collect();
        model
    }

    fn found(names: &[&str], wanted: &str) -> String {
        let model = pack(names);
        find_clip(&model, wanted, None).map_or_else(|f| f.code.to_owned(), |c| model.clip(c.clip).name.clone())
    }

    #[test]
    fn the_exact_name_wins_over_all() {
        assert_eq!(found(&["Idle_B", "idle", "Idle"], "idle"), "idle");
        assert_eq!(found(&["Walking_A", "Walk"], "Walk"), "Walk");
    }

    #[test]
    fn names_of_real_packs_are_found() {
        assert_eq!(
            found(&["CharacterArmature|Death", "CharacterArmature|Idle_Neutral"], "idle"),
            "CharacterArmature|Idle_Neutral"
        );
        assert_eq!(found(&["HumanArmature|Walking", "HumanArmature|Run"], "walk"), "HumanArmature|Walking");
        assert_eq!(found(&["MM_Idle", "MF_Unarmed_Walk_Fwd"], "walk"), "MF_Unarmed_Walk_Fwd");
        assert_eq!(found(&["Dance", "Running", "WalkJump", "Walking"], "walk"), "Walking");
        assert_eq!(
            found(&["Armature|Idle|baselayer", "Armature|walking_man|baselayer"], "walk"),
            "Armature|walking_man|baselayer"
        );
        assert_eq!(
            found(&["Armature|Idle|baselayer", "Armature|walking_man|baselayer"], "idle"),
            "Armature|Idle|baselayer"
        );
        assert_eq!(found(&["falling", "run", "Running_Loop"], "run"), "run");
    }

    #[test]
    fn among_equals_the_first_by_name_is_taken_and_the_others_are_told() {
        let model = pack(&["Walking_C", "Walking_A", "Walking_Backwards"]);
        let choice = find_clip(&model, "walk", None).unwrap();
        assert_eq!(model.clip(choice.clip).name, "Walking_A");
        let finding = choice.finding.unwrap();
        assert_eq!(finding.code, "CLIP_CHOSEN");
        let hint = finding.hint.unwrap();
        assert!(hint.contains("Walking_C") && !hint.contains("Backwards"), "{hint}");
    }

    #[test]
    fn two_that_only_hold_the_word_are_an_error() {
        assert_eq!(found(&["Idle_Gun", "Idle_Sword"], "idle"), "CLIP_AMBIGUOUS");
        assert_eq!(found(&["Jump_Idle"], "idle"), "Jump_Idle");
    }

    #[test]
    fn clip_not_found_lists_the_clips() {
        let finding = find_clip(&pack(&["Survey", "Run"]), "idle", None).unwrap_err();
        assert_eq!(finding.code, "CLIP_NOT_FOUND");
        assert_eq!(finding.hint.as_deref(), Some("the file has \"Survey\", \"Run\""));
    }

    #[test]
    fn the_studys_own_word_settles_it() {
        let model = pack(&["Walking_A", "Walking_C"]);
        assert_eq!(find_clip(&model, "walk", Some("Walking_C")).unwrap().clip, ClipIndex(1));
        assert_eq!(find_clip(&model, "walk", Some("Walking_D")).unwrap_err().code, "CLIP_NOT_FOUND");
    }

    #[test]
    fn only_idle_and_walk_stay_on_the_spot_by_default() {
        assert!(in_place_by_default("walk") && in_place_by_default("Idle") && in_place_by_default("Walking_A"));
        assert!(!in_place_by_default("run") && !in_place_by_default("jump"));
    }
}
