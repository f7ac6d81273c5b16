//! Lists in every format: complete, or reported as incomplete.

use crate::service::{Reply, Scripted, page};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

#[test]
fn a_query_is_escaped() {
    let body = page(&[], 1, 0, 0);
    let service = Scripted::new(vec![("GET", body)]);
    let args = [
        "--limit",
        "2",
        "--search",
        "a&b+ü",
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
         &filters%5Bsearch%3Acontains%5D=a%26b%2B%C3%BC"
    );
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
error: the service rejected the request (400): Invalid parameters.
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
fn a_site_has_no_client_only_if_the_sites_of_all_clients_are_known() {
    let list = || ("GET", page(&["c1"], 1, 1, 1));
    // Of clients, sites that are not shown are none.
    let run = Scripted::new(vec![list()])
        .world()
        .run("clients list --unassigned -o ids");
    assert_eq!((run.code, &*run.stdout), (0, "c1\n"));
    let run = Scripted::new(vec![list()])
        .world()
        .run("sites list --unassigned");
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
