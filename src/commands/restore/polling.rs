//! Watches restores until they end: one poll loop for all commands. Each answer is recorded in the
//! journal, and shown from there.

use super::args::PollingArgs;
use super::row::{Origin, ReportedRestore, observation_of, site_names};
use super::session::Session;
use crate::client::{SiteNames, Task};
use crate::config::duration::format_duration;
use crate::error::{Error, Kind, Result};
use crate::journal::{Observation, RestoreError, Runs, current_time};
use crate::resources::{Outcome, ServiceTime};
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
pub const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// The longest time between two polls.
pub const MAX_INTERVAL: Duration = Duration::from_secs(10);
/// How long a task can be missing, or look ended in an unlisted state, before its outcome is unknown.
pub const MAX_DOUBTFUL: Duration = Duration::from_secs(60);

/// Watches the restores until each has ended or the time is up. Then polls each that is unfinished
/// once more. Returns why watching ended early: the timeout, Ctrl-C, or a rejected token.
///
/// # Errors
/// An error of stdout or the journal.
pub async fn watch(
    session: &Session<'_>,
    args: &PollingArgs,
    restores: &mut [ReportedRestore],
) -> Result<Option<Error>> {
    let Session { context, api, .. } = session;
    let total = restores.len();
    let bars = context.ui.bars(total, context.output().prints_events());
    let poller = Poller {
        session,
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
    let work = async {
        let polls = restores
            .iter_mut()
            .map(|restore| poller.poll_until_ended(restore));
        if let Ok(result) = timeout(args.timeout, try_join_all(polls)).await {
            return result.map(drop);
        }
        // The restores may have ended while this process was stopped, for example.
        let polls = restores.iter_mut().map(|restore| poller.poll_last(restore));
        let last = timeout(context.flags.request_timeout, try_join_all(polls)).await;
        if last.is_ok_and(|has_ended| has_ended.is_ok_and(|has_ended| !has_ended.contains(&false)))
        {
            return Ok(());
        }
        let time = format_duration(args.timeout);
        Err(Error::new(
            Kind::TimedOut,
            format!("no result within {time}"),
        ))
    };
    let result = tokio::select! {
        biased;
        result = work => result,
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
    restore: &'w mut ReportedRestore,
    bar: Bar,
    /// The kind of the error of the last poll.
    retrying: Option<Kind>,
    /// Whether the service does not know the task.
    missing: Doubt,
    /// Whether the task looks ended, but its state is in neither list of `task_states`.
    unlisted: Doubt,
    /// Whether a poll has shown that the outcome will stay unknown.
    is_settled: bool,
    /// Whether no later response can change what is known of the restore.
    has_ended: bool,
    /// The last event on stdout.
    last_event: Option<State>,
}

/// How long all responses have shown a doubtful fact.
#[derive(Default)]
pub struct Doubt {
    since: Option<Instant>,
}

impl Doubt {
    /// Adds a response, and returns whether all responses of the last minute showed the fact.
    pub fn lasts(&mut self, is_shown: bool, now: Instant) -> bool {
        if !is_shown {
            self.since = None;
            return false;
        }
        let since = *self.since.get_or_insert(now);
        now.duration_since(since) >= MAX_DOUBTFUL
    }
}

/// The outcome, the status and the progress. A change of these is an event.
type State = (Outcome, Option<String>, Option<f64>);

/// The state that the polls of all tasks share.
struct Poller<'p> {
    session: &'p Session<'p>,
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
    async fn poll_until_ended(&self, restore: &mut ReportedRestore) -> Result<()> {
        let mut watched = Watched::new(restore, &self.bars);
        watched.draw(&self.session.journal.runs());
        let mut pause = Duration::ZERO;
        if self.check_end(&mut watched)? {
            self.show(&mut watched).await?;
        }
        while !watched.has_ended {
            sleep(pause).await;
            let requested_wait = self.poll_once(&mut watched).await?;
            self.check_end(&mut watched)?;
            let has_changed = self.show(&mut watched).await?;
            let next_pause = if has_changed {
                MIN_INTERVAL
            } else {
                (pause * 3 / 2).clamp(MIN_INTERVAL, MAX_INTERVAL)
            };
            pause = self.interval.unwrap_or(next_pause).max(requested_wait);
        }
        self.finished.update(|finished| finished + 1);
        let runs = self.session.journal.runs();
        if watched.restore.view(&runs).outcome() == Outcome::Failed {
            self.failed.update(|failed| failed + 1);
        }
        self.show_total();
        Ok(())
    }

    /// Polls a task once when the time is up, unless it has ended. Returns whether it has.
    async fn poll_last(&self, restore: &mut ReportedRestore) -> Result<bool> {
        let mut watched = Watched::new(restore, &self.bars);
        if self.check_end(&mut watched)? {
            return Ok(true);
        }
        self.poll_once(&mut watched).await?;
        let has_ended = self.check_end(&mut watched)?;
        self.show(&mut watched).await?;
        Ok(has_ended)
    }

    /// Checks whether no later response can change what is known of the restore. Another process may
    /// have sent it, so that the journal is read until it shows the task.
    fn check_end(&self, watched: &mut Watched<'_>) -> Result<bool> {
        let journal = &self.session.journal;
        let runs = journal.runs();
        let has_task = watched.restore.view(&runs).task_id().is_some();
        drop(runs);
        let runs = if has_task {
            journal.runs()
        } else {
            journal.read()?
        };
        let restore = watched.restore.view(&runs);
        let can_be_polled = restore.task_id().is_some() || restore.is_in_flight();
        let has_ended = match restore.outcome() {
            Outcome::Running => false,
            Outcome::Unknown => watched.is_settled || !can_be_polled,
            _ => true,
        };
        watched.has_ended = has_ended;
        Ok(has_ended)
    }

    /// Polls the task, if it is known, and returns the wait that the service requests.
    async fn poll_once(&self, watched: &mut Watched<'_>) -> Result<Duration> {
        let (task_id, site) = {
            let runs = self.session.journal.runs();
            let restore = watched.restore.view(&runs);
            let site = restore.entry.map(|entry| site_names(entry.decided()));
            (restore.task_id().map(String::from), site)
        };
        let Some(task_id) = task_id else {
            return Ok(Duration::ZERO);
        };
        let response = self.poll(&task_id, site.as_ref()).await;
        let wait = response.as_ref().err().and_then(|error| error.retry_after);
        let observation = match response {
            Ok(task) => Some(watched.observe(task, &self.session.journal.runs())),
            Err(error) if error.kind == Kind::Auth => {
                return Err(self.session.context.hint_rejected_token(error));
            }
            Err(error) if error.kind == Kind::NotFound && watched.is_unknown_task() => {
                let error = error.with_message(format!(
                    "no restore of '{task_id}' in the journal, and no such task"
                ));
                return Err(self.session.context.hint_task_path_if_not_found(error));
            }
            Err(error) => watched.observe_error(&error, task_id),
        };
        if let Some(observation) = observation {
            watched.is_settled = observation.outcome == Outcome::Unknown;
            match &mut watched.restore.origin {
                Origin::Journal(id) => {
                    let journal = &self.session.journal;
                    journal.record_observation(id.clone(), observation).await;
                }
                Origin::Elsewhere { seen, .. } => *seen = observation,
            }
        }
        Ok(wait.unwrap_or_default())
    }

    /// Polls when it is the task's turn: all tasks together use at most half of the rate limit.
    async fn poll(&self, task_id: &str, site: Option<&SiteNames>) -> Result<Task> {
        let _in_flight = self.in_flight.acquire().await;
        let mut last_poll = self.last_poll.lock().await;
        if let Some(last_poll) = *last_poll {
            let (limit, window) = self.session.api.rate_limit();
            sleep_until(last_poll + poll_spacing(limit, window)).await;
        }
        *last_poll = Some(Instant::now());
        drop(last_poll);
        self.session.api.poll_task(task_id, site).await
    }

    /// Shows a change in a bar or a line, and as an event in ndjson. Returns whether the restore has
    /// changed.
    ///
    /// # Errors
    /// If stdout cannot be written.
    async fn show(&self, watched: &mut Watched<'_>) -> Result<bool> {
        let output = self.session.context.output();
        let record = {
            let runs = self.session.journal.runs();
            let restore = watched.restore.view(&runs);
            let seen = restore.seen;
            let event: State = (
                restore.outcome(),
                seen.and_then(|seen| seen.status.clone()),
                seen.and_then(|seen| seen.progress),
            );
            if watched.has_ended {
                watched.finish_bar(&runs);
            } else {
                watched.update_bar(&runs);
            }
            if watched.is_unknown_task() || watched.last_event.as_ref() == Some(&event) {
                return Ok(false);
            }
            watched.last_event = Some(event);
            output.record_of(&watched.restore.view(&runs).row())?
        };
        if output.prints_events() {
            let printed = output.print_event(record).await;
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

impl<'w> Watched<'w> {
    fn new(restore: &'w mut ReportedRestore, bars: &Bars) -> Self {
        Self {
            // A line has shown that the restore was started.
            bar: bars.add(restore.task.is_some()),
            restore,
            retrying: None,
            missing: Doubt::default(),
            unlisted: Doubt::default(),
            is_settled: false,
            has_ended: false,
            last_event: None,
        }
    }

    fn update_bar(&mut self, runs: &Runs) {
        let progress = self.progress(runs);
        let restore = self.restore.view(runs);
        self.bar.update(restore.label(), &restore.name(), &progress);
    }

    fn finish_bar(&mut self, runs: &Runs) {
        let progress = self.progress(runs);
        let restore = self.restore.view(runs);
        let seconds = restore.seen.and_then(|seen| seen.seconds);
        let took = seconds.map(|seconds| Duration::from_secs(seconds.unsigned_abs()));
        let took = took.map(format_duration);
        self.bar.finish(&restore.name(), &progress, took);
    }

    fn draw(&self, runs: &Runs) {
        let restore = self.restore.view(runs);
        let progress = self.progress(runs);
        self.bar.draw(restore.label(), &restore.name(), &progress);
    }

    /// Returns what a response shows that has the task. If the service does not say when it ended,
    /// that is now, if this command has seen it unfinished.
    fn observe(&mut self, task: Task, runs: &Runs) -> Observation {
        self.retrying = None;
        self.missing = Doubt::default();
        let mut observation = observation_of(&task);
        let is_unlisted = observation.outcome == Outcome::Running && task.looks_ended();
        if self.unlisted.lasts(is_unlisted, Instant::now()) {
            let status = task.status.as_deref().unwrap_or_default();
            let message = format!("its state '{status}' is in neither list of task_states");
            observation.outcome = Outcome::Unknown;
            observation.error = Some(RestoreError {
                kind: Kind::UnknownOutcome,
                message,
            });
        }
        let was_unfinished = self.restore.task.is_some();
        if was_unfinished && observation.outcome.has_ended() && observation.finished_at.is_none() {
            let now = current_time();
            let entry = self.restore.view(runs).entry;
            observation.finished_at = ServiceTime::parse(&now.to_string());
            observation.seconds =
                entry.map(|entry| now.duration_since(entry.started_at()).as_secs());
        }
        if let Origin::Elsewhere { site_id, .. } = &mut self.restore.origin {
            *site_id = site_id.take().or(task.site_id);
        }
        self.restore.task = Some(task.record);
        observation
    }

    /// Whether neither the journal nor the service knows the task.
    fn is_unknown_task(&self) -> bool {
        matches!(self.restore.origin, Origin::Elsewhere { .. }) && self.restore.task.is_none()
    }

    /// Returns what an error shows: only that the task is missing, after a while. After another
    /// error, the task may still be running.
    fn observe_error(&mut self, error: &Error, task_id: String) -> Option<Observation> {
        self.retrying = Some(error.kind);
        let is_missing = error.kind == Kind::NotFound;
        let is_gone = self.missing.lasts(is_missing, Instant::now());
        is_gone.then(|| Observation {
            task_id: Some(task_id),
            error: Some(RestoreError {
                kind: Kind::NotFound,
                message: "the service did not find its task".into(),
            }),
            ..Observation::of(Outcome::Unknown)
        })
    }

    fn progress(&self, runs: &Runs) -> TaskProgress {
        let restore = self.restore.view(runs);
        let status = restore.seen.and_then(|seen| seen.status.as_deref());
        let status = match restore.outcome() {
            Outcome::Unknown if self.has_ended => "outcome unknown",
            Outcome::NotSent => "not sent",
            Outcome::Rejected => "rejected",
            _ if self.restore.task.is_none() && status.is_none() => "no status yet",
            _ => status.unwrap_or("unknown status"),
        };
        let remark = match self.retrying.filter(|_| !self.has_ended) {
            Some(kind) => format!(", retrying ({})", kind.name()),
            None => match restore.reason().filter(|_| self.has_ended) {
                Some(reason) => format!(": {}", reason.message),
                None => String::new(),
            },
        };
        TaskProgress {
            status: status.into(),
            percent: restore.seen.and_then(|seen| seen.progress),
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
    fn a_doubt_lasts_a_minute_without_another_response() {
        let (mut missing, start) = (Doubt::default(), Instant::now());
        let responses = [(0, true), (40, false), (50, true), (109, true), (110, true)];
        let gone = responses.map(|(seconds, is_missing)| {
            missing.lasts(is_missing, start + Duration::from_secs(seconds))
        });
        assert_eq!(gone, [false, false, false, false, true]);
    }
}
