//! Checks requested restores against the account's sites and snapshots before any confirmation or
//! change.

use super::args::Time;
use super::choose::{choose_scope, choose_snapshot, no_usable_snapshot};
use super::requested::{RequestedRestore, RequestedSnapshot, has_subsites};
use super::snapshots::read_snapshots;
use crate::client::{
    Api, created_at, is_infected, latest_snapshot, newer_unusable_snapshots,
    require_snapshot_of_site, taken_at,
};
use crate::commands::context::Context;
use crate::commands::sites::find::{AccountSites, Site};
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::journal::DecidedRestore;
use crate::resources::{Record, Scope, has_succeeded, scanner_word};
use jiff::Timestamp;
use std::collections::HashSet;

/// A restore whose site and snapshot were checked.
#[derive(Debug)]
pub struct CheckedRestore {
    /// The restore as it will be decided.
    pub restore: DecidedRestore,
    /// Whether the scanner calls a snapshot infected that was named by its id.
    pub is_infected: bool,
    /// The scanner's word on the snapshot.
    pub scanner: Option<String>,
    /// Set if the snapshot was requested as `latest`.
    pub latest: Option<Latest>,
}

/// How `latest` was found.
#[derive(Debug)]
pub struct Latest {
    /// The time before which the snapshot was taken.
    pub before: Option<Timestamp>,
    /// The newer snapshots that were passed over, because they are not usable.
    pub passed_over: Vec<Record>,
}

/// Finds the sites and snapshots of the requested restores. A restore that cannot be started has an
/// error, with the column of the problem as `param` of its detail. With `refuses_infected`, a
/// snapshot that the scanner calls infected is such a problem.
///
/// # Errors
/// An error of the service that affects all restores.
pub async fn check_restores(
    context: &Context,
    api: &Api,
    sites: &AccountSites,
    requests: &[RequestedRestore],
    refuses_infected: bool,
) -> Result<Vec<Result<CheckedRestore>>> {
    let found_sites: Vec<Result<Site>> = requests
        .iter()
        .map(|request| check_site(request, sites))
        .collect();
    let site_ids: HashSet<&str> = found_sites
        .iter()
        .flatten()
        .map(|site| site.id.as_str())
        .collect();
    let snapshots = read_snapshots(context, api, site_ids).await?;
    let mut checked = Vec::new();
    for (request, site) in requests.iter().zip(found_sites) {
        let site = match site {
            Ok(site) => site,
            Err(error) => {
                checked.push(Err(error));
                continue;
            }
        };
        let checker = SnapshotChecker {
            context,
            request,
            site: &site,
            refuses_infected,
        };
        checked.push(match snapshots.get(&site.id) {
            Some(Ok(snapshots)) => checker.check(snapshots).await?,
            Some(Err(error)) => {
                let message = format!("the snapshots of {} could not be read", site.id);
                Err(error.clone().context(message))
            }
            None => continue,
        });
    }
    Ok(checked)
}

/// Returns the site of a restore.
///
/// # Errors
/// The error of a restore whose site is not found, whose scope is empty, or whose scope has
/// subsites although the site has none.
fn check_site(request: &RequestedRestore, sites: &AccountSites) -> Result<Site> {
    let site = match sites.find(&request.site) {
        Ok(site) => Site::from_record(site),
        Err(mut error) => {
            if std::path::Path::new(&request.site).is_file() {
                let hint = Hint::command("start the restores of a file", "restore start");
                let hint = hint.option("--plan", &request.site);
                error = error.with_hint(hint.words("--full --dry-run"));
            }
            return Err(refusal(request, "site_id", "invalid_id", error));
        }
    };
    let Some(scope) = &request.scope else {
        return Ok(site);
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
        return Ok(site);
    };
    let error = Error::new(Kind::Invalid, message);
    Err(refusal(request, column, code, error))
}

/// Returns the error of a restore that cannot be started, with the problem as a detail. `NotFound`
/// stays as it is, because its kind sets the exit code.
fn refusal(request: &RequestedRestore, column: &str, code: &str, error: Error) -> Error {
    if error.kind == Kind::NotFound {
        return error;
    }
    let message = match &request.snapshot {
        _ if ["scope", "subsite_ids"].contains(&column) => {
            format!("invalid scope for {}", request.site)
        }
        Some(snapshot) => format!(
            "{} cannot be restored from {}",
            request.site,
            snapshot.name()
        ),
        None => format!("{} cannot be restored", request.site),
    };
    let detail = Detail::new(code, column, error.message.clone());
    Error::new(Kind::Invalid, message)
        .with_details(vec![detail])
        .with_hints(error.hints.clone())
        .with_fallback_hint("No changes were made. Fix the values above and retry.")
}

/// Finds the snapshot of one restore.
struct SnapshotChecker<'c> {
    context: &'c Context,
    request: &'c RequestedRestore,
    site: &'c Site,
    refuses_infected: bool,
}

impl SnapshotChecker<'_> {
    /// Finds the snapshot by its id, the latest one or, if neither was requested, by a prompt.
    ///
    /// # Errors
    /// `Interrupted` if the user cancels the prompt.
    async fn check(&self, snapshots: &[Record]) -> Result<Result<CheckedRestore>> {
        let ui = &self.context.ui;
        let site_id = &self.site.id;
        let found = match &self.request.snapshot {
            Some(RequestedSnapshot::Id { id, before }) => self.find_by_id(snapshots, id, *before),
            Some(RequestedSnapshot::Latest { before }) => latest_snapshot(snapshots, *before)
                .map_err(|error| self.refusal("ambiguous", error))
                .and_then(|latest| {
                    latest.ok_or_else(|| {
                        let error = no_usable_snapshot(ui, site_id, snapshots, *before);
                        self.refusal("not_found", error)
                    })
                }),
            None => choose_snapshot(ui, site_id, snapshots).await,
        };
        let snapshot = match found {
            Ok(snapshot) => snapshot,
            Err(error) if error.kind == Kind::Interrupted => return Err(error),
            Err(error) => return Ok(Err(error)),
        };
        if let Err(error) = require_snapshot_of_site(&snapshot, site_id) {
            return Ok(Err(self.refusal("other_site", error)));
        }
        let latest = match self.request.snapshot {
            Some(RequestedSnapshot::Latest { before }) => Some(Latest {
                before,
                passed_over: created_at(&snapshot)
                    .map(|taken_at| newer_unusable_snapshots(snapshots, taken_at, before))
                    .unwrap_or_default(),
            }),
            _ => None,
        };
        let scope = match &self.request.scope {
            Some(scope) => scope.clone(),
            None => choose_scope(ui).await?,
        };
        Ok(Ok(CheckedRestore {
            is_infected: latest.is_none() && is_infected(&snapshot),
            restore: DecidedRestore {
                site_id: site_id.clone(),
                url: self.site.url.clone(),
                snapshot_id: snapshot.id().unwrap_or_default(),
                taken_at: taken_at(&snapshot),
                scope,
            },
            scanner: scanner_word(&snapshot),
            latest,
        }))
    }

    /// Returns the snapshot with this id, if it can be restored.
    fn find_by_id(
        &self,
        snapshots: &[Record],
        snapshot_id: &str,
        before: Option<Timestamp>,
    ) -> Result<Record> {
        let mut snapshots = snapshots.iter();
        let snapshot = snapshots.find(|snapshot| snapshot.id().as_deref() == Some(snapshot_id));
        let Some(snapshot) = snapshot else {
            let message = format!("snapshot '{snapshot_id}' of {} not found", self.site.id);
            let error = self.refusal("not_found", Error::new(Kind::NotFound, message));
            return Err(match snapshot_id.parse::<Time>() {
                Ok(_) => {
                    let hint = Hint::command("restore the last one before", "restore start");
                    let hint = hint.ids(&[&self.site.id]).words("latest");
                    error.with_hint(hint.option("--before", snapshot_id))
                }
                Err(_) => error,
            });
        };
        if !has_succeeded(snapshot) {
            let status = snapshot.text("status").unwrap_or_default();
            let error = Error::new(
                Kind::Invalid,
                format!(
                    "Has status '{status}'; only snapshots with status 'succeeded' can be restored"
                ),
            );
            return Err(self.refusal("not_succeeded", error));
        }
        if let Some(before) = before
            && created_at(snapshot).is_none_or(|taken_at| taken_at >= before)
        {
            let before = self.context.ui.format_time(before);
            let message = format!("Was not taken before {before}");
            return Err(self.refusal("not_older", Error::new(Kind::Invalid, message)));
        }
        if self.refuses_infected && is_infected(snapshot) {
            let word = scanner_word(snapshot).unwrap_or_default();
            let error = Error::new(
                Kind::Invalid,
                format!(
                    "The scanner calls the snapshot '{word}'; --yes is not enough to restore it"
                ),
            );
            return Err(self.refusal("infected", error));
        }
        Ok(snapshot.clone())
    }

    fn refusal(&self, code: &str, error: Error) -> Error {
        let list = Hint::command("list the snapshots", "snapshots list").ids(&[&self.site.id]);
        let mut hints = vec![list];
        if code == "infected" {
            hints.push("to restore it, omit --yes, or add --force".into());
        }
        refusal(self.request, "snapshot_id", code, error.with_hints(hints))
    }
}
