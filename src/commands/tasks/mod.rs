//! `sitectl tasks`.

mod cancel;

use crate::client::Task;
use crate::commands::context::Context;
use crate::commands::list::{self, ListArgs};
use crate::commands::restore::record_task;
use crate::config::NameOf;
use crate::error::Result;
use crate::resources::Tasks;

/// The examples in the noun's help.
pub const EXAMPLES: &str = "\
Examples:
  sitectl tasks list
  TASK=$(sitectl restore start site-0002 latest --full -o ids)
  sitectl tasks show $TASK";

const SHOW_EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0002 latest --full -o ids)
  sitectl tasks show $TASK
  sitectl tasks show $TASK --json

To wait until a restore finishes, run sitectl restore watch. The API specification does not show \
the path of a task. By default, sitectl uses /tasks/{task_id}.";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    #[command(visible_alias = "ls")]
    List(Box<ListArgs<Tasks>>),
    /// Show the state of a background task
    #[command(visible_alias = "get", alias = "status", after_help = SHOW_EXAMPLES)]
    Show {
        /// Id of the task
        #[arg(value_name = "TASK_ID")]
        id: NameOf<Task>,
    },
    Cancel(cancel::Args),
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        match self {
            Self::List(args) => list::run(context, args).await,
            Self::Show { id } => {
                let api = context.api().await?;
                let response = api.task(id, None).await;
                let task = response.map_err(|error| context.hint_task_path_if_not_found(error))?;
                record_task(context, &api, &task).await;
                context.output().print_record(&task.record)
            }
            Self::Cancel(args) => cancel::run(context, args).await,
        }
    }
}
