//! `sitectl clients apply` makes the account's clients match a file.

use crate::common::{Run, Server, World, interrupt, wait, wait_until};
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, clients};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
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

const FILE: &str = r#"id,email,first_name,note,site_ids
,ada@example.com,Ada,"one,
two",site-0036;https://www.site-0037.example.com/
client-0001,,,Prefers mornings.,
,LIAM@oconnor-sons.example,,,site-0003;site-0038
client-0003,,,,
"#;

#[test]
fn apply_shows_the_plan_makes_the_changes_and_then_changes_nothing() {
    let world = World::sandbox();
    assert_data_eq!(
        apply(&world, "clients.csv", FILE, &["--dry-run"]).transcript(),
        str![[r#"
[stdout]
+ create ada@example.com
    first_name: "Ada"
    note: "one,/ntwo"
    site_ids: +site-0036 +site-0037
~ update client-0001  Amara Okafor amara.okafor@okafor-interiors.example
    note: "Prefers calls in the morning." → "Prefers mornings."
~ update LIAM@oconnor-sons.example  Liam O'Connor liam@oconnor-sons.example
    site_ids: +site-0038
plan: 1 to create, 2 to update, 0 to delete, 1 unchanged
[stderr]
3 empty cells ignored (note, site_ids); --clear-empty clears the fields
exit 0

"#]]
    );
    let plan = apply(&world, "clients.csv", FILE, &["--dry-run", "--json"]).json();
    let sites = json!({"from": ["site-0003"], "to": ["site-0003", "site-0038"]});
    assert_eq!(
        plan[2],
        json!({"action": "update", "key": "LIAM@oconnor-sons.example", "id": "client-0002", "changes": {"site_ids": sites}}),
        "letter case alone is not a change of the email"
    );
    assert_eq!(
        (&plan[0]["action"], &plan[0]["id"], &plan[3]["action"]),
        (&json!("create"), &Value::Null, &json!("unchanged"))
    );
    let run = apply(&world, "clients.csv", FILE, &[]);
    run.assert_stderr(2, contains("plan: 1 to create"));
    let run = apply(&world, "clients.csv", FILE, &["--yes", "--json"]);
    assert_eq!(
        (run.code, counts(&run)),
        (0, [1, 2, 1, 0, 0]),
        "{}",
        run.transcript()
    );
    let (result, ada) = (run.json(), client(&world, "ada@example.com"));
    assert_eq!(
        (&result["created"][0], &result["updated"][1]),
        (&ada, &client(&world, "client-0002"))
    );
    assert_eq!(
        (&ada["note"], &ada["site_ids"]),
        (&json!("one,\ntwo"), &json!(["site-0036", "site-0037"]))
    );
    let run = apply(&world, "clients.csv", FILE, &["--json"]);
    assert_eq!(
        (run.code, counts(&run)),
        (0, [0, 0, 4, 0, 0]),
        "{}",
        run.transcript()
    );
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
    for format in ["csv", "json", "ndjson", "yaml"] {
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
fn all_problems_of_a_file_are_reported_at_once_and_nothing_is_sent() {
    let world = World::sandbox();
    let file = "\
id,email,first_name,frist,site_ids
,nobody,A,,
,a@x.example,,1,
,,B,,
,A@X.example,C,,
client-9999,,A,,
,b@x.example,B,,,
client-0001,,B,,site-0036
,amara.okafor@okafor-interiors.example,C,,
,other@example.com,D,,site-0036
,more@example.com,E,,site-0003;site-9999;nowhere.example
";
    assert_data_eq!(
        apply(&world, "clients.csv", file, &["--yes"]).transcript(),
        str![[r#"
[stderr]
error: 12 problems in clients.csv
  clients.csv line 1, column frist: Is not a known column; use one of: id, first_name, last_name, email, company_name, address, note, site_ids (unknown_field)
  clients.csv line 2, column email ('nobody'): Invalid email format (invalid_format)
  clients.csv line 3, column first_name (a@x.example): Can't be blank (blank)
  clients.csv line 4, column email: Can't be blank (blank)
  clients.csv line 5, column email ('A@X.example'): 'a@x.example' is in line 3 too (duplicate)
  clients.csv line 6, column id ('client-9999'): Not found; without an id, the row is matched by its email (not_found)
  clients.csv line 7 (b@x.example): Has 6 cells, but the header has 5; put a value that contains the delimiter in quotes (invalid_row)
  clients.csv line 9, column email ('amara.okafor@okafor-interiors.example'): Is the same client as in line 8 (duplicate)
  clients.csv line 10, column site_ids (other@example.com): 'site-0036' is in line 8 too (duplicate)
  clients.csv line 11, column site_ids (more@example.com): site 'nowhere.example' not found (invalid_id)
  clients.csv line 11, column site_ids (more@example.com): 'site-0003' is assigned to Liam O'Connor (client-0002) (already_assigned)
  clients.csv line 11, column site_ids (more@example.com): 'site-9999' is not a site of the account (invalid_id)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let json = r#"[{"email": "a@x.example", "first_name": "A", "note": 7}, 3, {"id": "", "address": null}]"#;
    let run = apply(&world, "clients.json", json, &["--json"]);
    let details = run.error()["details"].as_array().unwrap().clone();
    let places: Vec<&str> = details
        .iter()
        .filter_map(|detail| detail["place"].as_str())
        .collect();
    let file = [
        "record 1, field note (a@x.example, '7')",
        "record 2",
        "record 3, field first_name",
        "record 3, field email",
    ];
    assert_eq!(
        (run.code, places),
        (
            5,
            file.map(|place| format!("clients.json {place}"))
                .iter()
                .map(|place| place.as_str())
                .collect()
        )
    );
    let taken = "id,email\nclient-0001,LIAM@oconnor-sons.example\n";
    let run = apply(&world, "taken.csv", taken, &["--yes"]);
    run.assert_stderr(5, contains("is assigned to Liam O'Connor (client-0002)"));
    assert_eq!(world.run("clients list -o ids").stdout.lines().count(), 60);
    let run = apply(
        &world,
        "clients.json",
        "[{\"email\": \"a@x.example\",\n  \"note\": }]",
        &["--json"],
    );
    let error = run.error();
    assert!(
        run.code == 5
            && error["message"]
                .as_str()
                .unwrap()
                .contains("line 2 column 11"),
        "{error}"
    );
    assert_eq!(world.run("clients apply gone.csv").code, 2);
}

#[test]
fn skip_invalid_applies_the_valid_rows_and_keeps_the_others() {
    let world = World::sandbox();
    let file = "\
Email;First Name;Site IDs
nobody;A;
ada@example.com;Ada;site-0036
bob@example.com;Bob;site-9999
\"eve\"@example.com;Eve;
owner@example.com;O
";
    let skip = ["--skip-invalid", "--failed-to", "failed.csv"];
    let plan = apply(
        &world,
        "clients.csv",
        file,
        &[&skip[..], &["--dry-run", "--json"]].concat(),
    );
    assert_eq!(
        (plan.code, plan.json().as_array().unwrap().len()),
        (9, 2),
        "{}",
        plan.transcript()
    );
    assert_data_eq!(
        apply(
            &world,
            "clients.csv",
            file,
            &[&skip[..], &["--yes"]].concat()
        )
        .transcript(),
        str![[r#"
[stdout]
created    1
updated    0
unchanged  0
deleted    0
failed     4
[stderr]
+ create ada@example.com
    first_name: "Ada"
    site_ids: +site-0036
+ create owner@example.com
    first_name: "O"
plan: 2 to create, 0 to update, 0 to delete, 0 unchanged, 3 invalid
error: 4 of 5 changes failed
  clients.csv line 2, column email ('nobody'): Invalid email format (invalid_format)
  clients.csv line 4, column site_ids (bob@example.com): 'site-9999' is not a site of the account (invalid_id)
  clients.csv line 5: Has text after a closing quote; write a quote inside a quoted value twice (invalid_syntax)
  clients.csv line 6, column email ('owner@example.com'): Is the account owner's email (owner_email)
hint: fix the cause and apply the failed rows: sitectl --sandbox clients apply failed.csv
exit 9

"#]]
    );
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(
        failed,
        "Email;First Name;Site IDs\nnobody;A;\nbob@example.com;Bob;site-9999\n\"eve\"@example.com;Eve;\nowner@example.com;O\n"
    );
    let run = apply(
        &world,
        "clients.csv",
        file,
        &["--skip-invalid", "--yes", "--json"],
    );
    assert_eq!(
        (run.code, counts(&run)),
        (5, [0, 0, 1, 0, 4]),
        "{}",
        run.transcript()
    );
    // A problem of the file itself skips no row.
    for (name, text, problem) in [
        ("clients.csv", "email,frist\na,A\n", "column frist"),
        ("clients.csv", "email,note\na,A\n\"a\nb\"c,A\n", "line 3"),
        ("clients.json", "[{}, {]", "invalid JSON"),
    ] {
        let run = apply(&world, name, text, &["--skip-invalid", "--yes"]);
        let message = "error: --skip-invalid cannot skip this: ";
        run.assert_stderr(
            5,
            starts_with(message)
                .and(contains(problem))
                .and(contains("Invalid email").not()),
        );
    }
}

#[test]
fn skipped_rows_are_named_before_the_question() {
    let world = World::sandbox();
    let bad_rows = "\nclient-0001,,,7".repeat(7);
    let file = format!("id,email,first_name\n,ada@example.com,Ada{bad_rows}\n");
    std::fs::write(world.path("clients.csv"), file).unwrap();
    let args = "clients apply clients.csv --skip-invalid";
    let mut terminal = Terminal::start(world.command(args), 120, 30);
    terminal.wait_for("Skip 7 invalid rows and create 1 client in");
    let history = terminal.history();
    let hint = "put a value that contains the delimiter in quotes";
    let lines = format!(
        "  clients.csv line 7 (client-0001): Has 4 cells, but the header has 3; {hint}\n  and 2 more\n"
    );
    assert!(
        history.contains(&lines) && !history.contains("line 8"),
        "{history}"
    );
    terminal.press("n\r");
    assert_eq!(terminal.exit_code(), 1, "{}", terminal.text());
}

#[test]
fn an_unknown_column_is_one_problem_of_the_file() {
    let world = World::sandbox();
    let file = "Mail;Note\na@example.com;A\nb@example.com;B\n";
    let run = apply(&world, "clients.csv", file, &["--json"]);
    let details = run.error()["details"].as_array().unwrap().clone();
    assert_eq!(details.len(), 1, "{}", run.transcript());
    assert_eq!(details[0]["place"], "clients.csv line 1, column Mail");
    let file = "[{\"email\":\"a@example.com\",\"zip\":1},{\"first_name\":\"B\",\"city\":\"C\"}]";
    let run = apply(&world, "clients.json", file, &["--skip-invalid", "--json"]);
    let details = run.error()["details"].as_array().unwrap().clone();
    let known = "Are not known columns; known: id, first_name, last_name, email, company_name, address, note, site_ids";
    assert_eq!(
        (run.code, details.len(), &details[0]["message"]),
        (5, 1, &json!(known)),
        "{}",
        run.transcript()
    );
    // A known column that is empty is a problem all the same.
    let file = "frist;email;first_name\nA;;\n";
    let run = apply(&world, "clients.csv", file, &["--json"]);
    let details = run.error()["details"].as_array().unwrap().clone();
    assert_eq!(details.len(), 3, "{}", run.transcript());
}

#[test]
fn empty_cells_are_counted_and_clear_the_fields_only_on_request() {
    let world = World::sandbox();
    let before = client(&world, "client-0001");
    let file = "id,email,first_name,note,site_ids,company_name\n\
                client-0001,,, ,\nclient-0002,,,,site-0003,O'Connor & Sons\n,new@example.com,N,,\n";
    let run = apply(&world, "clients.csv", file, &["--yes"]);
    assert_eq!(
        (run.code, client(&world, "client-0001")),
        (0, before.clone()),
        "{}",
        run.transcript()
    );
    let note =
        "3 empty cells ignored (company_name, note, site_ids); --clear-empty clears the fields";
    assert!(run.stderr.contains(note), "{}", run.transcript());
    let run = apply(
        &world,
        "clients.csv",
        file,
        &["--clear-empty", "--yes", "--json"],
    );
    assert_eq!(
        (run.code, counts(&run)),
        (0, [0, 1, 2, 0, 0]),
        "{}",
        run.transcript()
    );
    let cleared = client(&world, "client-0001");
    assert_eq!(
        (&cleared["note"], &cleared["site_ids"]),
        (&json!(""), &json!([]))
    );
    assert_eq!(cleared["email"], before["email"]);
}

#[test]
fn a_long_plan_is_a_summary_without_details() {
    let world = World::sandbox();
    let rows: String = (0..21)
        .map(|number| format!("n{number}@example.com\tN\n"))
        .collect();
    let file = format!("EMAIL\tFirst-Name\n{rows}");
    let run = apply(&world, "clients.csv", &file, &["--dry-run"]);
    let summary =
        "plan: 21 to create, 0 to update, 0 to delete, 0 unchanged (--details shows each change)\n";
    assert_eq!(run.stdout, summary, "{}", run.transcript());
    let run = apply(&world, "clients.csv", &file, &["--dry-run", "--details"]);
    assert_eq!(
        run.stdout.matches("+ create ").count(),
        21,
        "{}",
        run.transcript()
    );
}

#[test]
fn refused_rows_are_written_to_a_file_that_can_be_corrected_and_applied() {
    let world = World::sandbox();
    let file = "\u{feff}email,first_name,site_ids\r\nowner@example.com,Own,\r\nbob@example.com,\"B\r\nob\",\r\n";
    let run = apply(
        &world,
        "clients.csv",
        file,
        &["--yes", "--json", "--failed-to", "failed.csv", "--prune"],
    );
    assert_eq!(
        (run.code, counts(&run)),
        (9, [1, 0, 0, 60, 1]),
        "{}",
        run.transcript()
    );
    let hint =
        "fix the cause and apply the failed rows: sitectl --sandbox clients apply failed.csv";
    assert_eq!(run.error()["hints"][0], hint, "it does not prune");
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(
        failed,
        "\u{feff}email,first_name,site_ids\nowner@example.com,Own,\n"
    );
    let record = r#"{"email":"owner@example.com","first_name":"O"}"#;
    let args = ["--yes", "--json", "--clear-empty", "--failed-to", "f.csv"];
    let run = apply(&world, "clients.ndjson", record, &args);
    let command = "clients apply --clear-empty --input-format ndjson f.csv";
    assert!(run.error()["hints"][0].as_str().unwrap().ends_with(command));
    let fixed = failed.replace("owner", "own");
    let run = apply(
        &world,
        "fixed.csv",
        &fixed,
        &["--yes", "--json", "--failed-to", "failed.csv"],
    );
    assert_eq!(
        (run.code, counts(&run)),
        (0, [1, 0, 0, 0, 0]),
        "{}",
        run.transcript()
    );
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(
        failed, "\u{feff}email,first_name,site_ids\n",
        "no row failed"
    );
    for place in ["clients.csv", "./clients.csv", ".", "no/such/place", "-"] {
        let run = apply(
            &world,
            "clients.csv",
            file,
            &["--yes", "--failed-to", place],
        );
        assert_eq!(
            (
                run.code,
                std::fs::read_to_string(world.path("clients.csv"))
                    .unwrap()
                    .as_str()
            ),
            (2, file)
        );
    }
    let run = apply(
        &world,
        "clients.csv",
        file,
        &["--yes", "--failed-to", "/dev/full"],
    );
    run.assert_stderr(5, contains("could not write /dev/full"));
}

#[test]
fn clients_that_needed_no_change_do_not_count_in_the_exit_code() {
    let world = World::sandbox();
    let file = "id,email,first_name\n,owner@example.com,Own\nclient-0003,,\n";
    let run = apply(&world, "clients.csv", file, &["--yes"]);
    run.assert_stderr(5, contains("error: 1 of 1 change failed"));
    let response = r#"{"delete":{"ids":[],"errors":[{"id":"c1","code":"not_found"},{"id":"c2","code":"locked"}]}}"#;
    let found = || Reply::Json(200, r#"{"client":{}}"#.into());
    let service = Scripted::new(vec![
        ("GET /api/v6/clients/c1", found()),
        ("GET /api/v6/clients/c2", found()),
        (
            "POST /api/v6/clients/delete",
            Reply::Json(200, response.into()),
        ),
    ]);
    let args = "clients delete c1 c2 --yes --ignore-not-found";
    let run = service.world().run(args);
    assert_eq!(run.code, 5, "{}", run.transcript());
}

#[test]
fn sites_and_emails_move_between_clients() {
    let server = Server::start("");
    let world = server.world();
    let first = client(&world, "client-0001")["site_ids"].clone();
    let second = client(&world, "client-0002")["site_ids"][0].clone();
    // Two clients swap a site, a new client takes another, and an email passes through three clients.
    let file = json!([
        {"email": "new@example.com", "first_name": "New", "site_ids": [first[1]]},
        {"id": "client-0003", "email": client(&world, "client-0004")["email"]},
        {"id": "client-0001", "site_ids": [second]},
        {"id": "client-0002", "site_ids": [first[0]]},
        {"id": "client-0004", "email": "fourth@example.com"},
    ]);
    let run = apply(
        &world,
        "moves.json",
        &file.to_string(),
        &["--yes", "--json"],
    );
    assert_eq!(
        (run.code, counts(&run)),
        (0, [1, 4, 0, 0, 0]),
        "{}",
        run.transcript()
    );
    let run = apply(&world, "moves.json", &file.to_string(), &["--json"]);
    assert_eq!(counts(&run), [0, 0, 5, 0, 0], "{}", run.transcript());
}

#[test]
fn prune_deletes_the_clients_that_are_not_in_the_file() {
    let world = World::sandbox();
    let listed = world
        .run("clients list -o csv --sort created_at,asc --limit 58")
        .stdout;
    assert_eq!(
        counts(&apply(&world, "clients.csv", &listed, &["--json"])),
        [0, 0, 58, 0, 0]
    );
    let run = apply(&world, "clients.csv", &listed, &["--prune"]);
    let plan = "plan: 0 to create, 0 to update, 2 to delete, 58 unchanged\n";
    run.assert_stderr(2, contains(plan));
    let plan = apply(
        &world,
        "clients.csv",
        &listed,
        &["--prune", "--dry-run", "--json"],
    )
    .json();
    assert_eq!(plan[58]["action"], "delete", "{plan}");
    let run = apply(
        &world,
        "clients.csv",
        &listed,
        &["--prune", "--yes", "--json"],
    );
    assert_eq!(
        (run.code, counts(&run)),
        (0, [0, 0, 58, 2, 0]),
        "{}",
        run.transcript()
    );
    assert_eq!(world.run("clients list -o ids").stdout.lines().count(), 58);
    for (name, text) in [
        ("empty.csv", "id,email\n"),
        ("empty.json", "[]"),
        ("empty.yaml", "[]\n"),
    ] {
        let run = apply(&world, name, text, &["--prune", "--yes"]);
        run.assert_stderr(5, contains("would delete every client"));
        let run = apply(&world, name, text, &["--json"]);
        assert_eq!(
            (run.code, counts(&run)),
            (0, [0; 5]),
            "{}",
            run.transcript()
        );
    }
    let run = apply(&world, "e.ndjson", "", &["--yes"]);
    run.assert_stderr(5, contains("e.ndjson is empty"));
}

#[test]
fn the_plan_and_the_result_name_the_sites_that_change_clients() {
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
plan: 0 to create, 1 to update, 1 to delete, 0 unchanged; leaves 1 site without a client
moved s2 from c2 to c1
without a client now: s3
exit 0

"#]]
    );
    let body = r#"{"client":{"site_ids":["s1","s2"]}}"#;
    assert_eq!(service.requests()[3].body, body);
}

#[test]
fn blanks_around_a_text_are_not_a_change() {
    let world = World::sandbox();
    let file = "id,note\nclient-0001, Prefers calls in the morning. \n";
    let run = apply(&world, "clients.csv", file, &["--json"]);
    assert_eq!(counts(&run), [0, 0, 1, 0, 0], "{}", run.transcript());
}

#[test]
fn a_new_client_gets_the_former_email_of_a_renamed_one() {
    let world = World::sandbox();
    let file = "id,email,first_name\n,amara.okafor@okafor-interiors.example,New\n\
                client-0001,moved@example.com,\n";
    let run = apply(&world, "clients.csv", file, &["--yes", "--json"]);
    assert_eq!(counts(&run), [1, 1, 0, 0, 0], "{}", run.transcript());
    let run = apply(&world, "clients.csv", file, &["--yes", "--json"]);
    assert_eq!(counts(&run), [0, 0, 2, 0, 0], "{}", run.transcript());
}

#[test]
fn only_the_first_of_many_problems_are_shown() {
    let world = World::sandbox();
    let file = format!("email\n{}", "x\n".repeat(60));
    let run = apply(&world, "clients.csv", &file, &[]);
    let lines = run.stderr.lines().count();
    assert!(
        lines == 53 && run.stderr.contains("more problems; --json shows all"),
        "{}",
        run.stderr
    );
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
    let args = ["--yes", "--quiet"];
    let run = apply(&service.world(), "clients.csv", "id,note\nc1,new\n", &args);
    assert!(
        run.code == 12
            && run.stdout.ends_with("failed     0\nunknown    1\n")
            && run
                .stderr
                .starts_with("error: 1 of 1 change with an unknown outcome\n"),
        "{}",
        run.transcript()
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
    let child = world.start("clients apply clients.json --yes --json --failed-to rest.json");
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
    let rest = std::fs::read_to_string(world.path("rest.json")).unwrap();
    let rest = apply(&world, "again.json", &rest, &["--dry-run", "--json"]);
    assert_eq!(rest.json().as_array().unwrap().len() as u64, failed);
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
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[r#"{"id":"c1"}"#])),
        ("GET /api/v6/sites?", Reply::status(404)),
        (
            "GET /api/v6/clients/c1",
            Reply::Json(200, r#"{"client":{"id":"c1","site_ids":["s1"]}}"#.into()),
        ),
    ]);
    let rows = "id,site_ids\nc1,s2\n";
    let run = apply(&service.world(), "clients.csv", rows, &["--yes"]);
    run.assert_stderr(6, contains("The sites of c1 are now: s1"));
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
    let run = swap(&swap_service(replies), &["--json"]);
    let result = run.json();
    let moved = json!([
        {"site_id": "s1", "from": "c1", "to": "c2"},
        {"site_id": "s2", "from": "c2", "to": "c1"},
    ]);
    assert_eq!(
        (
            run.code,
            &result["moved"],
            &result["without_client"],
            counts(&run)
        ),
        (0, &moved, &json!([]), [0, 2, 0, 0, 0]),
        "{}",
        run.transcript()
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
    let run = swap(
        &swap_service(replies()),
        &["--json", "--failed-to", "f.csv"],
    );
    let result = run.json();
    assert_eq!(
        (run.code, &result["without_client"], counts(&run)),
        (9, &json!(["s1", "s2"]), [0, 2, 0, 0, 2]),
        "{}",
        run.transcript()
    );
    let error = run.error();
    assert_eq!(error["message"], "2 of 2 changes made, but not completely");
    for text in ["s1 of c1 has no client now", "s2 of c2 has no client now"] {
        assert!(error["details"].to_string().contains(text), "{error}");
    }
    let hint = "give the site back: sitectl clients update c1 --add-site s1";
    assert_eq!(error["hints"][0], hint);
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
    assert_eq!(
        (run.code, &run.json()["without_client"]),
        (9, &json!(["s1", "s2"])),
        "{}",
        run.transcript()
    );
    let details = run.error()["details"].to_string();
    let lost = r#"{"code":null,"param":"c4","message":"s2 of c2 has no client now""#;
    assert!(details.contains(lost), "{details}");
}

#[test]
fn a_row_that_waits_for_a_release_in_doubt_is_not_sent() {
    let run = swap(
        &swap_service(vec![
            (READ_1, shown("c1", r#""s1""#)),
            (CHANGE_1, Reply::status(500)),
            (READ_1, shown("c1", r#""s1""#)),
            (READ_2, shown("c2", r#""s2""#)),
            (CHANGE_2, shown("c2", "")),
        ]),
        &["--json"],
    );
    let result = run.json();
    assert_eq!(
        (run.code, &result["without_client"]),
        (12, &json!(["s1", "s2"])),
        "{}",
        run.transcript()
    );
    let waiting = &result["errors"][1];
    assert_eq!(
        (&waiting["key"], &waiting["kind"]),
        (&json!("c2"), &json!("unavailable"))
    );
    let message = "clients.csv line 3 (c2): c1 may not have released s1: ";
    assert!(
        waiting["message"].as_str().unwrap().starts_with(message),
        "{waiting}"
    );
    let details = run.error()["details"].to_string();
    assert!(
        details.contains("s1 of c1 may have no client now"),
        "{details}"
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
        &["--yes", "--prune", "--json"],
    );
    let error = run.error();
    let details = error["details"].as_array().unwrap();
    assert_eq!(
        details.last().unwrap()["message"],
        "s1 of c5 has no client now"
    );
    let hint = error["hints"][0].as_str().unwrap();
    assert!(hint.starts_with("run the same command again when the cause is fixed"));
    assert_eq!(run.json()["without_client"], json!(["s1"]));
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
    assert_eq!(
        (run.code, counts(&run)),
        (9, [0, 1, 0, 0, 1]),
        "{}",
        run.transcript()
    );
    assert_eq!(
        run.error()["message"],
        "1 of 1 change made, but not completely"
    );
    let line = json!({"code": "not_kept", "param": "c1", "message": "Was sent as \"new\", but the service has \"old\"", "place": "clients.csv line 2, column note (c1, 'new')"});
    assert_eq!(run.error()["details"][0], line);
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
        ("yaml", &[]),
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
    let note = "columns that sitectl cannot change are ignored: plan\n";
    run.assert_stderr(0, contains(note));
    assert!(!run.stdout.contains("plan:  "), "{}", run.transcript());
    let file = "id,email,plan,vpi\nc1,,free,7.5\n";
    let run = apply(&service().world(), "clients.csv", file, &["--yes"]);
    run.assert_stderr(
        5,
        contains("column vpi: Is not a known column; use one of: id,"),
    );
    // A file for an account without clients may have columns of another tool.
    let empty = Scripted::new(vec![("GET /api/v6/clients?", clients(&[]))]);
    let file = "email,first_name,plan\nb@x.example,B,pro\n";
    let run = apply(&empty.world(), "clients.csv", file, &["--dry-run"]);
    run.assert_stderr(0, contains(note));
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
    let record = r#"{"id":"c1","email":"new@example.com","first_name":"N","note":"n","created_at":"2026-11-01"}"#;
    let taken =
        r#"{"error":{"details":[{"code":"already_exists","param":"email","message":"m"}]}}"#;
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[])),
        ("POST /api/v6/clients", Reply::Json(422, taken.into())),
        ("GET /api/v6/clients?", clients(&[record])),
    ]);
    let run = apply(&service.world(), "clients.csv", file, &["--yes", "--json"]);
    assert_eq!(
        (run.code, counts(&run)),
        (0, [1, 0, 0, 0, 0]),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_value_in_the_wrong_encoding_is_a_problem_of_its_own() {
    let world = World::sandbox();
    let update = |note: &str| world.run(&["clients", "update", "client-0001", "--note", note]);
    assert_eq!(update("Kungsgatan 3, Malmö").code, 0);
    let file = "id,note,last_name\nclient-0001,\"Kungsgatan 3, MalmÃ¶\",Other\n";
    let run = apply(&world, "clients.csv", file, &["--json"]);
    let details = run.error()["details"].clone();
    assert_eq!(
        (
            run.code,
            details.as_array().unwrap().len(),
            &details[0]["code"]
        ),
        (5, 1, &json!("wrong_encoding")),
        "{}",
        run.transcript()
    );
}

#[test]
fn addresses_that_no_service_takes_are_refused_before_anything_is_sent() {
    let world = World::sandbox();
    let emails = [
        "mailto:a@x.example",
        "<b@x.example>",
        "d@x.example;",
        "h@xexample",
    ];
    let rows: String = emails.iter().map(|email| format!("{email},N\n")).collect();
    let file = format!("email,first_name\n{rows}");
    let run = apply(&world, "clients.csv", &file, &["--dry-run", "--json"]);
    let details = run.error()["details"].as_array().unwrap().clone();
    assert_eq!(
        (run.code, details.len()),
        (5, emails.len()),
        "{}",
        run.transcript()
    );
    assert!(
        details
            .iter()
            .all(|detail| detail["code"] == "invalid_format")
    );
    for cell in [
        "site-0036|site-0037",
        "\"site-0036\nsite-0037\"",
        "\"site-0036,site-0037\"",
    ] {
        let file = format!("id,site_ids\nclient-0001,{cell}\n");
        let run = apply(&world, "clients.csv", &file, &["--dry-run"]);
        run.assert_stderr(5, contains("separate sites with semicolons"));
    }
}
