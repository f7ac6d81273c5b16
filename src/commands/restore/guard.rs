//! No second restore of a site while the last one may still be at work: what the journal knows, brought up to date.

use super::launch::Order;
use crate::api::{Api, IN_FLIGHT, State};
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Intent, Journal, Outcome, PlanMark, unfinished};
use crate::ui::arguments;
use futures_util::stream::{self, StreamExt};

/// Asks the service about the open restores of these sites and writes down which have ended.
///
/// # Errors
/// Where the journal cannot be read or written, or the service lets nobody in.
pub async fn refresh(api: &Api, journal: &Journal, base_url: &str, site_ids: &[&str]) -> Result<()> {
    let entries = journal.entries()?;
    let open = unfinished(&entries).into_iter().filter(|entry| site_ids.iter().any(|id| concerns(entry, base_url, id)));
    let asked = open.filter_map(|entry| {
        entry.task_id.as_ref().map(|task_id| async move { (entry, api.task(task_id).await.map(|task| task.state)) })
    });
    let asked: Vec<_> = asked.collect();
    let mut answers = stream::iter(asked).buffer_unordered(IN_FLIGHT);
    while let Some((entry, state)) = answers.next().await {
        // What cannot be asked stays open, and so in the way.
        match state {
            Err(error) if error.kind == Kind::Auth => return Err(error),
            Ok(State::Succeeded) => journal.ended(&entry.restore, Outcome::Succeeded)?,
            Ok(State::Failed) => journal.ended(&entry.restore, Outcome::Failed)?,
            Ok(State::Running) | Err(_) => {}
        }
    }
    Ok(())
}

/// Refuses where a restore of the site may still be at work.
///
/// # Errors
/// `Conflict` with how to look.
pub fn permit(program: &str, entries: &[Entry], base_url: &str, site_id: &str) -> Result<()> {
    let open = unfinished(entries).into_iter().rev().find(|entry| concerns(entry, base_url, site_id));
    let Some(open) = open else { return Ok(()) };
    let since = format!("{:.0}", open.intent.started_at);
    Err(match &open.task_id {
        Some(task_id) => Error::new(
            Kind::Conflict,
            format!("a restore of {site_id}, started {since} as task {task_id}, is not known to have ended"),
        )
        .hint(format!(
            "watch it with: {program} restore watch {}; or start another one anyway with --force",
            arguments(&[task_id])
        )),
        None => Error::new(
            Kind::Conflict,
            format!("a restore of {site_id} was sent {since}, and what became of it is not known"),
        )
        .hint("look at the site and the service first; then start another one with --force"),
    })
}

/// Refuses what another plan has done already: that plan renamed and added to looks like another.
///
/// # Errors
/// `Conflict` with when that was.
pub fn permit_anew(entries: &[Entry], base_url: &str, plan: &PlanMark, order: &Order) -> Result<()> {
    let is_it = |entry: &&Entry| {
        let intent = &entry.intent;
        entry.outcome == Some(Outcome::Succeeded)
            && concerns(entry, base_url, &order.site_id)
            && intent.snapshot_id == order.snapshot_id
            && intent.scope.get() == order.scope.raw().get()
            && intent.plan.as_ref().is_some_and(|mark| !mark.is_same(plan))
    };
    let Some(entry) = entries.iter().rev().find(is_it) else { return Ok(()) };
    let Intent { site_id, snapshot_id, started_at, plan, .. } = &entry.intent;
    let file = plan.as_ref().and_then(|mark| mark.file.as_deref()).unwrap_or("from stdin");
    Err(Error::new(
        Kind::Conflict,
        format!("another plan ({file}) has restored {site_id} from {snapshot_id} just so, {started_at:.0}"),
    )
    .hint("if it is to be restored again, start it with --force"))
}

/// The last restore that a run of this plan has started for such an order.
pub fn started<'e>(entries: &'e [Entry], base_url: &str, plan: &PlanMark, order: &Order) -> Option<&'e Entry> {
    let is_it = |entry: &&Entry| {
        let intent = &entry.intent;
        let same_snapshot = intent.snapshot_id == order.snapshot_id || (intent.latest && order.latest);
        entry.accepted
            && entry.outcome != Some(Outcome::Refused)
            && concerns(entry, base_url, &order.site_id)
            && same_snapshot
            && intent.scope.get() == order.scope.raw().get()
            && intent.plan.as_ref().is_some_and(|mark| mark.is_same(plan))
    };
    entries.iter().rev().find(is_it)
}

fn concerns(entry: &Entry, base_url: &str, site_id: &str) -> bool {
    entry.intent.base_url == base_url && entry.intent.site_id == site_id
}
