//! `sitectl profiles`: manages the profiles of the config file.

mod list;
mod remove;
mod r#use;

use crate::commands::context::Context;
use crate::commands::invocation::Invocation;
use crate::config::ConfigFile;
use crate::error::Result;

/// Examples in the help of the noun.
pub const EXAMPLES: &str = "\
Examples:
  sitectl profiles list
  sitectl profiles use live

sitectl auth login creates a profile.";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(list::Args),
    Use(r#use::Args),
    #[command(visible_alias = "rm")]
    Remove(remove::Args),
}

impl Command {
    pub(super) async fn run(&self, invocation: &Invocation, file: &ConfigFile, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(file, context, args),
            Self::Use(args) => r#use::run(invocation, file, args),
            Self::Remove(args) => remove::run(invocation, file, args).await,
        }
    }
}
