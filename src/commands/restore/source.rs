//! Where the restores of a command come from: its arguments, a plan, or a run. Everything after that
//! is the same for all.

use super::plan_file::PlanFile;
use super::requested::{RequestedRestore, RequestedSnapshot};
use crate::journal::{Entry, RestoreId, Run};
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
    /// The restores that a run left to send, by their indexes in the run.
    Run(Run, Vec<usize>),
    /// Restores of the journal, which are undone.
    Undo(Vec<RestoreId>),
}

impl Requests {
    /// Returns the restores that a run left to send.
    pub fn left(run: Run) -> Self {
        let left: Vec<Entry<'_>> = run.entries().filter(Entry::is_left).collect();
        let rows = left.iter().map(|entry| {
            let decided = entry.decided();
            let id = decided.snapshot_id.clone().unwrap_or_default();
            RequestedRestore {
                site: decided.site_id.clone(),
                snapshot: Some(RequestedSnapshot::Id { id, before: None }),
                scope: RestoreScope::parse(decided.scope.get()).ok(),
                reason: decided.reason.clone(),
            }
        });
        let rows = rows.collect();
        let indexes = left.iter().map(|entry| entry.index).collect();
        Self {
            rows,
            source: RestoreSource::Run(run, indexes),
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
            RequestedRestore {
                site: decided.site_id.clone(),
                snapshot: Some(snapshot),
                scope: RestoreScope::parse(decided.scope.get()).ok(),
                reason: Some(reason.map_or(format!("undo of {}", entry.run.id), String::from)),
            }
        });
        Self {
            rows: rows.collect(),
            source: RestoreSource::Undo(entries.iter().map(Entry::id).collect()),
            backup_first,
        }
    }

    /// Whether the restores are of the journal, so that a site that is not found is no wrong input.
    pub fn is_of_run(&self) -> bool {
        matches!(self.source, RestoreSource::Run(..) | RestoreSource::Undo(_))
    }

    /// Returns the restore of the journal that a request continues or undoes.
    pub fn earlier(&self, index: usize) -> Option<RestoreId> {
        match &self.source {
            RestoreSource::Run(run, indexes) => Some(RestoreId {
                run: run.id.clone(),
                index: indexes[index],
            }),
            RestoreSource::Undo(undone) => Some(undone[index].clone()),
            _ => None,
        }
    }

    /// Returns the run that the restores are of; None if they are not in the journal yet.
    pub fn run(&self) -> Option<&Run> {
        match &self.source {
            RestoreSource::Run(run, _) => Some(run),
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
