//! `sitectl tasks`.

mod show;

use crate::context::Context;
use crate::error::Result;

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
