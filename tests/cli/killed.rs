//! `sitectl clients apply` killed at any instant, with a service that also loses responses: after another run, the account
//! has exactly the clients of the file.

use crate::common::{Server, World, kill, wait};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::process::Child;
use std::time::{Duration, Instant};

const ROWS: usize = 500;
/// The existing clients that stay; the other clients of the first data are deleted.
const KEPT: usize = 50;
const KILLS: usize = 20;

/// Fifty clients whose sites move to the next client and whose notes change, and 450 new clients.
fn wanted(clients: &[Value]) -> Vec<Value> {
    let mut rows: Vec<Value> = Vec::new();
    for (number, client) in clients[..KEPT].iter().enumerate() {
        let note = format!("kept, \"{number}\"");
        let sites = &clients[(number + 1) % KEPT]["site_ids"];
        rows.push(json!({"id": client["id"], "first_name": client["first_name"], "email": client["email"], "note": note, "site_ids": sites}));
    }
    for number in KEPT..ROWS {
        let email = format!("new{number}@example.com");
        rows.push(json!({"first_name": format!("New {number}"), "email": email, "note": "=1+1", "site_ids": []}));
    }
    rows
}

/// The clients of the account by email, with the fields of the rows.
fn by_email(clients: &[Value]) -> BTreeMap<String, Value> {
    let fields = ["first_name", "note", "site_ids"];
    let of = |client: &Value| {
        let mut fields: Value = fields
            .iter()
            .map(|field| ((*field).to_string(), client[field].clone()))
            .collect();
        fields["site_ids"]
            .as_array_mut()
            .unwrap()
            .sort_by_key(ToString::to_string);
        (client["email"].as_str().unwrap().to_lowercase(), fields)
    };
    clients.iter().map(of).collect()
}

fn all(world: &World) -> Vec<Value> {
    let run = world.run("clients list --json --sort created_at,asc --retries 9");
    run.json().as_array().unwrap().clone()
}

fn start(world: &World) -> Child {
    let args = "clients apply clients.json --prune --yes --retries 9 -q";
    world.start(args)
}

#[test]
fn apply_reaches_what_the_file_orders_after_any_kill() {
    let server = Server::start("--fault drop-after:0.1 --rate-limit 1000000 --latency 20ms");
    let world = server.world();
    let rows = wanted(&all(&world));
    std::fs::write(world.path("clients.json"), json!(rows).to_string()).unwrap();
    let mut killed = Vec::new();
    let mut ended = 0;
    while killed.len() < KILLS && ended < 3 {
        let instant = Duration::from_micros(RandomState::new().hash_one(0) % 500_000);
        let mut child = start(&world);
        let begun = Instant::now();
        while begun.elapsed() < instant && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        match child.try_wait().unwrap() {
            Some(_) => ended += 1,
            None => killed.push(instant),
        }
        kill(child);
    }
    assert!(
        killed.len() >= 3,
        "it was too fast to be killed: {killed:?}"
    );
    // A dropped response may require another run.
    let finished = (0..5).any(|_| wait(start(&world)).code == 0);
    assert!(finished, "it did not come to an end after {killed:?}");
    let clients = all(&world);
    assert_eq!(clients.len(), ROWS, "{killed:?}");
    assert_eq!(by_email(&clients), by_email(&rows), "{killed:?}");
}
