//! One page of a list, read in a single pass over the body: a list of 100,000 records passes here byte by byte.

use super::envelope::{part, unreadable};
use super::found::{Found, LARGE, Wanted, What};
use super::pagination::Pagination;
use crate::resource::{Name, Record, Resource, raw_id};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

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

    /// The keys of a page of which nothing is declared. One page is one answer, and what stands twice in it are two
    /// rows: paging repeats records from page to page, never inside one. So records of one page that share an id, or are
    /// equal and have none, are told apart by their number among their like, and none of them is lost. From page to page
    /// the same id with the same number is still taken for the same record, whatever else it holds: it may have been
    /// changed while it moved from the one page to the other, and counting it twice would hide one that was missed.
    /// Where that is wrong, the list does not add up and is not called whole.
    fn of_rows(&self, records: &[Record]) -> Vec<Key> {
        let mut met: HashMap<Key, u64> = HashMap::with_capacity(records.len());
        let mut key = |record| {
            let key = self.of(record);
            let before = met.entry(key).and_modify(|before| *before += 1).or_default();
            if *before == 0 { key } else { self.0.hash_one((key, *before)) }
        };
        records.iter().map(&mut key).collect()
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
    /// Whether it says something of its pages, but not how many records there are.
    pub odd: bool,
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
        let (records, pagination) = if resource.specified { promised(body, resource) } else { likely(body, resource) }?;
        let keys = records.iter().map(|record| keys.of(record)).collect();
        Ok(Self { keys, records, pagination, told: None, odd: false })
    }

    /// Reads a body that holds whatever list there is; why it holds none is no reason to ask again.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub async fn of_any(body: Vec<u8>, wanted: &Wanted, keys: &Keys) -> Result<Result<Self, Found>, String> {
        let found = Found::read(body, wanted).await?;
        let What::List { resource, items } = found.what else { return Ok(Err(found)) };
        let pagination = found.told.and_then(|told| told.counted());
        let odd = found.told.is_some() && pagination.is_none();
        Ok(Ok(Self { keys: keys.of_rows(&items), records: items, pagination, told: resource, odd }))
    }
}

/// The records and where the list stands.
type Parts = (Vec<Record>, Option<Pagination>);

/// Of a list that the spec defines.
fn promised(body: Vec<u8>, resource: &Resource) -> Result<Parts, String> {
    let body = String::from_utf8(body).map_err(|error| format!("it is not JSON ({})", error.utf8_error()))?;
    let body = Arc::new(body);
    let envelope = Envelope::read(&body, resource.envelope)?;
    if envelope.pagination.is_none() {
        return Err("it has no 'meta.pagination' with page, perPage, totalPages and totalItems".into());
    }
    let items = envelope.named.ok_or_else(|| format!("it has no list '{}'", resource.envelope))?;
    let records: Vec<Record> = items.into_iter().map(|item| part(&body, item.get())).collect();
    all_objects(&records).map(|()| (records, envelope.pagination))
}

/// Of a list that the spec only names.
fn likely(body: Vec<u8>, resource: &Resource) -> Result<Parts, String> {
    let found = Found::read_now(body, &Wanted::Usual(resource.envelope))?;
    let What::List { items, .. } = found.what else { return Err(format!("it has no list '{}'", resource.envelope)) };
    all_objects(&items).map(|()| (items, found.told.and_then(|told| told.counted())))
}

fn all_objects(records: &[Record]) -> Result<(), String> {
    match records.iter().position(|record| !record.json().starts_with('{')) {
        Some(place) => Err(format!("record {} of the list is not an object", place + 1)),
        None => Ok(()),
    }
}

/// What a list's envelope holds, as far as it matters.
#[derive(Default)]
struct Envelope<'b> {
    /// The array under the resource's name.
    named: Option<Vec<&'b RawValue>>,
    pagination: Option<Pagination>,
}

impl<'b> Envelope<'b> {
    fn read(body: &'b str, name: &str) -> Result<Self, String> {
        let mut reader = serde_json::Deserializer::from_str(body);
        let found = EnvelopeOf { name }.deserialize(&mut reader);
        let whole = found.and_then(|envelope| reader.end().map(|()| envelope));
        whole.map_err(|error| unreadable(body.as_bytes(), &error))
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
                envelope.pagination = Pagination::promised(map.next_value()?);
            } else if name == self.name {
                envelope.named = map.next_value::<Items<'b>>()?.0;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(envelope)
    }
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
    fn rows_of_one_page_are_told_apart_and_known_again_on_the_next() {
        let keys = Keys::default();
        let of = |rows: &[&str]| {
            let records: Vec<Record> = rows.iter().map(|text| Record::whole((*text).into())).collect();
            keys.of_rows(&records)
        };
        let first = of(&[r#"{"id":1,"a":1}"#, "7", r#"{"id":1,"a":2}"#, "7", r#"{"id":1,"a":1}"#]);
        let different: std::collections::HashSet<_> = first.iter().collect();
        assert_eq!(different.len(), first.len());
        // The second record may be the first one, changed.
        assert_eq!(
            of(&[r#"{"id":1,"a":9}"#, "8", "7"]).iter().map(|key| first.contains(key)).collect::<Vec<_>>(),
            [true, false, true]
        );
        assert_eq!(of(&[r#"{"id":1}"#]), [keys.of(&Record::whole(r#"{"id":1}"#.into()))]);
    }

    #[test]
    fn what_the_spec_does_not_show_may_be_bare() {
        for body in [r#"[{"id":"a"}]"#, r#"{"data":[{"id":"a"}]}"#, r#"{"sites":[{"id":"a"}],"meta":[]}"#] {
            assert_eq!(read(body, &SITES).map(|page| page.records.len()), Ok(1), "{body}");
        }
        assert!(read(r#"{"a":[],"b":[]}"#, &SITES).is_err());
    }
}
