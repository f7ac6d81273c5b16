//! One page of a list.

use super::found::{Found, LARGE, Wanted, What};
use super::pagination::Pagination;
use crate::resources::{Record, Resource, raw_id};
use reqwest::header::HeaderMap;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

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
    pub pagination: Pagination,
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
        let name = resource.envelope;
        let wanted = if resource.specified { Wanted::At(name.into()) } else { Wanted::Usual(name) };
        let found = Found::read_now(body, &wanted)?;
        let What::List { items: records, .. } = found.what else { return Err(format!("it has no list '{name}'")) };
        all_objects(&records)?;
        let pagination = found.pagination.unwrap_or_default();
        if resource.specified && pagination.total_items.is_none() {
            return Err("it has no 'meta.pagination' with page, perPage, totalPages and totalItems".into());
        }
        Ok(Self { keys: records.iter().map(|record| keys.of(record)).collect(), records, pagination, told: None })
    }

    /// Adds what the headers of the response show of the list.
    pub fn with_headers(mut self, headers: &HeaderMap) -> Self {
        self.pagination = self.pagination.with_headers(headers);
        self
    }

    /// Reads a body that holds whatever list there is; why it holds none is no reason to ask again.
    ///
    /// # Errors
    /// Where it is not JSON.
    pub async fn of_any(body: Vec<u8>, wanted: &Wanted, keys: &Keys) -> Result<Result<Self, Found>, String> {
        let found = Found::read(body, wanted).await?;
        let What::List { resource, items } = found.what else { return Ok(Err(found)) };
        let pagination = found.pagination.unwrap_or_default();
        Ok(Ok(Self { keys: keys.of_rows(&items), records: items, pagination, told: resource }))
    }
}

fn all_objects(records: &[Record]) -> Result<(), String> {
    match records.iter().position(|record| !record.json().starts_with('{')) {
        Some(place) => Err(format!("record {} of the list is not an object", place + 1)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{CLIENTS, SITES};

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
            assert_eq!(page.pagination.total_items, Some(1));
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
            r#"{"data":[],"meta":{"pagination":{"totalItems":0}}}"#,
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
