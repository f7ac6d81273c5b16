//! The result of watching, on stdout and as an exit code.

use super::polling::PollingArgs;
use super::sent_restore::{SentRestore, resume_command};
use super::watched_task::{WatchOutcome, WatchedTask};
use crate::commands::context::Context;
use crate::commands::sites::known_urls;
use crate::config::OutputFormat;
use crate::config::duration::format_duration;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resources::WATCHED;
use crate::terminal::shell_arguments;
use serde::Serialize;

/// The maximum number of restores that a message names.
const MAX_NAMES: usize = 8;

/// Prints the outcomes of the tasks.
///
/// # Errors
/// `RestoreFailed`, `TimedOut` or `UnknownOutcome`, unless all tasks succeeded.
pub fn report_outcomes(context: &Context, args: &PollingArgs, tasks: &[WatchedTask]) -> Result<()> {
    let printed = print_outcomes(context, tasks);
    // The exit code reports how the tasks ended even if stdout cannot be written.
    require_success(context, args, tasks).and(printed)
}

fn print_outcomes(context: &Context, tasks: &[WatchedTask]) -> Result<()> {
    if context.settings.format == OutputFormat::Ndjson {
        // The last event of each task has shown its outcome.
        return Ok(());
    }
    if context.settings.format == OutputFormat::Table {
        let urls = known_urls(context);
        let rows: Vec<_> = tasks
            .iter()
            .map(|task| WatchedRow {
                task,
                url: task
                    .restore
                    .site_id
                    .as_ref()
                    .and_then(|site_id| urls.get(site_id)),
                took: task.duration(),
            })
            .collect();
        return output::print_list(&WATCHED, &rows, context.output_options());
    }
    let ids: Vec<String> = tasks
        .iter()
        .filter_map(|task| task.restore.task_id.clone())
        .collect();
    output::print_result(&tasks, &ids, context.output_options())
}

/// A row of the table.
#[derive(Serialize)]
struct WatchedRow<'t> {
    #[serde(flatten)]
    task: &'t WatchedTask,
    url: Option<&'t String>,
    took: Option<String>,
}

/// Returns the error with the exit code: a failed task comes first, then a timeout, then an unknown
/// outcome.
fn require_success(context: &Context, args: &PollingArgs, tasks: &[WatchedTask]) -> Result<()> {
    let program = context.program();
    let restores_with = |outcome: WatchOutcome| -> Vec<&SentRestore> {
        tasks
            .iter()
            .filter(|task| task.outcome == outcome)
            .map(|task| &task.restore)
            .collect()
    };
    let failed = restores_with(WatchOutcome::Failed);
    if let Some(first) = failed.first() {
        let message = format!("restore failed: {}", join_names(&failed));
        let id = first.task_id.as_deref().unwrap_or_default();
        let hint = format!(
            "show the steps: {program} tasks show {}",
            shell_arguments(&[id])
        );
        return Err(Error::new(Kind::RestoreFailed, message).with_hint(hint));
    }
    let timed_out = restores_with(WatchOutcome::TimedOut);
    if !timed_out.is_empty() {
        // A task that the service has not shown may not exist.
        let all_exist = tasks
            .iter()
            .all(|task| task.outcome != WatchOutcome::TimedOut || task.was_shown());
        let continues = match timed_out.len() {
            _ if !all_exist => "",
            1 => "; the restore continues on the server",
            _ => "; the restores continue on the server",
        };
        let message = format!(
            "not finished within {}: {}{continues}",
            format_duration(args.timeout),
            join_names(&timed_out)
        );
        let hint = format!("resume watching: {}", resume_command(context, &timed_out));
        return Err(Error::new(Kind::TimedOut, message).with_hint(hint));
    }
    let unknown = restores_with(WatchOutcome::Unknown);
    if !unknown.is_empty() {
        let message = format!("the outcome is unknown: {}", join_names(&unknown));
        let hint = format!(
            "check the site before you use --force: {program} restore history --outcome unknown"
        );
        return Err(Error::new(Kind::UnknownOutcome, message).with_hint(hint));
    }
    Ok(())
}

/// Returns the first names, and the number of the others.
fn join_names(restores: &[&SentRestore]) -> String {
    let names: Vec<String> = restores
        .iter()
        .take(MAX_NAMES)
        .map(|restore| restore.full_name())
        .collect();
    match restores.len().saturating_sub(MAX_NAMES) {
        0 => names.join(", "),
        more => format!("{}, and {more} more", names.join(", ")),
    }
}
