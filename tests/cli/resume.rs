//! `sitectl restore resume`: an interrupted run continues as it was decided.

use crate::common::{Run, Server, Signal, World, signal, wait};
use crate::plan::task;
use crate::screen::Terminal;
use crate::service::{Reply, Scripted, Service, site_reply};
use jiff::{SignedDuration, Timestamp};
use predicates::str::contains;
use regex::Regex;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub const START: [&str; 8] = [
    "restore",
    "start",
    "--plan",
    "plan.csv",
    "--yes",
    "--json",
    "--concurrency",
    "1",
];
const RESUME: [&str; 4] = ["restore", "resume", "--yes", "--json"];

/// Writes a plan that restores all files of these sites from the snapshot p.
pub fn write_plan(world: &World, sites: &[&str]) {
    let rows: String = sites
        .iter()
        .map(|site| format!("{site},p,\"{{\"\"include_files\"\":true}}\"\n"))
        .collect();
    let plan = format!("site_id,snapshot_id,scope\n{rows}");
    std::fs::write(world.path("plan.csv"), plan).unwrap();
}

/// Expects a run that starts s1 and may not start s2, a run that starts s2, and then these requests.
/// Returns the service, and a world with the plan.
pub fn second_refused_once(rest: Vec<(&'static str, Reply)>) -> (Scripted, World) {
    let script = vec![
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        (
            "POST /api/v6/sites/s2/backups/p/restore",
            Reply::status(403),
        ),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("POST /api/v6/sites/s2/backups/p/restore", task("t2")),
    ];
    let service = Scripted::with_sites([script, rest].concat());
    let world = service.world();
    write_plan(&world, &["s1", "s2"]);
    (service, world)
}

/// Makes all runs of the journal two days older.
pub fn age_runs(world: &World) {
    let path = world.path(".local/state/sitectl/restores.ndjson");
    let journal = std::fs::read_to_string(&path).unwrap();
    let started_at = Regex::new(r#""started_at":"([^"]+)""#).unwrap();
    let aged = started_at.replace_all(&journal, |captures: &regex::Captures<'_>| {
        let time: Timestamp = captures[1].parse().unwrap();
        format!(
            r#""started_at":"{}""#,
            time - SignedDuration::from_hours(48)
        )
    });
    std::fs::write(&path, &*aged).unwrap();
}

/// Returns the id of the run that a command has printed.
pub fn run_id(run: &Run) -> String {
    let output = run.json();
    let restore = output.get(0).unwrap_or(&output);
    restore["run"].as_str().unwrap().into()
}

/// Returns the task or the kind of the error of each restore.
pub fn results(run: &Run) -> Vec<String> {
    let rows = run.json();
    let result = |row: &Value| {
        let kind = match row["outcome"].as_str() {
            Some("unknown") => Some("unknown_outcome"),
            _ => row["error"]["kind"].as_str(),
        };
        kind.or(row["task_id"].as_str()).unwrap().into()
    };
    rows.as_array().unwrap().iter().map(result).collect()
}

/// Returns two snapshots: one of a minute ago, and one of now.
fn clean_and_hacked() -> Reply {
    let now = Timestamp::now();
    let minute = SignedDuration::from_mins(1);
    let snapshot =
        |id: &str, time: Timestamp| json!({"id": id, "status": "succeeded", "created_at": time});
    let snapshots = [snapshot("clean", now - minute), snapshot("hacked", now)];
    Reply::list("snapshots", &snapshots)
}

#[test]
fn the_restores_that_are_left_are_sent_as_they_were_decided() {
    for interruption in [None, Some(Signal::INT), Some(Signal::KILL)] {
        let started = Instant::now();
        let list = || ("GET /api/v6/sites/s", clean_and_hacked());
        let forbids = interruption.is_none();
        let second = if forbids {
            Reply::status(403)
        } else {
            Reply::Silence
        };
        let mut script = vec![
            list(),
            list(),
            list(),
            ("POST /api/v6/sites/s1/backups/clean/restore", task("t1")),
            ("POST /api/v6/sites/s2/backups/clean/restore", second),
            ("GET /api/v6/tasks/t1", task("t1")),
        ];
        if forbids {
            script.push(("POST /api/v6/sites/s2/backups/clean/restore", task("t2")));
        }
        script.push(("POST /api/v6/sites/s3/backups/clean/restore", task("t3")));
        let service = Scripted::with_sites(script);
        let world = service.world();
        std::fs::write(world.path("plan.csv"), "s1\ns2\ns3\n").unwrap();
        let age = [
            "--before",
            "4s",
            "--path",
            "x",
            "--reason",
            "hack",
            "--request-timeout",
            "3s",
        ];
        let child = world.start(&[&START[..], &age].concat());
        let mut requests: Vec<_> = (0..5).map(|_| service.next()).collect();
        if let Some(interruption) = interruption {
            signal(interruption, child.id());
        }
        let run = wait(child);
        let code = match interruption {
            None => 9,
            Some(Signal::INT) => 130,
            Some(_) => -1,
        };
        assert_eq!(run.code, code, "{}", run.transcript());
        if code != -1 {
            let command = format!("sitectl restore resume {}", run_id(&run));
            assert!(
                run.error()["hints"][0].as_str().unwrap().contains(&command),
                "{}",
                run.transcript()
            );
        }
        std::fs::remove_file(world.path("plan.csv")).unwrap();
        // The age would mean the other snapshot by now, and no response is due any more.
        std::thread::sleep(Duration::from_secs(5).saturating_sub(started.elapsed()));
        let run = world.run(&RESUME);
        let (code, second) = if forbids {
            (0, "t2")
        } else {
            (12, "unknown_outcome")
        };
        assert_eq!(
            (run.code, results(&run)),
            (code, vec!["t1".into(), second.into(), "t3".into()]),
            "{interruption:?} {}",
            run.transcript()
        );
        requests.extend(service.requests());
        requests.retain(|request| request.line.starts_with("POST"));
        assert!(
            requests[0].body.contains(r#""paths":["x"]"#)
                && requests.iter().all(|one| one.body == requests[0].body),
            "{requests:?}"
        );
        let history = world.run("restore history --json").json();
        let reasons = history.as_array().unwrap().iter();
        assert!(reasons.clone().count() == 3 && reasons.clone().all(|one| one["reason"] == "hack"));
    }
}

#[test]
fn the_newest_interrupted_run_is_resumed_and_a_finished_one_reported() {
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        (
            "POST /api/v6/sites/s2/backups/p/restore",
            Reply::status(403),
        ),
        ("POST /api/v6/sites/s3/backups/p/restore", task("t3")),
        (
            "POST /api/v6/sites/s4/backups/p/restore",
            Reply::status(403),
        ),
        ("GET /api/v6/tasks/t3", task("t3")),
        ("POST /api/v6/sites/s4/backups/p/restore", task("t4")),
        ("GET /api/v6/tasks/t1", task("t1")),
        ("POST /api/v6/sites/s2/backups/p/restore", task("t2")),
        ("GET /api/v6/tasks/t4", Reply::task("t4", "failed")),
        ("GET /api/v6/tasks/t2", task("t2")),
    ]);
    let world = service.world();
    let run = world.run(&RESUME);
    assert_eq!(run.code, 4, "the journal is empty: {}", run.transcript());
    write_plan(&world, &["s1", "s2"]);
    let first = run_id(&world.run(&START));
    write_plan(&world, &["s3", "s4"]);
    let second = run_id(&world.run(&START));
    let run = world.run(&RESUME);
    let tasks = ["t3", "t4"].map(String::from).to_vec();
    assert_eq!(
        (run.code, &run_id(&run), results(&run)),
        (0, &second, tasks)
    );
    let run = world.run(&RESUME);
    let hint = format!("resume one: sitectl restore resume {first}");
    assert_eq!(
        (run.code, run.error()["hints"][0].as_str()),
        (4, Some(hint.as_str())),
        "{}",
        run.transcript()
    );
    assert_eq!(world.run(&[&RESUME[..], &[&first]].concat()).code, 0);
    for (id, code, tasks) in [
        (&second, 10, ["t3", "restore_failed"]),
        (&first, 0, ["t1", "t2"]),
    ] {
        let run = world.run(&[&RESUME[..], &[id]].concat());
        assert_eq!(
            (run.code, results(&run)),
            (code, tasks.map(String::from).to_vec()),
            "{}",
            run.transcript()
        );
    }
    let more = [&second, "--dry-run"];
    assert_eq!(world.run(&[&RESUME[..], &more].concat()).code, 10);
}

#[test]
fn only_the_restores_that_are_left_have_to_be_confirmed() {
    let (_service, world) = second_refused_once(vec![]);
    world.run(&START);
    let run = world.run("restore resume");
    assert_eq!(run.code, 2, "{}", run.transcript());
    let mut terminal = Terminal::start(world.command("restore resume --no-watch"), 100, 20);
    terminal.wait_for("Type s2 to confirm");
    terminal.press("s2\r");
    assert_eq!(terminal.exit_code(), 0, "{}", terminal.text());
}

#[test]
fn an_older_run_is_resumed_only_by_its_id() {
    let (_service, world) = second_refused_once(vec![]);
    let id = run_id(&world.run(&START));
    age_runs(&world);
    let run = world.run(&RESUME);
    run.assert_stderr(4, contains(format!("restore resume {id}")));
    let run = world.run(&[&RESUME[..], &[&id]].concat());
    assert_eq!(
        (run.code, results(&run)),
        (0, vec!["t1".into(), "t2".into()])
    );
    let run = world.run("restore resume 20000101-000000");
    assert_eq!(run.code, 4, "{}", run.transcript());
}

#[test]
fn a_row_is_not_sent_if_its_site_was_restored_since() {
    let sites = ["s1", "s2", "s3", "s4"];
    let mut posts = 0;
    let service = Service::start(move |request| {
        let line = request.line.as_str();
        if line.starts_with("POST ") {
            posts += 1;
            return match posts {
                2 => Reply::Drop,
                3 => Reply::status(403),
                number => Reply::task(&format!("t{number}"), "running"),
            };
        }
        if let Some(id) = line.strip_prefix("GET /api/v6/tasks/") {
            return Reply::task(id, "running");
        }
        site_reply(&sites.map(|site| (site, "p")), line).unwrap()
    });
    let world = service.world();
    write_plan(&world, &["s1", "s2", "s3", "s4"]);
    let id = run_id(&world.run(&START));
    let restore = |site: &str, more: &[&str]| {
        let start = ["restore", "start", site, "p", "--full", "--yes", "--json"];
        let run = world.run(&[&start[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.transcript());
        run_id(&run)
    };
    restore("s2", &["--force"]);
    let later = [restore("s3", &[]), restore("s4", &[])];
    let run = world.run(&[&RESUME[..], &[&id]].concat());
    let restores = run.json();
    assert_eq!(run.code, 12, "s2 is still in doubt: {}", run.transcript());
    for (index, later) in later.iter().enumerate() {
        let message = restores[index + 2]["error"]["message"].as_str().unwrap();
        let superseded = format!("run {later} has restored the site since (running)");
        assert_eq!(message, superseded);
    }
    assert_eq!(world.run(&RESUME).code, 4);
}

#[test]
fn a_run_of_another_token_is_resumed_if_the_service_shows_it() {
    let (service, world) = second_refused_once(vec![("GET /api/v6/tasks/t2", task("t2"))]);
    let id = run_id(&world.run(&START));
    let exchanged = world.with("SITECTL_TOKEN", "exchanged");
    let run = exchanged.run(&RESUME);
    run.assert_stderr(
        4,
        contains(format!("1 run of other accounts or tokens: {id}")),
    );
    let run = exchanged.run(&[&RESUME[..], &[&id]].concat());
    let tasks = ["t1", "t2"].map(String::from).to_vec();
    assert_eq!(
        (run.code, results(&run)),
        (0, tasks),
        "{}",
        run.transcript()
    );
    // The run belongs to the new token now.
    let watched = exchanged.run("restore watch --timeout 1s -o ids");
    assert_eq!(watched.stdout, "t2\n", "{}", watched.transcript());
    drop(service);
}

#[test]
fn a_run_of_another_account_is_left_alone() {
    let (_server, world) = Server::start("--restore-time 60s").world_kept();
    let start = "restore start site-0001 latest --full --yes -o ids";
    let task = world.run(start).stdout;
    let run = world.run("restore history --jq .[].run").stdout;
    let journal = world.journal();
    let other = world.with("SITECTL_TOKEN", "sandbox-other-token");
    for command in [
        format!("restore resume {} --yes", run.trim()),
        format!("restore watch {}", task.trim()),
        "restore watch site-0001".into(),
    ] {
        let run = other.run(command);
        run.assert_stderr(6, contains("site site-0001 to this token"));
    }
    let run = other.run("restore watch");
    run.assert_stderr(
        0,
        contains("not watched: 1 unfinished restore that other accounts or tokens started"),
    );
    assert_eq!(other.journal(), journal);
}

#[test]
fn a_rejected_restore_hides_no_failure_of_another_watched_site() {
    let service = Scripted::with_sites(vec![
        ("POST /api/v6/sites/s1/backups/p/restore", task("t1")),
        (
            "POST /api/v6/sites/s2/backups/p/restore",
            Reply::status(422),
        ),
        ("GET /api/v6/tasks/t1", Reply::task("t1", "failed")),
    ]);
    let world = service.world();
    write_plan(&world, &["s1", "s2"]);
    assert_eq!(world.run(&START).code, 9);
    let run = world.run("restore watch s2 s1 --json");
    assert_eq!(
        (run.code, run.json()[1]["outcome"].as_str()),
        (10, Some("failed")),
        "{}",
        run.transcript()
    );
}
