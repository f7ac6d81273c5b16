//! Decides whether a list was read completely. It uses no network and no clock, so that tests can
//! try any sequence of changes.
//!
//! The list is read in passes, each from page 1. A pass is consistent if the total did not change
//! and the pass contained as many different records as the total. Then a record that existed
//! throughout can only be missing after a swap: since the list still has `total` records at the end
//! of the pass, a received record must have been deleted and a new one added. `verify` detects a
//! swap: it reads until two passes in a row contain the same records. A deleted record does not
//! return, so that the second pass lacks it.

use super::page::{Page, RecordKey};
use super::pagination::Pagination;
use crate::resources::Record;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The most passes over a list that keeps changing.
const MAX_PASSES: u8 = 5;
/// The most pages of a list without a total, because a service can generate pages without end.
const MAX_PAGES_WITHOUT_TOTAL: u64 = 1000;
/// The largest capacity that is reserved at once, in records, because a wrong total must not
/// exhaust the memory.
const MAX_RESERVED: u64 = 1 << 20;

/// A key of 7 bytes: with the number of a pass, 8 bytes per record. A list of a million records
/// needs 18 MiB for them, and with an integer as the key, 34 MiB.
type StoredKey = [u8; 7];

fn stored_key(key: RecordKey) -> StoredKey {
    let [_, stored @ ..] = key.to_be_bytes();
    stored
}

/// The state of one list while it is read.
pub struct Reading {
    /// The number of the last pass that contained each record.
    last_pass_of_record: HashMap<StoredKey, u8, RandomState>,
    /// The current pass.
    pub pass: Pass,
    /// Whether two passes in a row must contain the same records.
    verify: bool,
    /// The number of records in the previous pass, if it was consistent.
    previous_pass_len: Option<u64>,
    /// The most records to return; `u64::MAX` without a limit.
    limit: u64,
    /// The number of records that were returned.
    returned: u64,
}

/// One pass over the list.
#[derive(Debug, Default)]
pub struct Pass {
    /// From 1.
    pub number: u8,
    pub pages_read: u64,
    /// The number of different records.
    distinct: u64,
    /// The total that the last page with a total reports.
    pub total_items: Option<u64>,
    total_changed: bool,
    /// The number of rows with a record that this pass contained before. Without a total, a last
    /// page that is the same as the previous one is not counted.
    repeats: u64,
    /// Whether the previous pass contained every record of this pass so far.
    subset_of_previous: bool,
    /// A hash of the previous page, which does not depend on the order of its rows.
    previous_page_hash: Option<u64>,
    /// Whether the last page with a new record, or a page after it, announces more records than
    /// this pass contained.
    more_announced: bool,
    /// The most rows on a page.
    pub max_rows: u64,
    /// The page count that the last page reports.
    total_pages: Option<u64>,
}

/// The decision after a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Read the next page.
    NextPage,
    /// Stop: the list is complete.
    Done,
    /// Begin another pass at page 1.
    Restart,
    /// Stop: the list is incomplete.
    Incomplete,
}

impl Reading {
    /// Returns the number of different records in all passes.
    pub fn distinct_records(&self) -> usize {
        self.last_pass_of_record.len()
    }

    /// Whether the current pass contained this record.
    pub fn is_in_current_pass(&self, key: RecordKey) -> bool {
        self.last_pass_of_record.get(&stored_key(key)) == Some(&self.pass.number)
    }

    pub fn new(verify: bool, limit: Option<u64>) -> Self {
        Self {
            last_pass_of_record: HashMap::default(),
            pass: Pass::new(1),
            verify,
            previous_pass_len: None,
            limit: limit.unwrap_or(u64::MAX),
            returned: 0,
        }
    }

    /// Adds the next page of this pass. Returns the records that were not returned before, up to
    /// the limit, and what to do next.
    pub fn add_page(&mut self, page: Page) -> (Vec<Record>, Decision) {
        let rows = page.records.len() as u64;
        let pagination = page.pagination;
        let page_hash = page
            .keys
            .iter()
            .fold(rows, |hash, key| hash.wrapping_add(*key));
        let previous_hash = self.pass.previous_page_hash.replace(page_hash);
        // This ends only a list without a total.
        let is_end = rows == 0 || previous_hash == Some(page_hash);
        if self.last_pass_of_record.is_empty() {
            // Reserved at once, because a table that grows takes twice the memory.
            let expected = pagination.total_items.unwrap_or(0).min(self.limit);
            self.last_pass_of_record
                .reserve(expected.min(MAX_RESERVED) as usize);
        }
        let (mut new_records, new_to_pass) = self.mark_seen(page);
        let remaining = self.limit - self.returned;
        new_records.truncate(usize::try_from(remaining).unwrap_or(usize::MAX));
        self.returned += new_records.len() as u64;
        if !is_end || pagination.total_items.is_some() {
            self.pass.repeats += rows - new_to_pass;
        }
        self.pass.max_rows = self.pass.max_rows.max(rows);
        let decision = self.pass.decide(new_to_pass, is_end, pagination);
        (new_records, self.apply_options(decision))
    }

    /// Returns the number of the last page to request now: the last page that the total and the
    /// limit need, because the rate limit allows few requests, but at least the next page.
    pub fn last_page_to_request(&self) -> u64 {
        let pass = &self.pass;
        let records = pass.total_items.unwrap_or(0).min(self.limit);
        let pages = records.div_ceil(pass.max_rows.max(1));
        pages
            .min(pass.total_pages.unwrap_or(pages))
            .max(pass.pages_read + 1)
    }

    /// Adjusts the decision about this pass to `verify`, the limit and the number of passes.
    fn apply_options(&mut self, decision: Decision) -> Decision {
        match decision {
            Decision::Done if self.verify && !self.is_verified() => self.restart(),
            Decision::Done => Decision::Done,
            // The limit is reached. The first records of a list are complete only if the list did
            // not change while they were read.
            _ if self.returned == self.limit && self.pass.is_unchanged() => Decision::Done,
            _ if self.returned == self.limit => Decision::Incomplete,
            Decision::Restart => self.restart(),
            Decision::NextPage | Decision::Incomplete => decision,
        }
    }

    /// Begins another pass, unless there were `MAX_PASSES`.
    fn restart(&mut self) -> Decision {
        self.previous_pass_len = Some(self.pass.distinct).filter(|_| self.pass.is_consistent());
        if self.pass.number == MAX_PASSES {
            return Decision::Incomplete;
        }
        self.pass = Pass::new(self.pass.number + 1);
        Decision::Restart
    }

    /// Whether `verify` accepts a consistent pass: it was a single response, which the service
    /// may have repeated as page 2, or has the same records as the previous pass.
    fn is_verified(&self) -> bool {
        let pass = &self.pass;
        // Without a total, page 2 ends the list because it is empty or the same as page 1. The
        // hash of an empty page is 0.
        let is_page_1_repeated = pass.total_items.is_none()
            && pass.pages_read == 2
            && pass.previous_page_hash != Some(0);
        let is_single_response = pass.number == 1 && (pass.pages_read == 1 || is_page_1_repeated);
        let is_same_size = self.previous_pass_len == Some(pass.distinct);
        is_single_response || (pass.subset_of_previous && is_same_size)
    }

    /// Marks the records of a page as seen in this pass. Returns those that no pass contained
    /// before, and the number of those that are new to this pass.
    fn mark_seen(&mut self, page: Page) -> (Vec<Record>, u64) {
        let pass = &mut self.pass;
        let mut new_records = Vec::with_capacity(page.records.len());
        let mut new_to_pass = 0;
        for (record, key) in page.records.into_iter().zip(page.keys) {
            let last_pass = self
                .last_pass_of_record
                .insert(stored_key(key), pass.number);
            new_to_pass += u64::from(last_pass != Some(pass.number));
            pass.subset_of_previous &= last_pass.is_some_and(|last| last + 1 >= pass.number);
            if last_pass.is_none() {
                new_records.push(record);
            }
        }
        (new_records, new_to_pass)
    }
}

impl Pass {
    fn new(number: u8) -> Self {
        Self {
            number,
            subset_of_previous: true,
            ..Self::default()
        }
    }

    /// Decides what to do after a page with `new_to_pass` records that this pass did not contain
    /// before. `is_end` means that the page is empty or the same as the previous one, which ends a
    /// list without a total.
    fn decide(&mut self, new_to_pass: u64, is_end: bool, pagination: Pagination) -> Decision {
        self.pages_read += 1;
        self.distinct += new_to_pass;
        self.total_pages = pagination.total_pages;
        self.more_announced = self.announces_more(new_to_pass, pagination);
        let Some(total) = pagination.total_items else {
            return self.decide_without_total(new_to_pass, is_end);
        };
        self.total_changed |= self.pages_read > 1 && self.total_items != Some(total);
        self.total_items = Some(total);
        // If the page count announces another page, that page is read before the pass is judged.
        let is_last = new_to_pass == 0 || self.pages_read >= pagination.total_pages.unwrap_or(0);
        let has_changed = self.distinct > total || (self.distinct == total && self.total_changed);
        if self.is_consistent() && is_last && self.more_announced {
            Decision::Incomplete
        } else if self.is_consistent() && is_last {
            Decision::Done
        } else if has_changed || new_to_pass == 0 {
            Decision::Restart
        } else {
            Decision::NextPage
        }
    }

    /// Decides after a page without a total, which only lists outside the spec have. A page that is
    /// the same as the previous one means that the service ignores the page number. Repeated
    /// records on another page mean that the list changed.
    fn decide_without_total(&self, new_to_pass: u64, is_end: bool) -> Decision {
        if self.total_items.is_some() {
            // An earlier page had a total.
            return Decision::Restart;
        }
        if is_end && self.more_announced {
            Decision::Incomplete
        } else if is_end && self.repeats == 0 {
            Decision::Done
        } else if !is_end && self.pages_read >= MAX_PAGES_WITHOUT_TOTAL {
            Decision::Incomplete
        } else if !is_end && new_to_pass > 0 {
            Decision::NextPage
        } else {
            Decision::Restart
        }
    }

    /// Whether the page that was just read shows that the list has more records than this pass
    /// contained.
    fn announces_more(&self, new_to_pass: u64, pagination: Pagination) -> bool {
        let total_pages = pagination.total_pages.unwrap_or(0);
        let has_more_pages = pagination.total_items.is_none() && total_pages > self.pages_read;
        // The page count includes this page, which has no new records: those that it should have
        // are missing.
        let lacks_records =
            new_to_pass == 0 && !pagination.is_specified && total_pages >= self.pages_read;
        has_more_pages
            || pagination.lower_bound > self.distinct
            || lacks_records
            || (new_to_pass == 0 && self.more_announced)
    }

    /// Whether this is the first pass, and no page of it showed a change of the list.
    fn is_unchanged(&self) -> bool {
        self.number == 1 && !self.total_changed && self.repeats == 0
    }

    /// Whether the total, if there is one, did not change and is the number of different records.
    fn is_consistent(&self) -> bool {
        let is_reached = |total| total == self.distinct;
        !self.total_changed && self.total_items.is_none_or(is_reached)
    }
}

#[cfg(test)]
mod tests;
