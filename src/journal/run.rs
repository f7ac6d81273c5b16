//! The runs in the journal and their restores, built from the events on its lines.

use crate::config::BaseUrl;
use crate::error::Kind;
use crate::resources::{Outcome, ServiceTime, is_same_scope, short_url};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// How long a run is recent: it can be resumed by its key, and a plan does not repeat its restores.
const RECENT: Duration = Duration::from_secs(24 * 3600);

/// A restore as it was decided.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DecidedRestore {
    /// The site that is overwritten.
    pub site_id: String,
    pub url: Option<String>,
    #[serde(default)]
    pub title: Option<String>,
    /// The snapshot that replaces the site's content; None if the site has none that is usable.
    pub snapshot_id: Option<String>,
    /// When the snapshot was taken, if the service says so.
    pub taken_at: Option<ServiceTime>,
    /// The scope, as it is sent.
    pub scope: Box<RawValue>,
    /// The reason, as the user specified it.
    #[serde(default)]
    pub reason: Option<String>,
    /// Why the restore was left out of its run, so that no command sends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RestoreError>,
    /// Whether the site is backed up each time before the restore is sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub backup_first: bool,
}

impl DecidedRestore {
    /// Returns the site as people know it: its address or, without one, its id.
    pub fn site_name(&self) -> &str {
        self.url.as_deref().map_or(&self.site_id, short_url)
    }

    /// Returns when the snapshot was taken.
    pub fn taken_at(&self) -> Option<Timestamp> {
        Some(self.taken_at.as_ref()?.instant)
    }
}

/// Returns the current time to the second.
pub fn current_time() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// The details that the restores of a run have in common.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunDetails {
    pub started_at: Timestamp,
    /// The name of the local user.
    pub user: Option<String>,
    /// The URL of the CI job that runs sitectl.
    pub ci_url: Option<String>,
    /// The profile; None if only the environment was used.
    pub profile: Option<String>,
    /// The base URL as it was configured.
    pub base_url: String,
    /// Digits of a hash of the base URL and the token. None in runs of older versions, which count
    /// as those of another token.
    #[serde(default)]
    pub account: Option<String>,
    /// The reason of all restores, in runs of older versions.
    #[serde(default, skip_serializing)]
    pub reason: Option<String>,
    /// The value of `--idempotency-key`.
    pub idempotency_key: Option<String>,
}

/// Identifies a restore in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RestoreId {
    /// The id of the run.
    pub run: String,
    /// The index of the restore in the run.
    pub index: usize,
}

/// One line of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A run was confirmed. Nothing of it was sent yet.
    Decided {
        run: String,
        details: RunDetails,
        restores: Vec<DecidedRestore>,
    },
    /// The service showed the run to another token: the token was replaced.
    Transferred { run: String, account: String },
    /// A sync of the site is about to be requested, to undo the restore that follows.
    SyncRequested {
        restore: RestoreId,
        /// When the newest snapshot was taken that was listed before.
        newest: Option<Timestamp>,
        #[serde(default)]
        at: Option<Timestamp>,
    },
    /// The sync has made this snapshot, or surely none.
    Synced {
        restore: RestoreId,
        snapshot_id: Option<String>,
    },
    /// The request of a restore is about to be sent, or to be sent again.
    Sent {
        restore: RestoreId,
        at: Timestamp,
        /// The latest time at which a response can arrive.
        response_due: Timestamp,
    },
    /// A response, or its loss, shows the outcome of the restore: an [`Observation`], whose fields
    /// are listed here because serde reads flattened ones slowly.
    Seen {
        restore: RestoreId,
        outcome: Outcome,
        task_id: Option<String>,
        status: Option<String>,
        progress: Option<f64>,
        finished_at: Option<ServiceTime>,
        seconds: Option<i64>,
        error: Option<RestoreError>,
    },
}

impl Event {
    pub fn seen(restore: RestoreId, observation: Observation) -> Self {
        let Observation {
            outcome,
            task_id,
            status,
            progress,
            finished_at,
            seconds,
            error,
        } = observation;
        Self::Seen {
            restore,
            outcome,
            task_id,
            status,
            progress,
            finished_at,
            seconds,
            error,
        }
    }
}

/// The state of a restore in the last response about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    pub outcome: Outcome,
    /// The id of the task, if it is known.
    pub task_id: Option<String>,
    /// The status of the task, as the service sent it.
    pub status: Option<String>,
    /// How much of the task is done, from 0 to 100.
    pub progress: Option<f64>,
    /// When the task ended: as the service says, or when sitectl saw the end.
    pub finished_at: Option<ServiceTime>,
    /// How long the task took, by the two times of the service, or of sitectl.
    pub seconds: Option<i64>,
    /// Why the restore was not processed, was rejected, failed or is in doubt.
    pub error: Option<RestoreError>,
}

/// Why a restore did not succeed, as its record shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreError {
    pub kind: Kind,
    pub message: String,
}

impl Observation {
    /// Returns the status and the percentage, such as `running 40%`.
    pub fn state(&self) -> String {
        let status = self.status.as_deref().unwrap_or(self.outcome.name());
        match self.progress {
            Some(percent) => format!("{status} {}%", percent.floor()),
            None => status.into(),
        }
    }

    /// An outcome without anything else that the service says.
    pub fn of(outcome: Outcome) -> Self {
        Self {
            outcome,
            task_id: None,
            status: None,
            progress: None,
            finished_at: None,
            seconds: None,
            error: None,
        }
    }
}

/// A request that was sent.
#[derive(Debug, Clone, Copy)]
struct SentRequest {
    at: Timestamp,
    response_due: Timestamp,
    /// The number of its line in the journal.
    line: usize,
}

/// One restore of a run.
#[derive(Debug, Clone)]
pub struct Restore {
    pub decided: DecidedRestore,
    /// The last request; None if it was never sent.
    sent: Option<SentRequest>,
    /// The last observation since; None if there was no response yet.
    pub seen: Option<Observation>,
    /// The last snapshot that was made before the restore was sent.
    backup_id: Option<String>,
}

/// One run: restores that were decided at once.
#[derive(Debug, Clone)]
pub struct Run {
    pub id: String,
    pub details: RunDetails,
    pub restores: Vec<Restore>,
    /// The canonical base URL, which identifies the service.
    service_key: String,
    /// The number of its line in the journal.
    line: usize,
}

fn is_recent(time: Timestamp) -> bool {
    Timestamp::now().duration_since(time).unsigned_abs() <= RECENT
}

impl Run {
    /// Whether the run was started in the last 24 hours.
    pub fn is_recent(&self) -> bool {
        is_recent(self.details.started_at)
    }

    /// Returns the restores of the run.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        (0..self.restores.len()).map(|index| Entry { run: self, index })
    }
}

/// A restore of the journal: what was decided, and what was seen last.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'r> {
    pub run: &'r Run,
    /// The index of the restore in the run.
    pub index: usize,
}

impl<'r> Entry<'r> {
    pub fn id(&self) -> RestoreId {
        RestoreId {
            run: self.run.id.clone(),
            index: self.index,
        }
    }

    pub fn decided(&self) -> &'r DecidedRestore {
        &self.restore().decided
    }

    pub fn seen(&self) -> Option<&'r Observation> {
        self.restore().seen.as_ref()
    }

    pub fn task_id(&self) -> Option<&'r str> {
        self.seen()?.task_id.as_deref()
    }

    /// Returns the snapshot that has what the restore replaced.
    pub fn backup_id(&self) -> Option<&'r str> {
        self.restore().backup_id.as_deref()
    }

    /// Returns why the restore did not succeed, or its outcome is unknown.
    pub fn error(&self) -> Option<Cow<'r, RestoreError>> {
        let restore = self.restore();
        match &restore.seen {
            Some(seen) => seen.error.as_ref().map(Cow::Borrowed),
            None if restore.sent.is_none() => restore.decided.refusal.as_ref().map(Cow::Borrowed),
            None => Some(Cow::Owned(RestoreError {
                kind: Kind::UnknownOutcome,
                message: if self.is_in_flight() {
                    "no response yet".into()
                } else {
                    "sitectl ended before a response arrived".into()
                },
            })),
        }
    }

    /// Whether `restore resume` can send the restore.
    pub fn is_unsent(&self) -> bool {
        self.outcome() == Outcome::NotSent && self.decided().refusal.is_none()
    }

    /// Returns the outcome of the restore. A request without a response is in doubt.
    pub fn outcome(&self) -> Outcome {
        match self.seen() {
            Some(seen) => seen.outcome,
            None if self.restore().sent.is_some() => Outcome::Unknown,
            None => Outcome::NotSent,
        }
    }

    /// When the request was sent or, if it was not, when the run was started.
    pub fn started_at(&self) -> Timestamp {
        let decided_at = self.run.details.started_at;
        self.processed().map_or(decided_at, |sent| sent.at)
    }

    /// Whether a process may still be waiting for the response.
    pub fn is_in_flight(&self) -> bool {
        let sent = self.restore().sent;
        self.seen().is_none() && sent.is_some_and(|sent| Timestamp::now() <= sent.response_due)
    }

    fn restore(&self) -> &'r Restore {
        &self.run.restores[self.index]
    }

    /// The number of the line that determines whether another restore is later. One that was surely
    /// not processed is as old as its decision.
    fn line(&self) -> usize {
        self.processed().map_or(self.run.line, |sent| sent.line)
    }

    /// The request, unless it was surely not processed.
    fn processed(&self) -> Option<SentRequest> {
        let is_processed = self.outcome() != Outcome::NotSent;
        self.restore().sent.filter(|_| is_processed)
    }
}

/// The content of the journal.
#[derive(Debug, Default)]
pub struct Runs {
    /// The canonical base URL of the service whose runs the methods are about.
    service_key: String,
    /// The runs of all services, in the order of the journal.
    runs: Vec<Run>,
    /// The restores of each site of the service, as indexes of runs and in runs.
    by_site: HashMap<String, Vec<(usize, usize)>>,
    /// The snapshots that were made before restores, each with its site.
    backups: HashSet<(String, String)>,
    /// The syncs whose snapshots are unknown, each with the times of the newest snapshot before and of
    /// the request.
    open_syncs: Vec<(RestoreId, [Option<Timestamp>; 2])>,
    /// The number of lines.
    pub lines: usize,
}

impl Runs {
    /// Returns the content of an empty journal.
    pub fn new(service_key: String) -> Self {
        Self {
            service_key,
            ..Self::default()
        }
    }

    /// Adds the event on the next line.
    ///
    /// # Errors
    /// If an earlier line is missing that the event needs.
    pub fn add(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Decided {
                run,
                details,
                restores,
            } => {
                let not_sent = |mut decided: DecidedRestore| {
                    decided.reason = decided.reason.or_else(|| details.reason.clone());
                    Restore {
                        decided,
                        sent: None,
                        seen: None,
                        backup_id: None,
                    }
                };
                let run = Run {
                    service_key: BaseUrl::canonical(&details.base_url),
                    restores: restores.into_iter().map(not_sent).collect(),
                    id: run,
                    details,
                    line: self.lines,
                };
                let index = self.runs.len();
                if self.is_of_service(&run) {
                    for (row, restore) in run.restores.iter().enumerate() {
                        let site_id = restore.decided.site_id.clone();
                        self.by_site.entry(site_id).or_default().push((index, row));
                    }
                }
                self.runs.push(run);
            }
            Event::Transferred { run, account } => {
                self.run_mut(&run)?.details.account = Some(account);
            }
            Event::SyncRequested {
                restore,
                newest,
                at,
            } => self.open_syncs.push((restore, [newest, at])),
            Event::Synced {
                restore,
                snapshot_id,
            } => {
                let of_restore = |(other, _): &(RestoreId, _)| *other == restore;
                if let Some(last) = self.open_syncs.iter().rposition(of_restore) {
                    self.open_syncs.remove(last);
                }
                let entry = self.entry(&restore);
                let is_unsent = entry.is_some_and(|entry| entry.is_unsent());
                let site_id = entry.map(|entry| entry.decided().site_id.clone());
                self.backups.extend(site_id.zip(snapshot_id.clone()));
                // A process that comes late has a snapshot of the site as it is afterwards.
                if is_unsent && snapshot_id.is_some() {
                    self.restore_mut(&restore)?.backup_id = snapshot_id;
                }
            }
            Event::Sent {
                restore,
                at,
                response_due,
            } => {
                let line = self.lines;
                let restore = self.restore_mut(&restore)?;
                restore.sent = Some(SentRequest {
                    at,
                    response_due,
                    line,
                });
                restore.seen = None;
            }
            Event::Seen {
                restore,
                outcome,
                task_id,
                status,
                progress,
                finished_at,
                seconds,
                error,
            } => {
                let restore = self.restore_mut(&restore)?;
                let seen = restore.seen.as_ref();
                if seen.is_none_or(|seen| !seen.outcome.is_final()) {
                    restore.seen = Some(Observation {
                        outcome,
                        task_id,
                        status,
                        progress,
                        finished_at,
                        seconds,
                        error,
                    });
                }
            }
        }
        Ok(())
    }

    fn run_mut(&mut self, id: &str) -> Result<&mut Run, String> {
        // Most events are about the last runs.
        let run = self.runs.iter_mut().rev().find(|run| run.id == id);
        run.ok_or_else(|| format!("the journal lacks run {id}"))
    }

    fn restore_mut(&mut self, id: &RestoreId) -> Result<&mut Restore, String> {
        let restore = self.run_mut(&id.run)?.restores.get_mut(id.index);
        restore.ok_or_else(|| format!("the journal lacks restore {} of run {}", id.index, id.run))
    }

    /// Returns the run with this id.
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.iter().rev().find(|run| run.id == id)
    }

    /// Returns the runs of the service, in the order of the journal.
    pub fn of_service(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().filter(|run| self.is_of_service(run))
    }

    pub fn is_of_service(&self, run: &Run) -> bool {
        run.service_key == self.service_key
    }

    /// Returns a restore; None if the journal does not contain it.
    pub fn entry(&self, id: &RestoreId) -> Option<Entry<'_>> {
        self.run(&id.run)?.entries().nth(id.index)
    }

    /// Returns all restores of all services, in the order of their runs.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        self.runs.iter().flat_map(Run::entries)
    }

    /// Returns the restores of the service, in the order of their runs.
    pub fn entries_of_service(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        self.of_service().flat_map(Run::entries)
    }

    /// Whether a snapshot of a site was made before a restore.
    pub fn is_backup(&self, site_id: &str, snapshot_id: &str) -> bool {
        self.backups.contains(&(site_id.into(), snapshot_id.into()))
    }

    /// Returns, for each sync of a site whose snapshot is unknown, when the newest snapshot before was
    /// taken, and when the sync was requested.
    pub fn open_syncs(&self, site_id: &str) -> impl Iterator<Item = [Option<Timestamp>; 2]> {
        let of_site = move |id| {
            let entry = self.entry(id);
            entry.is_some_and(|entry| entry.decided().site_id == site_id)
        };
        let syncs = self.open_syncs.iter().filter(move |(id, _)| of_site(id));
        syncs.map(|(_, times)| *times)
    }

    /// Returns the last restore of the service with this task.
    pub fn of_task(&self, task_id: &str) -> Option<Entry<'_>> {
        let mut entries = self.entries_of_service().rev();
        entries.find(|entry| entry.task_id() == Some(task_id))
    }

    /// Returns the restores of a site, in the order of their runs.
    fn of_site(&self, site_id: &str) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        let indexes = self.by_site.get(site_id).into_iter().flatten();
        indexes.map(|(run, index)| Entry {
            run: &self.runs[*run],
            index: *index,
        })
    }

    /// Returns the newest restore of a site that was not left out of its run: the last that was sent
    /// or, if it was not sent, decided.
    pub fn newest_of_site(&self, site_id: &str) -> Option<Entry<'_>> {
        let entries = self.of_site(site_id);
        let started = entries.filter(|entry| entry.decided().refusal.is_none());
        started.max_by_key(Entry::line)
    }

    /// Returns the last restore of a site that the service has processed, or may have.
    pub fn last_of_site(&self, site_id: &str) -> Option<Entry<'_>> {
        let processed = self
            .of_site(site_id)
            .filter(|entry| entry.outcome().was_accepted() || entry.outcome() == Outcome::Unknown);
        processed.max_by_key(Entry::line)
    }

    /// Returns when the last successful restore of a site ended or, if that is unknown, was sent.
    pub fn last_success_of_site(&self, site_id: &str) -> Option<String> {
        let restores = self.of_site(site_id);
        let succeeded = restores.filter(|entry| entry.outcome() == Outcome::Succeeded);
        let last = succeeded.max_by_key(Entry::line)?;
        let finished_at = last.seen().and_then(|seen| seen.finished_at.as_ref());
        let finished_at = finished_at.map_or(last.started_at(), |time| time.instant);
        Some(finished_at.to_string())
    }

    /// Returns the last restore of the site with one of these outcomes that was sent after this one
    /// was sent or, if it was not processed, decided.
    fn later(&self, entry: &Entry<'_>, counts: impl Fn(Outcome) -> bool) -> Option<Entry<'_>> {
        let others = self.of_site(&entry.decided().site_id);
        let others = others.filter(|later| counts(later.outcome()));
        let last = others.max_by_key(Entry::line)?;
        (last.line() > entry.line()).then_some(last)
    }

    /// Returns a later restore of the site that the service has accepted.
    pub fn later_accepted(&self, entry: &Entry<'_>) -> Option<Entry<'_>> {
        self.later(entry, Outcome::was_accepted)
    }

    /// Returns a later restore of the site that succeeded, or may still change the site.
    pub fn later_effective(&self, entry: &Entry<'_>) -> Option<Entry<'_>> {
        self.later(entry, |outcome| {
            outcome == Outcome::Succeeded || outcome.is_unfinished()
        })
    }

    /// Whether the run has a restore that is left to send, and whose site was not restored since.
    pub fn has_unsent(&self, run: &Run) -> bool {
        let mut entries = run.entries();
        entries.any(|entry| entry.is_unsent() && self.later_effective(&entry).is_none())
    }

    /// Returns the successful restore of the site by a run of the last 24 hours, from the same
    /// snapshot and scope.
    pub fn restored_recently(&self, restore: &DecidedRestore) -> Option<Entry<'_>> {
        self.of_site(&restore.site_id).rev().find(|entry| {
            let other = entry.decided();
            entry.outcome() == Outcome::Succeeded
                && is_recent(entry.started_at())
                && other.snapshot_id == restore.snapshot_id
                && is_same_scope(&other.scope, &restore.scope)
        })
    }

    /// Whether a response has shown that a task of the service has ended.
    pub fn has_seen_end(&self) -> bool {
        let mut entries = self.entries_of_service();
        entries.any(|entry| entry.outcome().has_ended())
    }
}
