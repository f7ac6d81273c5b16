//! `sitectl restore watch`.

mod follow;
mod followed;
mod outcome;
mod target;
mod urls;

pub(super) use follow::{FollowArgs, follow};
pub(super) use followed::{End, Followed, took};
pub(super) use outcome::conclude;
pub(super) use target::Target;
pub(super) use urls::site_urls;

use crate::commands::context::Context;
use crate::error::Result;
use crate::output;
use target::{named, open_ones};

const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0003 latest --full --yes -o ids)
  sitectl restore watch $TASK
  sitectl restore watch --timeout 30m --json

Exit codes: 0 all succeeded, 10 one failed, 11 the time was up, 12 the outcome is unknown.";

/// Watch running restores
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Ids of tasks [default: all unfinished restores]
    #[arg(value_name = "TASK_ID")]
    tasks: Vec<String>,
    #[command(flatten)]
    follow: FollowArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let journal = context.journal()?;
    let entries = match journal.entries() {
        // A named task can be watched without the journal.
        Err(error) if !args.tasks.is_empty() => {
            context.ui.warn(&error.message);
            Vec::new()
        }
        entries => entries?,
    };
    let service = context.service()?;
    let targets = match args.tasks.as_slice() {
        [] => open_ones(context, &service, &entries),
        tasks => named(tasks, &service, &entries),
    };
    if targets.is_empty() {
        context.ui.note("no unfinished restores of this service and profile in the journal");
        return output::result(&Vec::<()>::new(), &[], context.shape());
    }
    let followed = follow(context, &context.api()?, &journal, &args.follow, targets).await?;
    conclude(context, &args.follow, &followed)
}
