//! `sitectl clients apply` makes the account's clients match a file.

use crate::common::{Run, Server, World, interrupt, wait, wait_until};
use crate::service::{Reply, Scripted, clients};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};

/// Runs `clients apply` on a file with this name and text.
fn apply(world: &World, name: &str, text: &str, args: &[&str]) -> Run {
    std::fs::write(world.path(name), text).unwrap();
    world.run(&[&["clients", "apply", name], args].concat())
}

/// The number of clients in each list of a JSON result.
fn counts(run: &Run) -> [u64; 5] {
    let result = run.json();
    let length = |name: &str| result[name].as_array().unwrap().len() as u64;
    [
        length("created"),
        length("updated"),
        result["unchanged"].as_u64().unwrap(),
        length("deleted"),
        length("errors"),
    ]
}

fn client(world: &World, who: &str) -> Value {
    world.run(&["clients", "show", who, "--json"]).json()
}

/// Texts that a reader or writer of some format could misread.
const NASTY: &str = "say \"hello\", and 'bye'|one\ntwo\r\nthree\n|\ttab\t| spaces |007|1e3|=1+1|no|~|null|a;b|[\"x\"]|{a: b}|\
    # not a comment|\\u{1b} \\n \\|\u{1b}[31m|\u{202e}abc\u{200b}|Zoë 東京 👩‍👩‍👧|2026-10-07|lone\rreturn|\u{feff}mark|a,b";

#[test]
fn applying_an_export_changes_nothing() {
    let server = Server::start("");
    let world = server.world();
    let row = |(number, text): (usize, &str)| {
        let email = format!("n{number}@example.com");
        json!({"first_name": format!("x{text}"), "email": email, "last_name": text, "note": text, "address": text})
    };
    let file: Vec<Value> = NASTY.split('|').enumerate().map(row).collect();
    let run = apply(
        &world,
        "clients.json",
        &json!(file).to_string(),
        &["--yes", "--json"],
    );
    assert_eq!(
        counts(&run),
        [file.len() as u64, 0, 0, 0, 0],
        "{}",
        run.transcript()
    );
    for (number, text) in NASTY.split('|').enumerate() {
        assert_eq!(
            client(&world, &format!("n{number}@example.com"))["note"],
            text.trim()
        );
    }
    let unchanged = [0, 0, 60 + file.len() as u64, 0, 0];
    for format in ["csv", "json", "ndjson"] {
        let listed = world.run(&["clients", "list", "-o", format]).stdout;
        let run = apply(&world, &format!("listed.{format}"), &listed, &["--json"]);
        assert_eq!(
            (run.code, counts(&run)),
            (0, unchanged),
            "{format}: {}",
            run.transcript()
        );
        // On stdin, the format is recognized by the content.
        let run = world.run_with("clients apply - --json", &listed);
        assert_eq!(
            (run.code, counts(&run)),
            (0, unchanged),
            "{format}: {}",
            run.transcript()
        );
    }
}

#[test]
fn the_plan_names_the_sites_that_change_clients() {
    let one = |sites: &str| format!(r#"{{"id":"c1","email":"a@x.example","site_ids":[{sites}]}}"#);
    let two = r#"{"id":"c2","first_name":"B","email":"b@x.example","site_ids":["s2","s3"]}"#;
    let shown = |sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, one(sites)));
    let deleted = r#"{"delete":{"ids":["c2"],"errors":[]}}"#;
    let service = Scripted::new(vec![
        (
            "GET /api/v6/clients?",
            clients(&[one(r#""s1""#).as_str(), two]),
        ),
        (
            "POST /api/v6/clients/delete",
            Reply::Json(200, deleted.into()),
        ),
        ("GET /api/v6/clients/c1", shown(r#""s1""#)),
        ("POST /api/v6/clients/c1/update", shown(r#""s1","s2""#)),
    ]);
    let file = "id,site_ids\nc1,s1;s2;s2\n";
    let run = apply(&service.world(), "clients.csv", file, &["--prune", "--yes"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    1
unchanged  0
deleted    1
failed     0
[stderr]
~ update c1  a@x.example
    site_ids: +s2 (from B b@x.example)
- delete c2  B b@x.example, 2 sites
plan: 0 to create, 1 to update, 1 to delete, 0 unchanged
exit 0

"#]]
    );
    let body = r#"{"client":{"site_ids":["s1","s2"]}}"#;
    assert_eq!(service.requests()[3].body, body);
}

#[test]
fn an_error_that_every_row_would_get_stops_the_run() {
    let rows: String = (0..15)
        .map(|number| format!("n{number}@example.com,N\n"))
        .collect();
    for (status, sent, code, why, hint) in [
        (
            401,
            1,
            3,
            "the service rejected the token (401)",
            "set SITECTL_TOKEN to a valid token",
        ),
        (
            418,
            10,
            8,
            "10 consecutive requests have no valid response",
            "run the same command again when the cause is fixed",
        ),
    ] {
        let refused = (0..sent).map(|_| ("POST /api/v6/clients", Reply::status(status)));
        let service = Scripted::new(
            [("GET /api/v6/clients?", clients(&[]))]
                .into_iter()
                .chain(refused)
                .collect(),
        );
        let args = ["--yes", "--json", "--concurrency", "1"];
        let run = apply(
            &service.world(),
            "clients.csv",
            &format!("email,first_name\n{rows}"),
            &args,
        );
        assert_eq!(
            (run.code, counts(&run)),
            (code, [0, 0, 0, 0, 15]),
            "{}",
            run.transcript()
        );
        let left = 15 - sent;
        let error = run.error();
        assert_eq!(
            error["message"],
            format!("{sent} of 15 changes failed, {left} of 15 changes not sent: {why}")
        );
        assert!(error["hints"].to_string().contains(hint), "{error}");
        let result = run.json();
        let not_sent = format!("not sent: {why}");
        let not_sent = |error: &&Value| error["message"].as_str().unwrap().contains(&not_sent);
        assert_eq!(
            result["errors"]
                .as_array()
                .unwrap()
                .iter()
                .skip(sent)
                .filter(not_sent)
                .count(),
            left,
            "{result}"
        );
    }
}

#[test]
fn a_change_with_an_unknown_outcome_is_not_counted_as_failed() {
    let record = r#"{"id":"c1","email":"a@example.com","note":"old"}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[record])),
        ("POST /api/v6/clients/c1/update", Reply::status(500)),
        (
            "GET /api/v6/clients/c1",
            Reply::Json(200, format!(r#"{{"client":{record}}}"#)),
        ),
    ]);
    let run = apply(
        &service.world(),
        "clients.csv",
        "id,note\nc1,new\n",
        &["--yes"],
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     0
unknown    1
[stderr]
~ update c1  a@example.com
    note: "old" → "new"
plan: 0 to create, 1 to update, 0 to delete, 0 unchanged
error: 1 of 1 change with an unknown outcome
  clients.csv line 2 (c1): the outcome of the update of c1 is unknown: the service responded with 500 (unknown_outcome)
hint: run the same command again: it is safe, because an update is idempotent
hint: run the same command again when the cause is fixed: clients that match the file stay unchanged
exit 12

"#]]
    );
}

#[test]
fn an_interrupted_run_reports_every_row_and_the_next_run_resumes() {
    let server = Server::start("--latency 40ms --rate-limit 10000");
    let world = server.world();
    let rows: Vec<Value> = (0..400)
        .map(|n| json!({"email": format!("n{n}@example.com"), "first_name": "N"}))
        .collect();
    std::fs::write(world.path("clients.json"), json!(rows).to_string()).unwrap();
    let child = world.start("clients apply clients.json --yes --json");
    wait_until("ten clients are created", || {
        let list = world.run("clients list -o ids");
        list.stdout.lines().count() >= 70
    });
    interrupt(&child);
    let run = wait(child);
    let [created, _, _, _, failed] = counts(&run);
    assert!(
        run.code == 130 && created > 0 && failed > 0 && created + failed == 400,
        "{}",
        run.transcript()
    );
    let errors = run.json()["errors"].as_array().unwrap().clone();
    let doubtful = |error: &&Value| {
        error["message"]
            .as_str()
            .unwrap()
            .contains("may have been made")
    };
    assert!(
        errors.iter().filter(doubtful).count() <= 8,
        "{}",
        run.transcript()
    );
    assert!(
        run.error()["hints"][0]
            .as_str()
            .unwrap()
            .contains("to resume"),
        "{}",
        run.transcript()
    );
    let run = world.run("clients apply clients.json --yes --json");
    let [more, _, unchanged, _, _] = counts(&run);
    assert!(
        run.code == 0 && more + unchanged == 400 && more <= failed,
        "{}",
        run.transcript()
    );
}

#[test]
fn sites_that_the_list_does_not_show_are_not_replaced() {
    let mut transcripts = String::new();
    // The account's sites are unknown.
    for sites in [Reply::status(404), Reply::list("sites", &[])] {
        let service = Scripted::new(vec![
            ("GET /api/v6/clients?", clients(&[r#"{"id":"c1"}"#])),
            ("GET /api/v6/sites?", sites),
            (READ_1, shown("c1", r#""s1""#)),
        ]);
        let rows = "id,site_ids\nc1,s2\n";
        let run = apply(&service.world(), "clients.csv", rows, &["--yes", "-q"]);
        transcripts += &run.transcript();
    }
    assert_data_eq!(
        transcripts,
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     1
[stderr]
error: 1 of 1 change failed
  clients.csv line 2, column site_ids (c1): The sites of c1 are now: s1 (changed)
exit 6
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     1
[stderr]
error: 1 of 1 change failed
  clients.csv line 2, column site_ids (c1): The sites of c1 are now: s1 (changed)
exit 6

"#]]
    );
}

/// A service where c1 has the site s1 and c2 has s2, and which follows this script after the lists.
fn swap_service(replies: Vec<(&'static str, Reply)>) -> Scripted {
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let list = clients(&[&client("c1", r#""s1""#), &client("c2", r#""s2""#)]);
    let first = vec![("GET /api/v6/clients?", list)];
    Scripted::new([first, replies].concat())
}

fn swap(service: &Scripted, args: &[&str]) -> Run {
    let rows = "id,site_ids\nc1,s2\nc2,s1\n";
    let args = [&["--yes", "--concurrency", "1", "--retries", "0"], args].concat();
    apply(&service.world(), "clients.csv", rows, &args)
}

fn shown(id: &str, sites: &str) -> Reply {
    let client = format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    Reply::Json(200, format!(r#"{{"client":{client}}}"#))
}

const READ_1: &str = "GET /api/v6/clients/c1";
const READ_2: &str = "GET /api/v6/clients/c2";
const CHANGE_1: &str = "POST /api/v6/clients/c1/update";
const CHANGE_2: &str = "POST /api/v6/clients/c2/update";

#[test]
fn all_sites_are_released_before_any_is_claimed() {
    let replies = vec![
        (READ_1, shown("c1", r#""s1""#)),
        (CHANGE_1, shown("c1", "")),
        (READ_2, shown("c2", r#""s2""#)),
        (CHANGE_2, shown("c2", "")),
        (READ_1, shown("c1", "")),
        (CHANGE_1, shown("c1", r#""s2""#)),
        (READ_2, shown("c2", "")),
        (CHANGE_2, shown("c2", r#""s1""#)),
    ];
    let run = swap(&swap_service(replies), &[]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    2
unchanged  0
deleted    0
failed     0
[stderr]
~ update c1
    site_ids: +s2 (from c2) -s1
~ update c2
    site_ids: +s1 (from c1) -s2
plan: 0 to create, 2 to update, 0 to delete, 0 unchanged
exit 0

"#]]
    );
}

/// A colleague adds s9 to c1, and the service refuses c2.
#[test]
fn a_claim_that_fails_leaves_its_site_without_a_client_and_says_so() {
    let replies = || {
        vec![
            (READ_1, shown("c1", r#""s1""#)),
            (CHANGE_1, shown("c1", "")),
            (READ_2, shown("c2", r#""s2""#)),
            (CHANGE_2, shown("c2", "")),
            (READ_1, shown("c1", r#""s9""#)),
            (READ_2, shown("c2", "")),
            (CHANGE_2, Reply::status(422)),
        ]
    };
    let run = swap(&swap_service(replies()), &[]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created     0
updated     2
unchanged   0
deleted     0
failed      0
incomplete  2
[stderr]
~ update c1
    site_ids: +s2 (from c2) -s1
~ update c2
    site_ids: +s1 (from c1) -s2
plan: 0 to create, 2 to update, 0 to delete, 0 unchanged
error: 2 of 2 changes made, but not completely
  clients.csv line 2, column site_ids (c1): The sites of c1 are now: s9 (changed)
  c2 released s2
  clients.csv line 3 (c2): the service rejected the request (422) (invalid)
  c1 released s1
hint: run the same command again
hint: run the same command again when the cause is fixed: clients that match the file stay unchanged
hint: list the sites without a client: sitectl sites list --unassigned
exit 9

"#]]
    );
    let run = swap(&swap_service(replies()), &["-o", "ids"]);
    assert_eq!((run.code, run.stdout.as_str()), (9, "c1\nc2\n"));
}

/// The token expires after the releases.
#[test]
fn the_error_names_the_site_of_a_claim_that_was_not_sent() {
    let list = clients(&[
        r#"{"id":"c1","site_ids":["s1"]}"#,
        r#"{"id":"c2","site_ids":["s2"]}"#,
        r#"{"id":"c3","site_ids":[]}"#,
        r#"{"id":"c4","site_ids":[]}"#,
    ]);
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", list),
        (READ_1, shown("c1", r#""s1""#)),
        (CHANGE_1, shown("c1", "")),
        (READ_2, shown("c2", r#""s2""#)),
        (CHANGE_2, shown("c2", "")),
        ("GET /api/v6/clients/c3", Reply::status(401)),
    ]);
    let rows = "id,site_ids\nc1,\nc2,\nc3,s1\nc4,s2\n";
    let args = ["--yes", "--clear-empty", "--concurrency", "1", "--json"];
    let run = apply(&service.world(), "clients.csv", rows, &args);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
{
  "created": [],
  "updated": [
    {
      "id": "c1",
      "site_ids": []
    },
    {
      "id": "c2",
      "site_ids": []
    }
  ],
  "unchanged": 0,
  "deleted": [],
  "errors": [
    {
      "key": "c3",
      "id": "c3",
      "kind": "auth",
      "message": "clients.csv line 4 (c3): the service rejected the token (401)",
      "details": [
        {
          "code": null,
          "param": "",
          "message": "c1 released s1",
          "place": "clients.csv line 4 (c3)"
        }
      ]
    },
    {
      "key": "c4",
      "id": "c4",
      "kind": "auth",
      "message": "clients.csv line 5 (c4): not sent: the service rejected the token (401)",
      "details": [
        {
          "code": "not_sent",
          "param": "",
          "message": "not sent: the service rejected the token (401)",
          "place": "clients.csv line 5 (c4)"
        },
        {
          "code": null,
          "param": "",
          "message": "c2 released s2",
          "place": "clients.csv line 5 (c4)"
        }
      ]
    }
  ]
}
[stderr]
plan: 0 to create, 4 to update, 0 to delete, 0 unchanged
{"error":{"kind":"partial","exit_code":9,"status":null,"code":null,"message":"1 of 4 changes failed, 1 of 4 changes not sent: the service rejected the token (401)","details":[{"code":"auth","param":"c3","message":"the service rejected the token (401)"},{"code":null,"param":"c3","message":"c1 released s1","place":"clients.csv line 4 (c3)"},{"code":null,"param":"c4","message":"c2 released s2","place":"clients.csv line 5 (c4)"}],"hints":["set SITECTL_TOKEN to a valid token","run the same command again when the cause is fixed: clients that match the file stay unchanged","list the sites without a client: sitectl sites list --unassigned"]}}
exit 9

"#]]
    );
}

#[test]
fn a_claim_is_sent_although_its_release_is_in_doubt() {
    let assigned = r#"{"error":{"details":[{"code":"already_assigned","param":"site_ids","message":"s1 is assigned"}]}}"#;
    let run = swap(
        &swap_service(vec![
            (READ_1, shown("c1", r#""s1""#)),
            (CHANGE_1, Reply::status(500)),
            (READ_1, shown("c1", r#""s1""#)),
            (READ_2, shown("c2", r#""s2""#)),
            (CHANGE_2, shown("c2", "")),
            (READ_2, shown("c2", "")),
            (CHANGE_2, Reply::Json(422, assigned.into())),
        ]),
        &[],
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created     0
updated     1
unchanged   0
deleted     0
failed      0
incomplete  1
unknown     1
[stderr]
~ update c1
    site_ids: +s2 (from c2) -s1
~ update c2
    site_ids: +s1 (from c1) -s2
plan: 0 to create, 2 to update, 0 to delete, 0 unchanged
error: 1 of 2 changes made, but not completely, 1 of 2 changes with an unknown outcome
  clients.csv line 2 (c1): the outcome of the update of c1 is unknown: the service responded with 500 (unknown_outcome)
  c2 released s2
  clients.csv line 3, column site_ids (c2): s1 is assigned (already_assigned)
  c1 may have released s1
hint: run the same command again: it is safe, because an update is idempotent
hint: run the same command again when the cause is fixed: clients that match the file stay unchanged
hint: list the sites without a client: sitectl sites list --unassigned
exit 12

"#]]
    );
}

#[test]
fn the_site_of_a_deleted_client_is_named_if_its_claim_fails() {
    let client = r#"{"id":"c5","email":"five@example.com","site_ids":["s1"]}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[client])),
        (
            "POST /api/v6/clients/delete",
            Reply::Json(200, r#"{"delete":{"ids":["c5"],"errors":[]}}"#.into()),
        ),
        ("POST /api/v6/clients", Reply::status(422)),
    ]);
    let run = apply(
        &service.world(),
        "clients.csv",
        "email,first_name,site_ids\nnew@example.com,New,s1\n",
        &["--yes", "--prune"],
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    1
failed     1
[stderr]
+ create new@example.com
    first_name: "New"
    site_ids: +s1 (from five@example.com)
- delete c5  five@example.com, 1 site
plan: 1 to create, 0 to update, 1 to delete, 0 unchanged
error: 1 of 2 changes failed
  clients.csv line 2 (new@example.com): the service rejected the request (422) (invalid)
  c5 released s1
hint: run the same command again when the cause is fixed: clients that match the file stay unchanged
hint: list the sites without a client: sitectl sites list --unassigned
exit 9

"#]]
    );
}

#[test]
fn sites_can_move_in_a_circle_and_a_second_run_changes_nothing() {
    let world = World::sandbox();
    let rows: Vec<Value> = (1..=3)
        .map(|number| {
            json!({
                "id": format!("client-000{number}"),
                "site_ids": client(&world, &format!("client-000{}", number % 3 + 1))["site_ids"],
            })
        })
        .collect();
    let file = json!({ "clients": rows }).to_string();
    for updated in [3, 0] {
        let run = apply(&world, "circle.json", &file, &["--yes", "--json"]);
        assert_eq!(
            (run.code, counts(&run)),
            (0, [0, updated, 3 - updated, 0, 0]),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn a_row_whose_value_the_service_did_not_keep_is_changed_and_has_an_error() {
    const OLD: &str = r#"{"id":"c1","note":"old"}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[OLD])),
        (
            "POST /api/v6/clients/c1/update",
            Reply::Json(200, format!(r#"{{"client":{OLD}}}"#)),
        ),
    ]);
    let run = apply(
        &service.world(),
        "clients.csv",
        "id,note\nc1,new\n",
        &["--yes", "--json"],
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
{
  "created": [],
  "updated": [
    {
      "id": "c1",
      "note": "old"
    }
  ],
  "unchanged": 0,
  "deleted": [],
  "errors": [
    {
      "key": "c1",
      "id": "c1",
      "kind": "error",
      "message": "clients.csv line 2 (c1): the client was updated, but the service did not keep every value",
      "details": [
        {
          "code": "not_kept",
          "param": "note",
          "message": "Was sent as /"new/", but the service has /"old/"",
          "place": "clients.csv line 2, column note (c1, 'new')"
        }
      ]
    }
  ]
}
[stderr]
plan: 0 to create, 1 to update, 0 to delete, 0 unchanged
{"error":{"kind":"partial","exit_code":9,"status":null,"code":null,"message":"1 of 1 change made, but not completely","details":[{"code":"not_kept","param":"c1","message":"Was sent as /"new/", but the service has /"old/"","place":"clients.csv line 2, column note (c1, 'new')"}],"hints":["check the client: sitectl clients show c1","run the same command again when the cause is fixed: clients that match the file stay unchanged"]}}
exit 9

"#]]
    );
}

/// A client of a service that has its own fields, and values that sitectl would refuse.
const OWN: &str = r#"{"id":"c1","email":"legacy at x","first_name":"","site_ids":[7,8],"plan":"pro","seats":7.50,"vip":true,"tags":["b","a;c"],"labels":["x","y"],"owner":{"id":7,"teams":[{"n":null},{}]},"gone":null,"zip":"007"}"#;

#[test]
fn fields_that_only_the_service_knows_are_ignored() {
    let service = || Scripted::new(vec![("GET /api/v6/clients?", clients(&[OWN]))]);
    let fields = [
        "--fields",
        "id,email,site_ids,plan,seats,vip,tags,labels,owner,gone,zip",
    ];
    for (format, more) in [
        ("csv", &fields[..]),
        ("csv", &[]),
        ("json", &[]),
        ("ndjson", &[]),
    ] {
        let listed = service()
            .world()
            .run(&[&["clients", "list", "-o", format], more].concat())
            .stdout;
        let run = apply(
            &service().world(),
            &format!("listed.{format}"),
            &listed,
            &["--json"],
        );
        assert_eq!(
            (run.code, counts(&run)),
            (0, [0, 0, 1, 0, 0]),
            "{listed}{}",
            run.transcript()
        );
    }
    let file = "id,email,first_name,plan,note\nc1,,,free,n\n,b@x.example,B,pro,\n";
    let run = apply(&service().world(), "clients.csv", file, &["--dry-run"]);
    let note = "columns left out: plan\n";
    run.assert_stderr(0, contains(note));
    assert!(!run.stdout.contains("plan:  "), "{}", run.transcript());
    let file = "id,email,plan,vpi\nc1,,free,7.5\n";
    let run = apply(&service().world(), "clients.csv", file, &["--yes"]);
    run.assert_stderr(5, contains("column vpi: No field of a client; known: id,"));
}

#[test]
fn what_exists_exactly_as_wanted_counts_as_created() {
    let world = World::sandbox();
    let file = "email,first_name,note\nnew@example.com,N,\" n \"\n";
    let create = |note: &str| {
        let args = [
            "clients",
            "create",
            "--first-name",
            "N",
            "--email",
            "NEW@example.com",
            "--note",
            note,
        ];
        world.run(&args)
    };
    assert_eq!(create("n").code, 0);
    let run = create("n ");
    run.assert_stderr(0, contains(" has these values, and exists since 20"));
    let run = create("other");
    run.assert_stderr(
        5,
        contains("hint: N (client-").and(contains(
            ") has the email: sitectl --sandbox clients show client-",
        )),
    );
    // As if it had been created after the list was read.
    let taken =
        r#"{"error":{"details":[{"code":"already_exists","param":"email","message":"m"}]}}"#;
    let apply = |note: &str| {
        let record = json!({"id": "c1", "email": "new@example.com", "first_name": "N", "note": note, "created_at": "2026-11-01"});
        let service = Scripted::new(vec![
            ("GET /api/v6/clients?", clients(&[])),
            ("POST /api/v6/clients", Reply::Json(422, taken.into())),
            ("GET /api/v6/clients?", clients(&[&record.to_string()])),
        ]);
        apply(&service.world(), "clients.csv", file, &["--yes", "--json"])
    };
    let run = apply("n");
    assert_eq!(
        (run.code, counts(&run)),
        (0, [1, 0, 0, 0, 0]),
        "{}",
        run.transcript()
    );
    let hint = "\"N (c1) has the email: sitectl clients show c1\"";
    apply("other").assert_stderr(5, contains(hint));
}

#[test]
fn a_change_that_is_not_made_does_not_deny_earlier_ones() {
    let changed =
        |id: &str| Reply::Json(200, json!({"client": {"id": id, "note": "n"}}).to_string());
    let mut messages = Vec::new();
    for first in [changed("c1"), Reply::status(405)] {
        let service = Scripted::new(vec![
            (
                "GET /api/v6/clients?",
                clients(&[r#"{"id":"c1"}"#, r#"{"id":"c2"}"#]),
            ),
            (CHANGE_1, first),
            (CHANGE_2, Reply::status(405)),
        ]);
        let rows = "id,note\nc1,n\nc2,n\n";
        let args = ["--yes", "--json", "--concurrency", "1"];
        let result = apply(&service.world(), "clients.csv", rows, &args).json();
        let errors = result["errors"].as_array().unwrap().iter();
        let message = |error: &Value| error["message"].as_str().unwrap().to_string();
        messages.extend(errors.map(message));
    }
    let refused = "the path does not support the method (405)";
    assert_eq!(
        messages,
        [
            format!("clients.csv line 3 (c2): {refused}; this change was not made"),
            format!("clients.csv line 2 (c1): {refused}; no changes were made"),
            format!("clients.csv line 3 (c2): {refused}; no changes were made"),
        ]
    );
}
