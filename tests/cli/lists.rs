//! Lists in every format: complete, or reported as incomplete.

use crate::common::{Server, World};
use crate::service::{Reply, Scripted, Service, page};
use predicates::str::contains;
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

fn ids(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["id"].as_str().unwrap())
        .collect()
}

/// The number of records in each list of the sandbox, after two restores.
pub const COUNTS: [(&str, usize); 5] = [
    ("clients list", 60),
    ("managed-accounts list", 12),
    ("sites list", 40),
    ("snapshots list site-0001", 4),
    ("tasks list", 2),
];

#[test]
fn every_list_is_complete_by_default() {
    let (_server, world) = Server::start("--restore-time 0s").world_kept();
    let restore = "restore start --plan - --full --yes --watch";
    let run = world.run_with(restore, "site-0001\nsite-0003\n");
    assert_eq!(run.code, 0, "{}", run.transcript());
    for (command, count) in COUNTS {
        let list = |options: &str| world.run(format!("{command} {options}"));
        let rows = list("--json").json();
        assert_eq!(rows.as_array().unwrap().len(), count, "{command}");
        let in_pages = list("--json --per-page 7").json();
        assert_eq!(in_pages, rows, "{command}");
        let lines = list("-o ndjson").stdout;
        let lines: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(Value::Array(lines), rows, "{command}");
        let names = list("-o ids").stdout;
        assert_eq!(names.lines().collect::<Vec<_>>(), ids(&rows), "{command}");
        assert_eq!(list("").stdout.lines().count(), count + 1, "{command}");
    }
}

#[test]
fn a_limited_list_says_how_many_records_it_has() {
    let world = World::sandbox();
    for (args, rows, note) in [
        (
            &["clients", "list", "--company-name", "co", "--limit", "3"][..],
            3,
            "showing the first 3 of 5 clients\n",
        ),
        (
            &["sites", "list", "--page", "2", "--per-page", "3"],
            3,
            "page 2: 3 of 40 sites\n",
        ),
        (&["clients", "list", "--limit", "60"], 60, ""),
    ] {
        let run = world.run(&[args, &["--no-header"]].concat());
        assert_eq!(
            (run.code, run.stdout.lines().count(), &*run.stderr),
            (0, rows, note),
            "{args:?}"
        );
    }
}

#[test]
fn an_empty_list_is_data_and_exits_with_0() {
    let world = World::sandbox();
    for (format, data) in [("table", ""), ("json", "[]\n"), ("ids", "")] {
        let run = world.run(&["clients", "list", "--search", "nobody", "-o", format]);
        assert_eq!(
            (run.code, run.stdout.as_str(), run.stderr.as_str()),
            (0, data, "no clients found\n"),
            "{format}"
        );
    }
}

#[test]
fn a_query_is_escaped() {
    let body = page(&[], 1, 0, 0);
    let service = Scripted::new(vec![("GET", body)]);
    let args = [
        "--limit",
        "2",
        "--search",
        "a&b ü",
        "--timezone",
        "Europe/Berlin",
        "--sort",
        "email",
    ];
    let run = service
        .world()
        .run(&[&["clients", "list"], &args[..]].concat());
    assert_eq!(run.code, 0, "{}", run.transcript());
    assert_eq!(
        service.requests()[0].line,
        "GET /api/v6/clients?page=1&perPage=2&sort=email%2Casc&timezone=Europe%2FBerlin\
         &filters%5Bsearch%3Acontains%5D=a%26b%20%C3%BC"
    );
}

#[test]
fn a_wrong_query_is_refused_before_a_request() {
    let nowhere = World::on("http://127.0.0.1:1/api/v6");
    let args = "clients list --filter emial:contains=x --created-since soon --sort note";
    assert_data_eq!(
        nowhere.run(args).transcript(),
        str![[r#"
[stderr]
error: 3 problems found
  --sort: clients cannot be sorted by 'note'; use one of: first_name, last_name, email, company_name, created_at, updated_at
  --created-since: 'soon' is not a time; use a time (2026-01-31 18:00), an RFC 3339 time (2026-01-31T18:00:00+01:00), a date (2026-01-31), today, yesterday, either with a time (yesterday 18:00), or an age (12h, 7d, 2w)
  --filter: clients have no filter field 'emial'; did you mean 'email'? use one of: search, first_name, last_name, email, company_name, created_at, updated_at
exit 2

"#]]
    );
    assert_eq!(nowhere.run("managed-accounts list --search x").code, 2);
}

#[test]
fn a_rejected_parameter_is_shown_with_its_flag() {
    let params = [
        "filters[email:contains]",
        "filters[last_name:contains]",
        "filters[created_at:gte]",
        "sort",
        "timezone",
        "perPage",
        "other",
    ];
    let details: Vec<Value> = params
        .iter()
        .map(|param| json!({"code": "c", "param": param, "message": "M"}))
        .collect();
    let body = json!({"error": {"message": "Invalid parameters.", "details": details}});
    let service = Scripted::new(vec![("GET", Reply::Json(400, body.to_string()))]);
    let args = "clients list --email a --filter last_name:contains=b --created-since 1d \
                --filter created_at:gte=2d --sort email --timezone UTC --per-page 5";
    let run = service.world().run(args);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: Invalid parameters.
  --email: M (c)
  --filter: M (c)
  --created-since: M (c)
  --sort: M (c)
  --timezone: M (c)
  --per-page: M (c)
  other: M (c)
hint: fix the values above, or add -vv to show the request and the response
exit 5

"#]]
    );
}

#[test]
fn records_are_printed_unchanged() {
    let record = r#"{"zeta":1.10,"id":"a","big":12345678901234567890123,"new_field":{"b":[1e400],"a":null},"text":"\u001b[31m"}"#;
    let body = format!(
        r#"{{"clients":[{record}],"meta":{{"pagination":{{"page":1,"perPage":1,"totalPages":1,"totalItems":1}}}}}}"#
    );
    let service = Scripted::new(vec![
        ("GET", Reply::Json(200, body.clone())),
        ("GET", Reply::Json(200, body)),
    ]);
    let world = service.world();
    assert_eq!(
        world.run("clients list --json").stdout,
        format!("[\n{record}\n]\n")
    );
    assert_eq!(
        world.run("clients list -o ndjson").stdout,
        format!("{record}\n")
    );
}

#[test]
fn a_list_without_specified_pagination_can_be_incomplete() {
    let first = r#"{"sites":[{"id":"a"}],"meta":{"pagination":{"page":1,"perPage":1,"totalPages":2,"totalItems":2}}}"#;
    let pages = || {
        [
            ("GET", Reply::Json(200, first.into())),
            ("GET", Reply::Json(200, r#"{"sites":[]}"#.into())),
        ]
    };
    let service = Scripted::new((0..5).flat_map(|_| pages()).collect());
    assert_eq!(service.world().run("sites list --json").code, 13);
}

#[test]
fn sites_are_found_by_id_title_and_url_in_every_format() {
    let world = World::sandbox();
    let search = |args: &[&str]| world.run(&[&["sites", "list", "--search"], args].concat());
    assert_data_eq!(
        search(&["CAFE", "--limit", "2"]).transcript(),
        str![[r#"
[stdout]
SITE                           TITLE    CLIENT         CONNECTION  SCANNER  LAST BACKUP           STATUS     ID
https://site-0038.example.com  Café 38                 connected   clean    NIGHTT02:38:00Z  succeeded  site-0038
https://site-0023.example.com  Café 23  Thabo Mokoena  connected   hacked   NIGHTT02:23:00Z  succeeded  site-0023
[stderr]
showing the first 2 of 3 sites
exit 0

"#]]
    );
    for (text, format, found) in [
        ("0012.example", "ids", "site-0012\n"),
        ("site-0003", "ids", "site-0003\n"),
        ("no such site", "json", "[]\n"),
    ] {
        assert_eq!(search(&[text, "-o", format]).stdout, found);
    }
    assert_eq!(search(&["x", "--page", "2"]).code, 2);
}

#[test]
fn a_date_is_local_unless_a_time_zone_is_specified() {
    let service = Service::start(|_| Reply::Json(200, r#"{"clients":[]}"#.into()));
    let world = service.world().with("TZ", "Asia/Tokyo");
    let list = ["clients", "list", "--created-since", "2026-01-31", "-v"];
    let local = world.run(&list);
    assert!(
        local.stderr.contains("=2026-01-30T15%3A00%3A00Z"),
        "{}",
        local.transcript()
    );
    let zone = world.run(&[&list[..], &["--timezone", "Europe/Berlin"]].concat());
    assert!(
        zone.stderr.contains("=2026-01-30T23%3A00%3A00Z"),
        "{}",
        zone.transcript()
    );
}

#[test]
fn what_only_resembles_a_time_is_refused() {
    let world = World::sandbox();
    for args in [
        &["clients", "list", "--created-since", "2026-11-21 18"][..],
        &[
            "restore",
            "start",
            "site-0001",
            "latest",
            "--full",
            "--dry-run",
            "--before",
            "2026-11-21T1800",
        ],
        &["restore", "history", "--since", "00:30:00"],
    ] {
        let run = world.run(args);
        assert_eq!(run.code, 2, "{}", run.transcript());
        assert!(
            run.stderr.contains("yesterday 18:00"),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn an_unknown_time_zone_of_the_environment_is_a_warning() {
    let run = World::sandbox()
        .with("TZ", "Mars/Base")
        .run("clients list --limit 1");
    run.assert_stderr(0, contains("warning: unknown time zone 'Mars/Base' in TZ"));
}

#[test]
fn sites_are_selected_by_their_client() {
    let world = World::sandbox();
    let sites = world.run("sites list --json").json();
    for (flags, client) in [
        (&["--client", "client-0009"][..], json!("client-0009")),
        (
            &["--client", "CHLOE@atelier-lefevre.example"],
            json!("client-0009"),
        ),
        (&["--unassigned"], Value::Null),
    ] {
        let mut expected = sites.clone();
        let rows = expected.as_array_mut().unwrap();
        rows.retain(|site| site["client"]["id"] == client);
        let selected = world.run(&[&["sites", "list", "--json"], flags].concat());
        assert_eq!(selected.json(), expected, "{flags:?}");
    }
    let run = world.run("sites list --unassigned --limit 1 -o ids");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
site-0040
[stderr]
showing the first 1 of 9 sites
exit 0

"#]]
    );
}

#[test]
fn clients_without_sites_are_selected() {
    let world = World::sandbox();
    let without_sites = "clients list -o ndjson --jq 'select(.site_ids == [])'";
    let expected = world.run(without_sites).stdout;
    let run = world.run("clients list -o ndjson --unassigned");
    assert_eq!(run.stdout, expected, "{}", run.transcript());
    assert!(!expected.is_empty());
}

#[test]
fn assumed_fields_of_another_type_are_empty() {
    let site = json!({"id": "s1", "client": "Ada", "security": 7, "backups": [], "tags": "shop"});
    let service = Service::start(move |_| Reply::list("sites", std::slice::from_ref(&site)));
    let list = |format| {
        service
            .world()
            .run(format!("sites list -o {format}"))
            .stdout
    };
    assert_eq!(list("table"), "SITE  ID\ns1    s1\n");
    let header = "id,url,title,client_id,client,connection,scanner,backup_at,backup_status,tags";
    assert_eq!(list("csv"), format!("{header}\ns1,,,,,,,,,\n"));
}

#[test]
fn a_site_has_no_client_only_if_the_sites_of_all_clients_are_known() {
    let service = Scripted::new(vec![("GET", page(&["c1"], 1, 1, 1))]);
    let run = service.world().run("sites list --unassigned");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the service does not show which sites c1 has
hint: show the client: sitectl clients show --json c1
exit 8

"#]]
    );
}
