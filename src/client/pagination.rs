//! Where a list stands and whether more records follow, as far as a response shows it. The spec has `meta.pagination`
//! ("Pagination envelope"); services put the same numbers in other places and spell them differently.

use crate::resources::{Member, last, members, unquoted};
use reqwest::header::{HeaderMap, LINK};
use serde_json::value::RawValue;

/// Levels of objects that are searched for signs of more records.
const LEVELS: usize = 3;

// Names are compared in lower case, without `_` and `-`.
const PAGE: &[&str] = &["page", "currentpage"];
const PER_PAGE: &[&str] = &["perpage", "pagesize"];
const TOTAL_PAGES: &[&str] = &["totalpages", "pages", "pagecount", "lastpage"];
const TOTAL_ITEMS: &[&str] = &["totalitems", "total", "totalcount", "totalrecords", "totalresults", "totalelements"];
/// These count either the records of the list or those of the page.
const COUNT: &[&str] = &["count", "itemcount", "recordcount", "resultcount"];
/// Objects whose numbers are about the list.
const ABOUT_LIST: &[&str] = &["meta", "metadata", "pagination", "paging", "page", "pageinfo"];
const MORE: &[&str] = &["more", "moreavailable", "truncated", "istruncated", "after", "pagetoken", "continuationtoken"];

/// Where a list stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pagination {
    /// From 1.
    pub page: Option<u64>,
    /// Rows in a page, as the service counted them.
    pub per_page: Option<u64>,
    /// Pages in all.
    pub total_pages: Option<u64>,
    /// Records in all.
    pub total_items: Option<u64>,
    /// The list has at least this many records.
    pub at_least: u64,
    /// `has_more`, a cursor or a link to a next page is set.
    pub more: bool,
}

impl Pagination {
    /// Reads `meta.pagination`, `pagination`, or the same numbers directly in `meta` or at the top of a response.
    pub fn of(top: &[Member<'_>]) -> Self {
        let meta = object(top, "meta");
        let places = [&object(&meta, "pagination"), &object(top, "pagination"), &meta[..], top];
        let read = |names| places.iter().find_map(|place| number_named(place, names));
        let mut found = Self {
            page: read(PAGE),
            per_page: read(PER_PAGE),
            total_pages: read(TOTAL_PAGES),
            total_items: read(TOTAL_ITEMS),
            ..Self::default()
        };
        found.look_for_more(top, LEVELS, true);
        found
    }

    fn look_for_more(&mut self, within: &[Member<'_>], levels: usize, about_list: bool) {
        for (name, raw) in within {
            let name = plain(name);
            let is_next = name.starts_with("next") && !["at", "date", "time"].iter().any(|end| name.ends_with(end));
            let is_cursor = name.contains("cursor") && !name.contains("prev") && !name.contains("start");
            let is_more = name.starts_with("hasmore") || name.starts_with("hasnext") || MORE.contains(&&*name);
            match raw.get().as_bytes().first() {
                Some(b'[') => {}
                Some(b'{') if is_next => self.more |= raw.get() != "{}",
                Some(b'{') if levels > 1 => {
                    let about_list = about_list && ABOUT_LIST.contains(&&*name);
                    self.look_for_more(&members(raw.get()).unwrap_or_default(), levels - 1, about_list);
                }
                Some(b'{') => {}
                _ if is_next || is_cursor || is_more => self.more |= is_set(raw),
                _ if about_list && [TOTAL_ITEMS, COUNT].concat().contains(&&*name) => {
                    self.at_least = self.at_least.max(number(raw).unwrap_or(0));
                }
                _ => {}
            }
        }
    }
}

/// Whether the `Link` header names a next page.
pub fn has_next_link(headers: &HeaderMap) -> bool {
    let is_next = |parameter: &str| {
        parameter.split_once('=').is_some_and(|(name, value)| {
            let mut relations = value.trim().trim_matches('"').split_ascii_whitespace();
            name.trim().eq_ignore_ascii_case("rel") && relations.any(|relation| relation.eq_ignore_ascii_case("next"))
        })
    };
    let values = headers.get_all(LINK).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|link| link.split(';').skip(1).any(is_next))
}

fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_ascii_lowercase()
}

/// The members of an object in an object; none if it is not there.
fn object<'r>(within: &[Member<'r>], name: &str) -> Vec<Member<'r>> {
    last(within, name).and_then(|raw| members(raw.get()).ok()).unwrap_or_default()
}

fn number_named(members: &[Member<'_>], names: &[&str]) -> Option<u64> {
    let mut named = members.iter().rev().filter(|(name, _)| names.contains(&&*plain(name)));
    named.find_map(|(_, raw)| number(raw))
}

/// Reads `70`, `"70"` and `70.0`; 70.5 is not a count.
fn number(raw: &RawValue) -> Option<u64> {
    let text = unquoted(raw.get());
    let text = text.trim();
    let whole = text.split_once('.').filter(|(_, rest)| rest.bytes().all(|digit| digit == b'0'));
    whole.map_or(text, |(whole, _)| whole).parse().ok()
}

fn is_set(raw: &RawValue) -> bool {
    !matches!(unquoted(raw.get()).trim(), "" | "null" | "false" | "0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn of(body: &str) -> Pagination {
        Pagination::of(&members(body).unwrap_or_default())
    }

    #[test]
    fn totals_are_read_in_every_place_and_spelling() {
        let all = |found: Pagination| [found.page, found.per_page, found.total_pages, found.total_items];
        for text in [
            r#"{"page":1,"perPage":25,"totalPages":3,"totalItems":70}"#,
            r#"{"page":"1","perPage":" 25 ","totalPages":"3","totalItems":"70"}"#,
            r#"{"page":1.0,"perPage":25.0,"totalPages":3.0,"totalItems":"70.00"}"#,
            r#"{"current_page":1,"per_page":25,"total_pages":3,"total":70}"#,
            r#"{"page":1,"page_size":25,"pages":3,"totalItems":null,"total_count":70}"#,
        ] {
            let bodies = [
                format!(r#"{{"meta":{{"pagination":{text}}}}}"#),
                format!(r#"{{"a":[],"pagination":{text}}}"#),
                format!(r#"{{"meta":{text}}}"#),
                text.to_string(),
            ];
            for body in bodies {
                assert_eq!(all(of(&body)), [Some(1), Some(25), Some(3), Some(70)], "{body}");
            }
        }
        for text in [r#"{"totalItems":-1,"totalPages":2.5,"page":"x","perPage":[]}"#, r#"{"count":7}"#, "{}", "7", "[]"]
        {
            assert_eq!(all(of(&format!(r#"{{"meta":{{"pagination":{text}}}}}"#))), [None; 4], "{text}");
        }
    }

    #[test]
    fn signs_of_more_records_are_seen() {
        for body in [
            r#"{"has_more":true}"#,
            r#"{"meta":{"hasMore":1}}"#,
            r#"{"next":"https://x.example/?page=2"}"#,
            r#"{"meta":{"next_page":2}}"#,
            r#"{"nextPageToken":"abc"}"#,
            r#"{"_links":{"next":{"href":"/x"}}}"#,
            r#"{"meta":{"cursor":"abc"}}"#,
            r#"{"meta":{"cursors":{"after":"abc"}}}"#,
            r#"{"pageInfo":{"hasNextPage":true}}"#,
        ] {
            assert!(of(body).more, "{body}");
        }
        for body in [
            r#"{"has_more":false,"next":null,"next_cursor":"","next_page":0,"links":{"next":null,"prev":"x"}}"#,
            r#"{"previous_cursor":"x","startCursor":"x","next_snapshot_at":"2026-01-01","list":[{"next":1}]}"#,
        ] {
            assert!(!of(body).more, "{body}");
        }
        assert_eq!(of(r#"{"count":70,"meta":{"count":"9"},"quota":{"total":90}}"#).at_least, 70);
        assert_eq!(of(r#"{"page":{"totalElements":80}}"#).at_least, 80);
    }

    #[test]
    fn a_link_header_can_name_a_next_page() {
        let has_next = |link| has_next_link(&HeaderMap::from_iter([(LINK, HeaderValue::from_static(link))]));
        for link in [
            r#"<https://x.example/?page=2>; rel="next""#,
            "</x>; rel=prev, </y,z>; title=a; REL=Next",
            r#"<x>; rel="last next""#,
        ] {
            assert!(has_next(link), "{link}");
        }
        for link in [r#"<https://x.example/?rel=next>; rel="prev""#, "<next>; rel=first", ""] {
            assert!(!has_next(link), "{link}");
        }
    }
}
