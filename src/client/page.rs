//! Reads one page of a list: finds the list in a response, and the records in the list.

use super::envelope;
use super::pagination::Pagination;
use super::request::Response;
use crate::resources::{
    Member, Record, Resource, UNKNOWN, last, members, members_and_items, raw_id,
};
use serde_json::value::RawValue;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// A larger body is parsed on another thread, while the main thread requests and prints.
const LARGE: usize = 64 << 10;

/// A hash that identifies a record, so that a list of any length needs little memory. If two records share a hash, the
/// list counts as incomplete. That happens to one list of 100,000 records in a billion.
pub type Key = u64;

/// Returns the key of a record: the hash of its id, or of the complete record if it has no id.
fn key(keys: &RandomState, record: &Record) -> Key {
    keys.hash_one(raw_id(record.json()).unwrap_or(record.json()))
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The records, in the service's order.
    pub records: Vec<Record>,
    /// The key of each record.
    pub keys: Vec<Key>,
    /// The page and total counts. Only lists that the spec does not define can omit them.
    pub pagination: Pagination,
}

impl Page {
    /// Reads a response.
    ///
    /// # Errors
    /// The missing part of the response.
    pub async fn read(
        response: Response,
        resource: &'static Resource,
        keys: &RandomState,
    ) -> Result<Self, String> {
        let Response { headers, body, .. } = response;
        let page = if body.len() < LARGE {
            Self::read_now(body, resource, keys)
        } else {
            let keys = keys.clone();
            let reading =
                tokio::task::spawn_blocking(move || Self::read_now(body, resource, &keys));
            reading
                .await
                .unwrap_or_else(|error| Err(format!("the response could not be read ({error})")))
        };
        page.map(|page| Self {
            pagination: page.pagination.with_headers(&headers),
            ..page
        })
    }

    fn read_now(body: Vec<u8>, resource: &Resource, keys: &RandomState) -> Result<Self, String> {
        let (body, name) = (text(body)?, resource.envelope_key());
        let (members, items) = match members_and_items(&body, Some(&name)) {
            Ok(parts @ (_, Some(_))) => parts,
            _ => {
                let (members, whole) = parts(&body)?;
                let items = list_of(whole, &members, resource).map(items).transpose()?;
                (members, items)
            }
        };
        if envelope::reports_failure(&members) {
            return Err(envelope::FAILURE.into());
        }
        let pagination = Pagination::of(&members);
        let is_null = || last(&members, &name).is_some_and(|raw| raw.get() == "null");
        let items =
            items.or_else(|| (pagination.total_items == Some(0) && is_null()).then(Vec::new));
        let Some(items) = items else {
            return Err(format!("the response has no list of {}", resource.plural));
        };
        if let Some(place) = items.iter().position(|item| !item.get().starts_with('{')) {
            return Err(format!("record {} of the list is not an object", place + 1));
        }
        if resource.specified && pagination.total_items.is_none() {
            return Err("the response has no 'meta.pagination' with page, perPage, totalPages and totalItems".into());
        }
        let records = records(&body, &items);
        Ok(Self {
            keys: records.iter().map(|record| key(keys, record)).collect(),
            records,
            pagination,
        })
    }
}

/// A response of an endpoint without a declaration.
#[derive(Debug)]
pub struct AnyResponse {
    /// The complete body, unchanged.
    pub whole: Record,
    /// The records of its list; none if it has no list.
    pub list: Option<Vec<Record>>,
    /// The single object except `meta`, or else the complete response.
    pub record: Record,
}

impl AnyResponse {
    /// Reads a body.
    ///
    /// # Errors
    /// If it is not JSON.
    pub fn read(body: Vec<u8>) -> Result<Self, String> {
        let body = text(body)?;
        let (members, whole) = parts(&body)?;
        let list = list_of(whole, &members, &UNKNOWN)
            .map(items)
            .transpose()?
            .map(|items| records(&body, &items));
        let mut others = members
            .iter()
            .filter(|(name, _)| name != "meta")
            .map(|(_, raw)| *raw);
        let only = others
            .next()
            .filter(|raw| raw.get().starts_with('{') && others.next().is_none());
        let record = envelope::part(&body, only.map_or(body.trim(), RawValue::get));
        Ok(Self {
            whole: envelope::part(&body, &body),
            list,
            record,
        })
    }
}

/// Returns the list of a response: the member with the resource's name. If the spec does not show the list, also an
/// array without an envelope, or the only array except `meta`. But an object with an id is a record, and its array a field.
fn list_of<'r>(
    whole: Option<&'r RawValue>,
    members: &[Member<'r>],
    resource: &Resource,
) -> Option<&'r RawValue> {
    let named = last(members, &resource.envelope_key());
    let is_array = |raw: &&RawValue| raw.get().starts_with('[');
    if let Some(list) = named.filter(is_array).or(whole.filter(is_array)) {
        return Some(list);
    }
    let mut arrays = members
        .iter()
        .filter(|(name, raw)| name != "meta" && is_array(raw))
        .map(|(_, raw)| *raw);
    let only = arrays.next().filter(|_| arrays.next().is_none());
    only.filter(|_| !resource.specified && last(members, "id").is_none())
}

/// Returns the members of an object, or a value of another kind. A large object is parsed only once.
fn parts(body: &str) -> Result<(Vec<Member<'_>>, Option<&RawValue>), String> {
    match members(body) {
        Ok(members) => Ok((members, None)),
        Err(_) => envelope::parse(body.as_bytes()).map(|whole| (Vec::new(), Some(whole))),
    }
}

fn text(body: Vec<u8>) -> Result<Arc<String>, String> {
    String::from_utf8(body)
        .map(Arc::new)
        .map_err(|error| format!("the response is not JSON ({})", error.utf8_error()))
}

fn items(array: &RawValue) -> Result<Vec<&RawValue>, String> {
    envelope::parse(array.get().as_bytes())
}

fn records(body: &Arc<String>, items: &[&RawValue]) -> Vec<Record> {
    items
        .iter()
        .map(|item| envelope::part(body, item.get()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{CLIENTS, SITES};

    const PAGINATION: &str =
        r#""meta":{"pagination":{"page":1,"perPage":1,"totalPages":1,"totalItems":1}}"#;

    fn read(body: &str, resource: &Resource) -> Result<Page, String> {
        Page::read_now(body.as_bytes().to_vec(), resource, &RandomState::new())
    }

    #[test]
    fn a_page_that_lacks_a_required_part_is_rejected() {
        for body in [
            "",
            "<html>",
            "[]",
            r#"{"clients":[]}"#,
            r#"{"data":[],"meta":{"pagination":{"totalItems":0}}}"#,
            &format!(r#"{{"clients":null,{PAGINATION}}}"#),
            &format!(r#"{{"clients":[1],{PAGINATION}}}"#),
            &format!(r#"{{"clients":[{{}}],"success":false,{PAGINATION}}}"#),
            &format!(r#"{{"clients":[{{}}],"errors":["shard 2 is down"],{PAGINATION}}}"#),
            &format!(r#"{{"clients":[{{}}],{PAGINATION}"#),
            &format!(r#"{{"clients":[{{}}],{PAGINATION}}}x"#),
        ] {
            assert!(read(body, &CLIENTS).is_err(), "{body}");
        }
        assert!(
            Page::read_now(
                b"{\"clients\":[\"\xff\"]}".to_vec(),
                &CLIENTS,
                &RandomState::new()
            )
            .is_err()
        );
    }

    #[test]
    fn the_list_of_any_response_is_its_only_array_except_meta() {
        let (one, two) = (r#"{"client":{"id":1},"x":1}"#, r#"{"a":[],"b":[]}"#);
        let site_ids = r#"{"id":"c","site_ids":["s"]}"#;
        for (body, list, record) in [
            (
                r#"{"tags":[{"id":1}, 2],"meta":{"x":[]}}"#,
                Some(vec![r#"{"id":1}"#, "2"]),
                None,
            ),
            (
                r#" [1, "a",null,[2]] "#,
                Some(vec!["1", r#""a""#, "null", "[2]"]),
                None,
            ),
            (
                r#"{"client":{"id":1},"meta":{}}"#,
                None,
                Some(r#"{"id":1}"#),
            ),
            (one, None, Some(one)),
            (two, None, Some(two)),
            (site_ids, None, Some(site_ids)),
            (" null\n", None, Some("null")),
        ] {
            let read = AnyResponse::read(body.into())
                .unwrap_or_else(|what| unreachable!("{body}: {what}"));
            assert_eq!(read.whole.json(), body);
            let found: Option<Vec<&str>> = read
                .list
                .as_ref()
                .map(|all| all.iter().map(Record::json).collect());
            assert_eq!(found, list, "{body}");
            assert!(
                record.is_none_or(|record| read.record.json() == record),
                "{body}"
            );
        }
        for body in ["", "<html>", "{", "[1,]", "{} x", "\u{feff}{}"] {
            assert!(AnyResponse::read(body.into()).is_err(), "{body}");
        }
    }

    #[test]
    fn a_list_that_is_not_specified_needs_no_envelope() {
        for body in [
            r#"[{"id":"a"}]"#,
            r#"{"data":[{"id":"a"}]}"#,
            r#"{"sites":[{"id":"a"}],"meta":[]}"#,
        ] {
            assert_eq!(
                read(body, &SITES).map(|page| page.records.len()),
                Ok(1),
                "{body}"
            );
        }
        assert!(read(r#"{"a":[],"b":[]}"#, &SITES).is_err());
    }
}
