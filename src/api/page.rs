//! One page of a list, read in a single pass over the body: a list of 100,000 records passes here byte by byte.

use super::by_hand::{Found, What};
use super::envelope::{parse, unreadable};
use crate::resource::{Name, Record, Resource, raw_id};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

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

/// A larger body is read beside the main thread, which meanwhile fetches and prints.
pub(super) const LARGE: usize = 64 << 10;

/// What tells records apart, so small that a list of any length needs little memory. Should two records share one by
/// chance, of 100,000 once in a thousand million lists, then the list does not add up, and says so.
pub type Key = u64;

/// Makes the keys of one list.
#[derive(Debug, Clone, Default)]
pub struct Keys(RandomState);

impl Keys {
    /// The key of a record: its id, or the whole of it where it has none.
    pub fn of(&self, record: &Record) -> Key {
        let text = raw_id(record.json()).unwrap_or(record.json());
        self.0.hash_one(text)
    }
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The records, in the service's order.
    pub records: Vec<Record>,
    /// What tells each of them apart.
    pub keys: Vec<Key>,
    /// Where the list stands; only lists that the spec does not define may leave it out.
    pub pagination: Option<Pagination>,
    /// What the records are, where the answer tells what nobody declared.
    pub told: Option<&'static Resource>,
}

impl Page {
    /// Reads a body.
    ///
    /// # Errors
    /// What is missing.
    pub async fn read(body: Vec<u8>, resource: &'static Resource, keys: &Keys) -> Result<Self, String> {
        if body.len() < LARGE {
            return Self::read_now(body, resource, keys);
        }
        let keys = keys.clone();
        let reading = tokio::task::spawn_blocking(move || Self::read_now(body, resource, &keys));
        reading.await.unwrap_or_else(|error| Err(format!("it could not be read ({error})")))
    }

    fn read_now(body: Vec<u8>, resource: &Resource, keys: &Keys) -> Result<Self, String> {
        let body = String::from_utf8(body).map_err(|error| format!("it is not JSON ({})", error.utf8_error()))?;
        let body = Arc::new(body);
        let (records, pagination) = parts(&body, resource)?;
        Ok(Self { keys: records.iter().map(|record| keys.of(record)).collect(), records, pagination, told: None })
    }

    /// Reads a body that holds whatever list there is; why it holds none is no reason to ask again.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub async fn of_any(body: Vec<u8>, keys: &Keys) -> Result<Result<Self, String>, String> {
        let found = Found::read(body).await?;
        let none = format!("the answer is no list: it {}", found.no_list());
        let What::List { resource, items } = found.what else { return Ok(Err(none)) };
        let keys = items.iter().map(|record| keys.of(record)).collect();
        Ok(Ok(Self { keys, records: items, pagination: found.pagination, told: resource }))
    }
}

/// The records and where the list stands.
fn parts(body: &Arc<String>, resource: &Resource) -> Result<(Vec<Record>, Option<Pagination>), String> {
    if !resource.specified && body.trim_start().starts_with('[') {
        return Ok((records(body, parse(body.as_bytes())?)?, None));
    }
    let envelope = Envelope::read(body, resource.envelope)?;
    if resource.specified && envelope.pagination.is_none() {
        return Err("it has no 'meta.pagination' with page, perPage, totalPages and totalItems".into());
    }
    let only = if resource.specified { None } else { envelope.only_array() };
    let items = envelope.named.or(only).ok_or_else(|| format!("it has no list '{}'", resource.envelope))?;
    Ok((records(body, items)?, envelope.pagination))
}

/// Each item by its place in the body that all of them share.
fn records(body: &Arc<String>, items: Vec<&RawValue>) -> Result<Vec<Record>, String> {
    if let Some(place) = items.iter().position(|item| !item.get().starts_with('{')) {
        return Err(format!("record {} of the list is not an object", place + 1));
    }
    Ok(items.into_iter().map(|item| part(body, item.get())).collect())
}

/// The part of a body that this text, which lies in it, is.
pub(super) fn part(body: &Arc<String>, text: &str) -> Record {
    let from = text.as_ptr() as usize - body.as_ptr() as usize;
    Record::part(body, from..from + text.len())
}

/// What a list's envelope holds, as far as it matters.
#[derive(Default)]
struct Envelope<'b> {
    /// The array under the resource's name.
    named: Option<Vec<&'b RawValue>>,
    /// The arrays under other names.
    others: Vec<&'b RawValue>,
    pagination: Option<Pagination>,
}

impl<'b> Envelope<'b> {
    fn read(body: &'b str, name: &str) -> Result<Self, String> {
        let mut reader = serde_json::Deserializer::from_str(body);
        let found = EnvelopeOf { name }.deserialize(&mut reader);
        let whole = found.and_then(|envelope| reader.end().map(|()| envelope));
        whole.map_err(|error| unreadable(body.as_bytes(), &error))
    }

    fn only_array(&self) -> Option<Vec<&'b RawValue>> {
        match self.others.as_slice() {
            [array] => serde_json::from_str(array.get()).ok(),
            _ => None,
        }
    }
}

/// Reads an envelope whose array is called `name`.
struct EnvelopeOf<'n> {
    name: &'n str,
}

impl<'b> DeserializeSeed<'b> for EnvelopeOf<'_> {
    type Value = Envelope<'b>;

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'b> Visitor<'b> for EnvelopeOf<'_> {
    type Value = Envelope<'b>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(Name(name)) = map.next_key()? {
            if name == "meta" {
                envelope.pagination = pagination(map.next_value()?);
            } else if name == self.name {
                envelope.named = map.next_value::<Items<'b>>()?.0;
            } else {
                let other: &RawValue = map.next_value()?;
                envelope.others.extend(Some(other).filter(|value| value.get().starts_with('[')));
            }
        }
        Ok(envelope)
    }
}

/// Where a list stands, as its `meta` tells.
pub(super) fn pagination(meta: &RawValue) -> Option<Pagination> {
    #[derive(Deserialize)]
    struct Meta {
        pagination: Pagination,
    }
    serde_json::from_str::<Meta>(meta.get()).ok().map(|meta| meta.pagination)
}

/// The items of an array, each as it came; none where the value is no array.
struct Items<'b>(Option<Vec<&'b RawValue>>);

impl<'b> Deserialize<'b> for Items<'b> {
    fn deserialize<D: Deserializer<'b>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'b> Visitor<'b> for Collect {
            type Value = Items<'b>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'b>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Items(Some(items)))
            }

            fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Items(None))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Items(None))
            }
        }
        deserializer.deserialize_any(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::{CLIENTS, SITES};

    const PAGINATION: &str = r#""meta":{"pagination":{"page":1,"perPage":1,"totalPages":1,"totalItems":1}}"#;

    fn read(body: &str, resource: &Resource) -> Result<Page, String> {
        Page::read_now(body.as_bytes().to_vec(), resource, &Keys::default())
    }

    #[test]
    fn records_are_the_service_s_own_text() {
        let record = r#"{"big":123456789012345678901234567890.10, "x" : null,"é":"\u00e9"}"#;
        for body in [
            format!(r#"{{"clients":[{record} , {record}],{PAGINATION}}}"#),
            format!(" {{ {PAGINATION}\n, \"new\":[1e400], \"clients\" : [ {record},{record}\n] }}\n"),
        ] {
            let page = read(&body, &CLIENTS).unwrap_or_else(|what| unreachable!("{what}: {body}"));
            let texts: Vec<&str> = page.records.iter().map(Record::json).collect();
            assert_eq!(texts, [record, record]);
            assert_eq!(page.pagination.map(|found| found.total_items), Some(1));
        }
    }

    #[test]
    fn what_was_promised_is_missed() {
        for body in [
            "",
            "<html>",
            "[]",
            "7",
            "null",
            r#"{"clients":[]}"#,
            r#"{"clients":[],"meta":{}}"#,
            r#"{"clients":[],"meta":{"pagination":{"page":1,"perPage":1,"totalPages":1}}}"#,
            &format!(r#"{{"clients":{{}},{PAGINATION}}}"#),
            &format!(r#"{{"clients":null,{PAGINATION}}}"#),
            &format!(r#"{{"clients":7,{PAGINATION}}}"#),
            &format!(r#"{{"clients":[1],{PAGINATION}}}"#),
            &format!(r#"{{"clients":[{{"a":1}},{{"b"}}],{PAGINATION}}}"#),
            &format!(r#"{{"clients":[{{}}],{PAGINATION}"#),
            &format!(r#"{{"clients":[{{}}],{PAGINATION}}}x"#),
        ] {
            assert!(read(body, &CLIENTS).is_err(), "{body}");
        }
        assert!(Page::read_now(b"{\"clients\":[\"\xff\"]}".to_vec(), &CLIENTS, &Keys::default()).is_err());
    }

    #[test]
    fn what_the_spec_does_not_show_may_be_bare() {
        for body in [r#"[{"id":"a"}]"#, r#"{"data":[{"id":"a"}]}"#, r#"{"sites":[{"id":"a"}],"meta":[]}"#] {
            assert_eq!(read(body, &SITES).map(|page| page.records.len()), Ok(1), "{body}");
        }
        assert!(read(r#"{"a":[],"b":[]}"#, &SITES).is_err());
    }
}
