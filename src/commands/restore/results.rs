//! Prints the results of restores, and returns the error of a run.

use super::args::Args;
use super::confirm::restore_table_rows;
use super::launch::Launcher;
use super::row::{FAILED_BEFORE, NOT_STARTED, RestoreRow, UNKNOWN};
use super::watch::{WatchOutcome, WatchedTask, report_outcomes, watch_restores};
use crate::commands::bulk;
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::Record;
use crate::terminal::{errors, pluralize};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::HashSet;

/// The output of one restore: its task, or its error. Of two nested options, the outer one leaves
/// out the field, and the inner one prints null.
#[derive(Serialize)]
struct RestoreOutput<'r> {
    site_id: &'r str,
    snapshot_id: &'r str,
    /// When the snapshot was taken; only in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Option<Timestamp>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<Option<&'r str>>,
    scope: &'r RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Option<&'r Record>>,
    /// Whether an earlier run of the plan has started the restore.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resumed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<serde_json::Value>,
}

impl<'r> RestoreOutput<'r> {
    fn new(row: &'r RestoreRow, is_dry_run: bool) -> Self {
        let accepted = row.accepted.as_ref().filter(|_| row.error.is_none());
        Self {
            site_id: &row.site_id,
            snapshot_id: &row.snapshot_id,
            created_at: is_dry_run.then_some(row.taken_at),
            task_id: accepted.map(|restore| restore.task_id.as_deref()),
            scope: &row.scope,
            task: accepted.map(|restore| restore.task.as_ref()),
            resumed: row.is_resumed(),
            error: row.error.as_ref().map(|error| error.as_json()),
        }
    }
}

/// Prints restores that were sent, or that a dry run does not send: a list with `--plan`, otherwise
/// one object. The ids are those of the tasks or, in a dry run, of the sites that can start.
pub fn print_restores(context: &Context, args: &Args, rows: &[RestoreRow]) -> Result<()> {
    let options = context.output_options();
    let mut ids = Vec::new();
    for row in rows {
        if !args.dry_run {
            ids.extend(row.task_id().map(String::from));
        } else if row.can_start() {
            ids.push(row.site_id.clone());
        }
    }
    let outputs: Vec<RestoreOutput<'_>> = rows
        .iter()
        .map(|row| RestoreOutput::new(row, args.dry_run))
        .collect();
    let is_table = context.settings.format == OutputFormat::Table;
    let printed = match outputs.as_slice() {
        [output] if args.plan.is_none() && !(is_table && args.dry_run) => {
            output::print_result(output, &ids, options)
        }
        _ if is_table => {
            output::print_result(&restore_table_rows(rows, !args.dry_run), &ids, options)
        }
        outputs => output::print_result(&outputs, &ids, options),
    };
    if args.dry_run {
        context.ui.note("No changes were made.");
        return printed;
    }
    printed.map_err(|error| error.prefix_hint("the restores continue on the server"))
}

/// The result of a run of a plan.
pub struct PlanResult<'r> {
    pub launcher: &'r Launcher<'r>,
    /// The file of the plan.
    pub document: &'r Document,
    /// The file for the rows that failed.
    pub failed_rows: Option<FailedRows>,
    pub rows: Vec<RestoreRow>,
    /// The error that ended the run early.
    pub stopped: Option<Error>,
}

impl PlanResult<'_> {
    /// Refuses the plan if a row is wrong. An error of the journal only prevents the start of its
    /// own row.
    ///
    /// # Errors
    /// `Invalid` with the problems of all rows.
    pub fn require_valid_rows(&self) -> Result<()> {
        let mut problems = Vec::new();
        for row in &self.rows {
            if let Some(error) = &row.error
                && matches!(error.kind, Kind::NotFound | Kind::Invalid)
            {
                problems.extend(row.problems(self.document));
            }
        }
        self.document.refuse(problems)
    }

    /// Prints the effect that the plan would have.
    ///
    /// # Errors
    /// The error that the start would have.
    pub fn print_dry_run(&self) -> Result<()> {
        print_restores(self.launcher.context, self.launcher.args, &self.rows)?;
        self.require_valid_rows()?;
        let wrote_failed_rows = false;
        self.require_success(wrote_failed_rows)
    }

    /// Prints the rows, and writes those that failed.
    ///
    /// # Errors
    /// `Partial` if some failed; the reason if all did; `Interrupted` if rows were skipped after
    /// Ctrl-C.
    pub fn print(&self) -> Result<()> {
        let Launcher { context, args, .. } = self.launcher;
        let wrote_failed_rows = self.write_failed_rows(&[]);
        let printed = print_restores(context, args, &self.rows);
        self.require_success(wrote_failed_rows)?;
        printed?;
        let mut rows = self.rows.iter();
        if rows.any(|row| row.accepted.is_some() && !row.is_resumed()) {
            let program = context.program();
            let hint = format!("watch the restores: {program} restore watch");
            context.ui.hint(&hint);
        }
        Ok(())
    }

    /// Watches the restores, prints how they ended, and writes the rows that failed to start or to
    /// succeed.
    ///
    /// # Errors
    /// The outcome of the watched restores; if all of them succeeded, the same as [`Self::print`].
    pub async fn watch(&self) -> Result<()> {
        let Launcher {
            context, api, args, ..
        } = self.launcher;
        self.show_start();
        let mut restores = Vec::new();
        for row in &self.rows {
            restores.extend(row.restore_to_watch());
        }
        let tasks = watch_restores(context, api, &args.polling, restores).await?;
        let wrote_failed_rows = self.write_failed_rows(&tasks);
        let Err(error) = report_outcomes(context, &args.polling, &tasks) else {
            return self.require_success(wrote_failed_rows);
        };
        let error = error.with_details(self.problems());
        if wrote_failed_rows {
            Err(error.with_hint(self.retry_hint(wrote_failed_rows)))
        } else {
            Err(error)
        }
    }

    /// Shows on stderr which rows were started, because watching may take hours, and writes the
    /// rows that failed to start.
    fn show_start(&self) {
        let ui = &self.launcher.context.ui;
        for row in &self.rows {
            row.announce(ui);
        }
        if let Err(error) = self.require_success(false) {
            ui.warn(&error.message);
            errors::print_details(ui, &error);
        }
        // No restore was watched yet. `watch` writes the file again.
        self.write_failed_rows(&[]);
    }

    /// Writes the rows that failed to start, or that were watched and did not succeed. Returns
    /// whether it wrote any. An error is a warning, because the exit code reports the restores.
    fn write_failed_rows(&self, watched: &[WatchedTask]) -> bool {
        let Some(file) = &self.failed_rows else {
            return false;
        };
        let mut failed_sites = HashSet::new();
        for task in watched {
            if matches!(task.outcome, WatchOutcome::Failed | WatchOutcome::Unknown) {
                failed_sites.extend(task.restore.site_id.as_deref());
            }
        }
        let mut failed = Vec::new();
        for row in &self.rows {
            if row.error.is_some() || failed_sites.contains(&*row.site_id) {
                failed.push(row.index);
            }
        }
        file.write(self.document, &failed).unwrap_or_else(|error| {
            self.launcher.context.ui.warn(&error.message);
            false
        })
    }

    /// Returns the problems of all rows, each with its position in the file.
    fn problems(&self) -> Vec<Detail> {
        let mut problems = Vec::new();
        let mut skipped = 0;
        for row in &self.rows {
            if row.is_skipped {
                skipped += 1;
            } else {
                problems.extend(row.problems(self.document));
            }
        }
        if skipped > 0 {
            let mut message = format!("{} not started", pluralize(skipped, "restore"));
            if let Some(stopped) = &self.stopped {
                message += &format!(": {}", stopped.message);
            }
            problems.push(Detail::new("", "", message));
        }
        problems
    }

    /// Returns the error of the run if a row failed or was skipped. With `wrote_failed_rows`, the
    /// hint names the file of `--failed-to`.
    fn require_success(&self, wrote_failed_rows: bool) -> Result<()> {
        let mut errors: Vec<&Error> = Vec::new();
        for row in &self.rows {
            errors.extend(&row.error);
        }
        let Some(kind) = bulk::failure_kind(&errors, self.rows.len(), self.stopped.as_ref()) else {
            return Ok(());
        };
        let error = Error::new(kind, self.failure_summary()).with_details(self.problems());
        if kind == Kind::Interrupted {
            let command = self.launcher.plan_command();
            let hint = format!(
                "The restores continue on the server. Start the other rows: {command} --resume"
            );
            return Err(error.context("interrupted").with_hint(hint));
        }
        let first_hint = &errors[0].hint;
        let hint = match first_hint {
            Some(hint) if errors.iter().all(|error| error.hint == *first_hint) => hint.clone(),
            _ => self.retry_hint(wrote_failed_rows),
        };
        Err(error.with_hint(hint))
    }

    /// Returns how many rows were not started, may have been started, or were started and failed.
    fn failure_summary(&self) -> String {
        let total = pluralize(self.rows.len(), "restore");
        let mut parts = Vec::new();
        for (result, text) in [
            (NOT_STARTED, NOT_STARTED),
            (UNKNOWN, "with an unknown outcome"),
            (FAILED_BEFORE, FAILED_BEFORE),
        ] {
            let rows = self.rows.iter();
            let count = rows.filter(|row| row.result_name() == result).count();
            if count > 0 {
                parts.push(format!("{count} of {total} {text}"));
            }
        }
        parts.join(", ")
    }

    /// Returns the command that starts the rows that were not started or have failed.
    fn retry_hint(&self, wrote_failed_rows: bool) -> String {
        if let Some(file) = &self.failed_rows
            && wrote_failed_rows
        {
            let name = file.path_for_display();
            let command = self.launcher.command_for_file(&name);
            return format!("fix the rows in {name}, then run: {command}");
        }
        let command = self.launcher.plan_command();
        format!("start the other rows: {command} --resume")
    }
}
