//! `sitectl tasks cancel`.

use crate::client::{Task, TaskState};
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0002 latest --full -o ids)
  sitectl tasks cancel $TASK

sitectl exits with 0 if the service accepts the cancellation. The task may still be running then. \
The API specification does not show the path. By default, sitectl uses /tasks/{task_id}/cancel.";

/// Cancel a background task.
///
/// A canceled restore can leave the site half restored.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id of the task
    #[arg(value_name = "TASK_ID")]
    id: NameOf<Task>,
    /// Skip the confirmation.
    ///
    /// A protected profile still requires its name.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let id: &str = &args.id;
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    confirmation.require_person(&format!("Cancel task {id}"))?;
    let api = context.api().await?;
    let send_once = false;
    let task = api.task(id, None, send_once).await;
    let task = task.map_err(|error| context.hint_task_path_if_not_found(error))?;
    let show = |purpose: &str| Hint::command(purpose, "tasks show").ids(&[id]);
    if task.state != TaskState::Running {
        let status = task.status.unwrap_or_default();
        let message = format!("task '{id}' has ended ({status}); no changes were made");
        return Err(Error::new(Kind::Conflict, message).with_hint(show("show the task")));
    }
    let question = Question::new(question_text(context, &task)?);
    let consent = confirmation.ask(&[question]).await?;
    let (record, note) = match api.cancel_task(&consent, id).await {
        Ok(shown) => (
            shown.unwrap_or(task.record),
            format!("the service accepted the cancellation of task {id}"),
        ),
        Err(error) if error.has_unknown_outcome() && error.kind != Kind::Interrupted => {
            match api.task(id, None, send_once).await {
                Ok(task) if task.state == TaskState::Failed => (
                    task.record,
                    format!("the response was lost, but task {id} was canceled"),
                ),
                _ => {
                    let hint = show("check the task before you repeat the command");
                    let error = error.context("the outcome of the cancellation is unknown");
                    return Err(error.with_hint(hint));
                }
            }
        }
        Err(error) if error.kind == Kind::NotFound => {
            let profile = context.profile().unwrap_or("NAME");
            let message = format!("task '{id}' was not canceled; the path was not found (404)");
            let purpose = format!(
                "the path is an assumption, and endpoints.task_cancel of \
                 [profiles.{profile}.endpoints] sets it"
            );
            return Err(Error::new(Kind::NotFound, message)
                .with_hint(Hint::command(purpose, "explain not_found")));
        }
        Err(error) => return Err(error),
    };
    context.ui.note(&note);
    let options = context.output_options();
    let printed = if options.prints_ids() {
        output::print_ids(&[id.into()], options)
    } else {
        output::print_record(&record, options)
    };
    finish_change(Some(note), Ok(()), printed)
}

/// Returns the change in words. For a restore, shows on stderr what a cancellation can do.
fn question_text(context: &Context, task: &Task) -> Result<String> {
    let id = &task.id;
    let journal = context.journal()?;
    let runs = journal.read()?;
    let entry = runs.of_task(id);
    let task_type = task.record.text("type").unwrap_or_default();
    if entry.is_none() && !task_type.contains("restore") {
        return Ok(format!("Cancel task {id}"));
    }
    context
        .ui
        .warn("a canceled restore can leave the site half restored");
    let decided = entry.map(|entry| entry.decided());
    let site = decided.map(|decided| decided.url.as_ref().unwrap_or(&decided.site_id));
    Ok(match site.or(task.site_id.as_ref()) {
        Some(site) => format!("Cancel task {id}, the restore of {site},"),
        None => format!("Cancel task {id}, a restore,"),
    })
}
