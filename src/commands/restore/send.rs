//! Sends the restores of a run. Each request is in the journal before it is sent, and the id of its
//! task right after.

use super::args::RunArgs;
use super::conflict::{Conflicts, observation_of};
use crate::client::{Api, Consent, SendStep, Task, TaskState};
use crate::commands::bulk::{Bulk, Job};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{DecidedRestore, Journal, Observation, Rejection, RestoreId, Run};
use crate::resources::{Outcome, Record};
use crate::terminal::shell_arguments;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// A run that a command starts, resumes or reports.
pub struct RunCommand<'c> {
    pub context: &'c Context,
    pub api: &'c Api,
    pub journal: &'c Journal,
    pub args: &'c RunArgs,
    pub run_id: String,
    /// Whether restores are sent despite earlier ones.
    pub force: bool,
    /// Whether the result is a list, and not the only restore of the run.
    pub prints_list: bool,
}

/// The results of the requests of one command.
#[derive(Debug, Default)]
pub struct SentRestores {
    /// The task, as the service sent it, or the error of each restore, by its index in the run.
    pub results: BTreeMap<usize, Result<Record>>,
    /// The restores that were not sent because of an error of another.
    pub skipped: BTreeSet<usize>,
    /// The error that ended the command early.
    pub stopped_by: Option<Error>,
}

impl RunCommand<'_> {
    /// Returns the run, as the journal has it now.
    ///
    /// # Errors
    /// If the journal was replaced in the meantime.
    pub fn run(&self) -> Result<Run> {
        let runs = self.journal.runs();
        runs.run(&self.run_id)
            .cloned()
            .ok_or_else(|| Error::new(Kind::Error, "the journal was replaced"))
    }

    /// Returns the indexes of the restores that are left to send.
    pub fn left_to_send(&self) -> Vec<usize> {
        let runs = self.journal.runs();
        let Some(run) = runs.run(&self.run_id) else {
            return Vec::new();
        };
        runs.entries_of_run(run)
            .filter(|entry| entry.outcome == Outcome::NotSent)
            .map(|entry| entry.index)
            .collect()
    }

    /// Returns the errors of restores that another restore of their site prevents, by their
    /// indexes.
    pub fn conflicts_of(&self, indexes: &[usize]) -> BTreeMap<usize, Result<Record>> {
        let runs = self.journal.runs();
        let conflicts = Conflicts {
            context: self.context,
            runs: &runs,
        };
        let mut errors = BTreeMap::new();
        for index in indexes {
            let id = RestoreId {
                run: self.run_id.clone(),
                index: *index,
            };
            if let Err(error) = conflicts.refuse_request(&id, self.force) {
                errors.insert(*index, Err(error));
            }
        }
        errors
    }

    /// Sends the restores with these indexes, several at a time.
    pub async fn send(&self, consent: &Consent, indexes: &[usize]) -> Result<SentRestores> {
        let run = self.run()?;
        let bulk = Bulk {
            ui: &self.context.ui,
            api: self.api,
            plural: "restores started",
            concurrency: self.args.concurrency.into(),
            stop_after_failures: self.args.stop_after_failures,
        };
        let jobs: Vec<Job> = indexes
            .iter()
            .map(|index| Job {
                rows: vec![*index],
                runs_after: Vec::new(),
            })
            .collect();
        let outcomes = bulk
            .run(&jobs, async |indexes: &[usize]| {
                // Each job has one row.
                let index = indexes[0];
                let restore = &run.restores[index].decided;
                vec![self.send_one(consent, index, restore).await]
            })
            .await;
        Ok(SentRestores {
            results: outcomes.rows,
            skipped: outcomes.not_sent,
            stopped_by: outcomes.stopped_by,
        })
    }

    /// Sends one restore, and records what became of it. The request is repeated only if it was
    /// surely not processed.
    ///
    /// # Errors
    /// `Conflict` if another restore of the site prevents it; `RestoreFailed` if its task failed at
    /// once; `UnknownOutcome` if the response was lost; else as the service rejects it.
    async fn send_one(
        &self,
        consent: &Consent,
        index: usize,
        restore: &DecidedRestore,
    ) -> Result<Record> {
        let site_id = &restore.site_id;
        let path = self.api.restore_path(site_id, &restore.snapshot_id)?;
        let id = RestoreId {
            run: self.run_id.clone(),
            index,
        };
        let was_sent = Cell::new(false);
        let record = async |step| match step {
            SendStep::Sending => {
                self.record_request(&id).await?;
                was_sent.set(true);
                Ok(())
            }
            SendStep::Repeating => {
                let not_sent = Observation::of(Outcome::NotSent);
                let id = id.clone();
                self.journal.record_observation(id, not_sent).await
            }
        };
        let response = self
            .api
            .start_restore(consent, path, site_id, &restore.scope, record)
            .await;
        if !was_sent.get() {
            return response.map(|task| task.record);
        }
        let observation = match &response {
            Ok(task) => observation_of_start(task),
            Err(error) => self.observation_of_error(error),
        };
        let outcome = observation.outcome;
        self.record_observation(id, observation).await;
        let name = format!("the restore of {site_id} from {}", restore.snapshot_id);
        match response {
            Ok(task) if outcome == Outcome::Failed => Err(self.failed_error(site_id, &task)),
            Ok(task) if outcome == Outcome::Unknown => Err(self.contradictory_error(&name, &task)),
            Ok(task) => {
                self.announce(restore, &task);
                Ok(task.record)
            }
            Err(error) if outcome == Outcome::Unknown => Err(error
                .context(format!("the outcome of {name} is unknown"))
                .with_hint(
                    "check the site before you start another restore: \
                     sitectl explain unknown_outcome",
                )),
            Err(error) => Err(self.with_rejection_hint(error, restore)),
        }
    }

    /// Records that the request of a restore is about to be sent, unless another restore prevents
    /// it.
    async fn record_request(&self, id: &RestoreId) -> Result<()> {
        let timeout = self.context.flags.request_timeout;
        self.journal
            .record_request(id.clone(), timeout, |runs| {
                let conflicts = Conflicts {
                    context: self.context,
                    runs,
                };
                conflicts.refuse_request(id, self.force)
            })
            .await
    }

    /// Returns what the error of a request says about its restore.
    fn observation_of_error(&self, error: &Error) -> Observation {
        let outcome = outcome_of_error(error);
        let mut messages = vec![error.message.as_str()];
        messages.extend(error.details.iter().map(|detail| detail.message.as_str()));
        let message = messages.join("; ");
        let rejection = Rejection {
            status: error.status,
            // The journal must not contain the token.
            message: self.context.ui.masked(&message),
        };
        Observation {
            rejection: Some(rejection).filter(|_| outcome == Outcome::Rejected),
            ..Observation::of(outcome)
        }
    }

    /// Records what became of a restore. An error is a warning, because it must not hide the result
    /// of the request; the journal is written again later.
    async fn record_observation(&self, id: RestoreId, observation: Observation) {
        let written = self.journal.record_observation(id, observation).await;
        if let Err(error) = written {
            self.context.ui.warn(&error.message);
        }
    }

    /// Shows on stderr which task restores the site.
    fn announce(&self, restore: &DecidedRestore, task: &Task) {
        let ui = &self.context.ui;
        let site_id = &restore.site_id;
        let snapshot_id = &restore.snapshot_id;
        match &task.id {
            Some(task_id) => ui.note(&format!(
                "restoring {site_id} from {snapshot_id}: task {task_id}"
            )),
            None => ui.warn(&no_task_id_warning(restore)),
        }
    }

    fn failed_error(&self, site_id: &str, task: &Task) -> Error {
        let task_id = task.id.as_deref().unwrap_or_default();
        let program = self.context.program();
        let message = format!("restore failed: {site_id} ({task_id})");
        Error::new(Kind::RestoreFailed, message).with_hint(format!(
            "show the task: {program} tasks show {}",
            shell_arguments(&[task_id])
        ))
    }

    /// Returns the error of a response that shows a task, but does not confirm it. The task is in
    /// the journal, so that watching it can settle the outcome.
    fn contradictory_error(&self, restore: &str, task: &Task) -> Error {
        let Some(task_id) = &task.id else {
            let message = format!("the outcome of {restore} is unknown");
            return Error::new(Kind::UnknownOutcome, message);
        };
        let program = self.context.program();
        let message = format!(
            "the outcome of {restore} is unknown: the response shows task '{task_id}', \
             but is incomplete or reports a failure"
        );
        Error::new(Kind::UnknownOutcome, message).with_hint(format!(
            "watch the task: {program} restore watch {}",
            shell_arguments(&[task_id])
        ))
    }

    fn with_rejection_hint(&self, error: Error, restore: &DecidedRestore) -> Error {
        let program = self.context.program();
        let site = shell_arguments(&[&restore.site_id]);
        let hint = match error.kind {
            Kind::NotFound => format!("list the snapshots: {program} snapshots list {site}"),
            Kind::Conflict => format!(
                "when the conflict is resolved, resume the run: \
                 {program} restore resume {}",
                self.run_id
            ),
            // In a plan, other restores may have been started.
            Kind::Invalid if !self.prints_list => {
                "No changes were made. Fix the values above and retry.".into()
            }
            _ => return error,
        };
        error.with_fallback_hint(|| hint)
    }
}

/// Returns the warning about a restore whose task has no id.
pub fn no_task_id_warning(restore: &DecidedRestore) -> String {
    format!(
        "the service accepted the restore of {} from {}, but returned no task id",
        restore.site_id, restore.snapshot_id
    )
}

/// Returns what the response to a start shows. A word of success is not about the restore, which
/// has only begun.
fn observation_of_start(task: &Task) -> Observation {
    let mut observation = observation_of(task);
    if task.state == TaskState::Succeeded {
        observation.outcome = Outcome::Running;
    }
    observation
}

/// Returns what the error of a request says about its restore.
fn outcome_of_error(error: &Error) -> Outcome {
    match error.kind {
        _ if error.has_unknown_outcome() => Outcome::Unknown,
        Kind::Invalid | Kind::NotFound => Outcome::Rejected,
        _ => Outcome::NotSent,
    }
}
