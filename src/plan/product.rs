//! The product of a study's axes, without what `only`, `skip` and filters leave out.

use super::cell::Cell;
use super::error::PlanError;
use super::merge::{Chosen, merged};
use super::{Plan, PlanAxis, defaults};
use crate::study::{Axis, Filter, Study, filters};

/// Most points of a product that are looked at, kept or not.
const MOST_POINTS: u128 = 1_000_000;

/// Every cell of `study` that matches all `filters`, each `axis=value` or `axis=value,value`, where
/// `*` in a value matches any run of characters.
///
/// What two axes both set is an error even for a cell that a filter leaves out: a filter chooses
/// from a study that stands.
///
/// # Errors
///
/// See [`PlanError`]; no cell at all is one.
pub fn plan(study: &Study, filters: &[impl AsRef<str>]) -> Result<Plan, PlanError> {
    let chosen_by_hand =
        filters.iter().map(|filter| parse_filter(study, filter.as_ref())).collect::<Result<Vec<_>, _>>()?;
    let points = study.axes.iter().fold(1_u128, |points, axis| points.saturating_mul(axis.values.len() as u128));
    if points > MOST_POINTS {
        return Err(PlanError::TooManyCells { cells: points, most: MOST_POINTS });
    }
    let mut cells = Vec::new();
    let mut any_stays = false;
    for values in product(&study.axes) {
        let chosen: Vec<_> =
            study.axes.iter().zip(&values).map(|(axis, at)| (axis.name.as_str(), &axis.values[*at])).collect();
        if !stays(study, &chosen) {
            continue;
        }
        any_stays = true;
        let cell = cell_of(study, &chosen, &values)?;
        if chosen_by_hand.iter().all(|filter| matches(filter, &chosen)) {
            cells.push(Cell { index: cells.len(), ..cell });
        }
    }
    if cells.is_empty() {
        return Err(if any_stays {
            let filters: Vec<&str> = filters.iter().map(AsRef::as_ref).collect();
            PlanError::NothingMatches { study: study.name.clone(), filters: filters.join(" ") }
        } else {
            PlanError::NothingLeft { study: study.name.clone() }
        });
    }
    Ok(Plan { study: study.name.clone(), axes: study.axes.iter().map(plan_axis).collect(), cells })
}

fn plan_axis(axis: &Axis) -> PlanAxis {
    PlanAxis { name: axis.name.clone(), values: axis.values.iter().map(|value| value.name.clone()).collect() }
}

/// Positions of values, the last axis turning fastest; one empty point for no axes.
fn product(axes: &[Axis]) -> impl Iterator<Item = Vec<usize>> {
    let sizes: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
    let points: usize = sizes.iter().product();
    (0..points).map(move |mut point| {
        let mut values = vec![0; sizes.len()];
        for (value, size) in values.iter_mut().zip(&sizes).rev() {
            *value = point % size;
            point /= size;
        }
        values
    })
}

fn cell_of(study: &Study, chosen: &Chosen, values: &[usize]) -> Result<Cell, PlanError> {
    let mut name = study.name.clone();
    for (_, value) in chosen {
        name.push('/');
        name.push_str(&value.name);
    }
    let merged = merged(study, chosen, &name)?;
    match defaults::applied(&merged, study.sheet.cell_px) {
        Some(spec) => Ok(Cell { index: 0, name, values: values.to_vec(), spec }),
        None => Err(PlanError::NoSubject { cell: name }),
    }
}

fn stays(study: &Study, chosen: &Chosen) -> bool {
    let any = |filters: &[Filter]| filters.iter().any(|filter| matches(filter, chosen));
    (study.only.is_empty() || any(&study.only)) && !any(&study.skip)
}

/// Whether every axis that the filter names has one of its values.
fn matches(filter: &Filter, chosen: &Chosen) -> bool {
    filter.iter().all(|(wanted_axis, wanted)| {
        chosen.iter().any(|(axis, value)| axis == wanted_axis && wanted.contains(&value.name))
    })
}

fn parse_filter(study: &Study, written: &str) -> Result<Filter, PlanError> {
    let Some((axis_name, wanted)) = written.split_once('=') else {
        return Err(PlanError::NoFilter { filter: written.to_owned() });
    };
    let Some(axis) = study.axes.iter().find(|axis| axis.name == axis_name) else {
        let choices = study.axes.iter().map(|axis| axis.name.clone()).collect();
        return Err(PlanError::UnknownAxis { axis: axis_name.to_owned(), choices });
    };
    let names = || axis.values.iter().map(|value| value.name.as_str());
    // A value's name may hold a comma, so the whole is tried before its parts.
    let whole = filters::matching(names(), wanted);
    if !whole.is_empty() {
        return Ok(vec![(axis.name.clone(), whole)]);
    }
    let mut values = Vec::new();
    for part in wanted.split(',') {
        let found = filters::matching(names(), part);
        if found.is_empty() {
            let choices = names().map(str::to_owned).collect();
            return Err(PlanError::UnknownValue { axis: axis.name.clone(), value: part.to_owned(), choices });
        }
        values.extend(found);
    }
    Ok(vec![(axis.name.clone(), values)])
}
