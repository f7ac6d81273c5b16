//! Checks requested restores against the sites, the snapshots and the journal, before any question
//! or change. Wrong input is an error; a restore that cannot be started now has a refusal.

use super::args::Time;
use super::choose::{choose_scope, choose_snapshot, no_usable_snapshot};
use super::conflict::Conflicts;
use super::requested::{
    Backups, Latest, RequestedRestore, RequestedSnapshot, RestoreDecision, reason_unusable,
};
use super::session::Session;
use super::snapshots::read_snapshots;
use super::source::{Requests, RestoreSource};
use crate::client::{created_at, is_infected, latest_snapshot, require_snapshot_of_site, taken_at};
use crate::commands::find_sites::{AccountSites, Site};
use crate::config::duration::format_duration;
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::journal::{DecidedRestore, RestoreId};
use crate::resources::{Record, has_succeeded, is_scanner_off, scanner_word};
use jiff::Timestamp;
use std::collections::{HashMap, HashSet};

/// Checks the restores of a command.
pub struct RestoreChecker<'c> {
    pub session: &'c Session<'c>,
    pub requests: &'c Requests,
    pub conflicts: &'c Conflicts<'c>,
    /// Whether a snapshot that the scanner calls infected is restored: after a typed answer, or with
    /// `--force`.
    pub allows_infected: bool,
}

/// Returns the site of each request, with the index of the request. In a plain list, several pages
/// of a site are one request. Only of a run, a site that is not found is no error.
///
/// # Errors
/// All problems of the input: sites that are not found, or that a table has twice, and subsites of
/// a site that has none.
pub fn find_sites(requests: &Requests, sites: &AccountSites) -> Result<Vec<(usize, Result<Site>)>> {
    let mut found = Vec::new();
    let mut positions = HashMap::new();
    let mut problems = Vec::new();
    for (index, request) in requests.rows.iter().enumerate() {
        let site = match find_site(request, sites) {
            Ok(site) => site,
            Err(error) if requests.is_of_run() => {
                found.push((index, Err(error)));
                continue;
            }
            Err(error) => {
                problems.push((index, error));
                continue;
            }
        };
        let Some(first) = positions.get(&site.id) else {
            positions.insert(site.id.clone(), requests.position(index));
            found.push((index, Ok(site)));
            continue;
        };
        if !matches!(&requests.source, RestoreSource::Plan(plan) if plan.is_list()) {
            let first = first.clone().unwrap_or_default();
            let message = format!("'{}' is also in {first}", site.id);
            let problem = Detail::new("duplicate", "site_id", message);
            problems.push((index, Error::usage("").with_details(vec![problem])));
        }
    }
    match &requests.source {
        RestoreSource::Run(_) | RestoreSource::Undo => {}
        RestoreSource::Arguments => {
            if let Some((_, error)) = problems.pop() {
                return Err(error);
            }
        }
        RestoreSource::Plan(plan) => {
            let details = problems.iter().flat_map(|(index, error)| {
                let error = match error.details.as_slice() {
                    [] => vec![Detail::new(error.kind.name(), "site_id", &*error.message)],
                    details => details.to_vec(),
                };
                error.into_iter().map(|detail| (*index, detail))
            });
            plan.require_valid(&details.collect::<Vec<_>>())?;
        }
    }
    Ok(found)
}

/// Returns the site of a request.
fn find_site(request: &RequestedRestore, sites: &AccountSites) -> Result<Site> {
    let site = sites.find(&request.site);
    let site = site.map_err(|error| match hint_at_plan(&request.site) {
        Some(hint) => error.without_hints().with_hint(hint),
        None => error,
    })?;
    let site = Site::from_record(site);
    let scope = request.scope.as_ref();
    if site.is_single && scope.is_some_and(|scope| !scope.subsite_ids.is_empty()) {
        let message = "The site is not a multisite";
        let detail = Detail::new("not_multisite", "subsite_ids", message);
        let message = format!("invalid scope for {}", request.site);
        let error = Error::new(Kind::Invalid, message).without_changes();
        let error = error.with_details(vec![detail]);
        return Err(error.with_hint("fix the values above and retry"));
    }
    Ok(site)
}

/// Returns the hint at `--plan`, if a file is specified as a site.
pub fn hint_at_plan(site: &str) -> Option<Hint> {
    let is_file = std::path::Path::new(site).is_file();
    let hint = Hint::command("start the restores of a file", "restore start");
    is_file.then(|| hint.option("--plan", site).words("--full --dry-run"))
}

impl RestoreChecker<'_> {
    /// Checks the restores of these sites, which have the indexes of their requests.
    ///
    /// # Errors
    /// An error of the service that affects all restores; `Interrupted` if the user cancels a menu.
    pub async fn check(&self, sites: Vec<(usize, Result<Site>)>) -> Result<Vec<RestoreDecision>> {
        let Session { context, api, .. } = self.session;
        let mut decisions = Vec::new();
        for (index, site) in sites {
            let mut decision = self.undecided(index, decisions.len(), site)?;
            if decision.refusal.is_none() {
                self.conflicts.refuse_site(&mut decision);
            }
            decisions.push((index, decision));
        }
        let to_read = decisions
            .iter()
            .filter(|(_, decision)| decision.is_sendable());
        let site_ids: HashSet<String> = to_read
            .map(|(_, decision)| decision.restore.site_id.clone())
            .collect();
        // The snapshots and the restore; before it the snapshots, the sync, its task, and again
        // the snapshots.
        let is_backed_up = decisions
            .iter()
            .any(|(_, decision)| decision.restore.backup_first);
        let requests = if is_backed_up { 6 } else { 2 };
        let snapshots = read_snapshots(context, api, &site_ids, requests).await?;
        let mut checked = Vec::new();
        for (index, mut decision) in decisions {
            let request = &self.requests.rows[index];
            let site_id = decision.restore.site_id.clone();
            if let Some(snapshots) = snapshots.get(&site_id).filter(|_| decision.is_sendable()) {
                let found = match snapshots {
                    Ok(snapshots) => self.find_snapshot(&site_id, request, snapshots).await?,
                    Err(error) => Err(error.clone().context("the snapshots could not be read")),
                };
                match found {
                    Ok((snapshot, latest)) => {
                        self.decide(&mut decision, request, &snapshot, latest)
                            .await?;
                    }
                    Err(error) => decision.refusal = Some(error),
                }
            }
            checked.push(decision);
        }
        Ok(checked)
    }

    /// Returns what is known before the snapshots are read. The journal has the restores of a run.
    /// `position` is that of the restore in a new run.
    fn undecided(
        &self,
        index: usize,
        position: usize,
        site: Result<Site>,
    ) -> Result<RestoreDecision> {
        let request_index = index;
        let request = &self.requests.rows[index];
        let (refusal, site) = match site {
            Ok(site) => (None, site),
            Err(error) => {
                let site = Site {
                    id: request.site.clone(),
                    ..Site::default()
                };
                (Some(error), site)
            }
        };
        let earlier = request.earlier.clone();
        let (index, restore) = match (self.requests.run(), &earlier) {
            (Some(run), Some(RestoreId { index, .. })) => {
                (*index, run.restores[*index].decided.clone())
            }
            _ => {
                let restore = DecidedRestore {
                    site_id: site.id,
                    url: site.url,
                    title: site.title,
                    // A restore that is left out has the snapshot, too, that was requested.
                    snapshot_id: match &request.snapshot {
                        Some(RequestedSnapshot::Id { id, .. }) => Some(id.clone()),
                        _ => None,
                    },
                    taken_at: None,
                    scope: request.scope.clone().unwrap_or_default().to_json()?,
                    reason: request.reason.clone(),
                    refusal: None,
                    backup_first: self.requests.backup_first,
                };
                (position, restore)
            }
        };
        Ok(RestoreDecision {
            restore,
            index,
            earlier,
            position: self.requests.position(request_index),
            refusal,
            is_superseded: false,
            scanner: None,
            latest: None,
            gap: None,
            notes: Vec::new(),
        })
    }

    /// Adds the snapshot and the scope, unless they are those of a run, and what depends on them.
    async fn decide(
        &self,
        decision: &mut RestoreDecision,
        request: &RequestedRestore,
        snapshot: &Record,
        latest: Option<Latest>,
    ) -> Result<()> {
        if self.requests.is_of_run() && request.scope.is_none() {
            let scope = decision.restore.scope.get();
            let message = format!("the journal has a scope that is not allowed: {scope}");
            decision.refusal = Some(Error::new(Kind::Invalid, message));
            return Ok(());
        }
        if self.requests.run().is_none() {
            decision.restore.snapshot_id = snapshot.id();
            decision.restore.taken_at = taken_at(snapshot);
            if request.scope.is_none() {
                let scope = choose_scope(&self.session.context.ui).await?;
                decision.restore.scope = scope.to_json()?;
            }
        }
        decision.scanner = scanner_word(snapshot);
        if decision.scanner.is_none() && is_scanner_off(snapshot) {
            let note = "security was off: the snapshot was not scanned";
            decision.notes.push(note.into());
        }
        decision.latest = latest;
        if let Some(RequestedSnapshot::BeforeRestore { sent_at, .. }) = request.snapshot {
            let age = created_at(snapshot).map(|at| sent_at.duration_since(at).unsigned_abs());
            let age = age.map_or("of unknown age".into(), |age| {
                format!("{} older", format_duration(age))
            });
            decision.gap = Some(format!(
                "no backup was made before the restore: the snapshot is {age}"
            ));
        }
        self.conflicts.refuse_repeated(decision);
        if decision.refusal.is_none() && is_infected(snapshot) {
            let word = decision.scanner.as_deref().unwrap_or_default();
            let fact = format!("the scanner calls the snapshot {word}");
            if self.conflicts.force {
                decision.notes.push(format!("--force overrides: {fact}"));
            } else if !self.allows_infected {
                let list = Hint::command("list the snapshots", "snapshots list");
                let site_id = &decision.restore.site_id;
                let choice = if self.requests.is_of_run() {
                    "to restore it all the same, add --force"
                } else {
                    "restore an older snapshot with --before, or add --force"
                };
                let hints = vec![list.ids(&[site_id]), choice.into()];
                let error = Error::new(Kind::Invalid, fact).with_hints(hints);
                decision.refusal = Some(error);
            }
        }
        Ok(())
    }

    /// Finds the snapshot by its id, the latest one or, if neither was requested, by a prompt. The
    /// inner error is why the restore cannot be started.
    ///
    /// # Errors
    /// `Interrupted` if the user cancels the prompt.
    async fn find_snapshot(
        &self,
        site_id: &str,
        request: &RequestedRestore,
        snapshots: &[Record],
    ) -> Result<Result<(Record, Option<Latest>)>> {
        let ui = &self.session.context.ui;
        let backups = Backups::new(site_id, snapshots, &self.session.journal.runs());
        let found = match &request.snapshot {
            Some(RequestedSnapshot::Id { id, before }) => {
                self.find_by_id(site_id, snapshots, id, *before)
            }
            Some(RequestedSnapshot::Latest { before }) => {
                let is_usable = |snapshot: &Record| reason_unusable(snapshot, &backups).is_none();
                latest_snapshot(snapshots, *before, is_usable).and_then(|latest| {
                    latest.ok_or_else(|| no_usable_snapshot(ui, snapshots, *before, &backups))
                })
            }
            Some(RequestedSnapshot::BeforeRestore { sent_at, of }) => {
                let newest = latest_snapshot(snapshots, Some(*sent_at), has_succeeded);
                newest.and_then(|newest| {
                    newest
                        .filter(|newest| newest.id().as_ref() != Some(of))
                        .ok_or_else(|| {
                            let message = format!(
                                "nothing was saved that could come back: {of} is the newest \
                                 snapshot from before the restore, and was restored"
                            );
                            Error::new(Kind::NotFound, message)
                        })
                })
            }
            None => choose_snapshot(ui, snapshots, &backups).await,
        };
        let found = found.and_then(|snapshot| {
            require_snapshot_of_site(&snapshot, site_id)?;
            Ok(snapshot)
        });
        let snapshot = match found {
            Ok(snapshot) => snapshot,
            Err(error) if error.kind == Kind::Interrupted => return Err(error),
            Err(error) => {
                let list = Hint::command("list the snapshots", "snapshots list");
                return Ok(Err(error.with_fallback_hint(list.ids(&[site_id]))));
            }
        };
        let latest = match request.snapshot {
            Some(RequestedSnapshot::Latest { before }) => {
                Some(Latest::new(&snapshot, snapshots, before, &backups))
            }
            _ => None,
        };
        Ok(Ok((snapshot, latest)))
    }

    /// Returns the snapshot with this id, if it can be restored.
    fn find_by_id(
        &self,
        site_id: &str,
        snapshots: &[Record],
        snapshot_id: &str,
        before: Option<Timestamp>,
    ) -> Result<Record> {
        let mut snapshots = snapshots.iter();
        let snapshot = snapshots.find(|snapshot| snapshot.id().as_deref() == Some(snapshot_id));
        let Some(snapshot) = snapshot else {
            let error = Error::new(
                Kind::NotFound,
                format!("snapshot '{snapshot_id}' not found"),
            );
            return Err(match snapshot_id.parse::<Time>() {
                Ok(_) => {
                    let hint = Hint::command("restore the last one before", "restore start");
                    let hint = hint.ids(&[site_id]).words("latest");
                    error.with_hint(hint.option("--before", snapshot_id))
                }
                Err(_) => error,
            });
        };
        if !has_succeeded(snapshot) {
            let status = snapshot.text("status").unwrap_or_default();
            let message = format!(
                "snapshot '{snapshot_id}' has status '{status}'; only snapshots with status \
                 'succeeded' can be restored"
            );
            return Err(Error::new(Kind::Invalid, message));
        }
        if let Some(before) = before
            && created_at(snapshot).is_none_or(|taken_at| taken_at >= before)
        {
            let before = self.session.context.ui.format_time(before);
            let message = format!("snapshot '{snapshot_id}' was not taken before {before}");
            return Err(Error::new(Kind::Invalid, message));
        }
        Ok(snapshot.clone())
    }
}
