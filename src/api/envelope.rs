//! Takes answers out of their envelopes, and says what is missing where one is not as promised.

use crate::resource::{Record, Resource, members};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// An object's members, each as it came.
type Members<'b> = BTreeMap<String, &'b RawValue>;

/// Where a list stands (spec, "Pagination envelope").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// From 1.
    pub page: u64,
    /// Rows in a page, as the service counted them.
    pub per_page: u64,
    /// Pages in all.
    pub total_pages: u64,
    /// Records in all.
    pub total_items: u64,
}

/// One page of a list.
#[derive(Debug)]
pub struct Page {
    /// The records, in the service's order.
    pub records: Vec<Record>,
    /// Where the list stands; only lists that the spec does not define may leave it out.
    pub pagination: Option<Pagination>,
}

/// How sure it is that a single object comes under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapping {
    /// The spec says so.
    Promised,
    /// The spec does not show it: under its name, or bare.
    Either,
}

/// The object under `name`.
///
/// # Errors
/// What is missing.
pub fn object(body: &[u8], name: &str, wrapping: Wrapping) -> Result<Record, String> {
    let whole: &RawValue = parse(body)?;
    let members = members_of(whole)?;
    match members.get(name) {
        Some(inner) if is_object(inner) => Ok(Record::new((*inner).to_owned())),
        _ if wrapping == Wrapping::Either => Ok(Record::new(whole.to_owned())),
        _ => Err(format!("it has no object '{name}'")),
    }
}

/// The records of a list.
///
/// # Errors
/// What is missing.
pub fn list(body: &[u8], resource: &Resource) -> Result<Page, String> {
    let whole: &RawValue = parse(body)?;
    if !resource.specified && whole.get().starts_with('[') {
        return Ok(Page { records: records(whole)?, pagination: None });
    }
    let members = members_of(whole)?;
    let pagination = pagination(&members);
    if resource.specified && pagination.is_none() {
        return Err("it has no 'meta.pagination' with page, perPage, totalPages and totalItems".into());
    }
    let named = members.get(resource.envelope).copied().filter(|value| value.get().starts_with('['));
    let array = named.or_else(|| if resource.specified { None } else { only_array(&members) });
    let array = array.ok_or_else(|| format!("it has no list '{}'", resource.envelope))?;
    Ok(Page { records: records(array)?, pagination })
}

/// Reads a body whose shape the caller knows.
///
/// # Errors
/// Where it is not JSON or not of that shape.
pub fn parse<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        _ if body.is_empty() => "it is empty".to_string(),
        serde_json::error::Category::Data => format!("{error}"),
        _ => format!("it is not JSON ({error})"),
    })
}

fn records(array: &RawValue) -> Result<Vec<Record>, String> {
    let items: Vec<Box<RawValue>> = parse(array.get().as_bytes())?;
    match items.iter().position(|item| !is_object(item)) {
        Some(place) => Err(format!("record {} of the list is not an object", place + 1)),
        None => Ok(items.into_iter().map(Record::new).collect()),
    }
}

fn pagination(members: &Members<'_>) -> Option<Pagination> {
    let meta = members_of(members.get("meta")?).ok()?;
    parse(meta.get("pagination")?.get().as_bytes()).ok()
}

fn only_array<'b>(members: &Members<'b>) -> Option<&'b RawValue> {
    let mut arrays = members.iter().filter(|(key, value)| key.as_str() != "meta" && value.get().starts_with('['));
    let (_, array) = arrays.next()?;
    arrays.next().is_none().then_some(array)
}

fn members_of(value: &RawValue) -> Result<Members<'_>, String> {
    let members = members(value.get()).map_err(|_| "it is not a JSON object".to_string())?;
    Ok(members.into_iter().collect())
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::{CLIENTS, SITES};

    #[test]
    fn an_object_is_taken_verbatim() {
        let body = br#" {"client": {"id":"1","big":123456789012345678901234567890.10,"x":null} } "#;
        let record = object(body, "client", Wrapping::Promised).map(|record| record.raw().get().to_string());
        assert_eq!(record.as_deref(), Ok(r#"{"id":"1","big":123456789012345678901234567890.10,"x":null}"#));
    }

    #[test]
    fn what_was_promised_is_missed() {
        let bodies =
            ["", "<html>", "[]", "7", "null", "{}", r#"{"client":null}"#, r#"{"client":[]}"#, r#"{"client":{}"#];
        for body in bodies {
            assert!(object(body.as_bytes(), "client", Wrapping::Promised).is_err(), "{body}");
        }
        for body in [
            "",
            "<html>",
            "[]",
            r#"{"clients":[]}"#,
            r#"{"clients":[],"meta":{}}"#,
            r#"{"clients":{},"meta":{"pagination":{"page":1,"perPage":1,"totalPages":1,"totalItems":1}}}"#,
            r#"{"clients":[1],"meta":{"pagination":{"page":1,"perPage":1,"totalPages":1,"totalItems":1}}}"#,
        ] {
            assert!(list(body.as_bytes(), &CLIENTS).is_err(), "{body}");
        }
    }

    #[test]
    fn what_the_spec_does_not_show_may_be_bare() {
        let id = |body: &str| object(body.as_bytes(), "task", Wrapping::Either).ok().and_then(|record| record.id());
        assert_eq!(id(r#"{"id":"t1"}"#).as_deref(), Some("t1"));
        assert_eq!(id(r#"{"task":{"id":7}}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"id":"t1","task":null}"#).as_deref(), Some("t1"));
        for body in [r#"[{"id":"a"}]"#, r#"{"data":[{"id":"a"}]}"#, r#"{"sites":[{"id":"a"}],"meta":[]}"#] {
            let count = list(body.as_bytes(), &SITES).map(|page| page.records.len());
            assert_eq!(count, Ok(1), "{body}");
        }
        assert!(list(br#"{"a":[],"b":[]}"#, &SITES).is_err());
    }
}
