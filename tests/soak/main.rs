//! Soak test: several processes on two machines change one faulty sandbox at once, are killed, and run again. Afterwards,
//! the sandbox's database must match the reported results and the machines' journals.
//!
//! `SITECTL_SOAK_SEED` repeats the commands of a round; how the processes interleave differs between runs.

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
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};
use worker::Worker;

/// Each has a home directory, and so a journal, of its own.
const MACHINES: usize = 2;
const WORKERS: usize = 6;
/// Each round has a new sandbox and new machines, because reading a long journal is slow in a debug build.
const MAX_ROUND: Duration = Duration::from_secs(180);
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

/// Prepares the sandbox in this world, with faults if there is a seed for them. No other program uses its address while
/// it is down.
fn sandbox(world: &World, fault_seed: Option<u64>) -> Command {
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let mut command = world.command("sandbox serve --db sandbox.db --listen");
    command
        .arg(format!("127.{high}.{middle}.{low}:8640"))
        .args(OPTIONS);
    if let Some(seed) = fault_seed {
        command
            .args(FAULTS.iter().flat_map(|fault| ["--fault", fault]))
            .args(["--fault-seed", &seed.to_string()]);
    }
    command
}

fn restart(server: &mut Server, command: Command) {
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    *server = Server::of(command);
}

/// Plays a round, and returns the number of commands.
fn play(length: Duration, seed: u64) -> usize {
    eprintln!("soak: SITECTL_SOAK_SEED={seed}");
    let service = World::empty();
    let mut server = Server::of(sandbox(&service, Some(seed)));
    let open_database = || Connection::open(service.path("sandbox.db")).unwrap();
    let first = model::notes(&open_database());
    let machines = [(); MACHINES].map(|()| server.world());
    let newest_task = Mutex::default();
    let end = Instant::now() + length;
    let done: Vec<Worker<'_>> = thread::scope(|scope| {
        let work = |number| {
            let machine = &machines[number % MACHINES];
            let worker = Worker::new(machine, &newest_task, seed, number);
            scope.spawn(move || worker.run_until(end))
        };
        let workers: Vec<_> = (0..WORKERS).map(work).collect();
        // The service crashes too: what it has acknowledged stays.
        for crash in 1.. {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            thread::sleep(left.min((length / 4).min(Duration::from_secs(20))));
            restart(&mut server, sandbox(&service, Some(seed + crash)));
        }
        let workers = workers.into_iter();
        workers
            .map(|worker| worker.join().expect("a worker failed, see above"))
            .collect()
    });
    restart(&mut server, sandbox(&service, None));
    let mut tasks = model::tasks(&open_database());
    let task_count = tasks.len();
    let mut in_doubt = Vec::new();
    for (number, machine) in machines.iter().enumerate() {
        let watched = machine.run("restore watch --interval 100ms --json");
        let ends_well = [0, 10, 12].contains(&watched.code);
        assert!(ends_well, "{}", watched.transcript());
        let history = machine.run("restore history --json").json();
        let own = done.iter().skip(number).step_by(MACHINES);
        let acknowledged: Vec<_> = own.flat_map(|worker| &worker.tasks).collect();
        model::check_runs(&machine.journal(), &acknowledged);
        let unnamed = model::remove_tasks(&mut tasks, &acknowledged, history.as_array().unwrap());
        in_doubt.extend(unnamed);
    }
    drop(server);
    model::compare_unnamed(tasks, in_doubt);
    let database = open_database();
    let clients = || done.iter().map(|worker| &worker.clients);
    let client_count: usize = clients().map(|clients| clients.compare(&database)).sum();
    model::compare_others(&database, &first, clients());
    let commands = done.iter().map(|worker| worker.commands).sum();
    let stopped: usize = done.iter().map(|worker| worker.stopped).sum();
    eprintln!(
        "soak: {commands} commands ({stopped} killed or interrupted), {client_count} clients compared, {task_count} restores compared"
    );
    commands
}

#[test]
fn the_database_has_what_the_commands_reported() {
    let seed = std::env::var("SITECTL_SOAK_SEED").ok();
    let mut seed: u64 = seed.map_or_else(
        || RandomState::new().hash_one(0) % 1_000_000,
        |text| text.parse().unwrap(),
    );
    let mut left = soak_time().unwrap_or(Duration::from_secs(4));
    let mut commands = 0;
    while !left.is_zero() {
        let length = left.min(MAX_ROUND);
        commands += play(length, seed);
        left -= length;
        seed += 1;
    }
    eprintln!("soak: {commands} commands in all");
}
