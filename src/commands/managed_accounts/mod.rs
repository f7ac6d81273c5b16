//! `sitectl managed-accounts`.

mod list;
mod show;

use crate::commands::context::Context;
use crate::error::Result;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  sitectl managed-accounts list --status pending
  sitectl managed-accounts show account-0001";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    List(list::Args),
    Show(show::Args),
}

impl Command {
    pub(super) async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, args).await,
            Self::Show(args) => show::run(context, args).await,
        }
    }
}
