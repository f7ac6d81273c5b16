//! `sitectl restore watch`.

mod outcome;
mod polling;
mod target;
mod watched_task;

pub use outcome::{print_unwatched, report_outcomes};
pub use polling::{PollingArgs, watch_restores};
pub use target::WatchTarget;

use crate::client::Task;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Result};
use crate::output;
use crate::resources::WATCHED;

const EXAMPLES: &str = "\
Examples:
  sitectl restore watch
  TASK=$(sitectl restore start site-0003 latest --full --yes -o ids)
  sitectl restore watch $TASK
  sitectl restore start site-0004 latest --files --yes
  sitectl restore watch site-0004 --timeout 30m --json

The exit code is 0 if all restores succeeded. Otherwise, it is 10 if one failed, 11 if --timeout \
ended the wait, or 12 if an outcome is unknown, in this order.";

/// Watch restores.
///
/// For a site, sitectl watches its newest restore in the journal. If that restore has ended,
/// sitectl reports its outcome again. Without an argument, sitectl skips restores with an unknown
/// outcome that were sent at least 24 hours ago.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Tasks, or sites by id, URL or host name [default: unfinished restores of this account]
    #[arg(value_name = "TASK_ID|SITE")]
    tasks: Vec<NameOf<Task>>,
    #[command(flatten)]
    polling: PollingArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    context.output_options().check_fields(&WATCHED, &[])?;
    let journal = context.journal()?;
    journal.read()?;
    let api = context.api().await?;
    let mut not_sent = Vec::new();
    let targets = if args.tasks.is_empty() {
        target::unfinished_restores(context, &journal.runs())
    } else {
        target::find_restores(context, &api, &args.tasks, &journal, &mut not_sent).await?
    };
    let not_sent = Error::combine(not_sent).map_or(Ok(()), Err);
    if targets.is_empty() {
        not_sent?;
        let service = match context.base_url_for_display()?.as_str() {
            "sandbox" => "the sandbox".to_string(),
            base_url => base_url.to_string(),
        };
        context.ui.note(&format!(
            "no unfinished restores of {service} found in the journal"
        ));
        return output::print_result(&Vec::<()>::new(), &[], context.output_options());
    }
    let watched = watch_restores(context, &api, &journal, &args.polling, targets).await?;
    if let Err(error) = journal.write_rest().await {
        context.ui.warn(&error.message);
    }
    report_outcomes(context, &args.polling, &watched)?;
    not_sent
}
