//! Prints the results of restores, and returns the error of a run.

use super::args::Args;
use super::confirm::lines;
use super::launch::Launcher;
use super::row::{FAILED_BEFORE, NOT_STARTED, Row, UNKNOWN};
use super::watch::{End, Followed, conclude, follow};
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

/// The output of one restore: its task, or its error.
#[derive(Serialize)]
struct Started<'s> {
    site_id: &'s str,
    snapshot_id: &'s str,
    /// When the snapshot was taken; only in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Option<Timestamp>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<Option<&'s str>>,
    scope: &'s RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Option<&'s Record>>,
    /// An earlier run of the plan has started it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resumed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<serde_json::Value>,
}

impl<'s> Started<'s> {
    fn of(row: &'s Row, is_dry_run: bool) -> Self {
        let accepted = row.accepted.as_ref().filter(|_| row.error.is_none());
        Self {
            site_id: &row.site_id,
            snapshot_id: &row.snapshot_id,
            created_at: is_dry_run.then_some(row.taken_at),
            task_id: accepted.map(|accepted| accepted.task_id.as_deref()),
            scope: &row.scope,
            task: accepted.map(|accepted| accepted.task.as_ref()),
            resumed: row.is_resumed(),
            error: row.error.as_ref().map(|error| error.as_json()),
        }
    }
}

/// Prints restores that were sent, or that a dry run does not send: those of a plan as a list.
///
/// # Errors
/// If stdout cannot be written.
pub fn print(context: &Context, args: &Args, rows: &[Row]) -> Result<()> {
    let id = |row: &Row| match args.dry_run {
        true => row.is_waiting().then(|| row.site_id.clone()),
        false => row.task_id().map(String::from),
    };
    let ids: Vec<String> = rows.iter().filter_map(id).collect();
    let started: Vec<Started<'_>> = rows
        .iter()
        .map(|row| Started::of(row, args.dry_run))
        .collect();
    let is_table = context.settings.format == OutputFormat::Table;
    let printed = match started.as_slice() {
        [one] if args.plan.is_none() && !(is_table && args.dry_run) => {
            output::print_result(one, &ids, context.output_options())
        }
        _ if is_table => {
            output::print_result(&lines(rows, !args.dry_run), &ids, context.output_options())
        }
        all => output::print_result(&all, &ids, context.output_options()),
    };
    if args.dry_run {
        context.ui.note("No changes were made.");
        return printed;
    }
    printed.map_err(|error| error.prefix_hint("the restores continue on the server"))
}

/// The end of a run of a plan.
pub struct Report<'r> {
    /// How the restores were started.
    pub launcher: &'r Launcher<'r>,
    /// The file.
    pub document: &'r Document,
    /// The file for the rows that failed.
    pub failed_rows: Option<FailedRows>,
    /// The rows.
    pub rows: Vec<Row>,
    /// The error that ended the run early.
    pub stopped: Option<Error>,
}

impl Report<'_> {
    /// Refuses the plan if a row is wrong. An error of the journal only keeps its own row from being started.
    ///
    /// # Errors
    /// `Invalid` with the problems of all rows.
    pub fn refuse(&self) -> Result<()> {
        let is_wrong = |error: &Error| matches!(error.kind, Kind::NotFound | Kind::Invalid);
        let wrong = self
            .rows
            .iter()
            .filter(|row| row.error.as_ref().is_some_and(is_wrong));
        self.document
            .refuse(wrong.flat_map(|row| row.problems(self.document)).collect())
    }

    /// Prints the effect that the plan would have.
    ///
    /// # Errors
    /// The error that the start would have.
    pub fn dry_run(&self) -> Result<()> {
        print(self.launcher.context, self.launcher.args, &self.rows)?;
        self.refuse().and_then(|()| self.verdict(false))
    }

    /// Prints the rows, and writes those that failed.
    ///
    /// # Errors
    /// `Partial` if some failed; the reason if all did; `Interrupted` if rows are left.
    pub fn print(&self) -> Result<()> {
        let Launcher { context, args, .. } = self.launcher;
        let kept = self.keep(&[]);
        let printed = print(context, args, &self.rows);
        self.verdict(kept).and(printed)?;
        if self
            .rows
            .iter()
            .any(|row| row.accepted.is_some() && !row.is_resumed())
        {
            context.ui.hint(&format!(
                "watch the restores: {} restore watch",
                context.program()
            ));
        }
        Ok(())
    }

    /// Watches the restores, prints how they ended, and writes the rows that failed to start or to succeed.
    ///
    /// # Errors
    /// As `follow` and `conclude`; if all that was watched succeeded, as [`Report::print`].
    pub async fn watch(&self) -> Result<()> {
        let Launcher {
            context, api, args, ..
        } = self.launcher;
        self.begin_watching();
        let targets = self.rows.iter().filter_map(Row::target).collect();
        let followed = follow(context, api, &args.follow, targets).await?;
        let kept = self.keep(&followed);
        let Err(error) = conclude(context, &args.follow, &followed) else {
            return self.verdict(kept);
        };
        let error = error.with_details(self.problems());
        Err(if kept {
            error.with_hint(self.hint(true))
        } else {
            error
        })
    }

    /// Shows on stderr which rows were started, because watching may take hours, and writes the rows that failed to start.
    fn begin_watching(&self) {
        let ui = &self.launcher.context.ui;
        for row in &self.rows {
            row.announce(ui);
        }
        if let Err(error) = self.verdict(false) {
            ui.warn(&error.message);
            errors::details(ui, &error);
        }
        self.keep(&[]);
    }

    /// Writes the rows that failed to start, or that were watched and did not succeed. Returns whether it wrote any; an
    /// error is a warning, because the exit code reports the restores.
    fn keep(&self, followed: &[Followed]) -> bool {
        let Some(file) = &self.failed_rows else {
            return false;
        };
        let bad = followed
            .iter()
            .filter(|one| matches!(one.end, End::Failed | End::Unknown));
        let bad: HashSet<&str> = bad
            .filter_map(|one| one.target.site_id.as_deref())
            .collect();
        let is_bad = |row: &&Row| row.error.is_some() || bad.contains(&*row.site_id);
        let rows: Vec<usize> = self
            .rows
            .iter()
            .filter(is_bad)
            .map(|row| row.number)
            .collect();
        file.write(self.document, &rows).unwrap_or_else(|error| {
            self.launcher.context.ui.warn(&error.message);
            false
        })
    }

    /// Returns each problem with its place in the file.
    fn problems(&self) -> Vec<Detail> {
        let (left, tried): (Vec<_>, Vec<_>) = self.rows.iter().partition(|row| row.is_left);
        let mut problems: Vec<Detail> = tried
            .into_iter()
            .flat_map(|row| row.problems(self.document))
            .collect();
        if !left.is_empty() {
            let why = self
                .stopped
                .as_ref()
                .map(|stopped| format!(": {}", stopped.message));
            let left = pluralize(left.len(), "restore");
            problems.push(Detail::new(
                "",
                "",
                format!("{left} not started{}", why.unwrap_or_default()),
            ));
        }
        problems
    }

    /// Returns the error of the run. `kept`: whether the rows that failed were written to a file.
    fn verdict(&self, kept: bool) -> Result<()> {
        let errors: Vec<&Error> = self
            .rows
            .iter()
            .filter_map(|row| row.error.as_ref())
            .collect();
        let Some(kind) = bulk::failure(&errors, self.rows.len(), self.stopped.as_ref()) else {
            return Ok(());
        };
        let error = Error::new(kind, self.message()).with_details(self.problems());
        if kind == Kind::Interrupted {
            let command = self.launcher.plan_command();
            let hint = format!(
                "The restores continue on the server. Start the other rows: {command} --resume"
            );
            return Err(error.context("interrupted").with_hint(hint));
        }
        let same = errors[0]
            .hint
            .as_ref()
            .filter(|_| errors.iter().all(|error| error.hint == errors[0].hint));
        Err(error.with_hint(same.cloned().unwrap_or_else(|| self.hint(kept))))
    }

    /// Returns how many were not started, may have been, or were and failed.
    fn message(&self) -> String {
        let words = [
            (NOT_STARTED, NOT_STARTED),
            (UNKNOWN, "with an unknown outcome"),
            (FAILED_BEFORE, FAILED_BEFORE),
        ];
        let number = |word: &str| self.rows.iter().filter(|row| row.word() == word).count();
        let counts = words
            .iter()
            .map(|(word, words)| (number(word), words))
            .filter(|(number, _)| *number > 0);
        let all = pluralize(self.rows.len(), "restore");
        counts
            .map(|(number, words)| format!("{number} of {all} {words}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn hint(&self, kept: bool) -> String {
        match self.failed_rows.as_ref().filter(|_| kept) {
            Some(file) => {
                format!(
                    "fix the rows in {}, then run: {}",
                    file.name(),
                    self.launcher.command(&file.name())
                )
            }
            None => format!(
                "start the other rows: {} --resume",
                self.launcher.plan_command()
            ),
        }
    }
}
