//! Simulated faults: their effects, shares and seed.

use crate::support::{FIRST, Served, client};
use std::time::{Duration, Instant};

/// Returns the result of one create: a status, `html` or `broken`.
fn outcome(sandbox: &Served, nth: usize) -> String {
    let body = client(&format!("f{nth}@example.net"), &[]).to_string();
    match sandbox.try_post_as(FIRST, "/clients", body.as_bytes()) {
        Ok(reply) if reply.text.starts_with('<') => format!("html {}", reply.status),
        Ok(reply) => reply.status.to_string(),
        Err(_) => "broken".to_owned(),
    }
}

/// Returns the number of processed creates, from another server on the same file.
fn created(file: &std::path::Path) -> usize {
    Served::on(file, &[]).all("/clients?filters[email:contains]=@example.net").len()
}

#[test]
fn each_fault_has_its_effect() {
    let refused = Served::start(&["--fault", "429:1"]).get_as("nobody", "/nowhere");
    assert!(refused.headers.contains_key("x-ratelimit-reset") && refused.status == 429, "{refused:?}");
    for (fault, wanted, done) in [
        ("500:1", "500", false),
        ("429:1", "429", false),
        ("drop-before:1", "broken", false),
        ("drop-after:1", "broken", true),
        ("truncate:1", "broken", true),
        ("slow:1", "201", true),
        ("500:0", "201", true),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("f.db");
        let sandbox = Served::on(&file, &["--fault", fault]);
        let start = Instant::now();
        assert_eq!(outcome(&sandbox, 1), wanted, "{fault}");
        assert_eq!(start.elapsed() >= Duration::from_secs(2), fault == "slow:1", "{fault}");
        assert_eq!(created(&file) > 0, done, "{fault}");
    }
}

#[test]
fn a_truncated_response_ends_halfway() {
    let sandbox = Served::start(&["--fault", "truncate:1"]);
    let response = sandbox.raw(
        format!(
            "GET /api/v6/clients?perPage=60 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer sandbox-token\r\n\r\n",
            sandbox.address()
        )
        .as_bytes(),
    );
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let length: usize = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && body.starts_with("{\"clients\":["));
    assert!(body.len() > length / 3 && body.len() < length * 2 / 3, "{} of {length}", body.len());
}

#[test]
fn a_seed_repeats_the_sequence_and_shares_are_kept() {
    let run = |seed: &str| {
        let faults = ["500:0.2", "drop-before:0.2", "html:0.1", "truncate:0.1"].map(|fault| ["--fault", fault]);
        let sandbox = Served::start(&[faults.as_flattened(), &["--fault-seed", seed]].concat());
        (0..200).map(|nth| outcome(&sandbox, nth)).collect::<Vec<_>>()
    };
    let (first, again, other) = (run("42"), run("42"), run("43"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(["html 200", "html 502"].iter().all(|page| first.iter().any(|outcome| outcome == page)));
    let share = |wanted: &str| first.iter().filter(|outcome| outcome.starts_with(wanted)).count();
    for (wanted, expected) in [("500", 40), ("broken", 60), ("html", 20), ("201", 80)] {
        let count = share(wanted);
        assert!(count.abs_diff(expected) < 25, "{wanted}: {count} of 200");
    }
}

#[test]
fn latency_delays_requests_in_parallel() {
    let sandbox = Served::start(&["--latency", "300ms"]);
    let start = Instant::now();
    std::thread::scope(|scope| (0..10).for_each(|_| drop(scope.spawn(|| sandbox.get("/clients").expect(200)))));
    let elapsed = start.elapsed();
    assert!(elapsed >= Duration::from_millis(300) && elapsed < Duration::from_millis(2500), "{elapsed:?}");
}
