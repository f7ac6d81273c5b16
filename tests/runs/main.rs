//! Model test of runs: random sequences of restore commands with faults between the program and the
//! sandbox. After each command, the journal must match what the sandbox did.
//!
//! `SITECTL_RUNS=1000` sets the number of sequences. `SITECTL_RUNS_SEED=N` repeats one sequence.

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
mod gateway;
mod model;
mod player;
mod sequence;
#[allow(dead_code, reason = "this test uses a part of it")]
#[path = "../cli/service.rs"]
mod service;

use common as support;
use gateway::Gateway;
use player::Player;
use sequence::{Step, steps_of_seed};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// The number of sequences in every `cargo test`. Their seeds are always the same.
const SEQUENCES: u64 = 16;
/// Most of the time of a sequence is waiting.
const THREADS: usize = 8;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Whether a sequence runs without a contradiction. The panic message shows the contradiction.
fn holds(gateway: &Gateway, steps: &[Step]) -> bool {
    catch_unwind(AssertUnwindSafe(|| Player::new(gateway).play(steps))).is_ok()
}

/// Leaves out steps while the sequence still fails. How processes interleave differs between runs, so
/// that a shorter sequence may be missed.
fn shrink(gateway: &Gateway, mut steps: Vec<Step>) -> Vec<Step> {
    for index in (0..steps.len()).rev() {
        let mut shorter = steps.clone();
        shorter.remove(index);
        if !holds(gateway, &shorter) {
            steps = shorter;
        }
    }
    steps
}

/// Plays the sequences whose seeds it takes, and returns the seeds that failed.
fn play_all(next_seed: &AtomicU64, end: u64) -> Vec<u64> {
    let gateway = Gateway::start();
    let mut failed = Vec::new();
    loop {
        let seed = next_seed.fetch_add(1, Ordering::SeqCst);
        if seed >= end || failed.len() >= 3 {
            return failed;
        }
        let steps = steps_of_seed(seed);
        if holds(&gateway, &steps) {
            continue;
        }
        eprintln!("failed: SITECTL_RUNS_SEED={seed}");
        failed.push(seed);
        if failed.len() == 1 {
            let steps = shrink(&gateway, steps);
            eprintln!("the shortest failing steps of seed {seed}: {steps:#?}");
        }
    }
}

#[test]
fn the_journal_matches_what_the_sandbox_did() {
    let (first, end) = match setting("SITECTL_RUNS_SEED") {
        Some(seed) => (seed, seed + 1),
        None => (0, setting("SITECTL_RUNS").unwrap_or(SEQUENCES)),
    };
    let started = Instant::now();
    let next_seed = AtomicU64::new(first);
    let failed: Vec<u64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|_| scope.spawn(|| play_all(&next_seed, end)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    eprintln!("{} sequences in {:?}", end - first, started.elapsed());
    assert!(
        failed.is_empty(),
        "repeat with SITECTL_RUNS_SEED: {failed:?}"
    );
}
