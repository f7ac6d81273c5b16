//! The rate limit: processes share the service's own count, and a 429 is not an error.

use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

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
        Reply::Json(503, String::new()),
        Reply::Json(200, r#"{"client":{"id":"c1"}}"#.into()),
    ];
    let service = Scripted::new(replies.map(|reply| (SHOW, reply)).into());
    let run = service
        .world()
        .run(&["clients", "show", "c1", "-o", "ids", "--retries", "1"]);
    assert_eq!(
        (run.code, &*run.stdout),
        (0, "c1\n"),
        "{}",
        run.transcript()
    );
}

#[test]
fn processes_that_race_for_the_last_requests_all_succeed() {
    let server = Server::start(&["--rate-limit", "40", "--rate-window", "1s"]);
    let list = ["clients", "list", "--per-page", "1", "-o", "ids"];
    let start = |world: &World| {
        world
            .command(&list)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let worlds: Vec<World> = (0..4).map(|_| server.world()).collect();
    let running: Vec<Child> = worlds.iter().map(start).collect();
    for run in running
        .into_iter()
        .map(|child| Run::of(child.wait_with_output().unwrap()))
    {
        assert_eq!(
            (run.code, run.stdout.lines().count()),
            (0, 60),
            "{}",
            run.transcript()
        );
        assert!(!run.stderr.contains("error"), "{}", run.stderr);
    }
}

#[test]
fn bulk_work_leaves_five_requests_unused() {
    let server = Server::start(&["--rate-limit", "12"]);
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
    let mut job = world
        .command(&apply)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(job.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    assert!(
        lines.any(|line| line.contains("rate limit reached")),
        "the limit is never reached"
    );
    for _ in 0..5 {
        let person = world.run(&["clients", "show", "client-0001", "-o", "ids", "-v"]);
        assert_eq!((person.code, &*person.stdout), (0, "client-0001\n"));
        assert!(
            !person.stderr.contains("429") && !person.stderr.contains("used up;"),
            "{}",
            person.stderr
        );
    }
    job.kill().unwrap();
    job.wait().unwrap();
}
