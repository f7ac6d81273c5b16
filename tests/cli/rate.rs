//! The rate limit: processes share the service's own count, and a 429 is not an error.

use crate::common::{Lines, Server, World, interrupt, kill, wait};
use crate::plan::snapshots;
use crate::service::{Reply, Scripted, Service, page};
use predicates::str::contains;
use serde_json::json;
use std::process::Child;

#[test]
fn a_single_process_gets_no_429() {
    // Also if a window allows fewer requests than can be in flight.
    for (limit, rows) in [("20", "1"), ("3", "6")] {
        let server = Server::start(&["--rate-limit", limit, "--rate-window", "1s"]);
        let run = server
            .world()
            .run(&["clients", "list", "--per-page", rows, "-o", "ids", "-v"]);
        assert_eq!(
            (run.code, run.stdout.lines().count()),
            (0, 60),
            "{}",
            run.transcript()
        );
        assert!(
            run.stderr.contains("-> 200") && !run.stderr.contains("-> 429"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_429_does_not_use_up_the_retries() {
    const SHOW: &str = "GET /api/v6/clients/c1";
    let refused = Reply::KeepAlive(429, "retry-after: 1\r\n".into(), String::new());
    let replies = [
        refused,
        Reply::status(503),
        Reply::Json(200, r#"{"client":{"id":"c1"}}"#.into()),
    ];
    let service = Scripted::new(replies.map(|reply| (SHOW, reply)).into());
    let run = service.world().run("clients show c1 -o ids --retries 1");
    assert_eq!(
        (run.code, &*run.stdout),
        (0, "c1\n"),
        "{}",
        run.transcript()
    );
}

/// Adds the headers of the last response that a window allows. The window ends after these seconds.
fn last_of_window(seconds: u32, reply: Reply) -> Reply {
    with_remaining(0, seconds, reply)
}

/// Adds the headers of a response after which a window allows this number of requests. The window
/// ends after these seconds.
pub fn with_remaining(remaining: u32, seconds: u32, reply: Reply) -> Reply {
    let limit = format!("x-ratelimit-limit: 200\r\nx-ratelimit-remaining: {remaining}\r\n");
    with_headers(&format!("{limit}x-ratelimit-reset: {seconds}\r\n"), reply)
}

/// Adds headers to a reply.
pub fn with_headers(headers: &str, reply: Reply) -> Reply {
    let Reply::Json(status, body) = reply else {
        panic!("the reply has headers already");
    };
    Reply::KeepAlive(status, headers.into(), body)
}

/// Returns a reply with a client that has these sites.
fn client(id: &str, sites: &[&str]) -> Reply {
    let client = json!({"id": id, "site_ids": sites});
    Reply::Json(200, json!({ "client": client }).to_string())
}

#[test]
fn without_retries_a_request_that_must_wait_is_not_sent() {
    let first_page = page(&["c1", "c2"], 1, 2, 3);
    let list = ("GET /api/v6/clients?", last_of_window(60, first_page));
    let show = (
        "GET /api/v6/clients/c1",
        last_of_window(60, client("c1", &["s1"])),
    );
    for (script, command, message) in [
        (list, "clients list -o ids", "rate limit exceeded"),
        (
            show,
            "clients update c1 --remove-site s1",
            "rate limit exceeded; no changes were made",
        ),
    ] {
        let service = Scripted::new(vec![script]);
        let args = format!("{command} --retries 0");
        let run = service.world().run(args);
        let hint = "retry in a minute, or show the remaining requests: sitectl auth status";
        assert_eq!(
            (run.code, run.stderr),
            (7, format!("error: {message}\nhint: {hint}\n"))
        );
    }
}

#[test]
fn the_checks_of_a_plan_leave_five_requests() {
    let service = Service::start(|request| {
        if request.line.starts_with("GET /api/v6/sites?") {
            let sites = json!({"sites": [{"id": "s1"}, {"id": "s2"}], "total": 2});
            with_remaining(5, 1, Reply::Json(200, sites.to_string()))
        } else {
            snapshots(&["p1"])
        }
    });
    let world = service.world();
    std::fs::write(
        world.path("plan.csv"),
        "site_id,snapshot_id\ns1,p1\ns2,p1\n",
    )
    .unwrap();
    let run = world.run("restore start --plan plan.csv --full --dry-run -v");
    run.assert_stderr(0, contains("rate limit reached; continuing in"));
}

/// The refused change was surely not made.
#[test]
fn a_long_wait_writes_one_line_and_can_be_interrupted() {
    let refused = Reply::KeepAlive(429, "retry-after: 60\r\n".into(), String::new());
    let service = Scripted::new(vec![("POST /api/v6/clients/c1/update", refused)]);
    let mut update = service.world().start("clients update c1 --note n");
    let mut lines = Lines::of(update.stderr.take().unwrap());
    let line = lines.next();
    interrupt(&update);
    let rest: Vec<String> = lines.collect();
    assert_eq!(wait(update).code, 130);
    assert_eq!(
        (line.as_deref(), rest.as_slice()),
        (
            Some("rate limit reached (429); continuing in 60s"),
            &["error: interrupted; no changes were made".to_string()][..]
        )
    );
}

#[test]
fn processes_that_race_for_the_last_requests_all_succeed() {
    let server = Server::start("--rate-limit 40 --rate-window 1s");
    let list = "clients list --per-page 1 -o ids";
    let worlds: Vec<World> = (0..4).map(|_| server.world()).collect();
    let running: Vec<Child> = worlds.iter().map(|world| world.start(list)).collect();
    for run in running.into_iter().map(wait) {
        assert_eq!(
            (run.code, run.stdout.lines().count()),
            (0, 60),
            "{}",
            run.transcript()
        );
        assert_eq!(run.stderr, "", "short waits are silent");
    }
}

#[test]
fn bulk_work_leaves_five_requests_unused() {
    let server = Server::start("--rate-limit 12");
    let world = server.world();
    let rows: String = (0..20)
        .map(|number| format!("n{number}@example.com,N\n"))
        .collect();
    std::fs::write(
        world.path("clients.csv"),
        format!("email,first_name\n{rows}"),
    )
    .unwrap();
    let file = world.path("clients.csv");
    let apply = ["clients", "apply", file.to_str().unwrap(), "--yes", "-v"];
    let mut job = world.start(&apply);
    let mut lines = Lines::of(job.stderr.take().unwrap());
    lines.wait_for("rate limit reached");
    for _ in 0..5 {
        let person = world.run("clients show client-0001 -o ids -v");
        assert_eq!((person.code, &*person.stdout), (0, "client-0001\n"));
        assert!(
            !person.stderr.contains("-> 429") && !person.stderr.contains("used up;"),
            "{}",
            person.stderr
        );
    }
    kill(job);
}
