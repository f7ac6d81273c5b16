//! A list is complete, or the command exits with 13, whatever the service does during the read. Every record is printed
//! once.

use crate::common::Run;
use crate::listing::{Fault, Largest, Listing, Mutation, Quirks, Trouble, letters};
use serde_json::Value;
use std::collections::HashSet;

/// During the entire read.
const ALWAYS: usize = usize::MAX;

/// Reads the clients a to f with two per page.
fn read(quirks: impl Fn() -> Quirks + Sync) -> Run {
    read_with(&["--per-page", "2"], quirks)
}

/// Reads the clients a to f as ids and as JSON. Checks that no record is printed twice, and that the JSON is an array only
/// if the list is complete.
fn read_with(args: &[&str], quirks: impl Fn() -> Quirks + Sync) -> Run {
    let run = |format| {
        let service = Listing::start(letters("abcdef"), quirks());
        service
            .world()
            .run(&[&["clients", "list", "-o", format], args].concat())
    };
    // At the same time, because an inconsistent list is read again after a pause.
    let (ids, json) = std::thread::scope(|scope| {
        let json = scope.spawn(|| run("json"));
        (run("ids"), json.join().unwrap())
    });
    let distinct: HashSet<&str> = ids.stdout.lines().collect();
    assert_eq!(
        distinct.len(),
        ids.stdout.lines().count(),
        "{}",
        ids.transcript()
    );
    assert_eq!(
        ids.code,
        json.code,
        "{}{}",
        ids.transcript(),
        json.transcript()
    );
    let array = serde_json::from_str::<Vec<Value>>(&json.stdout);
    assert_eq!(json.code == 0, array.is_ok(), "{}", json.transcript());
    assert!(
        json.code == 0 || json.error()["exit_code"] == json.code,
        "{}",
        json.transcript()
    );
    ids
}

/// Asserts that the command succeeded, and printed all of these in any order.
fn assert_complete(run: &Run, constant: &str) {
    let mut ids = constant.chars();
    let missing = ids.find(|id| !run.stdout.lines().any(|line| line == id.to_string()));
    assert_eq!((run.code, missing), (0, None), "{}", run.transcript());
}

fn fault(page: usize, times: usize, trouble: Trouble) -> Vec<Fault> {
    vec![Fault {
        page,
        times,
        trouble,
    }]
}

/// Changes the list once, before the response to request `number`.
fn before(number: usize, change: fn(&mut Vec<String>)) -> Option<Mutation> {
    Some(Box::new(move |request, ids| {
        if request == number {
            change(ids);
        }
    }))
}

fn delete(ids: &mut Vec<String>, id: &str) {
    ids.retain(|known| known != id);
}

#[test]
fn a_list_that_becomes_consistent_is_complete() {
    let cases: [fn() -> Quirks; 11] = [
        Quirks::default,
        || Quirks {
            largest: Some(Largest::Clamped(1)),
            ..Quirks::default()
        },
        // Six pages of one record, although the envelope reports three pages of two.
        || Quirks {
            rows: Some(1),
            ..Quirks::default()
        },
        || Quirks {
            total_pages: Some(0),
            ..Quirks::default()
        },
        || Quirks {
            total_pages: Some(1_000_000),
            ..Quirks::default()
        },
        || Quirks {
            past_the_end: Some(404),
            ..Quirks::default()
        },
        || Quirks {
            past_the_end: Some(400),
            ..Quirks::default()
        },
        || Quirks {
            faults: fault(2, 2, Trouble::Status(500)),
            ..Quirks::default()
        },
        || Quirks {
            faults: fault(2, 1, Trouble::Short(1)),
            ..Quirks::default()
        },
        || Quirks {
            faults: fault(2, 1, Trouble::Repeats(1)),
            ..Quirks::default()
        },
        || Quirks {
            faults: fault(3, 1, Trouble::Repeats(2)),
            ..Quirks::default()
        },
    ];
    for (number, quirks) in cases.into_iter().enumerate() {
        let run = read(quirks);
        let mut lines: Vec<&str> = run.stdout.lines().collect();
        lines.sort_unstable();
        assert_eq!(
            (run.code, lines.concat().as_str()),
            (0, "abcdef"),
            "case {number}: {}",
            run.transcript()
        );
    }
}

#[test]
fn a_list_that_stays_inconsistent_is_incomplete() {
    type Case = (fn() -> Quirks, &'static str);
    let cases: [Case; 3] = [
        (
            || Quirks {
                faults: fault(2, ALWAYS, Trouble::Repeats(1)),
                ..Quirks::default()
            },
            "ab",
        ),
        // A record is counted but never sent.
        (
            || Quirks {
                total_items: Some(7),
                ..Quirks::default()
            },
            "abcdef",
        ),
        // More records are sent than counted.
        (
            || Quirks {
                total_items: Some(5),
                ..Quirks::default()
            },
            "abcdef",
        ),
    ];
    for (quirks, printed) in cases {
        let run = read(quirks);
        assert_eq!(
            (run.code, run.stdout.replace('\n', "").as_str()),
            (13, printed),
            "{}",
            run.transcript()
        );
    }
    let run = read(|| Quirks {
        total_items: Some(7),
        ..Quirks::default()
    });
    assert!(
        run.stderr.contains(
            "the list of clients is incomplete or kept changing: received 6 of 7 records\n"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn a_list_with_a_page_that_fails_is_incomplete() {
    let quirks = || Quirks {
        faults: fault(2, ALWAYS, Trouble::Status(500)),
        ..Quirks::default()
    };
    let run = read_with(&["--per-page", "2", "--retries", "1"], quirks);
    let why = "incomplete because page 2 could not be read: the service responded with 500: No.\n";
    assert_eq!((run.code, run.stdout.as_str()), (13, "a\nb\n"));
    assert!(run.stderr.contains(why), "{}", run.stderr);
}

#[test]
fn a_list_that_changes_during_the_read_loses_no_record() {
    for number in 2..=4 {
        let run = read(|| Quirks {
            mutation: before(number, |ids| delete(ids, "a")),
            ..Quirks::default()
        });
        assert_complete(&run, "bcdef");
        let run = read(|| Quirks {
            mutation: before(number, |ids| ids.insert(0, "x".into())),
            ..Quirks::default()
        });
        assert_complete(&run, "abcdef");
    }
}

#[test]
fn a_page_that_no_longer_exists_makes_the_list_incomplete_if_it_is_not_found() {
    for (past_the_end, code) in [(None, 0), (Some(404), 13)] {
        let run = read(|| Quirks {
            past_the_end,
            mutation: before(2, |ids| ids.truncate(2)),
            ..Quirks::default()
        });
        assert_eq!((run.code, &*run.stdout), (code, "a\nb\n"), "{}", run.stderr);
    }
}
