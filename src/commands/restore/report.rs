//! Prints the results of restores, and returns the error of a run.

use super::args::Args;
use super::confirm::{self, lines};
use super::launch::Launcher;
use super::row::Row;
use super::watch::{End, FollowArgs, Followed, conclude};
use crate::commands::bulk;
use crate::commands::consent::Asking;
use crate::commands::context::Context;
use crate::config::Format;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::resources::Record;
use crate::terminal::{arguments, count, errors};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::HashSet;

/// The last line of a dry run.
pub const DRY_RUN: &str = "No changes were made.";

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
    /// Returns the output of a row.
    fn of(row: &'s Row) -> Self {
        let accepted = row.accepted.as_ref().filter(|_| row.error.is_none());
        Self {
            site_id: &row.site_id,
            snapshot_id: &row.snapshot_id,
            created_at: None,
            task_id: accepted.map(|accepted| accepted.task_id.as_deref()),
            scope: &row.scope,
            task: accepted.map(|accepted| accepted.task.as_ref()),
            resumed: row.is_resumed(),
            error: row.error.as_ref().map(|error| error.as_json()),
        }
    }

    /// Returns the output of a row in a dry run.
    fn planned(row: &'s Row) -> Self {
        Self { created_at: Some(row.taken_at), task_id: None, task: None, ..Self::of(row) }
    }
}

/// Prints restores, before they are sent in a dry run: those of a plan as a list.
fn print(context: &Context, args: &Args, rows: &[Row]) -> Result<()> {
    let is_sent = !args.dry_run;
    let id = |row: &Row| match is_sent {
        true => row.task_id().map(String::from),
        false => row.is_waiting().then(|| row.site_id.clone()),
    };
    let ids: Vec<String> = rows.iter().filter_map(id).collect();
    let started = if is_sent { Started::of } else { Started::planned };
    match rows {
        [row] if args.plan.is_none() && (is_sent || context.settings.format != Format::Table) => {
            output::result(&started(row), &ids, context.shape())
        }
        _ if context.settings.format == Format::Table => output::result(&lines(rows, is_sent), &ids, context.shape()),
        _ => output::result(&rows.iter().map(started).collect::<Vec<_>>(), &ids, context.shape()),
    }
}

/// Prints a restore that was started.
///
/// # Errors
/// If stdout cannot be written.
pub fn one(context: &Context, args: &Args, row: &Row) -> Result<()> {
    let printed = print(context, args, std::slice::from_ref(row));
    printed.map_err(|error| error.hint_first("the restore continues on the server"))?;
    if let Some(id) = row.task_id() {
        context.ui.hint(&format!("watch the restore: {} restore watch {}", context.program(), arguments(&[id])));
    }
    Ok(())
}

/// Prints the effect that a restore would have.
///
/// # Errors
/// The error that the start would have.
pub fn dry_run_one(context: &Context, args: &Args, asking: &Asking<'_>, mut row: Row) -> Result<()> {
    print(context, args, std::slice::from_ref(&row))?;
    if row.error.is_none() && !context.ui.quiet {
        confirm::describe(context, asking, &row);
    }
    context.ui.note(DRY_RUN);
    row.error.take().map_or(Ok(()), Err)
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
        let wrong = self.rows.iter().filter(|row| row.error.as_ref().is_some_and(is_wrong));
        self.document.refuse(wrong.flat_map(|row| row.problems(self.document)).collect())
    }

    /// Prints the effect that the plan would have.
    ///
    /// # Errors
    /// The error that the start would have.
    pub fn dry_run(&self) -> Result<()> {
        print(self.launcher.context, self.launcher.args, &self.rows)?;
        self.launcher.context.ui.note(DRY_RUN);
        self.refuse().and_then(|()| self.verdict(false))
    }

    /// Shows on stderr which rows were started, because watching may take hours, and writes the rows that failed to start.
    pub fn begin_watching(&self) {
        let ui = &self.launcher.context.ui;
        for row in &self.rows {
            row.announce(ui);
        }
        if let Err(error) = self.verdict(false) {
            ui.warn(&error.message);
            errors::details(ui, &error);
        }
        // The end reports a file that cannot be written.
        let _ = self.keep(&[]);
    }

    /// Prints the rows, and writes those that failed.
    ///
    /// # Errors
    /// `Partial` if some failed; the reason if all did; `Interrupted` if rows are left.
    pub fn print(&self) -> Result<()> {
        let kept = self.keep(&[]);
        let printed = print(self.launcher.context, self.launcher.args, &self.rows);
        let printed = printed.map_err(|error| error.hint_first("the restores continue on the server"));
        self.verdict(kept.as_ref().is_ok_and(|kept| *kept)).and(kept.map(drop)).and(printed)?;
        if self.rows.iter().any(|row| row.accepted.is_some() && !row.is_resumed()) {
            let context = self.launcher.context;
            context.ui.hint(&format!("watch the restores: {} restore watch", context.program()));
        }
        Ok(())
    }

    /// Prints how the restores that were watched ended, and writes the rows that failed to start or to succeed.
    ///
    /// # Errors
    /// As `conclude`; if all that was watched succeeded, as [`Report::print`].
    pub fn end_watching(&self, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
        let kept = self.keep(followed);
        let has_kept = kept.as_ref().is_ok_and(|kept| *kept);
        let ended = match conclude(self.launcher.context, args, followed) {
            Ok(()) => self.verdict(has_kept),
            Err(error) => {
                let details = error.details.iter().cloned().chain(self.problems()).collect();
                let error = error.details(details);
                Err(if has_kept { error.hint(self.hint(true)) } else { error })
            }
        };
        ended.and(kept.map(drop))
    }

    fn errors(&self) -> Vec<&Error> {
        self.rows.iter().filter_map(|row| row.error.as_ref()).collect()
    }

    /// Writes the rows that failed to start, or that were watched and did not succeed. Returns whether there were any.
    fn keep(&self, followed: &[Followed]) -> Result<bool> {
        let Some(file) = &self.failed_rows else { return Ok(false) };
        let bad = followed.iter().filter(|one| matches!(one.end, End::Failed | End::Unknown));
        let bad: HashSet<&str> = bad.filter_map(|one| one.target.restore.as_deref()).collect();
        let is_bad = |row: &&Row| {
            row.error.is_some()
                || row
                    .accepted
                    .as_ref()
                    .is_some_and(|accepted| accepted.restore.as_deref().is_some_and(|id| bad.contains(id)))
        };
        let rows: Vec<usize> = self.rows.iter().filter(is_bad).map(|row| row.number).collect();
        file.write(self.document, &rows)
    }

    /// Returns each problem with its place in the file.
    fn problems(&self) -> Vec<Detail> {
        let (left, tried): (Vec<_>, Vec<_>) = self.rows.iter().partition(|row| row.is_left);
        let mut problems: Vec<Detail> = tried.into_iter().flat_map(|row| row.problems(self.document)).collect();
        if !left.is_empty() {
            let why = self.stopped.as_ref().map(|stopped| format!(": {}", stopped.message));
            let left = count(left.len(), "restore");
            problems.push(Detail::new("", "", format!("{left} not started{}", why.unwrap_or_default())));
        }
        problems
    }

    /// Returns the error of the run. `kept`: whether the rows that failed were written to a file.
    pub fn verdict(&self, kept: bool) -> Result<()> {
        let errors = self.errors();
        let Some(kind) = bulk::failure(&errors, self.rows.len(), self.stopped.as_ref()) else { return Ok(()) };
        let error = Error::new(kind, self.message(&errors)).details(self.problems());
        if kind == Kind::Interrupted {
            let command = self.launcher.plan_command();
            let hint = format!("The restores continue on the server. Start the other rows: {command} --resume");
            return Err(error.context("interrupted").hint(hint));
        }
        let same = errors[0].hint.as_ref().filter(|_| errors.iter().all(|error| error.hint == errors[0].hint));
        Err(error.hint(same.cloned().unwrap_or_else(|| self.hint(kept))))
    }

    /// Returns how many were not started, may have been, or were and failed.
    fn message(&self, errors: &[&Error]) -> String {
        let doubts = errors.iter().filter(|error| error.is_in_doubt()).count();
        let failed = errors.iter().filter(|error| error.kind == Kind::RestoreFailed).count();
        let counts = [
            (errors.len() - doubts - failed, "not started"),
            (doubts, "with an unknown outcome"),
            (failed, "failed before"),
        ];
        let all = count(self.rows.len(), "restore");
        let counts = counts.iter().filter(|(number, _)| *number > 0);
        let counts: Vec<String> = counts.map(|(number, words)| format!("{number} of {all} {words}")).collect();
        counts.join(", ")
    }

    fn hint(&self, kept: bool) -> String {
        match self.failed_rows.as_ref().filter(|_| kept) {
            Some(file) => {
                format!("fix the rows in {}, then run: {}", file.name(), self.launcher.command(&file.name()))
            }
            None => format!("start the other rows: {} --resume", self.launcher.plan_command()),
        }
    }
}
