//! `sitectl profiles`: manages the profiles of the config file.

mod list;
mod remove;
mod r#use;

use crate::commands::context::Context;
use crate::error::Result;

pub const EXAMPLES: &str = "\
Examples:
  sitectl profiles list
  sitectl profiles use live

sitectl auth login creates a profile.";

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(list::Args),
    #[command(alias = "switch")]
    Use(r#use::Args),
    #[command(visible_alias = "rm")]
    Remove(remove::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(_) => list::run(context),
            Self::Use(args) => r#use::run(context, args),
            Self::Remove(args) => remove::run(context, args).await,
        }
    }
}
