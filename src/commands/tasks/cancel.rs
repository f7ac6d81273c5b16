//! `sitectl tasks cancel`.

use crate::client::{Task, TaskState};
use crate::commands::consent::Question;
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::commands::restore::{find_in_journal, record_task};
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};

const EXAMPLES: &str = "\
Examples:
  TASK=$(sitectl restore start site-0002 latest --full -o ids)
  sitectl tasks cancel $TASK
  sitectl restore start site-0003 latest --full
  sitectl tasks cancel site-0003

sitectl exits with 0 if the service accepts the cancellation. The task may still be running then. \
The API specification does not show the path. By default, sitectl uses /tasks/{task_id}/cancel.";

/// Cancel a background task.
///
/// A canceled restore can leave the site half restored.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id of the task, or the site of an unfinished restore
    #[arg(value_name = "TASK_ID|SITE")]
    id: NameOf<Task>,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation()?;
    let id = &find_task(context, &args.id)?;
    confirmation.require_person(&format!("Cancel task {id}"))?;
    let api = context.api().await?;
    let task = api.task(id, None).await;
    let task = task.map_err(|error| context.hint_task_path_if_not_found(error))?;
    record_task(context, &api, &task).await;
    let show = |purpose: &str| Hint::command(purpose, "tasks show").ids(&[id]);
    if task.state != TaskState::Running {
        let status = task.status.unwrap_or_default();
        let message = format!("task '{id}' has ended ({status}); no changes were made");
        return Err(Error::new(Kind::Conflict, message).with_hint(show("show the task")));
    }
    let question = Question::new(question_text(context, &task)?);
    let consent = confirmation.ask(&[question]).await?;
    let (task, note) = match api.cancel_task(&consent, id).await {
        Ok(shown) => (
            shown.unwrap_or(task),
            format!("the service accepted the cancellation of task {id}"),
        ),
        Err(error) if error.has_unknown_outcome() && error.kind != Kind::Interrupted => {
            match api.task(id, None).await {
                Ok(task) if task.state == TaskState::Failed => (
                    task,
                    format!("the response was lost, but task {id} was canceled"),
                ),
                _ => {
                    let hint = show("check the task before you repeat the command");
                    let error = error.context("the outcome of the cancellation is unknown");
                    return Err(error.without_hints().with_hint(hint));
                }
            }
        }
        Err(error) if error.kind == Kind::NotFound => {
            let message = format!("task '{id}' was not canceled; the path was not found (404)");
            return Err(
                Error::new(Kind::NotFound, message).with_hint(Hint::Endpoint("task_cancel"))
            );
        }
        Err(error) => return Err(error),
    };
    record_task(context, &api, &task).await;
    context.ui.note(&note);
    let output = context.output();
    let printed = if output.prints_ids() {
        output.print_ids(std::slice::from_ref(id))
    } else {
        output.print_record(&task.record)
    };
    finish_change(Some(note), Ok(()), printed)
}

/// Returns the id of a task, or of the task of a site's unfinished restore in the journal. A text that
/// the journal does not have is the id of a task.
///
/// # Errors
/// `Usage` if the journal has the text as a site and as a task; `NotFound` if the last restore of the
/// site has ended or shows no task.
fn find_task(context: &Context, text: &str) -> Result<String> {
    let journal = context.journal()?;
    let runs = journal.read()?;
    let found = find_in_journal(&runs, text)?;
    let Some(entry) = found.and_then(|id| runs.entry(&id)) else {
        return Ok(text.into());
    };
    match entry.task_id() {
        Some(task_id) if task_id == text || entry.outcome().is_unfinished() => Ok(task_id.into()),
        _ => {
            let site = entry.decided().site_name();
            let message = format!("no unfinished restore of {site} with a task in the journal");
            Err(Error::new(Kind::NotFound, message)
                .with_hint(Hint::command("list the tasks of the account", "tasks list")))
        }
    }
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
    let site = entry.map(|entry| entry.decided().site_name());
    Ok(match site.or(task.site_id.as_deref()) {
        Some(site) => format!("Cancel task {id}, the restore of {site},"),
        None => format!("Cancel task {id}, a restore,"),
    })
}
