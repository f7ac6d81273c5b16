//! The one way of all restores, wherever they come from: check, show, ask, write, send, watch. Each
//! request is in the journal before it is sent, and the id of its task right after.

use super::args::{RunArgs, member_name};
use super::backup::back_up;
use super::check::{RestoreChecker, find_sites};
use super::conflict::Conflicts;
use super::polling::watch;
use super::preview::Preview;
use super::report::Report;
use super::requested::RestoreDecision;
use super::row::{ReportedRestore, observation_of, problem_of, site_names};
use super::session::Session;
use super::source::Requests;
use crate::client::{Consent, SendStep};
use crate::commands::bulk::{Bulk, BulkFailure, bulk_error};
use crate::commands::consent::Confirmation;
use crate::commands::find_sites::{AccountSites, Site};
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{DecidedRestore, Observation, RestoreId, Run, RunDetails, Runs};
use crate::output::ResultShape;
use crate::resources::{Outcome, Record};
use crate::terminal::pluralize;
use std::cell::Cell;
use std::collections::HashMap;

/// After this many consecutive restores without a valid response, the rest are not sent.
const MAX_UNANSWERED: usize = 3;

/// What became of the restores that a command sends.
enum Sending {
    /// It sends none.
    None,
    Ended,
    Interrupted(Error),
}

/// A command that starts or resumes restores.
pub struct Submission<'c> {
    pub session: &'c Session<'c>,
    pub args: &'c RunArgs,
    pub confirmation: Confirmation<'c>,
    /// The details of a new run.
    pub details: RunDetails,
    /// Whether a restore of the last 24 hours must not be repeated: in a plan without a key.
    pub refuses_repeated: bool,
    /// How a single restore is printed.
    pub shape: ResultShape,
}

impl Submission<'_> {
    /// Checks, shows, confirms, writes, sends and watches restores, and reports their run. Returns
    /// false, without a run, if another process has started one with the same key meanwhile.
    ///
    /// # Errors
    /// All problems of the input; why restores cannot be started; the outcome of the run.
    pub async fn run(&self, requests: &Requests) -> Result<bool> {
        let context = self.session.context;
        let found = self.find_sites(requests).await?;
        let run_id = requests.run().map(|run| run.id.clone());
        let sites = found.iter().filter_map(|(_, site)| site.as_ref().ok());
        let last = last_restores(&self.session.journal.runs(), sites);
        let own = requests.run().into_iter().flat_map(Run::entries);
        let mut ids: Vec<RestoreId> = own.map(|entry| entry.id()).collect();
        ids.extend(last.values().cloned());
        let refresh_errors = self.session.refresh(&ids).await?;
        let conflicts = Conflicts {
            session: self.session,
            refresh_errors: &refresh_errors,
            force: self.args.force,
            refuses_repeated: self.refuses_repeated,
            run_id: run_id.as_deref(),
        };
        let checker = RestoreChecker {
            session: self.session,
            requests,
            allows_infected: !self.session.context.flags.yes && found.len() == 1,
            conflicts: &conflicts,
        };
        let decisions = checker.check(found).await?;
        let refusal = refusal(&decisions);
        let sendable: Vec<&RestoreDecision> = decisions
            .iter()
            .filter(|decision| decision.is_sendable())
            .collect();
        let preview = Preview {
            context,
            confirmation: &self.confirmation,
            details: &self.details,
            decisions: &decisions,
            shape: self.shape,
        };
        if self.args.dry_run && !decisions.is_empty() {
            preview.print()?;
            let refusal = refusal.filter(|_| !self.args.keep_going);
            return refusal.map_or(Ok(true), Err);
        }
        let starts_none =
            self.session.context.flags.yes && !self.args.keep_going && refusal.is_some();
        match refusal {
            Some(error) if starts_none || (run_id.is_none() && sendable.is_empty()) => {
                return Err(error);
            }
            _ => {}
        }
        let consent = if sendable.is_empty() {
            None
        } else {
            Some(preview.confirm().await?)
        };
        let run_id = match &run_id {
            Some(run_id) => run_id.clone(),
            None => match self.record_run(&decisions, &last).await? {
                Some(run_id) => run_id,
                None => return Ok(false),
            },
        };
        let mut reported = self.reported(&run_id, &decisions);
        let Some(consent) = consent else {
            self.report(reported, Sending::None).await?;
            return Ok(true);
        };
        let sender = Sender {
            submission: self,
            conflicts: &conflicts,
            run_id,
            consent,
        };
        let indexes = sendable.iter().map(|decision| decision.index).collect();
        let sending = match sender.send_all(&mut reported, indexes).await? {
            Some(error) => Sending::Interrupted(error),
            None => Sending::Ended,
        };
        self.report(reported, sending).await?;
        Ok(true)
    }

    /// Returns the sites of the requests, each with the index of its request.
    async fn find_sites(&self, requests: &Requests) -> Result<Vec<(usize, Result<Site>)>> {
        if requests.rows.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(sites) = self.session.known_sites.get() {
            return find_sites(requests, sites);
        }
        let texts = requests.rows.iter().map(|request| request.site.as_str());
        let texts: Vec<&str> = texts.collect();
        let Session { context, api, .. } = self.session;
        let sites = AccountSites::read_for(context, api, &texts).await?;
        find_sites(requests, &sites)
    }

    /// Writes the run with all its restores, those that are left out too, and returns its id; None
    /// if another process has started a run with the same key. `last` has the last restore of each
    /// site, from before the checks.
    ///
    /// # Errors
    /// `Conflict` if another process has restored a site since.
    async fn record_run(
        &self,
        decisions: &[RestoreDecision],
        last: &HashMap<String, RestoreId>,
    ) -> Result<Option<String>> {
        let restores = decisions.iter().map(|decision| DecidedRestore {
            refusal: decision.refusal.as_ref().map(problem_of),
            ..decision.restore.clone()
        });
        let sendable = decisions.iter().filter(|decision| decision.is_sendable());
        let site_ids: Vec<&str> = sendable
            .map(|decision| &*decision.restore.site_id)
            .collect();
        let details = self.details.clone();
        let key = details.idempotency_key.clone();
        let mut is_key_taken = false;
        let recorded = self
            .session
            .journal
            .record_run(details, restores.collect(), |runs| {
                is_key_taken =
                    key.is_some_and(|key| self.session.run_with_key(runs, &key).is_some());
                let last_now = |site_id| runs.last_of_site(site_id).map(|entry| entry.id());
                let mut ids = site_ids.iter();
                if is_key_taken || ids.any(|id| last_now(id).as_ref() != last.get(*id)) {
                    let message = "another command has restored a site meanwhile";
                    return Err(Error::new(Kind::Conflict, message));
                }
                Ok(())
            })
            .await;
        if is_key_taken {
            Ok(None)
        } else {
            recorded.map(Some)
        }
    }

    /// Returns all restores of the run, with the errors of those that are passed over.
    fn reported(&self, run_id: &str, decisions: &[RestoreDecision]) -> Vec<ReportedRestore> {
        let tasks = self.session.tasks.borrow();
        let runs = self.session.journal.runs();
        let mut reported = Vec::new();
        for entry in runs.run(run_id).into_iter().flat_map(Run::entries) {
            let mut decisions = decisions.iter();
            let decision = decisions.find(|decision| decision.index == entry.index);
            let refusal = decision.and_then(|decision| decision.refusal.clone());
            reported.push(ReportedRestore {
                task: tasks.get(&entry.id()).cloned(),
                error: refusal.filter(|_| entry.is_unsent()),
                ..ReportedRestore::of(&entry)
            });
        }
        reported
    }

    /// Watches the run if the options or a person who has typed a confirmation want it, and reports
    /// it.
    ///
    /// # Errors
    /// The outcome of the run.
    async fn report(&self, mut reported: Vec<ReportedRestore>, sending: Sending) -> Result<()> {
        let has_sent = !matches!(sending, Sending::None);
        let mut ended = match sending {
            Sending::Interrupted(error) => Some(error),
            _ => None,
        };
        let context = self.session.context;
        let output = context.output();
        let has_typed = has_sent && self.confirmation.prompts();
        let wants_to_see = has_typed && output.is_for_people() && context.ui.stdout_terminal;
        let watches = self.args.watch || (wants_to_see && !self.args.no_watch);
        let is_watched = watches && ended.is_none() && !self.args.dry_run;
        if is_watched {
            let watched = watch(self.session, &self.args.polling, &mut reported).await;
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
            session: self.session,
            reported: &reported,
            ended,
            shape: self.shape,
            is_printed: is_watched && output.prints_events(),
            change: has_sent.then(|| "restores were started".into()),
        };
        report.finish().await
    }
}

/// Returns why restores cannot be started now; None if there is no reason, or only that the
/// sites of a run have been restored since. If the reasons differ, the kind is `Partial`.
fn refusal(decisions: &[RestoreDecision]) -> Option<Error> {
    let refused = decisions.iter().filter(|decision| !decision.is_superseded);
    let refused: Vec<(&RestoreDecision, &Error)> = refused
        .filter_map(|decision| Some((decision, decision.refusal.as_ref()?)))
        .collect();
    let (first, error) = refused.first()?;
    if decisions.len() == 1 {
        let name = first.restore.site_name();
        let error = (*error).clone();
        return Some(error.context(format!("{name} cannot be restored")));
    }
    let is_common = refused.iter().all(|(_, other)| other.kind == error.kind);
    let kind = if is_common { error.kind } else { Kind::Partial };
    let failures: Vec<BulkFailure<'_>> = refused
        .iter()
        .map(|(decision, error)| {
            let name = decision.restore.site_name();
            let position = decision.position.as_ref();
            let position = position.map(|position| format!("{position} ({name})"));
            BulkFailure {
                subject: &decision.restore.site_id,
                name: position.unwrap_or_else(|| name.into()),
                error: (*error).clone(),
            }
        })
        .collect();
    let total = pluralize(decisions.len(), "restore");
    let counts = [(refused.len(), "cannot be started")];
    let error = bulk_error(kind, &total, &counts, &failures).without_changes();
    if refused.len() == decisions.len() {
        return Some(error.with_hint("the lines above have the reasons"));
    }
    Some(error.with_hint("to restore the other sites, add --keep-going"))
}

/// Returns the last restore of each of these sites that has one.
fn last_restores<'s>(
    runs: &Runs,
    sites: impl Iterator<Item = &'s Site>,
) -> HashMap<String, RestoreId> {
    let last = |site: &Site| Some((site.id.clone(), runs.last_of_site(&site.id)?.id()));
    sites.filter_map(last).collect()
}

/// Sends the restores of a run.
struct Sender<'s> {
    submission: &'s Submission<'s>,
    conflicts: &'s Conflicts<'s>,
    run_id: String,
    consent: Consent,
}

impl Sender<'_> {
    /// Sends the restores with these indexes, several at a time, and adds their tasks and errors.
    /// Returns the error of an interruption.
    ///
    /// # Errors
    /// If the journal was replaced in the meantime.
    async fn send_all(
        &self,
        reported: &mut [ReportedRestore],
        indexes: Vec<usize>,
    ) -> Result<Option<Error>> {
        let Session {
            context,
            api,
            journal,
            ..
        } = self.submission.session;
        let args = self.submission.args;
        let run = journal.runs().run(&self.run_id).cloned();
        let run = run.ok_or_else(|| Error::new(Kind::Error, "the journal was replaced"))?;
        let bulk = Bulk {
            context,
            api,
            plural: "restores started",
            concurrency: args.concurrency,
            stop_after_failures: args.stop_after_failures,
            max_unanswered: MAX_UNANSWERED,
        };
        let phases = [indexes.iter().map(|index| vec![*index]).collect()];
        let outcomes = bulk.run(&phases, async |_, indexes: &[usize]| {
            // Each job has one row.
            let index = indexes[0];
            let restore = &run.restores[index].decided;
            vec![self.send_one(index, restore).await]
        });
        let outcomes = outcomes.await;
        let mut not_sent = Vec::new();
        for (index, result) in outcomes.rows {
            let restore = &mut reported[index];
            match (result, &outcomes.stopped_by) {
                (Ok(task), _) => restore.task = Some(task),
                (Err(error), Some(stopped_by)) if outcomes.not_sent.contains(&index) => {
                    let error = Error::new(error.kind, &*stopped_by.message);
                    let observation = self.observation_of_error(Outcome::NotSent, &error);
                    not_sent.push((self.restore_id(index), observation));
                    restore.error = Some(error);
                }
                (Err(error), _) => restore.error = Some(error),
            }
        }
        // If that fails, the rows are still left to send.
        let _ = journal.record_unsent(not_sent).await;
        let stopped_by = outcomes.stopped_by;
        Ok(stopped_by.filter(|error| error.kind == Kind::Interrupted))
    }

    /// Sends one restore, and records its outcome. The request is repeated only if it was
    /// surely not processed.
    ///
    /// # Errors
    /// `Conflict` if another restore of the site prevents it; `UnknownOutcome` if the response was
    /// lost; else as the service rejects it.
    async fn send_one(&self, index: usize, restore: &DecidedRestore) -> Result<Record> {
        let Session {
            context,
            api,
            journal,
            ..
        } = self.submission.session;
        let site_id = &restore.site_id;
        let snapshot_id = restore.snapshot_id.as_deref().unwrap_or_default();
        let path = api.restore_path(site_id, snapshot_id)?;
        let id = self.restore_id(index);
        if restore.backup_first {
            self.back_up(&id, restore).await?;
        }
        // Whether the journal has a request of this command without an outcome.
        let has_open_request = Cell::new(false);
        let record = async |step| match step {
            SendStep::Sending => {
                let timeout = context.flags.request_timeout;
                let check = |runs: &Runs| self.conflicts.refuse_request(runs, &id);
                journal.record_request(id.clone(), timeout, check).await?;
                has_open_request.set(true);
                Ok(())
            }
            SendStep::Repeating => {
                let not_sent = Observation::of(Outcome::NotSent);
                journal.record_observation(id.clone(), not_sent).await;
                // From now on, another process may send the restore.
                has_open_request.set(false);
                Ok(())
            }
        };
        let response = api
            .start_restore(
                &self.consent,
                path,
                &site_names(restore),
                &restore.scope,
                record,
            )
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
            Err(error) => {
                let outcome = match error.kind {
                    _ if error.has_unknown_outcome() => Outcome::Unknown,
                    Kind::Invalid | Kind::NotFound => Outcome::Rejected,
                    _ => Outcome::NotSent,
                };
                self.observation_of_error(outcome, error)
            }
        };
        journal.record_observation(id, observation).await;
        let task = response.map_err(|error| with_rejection_hint(error, site_id, snapshot_id))?;
        let site = restore.site_name();
        let note = format!("restoring {site} from {snapshot_id}: task {}", task.id);
        context.ui.note(&note);
        Ok(task.record)
    }

    /// Backs up the site of a restore. If that fails, the restore is left to send.
    async fn back_up(&self, id: &RestoreId, restore: &DecidedRestore) -> Result<()> {
        let Submission { session, args, .. } = self.submission;
        let made = back_up(session, &self.consent, &args.polling, (id, restore)).await;
        if let Err(error) = &made {
            let observation = self.observation_of_error(Outcome::NotSent, error);
            let unsent = vec![(id.clone(), observation)];
            let _ = session.journal.record_unsent(unsent).await;
        }
        made
    }

    fn restore_id(&self, index: usize) -> RestoreId {
        RestoreId {
            run: self.run_id.clone(),
            index,
        }
    }

    /// Returns what the error of a request says about its restore. The journal must not contain the
    /// token.
    fn observation_of_error(&self, outcome: Outcome, error: &Error) -> Observation {
        let mut problem = problem_of(error);
        let ui = &self.submission.session.context.ui;
        problem.message = ui.masked(&problem.message);
        Observation {
            error: Some(problem),
            ..Observation::of(outcome)
        }
    }
}

fn with_rejection_hint(error: Error, site_id: &str, snapshot_id: &str) -> Error {
    let names = |name| {
        let mut params = error
            .details
            .iter()
            .map(|detail| member_name(&detail.param));
        params.any(|param| param == Some(name))
    };
    let ids = [site_id, snapshot_id];
    let hints = match error.kind {
        Kind::Invalid if names("paths") => vec![
            "write paths relative to the root of the snapshot, such as ./wp-content/uploads/"
                .into(),
            Hint::command("list the files", "snapshots files").ids(&ids),
        ],
        Kind::Invalid if names("tables") => {
            vec![Hint::command("list the tables", "snapshots tables").ids(&ids)]
        }
        Kind::NotFound => {
            vec![Hint::command("list the snapshots", "snapshots list").ids(&[site_id])]
        }
        _ => return error,
    };
    error.with_hints(hints)
}
