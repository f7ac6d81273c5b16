//! The outcomes of restores on stdout, in words, and as an exit code: the same for all commands.

use super::args::plan_column;
use super::conflict::check_site_hint;
use super::row::{Row, Selected, kind_of};
use crate::commands::bulk::{BulkFailure, bulk_error};
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::journal::{Entry, Journal, Observation, Runs};
use crate::output;
use crate::resources::{Outcome, RESTORES};
use crate::terminal::pluralize;

/// The maximum number of ids in the command that resumes watching. If there are more, the command
/// has none, and watches all unfinished restores.
const MAX_IDS: usize = 8;

/// The restores that a command reports.
pub struct Report<'r> {
    pub context: &'r Context,
    pub journal: &'r Journal,
    pub selected: &'r [Selected],
    /// Why sending or watching ended early.
    pub ended: Option<Error>,
    /// Whether the result is one restore, and not a list.
    pub is_single: bool,
    /// Whether events have shown the restores on stdout.
    pub is_printed: bool,
    /// The change that this command made; None if it has sent nothing.
    pub change: Option<String>,
}

impl Report<'_> {
    /// Prints the restores.
    ///
    /// # Errors
    /// The outcome of the restores, if it is not success; an error of stdout or the journal.
    pub async fn finish(self) -> Result<()> {
        let written = self.journal.write_rest().await;
        let runs = self.journal.runs();
        let printed = if self.is_printed {
            Ok(())
        } else {
            self.print(&runs)
        };
        let is_printed = printed.is_ok();
        let outcome = self.error(&runs).map_or(Ok(()), Err);
        let outcome = match (outcome, written) {
            (outcome, Ok(())) => outcome,
            (Ok(()), Err(error)) => {
                let change = self.change.as_deref().unwrap_or("restores were watched");
                Err(error.context(format!("{change}, but the journal lacks what is shown")))
            }
            (Err(outcome), Err(error)) => Err(outcome.append_to_message(&error.message)),
        };
        let is_success = outcome.is_ok();
        finish_change(self.change.clone(), outcome, printed)?;
        let is_running = |one: &&Selected| one.outcome(&runs) == Outcome::Running;
        let running: Vec<&Selected> = self.selected.iter().filter(is_running).collect();
        if is_printed && is_success && !running.is_empty() {
            let hint = self.watch_hint("watch the restore", &runs, &running);
            self.context.ui.hint(hint);
        }
        Ok(())
    }

    fn print(&self, runs: &Runs) -> Result<()> {
        let rows: Vec<Row<'_>> = self.selected.iter().map(|one| one.row(runs)).collect();
        let ids: Vec<String> = rows
            .iter()
            .filter_map(|row| row.task_id.map(String::from))
            .collect();
        let options = self.context.output_options();
        output::print_rows(&RESTORES, &rows, &ids, self.is_single, options)
    }

    /// Returns the restores with this outcome, without doubts that a later restore has ended.
    fn with<'s>(&'s self, runs: &Runs, outcome: Outcome) -> Vec<&'s Selected> {
        let selected = self.selected.iter();
        selected
            .filter(|one| one.outcome(runs) == outcome && !one.is_over(runs))
            .collect()
    }

    /// Returns the error with the exit code: the first of a failure, the end of the wait, a doubt,
    /// and a restore that was not started.
    fn error(&self, runs: &Runs) -> Option<Error> {
        let mut problems = Vec::new();
        let mut counts = Vec::new();
        for (outcome, words) in [
            (Outcome::Failed, "failed"),
            (Outcome::Running, "not finished"),
            (Outcome::Unknown, "with an unknown outcome"),
            (Outcome::Rejected, "rejected"),
            (Outcome::NotSent, "not sent"),
        ] {
            let found = self.with(runs, outcome);
            if found.is_empty() || (outcome == Outcome::Running && self.ended.is_none()) {
                continue;
            }
            counts.push((found.len(), words));
            problems.extend(found);
        }
        let kind = self.kind(runs, &problems)?;
        let mut error = match (problems.as_slice(), self.selected) {
            ([one], [_]) => {
                let error = one.start_error(runs).cloned();
                let error = error.unwrap_or_else(|| {
                    let reason = one.reason(runs);
                    Error::new(
                        kind,
                        reason.map_or(String::new(), |reason| reason.message.clone()),
                    )
                });
                let predicate = predicate(one, runs, &error.message);
                error.with_message(format!("the restore of {} {predicate}", one.name(runs)))
            }
            ([], _) => Error::new(kind, "all restores have ended"),
            _ => {
                let failures: Vec<BulkFailure<'_>> =
                    problems.iter().map(|one| failure(one, runs)).collect();
                let total = pluralize(self.selected.len(), "restore");
                // The end of the wait is said before the counts.
                bulk_error(Kind::default(), &total, &counts, &failures)
            }
        };
        error = error.with_kind(kind);
        if let Some(ended) = &self.ended {
            error = error.context(&ended.message);
        }
        Some(error.with_hints(self.hints(runs, &problems)))
    }

    /// Returns the kind of the error; None if there is no problem.
    fn kind(&self, runs: &Runs, problems: &[&Selected]) -> Option<Kind> {
        let ended = self.ended.as_ref().map(|error| error.kind);
        if ended == Some(Kind::Interrupted) {
            return ended;
        }
        let kinds: Vec<Kind> = problems
            .iter()
            .map(|one| match kind_of(one.outcome(runs)) {
                Some(kind) if ended.is_none() || !one.is_open(runs) => kind,
                _ => Kind::TimedOut,
            })
            .collect();
        let order = [Kind::RestoreFailed, Kind::TimedOut, Kind::UnknownOutcome];
        let first = order.into_iter().find(|kind| kinds.contains(kind));
        first.or_else(|| {
            let reasons = problems.iter().map(|one| Some(one.reason(runs)?.kind));
            let reasons: Vec<Option<Kind>> = reasons.collect();
            let is_common = reasons.len() == self.selected.len()
                && reasons.iter().all(|kind| *kind == reasons[0]);
            let reason = reasons.first()?.filter(|_| is_common);
            Some(reason.unwrap_or(Kind::Partial))
        })
    }

    /// Returns the next steps: first those of the causes, then the commands for the rest.
    fn hints(&self, runs: &Runs, problems: &[&Selected]) -> Vec<Hint> {
        let errors: Vec<_> = problems.iter().map(|one| one.start_error(runs)).collect();
        let errors: Vec<&Error> = errors.into_iter().flatten().collect();
        let mut hints = match errors.as_slice() {
            [first, rest @ ..] if rest.iter().all(|error| error.hints == first.hints) => {
                first.hints.clone()
            }
            _ => Vec::new(),
        };
        hints.extend(self.ended.iter().flat_map(|ended| ended.hints.clone()));
        let failed = self.with(runs, Outcome::Failed);
        match failed.as_slice() {
            [] => {}
            [one] if self.selected.len() == 1 => {
                let task_id = one.task_id(runs).unwrap_or_default();
                hints.push(Hint::command("show the steps", "tasks show").ids(&[task_id]));
            }
            _ => hints.extend(self.run_id(runs, &failed).map(|run| {
                let program = &self.context.ui.program;
                Hint::command("restore again what failed", "restore history")
                    .option("--run", run)
                    .words(&format!(
                        "--outcome failed -o csv | {program} restore start --plan -"
                    ))
            })),
        }
        let unknown = self.with(runs, Outcome::Unknown);
        if !unknown.is_empty() && hints.is_empty() && self.ended.is_none() {
            hints.push(self.hint_for_unknown(runs, &unknown));
        }
        let mut left = self.with(runs, Outcome::NotSent);
        left.retain(|one| {
            let entry = one.entry(runs);
            entry.is_some_and(|entry| runs.later_accepted(&entry).is_none())
        });
        hints.extend(
            self.run_id(runs, &left)
                .map(|run| Hint::command("resume the run", "restore resume").words(run)),
        );
        let open = problems.iter().copied().filter(|one| one.is_open(runs));
        let open: Vec<&Selected> = open.collect();
        if self.ended.is_some() && !open.is_empty() {
            hints.push(self.watch_hint("resume watching", runs, &open));
        }
        hints
    }

    /// Returns the run of these restores; None if there are several, or none.
    fn run_id<'s>(&self, runs: &'s Runs, selected: &[&Selected]) -> Option<&'s str> {
        let entries = selected.iter().map(|one| one.entry(runs));
        let mut ids: Vec<&str> = entries
            .map(|one| Some(&*one?.run.id))
            .collect::<Option<_>>()?;
        ids.dedup();
        match ids.as_slice() {
            [id] => Some(id),
            _ => None,
        }
    }

    /// Returns the hint for restores in doubt, which is about a setting if that may be the cause.
    fn hint_for_unknown(&self, runs: &Runs, unknown: &[&Selected]) -> Hint {
        let profile = self.context.profile().unwrap_or("NAME");
        let has_kind = |kind: Kind| {
            let mut reasons = unknown.iter().filter_map(|one| one.reason(runs));
            reasons.any(|reason| reason.kind == kind)
        };
        let states = &self.context.settings.task_states;
        let is_unlisted = |status: &str| {
            let mut words = states.succeeded.iter().chain(&states.failed);
            !words.any(|word| word.eq_ignore_ascii_case(status.trim()))
        };
        let mut seen = unknown.iter().filter_map(|one| one.seen(runs));
        if seen.any(|seen| seen.status.as_deref().is_some_and(is_unlisted)) {
            let purpose =
                format!("if the state is final, add it to [profiles.{profile}.task_states]");
            Hint::command(purpose, "explain unknown_outcome")
        } else if has_kind(Kind::NotFound) && !runs.has_seen_end() {
            let purpose = format!(
                "no task of this service was ever found; check the path endpoints.task in \
                 [profiles.{profile}.endpoints]"
            );
            Hint::command(purpose, "explain not_found")
        } else if unknown.iter().any(|one| is_awaited(one, runs)) {
            self.watch_hint("wait for the response", runs, unknown)
        } else {
            check_site_hint()
        }
    }

    /// Returns the hint to watch these restores.
    fn watch_hint(&self, purpose: &str, runs: &Runs, selected: &[&Selected]) -> Hint {
        let hint = Hint::command(purpose, "restore watch");
        let ids: Vec<&str> = selected
            .iter()
            .filter_map(|one| one.task_id(runs).or(one.site_id(runs)))
            .collect();
        let are_in_journal = selected.iter().all(|one| one.id.is_some());
        if ids.len() > MAX_IDS && are_in_journal {
            return hint;
        }
        hint.ids(&ids)
    }
}

/// Whether a process may still be waiting for the response.
fn is_awaited(one: &Selected, runs: &Runs) -> bool {
    one.entry(runs).as_ref().is_some_and(Entry::is_awaited)
}

/// Returns one of several restores that did not succeed.
fn failure<'s>(one: &'s Selected, runs: &'s Runs) -> BulkFailure<'s> {
    let outcome = one.outcome(runs);
    let mut details = one
        .start_error(runs)
        .map_or(Vec::new(), |error| error.details.clone());
    for detail in &mut details {
        detail.param = plan_column(&detail.param).unwrap_or_default().into();
    }
    if details.is_empty() {
        let reason = one.reason(runs);
        let kind = reason.as_ref().map(|reason| reason.kind);
        let code = kind
            .or_else(|| kind_of(outcome))
            .map_or(outcome.name(), Kind::name);
        let reason = reason.map_or(String::new(), |reason| reason.message.clone());
        details.push(Detail::new(code, "", predicate(one, runs, &reason)));
    }
    BulkFailure {
        subject: one.site_id(runs).or(one.task_id(runs)).unwrap_or_default(),
        name: match outcome {
            Outcome::Failed | Outcome::Unknown => one.name(runs),
            _ => one.label(runs).into(),
        },
        error: Error::new(Kind::default(), "").with_details(details),
    }
}

/// Returns the outcome of a restore, with the reason, as the end of a sentence about it.
fn predicate(one: &Selected, runs: &Runs, reason: &str) -> String {
    let words = match one.outcome(runs) {
        Outcome::Failed => "failed",
        Outcome::Unknown if is_awaited(one, runs) => "has no response yet",
        Outcome::Unknown if one.reason(runs).is_none() => "was not seen",
        Outcome::Unknown => "has an unknown outcome",
        Outcome::Rejected => "was rejected",
        Outcome::NotSent => "was not sent",
        Outcome::Succeeded => "succeeded",
        Outcome::Running => {
            let state = one.seen(runs).map(Observation::state);
            return format!("was last seen {}", state.unwrap_or_default());
        }
    };
    match reason {
        "" => words.into(),
        reason => format!("{words}: {reason}"),
    }
}
