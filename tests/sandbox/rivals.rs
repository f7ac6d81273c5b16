//! Writers at the same time: the database decides, and exactly one of two rivals wins.

use crate::support::Served;
use serde_json::{Value, json};
use std::sync::Barrier;

/// Lets `count` threads do it at once; their statuses, sorted.
fn at_once(count: usize, act: impl Fn(usize) -> u16 + Sync) -> Vec<u16> {
    let barrier = Barrier::new(count);
    let run = |nth| {
        barrier.wait();
        act(nth)
    };
    let mut statuses = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|nth| scope.spawn(move || run(nth))).collect::<Vec<_>>();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    statuses.sort_unstable();
    statuses
}

fn one_of(count: usize, winner: u16, loser: u16) -> Vec<u16> {
    let mut statuses = vec![loser; count];
    statuses[0] = winner;
    statuses.sort_unstable();
    statuses
}

fn new(email: &str, sites: &[&str]) -> Value {
    json!({ "client": { "first_name": "A", "email": email, "site_ids": sites } })
}

/// The same race against one server, and against two that share a file.
fn arenas() -> Vec<(Vec<Served>, Option<tempfile::TempDir>)> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("shared.db");
    let two = vec![Served::on(&file, &[]), Served::on(&file, &[])];
    vec![(vec![Served::start(&[])], None), (two, Some(directory))]
}

#[test]
fn one_email_is_created_once() {
    for (servers, _directory) in arenas() {
        let create = |nth: usize| {
            servers[nth % servers.len()]
                .post("/clients", &new(["Same@example.net", "same@EXAMPLE.net"][nth % 2], &[]))
                .status
        };
        assert_eq!(at_once(32, create), one_of(32, 201, 422));
        assert_eq!(servers[0].all("/clients").len(), 61);
    }
}

#[test]
fn one_site_is_claimed_once() {
    for (servers, _directory) in arenas() {
        let claim = |nth: usize| match nth % 2 {
            0 => {
                servers[nth / 2 % servers.len()]
                    .post("/clients", &new(&format!("c{nth}@example.net"), &["site-0040"]))
                    .status
            }
            _ => {
                servers[nth / 2 % servers.len()]
                    .post(
                        &format!("/clients/client-{:04}/update", nth + 40),
                        &json!({ "client": { "site_ids": ["site-0040"] } }),
                    )
                    .status
            }
        };
        let statuses = at_once(16, claim);
        assert_eq!(statuses.iter().filter(|status| **status < 300).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 201, 422].contains(status)));
        let holders = servers[0]
            .all("/clients")
            .into_iter()
            .filter(|client| client["site_ids"].as_array().unwrap().contains(&json!("site-0040")));
        assert_eq!(holders.count(), 1);
    }
}

#[test]
fn one_site_is_restored_once_at_a_time() {
    for (servers, _directory) in arenas() {
        let scope = json!({ "restore": { "scope": { "include_files": true, "include_database": true } } });
        let start = |nth: usize| {
            servers[nth % servers.len()]
                .post(&format!("/sites/site-0007/backups/snap-0007-{}/restore", nth % 3 + 1), &scope)
                .status
        };
        assert_eq!(at_once(16, start), one_of(16, 201, 409));
    }
}

#[test]
fn the_last_place_under_the_quota_is_given_once() {
    let sandbox = Served::start(&["--max-clients", "61"]);
    assert_eq!(
        at_once(16, |nth| sandbox.post("/clients", &new(&format!("q{nth}@example.net"), &[])).status),
        one_of(16, 201, 422)
    );
}
