//! `sitectl restore resume`: an interrupted run continues as it was decided.

use crate::common::{PATIENCE, Run, Server, World, interrupt, wait};
use crate::plan::task;
use crate::service::{Reply, Scripted, Service, site_reply};
use jiff::{SignedDuration, Timestamp};
use predicates::str::contains;
use regex::Regex;
use serde_json::Value;
use std::sync::mpsc::channel;
use std::time::Duration;

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

#[test]
fn ctrl_c_leaves_the_rest_to_send_as_it_was_decided() {
    let sites = ["s1", "s2", "s3"];
    let (sender, posts) = channel();
    let service = Service::start(move |request| match request.line.as_str() {
        line if line.starts_with("POST ") => {
            sender.send(request.body).unwrap();
            let late = Duration::from_secs(u64::from(line.contains("/s2/")));
            Reply::Late(late, Box::new(task(&format!("t{}", &line[20..21]))))
        }
        line if line.contains("/tasks/") => task(line.rsplit('/').next().unwrap()),
        line => site_reply(&sites.map(|site| (site, "p")), line).unwrap(),
    });
    let next_post = || posts.recv_timeout(PATIENCE).unwrap();
    let world = service.world();
    write_plan(&world, &sites);
    let child = world.start(&START);
    let decided = next_post();
    next_post();
    interrupt(&child);
    let run = wait(child);
    assert_eq!(run.json()[1]["task_id"], "t2", "its answer was waited for");
    let hint = format!("sitectl restore resume {}", run_id(&run));
    run.assert_stderr(130, contains(hint));
    std::fs::remove_file(world.path("plan.csv")).unwrap();
    let run = world.run(&RESUME);
    assert_eq!(results(&run), ["t1", "t2", "t3"], "{}", run.transcript());
    assert_eq!(next_post(), decided);
}

#[test]
fn an_older_run_is_resumed_only_by_its_id() {
    let (_service, world) = second_refused_once(vec![]);
    let id = run_id(&world.run(&START));
    age_runs(&world);
    let run = world.run(&RESUME);
    run.assert_stderr(4, contains(format!("restore resume {id}")));
    let other = format!("SITECTL_TOKEN=other sitectl {}", RESUME.join(" "));
    let run = world.run_script(&other);
    run.assert_stderr(
        4,
        contains(format!("1 run of other accounts or tokens: {id}")),
    );
    // Only what is left has to be confirmed.
    let run = world.run(&["restore", "resume", &id]);
    run.assert_stderr(2, contains("confirmation required: restore s2 with"));
    let run = world.run(&[&RESUME[..], &[&id]].concat());
    assert_eq!(
        (run.code, results(&run)),
        (0, vec!["t1".into(), "t2".into()])
    );
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
