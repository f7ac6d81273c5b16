//! The rate limit: headers, 429 and windows per account.

use crate::support::{INACTIVE, OTHER, Reply, Served, eventually};
use serde_json::json;
use std::time::{Duration, Instant};

/// Returns limit, remaining and reset of a response.
#[track_caller]
fn headers(reply: &Reply) -> (u64, u64, u64) {
    let number = |name: &str| {
        reply
            .headers
            .get(name)
            .unwrap_or_else(|| panic!("no {name}"))
            .to_str()
            .unwrap()
            .parse()
            .unwrap()
    };
    (
        number("x-ratelimit-limit"),
        number("x-ratelimit-remaining"),
        number("x-ratelimit-reset"),
    )
}

#[test]
fn the_default_is_200_per_minute() {
    let sandbox = Served::with(&["--db", ":memory:"]);
    for count in 1..=200 {
        let reply = sandbox.get("/tasks/none");
        let (limit, remaining, reset) = headers(&reply);
        assert_eq!((reply.status, limit, remaining), (404, 200, 200 - count));
        assert!((1..=60).contains(&reset), "{reset}");
    }
    let reply = sandbox.get("/clients");
    assert_eq!(headers(&reply).1, 0);
    assert_eq!(
        reply.headers["retry-after"],
        reply.headers["x-ratelimit-reset"]
    );
    assert_eq!(reply.expect(429)["error"]["code"], "too_many_requests");
    assert_eq!(
        headers(&sandbox.get_as(OTHER, "/clients")).1,
        199,
        "another account has a window of its own"
    );
}

#[test]
fn every_authenticated_request_counts() {
    let sandbox = Served::with(&["--db", ":memory:", "--rate-limit", "50"]);
    let client = json!({ "client": { "first_name": "A", "email": "a@example.net" } });
    let replies = [
        sandbox.get("/clients"),
        sandbox.post("/clients", &client),
        sandbox.post("/clients", &client),
        sandbox.post("/clients", &json!({})),
        sandbox.get("/clients?page=0"),
        sandbox.get("/nowhere"),
        sandbox.post("/managed-accounts", &json!({})),
    ];
    let statuses: Vec<_> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 201, 422, 400, 400, 404, 405]);
    for (used, reply) in (1..).zip(&replies) {
        assert_eq!(headers(reply).1, 50 - used, "{}", reply.status);
    }
    for reply in [
        sandbox.get_as("nobody", "/clients"),
        sandbox.get_as(INACTIVE, "/clients"),
    ] {
        assert!(
            reply.headers.get("x-ratelimit-limit").is_none(),
            "{}",
            reply.status
        );
    }
    assert_eq!(
        headers(&sandbox.get("/clients")).1,
        42,
        "what is not authenticated does not count"
    );
}

#[test]
fn a_window_ends_at_its_reset() {
    let sandbox = Served::with(&[
        "--db",
        ":memory:",
        "--rate-limit",
        "2",
        "--rate-window",
        "1100ms",
    ]);
    let start = Instant::now();
    assert_eq!(
        headers(&sandbox.get("/clients")),
        (2, 1, 2),
        "seconds are rounded up"
    );
    assert_eq!(sandbox.get("/clients").status, 200);
    let deletion = json!({ "ids": ["client-0001"] });
    assert_eq!(sandbox.post("/clients/delete", &deletion).status, 429);
    // A refused request has no effect and does not extend the window.
    let fresh = eventually(|| {
        Some(sandbox.get("/clients/client-0001")).filter(|reply| reply.status != 429)
    });
    let elapsed = start.elapsed();
    assert!(
        elapsed >= Duration::from_millis(1000) && elapsed < Duration::from_secs(10),
        "{elapsed:?}"
    );
    assert_eq!((fresh.status, headers(&fresh)), (200, (2, 1, 2)));
}
