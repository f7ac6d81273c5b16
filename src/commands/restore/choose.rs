//! Which snapshot is restored, and what a person must know before it is.

use super::LATEST;
use crate::api::{Api, created_at, latest};
use crate::context::Context;
use crate::duration::{age, ago};
use crate::error::{Error, Kind, Result};
use crate::resource::Record;
use jiff::Timestamp;

/// The snapshot that is meant.
pub struct Choice {
    /// Its id, never `latest`.
    pub id: String,
    /// When it was taken, where that is known.
    pub taken_at: Option<Timestamp>,
}

/// Finds the snapshot. An id is believed as it is; when it was taken is looked up only for a person who is asked.
///
/// # Errors
/// `NotFound` where `latest` finds none.
pub async fn snapshot(context: &Context, api: &Api, site_id: &str, text: &str, show: bool) -> Result<Choice> {
    if text != LATEST {
        let known = if show { api.all_snapshots(site_id).await.unwrap_or_default() } else { Vec::new() };
        let found = known.iter().find(|snapshot| snapshot.id().as_deref() == Some(text));
        return Ok(Choice { id: text.into(), taken_at: found.and_then(created_at) });
    }
    let newest = latest(site_id, &api.all_snapshots(site_id).await?)?;
    let id = id_of(&newest)?;
    let taken_at = created_at(&newest);
    context.ui.announce(&format!("latest is {id}{}", taken(taken_at)));
    Ok(Choice { id, taken_at })
}

fn id_of(snapshot: &Record) -> Result<String> {
    snapshot.id().ok_or_else(|| Error::new(Kind::Unavailable, "the newest snapshot has no id"))
}

/// Shows what is about to happen and asks for the site's id.
///
/// # Errors
/// Where it is not confirmed.
pub fn confirm(context: &Context, service: &str, site_id: &str, snapshot: &Choice, scope: &str) -> Result<()> {
    let profile = context.settings.profile.as_ref().map(|name| format!(" (profile {name})")).unwrap_or_default();
    context.ui.warn(&format!("this overwrites the live site {site_id} on {service}{profile}"));
    context.ui.detail(&format!("restores {} from snapshot {}{}", scope, snapshot.id, taken(snapshot.taken_at)));
    match snapshot.taken_at.map(age) {
        Some(Some(age)) => context.ui.detail(&format!("everything that changed there in the last {age} is lost")),
        Some(None) => context.ui.detail("the snapshot is dated in the future: how much is lost is not known"),
        None => context.ui.detail("when the snapshot was taken is not known: everything newer is lost"),
    }
    context.ui.confirm_by_typing("Restore?", site_id, "--yes")
}

fn taken(at: Option<Timestamp>) -> String {
    at.map(|at| format!(", taken {at:.0}, {}", ago(at))).unwrap_or_default()
}
