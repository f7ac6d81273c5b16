//! Lists that change at random while they are read: each record that exists throughout is printed once, or the exit code
//! is 13.

use crate::common::Run;
use crate::listing::{Listing, Mutation, Quirks, numbered};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};

/// Cases that run at the same time, because the program mostly waits for a list to stop changing.
const AT_ONCE: u32 = 8;

/// A change of the list at a position, modulo its length.
#[derive(Debug, Clone, Copy)]
struct Change {
    is_insertion: bool,
    place: u8,
}

/// A read of a list that changes.
#[derive(Debug, Clone)]
struct Story {
    records: usize,
    per_page: usize,
    json: bool,
    /// The changes before each request except the first.
    changes: BTreeMap<usize, Vec<Change>>,
}

/// Between two requests, the list either grows or shrinks, so that its total changes.
fn one_way() -> impl Strategy<Value = Vec<Change>> + Clone {
    let changes = |(is_insertion, places): (bool, Vec<u8>)| {
        places
            .into_iter()
            .map(|place| Change {
                is_insertion,
                place,
            })
            .collect()
    };
    (any::<bool>(), vec(any::<u8>(), 1..4)).prop_map(changes)
}

/// Mostly a few early changes, because lists are short; sometimes a list that does not stop changing.
fn story() -> impl Strategy<Value = Story> {
    let few = btree_map(prop_oneof![2..9_usize, 2..40_usize], one_way(), 0..6);
    let many = btree_map(2..60_usize, one_way(), 30..50);
    (
        0..40_usize,
        1..8_usize,
        any::<bool>(),
        prop_oneof![3 => few, 1 => many],
    )
        .prop_map(|(records, per_page, json, changes)| Story {
            records,
            per_page,
            json,
            changes,
        })
}

impl Story {
    /// The service never uses an id twice.
    fn mutation(&self) -> Mutation {
        let changes = self.changes.clone();
        let mut made = 0;
        Box::new(move |request, ids| {
            for Change {
                is_insertion,
                place,
            } in changes.get(&request).into_iter().flatten()
            {
                if *is_insertion {
                    made += 1;
                    ids.insert(usize::from(*place) % (ids.len() + 1), format!("new{made}"));
                } else if !ids.is_empty() {
                    ids.remove(usize::from(*place) % ids.len());
                }
            }
        })
    }

    /// Reads the list, and checks that it is complete or exits with 13. Returns whether it is complete.
    fn holds(&self) -> Result<bool, TestCaseError> {
        let before = numbered(self.records);
        let service = Listing::start(
            before.clone(),
            Quirks {
                mutation: Some(self.mutation()),
                ..Quirks::default()
            },
        );
        let (format, rows) = (
            if self.json { "json" } else { "ids" },
            self.per_page.to_string(),
        );
        let list = ["clients", "list", "-o", format, "--per-page", rows.as_str()];
        let run = service.world().run(&list);
        let after = service.ids();
        let stayed = before.iter().filter(|id| after.contains(id));
        let checked = check(&run, self.json, &stayed.collect::<Vec<_>>());
        checked.map(|()| run.code == 0).map_err(|what| {
            let (transcript, asked) = (run.transcript(), service.asked());
            TestCaseError::fail(format!("{what}\n{transcript}{asked:#?}"))
        })
    }
}

/// Whether the list is complete, or reported as incomplete.
fn check(run: &Run, json: bool, stayed: &[&String]) -> Result<(), String> {
    let array = serde_json::from_str::<Vec<Record>>(&run.stdout);
    let printed: Vec<String> = match (json, array) {
        (true, Ok(_)) if run.code != 0 => {
            return Err("the JSON of an incomplete list is complete".into());
        }
        (true, Ok(records)) => records.into_iter().map(|record| record.id).collect(),
        (true, Err(error)) if run.code == 0 => return Err(error.to_string()),
        (true, Err(_)) => Vec::new(),
        (false, _) => run.stdout.lines().map(String::from).collect(),
    };
    let distinct: HashSet<&String> = printed.iter().collect();
    let missing: Vec<_> = stayed.iter().filter(|id| !distinct.contains(*id)).collect();
    match run.code {
        _ if distinct.len() < printed.len() => Err("a record came twice".into()),
        0 if !missing.is_empty() => {
            Err(format!("{missing:?} were there throughout and are missing"))
        }
        0 | 13 => Ok(()),
        code => Err(format!("exit {code}")),
    }
}

#[derive(serde::Deserialize)]
struct Record {
    id: String,
}

/// Runs 48 stories, or as many as `PROPTEST_CASES` says. Most lists stop changing, and must be complete.
#[test]
fn a_changing_list_is_complete_or_reported_as_incomplete() {
    let cases = std::env::var("PROPTEST_CASES").map_or(48, |count| count.parse().unwrap());
    let config = ProptestConfig {
        cases: u32::div_ceil(cases, AT_ONCE),
        failure_persistence: None,
        max_shrink_iters: 100,
        ..ProptestConfig::default()
    };
    let (read, complete) = (AtomicU32::new(0), AtomicU32::new(0));
    let run = || {
        let outcome = TestRunner::new(config.clone()).run(&story(), |story| {
            let is_complete = story.holds()?;
            read.fetch_add(1, Ordering::Relaxed);
            complete.fetch_add(is_complete.into(), Ordering::Relaxed);
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(run))));
    let (read, complete) = (read.into_inner(), complete.into_inner());
    assert!(
        complete * 3 > read,
        "only {complete} of {read} lists were complete"
    );
}
