//! `sitectl clients`.

use crate::common::{Server, start, wait};
use crate::service::{Reply, Scripted, Service, clients};
use predicates::str::contains;
use serde_json::json;
use snapbox::{assert_data_eq, str};
use std::os::unix::fs::PermissionsExt;

#[test]
fn sites_that_need_no_change_are_not_sent() {
    // The record needs no id.
    let shown = || Reply::Json(200, r#"{"client":{"site_ids":["s1"]}}"#.into());
    for (flag, site, warning) in [
        (
            "--remove-site",
            "typo",
            "warning: c1 does not have the site 'typo'\n",
        ),
        ("--add-site", "s1", ""),
        ("--set-site", "s1", ""),
    ] {
        let list = ("GET /api/v6/clients?", clients(&[r#"{"id":"c1"}"#]));
        let list = (flag != "--remove-site").then_some(list).into_iter();
        let own = ("GET /api/v6/clients/c1", shown());
        let service = Scripted::new(list.chain([own]).collect());
        let args = ["clients", "update", "c1", flag, site, "-o", "ids"];
        let run = service.world().run(&args);
        assert_eq!(
            (run.code, run.stdout, run.stderr),
            (0, "c1\n".into(), format!("{warning}nothing to change\n"))
        );
    }
    // Another field is sent without the sites.
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", shown()),
        ("POST /api/v6/clients/c1/update", shown()),
        ("GET /api/v6/clients/c1", shown()),
    ]);
    let args = "clients update c1 --note n --remove-site typo --fields id,site_ids -o csv";
    let run = service.world().run(args);
    assert_eq!(run.stdout, "id,site_ids\nc1,s1\n");
    let body = r#"{"client":{"note":"n"}}"#;
    assert_eq!(service.requests()[1].body, body);
}

#[test]
fn an_update_ignores_unknown_fields_that_are_those_of_the_service() {
    let shown = |value: &str| {
        let record = json!({"client": {"id": "c1", "note": "k", "x_unknown": value}});
        Reply::Json(200, record.to_string())
    };
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", shown("1")),
        ("POST /api/v6/clients/c1/update", shown("1")),
        ("GET /api/v6/clients/c1", shown("2")),
    ]);
    let file = r#"{"id": "c1", "note": "k", "x_unknown": "1"}"#;
    let world = service.world();
    let update = || world.run_with("clients update c1 --from-file -", file);
    assert_eq!(update().code, 0);
    update().assert_stderr(5, contains("field x_unknown: Is not a known column"));
}

#[test]
fn an_update_that_depends_on_another_client_is_refused() {
    let shown = r#"{"client": {"id": "c2", "site_ids": ["s9"]}}"#;
    let service = Scripted::new(vec![(
        "GET /api/v6/clients/c1",
        Reply::Json(200, shown.into()),
    )]);
    let run = service.world().run("clients update c1 --remove-site s1");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the service shows the client 'c2' instead of 'c1'; no changes were made
exit 8

"#]]
    );
}

#[test]
fn sites_that_are_not_shown_are_missing_in_the_saved_clients() {
    let shown = Reply::Json(200, json!({"client": {"id": "c1"}}).to_string());
    let deleted = Reply::Json(
        200,
        json!({"delete": {"ids": ["c1"], "errors": []}}).to_string(),
    );
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", shown),
        ("POST /api/v6/clients/delete", deleted),
    ]);
    let world = service.world();
    let run = world.run("clients delete c1 --yes --save saved.json");
    let saved = std::fs::metadata(world.path("saved.json")).unwrap();
    assert_eq!(saved.permissions().mode() & 0o777, 0o600);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
deleted    c1
requested  1
succeeded  1
failed     0
[stderr]
Saved 1 client to saved.json
warning: saved.json lacks the sites of 1 client, because the service does not show them
exit 0

"#]]
    );
}

#[test]
fn an_update_of_the_email_in_doubt_is_repeated_with_the_id() {
    let listed = || clients(&[r#"{"id":"c1","email":"old@x.example"}"#]);
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", listed()),
        ("POST /api/v6/clients/c1/update", Reply::Drop),
        ("GET /api/v6/clients/c1", Reply::status(500)),
    ]);
    let args = "clients update old@x.example --email new@x.example --retries 0";
    let run = service.world().run(args);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the outcome of the update of c1 is unknown: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed
hint: run the same command again with the id c1 instead of the email: it is safe, because an update is idempotent
exit 12

"#]]
    );
}

#[test]
fn the_error_of_a_deletion_counts_each_outcome() {
    let shown = || Reply::Json(200, json!({"client": {"id": "c1"}}).to_string());
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", shown()),
        ("GET /api/v6/clients/c2", Reply::status(404)),
        ("POST /api/v6/clients/delete", Reply::Drop),
        ("GET /api/v6/clients/c1", shown()),
    ]);
    let run = service
        .world()
        .run("clients delete c1 c2 --yes --retries 0");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
requested  2
succeeded  0
failed     2
[stderr]
error: 1 of 2 clients not deleted, 1 of 2 clients with an unknown outcome
  c2: Client not found. (not_found)
  c1: the outcome of the deletion is unknown: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (unknown_outcome)
hint: run the same command again with --ignore-not-found: it is safe, because a deletion is idempotent
exit 12

"#]]
    );
}

/// A service where c1 has the site s1, that answers these requests after the clients were read.
fn moving_service(replies: Vec<(&'static str, Reply)>) -> Scripted {
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let list = clients(&[&client("c1", r#""s1""#), &client("c2", "")]);
    let first = vec![
        ("GET /api/v6/clients?", list),
        ("GET /api/v6/clients/c2", shown("c2", "")),
        ("GET /api/v6/clients/c1", shown("c1", r#""s1""#)),
    ];
    Scripted::new([first, replies].concat())
}

fn shown(id: &str, sites: &str) -> Reply {
    let client = format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    Reply::Json(200, format!(r#"{{"client":{client}}}"#))
}

#[test]
fn a_claim_that_fails_names_the_sites_that_were_released_for_it() {
    let claim = "POST /api/v6/clients/c2/update";
    let assigned = r#"{"error":{"details":[{"code":"already_assigned","param":"site_ids","message":"s1 is assigned"}]}}"#;
    let mut transcripts = String::new();
    for claim in [
        vec![(claim, Reply::status(422))],
        // A colleague gave the site to c3.
        vec![(claim, Reply::Json(422, assigned.into()))],
        // The service does not keep the site.
        vec![(claim, shown("c2", ""))],
        vec![
            (claim, Reply::Drop),
            ("GET /api/v6/clients/c2", shown("c2", "")),
        ],
    ] {
        let release = vec![
            ("POST /api/v6/clients/c1/update", shown("c1", "")),
            ("GET /api/v6/clients/c2", shown("c2", "")),
        ];
        let service = moving_service([release, claim].concat());
        let args = "clients update c2 --move-site s1 --retries 0";
        transcripts += &service.world().run(args).transcript();
    }
    assert_data_eq!(
        transcripts,
        str![[r#"
[stderr]
error: the service rejected the request (422); c1 released s1
hint: give the site back: sitectl clients update c1 --add-site s1
exit 9
[stderr]
error: the service rejected the request (422); c1 released s1
  --move-site: s1 is assigned (already_assigned)
hint: fix the values above, or add -vv to show the request and the response
exit 9
[stdout]
id  c2
[stderr]
error: the client was updated, but the service did not keep every value; c1 released s1
  --move-site: These are missing: s1 (not_kept)
hint: check the client: sitectl clients show c2
hint: give the site back: sitectl clients update c1 --add-site s1
exit 9
[stderr]
error: the outcome of the update of c2 is unknown: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed; c1 released s1
hint: run the same command again: it is safe, because an update is idempotent
hint: give the site back: sitectl clients update c1 --add-site s1
exit 12

"#]]
    );
}

#[test]
fn a_site_is_claimed_unless_it_was_surely_not_released() {
    let mut transcripts = String::new();
    for release in [
        // The service adds to the sites.
        vec![("POST", shown("c1", r#""s1""#))],
        vec![
            ("POST", Reply::status(500)),
            ("GET", shown("c1", r#""s1""#)),
            ("GET", shown("c2", "")),
            ("POST", shown("c2", r#""s1""#)),
        ],
    ] {
        let args = "clients update c2 --move-site s1 --retries 0 -o ids";
        transcripts += &moving_service(release).world().run(args).transcript();
    }
    assert_data_eq!(
        transcripts,
        str![[r#"
[stderr]
error: c1 did not release s1: the client was updated, but the service did not keep every value; client c2 was not changed
  These stayed: s1
hint: check the client: sitectl clients show c1
exit 1
[stdout]
c2
exit 0

"#]]
    );
}

#[test]
fn a_site_that_the_client_has_is_not_blamed_on_the_flag() {
    let refused = r#"{"error":{"details":[{"code":"invalid_id","param":"site_ids","message":"Site \"s1\" is not available"},{"code":"invalid_id","param":"site_ids","message":"Site \"s10\" is not available"}]}}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[r#"{"id":"c1"}"#])),
        ("GET /api/v6/clients/c1", shown("c1", r#""s1""#)),
        (
            "GET /api/v6/sites/s10",
            Reply::Json(200, r#"{"site":{"id":"s10"}}"#.into()),
        ),
        (
            "POST /api/v6/clients/c1/update",
            Reply::Json(422, refused.into()),
        ),
    ]);
    let run = service.world().run("clients update c1 --add-site s10");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the service rejected the request (422); no changes were made
  s1: Site "s1" is not available (invalid_id)
  --add-site: Site "s10" is not available (invalid_id)
hint: fix the values above and retry
exit 5

"#]]
    );
}

#[test]
fn sites_are_read_again_after_a_wait_before_they_are_replaced() {
    let change = "POST /api/v6/clients/c1/update";
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", shown("c1", r#""s1","s2""#)),
        (change, Reply::status(429)),
        ("GET /api/v6/clients/c1", shown("c1", r#""s1","s2","s3""#)),
    ]);
    let run = service.world().run("clients update c1 --remove-site s1");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: the client's sites have changed since they were read
  --remove-site: The sites of c1 are now: s1, s2, s3 (changed)
hint: run the same command again
exit 6

"#]]
    );
}

#[test]
fn the_id_of_a_changed_client_is_printed_although_the_response_lacks_it() {
    let service = Service::start(|request| {
        let client = r#"{"first_name":"Ada","email":"a@x.example","note":"n"}"#;
        if request.line.starts_with("GET") {
            return clients(&[
                r#"{"id":"c1","first_name":"Ada","email":"a@x.example","note":"n"}"#,
            ]);
        }
        Reply::Json(200, format!(r#"{{"client":{client}}}"#))
    });
    for args in [
        &[
            "clients",
            "create",
            "--first-name",
            "Ada",
            "--email",
            "a@x.example",
        ][..],
        &["clients", "update", "c1", "--note", "n"],
    ] {
        let run = service.world().run(&[args, &["-o", "ids"]].concat());
        assert_eq!(
            (run.code, &*run.stdout),
            (0, "c1\n"),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn many_emails_are_looked_up_by_one_read_of_the_list() {
    let server = Server::start("");
    let world = server.world();
    let emails: Vec<String> = world
        .run("clients list --limit 30 --fields email -o csv --no-header")
        .stdout
        .lines()
        .map(str::to_uppercase)
        .collect();
    let run = world.run_with(
        "clients delete - nobody@example.com --yes --json -v",
        &emails.join("\n"),
    );
    let result = run.json();
    assert_eq!(
        (run.code, &result["succeeded"], &result["failed"]),
        (9, &json!(30), &json!(1)),
        "{}",
        run.transcript()
    );
    assert_eq!(result["errors"][0]["id"], "nobody@example.com");
    assert_eq!(
        run.stderr
            .lines()
            .filter(|line| line.contains("/api/v6/clients"))
            .count(),
        2,
        "{}",
        run.stderr
    );
}

#[test]
fn an_email_is_found_in_any_case() {
    // The filter compares letter case.
    let service = Service::start(|request| {
        if request.line.contains("filters") {
            return clients(&[]);
        }
        if request.line.starts_with("POST") {
            return Reply::Drop;
        }
        clients(&[r#"{"id":"c1","first_name":"Ada","email":"Ada@X.example"}"#])
    });
    let world = service.world();
    let show = |email| world.run(&["clients", "show", email, "-o", "ids"]);
    assert_eq!(show("ADA@x.example").stdout, "c1\n");
    assert_eq!(show("al@x.example").code, 4);
    let create = ["clients", "create", "--first-name", "Ada", "--email"];
    let run = world.run(&[&create[..], &["ada@x.example", "-o", "ids"]].concat());
    assert_eq!(
        (run.code, &*run.stdout),
        (0, "c1\n"),
        "{}",
        run.transcript()
    );
}

#[test]
fn commands_on_one_machine_do_not_undo_each_others_sites() {
    let server = Server::start("--latency 20ms --rate-limit 10000");
    let world = server.world();
    let update = |site| {
        world.start(format!(
            "clients update client-0001 --add-site site-00{site}"
        ))
    };
    let children: Vec<_> = (36..=40).map(update).collect();
    for run in children.into_iter().map(wait) {
        assert_eq!(run.code, 0, "{}", run.transcript());
    }
    let shown = world.run("clients show client-0001 --json").json();
    assert_eq!(shown["site_ids"].as_array().unwrap().len(), 7, "{shown}");
    // Where the lock cannot be had, a warning says so.
    let mut command = world.command("clients update client-0001 --remove-site site-0036");
    let run = wait(start(command.env("SITECTL_STATE_DIR", "/dev/null/no")));
    run.assert_stderr(
        0,
        contains("warning: other commands on this machine can change"),
    );
}
