//! Two accounts: neither sees, uses nor changes anything of the other.

use crate::support::{FIRST, OTHER, Served};
use serde_json::json;

#[test]
fn lists_hold_only_ones_own() {
    let sandbox = Served::start(&[]);
    for (path, first, other) in [("/clients", 60, 0), ("/managed-accounts", 12, 0), ("/sites", 40, 5)] {
        for (token, count) in [(FIRST, first), (OTHER, other)] {
            let answer = sandbox.get_as(token, path).expect(200);
            assert_eq!(answer["meta"]["pagination"]["totalItems"], count, "{path}");
        }
    }
    let sites = sandbox.get_as(OTHER, "/sites?sort=name,asc").expect(200);
    for site in sites["sites"].as_array().unwrap() {
        assert!(site["id"].as_str().unwrap().starts_with("site-100"));
    }
    assert_eq!(sandbox.get_as(OTHER, "/sites/site-1001/snapshots").expect(200)["meta"]["pagination"]["totalItems"], 4);
}

#[test]
fn ids_of_the_other_are_unknown() {
    let sandbox = Served::start(&["--restore-time", "0s"]);
    let scope = json!({ "restore": { "scope": { "include_files": true, "include_database": true } } });
    let task = sandbox.post("/sites/site-0001/backups/snap-0001-1/restore", &scope).expect(201);
    let task = format!("/tasks/{}", task["task"]["id"].as_str().unwrap());
    for path in ["/clients/client-0001", "/managed-accounts/account-0001", "/sites/site-0001/snapshots", &task] {
        assert_eq!(sandbox.get(path).status, 200);
        let unknown = sandbox.get_as(OTHER, path).expect(404);
        assert_eq!(unknown["error"]["code"], "not_found");
    }
    for (token, count) in [(FIRST, 1), (OTHER, 0)] {
        let tasks = sandbox.get_as(token, "/tasks").expect(200);
        assert_eq!(tasks["meta"]["pagination"]["totalItems"], count);
    }
    assert_eq!(sandbox.get("/sites/site-1001/snapshots").status, 404);
    assert_eq!(sandbox.post_as(OTHER, "/sites/site-0001/backups/snap-0001-1/restore", &scope).status, 404);
    assert_eq!(sandbox.post_as(OTHER, "/sites/site-1001/backups/snap-0001-1/restore", &scope).status, 404);
}

#[test]
fn nothing_of_the_other_can_be_changed_or_used() {
    let sandbox = Served::start(&[]);
    let before = sandbox.all("/clients");
    let deleted =
        sandbox.post_as(OTHER, "/clients/delete", &json!({ "ids": ["client-0001", "client-0002"] })).expect(200);
    assert_eq!(deleted["meta"], json!({ "requested": 2, "succeeded": 0, "failed": 2 }));
    let update = json!({ "client": { "note": "mine now" } });
    assert_eq!(sandbox.post_as(OTHER, "/clients/client-0001/update", &update).status, 404);
    for (token, site) in [(OTHER, "site-0036"), (OTHER, "site-0001"), (FIRST, "site-1001")] {
        let client = json!({ "client": { "first_name": "A", "email": "a@example.net", "site_ids": [site] } });
        assert_eq!(sandbox.post_as(token, "/clients", &client).reasons(422), ["invalid_id site_ids"]);
    }
    assert_eq!(sandbox.all("/clients"), before);
}

#[test]
fn rules_hold_per_account() {
    let sandbox = Served::start(&["--max-clients", "60"]);
    // The first account is full and has this email; the second is not concerned. Nor is owner@example.com its owner.
    for email in ["amara.okafor@okafor-interiors.example", "owner@example.com"] {
        sandbox
            .post_as(OTHER, "/clients", &json!({ "client": { "first_name": "A", "email": email, "site_ids": [] } }))
            .expect(201);
    }
    let own = json!({ "client": { "first_name": "A", "email": "other@example.com" } });
    assert_eq!(sandbox.post_as(OTHER, "/clients", &own).reasons(422), ["owner_email email"]);
}

#[test]
fn a_request_that_a_web_page_could_send_is_403() {
    let sandbox = Served::start(&[]);
    let port = sandbox.address().rsplit(':').next().unwrap().to_owned();
    let status = |path: &str, headers: &str| {
        let head = "Connection: close\r\nAuthorization: Bearer sandbox-token\r\n";
        let response = sandbox.raw(format!("GET /api/v6{path} HTTP/1.1\r\n{head}{headers}\r\n").as_bytes());
        response.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok())
    };
    for host in ["localhost", "LocalHost.", "127.0.0.1", "[::1]"] {
        assert_eq!(status("/clients", &format!("Host: {host}:{port}\r\n")), Some(200), "{host}");
    }
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let others = ["page.example", "localhost.page.example", "127.0.0.1.page.example", "0.0.0.0", "192.168.0.1", "[::]"];
    let mut refused: Vec<String> = others.iter().map(|host| format!("Host: {host}:{port}\r\n")).collect();
    refused.extend(["Host: \r\n", "Host: 127.0.0.1\r\n", "Host: localhost:1\r\n"].map(String::from));
    refused.push(format!("{own}{own}"));
    for origin in ["https://page.example", "null", &format!("http://127.0.0.1:{port}"), ""] {
        refused.push(format!("{own}Origin: {origin}\r\n"));
    }
    for headers in &refused {
        assert_eq!([status("/clients", headers), status("/nowhere", headers)], [Some(403); 2], "{headers}");
    }
}
