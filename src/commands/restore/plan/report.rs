//! What became of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::row::{Row, State, is_in_doubt};
use crate::commands::bulk;
use crate::commands::context::Context;
use crate::commands::restore::started::Started;
use crate::commands::restore::watch::{End, FollowArgs, Followed, Target, conclude};
use crate::config::Format;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::terminal::{count, option};
use serde::Serialize;
use std::collections::HashSet;

/// The end of a run.
pub struct Report<'r> {
    /// This invocation.
    pub context: &'r Context,
    /// The file.
    pub document: &'r Document,
    /// Where the rows that failed go.
    pub failed_rows: Option<&'r FailedRows>,
    /// The command that runs the plan.
    pub command: String,
    /// The rows.
    pub rows: Vec<Row>,
    /// What ended the run early.
    pub stopped: Option<Error>,
}

/// A row of the plan where a person reads it.
#[derive(Serialize)]
struct Line<'l> {
    site_id: &'l str,
    snapshot_id: &'l str,
    task_id: Option<&'l str>,
    result: &'static str,
}

impl Report<'_> {
    /// Whether it was broken off before its end.
    pub fn is_interrupted(&self) -> bool {
        self.stopped.as_ref().is_some_and(|stopped| stopped.kind == Kind::Interrupted)
    }

    /// What there is to watch: what was started, now or before, and what may have been.
    pub fn targets(&self) -> Vec<Target> {
        self.rows.iter().filter_map(Row::target).collect()
    }

    /// Says on stderr what was started, a line each, and what was not: the watching may take its time.
    pub fn say(&self) {
        for row in &self.rows {
            if let State::Started(launched) = &row.state {
                launched.announce(self.context, &row.order);
            }
        }
        let errors = self.errors();
        if !errors.is_empty() {
            self.context.ui.warn(&self.message(&errors));
        }
        for Detail { place, message, .. } in self.problems() {
            let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
            self.context.ui.detail(&format!("{place}{message}"));
        }
    }

    fn errors(&self) -> Vec<&Error> {
        self.rows.iter().filter_map(Row::error).collect()
    }

    /// Prints what became of the plan, and keeps the rows that failed.
    ///
    /// # Errors
    /// `Partial` where some failed; where all did, why. `Interrupted` where the plan was not gone through.
    pub fn print(&self) -> Result<()> {
        let kept = self.keep(Vec::new());
        let printed = self.print_rows();
        let printed = printed.map_err(|error| error.hint_first("what was started goes on all the same"));
        let hint = self.hint(kept.as_ref().copied().unwrap_or(false));
        self.verdict(hint).and(kept.map(drop)).and(printed)?;
        if self.rows.iter().any(|row| matches!(row.state, State::Started(_))) {
            self.context.ui.hint(&format!("{} restore watch", self.context.program()));
        }
        Ok(())
    }

    /// Prints what became of the restores that were watched, and keeps the rows that failed to start or to end well.
    ///
    /// # Errors
    /// As `conclude`; where all that was watched went well, as [`Report::print`].
    pub fn watched(&self, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
        let kept = self.keep(self.ended_badly(followed));
        let has_kept = kept.as_ref().copied().unwrap_or(false);
        let ended = match conclude(self.context, args, followed) {
            Ok(()) => self.verdict(self.hint(has_kept)),
            Err(error) => {
                let details = error.details.iter().cloned().chain(self.problems()).collect();
                let error = error.details(details);
                Err(if has_kept { error.hint(self.hint(true)) } else { error })
            }
        };
        ended.and(kept.map(drop))
    }

    /// Writes the rows that failed to start, and these, where there are any, and says whether there were.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn keep(&self, others: Vec<usize>) -> Result<bool> {
        let failed = self.rows.iter().filter(|row| row.error().is_some());
        let mut rows: Vec<usize> = failed.map(|row| row.number).chain(others).collect();
        rows.sort_unstable();
        rows.dedup();
        self.failed_rows.map_or(Ok(false), |file| file.write(self.document, &rows))
    }

    /// The rows whose restores were watched and did not succeed.
    fn ended_badly(&self, followed: &[Followed]) -> Vec<usize> {
        let bad = followed.iter().filter(|one| matches!(one.end, End::Failed | End::Unknown));
        let bad: HashSet<&str> = bad.filter_map(|one| one.target.restore.as_deref()).collect();
        let is_bad = |row: &&Row| row.restore().is_some_and(|restore| bad.contains(restore));
        self.rows.iter().filter(is_bad).map(|row| row.number).collect()
    }

    fn print_rows(&self) -> Result<()> {
        let started: Vec<Started<'_>> = self.rows.iter().filter_map(Row::started).collect();
        let ids: Vec<String> = started.iter().filter_map(Started::task_id).map(Into::into).collect();
        if self.context.settings.format != Format::Table {
            return output::result(&started, &ids, self.context.shape());
        }
        let lines = self.rows.iter().zip(&started).map(|(row, started)| Line {
            site_id: &row.order.site_id,
            snapshot_id: &row.order.snapshot_id,
            task_id: started.task_id(),
            result: row.word(),
        });
        output::result(&lines.collect::<Vec<_>>(), &ids, self.context.shape())
    }

    /// Each problem, at its place in the file.
    fn problems(&self) -> Vec<Detail> {
        let (left, tried): (Vec<_>, Vec<_>) = self.rows.iter().partition(|row| matches!(row.state, State::NotTried(_)));
        let mut problems: Vec<Detail> = tried.into_iter().flat_map(|row| row.problems(self.document)).collect();
        if !left.is_empty() {
            let why = self.stopped.as_ref().map(|stopped| format!(", after this: {}", stopped.message));
            let left = count(left.len(), "restore");
            problems.push(Detail::new("", "", format!("{left} not started{}", why.unwrap_or_default())));
        }
        problems
    }

    /// What the exit code says.
    fn verdict(&self, hint: String) -> Result<()> {
        let errors = self.errors();
        let Some(kind) = bulk::failure(&errors, self.rows.len(), self.stopped.as_ref()) else { return Ok(()) };
        let error = Error::new(kind, self.message(&errors)).details(self.problems());
        let own = errors[0].hint.as_ref().filter(|_| errors.iter().all(|error| error.hint == errors[0].hint));
        Err(match kind {
            Kind::Interrupted => error.context("interrupted").hint(format!(
                "the restores that were started continue on the server; send the others with: {} --resume",
                self.command
            )),
            _ => error.hint(own.cloned().unwrap_or(hint)),
        })
    }

    /// How many were not started, may have been, or were and failed.
    fn message(&self, errors: &[&Error]) -> String {
        let doubts = errors.iter().filter(|error| is_in_doubt(error)).count();
        let failed = errors.iter().filter(|error| error.kind == Kind::RestoreFailed).count();
        let counts = [
            (errors.len() - doubts - failed, "not started"),
            (doubts, "may or may not have been started"),
            (failed, "failed before"),
        ];
        let all = count(self.rows.len(), "restore");
        let counts = counts.iter().filter(|(number, _)| *number > 0).enumerate();
        let counts = counts.map(|(place, (number, words))| match place {
            0 => format!("{number} of {all} {words}"),
            _ => format!("{number} {words}"),
        });
        counts.collect::<Vec<_>>().join(", ")
    }

    /// What to do next. `kept`: whether the rows that failed are in a file of their own.
    fn hint(&self, kept: bool) -> String {
        match self.failed_rows.filter(|_| kept) {
            Some(file) => {
                let command = format!("{} restore start {}", self.context.program(), option("--plan", &file.name()));
                format!("fix the rows in {}, or look at their sites, then run: {command}", file.name())
            }
            None => format!(
                "send the rows that were not accepted again with: {} --resume (--failed-to FILE writes them to a new plan)",
                self.command
            ),
        }
    }
}
