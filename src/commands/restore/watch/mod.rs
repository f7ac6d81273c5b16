//! `sitectl restore watch`.

mod outcome;
mod polling;
mod sent_restore;
mod watched_task;

pub use outcome::report_outcomes;
pub use polling::{PollingArgs, watch_restores};
pub use sent_restore::SentRestore;
pub use watched_task::{WatchOutcome, WatchedTask, format_elapsed};

use crate::client::Task;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::Result;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  sitectl restore watch
  TASK=$(sitectl restore start site-0003 latest --full --yes -o ids)
  sitectl restore watch $TASK
  sitectl restore start site-0004 latest --files --yes
  sitectl restore watch site-0004 --timeout 30m --json

The exit code is 0 if all restores succeeded, 10 if one failed, 11 after --timeout and 12 if an \
outcome is unknown.";

/// Watch running restores
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Tasks, or sites by id, URL or host name [default: all unfinished restores of this profile]
    #[arg(value_name = "TASK_ID|SITE")]
    tasks: Vec<NameOf<Task>>,
    #[command(flatten)]
    polling: PollingArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let entries = context
        .journal()?
        .entries_of_service(&context.service_key()?)?;
    let api = context.api().await?;
    let restores = if args.tasks.is_empty() {
        sent_restore::unfinished_of_profile(context, &entries)
    } else {
        sent_restore::find_restores(context, &api, &args.tasks, &entries).await?
    };
    if restores.is_empty() {
        context
            .ui
            .note("no unfinished restores found in the journal");
        return output::print_result(&Vec::<()>::new(), &[], context.output_options());
    }
    let tasks = watch_restores(context, &api, &args.polling, restores).await?;
    report_outcomes(context, &args.polling, &tasks)
}
