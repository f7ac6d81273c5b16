//! A restore as it was requested, and as it was checked.

use crate::error::Error;
use crate::journal::DecidedRestore;
use crate::resources::{Record, RestoreScope};
use jiff::Timestamp;

/// The word for the newest successful snapshot.
pub const LATEST: &str = "latest";

/// A restore as it was requested.
#[derive(Debug, Clone)]
pub struct RequestedRestore {
    /// The id, URL or host name of the site.
    pub site: String,
    /// None if the user chooses it.
    pub snapshot: Option<RequestedSnapshot>,
    /// None if the user chooses it.
    pub scope: Option<RestoreScope>,
    pub reason: Option<String>,
}

/// The snapshot to restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedSnapshot {
    /// The newest successful one: of all or, if there is a time, of those taken before it.
    Latest { before: Option<Timestamp> },
    /// The one with this id, which must be older than the time.
    Id {
        id: String,
        before: Option<Timestamp>,
    },
}

impl RequestedSnapshot {
    /// Reads an id or `latest`, and the time before which the snapshot was taken.
    /// None if there is neither.
    pub fn new(text: &str, before: Option<Timestamp>) -> Option<Self> {
        Some(match text.trim() {
            "" if before.is_none() => return None,
            "" | LATEST => Self::Latest { before },
            id => Self::Id {
                id: id.into(),
                before,
            },
        })
    }
}

/// The values of the options for a restore or, with `--plan`, for the rows that lack them.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    pub snapshot: Option<RequestedSnapshot>,
    pub scope: Option<RestoreScope>,
    pub reason: Option<String>,
}

/// A restore that was checked.
#[derive(Debug)]
pub struct RestoreDecision {
    pub restore: DecidedRestore,
    /// Its index in the run.
    pub index: usize,
    /// Its position in the file, if it is of one.
    pub position: Option<String>,
    /// Why it cannot be started now.
    pub refusal: Option<Error>,
    /// Whether it is refused because the site has been restored since the run was decided.
    pub is_superseded: bool,
    /// The scanner's word on the snapshot.
    pub scanner: Option<String>,
    /// Set if the snapshot was requested as `latest`.
    pub latest: Option<Latest>,
    /// The facts that `--force` overrides, and others that the user should see.
    pub notes: Vec<String>,
}

impl RestoreDecision {
    /// Whether it can be started.
    pub fn is_sendable(&self) -> bool {
        self.refusal.is_none()
    }
}

/// How `latest` was found.
#[derive(Debug)]
pub struct Latest {
    /// The time before which the snapshot was taken.
    pub before: Option<Timestamp>,
    /// The newer snapshots that were passed over, because they are not usable.
    pub passed_over: Vec<Record>,
}
