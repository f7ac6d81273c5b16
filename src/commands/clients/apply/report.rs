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
use crate::terminal::{arguments, count};
use serde::Serialize;
use serde_json::{Value, json};

/// The result.
#[derive(Debug, Default, Serialize)]
struct Summary<'s> {
    created: Vec<&'s Record>,
    updated: Vec<&'s Record>,
    unchanged: usize,
    deleted: Vec<&'s str>,
    errors: Vec<Value>,
}

/// A row or a client whose change failed or was not sent.
struct Failed {
    key: String,
    row: Option<usize>,
    place: String,
    error: Error,
    is_sent: bool,
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
    let failed = failures(document, plan, outcomes);
    let rows: Vec<usize> = failed.iter().filter_map(|failed| failed.row).collect();
    let kept = failed_rows.map_or(Ok(false), |file| file.write(document, &rows));
    let summary = Summary::new(plan, outcomes, &failed);
    let printed = summary.print(context).map_err(|error| error.hint_first(&format!("{} made anyway", summary.done())));
    let Some(kind) = failure(plan, &failed, outcomes.stopped.as_ref()) else { return printed };
    let unwritten = kept.as_ref().err().map(|error| Detail::new("", "", &*error.message));
    let all = count(plan.changes() + plan.skipped.len(), "change");
    let error = Error::new(kind, format!("{} of {all} failed", failed.len()))
        .details(problems(&failed).into_iter().chain(unwritten).collect());
    let file = failed_rows.filter(|_| kept.is_ok_and(|kept| kept)).map(FailedRows::name);
    Err(match outcomes.stopped.as_ref().and_then(|stopped| stopped.hint.clone()) {
        _ if kind == Kind::Interrupted => error.context("interrupted").hint("run the same command again to resume"),
        Some(hint) => error.hint(hint),
        None => error.hint(hint(&context.program(), &failed, file)),
    })
}

/// Fails if rows were skipped.
///
/// # Errors
/// `Partial`, or `Invalid` if all rows were skipped, with their problems.
pub fn skipped(document: &Document, plan: &Plan) -> Result<()> {
    let failed = skipped_rows(document, plan);
    let Some(kind) = failure(plan, &failed, None) else { return Ok(()) };
    let rows = count(plan.steps.len() + failed.len(), "row");
    Err(Error::new(kind, format!("{} of {rows} invalid", failed.len())).details(problems(&failed)))
}

fn failure(plan: &Plan, failed: &[Failed], stopped: Option<&Error>) -> Option<Kind> {
    let errors: Vec<&Error> = failed.iter().map(|failed| &failed.error).collect();
    bulk::failure(&errors, plan.steps.len() + plan.skipped.len(), stopped)
}

/// Returns the rows and clients that failed in the order of the file, and then those that were not sent.
fn failures(document: &Document, plan: &Plan, outcomes: &Outcomes<Option<Record>>) -> Vec<Failed> {
    let mut failed = skipped_rows(document, plan);
    for (number, step) in plan.steps.iter().enumerate() {
        let (error, is_sent) = match outcomes.rows.get(&number) {
            Some(Outcome::Failed(error)) => (located(document, step, error), true),
            Some(Outcome::NotSent(error)) => (error.brief(), false),
            Some(Outcome::Done(_)) | None => continue,
        };
        let place = step.row.map_or_else(|| step.key.clone(), |row| document.locate(document.rows[row].position, None));
        failed.push(Failed { key: step.key.clone(), row: step.row, place, error, is_sent });
    }
    let position = |failed: &Failed| failed.row.and_then(|row| document.position(row));
    failed.sort_by_key(|failed| (!failed.is_sent, failed.row.is_none(), position(failed)));
    failed
}

fn skipped_rows(document: &Document, plan: &Plan) -> Vec<Failed> {
    let failed = |(row, problems): (&usize, &Vec<Detail>)| {
        let key = document.rows.get(*row).and_then(|row| row.value("id").or_else(|| row.value("email")));
        let key = key.and_then(scalar).unwrap_or_default();
        let place = document.position(*row).map(|position| document.locate(position, None)).unwrap_or_default();
        let error = Error::new(Kind::Invalid, "invalid row").details(problems.clone());
        Failed { key, row: Some(*row), place, error, is_sent: true }
    };
    plan.skipped.iter().map(failed).collect()
}

/// Returns the error with the place of each detail.
fn located(document: &Document, step: &Step, error: &Error) -> Error {
    let at_row = |detail: &Detail| match step.row {
        Some(row) => rows::at(document, &document.rows[row], detail.clone()),
        None => detail.clone(),
    };
    error.brief().details(error.details.iter().map(at_row).collect())
}

/// Returns the details of the errors, an error without details as one, and the number of changes that were not sent.
fn problems(failed: &[Failed]) -> Vec<Detail> {
    let mut problems = Vec::new();
    for Failed { place, error, .. } in failed.iter().filter(|failed| failed.is_sent) {
        match error.details.is_empty() {
            true => problems
                .push(Detail { place: Some(place.clone()), ..Detail::new(error.kind.name(), "", &*error.message) }),
            false => problems.extend(error.details.iter().cloned()),
        }
    }
    let not_sent = failed.iter().filter(|failed| !failed.is_sent).count();
    if not_sent > 0 {
        problems.push(Detail::new("", "", format!("{} not sent, after this", count(not_sent, "change"))));
    }
    problems
}

/// Returns the hint. The command has no `--prune`, because that would delete the clients of the other rows.
fn hint(program: &str, failed: &[Failed], file: Option<String>) -> String {
    let fixable = failed.iter().all(|failed| failed.row.is_some() && failed.error.kind == Kind::Invalid);
    match file {
        Some(file) => {
            let next = if fixable { "fix the failed rows and apply them" } else { "apply the failed rows again" };
            format!("{next}: {program} clients apply {}", arguments(&[&file]))
        }
        None => {
            let next = if fixable { "fix the rows above and run" } else { "run" };
            format!("{next} the same command again: clients that match the file already stay unchanged")
        }
    }
}

impl<'s> Summary<'s> {
    fn new(plan: &'s Plan, outcomes: &'s Outcomes<Option<Record>>, failed: &[Failed]) -> Self {
        let mut summary = Self::default();
        for (number, step) in plan.steps.iter().enumerate() {
            match outcomes.rows.get(&number) {
                None => summary.unchanged += 1,
                Some(Outcome::Done(None)) => summary.deleted.push(&step.key),
                Some(Outcome::Done(Some(client))) if step.action == Action::Create => summary.created.push(client),
                Some(Outcome::Done(Some(client))) => summary.updated.push(client),
                Some(Outcome::Failed(_) | Outcome::NotSent(_)) => {}
            }
        }
        let error = |Failed { key, place, error, .. }: &Failed| {
            let message = format!("{place}: {}", error.message);
            json!({"key": key, "kind": error.kind.name(), "message": message, "details": error.details})
        };
        summary.errors = failed.iter().map(error).collect();
        summary
    }

    /// Returns the number of changes that were made.
    fn done(&self) -> String {
        count(self.created.len() + self.updated.len() + self.deleted.len(), "change")
    }

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
