//! Simulated faults: their effects, shares and seed.

use crate::support::{FIRST, Served, client};
use std::time::{Duration, Instant};

/// Returns the result of one create: a status, `html`, `truncated` or `closed`.
fn outcome(sandbox: &Served, nth: usize) -> String {
    let body = client(&format!("f{nth}@example.net"), &[]).to_string();
    match sandbox.try_post(FIRST, "/clients", body.as_bytes()) {
        Ok(reply) if reply.text.starts_with('<') => format!("html {}", reply.status),
        Ok(reply) if reply.text.is_empty() => format!("truncated {}", reply.status),
        Ok(reply) => reply.status.to_string(),
        Err(_) => "closed".to_owned(),
    }
}

#[test]
fn each_fault_has_its_effect() {
    let refused = Served::start(&["--fault", "429:1"]).get_as("nobody", "/nowhere");
    assert!(
        refused.headers.contains_key("x-ratelimit-reset") && refused.status == 429,
        "{refused:?}"
    );
    for (fault, wanted, done) in [
        ("500:1", "500", false),
        ("429:1", "429", false),
        ("html:1", "html 502", false),
        ("drop-before:1", "closed", false),
        ("drop-after:1", "closed", true),
        ("truncate:1", "truncated 201", true),
        ("slow:1", "201", true),
        ("500:0", "201", true),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("f.db");
        let sandbox = Served::on(&file, &["--fault", fault]);
        let start = Instant::now();
        assert_eq!(outcome(&sandbox, 1), wanted, "{fault}");
        assert_eq!(
            start.elapsed() >= Duration::from_secs(2),
            fault == "slow:1",
            "{fault}"
        );
        // Another server on the same file has no faults.
        assert_eq!(
            Served::on(&file, &[]).all("/clients").len(),
            60 + usize::from(done),
            "{fault}"
        );
    }
}

#[test]
fn a_seed_repeats_the_sequence_and_shares_are_kept() {
    let run = |seed: &str| {
        let faults = ["500:0.2", "drop-before:0.2", "html:0.1", "truncate:0.1"]
            .map(|fault| ["--fault", fault]);
        let sandbox = Served::start(&[faults.as_flattened(), &["--fault-seed", seed]].concat());
        (0..200)
            .map(|nth| outcome(&sandbox, nth))
            .collect::<Vec<_>>()
    };
    let first = run("42");
    assert_eq!(first, run("42"));
    assert_ne!(first, run("43"));
    for (wanted, expected) in [
        ("500", 40),
        ("closed", 40),
        ("truncated", 20),
        ("html", 20),
        ("201", 80),
    ] {
        let count = first
            .iter()
            .filter(|outcome| outcome.starts_with(wanted))
            .count();
        assert!(count.abs_diff(expected) < 25, "{wanted}: {count} of 200");
    }
}

#[test]
fn latency_delays_requests_in_parallel() {
    let sandbox = Served::start(&["--latency", "300ms"]);
    let start = Instant::now();
    std::thread::scope(|scope| {
        (0..10).for_each(|_| drop(scope.spawn(|| sandbox.get("/clients").expect(200))))
    });
    let elapsed = start.elapsed();
    assert!(
        elapsed >= Duration::from_millis(300) && elapsed < Duration::from_millis(2500),
        "{elapsed:?}"
    );
}
