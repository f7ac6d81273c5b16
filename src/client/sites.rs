//! Sites, their addresses and their snapshots, listed at assumed paths (spec, "Other operations": not shown).

use super::Api;
use crate::error::{Error, Kind, Result};
use crate::resources::query::Query;
use crate::resources::{Record, SITES, SNAPSHOTS};
use jiff::Timestamp;
use reqwest::Url;

impl Api {
    /// Returns all sites of the account.
    ///
    /// # Errors
    /// As any list.
    pub async fn all_sites(&self) -> Result<Vec<Record>> {
        self.all(&self.listing_of(&SITES), &Query::default()).await
    }

    /// Returns all snapshots of a site.
    ///
    /// # Errors
    /// As any list.
    pub async fn all_snapshots(&self, site_id: &str) -> Result<Vec<Record>> {
        self.all(&self.list(&SNAPSHOTS, Some(site_id))?, &Query::default())
            .await
    }
}

/// Returns the newest snapshot, before a time, that can be restored: status `succeeded` (spec, "Site restore", rule 1),
/// by `created_at`.
///
/// # Errors
/// `NotFound` if none has succeeded; `Unavailable` if the newest is not known; `Invalid` if several are the newest.
pub fn latest(site_id: &str, snapshots: &[Record], before: Option<Timestamp>) -> Result<Record> {
    let is_early = |at: Timestamp| before.is_none_or(|before| at < before);
    let mut usable = usable(snapshots);
    usable.retain(|snapshot| created_at(snapshot).is_none_or(is_early));
    let undated = usable.iter().any(|snapshot| created_at(snapshot).is_none());
    if undated && (usable.len() > 1 || before.is_some()) {
        let what = "the newest snapshot is unknown: one has no readable 'created_at'";
        return Err(Error::new(Kind::Unavailable, what));
    }
    let at = usable.iter().map(|snapshot| created_at(snapshot)).max();
    let newest: Vec<_> = usable
        .iter()
        .filter(|snapshot| Some(created_at(snapshot)) == at)
        .collect();
    match newest.as_slice() {
        [] => Err(none_usable(site_id, before)),
        [newest] => Ok((**newest).clone()),
        several => {
            let ids: Vec<_> = several
                .iter()
                .filter_map(|snapshot| snapshot.id())
                .collect();
            let what = "the newest snapshots have the same 'created_at'; specify one by its id";
            Err(Error::new(
                Kind::Invalid,
                format!("{what}: {}", ids.join(", ")),
            ))
        }
    }
}

/// Returns the snapshots that can be restored.
pub fn usable(snapshots: &[Record]) -> Vec<&Record> {
    snapshots
        .iter()
        .filter(|snapshot| is_usable(snapshot))
        .collect()
}

/// Returns the error of a site without such snapshots.
pub fn none_usable(site_id: &str, before: Option<Timestamp>) -> Error {
    let before = before
        .map(|before| format!(" taken before {before:.0}"))
        .unwrap_or_default();
    Error::new(
        Kind::NotFound,
        format!("site '{site_id}' has no snapshot with status 'succeeded'{before}"),
    )
}

/// Whether a snapshot can be restored.
pub fn is_usable(snapshot: &Record) -> bool {
    snapshot
        .text("status")
        .is_some_and(|status| status.eq_ignore_ascii_case("succeeded"))
}

/// Returns when a snapshot was taken, if that can be read; a time without offset is UTC.
pub fn created_at(snapshot: &Record) -> Option<Timestamp> {
    let text = snapshot.text("created_at")?;
    let utc = || {
        text.parse::<jiff::civil::DateTime>()
            .ok()?
            .to_zoned(jiff::tz::TimeZone::UTC)
            .ok()
    };
    text.parse()
        .ok()
        .or_else(|| utc().map(|zoned| zoned.timestamp()))
}

/// The fields that may hold a site's URL; the spec shows none ("Other resources").
const WHOLE: [&str; 3] = ["url", "site_url", "home_url"];

/// Whether a site is specified by its URL.
pub fn is_url(text: &str) -> bool {
    text.contains("://")
}

/// An address without the parts that do not distinguish sites: the scheme, its default port, the case of the host, a last
/// slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Reads an address, with or without a scheme.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let url = if text.contains("://") {
            Url::parse(text)
        } else {
            Url::parse(&format!("https://{text}"))
        }
        .ok()?;
        let host = url
            .host_str()
            .map(|host| host.trim_end_matches('.').to_ascii_lowercase());
        let port = url
            .port()
            .map(|port| format!(":{port}"))
            .unwrap_or_default();
        let query = url
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        let host = host.filter(|host| !host.is_empty())?;
        Some(Self(format!(
            "{host}{port}{}{query}",
            url.path().trim_end_matches('/')
        )))
    }
}

/// Returns a site's addresses. Its domain counts only if it has no URL, because several sites may share a domain.
pub fn addresses(site: &Record) -> Vec<String> {
    let whole: Vec<String> = WHOLE
        .iter()
        .filter_map(|name| site.text(name))
        .filter(|text| !text.is_empty())
        .collect();
    if whole.is_empty() {
        site.text("domain")
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect()
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::HashSet;

    #[test]
    fn latest_goes_by_time_and_asks_if_that_does_not_decide() {
        let (january, later, same) = (
            "2026-01-01T00:00:00",
            "2026-02-01T00:00:00Z",
            "2026-02-01T01:00:00+01:00",
        );
        let (failed, running) = (
            ("f", "failed", Some(later)),
            ("r", "running", Some("2026-03-01T00:00:00Z")),
        );
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
                Record::whole(json!({"id": id, "status": status, "created_at": at}).to_string())
            };
            let found = latest("s", &rows.iter().map(record).collect::<Vec<_>>(), None);
            let found = found
                .map(|snapshot| snapshot.id().unwrap_or_default())
                .map_err(|error| error.kind);
            assert_eq!(found, expected.map(String::from), "{rows:?}");
        }
        let snapshot = |id, at| {
            Record::whole(json!({"id": id, "status": "succeeded", "created_at": at}).to_string())
        };
        let before = latest(
            "s",
            &[snapshot("a", january), snapshot("b", later)],
            later.parse().ok(),
        );
        assert!(before.is_ok_and(|snapshot| snapshot.id().as_deref() == Some("a")));
    }

    #[test]
    fn an_address_is_what_distinguishes_sites() {
        for text in [
            "http://shop.example.com/",
            "HTTPS://Shop.Example.COM:443//",
            "http://shop.example.com:80",
            "shop.example.com",
            " https://shop.example.com./ ",
            "https://user@shop.example.com/#top",
        ] {
            assert_eq!(
                Address::parse(text),
                Address::parse("https://shop.example.com"),
                "{text}"
            );
        }
        let apart = [
            "https://shop.example.com",
            "https://www.shop.example.com",
            "https://shop.example.com:8443",
            "https://shop.example.com/blog",
            "https://shop.example.com/Blog/",
            "https://shop.example.com/?p=1",
        ];
        let distinct: HashSet<_> = apart
            .iter()
            .filter_map(|text| Address::parse(text))
            .map(|address| address.0)
            .collect();
        assert_eq!(
            (distinct.len(), Address::parse("https://")),
            (apart.len(), None)
        );
    }
}
