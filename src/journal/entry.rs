//! What the journal knows of one restore, folded from the events on its lines.

use super::run::Run;
use crate::config::BaseUrl;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;

/// What is about to be started, and by whom.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Intent {
    /// When.
    pub started_at: Timestamp,
    /// The local user's name.
    pub user: Option<String>,
    /// The CI job's address.
    pub ci_url: Option<String>,
    /// The profile; none where only the environment was used.
    pub profile: Option<String>,
    /// The service's address as it was configured.
    pub base_url: String,
    /// The site that is overwritten.
    pub site_id: String,
    /// The snapshot that it is overwritten with.
    pub snapshot_id: String,
    /// What of it.
    pub scope: Box<RawValue>,
    /// Why.
    pub reason: Option<String>,
    /// The run of a plan that it is part of.
    #[serde(default)]
    pub run: Option<Run>,
}

/// How a restore ended, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The task succeeded.
    Succeeded,
    /// The task failed.
    Failed,
    /// The service refused it, or it never came to be sent: nothing was started.
    Refused,
    /// Sent, and nobody knows what became of it.
    Unknown,
}

/// One line of the journal.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// The journal's own name for the restore.
    pub restore: String,
    /// What became known of it.
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
    /// The journal's own name for it.
    pub restore: String,
    /// The service's canonical address.
    pub service: String,
    /// What was intended.
    pub intent: Intent,
    /// Whether the service has accepted it.
    pub accepted: bool,
    /// Its task, where the service named one.
    pub task_id: Option<String>,
    /// How it ended, where that is known.
    pub outcome: Option<Outcome>,
    /// When that became known.
    pub finished_at: Option<Timestamp>,
}

impl Entry {
    /// Whether it may still be at work: not known to have ended.
    pub fn is_open(&self) -> bool {
        matches!(self.outcome, None | Some(Outcome::Unknown))
    }

    /// How it stands, in a word: what has no outcome yet is running where it was accepted, and unknown where nobody
    /// heard an answer.
    pub fn standing(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Succeeded) => "succeeded",
            Some(Outcome::Failed) => "failed",
            Some(Outcome::Refused) => "refused",
            None if self.accepted && self.task_id.is_some() => "running",
            Some(Outcome::Unknown) | None => "unknown",
        }
    }

    /// Whether there is a task to ask, of which the service has not lost track.
    fn will_tell(&self) -> bool {
        self.task_id.is_some() && self.outcome.is_none()
    }

    /// Whether its task was seen to end.
    pub fn has_ended(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Succeeded | Outcome::Failed))
    }

    /// Whether it was surely not started.
    pub fn was_refused(&self) -> bool {
        self.outcome == Some(Outcome::Refused)
    }
}

/// The restores of which it is not known that they have ended. One whose answer was lost names no task to ask about, and
/// of one that the service has forgotten nobody will ever tell: they count until a later restore of their site was seen
/// to end.
pub fn unfinished(entries: &[Entry]) -> Vec<&Entry> {
    let same_site = |a: &Entry, b: &Entry| (&a.service, &a.intent.site_id) == (&b.service, &b.intent.site_id);
    let overtaken = |place: usize, entry: &Entry| {
        entries[place + 1..].iter().any(|later| later.has_ended() && same_site(later, entry))
    };
    let open = entries.iter().enumerate().filter(|(_, entry)| entry.is_open());
    open.filter(|(place, entry)| entry.will_tell() || !overtaken(*place, entry)).map(|(_, entry)| entry).collect()
}

/// The restores that the lines tell of, oldest first, as the lines come.
#[derive(Debug, Default)]
pub(super) struct Fold {
    /// Those so far.
    pub entries: Vec<Entry>,
    places: HashMap<String, usize>,
}

impl Fold {
    /// Takes in a line, and says whether it is of a restore that is known.
    pub fn take(&mut self, line: Line) -> bool {
        let Line { restore, event } = line;
        let known = self.places.get(&restore).and_then(|place| self.entries.get_mut(*place));
        match (event, known) {
            (Event::Intended(intent), _) => self.begin(restore, *intent),
            (Event::Accepted { task_id }, Some(entry)) => (entry.accepted, entry.task_id) = (true, task_id),
            // Who looks again later, or in vain, takes nothing back.
            (Event::Ended { .. }, Some(entry)) if entry.has_ended() => {}
            (Event::Ended { outcome, at }, Some(entry)) => {
                (entry.outcome, entry.finished_at) = (Some(outcome), Some(at));
            }
            (Event::Accepted { .. } | Event::Ended { .. }, None) => return false,
        }
        true
    }

    fn begin(&mut self, restore: String, intent: Intent) {
        self.places.insert(restore.clone(), self.entries.len());
        let service = BaseUrl::canonical(&intent.base_url);
        let (accepted, task_id, outcome, finished_at) = (false, None, None, None);
        self.entries.push(Entry { restore, service, intent, accepted, task_id, outcome, finished_at });
    }
}
