//! Lists: every field with every operator, sort and page, compared with filters and sorts in this
//! file, and invalid queries.

use crate::common::list_commands;
use crate::support::{Sandbox, percent_encode, record_ids, records};
use serde_json::{Value, json};

/// All operators, and two unknown ones.
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

/// Every list can be filtered by these fields.
const TIME_FIELDS: [&str; 2] = ["created_at", "updated_at"];
const TIMES: &[&str] = &[
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

static LISTS: &[List] = &[
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
        filters: &[
            ("url", &["contains"], &["SITE-0012.", "2.example", "no"]),
            ("scanner_status", &["eq"], &["clean", "hacked"]),
            ("connection_status", &["eq"], &["connected", "disconnected"]),
            ("backups", &["eq"], &["true", "false"]),
        ],
        sorts: &["created_at", "updated_at"],
    },
    List {
        path: "/sites/site-0005/snapshots",
        filters: &[],
        sorts: &["created_at"],
    },
    List {
        path: "/tasks",
        filters: &[],
        sorts: &["created_at"],
    },
];

impl List {
    fn all_filters(&self) -> Vec<Filter> {
        let times = TIME_FIELDS.map(|field| (field, &["gte", "lte"][..], TIMES));
        [self.filters, &times].concat()
    }
}

/// Whether the record matches a filter, by the specification.
fn matches_filter(record: &Value, field: &str, operator: &str, value: &str) -> bool {
    let text = |field: &str| record[field].as_str().unwrap_or_default().to_owned();
    match (field, operator) {
        ("search", _) => ["first_name", "last_name", "email", "company_name"]
            .iter()
            .any(|field| matches_filter(record, field, operator, value)),
        ("scanner_status", _) => record["security"]["scanner"]["status"] == value,
        ("connection_status", _) => record["connection"]["status"] == value,
        ("backups", _) => record["backups"]["enabled"] == (value == "true"),
        (_, "contains") => fold_case(&text(field)).contains(&fold_case(value)),
        (_, "eq") if record[field].is_boolean() => record[field] == (value == "true"),
        (_, "eq") => record[field] == value,
        (_, "in") => value.split(',').any(|value| text(field) == value),
        (_, "gte") => parse_time(&text(field)) >= parse_time(value),
        (_, "lte") => parse_time(&text(field)) <= parse_time(value),
        _ => unreachable!(),
    }
}

fn fold_case(text: &str) -> String {
    text.to_lowercase().replace('ς', "σ")
}

fn field_names(record: &Value) -> impl Iterator<Item = &str> {
    record.as_object().unwrap().keys().map(String::as_str)
}

fn parse_time(text: &str) -> jiff::Timestamp {
    text.parse().unwrap()
}

#[test]
fn every_list_with_a_command_is_tested() {
    for command in list_commands() {
        // `the_files_and_tables_of_a_snapshot_are_paged_and_sorted` tests the others.
        let Some(noun) = command.strip_suffix(" list") else {
            continue;
        };
        let path = format!("/{noun}");
        assert!(
            LISTS.iter().any(|list| list.path.ends_with(&path)),
            "tests/sandbox/lists.rs: LISTS lacks {path}"
        );
    }
}

#[test]
fn each_field_can_be_filtered_by_its_operators_only() {
    let sandbox = Sandbox::start(&[]);
    for list in LISTS.iter().filter(|list| !list.filters.is_empty()) {
        let path = list.path;
        let filters = list.all_filters();
        let all = sandbox.all_records(path);
        for (field, operators, values) in &filters {
            for operator in OPERATORS {
                let key = format!("filters[{field}:{operator}]");
                if !operators.contains(&operator) {
                    let value = percent_encode(values[0]);
                    let response = sandbox.get(&format!("{path}?{key}={value}"));
                    assert_eq!(
                        response.error_codes(400),
                        [format!("unsupported_operator {key}")]
                    );
                    continue;
                }
                for value in *values {
                    let filter = format!("{}={}", percent_encode(&key), percent_encode(value));
                    let response = sandbox.get(&format!("{path}?perPage=100&{filter}"));
                    let list = response.expect_status(200);
                    let expected = all
                        .iter()
                        .filter(|record| matches_filter(record, field, operator, value));
                    assert!(
                        records(&list).iter().eq(expected),
                        "{path} {field} {operator} {value:?}"
                    );
                }
            }
        }
        for field in field_names(&all[0]).chain(["nothing", "", "account"]) {
            if filters.iter().any(|(name, ..)| *name == field) {
                continue;
            }
            let key = format!("filters[{field}:eq]");
            let response = sandbox.get(&format!("{path}?{key}=2026-01-01T00:00:00Z"));
            assert_eq!(
                response.error_codes(400),
                [format!("unsupported_field {key}")]
            );
        }
    }
}

#[test]
fn a_record_must_match_all_filters_and_any_value_of_in() {
    let sandbox = Sandbox::start(&[]);
    let anna = "filters[email:contains]=anna";
    let roles = "filters[role:in]=co_owner";
    for (query, count) in [
        (format!("/clients?{anna}"), 2),
        (format!("/clients?{anna}&filters[email:contains]=foto"), 1),
        (format!("/managed-accounts?{roles},collaborator"), 8),
        (format!("/managed-accounts?{roles},co_owner"), 4),
    ] {
        let list = sandbox.get(&query).expect_status(200);
        assert_eq!(records(&list).len(), count, "{query}");
    }
}

/// Invalid queries: the list, the detail, the parameter, and the values between spaces.
const REFUSED: &str = "\
/clients invalid_value filters[created_at:gte]  2026-01-01 yesterday 2026-02-30T00:00:00Z 1767225600
/managed-accounts invalid_value filters[updated_at:lte]  2026-01-01
/clients invalid_value filters[search:contains] 
/managed-accounts invalid_value filters[role:in]  owner CO_OWNER co_owner,
/managed-accounts invalid_value filters[status:eq]  active pending,connected
/managed-accounts invalid_value filters[all_sites_access:eq]  True 1
/clients invalid_format filters a
/clients invalid_format filters[email] a
/clients invalid_format filters[email:contains a
/clients invalid_format filters[email][contains] a
/clients unsupported_parameter filter[email:contains] a
/clients unsupported_parameter per_page 1
/clients invalid_value page 0 -1  x 1.0 %2B1
/managed-accounts invalid_value page 0
/clients invalid_value perPage 0 101 99999999999999999999
/clients invalid_value sort created_at created_at, created_at,up created_at,asc,desc
/clients unsupported_field sort note,asc ,asc
/clients invalid_value timezone  Mars/Olympus %2B02:00
";

#[test]
fn invalid_queries_are_refused() {
    let sandbox = Sandbox::start(&[]);
    for line in REFUSED.lines() {
        let mut words = line.split(' ');
        let [path, code, parameter] = [(); 3].map(|()| words.next().unwrap());
        for value in words {
            let response = sandbox.get(&format!("{path}?{}={value}", percent_encode(parameter)));
            let expected = format!("{code} {parameter}");
            assert_eq!(response.error_codes(400), [expected], "{path} {value:?}");
        }
    }
}

#[test]
fn a_time_zone_applies_to_created_at_without_an_offset() {
    let sandbox = Sandbox::start(&[]);
    // client-0001 was created at 2025-01-07T08:30:00Z.
    for (field, bound, time_zone, is_included) in [
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
        let query = format!("perPage=100&filters[{field}:lte]={bound}{time_zone}");
        let list = sandbox.get(&format!("/clients?{query}")).expect_status(200);
        assert_eq!(
            record_ids(&list).contains(&"client-0001".to_owned()),
            is_included,
            "{query}"
        );
    }
}

/// Sorts records by a field and the id, and returns their ids.
fn sorted_ids(records: &[Value], field: &str, direction: &str) -> Vec<String> {
    let text = |record: &Value, field: &str| record[field].as_str().unwrap().to_owned();
    let mut keys: Vec<_> = records
        .iter()
        .map(|record| (text(record, field), text(record, "id")))
        .collect();
    keys.sort();
    if direction == "desc" {
        keys.reverse();
    }
    keys.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn pages_of_a_sorted_list_have_each_record_once_and_in_order() {
    let sandbox = Sandbox::start(&[]);
    for site in [2, 1, 3] {
        sandbox.start_restore(site, 1).expect_status(201);
    }
    for List { path, sorts, .. } in LISTS {
        let all = sandbox.all_records(path);
        let directions = |field| [(field, "asc"), (field, "desc")];
        for (field, direction) in sorts.iter().flat_map(directions) {
            let expected = sorted_ids(&all, field, direction);
            let query = format!("{path}?sort={field},{direction}&perPage=20");
            let mut ids = Vec::new();
            for page in 1..=expected.len().div_ceil(20) {
                let response = sandbox.get(&format!("{query}&page={page}"));
                ids.extend(record_ids(&response.expect_status(200)));
            }
            assert_eq!(ids, expected, "{query}");
        }
    }
}

#[test]
fn lists_are_newest_first_and_report_page_and_totals() {
    let sandbox = Sandbox::start(&[]);
    let list = sandbox.get("/clients").expect_status(200);
    assert_eq!(
        record_ids(&list),
        sorted_ids(&sandbox.all_records("/clients"), "created_at", "desc")[..25]
    );
    for (query, page, per_page, pages, count) in [
        ("", 1, 25, 3, 25),
        ("page=2&perPage=59", 2, 59, 2, 1),
        ("perPage=100", 1, 100, 1, 60),
        ("page=4", 4, 25, 3, 0),
        ("page=9223372036854775807&perPage=100", i64::MAX, 100, 1, 0),
    ] {
        let list = sandbox.get(&format!("/clients?{query}")).expect_status(200);
        let expected =
            json!({ "page": page, "perPage": per_page, "totalPages": pages, "totalItems": 60 });
        assert_eq!(list["meta"]["pagination"], expected, "{query}");
        assert_eq!(records(&list).len(), count, "{query}");
    }
    let empty = sandbox
        .get("/clients?filters[search:contains]=nobody-has-this")
        .expect_status(200);
    let pagination = json!({ "page": 1, "perPage": 25, "totalPages": 0, "totalItems": 0 });
    assert_eq!(
        empty,
        json!({ "clients": [], "meta": { "pagination": pagination } })
    );
}

#[test]
fn the_maximum_per_page_applies_to_every_list() {
    let sandbox = Sandbox::start(&["--max-per-page", "20"]);
    for List { path, .. } in LISTS {
        let list = sandbox.get(path).expect_status(200);
        assert_eq!(list["meta"]["pagination"]["perPage"], 20, "{path}");
        let response = sandbox.get(&format!("{path}?perPage=21"));
        assert_eq!(response.error_codes(400), ["invalid_value perPage"]);
    }
}

#[test]
fn one_response_reports_every_problem() {
    let sandbox = Sandbox::start(&[]);
    let query = "page=0&perPage=0&sort=note,asc&timezone=Nowhere&x=e\
        &filters=d&filters[email:eq]=a&filters[note:contains]=b&filters[created_at:gte]=c";
    assert_eq!(
        sandbox.get(&format!("/clients?{query}")).error_codes(400),
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

#[test]
fn the_files_and_tables_of_a_snapshot_are_paged_and_sorted() {
    let sandbox = Sandbox::start(&[]);
    let texts = |query: &str, list: &str, field: &str| -> Vec<Value> {
        let list = sandbox.get(&format!(
            "/sites/site-0001/{list}?snapshot_id=snap-0001-2&{query}"
        ));
        let list = list.expect_status(200);
        records(&list)
            .iter()
            .map(|record| record[field].clone())
            .collect()
    };
    let root = [
        "./index.php",
        "./wp-admin/",
        "./wp-config.php",
        "./wp-content/",
        "./wp-includes/",
    ];
    assert_eq!(texts("path=./", "files", "path"), root);
    assert_eq!(
        texts("path=./&page=2&perPage=3&sort=path,asc", "files", "path"),
        root[3..]
    );
    let uploads = ["./wp-content/uploads/2026/"];
    for path in ["./wp-content/uploads", "./wp-content/uploads/"] {
        assert_eq!(texts(&format!("path={path}"), "files", "path"), uploads);
    }
    assert_eq!(
        texts("perPage=1&sort=rows,desc", "tables", "name"),
        ["wp_postmeta"]
    );
    for (path, status) in [
        ("site-0001/files?snapshot_id=snap-0002-1&path=./", 404),
        ("site-9999/files?snapshot_id=snap-0001-2", 404),
        ("site-0001/tables", 404),
        ("site-0001/tables?snapshot_id=snap-0001-2&sort=id,asc", 400),
        ("site-0001/snapshots?snapshot_id=snap-0001-2", 400),
    ] {
        assert_eq!(
            sandbox.get(&format!("/sites/{path}")).status,
            status,
            "{path}"
        );
    }
    let failed = sandbox.get("/sites/site-0002/files?snapshot_id=snap-0002-4");
    assert!(records(&failed.expect_status(200)).is_empty());
}
