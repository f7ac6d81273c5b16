//! Tests of `sitectl restore watch`: one task or a hundred, and network errors.

use crate::common::{Lines, Run, Server, Signal, World, interrupt, signal, wait, wait_until};
use crate::rate::{with_headers, with_remaining};
use crate::service::{Reply, Scripted, Service, site_reply};
use predicates::ord::eq;
use predicates::str::{contains, ends_with, starts_with};
use serde_json::{Value, json};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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

#[test]
fn all_tasks_together_use_half_of_the_rate_limit() {
    let polls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&polls);
    let service = Service::start(move |request| {
        counter.fetch_add(1, Ordering::SeqCst);
        let id = request.line.rsplit('/').next().unwrap();
        let limit =
            "x-ratelimit-limit: 2\r\nx-ratelimit-remaining: 99\r\nx-ratelimit-reset: 60\r\n";
        with_headers(limit, Reply::task(id, "running"))
    });
    let watch = "restore watch t1 t2 t3 t4 t5 t6 t7 t8 t9";
    let run = service.world().run(format!(
        "{watch} --interval 10ms --timeout 2s --request-timeout 1s"
    ));
    // The journal has none of them, so that the hint names them all.
    run.assert_stderr(11, contains(format!("sitectl {watch}")));
    // The limit is known after the first.
    let polls = polls.load(Ordering::SeqCst);
    assert!((1..=2).contains(&polls), "{polls} polls");
}

#[test]
fn a_hanging_poll_delays_no_other_task() {
    let service = Service::start(|request| match request.line.rsplit('/').next().unwrap() {
        "t1" => Reply::Silence,
        id => Reply::task(id, "succeeded"),
    });
    let line = "restore watch t0 t1 t2 -o ndjson --request-timeout 5m";
    let mut watch = Watch::start(&service.world(), line);
    let ended = |line: &String| line.contains(r#""outcome":"succeeded""#);
    assert_eq!(watch.stdout.by_ref().filter(ended).take(2).count(), 2);
    interrupt(&watch.child);
    let said: String = watch.stderr.collect();
    assert!(said.contains("sitectl restore watch t1\""), "{said}");
    assert_eq!(wait(watch.child).code, 130);
}

/// A running watch.
struct Watch {
    child: Child,
    stdout: Lines,
    stderr: Lines,
}

impl Watch {
    fn start(world: &World, line: &str) -> Self {
        let mut child = world.start(line);
        Self {
            stdout: Lines::of(child.stdout.take().unwrap()),
            stderr: Lines::of(child.stderr.take().unwrap()),
            child,
        }
    }
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
            "error": {"kind": "not_found", "message": "the service did not find its task"},
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
fn the_journal_has_the_outcome_despite_a_closed_stdout() {
    let changing = Changing::start();
    let world = changing.service.world();
    assert_eq!(world.run(&START).code, 0);
    changing.reply_to_polls(Reply::task("t1", "failed"));
    let mut watch = world.start("restore watch s1 -o ndjson");
    drop(watch.stdout.take());
    assert_eq!(wait(watch).code, 10);
    assert!(world.journal().contains(r#""outcome":"failed""#));
}

#[test]
fn a_site_is_watched_by_id_url_or_host_name() {
    let (_server, world) = Server::start("--restore-time 0s").world_kept();
    let start = "restore start --plan - --full --yes -o ids";
    let task = world
        .run_with(start, "site-0001\nsite-0002\nsite-0003\n")
        .stdout;
    let task = task.lines().next().unwrap();
    let words = "site-0001 https://Site-0002.example.com/ site-0003.example.com";
    let watch = format!("restore watch {words} {task} --jq .[].site_id");
    let run = world.run(watch);
    run.assert_stdout(0, eq("site-0001\nsite-0002\nsite-0003\n"));
    let run = world.run("restore watch site-0002 https://nope.example.com");
    assert_eq!((run.code, run.stdout.as_str()), (4, ""));
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
    // Each of two restores that have a task is watched, however old and although one is later.
    changing.reply_to_starts(Reply::task("t1", "running"));
    let force = [&START[..], &["--force"]].concat();
    for _ in 0..2 {
        let run = world.run(&*force);
        assert_eq!(run.code, 0, "{}", run.transcript());
    }
    let journal = times.replace_all(&world.journal(), "\"2020-").into_owned();
    std::fs::write(world.path(".local/state/sitectl/restores.ndjson"), journal).unwrap();
    // What is running decides the exit code, and not what is in doubt.
    changing.reply_to_starts(Reply::Drop);
    assert_eq!(world.run("restore start s2 p1 --full --yes").code, 12);
    let run = world.run("restore watch --timeout 100ms --jq .[].task_id");
    run.assert_stdout(11, eq("t1\nt1\nnull\n"));
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
        let line = "restore watch t1 t2 -o csv --fields task_id,outcome";
        let mut watch = Watch::start(&service.world(), line);
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
fn a_restore_that_another_command_is_sending_is_waited_for() {
    let changing = Changing::start();
    let started = Reply::Json(202, r#"{"task":{"id":"t1"}}"#.into());
    changing.reply_to_starts(Reply::Late(Duration::from_secs(2), Box::new(started)));
    changing.reply_to_polls(Reply::task("t1", "succeeded"));
    let world = changing.service.world();
    let sending = world.start("restore start s1 p1 --full --yes");
    wait_until("the restore is being sent", || {
        world.journal().contains(r#""sent":{"restore""#)
    });
    let run = world.run("restore watch s1 --jq .[].outcome");
    run.assert_stdout(0, eq("succeeded\n"));
    wait(sending);
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
    run.assert_stdout(11, eq("t-s1\nt-s2\n"));
}
