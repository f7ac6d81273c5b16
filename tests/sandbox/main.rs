//! Tests of the sandbox from the outside: the real program, over real HTTP, against the interface specification.
//!
//! What is expected is written out here once more, on purpose: nothing is taken from the sandbox's own declarations.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod client_rules;
mod client_verbs;
mod durability;
mod embedded;
mod errors;
mod faults;
mod isolation;
mod list_filters;
mod list_pages;
mod processes;
mod rate_limit;
mod restores;
mod rivals;
mod seed;
mod serve;
mod support;
mod tasks;
