//! sitectl: the operator command line of a site-management service.
//!
//! A command (`commands`) is parsed by `cli`, resolved into a `context`, talks to the service through `api`, and
//! prints through `output`; `input` reads files of rows. `list` is the one engine of all lists, driven by the
//! declarations in `resource`. `sandbox` is the service itself in small: it shares nothing with the rest.
//! ARCHITECTURE.md walks one command end to end.

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
pub mod reference;
mod resources;
pub mod sandbox;
mod signal;
mod terminal;
