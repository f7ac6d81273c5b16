//! Tests with lists that change between requests, and with incorrect responses.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn record(id: u32) -> Record {
    let raw = serde_json::value::RawValue::from_string(format!(r#"{{"id":"{id}"}}"#));
    Record::new(raw.unwrap_or_else(|_| unreachable!("it is JSON")))
}

fn id(record: &Record) -> u32 {
    record
        .id()
        .and_then(|id| id.parse().ok())
        .unwrap_or_else(|| unreachable!("it has a number"))
}

fn page(ids: &[u32], total_items: u64) -> Page {
    let pagination = Pagination {
        total_items: Some(total_items),
        ..Pagination::default()
    };
    Page {
        records: ids.iter().copied().map(record).collect(),
        keys: ids.iter().map(|id| Some(u64::from(*id))).collect(),
        hash: ids.iter().map(|id| u64::from(*id)).sum(),
        pagination,
    }
}

/// A change of a list: an insertion or a deletion at a position.
#[derive(Debug, Clone, Copy)]
enum Change {
    Insert(usize),
    Delete(usize),
}

/// A service whose list changes between requests. An id never comes back.
struct Service {
    ids: Vec<u32>,
    next_id: u32,
    per_page: usize,
    schedule: std::vec::IntoIter<Vec<Change>>,
    /// The records that existed before every request so far.
    throughout: BTreeSet<u32>,
}

impl Service {
    fn new(size: u32, per_page: usize, schedule: Vec<Vec<Change>>) -> Self {
        let ids: Vec<u32> = (0..size).collect();
        Self {
            throughout: ids.iter().copied().collect(),
            ids,
            next_id: size,
            per_page,
            schedule: schedule.into_iter(),
        }
    }

    fn serve(&mut self, number: u64) -> Page {
        for change in self.schedule.next().unwrap_or_default() {
            match change {
                Change::Insert(position) => {
                    self.ids
                        .insert(position % (self.ids.len() + 1), self.next_id);
                    self.next_id += 1;
                }
                Change::Delete(position) if !self.ids.is_empty() => {
                    let gone = self.ids.remove(position % self.ids.len());
                    self.throughout.remove(&gone);
                }
                Change::Delete(_) => {}
            }
        }
        let from = ((number as usize - 1) * self.per_page).min(self.ids.len());
        let to = (from + self.per_page).min(self.ids.len());
        page(&self.ids[from..to], self.ids.len() as u64)
    }
}

/// Reads to the end with up to `in_flight` pages in flight, served in the order of `picks`.
fn read(service: &mut Service, in_flight: usize, picks: &[usize]) -> (Vec<u32>, Decision) {
    let mut reading = Reading::new(None);
    let mut printed = Vec::new();
    let mut picks = picks.iter().copied().cycle();
    let mut requested: Vec<(u64, Option<Page>)> = Vec::new();
    let mut last_requested = 0;
    loop {
        while requested.len() < in_flight && last_requested < reading.last_page_to_request() {
            last_requested += 1;
            requested.push((last_requested, None));
        }
        while requested.first().is_some_and(|(_, page)| page.is_none()) {
            let mut waiting: Vec<_> = requested
                .iter_mut()
                .filter(|(_, page)| page.is_none())
                .collect();
            let pick = picks.next().unwrap_or(0) % waiting.len();
            let (number, response) = &mut waiting[pick];
            *response = Some(service.serve(*number));
        }
        let (_, Some(page)) = requested.remove(0) else {
            unreachable!("it was served")
        };
        let (new_records, decision) = reading.add_page(page);
        printed.extend(new_records.iter().map(id));
        match decision {
            Decision::NextPage => {}
            Decision::Restart => {
                requested.clear();
                last_requested = 0;
            }
            end => return (printed, end),
        }
    }
}

/// Checks that a complete list has every record that existed throughout, and no record twice.
fn check(service: &Service, printed: &[u32], end: Decision) -> Result<(), TestCaseError> {
    let distinct: BTreeSet<u32> = printed.iter().copied().collect();
    prop_assert_eq!(distinct.len(), printed.len(), "twice: {:?}", printed);
    if end == Decision::Done {
        let missing: Vec<_> = service.throughout.difference(&distinct).collect();
        prop_assert!(
            missing.is_empty(),
            "missing {:?} of {:?} in {:?}",
            missing,
            service.throughout,
            printed
        );
    }
    Ok(())
}

/// Only insertions or only deletions between two requests, which change the total.
fn one_sided() -> impl Strategy<Value = Vec<Change>> {
    let positions = || vec(0..64usize, 0..3);
    prop_oneof![
        3 => Just(Vec::new()),
        1 => positions().prop_map(|positions| positions.into_iter().map(Change::Insert).collect()),
        1 => positions().prop_map(|positions| positions.into_iter().map(Change::Delete).collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_change_of_the_total_loses_no_record(
        size in 0..24u32, per_page in 1..7usize, in_flight in 1..5usize,
        schedule in vec(one_sided(), 0..30), picks in vec(0..8usize, 1..8),
    ) {
        let mut service = Service::new(size, per_page, schedule);
        let (printed, end) = read(&mut service, in_flight, &picks);
        check(&service, &printed, end)?;
    }
}

/// Returns the decisions after these pages without a total; the flag announces more records.
fn decisions_without_total(pages: &[(&[u32], bool)]) -> Vec<Decision> {
    let mut reading = Reading::new(None);
    pages
        .iter()
        .map(|(ids, more)| reading.add_page(page_without_total(ids, *more)).1)
        .collect()
}

fn page_without_total(ids: &[u32], announces_more: bool) -> Page {
    Page {
        pagination: Pagination {
            total_items: None,
            announces_more,
        },
        ..page(ids, 0)
    }
}

#[test]
fn a_list_without_a_total_ends_with_an_empty_page_or_a_repeated_one() {
    use Decision::{Done, Incomplete, NextPage, Restart};
    assert_eq!(
        decisions_without_total(&[(&[1, 2, 3], false), (&[], false)]),
        [NextPage, Done]
    );
    assert_eq!(
        decisions_without_total(&[(&[1, 2], false), (&[2, 1], false)]),
        [NextPage, Done]
    );
    assert_eq!(decisions_without_total(&[(&[], false)]), [Done]);
    // A part of a page is not a repetition of it, and pages that overlap mean that the list
    // changed.
    assert_eq!(
        decisions_without_total(&[(&[1, 2], false), (&[1], false)]),
        [NextPage, Restart]
    );
    assert_eq!(
        decisions_without_total(&[(&[1, 2], false), (&[2, 3], false), (&[], false)]),
        [NextPage, NextPage, Restart]
    );
    let mut endless = Reading::new(None);
    let mut decisions = (0..).map(|n| endless.add_page(page_without_total(&[n], false)).1);
    assert_eq!(
        decisions.find(|decision| *decision != NextPage),
        Some(Incomplete)
    );
}

#[test]
fn announced_records_must_arrive() {
    use Decision::{Done, Incomplete, NextPage};
    assert_eq!(
        decisions_without_total(&[(&[1], true), (&[2], false), (&[], false)]),
        [NextPage, NextPage, Done]
    );
    for end in [&[][..], &[1]] {
        assert_eq!(
            decisions_without_total(&[(&[1], true), (end, false)]),
            [NextPage, Incomplete],
            "{end:?}"
        );
    }
    assert_eq!(
        decisions_without_total(&[(&[1], false), (&[], true)]),
        [NextPage, Incomplete]
    );
}

#[test]
fn records_without_an_id_count_as_they_come() {
    let without_ids = |ids: &[u32], total| {
        let page = page(ids, total);
        Page {
            keys: vec![None; ids.len()],
            ..page
        }
    };
    let mut reading = Reading::new(None);
    let (records, decision) = reading.add_page(without_ids(&[7, 7, 7, 8], 4));
    assert_eq!((records.len(), decision), (4, Decision::Done));
    // Another pass could not tell which of them were returned.
    let mut reading = Reading::new(None);
    reading.add_page(without_ids(&[7], 2));
    let (_, decision) = reading.add_page(without_ids(&[8], 3));
    assert_eq!(decision, Decision::NextPage);
    let (_, decision) = reading.add_page(without_ids(&[9], 3));
    assert_eq!(decision, Decision::Incomplete);
}

#[test]
fn a_limit_is_complete_only_if_the_list_did_not_change() {
    let decisions = |second: Page| {
        let mut reading = Reading::new(Some(3));
        let pages = [page(&[1, 2], 6), second, page(&[1, 2], 7), page(&[3], 7)];
        pages.map(|page| reading.add_page(page).1)
    };
    let [_, end, ..] = decisions(page(&[3, 4], 6));
    assert_eq!(end, Decision::Done);
    // Record 3 moved to page 1, or a new record moved record 2 to page 2, perhaps in place of one
    // that was deleted.
    for second in [page(&[4, 5], 5), page(&[2, 3], 7), page(&[2, 3], 6)] {
        use Decision::{Done, NextPage, Restart};
        assert_eq!(decisions(second), [NextPage, Restart, NextPage, Done]);
    }
}

#[test]
fn a_list_that_has_surely_changed_is_read_again_at_once() {
    // More records than the total.
    let mut reading = Reading::new(None);
    assert_eq!(reading.add_page(page(&[1, 2, 3], 2)).1, Decision::Restart);
    // As many as the total, which was another one before.
    let mut reading = Reading::new(None);
    let mut decide = |ids: &[u32], total| reading.add_page(page(ids, total)).1;
    assert_eq!(
        [decide(&[1, 2], 5), decide(&[3, 4], 4)],
        [Decision::NextPage, Decision::Restart]
    );
}
