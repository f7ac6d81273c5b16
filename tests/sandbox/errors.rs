//! Refusals that are not about the data: tokens, paths, methods. All of them JSON.

use crate::support::{FIRST, INACTIVE, OTHER, Served};
use serde_json::{Value, json};

/// (status line's number, headers in lower case, JSON) of a raw answer.
fn split(answer: &str) -> (u16, String, Value) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_lowercase(), serde_json::from_str(body).unwrap_or_default())
}

fn request(sandbox: &Served, method: &str, path: &str, authorization: &str) -> (u16, String, Value) {
    let head = format!(
        "{method} /api/v6{path} HTTP/1.1\r\nHost: localhost:HERE\r\nConnection: close\r\nContent-Length: 0\r\n{authorization}\r\n"
    );
    split(&sandbox.raw(head.as_bytes()))
}

#[track_caller]
fn check((status, _, json): &(u16, String, Value), wanted: u16, code: &str) {
    assert_eq!(*status, wanted, "{json}");
    assert_eq!(
        (&json["error"]["status"], &json["error"]["code"], &json["error"]["details"]),
        (&json!(wanted), &json!(code), &json!([]))
    );
    assert!(json["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
}

#[test]
fn no_valid_token_is_401() {
    let sandbox = Served::start(&[]);
    for authorization in [
        "",
        "Authorization: Bearer\r\n",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer nonsense\r\n",
        "Authorization: sandbox-token\r\n",
        "Authorization: Basic sandbox-token\r\n",
        "Authorization: Bearer sandbox-token-2\r\n",
        "Authorization: Bearer SANDBOX-TOKEN\r\n",
        "Authorization: Bearer \u{ff}\u{fe}\r\n",
        "X-Authorization: Bearer sandbox-token\r\n",
        "Authorization: Bearersandbox-token\r\n",
    ] {
        for (method, path) in [("GET", "/clients"), ("POST", "/clients"), ("GET", "/nowhere")] {
            let answer = request(&sandbox, method, path, authorization);
            check(&answer, 401, "unauthorized");
            assert!(!answer.1.contains("x-ratelimit"));
        }
    }
    for authorization in ["Authorization: bearer sandbox-token\r\n", "AUTHORIZATION: Bearer  sandbox-token \r\n"] {
        assert_eq!(request(&sandbox, "GET", "/clients", authorization).0, 200);
    }
}

#[test]
fn an_inactive_account_is_403() {
    let sandbox = Served::start(&[]);
    for path in ["/clients", "/tasks/x", "/nowhere"] {
        assert_eq!(sandbox.get_as(INACTIVE, path).expect(403)["error"]["code"], "forbidden");
    }
    let client = json!({ "client": { "first_name": "A", "email": "a@example.net" } });
    assert_eq!(sandbox.post_as(INACTIVE, "/clients", &client).status, 403);
    for token in [FIRST, OTHER] {
        assert_eq!(sandbox.get_as(token, "/clients").status, 200);
    }
}

#[test]
fn unknown_paths_are_404() {
    let sandbox = Served::start(&[]);
    for path in [
        "",
        "/",
        "/nowhere",
        "/clients/",
        "/Clients",
        "/clients/a/b",
        "/clients/a/update/",
        "/managed_accounts",
        "/sites/site-0001",
        "/tasks/",
        "//clients",
        "/clients;x",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            check(&request(&sandbox, method, path, "Authorization: Bearer sandbox-token\r\n"), 404, "not_found");
        }
    }
    for path in ["/", "/api", "/api/v5/clients", "/api/v6x/clients", "/../api/v6"] {
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:HERE\r\nConnection: close\r\nAuthorization: Bearer sandbox-token\r\n\r\n"
        );
        check(&split(&sandbox.raw(head.as_bytes())), 404, "not_found");
    }
}

#[test]
fn other_methods_are_405() {
    let sandbox = Served::start(&[]);
    for (method, path) in
        [("PUT", "/clients"), ("GET", "/clients/delete"), ("DELETE", "/clients/client-0001"), ("POST", "/tasks")]
    {
        check(&request(&sandbox, method, path, "Authorization: Bearer sandbox-token\r\n"), 405, "method_not_allowed");
    }
}

#[test]
fn every_answer_is_json() {
    let sandbox = Served::start(&[]);
    for reply in [
        sandbox.get("/clients"),
        sandbox.get("/clients/x"),
        sandbox.get("/x"),
        sandbox.get("/clients?x"),
        sandbox.get_as("x", "/clients"),
    ] {
        assert_eq!(reply.headers["content-type"], "application/json");
        assert!(reply.json.is_object());
    }
}
