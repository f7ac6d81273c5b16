//! Reports the outcome of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::plan::{Action, Done, Plan, Step};
use crate::commands::bulk::{self, Outcome, Outcomes};
use crate::commands::clients::columns::field_of;
use crate::commands::context::Context;
use crate::config::Format;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::Record;
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
struct Failed<'r> {
    step: &'r Step,
    place: String,
    error: Error,
    is_sent: bool,
}

/// The outcome of a plan.
pub struct Report<'r> {
    context: &'r Context,
    document: &'r Document,
    plan: &'r Plan,
    outcomes: &'r Outcomes<Done>,
    /// In the order of the file; those that were not sent come last.
    failed: Vec<Failed<'r>>,
}

impl<'r> Report<'r> {
    /// Finds the rows and clients that failed.
    pub fn new(context: &'r Context, document: &'r Document, plan: &'r Plan, outcomes: &'r Outcomes<Done>) -> Self {
        let mut failed: Vec<Failed<'_>> = Vec::new();
        for (number, outcome) in &outcomes.rows {
            let (error, is_sent) = match outcome {
                Outcome::Failed(error) => (error, true),
                Outcome::NotSent(error) => (error, false),
                Outcome::Done(_) => continue,
            };
            let step = &plan.steps[*number];
            let position = step.row.and_then(|row| document.position(row));
            let place = position.map_or_else(|| step.key.clone(), |position| document.locate(position, None));
            let at = |param: &str| position.map(|position| document.locate(position, Some(field_of(param))));
            let error = error.brief().details(error.details.clone()).name_places(at);
            failed.push(Failed { step, place, error, is_sent });
        }
        let position = |failed: &Failed<'_>| failed.step.row.and_then(|row| document.position(row));
        failed.sort_by_key(|failed| (!failed.is_sent, failed.step.row.is_none(), position(failed)));
        Self { context, document, plan, outcomes, failed }
    }

    /// Prints the outcome, and writes the rows that failed to their own file.
    ///
    /// # Errors
    /// As [`Self::verdict`], or if the outcome cannot be printed.
    pub fn print(&self, failed_rows: Option<&FailedRows>) -> Result<()> {
        let rows: Vec<usize> = self.failed.iter().filter_map(|failed| failed.step.row).collect();
        let kept = failed_rows.map_or(Ok(false), |file| file.write(self.document, &rows));
        let printed = Summary::new(self).print(self.context);
        let Err(error) = self.verdict("failed") else { return printed };
        let mut details = error.details.clone();
        details.extend(kept.as_ref().err().map(|error| Detail::new("", "", &*error.message)));
        Err(error.details(details).or_hint(|| match failed_rows {
            // Without --prune, because that would delete the clients of the other rows.
            Some(file) if kept.is_ok_and(|kept| kept) => {
                let command = format!("{} clients apply {}", self.context.program(), arguments(&[&file.name()]));
                format!("fix the cause and apply the failed rows: {command}")
            }
            _ => "fix the cause and run the same command again: clients that match the file already stay unchanged"
                .into(),
        }))
    }

    /// Fails if a change failed; `failed` is the word for it.
    ///
    /// # Errors
    /// As [`bulk::failure`].
    pub fn verdict(&self, failed: &str) -> Result<()> {
        let errors: Vec<&Error> = self.failed.iter().map(|failed| &failed.error).collect();
        let stopped = self.outcomes.stopped.as_ref();
        let Some(kind) = bulk::failure(&errors, self.plan.steps.len(), stopped) else { return Ok(()) };
        let all = count(self.plan.changes(), "change");
        let error = Error::new(kind, format!("{} of {all} {failed}", errors.len())).details(self.problems());
        Err(match stopped.and_then(|stopped| stopped.hint.clone()) {
            _ if kind == Kind::Interrupted => error.context("interrupted").hint("run the same command again to resume"),
            Some(hint) => error.hint(hint),
            None => error,
        })
    }

    /// Returns the details of the errors, an error with only notes as one more, and the number of changes that were not sent.
    fn problems(&self) -> Vec<Detail> {
        let mut problems = Vec::new();
        for Failed { place, error, .. } in self.failed.iter().filter(|failed| failed.is_sent) {
            if error.details.iter().all(|detail| detail.code.is_empty()) {
                let problem = Detail::new(error.kind.name(), "", &*error.message);
                problems.push(Detail { place: Some(place.clone()), ..problem });
            }
            problems.extend(error.details.iter().cloned());
        }
        let not_sent = self.failed.iter().filter(|failed| !failed.is_sent).count();
        if not_sent > 0 {
            problems.push(Detail::new("", "", format!("{} not sent, after this", count(not_sent, "change"))));
        }
        problems
    }
}

impl<'s> Summary<'s> {
    fn new(report: &'s Report<'s>) -> Self {
        let mut summary = Self { unchanged: report.plan.count(Action::Unchanged), ..Self::default() };
        for (number, outcome) in &report.outcomes.rows {
            let step = &report.plan.steps[*number];
            match outcome {
                Outcome::Done(None) => summary.deleted.push(&step.key),
                Outcome::Done(Some(client)) if step.action == Action::Create => summary.created.push(client),
                Outcome::Done(Some(client)) => summary.updated.push(client),
                Outcome::Failed(_) | Outcome::NotSent(_) => {}
            }
        }
        let error = |Failed { step, place, error, .. }: &Failed<'_>| {
            let message = format!("{place}: {}", error.message);
            json!({"key": step.key, "kind": error.kind.name(), "message": message, "details": error.details})
        };
        summary.errors = report.failed.iter().map(error).collect();
        summary
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
        let done = count(ids.len(), "change");
        output::result(self, &ids, context.shape()).map_err(|error| error.hint_first(&format!("{done} made anyway")))
    }
}
