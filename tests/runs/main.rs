//! Model test of runs: random sequences of restore commands with faults between the program and the
//! sandbox. After each command, the journal must match what the sandbox did. In some cases, commands
//! with two home directories, and so two journals, restore the same sites at once.
//!
//! `SITECTL_RUNS_SEED=N` repeats one sequence.

#![cfg(target_os = "linux")]
#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/faults.rs"]
mod faults;
mod gateway;
mod model;
mod player;
mod sequence;
#[allow(dead_code, reason = "this test uses a part of it")]
#[path = "../cli/service.rs"]
mod service;

use cases::Cases;
use gateway::Gateway;
use player::Player;
use sequence::Sequences;

#[test]
fn the_journal_matches_what_the_sandbox_did() {
    let cases = Cases::<Sequences, Gateway> {
        seed_variable: "SITECTL_RUNS_SEED",
        count: 16,
        start_gateway: Gateway::start,
        play,
    };
    cases.play();
}

/// Plays the sequences of both homes at once, and then settles one home after the other.
fn play(gateway: &Gateway, sequences: &Sequences) {
    gateway.reset();
    let is_alone = sequences.0.len() == 1;
    let played: Vec<Player<'_>> = std::thread::scope(|scope| {
        let homes = sequences.0.iter().enumerate();
        let homes: Vec<_> = homes
            .map(|(home, steps)| {
                scope.spawn(move || Player::new(gateway, home, is_alone).play(steps))
            })
            .collect();
        let homes = homes.into_iter();
        homes.map(|home| home.join().unwrap()).collect()
    });
    for mut player in played {
        player.settle();
    }
}
