//! The rate limit as services of different minds keep it: with eight requests on their way none is refused. How little
//! time is lost is for `benches/apply.rs` to say, and for the simulation beside the budget.

use crate::listing::{Counting, Listing, Quirks, Rate, numbered};
use crate::scripted::{Reply, Scripted};
use crate::support::{Run, Server, World};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

/// A list of a page for each row.
fn list(world: &World) -> Run {
    world.run(&["clients", "list", "--per-page", "1", "--concurrency", "8", "-o", "ids", "-v"])
}

#[test]
fn the_sandbox_refuses_no_page() {
    let server = Server::start(&["--rate-limit", "20", "--rate-window", "2s"]);
    let total = World::sandbox().run(&["clients", "list", "-o", "ids"]).stdout.lines().count();
    let run = list(&server.world());
    assert_eq!((run.code, run.stdout.lines().count()), (0, total), "{}", run.transcript());
    assert!(run.stderr.contains("-> 200") && !run.stderr.contains("-> 429"), "{}", run.stderr);
}

#[test]
fn the_sandbox_refuses_no_change() {
    let server = Server::start(&["--rate-limit", "60", "--rate-window", "1s"]);
    let world = server.world();
    let rows: String = (0..300).map(|number| format!("n{number}@example.com,N\n")).collect();
    let run = world.run_with(&["clients", "apply", "-", "--yes", "--json", "-v"], &format!("email,first_name\n{rows}"));
    assert_eq!(run.json()["created"].as_array().map(Vec::len), Some(300), "{}", run.transcript());
    assert!(run.stderr.contains("-> 201") && !run.stderr.contains("-> 429"), "{}", run.stderr);
}

/// Runs so many of these at once, in one world.
fn at_once(world: &World, processes: usize, args: &[&str]) -> Vec<Run> {
    let start = |_| world.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let running: Vec<Child> = (0..processes).map(start).collect();
    running.into_iter().map(|child| Run::of(child.wait_with_output().unwrap())).collect()
}

#[test]
fn four_processes_share_one_budget() {
    let rate = Rate { requests: 200, window: Duration::from_secs(2), announced: true, counting: Counting::Windows };
    let service = Listing::start(numbered(150), Quirks { rate: Some(rate), ..Quirks::default() });
    let runs = at_once(&service.world(), 4, &["clients", "list", "--per-page", "1", "-o", "ids"]);
    for run in runs {
        assert!(run.code == 0 && run.stdout.lines().eq(service.ids()), "{}", run.transcript());
    }
    let refused = service.asked().iter().filter(|asked| asked.status == 429).count();
    assert_eq!((service.asked().len(), refused), (600, 0));
}

#[test]
fn the_sandbox_refuses_none_of_four_processes() {
    let server = Server::start(&["--rate-limit", "50", "--rate-window", "2s"]);
    for run in at_once(&server.world(), 4, &["clients", "list", "--per-page", "1", "-o", "ids", "-v"]) {
        assert_eq!((run.code, run.stdout.lines().count()), (0, 60), "{}", run.transcript());
        assert!(run.stderr.contains("-> 200") && !run.stderr.contains("-> 429"), "{}", run.stderr);
    }
}

#[test]
fn a_process_that_is_killed_blocks_nobody() {
    let server = Server::start(&["--rate-limit", "40", "--rate-window", "1s", "--latency", "300ms"]);
    let world = server.world();
    for _ in 0..3 {
        let mut child = world.command(&["clients", "list", "--per-page", "1"]).stdout(Stdio::null()).spawn().unwrap();
        let ledger = world.path(".local/state/sitectl/rate.json");
        let is_asking = || std::fs::read_to_string(&ledger).is_ok_and(|text| text.contains("\"number\""));
        let mut looks = 0;
        while !is_asking() && looks < 2000 {
            std::thread::sleep(Duration::from_millis(5));
            looks += 1;
        }
        assert!(is_asking(), "it never asks");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let run = list(&world);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 60), "{}", run.transcript());
}

#[test]
fn what_a_crash_left_of_the_shared_file_counts_for_nothing() {
    let server = Server::start(&[]);
    let world = server.world();
    let show = ["clients", "show", "client-0001", "-o", "ids"];
    assert_eq!(world.run(&show).code, 0);
    let ledger = world.path(".local/state/sitectl/rate.json");
    let whole = std::fs::read(&ledger).unwrap();
    for damaged in [&b""[..], &whole[..whole.len() / 2], b"\0\0\0\0", b"[1]", b"{\"x\":{\"at\":1,\"value\":1}}"] {
        std::fs::write(&ledger, damaged).unwrap();
        assert_eq!(world.run(&show).transcript(), "[stdout]\nclient-0001\nexit 0\n");
        assert!(serde_json::from_slice::<serde_json::Value>(&std::fs::read(&ledger).unwrap()).is_ok());
    }
    std::fs::remove_file(&ledger).unwrap();
    std::fs::create_dir(&ledger).unwrap();
    assert_eq!(world.run(&show).transcript(), "[stdout]\nclient-0001\nexit 0\n", "nothing depends on it");
}

#[test]
fn what_one_answer_tells_all_know_also_after_one_that_told_nothing() {
    let client = |more: &str| {
        let body = r#"{"client":{"id":"client-0001"}}"#;
        let length = body.len();
        Reply::Raw(format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n{more}\r\n{body}"))
    };
    let told = "x-ratelimit-limit: 5\r\nx-ratelimit-remaining: 0\r\nx-ratelimit-reset: 2\r\n";
    let show = "GET /api/v6/clients/client-0001";
    for first in [Reply::Json(502, "a proxy".into()), client("")] {
        let service = Scripted::new(vec![(show, first), (show, client(told)), (show, client(""))]);
        let world = service.world();
        let run = || world.run(&["clients", "show", "client-0001", "-o", "ids", "-v", "--retries", "0"]);
        let (_, second, third) = (run(), run(), run());
        assert!(second.code == 0 && !second.stderr.contains("used up"), "{}", second.transcript());
        assert!(third.code == 0 && third.stderr.contains("the rate limit is used up"), "{}", third.transcript());
        assert_eq!(service.requests().len(), 3);
    }
}

#[test]
fn a_long_job_leaves_some_to_a_person() {
    let server = Server::start(&["--rate-limit", "120"]);
    let world = server.world();
    let job = ["clients", "list", "--per-page", "1", "-v"];
    // The first two use up the window but for a few, which the third is not given.
    let mut jobs: Vec<Child> =
        (0..3).map(|_| world.command(&job).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()).collect();
    let mut waits = BufReader::new(jobs[2].stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(waits.any(|line| line.contains("the rate limit is used up")), "it is never used up");
    let person = world.run(&["clients", "show", "client-0001", "-o", "ids", "-v"]);
    assert_eq!((person.code, &*person.stdout), (0, "client-0001\n"));
    assert!(!person.stderr.contains("used up"), "{}", person.stderr);
    jobs.iter_mut().for_each(|job| job.kill().and_then(|()| job.wait()).map(drop).unwrap());
}

/// A service that counts like this refuses none.
fn refuses_none(counting: Counting) {
    let rate = Rate { requests: 10, window: Duration::from_secs(2), announced: true, counting };
    let quirks = Quirks { rate: Some(rate), latency: Duration::from_millis(20), ..Quirks::default() };
    let service = Listing::start(numbered(30), quirks);
    let run = list(&service.world());
    assert!(run.code == 0 && run.stdout.lines().eq(service.ids()), "{}", run.transcript());
    assert!(service.asked().iter().all(|asked| asked.status == 200), "{:#?}", service.asked());
}

#[test]
fn windows_are_kept_to() {
    refuses_none(Counting::Windows);
}

#[test]
fn seconds_may_be_rounded_down() {
    refuses_none(Counting::RoundedDown);
}

#[test]
fn a_window_may_slide() {
    refuses_none(Counting::Sliding);
}
