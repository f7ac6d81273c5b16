//! The effects of create, show, update and delete. A refused request has no effect.

use crate::support::{Sandbox, client_body};
use serde_json::{Value, json};

/// The fields that callers can set.
const FIELDS: [&str; 7] = [
    "first_name",
    "last_name",
    "email",
    "company_name",
    "address",
    "note",
    "site_ids",
];

fn create(sandbox: &Sandbox, client: &Value) -> Value {
    let response = sandbox.post("/clients", &json!({ "client": client }));
    response.expect_status(201)["client"].clone()
}

/// Updates `client-0001`.
fn update(sandbox: &Sandbox, client: &Value) -> Value {
    let response = sandbox.post("/clients/client-0001/update", &json!({ "client": client }));
    response.expect_status(200)["client"].clone()
}

fn show(sandbox: &Sandbox, id: &str) -> Value {
    sandbox.get(&format!("/clients/{id}")).expect_status(200)["client"].clone()
}

fn client_of_site(sandbox: &Sandbox, site: &str) -> Value {
    sandbox.get(&format!("/sites/{site}")).expect_status(200)["site"]["client"].clone()
}

#[test]
fn create_stores_all_fields_and_ignores_others() {
    let sandbox = Sandbox::start(&[]);
    let sent = json!({
        "first_name": " Zoë \"Z\" \\ ",
        "last_name": "O'Hara\u{0}\u{1}\u{7f}",
        "email": "Zoe@Example.net",
        "company_name": "株式会社 🎉",
        "address": "1\n2\t3",
        "note": "",
        "site_ids": ["site-0038", "site-0036"],
    });
    let created = create(&sandbox, &sent);
    assert_eq!(
        created.as_object().unwrap().keys().collect::<Vec<_>>(),
        [&["id"], &FIELDS[..], &["created_at", "updated_at"]].concat()
    );
    for field in FIELDS {
        assert_eq!(created[field], sent[field]);
    }
    assert_eq!(created["created_at"], created["updated_at"]);
    assert_eq!(show(&sandbox, created["id"].as_str().unwrap()), created);
    assert_eq!(client_of_site(&sandbox, "site-0036")["id"], created["id"]);
    let sent = json!({
        "first_name": "A",
        "email": "a@example.net",
        "id": "mine",
        "created_at": "2000-01-01T00:00:00Z",
        "color": 1,
    });
    let created = create(&sandbox, &sent);
    for field in ["last_name", "company_name", "address", "note"] {
        assert_eq!(created[field], "", "{field} was not sent");
    }
    assert_eq!(created["site_ids"], json!([]));
    assert_ne!(created["id"], "mine");
    assert_ne!(created["created_at"], sent["created_at"]);
    assert!(created.get("color").is_none());
}

#[test]
fn update_changes_only_the_fields_in_the_body() {
    let sandbox = Sandbox::start(&[]);
    let before = show(&sandbox, "client-0001");
    for (field, value) in [("email", "new@example.net"), ("note", "")] {
        let old = show(&sandbox, "client-0001");
        let new = update(&sandbox, &json!({ field: value }));
        assert_eq!(new[field], value);
        for other in FIELDS.iter().filter(|other| **other != field) {
            assert_eq!(new[other], old[other], "{field} changed {other}");
        }
        assert_eq!(show(&sandbox, "client-0001"), new);
    }
    let after = show(&sandbox, "client-0001");
    assert!(after["updated_at"].as_str() > before["updated_at"].as_str());
    for body in ["", "{}", r#"{"client":{}}"#] {
        let response = sandbox.post_bytes("/clients/client-0001/update", body.as_bytes());
        assert_eq!(
            response.expect_status(200)["client"],
            after,
            "{body:?} changes nothing"
        );
    }
    assert_eq!(
        update(&sandbox, &after),
        after,
        "the same values change nothing"
    );
}

#[test]
fn site_ids_replace_the_sites_of_the_client() {
    let sandbox = Sandbox::start(&[]);
    for (sites, expected) in [
        (
            json!(["site-0036", "site-0001"]),
            json!(["site-0036", "site-0001"]),
        ),
        (json!(["site-0037", "site-0037"]), json!(["site-0037"])),
        (json!([]), json!([])),
    ] {
        let updated = update(&sandbox, &json!({ "site_ids": sites }));
        assert_eq!(updated["site_ids"], expected);
    }
    // Another client can get the sites that were removed.
    let sent = json!({ "client": { "site_ids": ["site-0001", "site-0002"] } });
    let response = sandbox.post("/clients/client-0002/update", &sent);
    let updated = response.expect_status(200);
    assert_eq!(updated["client"]["site_ids"], sent["client"]["site_ids"]);
}

#[test]
fn a_refused_change_changes_nothing() {
    let sandbox = Sandbox::start(&[]);
    let before = sandbox.all_records("/clients");
    let body = client_body("a@example.net", &["site-0036", "site-0001"]);
    sandbox.post("/clients", &body).error_details(422);
    for (status, client) in [
        (
            422,
            json!({ "first_name": "New", "site_ids": ["site-0036", "site-0003"] }),
        ),
        (
            422,
            json!({ "site_ids": [], "email": "noah.williams@williams-dental.example" }),
        ),
        (400, json!({ "first_name": "New", "note": 1 })),
    ] {
        sandbox
            .post("/clients/client-0001/update", &json!({ "client": client }))
            .error_details(status);
    }
    assert_eq!(sandbox.all_records("/clients"), before);
    assert_eq!(client_of_site(&sandbox, "site-0036"), Value::Null);
}

#[test]
fn an_unknown_client_is_a_404_whatever_the_body() {
    let sandbox = Sandbox::start(&[]);
    for id in ["client-0000", "%FF", "..%2Fclients", "'%20OR%201=1--"] {
        assert_eq!(sandbox.get(&format!("/clients/{id}")).status, 404, "{id}");
        let response = sandbox.post(&format!("/clients/{id}/update"), &json!({ "client": 1 }));
        assert_eq!(response.status, 404, "{id}");
    }
}

#[test]
fn delete_deletes_known_clients_and_reports_unknown_ids() {
    let sandbox = Sandbox::start(&[]);
    let old = show(&sandbox, "client-0001");
    let ids =
        json!({ "ids": ["client-0002", "nobody", "client-0001", "client-0002", "", "nobody"] });
    let response = sandbox.post("/clients/delete", &ids).expect_status(200);
    assert_eq!(
        response["delete"]["ids"],
        json!(["client-0002", "client-0001"])
    );
    let errors = response["delete"]["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 2);
    for (error, id) in errors.iter().zip(["nobody", ""]) {
        assert_eq!(error["id"], id);
        assert_eq!(error["code"], "not_found");
        assert!(error["message"].is_string());
    }
    assert_eq!(
        response["meta"],
        json!({ "requested": 4, "succeeded": 2, "failed": 2 })
    );
    assert_eq!(sandbox.all_records("/clients").len(), 58);
    // Another client can get the email and the sites of a deleted client.
    let client = json!({ "first_name": "A", "email": old["email"], "site_ids": old["site_ids"] });
    assert_eq!(create(&sandbox, &client)["site_ids"], old["site_ids"]);
}
