//! Reads the snapshots of many sites.

use crate::client::{Api, MAX_REQUESTS_IN_FLIGHT};
use crate::commands::context::Context;
use crate::commands::find_sites::fails_other_requests;
use crate::config::duration::format_duration;
use crate::error::Result;
use crate::resources::Record;
use futures_util::stream::{self, StreamExt};
use std::collections::{HashMap, HashSet};

/// The snapshots of each site by its id, or the error of their list.
pub type SiteSnapshots = HashMap<String, Result<Vec<Record>>>;

/// Reads all snapshots of these sites, several sites at a time. `requests_per_site` is the least
/// number of requests that the check and the restore of a site take.
///
/// # Errors
/// An error that would fail all other requests too.
pub async fn read_snapshots(
    context: &Context,
    api: &Api,
    site_ids: &HashSet<String>,
    requests_per_site: u64,
) -> Result<SiteSnapshots> {
    let sites = site_ids.len() as u64;
    if sites > 1 {
        api.begin_bulk();
    }
    let (limit, window) = api.rate_limit();
    let requests = sites * requests_per_site;
    if let Some(limit) = limit.filter(|limit| requests > *limit) {
        let window = format_duration(window);
        context.ui.note(&format!(
            "checking and restoring {sites} sites takes at least {requests} requests, and the \
             service allows {limit} per {window}"
        ));
    }
    let counter = context.ui.counter_with_total("sites checked", sites);
    let read_all = async {
        let requests: Vec<_> = site_ids
            .iter()
            .map(|id| async move { (id, api.snapshots_until(id, |_| false).await) })
            .collect();
        let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
        let mut snapshots = SiteSnapshots::new();
        while let Some((id, response)) = responses.next().await {
            match response {
                Err(error) if fails_other_requests(&error) => return Err(error),
                list => {
                    snapshots.insert(id.clone(), list);
                }
            }
            counter.set_done(snapshots.len() as u64);
        }
        Ok(snapshots)
    };
    counter.while_waiting(read_all).await
}
