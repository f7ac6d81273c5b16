//! Sites, their URLs and their snapshots, listed at assumed paths (spec, "Other operations": not
//! shown).

use super::Api;
use crate::error::{Error, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{Record, SITES, SNAPSHOTS};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use reqwest::Url;

impl Api {
    /// Returns all sites of the account.
    pub async fn all_sites(&self) -> Result<Vec<Record>> {
        self.all_records(&self.top_level_listing(&SITES), &Query::default())
            .await
    }

    /// Returns all snapshots of a site.
    pub async fn all_snapshots(&self, site_id: &str) -> Result<Vec<Record>> {
        let listing = self.listing(&SNAPSHOTS, Some(site_id))?;
        self.all_records(&listing, &Query::default()).await
    }
}

/// Returns the newest snapshot, before a time, that can be restored: status `succeeded` (spec,
/// "Site restore", rule 1), by `created_at`.
///
/// # Errors
/// `NotFound` if none has succeeded; `Unavailable` if the newest is not known; `Invalid` if several
/// are the newest.
pub fn latest_snapshot(
    site_id: &str,
    snapshots: &[Record],
    before: Option<Timestamp>,
) -> Result<Record> {
    let mut candidates = Vec::new();
    for snapshot in usable_snapshots(snapshots) {
        candidates.push((created_at(snapshot), snapshot));
    }
    let is_undated = candidates.iter().any(|(time, _)| time.is_none());
    if is_undated && (candidates.len() > 1 || before.is_some()) {
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
        [] => Err(no_usable_snapshot(site_id, before)),
        [(_, newest)] => Ok((*newest).clone()),
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

/// Returns the snapshots that can be restored.
pub fn usable_snapshots(snapshots: &[Record]) -> Vec<&Record> {
    snapshots
        .iter()
        .filter(|snapshot| is_usable_snapshot(snapshot))
        .collect()
}

/// Returns the error of a site without a snapshot that can be restored.
pub fn no_usable_snapshot(site_id: &str, before: Option<Timestamp>) -> Error {
    let mut message = format!("site '{site_id}' has no snapshot with status 'succeeded'");
    if let Some(before) = before {
        message += &format!(" taken before {before:.0}");
    }
    Error::new(Kind::NotFound, message)
}

/// Whether a snapshot can be restored.
pub fn is_usable_snapshot(snapshot: &Record) -> bool {
    snapshot
        .text("status")
        .is_some_and(|status| status.eq_ignore_ascii_case("succeeded"))
}

/// Returns when a snapshot was taken, if that can be read. A time without an offset is UTC.
pub fn created_at(snapshot: &Record) -> Option<Timestamp> {
    let text = snapshot.text("created_at")?;
    if let Ok(timestamp) = text.parse() {
        return Some(timestamp);
    }
    let time: DateTime = text.parse().ok()?;
    let time = time.to_zoned(TimeZone::UTC).ok()?;
    Some(time.timestamp())
}

/// Fields that may have a site's URL; the spec shows none ("Other resources").
const URL_FIELDS: [&str; 3] = ["url", "site_url", "home_url"];

/// Whether a site is specified by its URL.
pub fn is_url(text: &str) -> bool {
    text.contains("://")
}

/// A site's URL without the parts that do not distinguish sites: the scheme, its default port, the
/// case of the host, a last slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteUrl(String);

impl SiteUrl {
    /// Parses a URL, with or without a scheme.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let url = if is_url(text) {
            Url::parse(text).ok()?
        } else {
            Url::parse(&format!("https://{text}")).ok()?
        };
        let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
        if host.is_empty() {
            return None;
        }
        let mut site_url = host;
        if let Some(port) = url.port() {
            site_url += &format!(":{port}");
        }
        site_url += url.path().trim_end_matches('/');
        if let Some(query) = url.query() {
            site_url += &format!("?{query}");
        }
        Some(Self(site_url))
    }
}

/// Returns a site's URLs. Its domain counts only if it has no URL, because several sites may share
/// a domain.
pub fn site_urls(site: &Record) -> Vec<String> {
    let field = |name: &&str| site.text(name).filter(|text| !text.is_empty());
    let urls: Vec<String> = URL_FIELDS.iter().filter_map(field).collect();
    if urls.is_empty() {
        return Vec::from_iter(field(&"domain"));
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
            (vec![], Err(Kind::NotFound)),
            (vec![failed], Err(Kind::NotFound)),
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
            let found = latest_snapshot("s", &rows.iter().map(record).collect::<Vec<_>>(), None);
            let found = found
                .map(|snapshot| snapshot.id().unwrap_or_default())
                .map_err(|error| error.kind);
            assert_eq!(found, expected.map(String::from), "{rows:?}");
        }
        let snapshot = |id, at| {
            Record::from_json(
                json!({"id": id, "status": "succeeded", "created_at": at}).to_string(),
            )
        };
        let before = latest_snapshot(
            "s",
            &[snapshot("a", january), snapshot("b", later)],
            later.parse().ok(),
        );
        assert!(before.is_ok_and(|snapshot| snapshot.id().as_deref() == Some("a")));
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
            .map(|url| url.0)
            .collect();
        assert_eq!(
            (distinct.len(), SiteUrl::parse("https://")),
            (different.len(), None)
        );
    }
}
