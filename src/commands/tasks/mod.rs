//! `sitectl tasks`.

mod show;

use crate::commands::context::Context;
use crate::error::Result;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0002 latest --full --yes -o ids)
  sitectl tasks show $TASK";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Show(show::Args),
}

impl Command {
    pub(super) async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Show(args) => show::run(context, args).await,
        }
    }
}
