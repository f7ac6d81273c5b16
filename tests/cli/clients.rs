//! `sitectl clients`.

use crate::common::{Server, World};
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
    // Without these sites, this client would be refused too.
    let run = world.run(&[&create[..], &["--site", "site-9999"]].concat());
    run.assert_stderr(5, contains("hint: No changes were made."));
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
    // The owner gets the site back if the client cannot have it.
    let email = ["--email", "owner@example.com", "--move-site", "site-0002"];
    let run = world.run(&[&["clients", "update", "client-0009"], &email[..]].concat());
    run.assert_stderr(5, contains("  site-0002 was given back to client-0001\n"));
    assert_eq!(sites("client-0001"), json!(["site-0002"]));
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

#[test]
fn a_released_site_is_given_back_if_its_claim_surely_failed() {
    const OWNER: &str = "POST /api/v6/clients/c1/update";
    let client = |id: &str, sites: &str| {
        format!(r#"{{"id":"{id}","email":"{id}@x.example","site_ids":[{sites}]}}"#)
    };
    let reply =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, sites)));
    let refused = || Reply::status(422);
    let owner = || ("GET /api/v6/clients/c1", reply("c1", r#""s5""#));
    let back = || (OWNER, reply("c1", r#""s5","s1""#));
    let failed = || (OWNER, Reply::status(500));
    let repair = "hint: give the site back: sitectl clients update c1 --add-site s1";
    let retry = "hint: run the same command again: it is safe";
    for (claim, then, code, note, hint) in [
        (
            Reply::Drop,
            vec![("GET", reply("c2", ""))],
            12,
            "c1 has released s1; run the same command again to finish",
            retry,
        ),
        (
            refused(),
            vec![owner(), (OWNER, refused())],
            5,
            "s1 could not be given back to c1: the service rejected the request (422)",
            repair,
        ),
        (
            refused(),
            vec![owner(), failed(), owner()],
            12,
            "s1 could not be given back to c1: the outcome of updating the client c1 is unknown: the service responded with 500",
            repair,
        ),
        (
            refused(),
            vec![("GET /api/v6/clients/c1", Reply::status(404))],
            5,
            "s1 has no client now, because c1 was deleted",
            "hint: fix the values above and retry",
        ),
        // A colleague has added a site in the meantime.
        (
            refused(),
            vec![owner(), back()],
            5,
            "s1 was given back to c1",
            "hint: fix the values above and retry",
        ),
        // The response to the claim does not show the site.
        (
            reply("c2", ""),
            vec![owner(), back()],
            1,
            "s1 was given back to c1",
            "hint: check the client: sitectl clients show c2",
        ),
    ] {
        let list = clients(&[&client("c1", r#""s1""#), &client("c2", "")]);
        let first = vec![
            ("GET /api/v6/clients/c2", reply("c2", "")),
            ("GET /api/v6/clients?", list),
            ("GET /api/v6/clients/c1", reply("c1", r#""s1""#)),
            (OWNER, reply("c1", "")),
            ("GET /api/v6/clients/c2", reply("c2", "")),
            ("POST /api/v6/clients/c2/update", claim),
        ];
        let service = Scripted::new([first, then].concat());
        let run = service.world().run("clients update c2 --move-site s1");
        run.assert_stderr(
            code,
            contains(format!("  {note}\n{hint}")).and(contains("No changes were made").not()),
        );
    }
}

#[test]
fn a_client_that_may_keep_its_site_is_named_and_the_other_client_is_not_changed() {
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let shown =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, sites)));
    let failed = || Reply::status(500);
    let read = |reply| ("GET /api/v6/clients/c1", reply);
    let unknown = "error: the outcome of updating the client c1 is unknown: the service responded with 500; client c2 was not changed\n";
    for (release, reads, code, stderr) in [
        // The service adds to the sites.
        (
            shown("c1", r#""s1""#),
            Vec::new(),
            1,
            "error: c1 did not release s1; client c2 was not changed\n  These stayed: s1\nhint: check the client: sitectl clients show c1\n".to_string(),
        ),
        (
            failed(),
            vec![read(failed()), read(Reply::status(501))],
            12,
            format!("{unknown}  c1 may have released s1: the service responded with 501\nhint: check the client: sitectl clients show c1\n"),
        ),
        (
            failed(),
            vec![read(shown("c1", r#""s1""#)), read(shown("c1", r#""s1""#))],
            12,
            format!("{unknown}hint: run the same command again: it is safe, because an update is idempotent\n"),
        ),
    ] {
        let list = clients(&[&client("c1", r#""s1""#), &client("c2", "")]);
        let first = vec![
            ("GET /api/v6/clients/c2", shown("c2", "")),
            ("GET /api/v6/clients?", list),
            read(shown("c1", r#""s1""#)),
            ("POST /api/v6/clients/c1/update", release),
        ];
        let service = Scripted::new([first, reads].concat());
        let args = "clients update c2 --move-site s1 --retries 0";
        let run = service.world().run(args);
        assert_eq!((run.code, &run.stderr), (code, &stderr));
    }
}

#[test]
fn a_claim_that_is_not_sent_does_not_deny_the_release() {
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let shown =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, sites)));
    let list = clients(&[&client("c1", r#""s1""#), &client("c2", "")]);
    // The service stops after the release, before the claim.
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c2", shown("c2", "")),
        ("GET /api/v6/clients?", list),
        ("GET /api/v6/clients/c1", shown("c1", r#""s1""#)),
        ("POST /api/v6/clients/c1/update", shown("c1", "")),
        (
            "GET /api/v6/clients/c2",
            Reply::Last(shown("c2", "").into()),
        ),
    ]);
    let args = "clients update c2 --move-site s1 --retries 0";
    let run = service.world().run(args);
    run.assert_stderr(
        8,
        contains("; this change was not made\n  s1 could not be given back to c1")
            .and(contains(
                "hint: give the site back: sitectl clients update c1 --add-site s1",
            ))
            .and(contains("no changes were made").not()),
    );
}

#[test]
fn a_site_that_another_client_has_does_not_keep_the_others_from_their_client() {
    const OWNER: &str = "POST /api/v6/clients/c1/update";
    let client = |id: &str, sites: &str| format!(r#"{{"id":"{id}","site_ids":[{sites}]}}"#);
    let reply =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, sites)));
    let list = clients(&[&client("c1", r#""s1","s2""#), &client("c2", "")]);
    let shown = |id: &str, sites: &str| {
        let path = if id == "c1" {
            "GET /api/v6/clients/c1"
        } else {
            "GET /api/v6/clients/c2"
        };
        (path, reply(id, sites))
    };
    let taken = r#"{"error":{"status":422,"code":"x","message":"No.","details":[{"code":"already_assigned","param":"site_ids","message":"Taken"}]}}"#;
    let taken = || (OWNER, Reply::Json(422, taken.into()));
    let service = Scripted::new(vec![
        shown("c2", ""),
        ("GET /api/v6/clients?", list),
        shown("c1", r#""s1","s2""#),
        (OWNER, reply("c1", "")),
        shown("c2", ""),
        ("POST /api/v6/clients/c2/update", Reply::status(422)),
        // A colleague has given s1 to another client.
        shown("c1", ""),
        taken(),
        shown("c1", ""),
        taken(),
        shown("c1", ""),
        (OWNER, reply("c1", r#""s2""#)),
    ]);
    let args = "clients update c2 --move-site s1 --move-site s2";
    let run = service.world().run(args);
    let notes = "  s1 was not given back to c1: another client has it\n  s2 was given back to c1\n";
    run.assert_stderr(5, contains(notes));
}

#[test]
fn a_deletion_prints_one_result() {
    let world = World::sandbox();
    let run = world.run("clients delete client-0060 client-9999 client-0060 --yes --json");
    let error = json!({"id": "client-9999", "code": "not_found", "message": "Client not found."});
    let result = json!({"deleted": ["client-0060"], "errors": [error], "requested": 2, "succeeded": 1, "failed": 1});
    assert_eq!((run.code, run.json()), (9, result), "{}", run.transcript());
    assert_eq!(
        run.error()["hints"][0],
        "list the existing clients: sitectl --sandbox clients list; \
         to ignore missing clients, add --ignore-not-found"
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
