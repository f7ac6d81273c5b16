//! `sitectl restore start --plan`: checks, confirmation, report and failed rows.

use crate::common::{Run, Server, World};
use crate::resume::START;
use crate::service::{Reply, Scripted, Service, site_reply};
use predicates::str::{contains, is_match};
use regex::Regex;
use serde_json::json;
use snapbox::{assert_data_eq, str};

const FILES: &str = r#"{"include_files":true}"#;

/// Returns a row of a plan.
fn row(site: &str, snapshot: &str, scope: &str) -> String {
    format!("{site},{snapshot},\"{}\"\n", scope.replace('"', "\"\""))
}

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

fn write(world: &World, rows: &[String]) {
    let plan = format!("site_id,snapshot_id,scope\n{}", rows.concat());
    std::fs::write(world.path("plan.csv"), plan).unwrap();
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
    let part = r#"{"include_files":true,"paths":["./a/b","./c d"]}"#;
    let table = r#"{"include_database":true,"tables":["wp_posts"],"subsite_ids":["2"]}"#;
    write(
        &world,
        &[
            row(
                "site-0001",
                "latest",
                r#"{"include_files":true,"include_database":true}"#,
            ),
            row("site-0002", "snap-0002-1", part),
            row("site-0031", "snap-0031-2", table),
        ],
    );
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
    let rows = "Site ID;Snapshot ID;Before;Scope\ns1;latest;2026-01-02;{\"include_database\":true}\ns2;p2;;\n";
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
fn a_plan_stops_after_the_given_number_of_failures() {
    let pairs = [("s1", "p"), ("s2", "p"), ("s3", "p"), ("s4", "p")];
    let service = Service::start(move |request| {
        site_reply(&pairs, &request.line).unwrap_or(Reply::status(409))
    });
    let world = service.world();
    let rows: Vec<String> = (1..=4).map(|n| row(&format!("s{n}"), "p", FILES)).collect();
    write(&world, &rows);
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
fn nothing_is_started_without_a_connection_or_access() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, &[row("s1", "p1", FILES)]);
    let run = world.run("restore start --plan plan.csv --yes --retries 0");
    assert!(run.code == 8, "{}", run.transcript());
    let service = Scripted::new(vec![("GET /api/v6/sites/s1", Reply::status(401))]);
    let world = service.world();
    write(&world, &[row("s1", "p1", FILES)]);
    assert_eq!(world.run("restore start --plan plan.csv --yes").code, 3);
    assert_eq!(world.journal(), "");
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
    let plan = |scope: &str, more: &[&str]| {
        write(&world, &[row("s1", "p", scope)]);
        let plan = ["restore", "start", "--plan", "plan.csv", "--yes", "--watch"];
        world.run(&[&plan[..], more].concat())
    };
    assert_eq!(plan(FILES, &[]).code, 0);
    let run = plan(FILES, &["--json"]);
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
    let run = plan(r#"{"include_database":true}"#, &[]);
    assert_eq!(run.code, 0, "another scope: {}", run.transcript());
    let run = plan(FILES, &["--force", "--dry-run"]);
    let table = is_match(r"NOTE .*\ns1 .* --force overrides: restored 20").unwrap();
    run.assert_stdout(0, table);
    let run = plan(FILES, &["--force"]);
    assert_eq!(run.code, 0, "{}", run.transcript());
}

#[test]
fn a_plan_with_a_site_in_doubt_is_refused_without_force() {
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", Reply::Drop),
        ("POST /api/v6/sites/s1/backups/q/restore", task("t1")),
    ]);
    let world = service.world();
    write(&world, &[row("s1", "p", FILES)]);
    assert_eq!(world.run(&START).code, 12);
    write(&world, &[row("s1", "q", FILES)]);
    let run = world.run(&START);
    assert_eq!(run.code, 6, "{}", run.transcript());
    assert_eq!(world.run(&[&START[..], &["--force"]].concat()).code, 0);
}

#[test]
fn a_service_that_does_not_answer_three_restores_in_a_row_gets_no_more() {
    let pairs = ["s1", "s2", "s3", "s4", "s5"].map(|site| (site, "p"));
    // Backups are answered between the restores.
    for options in [&["--full"][..], &["--full", "--backup-first"]] {
        let mut synced = Vec::new();
        let service = Service::start(move |request| {
            let line = request.line.as_str();
            let site = line
                .split("/sites/")
                .nth(1)
                .map(|rest| rest[..2].to_string());
            match site {
                Some(site) if line.ends_with("/sync") => {
                    synced.push(site);
                    task("b1")
                }
                Some(site) if line.contains("/snapshots") && synced.contains(&site) => {
                    snapshots(&["p", "n"])
                }
                _ => site_reply(&pairs, line).unwrap_or(Reply::status(502)),
            }
        });
        let world = service.world();
        std::fs::write(world.path("plan.csv"), "s1\ns2\ns3\ns4\ns5\n").unwrap();
        let run = world.run(&[&START[..], options].concat());
        let rows = run.json();
        let outcomes = rows.as_array().unwrap().iter();
        let outcomes = outcomes.map(|row| row["outcome"].as_str().unwrap());
        let expected = ["unknown", "unknown", "unknown", "not_sent", "not_sent"];
        assert_eq!(run.code, 12, "{}", run.transcript());
        assert_eq!(outcomes.collect::<Vec<_>>(), expected);
    }
}

/// A plan in which s2 has an unfinished restore, and s3 has no snapshot.
fn with_two_refused() -> (Service, World) {
    let pairs = [("s1", "p"), ("s2", "p")];
    let service = Service::start(move |request| match request.line.as_str() {
        line if line.starts_with("POST ") => {
            Reply::task(&format!("t-{}", &line[19..21]), "running")
        }
        // A token that is not allowed to see one task is allowed to restore other sites.
        line if line.starts_with("GET /api/v6/tasks/") => Reply::status(403),
        line if line.contains("/sites/s3/snapshots") => snapshots(&[]),
        line if line.contains("/sites?") => {
            let sites = ["s1", "s2", "s3"].map(|id| json!({"id": id}));
            Reply::list("sites", &sites)
        }
        line => site_reply(&pairs, line).unwrap(),
    });
    let world = service.world();
    assert_eq!(world.run("restore start s2 p --full --yes").code, 0);
    std::fs::write(world.path("sites.txt"), "s1\ns2\ns3\n").unwrap();
    (service, world)
}

#[test]
fn rows_that_cannot_be_restored_stop_the_plan_or_are_left_out_for_good() {
    let (_service, world) = with_two_refused();
    let journal = world.journal();
    let start = "restore start --plan sites.txt --full --yes --json";
    let run = world.run(start);
    let error = run.error();
    assert_eq!((run.code, run.stdout.as_str()), (9, ""));
    let details = error["details"].as_array().unwrap().iter();
    let details: Vec<_> = details.map(|one| (&one["param"], &one["code"])).collect();
    assert_eq!(
        details,
        [
            (&json!("s2"), &json!("conflict")),
            (&json!("s3"), &json!("not_found"))
        ]
    );
    // A dry run ends with the same code, and its CSV is a plan of the others.
    let dry_run = format!("{start} --dry-run");
    let run = world.run(&*dry_run);
    assert_eq!((run.code, run.json().as_array().unwrap().len()), (9, 3));
    let run = world.run("restore start --plan sites.txt --full --dry-run --keep-going -o csv");
    assert_eq!((run.code, run.stdout.lines().count()), (0, 2));
    assert_eq!(world.journal(), journal);
    let key = format!("{start} --keep-going --idempotency-key k");
    let mut sent = sent(&world) + 1;
    for command in [
        key.as_str(),
        key.as_str(),
        "restore resume RUN --yes --json",
    ] {
        let run_id = world.run("restore history --limit 1 --jq .[].run").stdout;
        let run = world.run(command.replace("RUN", run_id.trim()));
        let rows = run.json();
        let outcomes = rows.as_array().unwrap().iter();
        let outcomes: Vec<_> = outcomes
            .map(|row| (&row["outcome"], &row["error"]["kind"]))
            .collect();
        let not_sent = json!("not_sent");
        assert_eq!(outcomes[0].0, "running", "{command}: {}", run.transcript());
        assert_eq!(outcomes[1], (&not_sent, &json!("conflict")), "{command}");
        assert_eq!(outcomes[2], (&not_sent, &json!("not_found")), "{command}");
        assert_eq!(run.code, 9, "{command}");
        assert_eq!(self::sent(&world), sent, "{command}");
        sent = self::sent(&world);
    }
}
