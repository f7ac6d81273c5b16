//! Filters: every field with every operator, of every list, compared with a filter written here.

use crate::support::{Served, encode, ids};
use serde_json::Value;
use std::collections::BTreeSet;

const OPERATORS: [&str; 9] = ["contains", "eq", "in", "gte", "lte", "gt", "ne", "Contains", ""];

/// A list with what the specification's tables (or, for sites and snapshots, the sandbox's own) allow.
struct List {
    path: &'static str,
    /// Field, its operators, values to try.
    fields: &'static [(&'static str, &'static [&'static str], &'static [&'static str])],
    /// Fields that there are, but not for filters.
    others: &'static [&'static str],
}

const TIMES: &[&str] = &[
    "2025-01-07T08:30:00Z",
    "2026-01-01T00:00:00.000Z",
    "2026-10-18T11:30:00+00:00",
    "1999-12-31T23:59:60Z",
    "2025-06-21 13:30:00+02:00",
];
const BOUNDS: &[&str] = &["gte", "lte"];
const TEXTS: &[&str] =
    &["an", "ÅNGSTRÖM", "100%", "_", "%", "o'", "田", "SOKOL", "no such text", " ", "\\", "ΠΑΠΑΔΌΠΟΥΛΟΣ"];

const LISTS: [List; 5] = [
    List {
        path: "/clients",
        fields: &[
            ("search", &["contains"], TEXTS),
            ("first_name", &["contains"], TEXTS),
            ("last_name", &["contains"], TEXTS),
            ("email", &["contains"], &["EXAMPLE", "@williams-dental", "_", "%", "+"]),
            ("company_name", &["contains"], TEXTS),
            ("created_at", BOUNDS, TIMES),
            ("updated_at", BOUNDS, TIMES),
        ],
        others: &["id", "address", "note", "site_ids"],
    },
    List {
        path: "/managed-accounts",
        fields: &[
            ("email", &["contains"], &["WEB.TEAM", "@", "_", "ü"]),
            ("company_name", &["contains"], &["%", "_", "D'ÉTÉ", "co"]),
            ("role", &["eq", "in"], &["collaborator", "administrator", "co_owner"]),
            ("status", &["eq", "in"], &["pending", "connected"]),
            ("all_sites_access", &["eq"], &["true", "false"]),
            ("created_at", BOUNDS, TIMES),
            ("updated_at", BOUNDS, TIMES),
        ],
        others: &["id", "search"],
    },
    List {
        path: "/sites",
        fields: &[
            ("search", &["contains"], &["bakery", "SITE-0001"]),
            ("url", &["contains"], &["0001", "https://"]),
            ("name", &["contains"], &["CAFÉ", "1"]),
            ("multisite", &["eq"], &["true", "false"]),
            ("client_id", &["eq"], &["client-0001", "nobody"]),
            ("created_at", BOUNDS, TIMES),
            ("updated_at", BOUNDS, TIMES),
        ],
        others: &["id"],
    },
    List {
        path: "/tasks",
        fields: &[
            ("type", &["eq"], &["restore"]),
            ("status", &["eq", "in"], &["succeeded", "failed", "queued", "running"]),
            ("site_id", &["eq"], &["site-0001", "site-0013", "nowhere"]),
            ("snapshot_id", &["eq"], &["snap-0013-1"]),
            ("created_at", BOUNDS, TIMES),
            ("updated_at", BOUNDS, TIMES),
        ],
        others: &["id", "progress", "steps"],
    },
    List {
        path: "/sites/site-0005/snapshots",
        fields: &[
            ("status", &["eq", "in"], &["running", "succeeded", "failed"]),
            ("created_at", BOUNDS, &["2026-11-19T02:05:00Z", "2026-11-19T02:05:00.001Z"]),
            ("updated_at", BOUNDS, &["2026-11-19T02:25:00Z"]),
        ],
        others: &["id", "site_id", "size_bytes"],
    },
];

/// Whether the record passes, as the specification has it.
fn passes(record: &Value, field: &str, operator: &str, value: &str) -> bool {
    let text = |field: &str| record[field].as_str().unwrap_or_default().to_owned();
    match (field, operator) {
        ("search", _) => ["first_name", "last_name", "email", "company_name", "url", "name"]
            .iter()
            .any(|field| passes(record, field, operator, value)),
        (_, "contains") => {
            text(field).to_lowercase().replace('ς', "σ").contains(&value.to_lowercase().replace('ς', "σ"))
        }
        (_, "eq") if record[field].is_boolean() => record[field] == (value == "true"),
        (_, "eq") => record[field] == value,
        (_, "in") => value.split(',').any(|value| text(field) == value),
        (_, "gte") => instant(&text(field)) >= instant(value),
        (_, "lte") => instant(&text(field)) <= instant(value),
        _ => unreachable!(),
    }
}

fn instant(text: &str) -> jiff::Timestamp {
    text.parse().unwrap()
}

fn expected(records: &[Value], filters: &[(&str, &str, &str)]) -> Vec<String> {
    let kept = records
        .iter()
        .filter(|record| filters.iter().all(|(field, operator, value)| passes(record, field, operator, value)));
    kept.map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_field_takes_its_operators_and_refuses_all_others() {
    let sandbox = Served::with_tasks();
    let unknown: &[&str] = &["nothing", "", "Email", "account", "rowid"];
    for list in &LISTS {
        let all = sandbox.all(list.path);
        let known: BTreeSet<_> = list.fields.iter().map(|(field, ..)| *field).collect();
        for (field, operators, values) in list.fields {
            for operator in OPERATORS {
                let key = format!("filters[{field}:{operator}]");
                if !operators.contains(&operator) {
                    let reply = sandbox.get(&format!("{}?{}={}", list.path, key, encode(values[0])));
                    assert_eq!(reply.reasons(400), [format!("unsupported_operator {key}")]);
                    continue;
                }
                for value in *values {
                    for key in [key.clone(), encode(&key)] {
                        let answer =
                            sandbox.get(&format!("{}?perPage=1000&{key}={}", list.path, encode(value))).expect(200);
                        let wanted = expected(&all, &[(field, operator, value)]);
                        assert_eq!(ids(&answer), wanted, "{} {field} {operator} {value:?}", list.path);
                        assert_eq!(answer["meta"]["pagination"]["totalItems"], wanted.len());
                    }
                }
            }
        }
        for field in list.others.iter().chain(unknown).filter(|field| !known.contains(**field)) {
            for operator in OPERATORS {
                let key = format!("filters[{field}:{operator}]");
                let reply = sandbox.get(&format!("{}?{key}=2026-01-01T00:00:00Z", list.path));
                assert_eq!(reply.reasons(400), [format!("unsupported_field {key}")]);
            }
        }
    }
}

#[test]
fn filters_are_joined_by_and() {
    let sandbox = Served::start(&[]);
    let all = sandbox.all("/clients");
    for (first, second) in [
        (("search", "contains", "an"), ("email", "contains", "o")),
        (("email", "contains", "anna"), ("email", "contains", "foto")),
        (("created_at", "gte", TIMES[0]), ("created_at", "lte", TIMES[1])),
    ] {
        let query =
            [first, second].map(|(field, operator, value)| format!("filters[{field}:{operator}]={}", encode(value)));
        let answer = sandbox.get(&format!("/clients?perPage=1000&{}", query.join("&"))).expect(200);
        assert_eq!(ids(&answer), expected(&all, &[first, second]), "{first:?} {second:?}");
    }
}

#[test]
fn in_takes_a_list_separated_by_commas() {
    let sandbox = Served::start(&[]);
    let all = sandbox.all("/managed-accounts");
    for value in ["co_owner", "co_owner,collaborator", "collaborator,co_owner,administrator", "co_owner,co_owner"] {
        let wanted = expected(&all, &[("role", "in", value)]);
        for sent in [value.to_owned(), encode(value)] {
            let answer = sandbox.get(&format!("/managed-accounts?filters[role:in]={sent}")).expect(200);
            assert_eq!(ids(&answer), wanted, "{sent}");
        }
    }
}

#[test]
fn values_that_mean_nothing_are_refused() {
    let sandbox = Served::start(&[]);
    let times: &[&str] = &[
        "",
        "2026-01-01",
        "20260101",
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "1767225600",
        "2026-01-01T00:00:00+99:00",
        "2026-01-01T00:00:00[Europe/Berlin]",
        "2026-01-01T00:00:00Z[UTC]",
        "T00:00:00Z",
        "2026-01-01T",
        " 2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z ",
        "2026-01-01T00:00:00 02:00",
        "2026-W01-1T00:00:00Z",
        "\u{0}",
        "２０２６-01-01T00:00:00Z",
    ];
    let roles: &[&str] =
        &["", "owner", "CO_OWNER", "co-owner", " co_owner", "co_owner,", ",", "collaborator,owner", "connected"];
    let cases: &[(&str, &str, &[&str])] = &[
        ("/clients", "created_at:gte", times),
        ("/clients", "created_at:lte", times),
        ("/clients", "updated_at:gte", times),
        ("/managed-accounts", "updated_at:lte", times),
        ("/clients", "search:contains", &[""]),
        ("/clients", "email:contains", &[""]),
        ("/managed-accounts", "role:in", roles),
        ("/managed-accounts", "role:eq", &["", "owner", "co_owner,collaborator", "Co_owner"]),
        ("/managed-accounts", "status:eq", &["", "active", "CONNECTED", "pending,connected"]),
        ("/managed-accounts", "status:in", &["", "pending,active", "pending,,connected"]),
        ("/managed-accounts", "all_sites_access:eq", &["", "True", "1", "0", "yes", "true,false", "null", " true"]),
        ("/sites", "multisite:eq", &["maybe", ""]),
        ("/sites", "client_id:eq", &[""]),
        ("/sites/site-0001/snapshots", "status:in", &["done", ""]),
    ];
    for (path, filter, values) in cases {
        for value in *values {
            let reply = sandbox.get(&format!("{path}?filters[{filter}]={}", encode(value)));
            assert_eq!(reply.reasons(400), [format!("invalid_value filters[{filter}]")], "{value:?}");
        }
    }
}

#[test]
fn malformed_keys_are_refused() {
    let sandbox = Served::start(&[]);
    let keys = [
        "filters",
        "filters[]",
        "filters[email]",
        "filters[email:contains",
        "filters[email:contains]x",
        "filters.email.contains",
        "filters[email][contains]",
        "filters[:]",
        "filters[email:contains:x]",
        "filtersemail:contains]",
        "filters[ email:contains]",
        "filters[email :contains]",
    ];
    for key in keys {
        let details = sandbox.get(&format!("/clients?{}=a", encode(key))).refused(400);
        assert_eq!(details.len(), 1);
        assert_eq!(details[0].1, key);
    }
    for key in [
        "filter[email:contains]",
        "Filters[email:contains]",
        "search",
        "per_page",
        "limit",
        "Page",
        "email",
        "%00",
        "page[number]",
    ] {
        let details = sandbox.get(&format!("/clients?{key}=1")).refused(400);
        assert_eq!(details[0].0, "unsupported_parameter", "{key}");
    }
}

#[test]
fn bounds_are_inclusive_to_the_millisecond() {
    let sandbox = Served::start(&[]);
    let made = sandbox
        .post("/clients", &serde_json::json!({ "client": { "first_name": "Now", "email": "now@example.net" } }))
        .expect(201);
    let at = made["client"]["created_at"].as_str().unwrap().to_owned();
    let shifted = |nanos: i64| (instant(&at) + jiff::SignedDuration::from_nanos(nanos)).to_string();
    let found = |operator: &str, bound: &str| {
        let path = format!(
            "/clients?filters[created_at:{operator}]={}&filters[email:contains]=now@example.net",
            encode(bound)
        );
        sandbox.get(&path).expect(200)["meta"]["pagination"]["totalItems"] == 1
    };
    for (operator, nanos, included) in [
        ("gte", 0, true),
        ("lte", 0, true),
        ("gte", 1, false),
        ("lte", 1, true),
        ("gte", -1, true),
        ("lte", -1, false),
        ("gte", 1_000_000, false),
        ("lte", -1_000_000, false),
        ("gte", 999_999, false),
        ("lte", 999_999, true),
    ] {
        assert_eq!(found(operator, &shifted(nanos)), included, "{operator} {nanos}");
    }
    for (operator, bound) in
        [("gte", "-000001-01-01T00:00:00Z"), ("lte", "9999-12-30T00:00:00Z"), ("gte", "0001-01-01T00:00:00Z")]
    {
        assert!(found(operator, bound), "{operator} {bound}");
    }
}

#[test]
fn a_time_zone_speaks_for_created_at_without_an_offset() {
    let sandbox = Served::start(&[]);
    // client-0001 was created at 2025-01-07T08:30:00Z.
    let first = |field: &str, bound: &str, zone: &str| {
        let zone = if zone.is_empty() { String::new() } else { format!("&timezone={zone}") };
        let answer = sandbox.get(&format!("/clients?perPage=1000&filters[{field}:lte]={bound}{zone}")).expect(200);
        ids(&answer).contains(&"client-0001".to_owned())
    };
    assert!(first("created_at", "2025-01-07T08:30:00", ""));
    assert!(!first("created_at", "2025-01-07T08:29:59.999", ""));
    assert!(first("created_at", "2025-01-07T08:30:00", "UTC"));
    assert!(first("created_at", "2025-01-07T09:30:00", "Europe/Berlin"));
    assert!(!first("created_at", "2025-01-07T09:29:59", "Europe%2FBerlin"));
    assert!(first("created_at", "2025-01-07T03:30:00", "America/New_York"));
    assert!(!first("created_at", "2025-01-07T08:30:00", "Asia/Tokyo"));
    // An offset says it itself, and updated_at is not what the parameter is for.
    assert!(first("created_at", "2025-01-07T08:30:00Z", "Asia/Tokyo"));
    assert!(first("updated_at", "2025-01-07T08:30:00", "Asia/Tokyo"));
    for zone in ["", "Mars/Olympus", "%2B02:00", "local", "../../etc/passwd", "%00"] {
        let reply = sandbox.get(&format!("/clients?timezone={zone}"));
        assert_eq!(reply.reasons(400), ["invalid_value timezone"], "{zone:?}");
    }
    assert_eq!(sandbox.get("/sites?timezone=Pacific/Auckland").status, 200);
}

#[test]
fn more_filters_than_the_database_can_join_are_refused() {
    let sandbox = Served::start(&[]);
    let many = |count: usize| sandbox.get(&format!("/clients?{}", vec!["filters[email:contains]=a"; count].join("&")));
    assert_eq!(many(100).status, 200);
    assert_eq!(many(101).reasons(400), ["too_many filters"]);
    assert_eq!(many(2000).reasons(400), ["too_many filters"]);
}
