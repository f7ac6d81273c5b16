//! The outcome of a plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::Args;
use super::plan::{Action, ClientAfterChange, Plan};
use crate::commands::bulk::{Outcomes, failure_kind};
use crate::commands::clients::columns::field_of_error_param;
use crate::commands::clients::moving::{MoveReport, SiteMove};
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::config::OutputFormat;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::output;
use crate::resources::Record;
use crate::shell::{shell_arguments, shell_option};
use crate::terminal::{join_briefly, pluralize};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The most pairs of clients whose moved sites are shown one by one.
const MAX_MOVES_SHOWN: usize = 20;

/// A row or a client whose change failed or was not sent.
#[derive(Serialize)]
struct FailedChange<'r> {
    key: &'r str,
    kind: &'static str,
    /// The message, after the position of the row or the key.
    message: String,
    details: Vec<Detail>,
    #[serde(skip)]
    error: &'r Error,
    #[serde(skip)]
    row: Option<usize>,
    /// Whether the change was not sent because the run stopped before it.
    #[serde(skip)]
    was_stopped: bool,
}

/// The outcome of a plan.
#[derive(Serialize)]
pub struct ApplyResult<'r> {
    created: Vec<&'r Record>,
    updated: Vec<&'r Record>,
    unchanged: usize,
    deleted: Vec<&'r str>,
    /// The failures in the order of the file; changes that were not sent come last.
    errors: Vec<FailedChange<'r>>,
    moved: Vec<SiteMove>,
    /// The sites that lost their client and have none now.
    without_client: Vec<String>,
    #[serde(skip)]
    move_report: MoveReport,
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
        mut move_report: MoveReport,
    ) -> Self {
        let mut result = Self {
            created: Vec::new(),
            updated: Vec::new(),
            unchanged: plan.count(Action::Unchanged),
            deleted: Vec::new(),
            errors: Vec::new(),
            moved: std::mem::take(&mut move_report.moved),
            without_client: std::mem::take(&mut move_report.without_client),
            move_report,
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
                    let was_stopped = outcomes.not_sent.contains(index);
                    result.add_error(&step.key, step.row, error, was_stopped);
                }
            }
        }
        for skipped in &plan.skipped {
            result.add_error(&skipped.key, Some(skipped.row), &skipped.error, false);
        }
        result.errors.sort_by_key(|failed| {
            let row = failed.row.and_then(|row| document.row(row));
            (
                failed.was_stopped,
                row.is_none(),
                row.map(|row| row.position),
            )
        });
        result
    }

    fn add_error(&mut self, key: &'r str, row: Option<usize>, error: &'r Error, was_stopped: bool) {
        let input_row = row.and_then(|row| self.document.row(row));
        let locate = |param: &str| {
            let field = field_of_error_param(param);
            Some(self.document.locate_value(input_row?, field))
        };
        // The position of the row as a whole.
        let name = locate("").unwrap_or_else(|| key.into());
        self.errors.push(FailedChange {
            key,
            kind: error.kind.name(),
            message: format!("{name}: {}", error.message),
            details: error.clone().with_positions(locate).details.clone(),
            error,
            row,
            was_stopped,
        });
    }

    /// Prints the outcome, and writes the rows that failed to their own file. A failure to write
    /// them is a detail of the error of the changes.
    ///
    /// # Errors
    /// The error of [`Self::fail_if_any_failed`], or of the output.
    pub fn finish(&self, args: &Args, failed_rows: Option<&FailedRows>) -> Result<()> {
        let rows = self.rows_to_apply_again();
        let written = match failed_rows {
            Some(file) => file.write(self.document, &rows),
            None => Ok(()),
        };
        let printed = self.print();
        if self.context.settings.format == OutputFormat::Table {
            for line in self.move_lines() {
                self.context.ui.note(&line);
            }
        }
        let count = self.created.len() + self.updated.len() + self.deleted.len();
        let made = (count > 0).then(|| format!("made {}", pluralize(count, "change")));
        let Err(error) = self.fail_if_any_failed("failed") else {
            return finish_change(made, written, printed);
        };
        let mut details = error.details.clone();
        if let Err(error) = &written {
            details.push(Detail::new("", "", &*error.message));
        }
        let hint = match failed_rows {
            Some(file) if written.is_ok() && !rows.is_empty() => {
                let command = self.command_for_failed_rows(args, &file.path_for_display());
                format!("fix the cause and apply the failed rows: {command}")
            }
            _ => "run the same command again when the cause is fixed: \
                  clients that match the file stay unchanged"
                .into(),
        };
        let error = error.with_details(details).with_fallback_hint(|| hint);
        finish_change(made, Err(error), printed)
    }

    /// Returns the command without `--prune`, which would delete the clients of the other rows.
    fn command_for_failed_rows(&self, args: &Args, path: &str) -> String {
        let mut command = format!("{} clients apply", self.context.program());
        if args.clear_empty {
            command += " --clear-empty";
        }
        let format = self.document.format;
        if InputFormat::from_extension(path) != Some(format) {
            command += &format!(" {}", shell_option("--input-format", format.name()));
        }
        format!("{command} {}", shell_arguments(&[path]))
    }

    /// Describes the sites that moved, and those that have no client now.
    fn move_lines(&self) -> Vec<String> {
        let mut sites: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        for SiteMove { site_id, from, to } in &self.moved {
            sites.entry((from, to)).or_default().push(site_id);
        }
        let mut lines = Vec::new();
        if sites.len() > MAX_MOVES_SHOWN {
            let count = pluralize(self.moved.len(), "site");
            lines.push(format!("moved {count} between clients (--json lists them)"));
        } else {
            for ((from, to), sites) in sites {
                let sites = join_briefly(&sites);
                lines.push(format!("moved {sites} from {from} to {to}"));
            }
        }
        if !self.without_client.is_empty() {
            let sites = join_briefly(&self.without_client);
            lines.push(format!("without a client now: {sites}"));
        }
        lines
    }

    fn print(&self) -> Result<()> {
        let output_options = self.context.output_options();
        if self.context.settings.format == OutputFormat::Table {
            let [failed, unknown, not_sent] = self.failure_counts();
            let mut counts = json!({
                "created": self.created.len(),
                "updated": self.updated.len(),
                "unchanged": self.unchanged,
                "deleted": self.deleted.len(),
                "failed": failed,
            });
            for (name, count) in [("unknown", unknown), ("not_sent", not_sent)] {
                if count > 0 {
                    counts[name] = count.into();
                }
            }
            return output::print_result(&counts, &[], output_options);
        }
        let mut ids = Vec::new();
        for client in self.created.iter().chain(&self.updated) {
            ids.extend(client.id());
        }
        for key in &self.deleted {
            ids.push(key.to_string());
        }
        output::print_result(self, &ids, output_options)
    }

    /// Returns the rows that failed, and those of the clients that got sites back: without the
    /// latter, the sites would still belong to these clients.
    fn rows_to_apply_again(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = self.errors.iter().filter_map(|failed| failed.row).collect();
        for client in &self.move_report.restored_clients {
            let step = self.plan.steps.iter().find(|step| step.id == client.id());
            let row = step.and_then(|step| step.row);
            rows.extend(row.filter(|row| !rows.contains(row)));
        }
        rows.sort_by_key(|row| Some(self.document.row(*row)?.position));
        rows
    }

    /// Fails if a change failed. `failed_or_invalid` completes the message.
    ///
    /// # Errors
    /// The kind of [`failure_kind`].
    pub fn fail_if_any_failed(&self, failed_or_invalid: &str) -> Result<()> {
        let errors: Vec<&Error> = self.errors.iter().map(|failed| failed.error).collect();
        let change_count = self.plan.change_count() + self.plan.skipped.len();
        let Some(kind) = failure_kind(&errors, change_count, self.stopped_by) else {
            return Ok(());
        };
        let changes = pluralize(change_count, "change");
        let mut parts = Vec::new();
        let outcomes = [failed_or_invalid, "with an unknown outcome", "not sent"];
        for (count, outcome) in self.failure_counts().into_iter().zip(outcomes) {
            if count > 0 {
                parts.push(format!("{count} of {changes} {outcome}"));
            }
        }
        let error = Error::new(kind, parts.join(", ")).with_details(self.details());
        let error = self.move_report.add_to_error(error);
        if kind == Kind::Interrupted {
            return Err(error
                .context("interrupted")
                .with_hint("run the same command again to resume"));
        }
        if let Some(stopped_by) = self.stopped_by
            && !stopped_by.hints.is_empty()
        {
            return Err(error.with_hints(stopped_by.hints.clone()));
        }
        Err(error)
    }

    /// Returns how many changes failed, have an unknown outcome, and were not sent.
    fn failure_counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for failed in &self.errors {
            let index = if failed.was_stopped {
                2
            } else {
                failed.error.has_unknown_outcome().into()
            };
            counts[index] += 1;
        }
        counts
    }

    /// Returns the details of the errors. An error without details, or with only notes (details
    /// without a code), becomes a detail too. The last detail counts the changes that were not
    /// sent.
    fn details(&self) -> Vec<Detail> {
        let mut details = Vec::new();
        let mut not_sent = 0;
        for failed in &self.errors {
            if failed.was_stopped {
                not_sent += 1;
                continue;
            }
            if failed.details.iter().all(|detail| detail.code.is_empty()) {
                details.push(Detail::new(failed.kind, "", &failed.message));
            }
            details.extend(failed.details.iter().cloned());
        }
        if not_sent > 0 {
            let mut message = format!("{} not sent", pluralize(not_sent, "change"));
            if let Some(stopped_by) = self.stopped_by {
                message += &format!(": {}", stopped_by.message);
            }
            details.push(Detail::new("", "", message));
        }
        details
    }
}
