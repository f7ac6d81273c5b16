//! What became of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::Step;
use super::ended::{Ended, is_in_doubt};
use super::execute::{Outcome, Outcomes};
use crate::commands::restore::started::Started;
use crate::commands::restore::watch::{End, FollowArgs, Followed, Target, conclude};
use crate::config::Format;
use crate::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::ui::{count, option};
use serde::Serialize;
use std::collections::HashSet;

/// A plan that has been gone through.
pub struct Report<'r> {
    context: &'r Context,
    document: &'r Document,
    failed_rows: Option<&'r FailedRows>,
    rows: Vec<Ended<'r>>,
    stopped: Option<Error>,
}

/// A row of the plan where a person reads it.
#[derive(Serialize)]
struct Line<'l> {
    site_id: &'l str,
    snapshot_id: &'l str,
    task_id: Option<&'l str>,
    result: &'static str,
}

impl<'r> Report<'r> {
    /// Takes in what became of each step.
    pub fn new(
        context: &'r Context,
        document: &'r Document,
        steps: &'r [Step],
        outcomes: Outcomes,
        failed_rows: Option<&'r FailedRows>,
    ) -> Self {
        let Outcomes { of_steps, stopped } = outcomes;
        let rows = steps.iter().zip(of_steps).map(|(step, outcome)| Ended::new(document, step, outcome));
        Self { context, document, failed_rows, rows: rows.collect(), stopped }
    }

    /// Whether it was broken off before its end.
    pub fn is_interrupted(&self) -> bool {
        self.stopped.as_ref().is_some_and(|stopped| stopped.kind == Kind::Interrupted)
    }

    /// What there is to watch: what was started, now or before, and what may have been.
    pub fn targets(&self) -> Vec<Target> {
        self.rows.iter().filter_map(Ended::target).collect()
    }

    /// Says on stderr what was started, a line each, and what was not: the watching may take its time.
    pub fn say(&self) {
        for row in &self.rows {
            if let Outcome::Started(launched) = &row.outcome {
                launched.announce(self.context, &row.step.order);
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
        self.rows.iter().filter_map(Ended::error).collect()
    }

    /// Prints what became of the plan, and keeps the rows that failed.
    ///
    /// # Errors
    /// `Partial` where some failed; where all did, why. `Interrupted` where the plan was not gone through.
    pub fn print(&self) -> Result<()> {
        let kept = self.keep(Vec::new());
        let printed = self.print_rows();
        let printed = printed.map_err(|error| error.hint_first("what was started goes on all the same"));
        let hint = self.hint(kept.as_ref().copied().unwrap_or(false), false);
        self.verdict(hint).and(kept.map(drop)).and(printed)?;
        if self.rows.iter().any(|row| matches!(row.outcome, Outcome::Started(_))) {
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
            Ok(()) => self.verdict(self.hint(has_kept, false)),
            Err(error) => {
                let mut details = error.details.clone();
                details.extend(self.problems());
                let hint = if has_kept { Some(self.hint(true, true)) } else { None };
                let error = error.details(details);
                Err(match hint {
                    Some(hint) => error.hint(hint),
                    None => error,
                })
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
        let mut rows: Vec<usize> = failed.map(|row| row.step.row).chain(others).collect();
        rows.sort_unstable();
        rows.dedup();
        self.failed_rows.map_or(Ok(false), |file| file.write(self.document, &rows))
    }

    /// The rows whose restores were watched and did not succeed.
    fn ended_badly(&self, followed: &[Followed]) -> Vec<usize> {
        let bad = followed.iter().filter(|one| matches!(one.end, End::Failed | End::Unknown));
        let bad: HashSet<&str> = bad.filter_map(|one| one.target.restore.as_deref()).collect();
        let is_bad = |row: &&Ended<'_>| row.restore().is_some_and(|restore| bad.contains(restore));
        self.rows.iter().filter(is_bad).map(|row| row.step.row).collect()
    }

    fn print_rows(&self) -> Result<()> {
        let started: Vec<Started<'_>> = self.rows.iter().map(Ended::started).collect();
        let ids: Vec<String> = started.iter().filter_map(Started::task_id).map(Into::into).collect();
        if self.context.settings.format != Format::Table {
            return output::result(&started, &ids, self.context.shape());
        }
        let lines = self.rows.iter().zip(&started).map(|(row, started)| Line {
            site_id: &row.step.order.site_id,
            snapshot_id: &row.step.order.snapshot_id,
            task_id: started.task_id(),
            result: row.word(),
        });
        output::result(&lines.collect::<Vec<_>>(), &ids, self.context.shape())
    }

    /// Each problem, at its place in the file.
    fn problems(&self) -> Vec<Detail> {
        let (left, tried): (Vec<_>, Vec<_>) =
            self.rows.iter().partition(|row| matches!(row.outcome, Outcome::NotTried(_)));
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
        let Some(first) = errors.first().map(|error| error.kind) else { return Ok(()) };
        let all = errors.len() == self.rows.len() && errors.iter().all(|error| error.kind == first);
        let kind = match () {
            () if self.is_interrupted() => Kind::Interrupted,
            () if all => first,
            // That something may have been started is the worst that can be said.
            () if errors.iter().any(|error| is_in_doubt(error)) => Kind::UnknownOutcome,
            () => Kind::Partial,
        };
        let error = Error::new(kind, self.message(&errors)).details(self.problems());
        let own = errors[0].hint.as_ref().filter(|_| errors.iter().all(|error| error.hint == errors[0].hint));
        Err(match kind {
            Kind::Interrupted => error
                .context("interrupted")
                .hint("what was started goes on; run the same plan again: it starts what is left"),
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

    /// Whether of the rows that failed all were started, now or before, so that nothing in them needs to be mended.
    fn have_all_been_started(&self, ended: bool) -> bool {
        let errors = self.errors();
        (ended || !errors.is_empty()) && errors.iter().all(|error| error.kind == Kind::RestoreFailed)
    }

    /// What to do next. `kept`: whether the rows are in a file of their own; `ended`: whether some had been started.
    fn hint(&self, kept: bool, ended: bool) -> String {
        match (kept, self.failed_rows) {
            (true, Some(file)) if self.have_all_been_started(ended) => format!(
                "look at the sites, then start them again with: {} restore start {} --force --watch",
                self.context.program(),
                option("--plan", &file.name().to_string()),
            ),
            (true, Some(file)) => format!("the rows that failed are in {}: mend them there and run that plan", file.name()),
            _ if ended => "the restores that failed start again with --force".into(),
            _ => "run the same plan again: what it has started is not started again (--failed-to FILE keeps the rows that failed)".into(),
        }
    }
}
