//! Reports the outcome of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::plan::{Action, Plan, Step};
use super::rows;
use crate::commands::bulk::{self, Outcome, Outcomes};
use crate::commands::context::Context;
use crate::config::Format;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::{Record, scalar};
use crate::terminal::count;
use serde::Serialize;
use serde_json::json;

/// What is printed.
#[derive(Debug, Default, Serialize)]
struct Summary<'s> {
    created: Vec<&'s Record>,
    updated: Vec<&'s Record>,
    unchanged: usize,
    deleted: Vec<&'s str>,
    errors: Vec<Failure<'s>>,
}

/// A client whose change failed, in the output.
#[derive(Debug, Serialize)]
struct Failure<'s> {
    key: &'s str,
    kind: &'static str,
    message: String,
    details: &'s [Detail],
}

/// A row or a client whose change failed.
struct Failed {
    key: String,
    row: Option<usize>,
    place: String,
    error: Error,
}

/// Prints the outcome of the plan, and writes the rows that failed to their own file.
///
/// # Errors
/// As [`bulk::failure`].
pub fn report(
    context: &Context,
    document: &Document,
    plan: &Plan,
    outcomes: &Outcomes<Option<Record>>,
    failed_rows: Option<&FailedRows>,
) -> Result<()> {
    let mut summary = Summary::default();
    let mut failed = skipped_rows(document, plan);
    let mut not_sent = Vec::new();
    for (number, step) in plan.steps.iter().enumerate() {
        match outcomes.rows.get(&number) {
            None => summary.unchanged += 1,
            Some(Outcome::Done(None)) => summary.deleted.push(&step.key),
            Some(Outcome::Done(Some(client))) if step.action == Action::Create => summary.created.push(client),
            Some(Outcome::Done(Some(client))) => summary.updated.push(client),
            Some(Outcome::Failed(error)) => failed.push(failure(document, step, located(document, step, error))),
            Some(Outcome::NotSent(error)) => not_sent.push(failure(document, step, error.brief())),
        }
    }
    failed.sort_by_key(|failed| failed.row.map_or((true, None), |row| (false, document.position(row))));
    let mut problems: Vec<Detail> = failed.iter().flat_map(details).collect();
    if !not_sent.is_empty() {
        problems.push(Detail::new("", "", format!("{} not sent, after this", count(not_sent.len(), "change"))));
    }
    failed.extend(not_sent);
    summary.errors = failed
        .iter()
        .map(|Failed { key, place, error, .. }| Failure {
            key,
            kind: error.kind.name(),
            message: format!("{place}: {}", error.message),
            details: &error.details,
        })
        .collect();
    let rows: Vec<usize> = failed.iter().filter_map(|failed| failed.row).collect();
    let kept = failed_rows.map_or(Ok(false), |file| file.write(document, &rows));
    problems.extend(kept.as_ref().err().map(|error| Detail::new("", "", &*error.message)));
    let done = count(summary.created.len() + summary.updated.len() + summary.deleted.len(), "change");
    let printed = summary.print(context).map_err(|error| error.hint_first(&format!("{done} made anyway")));
    let Some(kind) = verdict(plan, &failed, outcomes.stopped.as_ref()) else { return printed };
    let all = count(plan.changes() + plan.skipped.len(), "change");
    let error = Error::new(kind, format!("{} of {all} failed", failed.len())).details(problems);
    let file = failed_rows.filter(|_| kept.as_ref().is_ok_and(|kept| *kept)).map(FailedRows::name);
    Err(match outcomes.stopped.as_ref().and_then(|stopped| stopped.hint.clone()) {
        _ if error.kind == Kind::Interrupted => {
            error.context("interrupted").hint("run the same command again to resume")
        }
        Some(hint) => error.hint(hint),
        None => error.hint(hint(&failed, &rows, file, plan.prune)),
    })
}

/// Fails if rows were skipped.
///
/// # Errors
/// `Partial`, or `Invalid` if all rows were skipped, with their problems.
pub fn skipped(document: &Document, plan: &Plan) -> Result<()> {
    let failed = skipped_rows(document, plan);
    let (skipped, rows) = (failed.len(), plan.steps.len() + failed.len());
    let Some(kind) = verdict(plan, &failed, None) else { return Ok(()) };
    let message = format!("{skipped} of {} invalid", count(rows, "row"));
    Err(Error::new(kind, message).details(failed.iter().flat_map(details).collect()))
}

fn verdict(plan: &Plan, failed: &[Failed], stopped: Option<&Error>) -> Option<Kind> {
    let errors: Vec<&Error> = failed.iter().map(|failed| &failed.error).collect();
    bulk::failure(&errors, plan.steps.len() + plan.skipped.len(), stopped)
}

fn skipped_rows(document: &Document, plan: &Plan) -> Vec<Failed> {
    let failed = |(row, problems): (&usize, &Vec<Detail>)| {
        let source = document.rows.get(*row);
        let value = source.and_then(|row| row.value("id").or_else(|| row.value("email")));
        let place = document.position(*row).map(|position| document.locate(position, None)).unwrap_or_default();
        let error = Error::new(Kind::Invalid, "invalid row").details(problems.clone());
        Failed { key: value.and_then(scalar).unwrap_or_default(), row: Some(*row), place, error }
    };
    plan.skipped.iter().map(failed).collect()
}

fn failure(document: &Document, step: &Step, error: Error) -> Failed {
    Failed { key: step.key.clone(), row: step.row, place: place(document, step), error }
}

/// Returns the details of the error, or the error itself as one.
fn details(Failed { place, error, .. }: &Failed) -> Vec<Detail> {
    match error.details.is_empty() {
        true => vec![Detail { place: Some(place.clone()), ..Detail::new(error.kind.name(), "", &*error.message) }],
        false => error.details.clone(),
    }
}

/// Returns the place of the row, or the id of a client that is not in the file.
fn place(document: &Document, step: &Step) -> String {
    step.row.map_or_else(|| step.key.clone(), |row| document.locate(document.rows[row].position, None))
}

/// Returns the error with the place of each detail.
fn located(document: &Document, step: &Step, error: &Error) -> Error {
    let at_row = |detail: &Detail| match step.row {
        Some(row) => rows::at(document, &document.rows[row], detail.clone()),
        None => detail.clone(),
    };
    error.brief().details(error.details.iter().map(at_row).collect())
}

/// Returns the hint. With `--prune`, the file of the failed rows would delete every other client.
fn hint(failed: &[Failed], rows: &[usize], file: Option<String>, prune: bool) -> String {
    let fixable = !rows.is_empty() && failed.iter().all(|failed| failed.error.kind == Kind::Invalid);
    let Some(file) = file else {
        let next = if fixable { "fix the rows above and run" } else { "run" };
        return format!("{next} the same command again: clients that match the file already stay unchanged");
    };
    let next = if fixable { "fix the failed rows in" } else { "apply the failed rows again from" };
    let without = if prune { ", without --prune" } else { "" };
    let others = if rows.len() < failed.len() { "; to delete the others, run the same command again" } else { "" };
    let then = if fixable { format!(" and apply that file{without}") } else { without.into() };
    format!("{next} {file}{then}{others}")
}

impl Summary<'_> {
    fn print(&self, context: &Context) -> Result<()> {
        if context.settings.format == Format::Table {
            let counts = json!({
                "created": self.created.len(),
                "updated": self.updated.len(),
                "unchanged": self.unchanged,
                "deleted": self.deleted.len(),
                "failed": self.errors.len(),
            });
            return output::result(&counts, &[], context.shape());
        }
        let records = self.created.iter().chain(&self.updated).filter_map(|client| client.id());
        let ids: Vec<String> = records.chain(self.deleted.iter().map(ToString::to_string)).collect();
        output::result(self, &ids, context.shape())
    }
}
