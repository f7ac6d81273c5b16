//! Pages, sorts and everything else that a list's query may say.

use crate::support::{Served, ids, records};
use serde_json::{Value, json};

const SORTS: [(&str, &[&str], &[&str]); 5] = [
    ("/tasks", &["created_at", "updated_at"], &["id", "status", "progress", "site_id", "steps"]),
    (
        "/clients",
        &["created_at", "updated_at", "first_name", "last_name", "email", "company_name"],
        &["id", "note", "address", "site_ids", "search"],
    ),
    (
        "/managed-accounts",
        &["created_at", "updated_at", "status"],
        &["id", "email", "role", "company_name", "all_sites_access"],
    ),
    ("/sites", &["created_at", "updated_at", "url", "name"], &["id", "multisite", "client_id"]),
    ("/sites/site-0001/snapshots", &["created_at", "updated_at", "status"], &["id", "size_bytes"]),
];

fn key<'a>(record: &'a Value, field: &str) -> (&'a str, &'a str) {
    (record[field].as_str().unwrap(), record["id"].as_str().unwrap())
}

fn sorted(mut all: Vec<Value>, field: &str, direction: &str) -> Vec<String> {
    let order = |first: &Value, second: &Value| key(first, field).cmp(&key(second, field));
    all.sort_by(|first, second| if direction == "asc" { order(first, second) } else { order(second, first) });
    all.iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_sort_is_total_and_its_pages_never_overlap() {
    let sandbox = Served::with_tasks();
    for (path, sorts, _) in SORTS {
        for (field, direction) in sorts.iter().flat_map(|field| ["asc", "desc"].map(|direction| (field, direction))) {
            let wanted = sorted(sandbox.all(path), field, direction);
            for per_page in [3, 7, 25, 1000] {
                let mut seen = Vec::new();
                for page in 1..=wanted.len().div_ceil(per_page) {
                    let answer = sandbox
                        .get(&format!("{path}?sort={field},{direction}&page={page}&perPage={per_page}"))
                        .expect(200);
                    seen.extend(ids(&answer));
                }
                assert_eq!(seen, wanted, "{path} {field} {direction} {per_page}");
            }
        }
    }
}

#[test]
fn the_default_is_the_newest_first_in_pages_of_25() {
    let sandbox = Served::start(&[]);
    let answer = sandbox.get("/clients").expect(200);
    assert_eq!(
        answer["meta"],
        json!({ "pagination": { "page": 1, "perPage": 25, "totalPages": 3, "totalItems": 60 } })
    );
    assert_eq!(ids(&answer), sorted(sandbox.all("/clients"), "created_at", "desc")[..25]);
    assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["clients", "meta"]);
    assert_eq!(sandbox.get("/clients?").expect(200), answer);
    assert_eq!(sandbox.get("/clients?&&").expect(200), answer);
    assert_eq!(sandbox.get("/clients?sort=created_at%2Cdesc&page=1&perPage=25").expect(200), answer);
}

#[test]
fn pages_say_where_they_are() {
    let sandbox = Served::start(&[]);
    for (query, page, per_page, pages, count) in [
        ("page=3", 3, 25, 3, 10),
        ("page=2&perPage=59", 2, 59, 2, 1),
        ("perPage=60", 1, 60, 1, 60),
        ("perPage=1&page=60", 60, 1, 60, 1),
        ("perPage=1000", 1, 1000, 1, 60),
        ("page=4", 4, 25, 3, 0),
        ("page=007&perPage=0010", 7, 10, 6, 0),
        ("page=2147483648&perPage=1000", 2_147_483_648_u64, 1000, 1, 0),
        ("page=9223372036854775807&perPage=1000", i64::MAX.unsigned_abs(), 1000, 1, 0),
    ] {
        let answer = sandbox.get(&format!("/clients?{query}")).expect(200);
        assert_eq!(
            answer["meta"]["pagination"],
            json!({ "page": page, "perPage": per_page, "totalPages": pages, "totalItems": 60 }),
            "{query}"
        );
        assert_eq!(records(&answer).len(), count, "{query}");
    }
    let nothing = sandbox.get("/clients?filters[search:contains]=nobody-has-this").expect(200);
    assert_eq!(
        nothing,
        json!({ "clients": [], "meta": { "pagination": { "page": 1, "perPage": 25, "totalPages": 0, "totalItems": 0 } } })
    );
}

#[test]
fn page_numbers_that_are_none_are_refused() {
    let sandbox = Served::start(&[]);
    let never = ["0", "-1", "", "x", "1.0", "1e3", "%2B1", "+1", " 1", "1,2", "0x1", "%D9%A1", "null", "00"];
    for (path, ..) in SORTS {
        for value in never {
            assert_eq!(
                sandbox.get(&format!("{path}?page={}", value.replace(' ', "%20"))).reasons(400),
                ["invalid_value page"],
                "{value:?}"
            );
        }
        for value in never.iter().chain(&["1001", "4294967297", "99999999999999999999"]) {
            assert_eq!(
                sandbox.get(&format!("{path}?perPage={}", value.replace(' ', "%20"))).reasons(400),
                ["invalid_value perPage"],
                "{value:?}"
            );
        }
    }
}

#[test]
fn sorts_that_are_not_named_are_refused() {
    let sandbox = Served::start(&[]);
    for (path, sorts, others) in SORTS {
        for field in others.iter().chain(&["nothing", "", "Created_at", "account", "1"]) {
            assert_eq!(
                sandbox.get(&format!("{path}?sort={field},asc")).reasons(400),
                ["unsupported_field sort"],
                "{path} {field}"
            );
        }
        for direction in ["", ",", ",ASC", ",up", ",asc,desc", ",asc%20", ":asc", "%20asc", ",%20asc"] {
            assert!(
                sandbox
                    .get(&format!("{path}?sort={}{direction}", sorts[0]))
                    .reasons(400)
                    .contains(&"invalid_value sort".to_owned()),
                "{direction:?}"
            );
        }
    }
}

#[test]
fn one_answer_reports_every_problem() {
    let sandbox = Served::start(&[]);
    let query = "page=0&perPage=0&sort=note,asc&timezone=Nowhere&filters[email:eq]=a&filters[note:contains]=b&filters[created_at:gte]=c&filters=d&x=e&%ff=f";
    assert_eq!(
        sandbox.get(&format!("/clients?{query}")).reasons(400),
        [
            "invalid_format filters",
            "invalid_value %ff",
            "invalid_value filters[created_at:gte]",
            "invalid_value page",
            "invalid_value perPage",
            "invalid_value timezone",
            "unsupported_field filters[note:contains]",
            "unsupported_field sort",
            "unsupported_operator filters[email:eq]",
            "unsupported_parameter x",
        ]
    );
}

#[test]
fn what_may_be_said_once_may_not_be_said_twice() {
    let sandbox = Served::start(&[]);
    for (name, value) in [("page", "1"), ("perPage", "10"), ("sort", "email,asc"), ("timezone", "UTC")] {
        assert_eq!(
            sandbox.get(&format!("/clients?{name}={value}&{name}={value}")).reasons(400),
            [format!("repeated {name}")]
        );
    }
}
