//! The root parser and dispatch.

use clap::{Parser, Subcommand};
use std::io::Write;
use std::path::PathBuf;
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
    let state =
        std::env::var_os("SITECTL_STATE_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    match crate::commands::sandbox::run(&command, &state.join("sandbox/sandbox.db")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
