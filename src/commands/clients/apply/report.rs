//! Reports the outcome of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::plan::{Action, Done, Plan, Step};
use crate::commands::bulk::{self, Outcomes};
use crate::commands::clients::columns::field_of;
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::Record;
use crate::terminal::{pluralize, shell_arguments};
use serde::Serialize;
use serde_json::json;

/// A row or a client whose change failed or was not sent.
#[derive(Serialize)]
struct Failed<'r> {
    key: &'r str,
    kind: &'static str,
    /// With the place of the row.
    message: String,
    details: Vec<Detail>,
    #[serde(skip)]
    error: &'r Error,
    #[serde(skip)]
    row: Option<usize>,
    #[serde(skip)]
    is_sent: bool,
}

/// The outcome of a plan.
#[derive(Serialize)]
pub struct Report<'r> {
    created: Vec<&'r Record>,
    updated: Vec<&'r Record>,
    unchanged: usize,
    deleted: Vec<&'r str>,
    /// In the order of the file; those that were not sent come last.
    errors: Vec<Failed<'r>>,
    #[serde(skip)]
    context: &'r Context,
    #[serde(skip)]
    document: &'r Document,
    #[serde(skip)]
    plan: &'r Plan,
    #[serde(skip)]
    stopped: Option<&'r Error>,
}

impl<'r> Report<'r> {
    /// Sorts the outcomes.
    pub fn new(
        context: &'r Context,
        document: &'r Document,
        plan: &'r Plan,
        outcomes: &'r Outcomes<Done>,
    ) -> Self {
        let (mut created, mut updated, mut deleted, mut errors) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, outcome) in &outcomes.rows {
            let step = &plan.steps[*number];
            match outcome {
                Ok(None) => deleted.push(&*step.key),
                Ok(Some(client)) if step.action == Action::Create => created.push(client),
                Ok(Some(client)) => updated.push(client),
                Err(error) => errors.push(Failed::new(
                    document,
                    step,
                    error,
                    !outcomes.left.contains(number),
                )),
            }
        }
        let position = |failed: &Failed<'_>| failed.row.and_then(|row| document.position(row));
        errors.sort_by_key(|failed| (!failed.is_sent, failed.row.is_none(), position(failed)));
        let (unchanged, stopped) = (plan.count(Action::Unchanged), outcomes.stopped.as_ref());
        Self {
            created,
            updated,
            unchanged,
            deleted,
            errors,
            context,
            document,
            plan,
            stopped,
        }
    }

    /// Prints the outcome, and writes the rows that failed to their own file.
    ///
    /// # Errors
    /// As [`Self::verdict`], or if the outcome cannot be printed.
    pub fn finish(&self, failed_rows: Option<&FailedRows>) -> Result<()> {
        let rows: Vec<usize> = self.errors.iter().filter_map(|failed| failed.row).collect();
        let kept = failed_rows.map_or(Ok(false), |file| file.write(self.document, &rows));
        let printed = self.print();
        let Err(error) = self.verdict("failed") else {
            return printed;
        };
        let mut details = error.details.clone();
        details.extend(
            kept.as_ref()
                .err()
                .map(|error| Detail::new("", "", &*error.message)),
        );
        Err(error.with_details(details).with_fallback_hint(|| match failed_rows {
            // Without --prune, because that would delete the clients of the other rows.
            Some(file) if kept.is_ok_and(|kept| kept) => {
                let command = format!("{} clients apply {}", self.context.program(), shell_arguments(&[&file.name()]));
                format!("fix the cause and apply the failed rows: {command}")
            }
            _ => {
                "run the same command again when the cause is fixed: clients that match the file stay unchanged".into()
            }
        }))
    }

    fn print(&self) -> Result<()> {
        let output_options = self.context.output_options();
        if self.context.settings.format == OutputFormat::Table {
            let counts = json!({
                "created": self.created.len(),
                "updated": self.updated.len(),
                "unchanged": self.unchanged,
                "deleted": self.deleted.len(),
                "failed": self.errors.len(),
            });
            return output::print_result(&counts, &[], output_options);
        }
        let records = self
            .created
            .iter()
            .chain(&self.updated)
            .filter_map(|client| client.id());
        let ids: Vec<String> = records
            .chain(self.deleted.iter().map(ToString::to_string))
            .collect();
        let done = || format!("{} made anyway", pluralize(ids.len(), "change"));
        output::print_result(self, &ids, output_options).map_err(|error| error.prefix_hint(&done()))
    }

    /// Fails if a change failed; `failed` is the word for it.
    ///
    /// # Errors
    /// As [`bulk::failure`].
    pub fn verdict(&self, failed: &str) -> Result<()> {
        let errors: Vec<&Error> = self.errors.iter().map(|failed| failed.error).collect();
        let Some(kind) = bulk::failure(&errors, self.plan.steps.len(), self.stopped) else {
            return Ok(());
        };
        let all = pluralize(self.plan.changes(), "change");
        let error = Error::new(kind, format!("{} of {all} {failed}", errors.len()))
            .with_details(self.problems());
        Err(
            match self.stopped.and_then(|stopped| stopped.hint.clone()) {
                _ if kind == Kind::Interrupted => error
                    .context("interrupted")
                    .with_hint("run the same command again to resume"),
                Some(hint) => error.with_hint(hint),
                None => error,
            },
        )
    }

    /// Returns the details of the errors, an error with only notes as one more, and the number of changes that were not sent.
    fn problems(&self) -> Vec<Detail> {
        let mut problems = Vec::new();
        for Failed {
            kind,
            message,
            details,
            ..
        } in self.errors.iter().filter(|failed| failed.is_sent)
        {
            if details.iter().all(|detail| detail.code.is_empty()) {
                problems.push(Detail::new(kind, "", message));
            }
            problems.extend(details.iter().cloned());
        }
        let not_sent = self.errors.iter().filter(|failed| !failed.is_sent).count();
        if not_sent > 0 {
            problems.push(Detail::new(
                "",
                "",
                format!("{} not sent, after this", pluralize(not_sent, "change")),
            ));
        }
        problems
    }
}

impl<'r> Failed<'r> {
    fn new(document: &Document, step: &'r Step, error: &'r Error, is_sent: bool) -> Self {
        let position = step.row.and_then(|row| document.position(row));
        let at =
            |param: &str| position.map(|position| document.locate(position, Some(field_of(param))));
        let located = |detail: &Detail| Detail {
            position: detail.position.clone().or_else(|| at(&detail.param)),
            ..detail.clone()
        };
        let message = format!(
            "{}: {}",
            at("").unwrap_or_else(|| step.key.clone()),
            error.message
        );
        let details = error.details.iter().map(located).collect();
        Self {
            key: &step.key,
            kind: error.kind.name(),
            message,
            details,
            error,
            row: step.row,
            is_sent,
        }
    }
}
