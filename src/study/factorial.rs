//! Expand `factorial = { a = {..}, b = {..} }` into every combination of its factors.
//!
//! `2^k` values, named `base`, `a`, `b`, `a+b`: the fewest factors first, then in the order of the
//! file. A combination that an axis already has, by its settings, is not added again, so that
//! one-at-a-time changes and a factorial make one axis; an axis that already has a value with
//! nothing changed, whatever its name, therefore gets no `base`.

use indexmap::IndexMap;

use super::axis::Candidate;
use super::read::{Key, Reader, Value, in_file_order};
use super::settings::Settings;
use super::{AxisValue, value_names};

/// Most factors: 1,024 combinations.
const MOST_FACTORS: usize = 10;

/// Adds the combinations to `out`; every one starts from `shared`.
pub(super) fn read(reader: &mut Reader, shared: &Settings, key: &Key, value: &Value, out: &mut Vec<Candidate>) {
    let Some(factors) = read_factors(reader, value) else {
        return;
    };
    if factors.is_empty() || factors.len() > MOST_FACTORS {
        let label = format!("expected 1 to {MOST_FACTORS} factors");
        reader.wrong(key.span(), format!("{} factors are given", factors.len()), label, None);
        return;
    }
    for combination in combinations(factors.len()) {
        let chosen: Vec<&(String, Settings)> = combination.iter().map(|at| &factors[*at]).collect();
        match combined(shared, &chosen) {
            Ok(settings) => add(key, &chosen, settings, out),
            Err(clash) => {
                let label = "a factor is a change that goes with every other";
                reader.wrong(key.span(), clash, label, None);
                return;
            }
        }
    }
}

fn read_factors(reader: &mut Reader, value: &Value) -> Option<Vec<(String, Settings)>> {
    let table = reader.table(value, "a table of factors, such as { hair = { .. }, brows = { .. } }")?;
    let errors_before = reader.errors.len();
    let mut factors = Vec::new();
    for (key, value) in in_file_order(table) {
        let name = key.get_ref().to_string();
        value_names::check(reader, "a factor", &name, key.span());
        let mut settings = Settings::default();
        if let Some(table) = reader.table(value, "a table of settings") {
            reader.keys(table, Settings::KEYS, "a factor", |reader, key, value| settings.read_key(reader, key, value));
        }
        factors.push((name, settings));
    }
    (reader.errors.len() == errors_before).then_some(factors)
}

/// Every subset of `0..count`, the smallest first, those of one size in order.
fn combinations(count: usize) -> Vec<Vec<usize>> {
    let mut subsets: Vec<Vec<usize>> =
        (0_usize..1 << count).map(|bits| (0..count).filter(|at| bits >> at & 1 == 1).collect()).collect();
    subsets.sort_by(|one, other| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
    subsets
}

fn add(key: &Key, chosen: &[&(String, Settings)], settings: Settings, out: &mut Vec<Candidate>) {
    if out.iter().any(|candidate| candidate.value.settings == settings) {
        return;
    }
    let names: Vec<&str> = chosen.iter().map(|(name, _)| name.as_str()).collect();
    let name = if names.is_empty() { "base".to_owned() } else { names.join("+") };
    out.push(Candidate { value: AxisValue { name, settings }, span: key.span() });
}

/// The factors over `shared`. What lists or names parts of a model is joined; any other key belongs
/// to one factor.
fn combined(shared: &Settings, factors: &[&(String, Settings)]) -> Result<Settings, String> {
    let mut whole = Settings::default();
    let mut owners: Vec<(&'static str, &str)> = Vec::new();
    for (name, settings) in factors {
        for key in settings.keys_set() {
            let owner = owners.iter().find(|(owned, _)| *owned == key).map(|(_, owner)| owner);
            if let Some(owner) = owner
                && !JOINED_KEYS.contains(&key)
            {
                return Err(format!("factors {owner:?} and {name:?} both set {key}"));
            }
            owners.push((key, name));
        }
        whole = joined(&whole, settings);
    }
    let mut settings = shared.clone();
    settings.overlay(&whole);
    Ok(settings)
}

/// Keys that several factors may set, because each adds its own part.
const JOINED_KEYS: [&str; 7] = ["clips", "clip_files", "roles", "hide", "show", "recolour", "flatten"];

/// `one` with what `other` sets, lists and names joined; of two equal names the later wins.
fn joined(one: &Settings, other: &Settings) -> Settings {
    let mut whole = one.clone();
    whole.overlay(other);
    Settings {
        clips: joined_maps(&one.clips, &other.clips),
        clip_files: joined_lists(&one.clip_files, &other.clip_files),
        roles: joined_maps(&one.roles, &other.roles),
        hide: joined_lists(&one.hide, &other.hide),
        show: joined_lists(&one.show, &other.show),
        recolour: joined_maps(&one.recolour, &other.recolour),
        flatten: joined_lists(&one.flatten, &other.flatten),
        ..whole
    }
}

fn joined_lists<T: Clone + PartialEq>(one: &Option<Vec<T>>, other: &Option<Vec<T>>) -> Option<Vec<T>> {
    let mut list = one.clone().or_else(|| other.clone())?;
    for item in other.iter().flatten() {
        if !list.contains(item) {
            list.push(item.clone());
        }
    }
    Some(list)
}

fn joined_maps<T: Clone>(
    one: &Option<IndexMap<String, T>>,
    other: &Option<IndexMap<String, T>>,
) -> Option<IndexMap<String, T>> {
    let mut map = one.clone().or_else(|| other.clone())?;
    map.extend(other.iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
    Some(map)
}
