//! `sitectl restore`.

mod args;
mod backup;
mod check;
mod choose;
mod conflict;
mod history;
mod plan_file;
mod polling;
mod preview;
mod report;
mod requested;
mod resume;
mod row;
mod session;
mod snapshots;
mod source;
mod start;
mod submit;
mod undo;
mod watch;

pub use session::record_task;
pub use watch::find_in_journal;

use crate::commands::context::Context;
use crate::error::Result;

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl restore start site-0001 latest --full
  sitectl restore watch
  sitectl restore resume 20261123-081500
  sitectl restore history --since 7d";

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(aliases = ["list", "ls"])]
    History(history::Args),
    Resume(resume::Args),
    Start(Box<args::Args>),
    Undo(undo::Args),
    #[command(alias = "wait")]
    Watch(watch::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::History(args) => history::run(context, args),
            Self::Resume(args) => resume::run(context, args).await,
            Self::Start(args) => start::run(context, args).await,
            Self::Undo(args) => undo::run(context, args).await,
            Self::Watch(args) => watch::run(context, args).await,
        }
    }
}
