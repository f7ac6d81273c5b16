//! Where a list stands and whether more records follow, as far as a response shows it. The spec has `meta.pagination`
//! ("Pagination envelope"), which decides alone if it is there. Other services put the same numbers in other places, spell
//! them differently, or show only that more records follow.

use crate::resources::{Member, last, members, unquoted};
use reqwest::header::{CONTENT_RANGE, HeaderMap, LINK};
use serde_json::value::RawValue;

// Names are compared in lower case, without punctuation.
const PAGE: &[&str] = &["page", "currentpage"];
const PER_PAGE: &[&str] = &["perpage", "pagesize"];
const TOTAL_PAGES: &[&str] = &["totalpages", "pages", "numpages", "pagecount", "lastpage"];
const TOTAL_ITEMS: &[&str] = &[
    "totalitems",
    "total",
    "totalcount",
    "totalrecords",
    "totalresults",
    "totalelements",
    "totalentries",
    "totalrows",
];
/// Objects that are about the list.
const ABOUT_LIST: &[&str] = &[
    "meta",
    "metadata",
    "responsemetadata",
    "pagination",
    "paging",
    "page",
    "pageinfo",
    "info",
    "links",
    "cursors",
    "hydraview",
    "data",
    "result",
];
/// Parts of names that show that more records follow, unless the value is false, zero or empty.
const MORE: &[&str] = &[
    "next",
    "cursor",
    "marker",
    "hasmore",
    "morerecords",
    "moreitems",
    "moreresults",
    "moreavailable",
    "pagetoken",
    "paginationtoken",
    "continuation",
    "scroll",
    "lastevaluated",
    "truncated",
    "incomplete",
    "partial",
];
/// Parts of names that are about earlier records.
const NOT_MORE: &[&str] = &["prev", "startcursor"];
/// Whole names that show that more records follow.
const MORE_WHOLE: &[&str] = &["more", "after", "continue", "remaining"];
/// Names that show that more records follow if the value is false.
const NOT_LAST: &[&str] = &["last", "islast", "lastpage", "islastpage", "final", "done", "complete"];

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
    /// The total is where the spec has it.
    pub is_specified: bool,
    /// The list has at least this many records.
    pub at_least: u64,
    /// Something shows that more records follow: `has_more`, a cursor, a link to a next page.
    pub more: bool,
}

impl Pagination {
    /// Reads `meta.pagination`; else `pagination`, or the same numbers directly in `meta` or at the top of a response, and
    /// every sign of more records.
    pub fn of(top: &[Member<'_>]) -> Self {
        let meta = object(top, "meta");
        let specified = object(&meta, "pagination");
        let is_specified = number_named(&specified, &["totalitems"]).is_some();
        let places = [&specified, &object(top, "pagination"), &meta[..], top];
        let places = if is_specified { &places[..1] } else { &places };
        let read = |names| places.iter().find_map(|place| number_named(place, names));
        let mut found = Self {
            page: read(PAGE),
            per_page: read(PER_PAGE),
            total_pages: read(TOTAL_PAGES),
            total_items: read(TOTAL_ITEMS),
            is_specified,
            ..Self::default()
        };
        if !is_specified {
            found.look_for_more(top, true);
        }
        found
    }

    /// Adds the signs of more records in the headers of a response.
    #[must_use]
    pub fn with_headers(mut self, headers: &HeaderMap) -> Self {
        let number = |name| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
        if !self.is_specified {
            self.more |= has_next_link(headers) || number("x-next-page").is_some();
            // Such as `items 0-19/21`.
            let range =
                headers.get(CONTENT_RANGE).and_then(|range| range.to_str().ok()?.rsplit('/').next()?.parse().ok());
            let totals = ["x-total-count", "x-total"].into_iter().filter_map(number).chain(range);
            self.at_least = totals.chain([self.at_least]).max().unwrap_or_default();
            self.total_pages = self.total_pages.or_else(|| number("x-total-pages"));
        }
        self
    }

    fn look_for_more(&mut self, within: &[Member<'_>], is_top: bool) {
        for (name, raw) in within {
            let name = plain(name);
            // At the top, times such as `next_run_at` are about something else than the list.
            let is_time = is_top && ["at", "date", "time"].iter().any(|end| name.ends_with(end));
            let is_more = MORE_WHOLE.contains(&&*name) || MORE.iter().any(|part| name.contains(part));
            let is_more = is_more && !is_time && !NOT_MORE.iter().any(|part| name.contains(part));
            let is_count = TOTAL_ITEMS.contains(&&*name)
                || name.contains("count")
                || (name.contains("total") && !name.contains("page"));
            match raw.get().as_bytes().first() {
                Some(b'{') if ABOUT_LIST.contains(&&*name) => {
                    self.look_for_more(&members(raw.get()).unwrap_or_default(), false);
                }
                Some(b'{' | b'[') if is_more => self.more |= !matches!(raw.get(), "{}" | "[]"),
                Some(b'[') if name == "links" => self.more |= links_to_next(raw),
                Some(b'{' | b'[') => {}
                Some(b'f') if NOT_LAST.contains(&&*name) => self.more = true,
                _ if is_more => self.more |= is_set(raw),
                _ if is_count => self.at_least = self.at_least.max(number(raw).unwrap_or(0)),
                _ => {}
            }
        }
    }
}

/// Whether an array of links has one to a next page.
fn links_to_next(raw: &RawValue) -> bool {
    let links: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    let is_next = |link: &&RawValue| {
        let members = members(link.get()).unwrap_or_default();
        last(&members, "rel").is_some_and(|rel| unquoted(rel.get()).eq_ignore_ascii_case("next"))
    };
    links.iter().any(is_next)
}

/// Whether the `Link` header names a next page.
fn has_next_link(headers: &HeaderMap) -> bool {
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
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
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
            r#"{"@odata.nextLink":"https://x.example/?page=2"}"#,
            r#"{"hydra:view":{"hydra:next":"/x"}}"#,
            r#"{"links":[{"rel":"self","href":"/x"},{"rel":"next","href":"/y"}]}"#,
            r#"{"metadata":{"continue":"abc"}}"#,
            r#"{"pagination":{"next_start_at":20}}"#,
            r#"{"isLast":false}"#,
            r#"{"more_records":true}"#,
            r#"{"meta":{"remaining":1}}"#,
            r#"{"LastEvaluatedKey":{"id":"x"}}"#,
            r#"{"incomplete_results":true}"#,
            r#"{"info":{"more_records":true}}"#,
            r#"{"pagination":{"next":["/x"]}}"#,
            r#"{"marker":"x"}"#,
        ] {
            assert!(of(body).more, "{body}");
        }
        for body in [
            r#"{"has_more":false,"next":null,"next_cursor":"","next_page":0,"links":{"next":null,"prev":"x"}}"#,
            r#"{"previous_cursor":"x","startCursor":"x","next_snapshot_at":"2026-01-01","list":[{"next":1}]}"#,
            r#"{"account":{"next_invoice":"2026-12-01"},"is_last":true,"links":[{"rel":"prev"}]}"#,
            r#"{"meta":{"pagination":{"totalItems":1},"total":500},"has_more":true}"#,
        ] {
            assert!(!of(body).more, "{body}");
        }
        assert_eq!(of(r#"{"count":70,"meta":{"count":"9"},"quota":{"total":90}}"#).at_least, 70);
        assert_eq!(of(r#"{"page":{"totalElements":80}}"#).at_least, 80);
        assert_eq!(of(r#"{"total_snapshots":21}"#).at_least, 21);
        assert_eq!(of(r#"{"meta":{"pagination":{"totalItems":1},"total":500}}"#).at_least, 0);
    }

    #[test]
    fn headers_can_show_more_records() {
        let of = |name: &'static str, value: &'static str, body: &str| {
            of(body).with_headers(&HeaderMap::from_iter(
                [(name.parse().ok(), HeaderValue::from_static(value))]
                    .into_iter()
                    .filter_map(|(name, value)| Some((name?, value))),
            ))
        };
        assert_eq!(of("content-range", "items 0-19/21", "{}").at_least, 21);
        assert_eq!(of("x-total-count", "21", "{}").at_least, 21);
        assert!(of("x-next-page", "2", "{}").more && !of("x-next-page", "", "{}").more);
        let specified = r#"{"meta":{"pagination":{"totalItems":1}}}"#;
        assert_eq!(of("x-total-count", "21", specified).at_least, 0);
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
