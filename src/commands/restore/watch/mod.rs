//! `sitectl restore watch`.

mod follow;
mod followed;

pub(super) use follow::{FollowArgs, conclude, follow};
pub(super) use followed::{End, Followed, Target};

use crate::context::Context;
use crate::error::Result;
use crate::journal::{Entry, unfinished};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0003 latest --full --yes -o ids)
  sitectl restore watch $TASK
  sitectl restore watch --timeout 30m --json

Exit codes: 0 all succeeded, 10 one failed, 11 the time was up, 12 the outcome is unknown.";

/// Watch restores until they end; without ids, all that this machine has started and not yet seen end.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The ids of the tasks
    #[arg(value_name = "TASK_ID")]
    tasks: Vec<String>,
    #[command(flatten)]
    follow: FollowArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let journal = context.journal()?;
    let entries = match journal.entries() {
        // A task that is named can be watched without knowing how it began.
        Err(error) if !args.tasks.is_empty() => {
            context.ui.warn(&error.message);
            Vec::new()
        }
        entries => entries?,
    };
    let service = context.service_name()?;
    let targets = match args.tasks.as_slice() {
        [] => unfinished(&entries)
            .into_iter()
            .filter(|entry| entry.intent.base_url == service && entry.intent.profile == context.settings.profile)
            .map(Target::of)
            .collect(),
        tasks => named(tasks, entries.iter().filter(|entry| entry.intent.base_url == service).collect()),
    };
    if targets.is_empty() {
        context.ui.note("no unfinished restores in the journal");
        return output::result(&Vec::<()>::new(), &[], context.shape());
    }
    let followed = follow(context, &context.api()?, &journal, &args.follow, targets).await?;
    conclude(context, &args.follow, &followed)
}

/// The tasks that were named, each once; those that the journal knows with what it knows.
fn named(tasks: &[String], entries: Vec<&Entry>) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for task_id in tasks {
        let task_id = Some(task_id.clone());
        if targets.iter().all(|target| target.task_id != task_id) {
            let known = entries.iter().rev().find(|entry| entry.task_id == task_id).map(|entry| Target::of(entry));
            targets.push(known.unwrap_or(Target { task_id, site_id: None, restore: None }));
        }
    }
    targets
}
