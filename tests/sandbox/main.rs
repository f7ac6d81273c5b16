//! Tests of the sandbox from the outside: the real program, over real HTTP, against the interface specification.
//!
//! What is expected is written out here once more, on purpose: nothing is taken from the sandbox's own declarations.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod access;
mod client_rules;
mod client_verbs;
#[path = "../common/mod.rs"]
mod common;
mod faults;
mod lists;
mod processes;
mod rate_limit;
mod restores;
mod seed;
mod serve;
mod support;
