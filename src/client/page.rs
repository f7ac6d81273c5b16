//! Reads one page of a list: finds the list in a response, and the records in the list.

use super::envelope::{UnexpectedResponse, parse_json, record_in, refuse_failure};
use super::pagination::Pagination;
use crate::resources::{
    Member, Record, Resource, UNKNOWN, member_value, members, members_and_items, raw_member,
};
use serde_json::value::RawValue;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// A hash that identifies a record, so that a list of any length needs little memory. If two
/// records have the same hash, the list counts as incomplete.
pub type RecordKey = u64;

/// Hashes a record's id; None if it has no id.
pub fn record_key(hasher: &RandomState, record: &Record) -> Option<RecordKey> {
    raw_member(record.json(), "id").map(|id| hasher.hash_one(id))
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The records, in the service's order.
    pub records: Vec<Record>,
    /// The key of each record; None for a record without an id.
    pub keys: Vec<Option<RecordKey>>,
    /// A hash of the records in any order, which shows that a page repeats the page before it.
    pub hash: u64,
    pub pagination: Pagination,
}

impl Page {
    /// Reads a page from the body of a response.
    pub fn read(
        body: Vec<u8>,
        resource: &Resource,
        hasher: &RandomState,
    ) -> Result<Self, UnexpectedResponse> {
        let body = utf8_text(body)?;
        let list_name = resource.envelope_key();
        // Most responses have the list under its name, and are parsed in one pass.
        let (members, items) = match members_and_items(&body, Some(&list_name)) {
            Ok((members, Some(items))) => (members, Some(items)),
            _ => {
                let (members, other_value) = members_or_value(&body)?;
                let list = find_list(other_value, &members, resource);
                (members, list.map(array_items).transpose()?)
            }
        };
        refuse_failure(&members)?;
        let pagination = Pagination::from_members(&members);
        let items = match items {
            Some(items) => items,
            // A list that is null is empty if the total is 0.
            None => match member_value(&members, &list_name) {
                Some(list) if list.get() == "null" && pagination.total_items == Some(0) => {
                    Vec::new()
                }
                _ => return Err(format!("the response has no list of {}", resource.plural)),
            },
        };
        for (index, item) in items.iter().enumerate() {
            if !item.get().starts_with('{') {
                return Err(format!("record {} of the list is not an object", index + 1));
            }
        }
        if resource.specified && pagination.total_items.is_none() {
            return Err("the response has no 'meta.pagination' \
                        with page, perPage, totalPages and totalItems"
                .into());
        }
        let records = item_records(&body, &items);
        let keys: Vec<_> = records
            .iter()
            .map(|record| record_key(hasher, record))
            .collect();
        let hash = keys
            .iter()
            .zip(&records)
            .fold(0, |sum: u64, (key, record)| {
                sum.wrapping_add(key.unwrap_or_else(|| hasher.hash_one(record.json())))
            });
        Ok(Self {
            keys,
            hash,
            records,
            pagination,
        })
    }
}

/// A response to `sitectl api`, whose resource is not known.
#[derive(Debug)]
pub struct AnyResponse {
    /// The complete body, unchanged.
    pub body: Record,
    /// The items of the response's list; None if it has no list.
    pub list: Option<Vec<Record>>,
    /// The object in the response's only member except `meta`, or else the complete response.
    pub record: Record,
}

impl AnyResponse {
    /// Reads a body that is not empty.
    pub fn read(body: Vec<u8>) -> Result<Self, UnexpectedResponse> {
        let body = utf8_text(body)?;
        let (members, other_value) = members_or_value(&body)?;
        let mut list = None;
        if let Some(array) = find_list(other_value, &members, &UNKNOWN) {
            list = Some(item_records(&body, &array_items(array)?));
        }
        let members_except_meta = members.iter().filter(|(name, _)| name != "meta");
        let record = match only_item(members_except_meta) {
            Some((_, object)) if object.get().starts_with('{') => object.get(),
            _ => body.trim(),
        };
        Ok(Self {
            body: record_in(&body, &body),
            list,
            record: record_in(&body, record),
        })
    }
}

/// Returns the list of a response: the member with the resource's name, or the response itself if
/// it is an array. If the spec does not show the list, it may also be the only array among the
/// members except `meta`. An object with an id is a record, whose array is a field and not the
/// list. `other_value` is a response that is no object.
fn find_list<'r>(
    other_value: Option<&'r RawValue>,
    members: &[Member<'r>],
    resource: &Resource,
) -> Option<&'r RawValue> {
    let is_array = |raw: &&RawValue| raw.get().starts_with('[');
    let by_name = member_value(members, &resource.envelope_key()).filter(is_array);
    if let Some(list) = by_name.or(other_value.filter(is_array)) {
        return Some(list);
    }
    if resource.specified || member_value(members, "id").is_some() {
        return None;
    }
    let arrays = members
        .iter()
        .filter(|(name, raw)| name != "meta" && is_array(raw));
    only_item(arrays).map(|(_, list)| *list)
}

/// Returns the item of an iterator that has exactly one.
fn only_item<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// Returns the members of an object; or no members, and a JSON value that is no object.
fn members_or_value(
    body: &str,
) -> Result<(Vec<Member<'_>>, Option<&RawValue>), UnexpectedResponse> {
    match members(body) {
        Ok(members) => Ok((members, None)),
        Err(_) => {
            let value = parse_json(body.as_bytes())?;
            Ok((Vec::new(), Some(value)))
        }
    }
}

fn utf8_text(body: Vec<u8>) -> Result<Arc<String>, UnexpectedResponse> {
    match String::from_utf8(body) {
        Ok(text) => Ok(Arc::new(text)),
        Err(error) => Err(format!("the response is not JSON ({})", error.utf8_error())),
    }
}

fn array_items(array: &RawValue) -> Result<Vec<&RawValue>, UnexpectedResponse> {
    parse_json(array.get().as_bytes())
}

fn item_records(body: &Arc<String>, items: &[&RawValue]) -> Vec<Record> {
    items
        .iter()
        .map(|item| record_in(body, item.get()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{CLIENTS, SITES};

    const PAGINATION: &str =
        r#""meta":{"pagination":{"page":1,"perPage":1,"totalPages":1,"totalItems":1}}"#;

    fn read(body: &str, resource: &Resource) -> Result<Page, UnexpectedResponse> {
        Page::read(body.as_bytes().to_vec(), resource, &RandomState::new())
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
            Page::read(
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
                .unwrap_or_else(|what| unreachable!("{body}: {what:?}"));
            assert_eq!(read.body.json(), body);
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
