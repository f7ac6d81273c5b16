//! `sitectl sites`.

mod check;
mod show;

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs};
use crate::error::Result;
use crate::resources::Sites;

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl sites list
  sitectl sites check
  sitectl sites show site-0005.example.com";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Check(check::Args),
    #[command(visible_alias = "ls")]
    List(Box<ListArgs<Sites>>),
    Show(show::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Check(args) => check::run(context, args).await,
            Self::List(args) => list::run(context, args).await,
            Self::Show(args) => show::run(context, args).await,
        }
    }
}
