//! Tests the sandbox over HTTP against the API specification.
//!
//! The expected values are repeated here on purpose, and never taken from the sandbox's
//! declarations.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

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
