//! Checks restores against the account's sites, the journal and the snapshots before any
//! confirmation or change.

use super::choose::choose_snapshot;
use super::launch::Launcher;
use super::row::{LATEST, RestoreRow};
use crate::client::{
    MAX_REQUESTS_IN_FLIGHT, TaskState, created_at, is_usable_snapshot, latest_snapshot,
};
use crate::commands::sites::{AccountSites, fails_other_requests};
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Outcome, PlanRun, unfinished_restores};
use crate::resources::{Record, Scope};
use crate::terminal::{pluralize, shell_arguments};
use futures_util::stream::{self, StreamExt};
use std::collections::{HashMap, HashSet};

/// The snapshots of each site, or the error of their list.
type Snapshots = HashMap<String, Result<Vec<Record>>>;

/// Finds the sites and snapshots of the rows, and their earlier restores in the journal. A row that
/// cannot be started gets an error.
///
/// # Errors
/// `Conflict` if the last run of the plan is unfinished and neither `--resume` nor `--force` is
/// set; otherwise an error of the service or the journal that affects all rows.
pub async fn check_restores(
    launcher: &mut Launcher<'_>,
    sites: &AccountSites,
    rows: &mut [RestoreRow],
) -> Result<()> {
    for row in rows.iter_mut().filter(|row| row.can_start()) {
        check_site(row, sites)?;
    }
    if !launcher.args.force {
        launcher.run = find_earlier_restores(launcher, rows).await?;
    }
    let site_ids: HashSet<&str> = rows
        .iter()
        .filter(|row| row.can_start())
        .map(|row| &*row.site_id)
        .collect();
    if site_ids.is_empty() {
        return Ok(());
    }
    sites.require_service()?;
    let snapshots = read_snapshots(launcher, site_ids).await?;
    for row in rows.iter_mut().filter(|row| row.can_start()) {
        if let Some(snapshots) = snapshots.get(&row.site_id) {
            check_snapshot(launcher, row, snapshots, sites).await?;
        }
    }
    let errors: Vec<&Error> = snapshots
        .values()
        .filter_map(|list| list.as_ref().err())
        .collect();
    if let Some(error) = errors.first() {
        let sites = pluralize(errors.len(), "site");
        launcher.context.ui.warn(&format!(
            "could not check the snapshots of {sites}: {}",
            error.message
        ));
    }
    Ok(())
}

/// Replaces a URL or host name by the id of the site. Refuses the row if the site is not found, or
/// has no subsites but the scope does.
fn check_site(row: &mut RestoreRow, sites: &AccountSites) -> Result<()> {
    let site = match sites.find(&row.site_id) {
        Ok(site) => site,
        // Without a list, no URL can be looked up.
        Err(error) if sites.list().is_err() => return Err(error),
        Err(error) => {
            row.refuse("site_id", "invalid_id", error);
            return Ok(());
        }
    };
    row.site_id = site.id;
    row.url = site.url;
    let scope: Scope = serde_json::from_str(row.scope.get()).unwrap_or_default();
    if site.is_single && !scope.subsite_ids.is_empty() {
        let error = Error::new(Kind::Invalid, "The site is not a multisite");
        row.refuse("subsite_ids", "not_multisite", error);
    }
    Ok(())
}

/// Returns the run that the rows belong to: the unfinished run with `--resume`, otherwise the new
/// one. Rows that this run has already sent are marked as resumed, or get an error if their outcome
/// is unknown. Other rows get an error if their site has an unfinished restore.
async fn find_earlier_restores(
    launcher: &Launcher<'_>,
    rows: &mut [RestoreRow],
) -> Result<Option<PlanRun>> {
    let entries = read_updated_entries(launcher, rows).await?;
    let unfinished_run = launcher
        .run
        .as_ref()
        .and_then(|run| run.last_unfinished(&entries));
    if let Some(run) = &unfinished_run
        && !launcher.args.plan_args.resume
    {
        let message = format!(
            "the last run of this plan, started {:.0}, is unfinished",
            run.started_at
        );
        let hint = format!(
            "resume the run: {} --resume; or start all rows again with --force",
            launcher.plan_command()
        );
        return Err(Error::new(Kind::Conflict, message).with_hint(hint));
    }
    let run = unfinished_run.or(launcher.run.clone());
    for row in rows.iter_mut().filter(|row| row.can_start()) {
        let sent = run
            .as_ref()
            .and_then(|run| run.last_restore(&entries, &row.site_id))
            .filter(|entry| !entry.was_refused());
        let Some(entry) = sent else {
            row.error = launcher.refuse_unfinished(&entries, &row.site_id).err();
            continue;
        };
        row.snapshot_id.clone_from(&entry.intent.snapshot_id);
        if entry.is_accepted {
            row.mark_resumed(entry);
        } else {
            let error = launcher.conflict_error(entry);
            row.error = Some(error.with_kind(Kind::UnknownOutcome));
        }
    }
    Ok(run)
}

/// Polls the unfinished restores of the rows' sites, records their outcomes unless this is a dry
/// run, and returns the journal's restores of the service.
async fn read_updated_entries(launcher: &Launcher<'_>, rows: &[RestoreRow]) -> Result<Vec<Entry>> {
    let api = launcher.api;
    let journal = &launcher.journal;
    let mut entries = journal.entries_of_service(&launcher.context.service_key()?)?;
    let site_ids: HashSet<&str> = rows.iter().map(|row| &*row.site_id).collect();
    let requests: Vec<_> = unfinished_restores(&entries)
        .into_iter()
        .filter(|entry| site_ids.contains(&*entry.intent.site_id))
        .filter_map(|entry| Some((entry.restore_id.clone(), entry.task_id.clone()?)))
        .map(|(restore_id, task_id)| async move {
            let send_once = false;
            (restore_id, api.task(&task_id, send_once).await)
        })
        .collect();
    let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
    while let Some((restore_id, response)) = responses.next().await {
        let outcome = match response.map(|task| task.state) {
            Ok(TaskState::Succeeded) => Outcome::Succeeded,
            Ok(TaskState::Failed) => Outcome::Failed,
            Err(error)
                if matches!(
                    error.kind,
                    Kind::Auth | Kind::RateLimited | Kind::Interrupted
                ) =>
            {
                return Err(error);
            }
            // The restore stays unfinished, also if the service does not know the task.
            Ok(TaskState::Running) | Err(_) => continue,
        };
        if !launcher.args.dry_run {
            journal.record_outcome(&restore_id, outcome)?;
        }
        for entry in &mut entries {
            if entry.restore_id == restore_id {
                entry.outcome = Some(outcome);
            }
        }
    }
    Ok(entries)
}

/// Reads the snapshots of these sites. An error that would fail all other requests too is returned
/// at once.
async fn read_snapshots(launcher: &Launcher<'_>, site_ids: HashSet<&str>) -> Result<Snapshots> {
    let api = launcher.api;
    if site_ids.len() > 1 {
        api.begin_bulk();
    }
    let ui = &launcher.context.ui;
    let counter = ui.counter_with_total("sites checked", site_ids.len() as u64);
    let read_all = async {
        let requests: Vec<_> = site_ids
            .into_iter()
            .map(|id| async move { (id, api.all_snapshots(id).await) })
            .collect();
        let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
        let mut snapshots = Snapshots::new();
        while let Some((id, response)) = responses.next().await {
            match response {
                Err(error) if fails_other_requests(&error) => return Err(error),
                list => {
                    snapshots.insert(id.into(), list.and_then(require_ids));
                }
            }
            counter.set_done(snapshots.len() as u64);
        }
        Ok(snapshots)
    };
    counter.while_waiting(read_all).await
}

/// Refuses a list in which a snapshot has no id. The fields of snapshots are not specified.
fn require_ids(snapshots: Vec<Record>) -> Result<Vec<Record>> {
    let has_id = |snapshot: &Record| snapshot.id().is_some_and(|id| !id.is_empty());
    if snapshots.iter().all(has_id) {
        Ok(snapshots)
    } else {
        let message = "a listed snapshot has no 'id'";
        Err(Error::new(Kind::Unavailable, message))
    }
}

/// Finds the snapshot that a row restores: by its id, the latest one or, if the row has neither, by
/// a prompt. If the list of snapshots could not be read, an id is accepted unchanged.
async fn check_snapshot(
    launcher: &Launcher<'_>,
    row: &mut RestoreRow,
    snapshots: &Result<Vec<Record>>,
    sites: &AccountSites,
) -> Result<()> {
    let context = launcher.context;
    let site_id = &row.site_id;
    let hint = format!(
        "list the snapshots: {} snapshots list {}",
        context.program(),
        shell_arguments(&[site_id])
    );
    let has_id = !row.snapshot_id.is_empty() && row.snapshot_id != LATEST;
    let snapshots = match snapshots {
        Ok(snapshots) => snapshots,
        Err(_) if has_id => return Ok(()),
        Err(error) => {
            return Err(error
                .clone_without_details()
                .context(format!("the snapshots of {site_id} could not be read"))
                .with_hint(hint));
        }
    };
    let snapshot = if has_id {
        find_usable_snapshot(site_id, snapshots, &row.snapshot_id, sites)
    } else if row.snapshot_id == LATEST {
        latest_snapshot(site_id, snapshots, row.before)
    } else {
        choose_snapshot(&context.ui, site_id, snapshots).await
    };
    match snapshot {
        Ok(snapshot) => {
            row.snapshot_id = snapshot.id().unwrap_or_default();
            row.taken_at = created_at(&snapshot);
        }
        Err(error) if error.kind == Kind::Interrupted => return Err(error),
        Err(error) => {
            let code = if has_id { "not_succeeded" } else { "ambiguous" };
            row.refuse("snapshot_id", code, error.with_hint(hint));
        }
    }
    Ok(())
}

/// Returns the snapshot with this id, if it can be restored. A snapshot without a status is
/// accepted, because the fields are not specified.
fn find_usable_snapshot(
    site_id: &str,
    snapshots: &[Record],
    snapshot_id: &str,
    sites: &AccountSites,
) -> Result<Record> {
    let snapshot = snapshots
        .iter()
        .find(|snapshot| snapshot.id().as_deref() == Some(snapshot_id));
    let Some(snapshot) = snapshot else {
        let mut message = format!("snapshot '{snapshot_id}' of {site_id} not found");
        if sites.list().is_ok() && sites.find(snapshot_id).is_ok() {
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
