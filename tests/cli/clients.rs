//! `sitectl clients`.

use crate::common::{Run, Server, World, start, wait};
use crate::service::{Reply, Scripted, Service, clients};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;
use snapbox::{assert_data_eq, str};

#[test]
fn a_client_is_created_shown_updated_and_deleted() {
    let world = World::sandbox();
    let created = world
        .run("clients create --first-name Ada --email ada@example.com --site site-0036 --json");
    let id = created.json()["id"].as_str().unwrap().to_string();
    assert_eq!(
        world.run(&["clients", "show", &id, "--json"]).json(),
        created.json()
    );
    let update = "clients update ADA@example.com --note first --add-site site-0037 --json";
    let updated = world.run(update).json();
    assert_eq!(
        (&updated["note"], &updated["site_ids"]),
        (&json!("first"), &json!(["site-0036", "site-0037"]))
    );
    assert_eq!(world.run(&["clients", "delete", &id, "--yes"]).code, 0);
    assert_eq!(world.run("clients show ada@example.com").code, 4);
    assert_eq!(
        world
            .run("clients list --json")
            .json()
            .as_array()
            .unwrap()
            .len(),
        60
    );
}

#[test]
fn all_local_problems_are_reported_at_once() {
    let nowhere = World::on("http://127.0.0.1:1/api/v6");
    let long = "ü".repeat(256);
    let run = nowhere.run(&[
        "clients",
        "create",
        "--first-name",
        " ",
        "--email",
        "nobody",
        "--last-name",
        &long,
    ]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: Invalid parameters.
  --first-name: Can't be blank (blank)
  --last-name: Is too long (maximum is 255 characters) (too_long)
  --email: Invalid email format (invalid_format)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let run = nowhere.run("clients create --json");
    let blank = |field: &str| json!({"code": "blank", "param": field, "message": "Can't be blank"});
    assert_eq!(
        (run.code, &run.error()["details"]),
        (5, &json!([blank("first_name"), blank("email")]))
    );
}

#[test]
fn a_client_that_was_shown_can_be_the_file_of_its_update() {
    let world = World::sandbox();
    let shown = world.run("clients show client-0001 --json");
    let email = shown.json()["email"].as_str().unwrap().to_string();
    for client in ["client-0001", &email] {
        let update = ["clients", "update", client, "--json", "--from-file", "-"];
        let run = world.run_with(&update, &shown.stdout);
        assert_eq!(run.json()["site_ids"], shown.json()["site_ids"]);
    }
    for (args, problem) in [
        (
            &["update", "client-0002"][..],
            "but the client to update is 'client-0002'",
        ),
        (&["create"], "remove the id to create a client"),
    ] {
        let run = world.run_with(
            &[&["clients"], args, &["--from-file", "-"]].concat(),
            &shown.stdout,
        );
        run.assert_stderr(
            5,
            contains("stdin record 1, field id: Is 'client-0001'").and(contains(problem)),
        );
    }
    let unknown = "clients update client-0001 --from-file -";
    let run = world.run_with(unknown, r#"{"client": {"note": "x"}}"#);
    run.assert_stderr(
        5,
        contains("stdin record 1, field client: Is not a known column"),
    );
}

#[test]
fn fields_come_from_a_file_and_flags_override_them() {
    let world = World::sandbox();
    let create = |text: &str, more: &[&str]| {
        world.run_with(
            &[&["clients", "create", "--from-file", "-"], more].concat(),
            text,
        )
    };
    let file = r#"{"first_name": "Alan", "last_name": null, "email": "alan@example.com", "note": "from file"}"#;
    let run = create(file, &["--note", "from flag", "--json"]);
    assert_eq!(
        (
            run.json()["first_name"].as_str(),
            run.json()["note"].as_str()
        ),
        (Some("Alan"), Some("from flag"))
    );
    for (text, problem) in [
        ("[]", "expected one JSON object"),
        ("{\n \"a\": }", "line 2 column 7"),
        (
            r#"{"first_name":"A","email":"a@b.example","frist_name":1}"#,
            "did you mean 'first_name'?",
        ),
        (
            r#"{"first_name":"A","email":"a@b.example","email":"c@d.example"}"#,
            "stdin record 1, field email ('c@d.example'): Is in the record twice (duplicate_field)",
        ),
    ] {
        let run = create(text, &[]);
        assert!(
            run.code == 5 && run.stderr.matches(problem).count() == 1,
            "{}",
            run.transcript()
        );
    }
    assert!(
        !create("{\"frist\": 1}", &[])
            .stderr
            .contains("Is not a field")
    );
    assert_eq!(world.run("clients create --from-file gone.json").code, 2);
    let update = "clients update client-0001 --from-file - --add-site site-0036";
    assert_eq!(
        world
            .run_with(update, r#"{"site_ids": ["site-0037"]}"#)
            .code,
        2
    );
    let text =
        "{\"first_name\": \"A\",\n \"email\": \"a@b.example\",\n \"site_ids\": [\"site-9999\"]}";
    let run = create(text, &["--email", "owner@example.com"]);
    let lines = "  --email: Is the account owner's email (owner_email)\n  stdin record 1, field site_ids: Site \"site-9999\" is not";
    run.assert_stderr(5, contains(lines));
}

#[test]
fn an_update_changes_only_the_given_fields() {
    let world = World::sandbox();
    let before = world.run("clients show client-0001 --json").json();
    let after = world
        .run("clients update client-0001 --note '' --remove-site site-0001 --json")
        .json();
    assert_eq!(
        (&after["note"], &after["site_ids"]),
        (&json!(""), &json!(["site-0002"]))
    );
    for field in [
        "first_name",
        "last_name",
        "email",
        "company_name",
        "address",
        "created_at",
    ] {
        assert_eq!(before[field], after[field], "{field}");
    }
    let cleared = world
        .run("clients update client-0001 --clear-sites --json")
        .json();
    assert_eq!(cleared["site_ids"], json!([]));
}

#[test]
fn sites_that_need_no_change_are_not_sent() {
    let shown = || Reply::Json(200, r#"{"client":{"id":"c1","site_ids":["s1"]}}"#.into());
    for (flag, site, warning) in [
        (
            "--remove-site",
            "typo",
            "warning: c1 does not have the site 'typo'\n",
        ),
        ("--add-site", "s1", ""),
        ("--set-site", "s1", ""),
    ] {
        let service = Scripted::new(vec![("GET /api/v6/clients/c1", shown())]);
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
    let args = "clients update c1 --note n --remove-site typo";
    service.world().run(args);
    let body = r#"{"client":{"note":"n"}}"#;
    assert_eq!(service.requests()[1].body, body);
}

#[test]
fn a_site_is_not_both_added_and_removed() {
    let world = World::sandbox();
    for (added, removed) in [
        (["--add-site", "site-0036"], "site-0036"),
        (
            ["--move-site", "https://site-0003.example.com"],
            "site-0003",
        ),
    ] {
        let args = ["clients", "update", "client-0001", "--remove-site", removed];
        let run = world.run(&[&args[..], &added].concat());
        run.assert_stderr(
            2,
            contains(format!("'{removed}' is both added and removed")),
        );
    }
}

#[test]
fn a_site_moves_from_the_client_that_has_it() {
    let world = World::sandbox();
    assert_data_eq!(
        world
            .run("clients update client-0009 --add-site site-0001 --add-site site-0003")
            .transcript(),
        str![[r#"
[stderr]
error: Unprocessable entity.
  --add-site: Site "site-0001" is assigned to another client (already_assigned)
  --add-site: Site "site-0003" is assigned to another client (already_assigned)
hint: move site-0003 from Liam O'Connor (client-0002), site-0001 from Amara Okafor (client-0001) before you run the same command again: sitectl --sandbox clients update client-0009 --move-site site-0003 --move-site site-0001
exit 5

"#]]
    );
    let create = [
        "clients",
        "create",
        "--first-name",
        "A",
        "--email",
        "a@example.com",
        "--site",
        "site-0001",
    ];
    let run = world.run(&create);
    let hint = "hint: create the client without these sites, then move site-0001 from Amara Okafor (client-0001): sitectl";
    run.assert_stderr(5, contains(hint));
    let sites = |id: &str| world.run(&["clients", "show", id, "--json"]).json()["site_ids"].clone();
    let own = sites("client-0009").as_array().unwrap().clone();
    let run = world.run("clients update client-0009 --move-site site-0001 --json");
    assert_eq!(
        run.json()["site_ids"],
        json!([&own[..], &[json!("site-0001")]].concat()),
        "{}",
        run.transcript()
    );
    assert_eq!(sites("client-0001"), json!(["site-0002"]));
    // It has the site already.
    let url = "https://site-0001.example.com";
    assert_eq!(
        world
            .run(&["clients", "update", "client-0009", "--move-site", url])
            .code,
        0
    );
    let removed =
        world.run("clients update client-0009 --remove-site site-0001.example.com --json");
    assert_eq!(
        removed.json()["site_ids"],
        json!(own),
        "{}",
        removed.transcript()
    );
    assert_eq!(
        world
            .run("clients update client-0009 --add-site nowhere.example.com")
            .code,
        4
    );
    // The client cannot have the email, so that the site has no client.
    let email = ["--email", "owner@example.com", "--move-site", "site-0002"];
    let run = world.run(&[&["clients", "update", "client-0009"], &email[..]].concat());
    let note =
        "  site-0002 of client-0001 has no client now\nhint: give the site back: sitectl --sandbox";
    run.assert_stderr(9, contains(note));
    assert_eq!(sites("client-0001"), json!([]));
}

#[test]
fn an_update_ignores_unknown_fields_that_are_those_of_the_service() {
    let shown = |phone: &str| {
        let record = json!({"client": {"id": "c1", "note": "k", "phone": phone}});
        Reply::Json(200, record.to_string())
    };
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", shown("1")),
        ("POST /api/v6/clients/c1/update", shown("1")),
        ("GET /api/v6/clients/c1", shown("2")),
    ]);
    let file = r#"{"id": "c1", "note": "k", "phone": "1"}"#;
    let world = service.world();
    let update = || world.run_with("clients update c1 --from-file -", file);
    assert_eq!(update().code, 0);
    update().assert_stderr(5, contains("field phone: Is not a known column"));
}

#[test]
fn an_update_that_depends_on_another_client_is_refused() {
    let shown = r#"{"client": {"id": "c2", "site_ids": ["s9"]}}"#;
    let service = Scripted::new(vec![(
        "GET /api/v6/clients/c1",
        Reply::Json(200, shown.into()),
    )]);
    let run = service.world().run("clients update c1 --add-site s1");
    run.assert_stderr(
        8,
        contains("the service shows the client 'c2' instead of 'c1'"),
    );
}

#[test]
fn the_letter_case_of_an_id_does_not_make_another_client() {
    let shown = r#"{"client": {"id": "c1", "note": "k"}}"#;
    let service = Scripted::new(vec![(
        "POST /api/v6/clients/C1/update",
        Reply::Json(200, shown.into()),
    )]);
    let run = service.world().run("clients update C1 --note k");
    assert_eq!(run.code, 0, "{}", run.transcript());
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
    run.assert_stderr(
        0,
        contains("warning: saved.json lacks the sites of 1 client, "),
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
    run.assert_stderr(
        12,
        contains("run the same command again with the id c1 instead"),
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
    let counts = "error: 1 of 2 clients not deleted, 1 of 2 clients with an unknown outcome\n";
    run.assert_stderr(12, contains(counts));
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
fn a_claim_that_fails_names_the_site_that_has_no_client_now() {
    let has_none = "  s1 of c1 has no client now\nhint: give the site back: sitectl clients update c1 --add-site s1\n";
    let may_have_none =
        "  s1 of c1 may have no client now\nhint: run the same command again: it is safe";
    let lost = vec![
        ("POST /api/v6/clients/c2/update", Reply::Drop),
        ("GET /api/v6/clients/c2", shown("c2", "")),
    ];
    for (claim, code, note) in [
        (
            vec![("POST /api/v6/clients/c2/update", Reply::status(422))],
            9,
            has_none,
        ),
        // The service does not keep the site.
        (
            vec![("POST /api/v6/clients/c2/update", shown("c2", ""))],
            9,
            has_none,
        ),
        (lost, 12, may_have_none),
    ] {
        let release = vec![("POST /api/v6/clients/c1/update", shown("c1", ""))];
        let service = moving_service([release, claim].concat());
        let args = "clients update c2 --move-site s1 --retries 0";
        let run = service.world().run(args);
        run.assert_stderr(
            code,
            contains(note).and(contains("o changes were made").not()),
        );
    }
}

#[test]
fn a_site_that_is_not_released_is_not_claimed() {
    let failed = || Reply::status(500);
    let unknown = "c1 may not have released s1: the outcome of the update of c1 is unknown: the service responded with 500; client c2 was not changed\n  s1 of c1 may have no client now\n";
    for (release, code, stderr) in [
        // The service adds to the sites.
        (
            vec![("POST", shown("c1", r#""s1""#))],
            1,
            "c1 did not release s1: the client was updated, but the service did not keep every value; client c2 was not changed\n  These stayed: s1\n",
        ),
        (vec![("POST", failed()), ("GET", failed())], 12, unknown),
        (
            vec![("POST", failed()), ("GET", shown("c1", r#""s1""#))],
            12,
            unknown,
        ),
    ] {
        let args = "clients update c2 --move-site s1 --retries 0";
        let run = moving_service(release).world().run(args);
        run.assert_stderr(code, contains(format!("error: {stderr}")));
    }
}

#[test]
fn a_deletion_prints_one_result() {
    let world = World::sandbox();
    let run = world.run("clients delete client-0060 client-9999 client-0060 --yes --json");
    let error = json!({"id": "client-9999", "code": "not_found", "message": "Client not found."});
    let result = json!({"deleted": ["client-0060"], "ignored": [], "errors": [error], "requested": 2, "succeeded": 1, "failed": 1});
    assert_eq!((run.code, run.json()), (9, result), "{}", run.transcript());
    assert_eq!(
        run.error()["hints"][0],
        "list the existing clients: sitectl --sandbox clients list"
    );
    assert_eq!(
        run.error()["hints"][1],
        "to ignore missing clients, add --ignore-not-found"
    );
    let run = world.run("clients delete client-9999 nobody@example.com --yes");
    let line = "  nobody@example.com: Client not found. (not_found)\n";
    run.assert_stderr(4, contains(line));
    let run = world.run("clients delete client-9999 client-0059 --yes --ignore-not-found --json");
    assert_eq!(
        (run.code, &run.json()["ignored"], &run.json()["deleted"]),
        (0, &json!(["client-9999"]), &json!(["client-0059"]))
    );
    let run = world.run_with(
        "clients delete - --yes -o ids",
        "client-0058\n\n client-0057 \n",
    );
    assert_eq!(run.stdout, "client-0058\nclient-0057\n");
    assert_eq!(world.run("clients list -o ids").stdout.lines().count(), 56);
}

#[test]
fn saved_clients_can_be_created_again() {
    let world = World::sandbox();
    let show = || {
        let mut client = world
            .run("clients show liam@oconnor-sons.example --json")
            .json();
        for field in ["id", "created_at", "updated_at"] {
            client.as_object_mut().unwrap().remove(field).unwrap();
        }
        client
    };
    let before = show();
    for name in ["saved.json", "saved.csv"] {
        let path = world.path(name);
        let path = path.to_str().unwrap();
        let delete = [
            "clients",
            "delete",
            "liam@oconnor-sons.example",
            "--yes",
            "--save",
            path,
        ];
        assert_eq!(world.run(&delete).code, 0);
        let run = world.run(format!(
            "clients apply {path} --input-format json --yes --json"
        ));
        assert_eq!(
            run.json()["created"].as_array().unwrap().len(),
            1,
            "{}",
            run.transcript()
        );
        assert_eq!(show(), before);
        // The file keeps the clients of the earlier deletion, and nothing is deleted.
        assert_eq!(world.run(&delete).code, 2);
        assert_eq!(show(), before);
    }
    let run = world.run("clients delete client-0001 --yes --save -");
    run.assert_stderr(2, contains("--save requires a file"));
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
fn a_csv_file_is_refused_as_a_list_of_clients_to_delete() {
    let world = World::sandbox();
    let run = world.run_with("clients delete - --yes", "id,email\nclient-0001,a@b\n");
    let hint = "List the ids: sitectl --sandbox clients list -o ids";
    run.assert_stderr(5, contains(hint));
}

#[test]
fn a_repeated_site_is_sent_once() {
    let service = Scripted::new(vec![("POST", Reply::status(422))]);
    let args = "clients create --first-name A --email a@x.example --site s1 --site s1";
    service.world().run(args);
    assert!(service.requests()[0].body.contains(r#""site_ids":["s1"]"#));
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

#[test]
fn ids_to_delete_are_lines_or_json_without_quotes() {
    let world = World::sandbox();
    let delete = |text: &str| world.run_with("clients delete - --yes -o ids", text);
    let ids = |run: &Run| (run.code, run.stdout.clone());
    let deleted = |ids: &str| (0, ids.to_string());
    assert_eq!(ids(&delete(r#"["client-0060"]"#)), deleted("client-0060\n"));
    let list = world
        .run("clients list --limit 1 --search client-0059 --json")
        .stdout;
    assert_eq!(delete(&list).code, 0);
    let records = r#"[{"id": "client-0058", "email": "x"}, "client-0057"]"#;
    assert_eq!(ids(&delete(records)), deleted("client-0058\nclient-0057\n"));
    for wrong in [
        "\"client-0056\"\n",
        "'client-0056'",
        "[7.5, {}]",
        "[\"a\"",
        "{}",
        "id,email\na,b\n",
    ] {
        let run = delete(wrong);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (5, ""),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn a_dry_run_shows_what_would_change() {
    let world = World::sandbox();
    let update = "clients update client-0009 --note n --move-site site-0001 --dry-run --json";
    let plan = world.run(update).json();
    let released = json!({"from": ["site-0001", "site-0002"], "to": ["site-0002"]});
    assert_eq!(
        (&plan[0]["key"], &plan[0]["changes"]["site_ids"]),
        (&json!("client-0001"), &released)
    );
    assert_eq!(
        (
            &plan[1]["action"],
            &plan[1]["id"],
            &plan[1]["changes"]["note"]["to"]
        ),
        (&json!("update"), &json!("client-0009"), &json!("n"))
    );
    let run = world.run("clients delete client-0001 client-0002 --dry-run");
    assert!(
        run.code == 0 && run.stdout.starts_with("- delete client-0001  Amara Okafor"),
        "{}",
        run.transcript()
    );
    let run = world.run("clients delete client-0001 nobody --dry-run");
    run.assert_stderr(4, contains("error: client 'nobody' not found"));
    assert_eq!(world.run("clients list -o ids").stdout.lines().count(), 60);
    let run = world.run("clients delete client-0001 client-0002");
    let names = "confirmation required: delete 2 clients: client-0001, client-0002, in the sandbox";
    run.assert_stderr(2, contains(names));
}

#[test]
fn a_search_for_a_full_name_names_the_options_that_find_it() {
    let world = World::sandbox();
    let hint = "clients list --first-name Amara --last-name Okafor\n";
    let run = world.run(&["clients", "list", "--search", "Amara Okafor"]);
    run.assert_stderr(0, contains(hint));
    let run = world.run(&["clients", "show", "Amara Okafor"]);
    run.assert_stderr(4, contains(hint));
    let args = "clients list --first-name Amara --last-name Okafor -o ids";
    assert_eq!(world.run(args).stdout, "client-0001\n");
}
