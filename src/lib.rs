//! sitectl: the operator command line of a site-management service.
//!
//! A command (`commands`) is parsed by `cli`, resolved into a `context`, talks to the service through `api`, and
//! prints through `output`; `input` reads files of rows. `list` is the one engine of all lists, driven by the
//! declarations in `resource`. `sandbox` is the service itself in small: it shares nothing with the rest.
//! ARCHITECTURE.md walks one command end to end.

mod api;
pub mod cli;
mod commands;
mod completion;
mod config;
mod consent;
mod context;
mod digest;
mod duration;
mod error;
mod exit;
mod given;
mod id_cache;
mod input;
mod journal;
mod list;
mod modes;
mod number;
mod output;
mod private;
mod query;
pub mod reference;
mod resource;
pub mod sandbox;
mod token_command;
mod ui;
