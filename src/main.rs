//! The `sitectl` program: parse, run, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    sitectl::cli::run()
}
