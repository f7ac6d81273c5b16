//! Create, show, update, delete: what they do when they do it, and that a refusal does nothing.

use crate::support::Served;
use serde_json::{Value, json};

const FIELDS: [&str; 10] = [
    "id",
    "first_name",
    "last_name",
    "email",
    "company_name",
    "address",
    "note",
    "site_ids",
    "created_at",
    "updated_at",
];

fn create(sandbox: &Served, client: &Value) -> Value {
    sandbox.post("/clients", &json!({ "client": client })).expect(201)["client"].clone()
}

fn update(sandbox: &Served, id: &str, client: &Value) -> Value {
    sandbox.post(&format!("/clients/{id}/update"), &json!({ "client": client })).expect(200)["client"].clone()
}

fn show(sandbox: &Served, id: &str) -> Value {
    sandbox.get(&format!("/clients/{id}")).expect(200)["client"].clone()
}

#[test]
fn a_created_client_is_as_sent() {
    let sandbox = Served::start(&[]);
    let sent = json!({
        "first_name": " Zoë \"Z\" \\ ", "last_name": "O'Hara\u{0}\u{1}\u{7f}", "email": "Zoe@Example.net", "company_name": "株式会社 🎉", "address": "1\n2\t3", "note": "", "site_ids": ["site-0038", "site-0036"],
    });
    let made = create(&sandbox, &sent);
    assert_eq!(made.as_object().unwrap().keys().collect::<Vec<_>>(), FIELDS);
    for field in ["first_name", "last_name", "email", "company_name", "address", "note"] {
        assert_eq!(made[field], sent[field]);
    }
    assert_eq!(made["site_ids"], sent["site_ids"]);
    assert_eq!(made["created_at"], made["updated_at"]);
    let at = made["created_at"].as_str().unwrap();
    assert!(at.len() == 24 && at.ends_with('Z') && at.parse::<jiff::Timestamp>().is_ok(), "{at}");
    assert_eq!(show(&sandbox, made["id"].as_str().unwrap()), made);
    assert_eq!(sandbox.get("/clients?perPage=1").expect(200)["clients"], json!([made]));
    assert_eq!(
        sandbox.get("/sites?filters[search:contains]=site-0036").expect(200)["sites"][0]["client_id"],
        made["id"]
    );
}

#[test]
fn what_is_not_sent_is_empty_and_what_is_unknown_is_ignored() {
    let sandbox = Served::start(&[]);
    let made = create(
        &sandbox,
        &json!({ "first_name": "A", "email": "a@example.net", "id": "mine", "created_at": "2000-01-01T00:00:00Z", "color": 1 }),
    );
    for field in ["last_name", "company_name", "address", "note"] {
        assert_eq!(made[field], "");
    }
    assert_eq!(made["site_ids"], json!([]));
    assert_ne!(made["id"], "mine");
    assert!(made.get("color").is_none());
}

#[test]
fn a_refused_create_leaves_nothing() {
    let sandbox = Served::start(&[]);
    let client = json!({ "first_name": "A", "email": "a@example.net", "site_ids": ["site-0036", "site-0001"] });
    sandbox.post("/clients", &json!({ "client": client })).refused(422);
    assert_eq!(sandbox.all("/clients").len(), 60);
    assert_eq!(
        sandbox.get("/sites?filters[search:contains]=site-0036").expect(200)["sites"][0]["client_id"],
        Value::Null
    );
}

#[test]
fn an_update_changes_what_it_names() {
    let sandbox = Served::start(&[]);
    let before = show(&sandbox, "client-0001");
    for (field, value) in [
        ("first_name", "New"),
        ("last_name", "Name"),
        ("email", "new@example.net"),
        ("company_name", ""),
        ("address", ""),
        ("note", ""),
    ] {
        let old = show(&sandbox, "client-0001");
        let new = update(&sandbox, "client-0001", &json!({ field: value }));
        assert_eq!(new[field], value);
        for other in FIELDS.iter().filter(|other| **other != field && **other != "updated_at") {
            assert_eq!(new[other], old[other], "{field} changed {other}");
        }
        assert_eq!(show(&sandbox, "client-0001"), new);
    }
    let after = show(&sandbox, "client-0001");
    assert_eq!(after["created_at"], before["created_at"]);
    assert!(after["updated_at"].as_str() > before["updated_at"].as_str());
}

#[test]
fn every_change_moves_updated_at_however_soon_it_comes() {
    let sandbox = Served::start(&[]);
    let times: Vec<_> = (0..200)
        .map(|nth| update(&sandbox, "client-0001", &json!({ "note": nth.to_string() })))
        .map(|client| client["updated_at"].as_str().unwrap().to_owned())
        .collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn an_update_that_says_nothing_new_changes_nothing() {
    let sandbox = Served::start(&[]);
    let before = show(&sandbox, "client-0001");
    for body in ["", " \n", "{}", r#"{"client":{}}"#, r#"{"other":1}"#] {
        let reply = sandbox.post_bytes("/clients/client-0001/update", body.as_bytes());
        assert_eq!(reply.expect(200)["client"], before, "{body:?}");
    }
    let mut same = before.clone();
    same["updated_at"] = json!("ignored");
    assert_eq!(update(&sandbox, "client-0001", &same), before);
}

#[test]
fn site_ids_replace_the_list() {
    let sandbox = Served::start(&[]);
    for (sites, wanted) in [
        (json!(["site-0036", "site-0001"]), json!(["site-0036", "site-0001"])),
        (json!(["site-0037"]), json!(["site-0037"])),
        (json!(["site-0037", "site-0037"]), json!(["site-0037"])),
        (json!([]), json!([])),
    ] {
        let old = show(&sandbox, "client-0001");
        let new = update(&sandbox, "client-0001", &json!({ "site_ids": sites }));
        assert_eq!(new["site_ids"], wanted);
        assert!(new["updated_at"].as_str() > old["updated_at"].as_str() || old["site_ids"] == wanted);
    }
    // What it had is free again.
    assert_eq!(
        update(&sandbox, "client-0002", &json!({ "site_ids": ["site-0001", "site-0002"] }))["site_ids"],
        json!(["site-0001", "site-0002"])
    );
}

#[test]
fn a_refused_update_changes_nothing() {
    let sandbox = Served::start(&[]);
    let before = show(&sandbox, "client-0001");
    for client in [
        json!({ "first_name": "New", "email": "owner@example.com" }),
        json!({ "first_name": "New", "site_ids": ["site-0036", "site-0003"] }),
        json!({ "site_ids": [], "email": "noah.williams@williams-dental.example" }),
    ] {
        sandbox.post("/clients/client-0001/update", &json!({ "client": client })).refused(422);
    }
    sandbox.post("/clients/client-0001/update", &json!({ "client": { "first_name": "New", "note": 1 } })).refused(400);
    assert_eq!(show(&sandbox, "client-0001"), before);
    assert_eq!(
        sandbox.get("/sites?filters[search:contains]=site-0036").expect(200)["sites"][0]["client_id"],
        Value::Null
    );
}

#[test]
fn a_client_that_is_not_there_is_a_404_whatever_the_body() {
    let sandbox = Served::start(&[]);
    for id in
        ["client-0000", "CLIENT-0001", "client-0001%20", "%00", "%FF", "delete%2F", "..%2Fclients", "'%20OR%201=1--"]
    {
        assert_eq!(sandbox.get(&format!("/clients/{id}")).status, 404, "{id}");
        assert_eq!(sandbox.post(&format!("/clients/{id}/update"), &json!({ "client": 1 })).status, 404, "{id}");
    }
}

#[test]
fn delete_does_what_it_can_and_says_what_it_could_not() {
    let sandbox = Served::start(&[]);
    let answer = sandbox
        .post(
            "/clients/delete",
            &json!({ "ids": ["client-0002", "nobody", "client-0001", "client-0002", "", "nobody"] }),
        )
        .expect(200);
    assert_eq!(answer["delete"]["ids"], json!(["client-0002", "client-0001"]));
    let errors = answer["delete"]["errors"].as_array().unwrap();
    let errors: Vec<_> =
        errors.iter().map(|error| (error["id"].as_str().unwrap(), error["code"].as_str().unwrap())).collect();
    assert_eq!(errors, [("nobody", "not_found"), ("", "not_found")]);
    assert!(answer["delete"]["errors"][0]["message"].is_string());
    assert_eq!(answer["meta"], json!({ "requested": 4, "succeeded": 2, "failed": 2 }));
    assert_eq!(sandbox.all("/clients").len(), 58);
    let again = sandbox.post("/clients/delete", &json!({ "ids": ["client-0001"] })).expect(200);
    assert_eq!(again["meta"], json!({ "requested": 1, "succeeded": 0, "failed": 1 }));
}

#[test]
fn deleting_a_client_frees_its_sites_and_its_email() {
    let sandbox = Served::start(&[]);
    let old = show(&sandbox, "client-0001");
    sandbox.post("/clients/delete", &json!({ "ids": ["client-0001"] })).expect(200);
    let made = create(&sandbox, &json!({ "first_name": "Heir", "email": old["email"], "site_ids": old["site_ids"] }));
    assert_eq!(made["site_ids"], json!(["site-0001", "site-0002"]));
}
