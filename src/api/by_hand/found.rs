//! What an answer holds that nobody declared: a list, one object, or a single value.

use crate::api::envelope;
use crate::api::page::{self, Pagination};
use crate::resource::{Record, Resource, known, last, members};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::Arc;

/// What was found in an answer.
#[derive(Debug)]
pub struct Found {
    /// The whole of it, as it came.
    pub whole: Record,
    /// The list, or what else there is.
    pub what: What,
    /// The names of the arrays in its envelope.
    pub arrays: Vec<String>,
    /// Where the list stands.
    pub pagination: Option<Pagination>,
    /// Whether it says so in a way that cannot be read.
    pub pagination_is_odd: bool,
}

/// A list or one thing.
#[derive(Debug)]
pub enum What {
    /// The items of the only array beside `meta`, or of a bare array.
    List {
        /// What they are, where the array's name tells.
        resource: Option<&'static Resource>,
        /// As they came; not all need to be objects.
        items: Vec<Record>,
    },
    /// The object that is alone beside `meta`, or else the whole answer.
    One(Record),
}

impl Found {
    /// Reads a body.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub async fn read(body: Vec<u8>) -> Result<Self, String> {
        if body.len() < page::LARGE {
            return Self::read_now(body);
        }
        let reading = tokio::task::spawn_blocking(move || Self::read_now(body));
        reading.await.unwrap_or_else(|error| Err(format!("it could not be read ({error})")))
    }

    fn read_now(body: Vec<u8>) -> Result<Self, String> {
        let text = String::from_utf8(body).map_err(|error| format!("it is not JSON ({})", error.utf8_error()))?;
        let body = Arc::new(text);
        let whole: &RawValue = envelope::parse(body.as_bytes())?;
        let Ok(members) = members(whole.get()) else { return Self::bare(&body, whole) };
        let meta = last(&members, "meta");
        let pagination = meta.and_then(page::pagination);
        let pagination_is_odd = pagination.is_none() && meta.is_some_and(paginates);
        let others = once(members.into_iter().filter(|(name, _)| name != "meta").collect());
        let is = |begin: char| move |(_, raw): &&(_, &RawValue)| raw.get().starts_with(begin);
        let arrays: Vec<_> = others.iter().filter(is('[')).collect();
        // What has an id of its own is a record, and its array a field.
        let what = match (arrays.as_slice(), others.as_slice()) {
            ([(name, array)], _) if !others.iter().any(|(name, _)| name == "id") => {
                What::List { resource: known(name), items: items(&body, array)? }
            }
            (_, [(_, only)]) if only.get().starts_with('{') => What::One(page::part(&body, only.get())),
            _ => What::One(page::part(&body, whole.get())),
        };
        let arrays = arrays.iter().map(|(name, _)| name.to_string()).collect();
        Ok(Self { whole: page::part(&body, &body), what, arrays, pagination, pagination_is_odd })
    }

    /// What is no object.
    fn bare(body: &Arc<String>, whole: &RawValue) -> Result<Self, String> {
        let what = match whole.get().starts_with('[') {
            true => What::List { resource: None, items: items(body, whole)? },
            false => What::One(page::part(body, whole.get())),
        };
        Ok(Self { whole: page::part(body, body), what, arrays: Vec::new(), pagination: None, pagination_is_odd: false })
    }

    /// Why it is no list.
    pub fn no_list(&self) -> String {
        match self.arrays.as_slice() {
            [] => "holds none".into(),
            [name] => format!("is one record, of which '{name}' is a field"),
            names => {
                format!("holds {} lists, and which one is meant cannot be told: {}", names.len(), names.join(", "))
            }
        }
    }
}

/// Whether a `meta` says anything of pages.
fn paginates(meta: &RawValue) -> bool {
    let members = members(meta.get()).unwrap_or_default();
    last(&members, "pagination").is_some_and(|told| told.get() != "null")
}

/// The members without those whose name comes again: of several, the last counts.
fn once<'r>(members: Vec<crate::resource::Member<'r>>) -> Vec<crate::resource::Member<'r>> {
    let mut met = HashSet::new();
    let mut last: Vec<_> = members.into_iter().rev().filter(|(name, _)| met.insert(name.clone())).collect();
    last.reverse();
    last
}

fn items(body: &Arc<String>, array: &RawValue) -> Result<Vec<Record>, String> {
    let items: Vec<&RawValue> = envelope::parse(array.get().as_bytes())?;
    Ok(items.into_iter().map(|item| page::part(body, item.get())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> String {
        let found = Found::read_now(body.into()).unwrap_or_else(|what| unreachable!("{body}: {what}"));
        assert_eq!(found.whole.json(), body);
        match found.what {
            What::One(record) => format!("one {}", record.json()),
            What::List { resource, items } => {
                let items: Vec<&str> = items.iter().map(Record::json).collect();
                format!("{} {}", resource.map_or("list", |resource| resource.plural), items.join(" "))
            }
        }
    }

    #[test]
    fn a_list_is_the_only_array_beside_meta() {
        for (body, what) in [
            (r#"{"tags":[{"id":1}, {"id":2}],"meta":{"x":[]}}"#, r#"list {"id":1} {"id":2}"#),
            (r#"{"meta":[],"clients":[{"a":1e400}],"total":1,"links":{}}"#, r#"clients {"a":1e400}"#),
            (r#" [1, "a",null,[2]] "#, r#"list 1 "a" null [2]"#),
            ("[]", "list "),
            (r#"{"a":[],"meta":null}"#, "list "),
            (r#"{"a":{},"a":[1]}"#, "list 1"),
            (r#"{"a":[1],"meta":[2],"a":[3]}"#, "list 3"),
        ] {
            assert_eq!(found(body), what, "{body}");
        }
    }

    #[test]
    fn anything_else_is_one_thing() {
        for (body, what) in [
            (r#"{"client":{"id":1},"meta":{}}"#, r#"one {"id":1}"#),
            (r#"{"client":{"id":1},"x":1}"#, r#"one {"client":{"id":1},"x":1}"#),
            (r#"{"id":"c","site_ids":["s"]}"#, r#"one {"id":"c","site_ids":["s"]}"#),
            (r#"{"a":[],"b":[]}"#, r#"one {"a":[],"b":[]}"#),
            ("{}", "one {}"),
            (r#"{"meta":{}}"#, r#"one {"meta":{}}"#),
            (" null\n", "one null"),
            ("7", "one 7"),
            (r#""a""#, r#"one "a""#),
        ] {
            assert_eq!(found(body), what, "{body}");
        }
    }

    #[test]
    fn depth_and_oddities_are_taken_as_they_are() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(found(&deep).starts_with("list ["));
        assert_eq!(found(r#"{"caf\ud83d":[123456789012345678901234567890]}"#), "list 123456789012345678901234567890");
        for body in ["", "<html>", "{", "[1,]", "{} x", "\u{feff}{}"] {
            assert!(Found::read_now(body.into()).is_err(), "{body}");
        }
        assert!(Found::read_now(b"\"\xff\"".to_vec()).is_err());
    }
}
