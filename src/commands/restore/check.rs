//! Checks restores against the account's sites, the journal and the snapshots before any question or request.

use super::choose;
use super::launch::Launcher;
use super::row::{LATEST, Row};
use crate::client::{
    REQUESTS_IN_FLIGHT, TaskState, created_at, is_usable_snapshot, latest_snapshot,
};
use crate::commands::sites::{Sites, is_final};
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Outcome, Run, unfinished};
use crate::resources::{Record, Scope};
use crate::terminal::{pluralize, shell_arguments};
use futures_util::stream::{self, StreamExt};
use std::collections::{HashMap, HashSet};

/// The snapshots of each site, or the error of their list.
type Snapshots = HashMap<String, Result<Vec<Record>>>;

/// Finds the sites and snapshots of the rows, and their earlier restores in the journal. A row that cannot be started gets
/// an error.
///
/// # Errors
/// `Conflict` if the last run of the plan is unfinished; else if the service or the journal cannot be read.
pub async fn check(launcher: &mut Launcher<'_>, sites: &Sites, rows: &mut [Row]) -> Result<()> {
    for row in rows.iter_mut().filter(|row| row.is_waiting()) {
        find_site(row, sites)?;
    }
    if !launcher.args.force {
        launcher.run = consult_journal(launcher, rows).await?;
    }
    if !rows.iter().any(Row::is_waiting) {
        return Ok(());
    }
    sites.require_service()?;
    let wanted = rows
        .iter()
        .filter(|row| row.is_waiting())
        .map(|row| &*row.site_id)
        .collect();
    let snapshots = read_snapshots(launcher, wanted).await?;
    for row in rows.iter_mut().filter(|row| row.is_waiting()) {
        if let Some(snapshots) = snapshots.get(&row.site_id) {
            find_snapshot(launcher, row, snapshots, sites).await?;
        }
    }
    let unread: Vec<&Error> = snapshots
        .values()
        .filter_map(|read| read.as_ref().err())
        .collect();
    if let Some(error) = unread.first() {
        let sites = pluralize(unread.len(), "site");
        launcher.context.ui.warn(&format!(
            "could not check the snapshots of {sites}: {}",
            error.message
        ));
    }
    Ok(())
}

/// Replaces a URL or host name by the id of the site.
fn find_site(row: &mut Row, sites: &Sites) -> Result<()> {
    let site = match sites.find(&row.site_id) {
        Ok(site) => site,
        Err(error) if sites.list().is_err() => return Err(error),
        Err(error) => {
            row.refuse("site_id", "invalid_id", error);
            return Ok(());
        }
    };
    (row.site_id, row.url) = (site.id, site.url);
    let scope: Scope = serde_json::from_str(row.scope.get()).unwrap_or_default();
    if site.is_single && !scope.subsite_ids.is_empty() {
        let error = Error::new(Kind::Invalid, "The site is not a multisite");
        row.refuse("subsite_ids", "not_multisite", error);
    }
    Ok(())
}

/// Returns the run that the rows belong to, and marks the rows that were sent or cannot be sent.
async fn consult_journal(launcher: &Launcher<'_>, rows: &mut [Row]) -> Result<Option<Run>> {
    let entries = refresh(launcher, rows).await?;
    let last = launcher
        .run
        .as_ref()
        .and_then(|run| run.unfinished(&entries));
    if let Some(last) = last.as_ref().filter(|_| !launcher.args.many.resume) {
        let (started, command) = (format!("{:.0}", last.started_at), launcher.plan_command());
        return Err(Error::new(
            Kind::Conflict,
            format!("the last run of this plan, started {started}, is unfinished"),
        )
        .with_hint(format!(
            "resume the run: {command} --resume; or start all rows again with --force"
        )));
    }
    let run = last.or(launcher.run.clone());
    for row in rows.iter_mut().filter(|row| row.is_waiting()) {
        let sent = run
            .as_ref()
            .and_then(|run| run.restore(&entries, &row.site_id));
        match sent.filter(|entry| !entry.was_refused()) {
            Some(entry) => {
                row.snapshot_id.clone_from(&entry.intent.snapshot_id);
                match entry.accepted {
                    true => row.resume(entry),
                    false => {
                        row.error = Some(launcher.conflict(entry).with_kind(Kind::UnknownOutcome))
                    }
                }
            }
            None => row.error = launcher.permit(&entries, &row.site_id).err(),
        }
    }
    Ok(run)
}

/// Polls the unfinished restores of the rows' sites, records their outcomes unless this is a dry run, and returns the
/// journal's restores of the service.
async fn refresh(launcher: &Launcher<'_>, rows: &[Row]) -> Result<Vec<Entry>> {
    let Launcher {
        context,
        api,
        journal,
        args,
        ..
    } = launcher;
    let mut entries = journal.entries_of(&context.service_key()?)?;
    let site_ids: HashSet<&str> = rows.iter().map(|row| &*row.site_id).collect();
    let open = unfinished(&entries)
        .into_iter()
        .filter(|entry| site_ids.contains(&*entry.intent.site_id));
    let tasks = open.filter_map(|entry| Some((entry.restore.clone(), entry.task_id.clone()?)));
    let requests: Vec<_> = tasks
        .map(|(restore, task_id)| async move { (restore, api.task(&task_id, false).await) })
        .collect();
    let mut responses = stream::iter(requests).buffer_unordered(REQUESTS_IN_FLIGHT);
    while let Some((restore, task)) = responses.next().await {
        let outcome = match task.map(|task| task.state) {
            Err(error)
                if matches!(
                    error.kind,
                    Kind::Auth | Kind::RateLimited | Kind::Interrupted
                ) =>
            {
                return Err(error);
            }
            Ok(TaskState::Succeeded) => Outcome::Succeeded,
            Ok(TaskState::Failed) => Outcome::Failed,
            // The restore stays unfinished, also if the service does not know the task.
            Ok(TaskState::Running) | Err(_) => continue,
        };
        if !args.dry_run {
            journal.ended(&restore, outcome)?;
        }
        entries
            .iter_mut()
            .filter(|entry| entry.restore == restore)
            .for_each(|entry| entry.outcome = Some(outcome));
    }
    Ok(entries)
}

/// Reads the snapshots of these sites.
async fn read_snapshots(launcher: &Launcher<'_>, wanted: HashSet<&str>) -> Result<Snapshots> {
    let api = launcher.api;
    if wanted.len() > 1 {
        api.begin_bulk();
    }
    let counter = launcher
        .context
        .ui
        .tally("sites checked", wanted.len() as u64);
    let read = async {
        let requests: Vec<_> = wanted
            .into_iter()
            .map(|id| async move { (id, api.all_snapshots(id).await) })
            .collect();
        let (mut snapshots, mut responses) = (
            Snapshots::new(),
            stream::iter(requests).buffer_unordered(REQUESTS_IN_FLIGHT),
        );
        while let Some((id, response)) = responses.next().await {
            match response {
                Err(error) if is_final(&error) => return Err(error),
                response => drop(snapshots.insert(id.into(), response.and_then(with_ids))),
            }
            counter.reached(snapshots.len() as u64);
        }
        Ok(snapshots)
    };
    counter.while_waiting(read).await
}

/// Refuses a list of snapshots without ids, because the fields of snapshots are not specified.
fn with_ids(snapshots: Vec<Record>) -> Result<Vec<Record>> {
    match snapshots
        .iter()
        .all(|snapshot| snapshot.id().is_some_and(|id| !id.is_empty()))
    {
        true => Ok(snapshots),
        false => Err(Error::new(
            Kind::Unavailable,
            "a listed snapshot has no 'id'",
        )),
    }
}

/// Finds the snapshot that a row restores. Without a list of snapshots, an id is accepted unchanged.
async fn find_snapshot(
    launcher: &Launcher<'_>,
    row: &mut Row,
    snapshots: &Result<Vec<Record>>,
    sites: &Sites,
) -> Result<()> {
    let Row {
        site_id,
        snapshot_id,
        before,
        ..
    } = &*row;
    let list = format!(
        "list the snapshots: {} snapshots list {}",
        launcher.context.program(),
        shell_arguments(&[site_id])
    );
    let is_open = snapshot_id.is_empty() || snapshot_id == LATEST;
    let found = match snapshots {
        Ok(all) if snapshot_id.is_empty() => {
            choose::snapshot(&launcher.context.ui, site_id, all).await
        }
        Ok(all) if is_open => latest_snapshot(site_id, all, *before),
        Ok(all) => usable(site_id, all, snapshot_id, sites),
        Err(error) if is_open => {
            return Err(error
                .without_response()
                .context(format!("the snapshots of {site_id} could not be read"))
                .with_hint(list));
        }
        Err(_) => return Ok(()),
    };
    match found {
        Ok(found) => {
            (row.snapshot_id, row.taken_at) = (found.id().unwrap_or_default(), created_at(&found))
        }
        Err(error) if error.kind == Kind::Interrupted => return Err(error),
        Err(error) => {
            let code = if is_open {
                "ambiguous"
            } else {
                "not_succeeded"
            };
            row.refuse("snapshot_id", code, error.with_hint(list));
        }
    }
    Ok(())
}

/// Returns the snapshot with this id, if it can be restored.
fn usable(site_id: &str, all: &[Record], wanted: &str, sites: &Sites) -> Result<Record> {
    let snapshot = all
        .iter()
        .find(|snapshot| snapshot.id().as_deref() == Some(wanted));
    let is_site = || sites.list().is_ok() && sites.find(wanted).is_ok();
    let why = || {
        if is_site() {
            format!("; '{wanted}' is a site")
        } else {
            String::new()
        }
    };
    let missing = || {
        Error::new(
            Kind::NotFound,
            format!("snapshot '{wanted}' of {site_id} not found{}", why()),
        )
    };
    let snapshot = snapshot.ok_or_else(missing)?;
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
