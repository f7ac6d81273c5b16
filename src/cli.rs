//! The root parser and dispatch.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "sitectl", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Practise on a local copy of the service
    #[command(subcommand)]
    Sandbox(crate::commands::sandbox::Command),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let Command::Sandbox(command) = Cli::parse().command;
    match crate::commands::sandbox::run(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
