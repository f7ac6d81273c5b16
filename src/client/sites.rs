//! Sites, their URLs and their snapshots. The paths of their lists are assumptions, because the
//! spec does not show them ("Other operations").

use super::Api;
use crate::error::{Error, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{Record, SITES, SNAPSHOTS, ServiceTime};
use jiff::Timestamp;
use reqwest::Url;

impl Api {
    /// Returns all sites of the account.
    pub async fn all_sites(&self) -> Result<Vec<Record>> {
        self.all_records(&self.top_level_endpoint(&SITES), &Query::default())
            .await
    }

    /// Returns all snapshots of a site.
    pub async fn all_snapshots(&self, site_id: &str) -> Result<Vec<Record>> {
        let endpoint = self.list_endpoint(&SNAPSHOTS, Some(site_id))?;
        self.all_records(&endpoint, &Query::default()).await
    }
}

/// Returns the newest usable snapshot by `created_at`: of all snapshots, or of those before a time.
/// None if there is no usable one.
///
/// # Errors
/// `Unavailable` if times are missing that are needed to compare; `Invalid` if several snapshots
/// are the newest.
pub fn latest_snapshot(snapshots: &[Record], before: Option<Timestamp>) -> Result<Option<Record>> {
    let mut candidates = Vec::new();
    for snapshot in usable_snapshots(snapshots) {
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

/// Returns the snapshots that are newer than a time and cannot be restored: of all, or of those
/// before a time.
pub fn newer_unusable_snapshots(
    snapshots: &[Record],
    newer_than: Timestamp,
    before: Option<Timestamp>,
) -> Vec<Record> {
    let is_newer = |snapshot: &&Record| {
        created_at(snapshot)
            .is_some_and(|at| at > newer_than && before.is_none_or(|before| at < before))
    };
    snapshots
        .iter()
        .filter(is_newer)
        .filter(|snapshot| !is_usable_snapshot(snapshot))
        .cloned()
        .collect()
}

pub fn usable_snapshots(snapshots: &[Record]) -> Vec<&Record> {
    snapshots
        .iter()
        .filter(|snapshot| is_usable_snapshot(snapshot))
        .collect()
}

/// Refuses a snapshot that says that it belongs to another site.
///
/// # Errors
/// `Invalid` with the other site.
pub fn require_snapshot_of_site(snapshot: &Record, site_id: &str) -> Result<()> {
    match site_of_snapshot(snapshot) {
        Some(other_site) if other_site != site_id => {
            let id = snapshot.id().unwrap_or_default();
            let message = format!("snapshot {id} belongs to site '{other_site}'");
            Err(Error::new(Kind::Invalid, message))
        }
        _ => Ok(()),
    }
}

/// Returns the site that a snapshot says that it belongs to. The fields of snapshots are not
/// specified: these are the usual forms.
fn site_of_snapshot(snapshot: &Record) -> Option<String> {
    let site = snapshot.value("site").unwrap_or_default();
    let nested_id = site["id"].as_str().map(String::from);
    snapshot.text("site_id").or(nested_id)
}

/// Whether a snapshot can be restored: its status is `succeeded` (spec, "Site restore", rule 1).
pub fn is_usable_snapshot(snapshot: &Record) -> bool {
    snapshot
        .text("status")
        .is_some_and(|status| status.eq_ignore_ascii_case("succeeded"))
}

/// Returns when a snapshot was taken; None if the time is missing or unreadable.
pub fn created_at(snapshot: &Record) -> Option<Timestamp> {
    taken_at(snapshot).map(|time| time.instant)
}

/// Returns when a snapshot was taken, with the service's text.
pub fn taken_at(snapshot: &Record) -> Option<ServiceTime> {
    ServiceTime::parse(&snapshot.text("created_at")?)
}

/// Fields that may have a site's URL. The spec shows no field for it ("Other resources").
const URL_FIELDS: [&str; 3] = ["url", "site_url", "home_url"];

/// Whether an argument specifies a site by its URL, rather than by its id.
pub fn is_url(text: &str) -> bool {
    text.contains("://")
}

/// A site's URL in a form that can be compared: without the parts that do not distinguish sites,
/// which are the scheme, its default port, user, fragment and last slash, and the case of the host.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SiteUrl {
    /// The host and the port.
    host: String,
    /// The path and the query.
    path: String,
}

impl SiteUrl {
    /// Parses a URL with or without a scheme; None if it has no host.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let url = if is_url(text) {
            Url::parse(text).ok()?
        } else {
            Url::parse(&format!("https://{text}")).ok()?
        };
        let mut host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
        if host.is_empty() {
            return None;
        }
        if let Some(port) = url.port() {
            host += &format!(":{port}");
        }
        let mut path = url.path().trim_end_matches('/').to_string();
        if let Some(query) = url.query() {
            path += &format!("?{query}");
        }
        Some(Self { host, path })
    }

    pub fn has_same_host(&self, other: &Self) -> bool {
        self.host == other.host
    }

    /// Whether the hosts are the same, with or without `www.` in front.
    pub fn has_same_domain(&self, other: &Self) -> bool {
        self.domain() == other.domain()
    }

    fn domain(&self) -> &str {
        self.host.strip_prefix("www.").unwrap_or(&self.host)
    }
}

/// Returns a site's URLs. Its domain counts only if it has no URL, because several sites may share
/// a domain.
pub fn site_urls(site: &Record) -> Vec<String> {
    let field = |name: &&str| site.text(name).filter(|text| !text.is_empty());
    let urls: Vec<String> = URL_FIELDS.iter().filter_map(field).collect();
    if urls.is_empty() {
        return field(&"domain").into_iter().collect();
    }
    urls
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::HashSet;

    #[test]
    fn latest_uses_the_newest_snapshot_and_rejects_ties() {
        let january = "2026-01-01T00:00:00";
        let later = "2026-02-01T00:00:00Z";
        let same = "2026-02-01T01:00:00+01:00";
        let failed = ("f", "failed", Some(later));
        let running = ("r", "running", Some("2026-03-01T00:00:00Z"));
        for (rows, expected) in [
            (
                vec![
                    ("b", "succeeded", Some(later)),
                    running,
                    ("a", "Succeeded", Some(january)),
                ],
                Ok("b"),
            ),
            (vec![("a", "succeeded", None), failed], Ok("a")),
            (vec![], Ok("")),
            (vec![failed], Ok("")),
            (
                vec![("a", "succeeded", None), ("b", "succeeded", Some(later))],
                Err(Kind::Unavailable),
            ),
            (
                vec![
                    ("a", "succeeded", Some(later)),
                    ("b", "succeeded", Some(same)),
                ],
                Err(Kind::Invalid),
            ),
        ] {
            let record = |(id, status, at): &(&str, &str, Option<&str>)| {
                Record::from_json(json!({"id": id, "status": status, "created_at": at}).to_string())
            };
            let found = latest_snapshot(&rows.iter().map(record).collect::<Vec<_>>(), None);
            let found = found
                .map(|snapshot| snapshot.and_then(|found| found.id()).unwrap_or_default())
                .map_err(|error| error.kind);
            assert_eq!(found, expected.map(String::from), "{rows:?}");
        }
        let snapshot = |id, at| {
            Record::from_json(
                json!({"id": id, "status": "succeeded", "created_at": at}).to_string(),
            )
        };
        let before = latest_snapshot(
            &[snapshot("a", january), snapshot("b", later)],
            later.parse().ok(),
        );
        let before = before.ok().flatten().and_then(|snapshot| snapshot.id());
        assert_eq!(before.as_deref(), Some("a"));
    }

    #[test]
    fn sites_are_identified_by_url() {
        for text in [
            "http://shop.example.com/",
            "HTTPS://Shop.Example.COM:443//",
            "http://shop.example.com:80",
            "shop.example.com",
            " https://shop.example.com./ ",
            "https://user@shop.example.com/#top",
        ] {
            assert_eq!(
                SiteUrl::parse(text),
                SiteUrl::parse("https://shop.example.com"),
                "{text}"
            );
        }
        let different = [
            "https://shop.example.com",
            "https://www.shop.example.com",
            "https://shop.example.com:8443",
            "https://shop.example.com/blog",
            "https://shop.example.com/Blog/",
            "https://shop.example.com/?p=1",
        ];
        let distinct: HashSet<_> = different
            .iter()
            .filter_map(|text| SiteUrl::parse(text))
            .collect();
        assert_eq!(
            (distinct.len(), SiteUrl::parse("https://")),
            (different.len(), None)
        );
    }
}
