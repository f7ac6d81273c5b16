//! Reads page counts and totals from a response. The spec has `meta.pagination` ("Pagination
//! envelope"). If it has `totalItems`, everything else is ignored. Lists that the spec does not
//! show can have the same numbers elsewhere, or only an announcement of more records.

use crate::resources::{Member, member_value, members, unquote};
use reqwest::header::{HeaderMap, LINK};
use serde_json::value::RawValue;

// These names and parts are compared with names in lower case without punctuation.

const TOTAL_PAGES: &[&str] = &["totalpages", "pages", "pagecount", "lastpage"];
const TOTAL_ITEMS: &[&str] = &["totalitems", "total", "totalcount"];
/// Names of objects that describe the list.
const LIST_OBJECTS: [&str; 9] = [
    "meta",
    "metadata",
    "pagination",
    "paging",
    "page",
    "pageinfo",
    "links",
    "cursors",
    "hydraview",
];
/// Parts of names of members that announce more records, unless the value is false, zero or empty.
const MORE: &[&str] = &["next", "cursor", "more", "pagetoken", "continu"];
/// Complete names of such members.
const MORE_NAMES: &[&str] = &[
    "after",
    "remaining",
    "truncated",
    "istruncated",
    "incompleteresults",
];
/// Parts of names of members that refer to earlier records, although the name matches `MORE`.
const NOT_MORE: &[&str] = &["prev", "startcursor"];
/// Parts of names of numbers of records.
const COUNTS: &[&str] = &["total", "count"];
/// Ends of names of times. At the top of a response, times such as `next_run_at` are not about the
/// list.
const TIMES: &[&str] = &["at", "date", "time"];

/// The page counts and totals of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pagination {
    pub total_pages: Option<u64>,
    pub total_items: Option<u64>,
    /// Whether the total is `meta.pagination.totalItems`, as the spec requires.
    pub is_specified: bool,
    /// A lower bound of the number of records: the largest count anywhere in the response;
    /// `u64::MAX` if the response announces more records by `has_more`, a cursor or a link to a
    /// next page; 0 if `is_specified`.
    pub lower_bound: u64,
}

impl Pagination {
    /// Reads the members of a response. Only `meta.pagination` counts if it has `totalItems`.
    /// Otherwise, each number is taken from the first object that has it, and every announcement of
    /// more records counts.
    pub fn from_members(top: &[Member<'_>]) -> Self {
        let meta = nested_members(top, "meta");
        let specified = nested_members(&meta, "pagination");
        if find_number(&specified, &["totalitems"]).is_some() {
            return Self {
                total_pages: find_number(&specified, TOTAL_PAGES),
                total_items: find_number(&specified, TOTAL_ITEMS),
                is_specified: true,
                lower_bound: 0,
            };
        }
        let top_pagination = nested_members(top, "pagination");
        let objects = [&specified, &top_pagination, &meta, top];
        let find = |names| objects.iter().find_map(|object| find_number(object, names));
        let mut pagination = Self {
            total_pages: find(TOTAL_PAGES),
            total_items: find(TOTAL_ITEMS),
            ..Self::default()
        };
        pagination.add_lower_bounds(top, TIMES);
        pagination
    }

    /// Adds the counts in the headers of a response, unless `is_specified`.
    #[must_use]
    pub fn with_headers(mut self, headers: &HeaderMap) -> Self {
        if self.is_specified {
            return self;
        }
        let number = |name| headers.get(name)?.to_str().ok()?.trim().parse::<u64>().ok();
        self.total_pages = self.total_pages.or(number("x-total-pages"));
        if has_next_link(headers) || number("x-next-page").is_some() {
            self.lower_bound = u64::MAX;
        }
        for name in ["x-total-count", "x-total"] {
            self.lower_bound = self.lower_bound.max(number(name).unwrap_or(0));
        }
        self
    }

    /// Adds the lower bounds in the response, or in one of its objects that describe the list.
    /// Members whose names end with one of `ignored_ends` announce nothing.
    fn add_lower_bounds(&mut self, object: &[Member<'_>], ignored_ends: &[&str]) {
        for (name, raw) in object {
            let name = normalized_name(name);
            if raw.get().starts_with('{') && LIST_OBJECTS.contains(&&*name) {
                self.add_lower_bounds(&members(raw.get()).unwrap_or_default(), &[]);
                continue;
            }
            if announces_more(&name, ignored_ends) {
                if is_set(raw) {
                    self.lower_bound = u64::MAX;
                }
            } else if contains_one_of(&name, COUNTS) && !name.contains("page") {
                self.lower_bound = self.lower_bound.max(parse_number(raw).unwrap_or(0));
            }
        }
    }
}

/// Whether a member with this name announces more records if its value is set.
fn announces_more(name: &str, ignored_ends: &[&str]) -> bool {
    let is_ignored = ignored_ends.iter().any(|end| name.ends_with(end));
    let is_more = contains_one_of(name, MORE) || MORE_NAMES.contains(&name);
    is_more && !is_ignored && !contains_one_of(name, NOT_MORE)
}

fn contains_one_of(name: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| name.contains(part))
}

/// Whether the `Link` header has a link to a next page.
fn has_next_link(headers: &HeaderMap) -> bool {
    for value in headers.get_all(LINK) {
        let Ok(links) = value.to_str() else {
            continue;
        };
        for link in links.split(',') {
            for parameter in link.split(';').skip(1) {
                let parameter = parameter.to_ascii_lowercase();
                if parameter.replace(['"', ' '], "") == "rel=next" {
                    return true;
                }
            }
        }
    }
    false
}

fn normalized_name(name: &str) -> String {
    let mut normalized = name.to_ascii_lowercase();
    normalized.retain(|c| c.is_ascii_alphanumeric());
    normalized
}

/// Returns the members of the object `name` in an object; no members if it does not exist.
fn nested_members<'r>(object: &[Member<'r>], name: &str) -> Vec<Member<'r>> {
    match member_value(object, name) {
        Some(raw) => members(raw.get()).unwrap_or_default(),
        None => Vec::new(),
    }
}

/// Returns the number under one of these names; the last one if there are several.
fn find_number(object: &[Member<'_>], names: &[&str]) -> Option<u64> {
    for (name, raw) in object.iter().rev() {
        let name = normalized_name(name);
        if names.contains(&name.as_str())
            && let Some(number) = parse_number(raw)
        {
            return Some(number);
        }
    }
    None
}

/// Parses `70` and `"70"`. A number that is too large becomes `u64::MAX`, because it still shows
/// that there are more records.
fn parse_number(raw: &RawValue) -> Option<u64> {
    let text = unquote(raw.get());
    let digits = text.trim();
    let has_other_characters = digits.bytes().any(|byte| !byte.is_ascii_digit());
    if digits.is_empty() || has_other_characters {
        return None;
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

/// Whether a value is not null, false, zero or empty.
fn is_set(raw: &RawValue) -> bool {
    !matches!(
        unquote(raw.get()).trim(),
        "" | "null" | "false" | "0" | "{}" | "[]"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn pagination(body: &str) -> Pagination {
        Pagination::from_members(&members(body).unwrap_or_default())
    }

    #[test]
    fn totals_are_read_in_every_position_and_spelling() {
        let all = |found: Pagination| [found.total_pages, found.total_items];
        for text in [
            r#"{"page":1,"perPage":25,"totalPages":3,"totalItems":70}"#,
            r#"{"page":"1","totalPages":"3","totalItems":" 70 "}"#,
            r#"{"total_pages":3,"total":70}"#,
            r#"{"page":1,"pages":3,"totalItems":null,"total_count":70}"#,
            r#"{"page_count":3,"total":70}"#,
        ] {
            for [before, after] in [
                [r#"{"meta":{"pagination":"#, "}}"],
                [r#"{"a":[],"pagination":"#, "}"],
                ["", ""],
            ] {
                let body = format!("{before}{text}{after}");
                assert_eq!(all(pagination(&body)), [Some(3), Some(70)], "{body}");
            }
        }
        let odd = r#"{"meta":{"pagination":{"totalItems":-1,"totalPages":2.5}}}"#;
        assert_eq!(all(pagination(odd)), [None; 2]);
    }

    #[test]
    fn signs_of_more_records_are_seen() {
        for body in [
            r#"{"has_more":true}"#,
            r#"{"next":"https://x.example/?page=2"}"#,
            r#"{"_links":{"next":{"href":"/x"}}}"#,
            r#"{"meta":{"cursor":"abc"}}"#,
            r#"{"meta":{"cursors":{"after":"abc"}}}"#,
            r#"{"pageInfo":{"hasNextPage":true}}"#,
            r#"{"metadata":{"continue":"abc"}}"#,
            r#"{"remaining":98}"#,
            r#"{"truncated":true}"#,
            r#"{"incomplete_results":true}"#,
        ] {
            assert_eq!(pagination(body).lower_bound, u64::MAX, "{body}");
        }
        for body in [
            r#"{"has_more":false,"next":null,"next_cursor":"","next_page":0,"links":{"next":null,"prev":"x"}}"#,
            r#"{"previous_cursor":"x","startCursor":"x","next_snapshot_at":"2026-01-01","list":[{"next":1}]}"#,
            r#"{"account":{"next_invoice":"2026-12-01"}}"#,
            r#"{"remaining":0,"is_truncated":false,"rate_limit":{"remaining":98}}"#,
            r#"{"meta":{"pagination":{"totalItems":1},"total":500},"has_more":true}"#,
        ] {
            assert_eq!(pagination(body).lower_bound, 0, "{body}");
        }
    }

    #[test]
    fn larger_totals_are_seen() {
        for (body, lower_bound) in [
            (
                r#"{"count":70,"meta":{"count":"9"},"quota":{"total":90}}"#,
                70,
            ),
            (r#"{"total_snapshots":21}"#, 21),
            (r#"{"total":99999999999999999999999}"#, u64::MAX),
            (r#"{"meta":{"pagination":{"totalItems":1},"total":500}}"#, 0),
        ] {
            assert_eq!(pagination(body).lower_bound, lower_bound, "{body}");
        }
    }

    #[test]
    fn headers_can_show_more_records() {
        let with = |name, value, body| {
            pagination(body).with_headers(&HeaderMap::from_iter([(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )]))
        };
        for (name, value, lower_bound) in [
            ("x-total-count", "21", 21),
            ("x-total", "21", 21),
            ("x-next-page", "2", u64::MAX),
            ("x-next-page", "", 0),
        ] {
            assert_eq!(with(name, value, "{}").lower_bound, lower_bound, "{name}");
            let specified = r#"{"meta":{"pagination":{"totalItems":1}}}"#;
            assert_eq!(with(name, value, specified).lower_bound, 0, "{name}");
        }
        assert_eq!(with("x-total-pages", "9", "{}").total_pages, Some(9));
        for link in [
            r#"<https://x.example/?page=2>; rel="next""#,
            "</x>; rel=prev, </y,z>; title=a; REL=Next",
        ] {
            assert_eq!(with("link", link, "{}").lower_bound, u64::MAX, "{link}");
        }
        for link in [
            r#"<https://x.example/?rel=next>; rel="prev""#,
            "<next>; rel=first",
            "",
        ] {
            assert_eq!(with("link", link, "{}").lower_bound, 0, "{link}");
        }
    }
}
