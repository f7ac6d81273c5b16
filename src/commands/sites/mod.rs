//! `sitectl sites`.

mod list;

use crate::context::Context;
use crate::error::Result;

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
