//! The outcome of a plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::plan::{Action, ClientAfterChange, Plan};
use crate::commands::bulk::{Outcomes, failure_kind};
use crate::commands::clients::columns::field_of_error_param;
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
struct FailedChange<'r> {
    key: &'r str,
    kind: &'static str,
    /// The message with the position of the row.
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
pub struct ApplyResult<'r> {
    created: Vec<&'r Record>,
    updated: Vec<&'r Record>,
    unchanged: usize,
    deleted: Vec<&'r str>,
    /// The failures in the order of the file; those that were not sent come last.
    errors: Vec<FailedChange<'r>>,
    #[serde(skip)]
    context: &'r Context,
    #[serde(skip)]
    document: &'r Document,
    #[serde(skip)]
    plan: &'r Plan,
    #[serde(skip)]
    stopped_by: Option<&'r Error>,
}

impl<'r> ApplyResult<'r> {
    pub fn new(
        context: &'r Context,
        document: &'r Document,
        plan: &'r Plan,
        outcomes: &'r Outcomes<ClientAfterChange>,
    ) -> Self {
        let mut result = Self {
            created: Vec::new(),
            updated: Vec::new(),
            unchanged: plan.count(Action::Unchanged),
            deleted: Vec::new(),
            errors: Vec::new(),
            context,
            document,
            plan,
            stopped_by: outcomes.stopped_by.as_ref(),
        };
        for (index, outcome) in &outcomes.rows {
            let step = &plan.steps[*index];
            match outcome {
                Ok(None) => result.deleted.push(&step.key),
                Ok(Some(client)) if step.action == Action::Create => result.created.push(client),
                Ok(Some(client)) => result.updated.push(client),
                Err(error) => {
                    let is_sent = !outcomes.not_sent.contains(index);
                    result.add_error(&step.key, step.row, error, is_sent);
                }
            }
        }
        for skipped in &plan.skipped {
            result.add_error(&skipped.key, Some(skipped.row), &skipped.error, true);
        }
        result.errors.sort_by_key(|failed| {
            let position = failed.row.and_then(|row| document.position(row));
            (!failed.is_sent, failed.row.is_none(), position)
        });
        result
    }

    fn add_error(&mut self, key: &'r str, row: Option<usize>, error: &'r Error, is_sent: bool) {
        let position = row.and_then(|row| self.document.position(row));
        let locate = |param: &str| {
            Some(
                self.document
                    .locate(position?, Some(field_of_error_param(param))),
            )
        };
        let name = locate("").unwrap_or_else(|| key.into());
        self.errors.push(FailedChange {
            key,
            kind: error.kind.name(),
            message: format!("{name}: {}", error.message),
            details: error.clone().with_positions(locate).details.clone(),
            error,
            row,
            is_sent,
        });
    }

    /// Prints the outcome, and writes the rows that failed to their own file.
    ///
    /// # Errors
    /// The error of [`Self::check`], or of the output.
    pub fn finish(&self, failed_rows: Option<&FailedRows>) -> Result<()> {
        let rows: Vec<usize> = self.errors.iter().filter_map(|failed| failed.row).collect();
        let written = match failed_rows {
            Some(file) => file.write(self.document, &rows),
            None => Ok(false),
        };
        let printed = self.print();
        let Err(error) = self.check("failed") else {
            return printed;
        };
        let mut details = error.details.clone();
        if let Err(error) = &written {
            details.push(Detail::new("", "", &*error.message));
        }
        let hint = match failed_rows {
            // Without --prune, because that would delete the clients of the other rows.
            Some(file) if matches!(written, Ok(true)) => format!(
                "fix the cause and apply the failed rows: {} clients apply {}",
                self.context.program(),
                shell_arguments(&[&file.name()])
            ),
            _ => "run the same command again when the cause is fixed: \
                  clients that match the file stay unchanged"
                .into(),
        };
        Err(error.with_details(details).with_fallback_hint(|| hint))
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
        let mut ids = Vec::new();
        for client in self.created.iter().chain(&self.updated) {
            ids.extend(client.id());
        }
        for key in &self.deleted {
            ids.push(key.to_string());
        }
        output::print_result(self, &ids, output_options).map_err(|error| {
            let changes = pluralize(ids.len(), "change");
            error.prefix_hint(&format!("{changes} made anyway"))
        })
    }

    /// Fails if a change failed. `failed` is the participle for the message.
    ///
    /// # Errors
    /// The kind of [`failure_kind`].
    pub fn check(&self, failed: &str) -> Result<()> {
        let errors: Vec<&Error> = self.errors.iter().map(|failed| failed.error).collect();
        let rows = self.plan.steps.len() + self.plan.skipped.len();
        let Some(kind) = failure_kind(&errors, rows, self.stopped_by) else {
            return Ok(());
        };
        let changes = pluralize(self.plan.changes() + self.plan.skipped.len(), "change");
        let message = format!("{} of {changes} {failed}", errors.len());
        let error = Error::new(kind, message).with_details(self.details());
        if kind == Kind::Interrupted {
            return Err(error
                .context("interrupted")
                .with_hint("run the same command again to resume"));
        }
        if let Some(stopped_by) = self.stopped_by
            && let Some(hint) = &stopped_by.hint
        {
            return Err(error.with_hint(hint.clone()));
        }
        Err(error)
    }

    /// Returns the details of the errors, an error with only notes as one more, and the number of
    /// changes that were not sent.
    fn details(&self) -> Vec<Detail> {
        let mut details = Vec::new();
        let mut not_sent = 0;
        for failed in &self.errors {
            if !failed.is_sent {
                not_sent += 1;
                continue;
            }
            if failed.details.iter().all(|detail| detail.code.is_empty()) {
                details.push(Detail::new(failed.kind, "", &failed.message));
            }
            details.extend(failed.details.iter().cloned());
        }
        if not_sent > 0 {
            let message = format!("{} not sent, after this", pluralize(not_sent, "change"));
            details.push(Detail::new("", "", message));
        }
        details
    }
}
