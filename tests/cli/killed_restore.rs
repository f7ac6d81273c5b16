//! `sitectl restore start` killed at any time: each restore is recorded or unknown, and never
//! started twice.

use crate::common::{PATIENCE, Server, World, kill};
use crate::service::{Reply, Service, site_reply};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The number of sites of the sandbox.
pub const ROWS: usize = 40;
const KILLS: usize = 12;

/// The arguments of a restore that counts as running for two seconds.
const START: [&str; 8] = [
    "restore",
    "start",
    "s1",
    "p1",
    "--full",
    "--yes",
    "--request-timeout",
    "2s",
];

/// Returns a service that replies in this way to the request of a restore, and a receiver of these
/// requests.
fn service(reply: Reply) -> (Service, Receiver<()>) {
    let (sender, receiver) = channel();
    let service = Service::start(move |request| {
        if request.line.starts_with("POST") {
            let _ = sender.send(());
            return reply.clone();
        }
        site_reply(&[("s1", "p1")], &request.line).unwrap_or(Reply::status(404))
    });
    (service, receiver)
}

fn wait_for_request(receiver: &Receiver<()>) {
    let request = receiver.recv_timeout(PATIENCE);
    request.expect("the restore was requested");
}

/// Asserts that the outcome of the restore is unknown as soon as no response is due any more.
fn assert_unknown(world: &World) {
    std::thread::sleep(Duration::from_secs(2));
    let run = world.run(&[&START[..], &["--json"]].concat());
    assert_eq!(
        (run.code, run.error()["kind"].as_str()),
        (6, Some("conflict")),
        "{}",
        run.transcript()
    );
    let hint = run.error()["hints"][0].as_str().unwrap().to_string();
    assert!(hint.ends_with("explain unknown_outcome"), "{hint}");
    let run = world.run("restore watch --json");
    assert_eq!(
        (run.code, &run.json()[0]["outcome"]),
        (12, &json!("unknown"))
    );
    let run = world.run("restore history --json");
    let seen = &run.json()[0];
    assert_eq!(
        (&seen["site_id"], &seen["outcome"], &seen["task_id"]),
        (&"s1".into(), &"unknown".into(), &Value::Null)
    );
}

#[test]
fn killed_before_the_response_the_outcome_is_unknown() {
    let (service, requests) = service(Reply::Silence);
    let world = service.world();
    let child = world.start(&START);
    wait_for_request(&requests);
    kill(child);
    assert_unknown(&world);
}

#[test]
fn killed_before_the_response_is_recorded_the_outcome_is_unknown() {
    let task = Reply::Json(201, r#"{"task":{"id":"t1"}}"#.into());
    let (service, requests) = service(Reply::Late(Duration::from_millis(300), Box::new(task)));
    let world = service.world();
    let child = world.start(&START);
    wait_for_request(&requests);
    // The response arrives, and cannot be recorded.
    let journal = File::open(world.path(".local/state/sitectl/restores.ndjson")).unwrap();
    journal.lock().unwrap();
    std::thread::sleep(Duration::from_millis(600));
    kill(child);
    journal.unlock().unwrap();
    assert_unknown(&world);
}

/// Returns the number of tasks of each site.
pub fn tasks(world: &World) -> HashMap<String, u32> {
    let database = rusqlite::Connection::open(world.path("sandbox.db")).unwrap();
    let mut counts = database
        .prepare("SELECT site_id, count(*) FROM tasks GROUP BY site_id")
        .unwrap();
    counts
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn a_plan_that_is_killed_starts_no_restore_twice() {
    // A restore that ends at once does not conflict: only sitectl prevents a second start.
    let options = [
        "--fault",
        "drop-after:0.05",
        "--rate-limit",
        "1000000",
        "--latency",
        "10ms",
        "--restore-time",
        "1ms",
    ];
    let (_server, world) = Server::on_file(&options);
    let row = |number: usize| {
        format!("site-{number:04},snap-{number:04}-1,\"{{\"\"include_files\"\":true}}\"\n")
    };
    let rows: String = (1..=ROWS).map(row).collect();
    std::fs::write(
        world.path("plan.csv"),
        format!("site_id,snapshot_id,scope\n{rows}"),
    )
    .unwrap();
    let start = [
        "restore",
        "start",
        "--plan",
        "plan.csv",
        "--idempotency-key",
        "pipeline-7",
        "--yes",
        "--retries",
        "9",
        "--request-timeout",
        "5s",
        "--json",
    ];
    let (mut killed, mut ended) = (0, 0);
    let sent = || world.journal().matches(r#"{"sent":"#).count();
    // The first command that ends has nothing left to send.
    while killed < KILLS && ended == 0 {
        let random = usize::try_from(RandomState::new().hash_one(0) % 5).unwrap();
        let limit = sent() + 1 + random;
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut child = world.start(&start);
        while child.try_wait().unwrap().is_none() && sent() < limit {
            assert!(Instant::now() < deadline, "it sends nothing");
            std::thread::sleep(Duration::from_millis(1));
        }
        match child.try_wait().unwrap() {
            Some(_) => ended += 1,
            None => killed += 1,
        }
        kill(child);
    }
    assert!(killed > 0, "it was too fast to be killed");
    // No response is due any more.
    std::thread::sleep(Duration::from_secs(5));
    let last = world.run(&start);
    let tasks = tasks(&world);
    let twice: Vec<_> = tasks.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    for row in last.json().as_array().unwrap() {
        let started = tasks.contains_key(row["site_id"].as_str().unwrap());
        match row["outcome"].as_str().unwrap() {
            "running" | "succeeded" => assert!(started && row["task_id"].is_string(), "{row}"),
            // It may have been sent when the process was killed, or its response was lost.
            "unknown" => {}
            "failed" => assert_eq!(row["site_id"], "site-0013"),
            _ => panic!("{row}"),
        }
    }
}
