//! `sitectl snapshots`.

mod latest;
mod reading;

pub use reading::read_snapshots;

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs};
use crate::error::Result;
use crate::resources::Snapshots;

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots latest --older-than 2d";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Latest(latest::Args),
    #[command(visible_alias = "ls")]
    List(ListArgs<Snapshots>),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Latest(args) => latest::run(context, args).await,
            Self::List(args) => list::run(context, args).await,
        }
    }
}
