//! A list is complete, or the command exits with 13. Every record is printed once. The tests of `client::reading` change
//! lists at random.

use crate::common::Run;
use crate::listing::{Fault, Listing, Mutation, Quirks, Trouble, letters};
use serde_json::Value;
use std::collections::BTreeSet;

/// During the entire read.
const ALWAYS: usize = usize::MAX;

/// Reads the clients a to f with two per page as ids and as JSON, which is an array only if the list is complete.
fn read(quirks: fn() -> Quirks) -> Run {
    let run = |format| {
        let service = Listing::start(letters("abcdef"), quirks());
        let list = format!("clients list --per-page 2 --retries 2 -o {format}");
        service.world().run(list)
    };
    // At the same time, because an inconsistent list is read again after a pause.
    let (ids, json) = std::thread::scope(|scope| {
        let json = scope.spawn(|| run("json"));
        (run("ids"), json.join().unwrap())
    });
    let is_array = serde_json::from_str::<Vec<Value>>(&json.stdout).is_ok();
    let printed = format!("{}{}", ids.transcript(), json.transcript());
    assert_eq!(
        (json.code, is_array),
        (ids.code, ids.code == 0),
        "{printed}"
    );
    ids
}

fn failing(page: usize, times: usize, trouble: Trouble) -> Quirks {
    Quirks {
        faults: vec![Fault {
            page,
            times,
            trouble,
        }],
        ..Quirks::default()
    }
}

/// Changes the list once, before the response to request `number`.
fn changing(number: usize, change: fn(&mut Vec<String>)) -> Quirks {
    let mutation: Mutation = Box::new(move |request, ids| {
        if request == number {
            change(ids);
        }
    });
    Quirks {
        mutation: Some(mutation),
        ..Quirks::default()
    }
}

fn counting(total_items: usize) -> Quirks {
    Quirks {
        total_items: Some(total_items),
        ..Quirks::default()
    }
}

#[test]
fn a_list_is_complete_or_reported_as_incomplete() {
    type Case = (fn() -> Quirks, i32, &'static str, &'static str);
    let cases: [Case; 8] = [
        (|| failing(2, 2, Trouble::Status(500)), 0, "abcdef", ""),
        (|| failing(2, 1, Trouble::Repeats(1)), 0, "abcdef", ""),
        (|| changing(2, |ids| drop(ids.remove(0))), 0, "abcdef", ""),
        (
            || changing(3, |ids| ids.insert(0, "x".into())),
            0,
            "abcdefx",
            "",
        ),
        (
            || failing(2, ALWAYS, Trouble::Repeats(1)),
            13,
            "ab",
            "kept changing",
        ),
        (|| counting(5), 13, "abcdef", "kept changing"),
        (
            || counting(7),
            13,
            "abcdef",
            "the list of clients is incomplete or kept changing: received 6 of 7 records\n",
        ),
        (
            || failing(2, ALWAYS, Trouble::Status(500)),
            13,
            "ab",
            "incomplete because page 2 could not be read: the service responded with 500: No.\n",
        ),
    ];
    for (quirks, code, printed, said) in cases {
        let run = read(quirks);
        let ids: Vec<&str> = run.stdout.lines().collect();
        let sorted: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(
            (run.code, sorted.len(), String::from_iter(sorted)),
            (code, ids.len(), printed.into()),
            "{}",
            run.transcript()
        );
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}
