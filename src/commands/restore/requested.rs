//! A restore as it was requested, on the command line or by a row of a plan.

use super::args::Args;
use crate::error::{Error, Hint, Result};
use crate::resources::Scope;
use crate::shell::{shell_arguments_with, shell_option};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// The word for the newest successful snapshot.
const LATEST: &str = "latest";

/// The values of the options for a restore or, with `--plan`, for the rows that lack them.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    pub snapshot: Option<RequestedSnapshot>,
    /// The scope as it is sent.
    pub scope: Option<Box<RawValue>>,
}

/// A restore as it was requested.
#[derive(Debug, Clone)]
pub struct RequestedRestore {
    /// The id, URL or host name of the site.
    pub site: String,
    /// None if the user chooses it.
    pub snapshot: Option<RequestedSnapshot>,
    /// The scope as it is sent; None if the user chooses it.
    pub scope: Option<Box<RawValue>>,
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

    /// Returns the time before which the snapshot was taken.
    pub fn before(&self) -> Option<Timestamp> {
        match self {
            Self::Latest { before } | Self::Id { before, .. } => *before,
        }
    }

    /// Returns an id or `latest`, as a message shows it.
    pub fn name(&self) -> &str {
        match self {
            Self::Id { id, .. } => id,
            Self::Latest { .. } => LATEST,
        }
    }
}

/// Returns the snapshot and the scope that the command line specifies.
///
/// # Errors
/// `Usage` if a scope with files and database is narrowed.
pub fn defaults(args: &Args) -> Result<Defaults> {
    let before = args.before.as_ref().map(|time| time.timestamp);
    let text = args
        .snapshot_id
        .as_deref()
        .or(args.plan_args.snapshot.as_deref())
        .unwrap_or_default();
    Ok(Defaults {
        snapshot: RequestedSnapshot::new(text, before),
        scope: args.scope.to_json()?,
    })
}

/// Refuses a restore without a site, a snapshot or a scope.
///
/// # Errors
/// `Usage` with the command that shows what can be specified.
pub fn require_complete(args: &Args, defaults: &Defaults) -> Result<()> {
    let site = args.site_id.as_deref().unwrap_or_default();
    let (message, hint) = if site == LATEST && args.snapshot_id.is_none() {
        (
            "SITE is required before latest",
            Hint::command("list the sites", "sites list"),
        )
    } else if args.site_id.is_none() {
        (
            "SITE and SNAPSHOT_ID are required when not running interactively",
            Hint::command("list the sites", "sites list"),
        )
    } else if defaults.snapshot.is_none() {
        (
            "SNAPSHOT_ID is required when not running interactively",
            Hint::command("pass latest, or list the snapshots", "snapshots list").ids(&[site]),
        )
    } else if defaults.scope.is_none() {
        return Err(missing_scope(args));
    } else {
        return Ok(());
    };
    Err(Error::usage(message).with_hint(hint))
}

/// Returns the error of a restore or a plan without a scope, with the options that set it.
pub fn missing_scope(args: &Args) -> Error {
    let mut options = "--full --dry-run".to_string();
    if let Some(before) = &args.before {
        options = format!("{} {options}", shell_option("--before", &before.text));
    }
    let arguments = match &args.plan {
        Some(file) => format!("{} {options}", shell_option("--plan", file)),
        None => {
            let names = [args.site_id.as_deref(), args.snapshot_id.as_deref()];
            let names: Vec<&str> = names.into_iter().flatten().collect();
            shell_arguments_with(&names, &options)
        }
    };
    Error::usage("no restore scope specified").with_hints(vec![
        Hint::command("preview a full restore", "restore start").words(&arguments),
        "restore a part with --files, --database, --path, --table or --subsite".into(),
    ])
}

/// Whether a scope selects subsites.
pub fn has_subsites(scope: &RawValue) -> bool {
    let scope: Scope = serde_json::from_str(scope.get()).unwrap_or_default();
    !scope.subsite_ids.is_empty()
}
