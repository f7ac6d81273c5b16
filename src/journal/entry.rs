//! The restores and the runs of plans in the journal, built from the events on its lines.

use crate::config::digest::sha256;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// The details of a restore, written before its request is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Intent {
    pub started_at: Timestamp,
    /// The name of the local user.
    pub user: Option<String>,
    /// The URL of the CI job that runs sitectl.
    pub ci_url: Option<String>,
    /// The profile; None if only the environment was used.
    pub profile: Option<String>,
    /// The base URL as it was configured.
    pub base_url: String,
    /// The site that is overwritten.
    pub site_id: String,
    /// The snapshot that replaces the site's content.
    pub snapshot_id: String,
    /// The scope of the restore, as it is sent.
    pub scope: Box<RawValue>,
    /// The value of `--reason`.
    pub reason: Option<String>,
    /// The run of the plan that the restore belongs to; None for a single restore.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<PlanRun>,
}

/// How a restore ended. A restore without an outcome has not ended, as far as is known.
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

/// One line of the journal: an event of a restore.
#[derive(Debug, Serialize, Deserialize)]
pub struct JournalLine {
    #[serde(rename = "restore")]
    pub restore_id: String,
    pub event: Event,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The restore is about to be sent.
    Intended(Box<Intent>),
    /// The service accepted the restore, and may have returned the id of its task.
    Accepted {
        task_id: Option<String>,
    },
    Ended {
        outcome: Outcome,
        at: Timestamp,
    },
}

/// One restore in the journal, built from its events.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The id of the restore in the journal, which the service does not know.
    pub restore_id: String,
    pub intent: Intent,
    /// Whether the service has accepted the restore.
    pub is_accepted: bool,
    /// The id of the task, if the service returned one.
    pub task_id: Option<String>,
    /// None until the end of the restore, or its unknown outcome, is recorded.
    pub outcome: Option<Outcome>,
    /// When the end of the restore became known.
    pub finished_at: Option<Timestamp>,
}

impl Entry {
    /// Returns the outcome as it is shown. A restore without an outcome is running if it has a
    /// task, and unknown otherwise.
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

    /// Whether the restore may still be running. `later` has the entries after it. A restore
    /// without a task counts as unfinished until a later restore of its site has ended.
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

/// Returns the restores that may still be running. `entries` are all restores of a service, oldest
/// first.
pub fn unfinished_restores(entries: &[Entry]) -> Vec<&Entry> {
    let mut unfinished = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_unfinished(&entries[index + 1..]) {
            unfinished.push(entry);
        }
    }
    unfinished
}

/// Builds the entries, oldest first, from the lines of the journal.
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
            // The restore has ended already, or its intent is not in the journal.
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
    /// Creates a run, started now, of the plan with this text and these options.
    pub fn new(text_and_options: &str, row_count: usize) -> Self {
        Self {
            started_at: Timestamp::now(),
            plan_digest: sha256(text_and_options),
            row_count,
        }
    }

    /// Returns the last run of the same plan among the restores of a service, if it is unfinished:
    /// at least one row was not refused, and not all of its rows have ended.
    pub fn last_unfinished(&self, entries: &[Entry]) -> Option<Self> {
        let last_run = entries
            .iter()
            .rev()
            .filter_map(|entry| entry.intent.run.as_ref())
            .find(|run| run.plan_digest == self.plan_digest)?;
        // A later entry of a site replaces an earlier one, so that each row counts once.
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

    /// Returns the last restore of a site in this run; None if the run has not started one.
    pub fn last_restore<'e>(&self, entries: &'e [Entry], site_id: &str) -> Option<&'e Entry> {
        entries.iter().rev().find(|entry| {
            entry.intent.site_id == site_id && entry.intent.run.as_ref() == Some(self)
        })
    }
}
