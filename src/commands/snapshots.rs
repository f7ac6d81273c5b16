//! `sitectl snapshots`.

use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs};
use crate::error::Result;
use crate::resources::{Files, Snapshots, Tables};

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots list site-0001 --fields id,created_at,status -o csv
  sitectl snapshots files site-0001 snap-0001-3
  sitectl snapshots tables site-0001 snap-0001-3";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(ListArgs<Snapshots>),
    Files(ListArgs<Files>),
    Tables(ListArgs<Tables>),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, args).await,
            Self::Files(args) => list::run(context, args).await,
            Self::Tables(args) => list::run(context, args).await,
        }
    }
}
