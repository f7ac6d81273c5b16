//! Simulated faults: their effects and seed.

use crate::support::{FIRST_TOKEN, Sandbox, client_body};

/// Returns the result of one create: a status, `html`, `truncated` or `closed`.
fn create_outcome(sandbox: &Sandbox, number: usize) -> String {
    let body = client_body(&format!("f{number}@example.net"), &[]).to_string();
    match sandbox.try_post(FIRST_TOKEN, "/clients", body.as_bytes()) {
        Ok(response) if response.text.starts_with('<') => format!("html {}", response.status),
        Ok(response) if response.text.is_empty() => format!("truncated {}", response.status),
        Ok(response) => response.status.to_string(),
        Err(_) => "closed".to_owned(),
    }
}

#[test]
fn each_fault_has_its_effect_on_response_and_data() {
    let response = Sandbox::start(&["--fault", "429:1"]).get_as("nobody", "/nowhere");
    assert!(response.headers.contains_key("x-ratelimit-reset"));
    let error = response.expect_status(429)["error"].clone();
    assert_eq!(error["code"], "too_many_requests");
    let response = Sandbox::start(&["--fault", "503:1"]).get("/clients");
    let error = response.expect_status(503)["error"].clone();
    assert_eq!(error["code"], "service_unavailable");
    for (fault, expected, is_processed) in [
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
        let sandbox = Sandbox::on_file(&file, &["--fault", fault]);
        assert_eq!(create_outcome(&sandbox, 1), expected, "{fault}");
        // Another server on the same file has no faults.
        assert_eq!(
            Sandbox::on_file(&file, &[]).all_records("/clients").len(),
            60 + usize::from(is_processed),
            "{fault}"
        );
    }
}

#[test]
fn a_seed_repeats_the_faults() {
    let outcomes = |seed: &str| {
        let faults = ["500:0.2", "drop-before:0.2", "html:0.1", "truncate:0.1"]
            .map(|fault| ["--fault", fault]);
        let sandbox = Sandbox::start(&[faults.as_flattened(), &["--fault-seed", seed]].concat());
        (0..60)
            .map(|number| create_outcome(&sandbox, number))
            .collect::<Vec<_>>()
    };
    let first = outcomes("42");
    assert_eq!(first, outcomes("42"));
    assert_ne!(first, outcomes("43"));
    for kind in ["500", "closed", "html 502", "truncated 201", "201"] {
        assert!(first.iter().any(|outcome| outcome == kind), "{first:?}");
    }
}
