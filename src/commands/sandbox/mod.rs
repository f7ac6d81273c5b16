//! `sitectl sandbox serve | reset`.

mod reset;
mod serve;

/// The verbs.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Serve the sandbox over HTTP until interrupted
    Serve(serve::Args),
    /// Put the sandbox's first data back
    Reset(reset::Args),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::run(args),
        Command::Reset(args) => reset::run(args),
    }
}
