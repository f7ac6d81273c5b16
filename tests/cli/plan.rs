//! `sitectl restore start --plan`: checks, confirmation, report and failed rows.

use crate::common::{Run, Server, World};
use crate::resume::START;
use crate::service::{Reply, Scripted, Service, site_reply};
use predicates::ord::eq;
use predicates::str::{contains, is_match};
use regex::Regex;
use serde_json::json;
use snapbox::{assert_data_eq, str};

const HEADER: &str = "site_id,snapshot_id,files,database,paths,tables,subsite_ids\n";

pub fn snapshots(ids: &[&str]) -> Reply {
    let record = |(day, id): (usize, &&str)| {
        let created_at = format!("2026-01-{:02}T00:00:00.000Z", day + 1);
        json!({"id": id, "status": "succeeded", "created_at": created_at})
    };
    let records: Vec<_> = ids.iter().enumerate().map(record).collect();
    Reply::list("snapshots", &records)
}

/// Returns a task that has succeeded.
pub fn task(id: &str) -> Reply {
    Reply::task(id, "succeeded")
}

fn write(world: &World, name: &str, rows: &str) {
    std::fs::write(world.path(name), format!("{HEADER}{rows}")).unwrap();
}

/// Returns the transcript with the columns close together and without times, because their width
/// depends on the day.
fn squeezed(run: &Run) -> String {
    let text = Regex::new("  +")
        .unwrap()
        .replace_all(&run.transcript(), "  ")
        .into_owned();
    Regex::new(r"20\d\d-[0-9T:-]+Z")
        .unwrap()
        .replace_all(&text, "TIME")
        .into_owned()
}

/// Returns the number of requests that the journal has.
fn sent(world: &World) -> usize {
    world.journal().matches(r#"{"sent":"#).count()
}

#[test]
fn a_plan_is_shown_and_started() {
    let (_server, world) = Server::start("--restore-time 60s").world_kept();
    let rows = "site-0001,latest,yes,yes,,,\nsite-0002,snap-0002-1,,,./a/b;./c d,,\nsite-0031,snap-0031-2,no,1,,wp_posts,2\n";
    write(&world, "plan.csv", rows);
    let start = [
        "restore",
        "start",
        "--plan",
        "plan.csv",
        "--yes",
        "--reason",
        "hacked",
        "--concurrency",
        "1",
    ];
    assert_data_eq!(
        squeezed(&world.run(&start)),
        str![[r#"
[stdout]
SITE  OUTCOME  STARTED  TAKEN  SCOPE  USER  REASON  SNAPSHOT  TASK  RUN  SITE ID
https://site-0001.example.com  running  TIME  NIGHTT02:01:00Z  files, database  tester  hacked  snap-0001-4  task-ID  RUN  site-0001
https://site-0002.example.com  running  TIME  NIGHTT02:02:00Z  files: ./a/b, ./c d  tester  hacked  snap-0002-1  task-ID  RUN  site-0002
https://site-0031.example.com  running  TIME  NIGHTT02:31:00Z  database: wp_posts of subsite 2  tester  hacked  snap-0031-2  task-ID  RUN  site-0031
[stderr]
restoring site-0001.example.com from snap-0001-4: task task-ID
restoring site-0002.example.com from snap-0002-1: task task-ID
restoring site-0031.example.com from snap-0031-2: task task-ID
hint: watch the restore: sitectl restore watch task-ID task-ID task-ID
exit 0

"#]]
    );
    assert_eq!(sent(&world), 3);
    assert!(
        world.journal().contains(r#""paths":["./a/b","./c d"]"#)
            && world.journal().contains(r#""reason":"hacked""#)
    );
}

#[test]
fn all_rows_are_checked_before_any_restore_starts() {
    let (_server, world) = Server::start("--restore-time 1s").world_kept();
    let wrong = "site-0001,latest,yes,yes,,,\nsite-0002,snap-0002-4,yes,,,,\nsite-9999,snap-9999-1,yes,,,,\n\
                 site-0003,snap-0003-9,yes,,,,2\nsite-0004,site-0005,yes,,,,\nsite-0001.example.com,latest,yes,,,,\n";
    write(&world, "plan.csv", wrong);
    assert_data_eq!(
        world
            .run("restore start --plan plan.csv --yes")
            .transcript(),
        str![[r#"
[stderr]
error: 5 problems in plan.csv
  plan.csv line 3, column snapshot_id (site-0002, 'snap-0002-4'): Has status 'failed'; only snapshots with status 'succeeded' can be restored (not_succeeded)
  plan.csv line 4 (site-9999): site 'site-9999' not found (not_found)
  plan.csv line 5, column subsite_ids (site-0003): The site is not a multisite (not_multisite)
  plan.csv line 6 (site-0004): snapshot 'site-0005' of site-0004 not found (not_found)
  plan.csv line 7, column site_id ('site-0001.example.com'): 'site-0001' is also in plan.csv line 2 (duplicate)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    std::fs::write(
        world.path("plan.json"),
        r#"[{"site_id":"site-0001","snapshot_id":"latest","files":true,"why":1}]"#,
    )
    .unwrap();
    let run = world.run("restore start --plan plan.json --yes --json");
    assert_eq!(
        (run.code, run.error()["details"][0]["code"].as_str()),
        (5, Some("unknown_field")),
        "{}",
        run.stderr
    );
    std::fs::write(world.path("empty.csv"), "").unwrap();
    assert_eq!(world.run("restore start --plan empty.csv --yes").code, 5);
    assert_eq!(world.run("restore start --plan missing.csv --yes").code, 2);
    assert_eq!(world.journal(), "");
    write(&world, "none.csv", "");
    let run = world.run("restore start --plan none.csv --yes --json");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "[]\n"),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_list_of_sites_is_a_plan_with_the_scope_and_time_of_the_options() {
    let sites = [
        json!({"id": "s1"}),
        json!({"id": "s2", "url": "https://shop.example"}),
    ];
    let list = || ("GET /api/v6/sites?", Reply::list("sites", &sites));
    let taken = || ("GET /api/v6/sites/s", snapshots(&["p1", "p2", "p3"]));
    let service = Scripted::new(vec![
        list(),
        list(),
        taken(),
        taken(),
        ("POST /api/v6/sites/s1/backups/p2/restore", task("t1")),
        ("POST /api/v6/sites/s2/backups/p2/restore", task("t2")),
    ]);
    let world = service.world();
    assert_eq!(world.run("sites list -o ids").stdout, "s1\ns2\n");
    let start = [
        "restore",
        "start",
        "--plan",
        "-",
        "--path",
        "x",
        "--before",
        "2026-01-03",
        "--yes",
        "-o",
        "ids",
    ];
    let run = world.run_with(
        &[&start[..], &["--concurrency", "1"]].concat(),
        "s1\nshop.example\n",
    );
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "t1\nt2\n"),
        "{}",
        run.transcript()
    );
    let requests = service.requests();
    assert!(
        requests
            .iter()
            .rev()
            .take(2)
            .all(|request| request.body.contains(r#""paths":["x"]"#)),
        "{requests:?}"
    );
}

#[test]
fn a_dry_run_shows_each_row_and_only_reads() {
    let sites = [json!({"id": "s1"}), json!({"id": "s2"})];
    let taken = || ("GET /api/v6/sites/s", snapshots(&["p1", "p2", "p3"]));
    let service = Scripted::new(vec![
        ("GET /api/v6/sites?", Reply::list("sites", &sites)),
        taken(),
        taken(),
        (
            "GET /api/v6/sites/s2",
            Reply::Json(200, sites[1].to_string()),
        ),
        taken(),
    ]);
    let world = service.world();
    let rows = "Site ID;Snapshot ID;Before;Database\ns1;latest;2026-01-02;yes\ns2;p2;;\n";
    std::fs::write(world.path("plan.csv"), rows).unwrap();
    let start = ["restore", "start", "--dry-run", "--files"];
    assert_data_eq!(
        squeezed(&world.run(&[&start[..], &["--plan", "plan.csv"]].concat())),
        str![[r#"
[stdout]
SITE  TAKEN  AGE  SCOPE  SNAPSHOT  SITE ID
s1  TIME  AGE  database  p1  s1
s2  TIME  AGE  files  p2  s2
[stderr]
No changes were made.
exit 0

"#]]
    );
    let fields =
        "run,site_id,url,snapshot_id,taken_at,scope,reason,outcome,task_id,user,error,task";
    let one = ["s2", "latest", "--json", "--fields", fields];
    let run = world.run(&[&start[..], &one].concat());
    assert_data_eq!(
        run.stdout,
        str![[r#"
{
  "run": null,
  "site_id": "s2",
  "url": null,
  "snapshot_id": "p3",
  "taken_at": "2026-01-03T00:00:00.000Z",
  "scope": {
    "include_files": true,
    "include_database": false
  },
  "reason": null,
  "outcome": null,
  "task_id": null,
  "user": "tester",
  "error": null,
  "task": null
}

"#]]
    );
    assert_eq!((run.code, world.journal().as_str()), (0, ""));
}

#[test]
fn a_plan_requires_a_confirmation() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, "plan.csv", "s1,p1,yes,,,,\ns2,p2,yes,,,,\n");
    let run = world.run("restore start --plan plan.csv");
    run.assert_stderr(2, contains("overwrite 2 live sites"));
    let run = world.run("restore start s1 p1 --full");
    run.assert_stderr(2, contains("overwrite the live site s1 "));
    for more in [
        ["--concurrency", "2"],
        ["--stop-after-failures", "1"],
        ["--input-format", "csv"],
        ["--snapshot", "latest"],
    ] {
        let run = world.run(
            &[
                &["restore", "start", "s1", "p1", "--full", "--yes"],
                &more[..],
            ]
            .concat(),
        );
        run.assert_stderr(2, contains(more[0]));
    }
    assert_eq!(world.journal(), "");
}

#[test]
fn rows_that_the_service_refuses_are_reported() {
    let problem = r#"{"error":{"status":422,"code":"unprocessable_entity","message":"Unprocessable entity.",
        "details":[{"code":"invalid_path","param":"restore.scope.paths[0]","message":"Must begin with ./"}]}}"#;
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p1/restore", task("t1")),
        (
            "POST /api/v6/sites/s2/backups/p2/restore",
            Reply::Json(422, problem.into()),
        ),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,yes,,,\ns2,p2,,,x,,\n");
    let start = "restore start --yes --concurrency 1 --plan plan.csv";
    assert_data_eq!(
        squeezed(&world.run(start)),
        str![[r#"
[stdout]
SITE  OUTCOME  STARTED  TAKEN  SCOPE  USER  SNAPSHOT  TASK  RUN  SITE ID
s1  running  TIME  NIGHTT02:00:00Z  files, database  tester  p1  t1  RUN  s1
s2  rejected  TIME  NIGHTT02:00:00Z  files: x  tester  p2  RUN  s2
[stderr]
restoring s1 from p1: task t1
error: 1 of 2 restores rejected
  s2, paths: Must begin with ./ (invalid_path)
hint: write paths relative to the root of the snapshot, such as ./wp-content/uploads/
exit 9

"#]]
    );
}

#[test]
fn a_plan_stops_after_the_given_number_of_failures() {
    let pairs = [("s1", "p"), ("s2", "p"), ("s3", "p"), ("s4", "p")];
    let service = Service::start(move |request| {
        site_reply(&pairs, &request.line).unwrap_or(Reply::status(409))
    });
    let world = service.world();
    write(
        &world,
        "plan.csv",
        &(1..=4)
            .map(|n| format!("s{n},p,yes,,,,\n"))
            .collect::<String>(),
    );
    let start = [
        "restore",
        "start",
        "--plan",
        "plan.csv",
        "--yes",
        "--concurrency",
        "1",
        "-q",
    ];
    let run = world.run(&[&start[..], &["--stop-after-failures", "2"]].concat());
    run.assert_stderr(9, contains("  s4: was not sent: 2 failures (partial)\n"));
    assert_eq!(sent(&world), 2);
}

#[test]
fn a_plan_is_watched_to_its_end() {
    let (_server, world) = Server::start("--restore-time 0s").world_kept();
    write(
        &world,
        "plan.csv",
        "site-0001,snap-0001-1,yes,yes,,,\nsite-0013,snap-0013-1,,,,wp_posts,\n",
    );
    let run = world.run("restore start --yes --watch --json --plan plan.csv");
    let rows = run.json();
    assert_eq!(
        (run.code, &rows[0]["outcome"], &rows[1]["outcome"]),
        (10, &"succeeded".into(), &"failed".into())
    );
    // The hint restores again what failed, and nothing else.
    let hint = run.error()["hints"][0].as_str().unwrap().to_string();
    let (_, again) = hint.split_once(": ").unwrap();
    let again = world.run_script(&format!("{again} --yes --watch -o json"));
    let rows = again.json();
    assert_eq!(
        (
            again.code,
            rows.as_array().unwrap().len(),
            &rows[0]["site_id"]
        ),
        (10, 1, &"site-0013".into()),
        "{}",
        again.transcript()
    );
    let scopes = world.run("restore history --site site-0013 --jq .[].scope|tojson");
    let database = r#"{"include_files":false,"include_database":true,"tables":["wp_posts"]}"#;
    scopes.assert_stdout(0, eq(format!("{database}\n{database}\n")));
}

#[test]
fn rows_that_are_not_started_do_not_keep_the_others_from_being_watched() {
    let service = Scripted::with_sites(vec![
        (
            "POST /api/v6/sites/s1/backups/p/restore",
            Reply::status(409),
        ),
        (
            "POST /api/v6/sites/s2/backups/p/restore",
            Reply::status(201),
        ),
        (
            "POST /api/v6/sites/s3/backups/p/restore",
            Reply::Json(201, r#"{"task":{"id":"t3"}}"#.into()),
        ),
        ("GET /api/v6/tasks/t3", task("t3")),
    ]);
    let world = service.world();
    write(
        &world,
        "plan.csv",
        "s1,p,yes,,,,\ns2,p,yes,,,,\ns3,p,yes,,,,\n",
    );
    let start = "restore start --plan plan.csv --yes --watch --concurrency 1 --json";
    let run = world.run(start);
    let rows = run.json();
    let outcomes: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["outcome"])
        .collect();
    assert_eq!(outcomes, ["not_sent", "unknown", "succeeded"], "{rows}");
    let error = run.error();
    let params: Vec<_> = error["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["param"])
        .collect();
    assert_eq!(
        (run.code, params),
        (12, vec![&"s2".into(), &"s1".into()]),
        "{error}"
    );
    let message = error["message"].as_str().unwrap();
    assert!(message.ends_with(", 1 of 3 restores not sent"), "{message}");
    let hints = ["explain unknown_outcome", "restore resume "];
    for (index, hint) in hints.into_iter().enumerate() {
        let said = error["hints"][index].as_str().unwrap();
        assert!(said.contains(hint), "{said}");
    }
}

#[test]
fn nothing_is_started_without_a_connection_or_access() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    let run = world.run("restore start --plan plan.csv --yes --retries 0");
    assert!(run.code == 8, "{}", run.transcript());
    let service = Scripted::new(vec![("GET /api/v6/sites/s1", Reply::status(401))]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    assert_eq!(world.run("restore start --plan plan.csv --yes").code, 3);
    assert_eq!(world.journal(), "");
}

#[test]
fn a_list_cell_without_items_is_refused() {
    let world = World::sandbox();
    let rows = "site-0001,latest,yes,yes,;,\" \",\nsite-0002,latest,yes,yes,,,\" ; ; \"\n";
    write(&world, "plan.csv", rows);
    let run = world.run("restore start --plan plan.csv --full --dry-run");
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: 3 problems in plan.csv
  plan.csv line 2, column paths (site-0001): Is empty; leave it out to restore everything (blank)
  plan.csv line 2, column tables (site-0001): Is empty; leave it out to restore everything (blank)
  plan.csv line 3, column subsite_ids (site-0002): Is empty; leave it out to restore everything (blank)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
}

/// Returns the command of the hint of an error.
fn command_of_hint(run: &Run) -> Vec<String> {
    let hint = run.error()["hints"][0].as_str().unwrap().to_string();
    let (_, command) = hint.split_once(": sitectl ").unwrap();
    shlex::split(command).unwrap()
}

fn run_words(world: &World, words: &[String]) -> Run {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    world.run(&words)
}

#[test]
fn a_plan_is_not_restored_again_in_the_same_way_without_force() {
    let restored = |id| {
        [
            ("POST /api/v6/sites/s1/backups/p/restore", task(id)),
            ("GET /api/v6/tasks/", task(id)),
        ]
    };
    let service = Scripted::with_sites([restored("t1"), restored("t2"), restored("t3")].concat());
    let world = service.world();
    let plan = |row: &str, more: &[&str]| {
        write(&world, "plan.csv", row);
        let plan = ["restore", "start", "--plan", "plan.csv", "--yes", "--watch"];
        world.run(&[&plan[..], more].concat())
    };
    assert_eq!(plan("s1,p,yes,,,,\n", &[]).code, 0);
    let run = plan("s1,p,yes,,,,\n", &["--json"]);
    assert!(
        run.code == 6
            && run.error()["hints"][1]
                .as_str()
                .unwrap()
                .ends_with("--force"),
        "{}",
        run.transcript()
    );
    let run = run_words(&world, &command_of_hint(&run));
    assert_eq!(run.code, 0, "it shows the run: {}", run.transcript());
    let run = plan("s1,p,,yes,,,\n", &[]);
    assert_eq!(run.code, 0, "another scope: {}", run.transcript());
    let run = plan("s1,p,yes,,,,\n", &["--force", "--dry-run"]);
    let table = is_match(r"NOTE .*\ns1 .* --force overrides: s1 was restored 20").unwrap();
    run.assert_stdout(0, table);
    let run = plan("s1,p,yes,,,,\n", &["--force"]);
    assert_eq!(run.code, 0, "{}", run.transcript());
}

#[test]
fn a_plan_with_a_site_in_doubt_is_refused_without_force() {
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", Reply::Drop),
        ("POST /api/v6/sites/s1/backups/q/restore", task("t1")),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p,yes,,,,\n");
    assert_eq!(world.run(&START).code, 12);
    write(&world, "plan.csv", "s1,q,,,a b,,\n");
    let run = world.run(&START);
    assert_eq!(run.code, 6, "{}", run.transcript());
    assert_eq!(world.run(&[&START[..], &["--force"]].concat()).code, 0);
}

#[test]
fn several_pages_of_a_site_in_a_list_are_one_restore() {
    let (_server, world) = Server::start("").world_kept();
    let start = [
        "restore",
        "start",
        "--full",
        "--dry-run",
        "--json",
        "--plan",
        "-",
    ];
    let pages =
        "site-0001\nsite-0001.example.com/a\nhttps://SITE-0001.example.com/b?c\nsite-0002\n";
    let run = world.run_with(&start, pages);
    let rows = run.json();
    let sites = rows.as_array().unwrap().iter().map(|row| &row["site_id"]);
    assert_eq!(sites.collect::<Vec<_>>(), ["site-0001", "site-0002"]);
    let run = world.run_with(&start, "site_id\nsite-0001\nsite-0001.example.com\n");
    run.assert_stderr(5, contains("duplicate"));
}

#[test]
fn all_problems_of_a_plan_are_shown_at_once() {
    let (_server, world) = Server::start("").world_kept();
    let rows = "site_id,snapshot_id,files,database,paths\n\
                site-9999,latest,yes,,\nsite-0001,no-such,yes,,\n\
                site-0002,latest,maybe,,\nsite-0003,latest,yes,yes,a\n";
    std::fs::write(world.path("plan.csv"), rows).unwrap();
    let run = world.run("restore start --plan plan.csv --dry-run");
    for (line, problem) in [
        (2, "site 'site-9999' not found"),
        (3, "snapshot 'no-such' of site-0001 not found"),
        (4, "Must be true or false"),
        (5, "restored in full"),
    ] {
        let pattern = format!(r"line {line}\b.*{problem}");
        assert!(
            Regex::new(&pattern).unwrap().is_match(&run.stderr),
            "{}",
            run.transcript()
        );
    }
    assert_eq!(run.code, 5);
}

#[test]
fn a_scope_that_is_missing_everywhere_is_one_problem() {
    let (_server, world) = Server::start("").world_kept();
    let run = world.run_with(
        &["restore", "start", "--plan", "-", "--yes"],
        "site-0001\nsite-0002\n",
    );
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stderr]
error: no restore scope specified
hint: preview a full restore: sitectl restore start --plan=- --full --dry-run
hint: restore a part with --files, --database, --path, --table or --subsite
exit 2

"#]]
    );
}

#[test]
fn a_service_that_does_not_answer_three_restores_in_a_row_gets_no_more() {
    let pairs = [1, 2, 3, 4, 5].map(|number| (format!("s{number}"), "p"));
    let service = Service::start(move |request| {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(site, snapshot)| (site.as_str(), *snapshot))
            .collect();
        site_reply(&pairs, &request.line).unwrap_or(Reply::status(502))
    });
    let world = service.world();
    std::fs::write(world.path("plan.csv"), "s1\ns2\ns3\ns4\ns5\n").unwrap();
    let run = world.run(&[&START[..], &["--full"]].concat());
    let rows = run.json();
    let outcomes = rows.as_array().unwrap().iter();
    let outcomes = outcomes.map(|row| row["outcome"].as_str().unwrap());
    let expected = ["unknown", "unknown", "unknown", "not_sent", "not_sent"];
    assert_eq!(run.code, 12, "{}", run.transcript());
    assert_eq!(outcomes.collect::<Vec<_>>(), expected);
}
