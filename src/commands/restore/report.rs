//! The outcomes of restores on stdout, in words, and as an exit code: the same for all commands.

use super::args::plan_column;
use super::conflict::check_site_hint;
use super::row::{ReportedRestore, RestoreView, Row, kind_of};
use super::session::Session;
use crate::commands::bulk::{BulkFailure, bulk_error};
use crate::commands::finish_change;
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::journal::Observation;
use crate::output::ResultShape;
use crate::resources::{Outcome, RESTORES};
use crate::terminal::pluralize;

/// The maximum number of ids in the command that resumes watching. If there are more, the command
/// has none, and watches all unfinished restores.
const MAX_IDS: usize = 8;

/// The restores that a command reports.
pub struct Report<'r> {
    pub session: &'r Session<'r>,
    pub reported: &'r [ReportedRestore],
    /// Why sending or watching ended early.
    pub ended: Option<Error>,
    /// How a single restore is printed.
    pub shape: ResultShape,
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
        let written = self.session.journal.write_rest().await;
        let runs = self.session.journal.runs();
        let reported = self.reported.iter();
        let restores: Vec<RestoreView<'_>> = reported.map(|restore| restore.view(&runs)).collect();
        let printed = if self.is_printed {
            Ok(())
        } else {
            self.print(&restores)
        };
        let is_printed = printed.is_ok();
        let has_later = |restore: &&RestoreView<'_>| {
            let entry = restore.entry;
            entry.is_some_and(|entry| runs.later_effective(&entry).is_some())
        };
        let left: Vec<&RestoreView<'_>> = restores
            .iter()
            .filter(|restore| restore.entry.is_some_and(|entry| entry.is_unsent()))
            .filter(|restore| !has_later(restore))
            .collect();
        let outcome = self
            .error(&restores, &left, runs.has_seen_end())
            .map_or(Ok(()), Err);
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
        let running = with_outcome(&restores, Outcome::Running);
        if is_printed && is_success && !running.is_empty() {
            let hint = watch_hint("watch the restore", &running);
            self.session.context.ui.hint(hint);
        }
        if let Some(hint) = undo_hint(&restores).filter(|_| is_printed && is_success) {
            self.session.context.ui.hint(hint);
        }
        Ok(())
    }

    fn print(&self, restores: &[RestoreView<'_>]) -> Result<()> {
        let rows: Vec<Row<'_>> = restores.iter().map(RestoreView::row).collect();
        let output = self.session.context.output();
        output.print_rows(&RESTORES, &rows, self.shape)
    }

    /// Returns the error with the exit code: the first of a failure, the end of the wait, a doubt,
    /// and a restore that was not started.
    fn error(
        &self,
        restores: &[RestoreView<'_>],
        left: &[&RestoreView<'_>],
        has_seen_end: bool,
    ) -> Option<Error> {
        let mut problems = Vec::new();
        let mut counts = Vec::new();
        for (outcome, words) in [
            (Outcome::Failed, "failed"),
            (Outcome::Running, "not finished"),
            (Outcome::Unknown, "with an unknown outcome"),
            (Outcome::Rejected, "rejected"),
            (Outcome::NotSent, "not sent"),
        ] {
            let found = with_outcome(restores, outcome);
            if found.is_empty() || (outcome == Outcome::Running && self.ended.is_none()) {
                continue;
            }
            counts.push((found.len(), words));
            problems.extend(found);
        }
        let kind = self.kind(restores.len(), &problems)?;
        let mut error = match (problems.as_slice(), restores) {
            ([restore], [_]) => {
                let error = restore.start_error().cloned();
                let error = error.unwrap_or_else(|| {
                    let reason = restore.reason();
                    let message = reason.map_or(String::new(), |reason| reason.message.clone());
                    Error::new(kind, message)
                });
                let predicate = predicate(restore, &error.message);
                error.with_message(format!("the restore of {} {predicate}", restore.name()))
            }
            ([], _) => Error::new(kind, "all restores have ended"),
            _ => {
                let failures: Vec<BulkFailure<'_>> =
                    problems.iter().map(|restore| failure(restore)).collect();
                let total = pluralize(restores.len(), "restore");
                // The end of the wait is said before the counts.
                bulk_error(Kind::default(), &total, &counts, &failures)
            }
        };
        error = error.with_kind(kind);
        if let Some(ended) = &self.ended {
            error = error.context(&ended.message);
        }
        let is_single = restores.len() == 1;
        let mut hints = self.hints(&problems, left, is_single, has_seen_end);
        hints.extend(undo_hint(restores));
        Some(error.without_hints().with_hints(hints))
    }

    /// Returns the kind of the error of these problems of `total` restores; None if there is no
    /// problem.
    fn kind(&self, total: usize, problems: &[&RestoreView<'_>]) -> Option<Kind> {
        let ended = self.ended.as_ref().map(|error| error.kind);
        if ended == Some(Kind::Interrupted) {
            return ended;
        }
        let kinds: Vec<Kind> = problems
            .iter()
            .map(|restore| match kind_of(restore.outcome()) {
                Some(kind) if ended.is_none() || !restore.is_watchable() => kind,
                _ => Kind::TimedOut,
            })
            .collect();
        let order = [Kind::RestoreFailed, Kind::TimedOut, Kind::UnknownOutcome];
        let first = order.into_iter().find(|kind| kinds.contains(kind));
        first.or_else(|| {
            let reasons = problems.iter().map(|restore| Some(restore.reason()?.kind));
            let reasons: Vec<Option<Kind>> = reasons.collect();
            let is_common =
                reasons.len() == total && reasons.iter().all(|kind| *kind == reasons[0]);
            let reason = reasons.first()?.filter(|_| is_common);
            Some(reason.unwrap_or(Kind::Partial))
        })
    }

    /// Returns the next steps: first those of the causes, then the commands for the rest. `left` are
    /// the restores that are left to send.
    fn hints(
        &self,
        problems: &[&RestoreView<'_>],
        left: &[&RestoreView<'_>],
        is_single: bool,
        has_seen_end: bool,
    ) -> Vec<Hint> {
        let errors = problems.iter().map(|restore| restore.start_error());
        let errors: Vec<&Error> = errors.flatten().collect();
        let mut hints = match errors.as_slice() {
            [first, rest @ ..] if rest.iter().all(|error| error.hints == first.hints) => {
                first.hints.clone()
            }
            _ => Vec::new(),
        };
        hints.extend(self.ended.iter().flat_map(|ended| ended.hints.clone()));
        let with = |outcome| {
            let problems = problems.iter().copied();
            problems.filter(move |restore| restore.outcome() == outcome)
        };
        let failed: Vec<_> = with(Outcome::Failed).collect();
        let rejected = with(Outcome::Rejected);
        let again: Vec<_> = failed.iter().copied().chain(rejected).collect();
        match failed.as_slice() {
            [restore] if is_single => {
                let task_id = restore.task_id().unwrap_or_default();
                hints.push(Hint::command("show the steps", "tasks show").ids(&[task_id]));
            }
            _ if is_single => {}
            _ => hints.extend(run_of(&again).map(|run| {
                let program = &self.session.context.ui.program;
                Hint::command("restore again what failed", "restore history")
                    .option("--run", run)
                    .words(&format!(
                        "--outcome failed,rejected -o csv | {program} restore start --plan -"
                    ))
            })),
        }
        let unknown: Vec<_> = with(Outcome::Unknown).collect();
        if !unknown.is_empty() && hints.is_empty() && self.ended.is_none() {
            hints.push(self.hint_for_unknown(&unknown, has_seen_end));
        }
        if let Some(run) = run_of(left) {
            let is_busy = |restore: &&RestoreView<'_>| {
                let reason = restore.reason();
                reason.is_some_and(|reason| reason.kind == Kind::Conflict)
            };
            let purpose = if left.iter().any(is_busy) {
                let purpose = "another task may be changing the site; wait until it has ended";
                hints.push(Hint::command(purpose, "tasks list"));
                "if the restore is still needed then, resume the run"
            } else {
                "resume the run"
            };
            hints.push(Hint::command(purpose, "restore resume").words(run));
        }
        let open: Vec<_> = problems
            .iter()
            .copied()
            .filter(|restore| restore.is_watchable())
            .collect();
        if self.ended.is_some() && !open.is_empty() {
            hints.push(watch_hint("resume watching", &open));
        }
        hints
    }

    /// Returns the hint for restores in doubt, which is about a setting if that may be the cause.
    fn hint_for_unknown(&self, unknown: &[&RestoreView<'_>], has_seen_end: bool) -> Hint {
        let context = self.session.context;
        let profile = context.profile().unwrap_or("NAME");
        let has_kind = |kind: Kind| {
            let mut reasons = unknown.iter().filter_map(|restore| restore.reason());
            reasons.any(|reason| reason.kind == kind)
        };
        let states = &context.settings.task_states;
        let is_unlisted = |status: &str| {
            let mut words = states.succeeded.iter().chain(&states.failed);
            !words.any(|word| word.eq_ignore_ascii_case(status.trim()))
        };
        let mut seen = unknown.iter().filter_map(|restore| restore.seen);
        if seen.any(|seen| seen.status.as_deref().is_some_and(is_unlisted)) {
            let purpose =
                format!("if the state is final, add it to [profiles.{profile}.task_states]");
            Hint::command(purpose, "explain unknown_outcome")
        } else if has_kind(Kind::NotFound) && !has_seen_end {
            Hint::Endpoint("task")
        } else if unknown.iter().any(|restore| restore.is_in_flight()) {
            watch_hint("wait for the response", unknown)
        } else {
            check_site_hint()
        }
    }
}

fn with_outcome<'s, 'r>(
    restores: &'s [RestoreView<'r>],
    outcome: Outcome,
) -> Vec<&'s RestoreView<'r>> {
    let restores = restores.iter();
    restores
        .filter(|restore| restore.outcome() == outcome)
        .collect()
}

/// Returns the run of these restores; None if there are several, or none.
fn run_of<'r>(restores: &[&RestoreView<'r>]) -> Option<&'r str> {
    let ids = restores.iter().map(|restore| Some(&*restore.entry?.run.id));
    let mut ids: Vec<&str> = ids.collect::<Option<_>>()?;
    ids.dedup();
    match ids.as_slice() {
        [id] => Some(id),
        _ => None,
    }
}

/// Returns the hint to undo those of these restores that have ended and were backed up first.
fn undo_hint(restores: &[RestoreView<'_>]) -> Option<Hint> {
    let is_undoable = |restore: &&RestoreView<'_>| {
        let entry = restore.entry;
        let backup = entry.filter(|_| restore.outcome().has_ended());
        backup.is_some_and(|entry| entry.backup_id().is_some())
    };
    let undoable: Vec<&RestoreView<'_>> = restores.iter().filter(is_undoable).collect();
    Some(Hint::command("undo", "restore undo").ids(&[run_of(&undoable)?]))
}

/// Returns the hint to watch these restores.
fn watch_hint(purpose: &str, restores: &[&RestoreView<'_>]) -> Hint {
    let hint = Hint::command(purpose, "restore watch");
    let ids = restores
        .iter()
        .filter_map(|restore| restore.task_id().or(restore.site_id));
    let ids: Vec<&str> = ids.collect();
    let are_in_journal = restores.iter().all(|restore| restore.entry.is_some());
    if ids.len() > MAX_IDS && are_in_journal {
        return hint;
    }
    hint.ids(&ids)
}

/// Returns one of several restores that did not succeed.
fn failure<'r>(restore: &RestoreView<'r>) -> BulkFailure<'r> {
    let outcome = restore.outcome();
    let error = restore.start_error();
    let mut details = error.map_or(Vec::new(), |error| error.details.clone());
    for detail in &mut details {
        detail.param = plan_column(&detail.param).unwrap_or_default().into();
    }
    if details.is_empty() {
        let reason = restore.reason();
        let kind = reason.as_ref().map(|reason| reason.kind);
        let code = kind
            .or_else(|| kind_of(outcome))
            .map_or(outcome.name(), Kind::name);
        let reason = reason.map_or(String::new(), |reason| reason.message.clone());
        details.push(Detail::new(code, "", predicate(restore, &reason)));
    }
    BulkFailure {
        subject: restore.site_id.or(restore.task_id()).unwrap_or_default(),
        name: match outcome {
            Outcome::Failed | Outcome::Unknown => restore.name(),
            _ => restore.label().into(),
        },
        error: Error::new(Kind::default(), "").with_details(details),
    }
}

/// Returns the outcome of a restore, with the reason, as the end of a sentence about it.
fn predicate(restore: &RestoreView<'_>, reason: &str) -> String {
    let verb = match restore.outcome() {
        Outcome::Failed => "failed",
        Outcome::Unknown if restore.is_in_flight() => return "has no response yet".into(),
        Outcome::Unknown => "has an unknown outcome",
        Outcome::Rejected => "was rejected",
        Outcome::NotSent => "was not sent",
        Outcome::Succeeded => "succeeded",
        Outcome::Running => {
            let state = restore.seen.map(Observation::state);
            return format!("was last seen {}", state.unwrap_or_default());
        }
    };
    match reason {
        "" => verb.into(),
        reason => format!("{verb}: {reason}"),
    }
}
