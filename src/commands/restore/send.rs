//! Sends the restores of a run, watches them, and reports the run. Each request is in the journal
//! before it is sent, and the id of its task right after.

use super::args::{RunArgs, plan_column};
use super::conflict::{Conflicts, LookUpErrors};
use super::polling::watch;
use super::report::Report;
use super::row::{Selected, observation_of, problem_of};
use crate::client::{Api, Consent, SendStep};
use crate::commands::bulk::Bulk;
use crate::commands::context::Context;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{DecidedRestore, Journal, Observation, RestoreId, Run};
use crate::resources::{Outcome, Record};
use std::cell::Cell;

/// After this many consecutive restores without a valid response, the rest are not sent.
const MAX_UNANSWERED: usize = 3;

/// A run that a command starts, resumes or reports.
pub struct Submission<'c> {
    pub context: &'c Context,
    pub api: &'c Api,
    pub journal: &'c Journal,
    pub args: &'c RunArgs,
    pub run_id: String,
    /// Whether restores are sent despite earlier ones.
    pub force: bool,
    /// Whether the result is the only restore of the run, and not a list.
    pub is_single: bool,
    pub look_up_errors: LookUpErrors,
}

impl Submission<'_> {
    /// Returns the run, as the journal has it now.
    ///
    /// # Errors
    /// If the journal was replaced in the meantime.
    pub fn journal_run(&self) -> Result<Run> {
        let runs = self.journal.runs();
        let run = runs.run(&self.run_id).cloned();
        run.ok_or_else(|| Error::new(Kind::Error, "the journal was replaced"))
    }

    /// Returns all restores of the run, with the errors of those that others prevent.
    pub fn select(&self) -> Result<Vec<Selected>> {
        let run = self.journal_run()?;
        let runs = self.journal.runs();
        let mut selected: Vec<Selected> = run.entries().map(|one| Selected::of(&one)).collect();
        for one in &mut selected {
            if let Some(id) = one
                .id
                .as_ref()
                .filter(|_| one.outcome(&runs) == Outcome::NotSent)
            {
                let conflicts = self.conflicts(&runs);
                one.error = conflicts.refuse_request(id, self.force).err();
            }
        }
        Ok(selected)
    }

    fn conflicts<'r>(&'r self, runs: &'r crate::journal::Runs) -> Conflicts<'r> {
        Conflicts {
            context: self.context,
            runs,
            look_up_errors: &self.look_up_errors,
        }
    }

    /// Sends the restores with these indexes, several at a time, watches the run if the options or
    /// a person who `has_typed` a confirmation want it, and reports it.
    ///
    /// # Errors
    /// The outcome of the run.
    pub async fn send(
        &self,
        consent: &Consent,
        mut selected: Vec<Selected>,
        indexes: &[usize],
        has_typed: bool,
    ) -> Result<()> {
        let run = self.journal_run()?;
        let bulk = Bulk {
            context: self.context,
            api: self.api,
            plural: "restores started",
            concurrency: self.args.concurrency,
            stop_after_failures: self.args.stop_after_failures,
            max_unanswered: MAX_UNANSWERED,
        };
        let phase = indexes.iter().map(|index| vec![*index]).collect();
        let phases = [phase];
        let outcomes = bulk.run(&phases, async |_, indexes: &[usize]| {
            // Each job has one row.
            let index = indexes[0];
            let restore = &run.restores[index].decided;
            vec![self.send_one(consent, index, restore).await]
        });
        let outcomes = outcomes.await;
        for (index, result) in outcomes.rows {
            let one = &mut selected[index];
            match (result, &outcomes.stopped_by) {
                (Ok(task), _) => one.task = Some(task),
                (Err(error), Some(stopped_by)) if outcomes.not_sent.contains(&index) => {
                    one.error = Some(Error::new(error.kind, &*stopped_by.message));
                }
                (Err(error), _) => one.error = Some(error),
            }
        }
        let interrupted = outcomes
            .stopped_by
            .filter(|error| error.kind == Kind::Interrupted);
        self.report(selected, interrupted, has_typed, !indexes.is_empty())
            .await
    }

    /// Watches the run if that is wanted, and reports it.
    ///
    /// # Errors
    /// The outcome of the run.
    pub async fn report(
        &self,
        mut selected: Vec<Selected>,
        interrupted: Option<Error>,
        has_typed: bool,
        has_sent: bool,
    ) -> Result<()> {
        let (context, journal) = (self.context, self.journal);
        let options = context.output_options();
        let wants_to_see = has_typed && options.is_for_people() && context.ui.stdout_terminal;
        let watches = self.args.watch || (wants_to_see && !self.args.no_watch);
        let is_watched = watches && interrupted.is_none();
        let mut ended = interrupted;
        if is_watched {
            let polling = &self.args.polling;
            let watched = watch(context, self.api, journal, polling, &mut selected).await;
            ended = watched.map_err(|error| {
                let started = if has_sent {
                    "restores were started, but "
                } else {
                    ""
                };
                error.context(format!("{started}watching ended"))
            })?;
        }
        let report = Report {
            context,
            journal,
            selected: &selected,
            ended,
            is_single: self.is_single,
            is_printed: is_watched && options.prints_events(),
            change: has_sent.then(|| "restores were started".into()),
        };
        report.finish().await
    }

    /// Sends one restore, and records its outcome. The request is repeated only if it was
    /// surely not processed.
    ///
    /// # Errors
    /// `Conflict` if another restore of the site prevents it; `UnknownOutcome` if the response was
    /// lost; else as the service rejects it.
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
                self.journal.record_observation(id.clone(), not_sent).await;
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
            // Only a failure says how the restore ended, because it has just begun.
            Ok(task) if observation_of(task).outcome == Outcome::Failed => observation_of(task),
            Ok(task) => Observation {
                outcome: Outcome::Running,
                error: None,
                ..observation_of(task)
            },
            Err(error) => self.observation_of_error(error),
        };
        self.journal.record_observation(id, observation).await;
        let task = response.map_err(|error| self.with_rejection_hint(error, restore))?;
        let (site, snapshot_id) = (restore.site_name(), &restore.snapshot_id);
        let note = format!("restoring {site} from {snapshot_id}: task {}", task.id);
        self.context.ui.note(&note);
        Ok(task.record)
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

    /// Returns what the error of a request says about its restore. The journal must not contain the
    /// token.
    fn observation_of_error(&self, error: &Error) -> Observation {
        let outcome = match error.kind {
            _ if error.has_unknown_outcome() => Outcome::Unknown,
            Kind::Invalid | Kind::NotFound => Outcome::Rejected,
            _ => Outcome::NotSent,
        };
        let mut problem = problem_of(error);
        problem.message = self.context.ui.masked(&problem.message);
        Observation {
            error: Some(problem),
            ..Observation::of(outcome)
        }
    }

    fn with_rejection_hint(&self, error: Error, restore: &DecidedRestore) -> Error {
        let mut details = error.details.iter();
        let hint = match error.kind {
            Kind::Invalid if details.any(|one| plan_column(&one.param) == Some("paths")) => {
                "write paths relative to the root of the snapshot, such as ./wp-content/uploads/"
                    .into()
            }
            Kind::NotFound => {
                Hint::command("list the snapshots", "snapshots list").ids(&[&restore.site_id])
            }
            _ => return error,
        };
        error.with_fallback_hint(hint)
    }
}
