//! Refuses restores because of earlier ones in the journal.

use super::requested::RestoreDecision;
use super::session::Session;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Entry, Observation, RestoreId, Runs};
use crate::resources::Outcome;
use std::collections::HashMap;

/// Decides whether earlier restores of a service prevent others.
pub struct Conflicts<'c> {
    pub session: &'c Session<'c>,
    /// Why the tasks of unfinished restores could not be read.
    pub refresh_errors: &'c HashMap<RestoreId, Error>,
    /// Whether `--force` overrides unfinished restores and repetitions.
    pub force: bool,
    /// Whether a restore of the last 24 hours must not be repeated: in a plan without a key.
    pub refuses_repeated: bool,
    /// The run whose restores are checked; None if they are not in the journal yet.
    pub run_id: Option<&'c str>,
}

impl Conflicts<'_> {
    /// Refuses a restore if the last one of its site is unfinished or, if it continues or undoes
    /// one of the journal, if another one succeeded since. `--force` overrides the former, which
    /// becomes a note.
    pub fn refuse_site(&self, decision: &mut RestoreDecision) {
        let runs = self.session.journal.runs();
        let earlier = decision.earlier.as_ref();
        let earlier = earlier.and_then(|id| runs.entry(id));
        if let Some(later) = earlier.and_then(|entry| runs.later_effective(&entry)) {
            decision.refusal = Some(restored_since(&later));
            decision.is_superseded = self.run_id.is_some();
        } else if let Some(error) = self.unfinished(&runs, &decision.restore.site_id) {
            self.refuse_unless_forced(decision, error);
        }
    }

    /// Refuses a restore that a run of the last 24 hours has made, if it must not be repeated.
    /// Otherwise, the last restore of the site becomes a note.
    pub fn refuse_repeated(&self, decision: &mut RestoreDecision) {
        let runs = self.session.journal.runs();
        let ui = &self.session.context.ui;
        if self.refuses_repeated
            && let Some(repeated) = runs.restored_recently(&decision.restore)
        {
            let (run_id, time) = (&repeated.run.id, ui.format_time(repeated.started_at()));
            let message = format!("restored {time} from the same snapshot, by run {run_id}");
            let error = Error::new(Kind::Conflict, message).with_hints(vec![
                Hint::command("show the run", "restore history --run").words(run_id),
                "to restore its sites again, add --force".into(),
            ]);
            return self.refuse_unless_forced(decision, error);
        }
        let last = runs.last_of_site(&decision.restore.site_id);
        if let Some(last) = last.filter(|entry| entry.run.is_recent() && self.run_id.is_none()) {
            let outcome = match last.outcome() {
                Outcome::Succeeded => "restored",
                outcome => outcome.name(),
            };
            let time = ui.format_time(last.started_at());
            let note = format!("{outcome} {time} by run {}", last.run.id);
            decision.notes.push(note);
        }
    }

    fn refuse_unless_forced(&self, decision: &mut RestoreDecision, error: Error) {
        if self.force {
            let note = format!("--force overrides: {}", error.message);
            decision.notes.push(note);
        } else {
            decision.refusal = Some(error);
        }
    }

    /// Refuses to send a restore that another process has sent, or whose site has been restored
    /// since it was decided. Without `--force`, also refuses it if the site has another restore that
    /// is unfinished.
    ///
    /// # Errors
    /// `Conflict` with the other restore.
    pub fn refuse_request(&self, runs: &Runs, id: &RestoreId) -> Result<()> {
        let Some(entry) = runs.entry(id) else {
            return Err(Error::new(Kind::Error, "the journal was replaced"));
        };
        if entry.outcome() != Outcome::NotSent {
            return Err(Error::new(Kind::Conflict, "another process has sent it")
                .with_hint(hint_to_watch(&entry)));
        }
        if let Some(later) = runs.later_effective(&entry) {
            return Err(restored_since(&later));
        }
        match self.unfinished(runs, &entry.decided().site_id) {
            Some(error) if !self.force => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the error of a site whose last restore may still be running.
    fn unfinished(&self, runs: &Runs, site_id: &str) -> Option<Error> {
        let entry = runs.last_of_site(site_id)?;
        if !entry.outcome().is_unfinished() {
            return None;
        }
        let time = self.session.context.ui.format_time(entry.started_at());
        let task = entry.task_id();
        let as_task = task.map_or(String::new(), |id| format!(" as task {id}"));
        let is_running = entry.outcome() == Outcome::Running;
        let state = entry.seen().map(Observation::state).unwrap_or_default();
        let unread = self.refresh_errors.get(&entry.id()).filter(|_| is_running);
        let what = match unread {
            Some(_) => format!("a restore was last seen {state}"),
            None if is_running => format!("a restore is running ({state})"),
            None if entry.is_in_flight() => "a restore has no response yet".into(),
            None => "the outcome of a restore is unknown".into(),
        };
        let mut message = format!("{what}, sent {time}{as_task}");
        if let Some(error) = unread {
            message += &format!("; now: {}", error.message);
        }
        if let Some(error) = entry.error().filter(|_| !entry.is_in_flight()) {
            message += &format!(": {}", error.message);
        }
        let can_be_watched = task.is_some() || entry.is_in_flight();
        let hint = if can_be_watched {
            hint_to_watch(&entry)
        } else {
            check_site_hint()
        };
        Some(Error::new(Kind::Conflict, message).with_hint(hint))
    }
}

/// Returns why a restore of a run is not sent whose site has another restore since.
fn restored_since(later: &Entry<'_>) -> Error {
    let (run_id, outcome) = (&later.run.id, later.outcome().name());
    let message = format!("run {run_id} has restored the site since ({outcome})");
    Error::new(Kind::Conflict, message)
        .with_hint(Hint::command("show the run", "restore history --run").words(run_id))
}

/// Returns the hint to watch a restore by its task or, without a task, by its site.
fn hint_to_watch(entry: &Entry<'_>) -> Hint {
    let name = entry.task_id().unwrap_or(&entry.decided().site_id);
    Hint::command("watch the restore", "restore watch").ids(&[name])
}

/// Returns the hint for a restore in doubt.
pub fn check_site_hint() -> Hint {
    Hint::command("check the site; then see", "explain unknown_outcome")
}
