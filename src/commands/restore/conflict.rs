//! Refuses restores because of earlier ones in the journal.

use super::args::{repeated_options, scope_options};
use crate::client::{Api, MAX_REQUESTS_IN_FLIGHT, Task, TaskState};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{DecidedRestore, Entry, Journal, Observation, RestoreId, Runs};
use crate::resources::{Outcome, ServiceTime};
use crate::shell::{shell_arguments, shell_arguments_with};
use futures_util::stream::{self, StreamExt};

/// Looks up the unfinished tasks of these sites once, and records what became of them. A dry run
/// only remembers it. Errors about one task leave it as it was.
///
/// # Errors
/// The service's error, if it does not accept the token or the rate limit is used up; an error of
/// the journal.
pub async fn look_up_sites(
    api: &Api,
    journal: &Journal,
    restores: &[DecidedRestore],
    is_dry_run: bool,
) -> Result<()> {
    let mut requests = Vec::new();
    for restore in restores {
        let runs = journal.runs();
        for entry in runs.entries_of_site(&restore.site_id) {
            let task_id = entry.restore.task_id().map(String::from);
            if let Some(task_id) = task_id.filter(|_| entry.is_unfinished()) {
                let id = entry.id();
                requests.push(async move {
                    let send_once = false;
                    let site_id = Some(restore.site_id.as_str());
                    (id, api.task(&task_id, site_id, send_once).await)
                });
            }
        }
    }
    let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
    while let Some((id, response)) = responses.next().await {
        match response {
            Ok(task) if is_dry_run => journal.assume(id, observation_of(&task)),
            Ok(task) => {
                journal
                    .record_observation(id, observation_of(&task))
                    .await?
            }
            Err(error)
                if matches!(
                    error.kind,
                    Kind::Auth | Kind::RateLimited | Kind::Interrupted
                ) =>
            {
                return Err(error);
            }
            // The restore stays as it was, also if the service does not know the task.
            Err(_) => {}
        }
    }
    Ok(())
}

/// Returns what a response about a task shows. The times are those of the service.
pub fn observation_of(task: &Task) -> Observation {
    let outcome = match task.state {
        TaskState::Running => Outcome::Running,
        TaskState::Succeeded => Outcome::Succeeded,
        TaskState::Failed => Outcome::Failed,
        TaskState::Contradictory => Outcome::Unknown,
    };
    // Services name these times differently.
    let time = |fields: &[&str]| {
        let mut texts = fields.iter().filter_map(|field| task.record.text(field));
        texts.find_map(|text| ServiceTime::parse(&text))
    };
    let finished_at =
        time(&["finished_at", "completed_at", "ended_at"]).filter(|_| outcome.has_ended());
    let seconds = match (time(&["started_at", "created_at"]), &finished_at) {
        (Some(from), Some(to)) => Some(to.instant.duration_since(from.instant).as_secs()),
        _ => None,
    };
    Observation {
        outcome,
        task_id: Some(task.id.clone()),
        finished_at,
        seconds: seconds.filter(|seconds| *seconds >= 0),
        rejection: None,
        failure: task.failure.clone().filter(|_| outcome == Outcome::Failed),
    }
}

/// Decides whether earlier restores of a service prevent others.
#[derive(Clone, Copy)]
pub struct Conflicts<'c> {
    pub context: &'c Context,
    pub runs: &'c Runs,
    /// The value of `--reason`, for the hint to restore a site again.
    pub reason: Option<&'c str>,
    /// Whether `--watch` is set, for the same hint.
    pub watch: bool,
}

impl Conflicts<'_> {
    /// Refuses restores whose site has a restore that is running or in doubt. Also refuses a plan
    /// with a site that was restored in the last 24 hours, by an unfinished run or in the same way.
    ///
    /// # Errors
    /// `Conflict` with all reasons.
    pub fn refuse(&self, restores: &[DecidedRestore], is_plan: bool) -> Result<()> {
        let mut errors = Vec::new();
        for restore in restores {
            let unfinished = self.runs.unfinished_of_site(&restore.site_id);
            if let Some(entry) = unfinished {
                errors.push(self.unfinished_error(&entry, restore));
            } else if is_plan && let Some(entry) = self.runs.restored_recently(restore) {
                errors.push(self.restored_error(&entry));
            }
        }
        Error::combine(errors).map_or(Ok(()), Err)
    }

    /// Refuses restores whose site has another restore that was sent since the journal had this
    /// many lines.
    ///
    /// # Errors
    /// `Conflict` with the restore that another command has sent.
    pub fn refuse_newer(&self, restores: &[DecidedRestore], lines: usize) -> Result<()> {
        for restore in restores {
            if let Some(entry) = self.runs.sent_since(lines, &restore.site_id) {
                let site_id = entry.site_id();
                let message = format!("another command has sent a restore of {site_id} meanwhile");
                return Err(Error::new(Kind::Conflict, message).with_hint(self.watch_hint(&entry)));
            }
        }
        Ok(())
    }

    /// Refuses to send a restore that another process has sent, or whose site has been restored
    /// since it was decided. Without `force`, also refuses it if the site has another restore that
    /// is running or in doubt.
    ///
    /// # Errors
    /// `Conflict` with the other restore.
    pub fn refuse_request(&self, id: &RestoreId, force: bool) -> Result<()> {
        let Some(entry) = self.runs.entry(id) else {
            return Err(Error::new(Kind::Error, "the journal was replaced"));
        };
        if let Some(later) = self.runs.superseding(&entry) {
            return Err(superseded_error(&entry, &later));
        }
        if entry.outcome != Outcome::NotSent {
            let site_id = entry.site_id();
            let message = format!("another process has sent the restore of {site_id}");
            return Err(Error::new(Kind::Conflict, message).with_hint(self.watch_hint(&entry)));
        }
        let restore = std::slice::from_ref(&entry.restore.decided);
        if force {
            self.refuse_newer(restore, entry.run.line())
        } else {
            self.refuse(restore, false)
        }
    }

    /// Returns the error of a site with a restore that may still be running, for a command that
    /// would make the restore `wanted`.
    pub fn unfinished_error(&self, entry: &Entry<'_>, wanted: &DecidedRestore) -> Error {
        let site_id = entry.site_id();
        let time = self.context.ui.format_time(entry.started_at());
        let task = entry.restore.task_id();
        let as_task = task.map(|id| format!(" as task {id}")).unwrap_or_default();
        let restore = format!("the restore of {site_id}, sent {time}{as_task},");
        let is_running = entry.outcome == Outcome::Running;
        let message = match task {
            Some(_) if is_running => format!("{restore} is running"),
            None if is_running => format!("{restore} has no response yet"),
            _ => format!("the outcome of {restore} is unknown"),
        };
        Error::new(Kind::Conflict, message).with_hint(if is_running || task.is_some() {
            self.watch_hint(entry)
        } else {
            self.force_hint(wanted)
        })
    }

    /// Returns the error of a restore, as the journal has it. None if it was started and has not
    /// failed, or if a message on stderr says what else is known of it.
    pub fn recorded_error(&self, entry: &Entry<'_>) -> Option<Error> {
        let site_id = entry.site_id();
        let time = self.context.ui.format_time(entry.started_at());
        match entry.outcome {
            Outcome::Running | Outcome::Succeeded | Outcome::TimedOut => None,
            Outcome::NotSent => {
                let message = format!("the restore of {site_id} is left to send");
                Some(Error::new(Kind::Partial, message))
            }
            Outcome::Superseded => {
                let later = self.runs.superseding(entry)?;
                if entry.restore.own_outcome() == Outcome::NotSent {
                    return Some(superseded_error(entry, &later));
                }
                let run_id = &later.run.id;
                self.context.ui.note(&format!(
                    "the outcome of the restore of {site_id}, sent {time}, is unknown, \
                     but run {run_id} has restored the site since"
                ));
                None
            }
            Outcome::Rejected => {
                let observation = entry.restore.observation();
                let rejection = observation.and_then(|seen| seen.rejection.as_ref());
                let kind = match rejection.and_then(|rejection| rejection.status) {
                    Some(404) => Kind::NotFound,
                    _ => Kind::Invalid,
                };
                let reason = rejection.map_or("no reason given", |rejection| &rejection.message);
                let message = format!("the restore of {site_id}, sent {time}: {reason}");
                Some(Error::new(kind, message))
            }
            Outcome::Failed => {
                let task_id = entry.restore.task_id().unwrap_or_default();
                let program = self.context.program();
                let observation = entry.restore.observation();
                let failure = observation.and_then(|seen| seen.failure.as_ref());
                let failure = failure.map(|text| format!(": {text}")).unwrap_or_default();
                let message = format!("restore failed: {site_id} ({task_id}){failure}");
                Some(Error::new(Kind::RestoreFailed, message).with_hint(format!(
                    "show the task: {program} tasks show {}",
                    shell_arguments(&[task_id])
                )))
            }
            Outcome::Unknown => Some(
                self.unfinished_error(entry, &entry.restore.decided)
                    .with_kind(Kind::UnknownOutcome),
            ),
        }
    }

    /// Returns the error of a plan with a site that was restored before.
    fn restored_error(&self, entry: &Entry<'_>) -> Error {
        let site_id = entry.site_id();
        let run_id = &entry.run.id;
        let time = self.context.ui.format_time(entry.started_at());
        let program = self.context.program();
        let (message, hint) = if self.runs.is_unfinished(entry.run) {
            (
                format!("{site_id} was restored {time} by run {run_id}, which is unfinished"),
                format!("resume the run: {program} restore resume {run_id}"),
            )
        } else {
            (
                format!("{site_id} was restored {time} from the same snapshot, by run {run_id}"),
                format!(
                    "report the run: {program} restore resume {run_id}; \
                     to restore its sites again, add --force"
                ),
            )
        };
        Error::new(Kind::Conflict, message).with_hint(hint)
    }

    /// Returns the hint to watch a restore by its task or, without a task, by its site.
    pub fn watch_hint(&self, entry: &Entry<'_>) -> String {
        let name = entry.restore.task_id().unwrap_or(entry.site_id());
        let argument = shell_arguments(&[name]);
        let program = self.context.program();
        format!("watch the restore: {program} restore watch {argument}")
    }

    /// Returns the hint to make a restore although the outcome of an earlier one is unknown.
    fn force_hint(&self, restore: &DecidedRestore) -> String {
        let ids = [&*restore.site_id, &restore.snapshot_id];
        let repeated = repeated_options(self.reason, self.watch);
        let options = format!("{}{repeated} --force", scope_options(&restore.scope));
        let arguments = shell_arguments_with(&ids, options.trim_start());
        let program = self.context.program();
        format!("check the site; to restore it again: {program} restore start {arguments}")
    }
}

/// Returns the error of a restore that was not sent, because a later one has restored the site.
pub fn superseded_error(entry: &Entry<'_>, later: &Entry<'_>) -> Error {
    let site_id = entry.site_id();
    let run_id = &later.run.id;
    let message = format!("not sent: run {run_id} has sent a later restore of {site_id}");
    Error::new(Kind::Partial, message)
}
