//! The rate limit: headers, 429 and windows per account.

use crate::support::{INACTIVE_TOKEN, OTHER_TOKEN, Response, Sandbox, wait_for};
use serde_json::json;

/// Returns limit, remaining and reset of a response.
#[track_caller]
fn rate_limit_headers(response: &Response) -> (u64, u64, u64) {
    let number = |name: &str| response.headers[name].to_str().unwrap().parse().unwrap();
    (
        number("x-ratelimit-limit"),
        number("x-ratelimit-remaining"),
        number("x-ratelimit-reset"),
    )
}

#[test]
fn the_default_is_200_requests_per_minute_and_account() {
    let sandbox = Sandbox::with_args(&["--db", ":memory:"]);
    for count in 1..=200 {
        let response = sandbox.get("/tasks/none");
        let (limit, remaining, reset) = rate_limit_headers(&response);
        assert_eq!(response.status, 404);
        assert_eq!(limit, 200);
        assert_eq!(remaining, 200 - count);
        assert!((1..=60).contains(&reset), "{reset}");
    }
    let response = sandbox.get("/clients");
    assert_eq!(rate_limit_headers(&response).1, 0);
    assert_eq!(
        response.headers["retry-after"],
        response.headers["x-ratelimit-reset"]
    );
    assert_eq!(
        response.expect_status(429)["error"]["code"],
        "too_many_requests"
    );
    assert_eq!(
        rate_limit_headers(&sandbox.get_as(OTHER_TOKEN, "/clients")).1,
        199,
        "another account has its own window"
    );
}

#[test]
fn every_authenticated_request_counts() {
    let sandbox = Sandbox::with_args(&["--db", ":memory:", "--rate-limit", "50"]);
    let client = json!({ "client": { "first_name": "A", "email": "a@example.net" } });
    let responses = [
        sandbox.post("/clients", &client),
        sandbox.post("/clients", &client),
        sandbox.get("/clients?page=0"),
        sandbox.get("/nowhere"),
        sandbox.post("/managed-accounts", &json!({})),
    ];
    let statuses: Vec<_> = responses.iter().map(|response| response.status).collect();
    assert_eq!(statuses, [201, 422, 400, 404, 405]);
    for (used, response) in (1..).zip(&responses) {
        assert_eq!(rate_limit_headers(response).1, 50 - used);
    }
    for response in [
        sandbox.get_as("nobody", "/clients"),
        sandbox.get_as(INACTIVE_TOKEN, "/clients"),
    ] {
        assert!(response.headers.get("x-ratelimit-limit").is_none());
    }
    assert_eq!(
        rate_limit_headers(&sandbox.get("/clients")).1,
        44,
        "requests that are not authenticated do not count"
    );
}

#[test]
fn a_window_ends_at_its_reset() {
    let sandbox = Sandbox::with_args(&[
        "--db",
        ":memory:",
        "--rate-limit",
        "2",
        "--rate-window",
        "1100ms",
    ]);
    assert_eq!(
        rate_limit_headers(&sandbox.get("/clients")),
        (2, 1, 2),
        "seconds are rounded up"
    );
    assert_eq!(sandbox.get("/clients").status, 200);
    let deletion = json!({ "ids": ["client-0001"] });
    assert_eq!(sandbox.post("/clients/delete", &deletion).status, 429);
    // A refused request has no effect and does not extend the window.
    let response = wait_for("a response that is not 429", || {
        Some(sandbox.get("/clients/client-0001")).filter(|response| response.status != 429)
    });
    assert_eq!(response.status, 200);
    assert_eq!(rate_limit_headers(&response), (2, 1, 2));
}
