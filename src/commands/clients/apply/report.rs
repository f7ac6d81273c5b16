//! What became of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::execute::{Outcome, Outcomes};
use super::failed_rows::FailedRows;
use super::plan::{Action, Plan, Step};
use super::rows;
use crate::commands::clients::count;
use crate::config::Format;
use crate::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::Document;
use crate::output;
use crate::resource::Record;
use serde::Serialize;

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
        let failed = match outcome {
            Some(Outcome::Failed(error)) => error,
            Some(Outcome::NotSent) => not_sent(step, stopped.as_ref(), full.as_deref()),
            outcome => {
                report.take(step, outcome);
                continue;
            }
        };
        report.fail(document, step, failed, released.contains_key(&number));
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
    let printed = report.print(context).map_err(|error| error.or_hint(|| format!("{done} made all the same")));
    report.verdict(plan, stopped, hint).and(kept.map(drop)).and(printed)
}

const NOT_SENT: &str = "not sent: ";

/// Why a change was not tried.
fn not_sent(step: &Step, stopped: Option<&Error>, full: Option<&[Detail]>) -> Error {
    match (stopped, full) {
        (_, Some(details)) if step.action == Action::Create => {
            Error::new(Kind::Invalid, format!("{NOT_SENT}the service takes no more clients")).details(details.to_vec())
        }
        (Some(error), _) if error.kind == Kind::Interrupted => Error::new(error.kind, format!("{NOT_SENT}interrupted")),
        (Some(error), _) => Error::new(error.kind, format!("{NOT_SENT}{}", error.message)),
        (None, _) => Error::new(Kind::Error, format!("{NOT_SENT}its sites could not be released")),
    }
}

impl Report {
    fn take(&mut self, step: &Step, outcome: Option<Outcome>) {
        match outcome {
            Some(Outcome::Created(client)) => self.created.push(client),
            Some(Outcome::Updated(client)) => self.updated.push(client),
            Some(Outcome::Deleted) => self.deleted.push(step.key.clone()),
            None | Some(Outcome::Failed(_) | Outcome::NotSent) => {}
        }
    }

    /// `released`: its sites were released ahead of the rest.
    fn fail(&mut self, document: &Document, step: &Step, error: Error, released: bool) {
        let place = step.row.map(|row| document.locate(document.rows[row].place, None));
        let about = place.clone().unwrap_or_else(|| step.key.clone());
        let at_row = |detail: &Detail| match step.row {
            Some(row) => rows::at(document, &document.rows[row], detail.clone()),
            None => detail.clone(),
        };
        let mut message = error.message.clone();
        let details: Vec<Detail> = error.details.iter().map(at_row).collect();
        let mut problems = details.clone();
        if problems.is_empty() {
            problems.push(Detail { place: Some(about.clone()), ..Detail::new(error.kind.name(), "", &*message) });
        }
        if released {
            let sites = step.given_up("site_ids").into_iter().collect::<Vec<_>>().join(", ");
            let half = format!("{} has released {sites} already; running it again makes the rest", step.key);
            message = format!("{message}; {half}");
            problems.push(Detail { place, ..Detail::new("", "site_ids", half) });
        }
        if message.starts_with(NOT_SENT) && !released {
            self.not_sent += 1;
        } else {
            self.problems.extend(problems);
            message = format!("{about}: {message}");
        }
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
