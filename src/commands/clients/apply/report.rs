//! Reports what became of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::execute::{Done, half_done};
use super::plan::{Plan, Step};
use super::rows;
use crate::commands::bulk::{self, Outcome, Outcomes};
use crate::commands::context::Context;
use crate::config::Format;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::Record;
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

/// A client whose change failed.
#[derive(Debug, Serialize)]
struct Failure<'s> {
    key: &'s str,
    kind: &'static str,
    message: String,
    details: &'s [Detail],
}

/// Prints what became of the plan, and writes the rows that failed to a file of their own.
///
/// # Errors
/// As [`bulk::failure`] says.
pub fn report(
    context: &Context,
    document: &Document,
    plan: &Plan,
    outcomes: &Outcomes<Done>,
    failed_rows: Option<&FailedRows>,
) -> Result<()> {
    let mut summary = Summary::default();
    let mut failed: Vec<(&Step, Error)> = Vec::new();
    let mut not_sent: Vec<(&Step, Error)> = Vec::new();
    for (step, outcome) in plan.steps.iter().zip(&outcomes.rows) {
        match outcome {
            None => summary.unchanged += 1,
            Some(Outcome::Done(Done::Created(client))) => summary.created.push(client),
            Some(Outcome::Done(Done::Updated(client))) => summary.updated.push(client),
            Some(Outcome::Done(Done::Deleted)) => summary.deleted.push(&step.key),
            Some(Outcome::Done(Done::Released(sites))) => {
                failed.push((step, located(document, step, &half_done(&outcomes.not_sent(), step, sites))));
            }
            Some(Outcome::Failed(error)) => failed.push((step, located(document, step, error))),
            Some(Outcome::NotSent(error)) => not_sent.push((step, error.brief())),
        }
    }
    let mut problems = Vec::new();
    for (step, error) in &failed {
        match error.details.is_empty() {
            true => problems.push(Detail {
                place: Some(place(document, step)),
                ..Detail::new(error.kind.name(), "", &*error.message)
            }),
            false => problems.extend(error.details.iter().cloned()),
        }
    }
    if !not_sent.is_empty() {
        problems.push(Detail::new("", "", format!("{} not sent, after this", count(not_sent.len(), "change"))));
    }
    failed.extend(not_sent);
    // In the order of the file; clients that it lacks come last.
    failed.sort_by_key(|(step, _)| step.row.unwrap_or(usize::MAX));
    summary.errors = failed
        .iter()
        .map(|(step, error)| Failure {
            key: &step.key,
            kind: error.kind.name(),
            message: format!("{}: {}", place(document, step), error.message),
            details: &error.details,
        })
        .collect();
    let rows: Vec<usize> = failed.iter().filter_map(|(step, _)| step.row).collect();
    let kept = failed_rows.map_or(Ok(false), |file| file.write(document, &rows));
    if let Err(error) = &kept {
        problems.push(Detail::new("", "", &*error.message));
    }
    let done = count(summary.created.len() + summary.updated.len() + summary.deleted.len(), "change");
    let printed = summary.print(context).map_err(|error| error.hint_first(&format!("{done} made all the same")));
    let errors: Vec<&Error> = failed.iter().map(|(_, error)| error).collect();
    let stopped = outcomes.stopped.as_ref();
    let Some(kind) = bulk::failure(&errors, plan.steps.len(), stopped) else { return printed };
    let message = format!("{} of {} failed", errors.len(), count(plan.changes(), "change"));
    let error = Error::new(kind, message).details(problems);
    let file = failed_rows.filter(|_| kept.as_ref().is_ok_and(|kept| *kept)).map(FailedRows::name);
    Err(match (kind, stopped.and_then(|stopped| stopped.hint.clone())) {
        (Kind::Interrupted, _) => error.context("interrupted").hint("run it again: it goes on where it was"),
        (_, Some(hint)) => error.hint(hint),
        _ => error.hint(hint(&errors, &rows, file, plan.prune)),
    })
}

/// Returns the row, or the client that no row is about.
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

/// Says what to do next. Pruned by the file of the failed rows, every other client would be deleted.
fn hint(errors: &[&Error], rows: &[usize], file: Option<String>, prune: bool) -> String {
    let fixable = !rows.is_empty() && errors.iter().all(|error| error.kind == Kind::Invalid);
    let Some(file) = file else {
        let next = if fixable { "mend the rows and run" } else { "run" };
        return format!(
            "{next} it again: what is done counts as unchanged (--failed-to FILE keeps the rows that failed)"
        );
    };
    let next = if fixable { "mend them there and apply" } else { "apply" };
    let without = if prune { ", without --prune" } else { "" };
    let others = if rows.len() < errors.len() { "; to delete the others, run this again" } else { "" };
    format!("the rows that failed are in {file}; {next} that file{without}{others}")
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
