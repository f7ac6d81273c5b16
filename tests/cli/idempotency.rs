//! `sitectl restore start --idempotency-key`: one run per key.

use crate::common::{Run, Server, World};
use crate::plan::{snapshots, task};
use crate::resume::{age_runs, run_id, second_refused_once};
use crate::service::{Reply, Scripted, Service, site_reply};

const PLAN: [&str; 9] = [
    "restore",
    "start",
    "--plan",
    "plan.csv",
    "--yes",
    "--json",
    "-q",
    "--concurrency",
    "1",
];

/// Runs the command with the key of all tests.
fn start(world: &World, args: &[&str]) -> Run {
    world.run(&[args, &["--idempotency-key", "pipeline-7"]].concat())
}

/// Asserts that stderr begins with the run that has the key.
#[track_caller]
fn assert_announces(run: &Run, id: &str) {
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(
        first.starts_with(&format!("run {id} of 20")) && first.ends_with(" has this key"),
        "{}",
        run.transcript()
    );
}

#[test]
fn a_key_of_one_restore_prints_one_object_each_time() {
    let post = "POST /api/v6/sites/s1/backups/p/restore";
    let service = Scripted::with_sites(vec![
        (post, Reply::status(409)),
        (post, task("t1")),
        ("GET /api/v6/tasks/t1", task("t1")),
    ]);
    let world = service.world();
    let args = [
        "restore",
        "start",
        "s1",
        "p",
        "--full",
        "--yes",
        "--json",
        "-q",
        "--retries",
        "0",
    ];
    let refused = start(&world, &args);
    assert_eq!(refused.code, 6, "{}", refused.transcript());
    let first = refused.json();
    assert_eq!(first["outcome"], "not_sent");
    for _ in 0..2 {
        let run = start(&world, &args);
        assert_announces(&run, first["run"].as_str().unwrap());
        let again = run.json();
        assert_eq!((run.code, &again["run"]), (0, &first["run"]));
        assert_eq!(again["task_id"], "t1");
    }
}

#[test]
fn a_key_is_refused_for_other_restores() {
    let running = || ("GET /api/v6/tasks/t1", Reply::task("t1", "running"));
    let service = Scripted::with_sites(vec![
        (
            "GET /api/v6/sites/s1/snapshots",
            snapshots(&["p1", "p2", "p3"]),
        ),
        ("POST /api/v6/sites/s1/backups/p2/restore", task("t1")),
        running(),
        running(),
        running(),
    ]);
    let world = service.world();
    std::fs::write(world.path("plan.csv"), "s1\ns2\n").unwrap();
    let code = |line: &str| {
        let words = shlex::split(&format!("restore start {line} --yes --json")).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = start(&world, &words);
        (run.code, run.transcript())
    };
    for (line, expected) in [
        (
            "s1 latest --before 2026-01-03T00:00:00Z --full --reason a",
            0,
        ),
        ("s2 p2 --full", 6),
        ("s1 p3 --full", 6),
        ("s1 p2 --files", 6),
        ("--plan plan.csv --full", 6),
        ("s1 p2 --full --force", 2),
        ("s1 p2 --full", 0),
        ("s1 latest --full --reason b", 0),
        ("s1 latest --before 1d --full", 0),
    ] {
        let (code, transcript) = code(line);
        assert_eq!(code, expected, "{line}: {transcript}");
    }
}

#[test]
fn a_key_belongs_to_the_address_and_the_token() {
    let server = Server::start("");
    let profile = |name: &str, token: &str| {
        let base_url = &server.base_url;
        format!("[profiles.{name}]\nbase_url = \"{base_url}\"\ntoken = \"{token}\"\n")
    };
    let config = [
        profile("a", "sandbox-token"),
        profile("b", "sandbox-other-token"),
        profile("renamed", "sandbox-token"),
    ];
    let world = World::empty().with_config(&config.concat());
    let start = |site: &str, profile: &str| {
        let options = "latest --full --yes --json -q --idempotency-key pipeline-7";
        world.run(format!(
            "restore start {site} {options} --profile {profile}"
        ))
    };
    let first = start("site-0001", "a").json()["run"].clone();
    assert_eq!(start("site-1001", "b").code, 0);
    let again = start("site-0001", "renamed");
    assert_announces(&again, first.as_str().unwrap());
    assert_eq!(again.json()["run"], first);
}

#[test]
fn a_key_of_another_token_is_refused_for_the_same_site() {
    let service = Service::start(|request| match request.line.as_str() {
        "POST /api/v6/sites/s1/backups/p/restore" => Reply::task("t1", "running"),
        line => site_reply(&[("s1", "p")], line).unwrap(),
    });
    let world = service.world();
    let args = ["restore", "start", "s1", "p", "--full", "--yes", "--json"];
    let id = run_id(&start(&world, &args));
    let journal = world.journal();
    let other = world.with("SITECTL_TOKEN", "other");
    let run = start(&other, &args);
    let message = run.error()["message"].as_str().unwrap().to_string();
    assert!(
        run.code == 6 && message.contains(&id),
        "{}",
        run.transcript()
    );
    assert_eq!(other.journal(), journal);
}

#[test]
fn the_key_of_a_run_older_than_a_day_is_refused() {
    let (_service, world) = second_refused_once(vec![]);
    let id = run_id(&start(&world, &PLAN));
    age_runs(&world);
    let run = start(&world, &PLAN);
    let error = run.error();
    assert!(error["message"].as_str().unwrap().contains(&id), "{error}");
    assert!(
        error["hints"][0].as_str().unwrap().contains("new key"),
        "{error}"
    );
    assert_eq!((run.code, &*run.stdout), (6, ""));
    assert_eq!(world.run(&["restore", "resume", &id, "--yes"]).code, 0);
}
