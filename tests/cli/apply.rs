//! `sitectl clients apply`: the account's clients are made to match a file.

use crate::scripted::{Reply, Scripted, Service, clients};
use crate::support::{Run, Server, World, interrupt};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};
use std::process::Stdio;
use std::time::Duration;

/// Runs `clients apply` on a file with this name and text.
fn apply(world: &World, name: &str, text: &str, args: &[&str]) -> Run {
    std::fs::write(world.path(name), text).unwrap();
    world.run(&[&["clients", "apply", name], args].concat())
}

/// How many clients a result in JSON names in each of its lists.
fn counts(run: &Run) -> [u64; 5] {
    let result = run.json();
    let length = |name: &str| result[name].as_array().unwrap().len() as u64;
    [length("created"), length("updated"), result["unchanged"].as_u64().unwrap(), length("deleted"), length("errors")]
}

fn client(world: &World, who: &str) -> Value {
    world.run(&["clients", "show", who, "--json"]).json()
}

const FILE: &str = r#"id,email,first_name,note,site_ids
,ada@example.com,Ada,"one,
two",site-0036;site-0037
client-0001,,,Prefers mornings.,
,LIAM@oconnor-sons.example,,,site-0003;site-0038
client-0003,,,,
"#;

#[test]
fn a_plan_is_shown_and_carried_out() {
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
    email: "liam@oconnor-sons.example" → "LIAM@oconnor-sons.example"
    site_ids: +site-0038
plan: 1 to create, 2 to update, 0 to delete, 1 unchanged
exit 0

"#]]
    );
    let plan = apply(&world, "clients.csv", FILE, &["--dry-run", "--json"]).json();
    let sites = json!({"from": ["site-0003"], "to": ["site-0003", "site-0038"]});
    let email = json!({"from": "liam@oconnor-sons.example", "to": "LIAM@oconnor-sons.example"});
    assert_eq!(
        plan[2],
        json!({"action": "update", "key": "LIAM@oconnor-sons.example", "id": "client-0002", "changes": {"email": email, "site_ids": sites}})
    );
    assert_eq!(
        (&plan[0]["action"], &plan[0]["id"], &plan[3]["action"]),
        (&json!("create"), &Value::Null, &json!("unchanged"))
    );
    let run = apply(&world, "clients.csv", FILE, &[]);
    let asks = "error: Create 1 and update 2 clients (the sandbox): this needs a confirmation";
    assert!(
        run.code == 2 && run.stderr.contains("plan: 1 to create") && run.stderr.contains(asks),
        "{}",
        run.transcript()
    );
    assert_eq!(world.run(&["clients", "show", "ada@example.com"]).code, 4, "nothing was changed so far");
    assert_data_eq!(
        apply(&world, "clients.csv", FILE, &["--yes"]).transcript(),
        str![[r#"
[stdout]
created    1
updated    2
unchanged  1
deleted    0
failed     0
[stderr]
+ create ada@example.com
    first_name: "Ada"
    note: "one,/ntwo"
    site_ids: +site-0036 +site-0037
~ update client-0001  Amara Okafor amara.okafor@okafor-interiors.example
    note: "Prefers calls in the morning." → "Prefers mornings."
~ update LIAM@oconnor-sons.example  Liam O'Connor liam@oconnor-sons.example
    email: "liam@oconnor-sons.example" → "LIAM@oconnor-sons.example"
    site_ids: +site-0038
plan: 1 to create, 2 to update, 0 to delete, 1 unchanged
exit 0

"#]]
    );
    let ada = client(&world, "ada@example.com");
    assert_eq!((&ada["note"], &ada["site_ids"]), (&json!("one,\ntwo"), &json!(["site-0036", "site-0037"])));
    assert_data_eq!(
        apply(&world, "clients.csv", FILE, &[]).transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  4
deleted    0
failed     0
[stderr]
nothing to change: 0 to create, 0 to update, 0 to delete, 4 unchanged
exit 0

"#]]
    );
}

#[test]
fn the_result_is_one_object() {
    let world = World::sandbox();
    let run = apply(&world, "clients.csv", FILE, &["--yes", "--json"]);
    assert_eq!((run.code, counts(&run)), (0, [1, 2, 1, 0, 0]), "{}", run.transcript());
    let result = run.json();
    assert_eq!(result["created"][0], client(&world, "ada@example.com"));
    assert_eq!(result["updated"], json!([client(&world, "client-0001"), client(&world, "client-0002")]));
}

/// Texts that some reader or writer of some format takes for something else.
const NASTY: [&str; 24] = [
    "say \"hello\", and 'bye'",
    "one\ntwo\r\nthree\n",
    "\ttab\t",
    " spaces ",
    "007",
    "1e3",
    "=1+1",
    "-",
    "no",
    "~",
    "null",
    "a;b",
    "[\"x\"]",
    "{a: b}",
    "# not a comment",
    "key: value",
    "\\u{1b} \\n \\",
    "\u{1b}[31m",
    "\u{202e}abc\u{200b}",
    "Zoë 東京 👩‍👩‍👧",
    "2026-10-07",
    "lone\rreturn",
    "\u{feff}mark",
    "a,b",
];

#[test]
fn what_was_listed_is_unchanged_for_any_content() {
    let server = Server::start(&[]);
    let world = server.world();
    let file: Vec<Value> = NASTY.iter().enumerate().map(|(number, text)| {
        json!({"first_name": format!("x{text}"), "email": format!("n{number}@example.com"), "last_name": text, "note": text, "address": text, "company_name": text})
    }).collect();
    let run = apply(&world, "clients.json", &json!(file).to_string(), &["--yes", "--json"]);
    assert_eq!(counts(&run), [NASTY.len() as u64, 0, 0, 0, 0], "{}", run.transcript());
    for (number, text) in NASTY.iter().enumerate() {
        assert_eq!(client(&world, &format!("n{number}@example.com"))["note"], *text);
    }
    let unchanged = [0, 0, 60 + NASTY.len() as u64, 0, 0];
    for format in ["csv", "json", "ndjson", "yaml"] {
        let listed = world.run(&["clients", "list", "-o", format]).stdout;
        let run = apply(&world, &format!("listed.{format}"), &listed, &["--json"]);
        assert_eq!((run.code, counts(&run)), (0, unchanged), "{format}: {}", run.transcript());
        // Without a name to go by, too; and a spreadsheet's mark and line ends change nothing.
        let run = world.run_with(&["clients", "apply", "-", "--json"], &listed);
        assert_eq!((run.code, counts(&run)), (0, unchanged), "{format}: {}", run.transcript());
    }
}

#[test]
fn a_wrong_file_is_told_whole_and_nothing_is_sent() {
    let nowhere = World::on("http://127.0.0.1:1/api/v6");
    let file = "id,email,first_name,frist,note\n,nobody,A,,\n,a@x.example,,1,\n,,B,,\n,A@X.example,C,,\nc1,,D,,\nc1,,E,,\n,b@x.example\n";
    assert_data_eq!(
        apply(&nowhere, "clients.csv", file, &["--yes"]).transcript(),
        str![[r#"
[stderr]
error: 6 problems in clients.csv
  clients.csv line 1, column frist: Is not a known column; did you mean 'first_name'? allowed: id, first_name, last_name, email, company_name, address, note, site_ids (unknown_field)
  clients.csv line 8: Has 2 cells, but the header has 5 (invalid_row)
  clients.csv line 2, column email: Invalid email format (invalid_format)
  clients.csv line 4, column email: Can't be blank where there is no id (blank)
  clients.csv line 5, column email: 'A@X.example' is in line 3 too (duplicate)
  clients.csv line 7, column id: 'c1' is in line 6 too (duplicate)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let run = apply(
        &nowhere,
        "clients.json",
        r#"[{"email": "a@x.example", "note": 7, "site_ids": "s"}, 3, {"id": "", "address": null}]"#,
        &[],
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: 4 problems in clients.json
  clients.json record 2: Must be an object (invalid_type)
  clients.json record 1, field note: Must be a string (invalid_type)
  clients.json record 1, field site_ids: Must be an array (invalid_type)
  clients.json record 3, field email: Can't be blank where there is no id (blank)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let run = apply(&nowhere, "clients.json", "[{\"email\": \"a@x.example\",\n  \"note\": }]", &["--json"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
{"error":{"kind":"invalid","exit_code":5,"status":null,"code":null,"message":"clients.json: invalid JSON: expected value at line 2 column 11","details":[],"hint":"No changes were made. Fix the file and retry."}}
exit 5

"#]]
    );
    assert_eq!(nowhere.run(&["clients", "apply", "gone.csv"]).code, 2);
    let run = nowhere.run_with(&["clients", "apply", "-", "--yes"], "\n \n");
    assert!(run.code == 5 && run.stderr.contains("stdin is empty"), "{}", run.transcript());
}

#[test]
fn rows_that_cannot_be_meant_so_are_told_before_anything_is_sent() {
    let world = World::sandbox();
    let file = "\
id,email,first_name,site_ids
client-9999,,A,
client-0001,,B,site-0036
,amara.okafor@okafor-interiors.example,C,
,new@example.com,,
,other@example.com,D,site-0036
client-0002,new@example.com,,
";
    assert_data_eq!(
        apply(&world, "clients.csv", file, &["--yes"]).transcript(),
        str![[r#"
[stderr]
error: 4 problems in clients.csv
  clients.csv line 2, column id: There is no client 'client-9999'; one without an id is created (not_found)
  clients.csv line 4, column email: Is the same client as in line 3, whose email this is until now (duplicate)
  clients.csv line 5, column first_name: Can't be blank: there is no client with this email yet (blank)
  clients.csv line 6, column site_ids: 'site-0036' is wanted in line 3 too (duplicate)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let swap = "id,email\nclient-0001,liam@oconnor-sons.example\nclient-0002,amara.okafor@okafor-interiors.example\n";
    assert_data_eq!(
        apply(&world, "swap.csv", swap, &["--yes"]).transcript(),
        str![[r#"
[stderr]
error: clients would swap their emails, which the service cannot do in one step
  swap.csv line 2, column email: Is handed round in a circle, and no two clients may have the same for a moment (already_exists)
  swap.csv line 3, column email: Is handed round in a circle, and no two clients may have the same for a moment (already_exists)
hint: nothing was changed; give one of them another email first, then apply the file again
exit 5

"#]]
    );
    assert_eq!(client(&world, "client-0001")["first_name"], "Amara");
}

#[test]
fn what_the_service_refuses_is_told_at_its_place_and_kept() {
    let world = World::sandbox();
    let file = "\u{feff}email,first_name,site_ids\r\nada@example.com,Ada,site-0001\r\nowner@example.com,Own,\r\nbob@example.com,\"B\r\nob\",\r\neve@example.com,Eve,site-9999\r\n";
    let run = apply(&world, "clients.csv", file, &["--yes", "--failed-to", "failed.csv"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    1
updated    0
unchanged  0
deleted    0
failed     3
[stderr]
+ create ada@example.com
    first_name: "Ada"
    site_ids: +site-0001
+ create owner@example.com
    first_name: "Own"
+ create bob@example.com
    first_name: "B/r/nob"
+ create eve@example.com
    first_name: "Eve"
    site_ids: +site-9999
plan: 4 to create, 0 to update, 0 to delete, 0 unchanged
error: 3 of 4 changes failed
  clients.csv line 2, column site_ids: Site "site-0001" is assigned to another client (already_assigned)
  clients.csv line 3, column email: Is the account owner's email (owner_email)
  clients.csv line 6, column site_ids: Site "site-9999" is not available (invalid_id)
hint: the rows that failed are in failed.csv; mend them there and apply that file
exit 9

"#]]
    );
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(
        failed,
        "\u{feff}email,first_name,site_ids\nada@example.com,Ada,site-0001\nowner@example.com,Own,\neve@example.com,Eve,site-9999\n"
    );
    let mended = failed.replace("site-0001", "").replace("owner", "own").replace("site-9999", "site-0036");
    let run = apply(&world, "mended.csv", &mended, &["--yes", "--json", "--failed-to", "failed.csv"]);
    assert_eq!((run.code, counts(&run)), (0, [3, 0, 0, 0, 0]), "{}", run.transcript());
    assert_eq!(std::fs::read_to_string(world.path("failed.csv")).unwrap(), failed, "no row failed: it is left alone");
    for place in ["clients.csv", "no/such/place", "-"] {
        let run = apply(&world, "clients.csv", file, &["--yes", "--failed-to", place]);
        assert_eq!((run.code, std::fs::read_to_string(world.path("clients.csv")).unwrap().as_str()), (2, file));
    }
    let bad = "email,first_name\nowner@example.com,A\n";
    let run = apply(&world, "clients.csv", bad, &["--yes", "--failed-to", "/dev/full"]);
    assert!(run.code == 5 && run.stderr.contains("could not write /dev/full"), "{}", run.transcript());
    let run = apply(&world, "clients.csv", bad, &["--yes", "--failed-to", "failed.csv", "--prune"]);
    assert!(run.code == 9 && run.stderr.contains("apply that file, without --prune"), "{}", run.transcript());
}

#[test]
fn rows_that_failed_are_kept_in_the_format_that_they_came_in() {
    let world = World::sandbox();
    for (name, text, kept) in [
        (
            "clients.ndjson",
            "{\"email\": \"a@example.com\", \"first_name\": \"A\"}\n{\"email\":\"owner@example.com\",\"first_name\":\"O\"}\n",
            "{\"email\":\"owner@example.com\",\"first_name\":\"O\"}\n",
        ),
        (
            "clients.json",
            "[{\"email\": \"a@example.com\"},\n {\"email\": \"owner@example.com\", \"first_name\": \"O\"}]",
            "[\n  {\n    \"email\": \"owner@example.com\",\n    \"first_name\": \"O\"\n  }\n]\n",
        ),
        (
            "clients.yaml",
            "- email: a@example.com\n- email: owner@example.com\n  first_name: O # of owner\n",
            "- \"email\": \"owner@example.com\"\n  \"first_name\": \"O\"\n",
        ),
    ] {
        let run = apply(&world, name, text, &["--yes", "--failed-to", "failed", "--json"]);
        assert_eq!(
            (run.code, run.json()["errors"][0]["details"][0]["code"].as_str()),
            (9, Some("owner_email")),
            "{name}"
        );
        assert_eq!(std::fs::read_to_string(world.path("failed")).unwrap(), kept, "{name}");
    }
}

#[test]
fn sites_and_emails_pass_from_one_client_to_another() {
    let server = Server::start(&[]);
    let world = server.world();
    let first = client(&world, "client-0001")["site_ids"][0].as_str().unwrap().to_string();
    let second = client(&world, "client-0002")["site_ids"][0].as_str().unwrap().to_string();
    // The two swap a site, a new client takes another, and an email goes round three clients.
    let file = json!([
        {"email": "new@example.com", "first_name": "New", "site_ids": [client(&world, "client-0001")["site_ids"][1]]},
        {"id": "client-0003", "email": client(&world, "client-0004")["email"]},
        {"id": "client-0001", "site_ids": [second]},
        {"id": "client-0002", "site_ids": [first]},
        {"id": "client-0004", "email": "fourth@example.com"},
    ]);
    let run = apply(&world, "moves.json", &file.to_string(), &["--yes", "--json"]);
    assert_eq!((run.code, counts(&run)), (0, [1, 4, 0, 0, 0]), "{}", run.transcript());
    let run = apply(&world, "moves.json", &file.to_string(), &["--json"]);
    assert_eq!(counts(&run), [0, 0, 5, 0, 0], "{}", run.transcript());
}

#[test]
fn clients_that_are_not_in_the_file_go_only_where_that_is_asked() {
    let world = World::sandbox();
    let listed = world.run(&["clients", "list", "-o", "csv", "--sort", "created_at,asc", "--limit", "58"]).stdout;
    assert_eq!(counts(&apply(&world, "clients.csv", &listed, &["--json"])), [0, 0, 58, 0, 0]);
    let run = apply(&world, "clients.csv", &listed, &["--prune"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
- delete client-0060  李 li@single-name.example
- delete client-0059  Quentin Very-Long-Surname-That-Does-Not-Fit-In-Any-Narrow-Column quentin@long-names.example
plan: 0 to create, 0 to update, 2 to delete, 58 unchanged
error: Delete 2 clients not in clients.csv (the sandbox): this needs a confirmation, and there is no terminal to ask on
hint: add --yes to go on without being asked
exit 2

"#]]
    );
    let plan = apply(&world, "clients.csv", &listed, &["--prune", "--dry-run", "--json"]).json();
    assert_eq!(plan[58]["action"], "delete", "{plan}");
    let run = apply(&world, "clients.csv", &listed, &["--prune", "--yes", "--json"]);
    assert_eq!((run.code, counts(&run)), (0, [0, 0, 58, 2, 0]), "{}", run.transcript());
    assert_eq!(world.run(&["clients", "list", "-o", "ids"]).stdout.lines().count(), 58);
    for (name, text) in [("empty.csv", "id,email\n"), ("empty.json", "[]"), ("empty.yaml", "[]\n")] {
        let run = apply(&world, name, text, &["--prune", "--yes"]);
        assert!(run.code == 5 && run.stderr.contains("would delete every client"), "{}", run.transcript());
        let run = apply(&world, name, text, &["--json"]);
        assert_eq!((run.code, counts(&run)), (0, [0; 5]), "{}", run.transcript());
    }
}

#[test]
fn what_cannot_get_better_is_not_tried_again_and_again() {
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[])),
        ("POST /api/v6/clients", Reply::Json(401, String::new())),
    ]);
    let file = "email,first_name\na@x.example,A\nb@x.example,B\nc@x.example,C\n";
    let run =
        apply(&service.world(), "clients.csv", file, &["--yes", "--concurrency", "1", "--failed-to", "failed.csv"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     3
[stderr]
+ create a@x.example
    first_name: "A"
+ create b@x.example
    first_name: "B"
+ create c@x.example
    first_name: "C"
plan: 3 to create, 0 to update, 0 to delete, 0 unchanged
error: 3 of 3 changes failed
  clients.csv line 2: the service does not accept the token (401) (auth)
  2 changes not sent, after this
hint: check SITECTL_TOKEN or the profile's token, and that it belongs to this base URL
exit 3

"#]]
    );
    service.requests();
}

#[test]
fn an_interruption_tells_what_was_done_and_the_next_run_goes_on() {
    let server = Server::start(&["--latency", "40ms", "--rate-limit", "10000"]);
    let world = server.world();
    let rows: Vec<Value> = (0..400).map(|n| json!({"email": format!("n{n}@example.com"), "first_name": "N"})).collect();
    std::fs::write(world.path("clients.json"), json!(rows).to_string()).unwrap();
    let mut command =
        world.command(&["clients", "apply", "clients.json", "--yes", "--json", "--failed-to", "rest.json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while world.run(&["clients", "list", "-o", "ids"]).stdout.lines().count() < 70 {
        std::thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    let run = Run::of(child.wait_with_output().unwrap());
    let [created, _, _, _, failed] = counts(&run);
    assert!(run.code == 130 && created > 0 && failed > 0 && created + failed == 400, "{}", run.transcript());
    let result = run.json();
    let errors = result["errors"].as_array().unwrap();
    assert!(errors.iter().all(|error| error["kind"] == "interrupted"), "{}", run.transcript());
    let doubtful =
        errors.iter().filter(|error| error["message"].as_str().unwrap().contains("may have been made")).count();
    assert!(doubtful <= 8, "{}", run.transcript());
    let error = run.error();
    assert!(error["hint"].as_str().unwrap().contains("goes on where it was"), "{error}");
    let rest = apply(
        &world,
        "again.json",
        &std::fs::read_to_string(world.path("rest.json")).unwrap(),
        &["--dry-run", "--json"],
    );
    assert_eq!(rest.json().as_array().unwrap().len() as u64, failed);
    let run = world.run(&["clients", "apply", "clients.json", "--yes", "--json"]);
    let [more, _, unchanged, _, _] = counts(&run);
    assert!(run.code == 0 && more + unchanged == 400 && more <= failed, "{}", run.transcript());
}

#[test]
fn no_more_clients_are_created_in_a_full_account() {
    let server = Server::start(&["--max-clients", "62"]);
    let rows = (0..50).map(|n| json!({"email": format!("n{n}@example.com"), "first_name": "N"}));
    let rows: Vec<Value> = rows.chain([json!({"id": "client-0001", "note": "x"})]).collect();
    let args = ["--yes", "--json", "--concurrency", "2", "-v"];
    let run = apply(&server.world(), "clients.json", &json!(rows).to_string(), &args);
    assert_eq!((run.code, counts(&run)), (9, [2, 1, 0, 0, 48]), "{}", run.transcript());
    assert!(run.stderr.lines().filter(|line| line.contains("POST")).count() <= 6, "{}", run.transcript());
    assert_eq!(run.json()["errors"][47]["details"][0]["code"], "max_quota");
}

#[test]
fn a_swap_releases_one_site_and_gives_it_back_if_the_claim_is_refused() {
    let kept =
        |id: &str, sites: &str| Reply::Json(200, format!(r#"{{"client":{{"id":"{id}","site_ids":[{sites}]}}}}"#));
    let swap = |replies: Vec<(&'static str, Reply)>| {
        let (one, two) = (r#"{"id":"c1","site_ids":["s1","x"]}"#, r#"{"id":"c2","site_ids":["s2","y"]}"#);
        let list = [("GET /api/v6/clients?", clients(&[one, two]))];
        let service = Scripted::new(list.into_iter().chain(replies).collect());
        let run = apply(&service.world(), "clients.csv", "id,site_ids\nc1,s2;x\nc2,s1;y\n", &["--yes", "-q"]);
        let bodies: Vec<String> = service.requests().into_iter().skip(1).map(|request| request.body).collect();
        (run, bodies)
    };
    const ONE: &str = "POST /api/v6/clients/c1/update";
    const TWO: &str = "POST /api/v6/clients/c2/update";
    let sites = |ids: &str| format!(r#"{{"client":{{"site_ids":[{ids}]}}}}"#);
    let refused = || Reply::Json(422, String::new());
    let (run, bodies) =
        swap(vec![(TWO, kept("c2", r#""y""#)), (ONE, kept("c1", r#""s2","x""#)), (TWO, kept("c2", r#""s1","y""#))]);
    assert_eq!(
        (run.code, bodies),
        (0, vec![sites(r#""y""#), sites(r#""s2","x""#), sites(r#""s1","y""#)]),
        "{}",
        run.transcript()
    );
    let (run, bodies) = swap(vec![(TWO, kept("c2", r#""y""#)), (ONE, refused()), (TWO, kept("c2", r#""s2","y""#))]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     2
[stderr]
error: 2 of 2 changes failed
  clients.csv line 2: the service refused the request (422) (invalid)
  clients.csv line 3: not sent, because the change that takes s2 was refused; s2 was given back (invalid)
exit 5

"#]]
    );
    assert_eq!(bodies[2], sites(r#""s2","y""#));
    let (run, _) = swap(vec![(TWO, kept("c2", r#""y""#)), (ONE, refused()), (TWO, refused())]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     2
[stderr]
error: 2 of 2 changes failed
  clients.csv line 2: the service refused the request (422) (invalid)
  clients.csv line 3: s2 was released and could not be given back: the service refused the request (422) (invalid)
exit 5

"#]]
    );
    for (claim, code) in [(Reply::Json(403, String::new()), 3), (kept("c1", r#""s1","x""#), 1)] {
        let (run, bodies) = swap(vec![(TWO, kept("c2", r#""y""#)), (ONE, claim), (TWO, kept("c2", r#""s2","y""#))]);
        assert!(run.code == code && run.stderr.contains("; s2 was given back ("), "{}", run.transcript());
        assert_eq!(bodies[2], sites(r#""s2","y""#));
    }
    let unsent = vec![
        (TWO, kept("c2", r#""y""#)),
        (ONE, Reply::Json(401, String::new())),
        (TWO, Reply::Json(401, String::new())),
    ];
    let (run, _) = swap(unsent);
    let named = run.stderr.contains("s2 was released and could not be given back: ");
    assert!(run.code == 3 && named, "{}", run.transcript());
    // Whether the claim was refused is not known: the service is the one to say whose the site is.
    let lost =
        vec![(TWO, kept("c2", r#""y""#)), (ONE, Reply::Drop), ("GET", kept("c1", r#""s1","x""#)), (TWO, refused())];
    let (run, bodies) = swap(lost);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    0
unchanged  0
deleted    0
failed     2
[stderr]
error: 2 of 2 changes failed
  clients.csv line 2: the outcome of updating the client c1 is unknown: the connection to http://127.0.0.1:PORT/api/v6 broke off: connection closed before message completed (unknown_outcome)
  clients.csv line 3: the service refused the request (422) (invalid)
  clients.csv line 3: c2 has released s2 already; running it again makes the rest
exit 12

"#]]
    );
    assert_eq!(bodies[3], sites(r#""s1","y""#));
}

#[test]
fn a_released_site_is_given_back_after_an_interruption() {
    let [run, given_back] = interrupted_after_a_release(false);
    assert!(run.contains("; s2 was given back ("), "{run}");
    assert_eq!(given_back, r#"{"client":{"site_ids":["s2"]}}"#);
    let [run, _] = interrupted_after_a_release(true);
    assert!(run.contains("s2 was released and could not be given back"), "{run}");
}

/// Interrupts a run that has released a site, and interrupts the giving back too if it is `slow`. Returns what the run
/// printed, and the request that gives the site back.
fn interrupted_after_a_release(slow: bool) -> [String; 2] {
    let (sender, sent) = std::sync::mpsc::channel();
    let mut released = false;
    let service = Service::start(move |request| {
        let reply = match request.line.as_str() {
            // The claim waits for this one too.
            "POST /api/v6/clients/c3/update" => Reply::Silence,
            "POST /api/v6/clients/c2/update" if released && slow => Reply::Silence,
            "POST /api/v6/clients/c2/update" => {
                released = true;
                Reply::Json(200, request.body.replace("{\"site_ids\"", "{\"id\":\"c2\",\"site_ids\""))
            }
            _ => clients(&[
                r#"{"id":"c1","site_ids":["s1"]}"#,
                r#"{"id":"c2","site_ids":["s2"]}"#,
                r#"{"id":"c3","site_ids":["s3"]}"#,
            ]),
        };
        let _ = sender.send(request);
        reply
    });
    let next = || sent.recv_timeout(Duration::from_secs(20)).unwrap().body;
    let world = service.world();
    std::fs::write(world.path("clients.csv"), "id,site_ids\nc1,s2;s3\nc2,s1\nc3,[]\n").unwrap();
    let mut command = world.command(&["clients", "apply", "clients.csv", "--yes", "-q"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    (0..3).for_each(|_| drop(next()));
    // The response to the release has come by then.
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let given_back = next();
    if slow {
        std::thread::sleep(Duration::from_millis(500));
        interrupt(&child);
    }
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{}", run.transcript());
    [run.stderr, given_back]
}

#[test]
fn a_value_that_the_service_did_not_keep_is_a_failed_row() {
    let client =
        |id: &str, note: &str| format!(r#"{{"id":"{id}","email":"{id}@x.example","first_name":"A","note":"{note}"}}"#);
    let answer = |id: &str, note: &str| Reply::Json(200, format!(r#"{{"client":{}}}"#, client(id, note)));
    let service = Scripted::new(vec![
        ("GET /api/v6/clients?", clients(&[&client("c1", "old"), &client("c2", "old")])),
        ("POST /api/v6/clients/c1/update", answer("c1", "old")),
        ("POST /api/v6/clients/c2/update", answer("c2", "NEW ")),
        ("POST /api/v6/clients", answer("c3", "old")),
    ]);
    let file = "id,email,first_name,note\nc1,,,new\nc2,,,new\n,c3@x.example,A,new\n";
    let run = apply(&service.world(), "clients.csv", file, &["--yes", "-q", "--concurrency", "1"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
created    0
updated    1
unchanged  0
deleted    0
failed     2
[stderr]
error: 2 of 3 changes failed
  clients.csv line 2, column note: Was sent as "new", but the service has "old" (not_kept)
  clients.csv line 4, column note: Was sent as "new", but the service has "old" (not_kept)
exit 9

"#]]
    );
    service.requests();
}

/// A client of a service that has fields of its own.
const OWN: &str = r#"{"id":"c1","email":"a@x.example","first_name":"A","plan":"pro","seats":7.50,"vip":true,"tags":["b","a;c"],"labels":["x","y"],"owner":{"id":7,"teams":[{"n":null},{}]},"gone":null,"zip":"007"}"#;

#[test]
fn an_export_with_fields_of_the_service_s_own_changes_nothing() {
    let list = || Scripted::new(vec![("GET /api/v6/clients?", clients(&[OWN]))]);
    let fields = ["--fields", "id,email,plan,seats,vip,tags,labels,owner,gone,zip"];
    for (format, more) in [("csv", &fields[..]), ("csv", &[]), ("json", &[]), ("ndjson", &[]), ("yaml", &[])] {
        let listed = list().world().run(&[&["clients", "list", "-o", format], more].concat()).stdout;
        let run = apply(&list().world(), &format!("listed.{format}"), &listed, &["--json"]);
        assert_eq!((run.code, counts(&run)), (0, [0, 0, 1, 0, 0]), "{listed}{}", run.transcript());
    }
}

#[test]
fn fields_of_the_service_s_own_cannot_be_changed() {
    let service = Scripted::new(vec![("GET /api/v6/clients?", clients(&[OWN]))]);
    let file = r#"[{"id":"c1","vip":null,"gone":null,"absent":null}]"#;
    let run = apply(&service.world(), "clients.json", file, &["--yes"]);
    assert!(run.code == 5 && run.stderr.contains("vip: Is true in the service"), "{}", run.transcript());
    let service = Scripted::new(vec![("GET /api/v6/clients?", clients(&[OWN]))]);
    let file = "id,email,first_name,plan,seats,vpi\nc1,,,free,7.5,\n,b@x.example,B,pro,,\n,c@x.example,C,,,x\n";
    assert_data_eq!(
        apply(&service.world(), "clients.csv", file, &["--yes"]).transcript(),
        str![[r#"
[stderr]
error: 3 problems in clients.csv
  clients.csv line 1, column vpi: Is not a known column; allowed: id, first_name, last_name, email, company_name, address, note, site_ids (unknown_field)
  clients.csv line 2, column plan: Is "pro" in the service, and sitectl cannot change this field (unknown_field)
  clients.csv line 3, column plan: Is null in the service, and sitectl cannot change this field (unknown_field)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    service.requests();
}

#[test]
fn values_that_the_service_has_already_are_no_problem() {
    let client = r#"{"id":"c1","email":"legacy at x","first_name":"","site_ids":[7,8],"note":9}"#;
    let service = || Scripted::new(vec![("GET /api/v6/clients?", clients(&[client]))]);
    for (name, text) in [
        ("clients.json", format!("[{client}]")),
        ("clients.csv", "id,email,first_name,site_ids,note\nc1,legacy at x,,7;8,9\n".to_string()),
        ("clients.yaml", "- {id: c1, email: legacy at x, first_name: '', site_ids: [8, 7], note: 9}\n".into()),
    ] {
        let run = apply(&service().world(), name, &text, &["--json"]);
        assert_eq!((run.code, counts(&run)), (0, [0, 0, 1, 0, 0]), "{name}: {}", run.transcript());
    }
    let run =
        apply(&service().world(), "clients.json", r#"[{"id": "c1", "email": "other at x", "note": 8}]"#, &["--yes"]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: 2 problems in clients.json
  clients.json record 1, field email: Invalid email format (invalid_format)
  clients.json record 1, field note: Must be a string (invalid_type)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
}

#[test]
fn a_service_that_is_gone_is_not_knocked_at_for_ever() {
    let refused = (0..10).map(|_| ("POST /api/v6/clients", Reply::Json(418, String::new())));
    let service = Scripted::new([("GET /api/v6/clients?", clients(&[]))].into_iter().chain(refused).collect());
    let rows: String = (0..15).map(|number| format!("n{number}@example.com,N\n")).collect();
    let args = ["--yes", "--json", "--concurrency", "1"];
    let run = apply(&service.world(), "clients.csv", &format!("email,first_name\n{rows}"), &args);
    assert_eq!((run.code, counts(&run)), (8, [0, 0, 0, 0, 15]), "{}", run.transcript());
    let result = run.json();
    let not_sent = result["errors"].as_array().unwrap().iter().filter(|error| {
        error["message"].as_str().unwrap().contains("not sent, after this: 10 changes in a row did not get through")
    });
    assert_eq!(not_sent.count(), 5, "{result}");
    service.requests();
}
