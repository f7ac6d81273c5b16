//! What is refused about a client's details: every code, at its boundary, on create and on update.

use crate::support::Served;
use serde_json::{Value, json};

/// A valid new client with this field set.
fn with(field: &str, value: Value) -> Value {
    let mut client = json!({ "first_name": "Ann", "email": "ann@example.net" });
    client[field] = value;
    json!({ "client": client })
}

/// (code, param, message) of a 400, from both verbs that take a client. An update takes the field alone.
#[track_caller]
fn refused_by_both(sandbox: &Served, field: &str, value: &Value) -> (String, String, String) {
    let created = sandbox.post("/clients", &with(field, value.clone())).refused(400);
    let updated = sandbox.post("/clients/client-0001/update", &json!({ "client": { field: value } })).refused(400);
    assert_eq!(created, updated, "{field}");
    assert_eq!(created.len(), 1, "{created:?}");
    created.into_iter().next().unwrap()
}

fn detail(code: &str, param: &str, message: &str) -> (String, String, String) {
    (code.to_owned(), param.to_owned(), message.to_owned())
}

#[test]
fn required_fields_are_not_blank() {
    let sandbox = Served::start(&[]);
    for field in ["first_name", "email"] {
        for blank in [json!(""), json!(" "), json!("\t\n\u{a0}\u{3000}"), json!(null)] {
            assert_eq!(refused_by_both(&sandbox, field, &blank), detail("blank", field, "Can't be blank"));
        }
    }
    let missing = sandbox.post("/clients", &json!({ "client": {} })).reasons(400);
    assert_eq!(missing, ["blank email", "blank first_name"]);
}

#[test]
fn texts_are_strings() {
    let sandbox = Served::start(&[]);
    for field in ["first_name", "last_name", "email", "company_name", "address", "note"] {
        for other in [json!(1), json!(1.5), json!(true), json!([]), json!(["a"]), json!({})] {
            assert_eq!(refused_by_both(&sandbox, field, &other), detail("invalid_type", field, "Must be a string"));
        }
    }
    for field in ["last_name", "company_name", "address", "note"] {
        assert_eq!(refused_by_both(&sandbox, field, &json!(null)), detail("invalid_type", field, "Must be a string"));
    }
}

#[test]
fn lengths_are_counted_in_characters() {
    let sandbox = Served::start(&[]);
    for (field, most) in
        [("first_name", 255), ("last_name", 255), ("company_name", 255), ("address", 2000), ("note", 5000)]
    {
        // One, two, three and four bytes a character.
        for (nth, letter) in ["a", "é", "字", "🦀"].into_iter().enumerate() {
            let mut body = with(field, json!(letter.repeat(most)));
            body["client"]["email"] = json!(format!("{field}{nth}@example.net"));
            let made = sandbox.post("/clients", &body).expect(201);
            assert_eq!(made["client"][field], letter.repeat(most));
            let message = format!("Is too long (maximum is {most} characters)");
            assert_eq!(
                refused_by_both(&sandbox, field, &json!(letter.repeat(most + 1))),
                detail("too_long", field, &message)
            );
        }
    }
}

#[test]
fn emails_have_a_format() {
    let sandbox = Served::start(&[]);
    let bad = [
        "plain",
        "@example.net",
        "ann@",
        "ann@exa mple.net",
        "ann@example.net ",
        "ann@.net",
        "ann@example..net",
        ".ann@example.net",
        "ann@-example.net",
        "ann@localhost",
        "ann@exam_ple.net",
        "<ann@example.net>",
        "ann@example.net,bob@example.net",
        "ann\u{0}@example.net",
        "a\u{200b}@example.net",
        "a\u{202e}@example.net",
    ];
    for email in bad {
        assert_eq!(
            refused_by_both(&sandbox, "email", &json!(email)),
            detail("invalid_format", "email", "Invalid email format")
        );
    }
    for email in [
        "a@b.co",
        "A.B+c_d-e@Sub.Example.Museum",
        "o'neil@example.net",
        "用户@例え.jp",
        "a@हिन्दी.भारत",
        "jose\u{301}@cafe\u{301}.example",
        "a@ไทย.ไทย",
        "a@\u{1100}\u{1161}.example",
        "1@2.3",
        "x!#$%&*/=?^`{|}~@example.net",
        "a@xn--bcher-kva.example",
    ] {
        assert_eq!(sandbox.post("/clients", &with("email", json!(email))).expect(201)["client"]["email"], email);
    }
}

#[test]
fn containers_have_their_type() {
    let sandbox = Served::start(&[]);
    for other in [json!("a"), json!(1), json!({}), json!(null), json!(true)] {
        assert_eq!(
            refused_by_both(&sandbox, "site_ids", &other),
            detail("invalid_type", "site_ids", "Must be an array")
        );
    }
    for other in [json!([1]), json!(["site-0036", null]), json!([["site-0036"]])] {
        assert_eq!(
            refused_by_both(&sandbox, "site_ids", &other),
            detail("invalid_type", "site_ids", "Must be a string")
        );
    }
    for other in [json!("a"), json!(1), json!([]), json!(null), json!([{ "first_name": "A" }])] {
        for path in ["/clients", "/clients/client-0001/update"] {
            let details = sandbox.post(path, &json!({ "client": other })).refused(400);
            assert_eq!(details, [detail("invalid_type", "client", "Must be an object")]);
        }
    }
    assert_eq!(
        sandbox.post("/clients", &json!({})).refused(400),
        [detail("invalid_type", "client", "Must be an object")]
    );
    assert_eq!(
        sandbox.post_bytes("/clients", b"").refused(400),
        [detail("invalid_type", "client", "Must be an object")]
    );
}

#[test]
fn ids_to_delete_are_a_full_array() {
    let sandbox = Served::start(&[]);
    for blank in [json!({}), json!({ "ids": null }), json!({ "ids": [] })] {
        assert_eq!(sandbox.post("/clients/delete", &blank).refused(400), [detail("blank", "ids", "Can't be blank")]);
    }
    assert_eq!(sandbox.post_bytes("/clients/delete", b"").refused(400), [detail("blank", "ids", "Can't be blank")]);
    for other in [json!("client-0001"), json!(1), json!({}), json!(""), json!(false)] {
        let details = sandbox.post("/clients/delete", &json!({ "ids": other })).refused(400);
        assert_eq!(details, [detail("invalid_type", "ids", "Must be an array")]);
    }
    for other in [json!([1]), json!(["client-0001", null])] {
        let details = sandbox.post("/clients/delete", &json!({ "ids": other })).refused(400);
        assert_eq!(details, [detail("invalid_type", "ids", "Must be a string")]);
    }
    assert_eq!(sandbox.all("/clients").len(), 60, "a refused delete deletes nothing");
}

#[test]
fn bodies_are_json_objects() {
    let sandbox = Served::start(&[]);
    for path in
        ["/clients", "/clients/delete", "/clients/client-0001/update", "/sites/site-0001/backups/snap-0001-1/restore"]
    {
        for (body, code) in [
            ("{", "invalid_format"),
            ("nonsense", "invalid_format"),
            ("{} {}", "invalid_format"),
            ("[]", "invalid_type"),
            ("\"a\"", "invalid_type"),
            ("null", "invalid_type"),
        ] {
            let reasons = sandbox.post_bytes(path, body.as_bytes()).reasons(400);
            assert_eq!(reasons, [format!("{code} body")], "{path} {body}");
        }
    }
}

#[test]
fn one_answer_reports_every_problem() {
    let sandbox = Served::start(&[]);
    let client = json!({
        "first_name": "", "last_name": 1, "email": "nonsense", "company_name": "x".repeat(256), "address": ["a"], "note": "x".repeat(5001), "site_ids": "site-0036",
    });
    let wanted = [
        "blank first_name",
        "invalid_format email",
        "invalid_type address",
        "invalid_type last_name",
        "invalid_type site_ids",
        "too_long company_name",
        "too_long note",
    ];
    assert_eq!(sandbox.post("/clients", &json!({ "client": client })).reasons(400), wanted);
    assert_eq!(sandbox.post("/clients/client-0001/update", &json!({ "client": client })).reasons(400), wanted);
}

#[test]
fn business_rules_are_reported_together() {
    let sandbox = Served::start(&["--max-clients", "60"]);
    let client = json!({ "first_name": "A", "email": "OWNER@Example.Com", "site_ids": ["site-0001", "site-9999", "site-1001", "site-0036", "", "site-0003"] });
    let shared = [
        "already_assigned site_ids",
        "already_assigned site_ids",
        "invalid_id site_ids",
        "invalid_id site_ids",
        "invalid_id site_ids",
    ];
    let wanted = [&shared[..], &["max_quota base", "owner_email email"]].concat();
    assert_eq!(sandbox.post("/clients", &json!({ "client": client })).reasons(422), wanted);
    let wanted = [&shared[..], &["owner_email email"]].concat();
    assert_eq!(sandbox.post("/clients/client-0060/update", &json!({ "client": client })).reasons(422), wanted);
    assert_eq!(sandbox.all("/clients").len(), 60);
    assert_eq!(sandbox.get("/sites?filters[client_id:eq]=client-0060").expect(200)["sites"], json!([]));
}

#[test]
fn an_email_is_one_clients_in_any_letter_case() {
    let sandbox = Served::start(&[]);
    for email in [
        "noah.williams@williams-dental.example",
        "NOAH.WILLIAMS@WILLIAMS-DENTAL.EXAMPLE",
        "Noah.Williams@Williams-Dental.example",
    ] {
        assert_eq!(sandbox.post("/clients", &with("email", json!(email))).reasons(422), ["already_exists email"]);
        let update = json!({ "client": { "email": email } });
        assert_eq!(sandbox.post("/clients/client-0001/update", &update).reasons(422), ["already_exists email"]);
        // Its own it may keep, and write differently.
        assert_eq!(sandbox.post("/clients/client-0012/update", &update).expect(200)["client"]["email"], email);
    }
    sandbox.post("/clients", &with("email", json!("ÄNNE@Bücher.example"))).expect(201);
    assert_eq!(
        sandbox.post("/clients", &with("email", json!("änne@BÜCHER.example"))).reasons(422),
        ["already_exists email"]
    );
}

#[test]
fn the_quota_counts_the_clients_there_are() {
    let sandbox = Served::start(&["--max-clients", "61"]);
    let create = |email: &str| sandbox.post("/clients", &with("email", json!(email)));
    create("one@example.net").expect(201);
    assert_eq!(create("two@example.net").reasons(422), ["max_quota base"]);
    sandbox.post("/clients/client-0001/update", &json!({ "client": { "note": "updates are free" } })).expect(200);
    sandbox.post("/clients/delete", &json!({ "ids": ["client-0001"] })).expect(200);
    create("two@example.net").expect(201);
}
