//! Watches tasks until they end: one poll loop for `restore watch` and `restore start --watch`.

use super::target::WatchTarget;
use super::watched_task::WatchedTask;
use crate::client::{Api, DEFAULT_WINDOW, Task};
use crate::commands::context::Context;
use crate::config::duration::format_duration;
use crate::config::{OutputFormat, positive_duration};
use crate::error::{Error, Kind, Result};
use crate::journal::Journal;
use crate::resources::Outcome;
use crate::signal::{mark_signal_handled, wait_for_signal};
use crate::terminal::Bars;
use futures_util::future::try_join_all;
use std::cell::Cell;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// The maximum number of polls in flight, because polls that wait for the rate limit are sent
/// together.
const MAX_POLLS_IN_FLIGHT: usize = 8;
/// The rate limit if the service reports none (spec, "Limits").
const ASSUMED_RATE_LIMIT: u64 = 200;
/// The time between two polls while the task changes.
const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// The longest time between two polls.
const MAX_INTERVAL: Duration = Duration::from_secs(10);
/// The time between two polls of a task from which a note announces it.
const LONG_INTERVAL: Duration = Duration::from_secs(60);

/// The options of watching.
#[derive(Debug, clap::Args)]
pub struct PollingArgs {
    /// Stop watching after this time
    #[arg(long, value_name = "DUR", default_value = "2h", value_parser = positive_duration)]
    pub timeout: Duration,
    /// Set the minimum time between polls of a restore [default: 1s to 10s]
    #[arg(long, value_name = "DUR", hide_short_help = true, value_parser = positive_duration)]
    interval: Option<Duration>,
}

/// The result of watching.
pub struct Watched {
    pub tasks: Vec<WatchedTask>,
    /// The error that ended the watching early: `Interrupted` on Ctrl-C, or the service's error, if
    /// it does not accept the token.
    pub stopped_by: Option<Error>,
    /// Whether a task of the service was seen, by this command or an earlier one.
    pub has_seen_tasks: bool,
}

/// Watches the tasks until each has finished or the time is up, and records the outcomes.
///
/// # Errors
/// The service's error, if the only task does not exist; an error of stdout or the journal.
pub async fn watch_restores(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &PollingArgs,
    targets: Vec<WatchTarget>,
) -> Result<Watched> {
    let prints_events = context.settings.format == OutputFormat::Ndjson;
    let bars = context.ui.bars(targets.len(), prints_events);
    let mut tasks: Vec<WatchedTask> = targets
        .into_iter()
        .map(|target| WatchedTask::new(target, &bars))
        .collect();
    let poller = Poller {
        context,
        api,
        journal,
        interval: args.interval,
        in_flight: Semaphore::new(MAX_POLLS_IN_FLIGHT),
        last_poll: Mutex::new(None),
        has_told_pace: Cell::new(false),
        bars,
        total: tasks.len(),
        finished: Cell::new(0),
        failed: Cell::new(0),
    };
    // Leaves the last requests of each window of the rate limit to others.
    api.begin_bulk();
    poller.show_total();
    let polls = try_join_all(
        tasks
            .iter_mut()
            .map(|task| poller.poll_until_finished(task)),
    );
    let result = tokio::select! {
        biased;
        result = timeout(args.timeout, polls) => match result {
            Ok(result) => result.map(drop),
            Err(_) => time_out(context, &mut tasks).await,
        },
        () = wait_for_signal() => {
            mark_signal_handled();
            Err(Error::new(Kind::Interrupted, "interrupted"))
        }
        never = poller.bars.log_progress() => never,
    };
    // Removes the bars before anything else is printed.
    drop(poller);
    let stopped_by = match result {
        Ok(()) => None,
        Err(error) if matches!(error.kind, Kind::Interrupted | Kind::Auth) => Some(error),
        Err(error) => {
            // Only an unknown id, which was the only one, is an error.
            let name = tasks.first().map_or("", |task| task.target.label());
            let error = error.name_record_if_not_found("task or restored site", name);
            return Err(context.hint_task_path_if_not_found(error));
        }
    };
    let has_seen_tasks = tasks.iter().any(WatchedTask::was_shown) || journal.runs().has_seen_end();
    Ok(Watched {
        tasks,
        stopped_by,
        has_seen_tasks,
    })
}

/// Marks the tasks that are still running as timed out, and shows them.
async fn time_out(context: &Context, tasks: &mut [WatchedTask]) -> Result<()> {
    for task in tasks {
        if task.outcome == Outcome::Running {
            task.outcome = Outcome::TimedOut;
            task.show(context).await?;
        }
    }
    Ok(())
}

/// What the polls of all tasks share.
struct Poller<'p> {
    context: &'p Context,
    api: &'p Api,
    journal: &'p Journal,
    /// The value of `--interval`; none for a time that grows until the task changes.
    interval: Option<Duration>,
    /// One permit per poll in flight.
    in_flight: Semaphore,
    /// When the last poll was sent. The tasks wait for this lock in turn.
    last_poll: Mutex<Option<Instant>>,
    has_told_pace: Cell<bool>,
    bars: Bars,
    total: usize,
    /// The number of tasks that are no longer polled.
    finished: Cell<usize>,
    /// The number of tasks that failed.
    failed: Cell<usize>,
}

impl Poller<'_> {
    /// Polls one task until it has finished. A poll that hangs delays no other task.
    async fn poll_until_finished(&self, task: &mut WatchedTask) -> Result<()> {
        let mut pause = Duration::ZERO;
        if task.outcome != Outcome::Running {
            task.show(self.context).await?;
        }
        while task.outcome == Outcome::Running {
            sleep(pause).await;
            let (has_changed, requested_wait) = if let Some(task_id) = task.target.task_id.clone() {
                let response = self.poll(&task_id, task.target.site_id.as_deref()).await;
                self.tell_pace();
                let requested_wait = response.as_ref().err().and_then(|error| error.retry_after);
                let has_changed = task.handle_response(response, self.total == 1)?;
                (has_changed, requested_wait)
            } else {
                task.update_from_journal(self.journal)?;
                (false, None)
            };
            // The journal comes first: a closed stdout must not keep the outcome from it.
            task.record(self.context, self.journal).await;
            task.show(self.context).await?;
            let next_pause = if has_changed {
                MIN_INTERVAL
            } else {
                (pause * 3 / 2).clamp(MIN_INTERVAL, MAX_INTERVAL)
            };
            let interval = self.interval.unwrap_or(next_pause);
            pause = interval.max(requested_wait.unwrap_or_default());
        }
        self.finished.update(|finished| finished + 1);
        if task.outcome == Outcome::Failed {
            self.failed.update(|failed| failed + 1);
        }
        self.show_total();
        Ok(())
    }

    /// Polls when it is the task's turn: all tasks together use at most half of the rate limit.
    async fn poll(&self, task_id: &str, site_id: Option<&str>) -> Result<Task> {
        let _in_flight = self.in_flight.acquire().await;
        let mut last_poll = self.last_poll.lock().await;
        if let Some(last_poll) = *last_poll {
            let (limit, window) = self.api.rate_limit();
            sleep_until(last_poll + poll_spacing(limit, window)).await;
        }
        *last_poll = Some(Instant::now());
        drop(last_poll);
        let send_once = true;
        self.api.task(task_id, site_id, send_once).await
    }

    /// Says once, when the rate limit is known, how often each of many tasks is polled.
    fn tell_pace(&self) {
        let (limit, window) = self.api.rate_limit();
        // What is left of the first window can be short.
        let window = window.max(DEFAULT_WINDOW);
        let interval = poll_spacing(limit, window).mul_f64(self.total as f64);
        if self.has_told_pace.replace(true) || interval < LONG_INTERVAL {
            return;
        }
        self.context.ui.note(&format!(
            "each of the {} restores is polled about every {}, with half of the rate limit",
            self.total,
            format_duration(Duration::from_secs(interval.as_secs()))
        ));
    }

    fn show_total(&self) {
        self.bars
            .set_finished(self.finished.get(), self.failed.get());
    }
}

/// Returns the least time between two polls. Half of the rate limit is spread over a little more
/// than the window, because polls may arrive closer together than they were sent.
fn poll_spacing(limit: Option<u64>, window: Duration) -> Duration {
    match limit.unwrap_or(ASSUMED_RATE_LIMIT) / 2 {
        0 => window.mul_f64(2.2),
        half => window.mul_f64(1.1 / half as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polls_use_at_most_half_of_the_rate_limit() {
        let window = Duration::from_secs(60);
        for limit in [
            None,
            Some(2),
            Some(3),
            Some(5),
            Some(20),
            Some(200),
            Some(10_000),
        ] {
            let half = limit.unwrap_or(200) / 2;
            // A window that begins with a poll holds that one, and those that follow before it
            // ends.
            let polls =
                1.0 + (window.as_secs_f64() / poll_spacing(limit, window).as_secs_f64()).floor();
            assert!(
                polls <= half as f64 && polls >= half as f64 * 0.8,
                "{limit:?}: {polls}"
            );
        }
        assert!(poll_spacing(Some(1), window) > window * 2);
    }
}
