//! Decides whether a list was read completely. It uses no network and no clock, so that tests can try any sequence of
//! changes.
//!
//! The list is read in passes, each from page 1. A pass is consistent if the total did not change and the pass contained
//! as many different records as the total. Then no record that existed throughout can be missing: the list has `total`
//! records at the end, so a missed record means that a received record was deleted, and only a new record can have kept
//! the total. `verify` detects such a swap: it reads until two passes in a row contain the same records, because a
//! deleted record does not return.

use super::page::{Key, Page};
use super::pagination::Pagination;
use crate::resources::Record;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The most passes over a list that keeps changing.
const PASSES: u32 = 5;
/// The most pages of a list without a total, because a service can generate pages without end.
const UNCOUNTED_PAGES: u64 = 1000;

/// The state of one list.
pub struct Reading {
    /// The last pass that contained each record.
    pub met: HashMap<Key, u32, RandomState>,
    /// The current pass.
    pub pass: Pass,
    /// Whether two passes in a row must contain the same records.
    verify: bool,
    /// The number of records in the previous pass, if it was consistent.
    before: Option<u64>,
    /// The limit of records, and the number of returned records.
    wanted: u64,
    given: u64,
}

/// One pass over the list.
#[derive(Debug, Default)]
pub struct Pass {
    /// Its number, from 1.
    pub number: u32,
    /// Pages read.
    pub page: u64,
    /// Different records.
    met: u64,
    /// The total that the service reports.
    pub total: Option<u64>,
    /// Whether the total changed.
    moved: bool,
    /// Repeated rows, except on a last page that is the same as the one before it.
    repeats: u64,
    /// Whether the previous pass contained every record.
    alike: bool,
    /// A hash of the rows of the previous page, in any order.
    before: Option<u64>,
    /// Whether the last page with a new record, or one after it, announces more records.
    more: bool,
    /// The most rows on a page.
    pub fullest: u64,
    /// The page count that the service reports.
    pages: Option<u64>,
}

/// The largest capacity that is reserved at once, in records, because a wrong total must not exhaust the memory.
const MOST_ROOM: u64 = 1 << 20;

/// The next step after a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Read the next page.
    Page,
    /// Stop: the list is complete.
    Complete,
    /// Begin another pass at page 1.
    Again,
    /// Stop: the list is incomplete.
    Never,
}

impl Reading {
    /// Prepares to read. With `verify`, two passes must match.
    pub fn new(verify: bool, wanted: Option<u64>) -> Self {
        Self {
            met: HashMap::default(),
            pass: Pass::number(1),
            verify,
            before: None,
            wanted: wanted.unwrap_or(u64::MAX),
            given: 0,
        }
    }

    /// Takes the next page of this pass. Returns its new records, and the next step.
    pub fn take(&mut self, page: Page) -> (Vec<Record>, Next) {
        let (rows, pagination) = (page.records.len() as u64, page.pagination);
        let all = page
            .keys
            .iter()
            .fold(rows, |all, key| all.wrapping_add(*key));
        let is_end = rows == 0 || self.pass.before.replace(all) == Some(all);
        if self.met.is_empty() {
            // A growing table takes twice the memory.
            let total = pagination.total_items.unwrap_or(0).min(self.wanted);
            self.met.reserve(total.min(MOST_ROOM) as usize);
        }
        let (mut fresh, news) = self.sift(page);
        fresh.truncate(usize::try_from(self.wanted - self.given).unwrap_or(usize::MAX));
        self.given += fresh.len() as u64;
        self.pass.repeats += if is_end && pagination.total_items.is_none() {
            0
        } else {
            rows - news
        };
        self.pass.fullest = self.pass.fullest.max(rows);
        let next = self.pass.judge(news, is_end, pagination);
        (fresh, self.settle(next))
    }

    /// Returns the last page that can be requested now: as many as the total needs, because requests are limited.
    pub fn horizon(&self) -> u64 {
        let Pass {
            page,
            total,
            pages,
            fullest,
            ..
        } = self.pass;
        let needed = total.unwrap_or(0).min(self.wanted).div_ceil(fullest.max(1));
        needed.min(pages.unwrap_or(needed)).max(page + 1)
    }

    /// Applies the limit, `verify` and the number of passes to a decision about this pass.
    fn settle(&mut self, next: Next) -> Next {
        let next = match next {
            Next::Complete if self.verify && !self.is_proven() => Next::Again,
            Next::Complete => Next::Complete,
            // The first records of a list are complete only if the list did not change while they were read.
            _ if self.given == self.wanted => {
                return if self.pass.is_unchanged() {
                    Next::Complete
                } else {
                    Next::Never
                };
            }
            next => next,
        };
        if next != Next::Again {
            return next;
        }
        self.before = Some(self.pass.met).filter(|_| self.pass.adds_up());
        if self.pass.number == PASSES {
            return Next::Never;
        }
        self.pass = Pass::number(self.pass.number + 1);
        Next::Again
    }

    /// Whether a consistent pass is proven complete: it was a single response, or matches the previous pass.
    fn is_proven(&self) -> bool {
        (self.pass.number == 1 && self.pass.page == 1)
            || (self.pass.alike && self.before == Some(self.pass.met))
    }

    /// Returns the new records, and counts the records that are new to this pass.
    fn sift(&mut self, page: Page) -> (Vec<Record>, u64) {
        let mut news = 0;
        let records = page.records.into_iter().zip(page.keys);
        let fresh = records.filter_map(|(record, key)| {
            let last = self.met.insert(key, self.pass.number);
            news += u64::from(last != Some(self.pass.number));
            self.pass.alike &= last.is_some_and(|last| last + 1 >= self.pass.number);
            last.is_none().then_some(record)
        });
        (fresh.collect(), news)
    }
}

impl Pass {
    fn number(number: u32) -> Self {
        Self {
            number,
            alike: true,
            ..Self::default()
        }
    }

    /// Decides about a page with `news` records that are new to this pass. Without a total, `is_end` ends the list: the
    /// page is empty, or the same as the previous one.
    fn judge(&mut self, news: u64, is_end: bool, pagination: Pagination) -> Next {
        self.page += 1;
        self.met += news;
        self.pages = pagination.total_pages;
        let total_pages = pagination.total_pages.unwrap_or(0);
        let uncounted = pagination.total_items.is_none() && total_pages > self.page;
        let more = uncounted || pagination.at_least > self.met;
        // A page without new records is not the page that the previous one announced.
        let missed = news == 0 && !pagination.is_specified && total_pages >= self.page;
        self.more = more || missed || (news == 0 && self.more);
        let Some(total) = pagination.total_items else {
            return self.judge_uncounted(news, is_end);
        };
        self.moved |= self.page > 1 && self.total != Some(total);
        self.total = Some(total);
        // If the page count exceeds the total, the next page decides.
        let last = self.page >= total_pages;
        match () {
            () if self.adds_up() && (last || news == 0) && self.more => Next::Never,
            () if self.adds_up() && (last || news == 0) => Next::Complete,
            () if self.met > total || (self.met == total && self.moved) => Next::Again,
            () if news == 0 => Next::Again,
            () => Next::Page,
        }
    }

    /// Decides about a page without a total, which only lists outside the spec have. A page that is the same as the
    /// previous one means that the service has no pages. Repeated records on a page with new ones mean that the list changed.
    fn judge_uncounted(&self, news: u64, is_end: bool) -> Next {
        match () {
            () if self.total.is_some() => Next::Again,
            () if !is_end && self.page >= UNCOUNTED_PAGES => Next::Never,
            () if !is_end => {
                if news > 0 {
                    Next::Page
                } else {
                    Next::Again
                }
            }
            () if self.more => Next::Never,
            () if self.repeats > 0 => Next::Again,
            () => Next::Complete,
        }
    }

    /// Whether no page of the first pass showed a change of the list.
    fn is_unchanged(&self) -> bool {
        self.number == 1 && !self.moved && self.repeats == 0
    }

    fn adds_up(&self) -> bool {
        !self.moved && self.total.is_none_or(|total| total == self.met)
    }
}

#[cfg(test)]
mod tests;
