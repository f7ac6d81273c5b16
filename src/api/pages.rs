//! Reads a list whole, page after page, and proves that it did: the one place that knows about paging.

use super::page::{Page, Pagination};
use super::{Api, Path, Request};
use crate::error::{Error, Kind, Result};
use crate::query::{PageRequest, Query, wire};
use crate::resource::{Record, Resource};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

/// Rows to ask for in one page: requests are what the service rations (its own maximum is not shown).
pub const MOST_ROWS: u32 = 1000;
/// How often a list that will not hold still is read from its start.
const PASSES: u32 = 5;
/// Pages in a row that bring nothing new before a pass gives up on the rest.
const IDLE_PAGES: u32 = 3;
/// Pages of a list without a total before it is given up: a service that never repeats itself would go on for ever.
const UNCOUNTED_PAGES: u64 = 1000;

/// A list that the service offers.
#[derive(Debug, Clone)]
pub struct Listing {
    /// What its records are.
    pub resource: &'static Resource,
    /// Where it is.
    pub path: Path,
}

impl Api {
    /// One page, as the service has it now.
    ///
    /// # Errors
    /// `Unavailable` where the answer is not a list of this resource.
    pub async fn page(&self, listing: &Listing, query: &Query, page: PageRequest) -> Result<Page> {
        let request = Request::get(&listing.path, &wire::parameters(query, page));
        self.transport.call(&request, |body| Page::read(body, listing.resource)).await
    }

    /// All records of a list that is not printed as it is read.
    ///
    /// # Errors
    /// As [`Walk::next`].
    pub async fn all(&self, listing: &Listing, query: &Query) -> Result<Vec<Record>> {
        let mut walk = Walk::new(self, listing, query);
        let mut records = Vec::new();
        while let Some(more) = walk.next().await? {
            records.extend(more);
        }
        Ok(records)
    }
}

/// A walk over all pages of a list. Every record comes once. It ends well only when one pass over the list, during
/// which the service's total did not move, has met as many different records as that total says.
pub struct Walk<'w> {
    api: &'w Api,
    listing: &'w Listing,
    query: &'w Query,
    per_page: Option<u32>,
    /// Whether the person named the page size: then a refusal of it is theirs to see.
    fixed_size: bool,
    /// In which pass each record was last met.
    met: HashMap<String, u32>,
    pass: Pass,
    /// How the walk ended, once it has.
    end: Option<Result<()>>,
}

/// One reading of the list from its first page.
#[derive(Debug, Default)]
struct Pass {
    number: u32,
    page: u64,
    met: u64,
    total: Option<u64>,
    moved: bool,
    idle: u32,
}

/// What follows from a page.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// There may be more.
    Page,
    /// The pass met everything there is.
    Complete,
    /// The pass ended and did not add up.
    Again,
    /// No reading will ever add up.
    Never,
}

impl<'w> Walk<'w> {
    /// A walk that has not begun.
    pub fn new(api: &'w Api, listing: &'w Listing, query: &'w Query) -> Self {
        let pass = Pass { number: 1, ..Pass::default() };
        Self { api, listing, query, per_page: Some(MOST_ROWS), fixed_size: false, met: HashMap::new(), pass, end: None }
    }

    /// Asks for this many rows a page, and no other number.
    #[must_use]
    pub fn rows(mut self, per_page: u32) -> Self {
        (self.per_page, self.fixed_size) = (Some(per_page), true);
        self
    }

    /// Needs this many records at most.
    #[must_use]
    pub fn at_most(mut self, records: u64) -> Self {
        let rows = u32::try_from(records).unwrap_or(MOST_ROWS);
        self.per_page = self.per_page.map(|most| most.min(rows));
        self
    }

    /// What is walked over.
    pub fn listing(&self) -> &'w Listing {
        self.listing
    }

    /// How many records the service says there are, once it has said so.
    pub fn total(&self) -> Option<u64> {
        self.pass.total
    }

    /// The records of the next page that have not come before; none at the proven end.
    ///
    /// # Errors
    /// `Incomplete` where the list would not hold still or pages went missing; else what the service answered.
    pub async fn next(&mut self) -> Result<Option<Vec<Record>>> {
        if let Some(end) = self.end.take() {
            return end.map(|()| None);
        }
        self.pass.page += 1;
        let page = self.fetch().await?;
        let (fresh, news) = self.sift(page.records);
        match self.pass.judge(news, page.pagination) {
            Next::Page => {}
            Next::Complete => self.end = Some(Ok(())),
            Next::Never => self.end = Some(Err(self.incomplete())),
            Next::Again if self.pass.number == PASSES => self.end = Some(Err(self.incomplete())),
            Next::Again => self.begin_again().await,
        }
        Ok(Some(fresh))
    }

    async fn fetch(&mut self) -> Result<Page> {
        let wanted = PageRequest { number: self.pass.page, per_page: self.per_page };
        let answer = self.api.page(self.listing, self.query, wanted).await;
        let refused = answer.as_ref().is_err_and(|error| error.status == Some(400));
        if refused && self.pass.page == 1 && !self.fixed_size && self.per_page.is_some() {
            // The number of rows may be what it refused: its own default is always allowed.
            self.per_page = None;
            return self.api.page(self.listing, self.query, PageRequest { per_page: None, ..wanted }).await;
        }
        answer
    }

    /// Splits off what has not come before, and counts what this pass has not met before.
    fn sift(&mut self, records: Vec<Record>) -> (Vec<Record>, u64) {
        let mut news = 0;
        let pass = self.pass.number;
        let fresh = records.into_iter().filter(|record| match self.met.entry(key(record)) {
            Entry::Vacant(slot) => {
                slot.insert(pass);
                news += 1;
                true
            }
            Entry::Occupied(mut slot) => {
                news += u64::from(slot.insert(pass) != pass);
                false
            }
        });
        (fresh.collect(), news)
    }

    async fn begin_again(&mut self) {
        tokio::time::sleep(Duration::from_millis(100) * self.pass.number).await;
        self.pass = Pass { number: self.pass.number + 1, ..Pass::default() };
    }

    fn incomplete(&self) -> Error {
        let counted =
            self.pass.total.map_or("does not say how many there are".to_string(), |total| format!("counts {total}"));
        let (plural, met) = (self.listing.resource.plural, self.met.len());
        let message = format!(
            "the list of {plural} could not be read whole: in {} readings {met} records were met and the service {counted}",
            self.pass.number
        );
        Error::new(Kind::Incomplete, message)
            .hint("what was printed is not everything; try again when the list is at rest")
    }
}

impl Pass {
    /// Takes in a page that brought `news` records which this pass had not met.
    fn judge(&mut self, news: u64, pagination: Option<Pagination>) -> Next {
        self.met += news;
        self.idle = if news == 0 { self.idle + 1 } else { 0 };
        let Some(pagination) = pagination else { return self.judge_uncounted(news) };
        let total = pagination.total_items;
        self.moved |= self.page > 1 && self.total != Some(total);
        self.total = Some(total);
        // A page count that promises more than the total is looked into before the total is believed.
        let last = self.page >= pagination.total_pages;
        match () {
            () if self.met == total && !self.moved && (last || news == 0) => Next::Complete,
            () if self.met > total || (self.met == total && self.moved) => Next::Again,
            () if (last && news == 0) || self.idle == IDLE_PAGES => Next::Again,
            () => Next::Page,
        }
    }

    /// Only lists that the spec does not define come without a total. Their end is where pages bring nothing new, twice
    /// in a row: once could be a repeated page.
    fn judge_uncounted(&self, news: u64) -> Next {
        match () {
            () if self.page >= UNCOUNTED_PAGES => Next::Never,
            () if self.total.is_some() => Next::Again,
            () if news == 0 && (self.idle == 2 || self.met == 0) => Next::Complete,
            () => Next::Page,
        }
    }
}

/// What tells records apart: the id, or the whole record where it has none.
fn key(record: &Record) -> String {
    #[derive(serde::Deserialize)]
    struct Id<'r> {
        #[serde(borrow)]
        id: &'r serde_json::value::RawValue,
    }
    let raw = record.json();
    let id = serde_json::from_str::<Id<'_>>(raw).map(|found| found.id.get()).ok();
    id.filter(|id| *id != "null").unwrap_or(raw).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(pass: &mut Pass, news: u64, total_pages: u64, total_items: u64) -> Next {
        pass.page += 1;
        pass.judge(news, Some(Pagination { page: pass.page, per_page: 2, total_pages, total_items }))
    }

    #[test]
    fn a_short_page_is_not_taken_for_the_last() {
        let mut pass = Pass::default();
        assert_eq!(judge(&mut pass, 1, 1, 4), Next::Page);
        assert_eq!(judge(&mut pass, 2, 1, 4), Next::Page);
        assert_eq!(judge(&mut pass, 1, 1, 4), Next::Complete);
    }

    #[test]
    fn a_total_that_moves_proves_nothing() {
        let mut pass = Pass::default();
        assert_eq!(judge(&mut pass, 2, 2, 4), Next::Page);
        assert_eq!(judge(&mut pass, 1, 2, 3), Next::Again);
    }

    #[test]
    fn a_page_that_repeats_ends_the_pass() {
        let mut pass = Pass::default();
        assert_eq!(judge(&mut pass, 2, 9, 18), Next::Page);
        assert_eq!(judge(&mut pass, 0, 9, 18), Next::Page);
        assert_eq!(judge(&mut pass, 0, 9, 18), Next::Page);
        assert_eq!(judge(&mut pass, 0, 9, 18), Next::Again);
    }

    #[test]
    fn a_page_count_beyond_the_total_is_looked_into() {
        let mut pass = Pass::default();
        assert_eq!(judge(&mut pass, 2, 3, 2), Next::Page);
        assert_eq!(judge(&mut pass, 0, 3, 2), Next::Complete);
        let mut pass = Pass::default();
        assert_eq!(judge(&mut pass, 2, 3, 2), Next::Page);
        assert_eq!(judge(&mut pass, 2, 3, 2), Next::Again);
    }

    #[test]
    fn a_list_without_a_total_ends_where_nothing_is_new() {
        let uncounted = |pass: &mut Pass, news| {
            pass.page += 1;
            pass.judge(news, None)
        };
        let mut pass = Pass::default();
        let ends = [3, 0, 0].map(|news| uncounted(&mut pass, news));
        assert_eq!(ends, [Next::Page, Next::Page, Next::Complete]);
        assert_eq!(uncounted(&mut Pass::default(), 0), Next::Complete);
        assert_eq!(uncounted(&mut Pass { total: Some(10), met: 5, ..Pass::default() }, 0), Next::Again);
        assert_eq!(uncounted(&mut Pass { page: UNCOUNTED_PAGES, ..Pass::default() }, 1), Next::Never);
    }

    #[test]
    fn an_empty_list_is_complete() {
        assert_eq!(judge(&mut Pass::default(), 0, 0, 0), Next::Complete);
    }
}
