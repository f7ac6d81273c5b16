//! `sitectl restore start --plan`: checks, confirmation, report, and resumed runs.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World, interrupt};
use regex::Regex;
use serde_json::Value;
use snapbox::{assert_data_eq, str};
use std::process::Stdio;

const HEADER: &str = "site_id,snapshot_id,files,database,paths,tables,subsite_ids\n";

pub fn snapshots(ids: &[&str]) -> Reply {
    let record = |(day, id): (usize, &&str)| {
        format!(
            r#"{{"id":"{id}","status":"succeeded","created_at":"2026-01-{:02}T00:00:00Z"}}"#,
            day + 1
        )
    };
    let records: Vec<String> = ids.iter().enumerate().map(record).collect();
    let total = ids.len();
    let pagination = format!(r#"{{"page":1,"perPage":25,"totalPages":1,"totalItems":{total}}}"#);
    Reply::Json(
        200,
        format!(
            r#"{{"snapshots":[{}],"meta":{{"pagination":{pagination}}}}}"#,
            records.join(",")
        ),
    )
}

fn task(id: &str) -> Reply {
    Reply::Json(
        201,
        format!(r#"{{"task":{{"id":"{id}","status":"succeeded"}}}}"#),
    )
}

fn write(world: &World, name: &str, rows: &str) {
    std::fs::write(world.path(name), format!("{HEADER}{rows}")).unwrap();
}

fn quick() -> (Server, World) {
    Server::start(&["--restore-time", "1s"]).world_kept()
}

/// The transcript with the columns close together, and without times: how wide they are depends on the day.
fn squeezed(run: &Run) -> String {
    let text = Regex::new("  +")
        .unwrap()
        .replace_all(&run.transcript(), "  ")
        .into_owned();
    Regex::new(r"at 20[0-9T:Z-]+")
        .unwrap()
        .replace_all(&text, "at TIME")
        .into_owned()
}

/// Returns the number of restores that the journal has.
fn intents(world: &World) -> usize {
    world.journal().matches(r#""intended""#).count()
}

#[test]
fn a_plan_is_shown_started_and_resumed() {
    let (_server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    let rows = "site-0001,latest,yes,yes,,,\nsite-0002,snap-0002-1,,,a/b;c d,,\nsite-0031,snap-0031-2,no,1,,wp_posts,2\n";
    write(&world, "plan.csv", rows);
    let start = [
        "restore", "start", "--plan", "plan.csv", "--yes", "--reason", "hacked",
    ];
    assert_data_eq!(
        squeezed(&world.run(&start)),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TASK ID  RESULT
site-0001  snap-0001-3  task-ID  started
site-0002  snap-0002-1  task-ID  started
site-0031  snap-0031-2  task-ID  started
[stderr]
SITE ID  SNAPSHOT ID  TAKEN  RESULT  RESTORES
site-0001  snap-0001-3  AGE ago  start  files, database
site-0002  snap-0002-1  AGE ago  start  files: a/b, c d
site-0031  snap-0031-2  AGE ago  start  database: wp_posts of subsites 2
hint: watch the restores: sitectl restore watch
exit 0

"#]]
    );
    assert_eq!(intents(&world), 3);
    assert!(
        world.journal().contains(r#""paths":["a/b","c d"]"#)
            && world.journal().contains(r#""reason":"hacked""#)
    );
    assert_data_eq!(
        squeezed(&world.run(&[&start[..], &["--resume"]].concat())),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TASK ID  RESULT
site-0001  snap-0001-3  task-ID  resumed
site-0002  snap-0002-1  task-ID  resumed
site-0031  snap-0031-2  task-ID  resumed
[stderr]
SITE ID  SNAPSHOT ID  TASK ID  RESULT  RESTORES
site-0001  snap-0001-3  task-ID  resumed  files, database
site-0002  snap-0002-1  task-ID  resumed  files: a/b, c d
site-0031  snap-0031-2  task-ID  resumed  database: wp_posts of subsites 2
nothing to start in plan.csv
exit 0

"#]]
    );
    assert_eq!(intents(&world), 3);
}

fn running(id: &str) -> Reply {
    Reply::Json(
        200,
        format!(r#"{{"task":{{"id":"{id}","status":"running"}}}}"#),
    )
}

#[test]
fn an_unfinished_run_is_refused_resumed_or_started_again() {
    let service = Scripted::new(vec![
        ("GET /api/v6/sites/s", snapshots(&["p"])),
        ("GET /api/v6/sites/s", snapshots(&["p"])),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        ("POST /api/v6/sites/s2/backups/p/restore", Reply::Drop),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("GET /api/v6/sites/s", snapshots(&["p", "q"])),
        ("GET /api/v6/sites/s", snapshots(&["p", "q"])),
        ("POST /api/v6/sites/s1/backups/q/restore", task("t3")),
        ("POST /api/v6/sites/s2/backups/p/restore", task("t4")),
    ]);
    let world = service.world();
    let rows = "s1,latest,yes,,,,\ns2,p,yes,,,,\n";
    write(&world, "plan.csv", rows);
    let start = |file: &'static str, more: &[&'static str]| {
        let args = [
            &[
                "restore",
                "start",
                "--plan",
                file,
                "--yes",
                "--concurrency",
                "1",
            ],
            more,
        ]
        .concat();
        world.run_with(&args, &format!("{HEADER}{rows}"))
    };
    assert_eq!(start("plan.csv", &["-q"]).code, 12);
    assert_data_eq!(
        squeezed(&start("plan.csv", &[])),
        str![[r#"
[stderr]
error: the last run of this plan, started TIME, is unfinished
hint: resume the run: sitectl restore start --plan plan.csv --resume; or start all rows again with --force
exit 6

"#]]
    );
    // The text identifies the plan, whatever its file.
    std::fs::copy(world.path("plan.csv"), world.path("copy.csv")).unwrap();
    assert_eq!((start("copy.csv", &[]).code, start("-", &[]).code), (6, 6));
    let run = start("plan.csv", &["--resume", "--json"]);
    let rows = run.json();
    assert_eq!(
        (run.code, &rows[0]["task_id"], &rows[0]["snapshot_id"]),
        (12, &"t1".into(), &"p".into()),
        "{rows}"
    );
    assert_eq!(
        (&rows[0]["resumed"], &rows[1]["resumed"]),
        (&true.into(), &Value::Null),
        "{rows}"
    );
    assert_eq!(rows[1]["error"]["kind"], "unknown_outcome", "{rows}");
    let run = start("plan.csv", &["--resume", "--watch", "--json"]);
    let ends = run.json();
    assert_eq!(
        (run.code, &ends[0]["outcome"], &ends[0]["resumed"]),
        (12, &"succeeded".into(), &true.into()),
        "{ends}"
    );
    assert_eq!(
        (&ends[1]["outcome"], &ends[1]["resumed"]),
        (&"unknown".into(), &Value::Null),
        "{ends}"
    );
    assert_eq!(
        (
            start("plan.csv", &["--resume", "--force"]).code,
            intents(&world)
        ),
        (2, 2)
    );
    let run = start("plan.csv", &["--force", "-o", "ids", "-q"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "t3\nt4\n"),
        "{}",
        run.transcript()
    );
    service.requests();
}

#[test]
fn a_finished_plan_starts_all_rows_again() {
    let (_server, world) = Server::start(&["--restore-time", "0s"]).world_kept();
    write(&world, "plan.csv", "site-0001,snap-0001-1,yes,yes,,,\n");
    let plan = |more: &[&str]| {
        let run = world.run(
            &[
                &[
                    "restore", "start", "--plan", "plan.csv", "--yes", "--watch", "--json",
                ],
                more,
            ]
            .concat(),
        );
        let row = &run.json()[0];
        assert_eq!(
            (run.code, &row["outcome"], &row["resumed"]),
            (0, &"succeeded".into(), &Value::Null),
            "{row}"
        );
        row["task_id"].to_string()
    };
    let first = plan(&[]);
    let by_itself = [
        "restore",
        "start",
        "site-0001",
        "snap-0001-2",
        "--full",
        "--yes",
        "--watch",
    ];
    assert_eq!(world.run(&by_itself).code, 0);
    let second = plan(&[]);
    let third = plan(&["--resume"]);
    assert!(
        first != second && second != third && intents(&world) == 4,
        "{}",
        world.journal()
    );
}

#[test]
fn all_rows_are_checked_before_any_restore_starts() {
    let (_server, world) = quick();
    let wrong = "site-0001,latest,yes,yes,,,\nsite-0002,snap-0002-4,yes,,,,\nsite-9999,snap-9999-1,yes,,,,\n\
                 site-0003,snap-0003-9,yes,,,,2\nsite-0004,site-0005,yes,,,,\nsite-0001.example.com,latest,yes,,,,\n";
    write(&world, "plan.csv", wrong);
    assert_data_eq!(
        world
            .run(&["restore", "start", "--plan", "plan.csv", "--yes"])
            .transcript(),
        str![[r#"
[stderr]
error: 5 problems in plan.csv
  plan.csv line 3, column snapshot_id: Has status 'failed'; only snapshots with status 'succeeded' can be restored (not_succeeded)
  plan.csv line 4: site 'site-9999' not found (not_found)
  plan.csv line 5, column subsite_ids: The site is not a multisite (not_multisite)
  plan.csv line 6: snapshot 'site-0005' of site-0004 not found; 'site-0005' is a site (not_found)
  plan.csv line 7, column site_id: 'site-0001' is also in plan.csv line 2 (duplicate)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    std::fs::write(
        world.path("plan.json"),
        r#"[{"site_id":"site-0001","snapshot_id":"latest","files":true,"why":1}]"#,
    )
    .unwrap();
    let run = world.run(&["restore", "start", "--plan", "plan.json", "--yes", "--json"]);
    assert_eq!(
        (run.code, run.error()["details"][0]["code"].as_str()),
        (5, Some("unknown_field")),
        "{}",
        run.stderr
    );
    std::fs::write(world.path("empty.csv"), "").unwrap();
    assert_eq!(
        world
            .run(&["restore", "start", "--plan", "empty.csv", "--yes"])
            .code,
        5
    );
    assert_eq!(
        world
            .run(&["restore", "start", "--plan", "missing.csv", "--yes"])
            .code,
        2
    );
    assert_eq!(world.journal(), "");
    write(&world, "none.csv", "");
    let run = world.run(&["restore", "start", "--plan", "none.csv", "--yes", "--json"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "[]\n"),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_list_of_sites_is_a_plan_with_the_scope_and_time_of_the_options() {
    let body = r#"{"sites":[{"id":"s1"},{"id":"s2","url":"https://shop.example"}],"total":2}"#;
    let list = || ("GET /api/v6/sites?", Reply::Json(200, body.into()));
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
    assert_eq!(
        world.run(&["sites", "list", "-o", "ids"]).stdout,
        "s1\ns2\n"
    );
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
    let body = r#"{"sites":[{"id":"s1"},{"id":"s2"},{"id":"s3"}],"total":3}"#;
    let list = || ("GET /api/v6/sites?", Reply::Json(200, body.into()));
    let taken = || ("GET /api/v6/sites/s", snapshots(&["p1", "p2", "p3"]));
    let service = Scripted::new(vec![list(), taken(), taken(), taken(), list(), taken()]);
    let world = service.world();
    let rows = "Site ID;Snapshot ID;Before;Database\ns1;;2026-01-02;yes\ns2;p2;;\ns3;p9;;\ns4;;;\n";
    std::fs::write(world.path("plan.csv"), rows).unwrap();
    let start = ["restore", "start", "--dry-run", "--files"];
    assert_data_eq!(
        squeezed(&world.run(&[&start[..], &["--plan", "plan.csv"]].concat())),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TAKEN  RESULT  RESTORES
s1  p1  AGE ago  start  database
s2  p2  AGE ago  start  files
s3  p9  not started  files
s4  latest  not started  files
[stderr]
No changes were made.
error: 2 problems in plan.csv
  plan.csv line 4: snapshot 'p9' of s3 not found (not_found)
  plan.csv line 5: site 's4' not found (not_found)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let run = world.run(&[&start[..], &["s2", "latest", "--json"]].concat());
    assert_data_eq!(
        run.stdout,
        str![[r#"
{
  "site_id": "s2",
  "snapshot_id": "p3",
  "created_at": "2026-01-03T00:00:00Z",
  "scope": {
    "include_files": true,
    "include_database": false
  }
}

"#]]
    );
    assert_eq!((run.code, world.journal().as_str()), (0, ""));
    service.requests();
}

#[test]
fn a_plan_requires_a_confirmation() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, "plan.csv", "s1,p1,yes,,,,\ns2,p2,yes,,,,\n");
    let run = world.run(&["restore", "start", "--plan", "plan.csv"]);
    assert!(
        run.code == 2 && run.stderr.contains("Overwrite 2 live sites"),
        "{}",
        run.transcript()
    );
    for more in [
        ["--failed-to", "x"],
        ["--concurrency", "2"],
        ["--stop-after-failures", "1"],
        ["--input-format", "csv"],
    ] {
        let run = world.run(
            &[
                &["restore", "start", "s1", "p1", "--full", "--yes"],
                &more[..],
            ]
            .concat(),
        );
        assert!(
            run.code == 2 && run.stderr.contains(more[0]),
            "{}",
            run.transcript()
        );
    }
    assert_eq!(world.journal(), "");
}

#[test]
fn rows_that_the_service_refuses_are_reported_and_kept() {
    let problem = r#"{"error":{"status":422,"code":"unprocessable_entity","message":"Unprocessable entity.",
        "details":[{"code":"too_old","param":"restore.scope.paths[0]","message":"Is too old"}]}}"#;
    let service = Scripted::new(vec![
        ("POST /api/v6/sites/s1/backups/p1/restore", task("t1")),
        (
            "POST /api/v6/sites/s2/backups/p2/restore",
            Reply::Json(422, problem.into()),
        ),
        (
            "POST /api/v6/sites/s2/backups/p2/restore",
            Reply::Json(422, problem.into()),
        ),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,yes,,,\ns2,p2,,,x,,\n");
    let start = [
        "restore",
        "start",
        "--yes",
        "--concurrency",
        "1",
        "--failed-to",
        "failed.csv",
        "--plan",
    ];
    assert_data_eq!(
        squeezed(&world.run(&[&start[..], &["plan.csv"]].concat())),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TASK ID  RESULT
s1  p1  t1  started
s2  p2  not started
[stderr]
warning: could not check the snapshots of 2 sites: not found (404)
SITE ID  SNAPSHOT ID  RESULT  RESTORES
s1  p1  start  files, database
s2  p2  start  files: x
error: 1 of 2 restores not started
  plan.csv line 3, column paths: Is too old (too_old)
hint: fix the rows in failed.csv, then run: sitectl restore start --plan failed.csv
exit 9

"#]]
    );
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(failed, format!("{HEADER}s2,p2,,,x,,\n"));
    let run = world.run(&[
        "restore",
        "start",
        "--plan",
        "failed.csv",
        "--yes",
        "--json",
    ]);
    let row = &run.json()[0];
    let error = &row["error"];
    assert_eq!(
        (run.code, error["kind"].as_str(), error["status"].as_u64()),
        (5, Some("invalid"), Some(422))
    );
    assert!(
        row.get("task_id").is_none() && row["scope"]["paths"][0] == "x",
        "{row}"
    );
    service.requests();
}

#[test]
fn stops_after_this_many_failures() {
    let refused = || ("POST", Reply::Json(409, String::new()));
    let service = Scripted::new(vec![refused(), refused()]);
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
    assert!(
        run.code == 9
            && run
                .stderr
                .contains("  2 restores not started: 2 failures\n"),
        "{}",
        run.transcript()
    );
    service.requests();
}

#[test]
fn a_plan_is_watched_to_its_end() {
    let (_server, world) = Server::start(&["--restore-time", "0s"]).world_kept();
    write(
        &world,
        "plan.csv",
        "site-0001,snap-0001-1,yes,yes,,,\nsite-0013,snap-0013-1,yes,,,,\n",
    );
    let start = [
        "restore",
        "start",
        "--yes",
        "--watch",
        "--json",
        "--failed-to",
        "failed.csv",
        "--plan",
        "plan.csv",
    ];
    let run = world.run(&start);
    let rows = run.json();
    assert_eq!(
        (run.code, &rows[0]["outcome"], &rows[1]["outcome"]),
        (10, &"succeeded".into(), &"failed".into())
    );
    let again = "sitectl restore start --plan failed.csv";
    assert!(
        run.error()["hint"].as_str().unwrap().ends_with(again),
        "{}",
        run.transcript()
    );
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(failed, format!("{HEADER}site-0013,snap-0013-1,yes,,,,\n"));
    assert_eq!(
        (
            world
                .run(&["restore", "start", "--plan", "failed.csv", "--yes"])
                .code,
            intents(&world)
        ),
        (10, 3)
    );
}

#[test]
fn rows_that_are_not_started_do_not_keep_the_others_from_being_watched() {
    let service = Scripted::new(vec![
        ("POST /api/v6/sites/s1/", Reply::Json(409, String::new())),
        ("POST /api/v6/sites/s2/", Reply::Json(201, String::new())),
        (
            "POST /api/v6/sites/s3/",
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
    let start = [
        "restore",
        "start",
        "--plan",
        "plan.csv",
        "--yes",
        "--watch",
        "--concurrency",
        "1",
        "--json",
    ];
    let run = world.run(&start);
    let ends = run.json();
    assert_eq!(
        (&ends[0]["site_id"], &ends[0]["outcome"]),
        (&"s2".into(), &"unknown".into()),
        "{}",
        run.transcript()
    );
    assert_eq!(
        (&ends[1]["task_id"], &ends[1]["outcome"]),
        (&"t3".into(), &"succeeded".into()),
        "{}",
        run.transcript()
    );
    assert_eq!(
        (run.code, &run.error()["details"][0]["place"]),
        (12, &"plan.csv line 2".into()),
        "{}",
        run.transcript()
    );
    assert!(
        run.stderr
            .contains("warning: 1 of 3 restores not started\n  plan.csv line 2: conflict"),
        "{}",
        run.stderr
    );
    service.requests();
}

#[test]
fn nothing_is_started_without_a_connection_or_access() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    let run = world.run(&[
        "restore",
        "start",
        "--plan",
        "plan.csv",
        "--yes",
        "--retries",
        "0",
    ]);
    assert!(run.code == 8, "{}", run.transcript());
    let service = Scripted::new(vec![(
        "GET /api/v6/sites?",
        Reply::Json(401, String::new()),
    )]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    assert_eq!(
        world
            .run(&["restore", "start", "--plan", "plan.csv", "--yes"])
            .code,
        3
    );
    assert_eq!(world.journal(), "");
    service.requests();
}

#[test]
fn a_row_with_an_unknown_outcome_does_not_block_other_rows() {
    let service = Scripted::new(vec![
        ("GET /api/v6/sites/s1/snapshots", snapshots(&["p1"])),
        ("POST /api/v6/sites/s1/backups/p1/restore", Reply::Drop),
        ("GET /api/v6/sites/s2/snapshots", snapshots(&["p2"])),
        ("POST /api/v6/sites/s2/backups/p2/restore", task("t2")),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    let start = ["restore", "start", "--plan", "plan.csv", "--yes"];
    let run = world.run(&start);
    assert!(
        run.code == 12
            && run
                .stderr
                .contains("1 of 1 restore with an unknown outcome"),
        "{}",
        run.transcript()
    );
    write(&world, "plan.csv", "s1,p1,yes,,,,\ns2,p2,yes,,,,\n");
    let run = world.run(&[&start[..], &["--json"]].concat());
    let rows = run.json();
    assert_eq!(
        (&rows[0]["error"]["kind"], &rows[1]["task_id"]),
        (&"conflict".into(), &"t2".into()),
        "{rows}"
    );
    let hint = "check the site before you use --force: sitectl restore history --site s1";
    assert_eq!(
        (run.code, &run.error()["hint"]),
        (9, &hint.into()),
        "{}",
        run.transcript()
    );
    service.requests();
}

#[test]
fn an_interrupted_run_can_be_resumed() {
    let service = Scripted::new(vec![
        ("GET /api/v6/sites/s", snapshots(&["p"])),
        ("GET /api/v6/sites/s", snapshots(&["p"])),
        ("GET /api/v6/sites/s", snapshots(&["p"])),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        ("POST /api/v6/sites/s2/backups/p/restore", Reply::Silence),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("GET /api/v6/sites/s3/snapshots", snapshots(&["p"])),
        ("POST /api/v6/sites/s3/backups/p/restore", task("t3")),
    ]);
    let world = service.world();
    write(
        &world,
        "plan.csv",
        "s1,p,yes,,,,\ns2,p,yes,,,,\ns3,p,yes,,,,\n",
    );
    let start = [
        "restore",
        "start",
        "--plan",
        "plan.csv",
        "--yes",
        "--json",
        "--concurrency",
        "1",
    ];
    let mut command = world.command(&[&start[..], &["--watch"]].concat());
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    (0..5).for_each(|_| drop(service.next()));
    interrupt(&child);
    let run = Run::of(child.wait_with_output().unwrap());
    let ends = |run: &Run| -> Vec<String> {
        let rows = run.json();
        let end = |row: &serde_json::Value| {
            row["error"]["kind"]
                .as_str()
                .or(row["task_id"].as_str())
                .unwrap()
                .to_string()
        };
        rows.as_array().unwrap().iter().map(end).collect()
    };
    assert_eq!(
        (run.code, ends(&run)),
        (
            130,
            ["t1", "interrupted", "interrupted"]
                .map(String::from)
                .into()
        )
    );
    let hint = run.error()["hint"].to_string();
    assert!(
        hint.contains("sitectl restore start --plan plan.csv --resume"),
        "{}",
        run.transcript()
    );
    let run = world.run(&[&start[..], &["--resume"]].concat());
    let wanted = ["t1", "unknown_outcome", "t3"].map(String::from);
    assert_eq!(
        (run.code, ends(&run)),
        (12, wanted.into()),
        "{}",
        run.transcript()
    );
    service.requests();
}
