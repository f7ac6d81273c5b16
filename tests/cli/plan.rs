//! `sitectl restore start --plan`: checked, confirmed once, and resumed only when asked.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World, interrupt};
use regex::Regex;
use serde_json::Value;
use snapbox::{assert_data_eq, str};
use std::process::Stdio;

const HEADER: &str = "site_id,snapshot_id,files,database,paths,tables,subsite_ids\n";
const NOT_FOUND: fn() -> Reply = || Reply::Json(404, String::new());

pub fn snapshots(ids: &[&str]) -> Reply {
    let record = |(day, id): (usize, &&str)| {
        format!(r#"{{"id":"{id}","status":"succeeded","created_at":"2026-01-{:02}T00:00:00Z"}}"#, day + 1)
    };
    let records: Vec<String> = ids.iter().enumerate().map(record).collect();
    let total = ids.len();
    let pagination = format!(r#"{{"page":1,"perPage":25,"totalPages":1,"totalItems":{total}}}"#);
    Reply::Json(200, format!(r#"{{"snapshots":[{}],"meta":{{"pagination":{pagination}}}}}"#, records.join(",")))
}

fn task(id: &str) -> Reply {
    Reply::Json(201, format!(r#"{{"task":{{"id":"{id}","status":"succeeded"}}}}"#))
}

fn write(world: &World, name: &str, rows: &str) {
    std::fs::write(world.path(name), format!("{HEADER}{rows}")).unwrap();
}

fn quick() -> (Server, World) {
    Server::start(&["--restore-time", "1s"]).world_kept()
}

/// The transcript with the columns close together, and without times: how wide they are depends on the day.
fn squeezed(run: &Run) -> String {
    let text = Regex::new("  +").unwrap().replace_all(&run.transcript(), "  ").into_owned();
    Regex::new(r"at 20[0-9T:Z-]+").unwrap().replace_all(&text, "at TIME").into_owned()
}

/// How many restores the service was asked for, by what the journal says.
fn intents(world: &World) -> usize {
    world.journal().matches(r#""intended""#).count()
}

#[test]
fn a_plan_is_shown_started_and_resumed() {
    let (_server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    let rows =
        "site-0001,latest,yes,yes,,,\nsite-0002,snap-0002-1,,,a/b;c d,,\nsite-0031,snap-0031-2,no,1,,wp_posts,2\n";
    write(&world, "plan.csv", rows);
    let start = ["restore", "start", "--plan", "plan.csv", "--yes", "--reason", "hacked"];
    assert_data_eq!(
        squeezed(&world.run(&start)),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TASK ID  RESULT
site-0001  snap-0001-3  task-ID  started
site-0002  snap-0002-1  task-ID  started
site-0031  snap-0031-2  task-ID  started
[stderr]
SITE ID  SNAPSHOT ID  TAKEN  PLAN  RESTORES
site-0001  snap-0001-3  AGE ago  start  files, database
site-0002  snap-0002-1  AGE ago  start  files: a/b, c d
site-0031  snap-0031-2  AGE ago  start  database: wp_posts of subsites 2
hint: sitectl restore watch
exit 0

"#]]
    );
    assert_eq!(intents(&world), 3);
    assert!(world.journal().contains(r#""paths":["a/b","c d"]"#) && world.journal().contains(r#""reason":"hacked""#));
    assert_data_eq!(
        squeezed(&world.run(&[&start[..], &["--resume"]].concat())),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TASK ID  RESULT
site-0001  snap-0001-3  task-ID  resumed
site-0002  snap-0002-1  task-ID  resumed
site-0031  snap-0031-2  task-ID  resumed
[stderr]
SITE ID  SNAPSHOT ID  PLAN  RESTORES
site-0001  snap-0001-3  started TIME  files, database
site-0002  snap-0002-1  started TIME  files: a/b, c d
site-0031  snap-0031-2  started TIME  database: wp_posts of subsites 2
3 restores of this plan already started: not sent again without --force
nothing to start in plan.csv
exit 0

"#]]
    );
    assert_eq!(intents(&world), 3);
}

fn running(id: &str) -> Reply {
    Reply::Json(200, format!(r#"{{"task":{{"id":"{id}","status":"running"}}}}"#))
}

#[test]
fn an_unfinished_run_is_refused_resumed_or_started_again() {
    let service = Scripted::new(vec![
        ("GET", snapshots(&["p"])),
        ("GET", snapshots(&["p"])),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        ("POST /api/v6/sites/s2/backups/p/restore", Reply::Drop),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", running("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("GET", snapshots(&["p", "q"])),
        ("GET", snapshots(&["p", "q"])),
        ("POST /api/v6/sites/s1/backups/q/restore", task("t3")),
        ("POST /api/v6/sites/s2/backups/p/restore", task("t4")),
    ]);
    let world = service.world();
    let rows = "s1,latest,yes,,,,\ns2,p,yes,,,,\n";
    write(&world, "plan.csv", rows);
    let start = |file: &'static str, more: &[&'static str]| {
        let args = [&["restore", "start", "--plan", file, "--yes", "--concurrency", "1"], more].concat();
        world.run_with(&args, &format!("{HEADER}{rows}"))
    };
    assert_eq!(start("plan.csv", &["-q"]).code, 12);
    assert_data_eq!(
        squeezed(&start("plan.csv", &[])),
        str![[r#"
[stderr]
error: nothing was started: the last run of this plan, started TIME, is unfinished
hint: resume the run with: sitectl restore start --plan plan.csv --resume; or start all rows again with --force
exit 6

"#]]
    );
    // The text identifies the plan, wherever it comes from.
    std::fs::copy(world.path("plan.csv"), world.path("copy.csv")).unwrap();
    assert_eq!((start("copy.csv", &[]).code, start("-", &[]).code), (6, 6));
    let run = start("plan.csv", &["--resume", "--json"]);
    let rows = run.json();
    assert_eq!((run.code, &rows[0]["task_id"], &rows[0]["snapshot_id"]), (12, &"t1".into(), &"p".into()), "{rows}");
    assert_eq!((&rows[0]["resumed"], &rows[1]["resumed"]), (&true.into(), &Value::Null), "{rows}");
    assert_eq!(rows[1]["error"]["kind"], "unknown_outcome", "{rows}");
    let run = start("plan.csv", &["--resume", "--watch", "--json"]);
    let ends = run.json();
    assert_eq!((run.code, &ends[0]["outcome"], &ends[0]["resumed"]), (12, &"succeeded".into(), &true.into()), "{ends}");
    assert_eq!((&ends[1]["outcome"], &ends[1]["resumed"]), (&"unknown".into(), &Value::Null), "{ends}");
    assert_eq!((start("plan.csv", &["--resume", "--force"]).code, intents(&world)), (2, 2));
    let run = start("plan.csv", &["--force", "-o", "ids", "-q"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "t3\nt4\n"), "{}", run.transcript());
    service.requests();
}

#[test]
fn a_finished_plan_starts_all_rows_again() {
    let (_server, world) = Server::start(&["--restore-time", "0s"]).world_kept();
    write(&world, "plan.csv", "site-0001,snap-0001-1,yes,yes,,,\n");
    let plan = |more: &[&str]| {
        let run =
            world.run(&[&["restore", "start", "--plan", "plan.csv", "--yes", "--watch", "--json"], more].concat());
        let row = &run.json()[0];
        assert_eq!((run.code, &row["outcome"], &row["resumed"]), (0, &"succeeded".into(), &Value::Null), "{row}");
        row["task_id"].to_string()
    };
    let first = plan(&[]);
    let by_itself = ["restore", "start", "site-0001", "snap-0001-2", "--full", "--yes", "--watch"];
    assert_eq!(world.run(&by_itself).code, 0);
    let second = plan(&[]);
    let third = plan(&["--resume"]);
    assert!(first != second && second != third && intents(&world) == 4, "{}", world.journal());
}

#[test]
fn a_plan_whose_restores_ended_unwatched_starts_all_rows_again() {
    let poll = || ("GET /api/v6/tasks/t1", task("t1"));
    let night = |more| {
        let start = ("POST /api/v6/sites/s1/backups/p/restore", task("t1"));
        [more, vec![("GET /api/v6/sites/s1/snapshots", snapshots(&["p"])), start]].concat()
    };
    let service = Scripted::new([night(vec![]), night(vec![poll()]), night(vec![poll()])].concat());
    let world = service.world();
    write(&world, "plan.csv", "s1,p,yes,,,,\n");
    for more in [&[][..], &["--resume"], &[]] {
        let run = world.run(&[&["restore", "start", "--plan", "plan.csv", "--yes", "--json"], more].concat());
        assert_eq!((run.code, &run.json()[0]["resumed"]), (0, &Value::Null), "{}", run.transcript());
    }
    service.requests();
}

#[test]
fn a_row_that_is_accepted_without_a_task_is_warned_of() {
    for more in [&[][..], &["--watch"]] {
        let service = Scripted::new(vec![("GET", snapshots(&["p"])), ("POST", Reply::Json(202, String::new()))]);
        let world = service.world();
        write(&world, "plan.csv", "s1,p,yes,,,,\n");
        let run = world.run(&[&["restore", "start", "--plan", "plan.csv", "--yes", "--json"], more].concat());
        let warnings = run.stderr.matches("accepted the restore of s1 from p, but named no task").count();
        assert_eq!((run.code, warnings), (if more.is_empty() { 0 } else { 12 }, 1), "{}", run.transcript());
        service.requests();
    }
}

#[test]
fn which_is_the_latest_has_to_be_known() {
    let service = Scripted::new(vec![("GET", Reply::Json(500, String::new()))]);
    let world = service.world();
    write(&world, "plan.csv", "s1,latest,yes,,,,\n");
    let run = world.run(&["restore", "start", "--plan", "plan.csv", "--yes", "--retries", "0"]);
    assert!(run.code == 8 && run.stderr.contains("which snapshot of s1 is the latest"), "{}", run.transcript());
    assert_eq!(world.journal(), "");
    service.requests();
}

#[test]
fn a_plan_is_checked_whole_before_anything_starts() {
    let (_server, world) = quick();
    let wrong = "site-0001,snap-0001-1,yes,yes,,,\nsite-0002,,yes,,,,\nsite-0003,snap-0003-1,,,,,\n\
                 site-0001,snap-0001-2,maybe,,,,\nsite-0004,snap-0004-1,no,,x,,\n";
    write(&world, "plan.csv", wrong);
    assert_data_eq!(
        world.run(&["restore", "start", "--plan", "plan.csv", "--yes"]).transcript(),
        str![[r#"
[stderr]
error: 5 problems in plan.csv
  plan.csv line 3, column snapshot_id: Can't be blank (blank)
  plan.csv line 4, column files: Nothing is restored: files, database, paths or tables must say what (blank)
  plan.csv line 5, column files: Must be true or false, yes or no, 1 or 0 (invalid_type)
  plan.csv line 6, column files: Is no, and paths names some (contradiction)
  plan.csv line 5, column site_id: 'site-0001' is restored by plan.csv line 2 too (duplicate)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    let wrong = "site-0001,snap-0001-1,yes,yes,,,\nsite-0002,snap-0002-4,yes,,,,\nsite-9999,snap-9999-1,yes,,,,\n\
                 site-0003,snap-0003-9,yes,,,,\nsite-8888,latest,yes,,,,\n";
    write(&world, "plan.csv", wrong);
    assert_data_eq!(
        world.run(&["restore", "start", "--plan", "plan.csv", "--yes"]).transcript(),
        str![[r#"
[stderr]
error: 4 problems in plan.csv
  plan.csv line 3, column snapshot_id: Is failed; only one that succeeded can be restored (not_succeeded)
  plan.csv line 4, column site_id: There is no site 'site-9999' (not_found)
  plan.csv line 5, column snapshot_id: The site has no such snapshot (not_found)
  plan.csv line 6, column site_id: There is no site 'site-8888' (not_found)
hint: No changes were made. Fix the values above and retry.
exit 5

"#]]
    );
    std::fs::write(world.path("plan.json"), r#"[{"site_id":"site-0001","snapshot_id":"latest","files":true,"why":1}]"#)
        .unwrap();
    let run = world.run(&["restore", "start", "--plan", "plan.json", "--yes", "--json"]);
    assert_eq!((run.code, run.error()["details"][0]["code"].as_str()), (5, Some("unknown_field")), "{}", run.stderr);
    std::fs::write(world.path("empty.csv"), "").unwrap();
    assert_eq!(world.run(&["restore", "start", "--plan", "empty.csv", "--yes"]).code, 5);
    assert_eq!(world.run(&["restore", "start", "--plan", "missing.csv", "--yes"]).code, 2);
    assert_eq!(world.journal(), "");
    write(&world, "none.csv", "");
    let run = world.run(&["restore", "start", "--plan", "none.csv", "--yes", "--json"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "[]\n"), "{}", run.transcript());
}

#[test]
fn a_plan_needs_a_confirmation_and_says_all_there_is_to_restore() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, "plan.csv", "s1,p1,yes,,,,\ns2,p2,yes,,,,\n");
    let run = world.run(&["restore", "start", "--plan", "plan.csv"]);
    assert!(run.code == 2 && run.stderr.contains("Overwrite 2 live sites"), "{}", run.transcript());
    for more in [&["s1"][..], &["--full"], &["--path", "x"], &["--scope-json", "{}"]] {
        let run = world.run(&[&["restore", "start", "--plan", "plan.csv", "--yes"], more].concat());
        assert_eq!(run.code, 2, "{}", run.transcript());
    }
    for more in
        [["--failed-to", "x"], ["--concurrency", "2"], ["--stop-after-failures", "1"], ["--input-format", "csv"]]
    {
        let run = world.run(&[&["restore", "start", "s1", "p1", "--full", "--yes"], &more[..]].concat());
        assert!(run.code == 2 && run.stderr.contains(more[0]), "{}", run.transcript());
    }
    assert_eq!(world.journal(), "");
}

#[test]
fn what_the_service_refuses_is_told_with_its_row_and_kept() {
    let (_server, world) = quick();
    let rows = "site-0001,snap-0001-1,yes,yes,,,\nsite-0002,snap-0002-1,yes,,,,2\nsite-0003,snap-0003-1,yes,,,,\n";
    write(&world, "plan.csv", rows);
    assert_data_eq!(
        world.run(&["restore", "start", "--plan", "plan.csv", "--yes", "--failed-to", "failed.csv"]).transcript(),
        str![[r#"
[stdout]
SITE ID    SNAPSHOT ID  TASK ID                RESULT
site-0001  snap-0001-1  task-ID  started
site-0002  snap-0002-1                         failed
site-0003  snap-0003-1  task-ID  started
[stderr]
SITE ID    SNAPSHOT ID  TAKEN       PLAN   RESTORES
site-0001  snap-0001-1  AGE ago  start  files, database
site-0002  snap-0002-1  AGE ago  start  files of subsites 2
site-0003  snap-0003-1  AGE ago  start  files
error: 1 of 3 restores not started
  plan.csv line 3, column subsite_ids: The site is not a multisite (not_multisite)
hint: fix the rows in failed.csv, or look at their sites, then run: sitectl restore start --plan failed.csv
exit 9

"#]]
    );
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(failed, format!("{HEADER}site-0002,snap-0002-1,yes,,,,2\n"));
    let run = world.run(&["restore", "start", "--plan", "failed.csv", "--yes", "--json"]);
    let error = &run.json()[0]["error"];
    assert_eq!((run.code, error["kind"].as_str(), error["status"].as_u64()), (5, Some("invalid"), Some(422)));
    assert_eq!(error["details"][0]["place"], "failed.csv line 2, column subsite_ids", "{}", run.transcript());
    assert!(run.json()[0].get("task_id").is_none() && run.json()[0]["scope"]["subsite_ids"][0] == "2");
    write(&world, "failed.csv", "site-0002,snap-0002-1,yes,,,,\n");
    assert_eq!(world.run(&["restore", "start", "--plan", "failed.csv", "--yes"]).code, 0);
}

#[test]
fn no_more_are_started_when_enough_have_failed() {
    let (_server, world) = quick();
    let rows: Vec<String> =
        (1..=6).map(|n| format!("site-000{n},snap-000{n}-1,yes,,,,{}\n", if n < 3 { "2" } else { "" })).collect();
    write(&world, "plan.csv", &rows.concat());
    let start = ["restore", "start", "--plan", "plan.csv", "--yes", "--concurrency", "1", "--stop-after-failures"];
    assert_data_eq!(
        world.run(&[&start[..], &["2", "-q"]].concat()).transcript(),
        str![[r#"
[stdout]
SITE ID    SNAPSHOT ID  RESULT
site-0001  snap-0001-1  failed
site-0002  snap-0002-1  failed
site-0003  snap-0003-1  not started
site-0004  snap-0004-1  not started
site-0005  snap-0005-1  not started
site-0006  snap-0006-1  not started
[stderr]
error: 6 of 6 restores not started
  plan.csv line 2, column subsite_ids: The site is not a multisite (not_multisite)
  plan.csv line 3, column subsite_ids: The site is not a multisite (not_multisite)
  4 restores not started, after this: 2 failures
exit 9

"#]]
    );
    assert_eq!(intents(&world), 2);
    let run = world.run(&[&start[..], &["3", "--json"]].concat());
    assert_eq!((run.code, intents(&world)), (9, 8), "{}", run.transcript());
}

#[test]
fn a_plan_is_watched_to_its_end() {
    let (_server, world) = quick();
    write(
        &world,
        "plan.csv",
        "site-0001,snap-0001-1,yes,yes,,,\nsite-0013,snap-0013-1,yes,,,,\nsite-0003,latest,yes,,,,2\n",
    );
    let start = ["restore", "start", "--plan", "plan.csv", "--yes", "--watch", "--json", "--failed-to", "failed.csv"];
    let run = world.run(&start);
    let outcomes: Vec<_> =
        run.json().as_array().unwrap().iter().map(|one| (one["site_id"].clone(), one["outcome"].clone())).collect();
    let wanted = [("site-0001", "succeeded"), ("site-0013", "failed")].map(|(site, end)| (site.into(), end.into()));
    assert_eq!((run.code, outcomes), (10, wanted.to_vec()), "{}", run.transcript());
    let details = run.error()["details"].to_string();
    assert!(details.contains("plan.csv line 4, column subsite_ids"), "{details}");
    let failed = std::fs::read_to_string(world.path("failed.csv")).unwrap();
    assert_eq!(failed, format!("{HEADER}site-0013,snap-0013-1,yes,,,,\nsite-0003,latest,yes,,,,2\n"));
    // A row that was refused has not started, so the run is unfinished; the rows that failed are a plan of their own.
    assert_eq!((world.run(&start).code, intents(&world)), (6, 3));
    let run = world.run(&[&start[..], &["--resume"]].concat());
    assert_eq!((run.code, intents(&world)), (10, 4), "{}", run.transcript());
    let run = world.run(&["restore", "start", "--plan", "failed.csv", "--yes", "--watch"]);
    assert_eq!((run.code, intents(&world)), (10, 6), "{}", run.transcript());
}

#[test]
fn snapshots_that_cannot_be_read_are_left_to_the_service() {
    let service = Scripted::new(vec![
        ("GET /api/v6/sites/s1/snapshots", NOT_FOUND()),
        ("GET /api/v6/sites?", NOT_FOUND()),
        ("POST /api/v6/sites/s1/backups/p1/restore", task("t1")),
        ("GET /api/v6/sites/s2/snapshots", NOT_FOUND()),
        ("GET /api/v6/sites?", NOT_FOUND()),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    let run = world.run(&["restore", "start", "--plan", "plan.csv", "--yes", "-o", "ids"]);
    assert!(
        run.code == 0 && run.stdout == "t1\n" && run.stderr.contains("could not be checked"),
        "{}",
        run.transcript()
    );
    // Without a list, the latest one is not known.
    write(&world, "latest.csv", "s2,latest,yes,,,,\n");
    let run = world.run(&["restore", "start", "--plan", "latest.csv", "--yes"]);
    assert!(run.code == 8 && run.stderr.contains("which snapshot of s2 is the latest"), "{}", run.transcript());
    service.requests();
}

#[test]
fn a_service_that_is_gone_or_lets_nobody_in_starts_nothing() {
    let world = World::on("http://127.0.0.1:1/api/v6");
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    let run = world.run(&["restore", "start", "--plan", "plan.csv", "--yes", "--retries", "0"]);
    assert!(run.code == 8 && run.stderr.contains("nothing was started"), "{}", run.transcript());
    let service = Scripted::new(vec![("GET", Reply::Json(401, String::new()))]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    assert_eq!(world.run(&["restore", "start", "--plan", "plan.csv", "--yes"]).code, 3);
    assert_eq!(world.journal(), "");
    service.requests();
}

#[test]
fn a_row_in_doubt_is_not_started_again_and_holds_no_other_up() {
    let service = Scripted::new(vec![
        ("GET /api/v6/sites/s1/snapshots", snapshots(&["p1"])),
        ("POST /api/v6/sites/s1/backups/p1/restore", Reply::Drop),
        ("GET /api/v6/sites/s2/snapshots", snapshots(&["p2"])),
        ("POST /api/v6/sites/s2/backups/p2/restore", task("t2")),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p1,yes,,,,\n");
    let start = ["restore", "start", "--plan", "plan.csv", "--yes"];
    assert_data_eq!(
        squeezed(&world.run(&start)),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  RESULT
s1  p1  unknown
[stderr]
SITE ID  SNAPSHOT ID  TAKEN  PLAN  RESTORES
s1  p1  AGE ago  start  files
error: 1 of 1 restore may or may not have been started
  plan.csv line 2: it is not known whether the restore of s1 from p1 was started: the connection to http://127.0.0.1:PORT/api/v6 failed: connection closed before message completed (unknown_outcome)
hint: it was not sent again; look at the site and the service before you start another one with --force (sitectl explain unknown_outcome says more)
exit 12

"#]]
    );
    write(&world, "plan.csv", "s1,p1,yes,,,,\ns2,p2,yes,,,,\n");
    assert_data_eq!(
        squeezed(&world.run(&start)),
        str![[r#"
[stdout]
SITE ID  SNAPSHOT ID  TASK ID  RESULT
s1  p1  failed
s2  p2  t2  started
[stderr]
SITE ID  SNAPSHOT ID  TAKEN  PLAN  RESTORES
s1  p1  in the way  files
s2  p2  AGE ago  start  files
error: 1 of 2 restores not started
  plan.csv line 2: a restore of s1 was sent TIME, and what became of it is not known (conflict)
hint: look at the site and the service first; then start another one with --force
exit 9

"#]]
    );
    service.requests();
}

#[test]
fn ctrl_c_leaves_an_account_and_the_run_can_be_resumed() {
    let service = Scripted::new(vec![
        ("GET", snapshots(&["p"])),
        ("GET", snapshots(&["p"])),
        ("GET", snapshots(&["p"])),
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        ("POST /api/v6/sites/s2/backups/p/restore", Reply::Silence),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("GET /api/v6/sites/s3/snapshots", snapshots(&["p"])),
        ("POST /api/v6/sites/s3/backups/p/restore", task("t3")),
    ]);
    let world = service.world();
    write(&world, "plan.csv", "s1,p,yes,,,,\ns2,p,yes,,,,\ns3,p,yes,,,,\n");
    let start = ["restore", "start", "--plan", "plan.csv", "--yes", "--json", "--concurrency", "1"];
    let mut command = world.command(&[&start[..], &["--watch"]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    (0..5).for_each(|_| drop(service.next()));
    interrupt(&child);
    let run = Run::of(child.wait_with_output().unwrap());
    let ends = |run: &Run| -> Vec<String> {
        let rows = run.json();
        let end =
            |row: &serde_json::Value| row["error"]["kind"].as_str().or(row["task_id"].as_str()).unwrap().to_string();
        rows.as_array().unwrap().iter().map(end).collect()
    };
    assert_eq!((run.code, ends(&run)), (130, ["t1", "interrupted", "interrupted"].map(String::from).into()));
    let hint = run.error()["hint"].to_string();
    assert!(hint.contains("sitectl restore start --plan plan.csv --resume"), "{}", run.transcript());
    let run = world.run(&[&start[..], &["--resume"]].concat());
    let wanted = ["t1", "unknown_outcome", "t3"].map(String::from);
    assert_eq!((run.code, ends(&run)), (12, wanted.into()), "{}", run.transcript());
    service.requests();
}

#[test]
fn a_site_may_be_named_by_its_url() {
    let (_server, world) = Server::start(&["--restore-time", "60s"]).world_kept();
    write(&world, "plan.csv", "https://site-0001.example.com/,latest,yes,,,,\nsite-0002,latest,yes,,,,\n");
    let start = ["restore", "start", "--plan", "plan.csv", "--yes", "--json"];
    let run = world.run(&start);
    assert_eq!((run.code, run.json()[0]["site_id"].as_str()), (0, Some("site-0001")), "{}", run.transcript());
    assert_eq!(world.run(&[&start[..], &["--resume"]].concat()).json()[0]["resumed"], true);
    let rows =
        "https://site-0001.example.com/,latest,yes,,,,\nsite-0001,latest,yes,,,,\nhttps://no.example,latest,1,,,,\n";
    write(&world, "wrong.csv", rows);
    let run = world.run(&["restore", "start", "--plan", "wrong.csv", "--yes", "--json"]);
    let details = run.error()["details"].clone();
    let codes: Vec<_> = details.as_array().unwrap().iter().map(|detail| detail["code"].clone()).collect();
    assert_eq!((run.code, codes), (5, vec!["invalid_id".into(), "duplicate".into()]), "{details}");
}

#[test]
fn what_failed_while_nobody_watched_is_found_out() {
    let (_server, world) = quick();
    // The second row is refused, so the run is unfinished.
    write(&world, "plan.csv", "site-0013,snap-0013-1,yes,,,,\nsite-0003,snap-0003-1,yes,,,,2\n");
    let start = ["restore", "start", "--plan", "plan.csv", "--yes", "--json"];
    let task = world.run(&start).json()[0]["task_id"].as_str().unwrap().to_string();
    let ended = || world.run(&["tasks", "show", &task, "--json"]).json()["status"] == "failed";
    assert!((0..1000).any(|_| ended()), "it never ended");
    let run = world.run(&[&start[..], &["--resume"]].concat());
    let row = &run.json()[0];
    assert_eq!((run.code, intents(&world)), (9, 3), "{}", run.transcript());
    assert_eq!((&row["resumed"], &row["error"]["kind"]), (&true.into(), &"restore_failed".into()), "{row}");
}

#[test]
fn rows_whose_restores_have_failed_are_a_new_plan() {
    let (_server, world) = Server::start(&["--restore-time", "0s"]).world_kept();
    write(&world, "plan.csv", "site-0013,snap-0013-3,yes,,,,\nsite-0014,snap-0014-3,yes,,,,\n");
    let start = ["restore", "start", "--plan", "plan.csv", "--watch", "--yes", "--failed-to", "failed.csv"];
    let run = world.run(&start);
    assert_eq!(run.code, 10, "{}", run.transcript());
    let again = "restore start --plan failed.csv";
    assert!(run.stderr.ends_with(&format!("then run: sitectl {again}\n")), "{}", run.transcript());
    let again: Vec<&str> = again.split(' ').chain(["--watch", "--yes"]).collect();
    assert_eq!((world.run(&again).code, intents(&world)), (10, 3));
}
