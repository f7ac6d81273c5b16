//! Where a list stands, as its `meta` tells (spec, "Pagination envelope"): strictly where the spec defines the list, and
//! as far as it can be read where nobody did.

use crate::resource::{Member, last, members, unquoted};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Where a list stands.
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

impl Pagination {
    /// What a `meta` tells, where it is just as the interface has it.
    pub fn promised(meta: &RawValue) -> Option<Self> {
        #[derive(Deserialize)]
        struct Meta {
            pagination: Pagination,
        }
        serde_json::from_str::<Meta>(meta.get()).ok().map(|meta| meta.pagination)
    }
}

/// The same in whatever spelling, as far as it can be read: `"70"`, `70.0` and `total_items` are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// From 1.
    pub page: Option<u64>,
    /// Rows in a page.
    pub per_page: Option<u64>,
    /// Pages in all.
    pub total_pages: Option<u64>,
    /// Records in all.
    pub total_items: Option<u64>,
}

impl Told {
    /// What a `meta` tells; none where it tells nothing of pages.
    pub fn of(meta: &RawValue) -> Option<Self> {
        let meta = members(meta.get()).unwrap_or_default();
        let told = last(&meta, "pagination").filter(|told| told.get() != "null")?;
        let told = members(told.get()).unwrap_or_default();
        let read = |names: [&str; 2]| names.into_iter().find_map(|name| number(&told, name));
        Some(Self {
            page: read(["page", "page"]),
            per_page: read(["perPage", "per_page"]),
            total_pages: read(["totalPages", "total_pages"]),
            total_items: read(["totalItems", "total_items"]),
        })
    }

    /// As much as proves a list whole: how many records there are. A number of pages that is not told promises none.
    pub fn counted(&self) -> Option<Pagination> {
        let total_items = self.total_items?;
        let total_pages = self.total_pages.unwrap_or(0);
        let even = || if total_pages == 0 { 0 } else { total_items.div_ceil(total_pages) };
        let per_page = self.per_page.unwrap_or_else(even);
        Some(Pagination { page: self.page.unwrap_or(0), per_page, total_pages, total_items })
    }
}

fn number(told: &[Member<'_>], name: &str) -> Option<u64> {
    let text = unquoted(last(told, name)?.get());
    let text = text.trim();
    // 70.0 is 70, and 70.5 is nothing that can be counted.
    let whole = text.split_once('.').filter(|(_, rest)| rest.bytes().all(|digit| digit == b'0'));
    whole.map_or(text, |(whole, _)| whole).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pagination: &str) -> Option<[Option<u64>; 4]> {
        let meta = RawValue::from_string(format!(r#"{{"pagination":{pagination}}}"#)).ok()?;
        Told::of(&meta).map(|told| [told.page, told.per_page, told.total_pages, told.total_items])
    }

    #[test]
    fn other_spellings_are_read_as_far_as_they_can_be() {
        let all = Some([Some(1), Some(25), Some(3), Some(70)]);
        for text in [
            r#"{"page":1,"perPage":25,"totalPages":3,"totalItems":70}"#,
            r#"{"page":"1","perPage":" 25 ","totalPages":"3","totalItems":"70"}"#,
            r#"{"page":1.0,"perPage":25.0,"totalPages":3.0,"totalItems":"70.00"}"#,
            r#"{"page":1,"per_page":25,"total_pages":3,"total_items":70}"#,
            r#"{"page":1,"perPage":25,"totalPages":3,"totalItems":null,"total_items":70}"#,
        ] {
            assert_eq!(told(text), all, "{text}");
        }
        let none = Some([None; 4]);
        for text in [r#"{"totalItems":-1,"totalPages":2.5,"page":"x","perPage":[]}"#, "{}", "7", "[]"] {
            assert_eq!(told(text), none, "{text}");
        }
        assert_eq!(told("null"), None);
    }

    #[test]
    fn what_counts_is_the_number_of_records() {
        let counted = |total_pages, total_items| {
            Told { page: None, per_page: None, total_pages, total_items }.counted().map(|found| found.per_page)
        };
        assert_eq!(
            [counted(Some(3), None), counted(None, Some(70)), counted(Some(3), Some(70))],
            [None, Some(0), Some(24)]
        );
    }
}
