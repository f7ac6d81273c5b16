//! Checks requested restores against the account's sites and snapshots before any confirmation or
//! change.

use super::choose::{choose_snapshot, no_usable_snapshot};
use super::requested::{RequestedRestore, RequestedSnapshot, has_subsites};
use crate::client::{
    Api, created_at, is_usable_snapshot, latest_snapshot, newer_unusable_snapshots,
    require_snapshot_of_site, taken_at,
};
use crate::commands::context::Context;
use crate::commands::sites::{AccountSites, Site};
use crate::commands::snapshots::{SiteSnapshots, read_snapshots};
use crate::error::{Detail, Error, Kind, Result};
use crate::journal::DecidedRestore;
use crate::resources::{Record, Scope, ServiceTime};
use crate::shell::shell_arguments;
use crate::terminal::pluralize;
use jiff::Timestamp;
use std::collections::HashSet;

/// A restore whose site and snapshot were checked.
#[derive(Debug)]
pub struct CheckedRestore {
    /// The restore as it will be decided. Its scope is null if the user has to choose it.
    pub restore: DecidedRestore,
    /// Set if the snapshot was requested as `latest`.
    pub latest: Option<Latest>,
}

/// How `latest` was found.
#[derive(Debug)]
pub struct Latest {
    /// The time before which the snapshot was taken.
    pub before: Option<Timestamp>,
    /// The newer snapshots that were passed over, because they did not succeed.
    pub passed_over: Vec<Record>,
}

/// Finds the sites and snapshots of the requested restores. A restore that cannot be started has an
/// error, with the column of the problem as `param` of its detail.
///
/// # Errors
/// An error of the service that affects all restores.
pub async fn check_restores(
    context: &Context,
    api: &Api,
    sites: &AccountSites,
    requests: &[RequestedRestore],
) -> Result<Vec<Result<CheckedRestore>>> {
    let mut found_sites = Vec::new();
    for request in requests {
        found_sites.push(check_site(request, sites)?);
    }
    let site_ids: HashSet<&str> = found_sites
        .iter()
        .flatten()
        .map(|site| site.id.as_str())
        .collect();
    if site_ids.is_empty() {
        return Ok(found_sites
            .into_iter()
            .filter_map(|site| site.err().map(Err))
            .collect());
    }
    sites.require_service()?;
    let snapshots = read_snapshots(context, api, site_ids).await?;
    let no_snapshots = Ok(Vec::new());
    let mut checked = Vec::new();
    for (request, site) in requests.iter().zip(found_sites) {
        checked.push(match site {
            Ok(site) => {
                let checker = SnapshotChecker {
                    context,
                    sites,
                    request,
                    site: &site,
                };
                let snapshots = snapshots.get(&site.id).unwrap_or(&no_snapshots);
                checker.check(snapshots).await?
            }
            Err(error) => Err(error),
        });
    }
    warn_of_unread_lists(context, &snapshots);
    Ok(checked)
}

/// Returns the site of a restore, or the error of a restore whose site is not found, whose scope is
/// empty, or whose scope has subsites although the site has none.
///
/// # Errors
/// The error of the list of sites, if a URL has to be looked up in it.
fn check_site(request: &RequestedRestore, sites: &AccountSites) -> Result<Result<Site>> {
    let site = match sites.find(&request.site) {
        Ok(site) => site,
        // Without a list, no URL can be looked up.
        Err(error) if sites.list().is_err() => return Err(error),
        Err(error) => return Ok(Err(refusal(request, "site_id", "invalid_id", error))),
    };
    let Some(scope) = &request.scope else {
        return Ok(Ok(site));
    };
    let (column, code, message) = if Scope::is_empty(scope) {
        let message = "At least one of include_files and include_database must be true";
        ("scope", "empty_scope", message)
    } else if site.is_single && has_subsites(scope) {
        (
            "subsite_ids",
            "not_multisite",
            "The site is not a multisite",
        )
    } else {
        return Ok(Ok(site));
    };
    let error = Error::new(Kind::Invalid, message);
    Ok(Err(refusal(request, column, code, error)))
}

/// Returns the error of a restore that cannot be started, with the problem as a detail. `NotFound`
/// stays as it is, because its kind sets the exit code.
fn refusal(request: &RequestedRestore, column: &str, code: &str, error: Error) -> Error {
    if error.kind == Kind::NotFound {
        return error;
    }
    let snapshot = request.snapshot.name();
    let message = format!("{} cannot be restored from {snapshot}", request.site);
    let hint = error
        .hint
        .as_deref()
        .unwrap_or("No changes were made. Fix the values above and retry.");
    Error::new(Kind::Invalid, message)
        .with_details(vec![Detail::new(code, column, error.message.clone())])
        .with_hint(hint)
}

fn warn_of_unread_lists(context: &Context, snapshots: &SiteSnapshots) {
    let errors: Vec<&Error> = snapshots
        .values()
        .filter_map(|list| list.as_ref().err())
        .collect();
    if let Some(error) = errors.first() {
        let sites = pluralize(errors.len(), "site");
        context.ui.warn(&format!(
            "could not check the snapshots of {sites}: {}",
            error.message
        ));
    }
}

/// Finds the snapshot of one restore.
struct SnapshotChecker<'c> {
    context: &'c Context,
    sites: &'c AccountSites,
    request: &'c RequestedRestore,
    site: &'c Site,
}

impl SnapshotChecker<'_> {
    /// Finds the snapshot by its id, the latest one or, if neither was requested, by a prompt. If
    /// the list of snapshots could not be read, an id is accepted unchanged.
    ///
    /// # Errors
    /// The error of the list, if it is needed; `Interrupted` if the user cancels the prompt.
    async fn check(&self, snapshots: &Result<Vec<Record>>) -> Result<Result<CheckedRestore>> {
        let snapshots = match snapshots {
            Ok(snapshots) => snapshots,
            Err(error) => {
                return match &self.request.snapshot {
                    RequestedSnapshot::Id(id) => Ok(Ok(self.checked(id.clone(), None))),
                    _ => Err(error
                        .clone()
                        .context(format!(
                            "the snapshots of {} could not be read",
                            self.site.id
                        ))
                        .with_hint(self.list_hint())),
                };
            }
        };
        let ui = &self.context.ui;
        let site_id = &self.site.id;
        let found = match &self.request.snapshot {
            RequestedSnapshot::Id(id) => self.find_by_id(snapshots, id),
            RequestedSnapshot::Latest { before } => latest_snapshot(snapshots, *before)
                .and_then(|latest| latest.ok_or_else(|| no_usable_snapshot(ui, site_id, *before))),
            RequestedSnapshot::NotSpecified => choose_snapshot(ui, site_id, snapshots).await,
        };
        let snapshot = match found {
            Ok(snapshot) => snapshot,
            Err(error) if error.kind == Kind::Interrupted => return Err(error),
            Err(error) => {
                let code = match self.request.snapshot {
                    RequestedSnapshot::Id(_) => "not_succeeded",
                    _ => "ambiguous",
                };
                return Ok(Err(self.refusal(code, error)));
            }
        };
        if let Err(error) = require_snapshot_of_site(&snapshot, site_id) {
            return Ok(Err(self.refusal("other_site", error)));
        }
        let snapshot_id = snapshot.id().unwrap_or_default();
        if snapshot.text("status").is_none() {
            ui.warn(&format!(
                "could not read the status of snapshot {snapshot_id} of {site_id}"
            ));
        }
        let mut checked = self.checked(snapshot_id, taken_at(&snapshot));
        if let RequestedSnapshot::Latest { before } = self.request.snapshot {
            let passed_over = created_at(&snapshot)
                .map(|taken_at| newer_unusable_snapshots(snapshots, taken_at, before))
                .unwrap_or_default();
            checked.latest = Some(Latest {
                before,
                passed_over,
            });
        }
        Ok(Ok(checked))
    }

    fn checked(&self, snapshot_id: String, taken_at: Option<ServiceTime>) -> CheckedRestore {
        CheckedRestore {
            restore: DecidedRestore {
                site_id: self.site.id.clone(),
                url: self.site.url.clone(),
                snapshot_id,
                taken_at,
                scope: self.request.scope.clone().unwrap_or_default(),
            },
            latest: None,
        }
    }

    /// Returns the snapshot with this id, if it can be restored. A snapshot without a status is
    /// accepted, because the fields are not specified.
    fn find_by_id(&self, snapshots: &[Record], snapshot_id: &str) -> Result<Record> {
        let snapshot = snapshots
            .iter()
            .find(|snapshot| snapshot.id().as_deref() == Some(snapshot_id));
        let Some(snapshot) = snapshot else {
            let site_id = &self.site.id;
            let mut message = format!("snapshot '{snapshot_id}' of {site_id} not found");
            if self.sites.list().is_ok() && self.sites.find(snapshot_id).is_ok() {
                // The arguments may have been swapped.
                message += &format!("; '{snapshot_id}' is a site");
            }
            return Err(Error::new(Kind::NotFound, message));
        };
        match snapshot.text("status") {
            Some(status) if !is_usable_snapshot(snapshot) => {
                let message = format!(
                    "Has status '{status}'; only snapshots with status 'succeeded' can be restored"
                );
                Err(Error::new(Kind::Invalid, message))
            }
            _ => Ok(snapshot.clone()),
        }
    }

    fn refusal(&self, code: &str, error: Error) -> Error {
        let error = error.with_hint(self.list_hint());
        refusal(self.request, "snapshot_id", code, error)
    }

    fn list_hint(&self) -> String {
        format!(
            "list the snapshots: {} snapshots list {}",
            self.context.program(),
            shell_arguments(&[&self.site.id])
        )
    }
}
