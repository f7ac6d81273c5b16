//! `sitectl sandbox`: the doors of the embedded sandbox.

mod reset;
mod serve;

use crate::context::Context;
use crate::error::Result;

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Serve the sandbox over HTTP until interrupted
    Serve(serve::Args),
    /// Put the sandbox's first data back
    Reset(reset::Args),
}

impl Command {
    pub(super) fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Serve(args) => serve::run(context, args),
            Self::Reset(args) => reset::run(context, args),
        }
    }
}
