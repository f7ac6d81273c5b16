//! `sitectl tasks show`.

use crate::commands::context::Context;
use crate::error::Result;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0002 latest --full --yes -o ids)
  sitectl tasks show $TASK
  sitectl tasks show $TASK --json

The service's description does not show where its tasks are; sitectl assumes /tasks/{task_id}.";

/// Show a background task as it stands now; restore watch waits for its end.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The task's id
    #[arg(value_name = "TASK_ID")]
    id: String,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let task = context.api()?.task(&args.id).await?;
    output::record(&task.record, context.shape())
}
