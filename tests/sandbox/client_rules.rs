//! The rules for clients: every detail code, on create and on update.

use crate::support::{Sandbox, client_body};
use serde_json::{Value, json};

/// Returns a valid new client with this field set.
fn client_with(field: &str, value: &Value) -> Value {
    let mut body = client_body("ann@example.net", &[]);
    body["client"][field] = value.clone();
    body
}

/// Asserts that create and update refuse the field with exactly this detail.
#[track_caller]
fn assert_both_refuse(sandbox: &Sandbox, field: &str, value: &Value, code: &str, message: &str) {
    let expected = [(code.to_owned(), field.to_owned(), message.to_owned())];
    let response = sandbox.post("/clients", &client_with(field, value));
    assert_eq!(response.error_details(400), expected, "{value}");
    let update = json!({ "client": { field: value } });
    let response = sandbox.post("/clients/client-0001/update", &update);
    assert_eq!(response.error_details(400), expected, "{value}");
}

#[test]
fn wrong_types_and_blank_required_fields_are_refused() {
    let sandbox = Sandbox::start(&[]);
    for field in ["first_name", "email"] {
        for blank in [json!(""), json!(" \u{3000}"), json!(null)] {
            assert_both_refuse(&sandbox, field, &blank, "blank", "Can't be blank");
        }
    }
    for (field, value, message) in [
        ("first_name", json!(1), "Must be a string"),
        ("email", json!(1), "Must be a string"),
        ("note", json!(null), "Must be a string"),
        ("site_ids", json!(null), "Must be an array"),
        ("site_ids", json!(["site-0036", null]), "Must be a string"),
    ] {
        assert_both_refuse(&sandbox, field, &value, "invalid_type", message);
    }
    let response = sandbox.post("/clients", &json!({ "client": {} }));
    assert_eq!(
        response.error_codes(400),
        ["blank email", "blank first_name"]
    );
}

#[test]
fn texts_are_limited_in_characters_not_bytes() {
    let sandbox = Sandbox::start(&[]);
    let fields = [
        ("first_name", 255),
        ("last_name", 255),
        ("company_name", 255),
        ("address", 2000),
        ("note", 5000),
    ];
    for (field, max) in fields {
        let longest = json!("字".repeat(max));
        let mut body = client_with(field, &longest);
        body["client"]["email"] = json!(format!("{field}@example.net"));
        let created = sandbox.post("/clients", &body).expect_status(201);
        assert_eq!(created["client"][field], longest);
        let too_long = json!("字".repeat(max + 1));
        let message = format!("Is too long (maximum is {max} characters)");
        assert_both_refuse(&sandbox, field, &too_long, "too_long", &message);
    }
}

#[test]
fn malformed_emails_are_refused() {
    let sandbox = Sandbox::start(&[]);
    for email in ["plain", "@example.net", "ann@exa mple.net", "a@b.c,d@e.f"] {
        let message = "Invalid email format";
        assert_both_refuse(&sandbox, "email", &json!(email), "invalid_format", message);
    }
    for email in ["A.B+c_d-e@Sub.Example.Museum", "用户@例え.jp"] {
        let response = sandbox.post("/clients", &client_with("email", &json!(email)));
        assert_eq!(response.expect_status(201)["client"]["email"], email);
    }
}

#[test]
fn malformed_bodies_are_refused() {
    let sandbox = Sandbox::start(&[]);
    for path in ["/clients", "/clients/delete", "/clients/client-0001/update"] {
        for (body, code) in [("{", "invalid_format"), ("[]", "invalid_type")] {
            let codes = sandbox.post_bytes(path, body.as_bytes()).error_codes(400);
            assert_eq!(codes, [format!("{code} body")], "{path} {body}");
        }
    }
    let create = ("/clients", json!({}));
    let update = ("/clients/client-0001/update", json!({ "client": null }));
    let delete = |ids: Value| ("/clients/delete", json!({ "ids": ids }));
    for ((path, body), code, param, message) in [
        (create, "invalid_type", "client", "Must be an object"),
        (update, "invalid_type", "client", "Must be an object"),
        (delete(json!([])), "blank", "ids", "Can't be blank"),
        (
            delete(json!("client-0001")),
            "invalid_type",
            "ids",
            "Must be an array",
        ),
        (
            delete(json!(["client-0001", null])),
            "invalid_type",
            "ids",
            "Must be a string",
        ),
    ] {
        let expected = [(code.to_owned(), param.to_owned(), message.to_owned())];
        assert_eq!(
            sandbox.post(path, &body).error_details(400),
            expected,
            "{path} {body}"
        );
    }
    assert_eq!(
        sandbox.all_records("/clients").len(),
        60,
        "a refused delete deletes nothing"
    );
}

#[test]
fn one_response_reports_every_problem() {
    let sandbox = Sandbox::start(&["--max-clients", "60"]);
    let wrong = json!({ "client": {
        "first_name": "",
        "last_name": 1,
        "email": "nonsense",
        "company_name": "x".repeat(256),
        "address": ["a"],
        "note": "x".repeat(5001),
        "site_ids": "site-0036",
    } });
    let expected = [
        "blank first_name",
        "invalid_format email",
        "invalid_type address",
        "invalid_type last_name",
        "invalid_type site_ids",
        "too_long company_name",
        "too_long note",
    ];
    for path in ["/clients", "/clients/client-0001/update"] {
        assert_eq!(sandbox.post(path, &wrong).error_codes(400), expected);
    }
    let sites = [
        "site-0001",
        "site-9999",
        "site-1001",
        "site-0036",
        "",
        "site-0003",
    ];
    let refused = client_body("OWNER@Example.Com", &sites);
    let mut expected = ["already_assigned site_ids"; 2].to_vec();
    expected.extend(["invalid_id site_ids"; 3]);
    expected.push("owner_email email");
    let response = sandbox.post("/clients/client-0060/update", &refused);
    assert_eq!(response.error_codes(422), expected);
    expected.insert(5, "max_quota base");
    let response = sandbox.post("/clients", &refused);
    assert_eq!(response.error_codes(422), expected);
    assert_eq!(sandbox.all_records("/clients").len(), 60);
    let client = sandbox.get("/clients/client-0060").expect_status(200);
    assert_eq!(client["client"]["site_ids"], json!([]));
}

#[test]
fn emails_are_unique_in_any_letter_case() {
    let sandbox = Sandbox::start(&[]);
    let email = "noah.WILLIAMS@williams-dental.example";
    let response = sandbox.post("/clients", &client_body(email, &[]));
    assert_eq!(response.error_codes(422), ["already_exists email"]);
    let update = json!({ "client": { "email": email } });
    let response = sandbox.post("/clients/client-0001/update", &update);
    assert_eq!(response.error_codes(422), ["already_exists email"]);
    // The same client can keep the email, also in another letter case.
    let response = sandbox.post("/clients/client-0012/update", &update);
    assert_eq!(response.expect_status(200)["client"]["email"], email);
    let response = sandbox.post("/clients", &client_body("ÄNNE@Bücher.example", &[]));
    response.expect_status(201);
    let response = sandbox.post("/clients", &client_body("änne@BÜCHER.example", &[]));
    assert_eq!(response.error_codes(422), ["already_exists email"]);
}

#[test]
fn the_quota_counts_existing_clients() {
    let sandbox = Sandbox::start(&["--max-clients", "61"]);
    let first = client_body("one@example.net", &[]);
    let second = client_body("two@example.net", &[]);
    sandbox.post("/clients", &first).expect_status(201);
    let response = sandbox.post("/clients", &second);
    assert_eq!(response.error_codes(422), ["max_quota base"]);
    let update = json!({ "client": { "note": "an update is allowed" } });
    let response = sandbox.post("/clients/client-0001/update", &update);
    response.expect_status(200);
    let response = sandbox.post("/clients/delete", &json!({ "ids": ["client-0001"] }));
    response.expect_status(200);
    sandbox.post("/clients", &second).expect_status(201);
}
