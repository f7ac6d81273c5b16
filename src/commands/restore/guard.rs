//! Refuses a restore of a site whose last restore may still be running.

use crate::client::{Api, IN_FLIGHT, State};
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Journal, Outcome, Run, unfinished};
use crate::terminal::arguments;
use futures_util::stream::{self, StreamExt};
use std::collections::HashSet;

/// Polls the unfinished restores of these sites, records their outcomes unless this is a dry run, and returns the entries of
/// the journal.
///
/// # Errors
/// If the journal cannot be read or written, the token is not accepted, or the rate limit is used up.
pub async fn refresh(
    api: &Api,
    journal: &Journal,
    service: &str,
    site_ids: &HashSet<&str>,
    dry_run: bool,
) -> Result<Vec<Entry>> {
    let mut entries = journal.entries()?;
    let open = unfinished(&entries).into_iter();
    let open = open.filter(|entry| entry.service == service && site_ids.contains(&*entry.intent.site_id));
    let tasks = open.filter_map(|entry| Some((entry.restore.clone(), entry.task_id.clone()?)));
    let requests: Vec<_> =
        tasks.map(|(restore, task_id)| async move { (restore, api.task(&task_id, false).await) }).collect();
    let mut responses = stream::iter(requests).buffer_unordered(IN_FLIGHT);
    while let Some((restore, task)) = responses.next().await {
        let outcome = match task.map(|task| task.state) {
            Err(error) if matches!(error.kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted) => {
                return Err(error);
            }
            Ok(State::Succeeded) => Outcome::Succeeded,
            Ok(State::Failed) => Outcome::Failed,
            // The restore stays unfinished, also if the service does not know the task.
            Ok(State::Running) | Err(_) => continue,
        };
        if !dry_run {
            journal.ended(&restore, outcome)?;
        }
        entries.iter_mut().filter(|entry| entry.restore == restore).for_each(|entry| entry.outcome = Some(outcome));
    }
    Ok(entries)
}

/// Refuses if a restore of the site may still be running.
///
/// # Errors
/// `Conflict` with the command that watches the restore.
pub fn permit(program: &str, entries: &[Entry], service: &str, site_id: &str) -> Result<()> {
    let open =
        unfinished(entries).into_iter().rev().find(|entry| entry.service == service && entry.intent.site_id == site_id);
    open.map_or(Ok(()), |open| Err(conflict(program, open)))
}

/// Refuses a row of a plan if another process runs the same plan, or has sent the row in the same run.
///
/// # Errors
/// `Conflict` with the command that watches the other process's restores.
pub fn permit_row(program: &str, entries: &[Entry], service: &str, run: &Run, site_id: &str) -> Result<()> {
    let other = run.unfinished(entries, service).is_some_and(|last| last != *run);
    let is_sent = run.restore(entries, site_id).is_some_and(|entry| !entry.was_refused());
    if !other && !is_sent {
        return Ok(());
    }
    Err(Error::new(Kind::Conflict, "another process is running the same plan")
        .hint(format!("watch its restores: {program} restore watch")))
}

/// Describes a restore that may still be running.
pub fn conflict(program: &str, open: &Entry) -> Error {
    let (site_id, since) = (&open.intent.site_id, format!("{:.0}", open.intent.started_at));
    let (message, hint) = match &open.task_id {
        Some(task_id) => (
            format!("the restore of {site_id} started {since} as task {task_id} is still running or unknown"),
            format!("watch the restore: {program} restore watch {}", arguments(&[task_id])),
        ),
        None => (
            format!("the outcome of the restore of {site_id} sent {since} is unknown"),
            format!(
                "check the site before you use --force: {program} restore history --site {}",
                arguments(&[site_id])
            ),
        ),
    };
    Error::new(Kind::Conflict, message).hint(hint)
}
