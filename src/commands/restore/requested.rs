//! A restore as it was requested, on the command line or by a row of a plan.

use super::args::Args;
use crate::commands::context::Context;
use crate::error::{Error, Result};
use crate::resources::Scope;
use crate::shell::{shell_arguments, shell_arguments_with, shell_option};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// The word for the newest successful snapshot.
const LATEST: &str = "latest";

/// A restore as it was requested.
#[derive(Debug, Clone, Default)]
pub struct RequestedRestore {
    /// The id, URL or host name of the site; empty until the user has chosen it.
    pub site: String,
    pub snapshot: RequestedSnapshot,
    /// The scope as it is sent; None until the user has chosen it.
    pub scope: Option<Box<RawValue>>,
}

/// The snapshot to restore.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RequestedSnapshot {
    /// The user chooses it.
    #[default]
    NotSpecified,
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
    pub fn new(text: &str, before: Option<Timestamp>) -> Self {
        match text.trim() {
            "" if before.is_none() => Self::NotSpecified,
            "" | LATEST => Self::Latest { before },
            id => Self::Id {
                id: id.into(),
                before,
            },
        }
    }

    /// Returns the time before which the snapshot was taken.
    pub fn before(&self) -> Option<Timestamp> {
        match self {
            Self::NotSpecified => None,
            Self::Latest { before } | Self::Id { before, .. } => *before,
        }
    }

    /// Returns an id or `latest`, as a message shows it.
    pub fn name(&self) -> &str {
        match self {
            Self::Id { id, .. } => id,
            Self::NotSpecified | Self::Latest { .. } => LATEST,
        }
    }
}

/// Returns the restore that the command line specifies or, with `--plan`, the defaults of its rows.
///
/// # Errors
/// `Usage` if a scope with files and database is narrowed.
pub fn requested_restore(args: &Args) -> Result<RequestedRestore> {
    let before = args.before.as_ref().map(|time| time.timestamp);
    let text = args
        .snapshot_id
        .as_deref()
        .or(args.plan_args.snapshot.as_deref())
        .unwrap_or_default();
    let site = args.site_id.as_deref().unwrap_or_default();
    Ok(RequestedRestore {
        site: site.trim().into(),
        snapshot: RequestedSnapshot::new(text, before),
        scope: args.scope.to_json()?,
    })
}

/// Refuses a restore without a site, a snapshot or a scope.
///
/// # Errors
/// `Usage` with the command that shows what can be specified.
pub fn require_complete(context: &Context, args: &Args, request: &RequestedRestore) -> Result<()> {
    let program = context.program();
    let site = shell_arguments(&[&request.site]);
    let (message, hint) = if request.site == LATEST && args.snapshot_id.is_none() {
        (
            "SITE is required before latest",
            format!("list the sites: {program} sites list"),
        )
    } else if request.site.is_empty() {
        (
            "SITE and SNAPSHOT_ID are required when not running interactively",
            format!("list the sites: {program} sites list"),
        )
    } else if request.snapshot == RequestedSnapshot::NotSpecified {
        (
            "SNAPSHOT_ID is required when not running interactively",
            format!("list the snapshots: {program} snapshots list {site}; or pass latest"),
        )
    } else if request.scope.is_none() {
        return Err(missing_scope(context, args));
    } else {
        return Ok(());
    };
    Err(Error::usage(message).with_hint(hint))
}

/// Returns the error of a restore or a plan without a scope, with the options that set it.
pub fn missing_scope(context: &Context, args: &Args) -> Error {
    let program = context.program();
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
    Error::usage("no restore scope specified").with_hint(format!(
        "preview a full restore: {program} restore start {arguments}; \
         or restore a part: --files, --database, --path, --table or --subsite"
    ))
}

/// Whether a scope selects subsites.
pub fn has_subsites(scope: &RawValue) -> bool {
    let scope: Scope = serde_json::from_str(scope.get()).unwrap_or_default();
    !scope.subsite_ids.is_empty()
}
