//! What became of the plan: on stdout, in the exit code, and in the file of the rows that failed.

use super::Step;
use super::execute::{Outcome, Outcomes};
use crate::commands::restore::started::Started;
use crate::commands::restore::watch::{End, FollowArgs, Followed, Target, conclude};
use crate::config::Format;
use crate::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::output;
use crate::ui::count;
use serde::Serialize;
use std::collections::HashSet;

/// A plan that has been gone through.
pub struct Report<'r> {
    context: &'r Context,
    document: &'r Document,
    failed_rows: Option<&'r FailedRows>,
    rows: Vec<(&'r Step, Outcome)>,
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
        let rows = steps.iter().zip(of_steps).map(|(step, outcome)| match outcome {
            Outcome::Failed(error) => (step, Outcome::Failed(locate(document, step, error))),
            outcome => (step, outcome),
        });
        Self { context, document, failed_rows, rows: rows.collect(), stopped }
    }

    /// Whether it was broken off before its end.
    pub fn is_interrupted(&self) -> bool {
        self.stopped.as_ref().is_some_and(|stopped| stopped.kind == Kind::Interrupted)
    }

    /// What there is to watch: what was started, now or before, and what may have been.
    pub fn targets(&self) -> Vec<Target> {
        self.rows.iter().filter_map(|(step, outcome)| target(step, outcome)).collect()
    }

    /// Says on stderr what was started, a line each, and what was not: the watching may take its time.
    pub fn say(&self) {
        for (step, outcome) in &self.rows {
            if let Outcome::Started(launched) = outcome {
                launched.announce(self.context, &step.order);
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
        self.rows.iter().filter_map(|(_, outcome)| error_of(outcome)).collect()
    }

    /// Prints what became of the plan, and keeps the rows that failed.
    ///
    /// # Errors
    /// `Partial` where some failed; where all did, why. `Interrupted` where the plan was not gone through.
    pub fn print(&self) -> Result<()> {
        let kept = self.keep(Vec::new());
        let printed = self.print_rows();
        let printed = printed.map_err(|error| error.or_hint(|| "what was started goes on all the same".into()));
        let hint = self.hint(kept.as_ref().copied().unwrap_or(false), false);
        self.verdict(hint).and(kept.map(drop)).and(printed)?;
        if self.rows.iter().any(|(_, outcome)| matches!(outcome, Outcome::Started(_))) {
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
        let failed = self.rows.iter().filter(|(_, outcome)| error_of(outcome).is_some());
        let mut rows: Vec<usize> = failed.map(|(step, _)| step.row).chain(others).collect();
        rows.sort_unstable();
        rows.dedup();
        self.failed_rows.map_or(Ok(false), |file| file.write(self.document, &rows))
    }

    /// The rows whose restores were watched and did not succeed.
    fn ended_badly(&self, followed: &[Followed]) -> Vec<usize> {
        let bad = followed.iter().filter(|one| matches!(one.end, End::Failed | End::Unknown));
        let bad: HashSet<&str> = bad.filter_map(|one| one.target.restore.as_deref()).collect();
        let is_bad = |outcome: &Outcome| match outcome {
            Outcome::Started(launched) => bad.contains(&*launched.restore),
            Outcome::Skipped(entry, _) => bad.contains(&*entry.restore),
            Outcome::Failed(_) | Outcome::NotTried(_) => false,
        };
        self.rows.iter().filter(|(_, outcome)| is_bad(outcome)).map(|(step, _)| step.row).collect()
    }

    fn print_rows(&self) -> Result<()> {
        let started: Vec<Started<'_>> = self.rows.iter().map(|(step, outcome)| started(step, outcome)).collect();
        let ids: Vec<String> = started.iter().filter_map(Started::task_id).map(Into::into).collect();
        if self.context.settings.format != Format::Table {
            return output::result(&started, &ids, self.context.shape());
        }
        let lines = self.rows.iter().zip(&started).map(|((step, outcome), started)| Line {
            site_id: &step.order.site_id,
            snapshot_id: &step.order.snapshot_id,
            task_id: started.task_id(),
            result: word(outcome),
        });
        output::result(&lines.collect::<Vec<_>>(), &ids, self.context.shape())
    }

    /// Each problem, at its place in the file.
    fn problems(&self) -> Vec<Detail> {
        let failed = self.rows.iter().filter_map(|(step, outcome)| match outcome {
            Outcome::Failed(error) | Outcome::Skipped(_, Some(error)) => Some(told(self.document, step, error)),
            _ => None,
        });
        let mut problems: Vec<Detail> = failed.flatten().collect();
        let left = self.rows.iter().filter(|(_, outcome)| matches!(outcome, Outcome::NotTried(_))).count();
        if left > 0 {
            let why = self.stopped.as_ref().map(|stopped| format!(", after this: {}", stopped.message));
            let left = count(left, "restore");
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
        let counts = counts.iter().filter(|(number, _)| *number > 0);
        let counts: Vec<String> = counts.map(|(number, words)| format!("{number} {words}")).collect();
        let of = format!(" of {} ", count(self.rows.len(), "restore"));
        counts.join(", ").replacen(' ', &of, 1)
    }

    /// What to do next. `kept`: whether the rows are in a file of their own; `ended`: whether some had been started.
    fn hint(&self, kept: bool, ended: bool) -> String {
        match (kept, self.failed_rows) {
            (true, Some(file)) => format!("the rows that failed are in {}: mend them there and run that plan", file.name()),
            _ if ended => "the restores that failed start again with --force".into(),
            _ => "run the same plan again: what it has started is not started again (--failed-to FILE keeps the rows that failed)".into(),
        }
    }
}

/// What there is to watch of a row.
fn target(step: &Step, outcome: &Outcome) -> Option<Target> {
    let site_id = Some(step.order.site_id.clone());
    match outcome {
        Outcome::Started(launched) => Some(launched.target(&step.order)),
        Outcome::Skipped(entry, _) => Some(Target::of(entry)),
        Outcome::Failed(error) if is_in_doubt(error) => Some(Target { task_id: None, site_id, restore: None }),
        Outcome::Failed(_) | Outcome::NotTried(_) => None,
    }
}

fn started<'s>(step: &'s Step, outcome: &'s Outcome) -> Started<'s> {
    match outcome {
        Outcome::Started(launched) => Started::now(&step.order, launched),
        Outcome::Skipped(entry, None) => Started::before(&step.order, entry.task_id.as_deref()),
        Outcome::Skipped(_, Some(error)) | Outcome::Failed(error) | Outcome::NotTried(error) => {
            Started::failed(&step.order, error)
        }
    }
}

fn error_of(outcome: &Outcome) -> Option<&Error> {
    match outcome {
        Outcome::Started(_) | Outcome::Skipped(_, None) => None,
        Outcome::Skipped(_, Some(error)) | Outcome::Failed(error) | Outcome::NotTried(error) => Some(error),
    }
}

/// Whether it may have been started all the same.
fn is_in_doubt(error: &Error) -> bool {
    error.kind == Kind::UnknownOutcome || error.in_flight
}

/// The error with the place of each of its details.
fn locate(document: &Document, step: &Step, error: Error) -> Error {
    let row = &document.rows[step.row];
    let at = |detail: &Detail| document.detail(row, column_of(&detail.param), &detail.code, &*detail.message);
    let details = error.details.iter().map(at).collect();
    error.details(details)
}

/// What is said of an error: its details or, where it has none, itself at its row.
fn told(document: &Document, step: &Step, error: &Error) -> Vec<Detail> {
    if !error.details.is_empty() {
        return error.details.clone();
    }
    let place = Some(document.locate(document.rows[step.row].place, None));
    vec![Detail { place, ..Detail::new(error.kind.name(), "", &*error.message) }]
}

/// The column that a problem is about, also where the service calls it `restore.scope.paths[0]`.
fn column_of(param: &str) -> &str {
    let known = |word: &&str| super::rows::COLUMNS.find(word).is_some();
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    match words.find(|word| known(word) || word.starts_with("include_")) {
        Some("include_files") => "files",
        Some("include_database") => "database",
        Some(word) => word,
        None => param,
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Started(_) => "started",
        Outcome::Skipped(_, None) => "started before",
        Outcome::Skipped(_, Some(_)) => "failed before",
        Outcome::Failed(error) if is_in_doubt(error) => "unknown",
        Outcome::Failed(_) => "failed",
        Outcome::NotTried(_) => "not started",
    }
}
