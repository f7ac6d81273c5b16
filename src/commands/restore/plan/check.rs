//! Checks all rows of a plan against the journal and the service before anything starts.

use super::row::{Row, State};
use super::rows::doubles;
use super::snapshots;
use crate::commands::restore::choose::{self, LATEST};
use crate::commands::restore::guard;
use crate::commands::restore::launch::{Launcher, Order};
use crate::error::{Error, Kind, Result};
use crate::input::Document;
use crate::journal::Run;
use crate::terminal::count;

/// The run that is about to begin.
pub struct Start<'s> {
    /// The new run. It is replaced by the last one if that is resumed.
    pub run: Run,
    /// Whether an unfinished run is resumed.
    pub resume: bool,
    /// The command that runs the plan.
    pub command: &'s str,
}

/// Finds the sites and snapshots of the rows, and the state of each row.
///
/// # Errors
/// `Invalid` with every problem at once; `Conflict` if the last run is unfinished; else if the service or the journal
/// cannot be read.
pub async fn check(launcher: &mut Launcher<'_>, start: Start<'_>, document: &Document, rows: &mut [Row]) -> Result<()> {
    let checked = async {
        find_sites(launcher, document, rows).await?;
        launcher.run = Some(consult_journal(launcher, start, rows).await?);
        find_snapshots(launcher, document, rows).await
    }
    .await;
    checked.map_err(|error| if error.kind == Kind::Invalid { error } else { error.context("nothing was started") })
}

/// Replaces the URLs of sites by their ids.
async fn find_sites(launcher: &Launcher<'_>, document: &Document, rows: &mut [Row]) -> Result<()> {
    let texts: Vec<&str> = rows.iter().map(|row| &*row.order.site_id).collect();
    let sites = choose::sites_named(launcher.context, launcher.api, &texts).await?;
    let mut problems = Vec::new();
    for (row, site) in rows.iter_mut().zip(sites) {
        match site {
            Ok(site) => row.order.site_id = site.id,
            Err(error) => {
                let place = &document.rows[row.number];
                problems.push(document.detail(place, "site_id", "invalid_id", error.message.clone()));
            }
        }
    }
    problems.extend(doubles(document, rows));
    document.refuse(problems)
}

/// Decides which run this is, and which of its rows have been sent or cannot be.
async fn consult_journal(launcher: &Launcher<'_>, start: Start<'_>, rows: &mut [Row]) -> Result<Run> {
    let Launcher { context, api, journal, force, .. } = launcher;
    if *force {
        return Ok(start.run);
    }
    let (program, service) = (context.program(), context.service()?);
    let sites: Vec<&str> = rows.iter().map(|row| &*row.order.site_id).collect();
    guard::refresh(api, journal, &service, &sites).await?;
    let entries = journal.entries()?;
    let run = match start.run.unfinished(&entries, &service) {
        Some(last) if start.resume => last,
        Some(last) => return Err(unfinished(&last, start.command)),
        None => start.run,
    };
    for row in rows {
        let sent = run.restore(&entries, &row.order.site_id).filter(|entry| !entry.was_refused());
        if let Some(entry) = sent {
            row.order.snapshot_id.clone_from(&entry.intent.snapshot_id);
        }
        row.state = match sent {
            Some(entry) if entry.accepted => State::resumed(entry),
            Some(entry) => State::Failed(guard::conflict(&program, entry).kind(Kind::UnknownOutcome)),
            None => guard::permit(&program, &entries, &service, &row.order.site_id)
                .map_or_else(State::Failed, |()| State::Waiting),
        };
    }
    Ok(run)
}

fn unfinished(last: &Run, command: &str) -> Error {
    let started = format!("{:.0}", last.started_at);
    Error::new(Kind::Conflict, format!("the last run of this plan, started {started}, is unfinished"))
        .hint(format!("resume the run with: {command} --resume; or start all rows again with --force"))
}

/// Checks the snapshots of the rows that wait, and replaces `latest` by an id.
async fn find_snapshots(launcher: &Launcher<'_>, document: &Document, rows: &mut [Row]) -> Result<()> {
    let sites = rows.iter().filter(|row| row.is_waiting()).map(|row| &*row.order.site_id).collect();
    let snapshots = snapshots::read(launcher.context, launcher.api, sites).await?;
    let (mut problems, mut unread) = (Vec::new(), Vec::new());
    for row in rows.iter_mut().filter(|row| row.is_waiting()) {
        let Order { site_id, snapshot_id, .. } = &row.order;
        let found = match snapshots.get(site_id) {
            Some(Ok(all)) => snapshots::find(site_id, all, snapshot_id),
            Some(Err(error)) if error.kind == Kind::NotFound => {
                Err(("site_id", "not_found", format!("There is no site '{site_id}'")))
            }
            Some(Err(error)) if snapshot_id == LATEST => {
                return Err(error.brief().context(format!("which snapshot of {site_id} is the latest can't be read")));
            }
            Some(Err(error)) => {
                unread.push(error.message.clone());
                continue;
            }
            None => continue,
        };
        match found {
            Ok(found) => (row.order.snapshot_id, row.taken_at) = (found.id, found.taken_at),
            Err((field, code, message)) => {
                problems.push(document.detail(&document.rows[row.number], field, code, message));
            }
        }
    }
    document.refuse(problems)?;
    if let Some(why) = unread.first() {
        let sites = count(unread.len(), "site");
        launcher.context.ui.warn(&format!("the snapshots of {sites} could not be checked before the start: {why}"));
    }
    Ok(())
}
