//! Model test of `clients apply`: random accounts and files, with faults between the program and the
//! sandbox, and a colleague who makes changes during the run. Every change, the report, and the
//! account after the next runs of the same file must be those that the file orders.
//!
//! `SITECTL_MOVES_SEED=N` repeats one case.

#![cfg(target_os = "linux")]
#![expect(
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod case;
#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/faults.rs"]
mod faults;
mod file;
mod gateway;
mod model;
mod player;
mod report;
#[allow(dead_code, reason = "this test uses a part of it")]
#[path = "../cli/service.rs"]
mod service;

use case::ApplyCase;
use cases::Cases;
use gateway::Gateway;

#[test]
fn apply_changes_what_the_file_orders_and_loses_no_site() {
    let cases = Cases::<ApplyCase, Gateway> {
        seed_variable: "SITECTL_MOVES_SEED",
        count: 32,
        start_gateway: Gateway::start,
        play: player::play,
    };
    cases.play();
}
