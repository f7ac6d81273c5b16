//! The effects of create, show, update and delete. A refused request has no effect.

use crate::support::{Served, client};
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

fn create(sandbox: &Served, client: &Value) -> Value {
    sandbox
        .post("/clients", &json!({ "client": client }))
        .expect(201)["client"]
        .clone()
}

fn update(sandbox: &Served, client: &Value) -> Value {
    sandbox
        .post("/clients/client-0001/update", &json!({ "client": client }))
        .expect(200)["client"]
        .clone()
}

fn show(sandbox: &Served, id: &str) -> Value {
    sandbox.get(&format!("/clients/{id}")).expect(200)["client"].clone()
}

/// Returns the client of a site.
fn owner(sandbox: &Served, site: &str) -> Value {
    sandbox
        .get(&format!("/sites?filters[search:contains]={site}"))
        .expect(200)["sites"][0]["client_id"]
        .clone()
}

#[test]
fn create_stores_all_fields() {
    let sandbox = Served::start(&[]);
    let sent = json!({
        "first_name": " Zoë \"Z\" \\ ", "last_name": "O'Hara\u{0}\u{1}\u{7f}", "email": "Zoe@Example.net", "company_name": "株式会社 🎉", "address": "1\n2\t3", "note": "", "site_ids": ["site-0038", "site-0036"],
    });
    let made = create(&sandbox, &sent);
    assert_eq!(
        made.as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect::<Vec<_>>(),
        [&["id"], &FIELDS[..], &["created_at", "updated_at"]].concat()
    );
    for field in FIELDS {
        assert_eq!(made[field], sent[field]);
    }
    assert_eq!(made["created_at"], made["updated_at"]);
    let at = made["created_at"].as_str().unwrap();
    assert!(
        at.len() == 24 && at.ends_with('Z') && at.parse::<jiff::Timestamp>().is_ok(),
        "{at}"
    );
    assert_eq!(show(&sandbox, made["id"].as_str().unwrap()), made);
    assert_eq!(
        sandbox.get("/clients?perPage=1").expect(200)["clients"],
        json!([made])
    );
    assert_eq!(owner(&sandbox, "site-0036"), made["id"]);
    let sent = json!({ "first_name": "A", "email": "a@example.net", "id": "mine", "created_at": "2000-01-01T00:00:00Z", "color": 1 });
    let made = create(&sandbox, &sent);
    for field in ["last_name", "company_name", "address", "note"] {
        assert_eq!(made[field], "", "what is not sent is empty");
    }
    assert_eq!(made["site_ids"], json!([]));
    assert!(
        made["id"] != "mine"
            && made["created_at"] != sent["created_at"]
            && made.get("color").is_none()
    );
}

#[test]
fn update_changes_only_the_fields_in_the_body() {
    let sandbox = Served::start(&[]);
    let before = show(&sandbox, "client-0001");
    for (field, value) in [
        ("first_name", "New"),
        ("email", "new@example.net"),
        ("company_name", ""),
        ("note", ""),
    ] {
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
        let reply = sandbox.post_bytes("/clients/client-0001/update", body.as_bytes());
        assert_eq!(
            reply.expect(200)["client"],
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
fn site_ids_replace_the_list() {
    let sandbox = Served::start(&[]);
    for (sites, wanted) in [
        (
            json!(["site-0036", "site-0001"]),
            json!(["site-0036", "site-0001"]),
        ),
        (json!(["site-0037", "site-0037"]), json!(["site-0037"])),
        (json!([]), json!([])),
    ] {
        assert_eq!(
            update(&sandbox, &json!({ "site_ids": sites }))["site_ids"],
            wanted
        );
    }
    let taken = json!({ "client": { "site_ids": ["site-0001", "site-0002"] } });
    let other = sandbox
        .post("/clients/client-0002/update", &taken)
        .expect(200);
    assert_eq!(
        other["client"]["site_ids"], taken["client"]["site_ids"],
        "what it had is free again"
    );
}

#[test]
fn a_refused_change_changes_nothing() {
    let sandbox = Served::start(&[]);
    let before = sandbox.all("/clients");
    sandbox
        .post(
            "/clients",
            &client("a@example.net", &["site-0036", "site-0001"]),
        )
        .refused(422);
    for (status, client) in [
        (
            422,
            json!({ "first_name": "New", "email": "owner@example.com" }),
        ),
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
            .refused(status);
    }
    assert_eq!(sandbox.all("/clients"), before);
    assert_eq!(owner(&sandbox, "site-0036"), Value::Null);
}

#[test]
fn an_unknown_client_is_a_404_whatever_the_body() {
    let sandbox = Served::start(&[]);
    for id in ["client-0000", "%FF", "..%2Fclients", "'%20OR%201=1--"] {
        assert_eq!(sandbox.get(&format!("/clients/{id}")).status, 404, "{id}");
        assert_eq!(
            sandbox
                .post(&format!("/clients/{id}/update"), &json!({ "client": 1 }))
                .status,
            404,
            "{id}"
        );
    }
}

#[test]
fn delete_reports_unknown_ids() {
    let sandbox = Served::start(&[]);
    let old = show(&sandbox, "client-0001");
    let ids =
        json!({ "ids": ["client-0002", "nobody", "client-0001", "client-0002", "", "nobody"] });
    let done = sandbox.post("/clients/delete", &ids).expect(200);
    assert_eq!(done["delete"]["ids"], json!(["client-0002", "client-0001"]));
    let errors = done["delete"]["errors"].as_array().unwrap();
    let errors: Vec<_> = errors
        .iter()
        .map(|error| (&error["id"], &error["code"]))
        .collect();
    assert_eq!(
        errors,
        [
            (&json!("nobody"), &json!("not_found")),
            (&json!(""), &json!("not_found"))
        ]
    );
    assert!(done["delete"]["errors"][0]["message"].is_string());
    assert_eq!(
        done["meta"],
        json!({ "requested": 4, "succeeded": 2, "failed": 2 })
    );
    assert_eq!(sandbox.all("/clients").len(), 58);
    let again = sandbox
        .post("/clients/delete", &json!({ "ids": ["client-0001"] }))
        .expect(200);
    assert_eq!(
        again["meta"],
        json!({ "requested": 1, "succeeded": 0, "failed": 1 })
    );
    let heir = create(
        &sandbox,
        &json!({ "first_name": "A", "email": old["email"], "site_ids": old["site_ids"] }),
    );
    assert_eq!(
        heir["site_ids"], old["site_ids"],
        "its email and its sites are free"
    );
}
