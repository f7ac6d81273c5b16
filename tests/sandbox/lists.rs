//! Lists: every field with every operator, sort and page, compared with filters and sorts in this file, and invalid queries.

use crate::common::listed_nouns;
use crate::support::{Served, encode, ids, records};
use serde_json::{Value, json};

const OPERATORS: [&str; 7] = ["contains", "eq", "in", "gte", "lte", "gt", ""];

/// A field, its operators, and values to try.
type Filter = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// A list, with the queries that the specification allows.
struct List {
    path: &'static str,
    /// The filters besides those by time.
    filters: &'static [Filter],
    sorts: &'static [&'static str],
}

/// Every list has these filters.
const TIMES: [&str; 2] = ["created_at", "updated_at"];
const INSTANTS: &[&str] = &[
    "2025-01-07T08:30:00Z",
    "2026-01-01T00:00:00.001Z",
    "2025-06-21 13:30:00+02:00",
];
const TEXTS: &[&str] = &[
    "an",
    "ÅNGSTRÖM",
    "_",
    "%",
    "o'",
    "no such text",
    "ΠΑΠΑΔΌΠΟΥΛΟΣ",
];

static LISTS: [List; 4] = [
    List {
        path: "/clients",
        filters: &[
            ("search", &["contains"], TEXTS),
            ("first_name", &["contains"], TEXTS),
            ("last_name", &["contains"], TEXTS),
            (
                "email",
                &["contains"],
                &["EXAMPLE", "@williams-dental", "_", "%", "+"],
            ),
            ("company_name", &["contains"], TEXTS),
        ],
        sorts: &[
            "created_at",
            "updated_at",
            "first_name",
            "last_name",
            "email",
            "company_name",
        ],
    },
    List {
        path: "/managed-accounts",
        filters: &[
            ("email", &["contains"], &["WEB.TEAM", "@", "_", "ü"]),
            ("company_name", &["contains"], &["%", "_", "D'ÉTÉ", "co"]),
            (
                "role",
                &["eq", "in"],
                &["collaborator", "administrator", "co_owner"],
            ),
            ("status", &["eq", "in"], &["pending", "connected"]),
            ("all_sites_access", &["eq"], &["true", "false"]),
        ],
        sorts: &["created_at", "updated_at", "status"],
    },
    // The specification does not show the filters and sorts of these lists.
    List {
        path: "/sites",
        filters: &[],
        sorts: &["created_at", "url"],
    },
    List {
        path: "/sites/site-0005/snapshots",
        filters: &[],
        sorts: &["created_at"],
    },
];

impl List {
    fn all_filters(&self) -> Vec<Filter> {
        let times = TIMES.map(|time| (time, &["gte", "lte"][..], INSTANTS));
        [self.filters, &times].concat()
    }
}

/// Whether the record matches a filter, by the specification.
fn passes(record: &Value, field: &str, operator: &str, value: &str) -> bool {
    let text = |field: &str| record[field].as_str().unwrap_or_default().to_owned();
    match (field, operator) {
        ("search", _) => {
            let mut fields = ["first_name", "last_name", "email", "company_name"].iter();
            fields.any(|field| passes(record, field, operator, value))
        }
        (_, "contains") => folded(&text(field)).contains(&folded(value)),
        (_, "eq") if record[field].is_boolean() => record[field] == (value == "true"),
        (_, "eq") => record[field] == value,
        (_, "in") => value.split(',').any(|value| text(field) == value),
        (_, "gte") => instant(&text(field)) >= instant(value),
        (_, "lte") => instant(&text(field)) <= instant(value),
        _ => unreachable!(),
    }
}

fn folded(text: &str) -> String {
    text.to_lowercase().replace('ς', "σ")
}

fn names(record: &Value) -> impl Iterator<Item = &str> {
    record.as_object().unwrap().keys().map(String::as_str)
}

fn instant(text: &str) -> jiff::Timestamp {
    text.parse().unwrap()
}

#[test]
fn every_list_with_a_command_is_tested() {
    for noun in listed_nouns() {
        let path = format!("/{noun}");
        assert!(
            LISTS.iter().any(|list| list.path.ends_with(&path)),
            "LISTS lacks {path}"
        );
    }
}

#[test]
fn every_field_supports_only_its_operators() {
    let sandbox = Served::start(&[]);
    for list in &LISTS[..2] {
        let (path, filters) = (list.path, list.all_filters());
        let all = sandbox.all(path);
        for (field, operators, values) in &filters {
            for operator in OPERATORS {
                let key = format!("filters[{field}:{operator}]");
                if !operators.contains(&operator) {
                    let reply = sandbox.get(&format!("{path}?{key}={}", encode(values[0])));
                    assert_eq!(reply.reasons(400), [format!("unsupported_operator {key}")]);
                    continue;
                }
                for value in *values {
                    let query = format!("{path}?perPage=1000&{}={}", encode(&key), encode(value));
                    let list = sandbox.get(&query).expect(200);
                    let wanted: Vec<_> = all
                        .iter()
                        .filter(|record| passes(record, field, operator, value))
                        .collect();
                    assert!(
                        records(&list).iter().eq(wanted),
                        "{path} {field} {operator} {value:?}"
                    );
                }
            }
        }
        let known = |name: &str| filters.iter().any(|(field, ..)| *field == name);
        for field in names(&all[0])
            .chain(["nothing", "", "account"])
            .filter(|name| !known(name))
        {
            let key = format!("filters[{field}:eq]");
            let reply = sandbox.get(&format!("{path}?{key}=2026-01-01T00:00:00Z"));
            assert_eq!(reply.reasons(400), [format!("unsupported_field {key}")]);
        }
    }
}

#[test]
fn all_filters_and_any_value_of_in_must_match() {
    let sandbox = Served::start(&[]);
    for (query, count) in [
        ("/clients?filters[email:contains]=anna", 2),
        (
            "/clients?filters[email:contains]=anna&filters[email:contains]=foto",
            1,
        ),
        (
            "/managed-accounts?filters[role:in]=co_owner,collaborator",
            8,
        ),
        ("/managed-accounts?filters[role:in]=co_owner,co_owner", 4),
    ] {
        assert_eq!(
            records(&sandbox.get(query).expect(200)).len(),
            count,
            "{query}"
        );
    }
}

#[test]
fn invalid_values_and_keys_of_filters_are_refused() {
    let sandbox = Served::start(&[]);
    let times = &[
        "",
        "2026-01-01",
        "yesterday",
        "2026-02-30T00:00:00Z",
        "1767225600",
    ];
    let cases: &[(&str, &str, &[&str])] = &[
        ("/clients", "created_at:gte", times),
        ("/managed-accounts", "updated_at:lte", times),
        ("/clients", "search:contains", &[""]),
        (
            "/managed-accounts",
            "role:in",
            &["", "owner", "CO_OWNER", "co_owner,"],
        ),
        (
            "/managed-accounts",
            "status:eq",
            &["", "active", "pending,connected"],
        ),
        (
            "/managed-accounts",
            "all_sites_access:eq",
            &["", "True", "1"],
        ),
    ];
    for (path, filter, values) in cases {
        for value in *values {
            let reply = sandbox.get(&format!("{path}?filters[{filter}]={}", encode(value)));
            assert_eq!(
                reply.reasons(400),
                [format!("invalid_value filters[{filter}]")],
                "{value:?}"
            );
        }
    }
    for key in [
        "filters",
        "filters[email]",
        "filters[email:contains",
        "filters[email][contains]",
    ] {
        let details = sandbox
            .get(&format!("/clients?{}=a", encode(key)))
            .refused(400);
        assert_eq!((details.len(), details[0].1.as_str()), (1, key));
    }
    for key in ["filter[email:contains]", "search", "per_page", "limit"] {
        let details = sandbox.get(&format!("/clients?{key}=1")).refused(400);
        assert_eq!(details[0].0, "unsupported_parameter", "{key}");
    }
}

#[test]
fn a_time_zone_applies_to_created_at_without_an_offset() {
    let sandbox = Served::start(&[]);
    // client-0001 was created at 2025-01-07T08:30:00Z.
    for (field, bound, zone, included) in [
        ("created_at", "2025-01-07T08:30:00", "", true),
        (
            "created_at",
            "2025-01-07T09:30:00",
            "&timezone=Europe/Berlin",
            true,
        ),
        (
            "created_at",
            "2025-01-07T09:29:59",
            "&timezone=Europe%2FBerlin",
            false,
        ),
        (
            "created_at",
            "2025-01-07T08:30:00Z",
            "&timezone=Asia/Tokyo",
            true,
        ),
        (
            "updated_at",
            "2025-01-07T08:30:00",
            "&timezone=Asia/Tokyo",
            true,
        ),
    ] {
        let list = sandbox
            .get(&format!(
                "/clients?perPage=1000&filters[{field}:lte]={bound}{zone}"
            ))
            .expect(200);
        assert_eq!(
            ids(&list).contains(&"client-0001".to_owned()),
            included,
            "{field} {bound} {zone}"
        );
    }
    for zone in ["", "Mars/Olympus", "%2B02:00"] {
        let reply = sandbox.get(&format!("/clients?timezone={zone}"));
        assert_eq!(reply.reasons(400), ["invalid_value timezone"], "{zone:?}");
    }
}

fn sorted(mut all: Vec<Value>, field: &str, direction: &str) -> Vec<String> {
    let key =
        |record: &Value| [field, "id"].map(|field| record[field].as_str().unwrap().to_owned());
    all.sort_by_key(key);
    if direction == "desc" {
        all.reverse();
    }
    all.iter()
        .map(|record| record["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn pages_of_a_sorted_list_do_not_overlap() {
    let sandbox = Served::start(&[]);
    for List { path, sorts, .. } in &LISTS {
        for (field, direction) in sorts
            .iter()
            .flat_map(|field| ["asc", "desc"].map(|direction| (field, direction)))
        {
            let wanted = sorted(sandbox.all(path), field, direction);
            for rows in [7, 1000] {
                let page = |page| {
                    sandbox.get(&format!(
                        "{path}?sort={field},{direction}&page={page}&perPage={rows}"
                    ))
                };
                let pages = 1..=wanted.len().div_ceil(rows);
                let found: Vec<_> = pages
                    .flat_map(|number| ids(&page(number).expect(200)))
                    .collect();
                assert_eq!(found, wanted, "{path} {field} {direction} {rows}");
            }
        }
    }
}

#[test]
fn pages_report_their_position_and_totals() {
    let sandbox = Served::start(&[]);
    let list = sandbox.get("/clients").expect(200);
    assert_eq!(
        ids(&list),
        sorted(sandbox.all("/clients"), "created_at", "desc")[..25],
        "the newest are first"
    );
    assert_eq!(
        list.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["clients", "meta"]
    );
    for (query, page, per_page, pages, count) in [
        ("", 1, 25, 3, 25),
        ("page=2&perPage=59", 2, 59, 2, 1),
        ("perPage=1000", 1, 1000, 1, 60),
        ("page=4", 4, 25, 3, 0),
        (
            "page=9223372036854775807&perPage=1000",
            i64::MAX,
            1000,
            1,
            0,
        ),
    ] {
        let list = sandbox.get(&format!("/clients?{query}")).expect(200);
        let wanted =
            json!({ "page": page, "perPage": per_page, "totalPages": pages, "totalItems": 60 });
        assert_eq!(
            (&list["meta"]["pagination"], records(&list).len()),
            (&wanted, count),
            "{query}"
        );
    }
    let nothing = sandbox
        .get("/clients?filters[search:contains]=nobody-has-this")
        .expect(200);
    let pagination = json!({ "page": 1, "perPage": 25, "totalPages": 0, "totalItems": 0 });
    assert_eq!(
        nothing,
        json!({ "clients": [], "meta": { "pagination": pagination } })
    );
}

#[test]
fn invalid_pages_and_sorts_are_refused() {
    let sandbox = Served::start(&[]);
    for List { path, sorts, .. } in &LISTS[..2] {
        let pages = ["0", "-1", "", "x", "1.0", "%2B1"].map(|value| ("page", value));
        let sizes = ["0", "1001", "99999999999999999999"].map(|value| ("perPage", value));
        for (name, value) in pages.into_iter().chain(sizes) {
            let reply = sandbox.get(&format!("{path}?{name}={value}"));
            assert_eq!(
                reply.reasons(400),
                [format!("invalid_value {name}")],
                "{value:?}"
            );
        }
        let all = sandbox.all(path);
        for field in names(&all[0])
            .chain(["nothing", ""])
            .filter(|name| !sorts.contains(name))
        {
            let reply = sandbox.get(&format!("{path}?sort={field},asc"));
            assert_eq!(
                reply.reasons(400),
                ["unsupported_field sort"],
                "{path} {field}"
            );
        }
        for direction in ["", ",", ",up", ",asc,desc"] {
            let reasons = sandbox
                .get(&format!("{path}?sort={}{direction}", sorts[0]))
                .reasons(400);
            assert!(
                reasons.contains(&"invalid_value sort".to_owned()),
                "{direction:?}"
            );
        }
    }
}

#[test]
fn one_response_reports_every_problem() {
    let sandbox = Served::start(&[]);
    let query = "page=0&perPage=0&sort=note,asc&timezone=Nowhere&filters[email:eq]=a&filters[note:contains]=b&filters[created_at:gte]=c&filters=d&x=e";
    assert_eq!(
        sandbox.get(&format!("/clients?{query}")).reasons(400),
        [
            "invalid_format filters",
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
