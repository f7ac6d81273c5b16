//! Access: tokens, paths, methods, web pages, and the separation of accounts. All responses are
//! JSON.

use crate::support::{
    FIRST_TOKEN, INACTIVE_TOKEN, OTHER_TOKEN, Sandbox, client_body, full_restore_body,
};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Sends a request with these header lines on a new connection, and returns status, head and JSON.
fn send_raw(sandbox: &Sandbox, method: &str, path: &str, headers: &str) -> (u16, String, Value) {
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

fn host_header(sandbox: &Sandbox) -> String {
    format!("Host: {}\r\n", sandbox.address())
}

#[track_caller]
fn assert_error((status, head, json): &(u16, String, Value), expected: u16, code: &str) {
    assert_eq!(*status, expected, "{json}");
    let error = &json["error"];
    assert_eq!(error["status"], expected);
    assert_eq!(error["code"], code);
    assert_eq!(error["details"], json!([]));
    assert_ne!(error["message"].as_str().unwrap(), "");
    assert!(head.contains("content-type: application/json"), "{head}");
}

#[test]
fn a_valid_token_is_required() {
    let sandbox = Sandbox::start(&[]);
    let host = host_header(&sandbox);
    for authorization in [
        "",
        "Authorization: Bearer\r\n",
        "Authorization: sandbox-token\r\n",
        "Authorization: Bearer sandbox-token-2\r\n",
        "Authorization: Bearer \u{ff}\u{fe}\r\n",
    ] {
        for path in ["/api/v6/clients", "/api/v6/nowhere"] {
            let headers = format!("{host}{authorization}");
            let response = send_raw(&sandbox, "GET", path, &headers);
            assert_error(&response, 401, "unauthorized");
        }
    }
    for path in ["/clients", "/tasks/x", "/nowhere"] {
        assert_eq!(
            sandbox.get_as(INACTIVE_TOKEN, path).expect_status(403)["error"]["code"],
            "forbidden"
        );
    }
}

#[test]
fn unknown_paths_are_404_and_other_methods_405() {
    let sandbox = Sandbox::start(&[]);
    let headers = format!(
        "{}Authorization: Bearer sandbox-token\r\n",
        host_header(&sandbox)
    );
    for path in [
        "/",
        "/api/v5/clients",
        "/api/v6",
        "/api/v6/Clients",
        "/api/v6/clients/a/b",
    ] {
        assert_error(&send_raw(&sandbox, "GET", path, &headers), 404, "not_found");
    }
    for (method, path) in [("PUT", "/clients"), ("POST", "/sites")] {
        assert_error(
            &send_raw(&sandbox, method, &format!("/api/v6{path}"), &headers),
            405,
            "method_not_allowed",
        );
    }
}

#[test]
fn requests_from_web_pages_are_403() {
    let sandbox = Sandbox::start(&[]);
    let own_host = host_header(&sandbox);
    let port = sandbox.address().rsplit(':').next().unwrap();
    let status = |path: &str, headers: &str| {
        let headers = format!("{headers}Authorization: Bearer sandbox-token\r\n");
        send_raw(&sandbox, "GET", &format!("/api/v6{path}"), &headers).0
    };
    for host in ["localhost", "LocalHost.", "127.0.0.1", "[::1]"] {
        let header = format!("Host: {host}:{port}\r\n");
        assert_eq!(status("/clients", &header), 200, "{host}");
    }
    let mut refused = Vec::new();
    for host in [
        "",
        "127.0.0.1",
        "localhost:1",
        &format!("127.0.0.1.page.example:{port}"),
        &format!("0.0.0.0:{port}"),
    ] {
        refused.push(format!("Host: {host}\r\n"));
    }
    refused.push(format!("{own_host}{own_host}"));
    for origin in ["https://page.example", "null", ""] {
        refused.push(format!("{own_host}Origin: {origin}\r\n"));
    }
    for headers in &refused {
        assert_eq!(status("/clients", headers), 403, "{headers}");
    }
}

#[test]
fn an_account_sees_only_its_own_records() {
    let sandbox = Sandbox::start(&["--restore-time", "0s"]);
    let created = sandbox.start_restore(1, 1).expect_status(201);
    let task = format!("/tasks/{}", created["task"]["id"].as_str().unwrap());
    for (path, first, other) in [
        ("/clients", 60, 0),
        ("/managed-accounts", 12, 0),
        ("/sites", 40, 5),
        ("/tasks", 1, 0),
    ] {
        for (token, count) in [(FIRST_TOKEN, first), (OTHER_TOKEN, other)] {
            let list = sandbox.get_as(token, path).expect_status(200);
            assert_eq!(list["meta"]["pagination"]["totalItems"], count, "{path}");
        }
    }
    for path in [
        "/clients/client-0001",
        "/managed-accounts/account-0001",
        "/sites/site-0001",
        "/sites/site-0001/snapshots",
        &task,
    ] {
        assert_eq!(sandbox.get(path).status, 200);
        let response = sandbox.get_as(OTHER_TOKEN, path);
        assert_eq!(response.expect_status(404)["error"]["code"], "not_found");
    }
    let restore = "/sites/site-0001/backups/snap-0001-1/restore";
    for path in [restore, &format!("{task}/cancel")] {
        let response = sandbox.post_as(OTHER_TOKEN, path, &full_restore_body());
        assert_eq!(response.status, 404, "{path}");
    }
}

#[test]
fn an_account_changes_only_its_own_records() {
    let sandbox = Sandbox::start(&["--max-clients", "60"]);
    let before = sandbox.all_records("/clients");
    let ids = json!({ "ids": ["client-0001", "client-0002"] });
    let deleted = sandbox
        .post_as(OTHER_TOKEN, "/clients/delete", &ids)
        .expect_status(200);
    assert_eq!(
        deleted["meta"],
        json!({ "requested": 2, "succeeded": 0, "failed": 2 })
    );
    let update = json!({ "client": { "note": "mine now" } });
    let response = sandbox.post_as(OTHER_TOKEN, "/clients/client-0001/update", &update);
    assert_eq!(response.status, 404);
    let with_sites = client_body("a@example.net", &["site-0036", "site-0001"]);
    let response = sandbox.post_as(OTHER_TOKEN, "/clients", &with_sites);
    assert_eq!(response.error_codes(422), ["invalid_id site_ids"; 2]);
    assert_eq!(sandbox.all_records("/clients"), before);
    // The quota, the clients and the owner of the first account do not affect the other account.
    let taken = client_body("amara.okafor@okafor-interiors.example", &[]);
    let response = sandbox.post_as(OTHER_TOKEN, "/clients", &taken);
    response.expect_status(201);
    let with_owner_email = client_body("other@example.com", &[]);
    let response = sandbox.post_as(OTHER_TOKEN, "/clients", &with_owner_email);
    assert_eq!(response.error_codes(422), ["owner_email email"]);
}
