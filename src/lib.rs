//! sitectl: the operator command line of a site-management service.
//!
//! ARCHITECTURE.md lists the modules and follows two commands end to end.

pub mod cli;
mod client;
mod commands;
mod completion;
mod config;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz_tests;
mod input;
mod journal;
mod output;
mod passwords;
mod resources;
#[cfg(feature = "sandbox")]
pub mod sandbox;
mod shell;
mod signal;
mod terminal;

pub use client::{MAX_RATE_LIMIT_RETRIES, RETRIED_STATUSES};
pub use config::TaskStates;
pub use error::{EXIT_CODES, ExitCode};
