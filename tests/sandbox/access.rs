//! Access: tokens, paths, methods, web pages, and the separation of accounts. All responses are JSON.

use crate::support::{FIRST, INACTIVE, OTHER, Served, client, full_restore};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Sends a request with these header lines on a new connection, and returns status, head and JSON.
fn request(sandbox: &Served, method: &str, path: &str, headers: &str) -> (u16, String, Value) {
    let mut stream = TcpStream::connect(sandbox.address()).unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let (head, body) = response
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no response: {response:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (
        status,
        head.to_lowercase(),
        serde_json::from_str(body).unwrap_or_default(),
    )
}

fn host(sandbox: &Served) -> String {
    format!("Host: {}\r\n", sandbox.address())
}

#[track_caller]
fn check((status, head, json): &(u16, String, Value), wanted: u16, code: &str) {
    assert_eq!(*status, wanted, "{json}");
    let error = &json["error"];
    assert_eq!(
        (&error["status"], &error["code"], &error["details"]),
        (&json!(wanted), &json!(code), &json!([]))
    );
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty())
    );
    assert!(head.contains("content-type: application/json"), "{head}");
}

#[test]
fn a_valid_token_is_required() {
    let sandbox = Served::start(&[]);
    let host = host(&sandbox);
    for authorization in [
        "",
        "Authorization: Bearer\r\n",
        "Authorization: Bearer nonsense\r\n",
        "Authorization: sandbox-token\r\n",
        "Authorization: Bearer sandbox-token-2\r\n",
        "Authorization: Bearer \u{ff}\u{fe}\r\n",
    ] {
        for (method, path) in [
            ("GET", "/clients"),
            ("POST", "/clients"),
            ("GET", "/nowhere"),
        ] {
            let response = request(
                &sandbox,
                method,
                &format!("/api/v6{path}"),
                &format!("{host}{authorization}"),
            );
            check(&response, 401, "unauthorized");
            assert!(!response.1.contains("x-ratelimit"));
        }
    }
    for path in ["/clients", "/tasks/x", "/nowhere"] {
        assert_eq!(
            sandbox.get_as(INACTIVE, path).expect(403)["error"]["code"],
            "forbidden"
        );
    }
}

#[test]
fn unknown_paths_are_404_and_other_methods_405() {
    let sandbox = Served::start(&[]);
    let headers = format!("{}Authorization: Bearer sandbox-token\r\n", host(&sandbox));
    for path in [
        "/",
        "/api/v5/clients",
        "/api/v6",
        "/api/v6/Clients",
        "/api/v6/clients/a/b",
    ] {
        check(&request(&sandbox, "GET", path, &headers), 404, "not_found");
    }
    for (method, path) in [
        ("PUT", "/clients"),
        ("GET", "/sites/a/backups/b/restore"),
        ("POST", "/sites"),
    ] {
        check(
            &request(&sandbox, method, &format!("/api/v6{path}"), &headers),
            405,
            "method_not_allowed",
        );
    }
}

#[test]
fn requests_from_web_pages_are_403() {
    let sandbox = Served::start(&[]);
    let own = host(&sandbox);
    let port = sandbox.address().rsplit(':').next().unwrap();
    let status = |path: &str, headers: &str| {
        let headers = format!("{headers}Authorization: Bearer sandbox-token\r\n");
        request(&sandbox, "GET", &format!("/api/v6{path}"), &headers).0
    };
    for host in ["localhost", "LocalHost.", "127.0.0.1", "[::1]"] {
        assert_eq!(
            status("/clients", &format!("Host: {host}:{port}\r\n")),
            200,
            "{host}"
        );
    }
    let others = [
        "page.example",
        "localhost.page.example",
        "127.0.0.1.page.example",
        "0.0.0.0",
    ];
    let mut refused: Vec<String> = others
        .iter()
        .map(|host| format!("Host: {host}:{port}\r\n"))
        .collect();
    refused
        .extend(["Host: \r\n", "Host: 127.0.0.1\r\n", "Host: localhost:1\r\n"].map(String::from));
    refused.push(format!("{own}{own}"));
    for origin in [
        "https://page.example",
        "null",
        &format!("http://127.0.0.1:{port}"),
        "",
    ] {
        refused.push(format!("{own}Origin: {origin}\r\n"));
    }
    for headers in &refused {
        assert_eq!(
            [status("/clients", headers), status("/nowhere", headers)],
            [403; 2],
            "{headers}"
        );
    }
}

#[test]
fn an_account_sees_only_its_own_records() {
    let sandbox = Served::start(&["--restore-time", "0s"]);
    let task = sandbox.restore(1, 1).expect(201);
    let task = format!("/tasks/{}", task["task"]["id"].as_str().unwrap());
    for (path, first, other) in [
        ("/clients", 60, 0),
        ("/managed-accounts", 12, 0),
        ("/sites", 40, 5),
    ] {
        for (token, count) in [(FIRST, first), (OTHER, other)] {
            let list = sandbox.get_as(token, path).expect(200);
            assert_eq!(list["meta"]["pagination"]["totalItems"], count, "{path}");
        }
    }
    let mut sites = crate::support::ids(&sandbox.get_as(OTHER, "/sites").expect(200));
    sites.sort();
    assert_eq!(sites, [1, 2, 3, 4, 5].map(|nth| format!("site-100{nth}")));
    for path in [
        "/clients/client-0001",
        "/managed-accounts/account-0001",
        "/sites/site-0001/snapshots",
        &task,
    ] {
        assert_eq!(sandbox.get(path).status, 200);
        assert_eq!(
            sandbox.get_as(OTHER, path).expect(404)["error"]["code"],
            "not_found"
        );
    }
    let restore = "/sites/site-0001/backups/snap-0001-1/restore";
    assert_eq!(sandbox.post_as(OTHER, restore, &full_restore()).status, 404);
}

#[test]
fn an_account_changes_only_its_own_records() {
    let sandbox = Served::start(&["--max-clients", "60"]);
    let before = sandbox.all("/clients");
    let ids = json!({ "ids": ["client-0001", "client-0002"] });
    let deleted = sandbox.post_as(OTHER, "/clients/delete", &ids).expect(200);
    assert_eq!(
        deleted["meta"],
        json!({ "requested": 2, "succeeded": 0, "failed": 2 })
    );
    let update = json!({ "client": { "note": "mine now" } });
    assert_eq!(
        sandbox
            .post_as(OTHER, "/clients/client-0001/update", &update)
            .status,
        404
    );
    let claim = sandbox.post_as(
        OTHER,
        "/clients",
        &client("a@example.net", &["site-0036", "site-0001"]),
    );
    assert_eq!(claim.reasons(422), ["invalid_id site_ids"; 2]);
    assert_eq!(sandbox.all("/clients"), before);
    // The quota, the clients and the owner of the first account do not affect the other account.
    for email in ["amara.okafor@okafor-interiors.example", "owner@example.com"] {
        sandbox
            .post_as(OTHER, "/clients", &client(email, &[]))
            .expect(201);
    }
    let own = client("other@example.com", &[]);
    assert_eq!(
        sandbox.post_as(OTHER, "/clients", &own).reasons(422),
        ["owner_email email"]
    );
}
