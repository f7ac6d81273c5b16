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

fn page(ids: &[u32], total_pages: u64, total_items: u64) -> Page {
    let pagination = Pagination {
        total_pages: Some(total_pages),
        total_items: Some(total_items),
        is_specified: true,
        ..Pagination::default()
    };
    let keys = ids.iter().copied().map(u64::from).collect();
    Page {
        records: ids.iter().copied().map(record).collect(),
        keys,
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
    next: u32,
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
            next: size,
            per_page,
            schedule: schedule.into_iter(),
        }
    }

    fn serve(&mut self, number: u64) -> Page {
        for change in self.schedule.next().unwrap_or_default() {
            match change {
                Change::Insert(place) => {
                    self.ids.insert(place % (self.ids.len() + 1), self.next);
                    self.next += 1;
                }
                Change::Delete(place) if !self.ids.is_empty() => {
                    let gone = self.ids.remove(place % self.ids.len());
                    self.throughout.remove(&gone);
                }
                Change::Delete(_) => {}
            }
        }
        let from = ((number as usize - 1) * self.per_page).min(self.ids.len());
        let to = (from + self.per_page).min(self.ids.len());
        let (rows, total) = (self.per_page as u64, self.ids.len() as u64);
        page(&self.ids[from..to], total.div_ceil(rows), total)
    }
}

/// Reads to the end with up to `in_flight` pages in flight, served in the order of `picks`.
fn read(
    service: &mut Service,
    verify: bool,
    in_flight: usize,
    picks: &[usize],
) -> (Vec<u32>, Next) {
    let (mut reading, mut printed) = (Reading::new(verify, None), Vec::new());
    let mut picks = picks.iter().copied().cycle();
    let mut coming: Vec<(u64, Option<Page>)> = Vec::new();
    let mut asked = 0;
    loop {
        while coming.len() < in_flight && asked < reading.horizon() {
            asked += 1;
            coming.push((asked, None));
        }
        while coming.first().is_some_and(|(_, page)| page.is_none()) {
            let mut waiting: Vec<_> = coming
                .iter_mut()
                .filter(|(_, page)| page.is_none())
                .collect();
            let pick = picks.next().unwrap_or(0) % waiting.len();
            let (number, response) = &mut waiting[pick];
            *response = Some(service.serve(*number));
        }
        let (_, Some(page)) = coming.remove(0) else {
            unreachable!("it was served")
        };
        let (fresh, next) = reading.take(page);
        printed.extend(fresh.iter().map(id));
        match next {
            Next::Page => {}
            Next::Again => {
                coming.clear();
                asked = 0;
            }
            end => return (printed, end),
        }
    }
}

/// Checks that a complete list has every record that existed throughout, and no record twice.
fn check(service: &Service, printed: &[u32], end: Next) -> Result<(), TestCaseError> {
    let once: BTreeSet<u32> = printed.iter().copied().collect();
    prop_assert_eq!(once.len(), printed.len(), "twice: {:?}", printed);
    if end == Next::Complete {
        let missing: Vec<_> = service.throughout.difference(&once).collect();
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
    let places = || vec(0..64usize, 0..3);
    prop_oneof![
        3 => Just(Vec::new()),
        1 => places().prop_map(|places| places.into_iter().map(Change::Insert).collect()),
        1 => places().prop_map(|places| places.into_iter().map(Change::Delete).collect()),
    ]
}

fn any_change() -> impl Strategy<Value = Vec<Change>> {
    let change = (any::<bool>(), 0..64usize).prop_map(|(comes, place)| match comes {
        true => Change::Insert(place),
        false => Change::Delete(place),
    });
    prop_oneof![2 => Just(Vec::new()), 1 => vec(change, 0..5)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_change_of_the_total_loses_no_record(
        size in 0..24u32, per_page in 1..7usize, in_flight in 1..5usize,
        schedule in vec(one_sided(), 0..30), picks in vec(0..8usize, 1..8),
    ) {
        let mut service = Service::new(size, per_page, schedule);
        let (printed, end) = read(&mut service, false, in_flight, &picks);
        check(&service, &printed, end)?;
    }

    #[test]
    fn two_passes_that_match_lose_no_record(
        size in 0..24u32, per_page in 1..7usize, in_flight in 1..5usize,
        schedule in vec(any_change(), 0..40), picks in vec(0..8usize, 1..8),
    ) {
        let mut service = Service::new(size, per_page, schedule);
        let (printed, end) = read(&mut service, true, in_flight, &picks);
        check(&service, &printed, end)?;
    }

    #[test]
    fn an_unchanging_list_takes_one_request_per_page(
        size in 0..200u32, per_page in 1..20usize, in_flight in 1..9usize, picks in vec(0..8usize, 1..8),
    ) {
        let mut service = Service::new(size, per_page, vec![vec![]; 1000]);
        let before = service.schedule.len();
        let (printed, end) = read(&mut service, false, in_flight, &picks);
        prop_assert_eq!(end, Next::Complete);
        prop_assert_eq!(printed, (0..size).collect::<Vec<_>>());
        prop_assert_eq!(before - service.schedule.len(), (size as usize).div_ceil(per_page).max(1));
    }
}

/// Returns the decisions after these pages without a total; the flag announces more records.
fn uncounted(pages: &[(&[u32], bool)]) -> Vec<Next> {
    let mut reading = Reading::new(false, None);
    pages
        .iter()
        .map(|(ids, more)| reading.take(bare(ids, *more)).1)
        .collect()
}

fn bare(ids: &[u32], more: bool) -> Page {
    let at_least = if more { u64::MAX } else { 0 };
    Page {
        pagination: Pagination {
            at_least,
            ..Pagination::default()
        },
        ..page(ids, 0, 0)
    }
}

#[test]
fn a_list_without_a_total_ends_with_an_empty_page_or_a_repeated_one() {
    use Next::{Again, Complete, Never, Page};
    assert_eq!(
        uncounted(&[(&[1, 2, 3], false), (&[], false)]),
        [Page, Complete]
    );
    assert_eq!(
        uncounted(&[(&[1, 2], false), (&[2, 1], false)]),
        [Page, Complete]
    );
    assert_eq!(uncounted(&[(&[], false)]), [Complete]);
    // A part of a page is not a repetition of it, and pages that overlap mean that the list changed.
    assert_eq!(uncounted(&[(&[1, 2], false), (&[1], false)]), [Page, Again]);
    assert_eq!(
        uncounted(&[(&[1, 2], false), (&[2, 3], false), (&[], false)]),
        [Page, Page, Again]
    );
    let mut endless = Reading::new(false, None);
    let mut nexts = (0..).map(|n| endless.take(bare(&[n], false)).1);
    assert_eq!(nexts.find(|next| *next != Page), Some(Never));
}

#[test]
fn announced_records_must_arrive() {
    use Next::{Complete, Never, Page};
    assert_eq!(
        uncounted(&[(&[1], true), (&[2], false), (&[], false)]),
        [Page, Page, Complete]
    );
    for end in [&[][..], &[1]] {
        assert_eq!(
            uncounted(&[(&[1], true), (end, false)]),
            [Page, Never],
            "{end:?}"
        );
    }
    assert_eq!(uncounted(&[(&[1], false), (&[], true)]), [Page, Never]);
    let with = |pagination| {
        let mut reading = Reading::new(false, None);
        let mut take = |ids: &[u32]| {
            reading
                .take(self::Page {
                    pagination,
                    ..page(ids, 0, 0)
                })
                .1
        };
        [take(&[1, 2]), take(&[])]
    };
    let none = Pagination::default();
    assert_eq!(
        with(Pagination {
            at_least: 3,
            ..none
        }),
        [Page, Never]
    );
    assert_eq!(
        with(Pagination {
            at_least: 2,
            ..none
        }),
        [Page, Complete]
    );
    assert_eq!(
        with(Pagination {
            total_pages: Some(2),
            ..none
        }),
        [Page, Never]
    );
    assert_eq!(
        with(Pagination {
            total_items: Some(2),
            at_least: u64::MAX,
            ..none
        })[0],
        Never
    );
    assert_eq!(
        with(Pagination {
            total_items: Some(2),
            total_pages: Some(2),
            ..none
        }),
        [Page, Never]
    );
}

#[test]
fn a_limit_is_complete_only_if_the_list_did_not_change() {
    let end = |second: Page| {
        let mut reading = Reading::new(false, Some(3));
        reading.take(page(&[1, 2], 3, 6));
        reading.take(second).1
    };
    assert_eq!(end(page(&[3, 4], 3, 6)), Next::Complete);
    // Record 3 moved to page 1, or a new record moved record 2 to page 2.
    assert_eq!(end(page(&[4, 5], 3, 5)), Next::Never);
    assert_eq!(end(page(&[2, 3], 4, 7)), Next::Never);
}
