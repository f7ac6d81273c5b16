//! `sitectl sandbox`: the doors of the embedded sandbox.

mod reset;
mod serve;

use crate::commands::context::Context;
use crate::error::Result;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  sitectl --sandbox clients list
  sitectl sandbox reset

A restore of site-0013 always fails there, for practice; all others succeed.";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Serve(serve::Args),
    Reset(reset::Args),
}

impl Command {
    pub(super) async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Serve(args) => serve::run(context, args).await,
            Self::Reset(args) => reset::run(context, args),
        }
    }
}
