//! The rules for clients: every detail code, on create and on update.

use crate::support::{Served, client};
use serde_json::{Value, json};

/// Returns a valid new client with this field set.
fn with(field: &str, value: &Value) -> Value {
    let mut body = client("ann@example.net", &[]);
    body["client"][field] = value.clone();
    body
}

/// Asserts that create and update refuse the field with exactly this detail.
#[track_caller]
fn refused_by_both(sandbox: &Served, field: &str, value: &Value, code: &str, message: &str) {
    let wanted = [(code.to_owned(), field.to_owned(), message.to_owned())];
    assert_eq!(
        sandbox.post("/clients", &with(field, value)).refused(400),
        wanted,
        "{value}"
    );
    let update = json!({ "client": { field: value } });
    assert_eq!(
        sandbox
            .post("/clients/client-0001/update", &update)
            .refused(400),
        wanted,
        "{value}"
    );
}

#[test]
fn types_and_required_fields_are_checked() {
    let sandbox = Served::start(&[]);
    for field in ["first_name", "email"] {
        for blank in [json!(""), json!(" \u{3000}"), json!(null)] {
            refused_by_both(&sandbox, field, &blank, "blank", "Can't be blank");
        }
    }
    for field in [
        "first_name",
        "last_name",
        "email",
        "company_name",
        "address",
        "note",
    ] {
        refused_by_both(
            &sandbox,
            field,
            &json!(1),
            "invalid_type",
            "Must be a string",
        );
    }
    refused_by_both(
        &sandbox,
        "note",
        &json!(null),
        "invalid_type",
        "Must be a string",
    );
    refused_by_both(
        &sandbox,
        "site_ids",
        &json!(null),
        "invalid_type",
        "Must be an array",
    );
    refused_by_both(
        &sandbox,
        "site_ids",
        &json!(["site-0036", null]),
        "invalid_type",
        "Must be a string",
    );
    let missing = sandbox
        .post("/clients", &json!({ "client": {} }))
        .reasons(400);
    assert_eq!(missing, ["blank email", "blank first_name"]);
}

#[test]
fn lengths_are_counted_in_characters() {
    let sandbox = Served::start(&[]);
    let fields = [
        ("first_name", 255),
        ("last_name", 255),
        ("company_name", 255),
        ("address", 2000),
        ("note", 5000),
    ];
    for (field, most) in fields {
        let mut body = with(field, &json!("字".repeat(most)));
        body["client"]["email"] = json!(format!("{field}@example.net"));
        assert_eq!(
            sandbox.post("/clients", &body).expect(201)["client"][field],
            "字".repeat(most)
        );
        let message = format!("Is too long (maximum is {most} characters)");
        refused_by_both(
            &sandbox,
            field,
            &json!("字".repeat(most + 1)),
            "too_long",
            &message,
        );
    }
}

#[test]
fn the_format_of_emails_is_checked() {
    let sandbox = Served::start(&[]);
    for email in [
        "plain",
        "@example.net",
        "ann@",
        "ann@exa mple.net",
        "ann@example..net",
        "a@b.c,d@e.f",
    ] {
        refused_by_both(
            &sandbox,
            "email",
            &json!(email),
            "invalid_format",
            "Invalid email format",
        );
    }
    for email in ["a@b.co", "A.B+c_d-e@Sub.Example.Museum", "用户@例え.jp"] {
        assert_eq!(
            sandbox
                .post("/clients", &with("email", &json!(email)))
                .expect(201)["client"]["email"],
            email
        );
    }
}

#[test]
fn the_shape_of_bodies_is_checked() {
    let sandbox = Served::start(&[]);
    for path in ["/clients", "/clients/delete", "/clients/client-0001/update"] {
        for (body, code) in [("{", "invalid_format"), ("[]", "invalid_type")] {
            let reasons = sandbox.post_bytes(path, body.as_bytes()).reasons(400);
            assert_eq!(reasons, [format!("{code} body")], "{path} {body}");
        }
    }
    let create = ("/clients", json!({}));
    let update = ("/clients/client-0001/update", json!({ "client": null }));
    let delete = |ids: Value| ("/clients/delete", json!({ "ids": ids }));
    for ((path, body), code, param, message) in [
        (create, "invalid_type", "client", "Must be an object"),
        (update, "invalid_type", "client", "Must be an object"),
        (
            ("/clients/delete", json!({})),
            "blank",
            "ids",
            "Can't be blank",
        ),
        (delete(json!(null)), "blank", "ids", "Can't be blank"),
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
        let wanted = [(code.to_owned(), param.to_owned(), message.to_owned())];
        assert_eq!(
            sandbox.post(path, &body).refused(400),
            wanted,
            "{path} {body}"
        );
    }
    assert_eq!(
        sandbox.all("/clients").len(),
        60,
        "a refused delete deletes nothing"
    );
}

#[test]
fn one_response_reports_every_problem() {
    let sandbox = Served::start(&["--max-clients", "60"]);
    let wrong = json!({ "client": {
        "first_name": "", "last_name": 1, "email": "nonsense", "company_name": "x".repeat(256), "address": ["a"], "note": "x".repeat(5001), "site_ids": "site-0036",
    } });
    let wanted = [
        "blank first_name",
        "invalid_format email",
        "invalid_type address",
        "invalid_type last_name",
        "invalid_type site_ids",
        "too_long company_name",
        "too_long note",
    ];
    for path in ["/clients", "/clients/client-0001/update"] {
        assert_eq!(sandbox.post(path, &wrong).reasons(400), wanted);
    }
    let sites = [
        "site-0001",
        "site-9999",
        "site-1001",
        "site-0036",
        "",
        "site-0003",
    ];
    let refused = client("OWNER@Example.Com", &sites);
    let mut wanted = ["already_assigned site_ids"; 2].to_vec();
    wanted.extend(["invalid_id site_ids"; 3]);
    wanted.push("owner_email email");
    assert_eq!(
        sandbox
            .post("/clients/client-0060/update", &refused)
            .reasons(422),
        wanted
    );
    wanted.insert(5, "max_quota base");
    assert_eq!(sandbox.post("/clients", &refused).reasons(422), wanted);
    assert_eq!(sandbox.all("/clients").len(), 60);
    assert_eq!(
        sandbox
            .get("/sites?filters[client_id:eq]=client-0060")
            .expect(200)["sites"],
        json!([])
    );
}

#[test]
fn emails_are_unique_in_any_letter_case() {
    let sandbox = Served::start(&[]);
    let email = "noah.WILLIAMS@williams-dental.example";
    assert_eq!(
        sandbox.post("/clients", &client(email, &[])).reasons(422),
        ["already_exists email"]
    );
    let update = json!({ "client": { "email": email } });
    assert_eq!(
        sandbox
            .post("/clients/client-0001/update", &update)
            .reasons(422),
        ["already_exists email"]
    );
    // The same client can keep the email, also in another letter case.
    assert_eq!(
        sandbox
            .post("/clients/client-0012/update", &update)
            .expect(200)["client"]["email"],
        email
    );
    sandbox
        .post("/clients", &client("ÄNNE@Bücher.example", &[]))
        .expect(201);
    assert_eq!(
        sandbox
            .post("/clients", &client("änne@BÜCHER.example", &[]))
            .reasons(422),
        ["already_exists email"]
    );
}

#[test]
fn the_quota_counts_existing_clients() {
    let sandbox = Served::start(&["--max-clients", "61"]);
    sandbox
        .post("/clients", &client("one@example.net", &[]))
        .expect(201);
    assert_eq!(
        sandbox
            .post("/clients", &client("two@example.net", &[]))
            .reasons(422),
        ["max_quota base"]
    );
    sandbox
        .post(
            "/clients/client-0001/update",
            &json!({ "client": { "note": "updates are free" } }),
        )
        .expect(200);
    sandbox
        .post("/clients/delete", &json!({ "ids": ["client-0001"] }))
        .expect(200);
    sandbox
        .post("/clients", &client("two@example.net", &[]))
        .expect(201);
}
