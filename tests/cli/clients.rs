//! `sitectl clients`.

use crate::scripted::{Reply, Scripted, clients};
use crate::support::{Server, World};
use serde_json::json;
use snapbox::{assert_data_eq, str};

#[test]
fn a_client_is_created_shown_updated_and_deleted() {
    let world = World::sandbox();
    let created = world.run(&[
        "clients",
        "create",
        "--first-name",
        "Ada",
        "--email",
        "ada@example.com",
        "--site",
        "site-0036",
        "--json",
    ]);
    let id = created.json()["id"].as_str().unwrap().to_string();
    assert_eq!(
        world.run(&["clients", "show", &id, "--json"]).json(),
        created.json()
    );
    let update = [
        "clients",
        "update",
        "ADA@example.com",
        "--note",
        "first",
        "--add-site",
        "site-0037",
        "--json",
    ];
    let updated = world.run(&update).json();
    assert_eq!(
        (&updated["note"], &updated["site_ids"]),
        (&json!("first"), &json!(["site-0036", "site-0037"]))
    );
    assert_eq!(world.run(&["clients", "delete", &id, "--yes"]).code, 0);
    assert_eq!(world.run(&["clients", "show", "ada@example.com"]).code, 4);
    assert_eq!(
        world
            .run(&["clients", "list", "--json"])
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
    let run = nowhere.run(&["clients", "create", "--json"]);
    let blank = |field: &str| json!({"code": "blank", "param": field, "message": "Can't be blank"});
    assert_eq!(
        (run.code, &run.error()["details"]),
        (5, &json!([blank("first_name"), blank("email")]))
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
            r#"{"first_name":"A","email":"a@b.example","frist":1}"#,
            "did you mean 'first_name'?",
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
    assert_eq!(
        world
            .run(&["clients", "create", "--from-file", "gone.json"])
            .code,
        2
    );
    let update = [
        "clients",
        "update",
        "client-0001",
        "--from-file",
        "-",
        "--add-site",
        "site-0036",
    ];
    assert_eq!(
        world
            .run_with(&update, r#"{"site_ids": ["site-0037"]}"#)
            .code,
        2
    );
    let text =
        "{\"first_name\": \"A\",\n \"email\": \"a@b.example\",\n \"site_ids\": [\"site-9999\"]}";
    let run = create(text, &["--email", "owner@example.com"]);
    let lines = "  --email: Is the account owner's email (owner_email)\n  stdin record 1, field site_ids: Site \"site-9999\" is not";
    assert!(
        run.code == 5 && run.stderr.contains(lines),
        "{}",
        run.transcript()
    );
}

#[test]
fn an_update_changes_only_the_given_fields() {
    let world = World::sandbox();
    let before = world
        .run(&["clients", "show", "client-0001", "--json"])
        .json();
    let after = world
        .run(&[
            "clients",
            "update",
            "client-0001",
            "--note",
            "",
            "--remove-site",
            "site-0001",
            "--json",
        ])
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
        .run(&[
            "clients",
            "update",
            "client-0001",
            "--clear-sites",
            "--json",
        ])
        .json();
    assert_eq!(cleared["site_ids"], json!([]));
}

#[test]
fn a_site_moves_from_the_client_that_has_it() {
    let world = World::sandbox();
    assert_data_eq!(
        world
            .run(&[
                "clients",
                "update",
                "client-0009",
                "--add-site",
                "site-0001",
                "--add-site",
                "site-0003"
            ])
            .transcript(),
        str![[r#"
[stderr]
error: Unprocessable entity.
  --add-site: Site "site-0001" is assigned to another client (already_assigned)
  --add-site: Site "site-0003" is assigned to another client (already_assigned)
hint: move site-0003 from Liam O'Connor (client-0002), site-0001 from Amara Okafor (client-0001): sitectl --sandbox clients update client-0009 --move-site site-0003 --move-site site-0001
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
    assert!(
        run.code == 5 && run.stderr.contains(hint),
        "{}",
        run.transcript()
    );
    let sites = |id: &str| world.run(&["clients", "show", id, "--json"]).json()["site_ids"].clone();
    let own = sites("client-0009").as_array().unwrap().clone();
    let run = world.run(&[
        "clients",
        "update",
        "client-0009",
        "--move-site",
        "site-0001",
        "--json",
    ]);
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
    let removed = world.run(&[
        "clients",
        "update",
        "client-0009",
        "--remove-site",
        "site-0001.example.com",
        "--json",
    ]);
    assert_eq!(
        removed.json()["site_ids"],
        json!(own),
        "{}",
        removed.transcript()
    );
    assert_eq!(
        world
            .run(&[
                "clients",
                "update",
                "client-0009",
                "--add-site",
                "nowhere.example.com"
            ])
            .code,
        4
    );
    // The owner gets the site back if the client cannot have it.
    let email = ["--email", "owner@example.com", "--move-site", "site-0002"];
    let run = world.run(&[&["clients", "update", "client-0009"], &email[..]].concat());
    assert!(
        run.code == 5
            && run
                .stderr
                .contains("  site-0002 was given back to client-0001\n"),
        "{}",
        run.transcript()
    );
    assert_eq!(sites("client-0001"), json!(["site-0002"]));
}

#[test]
fn a_released_site_is_given_back_if_its_claim_surely_failed() {
    const OWNER: &str = "POST /api/v6/clients/c1/update";
    let client = |id: &str, sites: &str| {
        format!(r#"{{"id":"{id}","email":"{id}@x.example","site_ids":[{sites}]}}"#)
    };
    let reply =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, sites)));
    let refused = || Reply::Json(422, String::new());
    let back = || (OWNER, reply("c1", r#""s1""#));
    for (claim, then, code, note) in [
        (
            Reply::Drop,
            ("GET", reply("c2", "")),
            12,
            "c1 has released s1; run the same command again to finish",
        ),
        (
            refused(),
            (OWNER, refused()),
            5,
            "s1 could not be given back to c1: the service rejected the request (422)",
        ),
        // The response to the claim does not show the site.
        (reply("c2", ""), back(), 1, "s1 was given back to c1"),
    ] {
        let service = Scripted::new(vec![
            ("GET /api/v6/clients/c2", reply("c2", "")),
            (
                "GET /api/v6/clients?",
                clients(&[&client("c1", r#""s1""#), &client("c2", "")]),
            ),
            (OWNER, reply("c1", "")),
            ("POST /api/v6/clients/c2/update", claim),
            then,
        ]);
        let run = service
            .world()
            .run(&["clients", "update", "c2", "--move-site", "s1"]);
        assert!(
            run.code == code && run.stderr.contains(&format!("  {note}\n")),
            "{}",
            run.transcript()
        );
        service.requests();
    }
}

#[test]
fn a_deletion_prints_one_result() {
    let world = World::sandbox();
    let run = world.run(&[
        "clients",
        "delete",
        "client-0060",
        "client-9999",
        "client-0060",
        "--yes",
        "--json",
    ]);
    let error = json!({"id": "client-9999", "code": "not_found", "message": "Client not found."});
    let result = json!({"deleted": ["client-0060"], "errors": [error], "requested": 2, "succeeded": 1, "failed": 1});
    assert_eq!((run.code, run.json()), (9, result), "{}", run.transcript());
    assert_eq!(
        run.error()["hint"],
        "add --ignore-not-found to ignore missing clients"
    );
    let run = world.run(&[
        "clients",
        "delete",
        "client-9999",
        "nobody@example.com",
        "--yes",
    ]);
    let line = "  nobody@example.com: Client not found. (not_found)\n";
    assert!(
        run.code == 4 && run.stderr.contains(line),
        "{}",
        run.transcript()
    );
    let run = world.run(&[
        "clients",
        "delete",
        "client-9999",
        "client-0059",
        "--yes",
        "--ignore-not-found",
        "--json",
    ]);
    assert_eq!(
        (run.code, &run.json()["ignored"], &run.json()["deleted"]),
        (0, &json!(["client-9999"]), &json!(["client-0059"]))
    );
    let run = world.run_with(
        &["clients", "delete", "-", "--yes", "-o", "ids"],
        "client-0058\n\n client-0057 \n",
    );
    assert_eq!(run.stdout, "client-0058\nclient-0057\n");
    assert_eq!(
        world
            .run(&["clients", "list", "-o", "ids"])
            .stdout
            .lines()
            .count(),
        56
    );
}

#[test]
fn emails_are_looked_up_by_reading_the_list_once() {
    let server = Server::start(&[]);
    let world = server.world();
    let emails: Vec<String> = world
        .run(&[
            "clients",
            "list",
            "--limit",
            "30",
            "--fields",
            "email",
            "-o",
            "csv",
            "--no-header",
        ])
        .stdout
        .lines()
        .map(str::to_uppercase)
        .collect();
    let run = world.run_with(
        &[
            "clients",
            "delete",
            "-",
            "nobody@example.com",
            "--yes",
            "--json",
            "-v",
        ],
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
    let service = Scripted::new(vec![
        (
            "GET /api/v6/clients?page=1&perPage=1000&filters%5Bemail%3Acontains%5D=Ada%40x.example",
            clients(&[]),
        ),
        (
            "GET /api/v6/clients?page=1&perPage=1000&filters%5Bemail%3Acontains%5D=ada%40x.example",
            clients(&[r#"{"id":"c1","email":"ada@x.example"}"#]),
        ),
    ]);
    assert_eq!(
        service
            .world()
            .run(&["clients", "show", "Ada@x.example", "-o", "ids"])
            .stdout,
        "c1\n"
    );
    service.requests();
}
