//! Sites and their snapshots: listed at assumed paths (spec, "Other operations": not shown).

use super::{Address, Api};
use crate::error::{Error, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{Record, SITES, SNAPSHOTS};
use jiff::Timestamp;

impl Api {
    /// All sites of the account.
    ///
    /// # Errors
    /// As any list.
    pub async fn all_sites(&self) -> Result<Vec<Record>> {
        self.all(&self.listing_of(&SITES), &Query::default()).await
    }

    /// All snapshots of a site.
    ///
    /// # Errors
    /// `NotFound` where there is no such site.
    pub async fn all_snapshots(&self, site_id: &str) -> Result<Vec<Record>> {
        let found = self.all(&self.list(&SNAPSHOTS, Some(site_id))?, &Query::default()).await;
        found.map_err(|error| error.about_missing("site", site_id, &self.where_sites_are(site_id)))
    }

    /// Where to look for a site that was not found; what looks like a host may have been meant as a URL.
    fn where_sites_are(&self, site_id: &str) -> String {
        let looks_like_host =
            site_id.contains('.') && !site_id.contains([' ', '@']) && Address::parse(site_id).is_some();
        let by_url =
            if looks_like_host { format!("; by its URL, a site is named as https://{site_id}") } else { String::new() };
        format!("{}{by_url}", self.listing("sites"))
    }
}

/// The newest snapshot that can be restored: status `succeeded` (spec, "Site restore", rule 1), by `created_at`.
///
/// # Errors
/// `NotFound` if none has succeeded; `Unavailable` if the newest is not known; `Invalid` if several are the newest.
pub fn latest(site_id: &str, snapshots: &[Record]) -> Result<Record> {
    let usable = usable(snapshots);
    let undated = usable.iter().any(|snapshot| created_at(snapshot).is_none());
    if undated && usable.len() > 1 {
        let what = "the newest snapshot cannot be told: one has no readable 'created_at'";
        return Err(Error::new(Kind::Unavailable, what));
    }
    let at = usable.iter().map(|snapshot| created_at(snapshot)).max();
    let newest: Vec<_> = usable.iter().filter(|snapshot| Some(created_at(snapshot)) == at).collect();
    match newest.as_slice() {
        [] => Err(none_usable(site_id)),
        [newest] => Ok((**newest).clone()),
        several => {
            let ids: Vec<_> = several.iter().filter_map(|snapshot| snapshot.id()).collect();
            let what = "the newest snapshots have the same 'created_at'; specify one by its id";
            Err(Error::new(Kind::Invalid, format!("{what}: {}", ids.join(", "))))
        }
    }
}

/// The snapshots that can be restored.
pub fn usable(snapshots: &[Record]) -> Vec<&Record> {
    snapshots.iter().filter(|snapshot| is_usable(snapshot)).collect()
}

/// What to say of a site that has none of these.
pub fn none_usable(site_id: &str) -> Error {
    Error::new(Kind::NotFound, format!("site '{site_id}' has no snapshot with status 'succeeded'"))
}

/// Whether a snapshot can be restored.
pub fn is_usable(snapshot: &Record) -> bool {
    snapshot.text("status").is_some_and(|status| status.eq_ignore_ascii_case("succeeded"))
}

/// When a snapshot was taken, where it says so readably; a time without offset is UTC.
pub fn created_at(snapshot: &Record) -> Option<Timestamp> {
    let text = snapshot.text("created_at")?;
    let utc = || text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
    text.parse().ok().or_else(|| utc().map(|zoned| zoned.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::to_raw_value;

    fn snapshots(rows: &[(&str, &str, Option<&str>)]) -> Vec<Record> {
        let record = |(id, status, at): &(&str, &str, Option<&str>)| {
            to_raw_value(&serde_json::json!({"id": id, "status": status, "created_at": at})).ok().map(Record::new)
        };
        rows.iter().filter_map(record).collect()
    }

    #[test]
    fn latest_goes_by_time_not_by_order() -> Result<()> {
        let rows = snapshots(&[
            ("b", "succeeded", Some("2026-02-01T00:00:00Z")),
            ("c", "succeeded", Some("2026-02-01T01:30:00+01:00")),
            ("d", "running", Some("2026-03-01T00:00:00Z")),
            ("a", "Succeeded", Some("2026-01-01T00:00:00")),
        ]);
        assert_eq!(latest("s", &rows)?.id().as_deref(), Some("c"));
        Ok(())
    }

    #[test]
    fn none_or_an_unknown_order_is_an_error() {
        let kind = |rows: &[(&str, &str, Option<&str>)]| latest("s", &snapshots(rows)).err().map(|error| error.kind);
        assert_eq!(kind(&[]), Some(Kind::NotFound));
        assert_eq!(kind(&[("a", "failed", Some("2026-01-01T00:00:00Z"))]), Some(Kind::NotFound));
        assert_eq!(
            kind(&[("a", "succeeded", None), ("b", "succeeded", Some("2026-01-01T00:00:00Z"))]),
            Some(Kind::Unavailable)
        );
        assert_eq!(kind(&[("a", "succeeded", None)]), None);
        let same = |at: &str| {
            kind(&[
                ("a", "succeeded", Some("2026-01-01T00:00:00Z")),
                ("b", "succeeded", Some("2026-01-01T01:00:00+01:00")),
                ("c", "succeeded", Some(at)),
            ])
        };
        assert_eq!([same("2025-01-01T00:00:00Z"), same("2027-01-01T00:00:00Z")], [Some(Kind::Invalid), None]);
    }
}
