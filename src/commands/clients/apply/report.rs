//! What became of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::execute::{Outcome, Outcomes};
use super::plan::{Action, Plan, Step};
use super::rows;
use crate::commands::context::Context;
use crate::config::Format;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::Record;
use crate::terminal::count;
use serde::Serialize;
use std::collections::BTreeSet;

/// What is printed.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    created: Vec<Record>,
    updated: Vec<Record>,
    unchanged: usize,
    deleted: Vec<String>,
    errors: Vec<Failure>,
    /// The rows that failed.
    #[serde(skip)]
    rows: Vec<usize>,
    /// The same in words, each problem at its place.
    #[serde(skip)]
    problems: Vec<Detail>,
    #[serde(skip)]
    not_sent: usize,
}

/// What is printed where a person reads it.
#[derive(Debug, Serialize)]
struct Counts {
    created: usize,
    updated: usize,
    unchanged: usize,
    deleted: usize,
    failed: usize,
}

/// Why a client is not as wanted.
#[derive(Debug, Serialize)]
struct Failure {
    key: String,
    #[serde(serialize_with = "name")]
    kind: Kind,
    message: String,
    details: Vec<Detail>,
}

fn name<S: serde::Serializer>(kind: &Kind, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// Prints what became of the plan, and keeps the rows that failed.
///
/// # Errors
/// `Partial` where some failed; where all did, why. `Interrupted` where the plan was not gone through.
pub fn report(
    context: &Context,
    document: &Document,
    plan: &Plan,
    outcomes: Outcomes,
    failed_rows: Option<&FailedRows>,
) -> Result<()> {
    let mut report = Report { unchanged: plan.count(Action::Unchanged), ..Report::default() };
    let Outcomes { of_steps, stopped, full, released } = outcomes;
    for (number, (step, outcome)) in plan.steps.iter().zip(of_steps).enumerate() {
        let half = released.get(&number).map(|sites| half_done(step, sites));
        match outcome {
            None => {}
            Some(Outcome::Created(client)) => report.created.push(client),
            Some(Outcome::Updated(client)) => report.updated.push(client),
            Some(Outcome::Deleted) => report.deleted.push(step.key.clone()),
            Some(Outcome::Failed(error)) => {
                report.tell(document, step, &error);
                report.fail(document, step, &error, half);
            }
            Some(Outcome::NotSent) => {
                report.not_sent += 1;
                report.fail(document, step, &not_sent(step, stopped.as_ref(), full.as_deref()), half);
            }
        }
    }
    let kept = failed_rows.map_or(Ok(false), |file| file.write(document, &report.rows));
    if let Err(error) = &kept {
        report.problems.push(Detail::new("", "", &*error.message));
    }
    let hint = match (failed_rows, &kept) {
        (Some(file), Ok(true)) => report.hint_at(&file.name(), plan.prune),
        _ => report.hint(),
    };
    let done = count(report.done(), "change");
    let printed = report.print(context).map_err(|error| error.hint_first(&format!("{done} made all the same")));
    report.verdict(plan, stopped, hint).and(kept.map(drop)).and(printed)
}

/// Why a change was not tried.
fn not_sent(step: &Step, stopped: Option<&Error>, full: Option<&[Detail]>) -> Error {
    let error = |kind, why: &str| Error::new(kind, format!("not sent, after this: {why}"));
    match (stopped, full) {
        (_, Some(details)) if step.action == Action::Create => {
            error(Kind::Invalid, "the service takes no more clients").details(details.to_vec())
        }
        (Some(stopped), _) if stopped.kind == Kind::Interrupted => error(stopped.kind, "it was interrupted"),
        // What was not sent is in no doubt.
        (Some(stopped), _) if stopped.kind == Kind::UnknownOutcome => error(Kind::Unavailable, &stopped.message),
        (Some(stopped), _) => error(stopped.kind, &stopped.message),
        (None, _) => error(Kind::Error, "its sites could not be released"),
    }
}

/// The client released sites that others claim, and the rest of its change was not made.
fn half_done(step: &Step, sites: &BTreeSet<String>) -> String {
    let sites = sites.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("{} has released {sites} already; running it again makes the rest", step.key)
}

/// The row, or a client that no row is about.
fn about(document: &Document, step: &Step) -> String {
    step.row.map_or_else(|| step.key.clone(), |row| document.locate(document.rows[row].position, None))
}

fn located(document: &Document, step: &Step, error: &Error) -> Vec<Detail> {
    let at_row = |detail: &Detail| match step.row {
        Some(row) => rows::at(document, &document.rows[row], detail.clone()),
        None => detail.clone(),
    };
    error.details.iter().map(at_row).collect()
}

impl Report {
    /// Each problem of a change, at its place.
    fn tell(&mut self, document: &Document, step: &Step, error: &Error) {
        if error.details.is_empty() {
            let place = Some(about(document, step));
            self.problems.push(Detail { place, ..Detail::new(error.kind.name(), "", &*error.message) });
        }
        self.problems.extend(located(document, step, error));
    }

    /// The row or client of a change that was not made. `half`: what was done of it all the same.
    fn fail(&mut self, document: &Document, step: &Step, error: &Error, half: Option<String>) {
        let about = about(document, step);
        let mut message = format!("{about}: {}", error.message);
        if let Some(half) = half {
            message = format!("{message}; {half}");
            self.problems.push(Detail { place: Some(about), ..Detail::new("", "site_ids", half) });
        }
        let details = located(document, step, error);
        self.errors.push(Failure { key: step.key.clone(), kind: error.kind, message, details });
        self.rows.extend(step.row);
    }

    fn done(&self) -> usize {
        self.created.len() + self.updated.len() + self.deleted.len()
    }

    fn print(&self, context: &Context) -> Result<()> {
        if context.settings.format == Format::Table {
            let counts = Counts {
                created: self.created.len(),
                updated: self.updated.len(),
                unchanged: self.unchanged,
                deleted: self.deleted.len(),
                failed: self.errors.len(),
            };
            return output::result(&counts, &[], context.shape());
        }
        let records = self.created.iter().chain(&self.updated).filter_map(Record::id);
        let ids: Vec<String> = records.chain(self.deleted.iter().cloned()).collect();
        output::result(self, &ids, context.shape())
    }

    /// Whether all rows that failed are for the person to mend.
    fn can_be_mended(&self) -> bool {
        self.errors.iter().all(|failure| failure.kind == Kind::Invalid)
    }

    fn hint(&self) -> String {
        let next = if self.can_be_mended() && !self.rows.is_empty() { "mend the rows and run" } else { "run" };
        format!("{next} it again: what is done counts as unchanged (--failed-to FILE keeps the rows that failed)")
    }

    /// The same where the rows are in a file of their own. Pruned by it, everyone else would go.
    fn hint_at(&self, file: &str, prune: bool) -> String {
        let next = if self.can_be_mended() { "mend them there and apply" } else { "apply" };
        let without = if prune { ", without --prune" } else { "" };
        let others = if self.rows.len() < self.errors.len() { "; to delete the others, run this again" } else { "" };
        format!("the rows that failed are in {file}; {next} that file{without}{others}")
    }

    /// What the exit code says.
    fn verdict(self, plan: &Plan, stopped: Option<Error>, hint: String) -> Result<()> {
        let Some(first) = self.errors.first().map(|failure| failure.kind) else { return Ok(()) };
        let alike = self.errors.iter().all(|failure| failure.kind == first);
        let all = self.done() + self.unchanged == 0 && alike;
        let kind = match &stopped {
            Some(stopped) if stopped.kind == Kind::Interrupted => Kind::Interrupted,
            _ if all => first,
            _ => Kind::Partial,
        };
        let mut problems = self.problems;
        if self.not_sent > 0 {
            problems.push(Detail::new("", "", format!("{} not sent, after this", count(self.not_sent, "change"))));
        }
        let message = format!("{} of {} failed", self.errors.len(), count(plan.changes(), "change"));
        let error = Error::new(kind, message).details(problems);
        Err(match kind {
            Kind::Interrupted => error.context("interrupted").hint("run it again: it goes on where it was"),
            _ => error.hint(stopped.and_then(|stopped| stopped.hint.clone()).unwrap_or(hint)),
        })
    }
}
