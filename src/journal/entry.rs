//! The restores and the runs of plans in the journal, built from the events on its lines.

use crate::config::digest::sha256;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// A restore that is about to be sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Intent {
    /// When it was intended.
    pub started_at: Timestamp,
    /// The local user's name.
    pub user: Option<String>,
    /// The CI job's URL.
    pub ci_url: Option<String>,
    /// The profile; none if only the environment was used.
    pub profile: Option<String>,
    /// The base URL as it was configured.
    pub base_url: String,
    /// The site that is overwritten.
    pub site_id: String,
    /// The snapshot that it is overwritten with.
    pub snapshot_id: String,
    /// The scope, as it is sent.
    pub scope: Box<RawValue>,
    /// The reason that the user gave.
    pub reason: Option<String>,
    /// The run of a plan that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// How a restore ended, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The task succeeded.
    Succeeded,
    /// The task failed.
    Failed,
    /// The service refused it, or it was not sent: nothing was started.
    Refused,
    /// It was sent, and no usable response was received.
    Unknown,
}

/// One line of the journal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// The id of the restore in the journal.
    pub restore: String,
    /// The event.
    pub event: Event,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Event {
    Intended(Box<Intent>),
    Accepted { task_id: Option<String> },
    Ended { outcome: Outcome, at: Timestamp },
}

/// One restore.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its id in the journal.
    pub restore: String,
    /// The intent.
    pub intent: Intent,
    /// Whether the service has accepted it.
    pub accepted: bool,
    /// Its task, if the service returned one.
    pub task_id: Option<String>,
    /// How it ended, if that is known.
    pub outcome: Option<Outcome>,
    /// When its end became known.
    pub finished_at: Option<Timestamp>,
}

impl Entry {
    /// Returns its outcome in a word. Without an outcome, it is running if it was accepted, and unknown otherwise.
    pub fn standing(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Succeeded) => "succeeded",
            Some(Outcome::Failed) => "failed",
            Some(Outcome::Refused) => "refused",
            None if self.task_id.is_some() => "running",
            Some(Outcome::Unknown) | None => "unknown",
        }
    }

    /// Whether its task has ended.
    pub fn has_ended(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Succeeded | Outcome::Failed))
    }

    /// Whether it was certainly not started.
    pub fn was_refused(&self) -> bool {
        self.outcome == Some(Outcome::Refused)
    }
}

/// Returns the restores of a service that may still be running. A restore without a task counts until a later restore of
/// its site has ended.
pub fn unfinished(entries: &[Entry]) -> Vec<&Entry> {
    let is_superseded = |place: usize, entry: &Entry| {
        entries[place + 1..]
            .iter()
            .any(|later| later.has_ended() && later.intent.site_id == entry.intent.site_id)
    };
    let is_open = |(place, entry): &(usize, &Entry)| match entry.outcome {
        None if entry.task_id.is_some() => true,
        None | Some(Outcome::Unknown) => !is_superseded(*place, entry),
        Some(_) => false,
    };
    entries
        .iter()
        .enumerate()
        .filter(is_open)
        .map(|(_, entry)| entry)
        .collect()
}

/// Builds the restores from the lines, oldest first.
pub(super) fn fold(lines: Vec<Line>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for Line { restore, event } in lines {
        let known = entries
            .iter_mut()
            .rev()
            .find(|entry| entry.restore == restore);
        match (event, known) {
            (Event::Intended(intent), _) => {
                let (accepted, task_id, outcome, finished_at) = (false, None, None, None);
                entries.push(Entry {
                    restore,
                    intent: *intent,
                    accepted,
                    task_id,
                    outcome,
                    finished_at,
                });
            }
            (Event::Accepted { task_id }, Some(entry)) => {
                (entry.accepted, entry.task_id) = (true, task_id)
            }
            // A later poll without a result does not change a known outcome.
            (Event::Ended { outcome, at }, Some(entry)) if !entry.has_ended() => {
                entry.outcome = Some(outcome);
                // The restore did not end when its response was given up as lost.
                entry.finished_at = Some(at).filter(|_| outcome != Outcome::Unknown);
            }
            (Event::Accepted { .. } | Event::Ended { .. }, _) => {}
        }
    }
    entries
}

/// One run of a plan of restores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// When it began.
    pub started_at: Timestamp,
    /// The SHA-256 of the plan's text and options.
    pub plan: String,
    /// How many rows the plan has, one per site.
    pub rows: usize,
}

impl Run {
    /// Begins a run of the plan with this text.
    pub fn new(text: &str, rows: usize) -> Self {
        Self {
            started_at: Timestamp::now(),
            plan: sha256(text),
            rows,
        }
    }

    /// Returns the last run of the same plan among the restores of a service, if it has accepted or unknown restores and
    /// not all of its rows have started and ended.
    pub fn unfinished(&self, entries: &[Entry]) -> Option<Self> {
        let mut runs = entries
            .iter()
            .rev()
            .filter_map(|entry| entry.intent.run.as_ref());
        let run = runs.find(|run| run.plan == self.plan)?;
        let of_run = entries
            .iter()
            .filter(|entry| entry.intent.run.as_ref() == Some(run));
        let by_site: HashMap<&str, &Entry> = of_run
            .map(|entry| (&*entry.intent.site_id, entry))
            .collect();
        let ended = by_site.values().filter(|entry| entry.has_ended()).count();
        let has_begun = by_site.values().any(|entry| !entry.was_refused());
        (has_begun && ended < run.rows).then(|| run.clone())
    }

    /// Returns the restore of a site that this run sent last.
    pub fn restore<'e>(&self, entries: &'e [Entry], site_id: &str) -> Option<&'e Entry> {
        let is_it = |entry: &&Entry| {
            entry.intent.site_id == site_id && entry.intent.run.as_ref() == Some(self)
        };
        entries.iter().rev().find(is_it)
    }
}
