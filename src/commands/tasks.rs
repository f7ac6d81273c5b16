//! `sitectl tasks`.

use crate::client::Task;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::Result;
use crate::output;

/// The examples in the help of the noun and its verb.
pub const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0002 latest --full --yes -o ids)
  sitectl tasks show $TASK
  sitectl tasks show $TASK --json

To wait until a restore finishes, run sitectl restore watch. The API specification does not show \
the path of a task. By default, sitectl uses /tasks/{task_id}.";

/// The verbs.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Show the state of a background task
    #[command(visible_alias = "get", after_help = EXAMPLES)]
    Show {
        /// Id of the task
        #[arg(value_name = "TASK_ID")]
        id: NameOf<Task>,
    },
}

impl Command {
    pub async fn run(&self, context: &Context) -> Result<()> {
        let Self::Show { id } = self;
        let response = context.api().await?.task(id, None, false).await;
        let task = response.map_err(|error| context.hint_history_if_not_found(error))?;
        output::print_record(&task.record, context.output_options())
    }
}
