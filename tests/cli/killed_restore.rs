//! `sitectl restore start` killed while a restore is sent: its outcome is unknown.

use crate::common::{PATIENCE, World, kill};
use crate::service::{Reply, Service, site_reply};
use serde_json::{Value, json};
use std::fs::File;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

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
