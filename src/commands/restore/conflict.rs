//! Refuses restores because of earlier ones in the journal.

use super::row::{observation_of, restored_since};
use crate::client::{Api, MAX_REQUESTS_IN_FLIGHT};
use crate::commands::context::Context;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{DecidedRestore, Entry, Journal, Observation, RestoreId, Runs};
use crate::resources::Outcome;
use futures_util::stream::{self, StreamExt};
use std::collections::HashMap;

/// Why the tasks of restores could not be read.
pub type LookUpErrors = HashMap<RestoreId, Error>;

/// Looks up the tasks of these restores once, as far as they are unfinished, and records what
/// became of them. A dry run only remembers it.
///
/// # Errors
/// The service's error, if it does not accept the token or the rate limit is used up.
pub async fn look_up(
    api: &Api,
    journal: &Journal,
    entries: &[RestoreId],
    is_dry_run: bool,
) -> Result<LookUpErrors> {
    let mut requests = Vec::new();
    let mut failed = LookUpErrors::new();
    for id in entries {
        let runs = journal.runs();
        let Some(entry) = runs.entry(id).filter(|one| one.outcome().is_unfinished()) else {
            continue;
        };
        let site_id = entry.decided().site_id.clone();
        if let Some(task_id) = entry.task_id().map(String::from) {
            requests.push(async move { (id, api.task(&task_id, Some(&site_id), false).await) });
        }
    }
    let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
    while let Some((id, response)) = responses.next().await {
        match response {
            Ok(task) if is_dry_run => journal.assume(id.clone(), observation_of(&task)),
            Ok(task) => {
                let observation = observation_of(&task);
                journal.record_observation(id.clone(), observation).await;
            }
            Err(error) => match error.kind {
                Kind::Auth | Kind::RateLimited | Kind::Interrupted => return Err(error),
                _ => drop(failed.insert(id.clone(), error)),
            },
        }
    }
    Ok(failed)
}

/// Decides whether earlier restores of a service prevent others.
#[derive(Clone, Copy)]
pub struct Conflicts<'c> {
    pub context: &'c Context,
    pub runs: &'c Runs,
    pub look_up_errors: &'c LookUpErrors,
}

impl Conflicts<'_> {
    /// Returns the error of a restore whose site has a restore that is running or in doubt. In a
    /// plan, also of a restore that a run of the last 24 hours made in the same way.
    pub fn find(&self, restore: &DecidedRestore, is_plan: bool) -> Option<Error> {
        let last = self.runs.last_of_site(&restore.site_id);
        if let Some(entry) = last.filter(|entry| entry.outcome().is_unfinished()) {
            return Some(self.unfinished_error(&entry));
        }
        let repeated = self.runs.restored_recently(restore).filter(|_| is_plan)?;
        let site = restore.site_name();
        let run_id = &repeated.run.id;
        let time = self.context.ui.format_time(repeated.started_at());
        let message = format!("{site} was restored {time} from the same snapshot, by run {run_id}");
        Some(Error::new(Kind::Conflict, message).with_hints(vec![
            Hint::command("show the run", "restore history --run").words(run_id),
            "to restore its sites again, add --force".into(),
        ]))
    }

    /// Refuses restores that others prevent.
    ///
    /// # Errors
    /// `Conflict` with all reasons.
    pub fn refuse(&self, restores: &[DecidedRestore], is_plan: bool) -> Result<()> {
        let errors = restores.iter().filter_map(|one| self.find(one, is_plan));
        Error::combine(errors.collect()).map_or(Ok(()), Err)
    }

    /// Refuses to send a restore that another process has sent, or whose site has been restored
    /// since it was decided. Without `force`, also refuses it if the site has another restore that
    /// is running or in doubt.
    ///
    /// # Errors
    /// `Conflict` or `Partial` with the other restore.
    pub fn refuse_request(&self, id: &RestoreId, force: bool) -> Result<()> {
        let Some(entry) = self.runs.entry(id) else {
            return Err(Error::new(Kind::Error, "the journal was replaced"));
        };
        if entry.outcome() != Outcome::NotSent {
            return Err(Error::new(Kind::Conflict, "another process has sent it")
                .with_hint(watch_hint(&entry)));
        }
        if let Some(later) = self.runs.later_accepted(&entry) {
            let problem = restored_since(&later);
            return Err(Error::new(problem.kind, problem.message));
        }
        match self.find(entry.decided(), false) {
            Some(error) if !force => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the error of a site with a restore that may still be running.
    fn unfinished_error(&self, entry: &Entry<'_>) -> Error {
        let site = entry.decided().site_name();
        let time = self.context.ui.format_time(entry.started_at());
        let task = entry.task_id();
        let as_task = task.map_or(String::new(), |id| format!(" as task {id}"));
        let restore = format!("the restore of {site}, sent {time}{as_task},");
        let is_running = entry.outcome() == Outcome::Running;
        let state = entry.seen().map(Observation::state).unwrap_or_default();
        let mut message = match self.look_up_errors.get(&entry.id()) {
            Some(error) if is_running => {
                let now = &error.message;
                format!("{restore} was last seen {state}; now: {now}")
            }
            _ if is_running => format!("{restore} is running ({state})"),
            _ if entry.is_awaited() => format!("{restore} has no response yet"),
            _ => format!("the outcome of {restore} is unknown"),
        };
        if let Some(error) = entry.seen().and_then(|seen| seen.error.as_ref()) {
            message += &format!(": {}", error.message);
        }
        Error::new(Kind::Conflict, message).with_hint(if is_running || entry.is_awaited() {
            watch_hint(entry)
        } else {
            check_site_hint()
        })
    }
}

/// Returns the hint to watch a restore by its task or, without a task, by its site.
fn watch_hint(entry: &Entry<'_>) -> Hint {
    let name = entry.task_id().unwrap_or(&entry.decided().site_id);
    Hint::command("watch the restore", "restore watch").ids(&[name])
}

/// Returns the hint for a restore in doubt.
pub fn check_site_hint() -> Hint {
    Hint::command("check the site; then see", "explain unknown_outcome")
}
