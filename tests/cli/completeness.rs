//! A list is whole, or said not to be, whatever the service does to it while it is read: each record once and exit 0,
//! or exit 13 and nothing that looks complete.

use crate::listing::{Fault, Largest, Listing, Mutation, Quirks, Trouble, letters};
use crate::support::Run;
use serde_json::Value;
use snapbox::{assert_data_eq, str};
use std::collections::HashSet;

/// For as long as it is read.
const ALWAYS: usize = usize::MAX;

/// Reads the clients a to f, two a page.
fn read(quirks: impl Fn() -> Quirks + Sync) -> Run {
    read_with(&["--per-page", "2"], quirks)
}

/// Reads the clients a to f as ids and as JSON, and checks what holds however the list ends: no record comes twice, and
/// the JSON is an array only where the list is whole.
fn read_with(args: &[&str], quirks: impl Fn() -> Quirks + Sync) -> Run {
    let run = |format| {
        let service = Listing::start(letters("abcdef"), quirks());
        service.world().run(&[&["clients", "list", "-o", format], args].concat())
    };
    // At once, since what does not add up is read again after a while.
    let (ids, json) = std::thread::scope(|scope| {
        let json = scope.spawn(|| run("json"));
        (run("ids"), json.join().unwrap())
    });
    let distinct: HashSet<&str> = ids.stdout.lines().collect();
    assert_eq!(distinct.len(), ids.stdout.lines().count(), "{}", ids.transcript());
    assert_eq!(ids.code, json.code, "{}{}", ids.transcript(), json.transcript());
    let array = serde_json::from_str::<Vec<Value>>(&json.stdout);
    assert_eq!(json.code == 0, array.is_ok(), "{}", json.transcript());
    assert!(json.code == 0 || json.error()["exit_code"] == json.code, "{}", json.transcript());
    ids
}

/// All of these in any order, or exit 13.
fn assert_whole_or_said(run: &Run, constant: &str) {
    let missing = constant.chars().find(|id| !run.stdout.lines().any(|line| line == id.to_string()));
    match run.code {
        0 => assert_eq!(missing, None, "{}", run.transcript()),
        code => assert_eq!(code, 13, "{}", run.transcript()),
    }
}

fn fault(page: usize, times: usize, trouble: Trouble) -> Vec<Fault> {
    vec![Fault { page, times, trouble }]
}

/// Does this to the list once, before request `number` is answered.
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
fn a_list_that_adds_up_in_the_end_is_read_whole() {
    let cases: [fn() -> Quirks; 12] = [
        Quirks::default,
        || Quirks { largest: Some(Largest::Clamped(1)), ..Quirks::default() },
        // Six pages of one record, where the envelope reports three pages of two.
        || Quirks { rows: Some(1), ..Quirks::default() },
        || Quirks { total_pages: Some(0), ..Quirks::default() },
        || Quirks { total_pages: Some(1), ..Quirks::default() },
        || Quirks { total_pages: Some(1_000_000), ..Quirks::default() },
        || Quirks { past_the_end: Some(404), ..Quirks::default() },
        || Quirks { past_the_end: Some(400), ..Quirks::default() },
        || Quirks { faults: fault(2, 2, Trouble::Status(500)), ..Quirks::default() },
        || Quirks { faults: fault(2, 1, Trouble::Short(1)), ..Quirks::default() },
        || Quirks { faults: fault(2, 1, Trouble::Repeats(1)), ..Quirks::default() },
        || Quirks { faults: fault(3, 1, Trouble::Repeats(2)), ..Quirks::default() },
    ];
    for (number, quirks) in cases.into_iter().enumerate() {
        let run = read(quirks);
        let mut lines: Vec<&str> = run.stdout.lines().collect();
        lines.sort_unstable();
        assert_eq!((run.code, lines.concat().as_str()), (0, "abcdef"), "case {number}: {}", run.transcript());
    }
}

#[test]
fn a_list_that_never_adds_up_is_incomplete() {
    fn everywhere() -> Vec<Fault> {
        (2..20).map(|page| Fault { page, times: ALWAYS, trouble: Trouble::Repeats(1) }).collect()
    }
    type Case = (fn() -> Quirks, &'static str);
    let cases: [Case; 5] = [
        (|| Quirks { faults: fault(2, ALWAYS, Trouble::Repeats(1)), ..Quirks::default() }, "abef"),
        (|| Quirks { faults: everywhere(), ..Quirks::default() }, "ab"),
        (|| Quirks { total_items: Some(9), ..Quirks::default() }, "abcdef"),
        // Four fit two pages of two: only a service that counts pages past its own total can be found out.
        (|| Quirks { total_items: Some(5), ..Quirks::default() }, "abcdef"),
        (|| Quirks { total_items: Some(4), total_pages: Some(3), ..Quirks::default() }, "abcdef"),
    ];
    for (quirks, printed) in cases {
        let run = read(quirks);
        assert_eq!((run.code, run.stdout.replace('\n', "").as_str()), (13, printed), "{}", run.transcript());
    }
}

#[test]
fn a_record_that_is_counted_and_never_sent() {
    assert_data_eq!(
        read(|| Quirks { hidden: Some("c"), ..Quirks::default() }).transcript(),
        str![[r#"
[stdout]
a
b
d
e
f
[stderr]
error: the list of clients is incomplete: received 5 of 6 records
hint: retry when the list stops changing; see the causes with: sitectl explain incomplete
exit 13

"#]]
    );
}

#[test]
fn a_page_that_never_comes() {
    let quirks = || Quirks { faults: fault(2, ALWAYS, Trouble::Status(500)), ..Quirks::default() };
    assert_data_eq!(
        read_with(&["--per-page", "2", "--retries", "1"], quirks).transcript(),
        str![[r#"
[stdout]
a
b
[stderr]
error: the list of clients is incomplete because page 2 could not be read: the service answered 500: No.
hint: retry when the list stops changing; see the causes with: sitectl explain incomplete
exit 13

"#]]
    );
}

#[test]
fn a_list_that_changes_while_it_is_read_loses_nothing_that_stayed() {
    for number in 2..=4 {
        let run = read(|| Quirks { mutation: before(number, |ids| delete(ids, "a")), ..Quirks::default() });
        assert_eq!(run.code, 0, "{}", run.transcript());
        assert_whole_or_said(&run, "bcdef");
        let run = read(|| Quirks { mutation: before(number, |ids| ids.insert(0, "x".into())), ..Quirks::default() });
        assert_eq!(run.code, 0, "{}", run.transcript());
        assert_whole_or_said(&run, "abcdef");
    }
    for status in [None, Some(404)] {
        let mutation = || before(2, |ids| ids.truncate(2));
        let run = read(|| Quirks { past_the_end: status, mutation: mutation(), ..Quirks::default() });
        assert_whole_or_said(&run, "ab");
    }
}

/// One record goes and another one comes: the total stays as it was.
fn swap(ids: &mut Vec<String>, new: String) {
    ids.remove(0);
    ids.push(new);
}

#[test]
fn only_a_second_reading_sees_a_swap() {
    let quirks = || Quirks { mutation: before(2, |ids| swap(ids, "x".into())), ..Quirks::default() };
    // The documented gap: c moved up to a page that had been read, and the total is what it was.
    assert_eq!(read(quirks).stdout, "a\nb\nd\ne\nf\nx\n");
    let run = read_with(&["--per-page", "2", "--verify"], quirks);
    assert_eq!((run.code, run.stdout.as_str()), (0, "a\nb\nd\ne\nf\nx\nc\n"), "{}", run.transcript());
}
