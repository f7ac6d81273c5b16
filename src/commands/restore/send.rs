//! Sends the restores of a run. Each request is in the journal before it is sent, and the id of its
//! task right after.

use super::args::{RunArgs, plan_column};
use super::conflict::{Conflicts, observation_of};
use crate::client::{Api, Consent, SendStep, Task, TaskState};
use crate::commands::bulk::{Bulk, Job, Outcomes};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{DecidedRestore, Journal, Observation, Rejection, RestoreId, Run, Runs};
use crate::resources::{Outcome, Record};
use crate::shell::shell_arguments;
use std::cell::Cell;
use std::collections::BTreeMap;

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

    pub fn conflicts<'c>(&'c self, runs: &'c Runs) -> Conflicts<'c> {
        let run = runs.run(&self.run_id);
        Conflicts {
            context: self.context,
            runs,
            reason: run.and_then(|run| run.details.reason.as_deref()),
            watch: self.args.watch,
        }
    }

    /// Returns the errors of restores that another restore of their site prevents, by their
    /// indexes.
    pub fn conflicts_of(&self, indexes: &[usize]) -> BTreeMap<usize, Result<Record>> {
        let runs = self.journal.runs();
        let conflicts = self.conflicts(&runs);
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

    /// Returns the command that sends the restores that are left.
    pub fn resume_command(&self) -> String {
        let program = self.context.program();
        let watch = if self.args.watch { " --watch" } else { "" };
        format!("{program} restore resume {}{watch}", self.run_id)
    }

    /// Sends the restores with these indexes, several at a time. Returns the task of each, as the
    /// service sent it, or its error.
    pub async fn send(&self, consent: &Consent, indexes: &[usize]) -> Result<Outcomes<Record>> {
        let run = self.run()?;
        let bulk = Bulk {
            context: self.context,
            api: self.api,
            plural: "restores started",
            concurrency: self.args.concurrency,
            stop_after_failures: self.args.stop_after_failures,
        };
        let jobs: Vec<Job> = indexes
            .iter()
            .map(|index| Job {
                rows: vec![*index],
                runs_after: Vec::new(),
            })
            .collect();
        let outcomes = bulk.run(&jobs, async |indexes: &[usize]| {
            // Each job has one row.
            let index = indexes[0];
            let restore = &run.restores[index].decided;
            vec![self.send_one(consent, index, restore).await]
        });
        Ok(outcomes.await)
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
        // Whether the journal has a request of this command without an outcome.
        let has_open_request = Cell::new(false);
        let record = async |step| match step {
            SendStep::Sending => {
                self.record_request(&id).await?;
                has_open_request.set(true);
                Ok(())
            }
            SendStep::Repeating => {
                let not_sent = Observation::of(Outcome::NotSent);
                let id = id.clone();
                self.journal.record_observation(id, not_sent).await?;
                // From now on, another process may send the restore.
                has_open_request.set(false);
                Ok(())
            }
        };
        let response = self
            .api
            .start_restore(consent, path, site_id, &restore.scope, record)
            .await;
        if !has_open_request.get() {
            return response.map(|task| task.record);
        }
        let observation = match &response {
            Ok(task) => observation_of_start(task),
            Err(error) => self.observation_of_error(error),
        };
        let outcome = observation.outcome;
        self.record_observation(id.clone(), observation).await;
        let site = restore.site_name();
        let name = format!("the restore of {site} from {}", restore.snapshot_id);
        match response {
            Ok(task) => match self.recorded_error(&id) {
                Some(error) => Err(error),
                None => {
                    let snapshot_id = &restore.snapshot_id;
                    let task_id = task.id;
                    self.context.ui.note(&format!(
                        "restoring {site} from {snapshot_id}: task {task_id}"
                    ));
                    Ok(task.record)
                }
            },
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
                self.conflicts(runs).refuse_request(id, self.force)
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

    /// Returns the error of a restore, as the journal has it.
    fn recorded_error(&self, id: &RestoreId) -> Option<Error> {
        let runs = self.journal.runs();
        self.conflicts(&runs).recorded_error(&runs.entry(id)?)
    }

    fn with_rejection_hint(&self, error: Error, restore: &DecidedRestore) -> Error {
        let program = self.context.program();
        let site = shell_arguments(&[&restore.site_id]);
        let mut details = error.details.iter();
        let hint = match error.kind {
            Kind::Invalid
                if error.status == Some(422)
                    && details.any(|detail| plan_column(&detail.param) == Some("paths")) =>
            {
                "write paths relative to the root of the snapshot, such as ./wp-content/uploads/"
                    .into()
            }
            Kind::NotFound => format!("list the snapshots: {program} snapshots list {site}"),
            Kind::Conflict => format!(
                "when the conflict is resolved, resume the run: {}",
                self.resume_command()
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

/// Returns what the response to a start shows. Only a failure says how the restore ended, because
/// it has just begun. Anything else is settled by watching its task.
fn observation_of_start(task: &Task) -> Observation {
    if task.state == TaskState::Failed {
        return observation_of(task);
    }
    Observation {
        task_id: Some(task.id.clone()),
        ..Observation::of(Outcome::Running)
    }
}

/// Returns what the error of a request says about its restore.
pub fn outcome_of_error(error: &Error) -> Outcome {
    match error.kind {
        _ if error.has_unknown_outcome() => Outcome::Unknown,
        Kind::Invalid | Kind::NotFound => Outcome::Rejected,
        Kind::RestoreFailed => Outcome::Failed,
        _ => Outcome::NotSent,
    }
}
