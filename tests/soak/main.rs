//! Soak test: several processes change one faulty sandbox at once, are killed, and run again. Afterwards, the sandbox's
//! database must hold exactly what the commands reported.
//!
//! `SITECTL_SOAK=10m cargo test --test soak -- --nocapture` runs for ten minutes. `SITECTL_SOAK_SEED` repeats a sequence of
//! commands; how the processes interleave differs between runs.

#![cfg(target_os = "linux")]
#![expect(clippy::panic, clippy::print_stderr, clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../common/mod.rs"]
mod common;
mod model;
mod worker;

use common::Server;
use model::Restores;
use rusqlite::Connection;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use worker::{Program, Worker};

const WORKERS: u64 = 6;
const FAULTS: [&str; 8] =
    ["500:0.02", "503:0.01", "429:0.01", "drop:0.04", "truncate:0.02", "html:0.01", "slow:0.002", "502:0.01"];

/// Starts the sandbox on this port, with faults if there is a seed for them.
fn serve(database: &Path, port: &str, fault_seed: Option<u64>) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
    command.args(["sandbox", "serve", "--restore-time", "300ms", "--rate-limit", "500", "--rate-window", "1s", "--db"]);
    command.arg(database).args(["--listen", &format!("127.0.0.1:{port}")]);
    if let Some(seed) = fault_seed {
        command.args(FAULTS.iter().flat_map(|fault| ["--fault", fault]));
        command.args(["--fault-seed", &seed.to_string()]);
    }
    Server::of(command)
}

/// Reads a duration such as `10m`.
fn duration(text: &str) -> Duration {
    let (number, unit) = text.split_at(text.len() - 1);
    let seconds = ["s", "m", "h"].iter().position(|known| *known == unit).map(|place| 60_u64.pow(place as u32));
    Duration::from_secs(number.parse::<u64>().unwrap() * seconds.expect("SITECTL_SOAK is a number with s, m or h"))
}

fn seed() -> u64 {
    let given = std::env::var("SITECTL_SOAK_SEED").ok();
    given.map_or_else(|| RandomState::new().hash_one(0) % 1_000_000, |seed| seed.parse().unwrap())
}

#[test]
fn what_was_reported_is_in_the_database() {
    let length = std::env::var("SITECTL_SOAK").map_or(Duration::from_secs(4), |text| duration(&text));
    let seed = seed();
    eprintln!("soak: SITECTL_SOAK_SEED={seed}");
    let home = tempfile::tempdir().unwrap();
    let database = home.path().join("sandbox.db");
    let mut server = serve(&database, "0", Some(seed));
    let first = model::notes(&Connection::open(&database).unwrap());
    let port = server.base_url.split([':', '/']).nth(4).unwrap().to_string();
    let program = Program { home: home.path().to_owned(), base_url: server.base_url.clone() };
    let end = Instant::now() + length;
    let work = |number| {
        let program = program.clone();
        thread::spawn(move || Worker::new(program, seed, number).run_until(end))
    };
    let workers: Vec<_> = (0..WORKERS).map(work).collect();
    // The service crashes too: what it has acknowledged stays.
    for crash in 1.. {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        thread::sleep(left.min((length / 4).min(Duration::from_secs(20))));
        drop(server);
        server = serve(&database, &port, Some(seed + crash));
    }
    let done: Vec<_> = workers.into_iter().map(|worker| worker.join().expect("a worker failed, see above")).collect();
    drop(server);
    let server = serve(&database, &port, None);
    let watched = program.run(&["restore", "watch", "--json", "--retries", "9"], "", None);
    assert!([0, 10, 12].contains(&watched.code.unwrap()), "{watched:?}");
    let history = program.run(&["restore", "history", "--json"], "", None);
    drop(server);
    let database = Connection::open(database).unwrap();
    let acknowledged = done.iter().flat_map(|worker| worker.tasks.clone()).collect();
    let restores = Restores { acknowledged, journal: serde_json::from_str(&history.stdout).unwrap() };
    let tasks = restores.compare(&database);
    let clients: usize = done.iter().map(|worker| worker.clients.compare(&database)).sum();
    model::compare_others(&database, &first, done.iter().map(|worker| &worker.clients));
    let total = |count: fn(&Worker) -> usize| done.iter().map(count).sum::<usize>();
    let (commands, killed) = (total(|worker| worker.commands), total(|worker| worker.killed));
    eprintln!("soak: {commands} commands ({killed} killed), {clients} clients compared, {tasks} restores compared");
}
