//! `sitectl restore watch`.

mod follow;
mod followed;
mod outcome;
mod target;

pub(super) use follow::{FollowArgs, follow};
pub(super) use followed::{End, Followed, took};
pub(super) use outcome::conclude;
pub(super) use target::Target;

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

The exit code is 0 if all restores succeeded, 10 if one failed, 11 after --timeout and 12 if an outcome is unknown.";

/// Watch running restores
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Tasks, or sites by id, URL or host name [default: all unfinished restores of this profile]
    #[arg(value_name = "TASK_ID|SITE")]
    tasks: Vec<NameOf<Task>>,
    #[command(flatten)]
    follow: FollowArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let entries = context.journal()?.entries_of(&context.service_key()?)?;
    let api = context.api().await?;
    let targets = match args.tasks.as_slice() {
        [] => target::open_ones(context, &entries),
        names => {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            target::named(context, &api, &names, &entries).await?
        }
    };
    if targets.is_empty() {
        context
            .ui
            .note("no unfinished restores found in the journal");
        return output::result(&Vec::<()>::new(), &[], context.output_options());
    }
    let followed = follow(context, &api, &args.follow, targets).await?;
    conclude(context, &args.follow, &followed)
}
