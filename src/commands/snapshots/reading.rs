//! Reads the snapshots of many sites.

use crate::client::{Api, MAX_REQUESTS_IN_FLIGHT};
use crate::commands::context::Context;
use crate::commands::sites::fails_other_requests;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
use futures_util::stream::{self, StreamExt};
use std::collections::{HashMap, HashSet};

/// The snapshots of each site by its id, or the error of their list.
pub type SiteSnapshots = HashMap<String, Result<Vec<Record>>>;

/// Reads the snapshots of these sites, several sites at a time.
///
/// # Errors
/// An error that would fail all other requests too.
pub async fn read_snapshots(
    context: &Context,
    api: &Api,
    site_ids: HashSet<&str>,
) -> Result<SiteSnapshots> {
    if site_ids.len() > 1 {
        api.begin_bulk();
    }
    let counter = context
        .ui
        .counter_with_total("sites checked", site_ids.len() as u64);
    let read_all = async {
        let requests: Vec<_> = site_ids
            .into_iter()
            .map(|id| async move { (id, api.all_snapshots(id).await) })
            .collect();
        let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
        let mut snapshots = SiteSnapshots::new();
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
