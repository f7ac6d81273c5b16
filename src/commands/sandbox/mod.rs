//! `sitectl sandbox serve | reset`: the doors of the embedded sandbox.

mod duration;
mod reset;
mod serve;

use std::path::Path;

/// The verbs.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Serve the sandbox over HTTP until interrupted
    Serve(serve::Args),
    /// Put the sandbox's first data back
    Reset(reset::Args),
}

/// Runs the verb; `default_db` is the sandbox's database in the state directory.
pub(crate) fn run(command: &Command, default_db: &Path) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::run(args, default_db),
        Command::Reset(args) => reset::run(args, default_db),
    }
}
