//! Where the restores of a command come from: its arguments, a plan, or a run. Everything after that
//! is the same for all.

use super::plan_file::PlanFile;
use super::requested::{RequestedRestore, RequestedSnapshot};
use crate::journal::{Entry, Run};
use crate::resources::RestoreScope;

/// The restores that a command requests.
pub struct Requests {
    pub rows: Vec<RequestedRestore>,
    pub source: RestoreSource,
    /// Whether the sites are backed up first. Of a run, the journal has it.
    pub backup_first: bool,
}

/// Where requested restores come from. Everything else is the same for all.
pub enum RestoreSource {
    /// The arguments of `restore start`.
    Arguments,
    /// The rows of a file.
    Plan(PlanFile),
    /// The restores that a run left to send.
    Run(Run),
    /// Restores of the journal, which are undone.
    Undo,
}

impl Requests {
    /// Returns the restores that a run left to send.
    pub fn unsent(run: Run) -> Self {
        let rows = run.entries().filter(Entry::is_unsent).map(|entry| {
            let decided = entry.decided();
            let id = decided.snapshot_id.clone().unwrap_or_default();
            let snapshot = RequestedSnapshot::Id { id, before: None };
            of_entry(&entry, snapshot, decided.reason.clone())
        });
        Self {
            rows: rows.collect(),
            source: RestoreSource::Run(run),
            backup_first: false,
        }
    }

    /// Returns requests to restore what these restores have replaced, in the same scope.
    pub fn undo(entries: &[Entry<'_>], reason: Option<&str>, backup_first: bool) -> Self {
        let rows = entries.iter().map(|entry| {
            let decided = entry.decided();
            let snapshot = match entry.backup_id() {
                Some(id) => RequestedSnapshot::Id {
                    id: id.into(),
                    before: None,
                },
                None => RequestedSnapshot::BeforeRestore {
                    sent_at: entry.started_at(),
                    of: decided.snapshot_id.clone().unwrap_or_default(),
                },
            };
            let reason = reason.map_or(format!("undo of {}", entry.run.id), String::from);
            of_entry(entry, snapshot, Some(reason))
        });
        Self {
            rows: rows.collect(),
            source: RestoreSource::Undo,
            backup_first,
        }
    }

    /// Whether the restores are of the journal, so that a site that is not found is no wrong input.
    pub fn is_of_run(&self) -> bool {
        matches!(self.source, RestoreSource::Run(_) | RestoreSource::Undo)
    }

    /// Returns the run that the restores are of; None if they are not in the journal yet.
    pub fn run(&self) -> Option<&Run> {
        match &self.source {
            RestoreSource::Run(run) => Some(run),
            _ => None,
        }
    }

    /// Returns the position of a restore in its file, if it is of one.
    pub fn position(&self, index: usize) -> Option<String> {
        match &self.source {
            RestoreSource::Plan(plan) => Some(plan.position(index)),
            _ => None,
        }
    }
}

/// Returns the request for a restore of the journal, in its scope.
fn of_entry(
    entry: &Entry<'_>,
    snapshot: RequestedSnapshot,
    reason: Option<String>,
) -> RequestedRestore {
    RequestedRestore {
        site: entry.decided().site_id.clone(),
        snapshot: Some(snapshot),
        scope: RestoreScope::parse(entry.decided().scope.get()).ok(),
        reason,
        earlier: Some(entry.id()),
    }
}
