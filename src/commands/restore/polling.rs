//! Watches restores until they end: one poll loop for all commands. Each answer is recorded in the
//! journal, and shown from there.

use super::row::{Selected, observation_of};
use crate::client::{Api, Task};
use crate::commands::context::Context;
use crate::config::duration::format_duration;
use crate::config::positive_duration;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Journal, Observation, RestoreError, Runs};
use crate::output;
use crate::resources::Outcome;
use crate::signal::{mark_signal_handled, wait_for_signal};
use crate::terminal::{Bar, Bars, TaskProgress};
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
/// How long a task can be missing before its outcome is unknown.
const MAX_MISSING: Duration = Duration::from_secs(60);
/// The number of consecutive polls that show the end of a task in an unlisted state, after which
/// its outcome is unknown.
const MAX_ENDED_POLLS: u32 = 3;

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

/// Watches the restores until each has ended or the time is up. Returns why watching ended early:
/// the timeout, Ctrl-C, or a rejected token.
///
/// # Errors
/// An error of stdout or the journal.
pub async fn watch(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &PollingArgs,
    selected: &mut [Selected],
) -> Result<Option<Error>> {
    let total = selected.len();
    let bars = context
        .ui
        .bars(total, context.output_options().prints_events());
    let poller = Poller {
        context,
        api,
        journal,
        interval: args.interval,
        in_flight: Semaphore::new(MAX_POLLS_IN_FLIGHT),
        last_poll: Mutex::new(None),
        bars,
        finished: Cell::new(0),
        failed: Cell::new(0),
    };
    // Leaves the last requests of each window of the rate limit to others.
    api.begin_bulk();
    poller.show_total();
    let polls = try_join_all(selected.iter_mut().map(|one| poller.poll_until_ended(one)));
    let result = tokio::select! {
        biased;
        result = timeout(args.timeout, polls) => result.map_or_else(
            |_| {
                let time = format_duration(args.timeout);
                Err(Error::new(Kind::TimedOut, format!("no result within {time}")))
            },
            |result| result.map(drop),
        ),
        () = wait_for_signal() => {
            mark_signal_handled();
            Err(Error::new(Kind::Interrupted, "interrupted"))
        }
        never = poller.bars.log_progress() => never,
    };
    match result {
        Ok(()) => Ok(None),
        Err(error) => match error.kind {
            Kind::TimedOut | Kind::Interrupted | Kind::Auth => Ok(Some(error)),
            _ => Err(error),
        },
    }
}

/// A restore while it is watched.
struct Watched<'w> {
    one: &'w mut Selected,
    bar: Bar,
    /// The kind of the error of the last poll.
    retrying: Option<Kind>,
    missing: MissingTask,
    /// The number of consecutive polls that show the end of the task, but a state that is in
    /// neither list of `task_states`.
    ended_polls: u32,
    /// Whether a poll has shown that the outcome will stay unknown.
    is_settled: bool,
    /// The last event on stdout.
    last_event: Option<State>,
}

/// How long the service has not known a task.
#[derive(Default)]
struct MissingTask {
    since: Option<Instant>,
}

impl MissingTask {
    /// Adds a response, and returns whether all responses of the last minute said that the task is
    /// missing.
    fn is_gone(&mut self, is_missing: bool, now: Instant) -> bool {
        if !is_missing {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        now.duration_since(since) >= MAX_MISSING
    }
}

/// The outcome, the status and the progress. A change of these is an event.
type State = (Outcome, Option<String>, Option<f64>);

/// The state that the polls of all tasks share.
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
    bars: Bars,
    /// The number of tasks that are no longer polled.
    finished: Cell<usize>,
    /// The number of tasks that failed.
    failed: Cell<usize>,
}

impl Poller<'_> {
    /// Polls one task until it has ended. A poll that hangs delays no other task.
    async fn poll_until_ended(&self, one: &mut Selected) -> Result<()> {
        // A line has shown that the restore was started.
        let is_announced = one.task.is_some();
        let mut watched = Watched {
            one,
            bar: self.bars.add(is_announced),
            retrying: None,
            missing: MissingTask::default(),
            ended_polls: 0,
            is_settled: false,
            last_event: None,
        };
        watched.draw(&self.journal.runs());
        let mut pause = Duration::ZERO;
        let mut has_ended = self.has_ended(&watched)?;
        if has_ended {
            self.show(&mut watched, true).await?;
        }
        while !has_ended {
            sleep(pause).await;
            let requested_wait = self.poll_once(&mut watched).await?;
            has_ended = self.has_ended(&watched)?;
            let has_changed = self.show(&mut watched, has_ended).await?;
            let next_pause = if has_changed {
                MIN_INTERVAL
            } else {
                (pause * 3 / 2).clamp(MIN_INTERVAL, MAX_INTERVAL)
            };
            pause = self.interval.unwrap_or(next_pause).max(requested_wait);
        }
        self.finished.update(|finished| finished + 1);
        if watched.one.outcome(&self.journal.runs()) == Outcome::Failed {
            self.failed.update(|failed| failed + 1);
        }
        self.show_total();
        Ok(())
    }

    /// Whether nothing more will be seen of the restore. Another process may have sent it, so that
    /// the journal is read until it shows the task.
    fn has_ended(&self, watched: &Watched<'_>) -> Result<bool> {
        let runs = self.journal.runs();
        let has_task = watched.one.task_id(&runs).is_some();
        drop(runs);
        let runs = if has_task {
            self.journal.runs()
        } else {
            self.journal.read()?
        };
        let has_task = watched.one.task_id(&runs).is_some();
        let entry = watched.one.entry(&runs);
        let is_awaited = entry.as_ref().is_some_and(Entry::is_awaited);
        Ok(match watched.one.outcome(&runs) {
            Outcome::Running => false,
            Outcome::Unknown => watched.is_settled || !(has_task || is_awaited),
            _ => true,
        })
    }

    /// Polls the task, if it is known, and returns the wait that the service requests.
    async fn poll_once(&self, watched: &mut Watched<'_>) -> Result<Duration> {
        let (task_id, site_id) = {
            let runs = self.journal.runs();
            let site_id = watched.one.site_id(&runs).map(String::from);
            (watched.one.task_id(&runs).map(String::from), site_id)
        };
        let Some(task_id) = task_id else {
            return Ok(Duration::ZERO);
        };
        let response = self.poll(&task_id, site_id.as_deref()).await;
        let wait = response.as_ref().err().and_then(|error| error.retry_after);
        let observation = match response {
            Ok(task) => Some(watched.observe(task)),
            Err(error) if error.kind == Kind::Auth => {
                return Err(self.context.hint_rejected_token(error));
            }
            Err(error) if error.kind == Kind::NotFound && watched.is_unheard_of() => {
                let error = error.with_message(format!(
                    "no restore of '{task_id}' in the journal, and no such task"
                ));
                return Err(self.context.hint_task_path_if_not_found(error));
            }
            Err(error) => watched.observe_error(&error, task_id),
        };
        if let Some(observation) = observation {
            watched.is_settled = observation.outcome == Outcome::Unknown;
            match watched.one.id.clone() {
                Some(id) => self.journal.record_observation(id, observation).await,
                None => watched.one.seen = Some(observation),
            }
        }
        Ok(wait.unwrap_or_default())
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

    /// Shows a change in a bar or a line, and as an event in ndjson. Returns whether the restore has
    /// changed.
    ///
    /// # Errors
    /// If stdout cannot be written.
    async fn show(&self, watched: &mut Watched<'_>, has_ended: bool) -> Result<bool> {
        let options = self.context.output_options();
        let record = {
            let runs = self.journal.runs();
            let seen = watched.one.seen(&runs);
            let event: State = (
                watched.one.outcome(&runs),
                seen.and_then(|seen| seen.status.clone()),
                seen.and_then(|seen| seen.progress),
            );
            if has_ended {
                watched.finish_bar(&runs);
            } else {
                watched.update_bar(&runs);
            }
            if watched.is_unheard_of() || watched.last_event.as_ref() == Some(&event) {
                return Ok(false);
            }
            watched.last_event = Some(event);
            output::result_record(&watched.one.row(&runs), options)?
        };
        if options.prints_events() {
            let printed = output::print_event(record, options).await;
            // A reader that has enough does not end the watching.
            printed.or_else(|error| match error.kind {
                Kind::OutputClosed => Ok(()),
                _ => Err(error),
            })?;
        }
        Ok(true)
    }

    fn show_total(&self) {
        self.bars
            .set_finished(self.finished.get(), self.failed.get());
    }
}

impl Watched<'_> {
    fn update_bar(&mut self, runs: &Runs) {
        let (label, name) = (self.one.label(runs), self.one.name(runs));
        let progress = self.progress(runs, false);
        self.bar.update(label, &name, &progress);
    }

    fn finish_bar(&mut self, runs: &Runs) {
        let progress = self.progress(runs, true);
        let seconds = self.one.seen(runs).and_then(|seen| seen.seconds);
        let took = seconds.map(|seconds| Duration::from_secs(seconds.unsigned_abs()));
        let took = took.map(format_duration);
        self.bar.finish(&self.one.name(runs), &progress, took);
    }

    fn draw(&self, runs: &Runs) {
        let name = self.one.name(runs);
        self.bar
            .draw(self.one.label(runs), &name, &self.progress(runs, false));
    }

    /// Takes over a response that shows the task.
    fn observe(&mut self, task: Task) -> Observation {
        self.retrying = None;
        self.missing = MissingTask::default();
        let mut observation = observation_of(&task);
        if observation.outcome == Outcome::Running && task.looks_ended() {
            self.ended_polls += 1;
        } else {
            self.ended_polls = 0;
        }
        if self.ended_polls == MAX_ENDED_POLLS {
            let status = task.status.as_deref().unwrap_or_default();
            let message = format!("its state '{status}' is in neither list of task_states");
            observation.outcome = Outcome::Unknown;
            observation.error = Some(RestoreError {
                kind: Kind::UnknownOutcome,
                message,
            });
        }
        self.one.site_id = self.one.site_id.take().or(task.site_id);
        self.one.task = Some(task.record);
        observation
    }

    /// Whether neither the journal nor the service knows the task.
    fn is_unheard_of(&self) -> bool {
        self.one.id.is_none() && self.one.task.is_none()
    }

    /// Takes over an error, and returns what it shows: only that the task is missing, after a while.
    /// After another error, the task may still be running.
    fn observe_error(&mut self, error: &Error, task_id: String) -> Option<Observation> {
        self.retrying = Some(error.kind);
        let is_missing = error.kind == Kind::NotFound;
        let is_gone = self.missing.is_gone(is_missing, Instant::now());
        is_gone.then(|| Observation {
            task_id: Some(task_id),
            error: Some(RestoreError {
                kind: Kind::NotFound,
                message: "the service does not know its task".into(),
            }),
            ..Observation::of(Outcome::Unknown)
        })
    }

    fn progress(&self, runs: &Runs, has_ended: bool) -> TaskProgress {
        let outcome = self.one.outcome(runs);
        let seen = self.one.seen(runs);
        let status = seen.and_then(|seen| seen.status.as_deref());
        let status = match outcome {
            Outcome::Unknown if has_ended => "outcome unknown",
            Outcome::NotSent => "not sent",
            Outcome::Rejected => "rejected",
            _ if self.one.task.is_none() && status.is_none() => "no status yet",
            _ => status.unwrap_or("unknown status"),
        };
        let remark = match self.retrying.filter(|_| !has_ended) {
            Some(kind) => format!(", retrying ({})", kind.name()),
            None => match self.one.reason(runs).filter(|_| has_ended) {
                Some(reason) => format!(": {}", reason.message),
                None => String::new(),
            },
        };
        TaskProgress {
            status: status.into(),
            percent: seen.and_then(|seen| seen.progress),
            remark,
        }
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
        for limit in [None, Some(2), Some(5), Some(200), Some(10_000)] {
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

    #[test]
    fn a_task_is_gone_after_a_minute_of_404_alone() {
        let (mut missing, start) = (MissingTask::default(), Instant::now());
        let responses = [(0, true), (40, false), (50, true), (109, true), (110, true)];
        let gone = responses.map(|(seconds, is_missing)| {
            missing.is_gone(is_missing, start + Duration::from_secs(seconds))
        });
        assert_eq!(gone, [false, false, false, false, true]);
    }
}
