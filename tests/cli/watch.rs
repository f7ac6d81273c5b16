//! Tests of `sitectl restore watch`: one task or a hundred, and network errors.

use crate::common::{Lines, Run, Server, Signal, World, interrupt, kill, signal, wait};
use crate::rate::with_remaining;
use crate::service::{Reply, Scripted, Service, site_reply};
use crate::task_service::{LIMIT, Task, TaskService, WINDOW};
use predicates::str::{contains, ends_with, starts_with};
use serde_json::{Value, json};
use snapbox::{assert_data_eq, str};
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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
    let (times, ids): (Vec<Instant>, Vec<String>) = service.polls().into_iter().unzip();
    let most = most_in_a_window(&times);
    assert!(most <= LIMIT / 2, "{most} requests in a window");
    assert!(most > LIMIT / 4, "only {most} requests in a window");
    require_turns(&ids);
}

/// Fails if a task was polled three times before another one had its turn.
fn require_turns(polls: &[String]) {
    for id in polls {
        let places = (0..polls.len()).filter(|place| polls[*place] == *id);
        for of_three in places.collect::<Vec<_>>().windows(3) {
            let (between, later) = (&polls[of_three[0]..of_three[2]], &polls[of_three[2]..]);
            let waiting = later.iter().find(|other| !between.contains(other));
            assert_eq!(waiting, None, "{id} was polled three times meanwhile");
        }
    }
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
    assert_eq!(watch.stdout.by_ref().filter(ended).take(3).count(), 3);
    let (said, code) = watch.interrupt();
    assert!(
        said.contains("sitectl restore watch t001\"") && code == 130,
        "{said}"
    );
}

/// A running watch.
struct Watch {
    child: Child,
    stdout: Lines,
    stderr: Lines,
}

impl Watch {
    /// Starts a command with these arguments, which watches for at most a minute.
    fn start(world: &World, args: &[&str]) -> Self {
        let (command, rest) = args.split_at(2);
        let mut child = world.start(&[command, &["--timeout", "1m"], rest].concat());
        Self {
            stdout: Lines::of(child.stdout.take().unwrap()),
            stderr: Lines::of(child.stderr.take().unwrap()),
            child,
        }
    }

    /// Sends Ctrl-C, and returns the rest of stderr and the exit code.
    fn interrupt(self) -> (String, i32) {
        interrupt(&self.child);
        let said = self.stderr.map(|line| line + "\n").collect();
        (said, wait(self.child).code)
    }
}

fn start(world: &World, site: &str) -> String {
    let run = world.run(&[
        "restore", "start", site, "latest", "--full", "--yes", "-q", "-o", "ids",
    ]);
    assert_eq!(run.code, 0, "{}", run.transcript());
    run.stdout.trim().into()
}

#[test]
fn an_unknown_task_fails_at_once() {
    for (tasks, status, code) in [
        (&["t1"][..], 401, 11),
        (&["t1", "t2"], 403, 11),
        (&["t1"], 404, 4),
    ] {
        let service = Scripted::new(vec![("GET", Reply::status(status))]);
        let run = service
            .world()
            .run(&[&["restore", "watch", "--json"], tasks].concat());
        assert_eq!(run.code, code, "{}", run.transcript());
        assert!(!run.stdout.contains("running"), "{}", run.transcript());
    }
}

#[test]
fn a_task_in_the_journal_is_retried() {
    let mut script = vec![(
        "POST /api/v6/sites/site-1/backups/s1/restore",
        Reply::Json(201, r#"{"task":{"id":"t1"}}"#.into()),
    )];
    script.extend([404, 503, 404].map(|status| ("GET /api/v6/tasks/t1", Reply::status(status))));
    script.push((
        "GET /api/v6/tasks/t1",
        Reply::Json(200, r#"{"task":{"id":"t1","status":"done"}}"#.into()),
    ));
    let service = Scripted::with_sites(script);
    let world = service.world();
    world.run("restore start site-1 s1 --full --yes");
    let run = world.run("restore watch --interval 10ms");
    let lines = "site-1 (t1): no status yet, retrying (not_found)\n";
    run.assert_stderr(0, starts_with(lines));
}

#[test]
fn a_poll_that_fails_is_not_an_event() {
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
        ("GET", Reply::status(503)),
        ("GET", running(10)),
        ("GET", Reply::Json(200, "<html>".into())),
        ("GET", running(10)),
        ("GET", Reply::Raw(full.into())),
        ("GET", running(20)),
        ("GET", Reply::Drop),
        ("GET", Reply::status(404)),
        (
            "GET",
            Reply::Json(200, r#"{"error":"try again","state":"succeeded"}"#.into()),
        ),
        (
            "GET",
            Reply::Json(200, r#"{"id":"t1","status":"COMPLETED"}"#.into()),
        ),
    ]);
    let run = service
        .world()
        .run("restore watch t1 -o ndjson --interval 10ms");
    let events = events(&run);
    let progress: Vec<&Value> = events.iter().map(|event| &event["progress"]).collect();
    assert_eq!(
        outcomes(&events),
        ["running", "running", "succeeded"],
        "{}",
        run.transcript()
    );
    assert_eq!(progress, [&json!(10), &json!(20), &json!(null)]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn a_poll_waits_as_long_as_the_service_requests() {
    let refused = |status| Reply::KeepAlive(status, "retry-after: 2\r\n".into(), String::new());
    // The last five requests of a window are left.
    let five_left = with_remaining(5, 2, Reply::task("t1", "queued"));
    for first in [refused(429), refused(503), five_left] {
        let done = Reply::Json(200, r#"{"id":"t1","status":"done"}"#.into());
        let running = Reply::task("t1", "running");
        let service = Scripted::new(vec![("GET", first), ("GET", running), ("GET", done)]);
        let started = Instant::now();
        let run = service.world().run("restore watch t1 --interval 10ms");
        run.assert_stderr(0, predicates::str::contains("t1: running\n"));
        assert!(
            started.elapsed() >= Duration::from_secs(2),
            "{}",
            run.transcript()
        );
    }
}

#[test]
fn watch_uses_the_states_and_paths_of_the_profile() {
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
    failed.assert_stderr(10, ends_with(hint));
}

#[test]
fn a_failed_restore_shows_the_reason_of_its_task() {
    let long = "x".repeat(201);
    let cut = format!("{}…", &long[1..]);
    for (fields, reason) in [
        (
            r#""error_message":" disk full ","message":"Restoring""#,
            ": disk full",
        ),
        (r#""error_message":null,"error":"no space""#, ": no space"),
        (r#""error":{"message":"locked"}"#, ": locked"),
        (
            r#""error":false,"message":"Checksum mismatch""#,
            ": Checksum mismatch",
        ),
        (&format!(r#""error":"{long}""#), &format!(": {cut}")),
        (r#""message":7"#, ": no reason given"),
    ] {
        let changing = Changing::start();
        let world = changing.service.world();
        assert_eq!(world.run(&START).code, 0);
        let body = format!(r#"{{"id":"t1","status":"failed",{fields}}}"#);
        changing.reply_to_polls(Reply::Json(200, body));
        let message = format!("error: the restore of s1 (t1) failed{reason}\n");
        // The second command has the reason from the journal, and sends no request.
        let run_id = world.run("restore history --jq .[].run").stdout;
        let resume = format!("restore resume {}", run_id.trim());
        for command in ["restore watch t1", "restore watch s1", &resume] {
            let run = world.run(command);
            assert_eq!(run.code, 10, "{}", run.transcript());
            assert!(run.stderr.contains(&message), "{}", run.transcript());
        }
        assert_eq!(changing.polls(), 1);
    }
}

#[test]
fn a_missing_task_hints_at_the_path_until_a_task_was_seen() {
    let changing = Changing::start();
    let world = changing.service.world();
    for hint in [
        "set task in [profiles.NAME.endpoints]",
        "explain unknown_outcome",
    ] {
        assert_eq!(world.run(&START).code, 0);
        // The journal says that the service has not known the task for a minute.
        let history = world.run("restore history --limit 1 --json").json();
        let seen = json!({"seen": {
            "restore": {"run": history[0]["run"], "index": 0},
            "outcome": "unknown",
            "task_id": "t1",
            "error": {"kind": "not_found", "message": "the service does not know its task"},
        }});
        let mut journal = world.journal();
        journal += &format!("{seen}\n");
        std::fs::write(world.path(".local/state/sitectl/restores.ndjson"), journal).unwrap();
        let run = world.run("restore resume");
        assert_eq!(run.code, 4, "{}", run.transcript());
        let run_id = history[0]["run"].as_str().unwrap();
        changing.reply_to_polls(Reply::status(404));
        let run = world.run(&["restore", "resume", run_id]);
        assert_eq!(run.code, 12, "{}", run.transcript());
        assert!(run.stderr.contains(hint), "{}", run.transcript());
        changing.reply_to_polls(Reply::task("t1", "succeeded"));
        assert_eq!(world.run("restore watch s1").code, 0);
    }
}

#[test]
fn a_killed_watch_can_be_resumed() {
    let server = Server::start("--restore-time 4s");
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
    watch.stderr.wait_for("running");
    kill(watch.child);
    assert!(
        !world.journal().contains(r#""outcome":"succeeded""#),
        "{}",
        world.journal()
    );
    let run = world.run("restore watch --json");
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
    watch.stderr.wait_for("-x: running");
    assert_data_eq!(
        watch.interrupt().0,
        str![[r#"
error: interrupted: 2 of 3 restores not finished
  t000: was last seen running 0% (running)
  -x: was last seen running 0% (running)
hint: resume watching: sitectl restore watch -- t000 -x

"#]]
    );
}

#[test]
fn the_journal_has_the_outcome_despite_a_closed_stdout() {
    for (format, code) in [("json", 10), ("ndjson", 10)] {
        let server = Server::start("--restore-time 1s");
        let world = server.world();
        let task = start(&world, "site-0013");
        // Its only event must be its end.
        let ended = || world.run(&["tasks", "show", &task, "--json"]).json()["status"] == "failed";
        assert!((0..1000).any(|_| ended()), "it never ended");
        let mut watch = world.start(&["restore", "watch", "site-0013", "-o", format]);
        drop(watch.stdout.take());
        assert_eq!(wait(watch).code, code, "{format}");
        assert!(
            world.journal().contains(r#""outcome":"failed""#),
            "{format}: {}",
            world.journal()
        );
    }
}

#[test]
fn a_site_is_watched_by_id_url_or_host_name() {
    let server = Server::start("--restore-time 2s");
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
    for missing in ["site-0009.example.com", "https://nope.example.com"] {
        let run = world.run(&["restore", "watch", "site-0002", missing]);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (4, ""),
            "{}",
            run.transcript()
        );
    }
}

/// A service whose replies can be changed. Each start of a restore and each poll gets the current
/// one.
struct Changing {
    service: Service,
    state: Arc<Mutex<ChangingState>>,
}

struct ChangingState {
    /// The reply to a start.
    started: Reply,
    /// The reply to a poll.
    polled: Reply,
    polls: usize,
}

impl Changing {
    /// Starts a service on which task `t1` is running.
    fn start() -> Self {
        let state = Arc::new(Mutex::new(ChangingState {
            started: Reply::Json(202, r#"{"task":{"id":"t1"}}"#.into()),
            polled: Reply::task("t1", "running"),
            polls: 0,
        }));
        let shared = Arc::clone(&state);
        let service = Service::start(move |request| {
            let mut state = shared.lock().unwrap();
            if request.line.starts_with("POST ") {
                return state.started.clone();
            }
            if request.line.contains("/tasks/") {
                state.polls += 1;
                return state.polled.clone();
            }
            site_reply(&[("s1", "p1"), ("s2", "p1")], &request.line).unwrap()
        });
        Self { service, state }
    }

    fn reply_to_starts(&self, reply: Reply) {
        self.state.lock().unwrap().started = reply;
    }

    fn reply_to_polls(&self, reply: Reply) {
        self.state.lock().unwrap().polled = reply;
    }

    fn polls(&self) -> usize {
        self.state.lock().unwrap().polls
    }
}

const START: [&str; 6] = ["restore", "start", "s1", "p1", "--full", "--yes"];

#[test]
fn a_site_has_the_outcome_of_its_newest_restore_each_time() {
    for (status, code) in [("succeeded", 0), ("failed", 10)] {
        let changing = Changing::start();
        let world = changing.service.world();
        assert_eq!(world.run(&START).code, 0);
        changing.reply_to_polls(Reply::task("t1", status));
        let first = world.run("restore watch s1 --json");
        assert_eq!(first.code, code, "{}", first.transcript());
        // An outcome is final.
        let polls = changing.polls();
        changing.reply_to_polls(Reply::task("t1", "running"));
        let second = world.run("restore watch s1 --json");
        assert_eq!(second.code, code, "{}", second.transcript());
        assert_eq!(second.json()[0]["outcome"], status);
        assert_eq!(changing.polls(), polls);
        // No earlier restore is reported instead of one that was not started.
        for (reply, code, outcome) in [(422, 5, "rejected"), (401, 3, "not_sent")] {
            changing.reply_to_starts(Reply::status(reply));
            assert_eq!(world.run(&START).code, code);
            let run = world.run("restore watch s1 --json");
            assert_eq!(run.code, code, "{}", run.transcript());
            assert_eq!(run.json()[0]["outcome"], outcome);
        }
    }
}

/// Returns a world with the profiles `a` and `b` of the same service.
fn two_profiles(changing: &Changing) -> World {
    let base_url = &changing.service.base_url;
    let localhost = base_url.replace("127.0.0.1", "localhost");
    let profile = |name: &str, base_url: &str| {
        format!("[profiles.{name}]\nbase_url = \"{base_url}\"\ntoken = \"token-{name}\"\n")
    };
    World::empty().with_config(&(profile("a", base_url) + &profile("b", &localhost)))
}

#[test]
fn without_ids_all_unfinished_restores_of_the_account_are_watched() {
    let changing = Changing::start();
    let world = two_profiles(&changing);
    for (profile, site) in [("a", "s1"), ("b", "s2")] {
        let task = format!(r#"{{"task":{{"id":"task-{profile}"}}}}"#);
        changing.reply_to_starts(Reply::Json(202, task));
        let start = [
            "restore",
            "start",
            site,
            "p1",
            "--full",
            "--yes",
            "--profile",
            profile,
        ];
        assert_eq!(world.run(&start).code, 0);
    }
    changing.reply_to_polls(Reply::status(404));
    let watch = ["restore", "watch", "--profile", "b", "--timeout", "1s"];
    let run = world.run(&watch);
    let names = "error: no result within 1s: the restore of s2 (task-b) was last seen running\n";
    assert_eq!(run.code, 11, "{}", run.transcript());
    assert!(run.stderr.contains(names), "{}", run.transcript());
    // Another service has no restores.
    let other = world.with("SITECTL_BASE_URL", "http://127.0.0.1:1/api/v6");
    let other = other.with("SITECTL_TOKEN", "x");
    let run = other.run("restore watch --json");
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (
            0,
            "[]\n",
            "no unfinished restores with SITECTL_TOKEN on 127.0.0.1:1 found in the journal\n"
        )
    );
}

#[test]
fn restores_in_doubt_for_more_than_a_day_are_only_counted() {
    let changing = Changing::start();
    let world = changing.service.world();
    changing.reply_to_starts(Reply::Drop);
    assert_eq!(world.run(&START).code, 12);
    assert_eq!(world.run("restore watch -q").code, 12);
    let times = regex::Regex::new(r#""20\d\d-"#).unwrap();
    let journal = times.replace_all(&world.journal(), "\"2020-").into_owned();
    std::fs::write(world.path(".local/state/sitectl/restores.ndjson"), journal).unwrap();
    let run = world.run("restore watch --json");
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "[]\n"),
        "{}",
        run.transcript()
    );
    let note = "not watched: 1 restore with an unknown outcome for more than 24 hours\n";
    assert!(run.stderr.starts_with(note), "{}", run.transcript());
    assert_eq!(world.run("restore watch s1 -q").code, 12);
}

/// A service on which task `t1` has failed, and other tasks get this reply later.
fn one_failed(other: Reply) -> Service {
    Service::start(move |request| {
        if request.line.ends_with("/t1") {
            return Reply::task("t1", "failed");
        }
        Reply::Late(Duration::from_millis(500), Box::new(other.clone()))
    })
}

#[test]
fn a_signal_prints_the_outcomes_that_are_known() {
    for sent in [Signal::INT, Signal::TERM] {
        let service = one_failed(Reply::task("t2", "running"));
        let args = [
            "restore",
            "watch",
            "t1",
            "t2",
            "-o",
            "csv",
            "--fields",
            "task_id,outcome",
        ];
        let mut watch = Watch::start(&service.world(), &args);
        watch.stderr.wait_for("t2: running");
        signal(sent, watch.child.id());
        let stderr: Vec<String> = watch.stderr.collect();
        assert_eq!(
            stderr,
            [
                "error: interrupted: 1 of 2 restores failed, 1 of 2 restores not finished",
                "  t1: failed: no reason given (restore_failed)",
                "  t2: was last seen running (running)",
                "hint: resume watching: sitectl restore watch t2"
            ]
        );
        assert_eq!(wait(watch.child).code, 128 + sent.as_raw());
        let stdout: Vec<String> = watch.stdout.collect();
        assert_eq!(stdout, ["task_id,outcome", "t1,failed", "t2,running"]);
    }
}

#[test]
fn a_failure_is_reported_although_the_token_expires() {
    let service = one_failed(Reply::status(401));
    let run = service.world().run("restore watch t1 t2 --json");
    assert_eq!(run.code, 10, "{}", run.transcript());
    let result = run.json();
    let outcomes = outcomes(result.as_array().unwrap());
    assert_eq!(outcomes, ["failed", "unknown"], "nothing is known of t2");
    let error = run.error();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("rejected the token (401)"), "{message}");
}

#[test]
fn a_timeout_says_what_was_last_seen() {
    let mut polls = 0;
    let service = Service::start(move |_| {
        polls += 1;
        if polls == 1 {
            Reply::task("t1", "running")
        } else {
            Reply::status(503)
        }
    });
    let watch = "restore watch t1 --timeout 3s";
    let run = service.world().run(watch);
    assert_eq!(run.code, 11, "{}", run.transcript());
    let message = "error: no result within 3s: the restore of t1 was last seen running\n";
    assert!(run.stderr.contains(message), "{}", run.transcript());
}

#[test]
fn the_end_that_sitectl_saw_counts_only_if_it_saw_the_task_unfinished() {
    for (polls, is_known) in [(2, true), (1, false)] {
        let mut polled = 0;
        let service = Service::start(move |request| match request.line.as_str() {
            "GET /api/v6/tasks/t1" => {
                polled += 1;
                let state = if polled < polls {
                    "running"
                } else {
                    "succeeded"
                };
                Reply::task("t1", state)
            }
            "POST /api/v6/sites/s1/backups/p/restore" => Reply::task("t1", "queued"),
            line => site_reply(&[("s1", "p")], line).unwrap(),
        });
        let world = service.world();
        assert_eq!(world.run("restore start s1 p --full --yes").code, 0);
        let row = &world.run("restore watch s1 --json").json()[0];
        assert_eq!(row["outcome"], "succeeded");
        let times = [&row["finished_at"], &row["seconds"]].map(|time| !time.is_null());
        assert_eq!(times, [is_known; 2], "{row}");
        let started = row["started_at"].as_str().unwrap();
        assert!(started.len() == "2026-01-01T00:00:00Z".len(), "{row}");
    }
}

#[test]
fn an_id_of_a_site_and_of_another_task_is_refused() {
    let pairs = [("1", "p"), ("2", "p")];
    let service = Service::start(move |request| match request.line.as_str() {
        "POST /api/v6/sites/1/backups/p/restore" => Reply::task("2", "succeeded"),
        "POST /api/v6/sites/2/backups/p/restore" => Reply::task("7", "failed"),
        line => site_reply(&pairs, line).unwrap(),
    });
    let world = service.world();
    for site in ["1", "2"] {
        let start = format!("restore start {site} p --full --yes");
        assert_ne!(world.run(start).code, 2);
    }
    world
        .run("restore watch 2")
        .assert_stderr(2, contains("'2' is the task of"));
}

#[test]
fn watching_a_part_of_a_run_does_not_take_it_over() {
    let service = Service::start(|request| match request.line.as_str() {
        line if line.starts_with("POST ") => {
            Reply::task(&format!("t-{}", &line[19..21]), "running")
        }
        line if line.contains("/tasks/") => {
            Reply::task(line.rsplit('/').next().unwrap(), "running")
        }
        line => site_reply(&[("s1", "p"), ("s2", "p")], line).unwrap(),
    });
    let world = service.world().with("SITECTL_TOKEN", "owner");
    std::fs::write(world.path("plan.txt"), "s1\ns2\n").unwrap();
    world.run("restore start --plan plan.txt --full --yes");
    let world = world.with("SITECTL_TOKEN", "colleague");
    assert_eq!(world.run("restore watch s1 --timeout 100ms").code, 11);
    let world = world.with("SITECTL_TOKEN", "owner");
    let run = world.run("restore watch --timeout 100ms -o ids");
    assert_eq!(run.stdout, "t-s1\nt-s2\n", "{}", run.transcript());
}
