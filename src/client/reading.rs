//! Decides whether a list was read completely. It uses no network and no clock, so that tests can
//! try any sequence of changes.
//!
//! The list is read in passes, each from page 1. A pass is complete if the total did not change and
//! the pass contained as many different records as the total. Records without an id count as they
//! come.

use super::page::{Page, RecordKey};
use super::pagination::Pagination;
use crate::resources::Record;
use std::collections::HashMap;

/// The most passes over a list that keeps changing.
const MAX_PASSES: u8 = 5;
/// The most pages of a list without a total, because a service can generate pages without end.
const MAX_PAGES_WITHOUT_TOTAL: u64 = 1000;

/// The state of one list while it is read.
pub struct Reading {
    /// The number of the last pass that contained each record.
    last_pass_of_record: HashMap<RecordKey, u8>,
    /// The current pass.
    pub pass: Pass,
    /// The most records to return; `u64::MAX` without a limit.
    limit: u64,
    /// The number of records that were returned.
    pub returned: u64,
    /// Whether a record without an id was returned. Another pass could not tell whether it is new.
    has_record_without_id: bool,
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
    previous_page_hash: Option<u64>,
    /// Whether the last page with a record, or a page after it, announces more records.
    more_announced: bool,
    /// The most rows on a page.
    max_rows: u64,
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
    pub fn new(limit: Option<u64>) -> Self {
        Self {
            last_pass_of_record: HashMap::default(),
            pass: Pass::new(1),
            limit: limit.unwrap_or(u64::MAX),
            returned: 0,
            has_record_without_id: false,
        }
    }

    /// Whether the current pass contained this record.
    pub fn is_in_current_pass(&self, key: RecordKey) -> bool {
        self.last_pass_of_record.get(&key) == Some(&self.pass.number)
    }

    /// Adds the next page of this pass. Returns the records that were not returned before, up to
    /// the limit, and what to do next.
    pub fn add_page(&mut self, page: Page) -> (Vec<Record>, Decision) {
        let rows = page.records.len() as u64;
        let pagination = page.pagination;
        let previous_hash = self.pass.previous_page_hash.replace(page.hash);
        // This ends only a list without a total.
        let is_end = rows == 0 || previous_hash == Some(page.hash);
        let (mut new_records, new_to_pass) = if is_end && pagination.total_items.is_none() {
            (Vec::new(), 0)
        } else {
            self.mark_seen(page)
        };
        let remaining = self.limit - self.returned;
        new_records.truncate(usize::try_from(remaining).unwrap_or(usize::MAX));
        self.returned += new_records.len() as u64;
        self.pass.max_rows = self.pass.max_rows.max(rows);
        let decision = self.pass.decide(new_to_pass, is_end, pagination);
        (new_records, self.apply_limits(decision))
    }

    /// Returns the number of the last page to request now: the last page that the total and the
    /// limit need, because the rate limit allows few requests, but at least the next page.
    pub fn last_page_to_request(&self) -> u64 {
        let pass = &self.pass;
        let records = pass.total_items.unwrap_or(0).min(self.limit);
        let pages = records.div_ceil(pass.max_rows.max(1));
        pages.max(pass.pages_read + 1)
    }

    /// Adjusts the decision about this pass to the limit and the number of passes.
    fn apply_limits(&mut self, decision: Decision) -> Decision {
        let is_last_pass = self.pass.number == MAX_PASSES || self.has_record_without_id;
        let reaches_limit = self.pass.distinct >= self.limit;
        match decision {
            Decision::Done => Decision::Done,
            // The first records of a list are complete only if the list did not change while they
            // were read.
            _ if reaches_limit && self.pass.is_unchanged() => Decision::Done,
            Decision::NextPage | Decision::Incomplete if !reaches_limit => decision,
            _ if is_last_pass => Decision::Incomplete,
            _ => {
                self.pass = Pass::new(self.pass.number + 1);
                Decision::Restart
            }
        }
    }

    /// Marks the records of a page as seen in this pass. Returns those that no pass contained
    /// before, and the number of those that are new to this pass.
    fn mark_seen(&mut self, page: Page) -> (Vec<Record>, u64) {
        let pass = &mut self.pass;
        let mut new_records = Vec::with_capacity(page.records.len());
        let mut new_to_pass = 0;
        for (record, key) in page.records.into_iter().zip(page.keys) {
            let last_pass = key.and_then(|key| self.last_pass_of_record.insert(key, pass.number));
            self.has_record_without_id |= key.is_none();
            if last_pass == Some(pass.number) {
                pass.repeats += 1;
            } else {
                new_to_pass += 1;
            }
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
            ..Self::default()
        }
    }

    /// Decides what to do after a page with `new_to_pass` records that this pass did not contain
    /// before. `is_end` means that the page is empty or the same as the previous one, which ends a
    /// list without a total.
    fn decide(&mut self, new_to_pass: u64, is_end: bool, pagination: Pagination) -> Decision {
        self.pages_read += 1;
        self.distinct += new_to_pass;
        self.more_announced = pagination.announces_more || (is_end && self.more_announced);
        self.total_changed |= self.pages_read > 1 && self.total_items != pagination.total_items;
        self.total_items = pagination.total_items.or(self.total_items);
        let Some(total) = self.total_items else {
            return self.decide_without_total(new_to_pass, is_end);
        };
        if self.distinct == total && !self.total_changed {
            Decision::Done
        } else if self.distinct >= total || new_to_pass == 0 {
            Decision::Restart
        } else {
            Decision::NextPage
        }
    }

    /// Decides after a page of a list without a total, which only lists outside the spec have. A
    /// page that is the same as the previous one means that the service ignores the page number.
    /// Repeated records on another page mean that the list changed.
    fn decide_without_total(&self, new_to_pass: u64, is_end: bool) -> Decision {
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

    /// Whether no page of this pass showed a change of the list.
    fn is_unchanged(&self) -> bool {
        !self.total_changed && self.repeats == 0
    }
}

#[cfg(test)]
mod tests;
