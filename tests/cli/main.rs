//! Tests of the built binary against the sandbox over HTTP, and against a scripted service for responses that a correct
//! service never sends. A test compares a complete transcript: stdout, stderr and exit code.
//!
//! Transcripts contain the directories and error messages of Linux. `tests/everywhere.rs` has the tests for every
//! system.

#![cfg(target_os = "linux")]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "../generated/after_help.rs"]
mod after_help;
mod api;
mod apply;
mod auth;
mod auth_terminal;
mod base_url;
mod budget;
mod choosing;
mod clients;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod completeness;
mod completion;
mod completion_shells;
mod concurrent;
mod confirmed;
mod corpus;
mod documents;
mod errors;
mod examples;
#[path = "../generated/exit_codes.rs"]
mod exit_codes;
mod explain;
mod failures;
#[path = "../generated/fresh.rs"]
mod fresh;
mod globals;
mod history;
mod hostile;
mod hosts;
mod idempotency;
mod leaks;
mod listing;
mod lists;
mod machine;
mod matrix;
mod outcomes;
mod output;
mod passwords;
mod picture;
mod plan;
mod profiles;
mod protected;
mod proxy;
mod rate;
mod read_only;
mod readme;
mod redirects;
mod refusals;
mod requests;
mod restore;
mod resume;
mod sandbox;
mod screen;
mod service;
mod session;
mod signals;
mod site_check;
mod streams;
mod tables;
mod tasks;
mod terminal;
mod terminal_bars;
mod terminal_choose;
mod terminal_hostile;
mod terminal_plan;
mod terminal_restore;
mod tls;
mod tls_service;
mod tools;
mod trace;
mod undo;
mod usage;
mod watch;
