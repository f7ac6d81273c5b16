//! A restore as it was requested, and as it was checked.

use crate::client::{created_at, is_infected};
use crate::error::Error;
use crate::journal::{DecidedRestore, RestoreId, Runs};
use crate::resources::{Record, RestoreScope, has_succeeded, scanner_word};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};

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
    /// The restore of the journal that it continues or undoes.
    pub earlier: Option<RestoreId>,
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
    /// The newest successful one from before a restore, whose snapshot this is.
    BeforeRestore { sent_at: Timestamp, of: String },
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
    /// The restore of the journal that it continues or undoes.
    pub earlier: Option<RestoreId>,
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
    /// How old the snapshot is, because no backup was made before the restore that is undone.
    pub gap: Option<String>,
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
    /// The newer snapshots that were passed over, and why.
    pub passed_over: Vec<(Record, String)>,
}

impl Latest {
    /// Finds the snapshots that are newer than this one, and that `latest` passes over.
    pub fn new(
        snapshot: &Record,
        snapshots: &[Record],
        before: Option<Timestamp>,
        backups: &Backups,
    ) -> Self {
        let taken_at = created_at(snapshot);
        let is_newer = |other: &&Record| {
            let at = created_at(other);
            taken_at.is_some() && at > taken_at && before.is_none_or(|before| at < Some(before))
        };
        let newer = snapshots.iter().filter(is_newer);
        let passed_over =
            newer.filter_map(|other| Some((other.clone(), reason_unusable(other, backups)?)));
        Self {
            before,
            passed_over: passed_over.collect(),
        }
    }
}

/// The snapshots of a site that `--backup-first` made, or may have made, with a text that says so.
#[derive(Default)]
pub struct Backups(HashMap<String, &'static str>);

impl Backups {
    /// Finds them among the listed snapshots. A sync whose end is unknown may have made the first
    /// snapshot after it, in the next 24 hours.
    pub fn new(site_id: &str, snapshots: &[Record], runs: &Runs) -> Self {
        let mut backups = HashMap::new();
        for id in snapshots.iter().filter_map(Record::id) {
            if runs.is_backup(site_id, &id) {
                backups.insert(id, "made by --backup-first");
            }
        }
        for [newest, requested_at] in runs.open_syncs(site_id) {
            let is_soon = |at: &Timestamp| {
                requested_at.is_none_or(|requested| at.duration_since(requested).as_hours() < 24)
            };
            let others = snapshots
                .iter()
                .filter_map(|snapshot| Some((created_at(snapshot)?, snapshot.id()?)));
            let mut later: Vec<_> = others
                .filter(|(at, id)| Some(*at) > newest && is_soon(at) && !backups.contains_key(id))
                .collect();
            later.sort_unstable();
            let first = later.into_iter().next();
            backups.extend(first.map(|(_, id)| (id, "perhaps made by --backup-first")));
        }
        Self(backups)
    }
}

/// Returns why `latest` does not stand for a snapshot; None if it may.
pub fn reason_unusable(snapshot: &Record, backups: &Backups) -> Option<String> {
    if !has_succeeded(snapshot) {
        let status = snapshot.text("status");
        Some(status.unwrap_or_else(|| "no status".into()))
    } else if is_infected(snapshot) {
        scanner_word(snapshot)
    } else {
        let reason = backups.0.get(&snapshot.id()?)?;
        Some((*reason).into())
    }
}

/// Counts snapshots by the reason why they are not usable, such as `3 hacked, 1 failed`.
pub fn count_reasons(reasons: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason).or_default() += 1;
    }
    let counts = counts.into_iter();
    let counts: Vec<String> = counts
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    counts.join(", ")
}
