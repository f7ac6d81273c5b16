//! The restores and the runs of plans in the journal, built from the events on its lines.

use crate::config::digest::sha256;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// A restore that is about to be sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Intent {
    pub started_at: Timestamp,
    /// The name of the local user.
    pub user: Option<String>,
    /// The URL of the CI job.
    pub ci_url: Option<String>,
    /// The profile; none if only the environment was used.
    pub profile: Option<String>,
    /// The base URL as it was configured.
    pub base_url: String,
    /// The site that is overwritten.
    pub site_id: String,
    /// The snapshot that replaces the site's content.
    pub snapshot_id: String,
    /// The scope, as it is sent.
    pub scope: Box<RawValue>,
    /// The value of `--reason`.
    pub reason: Option<String>,
    /// The run of the plan that the restore belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<PlanRun>,
}

/// How a restore ended, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Succeeded,
    Failed,
    /// The service refused the restore, or it was not sent: nothing was started.
    Refused,
    /// The restore was sent, and no usable response was received.
    Unknown,
}

/// One line of the journal.
#[derive(Debug, Serialize, Deserialize)]
pub struct JournalLine {
    #[serde(rename = "restore")]
    pub restore_id: String,
    pub event: Event,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Intended(Box<Intent>),
    Accepted { task_id: Option<String> },
    Ended { outcome: Outcome, at: Timestamp },
}

/// One restore in the journal.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The id of the restore, which only the journal uses.
    pub restore_id: String,
    pub intent: Intent,
    /// Whether the service has accepted the restore.
    pub is_accepted: bool,
    /// The id of the task, if the service returned one.
    pub task_id: Option<String>,
    pub outcome: Option<Outcome>,
    /// When the end of the restore became known.
    pub finished_at: Option<Timestamp>,
}

impl Entry {
    /// Returns the outcome for people. A restore without an outcome is running if it has a task,
    /// and unknown otherwise.
    pub fn outcome_name(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Succeeded) => "succeeded",
            Some(Outcome::Failed) => "failed",
            Some(Outcome::Refused) => "refused",
            None if self.task_id.is_some() => "running",
            Some(Outcome::Unknown) | None => "unknown",
        }
    }

    /// Whether the task of the restore has ended.
    pub fn has_ended(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Succeeded | Outcome::Failed))
    }

    /// Whether the restore was certainly not started.
    pub fn was_refused(&self) -> bool {
        self.outcome == Some(Outcome::Refused)
    }

    /// Whether the restore may still be running. A restore without a task counts as unfinished
    /// until a later restore of its site has ended.
    fn is_unfinished(&self, later: &[Self]) -> bool {
        match self.outcome {
            None if self.task_id.is_some() => true,
            None | Some(Outcome::Unknown) => !later
                .iter()
                .any(|entry| entry.has_ended() && entry.intent.site_id == self.intent.site_id),
            Some(_) => false,
        }
    }
}

/// Returns the restores that may still be running, among all restores of a service.
pub fn unfinished_restores(entries: &[Entry]) -> Vec<&Entry> {
    let mut unfinished = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_unfinished(&entries[index + 1..]) {
            unfinished.push(entry);
        }
    }
    unfinished
}

/// Builds the restores from the lines, oldest first.
pub fn build_entries(lines: Vec<JournalLine>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for JournalLine { restore_id, event } in lines {
        let existing = entries
            .iter_mut()
            .rev()
            .find(|entry| entry.restore_id == restore_id);
        match (event, existing) {
            (Event::Intended(intent), _) => entries.push(Entry {
                restore_id,
                intent: *intent,
                is_accepted: false,
                task_id: None,
                outcome: None,
                finished_at: None,
            }),
            (Event::Accepted { task_id }, Some(entry)) => {
                entry.is_accepted = true;
                entry.task_id = task_id;
            }
            // A later poll without a result does not change a known outcome.
            (Event::Ended { outcome, at }, Some(entry)) if !entry.has_ended() => {
                entry.outcome = Some(outcome);
                // A lost response does not mean that the restore has ended.
                entry.finished_at = Some(at).filter(|_| outcome != Outcome::Unknown);
            }
            (Event::Accepted { .. } | Event::Ended { .. }, _) => {}
        }
    }
    entries
}

/// One run of a plan of restores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRun {
    pub started_at: Timestamp,
    /// The SHA-256 of the plan's text and options.
    #[serde(rename = "plan")]
    pub plan_digest: String,
    /// The number of rows in the plan. Each row restores another site.
    #[serde(rename = "rows")]
    pub row_count: usize,
}

impl PlanRun {
    /// Begins a run of the plan with this text and these options.
    pub fn new(text_and_options: &str, row_count: usize) -> Self {
        Self {
            started_at: Timestamp::now(),
            plan_digest: sha256(text_and_options),
            row_count,
        }
    }

    /// Returns the last run of the same plan among the restores of a service, if it is unfinished:
    /// it has accepted or unknown restores, and not all of its rows have started and ended.
    pub fn last_unfinished(&self, entries: &[Entry]) -> Option<Self> {
        let last_run = entries
            .iter()
            .rev()
            .filter_map(|entry| entry.intent.run.as_ref())
            .find(|run| run.plan_digest == self.plan_digest)?;
        let mut last_of_site = HashMap::new();
        for entry in entries {
            if entry.intent.run.as_ref() == Some(last_run) {
                last_of_site.insert(&entry.intent.site_id, entry);
            }
        }
        let mut has_begun = false;
        let mut ended = 0;
        for entry in last_of_site.values() {
            has_begun |= !entry.was_refused();
            if entry.has_ended() {
                ended += 1;
            }
        }
        (has_begun && ended < last_run.row_count).then(|| last_run.clone())
    }

    /// Returns the last restore of a site in this run.
    pub fn last_restore<'e>(&self, entries: &'e [Entry], site_id: &str) -> Option<&'e Entry> {
        entries.iter().rev().find(|entry| {
            entry.intent.site_id == site_id && entry.intent.run.as_ref() == Some(self)
        })
    }
}
