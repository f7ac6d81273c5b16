//! Backs up a site before its restore is sent, so that the restore can be undone.

use super::args::PollingArgs;
use super::polling::{Doubt, MAX_DOUBTFUL, MAX_INTERVAL, MIN_INTERVAL};
use super::row::site_names;
use super::session::Session;
use crate::client::{Consent, TaskState, created_at};
use crate::config::duration::format_duration;
use crate::error::{Error, Kind, Result};
use crate::journal::{DecidedRestore, RestoreId};
use crate::resources::{Record, has_succeeded};
use crate::signal::wait_for_signal;
use std::collections::HashSet;
use tokio::time::{Instant, sleep, timeout};

/// Makes a snapshot of the site of a restore, which the journal keeps.
///
/// # Errors
/// Why there is none. The site was not changed.
pub async fn back_up(
    session: &Session<'_>,
    consent: &Consent,
    args: &PollingArgs,
    restore: (&RestoreId, &DecidedRestore),
) -> Result<()> {
    let made = tokio::select! {
        biased;
        () = wait_for_signal() => Err(Error::new(Kind::Interrupted, "interrupted")),
        made = timeout(args.timeout, make_snapshot(session, consent, args, restore)) => {
            made.unwrap_or_else(|_| {
                let time = format_duration(args.timeout);
                Err(Error::new(Kind::Partial, format!("no result within {time}")))
            })
        }
    };
    made.map_err(|error| {
        // The restore was surely not sent.
        let kind = if error.has_unknown_outcome() {
            Kind::Unavailable
        } else {
            error.kind
        };
        let error = error.context("not backed up").with_kind(kind);
        error.with_possibly_processed(false)
    })
}

/// Asks for a sync, waits for its task, and finds the snapshot that it has made: one that was not
/// listed before, whatever the clock of the service says.
async fn make_snapshot(
    session: &Session<'_>,
    consent: &Consent,
    args: &PollingArgs,
    (id, restore): (&RestoreId, &DecidedRestore),
) -> Result<()> {
    let Session {
        context,
        api,
        journal,
        ..
    } = session;
    let site = site_names(restore);
    let read = || api.snapshots_until(&restore.site_id, |_| false);
    let listed = read().await?;
    let known: HashSet<Option<String>> = listed.iter().map(Record::id).collect();
    let newest = listed.iter().filter_map(created_at).max();
    journal.record_sync_request(id.clone(), newest).await?;
    let started = api.start_sync(consent, &site).await;
    if started
        .as_ref()
        .is_err_and(|error| !error.has_unknown_outcome())
    {
        journal.record_synced(id.clone(), None).await?;
    }
    let mut task = started?;
    let name = restore.site_name();
    let note = format!("backing up {name}: task {}", task.id);
    context.ui.note(&note);
    let [mut missing, mut unlisted] = [Doubt::default(), Doubt::default()];
    let mut pause = MIN_INTERVAL;
    while task.state == TaskState::Running {
        sleep(args.interval.unwrap_or(pause)).await;
        pause = (pause * 3 / 2).min(MAX_INTERVAL);
        let polled = api.task(&task.id, Some(&site)).await;
        let is_missing = matches!(&polled, Err(error) if error.kind == Kind::NotFound);
        if is_missing && !missing.lasts(true, Instant::now()) {
            continue;
        }
        task = polled?;
        missing = Doubt::default();
        if unlisted.lasts(task.looks_ended(), Instant::now()) {
            break;
        }
    }
    let status = task.status.as_deref().unwrap_or_default();
    if task.state == TaskState::Failed {
        journal.record_synced(id.clone(), None).await?;
    }
    if task.state != TaskState::Succeeded {
        let reason = task.failure.as_deref().unwrap_or("no reason given");
        let message = format!("task {} ended as '{status}': {reason}", task.id);
        return Err(Error::new(Kind::Partial, message));
    }
    // Another process can have made one, too.
    let is_own = |id: &String| !journal.runs().is_backup(&restore.site_id, id);
    let is_new = |snapshot: &&Record| {
        let id = snapshot.id();
        has_succeeded(snapshot) && !known.contains(&id) && id.is_some_and(|id| is_own(&id))
    };
    let end = Instant::now() + MAX_DOUBTFUL;
    let mut pause = MIN_INTERVAL;
    loop {
        let snapshots = read().await?;
        journal.read()?;
        let newest = snapshots
            .iter()
            .filter(is_new)
            .max_by_key(|snapshot| created_at(snapshot));
        if let Some(snapshot_id) = newest.and_then(Record::id) {
            return journal.record_synced(id.clone(), Some(snapshot_id)).await;
        }
        if Instant::now() >= end {
            let message = format!("task {} has made no new snapshot", task.id);
            return Err(Error::new(Kind::Partial, message));
        }
        sleep(pause).await;
        pause *= 2;
    }
}
