//! Whether a list was read whole: an account of the pages that came, without a network or a clock, so that any
//! sequence of changes to a list can be tried on it.
//!
//! The list is read in passes, each from its first page. A pass adds up when the service's total did not move during it
//! and as many different records were met as that total says. Then nothing that was there throughout can be missing:
//! the list holds `total` records at the end, so one that was missed means that one that was met is gone, and only
//! another that came in its place can have kept the total. That swap is what `verify` looks for, by reading until two
//! passes in a row meet the same records: one that is gone does not come back.

use super::page::{Key, Page};
use super::pagination::Pagination;
use crate::resources::Record;
use std::collections::HashMap;

/// How often a list that will not hold still is read from its start.
const PASSES: u32 = 5;
/// Pages in a row that bring nothing new before a pass gives up on the rest.
const IDLE_PAGES: u32 = 3;
/// Pages of a list without a total before it is given up: a service that never repeats itself would go on for ever.
const UNCOUNTED_PAGES: u64 = 1000;

/// The account of one list.
pub struct Reading {
    /// In which pass each record was last met.
    met: HashMap<Key, u32>,
    pass: Pass,
    /// Two passes in a row must meet the same records.
    verify: bool,
    /// How many records the pass before met, where it added up.
    before: Option<u64>,
    /// How many records are wanted at most, and how many have been given.
    wanted: u64,
    given: u64,
}

/// One pass over the list.
#[derive(Debug)]
struct Pass {
    number: u32,
    /// Pages that were taken in.
    page: u64,
    /// Different records that were met.
    met: u64,
    total: Option<u64>,
    /// The total changed.
    moved: bool,
    /// Rows that this pass had met before: those that stand before or beside new ones, and those at the end.
    overlapping: u64,
    trailing: u64,
    /// Every record was met in the pass before, too.
    alike: bool,
    /// Pages in a row without news.
    idle: u32,
    /// The rows of the page before, in any order.
    before: Option<u64>,
    /// The last page that brought something new, or one after it, shows that more records follow.
    more: bool,
    /// Rows of the fullest page.
    fullest: u64,
    /// The last page that is worth asking for before the one before it has come.
    horizon: u64,
}

/// Records that room is made for at once.
const MOST_ROOM: u64 = 1 << 20;

/// What follows from a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// There may be more.
    Page,
    /// Everything that is wanted was met.
    Complete,
    /// The pass is over and proves nothing: the next begins at page 1.
    Again,
    /// No reading will ever add up.
    Never,
}

impl Reading {
    /// Nothing has been read. With `verify`, two passes have to agree.
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

    /// Takes in the next page of this pass: its records that have not come before, and what follows.
    pub fn take(&mut self, page: Page) -> (Vec<Record>, Next) {
        let (rows, pagination) = (page.records.len() as u64, page.pagination);
        let all = page.keys.iter().fold(rows, |all, key| all.wrapping_add(*key));
        let is_end = rows == 0 || self.pass.before.replace(all) == Some(all);
        self.make_room(pagination);
        let (mut fresh, news) = self.sift(page);
        fresh.truncate(usize::try_from(self.wanted - self.given).unwrap_or(usize::MAX));
        self.given += fresh.len() as u64;
        self.pass.count_repeats(rows - news, news);
        let next = self.pass.judge(news, is_end, pagination);
        self.pass.look_ahead(rows, pagination, self.wanted);
        (fresh, self.settle(next))
    }

    /// Rows of the fullest page of this pass.
    pub fn fullest(&self) -> u64 {
        self.pass.fullest
    }

    /// The last page that may be asked for now.
    pub fn horizon(&self) -> u64 {
        self.pass.horizon.max(self.pass.page + 1)
    }

    /// How many records the service says there are, once it has said so.
    pub fn total(&self) -> Option<u64> {
        self.pass.total
    }

    /// Pages of this pass that were taken in.
    pub fn pages(&self) -> u64 {
        self.pass.page
    }

    /// Which pass this is, from 1.
    pub fn pass(&self) -> u32 {
        self.pass.number
    }

    /// How many different records were met in all.
    pub fn met(&self) -> usize {
        self.met.len()
    }

    /// Whether the service shows more records than it sent.
    pub fn has_more(&self) -> bool {
        self.pass.more
    }

    /// What the end of a page means for the whole reading. A pass that begins again is ready to.
    fn settle(&mut self, next: Next) -> Next {
        let next = match next {
            Next::Complete if self.verify && !self.is_proven() => Next::Again,
            Next::Complete => Next::Complete,
            _ if self.given == self.wanted => return Next::Complete,
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

    /// Whether a pass that adds up can have missed nothing: it was a single answer, or agrees with the one before.
    fn is_proven(&self) -> bool {
        (self.pass.number == 1 && self.pass.page == 1) || (self.pass.alike && self.before == Some(self.pass.met))
    }

    /// Growing a table of a known size step by step would take twice the memory; a total may also be nonsense.
    fn make_room(&mut self, pagination: Pagination) {
        let total = pagination.total_items.unwrap_or(0).min(self.wanted).min(MOST_ROOM);
        self.met.reserve(usize::try_from(total).unwrap_or_default().saturating_sub(self.met.len()));
    }

    /// Splits off what has not come before, and counts what this pass has not met before.
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
            page: 0,
            met: 0,
            total: None,
            moved: false,
            overlapping: 0,
            trailing: 0,
            alike: true,
            idle: 0,
            before: None,
            more: false,
            fullest: 0,
            horizon: 1,
        }
    }

    fn count_repeats(&mut self, repeats: u64, news: u64) {
        self.trailing += repeats;
        if news > 0 {
            self.overlapping += std::mem::take(&mut self.trailing);
        }
    }

    /// Takes in a page that brought `news` records which this pass had not met. Without a total, `is_end` ends the list:
    /// the page is empty, or the same as the one before it.
    fn judge(&mut self, news: u64, is_end: bool, pagination: Pagination) -> Next {
        self.page += 1;
        self.met += news;
        self.idle = if news == 0 { self.idle + 1 } else { 0 };
        let total_pages = pagination.total_pages.unwrap_or(0);
        let uncounted = pagination.total_items.is_none() && total_pages > self.page;
        let more = pagination.more || uncounted || pagination.at_least > self.met;
        // Only a page that brings something new is the one that the page before it announced.
        let missed = news == 0 && !pagination.is_specified && total_pages >= self.page;
        self.more = more || missed || (news == 0 && self.more);
        let Some(total) = pagination.total_items else { return self.judge_uncounted(is_end) };
        self.moved |= self.page > 1 && self.total != Some(total);
        self.total = Some(total);
        // A page count that promises more than the total is looked into before the total is believed.
        let last = self.page >= total_pages;
        match () {
            () if self.adds_up() && (last || news == 0) => {
                if self.more {
                    Next::Never
                } else {
                    Next::Complete
                }
            }
            () if self.met > total || (self.met == total && self.moved) => Next::Again,
            () if (last && news == 0) || self.idle == IDLE_PAGES => Next::Again,
            () => Next::Page,
        }
    }

    /// Only lists that the spec does not define come without a total. A page that is the same as the one before it means
    /// that the service does not page. Records that came again beside new ones mean that the list changed.
    fn judge_uncounted(&self, is_end: bool) -> Next {
        match () {
            () if self.total.is_some() => Next::Again,
            () if !is_end && (self.page >= UNCOUNTED_PAGES || self.idle == IDLE_PAGES) => Next::Never,
            () if !is_end => Next::Page,
            () if self.more => Next::Never,
            () if self.overlapping > 0 => Next::Again,
            () => Next::Complete,
        }
    }

    fn adds_up(&self) -> bool {
        !self.moved && self.total.is_none_or(|total| total == self.met)
    }

    /// Decides how far to look ahead: over the pages that the total needs, and no further, since every request counts.
    fn look_ahead(&mut self, rows: u64, pagination: Pagination, wanted: u64) {
        let Some(total_items) = pagination.total_items else { return };
        self.fullest = self.fullest.max(rows);
        if self.fullest > 0 && self.horizon <= self.page {
            let needed = total_items.min(wanted).div_ceil(self.fullest);
            self.horizon = needed.min(pagination.total_pages.unwrap_or(needed));
        }
    }
}

#[cfg(test)]
mod tests;
