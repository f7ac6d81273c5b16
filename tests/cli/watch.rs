//! Tests of `sitectl restore watch`: one task or a hundred, and network errors.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World, interrupt};
use crate::task_service::{LIMIT, Task, TaskService, WINDOW};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStderr, ChildStdout, Stdio};
use std::time::{Duration, Instant};

fn quick() -> Server {
    Server::start(&["--restore-time", "1s"])
}

fn task(number: usize, ends: Duration, end: &'static str) -> Task {
    Task {
        id: format!("t{number:03}"),
        ends,
        end: Some(end),
    }
}

fn events(run: &Run) -> Vec<Value> {
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn outcomes(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["outcome"].as_str().unwrap())
        .collect()
}

/// Returns the most requests in any window.
fn most_in_a_window(polls: &[Instant]) -> usize {
    let within = |first: &Instant| {
        polls
            .iter()
            .filter(|poll| *poll >= first && **poll - *first < WINDOW)
            .count()
    };
    polls.iter().map(within).max().unwrap_or(0)
}

#[test]
fn a_hundred_tasks_use_half_of_the_rate_limit() {
    let end = |number: usize| {
        if number.is_multiple_of(10) {
            "failed"
        } else {
            "succeeded"
        }
    };
    let tasks: Vec<Task> = (0..100)
        .map(|number| {
            task(
                number,
                Duration::from_millis(7919 * number as u64 % 10_000),
                end(number),
            )
        })
        .collect();
    let service = TaskService::start(tasks.clone());
    let ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    let run = service.world().run(
        &[
            &["restore", "watch", "--json", "--interval", "1s"],
            ids.as_slice(),
        ]
        .concat(),
    );
    let result = run.json();
    for (task, report) in tasks.iter().zip(result.as_array().unwrap()) {
        assert_eq!(
            (&report["task_id"], &report["outcome"]),
            (&json!(task.id), &json!(task.end)),
            "{}",
            run.stderr
        );
    }
    assert_eq!(run.code, 10, "{}", run.stderr);
    let most = most_in_a_window(&service.polls());
    assert!(most <= LIMIT / 2, "{most} requests in a window");
    assert!(most > LIMIT / 4, "only {most} requests in a window");
}

#[test]
fn a_hanging_poll_delays_no_other_task() {
    let mut tasks: Vec<Task> = (0..4)
        .map(|number| task(number, Duration::from_millis(300), "succeeded"))
        .collect();
    tasks[1].end = None;
    let service = TaskService::start(tasks);
    let args = [
        "restore",
        "watch",
        "t000",
        "t001",
        "t002",
        "t003",
        "-o",
        "ndjson",
        "--request-timeout",
        "5m",
    ];
    let mut watch = Watch::start(&service.world(), &args);
    let ended = |line: &String| line.contains(r#""outcome":"succeeded""#);
    assert_eq!(
        watch
            .stdout
            .by_ref()
            .map(Result::unwrap)
            .filter(ended)
            .take(3)
            .count(),
        3
    );
    let (said, code) = watch.interrupt();
    assert!(
        said.contains("sitectl restore watch t001\"") && code == Some(130),
        "{said}"
    );
}

/// A running watch.
struct Watch {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
}

impl Watch {
    fn start(world: &World, args: &[&str]) -> Self {
        let mut child = world
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap()).lines();
        let stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        Self {
            child,
            stdout,
            stderr,
        }
    }

    /// Waits for this text on stderr.
    fn until(&mut self, text: &str) {
        assert!(
            self.stderr.any(|line| line.unwrap().contains(text)),
            "it never said '{text}'"
        );
    }

    /// Sends Ctrl-C, and returns the rest of stderr and the exit code.
    fn interrupt(mut self) -> (String, Option<i32>) {
        interrupt(&self.child);
        let said = self.stderr.map(|line| line.unwrap() + "\n").collect();
        (said, self.child.wait().unwrap().code())
    }
}

fn start(world: &World, site: &str) -> String {
    let run = world.run(&[
        "restore", "start", site, "latest", "--full", "--yes", "-q", "-o", "ids",
    ]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    run.stdout.trim().into()
}

/// Returns the first event of a task with this response.
fn first_event(response: &str) -> Value {
    let end = r#"{"id":"t1","status":"done"}"#;
    let service = Scripted::new(vec![
        ("GET", Reply::Json(200, response.into())),
        ("GET", Reply::Json(200, end.into())),
    ]);
    let run = service.world().run(&[
        "restore",
        "watch",
        "t1",
        "-o",
        "ndjson",
        "--interval",
        "10ms",
    ]);
    let events = events(&run);
    if events[0]["outcome"] != "running" {
        assert_eq!(events.len(), 1, "{}", run.transcript());
        service.world().run(&["restore", "watch", "t1"]);
    }
    service.requests();
    let event = &events[0];
    let task: Value = serde_json::from_str::<Value>(response).unwrap();
    assert_eq!(
        event["task"],
        *task
            .get("task")
            .filter(|task| task.is_object())
            .unwrap_or(&task),
        "{response}"
    );
    json!([
        event["outcome"],
        event["status"],
        event["progress"],
        event["site_id"]
    ])
}

#[test]
fn a_task_is_read_in_every_form() {
    let cases = [
        // Bare or wrapped, with an id of either name.
        (
            r#"{"id":"t1","status":"running"}"#,
            json!(["running", "running", null, null]),
        ),
        (
            r#"{"task":{"id":"t1","status":"running","site_id":"s1"}}"#,
            json!(["running", "running", null, "s1"]),
        ),
        (
            r#"{"task":{"task_id":"t1","state":"running"},"meta":{}}"#,
            json!(["running", "running", null, null]),
        ),
        (
            r#"{"task":"t1","status":"running"}"#,
            json!(["running", "running", null, null]),
        ),
        // Progress.
        (
            r#"{"id":"t1","status":"a","progress":40}"#,
            json!(["running", "a", 40, null]),
        ),
        (
            r#"{"id":"t1","status":"a","progress":{"completed":1,"total":4}}"#,
            json!(["running", "a", 25, null]),
        ),
        // Known and unknown states.
        (
            r#"{"id":"t1","status":"succeeded"}"#,
            json!(["succeeded", "succeeded", null, null]),
        ),
        (
            r#"{"id":"t1","status":" COMPLETED "}"#,
            json!(["succeeded", " COMPLETED ", null, null]),
        ),
        (
            r#"{"id":"t1","status":"reticulating splines"}"#,
            json!(["running", "reticulating splines", null, null]),
        ),
        // Null and missing fields.
        (
            r#"{"id":"t1","status":null,"state":"done"}"#,
            json!(["succeeded", "done", null, null]),
        ),
        (
            r#"{"task":null,"id":"t1","status":"running"}"#,
            json!(["running", "running", null, null]),
        ),
        (
            r#"{"task_id":"t1","id":null,"status":null,"progress":null,"site_id":null,"steps":null}"#,
            json!(["running", null, null, null]),
        ),
        (r#"{"id":"t1"}"#, json!(["running", null, null, null])),
        // A status of success beside a failure.
        (
            r#"{"task":{"id":"t1","status":"completed","success":false}}"#,
            json!(["unknown", "completed", null, null]),
        ),
    ];
    // In parallel, because each waits between polls.
    std::thread::scope(|scope| {
        for (response, expected) in &cases {
            scope.spawn(move || assert_eq!(first_event(response), *expected, "{response}"));
        }
    });
}

#[test]
fn an_unknown_task_fails_at_once() {
    for (tasks, status, code) in [
        (&["t1"][..], 401, 3),
        (&["t1", "t2"], 403, 3),
        (&["t1"], 404, 4),
    ] {
        let service = Scripted::new(vec![("GET", Reply::Json(status, String::new()))]);
        let run = service
            .world()
            .run(&[&["restore", "watch", "--json"], tasks].concat());
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (code, ""),
            "{}",
            run.transcript()
        );
        service.requests();
    }
}

#[test]
fn a_task_in_the_journal_is_retried() {
    let mut script = vec![("POST", Reply::Json(201, r#"{"task":{"id":"t1"}}"#.into()))];
    script.extend(
        [401, 403, 404, 404, 403, 404].map(|status| ("GET", Reply::Json(status, String::new()))),
    );
    script.push((
        "GET",
        Reply::Json(200, r#"{"task":{"id":"t1","status":"done"}}"#.into()),
    ));
    let service = Scripted::new(script);
    let world = service.world();
    world.run(&["restore", "start", "site-1", "s1", "--full", "--yes"]);
    let run = world.run(&["restore", "watch", "--interval", "10ms"]);
    let lines = "site-1 (t1): no response yet, retrying (auth)\nsite-1 (t1): no response yet, retrying (not_found)\n";
    assert!(
        run.code == 0 && run.stderr.starts_with(lines),
        "{}",
        run.transcript()
    );
    service.requests();
}

#[test]
fn errors_are_not_events() {
    let running = |progress: u32| {
        Reply::Json(
            200,
            format!(
                r#"{{"id":"t1","status":"running","progress":{progress},"beat":{}}}"#,
                progress / 7
            ),
        )
    };
    let full = "HTTP/1.1 429 X\r\nx-ratelimit-limit: 200\r\nx-ratelimit-remaining: 0\r\nx-ratelimit-reset: 1\r\n\
                connection: close\r\ncontent-length: 0\r\n\r\n";
    let service = Scripted::new(vec![
        ("GET", Reply::Json(503, String::new())),
        ("GET", running(10)),
        ("GET", Reply::Json(200, "<html>".into())),
        ("GET", running(10)),
        ("GET", Reply::Raw(full.into())),
        ("GET", running(20)),
        ("GET", Reply::Drop),
        ("GET", Reply::Json(401, String::new())),
        ("GET", Reply::Json(404, String::new())),
        (
            "GET",
            Reply::Json(200, r#"{"error":"try again","state":"succeeded"}"#.into()),
        ),
        (
            "GET",
            Reply::Json(200, r#"{"id":"t1","status":"COMPLETED"}"#.into()),
        ),
    ]);
    let run = service.world().run(&[
        "restore",
        "watch",
        "t1",
        "-o",
        "ndjson",
        "--interval",
        "10ms",
    ]);
    let events = events(&run);
    let progress: Vec<&Value> = events.iter().map(|event| &event["progress"]).collect();
    assert_eq!(
        outcomes(&events),
        ["running", "running", "running", "succeeded"],
        "{}",
        run.transcript()
    );
    assert_eq!(
        progress,
        [&json!(null), &json!(10), &json!(20), &json!(null)]
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    service.requests();
}

#[test]
fn states_and_paths_of_the_profile_are_used() {
    let response = |id: &str, status: &str| {
        Reply::Json(200, format!(r#"{{"id":"{id}","status":"{status}"}}"#))
    };
    let service = Scripted::new(vec![
        ("GET /api/v6/jobs/t%201/state", response("t 1", "done")),
        ("GET /api/v6/jobs/t%201/state", response("t 1", "OK")),
        ("GET /api/v6/jobs/t2/state", response("t2", "kaputt")),
    ]);
    let world = World::empty().with("SITECTL_TOKEN", "x");
    let profile = format!(
        "[profiles.p]\nbase_url = \"{}\"\n[profiles.p.endpoints]\ntask = \"jobs/{{task_id}}/state\"\n\
         [profiles.p.task_states]\nsucceeded = [\"ok\"]\nfailed = [\"kaputt\"]\n",
        service.base_url
    );
    let world = world.with_config(&profile);
    let watch = |id: &str| {
        world.run(&[
            "restore",
            "watch",
            "--profile",
            "p",
            id,
            "--interval",
            "10ms",
        ])
    };
    assert_eq!(watch("t 1").code, 0);
    let failed = watch("t2");
    let hint = "hint: show the steps: sitectl --profile p tasks show t2\n";
    assert!(
        failed.code == 10 && failed.stderr.ends_with(hint),
        "{}",
        failed.transcript()
    );
    service.requests();
}

#[test]
fn an_unknown_state_is_watched_until_the_timeout() {
    let tasks = [
        task(0, Duration::ZERO, "reticulating"),
        task(1, Duration::ZERO, "done"),
    ]
    .to_vec();
    let service = TaskService::start(tasks);
    let run = service.world().run(&[
        "restore",
        "watch",
        "t000",
        "t001",
        "--timeout",
        "3s",
        "-o",
        "ids",
    ]);
    assert_data_eq!(
        run.transcript(),
        str![[r#"
[stdout]
t000
t001
[stderr]
t000: reticulating 100%
t001: done 100%
t000: reticulating, timed out 100%
error: not finished within 3s: t000; the restore continues on the server
hint: resume watching: sitectl restore watch t000
exit 11

"#]]
    );
}

#[test]
fn a_killed_watch_can_be_resumed() {
    let server = Server::start(&["--restore-time", "4s"]);
    let world = server.world();
    let mut watch = Watch::start(
        &world,
        &[
            "restore",
            "start",
            "site-0001",
            "latest",
            "--full",
            "--watch",
            "--yes",
        ],
    );
    watch.until("running");
    watch.child.kill().unwrap();
    watch.child.wait().unwrap();
    assert!(
        !world.journal().contains(r#""outcome":"succeeded""#),
        "{}",
        world.journal()
    );
    let run = world.run(&["restore", "watch", "--json"]);
    assert_eq!(
        (run.code, run.json()[0]["outcome"].as_str()),
        (0, Some("succeeded")),
        "{}",
        run.transcript()
    );
    assert!(
        world.journal().contains(r#""outcome":"succeeded""#),
        "{}",
        world.journal()
    );
}

#[test]
fn ctrl_c_shows_how_to_resume() {
    let running = task(0, Duration::from_secs(3600), "done");
    let other = Task {
        id: "-x".into(),
        ..running.clone()
    };
    let service = TaskService::start(vec![running, task(1, Duration::ZERO, "done"), other]);
    let mut watch = Watch::start(
        &service.world(),
        &["restore", "watch", "t000", "t001", "--", "-x"],
    );
    watch.until("-x: running");
    assert_data_eq!(
        watch.interrupt().0,
        str![[r#"
error: interrupted; the restore continues on the server
hint: resume watching: sitectl restore watch -- t000 -x

"#]]
    );
}

#[test]
fn the_journal_has_the_outcome_despite_a_closed_stdout() {
    for (format, code) in [("json", 10), ("ndjson", 0)] {
        let server = quick();
        let world = server.world();
        let task = start(&world, "site-0013");
        // Its only event must be its end.
        let ended = || world.run(&["tasks", "show", &task, "--json"]).json()["status"] == "failed";
        assert!((0..1000).any(|_| ended()), "it never ended");
        let mut watch = Watch::start(&world, &["restore", "watch", "-o", format]);
        drop(watch.stdout);
        assert_eq!(watch.child.wait().unwrap().code(), Some(code), "{format}");
        assert!(
            world.journal().contains(r#""outcome":"failed""#),
            "{format}: {}",
            world.journal()
        );
    }
}

#[test]
fn a_missing_task_is_unfinished_until_a_later_restore_finishes() {
    let missing = || ("GET", Reply::Json(404, String::new()));
    let mut script = vec![("POST", Reply::Json(201, r#"{"task":{"id":"t1"}}"#.into()))];
    script.extend((0..10).map(|_| missing()));
    script.extend([
        missing(),
        ("POST", Reply::Json(201, r#"{"task":{"id":"t2"}}"#.into())),
        (
            "GET",
            Reply::Json(200, r#"{"task":{"id":"t2","status":"done"}}"#.into()),
        ),
    ]);
    let service = Scripted::new(script);
    let world = service.world();
    let start = |more: &[&str]| {
        world
            .run(&[&["restore", "start", "s1", "p1", "--full", "--yes"], more].concat())
            .code
    };
    let watch = || world.run(&["restore", "watch", "--interval", "10ms"]);
    assert_eq!(start(&[]), 0);
    let run = watch();
    assert!(
        run.code == 12
            && run
                .stderr
                .contains("error: the outcome is unknown: s1 (t1)"),
        "{}",
        run.transcript()
    );
    assert!(
        world.journal().contains(r#""outcome":"unknown""#),
        "{}",
        world.journal()
    );
    assert_eq!(
        (watch().code, start(&[])),
        (12, 6),
        "it may still be at work"
    );
    assert_eq!(start(&["--force", "--watch"]), 0);
    assert_eq!((watch().code, watch().stdout.as_str()), (0, ""));
    service.requests();
}

#[test]
fn a_missing_task_does_not_hide_a_failed_one() {
    let server = quick();
    let world = server.world();
    let start = [
        "restore",
        "start",
        "site-0013",
        "latest",
        "--full",
        "--yes",
        "-q",
        "-o",
        "ids",
    ];
    let task = world.run(&start).stdout;
    let run = world.run(&["restore", "watch", "task-0", task.trim(), "--json"]);
    let outcomes: Vec<String> = run
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["outcome"].to_string())
        .collect();
    assert_eq!(
        (run.code, outcomes),
        (10, vec!["\"unknown\"".to_string(), "\"failed\"".into()]),
        "{}",
        run.stderr
    );
}

#[test]
fn a_site_is_watched_by_id_url_or_host_name() {
    let server = Server::start(&["--restore-time", "2s"]);
    let world = server.world();
    let task = start(&world, "site-0001");
    start(&world, "site-0002");
    start(&world, "site-0003");
    let words = [
        "site-0001",
        "https://Site-0002.example.com/",
        "site-0003.example.com",
        &task,
    ];
    let run = world.run(&[&["restore", "watch", "--json"], &words[..]].concat());
    let sites: Vec<String> = run
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["site_id"].as_str().unwrap().into())
        .collect();
    assert_eq!(
        (run.code, sites),
        (
            0,
            vec![
                "site-0001".to_string(),
                "site-0002".into(),
                "site-0003".into()
            ]
        )
    );
    let run = world.run(&[
        "restore",
        "watch",
        "site-0002",
        "site-0009.example.com",
        "--json",
    ]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "[]\n"),
        "{}",
        run.transcript()
    );
    assert_eq!(
        world
            .run(&["restore", "watch", "https://nope.example.com"])
            .code,
        4
    );
}
