//! Soak test: several processes change one faulty sandbox at once, are killed, and run again. Afterwards, the sandbox's
//! database must match the reported results.
//!
//! `SITECTL_SOAK_SEED` repeats a sequence of commands; how the processes interleave differs between runs.

#![cfg(target_os = "linux")]
#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod model;
mod worker;

use common::{Server, World, soak_time};
use rusqlite::Connection;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use worker::Worker;

const WORKERS: u64 = 6;
const OPTIONS: [&str; 6] = [
    "--restore-time",
    "300ms",
    "--rate-limit",
    "500",
    "--rate-window",
    "1s",
];
const FAULTS: [&str; 8] = [
    "500:0.02",
    "503:0.01",
    "429:0.01",
    "drop:0.04",
    "truncate:0.02",
    "html:0.01",
    "slow:0.002",
    "502:0.01",
];

/// Starts the sandbox in this world again, with faults if there is a seed for them.
fn restart(world: &World, server: Server, fault_seed: Option<u64>) -> Server {
    let port = server
        .base_url
        .split([':', '/'])
        .nth(4)
        .unwrap()
        .to_string();
    drop(server);
    let listen = format!("127.0.0.1:{port}");
    let options = [
        &[
            "sandbox",
            "serve",
            "--db",
            "sandbox.db",
            "--listen",
            &listen,
        ],
        &OPTIONS[..],
    ]
    .concat();
    let mut command = world.command(&options);
    if let Some(seed) = fault_seed {
        command
            .args(FAULTS.iter().flat_map(|fault| ["--fault", fault]))
            .args(["--fault-seed", &seed.to_string()]);
    }
    Server::of(command)
}

#[test]
fn the_database_has_what_the_commands_reported() {
    let length = soak_time().unwrap_or(Duration::from_secs(4));
    let seed: Option<u64> = std::env::var("SITECTL_SOAK_SEED")
        .ok()
        .map(|text| text.parse().unwrap());
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(0) % 1_000_000);
    eprintln!("soak: SITECTL_SOAK_SEED={seed}");
    let (mut server, world) = Server::on_file(&OPTIONS);
    let world = Arc::new(world);
    let first = model::notes(&Connection::open(world.path("sandbox.db")).unwrap());
    let end = Instant::now() + length;
    let work = |number| {
        let world = Arc::clone(&world);
        thread::spawn(move || Worker::new(world, seed, number).run_until(end))
    };
    let workers: Vec<_> = (0..WORKERS).map(work).collect();
    // The service crashes too: what it has acknowledged stays.
    for crash in 0.. {
        server = restart(&world, server, Some(seed + crash));
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        thread::sleep(left.min((length / 4).min(Duration::from_secs(20))));
    }
    let done: Vec<_> = workers
        .into_iter()
        .map(|worker| worker.join().expect("a worker failed, see above"))
        .collect();
    let server = restart(&world, server, None);
    let watched = world.run("restore watch --json");
    assert!(
        [0, 10, 12].contains(&watched.code),
        "{}",
        watched.transcript()
    );
    model::check_runs(&world.journal());
    let history = world.run("restore history --json");
    drop(server);
    let database = Connection::open(world.path("sandbox.db")).unwrap();
    let acknowledged: Vec<_> = done.iter().flat_map(|worker| &worker.tasks).collect();
    let tasks =
        model::compare_restores(&database, &acknowledged, history.json().as_array().unwrap());
    let clients: usize = done
        .iter()
        .map(|worker| worker.clients.compare(&database))
        .sum();
    model::compare_others(&database, &first, done.iter().map(|worker| &worker.clients));
    let total = |count: fn(&Worker) -> usize| done.iter().map(count).sum::<usize>();
    let (commands, stopped) = (
        total(|worker| worker.commands),
        total(|worker| worker.stopped),
    );
    eprintln!(
        "soak: {commands} commands ({stopped} killed or interrupted), {clients} clients compared, {tasks} restores compared"
    );
}
