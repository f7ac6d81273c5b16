//! The snapshots of the sites of a plan, as far as they can be read: the spec does not show their list ("Other
//! operations").

use crate::client::{Api, IN_FLIGHT, is_usable, latest};
use crate::commands::context::Context;
use crate::commands::restore::choose::{Choice, LATEST};
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use futures_util::stream::{self, StreamExt};
use std::collections::{HashMap, HashSet};

/// The snapshots of each site, or why they are not known: `NotFound` if the site does not exist.
pub type Snapshots = HashMap<String, Result<Vec<Record>>>;

/// The field that a problem is about, its code, and its message.
pub type Problem = (&'static str, &'static str, String);

/// Reads the snapshots of these sites.
///
/// # Errors
/// If the service can't be reached or does not accept the token.
pub async fn read(context: &Context, api: &Api, site_ids: HashSet<&str>) -> Result<Snapshots> {
    let counter = context.ui.tally("sites checked", site_ids.len() as u64);
    api.begin_bulk();
    let read = async {
        let mut snapshots = Snapshots::new();
        let requests = site_ids.into_iter().map(|id| async move { (id, api.all_snapshots(id).await) });
        let mut responses = stream::iter(requests.collect::<Vec<_>>()).buffer_unordered(IN_FLIGHT);
        while let Some((id, response)) = responses.next().await {
            let response = match response {
                Err(error) if ends_reading(&error) => return Err(error),
                response => response,
            };
            snapshots.insert(id.into(), response);
            counter.reached(snapshots.len() as u64);
        }
        explain_missing(api, &mut snapshots).await;
        Ok(snapshots)
    };
    counter.while_waiting(read).await
}

fn ends_reading(error: &Error) -> bool {
    let is_down = error.kind == Kind::Unavailable && error.status.is_none();
    is_down || matches!(error.kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted)
}

/// A 404 is about the site only if the list of sites shows that it does not exist; else there is no list of snapshots.
async fn explain_missing(api: &Api, snapshots: &mut Snapshots) {
    let mut missing: Vec<_> = snapshots
        .iter_mut()
        .filter(|(_, known)| known.as_ref().is_err_and(|error| error.kind == Kind::NotFound))
        .collect();
    if missing.is_empty() {
        return;
    }
    let sites = api.all_sites().await.ok();
    let ids: Option<HashSet<String>> = sites.map(|sites| sites.iter().filter_map(Record::id).collect());
    for (_, known) in missing.iter_mut().filter(|(id, _)| ids.as_ref().is_none_or(|ids| ids.contains(*id))) {
        **known = Err(Error::new(Kind::Unavailable, "there is no list of them (404)"));
    }
}

/// Returns the snapshot of a site with this id, or the latest.
///
/// # Errors
/// Why it can't be restored.
pub fn find(site_id: &str, all: &[Record], wanted: &str) -> Result<Choice, Problem> {
    if wanted == LATEST {
        let code = |kind| if kind == Kind::NotFound { "not_found" } else { "ambiguous" };
        let newest = latest(site_id, all).map(|newest| Choice::of(&newest));
        return newest.map_err(|error| ("snapshot_id", code(error.kind), error.message.clone()));
    }
    let Some(snapshot) = all.iter().find(|snapshot| snapshot.id().as_deref() == Some(wanted)) else {
        return Err(("snapshot_id", "not_found", "The site has no such snapshot".into()));
    };
    match snapshot.text("status") {
        Some(status) if !is_usable(snapshot) => {
            Err(("snapshot_id", "not_succeeded", format!("Is {status}; only one that succeeded can be restored")))
        }
        _ => Ok(Choice::of(snapshot)),
    }
}
