//! `sitectl clients`.

mod apply;
mod changes;
mod columns;
mod create;
mod delete;
mod difference;
mod fields;
mod list;
mod lookup;
mod show;
mod sites;
mod update;

use crate::commands::context::Context;
use crate::error::Result;

/// What the help of the noun shows.
pub const EXAMPLES: &str = "\
Examples:
  sitectl clients list --search smith
  sitectl clients show client-0001
  sitectl clients update client-0001 --add-site site-0036
  sitectl clients list -o csv | sitectl clients apply - --dry-run";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Apply(apply::Args),
    Create(create::Args),
    Delete(delete::Args),
    List(list::Args),
    Show(show::Args),
    Update(update::Args),
}

impl Command {
    pub(super) async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::Apply(args) => apply::run(context, args).await,
            Self::Create(args) => create::run(context, args).await,
            Self::Delete(args) => delete::run(context, args).await,
            Self::List(args) => list::run(context, args).await,
            Self::Show(args) => show::run(context, args).await,
            Self::Update(args) => update::run(context, args).await,
        }
    }
}
