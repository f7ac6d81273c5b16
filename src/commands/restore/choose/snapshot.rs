//! Which snapshot is restored: by its id, the latest, or chosen from the list of those that can be.

use crate::client::{Api, created_at, latest, none_usable, usable};
use crate::commands::context::Context;
use crate::commands::restore::LATEST;
use crate::config::duration::ago;
use crate::error::{Error, Kind, LOOK, Result};
use crate::resources::Record;
use crate::terminal::{arguments, bytes};
use jiff::Timestamp;
use std::cmp::Reverse;

/// The snapshot that is meant.
#[derive(Debug)]
pub struct Choice {
    /// Its id, never `latest`.
    pub id: String,
    /// When it was taken, where that is known.
    pub taken_at: Option<Timestamp>,
}

impl Choice {
    /// The snapshot that a record shows.
    ///
    /// # Errors
    /// `Unavailable` where the record has no id.
    pub fn of(snapshot: &Record) -> Result<Self> {
        let id = snapshot
            .id()
            .ok_or_else(|| Error::new(Kind::Unavailable, "the service shows the snapshot without an id").hint(LOOK))?;
        Ok(Self { id, taken_at: created_at(snapshot) })
    }

    /// When it was taken, as the end of a sentence; nothing where that is not known.
    pub fn taken(&self) -> String {
        self.taken_at.map(|at| format!(", taken {at:.0}")).unwrap_or_default()
    }
}

/// Finds the snapshot. An id is believed as it is; when it was taken is looked up only for a person who is asked.
///
/// # Errors
/// `NotFound` if `latest` finds none, `Invalid` if it finds several, `Incomplete` if the list is not complete.
pub async fn snapshot(context: &Context, api: &Api, site_id: &str, text: &str, show: bool) -> Result<Choice> {
    let text = text.trim();
    if text != LATEST {
        let known = if show { api.all_snapshots(site_id).await.unwrap_or_default() } else { Vec::new() };
        let found = known.iter().find(|snapshot| snapshot.id().as_deref() == Some(text));
        return Ok(Choice { id: text.into(), taken_at: found.and_then(created_at) });
    }
    let all = api.all_snapshots(site_id).await.map_err(|error| match error.kind {
        Kind::Incomplete => error.hint(format!("specify a snapshot by its id: {}", list(api, site_id))),
        _ => error,
    })?;
    let newest = latest(site_id, &all).map_err(|error| error.or_hint(|| list(api, site_id)))?;
    let newest = Choice::of(&newest)?;
    // The question says how long ago that was.
    let age = newest.taken_at.filter(|_| !show).map(|at| format!(", {}", ago(at)));
    context.ui.announce(&format!("latest is {}{}{}", newest.id, newest.taken(), age.unwrap_or_default()));
    Ok(newest)
}

/// The snapshot that a person chooses from those that can be restored, newest first.
///
/// # Errors
/// `NotFound` where there are none, `Interrupted` where the person gives up; else as the list of snapshots.
pub async fn snapshot_from_list(context: &Context, api: &Api, site_id: &str) -> Result<Choice> {
    let counter = context.ui.counter("snapshots", false);
    let all = counter.while_waiting(api.all_snapshots(site_id)).await?;
    counter.clear();
    let mut offered = usable(&all);
    offered.retain(|snapshot| snapshot.id().is_some());
    offered.sort_by_key(|snapshot| Reverse(created_at(snapshot)));
    if offered.is_empty() {
        return Err(none_usable(site_id).hint(list(api, site_id)));
    }
    let rows: Vec<Vec<String>> = offered.iter().map(|snapshot| row(snapshot)).collect();
    Choice::of(offered[context.ui.choose("Snapshot", &rows).await?])
}

/// The command that lists the snapshots of a site.
fn list(api: &Api, site_id: &str) -> String {
    format!("{} snapshots list {}", api.program(), arguments(&[site_id]))
}

/// What tells a snapshot from others: its id, when it was taken, and what else its record says that helps.
fn row(snapshot: &Record) -> Vec<String> {
    let (time, age) = match created_at(snapshot) {
        Some(at) => (format!("{at:.0}"), ago(at)),
        None => (snapshot.text("created_at").unwrap_or_else(|| "not dated".into()), String::new()),
    };
    let size = || snapshot.text("size_bytes").map(|text| text.parse().map_or(text, bytes));
    let words = ["name", "label", "type", "kind", "size"].iter().filter_map(|name| snapshot.text(name)).chain(size());
    [snapshot.id().unwrap_or_default(), time, age].into_iter().chain(words.filter(|word| !word.is_empty())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_what_helps_to_choose() {
        let tells = |json: &str| row(&Record::whole(json.into())).join("|");
        let at = r#""created_at":"2999-01-01T00:00:00.5Z""#;
        assert_eq!(
            tells(&format!(
                r#"{{"id":"s1",{at},"status":"succeeded","size_bytes":41333332,"type":"manual","files":[1]}}"#
            )),
            "s1|2999-01-01T00:00:00Z|in the future|manual|41.33 MB"
        );
        assert_eq!(tells(r#"{"id":"s1","created_at":"soon","name":"","size":"1 GB"}"#), "s1|soon||1 GB");
        assert_eq!(tells(r#"{"id":7,"size_bytes":"much","label":{"x":1}}"#), "7|not dated||much");
        assert!(tells(r#"{"id":"s1","created_at":"2020-01-01T00:00:00Z"}"#).ends_with(" ago"));
    }
}
