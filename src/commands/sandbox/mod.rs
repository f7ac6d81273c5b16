//! `sitectl sandbox`: the embedded mock service.

mod reset;
mod serve;

use crate::commands::context::Context;
use crate::error::Result;

pub const EXAMPLES: &str = "\
Examples:
  sitectl --sandbox clients list
  sitectl sandbox reset

In the sandbox, restores of site-0013 always fail.";

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Serve(serve::Args),
    Reset(reset::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Serve(args) => serve::run(context, args).await,
            Self::Reset(args) => reset::run(context, args),
        }
    }
}
