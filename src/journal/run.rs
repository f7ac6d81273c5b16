//! The runs in the journal and their restores, built from the events on its lines.

use crate::config::BaseUrl;
use crate::resources::{Outcome, ServiceTime, short_url};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::time::Duration;

/// For this time, a plan does not restore a site again that a run has restored.
pub const RECENT: Duration = Duration::from_secs(24 * 3600);

/// A restore as it was decided.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DecidedRestore {
    /// The site that is overwritten.
    pub site_id: String,
    pub url: Option<String>,
    /// The snapshot that replaces the site's content.
    pub snapshot_id: String,
    /// When the snapshot was taken, if the service says so.
    pub taken_at: Option<ServiceTime>,
    /// The scope, as it is sent.
    pub scope: Box<RawValue>,
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

/// What the restores of a run have in common.
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
    /// The value of `--reason`.
    pub reason: Option<String>,
    /// The value of `--idempotency-key`.
    pub idempotency_key: Option<String>,
}

/// Identifies a restore in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The request of a restore is about to be sent, or to be sent again.
    Sent {
        restore: RestoreId,
        at: Timestamp,
        /// The latest time at which a response can arrive.
        response_due: Timestamp,
    },
    /// A response, or its loss, shows what became of the restore.
    Seen {
        restore: RestoreId,
        #[serde(flatten)]
        observation: Observation,
    },
}

/// What the last response about a restore showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    pub outcome: Outcome,
    /// The id of the task, if it is known.
    pub task_id: Option<String>,
    /// When the task ended, as the service says.
    pub finished_at: Option<ServiceTime>,
    /// How long the task took, as the service says.
    pub seconds: Option<i64>,
    /// Why the service rejected the restore.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<Rejection>,
    /// Why the task failed, as the service says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// Why the service rejected a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub status: Option<u16>,
    pub message: String,
}

impl Observation {
    /// An outcome without anything else that the service says.
    pub fn of(outcome: Outcome) -> Self {
        Self {
            outcome,
            task_id: None,
            finished_at: None,
            seconds: None,
            rejection: None,
            failure: None,
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
    /// What was seen since; None if there was no response yet.
    seen: Option<Observation>,
}

impl Restore {
    /// When the request was sent; None if it was never sent.
    pub fn sent_at(&self) -> Option<Timestamp> {
        self.sent.map(|sent| sent.at)
    }

    pub fn task_id(&self) -> Option<&str> {
        self.seen.as_ref()?.task_id.as_deref()
    }

    pub fn observation(&self) -> Option<&Observation> {
        self.seen.as_ref()
    }

    /// Returns the outcome, regardless of other restores of the site. A request without a response
    /// counts as running until its timeout, because another process may be waiting for the
    /// response.
    pub fn own_outcome(&self) -> Outcome {
        match (&self.seen, self.sent) {
            (Some(seen), _) => seen.outcome,
            (None, None) => Outcome::NotSent,
            (None, Some(sent)) if Timestamp::now() <= sent.response_due => Outcome::Running,
            (None, Some(_)) => Outcome::Unknown,
        }
    }
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

impl Run {
    /// Whether the run was started in the last 24 hours.
    pub fn is_recent(&self) -> bool {
        let age = Timestamp::now().duration_since(self.details.started_at);
        age.unsigned_abs() <= RECENT
    }

    /// The number of lines in the journal before the run.
    pub fn line(&self) -> usize {
        self.line
    }

    pub fn restore_id(&self, index: usize) -> RestoreId {
        RestoreId {
            run: self.id.clone(),
            index,
        }
    }
}

/// A restore of the journal with its run and its outcome.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'r> {
    pub run: &'r Run,
    /// The index of the restore in the run.
    pub index: usize,
    pub restore: &'r Restore,
    pub outcome: Outcome,
}

impl Entry<'_> {
    pub fn id(&self) -> RestoreId {
        self.run.restore_id(self.index)
    }

    pub fn site_id(&self) -> &str {
        &self.restore.decided.site_id
    }

    /// When the request was sent or, if it was not, when the run was started.
    pub fn started_at(&self) -> Timestamp {
        let decided_at = self.run.details.started_at;
        self.restore.sent_at().unwrap_or(decided_at)
    }

    /// Whether the restore is running, or its outcome is unknown.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.outcome, Outcome::Running | Outcome::Unknown)
    }

    /// The number of the line that determines whether another restore is later.
    fn line(&self) -> usize {
        self.restore.sent.map_or(self.run.line, |sent| sent.line)
    }
}

/// The content of the journal.
#[derive(Debug, Default)]
pub struct Runs {
    /// The canonical base URL of the service whose runs the methods are about.
    service_key: String,
    /// The runs of all services, in the order of the journal.
    runs: Vec<Run>,
    /// The number of lines.
    pub lines: usize,
    /// The last restore of each site that its service has accepted, by service and site.
    last_accepted: HashMap<(String, String), RestoreId>,
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
                let not_sent = |decided| Restore {
                    decided,
                    sent: None,
                    seen: None,
                };
                self.runs.push(Run {
                    id: run,
                    service_key: BaseUrl::canonical(&details.base_url),
                    details,
                    restores: restores.into_iter().map(not_sent).collect(),
                    line: self.lines,
                });
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
                restore: id,
                observation,
            } => {
                let restore = self.restore_mut(&id)?;
                let sent = restore.sent.ok_or("it was not sent before")?;
                let seen = restore.seen.as_ref();
                if seen.is_some_and(|seen| seen.outcome.has_ended()) {
                    return Ok(());
                }
                let was_accepted = observation.outcome.was_accepted();
                restore.seen = Some(observation);
                if was_accepted {
                    self.note_accepted(id, sent.line);
                }
            }
        }
        Ok(())
    }

    fn restore_mut(&mut self, id: &RestoreId) -> Result<&mut Restore, String> {
        // Most events are about one of the last runs.
        let run = self.runs.iter_mut().rev().find(|run| run.id == id.run);
        run.and_then(|run| run.restores.get_mut(id.index))
            .ok_or_else(|| format!("the journal lacks restore {} of run {}", id.index, id.run))
    }

    /// Remembers an accepted restore, which was sent on this line, as the last one of its site.
    fn note_accepted(&mut self, id: RestoreId, sent_line: usize) {
        let Some(entry) = self.entry(&id) else { return };
        let key = (entry.run.service_key.clone(), entry.site_id().to_string());
        let last = self.last_accepted.get(&key);
        if last
            .and_then(|last| self.entry(last))
            .is_none_or(|last| last.line() <= sent_line)
        {
            self.last_accepted.insert(key, id);
        }
    }

    /// Returns the run with this id.
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.iter().rev().find(|run| run.id == id)
    }

    /// Whether a response has shown that a task of the service has ended.
    pub fn has_seen_end(&self) -> bool {
        let mut restores = self.of_service().flat_map(|run| &run.restores);
        restores.any(|restore| restore.own_outcome().has_ended())
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
        let run = self.run(&id.run)?;
        (id.index < run.restores.len()).then(|| self.entry_at(run, id.index))
    }

    fn entry_at<'r>(&self, run: &'r Run, index: usize) -> Entry<'r> {
        let restore = &run.restores[index];
        let mut entry = Entry {
            run,
            index,
            restore,
            outcome: restore.own_outcome(),
        };
        if self.superseding(&entry).is_some() {
            entry.outcome = Outcome::Superseded;
        }
        entry
    }

    /// Returns the restores of a run.
    pub fn entries_of_run<'r>(
        &'r self,
        run: &'r Run,
    ) -> impl DoubleEndedIterator<Item = Entry<'r>> {
        (0..run.restores.len()).map(|index| self.entry_at(run, index))
    }

    /// Returns all restores of all services, in the order of their runs.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        self.runs.iter().flat_map(|run| self.entries_of_run(run))
    }

    /// Returns the restores of the service, in the order of their runs.
    pub fn entries_of_service(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> {
        self.of_service().flat_map(|run| self.entries_of_run(run))
    }

    /// Returns the last restore of the service with this task.
    pub fn of_task(&self, task_id: &str) -> Option<Entry<'_>> {
        self.entries_of_service()
            .rev()
            .find(|entry| entry.restore.task_id() == Some(task_id))
    }

    /// Returns the later accepted restore of the site that supersedes a restore: of one that was
    /// not sent, or whose outcome is unknown.
    pub fn superseding<'r>(&'r self, entry: &Entry<'_>) -> Option<Entry<'r>> {
        if !matches!(
            entry.restore.own_outcome(),
            Outcome::NotSent | Outcome::Unknown
        ) {
            return None;
        }
        let key = (
            entry.run.service_key.clone(),
            entry.restore.decided.site_id.clone(),
        );
        let id = self.last_accepted.get(&key)?;
        let run = self.run(&id.run)?;
        let restore = run.restores.get(id.index)?;
        let later = Entry {
            run,
            index: id.index,
            restore,
            outcome: restore.own_outcome(),
        };
        // A restore that was surely not processed is as old as the decision.
        let own_line = match entry.restore.own_outcome() {
            Outcome::NotSent => entry.run.line,
            _ => entry.line(),
        };
        (later.line() > own_line).then_some(later)
    }

    /// Returns the restores of a site, in the order of their runs.
    pub fn entries_of_site<'r>(
        &'r self,
        site_id: &'r str,
    ) -> impl DoubleEndedIterator<Item = Entry<'r>> {
        self.of_service().flat_map(move |run| {
            let indexes = 0..run.restores.len();
            indexes
                .filter(move |index| run.restores[*index].decided.site_id == site_id)
                .map(|index| self.entry_at(run, index))
        })
    }

    /// Returns the newest restore of a site: the last that was sent or, if it was not sent,
    /// decided.
    pub fn newest_of_site<'r>(&'r self, site_id: &'r str) -> Option<Entry<'r>> {
        self.entries_of_site(site_id).max_by_key(Entry::line)
    }

    /// Returns the last restore of a site that is running, or whose outcome is unknown.
    pub fn unfinished_of_site<'r>(&'r self, site_id: &'r str) -> Option<Entry<'r>> {
        let mut entries = self.entries_of_site(site_id).rev();
        entries.find(Entry::is_unfinished)
    }

    /// Whether a run has a restore that is left to send, running or in doubt.
    pub fn is_unfinished(&self, run: &Run) -> bool {
        self.entries_of_run(run)
            .any(|entry| entry.is_unfinished() || entry.outcome == Outcome::NotSent)
    }

    /// Returns the successful restore of the last 24 hours because of which a plan may not restore
    /// this site again: its run is unfinished, or it had the same snapshot and scope.
    pub fn restored_recently<'r>(&'r self, restore: &'r DecidedRestore) -> Option<Entry<'r>> {
        let is_same = |other: &DecidedRestore| {
            other.snapshot_id == restore.snapshot_id && is_same_json(&other.scope, &restore.scope)
        };
        self.entries_of_site(&restore.site_id).rev().find(|entry| {
            entry.outcome == Outcome::Succeeded
                && entry.run.is_recent()
                && (is_same(&entry.restore.decided) || self.is_unfinished(entry.run))
        })
    }

    /// Returns a restore of a site that was sent after the journal had this many lines, and that
    /// the service has processed, as far as is known.
    pub fn sent_since<'r>(&'r self, lines: usize, site_id: &'r str) -> Option<Entry<'r>> {
        let is_newer = |sent: SentRequest| sent.line >= lines;
        self.entries_of_site(site_id).rev().find(|entry| {
            entry.restore.sent.is_some_and(is_newer)
                && (entry.outcome.was_accepted() || entry.outcome == Outcome::Unknown)
        })
    }
}

/// Whether both are the same JSON value, however it is written.
pub fn is_same_json(one: &RawValue, other: &RawValue) -> bool {
    let parse = |json: &RawValue| serde_json::from_str::<serde_json::Value>(json.get()).ok();
    parse(one) == parse(other)
}
