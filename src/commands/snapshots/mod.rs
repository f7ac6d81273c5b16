//! `sitectl snapshots`.

mod list;

use crate::commands::context::Context;
use crate::error::Result;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots list site-0001 --json";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    List(list::Args),
}

impl Command {
    pub(super) async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, args).await,
        }
    }
}
