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
use crate::resources::{Outcome, WATCHED};
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
                url: task.target.url.as_deref(),
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
    let tasks_with = |outcome: Outcome| -> Vec<&WatchedTask> {
        let tasks = watched.tasks.iter();
        tasks.filter(|task| task.outcome == outcome).collect()
    };
    let failed = tasks_with(Outcome::Failed);
    let running = tasks_with(Outcome::Running);
    if let Some(stopped_by) = &watched.stopped_by
        && (failed.is_empty() || stopped_by.kind == Kind::Interrupted)
    {
        return Err(early_end_error(context, stopped_by, &failed, &running));
    }
    if let Some(first) = failed.first() {
        let id = first.target.task_id.as_deref().unwrap_or_default();
        let mut hint = format!(
            "show the steps: {program} tasks show {}",
            shell_arguments(&[id])
        );
        let mut error = Error::new(Kind::RestoreFailed, failure_message(&failed));
        if let Some(stopped_by) = &watched.stopped_by {
            let message = format!("not watched any longer: {}", stopped_by.message);
            error = error.with_details(vec![Detail::new(stopped_by.kind.name(), "", message)]);
            hint += &format!("; watch the others: {}", resume_command(context, &running));
        }
        return Err(error.with_hint(hint));
    }
    let timed_out = tasks_with(Outcome::TimedOut);
    if !timed_out.is_empty() {
        let time = format_duration(args.timeout);
        let states = join_names(&timed_out, WatchedTask::name_with_last_state);
        let message = format!("no result within {time}: {states}");
        let next = resume_command(context, &timed_out);
        let hint = format!("resume watching: {next}");
        return Err(Error::new(Kind::TimedOut, message).with_hint(hint));
    }
    // Another process was waiting for the response.
    let mut not_started = tasks_with(Outcome::Rejected);
    not_started.extend(tasks_with(Outcome::NotSent));
    let unknown = tasks_with(Outcome::Unknown);
    if !unknown.is_empty() {
        return Err(unknown_error(context, &unknown, watched.has_seen_tasks));
    }
    if !not_started.is_empty() {
        let names = join_names(&not_started, |task| task.target.full_name());
        let message = format!("not started: {names}");
        let hint = format!("show why: {program} restore history --outcome rejected,not_sent");
        return Err(Error::new(Kind::NotFound, message).with_hint(hint));
    }
    Ok(())
}

/// Returns the error of watching that ended early, with the restores that are known to have failed.
fn early_end_error(
    context: &Context,
    stopped_by: &Error,
    failed: &[&WatchedTask],
    running: &[&WatchedTask],
) -> Error {
    let mut error = stopped_by.clone();
    if error.kind == Kind::Auth {
        error = error.with_kind(Kind::TimedOut);
    }
    if !failed.is_empty() {
        error = error.append_to_message(&failure_message(failed));
    }
    if running.is_empty() {
        return error;
    }
    let next = format!("resume watching: {}", resume_command(context, running));
    let hint = match &error.hint {
        Some(hint) => format!("{hint}; then {next}"),
        None => next,
    };
    error.with_hint(hint)
}

/// Returns the error of restores with an unknown outcome. The hint is about the settings if they
/// may be the cause.
fn unknown_error(context: &Context, unknown: &[&WatchedTask], has_seen_tasks: bool) -> Error {
    let names = join_names(unknown, WatchedTask::name_with_reason);
    let message = format!("the outcome is unknown: {names}");
    let profile = context.profile().unwrap_or("NAME");
    let hint = if unknown.iter().any(|task| task.has_unlisted_state()) {
        format!(
            "if the state is final, add it to [profiles.{profile}.task_states]: \
             sitectl explain unknown_outcome"
        )
    } else if unknown.iter().any(|task| task.is_missing()) && !has_seen_tasks {
        format!(
            "no task of this service was ever found; check the path endpoints.task in \
             [profiles.{profile}.endpoints]: sitectl explain not_found"
        )
    } else {
        let program = context.program();
        format!(
            "check the site before you use --force: {program} restore history --outcome unknown"
        )
    };
    Error::new(Kind::UnknownOutcome, message).with_hint(hint)
}

fn failure_message(failed: &[&WatchedTask]) -> String {
    let names = join_names(failed, WatchedTask::name_with_reason);
    format!("restore failed: {names}")
}

fn resume_command(context: &Context, tasks: &[&WatchedTask]) -> String {
    let targets: Vec<&WatchTarget> = tasks.iter().map(|task| &task.target).collect();
    watch_command(context, &targets)
}

/// Returns the first names, and the number of the others.
fn join_names(tasks: &[&WatchedTask], name_of: impl Fn(&WatchedTask) -> String) -> String {
    let names = tasks.iter().take(MAX_NAMES).map(|task| name_of(task));
    let names: Vec<String> = names.collect();
    match tasks.len().saturating_sub(MAX_NAMES) {
        0 => names.join("; "),
        more => format!("{}; and {more} more", names.join("; ")),
    }
}
