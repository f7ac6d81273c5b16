//! The result of watching, on stdout and as an exit code.

use super::polling::{PollingArgs, Watched};
use super::target::{WatchTarget, watch_command};
use super::watched_task::WatchedTask;
use crate::commands::context::Context;
use crate::commands::finish_change;
use crate::config::OutputFormat;
use crate::config::duration::format_duration;
use crate::error::{Detail, Error, Kind, Result};
use crate::output;
use crate::resources::{Outcome, WATCHED, short_url};
use crate::shell::shell_arguments;
use serde::Serialize;

/// The maximum number of restores that a message names.
const MAX_NAMES: usize = 8;

/// Prints the outcomes of the tasks, as far as they are known.
///
/// # Errors
/// `Interrupted` on Ctrl-C; else `RestoreFailed`, the error that ended the watching, `TimedOut` or
/// `UnknownOutcome`, unless all tasks succeeded.
pub fn report_outcomes(context: &Context, args: &PollingArgs, watched: &Watched) -> Result<()> {
    let printed = print_outcomes(context, &watched.tasks);
    // The exit code reports how the tasks ended even if stdout cannot be written.
    require_success(context, args, watched)?;
    finish_change(Some("all restores succeeded".into()), Ok(()), printed)
}

/// Prints the recorded outcomes of restores, which were not watched because of an interruption.
pub fn print_unwatched(context: &Context, targets: Vec<WatchTarget>) -> Result<()> {
    if targets.is_empty() {
        return output::print_result(&targets, &[], context.output_options());
    }
    let prints_events = true;
    let bars = context.ui.bars(targets.len(), prints_events);
    let tasks: Vec<WatchedTask> = targets
        .into_iter()
        .map(|target| WatchedTask::new(target, &bars))
        .collect();
    drop(bars);
    print_outcomes(context, &tasks)
}

fn print_outcomes(context: &Context, tasks: &[WatchedTask]) -> Result<()> {
    let format = context.settings.format;
    // After an early end, nothing may be known of a task that another machine has started.
    let has_outcome = |task: &&WatchedTask| task.is_known() && task.outcome.may_have_started();
    // The last event of a task has shown its outcome.
    let is_left = |task: &&WatchedTask| format != OutputFormat::Ndjson || !task.has_event();
    let tasks: Vec<&WatchedTask> = tasks.iter().filter(has_outcome).filter(is_left).collect();
    if tasks.is_empty() {
        return Ok(());
    }
    if matches!(format, OutputFormat::Table | OutputFormat::Csv) {
        let rows: Vec<_> = tasks
            .into_iter()
            .map(|task| WatchedRow {
                task,
                url: task.target.url.as_deref().map(short_url),
                took: task.duration(),
            })
            .collect();
        return output::print_list(&WATCHED, &rows, context.output_options());
    }
    let ids: Vec<String> = tasks
        .iter()
        .filter_map(|task| task.target.task_id.clone())
        .collect();
    output::print_result(&tasks, &ids, context.output_options())
}

/// A row of the table.
#[derive(Serialize)]
struct WatchedRow<'t> {
    #[serde(flatten)]
    task: &'t WatchedTask,
    url: Option<&'t str>,
    took: Option<String>,
}

/// Returns the error with the exit code: a failed task comes first, then a timeout, then an unknown
/// outcome.
fn require_success(context: &Context, args: &PollingArgs, watched: &Watched) -> Result<()> {
    let program = context.program();
    let targets_with = |outcome: Outcome| -> Vec<&WatchTarget> {
        let tasks = watched.tasks.iter();
        tasks
            .filter(|task| task.outcome == outcome)
            .map(|task| &task.target)
            .collect()
    };
    let failed = targets_with(Outcome::Failed);
    let running = targets_with(Outcome::Running);
    let failure = format!("restore failed: {}", join_names(&failed));
    if let Some(stopped_by) = &watched.stopped_by
        && (failed.is_empty() || stopped_by.kind == Kind::Interrupted)
    {
        return Err(early_end_error(context, watched, stopped_by, &failed));
    }
    if let Some(first) = failed.first() {
        let id = first.task_id.as_deref().unwrap_or_default();
        let mut hint = format!(
            "show the steps: {program} tasks show {}",
            shell_arguments(&[id])
        );
        let mut error = Error::new(Kind::RestoreFailed, failure);
        if let Some(stopped_by) = &watched.stopped_by {
            let message = format!("not watched any longer: {}", stopped_by.message);
            error = error.with_details(vec![Detail::new(stopped_by.kind.name(), "", message)]);
            hint += &format!("; watch the others: {}", watch_command(context, &running));
        }
        return Err(error.with_hint(hint));
    }
    let timed_out = targets_with(Outcome::TimedOut);
    if !timed_out.is_empty() {
        let message = timeout_message(args, watched, &timed_out);
        let mut hint = format!("resume watching: {}", watch_command(context, &timed_out));
        if watched.tasks.iter().any(WatchedTask::was_unauthorized) {
            hint = format!("check the token: {program} auth status; then {hint}");
        }
        return Err(Error::new(Kind::TimedOut, message).with_hint(hint));
    }
    // Another process was waiting for the response.
    let mut not_started = targets_with(Outcome::Rejected);
    not_started.extend(targets_with(Outcome::NotSent));
    let unknown = targets_with(Outcome::Unknown);
    if unknown.is_empty() && !not_started.is_empty() {
        let message = format!("not started: {}", join_names(&not_started));
        let hint = format!("show why: {program} restore history --outcome rejected,not_sent");
        return Err(Error::new(Kind::NotFound, message).with_hint(hint));
    }
    if !unknown.is_empty() {
        let message = format!("the outcome is unknown: {}", join_names(&unknown));
        let hint = format!(
            "check the site before you use --force: {program} restore history --outcome unknown"
        );
        return Err(Error::new(Kind::UnknownOutcome, message).with_hint(hint));
    }
    Ok(())
}

/// Returns the error of watching that ended early, with the restores that are known to have failed.
fn early_end_error(
    context: &Context,
    watched: &Watched,
    stopped_by: &Error,
    failed: &[&WatchTarget],
) -> Error {
    let mut error = stopped_by.clone();
    if !failed.is_empty() {
        error = error.append_to_message(&format!("restore failed: {}", join_names(failed)));
    }
    let running: Vec<&WatchedTask> = watched
        .tasks
        .iter()
        .filter(|task| task.outcome == Outcome::Running)
        .collect();
    let is_accepted = |task: &&&WatchedTask| task.was_accepted();
    let accepted = running.iter().filter(is_accepted).count();
    if accepted > 0 {
        error = error.append_to_message(continue_on_server(accepted));
    }
    if running.is_empty() {
        return error;
    }
    let targets: Vec<&WatchTarget> = running.iter().map(|task| &task.target).collect();
    let next = format!("resume watching: {}", watch_command(context, &targets));
    match &error.hint {
        Some(hint) => {
            let hint = format!("{hint}; then {next}");
            error.with_hint(hint)
        }
        None => error.with_hint(next),
    }
}

/// Says what is known of restores when the time is up. A task may have ended if its last poll
/// failed.
fn timeout_message(args: &PollingArgs, watched: &Watched, timed_out: &[&WatchTarget]) -> String {
    let time = format_duration(args.timeout);
    let names = join_names(timed_out);
    let are_running = watched
        .tasks
        .iter()
        .filter(|task| task.outcome == Outcome::TimedOut)
        .all(WatchedTask::is_seen_running);
    if !are_running {
        return format!("no result within {time}: {names}");
    }
    let continues = continue_on_server(timed_out.len());
    format!("not finished within {time}: {names}; {continues}")
}

fn continue_on_server(restores: usize) -> &'static str {
    match restores {
        1 => "the restore continues on the server",
        _ => "the restores continue on the server",
    }
}

/// Returns the first names, and the number of the others.
fn join_names(targets: &[&WatchTarget]) -> String {
    let names: Vec<String> = targets
        .iter()
        .take(MAX_NAMES)
        .map(|target| target.full_name())
        .collect();
    match targets.len().saturating_sub(MAX_NAMES) {
        0 => names.join(", "),
        more => format!("{}, and {more} more", names.join(", ")),
    }
}
