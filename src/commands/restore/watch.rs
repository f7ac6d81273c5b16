//! `sitectl restore watch`.

use super::follow::{self, FollowArgs, Target};
use crate::context::Context;
use crate::error::Result;
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
    let service = context.service_name()?;
    let entries = journal.entries()?;
    let mine = entries
        .iter()
        .filter(|entry| entry.intent.base_url == service && entry.intent.profile == context.settings.profile);
    let known: Vec<Target> =
        mine.filter(|entry| entry.is_open() || !args.tasks.is_empty()).filter_map(Target::of).collect();
    let targets = if args.tasks.is_empty() { known } else { named(&args.tasks, &known) };
    if targets.is_empty() {
        context.ui.note("no unfinished restores in the journal");
        return output::result(&Vec::<()>::new(), &[], context.shape());
    }
    follow::follow(context, &context.api()?, &journal, &args.follow, targets).await
}

/// The tasks that were named, each once; those that the journal knows with what it knows.
fn named(tasks: &[String], known: &[Target]) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for task_id in tasks {
        if targets.iter().all(|target| target.task_id != *task_id) {
            let found = known.iter().rev().find(|target| target.task_id == *task_id).cloned();
            targets.push(found.unwrap_or_else(|| Target { task_id: task_id.clone(), site_id: None, restore: None }));
        }
    }
    targets
}
