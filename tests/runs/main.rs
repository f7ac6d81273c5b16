//! Model test of runs: random sequences of restore commands with faults between the program and the
//! sandbox. After each command, the journal must match what the sandbox did.
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
use sequence::Step;

#[test]
fn the_journal_matches_what_the_sandbox_did() {
    let cases = Cases::<Vec<Step>, Gateway> {
        seed_variable: "SITECTL_RUNS_SEED",
        count: 16,
        start_gateway: Gateway::start,
        play: |gateway, steps| Player::new(gateway).play(steps),
    };
    cases.play();
}
