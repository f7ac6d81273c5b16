//! `sitectl clients apply` makes the account's clients match a file.

use crate::common::{Run, World};
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
    ["created", "updated", "unchanged", "deleted", "errors"].map(|name| {
        let list = result[name].as_array().map(|list| list.len() as u64);
        list.or(result[name].as_u64()).unwrap()
    })
}

#[test]
fn applying_an_export_changes_nothing() {
    let world = World::sandbox();
    for format in ["csv", "json", "ndjson"] {
        let listed = world.run(&["clients", "list", "-o", format]).stdout;
        let from_file = apply(&world, &format!("listed.{format}"), &listed, &["--json"]);
        // On stdin, the format is recognized by the content.
        let from_stdin = world.run_with("clients apply - --json", &listed);
        for run in [from_file, from_stdin] {
            assert_eq!((run.code, counts(&run)), (0, [0, 0, 60, 0, 0]), "{format}");
        }
    }
}

#[test]
fn an_error_that_every_row_would_get_stops_the_run() {
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[])),
        ("POST /api/v6/clients", Reply::status(401)),
    ]);
    let rows = "email,first_name\na@x.example,A\nb@x.example,B\n";
    let args = ["--yes", "--json", "--concurrency", "1"];
    let run = apply(&service.world(), "clients.csv", rows, &args);
    assert_eq!((run.code, counts(&run)), (3, [0, 0, 0, 0, 2]));
    assert_eq!(
        run.error()["message"],
        "1 of 2 changes failed, 1 of 2 changes not sent: the service rejected the token (401)"
    );
}

#[test]
fn sites_that_the_list_does_not_show_are_not_replaced() {
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[r#"{"id":"c1"}"#])),
        ("GET /api/v6/sites?", Reply::status(404)),
        (READ_1, shown("c1", r#""s1""#)),
    ]);
    let rows = "id,site_ids\nc1,s2\n";
    let run = apply(&service.world(), "clients.csv", rows, &["--yes"]);
    run.assert_stderr(6, contains("The sites of c1 are now: s1 (changed)"));
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
fn a_claim_is_sent_although_its_release_is_in_doubt() {
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let list = clients(&[&client("c1", r#""s1""#), &client("c2", r#""s2""#)]);
    let assigned = r#"{"error":{"details":[{"code":"already_assigned","param":"site_ids","message":"s1 is assigned"}]}}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", list),
        (READ_1, shown("c1", r#""s1""#)),
        (CHANGE_1, Reply::status(500)),
        (READ_1, shown("c1", r#""s1""#)),
        (READ_2, shown("c2", r#""s2""#)),
        (CHANGE_2, shown("c2", "")),
        (READ_2, shown("c2", "")),
        (CHANGE_2, Reply::Json(422, assigned.into())),
    ]);
    let rows = "id,site_ids\nc1,s2\nc2,s1\n";
    let args = ["--yes", "--concurrency", "1", "--retries", "0"];
    let run = apply(&service.world(), "clients.csv", rows, &args);
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
