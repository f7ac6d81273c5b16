//! `sitectl snapshots`.

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs};
use crate::error::Result;
use crate::resources::Snapshots;

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots list site-0001 --fields id,created_at,status -o csv";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(ListArgs<Snapshots>),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, args).await,
        }
    }
}
