//! Sites, their addresses and their snapshots. The spec shows neither their paths nor their fields
//! ("Other operations").

use super::envelope::{self, Envelope};
use super::{Api, ListOptions, ListReader, Path, Request};
use crate::error::{Error, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{
    Record, SITES, SNAPSHOTS, ServiceTime, is_infection, name_assumed_path, scanner_word,
};
use jiff::Timestamp;
use reqwest::Url;

impl Api {
    /// Returns the site with this id.
    ///
    /// # Errors
    /// `NotFound` if the service answers 404; `Unavailable` if the response shows another site.
    pub async fn site(&self, id: &str) -> Result<Record> {
        let path = Path::new(&self.endpoints.site).fill("site_id", id)?;
        let request = Request::get(path.clone());
        let decode = |body: &[u8]| {
            let site = envelope::single_object(body, "site", Envelope::Optional)?;
            match site.id() {
                Some(shown) if shown == id => Ok(site),
                _ => Err(format!("the response does not show site '{id}'")),
            }
        };
        let site = self.one_record(&request, decode).await;
        site.map_err(|error| name_assumed_path(error, "site", path.as_str()))
    }

    /// Returns all sites of the account.
    pub async fn all_sites(&self) -> Result<Vec<Record>> {
        self.all_records(&self.top_level_endpoint(&SITES), &Query::default())
            .await
    }

    /// Returns the first page of a site's snapshots if it is enough, else all snapshots.
    pub async fn snapshots_until(
        &self,
        site_id: &str,
        is_enough: impl Fn(&[Record]) -> bool,
    ) -> Result<Vec<Record>> {
        let endpoint = self.list_endpoint(&SNAPSHOTS, Some(site_id))?;
        let query = Query::default();
        let reader = ListReader::new(self, &endpoint, &query, ListOptions::default());
        let snapshots = reader.records_until(is_enough).await?;
        if snapshots.iter().all(has_id) {
            Ok(snapshots)
        } else {
            let message = "a listed snapshot has no 'id'";
            Err(Error::new(Kind::Unavailable, message))
        }
    }
}

fn has_id(record: &Record) -> bool {
    record.id().is_some_and(|id| !id.is_empty())
}

/// Returns the newest of the usable snapshots by `created_at`: of all, or of those before a time.
/// None if there is none.
///
/// # Errors
/// `Unavailable` if times are missing that are needed to compare; `Invalid` if several snapshots
/// are the newest.
pub fn latest_snapshot(
    snapshots: &[Record],
    before: Option<Timestamp>,
    is_usable: impl Fn(&Record) -> bool,
) -> Result<Option<Record>> {
    let mut candidates = Vec::new();
    for snapshot in snapshots.iter().filter(|snapshot| is_usable(snapshot)) {
        candidates.push((created_at(snapshot), snapshot));
    }
    let lacks_a_time = candidates.iter().any(|(time, _)| time.is_none());
    // A single snapshot is the newest without a time, unless its time has to be compared.
    if lacks_a_time && (candidates.len() > 1 || before.is_some()) {
        return Err(Error::new(
            Kind::Unavailable,
            "the newest snapshot is unknown: one has no readable 'created_at'",
        ));
    }
    if before.is_some() {
        candidates.retain(|(time, _)| *time < before);
    }
    let newest_time = candidates.iter().map(|(time, _)| *time).max();
    candidates.retain(|(time, _)| Some(*time) == newest_time);
    match candidates.as_slice() {
        [] => Ok(None),
        [(_, newest)] => Ok(Some((*newest).clone())),
        several => {
            let mut ids = Vec::new();
            for (_, snapshot) in several {
                ids.extend(snapshot.id());
            }
            let ids = ids.join(", ");
            Err(Error::new(
                Kind::Invalid,
                format!(
                    "the newest snapshots have the same 'created_at'; \
                     specify one by its id: {ids}"
                ),
            ))
        }
    }
}

/// Refuses a snapshot that says that it belongs to another site.
///
/// # Errors
/// `Invalid` with the other site.
pub fn require_snapshot_of_site(snapshot: &Record, site_id: &str) -> Result<()> {
    let shown = snapshot
        .text("site_id")
        .or_else(|| snapshot.text_at("site.id"));
    match shown {
        Some(other_site) if other_site != site_id => {
            let id = snapshot.id().unwrap_or_default();
            let message = format!("snapshot {id} belongs to site '{other_site}'");
            Err(Error::new(Kind::Invalid, message))
        }
        _ => Ok(()),
    }
}

/// Whether the scanner calls a snapshot infected.
pub fn is_infected(snapshot: &Record) -> bool {
    scanner_word(snapshot).is_some_and(|word| is_infection(&word))
}

/// Returns when a snapshot was taken; None if the time is missing or unreadable.
pub fn created_at(snapshot: &Record) -> Option<Timestamp> {
    taken_at(snapshot).map(|time| time.instant)
}

/// Returns when a snapshot was taken, with the service's text.
pub fn taken_at(snapshot: &Record) -> Option<ServiceTime> {
    ServiceTime::parse(&snapshot.text("created_at")?)
}

/// Whether a text is the address of a site, which is looked up in the list of sites, and not an id.
pub fn is_address(text: &str) -> bool {
    text.contains(['.', '/'])
}

/// The address of a site in a form that can be compared: a host without `www.`, and a path. The
/// scheme, the user, the query and the fragment do not distinguish sites.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SiteUrl {
    /// The host and the port.
    pub host: String,
    path: Vec<String>,
}

impl SiteUrl {
    /// Parses a URL with or without a scheme; None if it has no host.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        // The query of an address without a scheme can have a URL.
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        let url = if scheme.is_some_and(|scheme| !scheme.contains(['/', '?', '#'])) {
            Url::parse(text).ok()?
        } else {
            let url = Url::parse(&format!("https://{text}")).ok()?;
            // An email is not the address of a site.
            Some(url).filter(|url| url.username().is_empty())?
        };
        let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
        let mut host = host.strip_prefix("www.").unwrap_or(&host).to_string();
        if host.is_empty() {
            return None;
        }
        if let Some(port) = url.port() {
            host += &format!(":{port}");
        }
        let segments = url.path().split('/').filter(|segment| !segment.is_empty());
        Some(Self {
            host,
            path: segments.map(String::from).collect(),
        })
    }

    /// Returns the number of segments of its path if `page` is an address of this site or below it.
    pub fn match_length(&self, page: &Self) -> Option<usize> {
        let is_below = self.host == page.host && page.path.starts_with(&self.path);
        is_below.then_some(self.path.len())
    }
}

/// Returns a site's addresses.
pub fn site_urls(site: &Record) -> impl Iterator<Item = String> {
    let fields = ["url", "home_url"].into_iter();
    fields.filter_map(|name| site.text(name).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::has_succeeded;
    use serde_json::json;

    #[test]
    fn latest_is_the_newest_that_succeeded_and_is_not_infected() {
        let january = "2026-01-01T00:00:00";
        let later = "2026-02-01T00:00:00Z";
        let same = "2026-02-01T01:00:00+01:00";
        let newest = "2026-03-01T00:00:00Z";
        let snapshot = |(id, status, at, scanner): (&str, &str, Option<&str>, &str)| {
            let security = json!({"scanner": {"status": scanner}});
            let snapshot =
                json!({"id": id, "status": status, "created_at": at, "security": security});
            Record::from_json(snapshot.to_string())
        };
        let failed = ("f", "failed", Some(later), "clean");
        let running = ("r", "running", Some(newest), "clean");
        let hacked = ("h", "succeeded", Some(newest), "Hacked");
        let clean = |id, at| (id, "succeeded", at, "clean");
        let unknown = ("u", "Succeeded", Some(january), "pending");
        let is_usable = |snapshot: &Record| has_succeeded(snapshot) && !is_infected(snapshot);
        for (rows, expected) in [
            (
                vec![clean("b", Some(later)), running, hacked, unknown],
                Ok("b"),
            ),
            (vec![hacked, unknown], Ok("u")),
            (vec![clean("a", None), failed], Ok("a")),
            (vec![failed, hacked], Ok("")),
            (
                vec![clean("a", None), clean("b", Some(later))],
                Err(Kind::Unavailable),
            ),
            (
                vec![clean("a", Some(later)), clean("b", Some(same))],
                Err(Kind::Invalid),
            ),
        ] {
            let records: Vec<Record> = rows.iter().copied().map(snapshot).collect();
            let found = latest_snapshot(&records, None, is_usable)
                .map(|snapshot| snapshot.and_then(|found| found.id()).unwrap_or_default())
                .map_err(|error| error.kind);
            assert_eq!(found, expected.map(String::from), "{rows:?}");
        }
        let records = [clean("a", Some(january)), clean("b", Some(later))].map(snapshot);
        let before = latest_snapshot(&records, later.parse().ok(), is_usable);
        let before = before.ok().flatten().and_then(|snapshot| snapshot.id());
        assert_eq!(before.as_deref(), Some("a"));
        let without_time = [snapshot(clean("a", None))];
        let before = latest_snapshot(&without_time, later.parse().ok(), is_usable);
        assert!(before.is_err());
    }
}
